/* zone.c: enter and leave, the hot path.
 *
 * Two reads of the clock cost more than all of this; what is here is plain stores to memory that one
 * thread owns.  transition.h has what every transition begins and ends with.
 */
#include "libprof/transition.h"

#include <errno.h>

/* Between the clock and here nothing may fail: the transition is committed. */
inlined void enter_at(struct thread *t, struct region_thread *block, struct node *parent, struct node *n, int64_t now,
                      uint64_t head, enum guard ready)
{
	struct region_node *to = n->shared, *from = parent->shared;

	__builtin_prefetch(t->event + 32); /* the log is larger than the caches.  Not own_soon: it may be another's */
	WORD_STORE(block->last, now);
	word_add(&from->self, now);
	word_subtract(&to->self, now);
	word_count(&to->count);
	WORD_STORE(to->start, now);
	transition_record(t, block, n, event_word(now, EVENT_ENTER | n->what), head, ready);
}

/* The longest call of the part so far, its first among them. */
static cold void leave_longest(struct thread *t, struct node *n, int64_t now, uint64_t head, enum guard ready)
{
	WORD_STORE(n->shared->longest, now - WORD_LOAD(n->shared->start));
	touch_node(t, n);
	touch_node(t, n->parent);
	transition_record(t, t->block, n->parent, event_word(now, EVENT_LEAVE | n->what), head, ready);
}

inlined void leave_at(struct thread *t, struct region_thread *block, struct node *n, struct node *parent, int64_t now,
                      uint64_t head, enum guard ready)
{
	struct region_node *from = n->shared, *to = parent->shared;

	WORD_STORE(block->last, now);
	word_add(&from->self, now);
	word_subtract(&to->self, now);
	if (unlikely(now - OWN(from->start) > OWN(from->longest)))
		leave_longest(t, n, now, head, ready);
	else
		transition_record(t, block, parent, event_word(now, EVENT_LEAVE | n->what), head, ready);
}

int64_t prof__late(struct thread *t, int64_t now, uint64_t *head)
{
	int64_t before = WORD_LOAD(t->block->last);

	if (WORD_LOAD(*t->epoch_word) != t->epoch) {
		now = prof__flush(t); /* which reads the clock anew */
	} else {
		check_clock(t, now);
		now = max_tick(now, before);
	}
	*head = prof__events_reach(t, *head, before, now, EVENT_TICK_BITS);
	return now;
}

static cold void enter_late(struct thread *t, struct node *n, int64_t now, uint64_t head, enum guard ready)
{
	now = prof__late(t, now, &head);
	enter_at(t, t->block, n->parent, n, now, head, ready);
}

static cold void leave_late(struct thread *t, struct node *n, int64_t now, uint64_t head, enum guard ready)
{
	now = prof__late(t, now, &head);
	leave_at(t, t->block, n, n->parent, now, head, ready);
}

/* True if a new epoch has begun, or if the event's bits do not reach from the last tick to `now`. A tick before
 * the last one does not fit either. */
inlined bool is_late(const struct thread *t, const struct region_thread *block, int64_t now)
{
	return unlikely(WORD_LOAD(*t->epoch_word) != t->epoch) ||
	       unlikely(!event_reaches(OWN(block->last), now, EVENT_TICK_BITS));
}

/* Whether the clock must be called.  A constant where it matters. */
inlined bool is_calling(enum guard ready)
{
	return ready == GUARD_CALLING || (ready == GUARD_WATCHED && prof__process->clock != CLOCK_COUNTER);
}

inlined void enter_node(struct thread *t, struct node *parent, struct node *n, enum guard ready)
{
	struct region_thread *block = t->block;
	uint64_t head = transition_begin(block);
	int64_t now = transition_clock(is_calling(ready));

	if (is_late(t, block, now))
		enter_late(t, n, now, head, ready);
	else
		enter_at(t, block, parent, n, now, head, ready);
}

