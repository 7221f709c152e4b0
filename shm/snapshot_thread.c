/* snapshot_thread.c: a block's own words, its tree and its open zones. */
#include "shm/snapshot_read.h"

/* ---- the block */

/* The last copy stands even where no whole one could be had: it is a name. */
static void load_name(const struct attachment *a, struct region_thread *t, char out[SNAPSHOT_NAME])
{
	uint64_t words[THREAD_NAME_SIZE / 8];

	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t mark = seq_read_begin(&t->name_seq);
		for (unsigned w = 0; w < THREAD_NAME_SIZE / 8; w++)
			words[w] = WORD_LOAD(t->name[w]);
		if (seq_read_valid(&t->name_seq, mark))
			break;
		snapshot_wait(a, i);
	}
	memcpy(out, words, sizeof words);
	out[THREAD_NAME_SIZE - 1] = '\0';
}
static_assert(SNAPSHOT_NAME >= THREAD_NAME_SIZE, "a name fits");

/* False: the owner changed all the while.  Of one owner its epoch and boundary alone are moved. */
static bool load_owner(const struct attachment *a, struct region_thread *t, struct snapshot_thread *out)
{
	bool owned = false;

	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t mark = seq_read_begin(&t->base_seq), state = WORD_ACQUIRE(t->state), tid = WORD_LOAD(t->tid);
		out->state = BLOCK_STATE(state);
		out->generation = BLOCK_GENERATION(state);
		out->tid = (uint32_t)tid;
		out->lane = tid >> 32;
		out->epoch = WORD_LOAD(t->epoch);
		out->started = WORD_LOAD(t->started);
		out->bound = WORD_LOAD(t->bound);
		out->moving = !seq_read_valid(&t->base_seq, mark);
		owned = WORD_LOAD(t->state) == state;
		if (owned && !out->moving)
			break;
		snapshot_wait(a, i);
	}
	return owned;
}

enum snapshot_result snapshot_thread(struct attachment *a, uint32_t block, struct snapshot_thread *out)
{
	struct region_thread *t = snapshot_block(a, block);
	bool owned;

	memset(out, 0, sizeof *out);
	if (!t)
		return SNAPSHOT_ABSENT;
	owned = load_owner(a, t, out);
	load_name(a, t, out->name);
	out->last = WORD_LOAD(t->last);
	out->part_tail = WORD_LOAD(t->parts.tail);
	out->parts_begin = tick_max(0, WORD_LOAD(t->parts_begin));
	out->event_tail = WORD_LOAD(t->event_tail);
	out->losing = WORD_LOAD(t->lossy_last) == UINT64_MAX;
	out->part_head = WORD_ACQUIRE(t->parts.head);
	out->transitions = WORD_ACQUIRE(t->head);
	if (out->part_tail > out->part_head)
		out->part_tail = out->part_head;
	if (out->event_tail > out->transitions)
		out->event_tail = out->transitions;
	out->nodes = snapshot_node_count(a, block); /* behind the heads: covers every node that they lead to */
	if (out->state > BLOCK_ENDED)
		return SNAPSHOT_DAMAGED;
	out->moving &= a->live; /* what a dead writer left cannot be had better */
	return owned ? SNAPSHOT_OK : SNAPSHOT_BUSY;
}

/* ---- the tree */

struct places {
	struct snapshot_place *place; /* of node `first` */
	uint32_t first, zones, damaged;
};

static bool load_places(struct region_node_chunk *chunk, uint32_t first, uint32_t end, void *context)
{
	struct places *p = context;

	for (uint32_t n = first; n < end; n++) {
		uint64_t word = chunk ? WORD_LOAD(chunk->nodes[n % CHUNK_NODES].place) : UINT64_MAX;
		struct snapshot_place *place = &p->place[n - p->first];
		*place = (struct snapshot_place){ (uint32_t)word, (uint32_t)(word >> 32) };
		if (n == 0 && chunk)
			*place = (struct snapshot_place){ UINT32_MAX, REGION_NO_ZONE };
		else if (place->parent >= n || place->zone > p->zones) {
			*place = (struct snapshot_place){ n ? 0 : UINT32_MAX, REGION_NO_ZONE };
			p->damaged++;
		}
	}
	return true;
}

