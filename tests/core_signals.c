/* core_signals.c: zones, values and marks in signal handlers, and jumps out of these.
 *
 * A handler that interrupts the library in an update drops what it does, counted; nothing else is lost, and what was
 * interrupted goes on as if nothing had been.
 */
#include "tests/core_limits.h"

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "libprof/prof.h"
#include "tests/core_values.h"
#include "tests/core_within.h"
#include "tests/long.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define AT_ONCE 8

/* ---- zones in a handler */

#define HANDLED_ENOUGH (test_times(8000, 200000))
#define HANDLER_MS     (test_times(2000, 30000))

static _Atomic uint64_t handled;

static void handler(int signal)
{
	(void)signal;
	atomic_fetch_add(&handled, 1);
	Prof_Begin(handler_outer)
	Prof_Begin(handler_inner)
	Prof_End
	Prof_End
}

static void start_timer(int us, void (*handle)(int))
{
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART };
	struct itimerval timer = { { 0, us }, { 0, us } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void stop_timer(void)
{
	struct itimerval none = { 0 };

	setitimer(ITIMER_REAL, &none, NULL);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static bool handled_enough(uint64_t end)
{
	return atomic_load(&handled) >= HANDLED_ENOUGH || now_ms() > end;
}

static const char *const turn_names[] = { "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7" };

static uint64_t take_turns(uint64_t *random)
{
	for (int i = 0; i < 3; i++)
		Prof_Enter(Prof_Zone(turn_names[core_random(random) % 8]));
	for (int i = 0; i < 3; i++)
		Prof_Leave();
	return 3;
}

static void run_handler(void)
{
	uint64_t end = now_ms() + HANDLER_MS, tries = 0, marks = 0, random = 7;

	start_timer(40, handler);
	while (!handled_enough(end)) {
		for (int i = 0; i < 200; i++)
			tries += take_turns(&random);
		Prof_update(1);
		marks++;
	}
	stop_timer();
	limit_tell("handled", atomic_load(&handled));
	limit_tell("tries", tries);
	limit_tell("marks", marks);
}

static void check_handler(struct view *view)
{
	uint64_t handled_there = view_told(view, "handled"), turns = 0;
	uint64_t recorded = view_entries(view, "handler_outer") + view_entries(view, "handler_inner");

	for (int i = 0; i < 8; i++)
		turns += view_entries(view, turn_names[i]);
	CHECK(handled_there > 0 && recorded > 0, "%d handled, %d recorded", (int)handled_there, (int)recorded);
	CHECK_LOST(view, LOSS_IN_HANDLER, 2 * handled_there - recorded);
	CHECK_LOST_ONLY(view, 1 << LOSS_IN_HANDLER);
	CHECK(turns == view_told(view, "tries"), "%d of %d", (int)turns, (int)view_told(view, "tries"));
	CHECK(view_entries(view, "Prof_update") == view_told(view, "marks"));
	CHECK(view->process.frames == view_told(view, "marks"));
}

/* ---- frames marked in a handler, also in one that interrupts a mark */

static void mark_handled(int signal)
{
	(void)signal;
	atomic_fetch_add(&handled, 1);
	Prof_update(1);
}

static void run_handler_marks(void)
{
	uint64_t end = now_ms() + HANDLER_MS, tries = 0, marks = 0, random = 7;

	start_timer(40, mark_handled);
	for (; !handled_enough(end); marks++) {
		tries += take_turns(&random);
		Prof_update(1);
	}
	stop_timer();
	limit_tell("tries", tries);
	limit_tell("marks", marks + atomic_load(&handled));
}

/* A record of the one thread ends where the mark was set, also where the next mark came while it was published. */
static bool ends_at_mark(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct view *view = context;
	struct snapshot_frame last;

	(void)nodes;
	if ((head->kind == RECORD_PART || head->kind == RECORD_SPAN) &&
	    snapshot_frame(&view->region, head->interval + head->intervals - 1, &last) == SNAPSHOT_OK)
		CHECK(head->end == last.end, "the part of interval %llu ends %lld ticks behind its mark",
		      (unsigned long long)last.interval, (long long)(head->end - last.end));
	return true;
}

static void check_ends(struct view *view)
{
	uint64_t position = 0, lapped = 0, damaged = 0;

	CHECK(snapshot_parts(&view->region, 0, &position, &lapped, &damaged, NULL, ends_at_mark, view) == SNAPSHOT_OK);
}

/* A mark is set where the handler interrupts a zone, too: its own zone is dropped then.  Only a mark drops a mark. */
static void check_handler_marks(struct view *view)
{
	uint64_t marks = view_told(view, "marks"), turns = 0;

	for (int i = 0; i < 8; i++)
		turns += view_entries(view, turn_names[i]);
	CHECK(turns == view_told(view, "tries"), "%d of %d", (int)turns, (int)view_told(view, "tries"));
	CHECK_LOST(view, LOSS_MARK_BUSY, marks - view->process.frames);
	CHECK_LOST(view, LOSS_IN_HANDLER, marks - view_entries(view, "Prof_update"));
	CHECK(view->process.lost[LOSS_MARK_BUSY] > 0 && view->process.lost[LOSS_IN_HANDLER] > 0);
	CHECK_LOST_ONLY(view, 1 << LOSS_MARK_BUSY | 1 << LOSS_IN_HANDLER | 1 << LOSS_LEFT_OPEN);
	check_ends(view);
}

/* ---- zones while threads come and go: also in a thread's first and last moments */

static _Atomic uint64_t passed;

static void *pass(void *unused)
{
	Prof_Begin(passing)
	Prof_End
	atomic_fetch_add(&passed, 1);
	return unused;
}

static void run_handler_threads(void)
{
	uint64_t end = now_ms() + HANDLER_MS;
	pthread_t threads[AT_ONCE];
	sigset_t alarm, before;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	start_timer(30, handler);
	while (!handled_enough(end))
		limit_together(pass, AT_ONCE, threads);
	pthread_sigmask(SIG_BLOCK, &alarm, &before);
	stop_timer();
	limit_tell("handled", atomic_load(&handled));
	limit_tell("passed", atomic_load(&passed));
}

static void check_handler_threads(struct view *view)
{
	const uint64_t *lost = view->process.lost;
	uint64_t handled_there = view_told(view, "handled");
	uint64_t recorded = view_entries(view, "handler_outer") + view_entries(view, "handler_inner");

	CHECK(handled_there > 0);
	CHECK(recorded + lost[LOSS_IN_HANDLER] + lost[LOSS_AFTER_THREAD_END] == 2 * handled_there,
	      "recorded %d, dropped %d and %d of %d", (int)recorded, (int)lost[LOSS_IN_HANDLER],
	      (int)lost[LOSS_AFTER_THREAD_END], (int)(2 * handled_there));
	CHECK_LOST_ONLY(view, 1 << LOSS_IN_HANDLER | 1 << LOSS_AFTER_THREAD_END);
	CHECK(view_entries(view, "passing") == view_told(view, "passed"));
	CHECK(view_blocks(view, BLOCK_LIVE) == 0, "%u blocks without an owner that lives", view_blocks(view, BLOCK_LIVE));
}

/* ---- every thread interrupted 10,000 times a second, with all that there is in the handler */

#define STORM_THREADS 4
#define STORM_NS      100000
#define STORM_ENOUGH  (test_times(6000, 200000))
#define STORM_MS      (test_times(2500, 30000))

/* Counts of what was tried, by handlers and by the threads that they interrupt. */
static _Atomic uint64_t storms, storm_zones, storm_values, storm_events, storm_marks;
static _Atomic uint64_t calm_zones, calm_sums, calm_events;

static void storm_of_values(uint64_t number)
{
	Prof_Counter_Add(storm_sum, 1);
	Prof_Event(storm_event);
	atomic_fetch_add(&storm_values, 1);
	atomic_fetch_add(&storm_events, 1);
	if (number % 4 == 0) {
		Prof_Counter_Add(storm_sum, 1.0);
		Prof_Note("%d", (int)number);
		atomic_fetch_add(&storm_values, 1);
		atomic_fetch_add(&storm_events, 1);
	}
}

static void storm(int signal)
{
	uint64_t number = atomic_fetch_add(&storms, 1);

	(void)signal;
	Prof_Begin(storm_outer)
	storm_of_values(number);
	if (number % 8 == 0) {
		Prof_update(1);
		atomic_fetch_add(&storm_marks, 1);
	}
	Prof_Begin(storm_inner)
	Prof_End
	Prof_End
	atomic_fetch_add(&storm_zones, 2);
}

static bool storm_enough(uint64_t end)
{
	return atomic_load(&storms) >= STORM_ENOUGH || now_ms() > end;
}

static void calm_work(uint64_t round)
{
	char name[32];

	snprintf(name, sizeof name, "calm %d", (int)(round % 200));
	Prof_Enter(Prof_Zone(name));
	for (int i = 0; i < 50; i++) {
		Prof_Begin(calm)
		Prof_Counter_Add(calm_sum, 1);
		Prof_End
	}
	Prof_Event(calm_event);
	Prof_Leave();
	atomic_fetch_add(&calm_zones, 51);
	atomic_fetch_add(&calm_sums, 50);
	atomic_fetch_add(&calm_events, 1);
}

static void *in_the_storm(void *unused)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1 };
	struct itimerspec often = { { 0, STORM_NS }, { 0, STORM_NS } };
	uint64_t end = now_ms() + STORM_MS;
	timer_t timer;

	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	if (!CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0))
		return unused;
	timer_settime(timer, 0, &often, NULL);
	for (uint64_t round = 0; !storm_enough(end); round++)
		calm_work(round);
	timer_delete(timer);
	return unused;
}

