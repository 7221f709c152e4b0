/* snapshot_parts.c: the records of a part log, and those kept of the worst frames.
 *
 * The log is copied in portions and validated by its tail before a record is looked at, so what is parsed
 * can no longer change.  A reader that was lapped goes on at tail_record, the first record that begins at
 * or behind the tail; any value that word ever had is the beginning of a record.
 */
#include "shm/snapshot_read.h"

#include <stdlib.h>
#include "shm/ring.h"

#define PORTION 32768u /* words copied at a time, unless a record is longer */

struct reader {
	struct attachment *a;
	struct region_thread *t;
	struct record_limits limits;
	struct record_buffer buffer;
	uint64_t *words;
	uint64_t room, head, wanted;
	uint64_t *position, *lapped, *damaged;
	snapshot_want *want; /* NULL: all are */
	snapshot_visit *visit;
	void *context;
	bool stopped;
};

static enum snapshot_result give_up(struct reader *r)
{
	*r->position = r->head;
	return SNAPSHOT_DAMAGED;
}

static bool room_for(struct reader *r, uint64_t words)
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

/* The record at words, and its nodes if they are wanted; else *nodes is NULL. */
static enum record_verdict read_record(struct reader *r, const uint64_t *words, uint64_t available,
                                       struct record_head *head, const struct record_node **nodes)
{
	enum record_verdict verdict = record_read_head(words, available, r->limits, head);

	*nodes = NULL;
	if (verdict != RECORD_GOOD || (r->want && !r->want(head, r->context)))
		return verdict;
	verdict = record_read_nodes(words, head, r->limits, &r->buffer);
	*nodes = r->buffer.nodes;
	return verdict;
}

/* Delivers the whole records among `count` words; *used is where it stopped, *longer the length of a record
 * that is not whole. */
static enum snapshot_result deliver(struct reader *r, const uint64_t *words, uint64_t count, uint64_t *used,
                                    uint64_t *longer)
{
	const struct record_node *nodes;
	struct record_head head;

	*used = *longer = 0;
	while (*used < count && !r->stopped) {
		switch (read_record(r, words + *used, count - *used, &head, &nodes)) {
		case RECORD_GOOD:
			r->stopped = !r->visit(&head, nodes, r->context);
			break;
		case RECORD_BAD:
			++*r->damaged;
			break;
		case RECORD_SHORT:
			*longer = head.words;
			return SNAPSHOT_OK;
		case RECORD_NONE:
			return SNAPSHOT_DAMAGED;
		case RECORD_NO_MEMORY:
			return SNAPSHOT_BUSY;
		}
		*used += head.words;
	}
	return SNAPSHOT_OK;
}

/* Lapped: goes to the first record that is still there. */
static enum snapshot_result catch_up(struct reader *r)
{
	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t tail = WORD_ACQUIRE(r->t->parts.tail), record = WORD_LOAD(r->t->parts.tail_record);
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

/* Copies words [*position, *position + count) whole. */
static enum snapshot_result copy_portion(struct reader *r, uint64_t count)
{
	struct region_log *log = &r->t->parts;
	uint64_t from = *r->position;

	if (!room_for(r, count))
		return SNAPSHOT_BUSY;
	if (ring_copy(r->a->chunks, r->a->chunk_count, &log->chunk, &log->tail, 1, from, from + count, r->words) == from)
		return SNAPSHOT_OK;
	return WORD_LOAD(log->tail) > from ? SNAPSHOT_LAPPED : SNAPSHOT_DAMAGED;
}

/* Reads on from *position and moves it, or sets `wanted` to what the record there needs. */
static enum snapshot_result read_portion(struct reader *r)
{
	uint64_t left = r->head - *r->position, count = left < r->wanted ? left : r->wanted, used, longer;
	enum snapshot_result result;

