/* frame.c: the mark that ends an interval.
 *
 *   fence(release); info, number, name, T(n) = UNDECIDED|n (relaxed); exchange(epoch, n+1); T by compare-and-swap
 *
 * The release fence keeps the words of interval n out of the sight of readers that still take the element
 * for interval n - count: they look at the epoch after an acquire fence.  The exchange publishes all of it.
 * T is decided after the epoch, and by whoever comes first, so a marker that loses its core in the middle
 * delays nobody and no thread's boundary slips.  One marker at a time: another is a counted drop.
 */
#include "libprof/libprof_inside.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static Prof_zone update_zone = prof__ZONE("Prof_update", "", 0);
static Prof_zone bounds_zone = prof__ZONE("Prof_Frame", "", 0);

/* ---- summaries that outlive the ring */

static int64_t length_of_worst(const struct process *p, int slot)
{
	return atomic_load_explicit(&p->worst_length[slot], memory_order_relaxed);
}

static int least_worst(const struct process *p)
{
	int least = 0;

	for (int i = 1; i < REGION_WORST_FRAMES; i++)
		if (length_of_worst(p, i) < length_of_worst(p, least))
			least = i;
	return least;
}

static cold void store_worst(struct process *p, int slot, uint64_t interval, int64_t start, int64_t end)
{
	struct region_worst *w = &p->worst[slot];
	struct region_frame *f = &p->frames[interval & p->frame_mask];

	atomic_store_explicit(&p->worst_length[slot], end - start, memory_order_relaxed);
	seq_write_begin(&w->seq);
	WORD_STORE(w->interval, interval);
	WORD_STORE(w->start, start);
	WORD_STORE(w->end, end);
	WORD_STORE(w->number, WORD_LOAD(f->number));
	WORD_STORE(w->info, WORD_LOAD(f->info));
	WORD_STORE(w->name, WORD_LOAD(f->name));
	seq_write_end(&w->seq);
	p->worst_least = least_worst(p);
	WORD_STORE(p->shared->worst_floor, (uint64_t)length_of_worst(p, p->worst_least));
}

static void publish_group(struct process *p, unsigned level, uint64_t group, const struct longest *longest)
{
	struct region_group *g = &p->history[level * p->history_slots + group % p->history_slots];

	if (!prof__room(p, REGION_HISTORY, (group % p->history_slots + 1) * sizeof *g))
		return;
	WORD_STORE(g->seq, 2 * group + 1);
	atomic_thread_fence(memory_order_release); /* as seq_write_begin */
	WORD_STORE(g->first, longest->first);
	WORD_STORE(g->start, longest->start);
	WORD_STORE(g->length, longest->length);
	WORD_STORE(g->interval, longest->interval);
	WORD_STORE(g->number, longest->number);
	WORD_STORE(g->info, longest->info);
	WORD_STORE(g->name, longest->name);
	WORD_RELEASE(g->seq, 2 * (group + 1));
}

static void take_longer(struct longest *group, const struct longest *one)
{
	int64_t first = group->interval ? group->first : one->first;

	if (!group->interval || one->length > group->length)
		*group = *one;
	group->first = first;
}

/* The groups that end with this interval are published, and each goes up a level. */
static cold void groups_over(struct process *p, uint64_t interval)
{
	for (unsigned level = 0; level < REGION_HOURS; level++) {
		struct longest *group = &p->group[level];

		if ((interval + 1) & ((1ull << HISTORY_SHIFT(level)) - 1))
			return;
		publish_group(p, level, interval >> HISTORY_SHIFT(level), group);
		if (level + 1 < REGION_HOURS)
			take_longer(&p->group[level + 1], group);
		group->interval = 0;
	}
}

