/* core_cpu.c: the CPU time of slices, compared with readings that the program takes itself.
 *
 * The program reads its thread's CPU time, counts of switches and run delay, and keeps the readings in memory that it shares with
 * the test.  CPU time never grows faster than the clock.  So two readings give limits for the CPU time at any tick, and
 * these hold however often the machine takes a core away.  No check compares with a time that something should take.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "libprof/adapter.h"
#include "model/profile/measures.h"
#include "shm/clock.h"
#include "tests/core_read.h"
#include "tests/core_run.h"
#include "tests/core_shown.h"

#define READINGS  50000
#define THREADS   4
#define NEAR_NS   20000 /* between a reading of CPU time and one of the clock, and what clocks differ by */
#define LIMIT     2000  /* readings that the library takes in a second */
#define IN_A_ROW  20
#define START_NS  1000000 /* most time from the start of a thread to a first reading that is believed */
#define COUNTED   3 /* voluntary and involuntary switches, and ns of run delay */
#define FOREVER   (INT64_MAX / 4)

/* ---- the program's own readings */

struct own_reading {
	int64_t before, after, cpu; /* ticks; ns */
	int64_t switches[COUNTED];
	uint64_t frame;             /* marks until then */
};

struct own_thread {
	char name[16];
	uint32_t count;
	struct own_reading reading[READINGS];
};

static struct own_thread *own; /* THREADS of them, shared with the test */
static enum region_clock source;
static __thread struct own_thread *mine;
static atomic_ullong marks;
static bool may_count = true;
static int delay_files[THREADS]; /* 1 + descriptor of each thread */

/* The second number of the thread's schedstat. */
static int64_t read_delay(void)
{
	char text[64] = "";
	long long delay = -1;

	int *file = &delay_files[mine - own];

	if (!*file)
		*file = 1 + open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	CHECK(pread(*file - 1, text, sizeof text - 1, 0) > 0 && sscanf(text, "%*d %lld", &delay) == 1, "schedstat: %s", text);
	return delay;
}

static void read_own(void)
{
	struct own_reading *r = &mine->reading[mine->count];
	struct rusage used = { 0 };

	if (!CHECK(mine->count < READINGS, "there is no space for readings"))
		return;
	clock_order();
	r->before = clock_ticks(source);
	clock_order();
	r->cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	clock_order();
	r->after = clock_ticks(source);
	if (may_count)
		getrusage(RUSAGE_THREAD, &used);
	r->switches[0] = used.ru_nvcsw;
	r->switches[1] = used.ru_nivcsw;
	r->switches[2] = may_count ? read_delay() : 0;
	r->frame = atomic_load(&marks);
	mine->count++;
}

/* A thread's first reading is before its first zone, and the second one behind it. */
static void begin_thread(unsigned number, const char *name)
{
	uint64_t ticks_per_s;

	source = clock_choose(&ticks_per_s);
	mine = &own[number];
	strcpy(mine->name, name);
	read_own();
	Prof_Thread(name);
	read_own();
}

static void mark(int record)
{
	read_own();
	Prof_update(record);
	atomic_fetch_add(&marks, 1);
	read_own();
}

/* So much CPU time, not so much time. */
static void burn_us(int64_t us)
{
	int64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + us * 1000;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		continue;
}

static void sleep_us(uint64_t us)
{
	read_own();
	core_sleep_us(us);
	read_own();
}

/* ---- what a slice has, and what it may have */

struct slice {
	bool known, counted;
	int64_t bound, end, length; /* ticks; ns */
	int64_t cpu, off, doubt, switches[COUNTED];
};

struct reader {
	struct source *source;
	const struct profile *p;
	uint32_t cpu, off, doubt, switches[COUNTED]; /* measures */
};

static struct reader read_region(const char *name)
{
	struct reader r = { .source = shown_open(name) };

	while (r.source && source_next(r.source) == SOURCE_MORE)
		continue;
	r.p = r.source->profile;
	r.cpu = profile_find_measure(r.p, "cpu");
	r.off = profile_find_measure(r.p, "off_cpu");
	r.doubt = profile_find_measure(r.p, "cpu_doubt");
	r.switches[0] = profile_find_measure(r.p, "voluntary");
	r.switches[1] = profile_find_measure(r.p, "involuntary");
	r.switches[2] = profile_find_measure(r.p, "run_delay");
	CHECK(r.cpu != PROFILE_NONE && r.off != PROFILE_NONE && r.doubt != PROFILE_NONE && r.switches[0] != PROFILE_NONE &&
	      r.switches[1] != PROFILE_NONE && r.switches[2] != PROFILE_NONE, "the measures are missing");
	return r;
}

