/* SPDX-License-Identifier: MIT */
/*
 * proftop_check: proftop check of a program whose frames take known times, on
 * the clock of tests: figures are exact, and so are exit statuses.
 *
 * The program is this one with an argument: `frames COUNT MICROSECONDS STATUS`.
 * Nine frames take 10 ms each and the tenth 20; in each the zone `work` is
 * entered three times, in the tenth five times, and takes 1 ms. So of any 20
 * frames one behind the other two are long. In its environment: LONG=N, frame N
 * takes 50 ms and enters it nine times, once for 5 ms; DISCARD=N, each N-th
 * frame is discarded; LOSE=word, zones are lost: see struct losing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "libprof/prof.h"
#include "shm/clock.h"
#include "shm/region.h"
#include "tests/json_read.h"

#define MS INT64_C(1000000)

/* The program */

static void pass(int64_t ns)
{
	atomic_store(&clock_of_tests, atomic_load(&clock_of_tests) + ns);
}

/* A tick is a nanosecond: else readers look at the machine's counter for how long one is. */
static void fix_rate(void)
{
	uint64_t rate = 1000000000;
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "/dev/shm/%s", getenv("PROF_SHM"));
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || pwrite(fd, &rate, sizeof(rate), offsetof(struct region_header, ticks_per_s)) < 0)
		exit(99);
	close(fd);
}

static long from_environment(const char *name)
{
	const char *value = getenv(name);

	return value ? atol(value) : 0;
}

/* Each program loses 40 entries of `work`, from frame 16 on. Some lose other
 * zones, too. */
#define DEEPEST 2048 /* zones: one that is entered in them is lost */
#define LOST 40

static void lose(void)
{
	for (int i = 0; i < LOST; i++) {
		Prof_Begin(work)
		pass(1000);
		Prof_End
	}
}

static void go_deeper(int zones)
{
	while (zones--)
		Prof_Enter(Prof_Zone("deep"));
}

static void come_back(int zones)
{
	while (zones--)
		Prof_Leave();
}

static void lose_within(void)
{
	go_deeper(DEEPEST);
	lose();
	come_back(DEEPEST);
}

/* The zone of the mark itself is lost, too. The others are the first thing that
 * the thread does in frame 17. */
static void lose_behind_a_mark(void)
{
	go_deeper(DEEPEST);
	pass(1000);
	Prof_update(1);
	lose();
	come_back(DEEPEST);
}

/* Frames 17 and 18 are over while the thread is in a lost zone. */
static void lose_for_long(void)
{
	go_deeper(DEEPEST);
	go_deeper(LOST);
	pass(1000);
	Prof_update(1);
	pass(1000);
	Prof_update(1);
	pass(1000);
	Prof_update(1);
	come_back(LOST);
	come_back(DEEPEST);
}

static pthread_key_t key;

/* Called again, behind the library's own. */
static void lose_at_end(void *calls)
{
	if (calls == (void *)3)
		lose();
	else
		pthread_setspecific(key, (char *)calls + 1);
}

static void *end_thread(void *unused)
{
	Prof_Begin(thread)
	pthread_setspecific(key, (void *)1);
	Prof_End
	return unused;
}

static void lose_in_destructor(void)
{
	pthread_t thread;

	pthread_key_create(&key, lose_at_end);
	pthread_create(&thread, NULL, end_thread, NULL);
	pthread_join(thread, NULL);
}

/* The library keeps Prof_STACK_ZONES of the zones. */
static void lose_suspended(void)
{
	Prof_stack stack = Prof_STACK;

	go_deeper(Prof_STACK_ZONES + 1);
	Prof_Suspend(&stack);
	Prof_Resume(&stack);
	lose();
	come_back(Prof_STACK_ZONES + 1);
}

