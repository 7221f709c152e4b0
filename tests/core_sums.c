/* core_sums.c: sums over the nodes of a zone. */
#include "tests/core_sums.h"

#include <stdio.h>
#include <string.h>
#include "tests/core_check.h"
#include "tests/core_shown.h"

struct source *sums_read(const char *name)
{
	struct shown_seen seen = { 0 };
	struct source *s = shown_open(name);

	if (s && !shown_to_end(s, &seen)) {
		source_close(s);
		return NULL;
	}
	return s;
}

void sums_run(struct sums_run *run, const char *mode, const char *size)
{
	const char *const arguments[] = { mode, NULL };
	struct core_program program = { .shm = core_name("sums"), .size = size, .arguments = arguments };
	struct core_output *output = &run->output;

	core_catch(&program, 120, output);
	CHECK(output->status == 0, "%s: status %#x: %s%s", mode, (unsigned)output->status, output->out, output->err);
	run->name = program.shm;
	run->source = sums_read(run->name);
}

void sums_end(struct sums_run *run)
{
	struct check_seen seen = { 0 };

	if (run->source)
		source_close(run->source);
	check_region(run->name, &seen);
	replay_print("replayed", &seen.counts);
	core_remove(run->name);
}

bool sums_is_in(const struct profile *p, uint32_t node, const char *zone)
{
	for (; p->nodes[node].parent != PROFILE_NONE; node = p->nodes[node].parent)
		if (!strcmp(p->zones[p->nodes[node].zone].name, zone))
			return true;
	return false;
}

bool sums_is_of(const struct profile *p, uint32_t node, const char *zone)
{
	return p->nodes[node].parent != PROFILE_NONE && !strcmp(p->zones[p->nodes[node].zone].name, zone);
}

struct sums_zone sums_of(const struct profile *p, const char *zone)
{
	struct sums_zone sum = { 0 };

	for (uint32_t n = 0; n < p->node_count; n++) {
		const struct profile_total *t = &p->totals[n];
		bool of = sums_is_of(p, n, zone);

		sum.hier += sums_is_in(p, n, zone) ? t->self : 0;
		sum.self += of ? t->self : 0;
		sum.count += of ? t->count : 0;
		sum.longest = of && t->longest > sum.longest ? t->longest : sum.longest;
	}
	return sum;
}

uint64_t sums_lost(const struct profile *p, const char *key)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->loss_count; i++)
		sum += !key || !strcmp(p->losses[i].key, key) ? p->losses[i].count : 0;
	return sum;
}

struct sums_told sums_told(const char *out, const char *zone)
{
	struct sums_told told = { 0 };
	char line[64];
	const char *at;

	snprintf(line, sizeof line, "%s: ", zone);
	at = strstr(out, line);
	CHECK(at && sscanf(at + strlen(line), "%lld %lld %llu", &told.inner, &told.outer, &told.entries) == 3, "%s", zone);
	return told;
}