static uint32_t thread_of(const struct profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->thread_count; i++)
		if (!strcmp(p->threads[i].name, name))
			return i;
	CHECK(false, "no thread %s", name);
	return 0;
}

static int64_t ns_of(const struct profile *p, int64_t ticks)
{
	return (int64_t)((double)ticks * 1e9 / (double)p->ticks_per_s);
}

/* -1: not known. */
static int64_t amount(const struct reader *r, const struct profile_held *part, uint32_t measure)
{
	struct measure_amounts a = profile_amounts(r->p, part, measure);

	return !a.known ? -1 : a.count ? a.values[0] : 0;
}

static int64_t in_run(const struct reader *r, uint32_t thread, uint32_t measure)
{
	return profile_amount_of(r->p, r->p->threads[thread].root, measure);
}

/* False: the thread has no part of the frame. */
static bool slice_of(const struct reader *r, uint64_t number, uint32_t thread, struct slice *s)
{
	const struct profile_frame *frame = profile_find_frame(r->p, number);
	const struct profile_held *part = frame ? profile_find_part(frame, thread) : NULL;

	*s = (struct slice){ 0 };
	if (!part)
		return false;
	s->bound = part->bound;
	s->end = part->end;
	s->length = ns_of(r->p, part->end - part->bound);
	s->cpu = amount(r, part, r->cpu);
	s->off = amount(r, part, r->off);
	s->doubt = amount(r, part, r->doubt);
	for (int i = 0; i < COUNTED; i++)
		s->switches[i] = amount(r, part, r->switches[i]);
	s->known = s->cpu >= 0;
	s->counted = s->switches[0] >= 0;
	CHECK(s->counted || s->switches[2] < 0, "frame %llu", (unsigned long long)number);
	CHECK(s->known == (s->doubt >= 0) && s->known == (s->off >= 0), "frame %llu", (unsigned long long)number);
	return true;
}

/* The least and the most CPU time that a thread had used at a tick. */
static void limits_at(const struct profile *p, const struct own_thread *o, int64_t tick, int64_t *least, int64_t *most)
{
	*least = 0;
	*most = FOREVER;
	for (uint32_t i = 0; i < o->count; i++) {
		const struct own_reading *r = &o->reading[i];
		int64_t low = r->after <= tick ? r->cpu : r->cpu - ns_of(p, r->after - tick);
		int64_t high = tick <= r->before ? r->cpu : r->cpu + ns_of(p, tick - r->before);
		*least = low > *least ? low : *least;
		*most = high < *most ? high : *most;
	}
}

/* The CPU time of the slice is within the doubt, and it was off the CPU at least so long.  In a short frame of a span the
 * time off the CPU may be too long, but not by more than the doubt. */
static void check_slice(const struct reader *r, const struct own_thread *o, uint64_t number, const struct slice *s,
                        int64_t waited)
{
	int64_t least[2], most[2], low, high, off;

	limits_at(r->p, o, s->bound, &least[0], &most[0]);
	limits_at(r->p, o, s->end, &least[1], &most[1]);
	low = least[1] > most[0] ? least[1] - most[0] : 0;
	high = most[1] - least[0];
	off = s->length - waited - low;
	CHECK(s->cpu <= s->length + 2, "%s, frame %llu: %lld of %lld", o->name, (unsigned long long)number, (long long)s->cpu,
	      (long long)s->length);
	CHECK(s->switches[2] <= s->length - s->cpu + s->doubt + 2, "%s, frame %llu: %lld of run delay, %lld of %lld on the CPU", o->name,
	      (unsigned long long)number, (long long)s->switches[2], (long long)s->cpu, (long long)s->length);
	CHECK(s->cpu - s->doubt <= high + NEAR_NS && s->cpu + s->doubt >= low - NEAR_NS,
	      "%s, frame %llu: %lld, doubt %lld, not %lld to %lld of %lld", o->name, (unsigned long long)number,
	      (long long)s->cpu, (long long)s->doubt, (long long)low, (long long)high, (long long)s->length);
	CHECK(s->off <= (off > 0 ? off : 0) + s->doubt + NEAR_NS, "%s, frame %llu: off the CPU %lld, not %lld", o->name,
	      (unsigned long long)number, (long long)s->off, (long long)off);
}

