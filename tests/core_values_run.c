/* core_values_run.c: the programs whose values core_values reads. */
#include "tests/core_values.h"

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "tests/core_run.h"

#define FRAMES 10

/* Frame i is interval i.  In frames 4 to 6 nothing changes. */
static int exact(void)
{
	for (int i = 1; i <= FRAMES; i++) {
		Prof_Begin(work)
		if (i < 4 || i > 6) {
			Prof_Counter_Set(gauge, i * 3);
			Prof_Counter_Set(gauge, i * 3 - 5);
			Prof_Counter_Set(gauge, i * 3 + 1);
			Prof_Counter_Add(sum, 2);
			Prof_Counter_Add(sum, 2ull);
			Prof_Counter_Set(gauge, i * 0.5f); /* another counter: of doubles */
		}
		if (i % 2)
			Prof_Event(wave);
		Prof_Note("frame %d of %s", i, "ten");
		Prof_End
		Prof_update(1);
	}
	Prof_Add(Prof_Counter("sum"), (signed char)-1);
	return 0;
}

static void run_thread(void *(*body)(void *), void *argument)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, argument) != 0)
		abort();
	pthread_join(thread, NULL);
}

static void *add_and_go(void *number)
{
	Prof_Counter_Add(total, (intptr_t)number);
	Prof_Counter_Add(total, 0.5);
	Prof_Counter_Set(turn, (intptr_t)number);
	return NULL;
}

static pthread_barrier_t together;

static void *set_own(void *number)
{
	Prof_Counter_Set(own, (intptr_t)number);
	pthread_barrier_wait(&together);
	return NULL;
}

static int threads(void)
{
	pthread_t four[4];

	for (intptr_t i = 0; i < 1000; i++) {
		run_thread(add_and_go, (void *)i);
		if (i % 100 == 7)
			Prof_update(1);
	}
	pthread_barrier_init(&together, NULL, 4);
	for (intptr_t i = 0; i < 4; i++)
		if (pthread_create(&four[i], NULL, set_own, (void *)(100 + i)) != 0)
			return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(four[i], NULL);
	return 0;
}

static int not_numbers(void)
{
	Prof_Counter_Set(never, (double)NAN);
	Prof_Counter_Set(odd, 1.5);
	Prof_Counter_Set(odd, (double)NAN);
	Prof_Counter_Set(odd, HUGE_VAL);
	Prof_Counter_Add(odd, -HUGE_VAL);
	Prof_Counter_Set(odd, DBL_MAX);
	Prof_Counter_Add(odd, DBL_MAX); /* would be infinite */
	Prof_update(1);
	Prof_Counter_Add(odd, DBL_MAX); /* so would this, in a later interval */
	Prof_Counter_Add(up, INT64_MAX);
	Prof_Counter_Add(up, INT64_MAX);
	Prof_Counter_Add(down, INT64_MIN);
	Prof_Counter_Add(down, -1);
	return 0;
}

static int too_many(void)
{
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 100; i++) {
			char name[16];
			snprintf(name, sizeof name, "counter %d", i);
			Prof_Set(Prof_Counter(name), i);
			if (!Prof_Counter(name)->id[0]) /* refused: it would be looked for each time */
				return 1;
		}
	return 0;
}

static int notes(void)
{
	static char long_text[10241], accents[2048];

	memset(long_text, 'x', sizeof long_text - 1);
	for (size_t i = 0; i + 2 < sizeof accents; i += 2)
		memcpy(accents + i, "\xc3\xa9", 2);
	errno = ENOENT;
	Prof_Note("%m");
	Prof_Note("%s", "");
	Prof_Note("%s", long_text);
	Prof_Note("1%s", accents); /* byte 1,000 is in the middle of a character */
	return errno == ENOENT ? 0 : 1;
}

static void some_frames(void)
{
	for (int i = 0; i < 200; i++) {
		Prof_Begin(some)
		Prof_End
		Prof_update(1);
	}
}

static int storm(void)
{
	some_frames();
	for (int i = 0; i < STORM; i++)
		Prof_Event(drop);
	some_frames();
	return 0;
}

static int steady(void)
{
	for (int i = 1; i <= STEADY; i++) {
		Prof_Counter_Set(steady, i);
		if (i < STEADY)
			Prof_update(1);
		if (i % 50 == 0)
			core_sleep_us(50);
	}
	return 0;
}

/* In the first region `child` is the id of the second's process, where there is one. */
static int with_child(void)
{
	Prof_Counter_Set(first, 1);
	Prof_Counter_Set(second, 2);
	pid_t child = fork();
	if (child == 0) {
		Prof_Counter_Set(second, 22);
		Prof_Event(born);
		Prof_Note("of the child");
		return 0;
	}
	Prof_Counter_Set(child, child);
	return waitpid(child, NULL, 0) == child ? 0 : 1;
}

static volatile sig_atomic_t handled;

static void handler(int number)
{
	(void)number;
	handled++;
	Prof_Counter_Add(in_handler, 1);
	Prof_Event(tick);
}

