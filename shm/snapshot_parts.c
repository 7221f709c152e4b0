/* snapshot_parts.c: the records of a part log, and those kept of the worst frames and of the longest for hours. */
#include "shm/snapshot_read.h"

#include <stdlib.h>
#include "shm/ring.h"

struct reader {
	struct log_reader log; /* first: what deliver_part gets */
	struct record_limits limits;
	struct record_buffer buffer;
	snapshot_want *want; /* NULL: all are */
	snapshot_visit *visit;
	void *context;
};

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

static enum snapshot_result deliver_part(struct log_reader *log, const uint64_t *words, uint64_t count, uint64_t *used,
                                         uint64_t *longer)
{
	struct reader *r = (struct reader *)log;
	const struct record_node *nodes;
	struct record_head head;

	r->limits.nodes = snapshot_node_count(log->a, log->block); /* behind the head: covers what the records name */
	r->limits.epoch = WORD_ACQUIRE(log->a->process->epoch);
	r->limits.measures = snapshot_measure_count(log->a);
	*used = *longer = 0;
	while (*used < count && !log->stopped) {
		switch (read_record(r, words + *used, count - *used, &head, &nodes)) {
		case RECORD_GOOD:
			log->stopped = !r->visit(&head, nodes, r->context);
			break;
		case RECORD_LATER:
			break;
		case RECORD_BAD:
			++*log->damaged;
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

static enum snapshot_result read_log(struct reader *r, struct region_log *log)
{
	r->log.log = log;
	r->log.deliver = deliver_part;
	enum snapshot_result result = log_read(&r->log);
	free(r->log.words);
	record_buffer_fini(&r->buffer);
	return result;
}

enum snapshot_result snapshot_parts(struct attachment *a, uint32_t block, uint64_t *position, uint64_t *lapped,
                                    uint64_t *damaged, snapshot_want *want, snapshot_visit *visit, void *context)
{
	struct region_thread *t = snapshot_block(a, block);
	struct reader r = { .log = { .a = a, .block = block, .position = position, .lapped = lapped, .damaged = damaged },
		            .want = want, .visit = visit, .context = context };

	return t ? read_log(&r, &t->parts) : SNAPSHOT_ABSENT;
}

enum snapshot_result snapshot_hours(struct attachment *a, uint32_t block, uint32_t level, uint64_t *position,
                                    uint64_t *lapped, uint64_t *damaged, snapshot_want *want,
                                    snapshot_visit *visit, void *context)
{
	struct region_thread *t = snapshot_block(a, block);
	struct reader r = { .log = { .a = a, .block = block, .position = position, .lapped = lapped, .damaged = damaged },
		            .want = want, .visit = visit, .context = context };

	return t && level < REGION_HOURS ? read_log(&r, &t->hours[level]) : SNAPSHOT_ABSENT;
}

/* ---- worst frames */

/* The words kept of a worst frame into r->words. */
static enum snapshot_result copy_kept(struct log_reader *r, struct region_kept *kept, uint64_t interval, uint64_t *count)
{
	region_word no_tail = 0;

	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t mark = seq_read_begin(&kept->seq), found = WORD_LOAD(kept->interval);
		*count = WORD_LOAD(kept->words);
		bool whole = *count >= RECORD_HEAD_WORDS && snapshot_holds(r->a, *count / CHUNK_WORDS) &&
		             log_room(r, *count) &&
		             ring_copy(r->a, ring_newest(&kept->chunk), &no_tail, 0, *count, r->words) == 0;
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
	struct reader r = { .log = { .a = a, .block = block, .damaged = damaged }, .visit = visit, .context = context };
	enum snapshot_result result;
	uint64_t count, used, longer;

	if (!t || slot >= REGION_WORST_FRAMES || !interval)
		return SNAPSHOT_ABSENT;
	result = copy_kept(&r.log, &t->worst[slot], interval, &count);
	if (result == SNAPSHOT_OK) {
		result = deliver_part(&r.log, r.log.words, count, &used, &longer);
		if (longer)
			result = SNAPSHOT_DAMAGED;
	}
	free(r.log.words);
	record_buffer_fini(&r.buffer);
	return result;
}