/* Checks each slice of a thread.  Returns how many are known. */
static unsigned check_slices(const struct reader *r, const struct own_thread *o, uint64_t frames, struct slice *sum)
{
	uint32_t thread = thread_of(r->p, o->name);
	unsigned known = 0;

	*sum = (struct slice){ 0 };
	for (uint64_t f = 1; f <= frames; f++) {
		struct slice s;
		if (!slice_of(r, f, thread, &s) || !s.known)
			continue;
		check_slice(r, o, f, &s, 0);
		known++;
		sum->cpu += s.cpu;
		sum->off += s.off;
		sum->length += s.length;
		for (int i = 0; i < COUNTED; i++)
			sum->switches[i] += s.counted ? s.switches[i] : 0;
	}
	CHECK(sum->cpu <= in_run(r, thread, r->cpu), "%s: the slices have %lld of %lld ns", o->name, (long long)sum->cpu,
	      (long long)in_run(r, thread, r->cpu));
	return known;
}

static void check_between(const char *what, const char *who, int64_t value, int64_t least, int64_t most)
{
	CHECK(value >= least && value <= most, "%s of %s: %lld, not %lld to %lld", what, who, (long long)value, (long long)least,
	      (long long)most);
}

/* The reading of the library is behind `last`, and its first one between the first two. */
static void check_run(const struct reader *r, const struct own_thread *o, const struct own_reading *last)
{
	uint32_t thread = thread_of(r->p, o->name);
	const struct own_reading *first = o->reading, *newest = &o->reading[o->count - 1];

	CHECK(in_run(r, thread, r->cpu) >= last->cpu - first[1].cpu, "%s: %lld ns in the run, not %lld", o->name,
	      (long long)in_run(r, thread, r->cpu), (long long)(last->cpu - first[1].cpu));
	for (int i = 0; i < COUNTED; i++)
		CHECK(in_run(r, thread, r->switches[i]) >= last->switches[i] - first[1].switches[i], "%s: %lld switches of %lld",
		      o->name, (long long)in_run(r, thread, r->switches[i]),
		      (long long)(newest->switches[i] - first->switches[i]));
}

/* ---- one thread that works, sleeps and waits */

#define FRAMES 60

static void frames(void)
{
	begin_thread(0, "main");
	burn_us(1000); /* in the first millisecond the library does not know the rate of the clock */
	for (int i = 1; i <= FRAMES; i++) {
		Prof_Begin(draw)
		burn_us(600 + i % 5 * 300);
		Prof_End
		if (i % 3 == 0)
			sleep_us(1500);
		mark(i % 10 != 0);
	}
}

/* The own reading behind a mark.  The one before it is before the mark.  0: the beginning of the thread. */
static const struct own_reading *behind_mark(const struct own_thread *o, uint64_t number)
{
	uint32_t i = 1;

	while (i < o->count - 1 && o->reading[i].frame < number)
		i++;
	return &o->reading[i];
}

/* Main begins with the region.  If the thread did not run, the library's first reading may come more than a millisecond
 * later.  Then the first slice is not known, and the amounts of the run are lower bounds. */
static bool began_late(const struct reader *r, uint32_t thread)
{
	struct slice s;

	return slice_of(r, 1, thread, &s) && ns_of(r->p, own->reading[1].before - s.bound) > START_NS;
}

/* Adds the least and the most switches between two marks, as far as own readings show them, or takes them off. */
static void add_switches(uint64_t from, uint64_t to, bool adds, int64_t least[COUNTED], int64_t most[COUNTED])
{
	const struct own_reading *begin = behind_mark(own, from), *end = behind_mark(own, to);

	for (int i = 0; i < COUNTED; i++) {
		int64_t inside = end[-1].switches[i] - begin->switches[i], around = end->switches[i] - begin[-1].switches[i];
		least[i] += adds ? inside : -around;
		most[i] += adds ? around : -inside;
	}
}

