/* timer.c: frames by the clock, for a program that marks none (PROF_FRAME_MS).
 *
 * A thread of the library marks a frame, sleeps, and marks the next.  It takes
 * no signal of the program's, and no block of the region.  When the program
 * sets its first mark the thread ends, for good; when this copy of the library
 * is unloaded, it is woken and waited for, as its code goes with it.  An exit
 * waits a second at most.
 *
 * A process ends with its last thread.  So this thread also ends when it is the
 * only one left (main may leave by pthread_exit).  The last thread runs the
 * program's exit handlers, so a thread with the program's signal mask is made
 * to be the last.
 *
 * Making a thread takes memory, so it is done where that can be had: where the
 * library starts, and in a child at a zone behind its fork.  At the fork itself
 * the allocator's own handler may be still to come; and a zone may be in a
 * signal handler that interrupted malloc, which is one that has signals blocked
 * that were not at the fork.
 */
#include "libprof/libprof_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define LEAST_NS 100000        /* 0.1 ms */
#define MOST_NS  60000000000ll /* a minute */
#define LOOK_NS  1000000000ll  /* how often it asks whether it is the last */
#define STACK    65536

/* As in linux/futex.h: musl-gcc does not find the headers of the kernel. */
enum { WAIT = 0, WAKE = 1, OF_THIS_PROCESS = 128 };

enum { GOING, STOPPED };

static _Atomic uint32_t phase; /* a futex */
static struct process *whose;
static bool running;           /* there is a thread to be waited for, */
static pid_t runs_in;          /* in this process */
static pthread_t helper;
static sigset_t unblocked;     /* the mask of the thread that made it, as it is elsewhere */

enum slept { SLEPT, WOKEN /* perhaps to stop */, CANNOT_SLEEP };

/* Sleeps by the kernel's clock, because clock_gettime may be the program's
 * own. */
static enum slept sleep_ns(int64_t ns)
{
	struct timespec time = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	if (syscall(SYS_futex, &phase, WAIT | OF_THIS_PROCESS, GOING, &time) == 0)
		return WOKEN;
	return errno == ETIMEDOUT ? SLEPT : errno == EINTR || errno == EAGAIN ? WOKEN : CANNOT_SLEEP;
}

static int64_t period_ns;

/* Asks the kernel for the robust list of the main thread: a thread that has ended has none.  This works without
 * /proc, too.  musl gives a thread no list before it needs one.  If a sandbox forbids the question, the thread
 * counts as there. */
static bool main_has_list(bool if_unknown)
{
	void *list = NULL;
	size_t size;

	return syscall(SYS_get_robust_list, runs_in, &list, &size) == 0 ? list != NULL : if_unknown;
}

static bool main_had_list;

static bool main_left(void)
{
	char there = 0, here;
	struct iovec from = { &there, 1 }, to = { &here, 1 };

	if (main_had_list)
		return !main_has_list(true);
	return syscall(SYS_process_vm_readv, runs_in, &to, 1ul, &from, 1ul, 0ul) < 0 && errno == ESRCH;
}

/* A filter of system calls may answer by SIGSYS, to a handler of the program's: were it blocked, that would be the end. */
static void take_answers(void)
{
	struct sigaction now;
	sigset_t answers;

	sigemptyset(&answers);
	sigaddset(&answers, SIGSYS);
	if (sigaction(SIGSYS, NULL, &now) == 0)
		pthread_sigmask(now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN ? SIG_BLOCK : SIG_UNBLOCK, &answers, NULL);
}

/* All others have ended, and the first is a zombie, whose program cannot be named any more.  No descriptor is opened:
 * it might be one that the program is just about to have.  Where it cannot be known, as after chroot, it may be so as
 * soon as the first has left. */
static bool is_last(void)
{
	struct stat tasks;
	char name[1];

	if (stat("/proc/self/task", &tasks) != 0)
		return main_left();
	return tasks.st_nlink == 2 + 2 && readlink("/proc/self/exe", name, sizeof name) < 0 && errno == ENOENT;
}

/* The status with which the first thread ended, 0 if that is not known: the last number of its stat (proc(5)). */
static int status_of_first(void)
{
	char text[1024];
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	text[size > 0 ? size : 0] = '\0';
	const char *last = strrchr(text, ' ');
	return last ? atoi(last) >> 8 & 0xff : 0;
}

/* The status of the last thread is that of the process (since Linux 5.17).  If it is not 0, the first thread ended by the
 * system call exit, so no handlers are to be run. */
static void *be_last(void *unused)
{
	pthread_sigmask(SIG_SETMASK, &unblocked, NULL);
	pthread_join(helper, NULL);
	int status = status_of_first();
	if (status)
		syscall(SYS_exit, status);
	return unused;
}

static void leave_last(void)
{
	pthread_t last;

	running = false;
	pthread_create(&last, NULL, be_last, NULL);
}

/* Sleeps for ns.  Once a second it looks whether it is the last thread.
 * Returns false if the thread is to stop. */