uint32_t snapshot_node_number(struct attachment *a, uint32_t block)
{
	return snapshot_node_count(a, block);
}

uint32_t snapshot_nodes(struct attachment *a, uint32_t block, uint32_t first, uint32_t count,
                        struct snapshot_place *place, uint32_t *damaged)
{
	struct region_thread *t = snapshot_block(a, block);
	uint32_t nodes = snapshot_node_number(a, block);
	uint64_t zones = WORD_ACQUIRE(a->process->zones);
	struct places places = { place, first, zones < a->zone_count ? (uint32_t)zones : a->zone_count, 0 };

	if (count > nodes)
		count = nodes;
	if (first >= count)
		return 0;
	snapshot_walk_nodes(a, t, first, count, load_places, &places);
	*damaged += places.damaged;
	return count - first;
}

/* ---- the open zones */

struct climb {
	struct snapshot_open *out;
	uint32_t count, max, next, zones;
	bool done;
};

/* Chunks come from the newest down and parents have smaller numbers: one walk meets the whole stack. */
static bool climb_chunk(struct region_node_chunk *chunk, uint32_t first, uint32_t end, void *context)
{
	struct climb *c = context;

	if (!chunk && c->next >= first)
		return false;
	while (c->next >= first && c->next < end && c->count < c->max) {
		struct region_node *node = &chunk->nodes[c->next % CHUNK_NODES];
		uint64_t place = WORD_LOAD(node->place);
		uint32_t zone = (uint32_t)(place >> 32), parent = (uint32_t)place;
		c->out[c->count++] =
		    (struct snapshot_open){ c->next, c->next && zone <= c->zones ? zone : REGION_NO_ZONE,
			                    WORD_LOAD(node->start) };
		c->done = c->next == 0;
		if (c->done || parent >= c->next)
			return false;
		c->next = parent;
	}
	return c->count < c->max;
}

/* The root is open since `started`; nothing is entered after the last transition.  What was resumed has a start before
 * its parent's, or the thread's: the length of its call ends there. */
static void settle_call(struct climb *c, int64_t started, int64_t last)
{
	for (uint32_t i = c->count; i-- > 0;) {
		struct snapshot_open *open = &c->out[i];
		if (open->node == 0)
			open->entered = started;
		if (open->entered > last)
			open->entered = last;
		open->entered = tick_max(open->entered, 0);
	}
}

uint32_t snapshot_stack(struct attachment *a, uint32_t block, struct snapshot_open *out, uint32_t max, bool *busy,
                        int64_t *last)
{
	struct region_thread *t = snapshot_block(a, block);
	struct climb climb = { .out = out, .max = max };

	*busy = false;
	*last = 0;
	if (!t || BLOCK_STATE(WORD_ACQUIRE(t->state)) != BLOCK_LIVE)
		return 0;
	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t head = WORD_ACQUIRE(t->head), zones;
		uint32_t nodes = snapshot_node_count(a, block);
		uint64_t current = WORD_LOAD(t->current);
		int64_t started = WORD_LOAD(t->started);
		*last = WORD_LOAD(t->last);
		zones = WORD_ACQUIRE(a->process->zones);
		climb.zones = zones < a->zone_count ? (uint32_t)zones : a->zone_count;
		climb.count = 0;
		climb.next = current < nodes ? (uint32_t)current : 0;
		if (nodes)
			snapshot_walk_nodes(a, t, 0, climb.next + 1, climb_chunk, &climb);
		settle_call(&climb, started, *last);
		atomic_thread_fence(memory_order_acquire); /* pairs with the release fence after intent */
		*busy = WORD_LOAD(t->intent) != head;
		if (!*busy)
			break;
		snapshot_wait(a, i);
	}
	return climb.count;
}
