/* cpu.c: for each slice of a thread its CPU time, its switches, its page faults and its run delay.
 *
 * When a thread publishes a slice it reads its CPU time and its counts of switches and faults.  It does so at its first
 * transition after the mark, so a reading comes late: what the thread did between the end of the slice and the reading
 * belongs to the slices behind.  CPU time between two readings is exact.  It is divided among the stretches between them, in
 * proportion to the time that the thread spent in zones that do not wait:
 *
 *     reading                                          reading
 *        |   the slice        ,  a span of intervals  ,   |
 *        |   that ended       ,  in one node          , late
 *
 * The share of the late stretch is carried over to the next slice.  So slices that are known one after the other sum up to the
 * CPU time between their readings, and none has more than its length.  The doubt of a slice bounds its error.  For the frame
 * thread it is the delay of its reading, about a microsecond.
 *
 * A thread takes at most 2,000 readings a second.  If slices come more often, the thread reads at both ends of some slices,
 * and the others are not known.
 *
 * The run delay, how long the thread waited for a core, grows only when the thread is switched to.  So it is read only if
 * the counts of switches have changed (delay.c).
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
#define READINGS_IN_A_ROW 20 /* after a rest */

static prof__measure rows[CPU_MEASURES] = {
	[CPU_TIME] = { "cpu", "CPU", prof__NS, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 },
	[CPU_OFF] = { "off_cpu", "OFF CPU", prof__NS, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 },
	[CPU_VOLUNTARY] = { "voluntary", "BLOCKED", prof__COUNT, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 },
	[CPU_INVOLUNTARY] = { "involuntary", "PREEMPTED", prof__COUNT, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 },
	[CPU_FAULTS] = { "faults", "FAULTS", prof__COUNT, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 },
	[CPU_DELAY] = { "run_delay", "RUN DELAY", prof__NS, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 },
	[CPU_DOUBT] = { "cpu_doubt", "CPU DOUBT", prof__NS, prof__OF_SLICE, prof__MAX, 0, 0, 0, 0 },
};

/* 1 + the index of a measure; 0: it is not in the region. */
static uint32_t measure_id(unsigned i)
{
	uint32_t id = __atomic_load_n(&rows[i].id, __ATOMIC_RELAXED);

	return known_row(&prof__process->measure_rows, id) ? id : 0;
}

/* ---- the process */

void prof__cpu_begin(struct process *p)
{
	const char *wish = secure_getenv("PROF_CPU");

	p->reads_cpu = !wish || strcmp(wish, "0") != 0;
	p->reads_switches_always = wish && !strcmp(wish, "1");
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
	bool counted, delayed; /* the counts were read, too; and the run delay */
	int64_t count[CPU_MEASURES];
};

/* A filter may kill a program that calls getrusage, because the program itself never calls it.  Each thread has its own
 * filters, and may install one at any time, so a thread looks before each call.  A thread never loses a filter. */
static bool may_count(struct thread *t)
{
	if (!t->cpu.uncounted && !prof__process->reads_switches_always)
		t->cpu.uncounted = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0;
	return !t->cpu.uncounted;
}

/* PROF_CPU=1 says that the filter allows getrusage. It does not say that the
 * filter allows openat. */
static bool take_delay(struct thread *t, struct reading *r)
{
	const int64_t *before = t->cpu.count;

	r->count[CPU_DELAY] = before[CPU_DELAY];
	if (t->cpu.undelayed || prof__process->reads_switches_always)
		return false;
	if (t->cpu.delayed && r->count[CPU_VOLUNTARY] == before[CPU_VOLUNTARY] &&
	    r->count[CPU_INVOLUNTARY] == before[CPU_INVOLUNTARY])
		return true;
	t->cpu.undelayed = !prof__delay_read(t, r->cpu, &r->count[CPU_DELAY]);
	return !t->cpu.undelayed;
}

/* The calls go to the system itself, because a program may have its own clock_gettime.  A call that fails once is not
 * tried again by that thread. */