static void protect_region(int how)
{
	static struct { unsigned long from, to; } maps[16];
	static size_t count;
	char line[512];
	FILE *all = count ? NULL : fopen("/proc/self/maps", "re");

	while (all && count < 16 && fgets(line, sizeof(line), all))
		count += strstr(line, "/dev/shm/") && sscanf(line, "%lx-%lx", &maps[count].from, &maps[count].to) == 2;
	if (all)
		fclose(all);
	for (size_t i = 0; i < count; i++)
		mprotect((void *)maps[i].from, maps[i].to - maps[i].from, how);
}

static void lose_in_handler(int signal)
{
	(void)signal;
	protect_region(PROT_READ | PROT_WRITE);
	lose();
}

/* The library itself is interrupted, as it cannot write to the region. */
static void lose_in_library(void)
{
	signal(SIGSEGV, lose_in_handler);
	protect_region(PROT_READ);
	Prof_Begin(interrupted)
	Prof_End
	signal(SIGSEGV, SIG_DFL);
}

static void lose_without_memory(void)
{
	struct rlimit usual, none;

	getrlimit(RLIMIT_AS, &usual);
	none = (struct rlimit){ 0, usual.rlim_max };
	setrlimit(RLIMIT_AS, &none);
	go_deeper(DEEPEST - 1);
	lose();
	setrlimit(RLIMIT_AS, &usual);
	come_back(DEEPEST - 1);
}

/* More than a small region has room for: the zone of lose() is new, too. */
static void lose_new_zones(void)
{
	char name[16];

	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "z%d", i);
		Prof_Enter(Prof_Zone(name));
		Prof_Leave();
	}
	lose();
}

#define SMALL "PROF_SHM_SIZE=256K "

#define RECORDED 4 /* of the first ones a recording is judged, too */

static const struct losing {
	const char *word;
	void (*lose)(void);
	const char *environment, *cause;
	const char *incomplete; /* by frame, from 15 on: so many slices are */
	int few, many, slow;    /* status: work less than 10 times in a frame, or 100 times, or less than 1 s */
} losings[] = {
	{ "within", lose_within, "", "too_deep", "010000", 6, 0, 0 },
	{ "mark", lose_behind_a_mark, "", "too_deep", "011000", 6, 0, 0 },
	{ "long", lose_for_long, "", "too_deep", "011110", 6, 0, 0 },
	{ "destructor", lose_in_destructor, "", "after_thread_end", "000000", 6, 0, 6 },
	{ "suspended", lose_suspended, "", "stack_room", "010", 6, 0, 0 },
	{ "library", lose_in_library, "", "in_handler", "010", 6, 0, 0 },
	{ "memory", lose_without_memory, "", "memory", "010", 6, 6, 0 },
	{ "zones", lose_new_zones, SMALL, "zone_room", "010", 6, 6, 0 },
};

static void lose_as_told(void)
{
	for (size_t i = 0; i < sizeof(losings) / sizeof(*losings); i++)
		if (getenv("LOSE") && !strcmp(getenv("LOSE"), losings[i].word))
			losings[i].lose();
}

/* From 0. */
static void run_frame(long number)
{
	bool is_longest = number + 1 == from_environment("LONG"), is_long = number % 10 == 9;
	long discard = from_environment("DISCARD");
	int64_t left = is_longest ? 50 * MS : is_long ? 20 * MS : 10 * MS;

	for (int i = 0; i < (is_longest ? 9 : is_long ? 5 : 3); i++) {
		pass(1000); /* no two readings are alike */
		Prof_Begin(work)
		pass(is_longest && !i ? 5 * MS : MS);
		Prof_End
		left -= (is_longest && !i ? 5 * MS : MS) + 1000;
	}
	if (number == 15)
		lose_as_told();
	pass(left);
	Prof_update(!discard || (number + 1) % discard);
}

static int run_frames(long count, long us, int status)
{
	pass(1000);
	Prof_Begin(start)
	fix_rate();
	Prof_End
	for (long i = 0; i < count; i++) {
		run_frame(i);
		if (i == 30) {
			puts("ready");
			fflush(stdout);
		}
		if (us)
			usleep((useconds_t)us);
	}
	return status;
}

/* Running it, and proftop */

static const char *self;
static FILE *program; /* that runs beside */
static pid_t program_pid;

