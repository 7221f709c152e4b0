/* snapshot_events.c: the events of a block: those of its log, and those that are kept of the worst frames (ring.h). */
#include "shm/snapshot_read.h"

#include <stdlib.h>
#include "shm/ring.h"

#define KEPT_ROUNDS 8u /* from one snapshot_process to the next all kept chunks are read so often, at most: as ROUNDS */

void snapshot_event_range(struct attachment *a, uint32_t block, uint64_t *first, uint64_t *end)
{
	struct region_thread *t = snapshot_block(a, block);
	uint64_t head = t ? WORD_ACQUIRE(t->head) : 0, most = (uint64_t)region_chunks_there(a) * CHUNK_EVENTS;
	uint64_t tail = t ? WORD_LOAD(t->event_tail) : 0;

	*first = *end = head;
	if (t && WORD_LOAD(t->event_chunk) && tail < head)
		*first = head - tail < most ? tail : head - most;
}

uint64_t snapshot_generation(struct attachment *a, uint32_t block)
{
	struct region_thread *t = snapshot_block(a, block);

	return t ? BLOCK_GENERATION(WORD_ACQUIRE(t->state)) : 0;
}

/* Reads a chunk of an event log. A chunk begins with a tick, so its ticks are right from its first event on. */
static void take_events(struct region_chunk *chunk, uint64_t first, uint64_t count, void *out)
{
	struct snapshot_event *events = out;
	int64_t tick = (int64_t)WORD_LOAD(chunk->words[0]);

	for (uint64_t i = 0; i < first + count; i++) {
		struct region_event e = event_read(WORD_LOAD(chunk->words[1 + i]), tick);
		tick = e.tick;
		if (i >= first)
			events[i - first] = (struct snapshot_event){ tick, e.kind | (uint64_t)e.id << 8 };
	}
}

/* From which of these on all are sound and in order. */
static uint64_t first_sound(const struct snapshot_event *events, uint64_t count, uint32_t nodes)
{
	uint64_t first = count;

	for (; first; first--) {
		const struct snapshot_event *event = &events[first - 1];
		unsigned kind = event->what & 0xff;
		bool sound = kind == EVENT_START || kind == EVENT_TICK || (kind < EVENT_KINDS && event->what >> 8 < nodes);
		if (!sound || event->tick < 0 || (first < count && event->tick > event[1].tick))
			break;
	}
	return first;
}

uint64_t snapshot_events(struct attachment *a, uint32_t block, uint64_t first, uint64_t count,
                         struct snapshot_event *out)
{
	struct region_thread *t = snapshot_block(a, block);
	uint64_t head = t ? WORD_ACQUIRE(t->head) : 0, to, kept, none;
	uint32_t nodes;

	if (count > UINT64_MAX - first)
		count = UINT64_MAX - first;
	none = first + count;
	to = none < head ? none : head;
	if (first >= to)
		return none;
	nodes = snapshot_node_count(a, block);
	kept = ring_walk(a, ring_newest(&t->event_chunk), &t->event_tail, CHUNK_EVENTS, first, to, take_events, out,
	                 sizeof *out);
	/* Events up to `to` are whole and in order; before them there may be a gap, or damage. */
	kept += first_sound(&out[kept - first], to - kept, nodes);
	return kept < to ? kept : none;
}

/* ---- what is kept */

struct kept_chunk {
	uint32_t link;
	uint64_t number;
};

struct kept_reader {
	struct attachment *a;
	uint32_t block;
	struct region_thread *t;
	uint64_t from, before; /* events */
	uint64_t gone;         /* kept_gone: as long as it is this no chunk of the list was used again */
	struct kept_chunk *chunks; /* the newest first */
	uint32_t count, capacity;
	struct snapshot_event events[CHUNK_EVENTS];
};

static bool is_whole(const struct kept_reader *r)
{
	atomic_thread_fence(memory_order_acquire); /* pairs with the release fence in ring_kept_gone */
	return WORD_LOAD(r->t->kept_gone) == r->gone;
}

