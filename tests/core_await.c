/* core_await.c: coroutines that go from thread to thread with their zones, as fibers in core_fibers.
 *
 * Each reads the clock on both sides of all that it does with its zones: what the library has lies between.
 */
#include "tests/core_await.h"

#include <string.h>
#include "shm/clock.h"
#include "tests/core_run.h"
#include "tests/core_sums.h"

static enum region_clock source;

long long await_ticks(void)
{
	clock_order();
	int64_t now = clock_ticks(source);
	clock_order();
	return now;
}

static void check_tasks(const struct profile *p, const char *out)
{
	static const char *const zones[] = { "task 0", "task 1", "task 2", "task 3" };

	for (unsigned i = 0; i < AWAIT_TASKS; i++) {
		struct sums_told told = sums_told(out, zones[i]);
		struct sums_zone sum = sums_of(p, zones[i]);

		CHECK(sum.count == 1, "%s: %lld entries", zones[i], (long long)sum.count);
		CHECK(sums_within(sum.hier, told.inner, told.outer), "%s: %lld, measured %lld to %lld", zones[i],
		      (long long)sum.hier, told.inner, told.outer);
		CHECK(sum.longest == sum.hier, "%s: longest %lld", zones[i], (long long)sum.longest);
	}
}

static void check_counts(const struct profile *p)
{
	static const struct { const char *zone; int64_t count; } all[] = {
		{ "worker", 2 }, { "turn", AWAIT_TASKS * (AWAIT_MOVES + 1) }, { "behind", AWAIT_TASKS * (AWAIT_MOVES + 1) },
		{ "step", AWAIT_TASKS * AWAIT_MOVES }, { "deep", AWAIT_TASKS * AWAIT_MOVES / 4 },
		{ "tail", AWAIT_TASKS * AWAIT_MOVES }, { "caught", AWAIT_TASKS * AWAIT_MOVES },
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		CHECK(sums_of(p, all[i].zone).count == all[i].count, "%s: %lld entries", all[i].zone,
		      (long long)sums_of(p, all[i].zone).count);
	CHECK(sums_lost(p, NULL) == 0, "%llu lost", (unsigned long long)sums_lost(p, NULL));
}

/* All entries of the zone are directly in the other one. */
static void check_in(const struct profile *p, const char *zone, const char *parent, int64_t count)
{
	for (uint32_t n = 0; n < p->node_count; n++)
		if (sums_is_of(p, n, zone) && p->totals[n].count) {
			CHECK(sums_is_of(p, p->nodes[n].parent, parent), "%s is not in %s", zone, parent);
			count -= p->totals[n].count;
		}
	CHECK(count == 0, "%s: %lld entries missing", zone, (long long)count);
}

static void check_odd(void)
{
	struct sums_run run;
	struct source *s;

	sums_run(&run, "odd", NULL);
	CHECK(!run.output.out[0], "%s", run.output.out);
	if ((s = run.source)) {
		check_in(s->profile, "sum", "turn", 5 * AWAIT_ODD);
		check_in(s->profile, "in_task", "sum", (2 + 2 + 3 + 3 + 3) * AWAIT_ODD);
		check_in(s->profile, "in_around", "around", AWAIT_ODD);
		check_in(s->profile, "turn", "loop", 22 * AWAIT_ODD);
		check_in(s->profile, "around", "turn", AWAIT_ODD);
		check_in(s->profile, "destroyer", "loop", 2 * AWAIT_ODD);
		check_in(s->profile, "inner", "unended", 2 * AWAIT_ODD);
		check_in(s->profile, "unended", "loop", 2 * AWAIT_ODD);
		CHECK(sums_lost(s->profile, NULL) == 0, "%llu lost", (unsigned long long)sums_lost(s->profile, NULL));
	}
	sums_end(&run);
}

int main(int argc, char **argv)
{
	struct sums_run run;
	uint64_t ticks_per_s;

	source = clock_choose(&ticks_per_s);
	if (argc > 1 && !strcmp(argv[1], "tasks"))
		return await_run();
	if (argc > 1 && !strcmp(argv[1], "odd"))
		return await_odd(), 0;
	sums_run(&run, "tasks", "64M");
	if (run.source) {
		check_tasks(run.source->profile, run.output.out);
		check_counts(run.source->profile);
	}
	sums_end(&run);
	check_odd();
	return core_result();
}
