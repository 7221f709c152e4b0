/* cpu.c: how long a thread was on a core in each of its slices, how often it was switched off it, and its page faults.
 *
 * When a thread publishes a slice it reads its CPU time and its counts of switches and faults: two system calls.  It does
 * so at its first transition after the mark, so a reading comes late: what the thread did between the end of the slice and
 * the reading belongs to slices behind.  CPU time between two readings is exact.  It is divided among the stretches that lie
 * between them, in proportion to the time that the thread spent in zones that do not wait:
 *
 *     reading                                          reading
 *        |   the slice        ,  a span of intervals  ,   |
 *        |   that ended       ,  in one node          , late
 *
 * What falls to the late stretch is carried over to the next slice.  So the slices of a thread sum up to its CPU time, and
 * none has more than its length.  The doubt of a slice is how far its share may be off, whatever the thread did: nothing
 * but the nanoseconds of a late reading for the thread that marks frames.
 *
 * Slices that come more often than 2,000 times a second are not all read: then two readings in a row give one slice, and
 * those in between are not known.
 *
 *     off CPU = length - time in waiting zones - CPU time - doubt, at least 0: the least that it may be
 */
#include "libprof/transition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define READINGS_A_SECOND 2000

static prof__measure rows[CPU_MEASURES] = {
	[CPU_TIME] = { "cpu", "CPU", prof__NS, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 },
	[CPU_OFF] = { "off_cpu", "OFF CPU", prof__NS, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 },
	[CPU_DOUBT] = { "cpu_doubt", "CPU DOUBT", prof__NS, prof__OF_SLICE, prof__MAX, 0, 0, 0, 0 },
	[CPU_VOLUNTARY] = { "voluntary", "BLOCKED", prof__COUNT, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 },
	[CPU_INVOLUNTARY] = { "involuntary", "PREEMPTED", prof__COUNT, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 },
	[CPU_FAULTS] = { "faults", "FAULTS", prof__COUNT, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 },
};

/* ---- the process */

/* A filter may end a program that calls getrusage, which the program itself never called. */
static bool is_filtered(void)
{
	int saved = errno, mode = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);

	errno = saved;
	return mode != 0;
}

void prof__cpu_begin(struct process *p)
{
	const char *wish = secure_getenv("PROF_CPU");

	p->reads_cpu = !wish || strcmp(wish, "0") != 0;
	p->reads_switches_always = wish && !strcmp(wish, "1");
	prof__cpu_look(p);
}

void prof__cpu_look(struct process *p)
{
	p->reads_switches = p->reads_cpu && (p->reads_switches_always || !is_filtered());
}

/* Ticks a second; 0: not known yet. */
static int64_t find_rate(struct process *p)
{
	int64_t rate = atomic_load_explicit(&p->rate, memory_order_relaxed);
	struct region_instant now;

	if (rate)
		return rate;
	now = clock_instant(p->clock);
	return prof__rate(p, &now);
}

/* ---- a reading */

/* amount * part / whole, none of them below 0. */
static int64_t share_of(int64_t amount, int64_t part, int64_t whole)
{
	__extension__ typedef unsigned __int128 wide;

	return (int64_t)((wide)amount * (wide)part / (wide)whole);
}

/* 0 for less than none. */
static int64_t ns_of(int64_t ticks, int64_t rate)
{
	return ticks <= 0 ? 0 : share_of(ticks, 1000000000, rate);
}

struct reading {
	int64_t at, cpu, rate; /* tick; ns; ticks a second */
	int64_t count[CPU_MEASURES];
};

/* The system itself is asked: a program may have a clock_gettime of its own. */
static bool take_reading(struct process *p, struct reading *r)
{
	int saved = errno;
	struct timespec time;
	struct rusage used;
	bool known = syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time) == 0;

	r->at = prof__ticks(p);
	r->rate = find_rate(p);
	if (known)
		r->cpu = time.tv_sec * 1000000000ll + time.tv_nsec;
	else
		p->reads_cpu = p->reads_switches = false;
	if (known && p->reads_switches && syscall(SYS_getrusage, RUSAGE_THREAD, &used) == 0) {
		r->count[CPU_VOLUNTARY] = used.ru_nvcsw;
		r->count[CPU_INVOLUNTARY] = used.ru_nivcsw;
		r->count[CPU_FAULTS] = used.ru_minflt + used.ru_majflt;
	} else {
		p->reads_switches = false;
	}
	errno = saved;
	return known;
}

