/* core_clock: a clock that goes back, jumps by days, stands still, or is not to be trusted.
 *
 * The programs that are profiled have a library whose counter they set (libprofclock.la).  Whatever it says, no time
 * is negative anywhere, the sums hold, each reading that went back is counted, and proftop shows what there is.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "prof.h"
#include "shm/clock.h"
#include "shm/event.h"
#include "tests/core_check.h"
#include "tests/core_read.h"
#include "tests/core_run.h"
#include "tests/core_seen.h"

#define DAY INT64_C(224640000000000) /* ticks, at 2.6 GHz */
#define STEPS 3000
#define SECONDS 60

/* ---- what is profiled */

static void set_clock(int64_t tick)
{
	atomic_store(&clock_of_tests, tick);
}

static int64_t clock_now(void)
{
	return atomic_load(&clock_of_tests);
}

static void tell(const char *word, uint64_t number)
{
	printf("%s %" PRIu64 "\n", word, number);
	fflush(stdout);
}

static Prof_zone *const zones[] = { &(Prof_zone){ .name = "one", .file = "" }, &(Prof_zone){ .name = "two", .file = "" },
	                            &(Prof_zone){ .name = "three", .file = "" } };

/* The clock's next reading, after one of `tick`; the program's own record of what it read. */
typedef int64_t next_tick(int64_t tick, uint64_t *random);

/* The tick of the newest reading that did not go back: of transitions, of events and notes. */
static int64_t high, event_high;

/* Returns how many readings have gone back. */
static unsigned count_back(unsigned readings)
{
	if (clock_now() < high)
		return readings;
	high = clock_now();
	return 0;
}

static unsigned say(unsigned i)
{
	if (i % 2)
		Prof_Event(event);
	else
		Prof_Note("%u", i);
	if (clock_now() < high || clock_now() < event_high)
		return 1;
	event_high = clock_now();
	return 0;
}

/* Walks up and down through zones, with a reading for each transition; a mark, with its zone, is two. */
static void walk(next_tick *next, unsigned mark_each)
{
	uint64_t random = 11, back = 0;
	unsigned depth = 0, entered = 0;

	for (unsigned i = 0; i < STEPS; i++) {
		bool mark = mark_each && i % mark_each == 0;
		set_clock(next(clock_now(), &random));
		if (i % 3 == 0)
			back += say(i);
		if (mark) {
			Prof_update(1);
		} else if (depth < 5 && (depth == 0 || core_random(&random) % 2)) {
			Prof_Enter(zones[core_random(&random) % 3]);
			depth++;
			entered++;
		} else {
			Prof_Leave();
			depth--;
		}
		back += count_back(mark ? 2 : 1);
	}
	for (; depth; depth--) {
		back += count_back(1);
		Prof_Leave();
	}
	tell("back", back + count_back(1)); /* and the thread's end */
	tell("entered", entered);
}

static int64_t often_back(int64_t tick, uint64_t *random)
{
	return tick + (int64_t)(core_random(random) % 1000) - 300;
}

static int64_t days_back_once(int64_t tick, uint64_t *random)
{
	return tick > 5 * DAY + 500000 ? DAY : tick + (int64_t)(core_random(random) % 1000);
}

static int64_t days_ahead(int64_t tick, uint64_t *random)
{
	return tick + (core_random(random) % 100 ? 100 : 10 * DAY);
}

static int64_t stands(int64_t tick, uint64_t *random)
{
	(void)random;
	return tick;
}

static void run_back(void)
{
	walk(often_back, 0);
}

static void run_back_marks(void)
{
	walk(often_back, 7);
}

static void run_days_back(void)
{
	set_clock(5 * DAY);
	walk(days_back_once, 20);
}

static void run_days_ahead(void)
{
	walk(days_ahead, 20);
}

static void run_stands(void)
{
	walk(stands, 10);
}

/* The library does not trust the counter, and asks the kernel: what the counter says does not matter. */
static void run_varies(void)
{
	walk(days_ahead, 10);
	walk(often_back, 10);
}

/* How long the thread is still between two transitions: as long as a word of the event log can tell, and longer. */
static const int64_t stills[] = { 1, 5, (INT64_C(1) << 37) - 1, INT64_C(1) << 37, (INT64_C(1) << 37) + 1, DAY,
	                          INT64_C(1) << 38, (INT64_C(1) << 39) + 7, 3, 10 * DAY };
#define STILLS (sizeof stills / sizeof *stills)
#define STILL_STEPS 2000

