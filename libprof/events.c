/* events.c: a thread's log of single transitions, and what of it stays out of its round.
 *
 *   kept                           the round
 *   [3] <- [7] <- [8]              [12] <- [13] <- [14 ...]
 *
 * The log grows while there is room; then its oldest chunk becomes its newest.  When a thread has published its part of
 * one of the worst frames (worst.c) it remembers which chunks have its transitions of that frame, with the one before
 * and the one behind, so that nothing of the part is left open.  When the round comes to such a chunk, the chunk leaves
 * the log as it is and joins the kept ones: nothing is copied.  A chunk may have transitions of several of these frames,
 * and stays as long as one of them is among the worst.  When the slot goes to another frame, the chunks that no other
 * frame wants go back into the arena: when the thread publishes its part of that one, as nobody else may touch its log.
 *
 * What one thread did in one frame is kept whole or not at all.  Room for all of it is set aside when the round comes to
 * its first chunk: together an eighth of the region's chunks at most (KEPT_CALLS_PART), and three quarters of that for
 * one frame of one thread, so that a giant one leaves room to the others.  Where there is none, the thread gives up what
 * it keeps of shorter frames, the shortest first: so of the longest ones it has the calls, whatever came before them.
 * What finds no room or is given up is counted (calls_room).
 *
 * All of this belongs to the block, as the kept parts do: the next owner goes on in it.
 */
#include "libprof/internal.h"

#define ROUND_LEAST 2 /* chunks that stay in the round, whatever they hold: a log without one would be no log */

static uint64_t oldest_number(const struct thread *t)
{
	return t->events.seq - t->events.owned;
}

/* ---- room */

static uint32_t room_left(struct process *p)
{
	uint32_t used = atomic_load_explicit(&p->kept_chunks, memory_order_relaxed), most = p->chunk_count / KEPT_CALLS_PART;

	return used < most ? most - used : 0;
}

static bool set_aside(struct process *p, uint32_t room)
{
	uint32_t used = atomic_load_explicit(&p->kept_chunks, memory_order_relaxed), most = p->chunk_count / KEPT_CALLS_PART;

	do {
		if (used > most || room > most - used)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&p->kept_chunks, &used, used + room, memory_order_relaxed,
	                                                memory_order_relaxed));
	return true;
}

static bool has(const struct kept_calls *c, uint64_t number)
{
	return c->interval && number >= c->first && number <= c->last;
}

/* A frame for which room is set aside, and that has something in this chunk. */
static const struct kept_calls *wanted(const struct thread *t, uint64_t number)
{
	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++)
		if (t->kept_calls[slot].room && has(&t->kept_calls[slot], number))
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
		if (wanted(t, p->kept_number[chunk - 1])) {
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

/* What was kept of the slot's frame is wanted no more.  Returns the room that it had, for give_back. */
static uint32_t forget(struct thread *t, unsigned slot)
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

void prof__events_forget(struct thread *t)
{
	struct process *p = prof__process;
	uint32_t room = 0;

	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++)
		if (t->kept_calls[slot].interval !=
		    atomic_load_explicit(&p->worst_interval[slot], memory_order_relaxed))
			room += forget(t, slot);
	give_back(t, room);
}

/* A frame of which the thread keeps calls, or wants to, is still among the worst, and they go. */
static void lose(struct thread *t, unsigned slot)
{
	loss(prof__process, LOSS_CALLS_ROOM);
	give_back(t, forget(t, slot));
}

/* Threads that have ended do not look any more, so others do it for them: once for each frame that is new among the
 * worst. */
static bool forget_for_ended(struct process *p)
{
	uint64_t newest = atomic_load_explicit(&p->worst_newest, memory_order_relaxed);

	if (atomic_exchange_explicit(&p->worst_swept, newest, memory_order_relaxed) == newest)
		return false;
	prof__threads_ended(p, prof__events_forget);
	return true;
}

/* The slot of the shortest frame below this length of which the thread keeps anything; REGION_WORST_FRAMES: of none. */
static unsigned shortest(const struct thread *t, int64_t length)
{
	unsigned least = REGION_WORST_FRAMES;

	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++)
		if (t->kept_calls[slot].room && t->kept_calls[slot].length < length) {
			least = slot;
			length = t->kept_calls[slot].length;
		}
	return least;
}

/* Whether there is so much room if what the thread keeps of frames below this length is given up. */
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

	if (room > p->chunk_count / KEPT_CALLS_PART * 3ull / 4)
		return false;
	if (set_aside(p, room) || (forget_for_ended(p) && set_aside(p, room)))
		return true;
	if (!is_worth_it(t, room, length))
		return false;
	for (unsigned slot; (slot = shortest(t, length)) < REGION_WORST_FRAMES;) {
		lose(t, slot);
		if (set_aside(p, room))
			return true;
	}
	return false;
}

/* The round has come to the oldest chunk: whether it is to stay, for any of the frames that have something in it.  For
 * each of them all stays that has, or nothing. */
static const struct kept_calls *decide(struct thread *t)
{
	uint64_t number = oldest_number(t);

	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++) {
		struct kept_calls *c = &t->kept_calls[slot];
		uint32_t room = (uint32_t)(c->last - c->first + 1);

		if (!has(c, number) || (c->room && t->events.owned > ROUND_LEAST))
			continue;
		if (t->events.owned > ROUND_LEAST && make_room(t, room, c->length))
			c->room = room;
		else
			lose(t, slot);
	}
	return wanted(t, number);
}

static int64_t length_of(struct process *p, uint64_t interval)
{
	int64_t start = prof__interval_end(p, interval - 1), end = prof__interval_end(p, interval);

	return start && end ? end - start : 0;
}

void prof__events_keep(struct thread *t, unsigned slot, uint64_t interval, uint64_t first)
{
	struct process *p = prof__process;

	give_back(t, forget(t, slot)); /* of the frame that had the slot before */
	prof__events_forget(t);
	if (!t->events.owned) /* nobody keeps its events, which was said */
		return;
	first = (first - (first > 0)) / CHUNK_EVENTS;
	if (first < oldest_number(t)) {
		loss(p, LOSS_CALLS_ROOM);
		return;
	}
	t->kept_calls[slot] = (struct kept_calls){ .interval = interval, .length = length_of(p, interval), .first = first,
		                                   /* the one under way, with a TICK in front of it */
		                                   .last = (WORD_LOAD(t->block->head) + 1) / CHUNK_EVENTS,
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
	const struct kept_calls *c = decide(t);

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

/* A fresh one, or the oldest that is not to be kept; 0: none. */
static uint32_t another_chunk(struct thread *t)
{
	struct process *p = prof__process;
	uint32_t chunk;

	while (!(chunk = prof__chunk_claim(p, CHUNK_FOR_EVENTS, t->events.owned)) && t->events.oldest) {
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
