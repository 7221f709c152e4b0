/* core_known.c: zones and counters that are asked for by name, by several threads; texts that are there once; zones before
 * the region is there and behind the program's own destructors; zones that are left open in each frame. */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "shm/snapshot_read.h"
#include "tests/core_read.h"
#include "tests/core_run.h"
#include "tests/core_values.h"

#define SECONDS 120
#define CALLS   30000
#define NAMES   200
#define FRAMES  20000
#define LATE    10000

/* With a priority: now and then, so that it comes while another thread is in the middle of it. */
static void *by_name(void *priority)
{
	struct sched_param high = { .sched_priority = 10 };

	if (priority && pthread_setschedparam(pthread_self(), SCHED_FIFO, &high) != 0)
		printf("without a priority, which needs rights\n");
	for (int i = 0; i < CALLS; i++) {
		char name[32];

		if (priority && i % 4 == 0)
			usleep(20);

		snprintf(name, sizeof name, "name %d", i % NAMES);
		Prof_Enter(Prof_Zone(name));
		Prof_Leave();
		snprintf(name, sizeof name, "counter %d", i % NAMES);
		Prof_Counter_Set(name, i);
	}
	return NULL;
}

static void four_threads(bool priority)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, by_name, priority && i == 3 ? &threads[i] : NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void names(void)
{
	four_threads(false);
}

/* The waiting thread has a higher priority than the owner of the lock, on one processor. */
static void priority(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	four_threads(true);
}

static void many_texts(void)
{
	char name[PATH_MAX];

	for (int i = 0; i < FRAMES; i++) {
		snprintf(name, sizeof name, "frame %d", i);
		prof__frame_begin(name);
		prof__frame_end();
	}
	for (int i = 0; i < LATE; i++) {
		static Prof_zone zones[LATE];

		snprintf(name, sizeof name, "late %d", i);
		zones[i] = (Prof_zone)prof__ZONE(strdup(name), "/a/path/that/is/as/long/as/paths/of/sources/are/in/large/programs/"
		                                               "and/was/there/once/for/each/zone/in/the/file/file.c", 1);
		Prof_Enter(&zones[i]);
		Prof_Leave();
	}
}

/* A herd comes to each new zone and counter at once, and the whole program is stopped now and then. */
#define HERD   600
#define ROUNDS 40
static pthread_barrier_t gathered;

static void *of_the_herd(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		char name[32];

		snprintf(name, sizeof name, "herd %d", i);
		pthread_barrier_wait(&gathered);
		Prof_Enter(Prof_Zone(name));
		Prof_Leave();
		Prof_Add(Prof_Counter(name), 1);
	}
	return unused;
}

static pid_t stopper(pid_t whom)
{
	pid_t child = fork();

	if (child == 0) {
		for (int i = 0; i < 4; i++) {
			usleep(30000);
			kill(whom, SIGSTOP);
			usleep(150000);
			kill(whom, SIGCONT);
		}
		_exit(0);
	}
	return child;
}

static void herd(void)
{
	static pthread_t threads[HERD];
	pthread_attr_t small;
	pid_t stops = stopper(getpid());

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 256 << 10);
	pthread_barrier_init(&gathered, NULL, HERD);
	for (int i = 0; i < HERD; i++)
		pthread_create(&threads[i], &small, of_the_herd, NULL);
	for (int i = 0; i < HERD; i++)
		pthread_join(threads[i], NULL);
	waitpid(stops, NULL, 0);
}

/* A name that is longer than what the strings have left, and short ones behind it. */
#define LONG_NAMES  29 /* of 1,000 bytes; 32 KiB of strings */
#define SHORT_NAMES 150
#define SHORT_COUNTERS 20

static Prof_zone *of_length(char letter, int length)
{
	static char name[4096];

	memset(name, letter, (size_t)length);
	name[length] = '\0';
	return Prof_Zone(name);
}