static const char *top(void)
{
	const char *top = getenv("top_builddir");

	return top ? top : ".";
}

static const char *region(void)
{
	static char name[64]; /* of the test, in its children too */

	if (!*name)
		snprintf(name, sizeof(name), "prof-check-%ld", (long)getpid());
	return name;
}

/* To its end, with this in its environment; its region stays. */
static void play_with(const char *environment, long frames)
{
	char command[1024];

	snprintf(command, sizeof(command), "PROF_SHM=%s PROF_KEEP=1 %s %s frames %ld 0 0 >/dev/null", region(),
		 environment, self, frames);
	assert_int_equal(system(command), 0);
}

static void play(long frames)
{
	play_with("", frames);
}

/* In the background, until it is stopped or has done so many; it has done some when this returns. */
static void begin_playing(long frames, long us)
{
	char word[16] = "", count[32], pause[32];
	int out[2];

	assert_int_equal(pipe(out), 0);
	snprintf(count, sizeof(count), "%ld", frames);
	snprintf(pause, sizeof(pause), "%ld", us);
	region();
	program_pid = fork();
	assert_true(program_pid >= 0);
	if (!program_pid) {
		dup2(out[1], STDOUT_FILENO);
		setenv("PROF_SHM", region(), 1);
		setenv("PROF_KEEP", "1", 1);
		execl(self, self, "frames", count, pause, "0", NULL);
		_exit(98);
	}
	close(out[1]);
	program = fdopen(out[0], "r");
	assert_non_null(program);
	assert_non_null(fgets(word, sizeof(word), program));
	assert_string_equal(word, "ready\n");
}

static int stop(void **state)
{
	char path[128];

	(void)state;
	if (program_pid > 0) {
		kill(program_pid, SIGKILL);
		waitpid(program_pid, NULL, 0);
		fclose(program);
	}
	program_pid = 0;
	snprintf(path, sizeof(path), "/dev/shm/%s", region());
	unlink(path);
	return 0;
}

/* Its exit status; what it prints, and says behind that. */
static int proftop(char *out, size_t size, const char *options, const char *condition, const char *target)
{
	char command[1536];
	size_t got;
	FILE *from;

	snprintf(command, sizeof(command), "LC_ALL=C.UTF-8 %s/proftop/proftop check %s \"%s\" %s 2>&1", top(), options,
		 condition, target);
	from = popen(command, "r");
	assert_non_null(from);
	got = fread(out, 1, size - 1, from);
	out[got] = '\0';
	return WEXITSTATUS(pclose(from));
}

static void expect(const char *options, const char *condition, int status, const char *says)
{
	char out[4096];
	int got = proftop(out, sizeof(out), options, condition, region());

	if (got != status || (says && strcmp(out, says) != 0))
		fail_msg("%s %s: %d instead of %d: %s", options, condition, got, status, out);
}

static const struct {
	const char *condition;
	int status;
} conditions[] = {
	{ "min >= 10ms", 0 },
	{ "min > 10ms", 4 },
	{ "p90 <= 10ms", 0 },
	{ "p90 < 10ms", 4 },
	{ "p90<10.000001ms", 0 },
	{ "p90.1>=20ms", 0 },
	{ "p91<20ms", 4 },
	{ "p95 <= 0.02s, p50 <= 10000us", 0 },
	{ "p95 <= 0.02s, p50 < 10000us", 4 },
	{ "mean <= 11ms, mean >= 11000000ns", 0 },
	{ "mean < 11ms", 4 },
	{ "max <= 20 ms", 0 },
	{ "zone work self p90 <= 3ms", 0 },
	{ "zone work self p90 < 3ms", 4 },
	{ "zone work max <= 5ms", 0 },
	{ "zone 'work' hier max < 5ms", 4 },
	{ "zone work count mean <= 3.2", 0 },
	{ "zone work count mean < 3.2", 4 },
	{ "zone work count max > 5", 4 },
};