/* The readings of the last slice are next to the mark, so its doubt is small, and sums are known between limits. */
static void check_frames(struct view *view)
{
	struct reader r = read_region(view->name);
	const struct own_reading *before = &behind_mark(own, FRAMES)[-1];
	int64_t least[COUNTED] = { 0 }, most[COUNTED] = { 0 };
	uint32_t thread = thread_of(r.p, "main");
	struct slice sum, s;

	check_slices(&r, own, FRAMES, &sum);
	add_switches(0, FRAMES, true, least, most);
	for (uint64_t f = 1; f <= FRAMES; f++) {
		bool may_lack = f % 10 == 0 || (f == 1 && began_late(&r, thread));
		CHECK(slice_of(&r, f, thread, &s) && (s.known || may_lack), "frame %llu is not known", (unsigned long long)f);
		CHECK(!s.known || f % 10, "discarded frame %llu has CPU time", (unsigned long long)f);
		if (!s.known) /* the sum of the known ones lacks its switches */
			add_switches(f - 1, f, false, least, most);
	}
	check_run(&r, own, before);
	check_between("CPU time", "main", in_run(&r, 0, r.cpu), before->cpu - own->reading[1].cpu, FOREVER);
	for (int i = 0; i < COUNTED; i++)
		check_between("switches", "main", sum.switches[i], least[i] - (i == 2) * NEAR_NS, most[i] + (i == 2) * NEAR_NS);
	source_close(r.source);
}

/* ---- the first reading comes late */

static void late(void)
{
	core_sleep_us(2 * START_NS / 1000);
	frames();
}

static void check_late(struct view *view)
{
	struct reader r = read_region(view->name);
	uint32_t thread = thread_of(r.p, "main");
	struct slice s;

	CHECK(began_late(&r, thread) && slice_of(&r, 1, thread, &s) && !s.known, "the first slice is known");
	CHECK(profile_amount_known(r.p, thread, r.switches[0]) == MEASURE_LEAST, "all switches are known");
	source_close(r.source);
	check_frames(view);
}

/* ---- a thread that stays in one zone over many frames */

static atomic_int turn; /* main sets the frame; the worker sets its negative when it is done */
static int wake[2];

static void await_frame(int frame)
{
	char byte;

	read_own();
	CHECK(read(wake[0], &byte, 1) == 1, "errno %d", errno);
	read_own();
	if (frame == 5)
		burn_us(6000);
	read_own();
}

/* It stays in one zone from the second frame to the ninth, and works in the fifth alone. */
static void *stay(void *unused)
{
	begin_thread(1, "worker");
	await_frame(1);
	atomic_store(&turn, -1);
	await_frame(2);
	Prof_Begin(staying)
	for (int i = 2; i <= 8; i++) {
		atomic_store(&turn, -i);
		await_frame(i + 1);
	}
	Prof_End
	atomic_store(&turn, -9);
	read_own();
	Prof_Begin(after)
	burn_us(1000);
	read_own();
	Prof_End
	return unused;
}

/* The second frame is short, so nearly all of the CPU time is in the span behind it. */
static void spans(void)
{
	pthread_t thread;

	CHECK(pipe(wake) == 0, "errno %d", errno);
	begin_thread(0, "main");
	atomic_store(&turn, 0);
	pthread_create(&thread, NULL, stay, NULL);
	for (int i = 1; i <= 9; i++) {
		CHECK(write(wake[1], "", 1) == 1, "errno %d", errno);
		while (atomic_load(&turn) != -i)
			sched_yield();
		Prof_Begin(draw)
		burn_us(i == 2 ? 0 : 5000);
		Prof_End
		mark(1);
	}
	pthread_join(thread, NULL);
	mark(1);
}

/* The sum over the frames of a span is a lower bound, whatever their lengths. */
static void check_sum_of_span(const struct reader *r, uint32_t worker)
{
	int64_t off = 0, length = 0, begin = 0, least[2], most[2];
	struct slice s;

	for (uint64_t f = 3; f <= 8; f++) {
		if (!slice_of(r, f, worker, &s) || !s.known)
			return;
		begin = f == 3 ? s.bound : begin;
		off += s.off;
		length += s.length;
	}
	limits_at(r->p, &own[1], begin, &least[0], &most[0]);
	limits_at(r->p, &own[1], s.end, &least[1], &most[1]);
	CHECK(off + least[1] - most[0] <= length + NEAR_NS, "%lld off the CPU, %lld on it, of %lld", (long long)off,
	      (long long)(least[1] - most[0]), (long long)length);
}

