/* events.c: a thread's log of single transitions, and what of it stays out of its round.
 *
 *   kept                           the round
 *   [3] <- [7] <- [8]              [12] <- [13] <- [14 ...]
 *
 * The log grows while there is room; then its oldest chunk becomes its newest.  When a thread has published its part of
 * one of the worst frames (retained.c) it remembers which chunks have its transitions of that frame, with the one before
 * and the one behind, so that nothing of the part is left open.  When the round comes to such a chunk, the chunk leaves
 * the log as it is and joins the kept ones: nothing is copied.  A chunk may have transitions of several of these frames,
 * and stays as long as one of them is among the worst.  When the slot goes to another frame, the chunks that no other
 * frame wants go back into the arena: when the thread publishes its part of that one, as nobody else may touch its log.
 *
 * The calls of one thread in one frame are kept whole or not at all, in an eighth of the region's chunks
 * (KEPT_CALLS_PART).  The longest frame has it first, then the second longest, and so on, whichever came first
 * and whoever made the calls.  So when a thread has published its part it says how many chunks it wants
 * (process.calls_wanted), and by that all threads reckon the same (fitting_slots): a frame is kept if the wants of the
 * longer ones leave room for its own. It is asked when the round comes to the frame's first chunk, and room for
 * all of it is set aside then.  And it is asked again at the boundary behind each new want: what longer frames
 * have displaced meanwhile each thread gives up by itself, long before the round of whoever wants the room comes
 * to it.  A thread that sleeps has its room until it wakes up; where that leaves none, others take it from their
 * own shorter frames, the shortest first.  What finds no room or is given up is counted (calls_room).
 *
 * All of this belongs to the block, as the kept parts do: the next owner goes on in it.
 */
#include "libprof/libprof_inside.h"

#define ROUND_LEAST 2 /* chunks that stay in the round, whatever they hold: a log without one would be no log */

static uint64_t oldest_number(const struct thread *t)
{
	return t->events.seq - t->events.owned;
}

/* ---- room */

#define CALLS_BITS 24 /* of process.calls_wanted */
#define CALLS_MASK ((1u << CALLS_BITS) - 1)

static uint32_t most_kept(const struct process *p)
{
	uint32_t most = p->chunk_count / KEPT_CALLS_PART;

	return most < CALLS_MASK ? most : CALLS_MASK;
}

static uint32_t room_left(struct process *p)
{
	uint32_t used = atomic_load_explicit(&p->kept_chunks, memory_order_relaxed), most = most_kept(p);

	return used < most ? most - used : 0;
}

static bool set_aside(struct process *p, uint32_t room)
{
	uint32_t used = atomic_load_explicit(&p->kept_chunks, memory_order_relaxed), most = most_kept(p);

	do {
		if (used > most || room > most - used)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&p->kept_chunks, &used, used + room, memory_order_relaxed,
	                                                memory_order_relaxed));
	return true;
}

/* ---- who is to have it */

static uint32_t wanted_of(uint64_t word, uint64_t interval)
{
	return word >> CALLS_BITS == interval ? (uint32_t)word & CALLS_MASK : 0;
}

/* Asks for so many more chunks for a frame.  false: they are more than may be kept for one frame, or the frame
 * is not among the worst any more. */
static bool want_frame(struct process *p, unsigned slot, uint64_t interval, uint64_t chunks)
{
	uint64_t word = atomic_load_explicit(&p->calls_wanted[slot], memory_order_relaxed), now;

	do {
		now = interval << CALLS_BITS | (wanted_of(word, interval) + chunks);
		if (word >> CALLS_BITS > interval || wanted_of(word, interval) + chunks > most_kept(p))
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&p->calls_wanted[slot], &word, now, memory_order_relaxed,
	                                                memory_order_relaxed));
	atomic_fetch_add_explicit(&p->calls_turn, 1, memory_order_relaxed);
	return true;
}