/* Whichever 20 they are. */
static void of_a_live_program_the_next_frames(void **state)
{
	(void)state;
	begin_playing(1000000, 300);
	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i += 3)
		expect("-n 20", conditions[i].condition, conditions[i].status, NULL);
	expect("-n 20", "p99 < 20ms", 4, "p99 20.000 ms < 20 ms: does not hold   (20 frames)\n");
	expect("-n 20 -t main", "zone work p91 < 5.0001ms, zone work count max<6", 0,
	       "zone work hier p91 5.000 ms < 5.0001 ms: holds   (20 frames)\n"
	       "zone work count max 5 < 6: holds   (20 frames)\n");
}

static void of_an_ended_one_the_last(void **state)
{
	(void)state;
	play(205);
	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++)
		expect("-n 20", conditions[i].condition, conditions[i].status, NULL);
	expect("-n 5", "max<=10ms", 0, NULL);
	expect("-n 6", "max<=10ms", 4, "max 20.000 ms <= 10 ms: does not hold   (6 frames)\n");
	expect("", "max<=20ms", 0, "max 20.000 ms <= 20 ms: holds   (205 frames)\n");
	expect("-n 1000", "zone work count max<=5", 0,
	       "proftop: only 205 of 1000 frames: the program has ended\n"
	       "zone work count max 5 <= 5: holds   (205 frames)\n");
}

/* It does not set as many marks as are waited for. */
static void one_that_ends_meanwhile(void **state)
{
	(void)state;
	begin_playing(300, 500);
	expect("-n 100000", "max<=20ms", 0,
	       "proftop: only 300 of 100000 frames: the program has ended\n"
	       "max 20.000 ms <= 20 ms: holds   (300 frames)\n");
}

/* The ring of a small region holds a part of the frames; the longest was kept. */
static void what_was_overwritten_is_not_known(void **state)
{
	static const struct {
		const char *condition;
		int status;
	} asked[] = {
		{ "max <= 50ms", 6 },
		{ "max < 50ms", 4 },
		{ "max >= 50ms", 0 },
		{ "max > 50ms", 6 },
		{ "min <= 10ms", 0 },
		{ "min < 10ms", 6 },
		{ "min >= 10ms", 6 },
		{ "min > 10ms", 4 },
		{ "p90 <= 10ms", 6 },
		{ "p0.1 <= 10ms", 0 },
		{ "mean <= 1s", 6 },
		{ "mean >= 1ms", 6 },
		{ "mean >= 1us", 0 },
		{ "zone work count max < 9", 4 },
		{ "zone work count max <= 9", 6 },
		{ "zone work max >= 9ms", 0 },
		{ "max <= 1s, max < 50ms", 4 },
		{ "max <= 1s, min <= 10ms", 6 },
	};
	char out[4096];

	(void)state;
	play_with(SMALL "LONG=1000", 100000);
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++)
		expect("", asked[i].condition, asked[i].status, NULL);
	assert_int_equal(proftop(out, sizeof(out), "", "max<=50ms", region()), 6);
	assert_non_null(strstr(out, "max at least 50.000 ms <= 50 ms: not known   ("));
	assert_non_null(strstr(out, " of 100000 frames)\n"));
	assert_non_null(strstr(out, " of 100000 frames are not known: they were overwritten before proftop read them, "));
	expect("-n 100", "max<=20ms, zone work count max<=5", 0,
	       "max 20.000 ms <= 20 ms: holds   (100 frames)\nzone work count max 5 <= 5: holds   (100 frames)\n");
}

/* Returns how many slices of a frame are incomplete. */
static int incomplete(const char *target, int frame)
{
	char command[512], out[512], *at;
	FILE *from;

	snprintf(command, sizeof(command), "%s/proftop/proftop report -j %s@%d | grep -o '\"covered\": *{[^}]*'", top(), target,
		 frame);
	from = popen(command, "r");
	assert_non_null(from);
	out[fread(out, 1, sizeof(out) - 1, from)] = '\0';
	assert_int_equal(pclose(from), 0);
	at = strstr(out, "\"incomplete\":");
	assert_non_null(at);
	return atoi(strchr(at, ':') + 1);
}