static void one_long_name(void)
{
	for (int i = 0; i < LONG_NAMES; i++) {
		Prof_Enter(of_length((char)('A' + i), 1000));
		Prof_Leave();
	}
	for (int i = 0; i < SHORT_NAMES; i++) {
		char name[32];

		Prof_Enter(of_length('~', 4000));
		Prof_Leave();
		snprintf(name, sizeof name, "short %d", i);
		Prof_Enter(Prof_Zone(name));
		Prof_Leave();
		if (i < SHORT_COUNTERS)
			Prof_Add(Prof_Counter(name), 1);
	}
}

static void left_open(void)
{
	static Prof_zone forgotten = prof__ZONE("forgotten", "", 1), frame = prof__ZONE("frame", "", 2);

	for (int i = 0; i < FRAMES; i++) {
		Prof_Enter(&frame);
		Prof_Enter(&forgotten);
		Prof_Leave();
		Prof_update(1);
	}
}

/* Zones in good order at marks that are ever deeper, in calls as in zones. */
#define DEEPER 100

static void deeper(int levels)
{
	Prof(level);
	Prof_update(1);
	if (levels > 1)
		deeper(levels - 1);
}

static void marks_in_recursion(void)
{
	deeper(DEEPER);
	for (int i = 0; i < DEEPER; i++) { /* marks of two depths in turn */
		Prof_update(1);
		Prof(outer);
		Prof_update(1);
	}
}

/* So many that the thread is too deep before it is known that they were left. */
#define LEFT_AT_ONCE 100

static void left_open_many(void)
{
	static Prof_zone forgotten = prof__ZONE("forgotten", "", 1), frame = prof__ZONE("frame", "", 2);

	for (int i = 0; i < FRAMES / 10; i++) {
		Prof_Enter(&frame);
		Prof_Leave();
		for (int k = 0; k < LEFT_AT_ONCE; k++)
			Prof_Enter(&forgotten);
		Prof_update(1);
	}
}

/* Recording is off while the frame comes in which they would have been left for the program. */
static void left_open_off(void)
{
	static Prof_zone forgotten = prof__ZONE("forgotten", "", 1), frame = prof__ZONE("frame", "", 2);

	for (int i = 0; i < FRAMES; i++) {
		bool off = i >= 30 && i < 36;

		Prof_Enable(!off);
		Prof_Enter(&frame);
		Prof_Enter(&forgotten);
		Prof_Leave();
		Prof_update(1);
	}
}

/* It was left open where nobody recorded it. */
static void left_open_dark(void)
{
	static Prof_zone forgotten = prof__ZONE("forgotten", "", 1);

	Prof(outer);
	Prof(inner);
	for (int i = 0; i < 6; i++) {
		if (i == 3) {
			Prof_Enable(0);
			Prof_Enter(&forgotten);
		}
		Prof_update(1);
	}
}

static void check_left_open_dark(struct view *view)
{
	CHECK_LOST(view, LOSS_LEFT_OPEN, 1);
	CHECK(view->process.left_open == 0, "zone %u is blamed", view->process.left_open);
}

/* Threads that say their names while there is no block for them. */
#define CROWD 40
static pthread_barrier_t crowd_is_there, crowd_goes, named;

static void *fill_a_block(void *unused)
{
	Prof_Begin(crowd)
	pthread_barrier_wait(&crowd_is_there);
	pthread_barrier_wait(&crowd_goes);
	Prof_End
	return unused;
}

static void say_names(const char *format, int from, int to)
{
	for (int i = from; i < to; i++) {
		char name[32];

		snprintf(name, sizeof name, format, i);
		Prof_Thread(name);
	}
}

static const struct naming {
	const char *format;
	int from, to;
} namings[] = { { "first", 0, 1 }, { "same", 0, 5000 }, { "task %d", 0, 3000 }, { "task %d", 3000, 6000 } };
#define NAMINGS ((int)(sizeof namings / sizeof *namings))

