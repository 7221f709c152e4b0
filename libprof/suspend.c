/* suspend.c: zones that leave a thread together, and are opened again on the thread that goes on.
 *
 *     thread 1   | worker              |            thread 2   | worker             |
 *                |   | update     |    |                       |   | update     |   |
 *                |   |   | path | |    |                       |   |   | path | |   |
 *                    ^           ^                                 ^
 *              Prof_Resume  Prof_Suspend                      Prof_Resume
 *
 * A Prof_stack is of one task: a fiber, a coroutine.  While the task runs, the stack knows how many zones were open on the
 * thread before it (base), and holds nothing; of a new stack none was.  Suspend leaves all that is open behind that, from
 * the innermost out, and the stack holds it: the ids of the zones, and how long their calls have run so far.  Resume opens
 * it on the calling thread, in the order in which it was entered.
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

/* ---- the transition
 *
 * All of a task's zones leave, or come, in one: it is several words of the log (shm/event.h), which are published together,
 * and all have one tick.  So a mark is before all of it or behind, and of the nodes only the innermost one and the one that
 * is the thread's own change their sums. */

struct transition {
	int64_t now;
	uint64_t head;   /* the next event's number */
	bool has_filled; /* a chunk */
};

static int64_t read_clock(void)
{
	return transition_clock(prof__process->clock != CLOCK_COUNTER);
}

/* `head`: as of a transition of one word. */
static struct transition begin_zones(struct thread *t, uint32_t zones, int64_t now, uint64_t head)
{
	WORD_STORE(t->block->intent, head - 1 + zones);
	WORD_STORE(t->block->last, now);
	return (struct transition){ now, head - 1, false };
}

static void put_event(struct thread *t, struct transition *m, uint64_t what)
{
	__builtin_prefetch(t->event + 32);
	WORD_STORE(*t->event, event_word(m->now, what));
	m->head++;
	if (++t->event == t->event_end) {
		prof__events_open(t, m->head, m->now);
		m->has_filled = true;
	}
}

static void end_zones(struct thread *t, const struct transition *m, struct node *n)
{
	t->current = n;
	WORD_STORE(t->block->current, n->id);
	if (m->has_filled)
		prof__part_pieces(t);
	transition_end(t, t->block, m->head, GUARD_BUSY);
}

/* ---- what a stack holds */

static uint32_t held_zones(const Prof_stack *s)
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

static void lose_zones(enum region_loss cause, uint32_t zones)
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
static uint32_t take_skipped(uint32_t *from, uint32_t *left)
{
	uint32_t taken = *from < *left ? *from : *left;

	*from -= taken;
	*left -= taken;
	return taken;
}

static uint32_t take_unseen(struct thread *t, struct node *n, uint32_t *left)
{
	uint32_t taken = take_skipped(&n->skipped, left);

	t->skipped -= taken;
	return taken;
}

static void add_unseen(struct thread *t, struct node *n, uint32_t zones)
{
	n->skipped += zones;
	t->skipped += zones;
}

