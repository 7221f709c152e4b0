/* core_switch.c: Prof_Enable and Prof_Log.  What is entered while recording is off is not recorded and is no loss, to
 * the entry; a zone that is timed says so in one line, with a region and without, wherever it is.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "tests/core_read.h"
#include "tests/core_run.h"
#include "tests/core_work.h"

#define LOGGERS 10
#define LOGS    10
#define DEEP    12
#define DEEPEST 8 /* that are timed at once */

/* ---- what is profiled: the switch */

static void rooms(int count)
{
	for (int i = 0; i < count; i++) {
		Prof(room);
	}
}

static void unseen(int count)
{
	for (int i = 0; i < count; i++) {
		Prof(room);
		Prof(unseen);
	}
}

static void toggles(void)
{
	Prof_Begin(outer)
	rooms(100);
	Prof_update(1); /* frame 1 */
	Prof_Enable(0);
	unseen(1000);
	Prof_update(1); /* frame 2: off */
	unseen(10);
	Prof_Begin(skipped)
	Prof_Enable(1);
	rooms(50);
	Prof_End
	Prof_update(1); /* frame 3: was off */
	Prof_End
	rooms(7);
	Prof_update(1); /* frame 4 */
	Prof_Enable(0);
	Prof_Enable(1);
	Prof_update(1); /* frame 5: was off */
	Prof_update(1); /* frame 6 */
}

static pthread_barrier_t step;

static void *other(void *unused)
{
	Prof_Begin(held)
	pthread_barrier_wait(&step); /* 1: goes off */
	pthread_barrier_wait(&step); /* 2: is off */
	Prof_End
	Prof_Begin(dark)
	unseen(5);
	pthread_barrier_wait(&step); /* 3: goes on */
	pthread_barrier_wait(&step); /* 4: is on */
	Prof_Begin(seen)
	Prof_Begin(inside)
	Prof_End
	Prof_End
	Prof_End
	Prof_Begin(seen)
	Prof_End
	return unused;
}

static void in_threads(void)
{
	pthread_t thread;

	pthread_barrier_init(&step, NULL, 2);
	if (pthread_create(&thread, NULL, other, NULL))
		abort();
	for (int on = 0; on < 2; on++) {
		pthread_barrier_wait(&step);
		Prof_Enable(on);
		pthread_barrier_wait(&step);
	}
	pthread_join(thread, NULL);
}

/* Others flip the switch while zones come and go: nothing may be lost or left. */
static _Atomic int over, flipped;

static void *flip(void *unused)
{
	for (int on = 0; !over; on = !on) {
		Prof_Enable(on);
		flipped++;
		sched_yield();
	}
	Prof_Enable(1);
	return unused;
}

static void *wander(void *unused)
{
	for (int i = 0; i < 200000 || flipped < 100; i++) {
		Prof(walk);
		rooms(i % 3);
	}
	return unused;
}

