/* zone.c: enter and leave, the hot path.
 *
 * Two reads of the clock cost more than all of this; what is here is plain stores to memory that one
 * thread owns.  transition.h has what every transition begins and ends with.
 */
#include "libprof/transition.h"

#include <errno.h>

/* Between the clock and here nothing may fail: the transition is committed. */
inlined void enter_at(struct thread *t, struct region_thread *block, struct node *n, int64_t now, uint64_t head, enum guard ready)
{
	struct region_node *to = n->shared, *from = t->current->shared;

	WORD_STORE(block->last, now);
	touch(t, n);
	word_add(&from->self, now);
	word_subtract(&to->self, now);
	word_count(&to->count);
	WORD_STORE(to->start, now);
	transition_record(t, block, n, now, EVENT_ENTER | (uint64_t)n->id << 8, head, ready);
}

inlined void leave_at(struct thread *t, struct region_thread *block, int64_t now, uint64_t head, enum guard ready)
{
	struct node *n = t->current, *parent = n->parent;
	struct region_node *from = n->shared, *to = parent->shared;

	WORD_STORE(block->last, now);
	touch(t, parent);
	word_add(&from->self, now);
	word_subtract(&to->self, now);
	int64_t length = now - OWN(from->start);
	if (unlikely(length > OWN(from->longest)))
		WORD_STORE(from->longest, length);
	transition_record(t, block, parent, now, EVENT_LEAVE | (uint64_t)n->id << 8, head, ready);
}

/* The tick to go on with when a mark was set since, or the clock went back. */
static int64_t late(struct thread *t)
{
	if (WORD_LOAD(*t->epoch_word) != t->epoch)
		return prof__flush(t);
	loss(prof__process, LOSS_CLOCK_BACK);
	return WORD_LOAD(t->block->last);
}

static cold void enter_late(struct thread *t, struct node *n, uint64_t head, enum guard ready)
{
	enter_at(t, t->block, n, late(t), head, ready);
}

static cold void leave_late(struct thread *t, uint64_t head, enum guard ready)
{
	leave_at(t, t->block, late(t), head, ready);
}

inlined bool is_late(const struct thread *t, const struct region_thread *block, int64_t now)
{
	return unlikely(WORD_LOAD(*t->epoch_word) != t->epoch) || unlikely(now < OWN(block->last));
}

static cold void enter_new(struct thread *t, Prof_zone *zone, bool calling);

inlined void enter(struct thread *t, Prof_zone *zone, bool calling)
{
	uint32_t id = __atomic_load_n(&zone->id, __ATOMIC_RELAXED);

	t->guard = GUARD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	struct node *n = t->current->kid[id & 7];
	if (unlikely(t->current->kid_zone[id & 7] != id)) {
		enter_new(t, zone, calling);
		return;
	}
	struct region_thread *block = t->block;
	uint64_t head = transition_begin(block);
	int64_t now = transition_clock(calling);
	if (is_late(t, block, now))
		enter_late(t, n, head, guard_ready(calling));
	else
		enter_at(t, block, n, now, head, guard_ready(calling));
}

/* The child is not in its parent's cache; afterwards it is. */
static cold void enter_new(struct thread *t, Prof_zone *zone, bool calling)
{
	int saved = errno;
	struct node *n = prof__node_child(t, t->current, zone);

	errno = saved;
	if (n) {
		if (calling)
			enter(t, zone, true);
		else
			enter(t, zone, false);
		return;
	}
	loss(prof__process, t->skip_cause);
	t->skip = 1;
	atomic_signal_fence(memory_order_seq_cst); /* a handler must not find the one without the other */
	t->guard = GUARD_SKIP;
}

inlined void leave(struct thread *t, bool calling)
{
	t->guard = GUARD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	if (unlikely(!t->current->parent)) {
		loss(prof__process, LOSS_END_WITHOUT_BEGIN);
		t->guard = guard_ready(calling);
		return;
	}
	struct region_thread *block = t->block;
	uint64_t head = transition_begin(block);
	int64_t now = transition_clock(calling);
	if (is_late(t, block, now))
		leave_late(t, head, guard_ready(calling));
	else
		leave_at(t, block, now, head, guard_ready(calling));
}

static struct thread *first_zone(struct process *p)
{
	struct thread *t = prof__thread_claim(p);

	if (!t) {
		loss(p, prof__outsider.cause);
		prof__outsider.depth++;
	}
	return t;
}

static cold void enter_cold(struct thread *t, Prof_zone *zone)
{
	struct process *p;

	if (t && t->guard == GUARD_WIPED) {
		prof__forked();
		t = NULL;
	}
	if (!t) {
		p = prof__running();
		t = p ? first_zone(p) : NULL;
		if (!t)
			return;
	}
	switch (t->guard) {
	case GUARD_READY:
		enter(t, zone, false);
		break;
	case GUARD_CALLING:
		enter(t, zone, true);
		break;
	case GUARD_SKIP:
		t->skip++;
		loss(prof__process, t->skip_cause);
		break;
	default:
		loss(prof__process, LOSS_IN_HANDLER);
	}
}

static cold void leave_cold(struct thread *t)
{
	if (t && t->guard == GUARD_WIPED) {
		prof__forked();
		return;
	}
	if (!t) {
		struct process *p = prof__process;
		if (prof__outsider.depth)
			prof__outsider.depth--;
		else if (p && p->alive)
			loss(p, LOSS_END_WITHOUT_BEGIN);
		return;
	}
	switch (t->guard) {
	case GUARD_CALLING:
		leave(t, true);
		break;
	case GUARD_SKIP:
		if (--t->skip == 0)
			t->guard = guard_ready(prof__process->clock != CLOCK_COUNTER);
		break;
	default: /* GUARD_BUSY: the other half of a pair dropped in a handler */
		break;
	}
}

/* The same of a thread that is not the caller's. */
void prof__enter_of(struct thread *t, Prof_zone *zone)
{
	if (unlikely(t->guard != GUARD_READY))
		enter_cold(t, zone);
	else
		enter(t, zone, false);
}

void prof__leave_of(struct thread *t)
{
	if (unlikely(t->guard != GUARD_READY))
		leave_cold(t);
	else
		leave(t, false);
}

void prof__enter(Prof_zone *zone)
{
	struct thread *t = prof__thread;

	if (unlikely(!t || t->guard != GUARD_READY)) {
		enter_cold(t, zone);
		return;
	}
	enter(t, zone, false);
}

void prof__leave(void)
{
	struct thread *t = prof__thread;

	if (unlikely(!t || t->guard != GUARD_READY)) {
		leave_cold(t);
		return;
	}
	leave(t, false);
}