/* A signal handler between two of these stores can only widen the range. */
cold void prof__lossy(struct thread *t)
{
	uint64_t running = WORD_LOAD(*t->epoch_word);

	if (t->lossy < t->epoch) /* what was lost before is published */
		WORD_STORE(t->block->lossy_first, running);
	t->lossy = t->skip ? UINT64_MAX : running;
	WORD_RELEASE(t->block->lossy_last, t->lossy);
}

/* The child is not in its parent's cache; afterwards it is, if there was memory for one. */
static cold void enter_new(struct thread *t, Prof_zone *zone, enum guard ready)
{
	int saved = errno;
	struct node *n = prof__node_child(t, t->current, zone);

	errno = saved;
	if (n) {
		if (ready == GUARD_READY)
			enter_node(t, n->parent, n, GUARD_READY);
		else
			enter_node(t, n->parent, n, ready);
		return;
	}
	loss_add(prof__process, t->skip_cause);
	t->skip = 1;
	prof__lossy(t);
	atomic_signal_fence(memory_order_seq_cst); /* a handler must not find the one without the other */
	t->guard = GUARD_SKIP;
}

inlined void enter(struct thread *t, Prof_zone *zone, enum guard ready)
{
	uint32_t id = __atomic_load_n(&zone->id, __ATOMIC_RELAXED);

	t->guard = GUARD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	struct node *parent = t->current, *n = parent->kid[id & parent->kid_mask];
	if (unlikely(n->zone != id))
		enter_new(t, zone, ready);
	else
		enter_node(t, parent, n, ready);
}

/* No zone is open that is known. */
static cold void leave_outermost(void)
{
	if (prof__outsider.open)
		prof__outsider.open--;
	else if (prof__process && prof__process->alive)
		loss_add(prof__process, LOSS_END_WITHOUT_BEGIN);
}

inlined void leave(struct thread *t, enum guard ready)
{
	t->guard = GUARD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	struct node *n = t->current, *parent = n->parent;
	if (unlikely(!parent)) {
		leave_outermost();
		t->guard = ready;
		return;
	}
	struct region_thread *block = t->block;
	uint64_t head = transition_begin(block);
	int64_t now = transition_clock(is_calling(ready));
	if (is_late(t, block, now))
		leave_late(t, n, now, head, ready);
	else
		leave_at(t, block, n, parent, now, head, ready);
}

/* ---- what is rare */

enum guard prof__ready(const struct thread *t)
{
	if (t->skipped || prof__timed_open() || atomic_load_explicit(&prof__timer_due, memory_order_relaxed))
		return GUARD_WATCHED;
	return guard_ready(prof__process->clock != CLOCK_COUNTER);
}

/* Recording is off.  What is entered now is known by the node that it is entered in, so zones inside of it
 * are recorded when recording is on again before it ends.  A handler that comes between two of these stores
 * leaves everything as it found it. */
static cold void enter_off(struct thread *t)
{
	t->current->skipped++;
	atomic_signal_fence(memory_order_seq_cst);
	t->skipped++;
	atomic_signal_fence(memory_order_seq_cst);
	t->guard = GUARD_WATCHED;
}

/* Slower than READY, and only while something is open that has to be looked for. */
static void leave_watched(struct thread *t)
{
	struct node *n = t->current;

	if (!n->skipped) {
		leave(t, prof__ready(t));
		return;
	}
	n->skipped--;
	atomic_signal_fence(memory_order_seq_cst);
	t->skipped--;
	atomic_signal_fence(memory_order_seq_cst);
	t->guard = prof__ready(t);
}

static struct thread *first_zone(struct process *p)
{
	struct thread *t = prof__thread_claim(p);

	if (!t) {
		if (WORD_LOAD(p->shared->enabled))
			loss_unplaced(p, prof__outsider.cause, 1);
		prof__outsider.depth++;
	}
	return t;
}

static void enter_ready(struct thread *t, Prof_zone *zone, enum guard ready)
{
	if (is_off(t))
		enter_off(t);
	else
		enter(t, zone, ready);
}