static void judge_losing(const struct losing *l, const char *target)
{
	const struct {
		const char *condition;
		int status;
	} asked[] = {
		{ "zone work count max < 10", l->few },
		{ "zone work count max < 100", l->many },
		{ "zone work count max < 5", 4 }, /* it is too often without the lost ones */
		{ "zone work count max >= 5", 0 },
		{ "zone work hier max < 1s", l->slow },
		{ "zone work self max < 1s", l->slow },
		{ "zone work hier max < 5ms", 4 },
		{ "max < 1s", 0 },
	};
	char out[4096];

	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++)
		if (proftop(out, sizeof(out), "", asked[i].condition, target) != asked[i].status)
			fail_msg("%s: %s: not %d: %s", l->word, asked[i].condition, asked[i].status, out);
	for (int i = 0; l->incomplete[i]; i++)
		if (incomplete(target, 15 + i) != l->incomplete[i] - '0')
			fail_msg("%s: frame %d of %s", l->word, 15 + i, target);
}

static void where_zones_were_lost(void **state)
{
	char command[512], file[80], out[4096];

	(void)state;
	snprintf(file, sizeof(file), "./%s.prec", region());
	for (size_t i = 0; i < sizeof(losings) / sizeof(*losings); i++) {
		char lose[64];

		snprintf(lose, sizeof(lose), "%sLOSE=%s", losings[i].environment, losings[i].word);
		play_with(lose, 30);
		judge_losing(&losings[i], region());
		if (losings[i].few == 6) {
			assert_int_equal(proftop(out, sizeof(out), "", "zone nosuch count max < 10", region()), 6);
			assert_non_null(strstr(out, "there is no zone 'nosuch', but data were lost: it may be in them"));
			assert_non_null(strstr(out, "zone nosuch count max - < 10: not known   (0 of "));
			assert_int_equal(proftop(out, sizeof(out), "", "max < 1ns, zone nosuch count max < 10", region()), 4);
		}
		snprintf(command, sizeof(command), "%s/proftop/proftop report -j %s | grep -q '\"%s\":[1-9]'", top(), region(),
			 losings[i].cause);
		assert_int_equal(system(command), 0);
		if (i >= RECORDED) {
			stop(state);
			continue;
		}
		snprintf(command, sizeof(command), "%s/proftop/proftop record -o %s %s", top(), file, region());
		assert_int_equal(system(command), 0);
		judge_losing(&losings[i], file);
		unlink(file);
		stop(state);
	}
}

static void discarded_frames_are_not_asked_of(void **state)
{
	(void)state;
	play_with("DISCARD=4", 205);
	expect("-n 20", "max<=20ms", 0, "max 20.000 ms <= 20 ms: holds   (20 frames)\n");
	expect("", "max<=20ms", 0, "max 20.000 ms <= 20 ms: holds   (154 frames)\n");
	expect("-n 1000", "max<=20ms", 0,
	       "proftop: only 154 of 1000 frames: the program has ended\nmax 20.000 ms <= 20 ms: holds   (154 frames)\n");
}

/* The number that is proposed for -n can be had. */
static void discarded_frames_are_not_proposed(void **state)
{
	char command[512], file[80], out[4096];

	(void)state;
	play_with("DISCARD=4", 205);
	snprintf(file, sizeof(file), "./%s.prec", region());
	snprintf(command, sizeof(command), "%s/proftop/proftop record -n 20 -o %s %s", top(), file, region());
	assert_int_equal(system(command), 0);
	assert_int_equal(proftop(out, sizeof(out), "", "max<=20ms", file), 6);
	if (!strstr(out, "\nproftop: use -n 20 for the available frames\n"))
		fail_msg("%s", out);
	assert_int_equal(proftop(out, sizeof(out), "-n 20", "max<=20ms", file), 0);
	unlink(file);
}