/* The frame may fit now, with what other threads want of it, and shorter ones may not. */
static void want_no_more(struct process *p, unsigned slot, const struct kept_calls *c)
{
	uint64_t word = atomic_load_explicit(&p->calls_wanted[slot], memory_order_relaxed);

	while (wanted_of(word, c->interval) &&
	       !atomic_compare_exchange_weak_explicit(&p->calls_wanted[slot], &word, word - c->chunks, memory_order_relaxed,
	                                              memory_order_relaxed))
		continue;
	atomic_fetch_add_explicit(&p->calls_turn, 1, memory_order_relaxed);
}

static int64_t length_of_worst(struct process *p, unsigned slot)
{
	return atomic_load_explicit(&p->worst_length[slot], memory_order_relaxed);
}

/* The slots, those of longer frames first; of equal ones those that frame.c gives away last. */
static void sort_worst(struct process *p, unsigned order[REGION_WORST_FRAMES])
{
	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++) {
		unsigned i = slot;
		for (; i && length_of_worst(p, order[i - 1]) <= length_of_worst(p, slot); i--)
			order[i] = order[i - 1];
		order[i] = slot;
	}
}

/* A bit for each slot whose frame is to be kept, by what is wanted now. */
static uint32_t fitting_slots(struct process *p)
{
	unsigned order[REGION_WORST_FRAMES];
	uint32_t room = most_kept(p), fits = 0;

	sort_worst(p, order);
	for (unsigned i = 0; i < REGION_WORST_FRAMES; i++) {
		uint64_t interval = atomic_load_explicit(&p->worst_interval[order[i]], memory_order_relaxed);
		uint32_t wanted =
		    wanted_of(atomic_load_explicit(&p->calls_wanted[order[i]], memory_order_relaxed), interval);
		if (wanted > room)
			continue;
		room -= wanted;
		fits |= 1u << order[i];
	}
	return fits;
}

/* ---- what is kept */

static bool keeps_frame(const struct kept_calls *c, uint64_t number)
{
	return c->interval && number >= c->first && number <= c->last;
}

/* A frame for which room is set aside, and that has something in this chunk. */
static const struct kept_calls *wanted_here(const struct thread *t, uint64_t number)
{
	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++)
		if (t->kept_calls[slot].room && keeps_frame(&t->kept_calls[slot], number))
			return &t->kept_calls[slot];
	return NULL;
}

/* ---- the kept chunks: of these newer[] is 1 + the one before */

static void link_before(struct thread *t, uint32_t newer, uint32_t chunk)
{
	struct process *p = prof__process;

	if (newer) {
		region_word *link = &p->chunks[newer - 1].link;
		p->newer[newer - 1] = chunk;
		WORD_STORE(*link, (WORD_LOAD(*link) & ~(uint64_t)UINT32_MAX) | chunk);
	} else {
		t->kept_newest = chunk;
		WORD_STORE(t->block->kept_chunk, chunk);
	}
}

/* Unlinks those that no frame wants; the first of them, through newer[]. */
static uint32_t unlink_unwanted(struct thread *t)
{
	struct process *p = prof__process;
	uint32_t newer = 0, gone = 0;

	for (uint32_t chunk = t->kept_newest, before; chunk; chunk = before) {
		before = p->newer[chunk - 1];
		if (wanted_here(t, p->kept_number[chunk - 1])) {
			newer = chunk;
			continue;
		}
		link_before(t, newer, before);
		p->newer[chunk - 1] = gone;
		gone = chunk;
	}
	return gone;
}

static void release_unwanted(struct thread *t)
{
	struct process *p = prof__process;
	uint32_t chunk = unlink_unwanted(t), next;

	if (!chunk)
		return;
	ring_kept_gone(&t->block->kept_gone);
	for (; chunk; chunk = next) {
		next = p->newer[chunk - 1];
		prof__chunk_release(p, chunk);
	}
}

/* ---- what is wanted */

/* Gives up the retained calls of the slot's frame.  Returns the space that was set aside for them, for give_back. */
static uint32_t forget_frame(struct thread *t, unsigned slot)
{
	struct kept_calls *c = &t->kept_calls[slot];
	uint32_t room = c->room;

	c->interval = 0;
	c->room = 0;
	return room;
}

/* Room that was set aside is to be had again when the chunks are back, so that there are never more than are set aside. */
static void give_back(struct thread *t, uint32_t room)
{
	if (!room)
		return;
	release_unwanted(t);
	atomic_fetch_sub_explicit(&prof__process->kept_chunks, room, memory_order_relaxed);
}

