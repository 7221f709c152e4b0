/* snapshot_log.c: reading a log of records that laps while it is read.
 *
 * The log is copied in portions and validated by its tail before a record is looked at, so what is parsed
 * can no longer change.  A reader that was lapped goes on at tail_record, the first record that begins at
 * or behind the tail; any value that word ever had is the beginning of a record.
 *
 * From one snapshot_process to the next all logs together are read a few times: first to see how much there is.
 * Where more is read than that, logs are made of the same chunks, and are damaged.
 */
#include "shm/snapshot_read.h"

#include <stdlib.h>
#include "shm/ring.h"

#define PORTION 32768u /* words copied at a time, unless a record is longer */
#define ROUNDS  8u     /* all logs are read so often, at most */
#define FEW     4096u  /* chunks of a live region: a small one that a quick writer laps is read anew more often */

/* ---- the chunks of a log (ring.h) */

static uint64_t later_word(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t ring_walk(const struct attachment *a, uint64_t link, region_word *tail, uint64_t units, uint64_t from, uint64_t to,
                   ring_take *take, void *out, size_t size)
{
	uint64_t first = to, expected = UINT64_MAX;
	struct region_chunk *chunk;

	for (uint32_t steps = 0; first > from && steps < a->chunk_count && (chunk = snapshot_chunk(a, link)); steps++) {
		uint64_t seq = WORD_LOAD(chunk->seq);
		if (expected != UINT64_MAX && seq != expected)
			break; /* recycled, or a gap where there was no room */
		if (seq > UINT64_MAX / units - 1)
			break;
		uint64_t begin = seq * units, end = begin + units;
		if (end < first)
			break; /* the units between were never kept */
		if (begin < first) {
			uint64_t low = later_word(begin, from);
			take(chunk, low - begin, first - low, (char *)out + (low - from) * size);
			first = low;
		}
		if (seq == 0)
			break;
		expected = seq - 1;
		link = WORD_LOAD(chunk->link);
	}
	atomic_thread_fence(memory_order_acquire); /* pairs with the release fence in ring_retire */
	uint64_t kept = WORD_LOAD(*tail);
	first = later_word(first, kept);
	return first < to ? first : to;
}

static void take_words(struct region_chunk *chunk, uint64_t first, uint64_t count, void *out)
{
	uint64_t *words = out;

	for (uint64_t w = 0; w < count; w++)
		words[w] = WORD_LOAD(chunk->words[first + w]);
}

uint64_t ring_copy(const struct attachment *a, uint64_t link, region_word *tail, uint64_t from, uint64_t to,
                   uint64_t *out)
{
	return ring_walk(a, link, tail, CHUNK_WORDS, from, to, take_words, out, sizeof *out);
}

/* ---- its records */

static enum snapshot_result give_up(struct log_reader *r)
{
	*r->position = r->head;
	return SNAPSHOT_DAMAGED;
}

bool log_room(struct log_reader *r, uint64_t words)
{
	uint64_t *grown;

	if (words <= r->room)
		return true;
	grown = realloc(r->words, words * sizeof *grown);
	if (!grown)
		return false;
	r->words = grown;
	r->room = words;
	return true;
}

/* Lapped: goes to the first record that is still there. */
static enum snapshot_result catch_up(struct log_reader *r)
{
	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t tail = WORD_ACQUIRE(r->log->tail), record = WORD_LOAD(r->log->tail_record);
		if (record < tail || record < *r->position) {
			snapshot_wait(r->a, i);
			continue;
		}
		if (record > r->head) /* what was published is all gone, what comes next is being written */
			record = r->head;
		*r->lapped += record - *r->position;
		*r->position = record;
		return SNAPSHOT_OK;
	}
	return r->a->live ? SNAPSHOT_BUSY : give_up(r);
}

/* Finds the chunks to be read: to come to an old one is a walk through all that are newer, and is not made for each
 * portion.  Without memory it is. */