/* A child of a fork knows itself here.  GUARD_BUSY: a handler interrupted the library. */
static bool is_possible(void)
{
	const struct thread *t = prof__thread;

	if (!(__atomic_load_n(&prof__on, __ATOMIC_RELAXED) & PROF_ON))
		return false;
	if (t && t->guard == GUARD_BUSY) {
		lose_zones(LOSS_IN_HANDLER, 1);
		prof__lossy(prof__thread);
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
	if (t->skip || t->lossy == UINT64_MAX)
		prof__lossy(t);
	atomic_signal_fence(memory_order_seq_cst);
	t->guard = t->skip ? GUARD_SKIP : prof__ready(t);
}

/* ---- suspend */

/* The node of the i-th of the task's zones, from the outermost; its call is not over. */
static void hold_one(struct thread *t, Prof_stack *s, uint32_t i, struct node *n, int64_t now, uint32_t *left)
{
	uint32_t unseen = take_unseen(t, n, left);

	--*left;
	if (i < Prof_STACK_ZONES) {
		s->open[i].zone = n->zone;
		s->open[i].unseen = unseen;
		s->open[i].ticks = now - WORD_LOAD(n->shared->start);
		s->zones += !s->zones ? i + 1 : 0;
		return;
	}
	loss_add(prof__process, LOSS_STACK_ROOM);
	s->cause = LOSS_STACK_ROOM;
	s->more += 1 + unseen;
}

/* The tick at which the task leaves: what a part takes that has to be written first is none of its time.  Where the clock
 * was read before the boundary it is the first tick behind that. */
static int64_t tick_of_leave(struct thread *t, int64_t now, uint64_t *head)
{
	int64_t before = WORD_LOAD(t->block->last);

	if (WORD_LOAD(*t->epoch_word) != t->epoch) {
		int64_t behind = prof__flush(t);
		now = max_tick(now, WORD_LOAD(t->block->last) + 1);
		if (now < behind)
			push_clock(t, now, behind);
		else
			now = behind;
	} else {
		check_clock(t, now);
		now = max_tick(now, before);
	}
	*head = prof__events_reach(t, *head, before, now, EVENT_TICK_BITS);
	return now;
}

/* The zones from the i-th to the current one, which is the one before `end`. */
static void leave_zones(struct thread *t, Prof_stack *s, uint32_t first, uint32_t end, uint32_t *left, int64_t now)
{
	struct node *inner = t->current, *n = inner;
	uint64_t head = transition_begin(t->block);

	now = tick_of_leave(t, now, &head);
	struct transition m = begin_zones(t, end - first, now, head);
	for (uint32_t i = end; i-- > first; n = n->parent) {
		touch_node(t, n); /* it is no longer open, where part.c would find it */
		hold_one(t, s, i, n, now, left);
		put_event(t, &m, EVENT_SUSPEND | n->what);
	}
	touch_node(t, n);
	word_add(&inner->shared->self, now);
	word_subtract(&n->shared->self, now);
	end_zones(t, &m, n);
}

/* How many of the innermost `left` zones have nodes. */
static uint32_t count_nodes(const struct thread *t, uint32_t left)
{
	uint32_t count = 0;

	for (const struct node *n = t->current; n->parent && n->skipped < left; n = n->parent) {
		left -= n->skipped + 1;
		count++;
	}
	return count;
}

/* Zones that do not go with the task leave first, so that no transition has more words than a stack has zones. */
static uint32_t at_once(uint32_t zones)
{
	uint32_t too_many = zones > Prof_STACK_ZONES ? zones - Prof_STACK_ZONES : zones;

	return too_many < Prof_STACK_ZONES ? too_many : Prof_STACK_ZONES;
}

static void suspend_zones(struct thread *t, Prof_stack *s, uint32_t *left)
{
	begin_change(t);
	int64_t now = read_clock();
	s->more = take_skipped(&t->skip, left);
	s->cause = t->skip_cause;
	for (uint32_t end = count_nodes(t, *left); end;) {
		uint32_t first = end - at_once(end);
		leave_zones(t, s, first, end, left, now);
		if ((end = first))
			now = read_clock();
	}
	s->unseen = take_unseen(t, t->current, left);
	end_change(t);
}

/* The number of the calling thread.  An address would not do: a later thread can have its variables at the same
 * address. */
static uint64_t my_number(void)
{
	static _Atomic uint64_t newest = prof__AWAY;

	if (!prof__outsider.number)
		prof__outsider.number = 1 + atomic_fetch_add_explicit(&newest, 1, memory_order_relaxed);
	return prof__outsider.number;
}

/* Values that only a stack has that was never initialised. */
static bool is_junk(const Prof_stack *s)
{
	return s->zones > Prof_STACK_ZONES || s->cause >= LOSS_CAUSES;
}

static bool is_misused(const Prof_stack *s)
{
	return is_junk(s) || (s->thread && s->thread != my_number());
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
			loss_add(prof__process, LOSS_STACK_MISUSED);
		return;
	}
	if (t) {
		suspend_zones(t, s, &left);
	} else {
		s->more = take_skipped(&prof__outsider.depth, &left);
		s->cause = prof__outsider.cause;
	}
	s->unseen += take_skipped(&prof__outsider.open, &left);
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
	lose_zones(t->skip_cause, s->zones - i);
	for (; i < s->zones; i++)
		t->skip += 1 + s->open[i].unseen;
}