/* A frame of which the thread keeps calls, or wants to, is still among the worst, and they go.  Returns its room. */
static uint32_t lose_frame(struct thread *t, unsigned slot)
{
	loss_add(prof__process, LOSS_CALLS_ROOM);
	want_no_more(prof__process, slot, &t->kept_calls[slot]);
	return forget_frame(t, slot);
}

static bool is_worst(struct process *p, const struct kept_calls *c, unsigned slot)
{
	return c->interval == atomic_load_explicit(&p->worst_interval[slot], memory_order_relaxed);
}

void prof__events_look(struct thread *t)
{
	struct process *p = prof__process;
	uint32_t fits, room = 0;

	t->calls_turn = atomic_load_explicit(&p->calls_turn, memory_order_relaxed);
	fits = fitting_slots(p);
	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++) {
		const struct kept_calls *c = &t->kept_calls[slot];
		if (!is_worst(p, c, slot))
			room += forget_frame(t, slot);
		else if (c->room && !(fits >> slot & 1))
			room += lose_frame(t, slot);
	}
	give_back(t, room);
}

/* Threads that have ended do not look any more, so others do it for them, once a turn. */
static bool look_for_ended(struct process *p)
{
	uint32_t turn = atomic_load_explicit(&p->calls_turn, memory_order_relaxed);

	if (atomic_exchange_explicit(&p->calls_swept, turn, memory_order_relaxed) == turn)
		return false;
	prof__threads_ended(p, prof__events_look);
	return true;
}

/* The slot of the shortest frame below this length of which the thread keeps anything; REGION_WORST_FRAMES: of none. */
static unsigned shortest_kept(const struct thread *t, int64_t length)
{
	unsigned least = REGION_WORST_FRAMES;

	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++)
		if (t->kept_calls[slot].room && t->kept_calls[slot].length < length) {
			least = slot;
			length = t->kept_calls[slot].length;
		}
	return least;
}

/* True if there is so much space once the thread gives up the retained calls of shorter frames. */
static bool is_worth_it(const struct thread *t, uint32_t room, int64_t length)
{
	uint64_t there = room_left(prof__process);

	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++)
		if (t->kept_calls[slot].length < length)
			there += t->kept_calls[slot].room;
	return there >= room;
}

static bool make_room(struct thread *t, uint32_t room, int64_t length)
{
	struct process *p = prof__process;

	if (set_aside(p, room) || (look_for_ended(p) && set_aside(p, room)))
		return true;
	if (!is_worth_it(t, room, length))
		return false;
	for (unsigned slot; (slot = shortest_kept(t, length)) < REGION_WORST_FRAMES;) {
		give_back(t, lose_frame(t, slot));
		if (set_aside(p, room))
			return true;
	}
	return false;
}

/* The round has come to the oldest chunk: whether it is to stay, for any of the frames that have something in it.  For
 * each of them all stays that has, or nothing. */
static const struct kept_calls *decide_chunk(struct thread *t)
{
	uint64_t number = oldest_number(t);

	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++) {
		struct kept_calls *c = &t->kept_calls[slot];

		if (!keeps_frame(c, number) || (c->room && t->events.owned > ROUND_LEAST))
			continue;
		if (t->events.owned > ROUND_LEAST && (fitting_slots(prof__process) >> slot & 1) &&
		    make_room(t, c->chunks, c->length))
			c->room = c->chunks;
		else
			give_back(t, lose_frame(t, slot));
	}
	return wanted_here(t, number);
}

static int64_t length_of(struct process *p, uint64_t interval)
{
	int64_t start = prof__interval_end(p, interval - 1), end = prof__interval_end(p, interval);

	return start && end ? end - start : 0;
}