static void find_chain(struct log_reader *r)
{
	uint64_t link = ring_newest(&r->log->chunk), most = r->a->chunk_count;
	struct region_chunk *chunk = snapshot_chunk(r->a, link);
	uint32_t room = 0;

	if (r->head - *r->position <= PORTION || !chunk)
		return;
	r->chain.newest = WORD_LOAD(chunk->seq);
	for (uint64_t seq = r->chain.newest; chunk && WORD_LOAD(chunk->seq) == seq && r->chain.count < most; seq--) {
		if (r->chain.count == room) {
			uint32_t *grown = realloc(r->chain.links, (room = room * 2 + 64) * sizeof *grown);
			if (!grown)
				return;
			r->chain.links = grown;
		}
		r->chain.links[r->chain.count++] = (uint32_t)link;
		if (seq <= *r->position / CHUNK_WORDS)
			return;
		link = WORD_LOAD(chunk->link);
		chunk = snapshot_chunk(r->a, link);
	}
}

/* The chunk that held the word before `to` when reading began; the newest one if that is not known. */
static uint64_t link_before(const struct log_reader *r, uint64_t to)
{
	uint64_t back = r->chain.newest - (to - 1) / CHUNK_WORDS;

	return back < r->chain.count ? r->chain.links[back] : ring_newest(&r->log->chunk);
}

/* Copies words [*position, *position + count) whole. */
static enum snapshot_result copy_portion(struct log_reader *r, uint64_t count)
{
	struct region_log *log = r->log;
	uint64_t from = *r->position;

	if (!log_room(r, count))
		return SNAPSHOT_BUSY;
	if (ring_copy(r->a, link_before(r, from + count), &log->tail, from, from + count, r->words) == from)
		return SNAPSHOT_OK;
	return WORD_LOAD(log->tail) > from ? SNAPSHOT_LAPPED : SNAPSHOT_DAMAGED;
}

/* Reads on from *position and moves it, or sets `wanted` to what the record there needs. */
static enum snapshot_result read_portion(struct log_reader *r)
{
	uint64_t left = r->head - *r->position, count = left < r->wanted ? left : r->wanted, used, longer;
	enum snapshot_result result;

	if (WORD_LOAD(r->log->tail) > *r->position)
		return catch_up(r);
	if (!snapshot_holds(r->a, left / CHUNK_WORDS) ||
	    (r->a->budget->log_words / CHUNK_WORDS / ROUNDS > (r->a->live ? FEW : 0) &&
	     !snapshot_holds(r->a, r->a->budget->log_words / CHUNK_WORDS / ROUNDS)))
		return give_up(r); /* more than there is room for */
	r->a->budget->log_words += count;
	result = copy_portion(r, count);
	if (result == SNAPSHOT_LAPPED)
		return catch_up(r);
	if (result != SNAPSHOT_OK)
		return result == SNAPSHOT_DAMAGED ? give_up(r) : result;
	result = r->deliver(r, r->words, count, &used, &longer);
	*r->position += used;
	r->wanted = PORTION;
	if (used || r->stopped || result == SNAPSHOT_BUSY)
		return result == SNAPSHOT_BUSY ? result : SNAPSHOT_OK;
	if (result == SNAPSHOT_DAMAGED || longer > left)
		return give_up(r);
	r->wanted = longer;
	return SNAPSHOT_OK;
}

enum snapshot_result log_read(struct log_reader *r)
{
	/* A writer may lap us over and over, and must not hold us for ever. */
	uint64_t most = r->a->chunk_count + (uint64_t)SEQ_TRIES;
	enum snapshot_result result = SNAPSHOT_OK;

	r->head = WORD_ACQUIRE(r->log->head); /* pairs with the release behind each record */
	r->wanted = PORTION;
	if (*r->position > r->head)
		return give_up(r);
	find_chain(r);
	for (uint64_t steps = 0; *r->position < r->head && result == SNAPSHOT_OK && !r->stopped; steps++)
		result = steps < most ? read_portion(r) : SNAPSHOT_BUSY;
	free(r->chain.links);
	return result;
}