static void has_words(const char *options, const char *word, bool has)
{
	char command[512], out[8192];
	FILE *from;

	snprintf(command, sizeof(command), "%s/proftop/proftop %s", top(), options);
	from = popen(command, "r");
	assert_non_null(from);
	out[fread(out, 1, sizeof(out) - 1, from)] = '\0';
	assert_int_equal(pclose(from), 0);
	if (has != !!strstr(out, word))
		fail_msg("%s: %s", options, out);
}

/* A folded stack says how much time it has, and not in how many calls. */
static void entries_of_folded_stacks_are_not_known(void **state)
{
	static const char *const asked[] = { "zone a count max<1", "zone a count mean<9", "zone a count p50>0", "entries max<1",
					     "zone a entries max<1" };
	char file[80], other[96], command[512], out[4096];
	FILE *to;

	(void)state;
	snprintf(file, sizeof(file), "./%s.folded", region());
	snprintf(other, sizeof(other), "%s.2", file);
	for (int k = 0; k < 2; k++) {
		to = fopen(k ? other : file, "w");
		assert_non_null(to);
		fputs(k ? "main;a 5\nmain;b 4\n" : "main;a 3\nmain;b 4\n", to);
		assert_int_equal(fclose(to), 0);
	}
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++)
		if (proftop(out, sizeof(out), "", asked[i], file) != 6 || !strstr(out, " - ") ||
		    !strstr(out, "proftop: 1 frames have missing slices or amounts: values in them are not known\n"))
			fail_msg("%s: %s", asked[i], out);
	assert_int_equal(proftop(out, sizeof(out), "", "zone a self max<1us", file), 0);
	snprintf(command, sizeof(command), "report -j -v graph -z main %s", file);
	has_words(command, "\"count\":0", false);
	has_words(command, "\"count\":null", true);
	has_words(command, "\"recursive\":null", true);
	snprintf(command, sizeof(command), "report -v graph -z main %s", file);
	has_words(command, "calls a frame", false);
	snprintf(command, sizeof(command), "diff %s %s", file, other);
	has_words(command, "longer", true);
	has_words(command, "carried", false);
	snprintf(command, sizeof(command), "diff -j %s %s", file, other);
	has_words(command, "\"kind\":\"changed\",\"waiting\":false,\"at_most\":false,\"delta\":2,\"delta_ns\":2,\"calls\":null,\"calls_ns\":null,\"cost\":null,",
		  true);
	unlink(other);
	unlink(file);
}

static void frames_that_were_not_recorded_are_not_overwritten(void **state)
{
	char command[512], file[80], out[4096];
	FILE *from;

	(void)state;
	play(40);
	snprintf(file, sizeof(file), "./%s.prec", region());
	snprintf(command, sizeof(command), "%s/proftop/proftop record -n 5 -o %s %s", top(), file, region());
	assert_int_equal(system(command), 0);
	assert_int_equal(proftop(out, sizeof(out), "-n 20", "max<=20ms", file), 6);
	if (!strstr(out, " frames are not known: they were not recorded, or exceed the history\n"))
		fail_msg("%s", out);
	snprintf(command, sizeof(command), "%s/proftop/proftop report -n 20 %s 2>&1", top(), file);
	from = popen(command, "r");
	assert_non_null(from);
	out[fread(out, 1, sizeof(out) - 1, from)] = '\0';
	assert_int_equal(pclose(from), 0);
	if (!strstr(out, "only 5 of 20 frames are complete. The others were not recorded, "))
		fail_msg("%s", out);
	unlink(file);
}

static void what_cannot_be_judged(void **state)
{
	(void)state;
	play(0);
	expect("", "p99<1s", 1,
	       "proftop: no frames to check: the program has marked none (Prof_update does; a batch "
	       "program can be started with PROF_FRAME_MS=20)\n");
	stop(state);
	play(20);
	expect("", "zone wrok p99<1s", 1, "proftop: no zone 'wrok' has been entered\n");
	expect("-t nobody", "zone work p99<1s", 1, NULL);
	expect("", "p99<1", 2, NULL);
	expect("-t main", "p99<1s", 2, NULL);
	expect("-t each", "zone work p99<1s", 2, NULL);
	expect("--csv", "p99<1s", 2, NULL);
	expect("-z work", "p99<1s", 2, NULL);
	stop(state);
	expect("", "p99<1s", 3, NULL);
}