static void *mark(void *unused)
{
	Prof_update(1);
	return unused;
}

static void *end_late(void *unused)
{
	Prof_Enter(zones[1]);
	Prof_Leave();
	set_clock(clock_now() + 10 * DAY);
	return unused;
}

static void in_thread(void *(*body)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, NULL) != 0)
		abort();
	pthread_join(thread, NULL);
}

/* The tick of each enter and leave, told beforehand.  While the thread is still another one, which lives no longer than
 * that, sets a mark now and then; and it does so itself. */
static int64_t still_tick(unsigned step, int64_t before, int64_t *mark)
{
	uint64_t random = step;

	core_random(&random);
	*mark = step % 8 == 3 ? before + stills[core_random(&random) % STILLS] : 0;
	return (*mark ? *mark + 2 : before) + stills[core_random(&random) % STILLS];
}

static void run_still(void)
{
	int64_t tick = DAY, at;

	for (unsigned i = 0; i < STILL_STEPS; i++) {
		tick = still_tick(i, tick, &at);
		if (at) {
			set_clock(at);
			if (i % 16 == 3)
				in_thread(mark);
			else
				Prof_update(1);
		}
		set_clock(tick);
		if (i % 2)
			Prof_Leave();
		else
			Prof_Enter(zones[0]);
	}
	in_thread(end_late);
}

/* A number below 0 in the lines of `text` that hold `word` ("": all). */
static bool has_negative(const char *text, const char *word)
{
	for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
		const char *there = strstr(line, word), *at = line;
		end = line + strcspn(line, "\n");
		while (there && there < end && (at = strchr(at + 1, '-')) && at < end)
			if (strchr(" :,[", at[-1]) && at[1] >= '0' && at[1] <= '9')
				return true;
	}
	return false;
}

/* What a command prints, as text or as JSON. */
static void check_print(const char *region, const char *command, bool json)
{
	bool list = !strcmp(command, "list");
	const char *arguments[4] = { command };
	unsigned count = 1;

	if (json)
		arguments[count++] = "-j";
	if (!list)
		arguments[count] = region;
	char *text = seen_print(arguments);
	CHECK(!text || !has_negative(text, list ? region : ""), "%s says: %s", command, text);
	free(text);
}

static void check_times(const char *region)
{
	check_print(region, "report", false);
	check_print(region, "report", true);
	check_print(region, "stacks", false);
}

/* The region's ticks are days ahead of what proftop reads itself, then days behind. */
static void run_live(void)
{
	const char *region = getenv("PROF_SHM");

	Prof_Begin(outer)
	for (int i = 0; i < 2; i++) {
		set_clock(i ? 30 * DAY : 1000);
		for (int k = 0; k < 10; k++) {
			Prof_Begin(inner)
			Prof_update(1);
			Prof_End
		}
		check_times(region);
	}
	Prof_End
}

/* ---- what is left of it */

static void check_counted(struct view *view)
{
	CHECK_LOST(view, LOSS_CLOCK_BACK, view_told(view, "back"));
	CHECK_LOST_ONLY(view, 1ull << LOSS_CLOCK_BACK | 1ull << LOSS_LEFT_OPEN);
	CHECK(view_entries(view, NULL) - view_entries(view, "Prof_update") == view_told(view, "entered"));
	CHECK(view_entries(view, "Prof_update") == view->process.frames);
}

static void check_back(struct view *view)
{
	check_counted(view);
	CHECK(view_told(view, "back") > STEPS / 10);
}

static bool says(const char *const *arguments, const char *part, const char *region)
{
	char *text = seen_print(arguments), *at = text;

	while (at && !(strstr(at, region) && strstr(at, region) < at + strcspn(at, "\n") && strstr(at, part)))
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
	CHECK(at != NULL, "'%s' is not in: %s", part, text);
	free(text);
	return at != NULL;
}

static void check_stands(struct view *view)
{
	CHECK(view_told(view, "back") == 0);
	check_counted(view);
}

static void check_varies(struct view *view)
{
	CHECK(view->region.header.clock == REGION_CLOCK_MONOTONIC);
	CHECK_LOST_ONLY(view, 1ull << LOSS_LEFT_OPEN);
	CHECK_LOST(view, LOSS_CLOCK_BACK, 0);
	says((const char *const[]){ "report", view->name, NULL }, "clock: clock_gettime", view->name);
	says((const char *const[]){ "list", NULL }, "clock_gettime", view->name);
	says((const char *const[]){ "report", "-j", view->name, NULL }, "\"clock\":\"clock_gettime\"", view->name);
}