/* Adds an interval to its group of 64.  What is no frame has no length. */
static void add_history(struct process *p, uint64_t interval, int64_t start, int64_t length)
{
	struct region_frame *f = &p->frames[interval & p->frame_mask];
	struct longest *group = &p->group[0];

	if (unlikely(!group->interval || length > group->length))
		*group = (struct longest){ group->interval ? group->first : start, start, length, interval,
			                   WORD_LOAD(f->number), WORD_LOAD(f->info), WORD_LOAD(f->name) };
	if (unlikely(!((interval + 1) & ((1ull << HISTORY_SHIFT(0)) - 1))))
		groups_over(p, interval);
}

/* Computes in integers, as the program's floating-point environment may have
 * traps. Returns 0 if the time is too short to tell. */
static uint64_t ticks_per_s(uint64_t ticks, uint64_t ns)
{
	while (ns >> 28 || ticks >> 33) { /* the product must fit */
		ns >>= 1;
		ticks >>= 1;
	}
	return ns ? ticks * 1000000000 / ns : 0;
}

int64_t prof__rate(const struct process *p, const struct region_instant *now)
{
	int64_t ticks = (int64_t)(now->ticks - p->header->created.ticks);

	if (now->raw_ns <= p->header->created.raw_ns + RATE_AFTER_NS || ticks <= 0) /* too short, or the clock went back */
		return 0;
	return (int64_t)ticks_per_s((uint64_t)ticks, now->raw_ns - p->header->created.raw_ns);
}

void prof__instant_renew(struct process *p)
{
	struct region_instant now = clock_instant(p->clock);

	seq_write_begin(&p->shared->instant_seq);
	WORD_STORE(p->shared->latest[0], now.ticks);
	WORD_STORE(p->shared->latest[1], now.raw_ns);
	WORD_STORE(p->shared->latest[2], now.real_ns);
	seq_write_end(&p->shared->instant_seq);
	int64_t rate = prof__rate(p, &now);
	if (rate) {
		p->instant_step = rate;
		atomic_store_explicit(&p->rate, rate, memory_order_relaxed);
	}
	p->instant_due = (int64_t)now.ticks + p->instant_step;
}

/* ---- the mark */

#define MARKS_DEEPER 32 /* one deeper than the other, and none that is less deep: a program that leaves its zones open */

static struct marks *marks_at(struct thread *t, uintptr_t at, uint32_t depth)
{
	for (unsigned i = 0; i < MARK_PLACES; i++)
		if (t->marks[i].at == at)
			return &t->marks[i];
	struct marks *m = &t->marks[t->next_marks++ % MARK_PLACES];
	*m = (struct marks){ at, depth, depth, 0 };
	return m;
}

/* A handler's stack says nothing of how deep in calls the program is. */
static bool on_signal_stack(void)
{
	int saved = errno;
	stack_t stack;
	bool on = sigaltstack(NULL, &stack) != 0 || stack.ss_flags & SS_ONSTACK;

	errno = saved;
	return on;
}

/* The innermost zone but the mark's own; 0: it is not known, as what is not recorded is open. */
static uint32_t left_open(const struct thread *t)
{
	if (t->skipped || t->skip)
		return 0;
	return t->current->parent ? t->current->parent->zone : t->current->zone;
}

/* A mark deeper in zones than the one that came from the same place, as deep in calls: somebody jumped over an end, or forgot
 * it.  From another place, or further down in a recursion, zones may be open in good order.  Returns how many of them are to be
 * left behind the mark: where each frame leaves some open, the thread would soon be too deep for anything. */
static uint32_t check_depth(struct process *p, uintptr_t at)
{
	struct thread *t = prof__thread;

	if (!t || t->guard == GUARD_BUSY)
		return 0;
	uint32_t depth = t->current->depth + t->skipped + t->skip; /* what is not recorded is open, too */
	struct marks *m = marks_at(t, at, depth);
	if (depth > m->depth) {
		loss_add(p, LOSS_LEFT_OPEN);
		WORD_STORE(p->shared->left_open, left_open(t));
		if (!m->deeper++)
			m->base = m->depth;
	} else if (depth < m->depth) {
		m->deeper = 0;
	}
	m->depth = depth;
	if (m->deeper < MARKS_DEEPER || on_signal_stack())
		return 0;
	m->deeper = 0;
	m->depth = m->base;
	return depth - m->base;
}