static void keep_reading(struct thread *t, const struct reading *r, bool counted)
{
	t->cpu.at = r->at;
	t->cpu.time = r->cpu;
	t->cpu.rate = r->rate;
	t->cpu.counted = counted;
	memcpy(t->cpu.count, r->count, sizeof t->cpu.count);
}

/* ---- waiting */

void prof__cpu_waits(struct thread *t, struct node *n)
{
	struct waits *list = t->cpu.waits;

	if (!list || list->count == sizeof list->node / sizeof *list->node) {
		list = prof__pages(sizeof *list);
		if (!list) {
			t->cpu.waits_unknown = true;
			return;
		}
		list->next = t->cpu.waits;
		t->cpu.waits = list;
	}
	list->node[list->count++] = n;
}

/* Ticks in waiting zones since the bases, up to b. */
static int64_t waited_since(const struct thread *t, int64_t b)
{
	int64_t sum = 0;

	for (const struct waits *list = t->cpu.waits; list; list = list->next)
		for (uint32_t i = 0; i < list->count; i++) {
			struct region_node *n = list->node[i]->shared;
			int64_t self = WORD_LOAD(n->self);
			sum += (self < 0 ? self + b : self) - WORD_LOAD(n->base_self);
		}
	return sum;
}

static bool is_waiting(const struct thread *t)
{
	for (const struct waits *list = t->cpu.waits; list; list = list->next)
		for (uint32_t i = 0; i < list->count; i++)
			if (list->node[i] == t->current)
				return true;
	return false;
}

/* ---- shares */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* How far a share of `amount` may be off in a stretch of `length`, when `others` lie beside it; ns. */
static int64_t doubt_of(int64_t share, int64_t amount, int64_t length, int64_t others)
{
	int64_t most = least(amount, length), fewest = max_tick(amount - others, 0);

	return max_tick(max_tick(most - share, share - fewest), 0);
}

/* The share of a stretch, which is no longer than the stretch: what is above that goes on to the next. */
static int64_t take_share(int64_t *share, int64_t length)
{
	int64_t above = max_tick(*share - length, 0);

	*share -= above;
	return above;
}

static void divide(struct thread *t, int64_t amount, int64_t b, int64_t waited, const struct reading *r)
{
	struct cpu_state *c = &t->cpu;
	bool waits = is_waiting(t);
	int64_t length = ns_of(b - c->begin, r->rate), rest = ns_of(b - max_tick(c->begin, c->at), r->rate);
	int64_t stay = ns_of(c->stays_to - b, r->rate), late = ns_of(r->at - c->stays_to, r->rate);
	int64_t worked = max_tick(b - c->begin - waited - c->late, 0), stayed = waits ? 0 : max_tick(c->stays_to - b, 0);
	int64_t later = waits ? 0 : max_tick(r->at - c->stays_to, 0), all = worked + stayed + later;
	int64_t of_span = all ? share_of(amount, stayed, all) : 0, carried = all ? share_of(amount, later, all) : 0;
	int64_t of_part = amount - of_span - carried;

	c->part[CPU_DOUBT] = c->doubt + doubt_of(of_part, amount, rest, stay + late);
	c->span[CPU_DOUBT] = doubt_of(of_span, amount, stay, rest + late);
	c->doubt = doubt_of(carried, amount, late, rest + stay);
	of_part += c->carried;
	of_span += take_share(&of_part, length);
	carried += take_share(&of_span, stay);
	c->carried = carried;
	c->late = later;
	c->part[CPU_TIME] = of_part;
	c->span[CPU_TIME] = of_span;
	c->part[CPU_OFF] = max_tick(length - ns_of(waited, r->rate) - of_part - c->part[CPU_DOUBT], 0);
	c->span[CPU_OFF] = waits ? 0 : max_tick(stay - of_span - c->span[CPU_DOUBT], 0);
}

/* ---- a slice ends */

static bool is_due(const struct thread *t, int64_t now)
{
	int64_t since = now - t->cpu.at, apart = t->cpu.rate / READINGS_A_SECOND;

	return t->cpu.state == CPU_BEGUN || since >= (t->cpu.state == CPU_WHOLE ? apart : 2 * apart);
}