static void check_spans(struct view *view)
{
	struct reader r = read_region(view->name);
	struct slice sum, s;
	uint32_t worker = thread_of(r.p, "worker");

	CHECK(check_slices(&r, &own[0], 10, &sum) >= 5, "slices of main are not known");
	CHECK(check_slices(&r, &own[1], 10, &sum) >= 7, "slices of the worker are not known");
	CHECK(slice_of(&r, 5, worker, &s) && s.length > 0 && s.cpu > 0, "it has no CPU time in frame 5");
	check_sum_of_span(&r, worker);
	check_run(&r, &own[1], &own[1].reading[own[1].count - 1]);
	source_close(r.source);
}

/* ---- a slice in pieces */

static void pieces(void)
{
	begin_thread(0, "main");
	mark(1);
	for (int i = 0; i < 9; i++) {
		Prof_Wait(wait)
		read_own();
		core_sleep_us(50000);
		read_own();
		Prof_End
		for (int k = 0; k < 50; k++) {
			Prof_Begin(work)
			burn_us(400);
			Prof_End
		}
		sleep_us(10000);
		if (i == 6)
			burn_us(5000);
	}
	mark(1);
}

/* Own readings come in pairs, before and behind a wait or a sleep. */
static void check_pieces(struct view *view)
{
	struct reader r = read_region(view->name);
	const struct own_reading *o = own->reading;
	int64_t waited = 0;
	struct slice s;

	for (uint32_t i = 4; i + 3 < own->count; i += 4) /* behind two readings of the start and two of the mark */
		waited += ns_of(r.p, o[i + 1].before - o[i].after);
	CHECK(slice_of(&r, 2, thread_of(r.p, "main"), &s) && s.known && s.counted, "it is not known");
	check_slice(&r, own, 2, &s, waited);
	CHECK(s.off > 0, "it was never off the CPU");
	check_run(&r, own, &o[own->count - 2]);
	source_close(r.source);
}

/* ---- more slices than may be read */

#define MANY 8000

static void many(void)
{
	begin_thread(0, "main");
	for (int i = 0; i < MANY; i++) {
		Prof_Begin(draw)
		burn_us(10);
		Prof_End
		mark(1);
	}
}

static void check_many(struct view *view)
{
	struct reader r = read_region(view->name);
	const struct own_reading *first = own->reading, *last = &first[own->count - 1];
	uint64_t known = 0, most = IN_A_ROW + 2 + (uint64_t)ns_of(r.p, last->after - first->before) / (1000000000 / LIMIT);
	uint32_t thread = thread_of(r.p, "main");
	struct slice s;

	for (uint32_t i = 0; i < r.p->frame_count; i++) {
		uint64_t number = r.p->frames[i].number;
		if (!slice_of(&r, number, thread, &s) || !s.known)
			continue;
		known++;
		CHECK(s.cpu <= s.length + 2 && s.off <= s.length, "frame %llu: %lld of %lld", (unsigned long long)number,
		      (long long)s.cpu, (long long)s.length);
	}
	CHECK(known > 0 && known <= most, "%llu slices are known, of at most %llu", (unsigned long long)known,
	      (unsigned long long)most);
	CHECK(profile_amount_known(r.p, thread, r.off) == MEASURE_LEAST || known == MANY, "time off the CPU is a lower bound");
	CHECK(in_run(&r, thread, r.cpu) <= last->cpu + 1000000000, "%lld", (long long)in_run(&r, thread, r.cpu));
	source_close(r.source);
}

/* ---- a thread that ends soon after a reading */

#define SOON 60 /* slices: more than may be read in a row */

static void *end_soon(void *unused)
{
	begin_thread(1, "worker");
	for (int i = 1; i <= SOON; i++) {
		while (atomic_load(&turn) != i)
			sched_yield();
		Prof_Begin(task)
		burn_us(5);
		Prof_End
		atomic_store(&turn, -i);
	}
	burn_us(100);
	read_own();
	return unused;
}

static void ends(void)
{
	pthread_t thread;

	begin_thread(0, "main");
	burn_us(3000); /* before that the rate of the clock is not known */
	mark(1);
	pthread_create(&thread, NULL, end_soon, NULL);
	for (int i = 1; i <= SOON; i++) {
		atomic_store(&turn, i);
		while (atomic_load(&turn) != -i)
			sched_yield();
		mark(1);
	}
	pthread_join(thread, NULL);
	mark(1);
}