static int64_t decide_interval(struct process *p, struct region_frame *frame, uint64_t interval)
{
	uint64_t undecided = MARK_UNDECIDED | interval;
	int64_t end;

	clock_order();
	end = max_tick(prof__ticks(p), p->previous_end + 1);
	if (atomic_compare_exchange_strong_explicit(&frame->end, &undecided, (uint64_t)end, memory_order_acq_rel,
	                                            memory_order_acquire))
		return end;
	return (int64_t)undecided;
}

/* A frame's name in the region's strings; programs use few, so the last few are remembered. */
static uint64_t frame_name(struct process *p, const char *name)
{
	size_t size = name_size(name, sizeof p->names[0].text - 1);

	for (unsigned i = 0; i < FRAME_NAMES; i++)
		if (p->names[i].at && !strncmp(p->names[i].text, name, size) && !p->names[i].text[size])
			return p->names[i].at;
	unsigned i = p->next_name++ % FRAME_NAMES;
	memcpy(p->names[i].text, name, size);
	p->names[i].text[size] = '\0';
	p->names[i].at = prof__string(p, p->names[i].text, &p->texts_left);
	if (!p->names[i].at && size)
		loss_add(p, prof__registry_refused(LOSS_ZONE_ROOM));
	return p->names[i].at;
}

/* Whether recording was off at any moment since the mark before.  The switch stores its word on both sides of
 * `enabled`, so that a mark sees the one or the other. */
static bool was_off(struct process *p)
{
	bool off = unlikely(atomic_load(&p->was_off)) && atomic_exchange(&p->was_off, 0); /* marks alone take it back */

	if (atomic_load(&p->shared->enabled))
		return off;
	atomic_store(&p->was_off, 1);
	return true;
}

/* Under the try-lock, when there is room for the frame's element.  now: a tick shortly before. */
static void mark_frame(struct process *p, unsigned flags, int64_t now)
{
	uint64_t interval = WORD_LOAD(p->shared->epoch);
	struct region_frame *frame = &p->frames[interval & p->frame_mask];
	struct thread *t = prof__thread;

	if (was_off(p) && !(flags & MARK_OUTSIDE))
		flags |= MARK_DISCARDED;
	bool counts = !(flags & MARK_OUTSIDE), shown = !(flags & (MARK_OUTSIDE | MARK_DISCARDED));
	int64_t start = p->previous_end;
	int slot = unlikely(shown && now - start > length_of_worst(p, p->worst_least)) ? p->worst_least : -1;

	if (unlikely(slot >= 0)) {
		flags |= MARK_SLOW;
		atomic_store_explicit(&p->worst_length[slot], now - start, memory_order_relaxed);
		atomic_store_explicit(&p->worst_interval[slot], interval, memory_order_relaxed);
		atomic_store_explicit(&p->worst_newest, interval, memory_order_relaxed); /* seen with the epoch */
	}
	p->number += counts;
	atomic_thread_fence(memory_order_release); /* pairs with the acquire fence in prof__interval_end, snapshot_frame */
	WORD_STORE(frame->info, flags | (slot >= 0 ? (uint64_t)slot << 8 : 0) |
	                            (uint64_t)(t ? t->block_index + 1 : 0) << 32);
	WORD_STORE(frame->number, counts ? p->number : 0);
	WORD_STORE(frame->name, flags & MARK_BOUNDED ? p->frame_name : 0);
	WORD_STORE(frame->end, MARK_UNDECIDED | interval);
	atomic_exchange_explicit(&p->shared->epoch, interval + 1, memory_order_seq_cst);
	p->previous_end = decide_interval(p, frame, interval);
	WORD_STORE(p->shared->frames, p->number);
	WORD_STORE(p->shared->marker, t ? t->block_index + 1 : 0);
	if (unlikely(slot >= 0))
		store_worst(p, slot, interval, start, p->previous_end);
	add_history(p, interval, start, shown ? p->previous_end - start : 0);
	if (unlikely(p->previous_end > p->instant_due)) {
		prof__instant_renew(p);
		prof__threads_look(p);
		prof__sample_look(p);
	}
}