static void run_storm(void)
{
	struct sigaction action = { .sa_handler = storm, .sa_flags = SA_RESTART };
	pthread_t threads[STORM_THREADS];

	sigaction(SIGUSR1, &action, NULL);
	CHECK(limit_together(in_the_storm, STORM_THREADS, threads) == STORM_THREADS);
	signal(SIGUSR1, SIG_IGN);
	limit_tell("storms", atomic_load(&storms));
	limit_tell("zones", atomic_load(&storm_zones));
	limit_tell("values", atomic_load(&storm_values));
	limit_tell("events", atomic_load(&storm_events));
	limit_tell("marks", atomic_load(&storm_marks));
	limit_tell("calm_zones", atomic_load(&calm_zones));
	limit_tell("calm_sums", atomic_load(&calm_sums));
	limit_tell("calm_events", atomic_load(&calm_events));
}

static uint64_t sum_of(const struct values *v, const char *counter)
{
	int whole = values_counter(v, counter, false), real = values_counter(v, counter, true);

	return (whole < 0 ? 0 : (uint64_t)values_sum(v, whole)) +
	       (real < 0 ? 0 : (uint64_t)values_real_sum(v, real));
}

/* Zones, sums, events and notes of the handlers are recorded or dropped; the threads' own are all recorded. */
static void check_storm(struct view *view)
{
	static struct values values;
	uint64_t tried = view_told(view, "zones") + view_told(view, "marks") + view_told(view, "values");
	uint64_t recorded = view_entries(view, "storm_outer") + view_entries(view, "storm_inner") +
	                    view_entries(view, "Prof_update");
	uint64_t calm = view_entries(view, NULL) - recorded;

	CHECK(view_told(view, "storms") > 0 && recorded > 0);
	CHECK(calm == view_told(view, "calm_zones"), "%d of %d", (int)calm, (int)view_told(view, "calm_zones"));
	CHECK_LOST(view, LOSS_MARK_BUSY, view_told(view, "marks") - view->process.frames);
	CHECK_LOST_ONLY(view, 1 << LOSS_IN_HANDLER | 1 << LOSS_MARK_BUSY | 1 << LOSS_LEFT_OPEN);
	if (!values_load(&values, view->name))
		return;
	CHECK(sum_of(&values, "calm_sum") == view_told(view, "calm_sums"));
	recorded += sum_of(&values, "storm_sum");
	if (!values.lapped) { /* else they cannot be counted any more */
		tried += view_told(view, "events") + view_told(view, "calm_events");
		recorded += values.event_count + values.note_count;
		CHECK_LOST(view, LOSS_IN_HANDLER, tried - recorded);
	}
	CHECK(values.damaged == 0 && values_out_of_order(&values) == 0);
	values_free(&values);
}

