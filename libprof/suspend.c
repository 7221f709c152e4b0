/* suspend.c: zones that leave a thread together, and are opened again on the thread that goes on.
 *
 *     thread 1   | worker              |            thread 2   | worker             |
 *                |   | update     |    |                       |   | update     |   |
 *                |   |   | path | |    |                       |   |   | path | |   |
 *                    ^           ^                                 ^
 *              Prof_Resume  Prof_Suspend                      Prof_Resume
 *
 * A Prof_stack is of one task: a fiber, a coroutine.  While the task runs, the stack knows how many zones were open on the
 * thread before it (base), and holds nothing; of a new stack none was.  Suspend leaves all that is open behind that, one
 * transition a zone from the innermost out, and the stack holds it: the ids of the zones, and how long their calls have
 * run so far.  Resume opens it on the calling thread, in the order in which it was entered.
 *
 * A call that is resumed is not counted again.  Its start is set back by what it took before, so that the time it has
 * when it ends is the sum of its stretches, for the hot path too, and for readers who see it open.  A start that lies
 * before the boundary says to part.c that the node was not entered since, so what is resumed is listed here.
 *
 * Not every zone has a node: those that were entered while recording was off are known by their number alone (unseen),
 * and so are those that found no room, which are all inside of those that did (more).  They go with the others, so that
 * each end finds what it ends.  On a thread that records nothing all become such, and stay so.  Why they are not recorded
 * goes with them, as what is entered in them is lost by the same cause.
 *
 * A fork takes everything from the child but how many zones were open (prof__outsider.open), and that is all that a task
 * which goes on there needs: the base is a number, and those above it that have no node are unseen.  Of a fork that
 * nobody told of not even that is known; then the task has what was opened since.
 */
#include "libprof/transition.h"

#include <errno.h>

static_assert(sizeof(Prof_stack) == 512, "the layout is that of the first version");

#define NOT_YET INT64_MIN

/* The tick of a transition of which *head is to be the number.  All of a task's zones leave, or come, at one tick: it is
 * read with the first of them, *now is NOT_YET there, and another one only where a mark came in between.  So what the
 * others take is in none of its zones. */
static int64_t tick_of(struct thread *t, int64_t *now, uint64_t *head)
{
	if (*now == NOT_YET)
		*now = transition_clock(prof__process->clock != CLOCK_COUNTER);
	return *now = prof__late(t, *now, head);
}

/* ---- one zone */

/* Ends a stretch of the current node's call, which is not over: no call ended, so `longest` stays. */
static int64_t leave_one(struct thread *t, int64_t *at)
{
	struct node *n = t->current, *parent = n->parent;
	uint64_t head = transition_begin(t->block);
	int64_t now = tick_of(t, at, &head), ticks = now - WORD_LOAD(n->shared->start);

	touch(t, n);
	touch(t, parent);
	WORD_STORE(t->block->last, now);
	word_add(&n->shared->self, now);
	word_subtract(&parent->shared->self, now);
	transition_record(t, t->block, parent, event_word(now, EVENT_SUSPEND | n->what), head, GUARD_BUSY);
	return ticks;
}

/* Above the node that is resumed list_open of part.c does not look. */
static void touch_open(struct thread *t)
{
	struct node *n = t->current;

	touch(t, n);
	for (; n->parent && WORD_LOAD(n->shared->start) >= t->bound; n = n->parent)
		touch(t, n);
}

static void enter_one(struct thread *t, struct node *n, int64_t ticks, int64_t *at)
{
	struct node *parent = n->parent;
	uint64_t head = transition_begin(t->block);
	int64_t now = tick_of(t, at, &head);

	touch_open(t);
	touch(t, n);
	WORD_STORE(t->block->last, now);
	word_add(&parent->shared->self, now);
	word_subtract(&n->shared->self, now);
	WORD_STORE(n->shared->start, now - ticks);
	transition_record(t, t->block, n, event_word(now, EVENT_RESUME | n->what), head, GUARD_BUSY);
}