/* For the element of the frame that ends, and of the next one, which threads look at. */
static bool has_room(struct process *p)
{
	uint64_t next = (WORD_LOAD(p->shared->epoch) & p->frame_mask) + 2;

	if (next > p->frame_mask)
		next = p->frame_mask + 1ull;
	if (prof__room(p, REGION_FRAMES, next * sizeof *p->frames))
		return true;
	loss_add(p, LOSS_MARK_ROOM);
	return false;
}

/* When the mark's own zone was entered, just now. */
static int64_t mark_entered(struct process *p)
{
	const struct thread *t = prof__thread;

	return t && (t->guard == GUARD_READY || t->guard == GUARD_CALLING) ? WORD_LOAD(t->block->last) : prof__ticks(p);
}

/* Sets a mark unless another thread is in the middle of one, or the caller interrupts itself.  The bounds
 * must be `from` (or anything, for BOUNDS_NONE); they become `to`.  Returns what check_depth does. */
static uint32_t set_mark(struct process *p, unsigned flags, uint32_t from, uint32_t to, const char *name, uintptr_t at)
{
	if (atomic_exchange_explicit(&p->marking, 1, memory_order_acquire)) {
		loss_add(p, LOSS_MARK_BUSY);
		return 0;
	}
	bool first = !p->own_marks, inside = p->bounds == BOUNDS_INSIDE;
	if (unlikely(first)) {
		p->own_marks = true;
		prof__timer_wake();
	}
	uint32_t left = 0;
	if (inside != (from == BOUNDS_INSIDE)) {
		if (!first) /* a loop that ends a frame, waits and begins one has nothing to end in its first turn */
			loss_add(p, LOSS_FRAME_BOUNDS);
	} else {
		if (to == BOUNDS_INSIDE)
			p->frame_name = name ? frame_name(p, name) : 0;
		if (has_room(p))
			mark_frame(p, flags, mark_entered(p));
		p->bounds = to;
		left = check_depth(p, at);
	}
	atomic_store_explicit(&p->marking, 0, memory_order_release);
	return left;
}

/* If another thread is just marking a frame, the timer has nothing to do: that thread is the program. */
bool prof__mark_by_timer(struct process *p)
{
	bool own = false;

	if (atomic_exchange_explicit(&p->marking, 1, memory_order_acquire))
		return true;
	own = p->own_marks;
	if (!own && has_room(p))
		mark_frame(p, MARK_TIMER, prof__ticks(p));
	atomic_store_explicit(&p->marking, 0, memory_order_release);
	return !own;
}

static void mark_in_zone(Prof_zone *zone, unsigned flags, uint32_t from, uint32_t to, const char *name, uintptr_t at)
{
	struct process *p = prof__running();
	uint32_t left = 0;

	if (!p) {
		prof__too_early(0, 1);
		return;
	}
	prof__enter(zone);
	if (prof__process == p) /* the enter may have found out that this is a child */
		left = set_mark(p, flags, from, to, name, at);
	prof__leave_marked();
	while (left--)
		prof__leave();
}

/* Identifies a call of a place: by its return address and its stack address. */
#define FROM_HERE ((uintptr_t)__builtin_return_address(0) ^ (uintptr_t)__builtin_frame_address(0))

void Prof_update(int record)
{
	mark_in_zone(&update_zone, record ? 0 : MARK_DISCARDED, BOUNDS_NONE, BOUNDS_NONE, NULL, FROM_HERE);
}

void prof__frame_begin(const char *name)
{
	mark_in_zone(&bounds_zone, MARK_OUTSIDE, BOUNDS_NONE, BOUNDS_INSIDE, name, FROM_HERE);
}

void prof__frame_end(void)
{
	mark_in_zone(&bounds_zone, MARK_BOUNDED, BOUNDS_INSIDE, BOUNDS_OUTSIDE, NULL, FROM_HERE);
}
