/* timer.c: frames by the clock, for a program that marks none (PROF_FRAME_MS).
 *
 * A thread of the library marks a frame, sleeps, and marks the next.  It takes no signal of the program's, and no
 * block of the region.  When the program sets its first mark the thread ends, for good; when this copy of the
 * library goes, it is woken and waited for, as its code goes with it.
 */
#include "libprof/internal.h"

#include <errno.h>
#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LEAST_NS 100000        /* 0.1 ms */
#define MOST_NS  60000000000ll /* a minute */
#define STACK    65536

static _Atomic uint32_t stopped; /* a futex */
static bool running;             /* there is a thread to be waited for */
static pthread_t helper;

/* Sleeps until then, or until it is to stop. */
static void sleep_until(int64_t ns)
{
	struct timespec until = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	syscall(SYS_futex, &stopped, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, &until, NULL, FUTEX_BITSET_MATCH_ANY);
}

static int64_t period_ns;

static void *mark_frames(void *process)
{
	int64_t due = clock_ns(CLOCK_MONOTONIC) + period_ns;

	prctl(PR_SET_NAME, "prof-frames");
	while (!atomic_load(&stopped)) {
		sleep_until(due);
		int64_t now = clock_ns(CLOCK_MONOTONIC);
		if (now < due)
			continue;
		if (atomic_load(&stopped) || !prof__mark_by_timer(process))
			break;
		due += period_ns;
		if (due <= now)
			due = now + period_ns; /* it was late by more than a frame: that one is long, none follow in a hurry */
	}
	return NULL;
}

/* Milliseconds, perhaps with a fraction, in nanoseconds; 0: it is not that. */
static int64_t parse_ms(const char *text)
{
	int64_t ns = 0, unit = 1000000;
	const char *at = text;

	for (; *at >= '0' && *at <= '9' && ns <= MOST_NS; at++)
		ns = ns * 10 + (*at - '0') * unit;
	if (at == text)
		return 0;
	if (*at == '.')
		for (at++; *at >= '0' && *at <= '9'; at++)
			ns += (*at - '0') * (unit /= 10);
	return *at || ns < LEAST_NS || ns > MOST_NS ? 0 : ns;
}

static int create(struct process *p)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	int error;

	if ((error = pthread_attr_init(&attributes)))
		return error;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_setstacksize(&attributes, STACK > PTHREAD_STACK_MIN ? STACK : (size_t)PTHREAD_STACK_MIN);
	error = pthread_create(&helper, &attributes, mark_frames, p);
	if (error == EINVAL) /* the thread-local storage of the program does not fit on so small a stack */
		error = pthread_create(&helper, NULL, mark_frames, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

void prof__timer_start(struct process *p)
{
	const char *text = secure_getenv("PROF_FRAME_MS");

	if (!text || !*text || running || p->own_marks)
		return;
	period_ns = parse_ms(text);
	if (!period_ns)
		prof__complain("PROF_FRAME_MS", "not a number of milliseconds from 0.1 to 60000; no frames by timer");
	else if (!(running = create(p) == 0))
		prof__complain("PROF_FRAME_MS", "no thread could be had for it; no frames by timer");
}

void prof__timer_wake(void)
{
	if (!running || atomic_exchange(&stopped, 1))
		return;
	int saved = errno;
	syscall(SYS_futex, &stopped, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT_MAX, NULL, NULL, 0);
	errno = saved;
}

void prof__timer_end(void)
{
	if (!running)
		return;
	prof__timer_wake();
	pthread_join(helper, NULL);
	running = false;
}

void prof__timer_forked(void)
{
	running = false;
	atomic_store(&stopped, 0);
}
