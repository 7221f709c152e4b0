/* core_sample.c: samples of the program's functions: their shares, their zones, and what the program does not notice of them.
 *
 * The functions that burn time are called in a proportion of 3 to 1.  How far the shares may differ follows from the number
 * of samples: four standard deviations.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "io/source.h"
#include "libprof/prof.h"
#include "model/profile/measures.h"
#include "tests/core_amounts.h"
#include "tests/core_read.h"
#include "tests/core_run.h"
#include "tests/long.h"

#define ROUND 200000

/* Whether perf events are permitted here, as the library asks for them.  Else timers send the signals: with fewer samples
 * that count more, and also in system calls. */
static bool has_events(void)
{
	struct { uint32_t type, size; uint64_t config, period, sample_type, read_format, flags, rest[2]; } event = {
		.type = 1, .size = 64, .config = 1, .period = 1000000, .flags = 1 << 5 | 1 << 6 };
	int fd = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Whether the stack can be read, as the library does so.  Else samples have no callers. */
static bool has_callers(void)
{
	char from = 0, to;
	struct iovec here = { &to, 1 }, there = { &from, 1 };

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

static volatile uint64_t sink;

/* Each has a frame of its own, as it calls something. */
#define BURNER __attribute__((noinline, noclone, optimize("no-omit-frame-pointer,no-optimize-sibling-calls")))

BURNER static void spin(int rounds)
{
	uint64_t x = sink;

	for (int i = 0; i < rounds; i++)
		x = x * 3 + (uint64_t)i;
	sink = x;
}

BURNER static void heavy(int round)
{
	spin(3 * round);
	sink++;
}

BURNER static void light(int round)
{
	spin(round);
	sink++;
}

static int64_t cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static int64_t burns_ns(void)
{
	return test_long() ? 10000000000ll : 600000000;
}

/* Rounds of one length could keep step with the samples. */
static void burn(int64_t ns)
{
	uint32_t random = 1;

	for (int64_t from = cpu_ns(); cpu_ns() - from < ns;) {
		int round = ROUND / 2 + (int)((random = random * 1103515245 + 12345) >> 12) % ROUND;

		Prof_Begin(work)
		heavy(round);
		light(round);
		Prof_End
		Prof_update(1);
	}
}

/* ---- shares */

static void shares(void)
{
	burn(burns_ns());
	printf("cpu_ns %lld\n", (long long)cpu_ns());
}

/* The samples of a zone and all that is inside of it. */
static int64_t inside(const struct profile *p, uint32_t measure, const char *zone)
{
	int64_t sum = 0;

	for (uint32_t n = 0; n < p->node_count; n++)
		for (uint32_t at = n; p->nodes[at].parent != PROFILE_NONE; at = p->nodes[at].parent)
			if (!strcmp(p->zones[p->nodes[at].zone].name, zone)) {
				sum += profile_amount_of(p, n, measure);
				break;
			}
	return sum;
}

static int64_t of_frames(const struct profile *p, uint32_t measure)
{
	int64_t sum = 0, some;

	for (uint32_t i = 0; i < p->frame_count; i++)
		if ((some = in_frame(p, p->frames[i].number, 0, measure, NULL)) > 0)
			sum += some;
	return sum;
}

static void check_shares_of(const struct profile *p)
{
	uint32_t m = measure_index(p, "samples");
	int64_t all = in_run(p, 0, m, NULL), work = inside(p, m, "work"), more = inside(p, m, "heavy"), less = inside(p, m, "light");
	double spread = all ? 4 * sqrt(0.25 * 0.75 / (has_events() ? 1 : 0.1) / (double)all) : 1;

	CHECK(p->measures[m].sampled && p->measures[m].unit == MEASURE_SAMPLES && p->measures[m].period == 1000000, "its row");
	CHECK(all >= 100 && work >= all * 8 / 10, "%lld samples, %lld of them in work", (long long)all, (long long)work);
	CHECK(of_frames(p, m) <= all && of_frames(p, m) >= all * 9 / 10, "%lld in frames", (long long)of_frames(p, m));
#ifdef HAVE_LIBDW
	CHECK(!has_callers() || more + less >= work * 9 / 10, "%lld and %lld of %lld", (long long)more, (long long)less,
	      (long long)work);
	CHECK(!has_callers() || fabs((double)more / (double)(more + less) - 0.75) < spread + 0.02, "%lld and %lld", (long long)more, (long long)less);
#else
	(void)more, (void)less, (void)spread;
#endif
}

static void check_shares(struct view *view)
{
	struct source *s = profile_of(view->name), *again = recorded(s);
	uint32_t m = measure_index(s->profile, "samples");
	int64_t all = in_run(s->profile, 0, m, NULL);

	check_shares_of(s->profile);
	check_shares_of(again->profile);
	IS(inside(again->profile, m, "work"), inside(s->profile, m, "work"));
	IS(inside(again->profile, m, "heavy"), inside(s->profile, m, "heavy"));
	CHECK(all * 1000000 <= (int64_t)view_told(view, "cpu_ns") * 11 / 10, "%lld samples of 1 ms", (long long)all);
	CHECK_LOST(view, LOSS_SAMPLE_ROOM, 0);
	source_close(again);
	source_close(s);
}

/* Where the kernel refuses perf events, a timer samples whenever the kernel's clock ticks, and says how many periods that
 * are. */
static void prepare_timers(void)
{
	setenv("PROF_SAMPLE", "1000", 1);
	if (!core_forbid(SYS_perf_event_open, SECCOMP_RET_ERRNO | EPERM))
		setenv("PROF_SAMPLE", "0", 1);
}

static void check_timers(struct view *view)
{
	struct source *s = profile_of(view->name);
	int64_t cpu = (int64_t)view_told(view, "cpu_ns"), all;
	uint32_t m = profile_find_measure(s->profile, "samples");

	if (m != PROFILE_NONE) { /* else filters are not permitted here */
		all = in_run(s->profile, 0, m, NULL) * 1000000;
		CHECK(all >= cpu * 8 / 10 && all <= cpu * 11 / 10, "%lld of %lld ns", (long long)all, (long long)cpu);
		CHECK(inside(s->profile, m, "work") >= in_run(s->profile, 0, m, NULL) * 8 / 10, "in work");
	}
	source_close(s);
}

/* ---- threads: with zones, without, and one that ends */

static atomic_int done;

static void *burn_zone(void *unused)
{
	Prof_Thread("zoned");
	while (!atomic_load(&done)) {
		Prof_Begin(task)
		heavy(ROUND);
		Prof_End
	}
	return unused;
}

static void *burn_plain(void *unused)
{
	pthread_setname_np(pthread_self(), "plain");
	while (!atomic_load(&done))
		heavy(ROUND);
	return unused;
}

static void *end_soon(void *unused)
{
	heavy(ROUND);
	return unused;
}

static void threads(void)
{
	pthread_t zoned, plain, brief;

	pthread_create(&zoned, NULL, burn_zone, NULL);
	pthread_create(&plain, NULL, burn_plain, NULL);
	for (int i = 0; i < 250; i++) { /* threads are looked for once a second */
		pthread_create(&brief, NULL, end_soon, NULL);
		core_sleep_us(10000);
		Prof_update(1);
		pthread_join(brief, NULL);
	}
	atomic_store(&done, 1);
	pthread_join(zoned, NULL);
	pthread_join(plain, NULL);
}

static void check_threads(struct view *view)
{
	struct source *s = profile_of(view->name);
	uint32_t m = measure_index(s->profile, "samples");

	CHECK(inside(s->profile, m, "task") >= 20, "%lld", (long long)inside(s->profile, m, "task"));
	CHECK(in_run(s->profile, thread_of(s->profile, "plain"), m, NULL) >= 20, "plain");
	source_close(s);
}

/* ---- what the program does not notice */

/* No call that sleeps is interrupted, and errno stays. */
static void sleeps(void)
{
	struct timespec ms = { 0, 1000000 };
	unsigned odd = 0;

	for (int i = 0; i < 300; i++) {
		errno = 77;
		spin(ROUND);
		odd += errno != 77;
		odd += poll(NULL, 0, 1) != 0;
		odd += nanosleep(&ms, NULL) != 0;
		Prof_update(1);
	}
	printf("odd %u\n", odd);
}

static void check_sleeps(struct view *view)
{
	if (has_events())
		IS(view_told(view, "odd"), 0);
}

static unsigned own_signals;

static void on_own(int signal)
{
	(void)signal;
	own_signals++;
}

/* The program has a handler of its own before the sampling starts: Prof_Sample takes nothing away from it. */
static void taken(void)
{
	struct sigaction own = { .sa_handler = on_own }, now;

	sigaction(SIGURG, &own, NULL);
	Prof_Sample(1000);
	burn(50000000);
	sigaction(SIGURG, NULL, &now);
	raise(SIGURG);
	printf("kept %d\nsignals %u\n", now.sa_handler == on_own, own_signals);
}

static void check_taken(struct view *view)
{
	struct source *s = profile_of(view->name);

	IS(view_told(view, "kept"), 1);
	IS(view_told(view, "signals"), 1);
	CHECK(profile_find_measure(s->profile, "samples") == PROFILE_NONE, "samples all the same");
	source_close(s);
}

/* On, off, and on again; at last the signal is as it was. */
static void switched(void)
{
	struct sigaction now;

	Prof_Sample(0);
	sigaction(SIGURG, NULL, &now);
	printf("off %d\n", now.sa_handler == SIG_DFL);
	Prof_Begin(silent)
	spin(200 * ROUND);
	Prof_End
	Prof_Sample(1000);
	Prof_Begin(heard)
	spin(200 * ROUND);
	Prof_End
	Prof_Sample(0);
	sigaction(SIGURG, NULL, &now);
	printf("again %d\n", now.sa_handler == SIG_DFL);
}

static void check_switched(struct view *view)
{
	struct source *s = profile_of(view->name);
	uint32_t m = measure_index(s->profile, "samples");

	IS(view_told(view, "off"), 1);
	IS(view_told(view, "again"), 1);
	IS(inside(s->profile, m, "silent"), 0);
	CHECK(inside(s->profile, m, "heard") >= 10, "%lld", (long long)inside(s->profile, m, "heard"));
	source_close(s);
}

/* The program closes all descriptors and opens its own under their numbers: they stay open. */
static void closes(void)
{
	unsigned open_ones = 0;
	int null = open("/dev/null", O_RDONLY);

	burn(20000000);
	for (int fd = 3; fd < 1024; fd++)
		if (fd != null)
			close(fd);
	for (int fd = 512; fd < 520; fd++)
		dup2(null, fd);
	Prof_Sample(0);
	for (int fd = 512; fd < 520; fd++)
		open_ones += fcntl(fd, F_GETFD) >= 0;
	printf("open %u\n", open_ones);
}

static void check_closes(struct view *view)
{
	IS(view_told(view, "open"), 8);
}

/* A child of fork works on, and so does what it executes. */
static void forks(void)
{
	int bad = 0, status;

	for (int i = 0; i < 20; i++) {
		pid_t child = fork();
		if (!child) {
			burn(20000000);
			if (i % 2)
				execl("/bin/sh", "sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done", (char *)NULL);
			_exit(0);
		}
		burn(5000000);
		bad += child < 0 || waitpid(child, &status, 0) != child || status;
	}
	printf("bad %d\n", bad);
}

static void check_forks(struct view *view)
{
	IS(view_told(view, "bad"), 0);
}

/* A child that outlives the parent has its descriptors: they send nothing when the parent has stopped the sampling. */
static void leaves_child(void)
{
	if (!fork()) {
		sleep(1);
		_exit(0);
	}
	Prof_Sample(0);
	burn(100000000);
}

static void check_nothing(struct view *view)
{
	CHECK_LOST(view, LOSS_SAMPLE_ROOM, 0);
}

/* The program resets all signals, as a daemon does: one that comes now must not end it. */
static void resets(void)
{
	for (int i = 1; i < 32; i++)
		signal(i, SIG_DFL);
	burn(100000000);
}

/* Handlers of the program jump out of its own code: out of a sample they cannot. */
static sigjmp_buf back;

static void jump(int signal)
{
	siglongjmp(back, signal);
}

static void jumps(void)
{
	struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { 0 };
	volatile int64_t from = cpu_ns();

	signal(SIGALRM, jump);
	if (!sigsetjmp(back, 1)) /* before the first signal comes */
		setitimer(ITIMER_REAL, &often, NULL);
	while (cpu_ns() - from < 300000000)
		spin(ROUND);
	setitimer(ITIMER_REAL, &never, NULL);
	Prof_Begin(after)
	spin(100 * ROUND);
	Prof_End
}

static void check_jumps(struct view *view)
{
	struct source *s = profile_of(view->name);
	uint32_t m = measure_index(s->profile, "samples");

	CHECK(in_run(s->profile, 0, m, NULL) >= 1000, "%lld samples", (long long)in_run(s->profile, 0, m, NULL));
	CHECK(view_entries(view, "after") == 1, "zones are lost behind a jump");
	source_close(s);
}

/* A filter that ends a program for what only the sampler calls. Its samples go on, without callers. */
static void filtered(void)
{
	burn(100000000);
	bool contained = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0; /* the library does not look then */
	printf("filtered %d\n", !contained && core_forbid(SYS_process_vm_readv, SECCOMP_RET_KILL_PROCESS));
	Prof_Begin(behind)
	for (int64_t from = cpu_ns(); cpu_ns() - from < 300000000;)
		heavy(ROUND);
	Prof_End
	Prof_update(1);
}

static void check_filtered(struct view *view)
{
	struct source *s = profile_of(view->name);
	uint32_t m = measure_index(s->profile, "samples");

	if (view_told(view, "filtered"))
		CHECK(inside(s->profile, m, "behind") >= 100, "%lld behind the filter", (long long)inside(s->profile, m, "behind"));
	source_close(s);
}

/* Threads begin while sampling ends, again and again, and the program ends while they do. */
static void *begin_threads(void *unused)
{
	for (pthread_t brief;;)
		if (pthread_create(&brief, NULL, end_soon, NULL) == 0)
			pthread_join(brief, NULL);
	return unused;
}

static void ends(void)
{
	pthread_t thread;

	for (int i = 0; i < 4; i++)
		pthread_create(&thread, NULL, begin_threads, NULL);
	for (int i = 0; i < 1000; i++) {
		Prof_Sample(i % 2 ? 10000 : 0);
		core_sleep_us(300);
	}
	Prof_Sample(10000);
}

/* A thread that may be cancelled anywhere is not cancelled inside of a sample, which would keep locks and signals. */
static atomic_int cleaned, masked;

static void clean(void *unused)
{
	sigset_t set;

	(void)unused;
	pthread_sigmask(SIG_SETMASK, NULL, &set);
	for (int i = 1; i < 32; i++)
		if (sigismember(&set, i) == 1) {
			atomic_fetch_add(&masked, 1);
			break;
		}
	atomic_fetch_add(&cleaned, 1);
}

static void *burn_cancelled(void *unused)
{
	pthread_cleanup_push(clean, NULL);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;)
		spin(ROUND);
	pthread_cleanup_pop(0);
	return unused;
}

static void cancels(void)
{
	pthread_t thread;

	for (int i = 0; i < 300; i++) {
		pthread_create(&thread, NULL, burn_cancelled, NULL);
		core_sleep_us(1000 + (uint64_t)i * 7);
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
	printf("cleaned %d\nmasked %d\n", atomic_load(&cleaned), atomic_load(&masked));
}

static void check_cancels(struct view *view)
{
	IS(view_told(view, "cleaned"), 300);
	IS(view_told(view, "masked"), 0);
}

static void prepare(void)
{
	setenv("PROF_SAMPLE", "1000", 1);
}

static void prepare_often(void)
{
	setenv("PROF_SAMPLE", "10000", 1);
}

static const struct view_case cases[] = {
	{ "shares", shares, check_shares, NULL, prepare },
	{ "timers", shares, check_timers, NULL, prepare_timers },
	{ "threads", threads, check_threads, NULL, prepare },
	{ "sleeps", sleeps, check_sleeps, NULL, prepare_often },
	{ "taken", taken, check_taken, NULL, NULL },
	{ "switched", switched, check_switched, NULL, prepare },
	{ "closes", closes, check_closes, NULL, prepare },
	{ "forks", forks, check_forks, NULL, prepare_often },
	{ "leaves child", leaves_child, check_nothing, NULL, prepare },
	{ "resets", resets, check_nothing, NULL, prepare },
	{ "jumps", jumps, check_jumps, NULL, prepare_often },
	{ "filtered", filtered, check_filtered, NULL, prepare },
	{ "ends", ends, check_nothing, NULL, prepare_often },
	{ "cancels", cancels, check_cancels, NULL, prepare_often },
};

/* ---- a program that is killed leaves its samples */

static void killed(void)
{
	burn(300000000);
	raise(SIGKILL);
}

static void check_killed(void)
{
	static const char *const arguments[] = { "killed", NULL };
	const char *name = core_name("killed");
	struct core_program program = { .shm = name, .arguments = arguments, .prepare = prepare };
	int status = core_wait(core_start(&program), 60);
	struct source *s = profile_of(name);

	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "%#x", (unsigned)status);
	if (s)
		check_shares_of(s->profile);
	source_close(s);
	core_remove(name);
}

int main(int argc, char **argv)
{
	setenv("PROF_CPU", "0", 1);
	if (argc > 1 && !strcmp(argv[1], "killed")) {
		killed();
		return 0;
	}
	if (argc > 1)
		return view_run_case(cases, sizeof cases / sizeof *cases, argv[1]) ? core_result() : 1;
	view_check_cases(cases, sizeof cases / sizeof *cases);
	check_killed();
	return core_result();
}
