/* core_fibers.c: zones that go from thread to thread with their tasks.
 *
 * Four tasks on two threads give the thread away in the middle of their zones, and go on on the other one.  Each reads
 * the clock itself on both sides of all that it does with zones, so that what the library measured lies between two
 * numbers that are sums of the same ticks: no core that is taken away between two instructions makes a difference.
 * With a clock that stands still but where the task lets it run, the two are one (core_fibers_clock).
 *
 * Then what programs may do wrong with a stack, or while recording is off, each with what must stand in the region.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include "model/boxes/spans.h"
#include "prof.h"
#include "shm/clock.h"
#include "tests/core_read.h"
#include "tests/core_run.h"
#include "tests/core_sums.h"
#include "tests/long.h"

#define TASKS 4
#define WORKERS 2
#define MOVES 10000 /* of each task */
#define STACK_BYTES (64 << 10)
#if defined(CLOCK_OF_TESTS)
#define CLOCK_GOES_ON 0
#else
#define CLOCK_GOES_ON 1
#endif

/* ---- what is profiled: tasks */

enum { TASK, STEP, DEEP, LEVELS };
static const char *const level_names[LEVELS] = { "task", "step", "deep" };

/* For one zone: ticks in which it was open for certain, and in which it may have been. */
struct measured {
	int64_t inner, outer, inner_from, outer_from;
	uint64_t entries;
	bool open;
};

struct worker;
struct task {
	Prof_stack stack;
	ucontext_t context;
	struct worker *worker; /* that runs it */
	struct measured levels[LEVELS];
	struct task *next;
	bool over;
	unsigned number;
};

struct worker {
	ucontext_t context;
	pthread_mutex_t lock;
	pthread_cond_t more;
	struct task *first, **last;
	struct worker *other;
	bool over;
	pthread_t thread;
};

static struct worker workers[WORKERS];
static struct task tasks[TASKS];
static _Atomic int left = TASKS;

static enum region_clock source; /* as the library chose it */

static int64_t ticks(void)
{
	clock_order();
	int64_t now = clock_ticks(source);
	clock_order();
	return now;
}

static void spin(unsigned ticks_of_8_us)
{
#if defined(CLOCK_OF_TESTS)
	atomic_fetch_add(&clock_of_tests, ticks_of_8_us);
#else
	for (int64_t end = clock_ns(CLOCK_MONOTONIC) + ticks_of_8_us * 8000ll; clock_ns(CLOCK_MONOTONIC) < end;)
		;
#endif
}

static void begin_stretch(struct task *t, int64_t before, int64_t behind)
{
	for (int i = 0; i < LEVELS; i++)
		if (t->levels[i].open) {
			t->levels[i].outer_from = before;
			t->levels[i].inner_from = behind;
		}
}

static void end_stretch(struct task *t, int64_t before, int64_t behind)
{
	for (int i = 0; i < LEVELS; i++)
		if (t->levels[i].open) {
			t->levels[i].inner += before - t->levels[i].inner_from;
			t->levels[i].outer += behind - t->levels[i].outer_from;
		}
}

static void open_level(struct task *t, int level, Prof_zone *zone)
{
	struct measured *m = &t->levels[level];

	m->outer_from = ticks();
	Prof_Enter(zone);
	m->inner_from = ticks();
	m->entries++;
	m->open = true;
}

static void close_level(struct task *t, int level)
{
	struct measured *m = &t->levels[level];
	int64_t before = ticks();

	Prof_Leave();
	m->outer += ticks() - m->outer_from;
	m->inner += before - m->inner_from;
	m->open = false;
}

/* The thread that this returns on is another one, so nothing of a thread is kept over it. */
static __attribute__((noinline)) void give_away(struct task *t)
{
	int64_t before = ticks();

	Prof_Suspend(&t->stack);
	end_stretch(t, before, ticks());
	swapcontext(&t->context, &t->worker->context);
	before = ticks();
	Prof_Resume(&t->stack);
	begin_stretch(t, before, ticks());
}