static void *be_named(void *arg)
{
	const struct naming *n = arg;

	say_names(n->format, n->from, n->to);
	pthread_barrier_wait(&named);
	pthread_barrier_wait(&crowd_goes);
	pthread_barrier_wait(&named);
	Prof_Begin(has_a_block)
	Prof_End
	pthread_barrier_wait(&named);
	return NULL;
}

static void names_of_threads(void)
{
	pthread_t threads[CROWD], others[NAMINGS];

	pthread_barrier_init(&crowd_is_there, NULL, CROWD + 1);
	pthread_barrier_init(&crowd_goes, NULL, CROWD + NAMINGS + 1);
	for (int i = 0; i < CROWD; i++)
		pthread_create(&threads[i], NULL, fill_a_block, NULL);
	pthread_barrier_wait(&crowd_is_there);
	for (int i = 0; i < NAMINGS; i++) { /* one by one */
		pthread_barrier_init(&named, NULL, 2);
		pthread_create(&others[i], NULL, be_named, (void *)&namings[i]);
		pthread_barrier_wait(&named);
	}
	pthread_barrier_init(&named, NULL, NAMINGS + 1);
	pthread_barrier_wait(&crowd_goes);
	for (int i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_wait(&named);
	pthread_barrier_wait(&named);
}

static bool has_thread(struct view *view, const char *name)
{
	for (uint32_t i = 0; i < view->process.threads; i++) {
		struct snapshot_thread t;

		if (snapshot_thread(&view->region, i, &t) == SNAPSHOT_OK && !strcmp(t.name, name))
			return true;
	}
	return false;
}

/* A name costs room once; who says more than there is room for has none that it had before. */
static void check_names_of_threads(struct view *view)
{
	CHECK(has_thread(view, "same") && has_thread(view, "task 2999"));
	for (int i = 3000; i < 6000; i++) {
		char name[32];

		snprintf(name, sizeof name, "task %d", i);
		CHECK(!has_thread(view, name), "%s", name);
	}
}

static int tells_late;

__attribute__((destructor)) static void behind_main(void)
{
	if (tells_late) {
		Prof(behind_main);
	}
}

static void late(void)
{
	tells_late = 1;
}

/* Twelve threads in each frame, which fill their logs, beside the one that marks. */
static void *short_life(void *unused)
{
	for (int i = 0; i < 2000; i++) {
		Prof(task);
	}
	return unused;
}

static void short_threads(void)
{
	Prof_Thread("main");
	for (int f = 0; f < 700; f++) {
		pthread_t threads[12];

		for (int i = 0; i < NAMES; i++) {
			char name[32];

			snprintf(name, sizeof name, "zone %d", i);
			Prof_Enter(Prof_Zone(name));
			Prof_Leave();
		}
		for (int i = 0; i < 12; i++)
			pthread_create(&threads[i], NULL, short_life, NULL);
		for (int i = 0; i < 12; i++)
			pthread_join(threads[i], NULL);
		Prof_update(1);
	}
}

static void check_short_threads(struct view *view)
{
	struct region_log *parts = &snapshot_block(&view->region, 0)->parts;
	uint64_t words = WORD_LOAD(parts->head) - WORD_LOAD(parts->tail);

	CHECK(view_entries(view, "task") == 700 * 12 * 2000, "%llu", (unsigned long long)view_entries(view, "task"));
	CHECK(words > 60 * CHUNK_WORDS, "%llu chunks of parts", (unsigned long long)words / CHUNK_WORDS);
	CHECK_LOST_ONLY(view, 1ull << LOSS_HOURS_ROOM | 1ull << LOSS_CALLS_ROOM);
}

/* Threads that are at work before the library begins, most likely in the middle of a zone with others in it. */
#define EARLY_CALLS 3000000 /* they outlast the start */
#define EARLY_INSIDE 100000
static pthread_t early_threads[2];

static void *work_early(void *unused)
{
	for (int i = 0; i < EARLY_CALLS; i += EARLY_INSIDE) {
		Prof(early);
		for (int j = 0; j < EARLY_INSIDE; j++) {
			Prof(in_early);
		}
	}
	return unused;
}

__attribute__((constructor(101))) static void begin_early(void)
{
	if (getenv("KNOWN_EARLY"))
		for (int i = 0; i < 2; i++)
			pthread_create(&early_threads[i], NULL, work_early, NULL);
}

static void begin_threads_early(void)
{
	setenv("KNOWN_EARLY", "1", 1);
}

static void early(void)
{
	for (int i = 0; i < 2; i++)
		pthread_join(early_threads[i], NULL);
}

static void check_early(struct view *view)
{
	uint64_t dropped = view->process.lost[LOSS_STARTING];

	uint64_t recorded = view_entries(view, "early") + view_entries(view, "in_early");

	CHECK(recorded + dropped == 2 * (EARLY_CALLS + EARLY_CALLS / EARLY_INSIDE), "%llu, and %llu dropped",
	      (unsigned long long)recorded, (unsigned long long)dropped);
	CHECK_LOST_ONLY(view, 1ull << LOSS_STARTING);
}

/* Children of which nothing is to be recorded; in each two threads come at once, one of which makes the region. */
#define DARK_CHILDREN 8
static pthread_barrier_t both;

static void *work_dark(void *unused)
{
	pthread_barrier_wait(&both);
	for (int i = 0; i < EARLY_INSIDE; i++) {
		Prof(dark);
		Prof_Counter_Add(dark, 1);
		Prof_Event(dark);
	}
	return unused;
}

static void dark_child(void)
{
	pthread_barrier_init(&both, NULL, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&early_threads[i], NULL, work_dark, NULL);
	early();
	exit(0);
}

static void dark(void)
{
	Prof_Enable(0);
	for (int i = 0; i < DARK_CHILDREN; i++) {
		pid_t child = fork();

		if (child == 0)
			dark_child();
		waitpid(child, NULL, 0);
		printf("%ld ", (long)child);
		fflush(stdout);
	}
	printf("%ld ", (long)getpid());
}

static void check_dark_one(const char *name)
{
	struct view view;

	if (CHECK(view_open(&view, name), "%s", name)) {
		CHECK(view_entries(&view, NULL) == 0);
		CHECK_LOST_ONLY(&view, 0);
	}
	view_close(&view);
	core_remove(name);
}

static void check_dark(void)
{
	const char *const arguments[] = { "dark", NULL };
	const char *base = core_name("known");
	char pattern[100], name[100];
	struct core_output output;
	int seen = 0;

	snprintf(pattern, sizeof pattern, "%s.%%p", base);
	core_catch(&(struct core_program){ .shm = pattern, .arguments = arguments }, SECONDS, &output);
	for (const char *at = output.out; core_next_region(&at, base, name); seen++) {
		check_dark_one(name);
	}
	CHECK(seen == DARK_CHILDREN + 1, "%d", seen);
}

static void check_names(struct view *view)
{
	CHECK(view_entries(view, "name 7") == 4 * CALLS / NAMES, "%llu", (unsigned long long)view_entries(view, "name 7"));
	CHECK(view_entries(view, NULL) == 4 * CALLS, "%llu", (unsigned long long)view_entries(view, NULL));
	CHECK_LOST_ONLY(view, 0);
}

static void check_texts(struct view *view)
{
	CHECK(view_entries(view, "late 9999") == 1);
	CHECK_LOST(view, LOSS_ZONE_ROOM, FRAMES - 4096); /* so many names of frames become texts */
	CHECK_LOST_ONLY(view, 1ull << LOSS_ZONE_ROOM);
}

static void check_herd(struct view *view)
{
	static struct values values;

	CHECK(view_entries(view, NULL) == HERD * ROUNDS, "%llu", (unsigned long long)view_entries(view, NULL));
	CHECK_LOST_ONLY(view, 0);
	if (!CHECK(values_load(&values, view->name)))
		return;
	CHECK(values.counter_count == ROUNDS, "%u counters", values.counter_count);
	for (uint32_t i = 0; i < values.counter_count; i++)
		CHECK(values_sum(&values, (int)i) == HERD, "counter %u: %lld", i, (long long)values_sum(&values, (int)i));
	values_free(&values);
}

static void check_long_name(struct view *view)
{
	CHECK(view_entries(view, NULL) == LONG_NAMES + SHORT_NAMES, "%llu", (unsigned long long)view_entries(view, NULL));
	CHECK_LOST(view, LOSS_ZONE_ROOM, SHORT_NAMES);
	CHECK_LOST_ONLY(view, 1ull << LOSS_ZONE_ROOM);
	CHECK(view->process.counters == SHORT_COUNTERS, "%u counters", view->process.counters);
}

static void check_left_open(struct view *view)
{
	CHECK(view_entries(view, "frame") == FRAMES, "%llu", (unsigned long long)view_entries(view, "frame"));
	CHECK(view_entries(view, "forgotten") == FRAMES, "%llu", (unsigned long long)view_entries(view, "forgotten"));
	CHECK(view_rows(view, "frame") < 100, "%u rows", view_rows(view, "frame"));
	CHECK_LOST_ONLY(view, 1ull << LOSS_LEFT_OPEN);
}

static void check_marks_in_recursion(struct view *view)
{
	CHECK(view_entries(view, "level") == DEEPER);
	CHECK_LOST_ONLY(view, 0);
}

static void check_left_open_many(struct view *view)
{
	CHECK(view_entries(view, "frame") > FRAMES / 20, "%llu", (unsigned long long)view_entries(view, "frame"));
	CHECK_LOST_ONLY(view, 1ull << LOSS_LEFT_OPEN | 1ull << LOSS_TOO_DEEP);
}

static void check_left_open_off(struct view *view)
{
	CHECK(view_entries(view, "frame") == FRAMES - 6, "%llu", (unsigned long long)view_entries(view, "frame"));
	CHECK_LOST_ONLY(view, 1ull << LOSS_LEFT_OPEN);
}

static void check_late(struct view *view)
{
	CHECK(view_entries(view, "behind_main") == 1);
	CHECK_LOST_ONLY(view, 0);
}

static const struct view_case cases[] = {
	{ "names", names, check_names, NULL, NULL },
	{ "priority", priority, check_names, NULL, NULL },
	{ "many texts", many_texts, check_texts, NULL, NULL },
	{ "herd", herd, check_herd, NULL, NULL },
	{ "one long name", one_long_name, check_long_name, "1M", NULL },
	{ "left open", left_open, check_left_open, NULL, NULL },
	{ "left open, many", left_open_many, check_left_open_many, NULL, NULL },
	{ "left open, and off", left_open_off, check_left_open_off, NULL, NULL },
	{ "left open in the dark", left_open_dark, check_left_open_dark, NULL, NULL },
	{ "names of threads", names_of_threads, check_names_of_threads, "256K", NULL },
	{ "marks in recursion", marks_in_recursion, check_marks_in_recursion, NULL, NULL },
	{ "late", late, check_late, NULL, NULL },
	{ "short threads", short_threads, check_short_threads, NULL, NULL },
	{ "early", early, check_early, NULL, begin_threads_early },
};

int main(int argc, char **argv)
{
	size_t count = sizeof cases / sizeof *cases;

	if (argc > 1 && !strcmp(argv[1], "dark"))
		return dark(), 0;
	if (argc > 1)
		return view_run_case(cases, count, argv[1]) ? 0 : 1;
#ifndef __SANITIZE_THREAD__ /* which knows no threads of a child */
	if (!getenv("EMULATED")) /* tests/aarch64 */
		check_dark();
#endif
	view_check_cases(cases, count);
	return core_result();
}
