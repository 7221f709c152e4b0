/* suspend.c: zones that leave a thread together, and are opened again on the thread that goes on.
 *
 *     thread 1   | worker              |            thread 2   | worker             |
 *                |   | update     |    |                       |   | update     |   |
 *                |   |   | path | |    |                       |   |   | path | |   |
 *                    ^           ^                                 ^
 *              Prof_Resume  Prof_Suspend                      Prof_Resume
 *
 * A Prof_stack is of one task: a fiber, a coroutine.  While the task runs, the stack knows what was open on the thread
 * before it (base_*), and holds nothing; of a new stack nothing was.  Suspend leaves all that is open behind that, one
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
 */
#include "libprof/transition.h"

#include <errno.h>

static_assert(sizeof(Prof_stack) == 512, "the layout is that of the first version");

static const char away; /* in place of a thread: the stack was suspended, and not resumed since */

static int64_t tick_now(struct thread *t, uint64_t *head)
{
	return prof__late(t, transition_clock(prof__process->clock != CLOCK_COUNTER), head);
}

/* ---- one zone */

/* Ends a stretch of the current node's call, which is not over: no call ended, so `longest` stays. */
static int64_t leave_one(struct thread *t)
{
	struct node *n = t->current, *parent = n->parent;
	uint64_t head = transition_begin(t->block);
	int64_t now = tick_now(t, &head), ticks = now - WORD_LOAD(n->shared->start);

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

static void enter_one(struct thread *t, struct node *n, int64_t ticks)
{
	struct node *parent = t->current;
	uint64_t head = transition_begin(t->block);
	int64_t now = tick_now(t, &head);

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

/* Why `more` are not recorded.  While the stack is away its base says nothing, so this stands there. */
static void set_cause(Prof_stack *s, enum region_loss cause)
{
	s->base_more = cause;
}

static enum region_loss cause_of(const Prof_stack *s)
{
	return (enum region_loss)s->base_more;
}

static void hold_nothing(Prof_stack *s)
{
	s->zones = s->unseen = s->more = 0;
}

static void lose(struct process *p, enum region_loss cause, uint32_t zones)
{
	if (zones)
		atomic_fetch_add_explicit(&p->shared->lost[cause], zones, memory_order_relaxed);
}

/* What of `now` is above the base; the base stays. */
static uint32_t take_above(uint32_t *now, uint32_t base)
{
	uint32_t above = *now > base ? *now - base : 0;

	*now -= above;
	return above;
}

static uint32_t take_unseen(struct thread *t, struct node *n, uint32_t base)
{
	uint32_t above = take_above(&n->skipped, base);

	t->skipped -= above;
	return above;
}

static void add_unseen(struct thread *t, uint32_t zones)
{
	t->current->skipped += zones;
	t->skipped += zones;
}

/* A child of a fork knows itself here.  GUARD_BUSY: a handler interrupted the library. */
static bool is_refused(struct thread *t)
{
	if (!t || (t->guard != GUARD_WIPED && t->guard != GUARD_BUSY))
		return false;
	if (t->guard == GUARD_WIPED)
		prof__forked();
	else
		loss(prof__process, LOSS_IN_HANDLER);
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
static void hold_one(struct thread *t, Prof_stack *s, uint32_t i)
{
	struct node *n = t->current;
	uint32_t unseen = take_unseen(t, n, 0);
	int64_t ticks = leave_one(t);

	if (i < Prof_STACK_ZONES) {
		s->open[i].zone = n->zone;
		s->open[i].unseen = unseen;
		s->open[i].ticks = ticks;
		s->zones += !s->zones ? i + 1 : 0;
		return;
	}
	loss(prof__process, LOSS_STACK_ROOM);
	set_cause(s, LOSS_STACK_ROOM);
	s->more += 1 + unseen;
}

static void suspend(struct thread *t, Prof_stack *s)
{
	begin_change(t);
	s->more = take_above(&t->skip, s->base_more);
	set_cause(s, t->skip_cause);
	while (t->current->depth > s->base_zones)
		hold_one(t, s, t->current->depth - s->base_zones - 1);
	if (t->current->depth == s->base_zones)
		s->unseen = take_unseen(t, t->current, s->base_unseen);
	end_change(t);
}

static bool is_misused(const Prof_stack *s)
{
	return s->thread && s->thread != &prof__outsider;
}

cold void prof__suspend(Prof_stack *s)
{
	struct thread *t = prof__thread;
	struct process *p = prof__process;

	prof__timed_drop();
	if (is_refused(t) || !p || !p->alive)
		return;
	if (is_misused(s)) {
		loss(p, LOSS_STACK_MISUSED);
		return;
	}
	if (t) {
		suspend(t, s);
	} else {
		s->more = take_above(&prof__outsider.depth, s->base_more);
		set_cause(s, prof__outsider.cause);
	}
	s->thread = &away;
}

/* ---- resume */

/* The node of a zone in the current one; NULL: skip_cause. */
static struct node *child_of(struct thread *t, uint32_t zone)
{
	struct node *parent = t->current, *n = parent->kid[zone & parent->kid_mask];
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

/* From zone i on none has a node. */
static void skip_from(struct thread *t, const Prof_stack *s, uint32_t i)
{
	lose(prof__process, t->skip_cause, s->zones - i);
	for (; i < s->zones; i++)
		t->skip += 1 + s->open[i].unseen;
}

static void resume(struct thread *t, const Prof_stack *s, enum region_loss cause)
{
	struct node *n;

	begin_change(t);
	add_unseen(t, s->unseen);
	for (uint32_t i = 0; i < s->zones; i++) {
		n = child_of(t, s->open[i].zone);
		if (!n) {
			skip_from(t, s, i);
			break;
		}
		enter_one(t, n, s->open[i].ticks);
		add_unseen(t, s->open[i].unseen);
	}
	if (s->more && !t->skip)
		t->skip_cause = cause;
	t->skip += s->more;
	end_change(t);
}

/* The thread has no block, or none of its zones is recorded: nor are these, whose ends it has to find. */
static void resume_unknown(struct process *p, uint32_t *depth, enum region_loss cause, const Prof_stack *s)
{
	lose(p, cause, s->zones);
	*depth += held(s);
}

static struct thread *thread_for(const Prof_stack *s)
{
	struct process *p;

	if (prof__thread || !held(s) || !(__atomic_load_n(&prof__on, __ATOMIC_RELAXED) & PROF_ON))
		return prof__thread;
	p = prof__running();
	return p ? prof__thread_claim(p) : NULL;
}

cold void prof__resume(Prof_stack *s)
{
	struct thread *t = prof__thread;
	enum region_loss cause = cause_of(s);
	struct process *p;

	prof__timed_drop();
	if (is_refused(t))
		return;
	t = thread_for(s);
	p = prof__process;
	s->thread = &prof__outsider;
	s->base_zones = t ? t->current->depth : 0;
	s->base_unseen = t ? t->current->skipped : 0;
	s->base_more = t ? t->skip : prof__outsider.depth;
	if (p && p->alive && held(s)) {
		if (!t)
			resume_unknown(p, &prof__outsider.depth, prof__outsider.cause, s);
		else if (t->skip)
			resume_unknown(p, &t->skip, t->skip_cause, s);
		else
			resume(t, s, cause);
	}
	hold_nothing(s);
}
