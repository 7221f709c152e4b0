/* core_crowd.c: threads by the thousand, and zones in signal handlers. */
#include "tests/core_limits.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include "libprof/prof.h"

#define STACK (256u << 10) /* bytes */

/* Runs `count` threads at once and waits for all of them; returns how many there could be. */
static int run_together(void *(*work)(void *), int count, pthread_t *threads)
{
	pthread_attr_t small;
	int made = 0;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK);
	while (made < count && pthread_create(&threads[made], &small, work, NULL) == 0)
		made++;
	for (int i = 0; i < made; i++)
		pthread_join(threads[i], NULL);
	pthread_attr_destroy(&small);
	return made;
}

static void five_zones(void)
{
	Prof_Begin(first)
	Prof_Begin(second)
	Prof_End
	Prof_Begin(third)
	Prof_Begin(fourth)
	Prof_End
	Prof_End
	Prof_End
	Prof_Begin(fifth)
	Prof_End
}

/* ---- a hundred thousand threads, eight at a time */

#define COMING  100000
#define AT_ONCE 8

static void *come_and_go(void *unused)
{
	five_zones();
	return unused;
}

static void come(int count, uint64_t *threads_made)
{
	pthread_t threads[AT_ONCE];

	for (int i = 0; i < count; i += AT_ONCE) {
		*threads_made += (uint64_t)run_together(come_and_go, AT_ONCE, threads);
		if (i % 1000 == 0)
			Prof_update(1);
	}
}

static void run_come_and_go(void)
{
	uint64_t made = 0;

	come(COMING / 10, &made);
	uint64_t before = limit_memory("RssAnon:");
	come(COMING - COMING / 10, &made);
	uint64_t after = limit_memory("RssAnon:");
	CHECK(SANITIZED || after < before + 1024, "%d KiB more than before", (int)(after - before));
	CHECK(made == COMING, "%d threads", (int)made);
	limit_tell("threads", made);
}

static void check_come_and_go(struct view *view)
{
	uint64_t threads = view_told(view, "threads"), generations = 0;
	static const char *const names[] = { "first", "second", "third", "fourth", "fifth" };
	struct snapshot_thread thread;

	CHECK_LOST_ONLY(view, 0);
	for (int i = 0; i < 5; i++)
		CHECK(view_entries(view, names[i]) == threads, "%s: %d of %d", names[i],
		      (int)view_entries(view, names[i]), (int)threads);
	for (uint32_t b = 0; b < view->process.threads; b++)
		if (snapshot_thread(&view->region, b, &thread) == SNAPSHOT_OK)
			generations += thread.generation;
	CHECK(generations == threads + 1, "%d owners of blocks", (int)generations);
	CHECK(view->process.threads <= view->region.thread_count);
	CHECK(view_blocks(view, BLOCK_LIVE) == 0);
}

/* ---- hundreds at once */

#define HUNDREDS 600

static pthread_barrier_t all_there;

static void *stay(void *unused)
{
	five_zones();
	pthread_barrier_wait(&all_there);
	five_zones();
	return unused;
}

static void run_hundreds(void)
{
	static pthread_t threads[HUNDREDS];

	pthread_barrier_init(&all_there, NULL, HUNDREDS);
	CHECK(run_together(stay, HUNDREDS, threads) == HUNDREDS);
}

static void check_hundreds(struct view *view)
{
	CHECK_LOST_ONLY(view, 0);
	CHECK(view_entries(view, NULL) == HUNDREDS * 10);
	CHECK(view->process.threads == HUNDREDS);
	CHECK(view_blocks(view, BLOCK_ENDED) == HUNDREDS);
}

/* ---- marks from everywhere */

#define MARKERS 4
#define MARKS   5000

static void *mark_often(void *unused)
{
	for (int i = 0; i < MARKS; i++)
		Prof_update(1);
	return unused;
}

static void run_marks(void)
{
	pthread_t threads[MARKERS];

	CHECK(run_together(mark_often, MARKERS, threads) == MARKERS);
}

static void check_marks(struct view *view)
{
	CHECK_LOST(view, LOSS_MARK_BUSY, MARKERS * MARKS - view->process.frames);
	CHECK_LOST_ONLY(view, 1 << LOSS_MARK_BUSY);
	CHECK(view->process.frames > 0 && view->process.epoch == view->process.frames + 1, "%d frames, epoch %d",
	      (int)view->process.frames, (int)view->process.epoch);
	CHECK(view_entries(view, "Prof_update") == MARKERS * MARKS);
}

/* ---- zones in a handler */

#define HANDLED_ENOUGH 20000
#define HANDLER_MS     2500

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

static void start_timer(int us)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
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

	start_timer(40);
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

/* ---- the same while threads come and go: also in a thread's first and last moments */

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
	start_timer(30);
	while (!handled_enough(end))
		run_together(pass, AT_ONCE, threads);
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

const struct limit limits_crowd[] = {
	{ "come_and_go", NULL, run_come_and_go, check_come_and_go },
	{ "hundreds", NULL, run_hundreds, check_hundreds },
	{ "marks", NULL, run_marks, check_marks },
	{ "handler", NULL, run_handler, check_handler },
	{ "handler_threads", NULL, run_handler_threads, check_handler_threads },
	{ 0 },
};