void prof__events_keep(struct thread *t, unsigned slot, uint64_t interval, uint64_t first)
{
	struct process *p = prof__process;
	uint64_t last = (WORD_LOAD(t->block->head) + 1) / CHUNK_EVENTS; /* the one under way, with a TICK in front of it */

	give_back(t, forget_frame(t, slot)); /* of the frame that had the slot before */
	if (!t->events.owned) /* nobody keeps its events, which was said */
		return;
	first = (first - (first > 0)) / CHUNK_EVENTS;
	if (first < oldest_number(t) || !want_frame(p, slot, interval, last - first + 1)) {
		loss_add(p, LOSS_CALLS_ROOM);
		return;
	}
	t->kept_calls[slot] = (struct kept_calls){ .interval = interval, .length = length_of(p, interval), .first = first,
		                                   .last = last, .chunks = (uint32_t)(last - first + 1),
		                                   .generation = t->generation };
}

/* ---- the round */

static void tell_tail(struct thread *t)
{
	ring_retire(&t->block->event_tail, oldest_number(t) * CHUNK_EVENTS);
}

static uint32_t take_oldest(struct thread *t)
{
	uint32_t chunk = prof__log_take_oldest(prof__process, &t->events);

	tell_tail(t);
	return chunk;
}

/* The oldest chunk leaves the round, if it is wanted.  false: it is to be had. */
static bool keep_oldest(struct thread *t)
{
	struct process *p = prof__process;
	uint64_t number = oldest_number(t);
	const struct kept_calls *c = decide_chunk(t);

	if (!c)
		return false;
	uint32_t chunk = prof__log_take_oldest(p, &t->events);
	p->newer[chunk - 1] = t->kept_newest;
	p->kept_number[chunk - 1] = number;
	ring_keep(p->chunks, chunk - 1, (uint64_t)c->generation << 32 | t->kept_newest, &t->block->kept_chunk);
	t->kept_newest = chunk;
	tell_tail(t);
	return true;
}

/* A fresh one, or the oldest that is not to be kept; 0: none.  If the round is about to lose calls because it is as
 * short as it may be, chunks that ended threads keep for nothing come back first. */
static uint32_t another_chunk(struct thread *t)
{
	struct process *p = prof__process;
	uint32_t chunk;

	while (!(chunk = prof__chunk_claim(p, CHUNK_FOR_EVENTS, t->events.owned)) && t->events.oldest) {
		if (t->events.owned <= ROUND_LEAST && look_for_ended(p))
			continue;
		if (keep_oldest(t))
			continue;
		chunk = take_oldest(t);
		if (prof__chunk_too_many(p, CHUNK_FOR_EVENTS, t->events.owned) && !keep_oldest(t))
			prof__chunk_release(p, take_oldest(t)); /* others have come: share */
		break;
	}
	return chunk;
}

/* Adds those in the sink that were not counted yet. */
void prof__events_unkept(struct thread *t)
{
	if (!t->unkept)
		return;
	atomic_fetch_add_explicit(&prof__process->shared->lost[LOSS_EVENT_ROOM], (uint64_t)(t->event - t->unkept),
	                          memory_order_relaxed);
	t->unkept = t->event;
}

void prof__events_open(struct thread *t, uint64_t head, int64_t tick)
{
	struct process *p = prof__process;

	prof__events_unkept(t);
	uint32_t chunk = p->events ? another_chunk(t) : 0;

	if (chunk) {
		t->events.seq = head / CHUNK_EVENTS;
		prof__log_append(p, &t->events, chunk, &t->block->event_chunk);
		region_word *words = p->chunks[chunk - 1].words;
		WORD_STORE(words[0], (uint64_t)tick);
		t->event = words + 1;
		t->unkept = NULL;
	} else {
		t->event = t->sink;
		t->unkept = p->events ? t->sink : NULL;
	}
	t->event_end = t->event + CHUNK_EVENTS;
}

/* The transition is two words of the log, so intent and head go two further: no reader ever sees the one without the
 * other. */
uint64_t prof__events_reach(struct thread *t, uint64_t head, int64_t before, int64_t now, unsigned bits)
{
	if (event_reaches(before, now, bits) || t->event_end == t->sink + CHUNK_EVENTS)
		return head;
	WORD_STORE(t->block->intent, head + 1);
	WORD_STORE(*t->event, event_tick(now));
	if (++t->event == t->event_end)
		prof__events_open(t, head, event_read(event_tick(now), 0).tick);
	return head + 1;
}