static bool take_reading(struct thread *t, struct reading *r)
{
	int saved = errno;
	struct timespec time;
	struct rusage used;

	if (t->cpu.refused)
		return false;
	t->cpu.refused = syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time) != 0;
	r->at = prof__ticks(prof__process);
	r->rate = find_rate(prof__process);
	if (!t->cpu.refused)
		r->cpu = time.tv_sec * 1000000000ll + time.tv_nsec;
	r->counted = !t->cpu.refused && may_count(t) && syscall(SYS_getrusage, RUSAGE_THREAD, &used) == 0;
	if (r->counted) {
		r->count[CPU_VOLUNTARY] = used.ru_nvcsw;
		r->count[CPU_INVOLUNTARY] = used.ru_nivcsw;
		r->count[CPU_FAULTS] = used.ru_minflt + used.ru_majflt;
		r->delayed = take_delay(t, r);
	} else {
		t->cpu.uncounted = true;
	}
	errno = saved;
	return !t->cpu.refused;
}

/* A thread often gets its name after its first zone: pthread_setname_np is called by its creator.  A filter may kill on any
 * prctl, so the name is read only if the thread has just seen that it has no filter. */
static void read_name(struct thread *t, const struct reading *r, enum record_kind kind)
{
	int saved = errno;

	if (!r->counted || prof__process->reads_switches_always || (r->at < t->cpu.name_due && kind != RECORD_EXIT))
		return;
	t->cpu.name_due = r->at + r->rate; /* a second later */
	prof__thread_read_name(t);
	errno = saved;
}

static void keep_reading(struct thread *t, const struct reading *r)
{
	t->cpu.at = r->at;
	t->cpu.time = r->cpu;
	t->cpu.rate = r->rate;
	t->cpu.counted = r->counted;
	t->cpu.delayed = r->delayed;
	memcpy(t->cpu.count, r->count, sizeof t->cpu.count);
}

/* How long after a tick the reading came.  No rate is known in the first millisecond of the region. */
static int64_t late_ns(const struct reading *r, int64_t tick)
{
	return r->rate ? ns_of(r->at - tick, r->rate) : RATE_AFTER_NS;
}

/* ---- waiting */

/* Ticks in waiting zones since the bases, up to b.  A node whose time has changed is on the dirty list. */
static int64_t waited_since(const struct thread *t, int64_t b)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < t->dirty_count && t->cpu.has_waits; i++) {
		struct region_node *n = t->dirty[i]->shared;
		if (!t->dirty[i]->waits)
			continue;
		int64_t self = WORD_LOAD(n->self);
		sum += (self < 0 ? self + b : self) - WORD_LOAD(n->base_self);
	}
	return sum;
}

/* ---- shares */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Bounds the error of a share of `amount` in a stretch of `length` ns.  The other stretches have `others` ns. */
static int64_t doubt_of(int64_t share, int64_t amount, int64_t length, int64_t others)
{
	int64_t most = least(amount, length), fewest = max_tick(amount - others, 0);

	return max_tick(max_tick(most - share, share - fewest), 0);
}

/* Limits a share to the length of its stretch.  Returns the rest, which goes to the next stretch. */
static int64_t take_share(int64_t *share, int64_t length)
{
	int64_t above = max_tick(*share - length, 0);

	*share -= above;
	return above;
}

/* Readers divide the amounts of a span among its intervals by their lengths.  The thread may have used its CPU time in any
 * of them, so the doubt of each one is larger than that of the sum.  Any interval may have all CPU time of the span, so all
 * of it is subtracted once for each interval. */
static void divide_span(struct cpu_state *c, int64_t length, bool waits)
{
	int64_t sum = c->span[CPU_TIME], most = sum + c->span[CPU_DOUBT], intervals = (int64_t)c->stays;

	if (intervals > 1)
		c->span[CPU_DOUBT] += least(sum, length - sum);
	c->span[CPU_OFF] = waits || most >= length / max_tick(intervals, 1) ? 0 : length - most * intervals;
}

static void divide(struct thread *t, int64_t amount, int64_t b, int64_t waited, const struct reading *r)
{
	struct cpu_state *c = &t->cpu;
	bool waits = t->current->waits;
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
	int64_t above = take_share(&of_part, length);
	of_span += above;
	c->span[CPU_DOUBT] += above;
	above = take_share(&of_span, stay);
	carried += above;
	c->doubt += above;
	c->carried = carried;
	c->late = later;
	c->part[CPU_TIME] = of_part;
	c->span[CPU_TIME] = of_span;
	c->part[CPU_DOUBT] = least(c->part[CPU_DOUBT], max_tick(of_part, length - of_part));
	c->part[CPU_OFF] = max_tick(length - ns_of(waited, r->rate) - of_part - c->part[CPU_DOUBT], 0);
	divide_span(c, stay, waits);
}

/* ---- a slice ends */