static cold void enter_cold(struct thread *t, Prof_zone *zone)
{
	struct process *p;

	prof__timed_enter();
	if (atomic_load_explicit(&prof__timer_due, memory_order_relaxed)) {
		prof__timer_late();
		t = prof__thread; /* a handler that waited for it may have forked */
	}
	if (t && t->guard == GUARD_WIPED) {
		prof__forked();
		t = NULL;
	}
	if (!t) {
		p = __atomic_load_n(&prof__on, __ATOMIC_RELAXED) & PROF_ON ? prof__running() : NULL;
		t = p ? first_zone(p) : NULL;
		if (!p)
			prof__too_early(1, 1);
		if (!t)
			return;
	}
	switch (t->guard) {
	case GUARD_READY:
	case GUARD_CALLING:
	case GUARD_WATCHED:
		enter_ready(t, zone, t->guard);
		break;
	case GUARD_SKIP:
		t->skip++;
		if (!is_off(t))
			loss_add(prof__process, t->skip_cause);
		break;
	default:
		if (!is_off(t)) {
			loss_add(prof__process, LOSS_IN_HANDLER);
			prof__lossy(t);
		}
	}
}

static void leave_outside(void)
{
	if (!(__atomic_load_n(&prof__on, __ATOMIC_RELAXED) & PROF_ON))
		return;
	if (prof__outsider.depth)
		prof__outsider.depth--;
	else
		leave_outermost();
}

static void leave_inside(struct thread *t)
{
	switch (t->guard) {
	case GUARD_WIPED:
		prof__forked();
		break;
	case GUARD_CALLING:
		leave(t, GUARD_CALLING);
		break;
	case GUARD_WATCHED:
		leave_watched(t);
		break;
	case GUARD_SKIP:
		if (--t->skip == 0) {
			prof__lossy(t);
			t->guard = prof__ready(t);
		}
		break;
	default: /* GUARD_BUSY: the other half of a pair dropped in a handler */
		break;
	}
}

static cold void leave_cold(struct thread *t)
{
	struct timed ended = prof__timed_leave();

	if (t)
		leave_inside(t);
	else
		leave_outside();
	if (ended.zone)
		prof__timed_tell(&ended);
}

/* The same of a thread that is not the caller's. */
void prof__enter_of(struct thread *t, Prof_zone *zone)
{
	if (unlikely(t->guard != GUARD_READY))
		enter_cold(t, zone);
	else
		enter(t, zone, GUARD_READY);
}

void prof__leave_of(struct thread *t)
{
	if (unlikely(t->guard != GUARD_READY))
		leave_cold(t);
	else
		leave(t, GUARD_READY);
}

void prof__enter(Prof_zone *zone)
{
	struct thread *t = prof__thread;

	if (unlikely(!t || t->guard != __atomic_load_n(&prof__recording, __ATOMIC_RELAXED))) {
		enter_cold(t, zone);
		return;
	}
	enter(t, zone, GUARD_READY);
}

void prof__leave(void)
{
	struct thread *t = prof__thread;

	if (unlikely(!t || t->guard != GUARD_READY)) {
		leave_cold(t);
		return;
	}
	leave(t, GUARD_READY);
}

/* The leave of a mark's own zone.  The interval is over, so its part comes first, and the clock is read behind it
 * alone. */
void prof__leave_marked(void)
{
	struct thread *t = prof__thread;

	if (unlikely(!t || t->guard != GUARD_READY || !t->current->parent || WORD_LOAD(*t->epoch_word) == t->epoch)) {
		prof__leave();
		return;
	}
	t->guard = GUARD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	uint64_t head = transition_begin(t->block);
	int64_t before = WORD_LOAD(t->block->last), now = prof__flush(t);
	head = prof__events_reach(t, head, before, now, EVENT_TICK_BITS);
	leave_at(t, t->block, t->current, t->current->parent, now, head, GUARD_READY);
}