static Prof_zone *zone_of(const struct task *t, int level)
{
	char name[32];

	snprintf(name, sizeof name, "%s %u", level_names[level], t->number);
	return Prof_Zone(name);
}

static void run_task(unsigned number)
{
	struct task *t = &tasks[number];
	Prof_zone *zones[LEVELS];

	for (int i = 0; i < LEVELS; i++)
		zones[i] = zone_of(t, i);
	Prof_Resume(&t->stack);
	open_level(t, TASK, zones[TASK]);
	for (unsigned i = 0; i < MOVES; i++) {
		open_level(t, STEP, zones[STEP]);
		spin(1 + number);
		if (i % 3) {
			open_level(t, DEEP, zones[DEEP]);
			spin(3);
		}
		if (i % 5 == 0)
			Prof_Counter_Add(moves, 1);
		give_away(t);
		spin(2);
		if (i % 3)
			close_level(t, DEEP);
		close_level(t, STEP);
		spin(1);
	}
	close_level(t, TASK);
	t->over = true;
	setcontext(&t->worker->context);
}

static void put(struct worker *w, struct task *t)
{
	pthread_mutex_lock(&w->lock);
	t->next = NULL;
	*w->last = t;
	w->last = &t->next;
	pthread_cond_signal(&w->more);
	pthread_mutex_unlock(&w->lock);
}

static void end_workers(void)
{
	for (int i = 0; i < WORKERS; i++) {
		pthread_mutex_lock(&workers[i].lock);
		workers[i].over = true;
		pthread_cond_signal(&workers[i].more);
		pthread_mutex_unlock(&workers[i].lock);
	}
}

static struct task *take(struct worker *w)
{
	struct task *t;

	pthread_mutex_lock(&w->lock);
	while (!w->first && !w->over)
		pthread_cond_wait(&w->more, &w->lock);
	t = w->first;
	if (t) {
		w->first = t->next;
		if (!w->first)
			w->last = &w->first;
	}
	pthread_mutex_unlock(&w->lock);
	return t;
}

/* One at a time where the clock is a word that all tasks let run. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void begin_turn(void)
{
#if defined(CLOCK_OF_TESTS)
	pthread_mutex_lock(&turn);
#endif
}

/* A mark needs a clock that goes on. */
static void end_turn(const struct task *t)
{
#if defined(CLOCK_OF_TESTS)
	pthread_mutex_unlock(&turn);
	(void)t;
#else
	(void)turn;
	if (t == &tasks[0])
		Prof_update(1);
#endif
}

static void *work(void *argument)
{
	struct worker *w = argument;
	struct task *t;

	Prof_Begin(worker)
	while ((t = take(w))) {
		begin_turn();
		Prof_Begin(turn)
		t->worker = w;
		swapcontext(&w->context, &t->context);
		Prof_Begin(behind)
		Prof_End
		Prof_End
		end_turn(t);
		if (!t->over)
			put(w->other, t);
		else if (--left == 0)
			end_workers();
	}
	Prof_End
	return NULL;
}

static void begin_task(struct task *t, unsigned number)
{
	t->number = number;
	getcontext(&t->context);
	t->context.uc_stack.ss_sp = malloc(STACK_BYTES);
	t->context.uc_stack.ss_size = STACK_BYTES;
	t->context.uc_link = NULL;
	makecontext(&t->context, (void (*)(void))run_task, 1, number);
	put(&workers[number % WORKERS], t);
}

static void tell_task(const struct task *t)
{
	for (int i = 0; i < LEVELS; i++)
		printf("%s %u: %lld %lld %llu\n", level_names[i], t->number, (long long)t->levels[i].inner,
		       (long long)t->levels[i].outer, (unsigned long long)t->levels[i].entries);
}