/* ---- jumps out of a handler */

#define JUMPS 20

static sigjmp_buf landing;
static const char *const off_course = "off_course";

static void jump_away(int signal)
{
	(void)signal;
	Prof_Enter(Prof_Zone(off_course));
	siglongjmp(landing, 1);
}

/* It interrupts no update, so nothing is dropped: the handler's zone is found open at the mark. */
static void run_jump_clear(void)
{
	struct sigaction action = { .sa_handler = jump_away };
	volatile int jumps = 0;

	sigaction(SIGUSR1, &action, NULL);
	Prof_update(1);
	while (jumps < JUMPS) {
		if (sigsetjmp(landing, 1) == 0)
			raise(SIGUSR1);
		jumps++;
		Prof_update(1);
	}
}

static void check_jump_clear(struct view *view)
{
	char name[64];

	CHECK_LOST(view, LOSS_LEFT_OPEN, JUMPS - 1); /* the first mark of a place has none before it */
	CHECK_LOST_ONLY(view, 1 << LOSS_LEFT_OPEN);
	view_left_open(view, name, sizeof name);
	CHECK(!strcmp(name, off_course), "it is '%s' that was left open", name);
	CHECK(view_entries(view, off_course) == JUMPS);
}

/* Jumps until one has interrupted an update, which stays half done: from then on the thread's zones are dropped. */
static void *jump_from_update(void *unused)
{
	struct itimerval soon = { { 0, 0 }, { 0, 50 } };
	Prof_zone *interrupted = Prof_Zone("interrupted"); /* the registry is not what is interrupted */
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	Prof_Enter(interrupted);
	Prof_Leave();
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
	while (!within_update()) {
		if (sigsetjmp(landing, 1) == 0) {
			setitimer(ITIMER_REAL, &soon, NULL);
			for (;;) {
				Prof_Enter(interrupted);
				Prof_Leave();
			}
		}
	}
	uint64_t before = within_dropped_in_handlers();
	for (int i = 0; i < 1000; i++) {
		Prof_Begin(never_recorded)
		Prof_End
	}
	limit_tell("dropped", within_dropped_in_handlers() - before);
	return unused;
}