/* Main's first zone is zone one, in node 1; marks have nodes of their own. */
static void check_still(struct view *view)
{
	static struct snapshot_event events[4 * STILL_STEPS];
	uint64_t first, end;
	unsigned ticks = 0, step = 0;
	int64_t tick = DAY, at;

	snapshot_event_range(&view->region, 0, &first, &end);
	CHECK(first == 0 && end < 4 * STILL_STEPS, "%" PRIu64 " events", end);
	CHECK(snapshot_events(&view->region, 0, 0, end, events) == 0);
	for (uint64_t i = 0; i < end; i++) {
		ticks += (events[i].what & 0xff) == EVENT_TICK;
		if (events[i].what >> 8 != 1 || (events[i].what & 0xff) > EVENT_LEAVE)
			continue;
		tick = still_tick(step, tick, &at);
		CHECK((events[i].what & 0xff) == step % 2 && events[i].tick == tick, "step %u is at %" PRId64 ", not %" PRId64,
		      step, tick, events[i].tick);
		step++;
	}
	CHECK(step == STILL_STEPS && ticks > STILL_STEPS / 3, "%u steps, %u ticks", step, ticks);
	CHECK_LOST_ONLY(view, 0);
}

static void check_nothing(struct view *view)
{
	CHECK_LOST_ONLY(view, 0);
}

static const struct clock_case {
	const char *name;
	bool varies;
	void (*run)(void);
	void (*check)(struct view *view);
} cases[] = {
	{ "back", false, run_back, check_back },
	{ "back_marks", false, run_back_marks, check_back },
	{ "days_back", false, run_days_back, check_counted },
	{ "days_ahead", false, run_days_ahead, check_counted },
	{ "stands", false, run_stands, check_stands },
	{ "varies", true, run_varies, check_varies },
	{ "still", false, run_still, check_still },
	{ "live", false, run_live, check_nothing },
};
#define CASES (sizeof cases / sizeof *cases)

/* Before the library starts. */
__attribute__((constructor(101))) static void choose(int argc, char **argv)
{
	for (unsigned i = 0; argc > 1 && i < CASES; i++)
		if (!strcmp(argv[1], cases[i].name))
			clock_of_tests_varies = cases[i].varies;
}

static void change_header(const char *region, size_t at, const void *bytes, size_t size)
{
	char path[128];

	snprintf(path, sizeof path, "/dev/shm/%s", region);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	CHECK(pwrite(fd, bytes, size, (off_t)at) == (ssize_t)size);
	close(fd);
}

/* The wall clock was set back: the region was made tomorrow. */
static void set_wall_ahead(const char *region)
{
	uint64_t real_ns = (uint64_t)clock_ns(CLOCK_REALTIME) + 86400 * UINT64_C(1000000000);

	change_header(region, offsetof(struct region_header, created.real_ns), &real_ns, sizeof real_ns);
}

/* The machine was started anew, so its counter says nothing of this region, and the clock stood still in it. */
static void test_no_rate(const char *region)
{
	change_header(region, offsetof(struct region_header, boot_id), "another boot", 13);
	says((const char *const[]){ "report", region, NULL }, "clock: unknown rate", region);
	says((const char *const[]){ "list", NULL }, "unknown rate", region);
	check_times(region);
}

static void check_one(const struct clock_case *c)
{
	const char *name = core_name(c->name), *arguments[] = { c->name, NULL };
	struct core_program program = { .shm = name, .size = "1M", .arguments = arguments };
	struct check_seen seen = { 0 };
	struct core_output output;
	struct view view;

	core_catch(&program, SECONDS, &output);
	CHECK(output.status == 0, "%s: status %#x: %s", c->name, (unsigned)output.status, output.err);
	if (view_open(&view, name)) {
		view.told = output.out;
		c->check(&view);
		seen_check_losses(&view, name);
	}
	view_close(&view);
	check_region(name, &seen);
	check_times(name);
	if (c->run == run_stands) {
		set_wall_ahead(name);
		check_print(name, "list", true);
		test_no_rate(name);
	}
	core_remove(name);
	printf("%s\n", c->name);
}

int main(int argc, char **argv)
{
	for (unsigned i = 0; argc > 1 && i < CASES; i++)
		if (!strcmp(argv[1], cases[i].name)) {
			cases[i].run();
			return core_result();
		}
	for (unsigned i = 0; argc < 2 && i < CASES; i++)
		check_one(&cases[i]);
	return core_result();
}