static bool add_chunk(struct kept_reader *r, uint64_t link, uint64_t number)
{
	if (r->count == r->capacity) {
		uint32_t capacity = r->capacity * 2 + 64;
		struct kept_chunk *grown = realloc(r->chunks, capacity * sizeof *grown);
		if (!grown)
			return false;
		r->chunks = grown;
		r->capacity = capacity;
	}
	r->chunks[r->count++] = (struct kept_chunk){ (uint32_t)link, number };
	return true;
}

/* Lists the chunks that have any of these events.  Numbers descend, so the walk ends whatever the links say.  False: no
 * memory. */
static bool list_chunks(struct kept_reader *r)
{
	uint32_t most = r->a->chunk_count / KEPT_CALLS_PART;
	uint64_t last = UINT64_MAX / CHUNK_EVENTS - 1;
	struct region_chunk *chunk;

	r->count = 0;
	r->gone = WORD_ACQUIRE(r->t->kept_gone); /* pairs with the release in ring_kept_gone */
	uint64_t link = KEPT_LINK(WORD_ACQUIRE(r->t->kept_chunk)); /* pairs with the release in ring_keep */
	for (uint32_t steps = 0; steps < most && (chunk = snapshot_chunk(r->a, link)); steps++) {
		uint64_t number = WORD_LOAD(chunk->seq);
		if (number >= last || (number + 1) * CHUNK_EVENTS <= r->from)
			break;
		if (number * CHUNK_EVENTS < r->before && !add_chunk(r, link, number))
			return false;
		last = number;
		link = KEPT_LINK(WORD_LOAD(chunk->link));
	}
	return true;
}

/* Delivers those events of the chunk that are asked for and are sound. */
static bool deliver_kept(struct kept_reader *r, uint64_t number, uint64_t link, snapshot_kept_visit *visit, void *context)
{
	struct snapshot_kept_events kept = { .generation = KEPT_GENERATION(link) };
	uint64_t begin = number * CHUNK_EVENTS, first = begin < r->from ? r->from - begin : 0;
	uint64_t end = r->before - begin < CHUNK_EVENTS ? r->before - begin : CHUNK_EVENTS;

	first += first_sound(&r->events[first], end - first, snapshot_node_count(r->a, r->block));
	kept.first = begin + first;
	kept.count = end - first;
	kept.events = &r->events[first];
	return !kept.count || visit(&kept, context);
}

/* From the oldest on.  LAPPED: some went back into use, and r->from is what is to be listed anew. */
static enum snapshot_result read_listed(struct kept_reader *r, snapshot_kept_visit *visit, void *context)
{
	for (; r->count; r->count--) {
		struct kept_chunk listed = r->chunks[r->count - 1];
		struct region_chunk *chunk = &r->a->chunks[listed.link - 1];
		uint64_t link = WORD_LOAD(chunk->link);
		take_events(chunk, 0, CHUNK_EVENTS, r->events);
		if (!is_whole(r))
			return SNAPSHOT_LAPPED;
		if (++r->a->budget->kept_chunks / KEPT_ROUNDS > r->a->chunk_count / KEPT_CALLS_PART)
			return SNAPSHOT_DAMAGED; /* blocks have the same chunks */
		if (!deliver_kept(r, listed.number, link, visit, context))
			return SNAPSHOT_OK;
		r->from = (listed.number + 1) * CHUNK_EVENTS;
	}
	return SNAPSHOT_OK;
}

enum snapshot_result snapshot_kept_events(struct attachment *a, uint32_t block, uint64_t from, uint64_t before,
                                          snapshot_kept_visit *visit, void *context)
{
	struct kept_reader r = { .a = a, .block = block, .t = snapshot_block(a, block), .from = from, .before = before };
	enum snapshot_result result = SNAPSHOT_LAPPED;

	if (!r.t || from >= before)
		return SNAPSHOT_ABSENT;
	atomic_thread_fence(memory_order_acquire); /* behind the tail: pairs with the fence in ring_keep */
	for (int i = 0; i < SEQ_TRIES && result == SNAPSHOT_LAPPED; i++) {
		if (i)
			snapshot_wait(a, i);
		if (!list_chunks(&r))
			result = SNAPSHOT_BUSY;
		else if (is_whole(&r))
			result = read_listed(&r, visit, context);
	}
	free(r.chunks);
	return result == SNAPSHOT_LAPPED ? SNAPSHOT_BUSY : result;
}