static void run_tasks(void)
{
	uint64_t ticks_per_s;

	source = clock_choose(&ticks_per_s);
	Prof_Thread("main");
	spin(10); /* behind the tick at which the region begins */
	for (int i = 0; i < WORKERS; i++) {
		pthread_mutex_init(&workers[i].lock, NULL);
		pthread_cond_init(&workers[i].more, NULL);
		workers[i].last = &workers[i].first;
		workers[i].other = &workers[(i + 1) % WORKERS];
	}
	for (unsigned i = 0; i < TASKS; i++)
		begin_task(&tasks[i], i);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i].thread, NULL);
	for (unsigned i = 0; i < TASKS; i++)
		tell_task(&tasks[i]);
}

/* ---- what is profiled: one by one */

#define TOO_DEEP (Prof_STACK_ZONES + 10)

static Prof_zone *numbered(const char *what, int number)
{
	char name[32];

	snprintf(name, sizeof name, "%s%d", what, number);
	return Prof_Zone(name);
}

/* All that was opened is closed again: this is in no zone but where the caller says so. */
static void here(void)
{
	Prof_Begin(here)
	Prof_End
}

static void same_thread(void)
{
	Prof_stack s = Prof_STACK;

	Prof_Begin(own)
	Prof_Resume(&s);
	Prof_Begin(same)
	Prof_Suspend(&s);
	Prof_Begin(between)
	Prof_End
	Prof_Begin(around)
	Prof_Resume(&s);
	Prof_Begin(within)
	Prof_End
	Prof_Suspend(&s);
	Prof_End
	Prof_Resume(&s);
	Prof_End
	Prof_End
	here();
}

/* Without a task's begin all zones go. */
static void all_zones(void)
{
	Prof_stack s = Prof_STACK;

	Prof_Begin(all_1)
	Prof_Begin(all_2)
	Prof_Suspend(&s);
	here();
	Prof_Resume(&s);
	Prof_End
	Prof_End
	here();
}

static void never_resumed(void)
{
	Prof_stack s = Prof_STACK;

	Prof_Resume(&s);
	Prof_Begin(leaked)
	Prof_Suspend(&s);
	here();
}

static void twice(void)
{
	Prof_stack s = Prof_STACK, empty = Prof_STACK;

	Prof_Resume(&s);
	Prof_Begin(twice)
	Prof_Suspend(&s);
	Prof_Begin(stays)
	Prof_Suspend(&s); /* counted: it holds `twice` */
	Prof_End
	Prof_Resume(&s);
	Prof_Resume(&s); /* it holds nothing: a task begins in `twice` */
	Prof_Suspend(&s);
	Prof_End
	Prof_Resume(&empty);
	Prof_Suspend(&empty);
	Prof_Begin(stays)
	Prof_Suspend(&empty); /* counted, though it holds nothing */
	Prof_End
	here();
}

/* A Prof_stack that is a local variable without `= Prof_STACK`. */
static void uninitialised(void)
{
	Prof_stack s, cause = Prof_STACK;

	memset(&s, 0xff, sizeof s);
	memset(&cause.cause, 0xff, sizeof cause.cause);
	cause.more = 1;
	Prof_Begin(unset)
	Prof_Suspend(&s);     /* counted */
	Prof_Resume(&s);      /* counted: a task begins */
	Prof_Suspend(&s);
	Prof_Resume(&s);
	Prof_Resume(&cause);  /* counted */
	Prof_Begin(in_unset)
	Prof_End
	Prof_End
	here();
}

static void *suspend_it(void *stack)
{
	Prof_Begin(others)
	Prof_Suspend((Prof_stack *)stack); /* counted: it was resumed elsewhere */
	Prof_End
	here();
	return NULL;
}

static void *resume_it(void *stack)
{
	Prof_Resume((Prof_stack *)stack);
	Prof_End
	here();
	Prof_End /* counted: there is none */
	return NULL;
}

static void in_thread(void *(*body)(void *), Prof_stack *s)
{
	pthread_t thread;

	pthread_create(&thread, NULL, body, s);
	pthread_join(thread, NULL);
}

static void another_thread(void)
{
	Prof_stack s = Prof_STACK;

	Prof_Resume(&s);
	Prof_Begin(moved)
	in_thread(suspend_it, &s);
	Prof_Suspend(&s);
	in_thread(resume_it, &s);
	here();
}

