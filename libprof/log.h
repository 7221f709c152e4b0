/* log.h: the writer's side of a log of words in chunks: it grows while there is room, and then laps.
 *
 *     oldest                              newest
 *   [chunk 7] -> [chunk 8] -> [chunk 9] -> [chunk 10 ....]      ->: process.newer
 *                                                  ^ end
 *
 * Part logs, value logs and those for hours hold records of whole words; a record may reach over several chunks, and
 * never replaces the chunk in which it begins.  What is written is published with prof__log_publish: until then a reader
 * sees none of it.  An event log (part.c) has the chunks alone.  All of it belongs to the thread whose log it is.
 */
#ifndef LIBPROF_LOG_H
#define LIBPROF_LOG_H

#include <stdbool.h>
#include "shm/region.h"

struct process;

/* The use of a chunk.  arena.c says how many chunks each use may have. */
enum chunk_use { CHUNK_FOR_NODES /* slots, blocks */, CHUNK_FOR_PARTS, CHUNK_FOR_EVENTS, CHUNK_FOR_WORST, CHUNK_FOR_VALUES,
                 CHUNK_FOR_HOURS, CHUNK_FOR_MEASURES };

/* Chunks of a log, the oldest to the newest through process.newer. */
struct log {
	uint32_t oldest, newest; /* 1 + chunk, 0: none */
	uint32_t owned;
	uint64_t seq; /* of the next chunk */
};

/* Where the next word goes: in the newest chunk, or, behind a record that did not fit, in one before it. */
struct log_end {
	region_word *at, *chunk_end;
	uint32_t chunk; /* 1 + chunk, 0: none */
	uint64_t head;  /* words */
};

struct word_log {
	struct log chunks;
	struct log_end end;
	struct region_log *shared;
	enum chunk_use use;
};

/* A record on its way into a log. */
struct log_record {
	struct word_log *log;
	uint64_t start;       /* word of the log at which it begins */
	uint32_t start_chunk; /* 1 + chunk, 0: there is none yet */
	bool cut;             /* no room: nothing more is stored */
};

/* Unlinks the oldest chunk; its index + 1.  Makes a chunk (index + 1) the newest. */
uint32_t prof__log_take_oldest(struct process *p, struct log *log);
void prof__log_append(struct process *p, struct log *log, uint32_t chunk, region_word *newest);

void prof__log_start_over(struct word_log *log);
bool prof__log_more_room(struct log_record *r);
/* The record is whole: readers may see it. */
void prof__log_publish(struct log_record *r);
/* Takes back what was stored of the record behind its first `kept` words.  The chunks that were taken stay with the
 * log, for what comes next. */
void prof__log_take_back(struct log_record *r, uint32_t kept);

/* Words [from, to) of a log, of which the first is in `chunk`. */
struct log_place {
	uint64_t from, to;
	uint32_t chunk; /* 1 + chunk */
};

/* Copies such words, of a log of the same thread, as one record of another, and publishes it; *at is where it is.
 * false: some of them were recycled, or there is no room. */
bool prof__log_copy(struct word_log *to, const struct word_log *from, const struct log_place *place,
                    struct log_place *at);

/* Before a record that needs `words` at the least. */
static inline void log_make_way(struct word_log *log, uint32_t words)
{
	if (__builtin_expect(log->end.chunk_end - log->end.at < (ptrdiff_t)words && log->chunks.owned == 1, 0))
		prof__log_start_over(log);
}

static inline void log_begin(struct log_record *r, struct word_log *log)
{
	r->log = log;
	r->start = log->end.head;
	r->start_chunk = log->end.at == log->end.chunk_end ? 0 : log->end.chunk;
	r->cut = false;
}

/* Where the record's next words go, `wanted` or, at the end of a chunk, fewer; NULL: there is no room for them. */
static inline region_word *log_words(struct log_record *r, size_t wanted, size_t *count)
{
	struct log_end *end = &r->log->end;
	region_word *at;

	if (__builtin_expect(end->at == end->chunk_end, 0) && (r->cut || !prof__log_more_room(r))) {
		r->cut = true;
		return NULL;
	}
	at = end->at;
	*count = (size_t)(end->chunk_end - at);
	if (wanted < *count)
		*count = wanted;
	end->at += *count;
	end->head += *count;
	return at;
}

#endif