static bool sleep_and_look(int64_t ns)
{
	static int64_t since_look;

	while (ns > 0) {
		int64_t some = ns < LOOK_NS - since_look ? ns : LOOK_NS - since_look;
		enum slept slept = sleep_ns(some);
		if (slept == CANNOT_SLEEP || atomic_load(&phase) != GOING)
			return false;
		if (slept == WOKEN)
			continue;
		ns -= some;
		since_look += some;
		if (since_look < LOOK_NS)
			continue;
		since_look = 0;
		take_answers();
		if (is_last()) {
			leave_last();
			return false;
		}
	}
	return true;
}

/* The clock is only asked how late the thread woke up: the next frame is as
 * much shorter.  If the thread was late by more than a frame, that frame stays
 * long, and the next one has its full length. */
static void *mark_frames(void *unused)
{
	int64_t wait = period_ns, begin = clock_ns(CLOCK_MONOTONIC);

	prctl(PR_SET_NAME, "prof-frames");
	while (sleep_and_look(wait) && prof__mark_by_timer(whose)) {
		int64_t now = clock_ns(CLOCK_MONOTONIC), late = now - begin - wait;
		wait = late > 0 && late < period_ns ? period_ns - late : period_ns;
		begin = now;
	}
	return unused;
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

static int create_timer(void)
{
	pthread_attr_t attributes;
	sigset_t all;
	int error;

	if ((error = pthread_attr_init(&attributes)))
		return error;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	pthread_attr_setstacksize(&attributes, STACK > PTHREAD_STACK_MIN ? STACK : (size_t)PTHREAD_STACK_MIN);
	error = pthread_create(&helper, &attributes, mark_frames, NULL);
	if (error == EINVAL) /* the thread-local storage of the program does not fit on so small a stack */
		error = pthread_create(&helper, NULL, mark_frames, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

static bool make_thread(void)
{
	const char *text = secure_getenv("PROF_FRAME_MS");

	if (!text || !*text)
		return false;
	period_ns = parse_ms(text);
	runs_in = getpid();
	main_had_list = main_has_list(false);
	if (period_ns && create_timer() == 0)
		return true;
	prof__complain("PROF_FRAME_MS", period_ns ? "its thread could not be started; no frames by timer"
	                                          : "not a number of milliseconds from 0.1 to 60000; no frames by timer");
	return false;
}

static void wake_timer(void)
{
	int saved = errno;

	syscall(SYS_futex, &phase, WAKE | OF_THIS_PROCESS, INT_MAX, NULL, NULL, 0);
	errno = saved;
}

#define LATE_TRIES 1000 /* each costs a call of the kernel, and a program may well block signals for good */
_Atomic bool prof__timer_due;
static _Atomic unsigned late_tries;
static sigset_t blocked_at_fork;

static bool in_handler(const sigset_t *blocked)
{
	for (int i = 1; i <= SIGRTMAX; i++)
		if (sigismember(blocked, i) == 1 && sigismember(&blocked_at_fork, i) != 1)
			return true;
	return false;
}

static void make_thread_outside(const sigset_t *blocked)
{
	if (!in_handler(blocked) && atomic_exchange(&prof__timer_due, false)) {
		unblocked = *blocked;
		running = make_thread();
	} else if (atomic_fetch_add(&late_tries, 1) >= LATE_TRIES) {
		atomic_store(&prof__timer_due, false);
	}
}

void prof__timer_late(void)
{
	struct calm calm;

	if (!whose)
		return;
	prof__calm_begin(&calm);
	make_thread_outside(&calm.signals);
	prof__calm_end(&calm);
}

void prof__timer_start(struct process *p, bool in_child, const struct calm *calm)
{
	whose = p;
	if (!in_child && !running) {
		sigfillset(&blocked_at_fork); /* there was none, and this is no handler */
		atomic_store(&prof__timer_due, true);
	}
	if (atomic_load_explicit(&prof__timer_due, memory_order_relaxed))
		make_thread_outside(&calm->signals);
}

void prof__timer_wake(void)
{
	atomic_store(&prof__timer_due, false);
	if (running && atomic_exchange(&phase, STOPPED) != STOPPED)
		wake_timer();
}

/* Waits a second at most.  The thread may never begin: a tool that wraps pthread_create may want a lock that a fork left
 * locked. */
static bool joined_soon(void)
{
	unsigned us = 16;

	for (; us < 1u << 20 && pthread_tryjoin_np(helper, NULL) != 0; us *= 2)
		usleep(us);
	return us < 1u << 20;
}

bool prof__timer_end(bool in_exit)
{
	atomic_store(&prof__timer_due, false);
	if (!running || runs_in != getpid()) /* the child of a fork that nobody was told of has no such thread */
		return true;
	prof__timer_wake();
	running = false;
	if (pthread_equal(helper, pthread_self())) /* a handler of such an answer may exit */
		return true;
	return in_exit ? joined_soon() : pthread_join(helper, NULL) == 0;
}

void prof__timer_forked(void)
{
	atomic_store(&phase, GOING);
	running = false;
	whose = NULL;
	atomic_store(&prof__timer_due, false);
}

void prof__timer_expect(void)
{
	const char *text = secure_getenv("PROF_FRAME_MS");

	pthread_sigmask(SIG_SETMASK, NULL, &blocked_at_fork);
	atomic_store(&late_tries, 0);
	atomic_store(&prof__timer_due, text && *text);
}