/* Above the node that is resumed list_open of part.c does not look. */
static void touch_open(struct thread *t)
{
	struct node *n = t->current;

	touch_node(t, n);
	for (; n->parent && WORD_LOAD(n->shared->start) >= t->bound; n = n->parent)
		touch_node(t, n);
}

/* The clock is read when all is at hand that can be, as what comes behind it is in the innermost zone. */
static void enter_zones(struct thread *t, const Prof_stack *s, struct node *const nodes[], uint32_t zones)
{
	struct node *outer = t->current, *inner = nodes[zones - 1];

	touch_open(t);
	for (uint32_t i = 0; i < zones; i++) {
		own_soon(nodes[i]->shared);
		add_unseen(t, nodes[i], s->open[i].unseen);
	}
	uint64_t head = transition_begin(t->block);
	int64_t now = prof__late(t, read_clock(), &head);
	struct transition m = begin_zones(t, zones, now, head);
	touch_node(t, inner);
	word_add(&outer->shared->self, now);
	word_subtract(&inner->shared->self, now);
	for (uint32_t i = 0; i < zones; i++) {
		WORD_STORE(nodes[i]->shared->start, now - s->open[i].ticks);
		put_event(t, &m, EVENT_RESUME | nodes[i]->what);
	}
	end_zones(t, &m, inner);
}

static void resume_zones(struct thread *t, const Prof_stack *s)
{
	struct node *nodes[Prof_STACK_ZONES];

	begin_change(t);
	add_unseen(t, t->current, s->unseen);
	uint32_t found = find_nodes(t, s, nodes);
	if (s->more && found == s->zones)
		t->skip_cause = (enum region_loss)s->cause;
	skip_from(t, s, found);
	t->skip += s->more;
	if (found)
		enter_zones(t, s, nodes, found);
	end_change(t);
}

/* The thread's zones are not recorded, nor are these. Their ends have to be recognised. */
static void resume_unrecorded(uint32_t *depth, enum region_loss cause, const Prof_stack *s)
{
	lose_zones(cause, s->zones);
	if (!prof__thread && !prof__switched_off())
		atomic_fetch_add_explicit(&prof__process->shared->unplaced, s->zones, memory_order_relaxed);
	*depth += held_zones(s);
}

cold void prof__resume(Prof_stack *s)
{
	prof__timed_drop();
	if (!is_possible())
		return;
	struct process *p = prof__process;
	struct thread *t = prof__thread;
	if (is_junk(s)) {
		*s = (Prof_stack)Prof_STACK;
		if (p)
			loss_add(p, LOSS_STACK_MISUSED);
	}
	if (!t && held_zones(s)) {
		p = prof__running();
		t = p ? prof__thread_claim(p) : NULL;
	}
	s->thread = my_number();
	s->base = prof__open_zones(t);
	s->forks = prof__forks_untold;
	if (!held_zones(s))
		return;
	if (t && !t->skip)
		resume_zones(t, s);
	else if (t)
		resume_unrecorded(&t->skip, t->skip_cause, s);
	else if (p)
		resume_unrecorded(&prof__outsider.depth, prof__outsider.cause, s);
	else
		prof__too_early(held_zones(s), s->zones);
	hold_nothing(s);
}