/* MAX may be of a call that is not known singly any more. */
static void expect_slowest(const char *says)
{
	char command[512], out[8192];
	FILE *from;

	snprintf(command, sizeof(command), "LC_ALL=C.UTF-8 %s/proftop/proftop report -v graph -z work %s 2>&1", top(), region());
	from = popen(command, "r");
	assert_non_null(from);
	out[fread(out, 1, sizeof(out) - 1, from)] = '\0';
	assert_int_equal(pclose(from), 0);
	assert_non_null(strstr(out, "5.00"));
	if (!strstr(out, says))
		fail_msg("not '%s': %s", says, out);
}

static void of_which_seconds_the_slowest_call_is(void **state)
{
	(void)state;
	play_with("LONG=100", 205);
	expect_slowest("\nslowest 5.000 ms ");
	stop(state);
	play_with(SMALL "LONG=1000", 100000);
	expect_slowest("\nslowest of the last ");
}

static void as_json(void **state)
{
	char out[4096];
	yajl_val all, of;

	(void)state;
	play(205);
	assert_int_equal(proftop(out, sizeof(out), "-j -n 20", "p91<20ms, zone work count mean>=3.2", region()), 4);
	all = doc_parse(out);
	assert_int_equal(doc_integer(all, "frames_judged"), 20);
	assert_int_equal(doc_integer(all, "frames_asked"), 20);
	assert_true(YAJL_IS_FALSE(doc_at(all, "holds")));
	of = doc_at(all, "conditions");
	assert_int_equal(of->u.array.len, 2);
	for (size_t i = 0; i < of->u.array.len; i++)
		assert_int_equal(doc_integer(of->u.array.values[i], "frames_judged"), 20);
	assert_true(YAJL_IS_NULL(doc_at(of->u.array.values[0], "zone")));
	assert_string_equal(doc_text(of->u.array.values[0], "stat"), "p91");
	assert_int_equal(doc_integer(of->u.array.values[0], "figure"), 20 * MS);
	assert_int_equal(doc_integer(of->u.array.values[0], "figure_ns"), 20 * MS);
	assert_int_equal(doc_integer(of->u.array.values[0], "limit_ns"), 20 * MS);
	assert_true(YAJL_IS_FALSE(doc_at(of->u.array.values[0], "holds")));
	assert_string_equal(doc_text(of->u.array.values[1], "zone"), "work");
	assert_string_equal(doc_text(of->u.array.values[1], "measure"), "count");
	assert_string_equal(doc_digits(of->u.array.values[1], "figure"), "3.200000");
	assert_true(YAJL_IS_TRUE(doc_at(of->u.array.values[1], "holds")));
	yajl_tree_free(all);
	assert_int_equal(proftop(out, sizeof(out), "-j -n 12", "zone work count mean<=3.2", region()), 0);
	all = doc_parse(out);
	of = doc_at(all, "conditions")->u.array.values[0];
	assert_string_equal(doc_digits(of, "figure"), "3.166667"); /* of 38 in 12 */
	yajl_tree_free(all);
}

static void bounds_as_json(void **state)
{
	char out[4096];
	yajl_val all, of;

	(void)state;
	play_with(SMALL "LONG=1000", 100000);
	assert_int_equal(proftop(out, sizeof(out), "2>/dev/null -j", "max<=50ms, min<=10ms", region()), 6);
	all = doc_parse(strchr(out, '{'));
	assert_true(YAJL_IS_NULL(doc_at(all, "holds")));
	assert_int_equal(doc_integer(all, "frames_judged") + doc_integer(all, "frames_unknown"), 100000);
	of = doc_at(all, "conditions")->u.array.values[0];
	assert_true(YAJL_IS_NULL(doc_at(of, "holds")));
	assert_true(YAJL_IS_NULL(doc_at(of, "figure")));
	assert_true(YAJL_IS_NULL(doc_at(of, "figure_ns")));
	assert_int_equal(doc_integer(of, "least_ns"), 50 * MS);
	assert_true(YAJL_IS_NULL(doc_at(of, "most_ns")));
	of = doc_at(all, "conditions")->u.array.values[1];
	assert_true(YAJL_IS_TRUE(doc_at(of, "holds")));
	assert_true(YAJL_IS_NULL(doc_at(of, "figure_ns")));
	assert_int_equal(doc_integer(of, "least_ns"), 0);
	assert_int_equal(doc_integer(of, "most_ns"), 10 * MS);
	yajl_tree_free(all);
}