static void flips(void)
{
	pthread_t flipper, walkers[3];

	pthread_create(&flipper, NULL, flip, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&walkers[i], NULL, wander, NULL);
	for (int i = 0; i < 200; i++) {
		Prof_update(1);
		core_sleep_us(100);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(walkers[i], NULL);
	over = 1;
	pthread_join(flipper, NULL);
	rooms(0);
	Prof_Begin(at_last)
	Prof_End
}

/* ---- what is profiled: zones that are timed */

static void recurse(int depth)
{
	Prof(recursion);
	if (depth)
		recurse(depth - 1);
}

static void nested(void)
{
	rooms(3);
	Prof_Log(slow)
	for (int i = 0; i < 2; i++) {
		Prof(room);
		recurse(5);
		Prof_Log(quick)
		recurse(3);
		work_spin(100000);
		Prof_End
	}
	core_sleep_us(20000);
	Prof_End
	rooms(4);
}

static void deep(int level)
{
	Prof_Log(level)
	if (level)
		deep(level - 1);
	Prof_End
}

static void *logger(void *unused)
{
	for (int i = 0; i < LOGS; i++) {
		Prof(around);
		Prof_Log(in_thread)
		rooms(i);
		Prof_End
	}
	return unused;
}

static void loggers(void)
{
	pthread_t threads[LOGGERS];

	for (int i = 0; i < LOGGERS; i++)
		pthread_create(&threads[i], NULL, logger, NULL);
	for (int i = 0; i < LOGGERS; i++)
		pthread_join(threads[i], NULL);
}

static volatile sig_atomic_t handled;

static void on_alarm(int signal)
{
	(void)signal;
	Prof_Log(handler)
	rooms(1);
	Prof_End
	handled++;
}

static void in_handlers(void)
{
	struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	while (handled < 60) {
		Prof(loop);
		rooms(20);
		recurse(3);
	}
	setitimer(ITIMER_REAL, &never, NULL);
}

static void forks(void)
{
	Prof_Log(before_fork)
	pid_t child = fork();
	if (child)
		waitpid(child, NULL, 0);
	rooms(2);
	Prof_End
	if (!child)
		_exit(0);
	Prof_Log(behind_fork)
	Prof_End
}

static pthread_barrier_t inside;

static void *stay_in_a_zone(void *unused)
{
	Prof_Log(stays)
	pthread_barrier_wait(&inside);
	core_sleep_us(100000);
	Prof_End
	return unused;
}

/* In the child there is no such thread: zones cost nothing again. */
static void forks_beside(void)
{
	pthread_t other;
	int status = 0;

	pthread_barrier_init(&inside, NULL, 2);
	pthread_create(&other, NULL, stay_in_a_zone, NULL);
	pthread_barrier_wait(&inside);
	pid_t child = fork();
	if (child == 0) {
		rooms(2);
		_exit(prof__on != 0);
	}
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	pthread_join(other, NULL);
}

static void switched_off(void)
{
	Prof_Log(open_at_switch)
	Prof_Enable(0);
	rooms(3);
	Prof_Log(entered_off)
	unseen(3);
	Prof_End
	Prof_Enable(1);
	rooms(5);
	Prof_End
	rooms(1);
}

static void odd_names(void)
{
	static Prof_zone red = { "a\033[31m\n\xff", "", 0, 0, 0, 0 }, umlaut = { "gr\xc3\xb6\xc3\x9f" "e\xe2\x80\xae", "", 0, 0, 0, 0 };

	prof__log(&red);
	Prof_End
	prof__log(&umlaut);
	Prof_End
}

static const struct { const char *name; void (*run)(void); } modes[] = {
	{ "toggles", toggles }, { "threads", in_threads }, { "flips", flips }, { "nested", nested },
	{ "loggers", loggers }, { "handlers", in_handlers }, { "forks", forks }, { "off", switched_off },
	{ "beside", forks_beside }, { "odd", odd_names },
};

static int run_mode(const char *name)
{
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(modes[i].name, name)) {
			modes[i].run();
			return core_result();
		}
	if (!strcmp(name, "deep"))
		deep(DEEP - 1);
	return 0;
}

/* ---- the switch */

static unsigned flags_of(struct view *view, uint64_t interval)
{
	struct snapshot_frame frame = { 0 };

	CHECK(snapshot_frame(&view->region, interval, &frame) == SNAPSHOT_OK);
	return frame.flags & MARK_DISCARDED;
}

static void test_toggles(void)
{
	static const unsigned expected[] = { 0, MARK_DISCARDED, MARK_DISCARDED, 0, MARK_DISCARDED, 0 };
	struct view view;

	if (!view_of(&view, "toggles"))
		return;
	CHECK(view_entries(&view, "room") == 157, "%llu", (unsigned long long)view_entries(&view, "room"));
	CHECK(view_entries(&view, "outer") == 1);
	CHECK(view_entries(&view, "unseen") == 0);
	CHECK(view_entries(&view, "skipped") == 0);
	CHECK(view_entries(&view, "Prof_update") == 5, "%llu", (unsigned long long)view_entries(&view, "Prof_update"));
	CHECK_LOST_ONLY(&view, 0);
	for (uint64_t i = 0; i < 6; i++)
		CHECK(flags_of(&view, i + 1) == expected[i], "frame %llu", (unsigned long long)i + 1);
	view_done(&view);
}

static void test_threads(void)
{
	struct view view;

	if (!view_of(&view, "threads"))
		return;
	CHECK(view_entries(&view, "held") == 1);
	CHECK(view_entries(&view, "dark") == 0);
	CHECK(view_entries(&view, "unseen") == 0);
	CHECK(view_entries(&view, "seen") == 2);
	CHECK(view_entries(&view, "inside") == 1);
	CHECK_LOST_ONLY(&view, 0);
	view_done(&view);
}

static void test_flips(void)
{
	struct view view;

	if (!view_of(&view, "flips"))
		return;
	CHECK(view_entries(&view, "at_last") == 1);
	CHECK(view_entries(&view, "walk") > 0);
	CHECK_LOST_ONLY(&view, 0);
	view_done(&view);
}

/* ---- lines */

/* Whether the line at *text says that this zone took a time; *text moves behind it. */
static bool is_line(const char **text, const char *zone, double *ms)
{
	static const struct { const char *name; double ms; } units[] = {
		{ " ns\n", 1e-6 }, { " us\n", 1e-3 }, { " ms\n", 1 }, { " s\n", 1e3 },
	};
	char start[128];
	char *end;

	snprintf(start, sizeof start, "prof: %s ", zone);
	if (strncmp(*text, start, strlen(start)))
		return false;
	*ms = strtod(*text + strlen(start), &end);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (!strncmp(end, units[i].name, strlen(units[i].name))) {
			*ms *= units[i].ms;
			*text = end + strlen(units[i].name);
			return true;
		}
	return false;
}

