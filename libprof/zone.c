/* zone.c: enter and leave, the hot path.
 *
 * Two reads of the clock cost more than all of this; what is here is plain stores to memory that one
 * thread owns.  transition.h has what every transition begins and ends with.
 */
#include "libprof/transition.h"

static __thread uint32_t outside; /* depth of zones entered while this thread had no block */

static inline __attribute__((always_inline)) void add(region_tick *to, int64_t ticks)
{
	WORD_STORE(*to, WORD_LOAD(*to) + ticks);
}

static inline __attribute__((always_inline)) void enter(struct thread *t, Prof_zone *zone, bool calling)
{
	uint32_t id = __atomic_load_n(&zone->id, __ATOMIC_RELAXED);

	t->guard = GUARD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	struct node *parent = t->current, *n = parent->kid[id & 7];
	if (unlikely(parent->kid_zone[id & 7] != id)) {
		n = prof__node_child(t, parent, zone);
		if (!n) {
			t->skip = 1;
			t->guard = GUARD_SKIP;
			return;
		}
	}
	int64_t now = transition_begin(t, calling);
	touch(t, n);
	struct region_node *to = n->shared, *from = parent->shared;
	add(&from->self, now);
	add(&to->self, -now);
	WORD_STORE(to->count, WORD_LOAD(to->count) + 1);
	WORD_STORE(to->start, now);
	transition_end(t, n, now, EVENT_ENTER | (uint64_t)n->id << 8);
	atomic_signal_fence(memory_order_seq_cst);
	t->guard = guard_ready(calling);
}

static inline __attribute__((always_inline)) void leave(struct thread *t, bool calling)
{
	t->guard = GUARD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	struct node *n = t->current, *parent = n->parent;
	if (unlikely(!parent)) {
		loss(prof__process, LOSS_END_WITHOUT_BEGIN);
		t->guard = guard_ready(calling);
		return;
	}
	int64_t now = transition_begin(t, calling);
	touch(t, parent);
	struct region_node *from = n->shared, *to = parent->shared;
	add(&from->self, now);
	add(&to->self, -now);
	int64_t length = now - WORD_LOAD(from->start);
	if (unlikely(length > WORD_LOAD(from->longest)))
		WORD_STORE(from->longest, length);
	transition_end(t, parent, now, EVENT_LEAVE | (uint64_t)n->id << 8);
	atomic_signal_fence(memory_order_seq_cst);
	t->guard = guard_ready(calling);
}

/* A thread's first zone.  A thread that got no block gets one only where no zone is open. */
static struct thread *first_zone(struct process *p)
{
	struct thread *t = NULL;

	if (outside == 0)
		t = prof__thread_claim(p);
	else
		loss(p, LOSS_THREAD_ROOM);
	if (!t)
		outside++;
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
		if (outside)
			outside--;
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