static void *begin_it(void *stack)
{
	Prof_Resume((Prof_stack *)stack);
	return NULL;
}

/* The task's thread ends, and the next one has its variables at the same address. */
static void ended_thread(void)
{
	Prof_stack s = Prof_STACK;

	in_thread(begin_it, &s);
	in_thread(suspend_it, &s);
}

static void too_deep(void)
{
	Prof_stack s = Prof_STACK;

	Prof_Begin(own)
	Prof_Resume(&s);
	for (int i = 0; i < TOO_DEEP; i++)
		Prof_Enter(numbered("level", i));
	for (int i = 0; i < 3; i++) { /* the zones that are too many are lost once */
		Prof_Suspend(&s);
		Prof_Resume(&s);
	}
	Prof_Begin(in_lost)
	Prof_End
	for (int i = 0; i < TOO_DEEP; i++)
		Prof_Leave();
	Prof_Begin(behind_deep)
	Prof_End
	Prof_End
	here();
}

#define DEEPEST 2048

/* A zone that is lost for another reason stays lost when the task goes on. */
static void at_the_bottom(void)
{
	Prof_stack s = Prof_STACK;

	for (int i = 0; i < DEEPEST; i++)
		Prof_Open(well);
	Prof_Resume(&s);
	Prof_Begin(below)
	Prof_Suspend(&s);
	Prof_Resume(&s);
	Prof_Begin(below)
	Prof_End
	Prof_End
	for (int i = 0; i < DEEPEST; i++)
		Prof_Close();
	here();
}

static void off(void)
{
	Prof_stack s = Prof_STACK;

	Prof_Resume(&s);
	Prof_Enable(0);
	Prof_Begin(unseen)
	Prof_Enable(1);
	Prof_Begin(seen_1)
	Prof_Enable(0);
	Prof_Begin(unseen)
	Prof_Begin(unseen)
	Prof_Suspend(&s);
	Prof_Enable(1);
	here();
	Prof_Resume(&s);
	Prof_Begin(seen_2)
	Prof_Suspend(&s);
	here();
	Prof_Enable(0);
	Prof_Resume(&s);
	Prof_Enable(1);
	Prof_Begin(seen_3)
	Prof_End
	Prof_End
	Prof_End
	Prof_End
	Prof_Begin(seen_4)
	Prof_End
	Prof_End
	Prof_End
	here();
}

static void logged(void)
{
	Prof_stack s = Prof_STACK;

	Prof_Resume(&s);
	Prof_Log(untold)
	Prof_Suspend(&s);
	Prof_Resume(&s);
	Prof_End
	Prof_Log(told)
	Prof_End
	here();
}

static void one_by_one(void)
{
	Prof_update(1);
	same_thread();
	all_zones();
	never_resumed();
	twice();
	uninitialised();
	another_thread();
	ended_thread();
	too_deep();
	at_the_bottom();
	off();
	logged();
	Prof_update(1);
}

/* ---- what is profiled: a task of many zones, which does nothing but go and come */

#define MANY 25 /* zones */
#define TIMES 20000

static void go_and_come(void)
{
	Prof_stack s = Prof_STACK;

	Prof_Begin(thread)
	Prof_Resume(&s);
	for (int i = 0; i < MANY; i++)
		Prof_Enter(numbered("of_task", i));
	for (int i = 0; i < TIMES; i++) {
		Prof_Suspend(&s);
		Prof_Resume(&s);
	}
	for (int i = 0; i < MANY; i++)
		Prof_Leave();
	Prof_Suspend(&s);
	Prof_End
}

static void *mark_once(void *unused)
{
	Prof_update(1);
	return unused;
}

#define WIDE 1000 /* zones in one frame */