/* ---- what a stack holds */

static uint32_t held(const Prof_stack *s)
{
	uint32_t count = s->unseen + s->zones + s->more;

	for (uint32_t i = 0; i < s->zones; i++)
		count += s->open[i].unseen;
	return count;
}

static void hold_nothing(Prof_stack *s)
{
	s->zones = s->unseen = s->more = 0;
}

static void lose(enum region_loss cause, uint32_t zones)
{
	if (zones && !prof__switched_off())
		atomic_fetch_add_explicit(&prof__process->shared->lost[cause], zones, memory_order_relaxed);
}

/* How many of the calling thread's zones are not the task's. */
static uint32_t base_of(const Prof_stack *s)
{
	return s->forks == prof__forks_untold ? s->base : prof__outsider.open;
}

/* As many of `from` as are `left`, which become fewer. */
static uint32_t take(uint32_t *from, uint32_t *left)
{
	uint32_t taken = *from < *left ? *from : *left;

	*from -= taken;
	*left -= taken;
	return taken;
}

static uint32_t take_unseen(struct thread *t, uint32_t *left)
{
	uint32_t taken = take(&t->current->skipped, left);

	t->skipped -= taken;
	return taken;
}

static void add_unseen(struct thread *t, uint32_t zones)
{
	t->current->skipped += zones;
	t->skipped += zones;
}

/* A child of a fork knows itself here.  GUARD_BUSY: a handler interrupted the library. */
static bool is_possible(void)
{
	const struct thread *t = prof__thread;

	if (!(__atomic_load_n(&prof__on, __ATOMIC_RELAXED) & PROF_ON))
		return false;
	if (t && t->guard == GUARD_BUSY) {
		lose(LOSS_IN_HANDLER, 1);
		return false;
	}
	if (prof__process && !prof__process->alive)
		prof__forked();
	return true;
}

static void begin_change(struct thread *t)
{
	t->guard = GUARD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
}

static void end_change(struct thread *t)
{
	atomic_signal_fence(memory_order_seq_cst);
	t->guard = t->skip ? GUARD_SKIP : prof__ready(t);
}

/* ---- suspend */

/* The current zone leaves; it is the i-th of the task's, from the outermost. */
static void hold_one(struct thread *t, Prof_stack *s, uint32_t i, uint32_t *left, int64_t *at)
{
	struct node *n = t->current;
	uint32_t unseen = take_unseen(t, left);
	int64_t ticks = leave_one(t, at);

	--*left;
	if (i < Prof_STACK_ZONES) {
		s->open[i].zone = n->zone;
		s->open[i].unseen = unseen;
		s->open[i].ticks = ticks;
		s->zones += !s->zones ? i + 1 : 0;
		return;
	}
	loss(prof__process, LOSS_STACK_ROOM);
	s->cause = LOSS_STACK_ROOM;
	s->more += 1 + unseen;
}

/* Of the innermost zones, `left` in all, those that have nodes. */
static uint32_t count_nodes(const struct thread *t, uint32_t left)
{
	uint32_t count = 0;

	for (const struct node *n = t->current; n->parent && n->skipped < left; n = n->parent) {
		left -= n->skipped + 1;
		count++;
	}
	return count;
}

static void suspend(struct thread *t, Prof_stack *s, uint32_t *left)
{
	int64_t at = NOT_YET;

	begin_change(t);
	s->more = take(&t->skip, left);
	s->cause = t->skip_cause;
	for (uint32_t i = count_nodes(t, *left); i--;)
		hold_one(t, s, i, left, &at);
	s->unseen = take_unseen(t, left);
	end_change(t);
}

/* Of the calling thread.  An address would not do: when a thread has ended, the next one has its variables where it had
 * them. */