static int interrupted(void)
{
	struct itimerval often = { { 0, 50 }, { 0, 50 } }, never = { { 0, 0 }, { 0, 0 } };
	int i = 0;

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &often, NULL);
	for (; handled < 3000; i++) {
		Prof_Counter_Add(outside, 1);
		if (i % 1000 == 0)
			Prof_Note("at %d", i);
		if (i % 5000 == 0)
			Prof_update(1);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	Prof_Counter_Set(tries, handled);
	Prof_Counter_Set(rounds, i);
	return 0;
}

static int switched(void)
{
	Prof_Counter_Add(seen, 1);
	Prof_Enable(0);
	Prof_Counter_Add(seen, 10);
	Prof_Counter_Add(unseen, 1);
	Prof_Event(unseen);
	Prof_Note("unseen");
	Prof_Enable(1);
	Prof_Counter_Add(seen, 100);
	Prof_Event(seen);
	return 0;
}

static pthread_key_t late;
static bool late_is_off;

/* The second time the library's own destructor has run. */
static void say_late(void *times)
{
	if (times == (void *)1) {
		pthread_setspecific(late, (void *)2);
		return;
	}
	Prof_Enable(!late_is_off);
	Prof_Counter_Add(late, 1);
	Prof_Event(late);
	Prof_Note("late");
}

static void *end_late(void *unused)
{
	Prof_Counter_Add(in_time, 1);
	pthread_setspecific(late, (void *)1);
	return unused;
}

static int after_the_end(void)
{
	pthread_key_create(&late, say_late);
	run_thread(end_late, NULL);
	return 0;
}

static int after_the_end_and_off(void)
{
	late_is_off = true;
	return after_the_end();
}

static void *busy(void *unused)
{
	for (int64_t i = 1;; i++) {
		Prof_Counter_Add(one, 1);
		Prof_Counter_Add(two, 1);
		Prof_Counter_Set(gauge, i);
		if (i % 8 == 0)
			Prof_Event(eighth);
		if (i % 64 == 0)
			Prof_Note("at %lld", (long long)i);
		if (i % 256 == 0)
			Prof_update(1);
	}
	return unused;
}

static int for_ever(void)
{
	pthread_t other;

	if (pthread_create(&other, NULL, busy, NULL) != 0)
		return 1;
	busy(NULL);
	return 0;
}

/* ---- floating-point environments */

static void set_traps(bool on)
{
#ifdef __GLIBC__
	if (on)
		feenableexcept(FE_ALL_EXCEPT);
	else
		fedisableexcept(FE_ALL_EXCEPT);
#endif
}

/* Denormals are 0, or not. */
static void set_flush(bool on)
{
#ifdef __x86_64__
	unsigned now = __builtin_ia32_stmxcsr();

	__builtin_ia32_ldmxcsr(on ? now | 0x8040 : now & ~0x8040u);
#endif
}

static double signalling(void)
{
	uint64_t bits = 0x7ff4000000000000;
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static float signalling_float(void)
{
	uint32_t bits = 0x7fa00000;
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Each value takes another way through the library. */
static bool values_in(int rounding, bool traps, bool flush)
{
	static volatile double little = 0x1p-60, tiny = 5e-324, huge = 1e308;
	static volatile float half = 0.5f;
	static volatile long double quarter = 0.25L, beyond = LDBL_MAX;

	feclearexcept(FE_ALL_EXCEPT);
	fesetround(rounding);
	set_flush(flush);
	set_traps(traps);
	Prof_Counter_Add(rounded, little);
	Prof_Counter_Add(tiny, tiny);
	Prof_Counter_Add(huge, huge);
	Prof_Counter_Add(parts, half);
	Prof_Counter_Add(parts, quarter);
#ifdef __clang__
	Prof_Counter_Add(parts, 0.125);
#else
	Prof_Counter_Add(parts, __extension__ (_Float64)0.125);
#endif
	Prof_Counter_Add(parts, beyond);
	Prof_Counter_Set(refused, signalling());
	Prof_Counter_Set(refused, signalling_float());
	Prof_Counter_Add(passes, 1);
	Prof_update(1);
	int seen = fetestexcept(traps ? FE_ALL_EXCEPT : FE_ALL_EXCEPT & ~FE_INEXACT);
	set_traps(false);
	set_flush(false);
	fesetround(FE_TONEAREST);
	return !seen;
}

static int environments(void)
{
	static const int roundings[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };

	Prof_Counter_Add(rounded, 1.0);
	for (int i = 0; i < 16; i++)
		if (!values_in(roundings[i & 3], i & 4, i & 8))
			return 1;
	core_sleep_us(2000); /* now there is a rate of the clock, which the end writes */
	set_traps(true);
	return 0;
}

static const struct { const char *name; int (*run)(void); } modes[] = {
	{ "exact", exact },       { "threads", threads },         { "numbers", not_numbers }, { "many", too_many },
	{ "notes", notes },       { "storm", storm },             { "child", with_child },    { "handler", interrupted },
	{ "switched", switched }, { "late", after_the_end },      { "busy", for_ever },       { "steady", steady },
	{ "late_off", after_the_end_and_off }, { "environments", environments },
};

int values_run(const char *mode)
{
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(mode, modes[i].name))
			return modes[i].run();
	return 2;
}