/* The program's own status, unless the condition does not hold. Its rate may be read before it is fixed, so it is
 * entries that are counted. */
static void of_a_program_that_it_starts(void **state)
{
	static const struct {
		const char *condition;
		int status, expected;
	} runs[] = {
		{ "zone work count max<=5", 0, 0 },
		{ "zone work count max<=5", 7, 7 },
		{ "zone work count max<5", 0, 4 },
		{ "zone work count max<5", 7, 4 },
		{ "zone none max<5s", 7, 7 },
		{ "zone none max<5s", 0, 1 },
	};
	char target[1024], out[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		snprintf(target, sizeof(target), "-- %s frames 60 0 %d", self, runs[i].status);
		if (proftop(out, sizeof(out), "", runs[i].condition, target) != runs[i].expected)
			fail_msg("%s with %d: %s", runs[i].condition, runs[i].status, out);
		if (i < 4 && !strstr(out, "(60 frames)"))
			fail_msg("%s: not all frames: %s", runs[i].condition, out);
	}
}

/* It is too fast for its small region: what proftop missed was kept for being the longest. */
static void of_one_that_is_too_fast(void **state)
{
	char target[1024], out[4096];

	(void)state;
	setenv("LONG", "1000", 1);
	setenv("PROF_SHM_SIZE", "256K", 1);
	for (int status = 0; status < 8; status += 7) {
		snprintf(target, sizeof(target), "-- %s frames 300000 0 %d", self, status);
		if (proftop(out, sizeof(out), "", "zone work count max<9", target) != 4)
			fail_msg("%s", out);
		assert_non_null(strstr(out, " of 300000 frames)"));
		if (proftop(out, sizeof(out), "", "zone work count max<=9", target) != (status ? status : 6))
			fail_msg("%s", out);
	}
	unsetenv("LONG");
	unsetenv("PROF_SHM_SIZE");
}

int main(int argc, char **argv)
{
	static char path[512];
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(of_an_ended_one_the_last, stop),
		cmocka_unit_test_teardown(of_a_live_program_the_next_frames, stop),
		cmocka_unit_test_teardown(one_that_ends_meanwhile, stop),
		cmocka_unit_test_teardown(what_cannot_be_judged, stop),
		cmocka_unit_test_teardown(as_json, stop),
		cmocka_unit_test_teardown(of_a_program_that_it_starts, stop),
		cmocka_unit_test_teardown(what_was_overwritten_is_not_known, stop),
		cmocka_unit_test_teardown(where_zones_were_lost, stop),
		cmocka_unit_test_teardown(discarded_frames_are_not_asked_of, stop),
		cmocka_unit_test_teardown(discarded_frames_are_not_proposed, stop),
		cmocka_unit_test_teardown(entries_of_folded_stacks_are_not_known, stop),
		cmocka_unit_test_teardown(frames_that_were_not_recorded_are_not_overwritten, stop),
		cmocka_unit_test_teardown(bounds_as_json, stop),
		cmocka_unit_test_teardown(of_which_seconds_the_slowest_call_is, stop),
		cmocka_unit_test_teardown(of_one_that_is_too_fast, stop),
	};
	ssize_t length;

	if (argc == 5 && !strcmp(argv[1], "frames"))
		return run_frames(atol(argv[2]), atol(argv[3]), atoi(argv[4]));
	length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (length <= 0)
		return 99;
	self = path;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