/* Runs it without a region, and with one, and gives what it wrote to `check` both times. */
static void both(const char *mode, void (*check)(const char *err))
{
	const char *const arguments[] = { mode, NULL };
	struct core_output output;

	for (int with = 0; with < 2; with++) {
		const char *name = core_name(mode);
		core_catch(&(struct core_program){ .shm = with ? name : NULL, .arguments = arguments }, 60, &output);
		CHECK(output.status == 0, "%s, status %d", mode, output.status);
		check(output.err);
		core_remove(name);
	}
}

static void check_nested(const char *err)
{
	double quick[2] = { 0, 0 }, slow = 0;

	CHECK(is_line(&err, "quick", &quick[0]) && is_line(&err, "quick", &quick[1]) && is_line(&err, "slow", &slow), "%s", err);
	CHECK(!*err, "%s", err);
	CHECK(quick[0] >= 0.1 && quick[1] >= 0.1 && slow >= 20 + quick[0] + quick[1] - 0.02, "%g %g %g", quick[0], quick[1], slow);
}

static void check_loggers(const char *err)
{
	double ms;
	int lines = 0;

	while (is_line(&err, "in_thread", &ms))
		lines++;
	CHECK(lines == LOGGERS * LOGS && !*err, "%d lines, then %s", lines, err);
}

static void check_deep(const char *err)
{
	char too_deep[64];
	double ms;
	int lines = 1;

	snprintf(too_deep, sizeof too_deep, " (%d more in it, too deep to be timed)\n", DEEP - DEEPEST);
	const char *first = strchr(err, '(');
	CHECK(first && !strncmp(first - 1, too_deep, strlen(too_deep)), "%s", err);
	for (err = strchr(err, '\n') + 1; is_line(&err, "level", &ms); lines++)
		;
	CHECK(lines == DEEPEST && !*err, "%d lines, then %s", lines, err);
}

/* A handler that came into the middle of another zone's line says how many were lost. */
static void check_handlers(const char *err)
{
	unsigned lines = 0, lost = 0, more;

	for (; !strncmp(err, "prof: handler ", 14); lines++) {
		const char *end = strchr(err, '\n'), *behind = strchr(err, '(');
		if (behind && behind < end && sscanf(behind, "(%u lines before", &more) == 1)
			lost += more;
		err = end + 1;
	}
	CHECK(!*err, "%s", err);
	CHECK(lines + lost >= 60 && lines, "%u lines, %u lost", lines, lost);
}

static void check_forks(const char *err)
{
	double ms;

	CHECK(is_line(&err, "before_fork", &ms) && is_line(&err, "before_fork", &ms) && is_line(&err, "behind_fork", &ms), "%s", err);
	CHECK(!*err, "%s", err);
}

static void check_off(const char *err)
{
	double ms;

	CHECK(is_line(&err, "entered_off", &ms) && is_line(&err, "open_at_switch", &ms) && !*err, "%s", err);
}

static void check_odd(const char *err)
{
	double ms;

	CHECK(is_line(&err, "a\\x1b[31m\\x0a\\xff", &ms), "%s", err);
	CHECK(is_line(&err, "gr\xc3\xb6\xc3\x9f" "e\\xe2\\x80\\xae", &ms) && !*err, "%s", err);
}

static void test_beside(void)
{
	const char *const arguments[] = { "beside", NULL };
	struct core_output output;
	double ms;

	if (getenv("EMULATED")) /* tests/aarch64 */
		return;
	core_catch(&(struct core_program){ .arguments = arguments }, 60, &output);
	const char *err = output.err;
	CHECK(output.status == 0 && is_line(&err, "stays", &ms) && !*err, "%#x: %s", (unsigned)output.status, err);
}

/* With a region the zones are in it, too. */
static void test_recorded(void)
{
	struct view view;

	if (view_of(&view, "nested")) {
		CHECK(view_entries(&view, "slow") == 1);
		CHECK(view_entries(&view, "quick") == 2);
		CHECK(view_entries(&view, "recursion") == 2 * (6 + 4));
		CHECK(view_entries(&view, "room") == 3 + 2 + 4);
		CHECK_LOST_ONLY(&view, 0);
		view_done(&view);
	}
	if (view_of(&view, "off")) {
		CHECK(view_entries(&view, "open_at_switch") == 1);
		CHECK(view_entries(&view, "entered_off") == 0);
		CHECK(view_entries(&view, "room") == 6);
		CHECK_LOST_ONLY(&view, 0);
		view_done(&view);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return run_mode(argv[1]);
	test_toggles();
	test_threads();
	test_flips();
	test_recorded();
	both("nested", check_nested);
	both("loggers", check_loggers);
	both("deep", check_deep);
	both("handlers", check_handlers);
	both("forks", check_forks);
	both("off", check_off);
	both("odd", check_odd);
	test_beside();
	return core_result();
}