/* A large part is written when the task goes.  Says how long that takes, as the task measures it. */
static void go_behind_marks(void)
{
	Prof_stack s = Prof_STACK;
	int64_t all = 0;
	uint64_t ticks_per_s;

	source = clock_choose(&ticks_per_s);
	Prof_Begin(thread)
	Prof_Resume(&s);
	Prof_Begin(of_task)
	for (int i = 0; i < 100; i++) {
		for (int k = 0; k < WIDE; k++) {
			Prof_Enter(numbered("wide", k));
			Prof_Leave();
		}
		in_thread(mark_once, NULL);
		int64_t before = ticks();
		Prof_Suspend(&s);
		all += ticks() - before;
		Prof_Resume(&s);
	}
	Prof_End
	Prof_Suspend(&s);
	Prof_End
	printf("%lld\n", (long long)all);
}

static _Atomic bool marks, has_gone;

static void *mark_on(void *unused)
{
	for (; !has_gone; marks = true)
		Prof_update(1);
	return unused;
}

/* The other thread's marks come in the middle of it. */
static void go_among_marks(void)
{
	pthread_t marker;

	pthread_create(&marker, NULL, mark_on, NULL);
	while (!marks)
		sched_yield();
	go_and_come();
	has_gone = true;
	pthread_join(marker, NULL);
}

/* ---- the checks */

/* The library's time lies between those that the task measured within and around it; both are the same but for
 * the cost of the zones themselves, which is printed. */
static void check_task(const struct profile *p, const char *out, unsigned number, double *wide)
{
	struct sums_told of[LEVELS + 1] = { 0 };
	char zone[32];

	for (int i = 0; i < LEVELS; i++) {
		snprintf(zone, sizeof zone, "%s %u", level_names[i], number);
		of[i] = sums_told(out, zone);
	}
	for (int i = 0; i < LEVELS; i++) {
		struct sums_zone sum;
		double apart;
		snprintf(zone, sizeof zone, "%s %u", level_names[i], number);
		sum = sums_of(p, zone);
		CHECK(sum.count == (int64_t)of[i].entries, "%s: %lld of %llu entries", zone, (long long)sum.count, of[i].entries);
		CHECK(sums_within(sum.hier, of[i].inner, of[i].outer), "%s: %lld, measured %lld to %lld", zone, (long long)sum.hier,
		      of[i].inner, of[i].outer);
		CHECK(sums_within(sum.self, of[i].inner - of[i + 1].outer, of[i].outer - of[i + 1].inner), "%s: self %lld", zone,
		      (long long)sum.self);
		CHECK(sum.longest <= sum.hier && sum.longest * sum.count >= sum.hier, "%s: longest %lld of %lld in %lld", zone,
		      (long long)sum.longest, (long long)sum.hier, (long long)sum.count);
		apart = (double)(of[i].outer - of[i].inner) / (double)of[i].outer;
		*wide = apart > *wide ? apart : *wide;
	}
}

struct stretches {
	uint64_t resumed, suspended, apart;
};

/* All of a task's zones come and leave at one tick, marks or none. */
static void count_stretch(const struct span_list *l, uint32_t depth, uint32_t span, struct stretches *s)
{
	unsigned flags = spans_flags(l, depth, span), around;
	uint32_t parent = depth ? spans_parent(l, depth, span) : UINT32_MAX;

	s->resumed += (flags & SPAN_RESUMED) != 0;
	s->suspended += (flags & SPAN_SUSPENDED) != 0;
	if (parent == UINT32_MAX)
		return;
	struct box_row inner = spans_row(l, depth), outer = spans_row(l, depth - 1);
	around = flags & spans_flags(l, depth - 1, parent);
	s->apart += (around & SPAN_RESUMED && inner.begin[span] != outer.begin[parent]) ||
	            (around & SPAN_SUSPENDED && inner.end[span] != outer.end[parent]);
}

static void count_stretches(const struct span_list *l, struct stretches *s)
{
	for (uint32_t depth = 0; depth < l->depth; depth++)
		for (uint32_t k = 0; k < l->rows[depth].count; k++)
			count_stretch(l, depth, k, s);
}