/* Time buys readings, and a thread that took none for a while may take some in a row: a program may do nearly nothing
 * between two frames.  One reading alone says nothing, so a thread that took none waits until it can buy two. */
static bool is_due(struct thread *t, int64_t now)
{
	struct cpu_state *c = &t->cpu;
	int64_t price = c->rate / READINGS_A_SECOND;

	c->credit = least(c->credit + max_tick(now - c->seen, 0), READINGS_IN_A_ROW * price);
	c->seen = now;
	if (c->state != CPU_BEGUN && c->credit < (c->state == CPU_WHOLE ? price : 2 * price))
		return false;
	c->credit -= price;
	return true;
}

static void forget_slice(struct thread *t)
{
	t->cpu.state = CPU_NONE;
	t->cpu.carried = t->cpu.doubt = t->cpu.late = 0;
}

static void lack_one_in_run(struct thread *t, unsigned i)
{
	uint32_t id = measure_id(i);

	if (id && id <= 64 && !(WORD_LOAD(t->block->unmeasured) >> (id - 1) & 1))
		atomic_fetch_or_explicit(&t->block->unmeasured, 1ull << (id - 1), memory_order_relaxed);
}

/* From here on the amounts of the whole run from the first one to the last one are lower bounds. */
static void lack_in_run(struct thread *t, unsigned first, unsigned last)
{
	for (unsigned i = first; i <= last; i++)
		lack_one_in_run(t, i);
}

static void count_switches(struct thread *t, const struct reading *r, int64_t amounts[CPU_MEASURES])
{
	bool counted = t->cpu.counted && r->counted, delayed = t->cpu.delayed && r->delayed;

	for (int i = CPU_VOLUNTARY; i <= CPU_FAULTS; i++)
		t->cpu.part[i] = counted ? r->count[i] - t->cpu.count[i] : 0;
	t->cpu.part[CPU_DELAY] = delayed ? max_tick(r->count[CPU_DELAY] - t->cpu.count[CPU_DELAY], 0) : 0;
	memcpy(amounts + CPU_VOLUNTARY, t->cpu.part + CPU_VOLUNTARY, (CPU_DELAY + 1 - CPU_VOLUNTARY) * sizeof *amounts);
	t->cpu.part[CPU_DELAY] += t->cpu.delay_carried;
	t->cpu.delay_carried = 0;
	t->cpu.has_counts = counted && !t->cpu.stays; /* else nobody knows in which of the slices they were */
	t->cpu.has_delay = delayed && !t->cpu.stays;
	if (!counted)
		lack_in_run(t, CPU_VOLUNTARY, CPU_FAULTS);
	if (!delayed)
		lack_in_run(t, CPU_DELAY, CPU_DELAY);
}

/* The whole run has all that was read, even if slices in between are not known. */
static void add_to_run(struct thread *t, const int64_t amounts[CPU_MEASURES])
{
	for (unsigned i = 0; i < REGION_CPU; i++)
		WORD_STORE(t->block->cpu[i].value, WORD_LOAD(t->block->cpu[i].value) + amounts[i]);
	WORD_STORE(t->block->cpu_measures, WORD_LOAD(t->block->cpu_measures) | REGION_CPU_READ);
}

void prof__cpu_put_aside(struct thread *t)
{
	for (unsigned i = 0; i < REGION_CPU; i++)
		WORD_STORE(t->block->cpu[i].ended, WORD_LOAD(t->block->cpu[i].value));
}

/* The slice and the span behind it, between this reading and the last one. */
static void know_slice(struct thread *t, int64_t b, int64_t waited, const struct reading *r, int64_t amounts[CPU_MEASURES])
{
	struct cpu_state *c = &t->cpu;

	divide(t, amounts[CPU_TIME], b, waited, r);
	/* A thread that loses its core while it takes a reading waits in the next slice. */
	if (c->has_delay)
		c->delay_carried = take_share(&c->part[CPU_DELAY], max_tick(ns_of(b - c->begin, r->rate) - c->part[CPU_TIME], 0) +
		                                                       c->part[CPU_DOUBT]);
	c->known = true;
	c->state = CPU_WHOLE;
	amounts[CPU_OFF] = c->part[CPU_OFF] + c->span[CPU_OFF];
}