static void forget_slice(struct thread *t)
{
	t->cpu.state = CPU_NONE;
	t->cpu.carried = t->cpu.doubt = t->cpu.late = 0;
}

static void count_switches(struct thread *t, const struct reading *r)
{
	t->cpu.has_counts = t->cpu.counted && prof__process->reads_switches;
	for (int i = CPU_VOLUNTARY; i < CPU_MEASURES; i++) {
		t->cpu.part[i] = t->cpu.has_counts ? r->count[i] - t->cpu.count[i] : 0;
		t->cpu.span[i] = 0;
	}
}

/* The whole run has what was read, even if slices in between are not known. */
static void add_to_run(struct thread *t, const int64_t amounts[CPU_MEASURES])
{
	for (int i = 0; i < CPU_MEASURES; i++) {
		struct region_measured *cell = prof__slice_cell(t, &rows[i]);
		if (cell && i == CPU_DOUBT) {
			WORD_STORE(cell->base, max_tick(WORD_LOAD(cell->base), amounts[i]));
		} else if (cell) {
			WORD_STORE(cell->value, WORD_LOAD(cell->value) + amounts[i]);
			WORD_STORE(cell->base, WORD_LOAD(cell->value));
		}
	}
}

static void end_slice(struct thread *t, int64_t b, int64_t waited)
{
	struct process *p = prof__process;
	struct cpu_state *c = &t->cpu;
	struct reading r = { 0 };
	int64_t now = prof__ticks(p), amounts[CPU_MEASURES] = { 0 };

	if (t != prof__thread || !is_due(t, now) || !take_reading(p, &r) || !r.rate) {
		forget_slice(t);
		return;
	}
	int64_t used = max_tick(r.cpu - c->time, 0);
	count_switches(t, &r);
	if (c->state == CPU_NONE) {
		forget_slice(t);
		c->doubt = least(used, ns_of(r.at - b, r.rate));
		c->state = CPU_BEGUN;
	} else {
		divide(t, used, b, waited, &r);
		c->known = true;
		c->state = CPU_WHOLE;
		amounts[CPU_OFF] = c->part[CPU_OFF] + c->span[CPU_OFF];
		amounts[CPU_DOUBT] = c->part[CPU_DOUBT];
	}
	memcpy(amounts + CPU_VOLUNTARY, c->part + CPU_VOLUNTARY, (CPU_MEASURES - CPU_VOLUNTARY) * sizeof *amounts);
	amounts[CPU_TIME] = used;
	add_to_run(t, amounts);
	keep_reading(t, &r, p->reads_switches);
}

void prof__cpu_slice(struct thread *t, enum record_kind kind, int64_t b)
{
	struct cpu_state *c = &t->cpu;
	int64_t waited = c->waited + waited_since(t, b);

	c->known = kind == RECORD_MORE; /* pieces have amounts of 0, and the last one those of the slice */
	if (kind == RECORD_MORE) {
		memset(c->part, 0, sizeof c->part);
		c->has_counts = true;
		c->waited = waited;
		return;
	}
	c->stays_to = max_tick(c->stays_to, b);
	end_slice(t, b, waited);
	c->waited = 0;
	c->begin = c->stays_to;
}

void prof__cpu_start(struct thread *t)
{
	struct process *p = prof__process;
	static const int64_t none[CPU_MEASURES];
	struct reading r = { 0 };

	t->cpu = (struct cpu_state){ .begin = t->bound, .stays_to = t->bound, .waits = t->cpu.waits };
	if (!p->reads_cpu || !take_reading(p, &r))
		return;
	add_to_run(t, none);
	keep_reading(t, &r, p->reads_switches);
	t->cpu.state = CPU_BEGUN;
	t->cpu.doubt = r.rate ? ns_of(r.at - t->bound, r.rate) : RATE_AFTER_NS; /* what main did before its first zone is not known */
}

/* ---- its group (shm/record.h) */

bool prof__cpu_amount(const struct thread *t, bool span, unsigned i, unsigned *measure, int64_t *amount)
{
	bool counted = i >= CPU_VOLUNTARY;

	*amount = span ? t->cpu.span[i] : t->cpu.part[i];
	if (!t->cpu.known || (counted && !t->cpu.has_counts) || (i == CPU_OFF && t->cpu.waits_unknown))
		return false;
	return prof__slice_measure(&rows[i], measure);
}