/* Each zone of each stretch is a span on the thread where it ran, and says what it is.  look: each thread's are shown to it. */
static void check_spans(struct source *s, uint64_t stretches, void (*look)(const struct span_list *))
{
	struct transitions *t = transitions_new(TRANSITIONS_MOST);
	struct spans *spans = spans_new();
	struct stretches seen = { 0 };

	CHECK(t && spans && source_transitions(s, t) && spans_update(spans, s->profile, t, s->profile->now_tick), "no spans");
	for (uint32_t i = 0; i < spans->count; i++) {
		count_stretches(&spans->lists[i], &seen);
		if (look)
			look(&spans->lists[i]);
	}
	CHECK(seen.resumed == stretches && seen.suspended == stretches, "%llu resumed, %llu suspended, of %llu",
	      (unsigned long long)seen.resumed, (unsigned long long)seen.suspended, (unsigned long long)stretches);
	CHECK(seen.apart == 0, "%llu of %llu not at one tick", (unsigned long long)seen.apart, (unsigned long long)stretches);
	spans_free(spans);
	transitions_free(t);
}

static void check_tasks(void)
{
	struct sums_run run;
	double wide = 0;

	sums_run(&run, "tasks", "64M");
	struct source *s = run.source;
	for (unsigned i = 0; s && i < TASKS; i++)
		check_task(s->profile, run.output.out, i, &wide);
	if (s) {
		CHECK(sums_of(s->profile, "turn").count == TASKS * (MOVES + 1) && sums_of(s->profile, "behind").count ==
		      TASKS * (MOVES + 1), "the workers' own zones");
		CHECK(sums_lost(s->profile, NULL) == 0, "something was lost");
		check_spans(s, TASKS * (2 * MOVES + (MOVES * 2) / 3), NULL);
		printf("what tasks measured within and around their zones is %.4f %% apart at most\n", wide * 100);
#if defined(CLOCK_OF_TESTS)
		CHECK(wide == 0, "the clock stood still");
#endif
	}
	sums_end(&run);
}

/* All `here` are outside of what was suspended. */
static void check_here(const struct profile *p, int64_t expected)
{
	int64_t count = 0;

	for (uint32_t n = 0; n < p->node_count; n++)
		if (sums_is_of(p, n, "here")) {
			CHECK(p->nodes[p->nodes[n].parent].parent == PROFILE_NONE || sums_is_in(p, n, "moved"), "here is in %s",
			      p->zones[p->nodes[p->nodes[n].parent].zone].name);
			count += p->totals[n].count;
		}
	CHECK(count == expected, "here %lld times", (long long)count);
}

static void check_path(const struct profile *p, const char *zone, const char *parent, int64_t count)
{
	for (uint32_t n = 0; n < p->node_count; n++)
		if (sums_is_of(p, n, zone) && p->totals[n].count) {
			CHECK(!strcmp(p->nodes[p->nodes[n].parent].parent == PROFILE_NONE ? "" :
			      p->zones[p->nodes[p->nodes[n].parent].zone].name, parent), "%s is not in %s", zone, parent);
			count -= p->totals[n].count;
		}
	CHECK(count == 0, "%s: %lld entries missing", zone, (long long)count);
}