	if (WORD_LOAD(r->t->parts.tail) > *r->position)
		return catch_up(r);
	if (left > (uint64_t)r->a->chunk_count * CHUNK_WORDS)
		return give_up(r); /* more than there is room for */
	result = copy_portion(r, count);
	if (result == SNAPSHOT_LAPPED)
		return catch_up(r);
	if (result != SNAPSHOT_OK)
		return result == SNAPSHOT_DAMAGED ? give_up(r) : result;
	r->limits.nodes = snapshot_node_count(r->a, r->t); /* behind the head: covers what the records name */
	r->limits.epoch = WORD_ACQUIRE(r->a->process->epoch);
	result = deliver(r, r->words, count, &used, &longer);
	*r->position += used;
	r->wanted = PORTION;
	if (used || r->stopped || result == SNAPSHOT_BUSY)
		return result == SNAPSHOT_BUSY ? result : SNAPSHOT_OK;
	if (result == SNAPSHOT_DAMAGED || longer > left)
		return give_up(r);
	r->wanted = longer;
	return SNAPSHOT_OK;
}

static enum snapshot_result read_log(struct reader *r)
{
	/* A writer may lap us over and over, and must not hold us for ever. */
	uint64_t most = r->a->chunk_count + (uint64_t)SEQ_TRIES;
	enum snapshot_result result = SNAPSHOT_OK;

	if (*r->position > r->head)
		return give_up(r);
	for (uint64_t steps = 0; *r->position < r->head && result == SNAPSHOT_OK && !r->stopped; steps++)
		result = steps < most ? read_portion(r) : SNAPSHOT_BUSY;
	return result;
}

enum snapshot_result snapshot_parts(struct attachment *a, uint32_t block, uint64_t *position, uint64_t *lapped,
                                    uint64_t *damaged, snapshot_visit *visit, void *context)
{
	return snapshot_parts_wanted(a, block, position, lapped, damaged, NULL, visit, context);
}

enum snapshot_result snapshot_parts_wanted(struct attachment *a, uint32_t block, uint64_t *position,
                                           uint64_t *lapped, uint64_t *damaged, snapshot_want *want,
                                           snapshot_visit *visit, void *context)
{
	struct region_thread *t = snapshot_block(a, block);
	struct reader r = { .a = a, .t = t, .wanted = PORTION, .position = position, .lapped = lapped, .damaged = damaged,
		            .want = want, .visit = visit, .context = context };
	enum snapshot_result result;

	if (!t)
		return SNAPSHOT_ABSENT;
	r.head = WORD_ACQUIRE(t->parts.head); /* pairs with the release behind each record */
	result = read_log(&r);
	free(r.words);
	free(r.buffer.nodes);
	return result;
}

/* ---- worst frames */

/* The words kept of a worst frame into r->words. */
static enum snapshot_result copy_kept(struct reader *r, struct region_kept *kept, uint64_t interval, uint64_t *count)
{
	region_word no_tail = 0;

	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t mark = seq_read_begin(&kept->seq), found = WORD_LOAD(kept->interval);
		*count = WORD_LOAD(kept->words);
		uint64_t most = (uint64_t)r->a->chunk_count * CHUNK_WORDS;
		bool whole = *count >= RECORD_HEAD_WORDS && *count <= most && room_for(r, *count) &&
		             ring_copy(r->a->chunks, r->a->chunk_count, &kept->chunk, &no_tail, 1, 0, *count, r->words) == 0;
		if (seq_read_valid(&kept->seq, mark))
			return found != interval ? SNAPSHOT_ABSENT : whole ? SNAPSHOT_OK : SNAPSHOT_DAMAGED;
		snapshot_wait(r->a, i);
	}
	return SNAPSHOT_BUSY;
}

enum snapshot_result snapshot_kept(struct attachment *a, uint32_t block, uint32_t slot, uint64_t interval,
                                   uint64_t *damaged, snapshot_visit *visit, void *context)
{
	struct region_thread *t = snapshot_block(a, block);
	struct reader r = { .a = a, .t = t, .damaged = damaged, .visit = visit, .context = context };
	enum snapshot_result result;
	uint64_t count, used, longer;

	if (!t || slot >= REGION_WORST_FRAMES || !interval)
		return SNAPSHOT_ABSENT;
	result = copy_kept(&r, &t->worst[slot], interval, &count);
	if (result == SNAPSHOT_OK) {
		r.limits = (struct record_limits){ snapshot_node_count(a, t), WORD_ACQUIRE(a->process->epoch) };
		result = deliver(&r, r.words, count, &used, &longer);
		if (longer)
			result = SNAPSHOT_DAMAGED;
	}
	free(r.words);
	free(r.buffer.nodes);
	return result;
}