static uint64_t my_number(void)
{
	static _Atomic uint64_t newest = prof__AWAY;

	if (!prof__outsider.number)
		prof__outsider.number = 1 + atomic_fetch_add_explicit(&newest, 1, memory_order_relaxed);
	return prof__outsider.number;
}

static bool is_misused(const Prof_stack *s)
{
	return s->thread && s->thread != my_number();
}

cold void prof__suspend(Prof_stack *s)
{
	prof__timed_drop();
	if (!is_possible())
		return;
	struct thread *t = prof__thread;
	uint32_t open = prof__open_zones(t), base = base_of(s), left = open > base ? open - base : 0;
	if (is_misused(s)) {
		if (prof__process)
			loss(prof__process, LOSS_STACK_MISUSED);
		return;
	}
	if (t) {
		suspend(t, s, &left);
	} else {
		s->more = take(&prof__outsider.depth, &left);
		s->cause = prof__outsider.cause;
	}
	s->unseen += take(&prof__outsider.open, &left);
	s->thread = prof__AWAY;
}

/* ---- resume */

/* The node of a zone in that one; NULL: skip_cause. */
static struct node *child_of(struct thread *t, struct node *parent, uint32_t zone)
{
	struct node *n = parent->kid[zone & parent->kid_mask];
	int saved = errno;

	if (n->zone == zone)
		return n;
	if (known_zone(prof__process, zone)) {
		n = prof__node_child_of(t, parent, zone);
	} else { /* of a process before a fork, which had more of them */
		t->skip_cause = LOSS_ZONE_ROOM;
		n = NULL;
	}
	errno = saved;
	return n;
}

/* The nodes of the stack's zones, one in the other; how many have one.  What takes time is done before the task comes. */
static uint32_t find_nodes(struct thread *t, const Prof_stack *s, struct node *nodes[Prof_STACK_ZONES])
{
	struct node *parent = t->current;

	for (uint32_t i = 0; i < s->zones; i++) {
		nodes[i] = parent = child_of(t, parent, s->open[i].zone);
		if (!parent)
			return i;
	}
	return s->zones;
}

/* From zone i on none has a node. */
static void skip_from(struct thread *t, const Prof_stack *s, uint32_t i)
{
	lose(t->skip_cause, s->zones - i);
	for (; i < s->zones; i++)
		t->skip += 1 + s->open[i].unseen;
}

static void resume(struct thread *t, const Prof_stack *s)
{
	struct node *nodes[Prof_STACK_ZONES];
	int64_t at = NOT_YET;

	begin_change(t);
	add_unseen(t, s->unseen);
	uint32_t found = find_nodes(t, s, nodes);
	if (s->more && found == s->zones)
		t->skip_cause = (enum region_loss)s->cause;
	skip_from(t, s, found);
	t->skip += s->more;
	for (uint32_t i = 0; i < found; i++) {
		enter_one(t, nodes[i], s->open[i].ticks, &at);
		add_unseen(t, s->open[i].unseen);
	}
	end_change(t);
}

/* None of the thread's zones is recorded: nor are these, whose ends it has to find. */
static void resume_unrecorded(uint32_t *depth, enum region_loss cause, const Prof_stack *s)
{
	lose(cause, s->zones);
	*depth += held(s);
}

cold void prof__resume(Prof_stack *s)
{
	prof__timed_drop();
	if (!is_possible())
		return;
	struct process *p = prof__process;
	struct thread *t = prof__thread;
	if (!t && held(s)) {
		p = prof__running();
		t = p ? prof__thread_claim(p) : NULL;
	}
	s->thread = my_number();
	s->base = prof__open_zones(t);
	s->forks = prof__forks_untold;
	if (!held(s))
		return;
	if (t && !t->skip)
		resume(t, s);
	else if (t)
		resume_unrecorded(&t->skip, t->skip_cause, s);
	else if (p)
		resume_unrecorded(&prof__outsider.depth, prof__outsider.cause, s);
	else
		prof__too_early(held(s), s->zones);
	hold_nothing(s);
}