/* The slice is not known.  The next one is, if it ends with a reading, too. */
static void begin_known(struct thread *t, int64_t b, const struct reading *r, int64_t used)
{
	forget_slice(t);
	t->cpu.doubt = least(used, late_ns(r, b));
	t->cpu.late = t->current->waits ? 0 : max_tick(r->at - b, 0);
	t->cpu.state = CPU_BEGUN;
	lack_in_run(t, CPU_OFF, CPU_OFF);
}

static void end_slice(struct thread *t, int64_t b, enum record_kind kind)
{
	struct cpu_state *c = &t->cpu;
	struct reading r = { 0 };
	int64_t amounts[CPU_MEASURES] = { 0 };
	bool due = is_due(t, c->stays_to) || kind == RECORD_EXIT;

	if (t != prof__thread || !due || !take_reading(t, &r)) {
		forget_slice(t);
		if (c->refused || t != prof__thread)
			lack_in_run(t, 0, REGION_CPU - 1);
		else
			lack_in_run(t, CPU_OFF, CPU_OFF);
		return;
	}
	read_name(t, &r, kind);
	amounts[CPU_TIME] = max_tick(r.cpu - c->time, 0);
	count_switches(t, &r, amounts);
	if (c->state == CPU_NONE || !r.rate || c->at > b) /* a reading so late says nothing about the end of the slice */
		begin_known(t, c->stays_to, &r, amounts[CPU_TIME]);
	else
		know_slice(t, b, c->waited + waited_since(t, b), &r, amounts);
	add_to_run(t, amounts);
	keep_reading(t, &r);
	if (kind == RECORD_EXIT && !c->uncounted)
		prof__delay_end(t);
}

void prof__cpu_slice(struct thread *t, enum record_kind kind, int64_t b)
{
	struct cpu_state *c = &t->cpu;

	c->known = kind == RECORD_MORE; /* pieces have amounts of 0, and the last one those of the slice */
	if (kind == RECORD_MORE) {
		memset(c->part, 0, sizeof c->part);
		c->has_counts = c->has_delay = true;
		c->waited += waited_since(t, b);
		return;
	}
	c->stays_to = max_tick(c->stays_to, b);
	end_slice(t, b, kind);
	c->waited = 0;
	c->begin = c->stays_to;
}

void prof__cpu_span(struct thread *t, uint64_t intervals, int64_t end)
{
	struct cpu_state *c = &t->cpu;

	if (c->stays == intervals && c->stays_to == end)
		return;
	c->known = false;
	forget_slice(t);
	c->begin = c->stays_to = end;
}

/* What a thread did before its first reading is not known: of main, all that it did before its first zone. */
void prof__cpu_start(struct thread *t)
{
	struct reading r = { 0 };
	uint64_t ids = 0;
	bool has_reading;

	t->cpu = (struct cpu_state){ .begin = t->bound, .stays_to = t->bound, .seen = t->bound,
	                              .credit = INT64_MAX / 2, .has_waits = t->cpu.has_waits };
	WORD_STORE(t->block->cpu_measures, WORD_LOAD(t->block->cpu_measures) & ~REGION_CPU_READ);
	if (!prof__process->reads_cpu)
		return;
	has_reading = take_reading(t, &r);
	for (unsigned i = 0; i < CPU_MEASURES; i++)
		ids |= (uint64_t)prof__measure_id(&rows[i]) << 8 * i;
	WORD_STORE(t->block->cpu_measures, ids & ((1ull << 8 * REGION_CPU) - 1));
	t->cpu.doubt = late_ns(&r, t->bound);
	if (!has_reading || t->cpu.doubt > RATE_AFTER_NS)
		lack_in_run(t, 0, REGION_CPU - 1);
	else if (!r.counted)
		lack_in_run(t, CPU_VOLUNTARY, CPU_DELAY);
	else if (!r.delayed)
		lack_in_run(t, CPU_DELAY, CPU_DELAY);
	keep_reading(t, &r);
	t->cpu.state = has_reading && t->cpu.doubt <= RATE_AFTER_NS ? CPU_BEGUN : CPU_NONE;
}

/* ---- its group (shm/record.h) */

bool prof__cpu_amount(const struct thread *t, bool span, unsigned i, unsigned *measure, int64_t *amount)
{
	bool counted = i >= CPU_VOLUNTARY && i <= CPU_FAULTS;
	uint32_t id = measure_id(i);

	*measure = id - 1;
	*amount = span ? t->cpu.span[i] : t->cpu.part[i];
	return id && t->cpu.known && (!counted || t->cpu.has_counts) && (i != CPU_DELAY || t->cpu.has_delay);
}