static void check_one_by_one(void)
{
	static const struct { const char *zone, *parent; int64_t count; } paths[] = {
		{ "same", "own", 1 }, { "between", "own", 1 }, { "around", "own", 1 }, { "within", "same", 1 },
		{ "all_1", "", 1 }, { "all_2", "all_1", 1 }, { "leaked", "", 1 }, { "twice", "", 1 },
		{ "moved", "", 1 }, { "others", "", 2 }, { "behind_deep", "own", 1 }, { "level0", "own", 1 },
		{ "level29", "level28", 1 }, { "level39", "level38", 1 }, { "in_lost", "", 0 }, { "unseen", "", 0 },
		{ "seen_1", "", 1 }, { "seen_2", "seen_1", 1 }, { "seen_3", "seen_2", 1 }, { "seen_4", "seen_1", 1 },
		{ "untold", "", 1 }, { "told", "", 1 }, { "unset", "", 1 }, { "in_unset", "unset", 1 },
	};
	struct sums_run run;

	sums_run(&run, "odd", NULL);
	CHECK(!strstr(run.output.err, "untold") && strstr(run.output.err, "told "), "%s", run.output.err);
	if (run.source) {
		const struct profile *p = run.source->profile;
		for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
			check_path(p, paths[i].zone, paths[i].parent, paths[i].count);
		check_here(p, 16);
		CHECK(sums_lost(p, "stack_misused") == 7 && sums_lost(p, "end_without_begin") == 1, "misused %llu, ends %llu",
		      (unsigned long long)sums_lost(p, "stack_misused"), (unsigned long long)sums_lost(p, "end_without_begin"));
		CHECK(sums_lost(p, "stack_room") == 10 + 1, "stack_room %llu", (unsigned long long)sums_lost(p, "stack_room"));
		CHECK(sums_lost(p, "too_deep") == 2, "too_deep %llu", (unsigned long long)sums_lost(p, "too_deep"));
		CHECK(sums_lost(p, NULL) == 7 + 1 + 11 + 2, "%llu in all", (unsigned long long)sums_lost(p, NULL));
	}
	sums_end(&run);
}

static int compare_ticks(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t median(int64_t *ticks, uint32_t count)
{
	qsort(ticks, count, sizeof *ticks, compare_ticks);
	return count ? ticks[count / 2] : 0;
}

/* For a task that does nothing: the time to come and go lies between its stretches, hardly in them. */
static void check_whose(const struct span_list *l)
{
	static int64_t in[TIMES], between[TIMES];
	uint32_t count = 0;

	if (l->depth < MANY + 1)
		return;
	struct box_row row = spans_row(l, MANY);
	for (; count < TIMES && count + 1 < row.count; count++) {
		in[count] = row.end[count] - row.begin[count];
		between[count] = row.begin[count + 1] - row.end[count];
	}
	int64_t own = median(in, count), others = median(between, count);
	CHECK(own < others, "%lld ticks in the task's zones, %lld between them", (long long)own, (long long)others);
	printf("%lld ticks in the task's zones, %lld between them\n", (long long)own, (long long)others);
}

/* The time that a slice takes is not in the task that leaves, but in the thread's own zone. */
static void check_behind_marks(void)
{
	struct sums_run run;

	sums_run(&run, "behind marks", NULL);
	if (run.source) {
		int64_t own = sums_of(run.source->profile, "thread").self, all = atoll(run.output.out);
		CHECK(all && own >= all / 2, "%lld ticks in the thread's zone, %lld for all", (long long)own, (long long)all);
	}
	sums_end(&run);
}

static void check_many(const char *how, void (*look)(const struct span_list *))
{
	struct sums_run run;

	sums_run(&run, how, "64M");
	if (run.source)
		check_spans(run.source, (uint64_t)MANY * TIMES, look);
	sums_end(&run);
}

/* Without PROF_SHM nothing happens, and zones that are logged are told. */
static void check_off(void)
{
	const char *const arguments[] = { "odd", NULL };
	struct core_program program = { .arguments = arguments };
	struct core_output output;

	core_catch(&program, 60, &output);
	CHECK(output.status == 0 && !strstr(output.err, "untold") && strstr(output.err, "told "), "%s", output.err);
}

int main(int argc, char **argv)
{
	static const struct { const char *what; void (*run)(void); } modes[] = {
		{ "tasks", run_tasks }, { "odd", one_by_one }, { "alone", go_and_come },
		{ "among marks", go_among_marks }, { "behind marks", go_behind_marks },
	};

	for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(argv[1], modes[i].what))
			return modes[i].run(), 0;
	check_tasks();
	check_one_by_one();
	if (CLOCK_GOES_ON) {
		check_many("alone", check_whose);
		check_many("among marks", NULL);
		check_behind_marks();
	}
	check_off();
	return core_result();
}