static void check_ends(struct view *view)
{
	struct reader r = read_region(view->name);

	check_run(&r, &own[1], &own[1].reading[own[1].count - 1]);
	source_close(r.source);
}

/* ---- filters of system calls */

static atomic_bool filtered;

static void *forbid_counts(void *unused)
{
	begin_thread(1, "worker");
	Prof_Begin(task)
	burn_us(1000);
	Prof_End
	may_count = false;
	atomic_store(&filtered, core_forbid(SYS_getrusage, SECCOMP_RET_KILL_PROCESS));
	for (int i = 1; i <= 20; i++) {
		while (atomic_load(&turn) != i)
			sched_yield();
		Prof_Begin(task)
		burn_us(1000);
		Prof_End
		read_own();
		atomic_store(&turn, -i);
	}
	return unused;
}

/* The filter is one of the worker alone. */
static void filter(void)
{
	pthread_t thread;

	begin_thread(0, "main");
	pthread_create(&thread, NULL, forbid_counts, NULL);
	for (int i = 1; i <= 20; i++) {
		atomic_store(&turn, i);
		while (atomic_load(&turn) != -i)
			sched_yield();
		mark(1);
	}
	pthread_join(thread, NULL);
	if (!atomic_load(&filtered))
		own[1].name[0] = 0;
}

static void check_filter(struct view *view)
{
	struct reader r = read_region(view->name);
	uint32_t main_thread = thread_of(r.p, "main"), worker;
	struct slice sum, s;

	CHECK(check_slices(&r, own, 20, &sum) > 0, "nothing is known of main");
	if (own[1].name[0]) { /* else filters are not permitted here */
		worker = thread_of(r.p, "worker");
		CHECK(check_slices(&r, &own[1], 20, &sum) > 0, "nothing is known of the worker");
		CHECK(slice_of(&r, 10, worker, &s) && !s.counted, "the worker's switches are known");
		CHECK(profile_amount_known(r.p, worker, r.switches[0]) == MEASURE_LEAST, "all of its switches are known");
		CHECK(slice_of(&r, 10, main_thread, &s) && (!s.known || s.counted), "main's switches are not known");
		CHECK(profile_amount_known(r.p, main_thread, r.switches[0]) == MEASURE_KNOWN || began_late(&r, main_thread),
		      "main lacks switches");
	}
	source_close(r.source);
}

/* The CPU time itself is refused. */
static void refused(void)
{
	begin_thread(0, "main");
	may_count = false;
	for (int i = 1; i <= 40; i++) {
		if (i == 20 && !core_forbid(SYS_clock_gettime, SECCOMP_RET_ERRNO | EPERM))
			own->name[0] = 0;
		Prof_Begin(draw)
		for (volatile int k = 0; k < 3000000; k = k + 1)
			continue;
		Prof_End
		errno = 5;
		Prof_update(1);
		CHECK(errno == 5, "errno %d", errno);
	}
}

static void check_refused(struct view *view)
{
	struct reader r = read_region(view->name);
	uint32_t thread = thread_of(r.p, "main");
	struct slice s;

	for (uint64_t f = 21; own->name[0] && f <= 40; f++)
		CHECK(slice_of(&r, f, thread, &s) && !s.known, "frame %llu", (unsigned long long)f);
	CHECK(!own->name[0] || profile_amount_known(r.p, thread, r.cpu) == MEASURE_LEAST, "the CPU time of the run");
	source_close(r.source);
}

/* ---- files of run delays */

/* How many files the library has open: all of that name but those of read_delay.  *newest: the largest number. */
static int library_files(int *newest)
{
	int count = 0;

	for (int fd = 0; fd < 1024; fd++) {
		char link[32], path[64] = "";
		snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
		ssize_t size = readlink(link, path, sizeof path - 1);
		if (size < 10 || strcmp(path + size - 10, "/schedstat") != 0 || fd == delay_files[0] - 1 ||
		    fd == delay_files[1] - 1)
			continue;
		CHECK(fd >= 512 && fcntl(fd, F_GETFD) == FD_CLOEXEC, "descriptor %d", fd);
		*newest = fd;
		count++;
	}
	return count;
}