static void just_jump(int signal)
{
	(void)signal;
	siglongjmp(landing, 1);
}

static void run_jump_inside(void)
{
	struct sigaction action = { .sa_handler = just_jump };
	pthread_t thread;
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL); /* it is the other thread's */
	limit_together(jump_from_update, 1, &thread);
	for (int i = 0; i < 100; i++) {
		Prof_Begin(of_another_thread)
		Prof_End
		Prof_update(1);
	}
}

/* The block stays as the update left it, and is given to nobody: it can be seen to be torn, and nothing else is. */
static void check_jump_inside(struct view *view)
{
	CHECK(view_told(view, "dropped") == 1000);
	CHECK_LOST(view, LOSS_IN_HANDLER, 1000);
	CHECK_LOST_ONLY(view, 1 << LOSS_IN_HANDLER);
	CHECK(view_entries(view, "of_another_thread") == 100);
	CHECK(view_entries(view, "never_recorded") == 0);
	CHECK(view->process.frames == 100);
	CHECK(view_blocks(view, BLOCK_LIVE) == 1, "%u blocks that nobody ended", view_blocks(view, BLOCK_LIVE));
}

/* ---- jumps out of the tables of zones and counters, at any place: what is left half done there others finish */

#define TORN 4000 /* names, each of a zone and of a counter */

static char torn_name[32];
static uint64_t jumps;

static void name_torn(int i)
{
	snprintf(torn_name, sizeof torn_name, "torn %d", i);
}

static void *jump_from_tables(void *unused)
{
	volatile int i = 0; /* lives through jumps */
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigsetjmp(landing, 1);
	jumps++;
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
	while (i < TORN) {
		struct itimerval soon = { .it_value = { .tv_usec = 1 + (int)(jumps % 20) } };
		name_torn(i++);
		setitimer(ITIMER_REAL, &soon, NULL);
		for (int k = 0; k < 10; k++) { /* 40,000 zones and 8,000 counters: as many as the tables have, nearly */
			char name[sizeof torn_name + 8];
			snprintf(name, sizeof name, "%s.%d", torn_name, k);
			Prof_Zone(name);
			if (k < 2)
				Prof_Counter(name);
		}
	}
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	return unused;
}

static void run_jump_names(void)
{
	struct sigaction action = { .sa_handler = just_jump };
	pthread_t thread;
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL); /* it is the other thread's */
	limit_together(jump_from_tables, 1, &thread);
	CHECK(jumps > 100, "%d jumps", (int)jumps);
	for (int i = 0; i < TORN; i++) {
		name_torn(i);
		strcat(torn_name, ".0");
		Prof_Enter(Prof_Zone(torn_name));
		Prof_Leave();
		if (i % 8 == 0)
			Prof_Add(Prof_Counter(torn_name), 1);
	}
}

static void check_jump_names(struct view *view)
{
	CHECK_LOST_ONLY(view, 0);
	CHECK(view_entries(view, NULL) == TORN, "%d entries", (int)view_entries(view, NULL));
	CHECK(view->process.counters == TORN / 8, "%d counters", (int)view->process.counters);
}

const struct limit limits_signal[] = {
	{ .name = "handler", .run = run_handler, .check = check_handler },
	{ .name = "handler_threads", .run = run_handler_threads, .check = check_handler_threads },
	{ .name = "storm", .run = run_storm, .check = check_storm },
	{ .name = "handler_marks", .run = run_handler_marks, .check = check_handler_marks },
	{ .name = "jump_clear", .size = LIMIT_MEDIUM, .run = run_jump_clear, .check = check_jump_clear },
	{ .name = "jump_inside", .size = LIMIT_MEDIUM, .torn = true, .run = run_jump_inside,
	  .check = check_jump_inside },
	{ .name = "jump_names", .size = "128M", .run = run_jump_names, .check = check_jump_names },
	{ 0 },
};