static void *end_with_file(void *unused)
{
	int fd = -1;

	Prof_Begin(task)
	CHECK(library_files(&fd) == 2, "the thread has no file");
	Prof_End
	return unused;
}

/* The number of the library's file becomes that of a file of the program. */
static void *take_number(void *taken)
{
	int fd = open("/dev/null", O_RDONLY), *number = taken;

	begin_thread(1, "worker");
	CHECK(library_files(number) >= 1 && dup2(fd, *number) == *number, "errno %d", errno);
	close(fd);
	for (int i = 0; i < 3; i++) {
		Prof_Begin(task)
		sleep_us(1000);
		Prof_End
		Prof_update(1);
	}
	return NULL;
}

static void files(void)
{
	int fd = -1, status = 1, number = -1;
	pthread_t thread;
	pid_t child;

	begin_thread(0, "main");
	mark(1);
	CHECK(library_files(&fd) == 1, "%d files", library_files(&fd));
	pthread_create(&thread, NULL, end_with_file, NULL);
	pthread_join(thread, NULL);
	CHECK(library_files(&fd) == 1, "a thread that ended has left its file");
	child = fork();
	if (child == 0)
		_exit(library_files(&fd));
	CHECK(waitpid(child, &status, 0) == child && status == 0, "the child has files of its parent: %x", status);
	pthread_create(&thread, NULL, take_number, &number);
	pthread_join(thread, NULL);
	CHECK(fcntl(number, F_GETFD) == 0, "the library has closed a file of the program");
	mark(1);
}

static void check_files(struct view *view)
{
	struct reader r = read_region(view->name);
	uint32_t worker = thread_of(r.p, "worker");
	struct slice s;

	CHECK(profile_amount_known(r.p, worker, r.switches[2]) == MEASURE_LEAST, "all run delay of the worker is known");
	CHECK(slice_of(&r, 4, worker, &s) && (!s.known || (s.switches[0] >= 0 && s.switches[2] < 0)), "the worker's switches");
	CHECK(profile_amount_known(r.p, thread_of(r.p, "main"), r.switches[2]) != MEASURE_UNKNOWN, "main");
	source_close(r.source);
}

/* ---- PROF_CPU=0 */

static void without(void)
{
	setenv("PROF_CPU", "0", 1);
}

static void check_none(struct view *view)
{
	struct snapshot_measures m = { 0 };

	CHECK(view->process.measures == 0, "%u", view->process.measures);
	CHECK(snapshot_measures(&view->region, 0, &m) == SNAPSHOT_OK && m.count == 0 && !(m.unmeasured | m.unmeasured_ended),
	      "there are amounts");
	free(m.values);
}

static const struct view_case cases[] = {
	{ "frames", frames, check_frames, NULL, NULL },
	{ "late", late, check_late, NULL, NULL },
	{ "spans", spans, check_spans, NULL, NULL },
	{ "pieces", pieces, check_pieces, NULL, NULL },
	{ "many", many, check_many, NULL, NULL },
	{ "ends", ends, check_ends, NULL, NULL },
	{ "filter", filter, check_filter, NULL, NULL },
	{ "refused", refused, check_refused, NULL, NULL },
	{ "files", files, check_files, NULL, NULL },
	{ "none", frames, check_none, NULL, without },
};

/* A program of this test finds the memory by the number of its descriptor. */
static bool share_readings(bool made_here)
{
	const size_t size = THREADS * sizeof *own;
	const char *inherited = getenv("CORE_CPU_READINGS");
	int fd = made_here ? memfd_create("readings", 0) : inherited ? atoi(inherited) : -1;
	char number[16];

	snprintf(number, sizeof number, "%d", fd);
	if (made_here && (fd < 0 || ftruncate(fd, (off_t)size) != 0 || setenv("CORE_CPU_READINGS", number, 1) != 0))
		return false;
	own = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return CHECK(own != MAP_FAILED, "errno %d", errno);
}

int main(int argc, char **argv)
{
	if (!share_readings(argc < 2))
		return 1;
	if (argc > 1)
		return view_run_case(cases, sizeof cases / sizeof *cases, argv[1]) ? core_result() : 1;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		memset(own, 0, THREADS * sizeof *own);
		view_check_cases(&cases[i], 1);
	}
	return core_result();
}
