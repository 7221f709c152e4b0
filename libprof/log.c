/* log.c: the chunks of a log, and where its next record goes. */
#include "libprof/libprof_inside.h"

uint32_t prof__log_take_oldest(struct process *p, struct log *log)
{
	uint32_t chunk = log->oldest;

	log->oldest = p->newer[chunk - 1];
	if (!log->oldest)
		log->newest = 0;
	log->owned--;
	return chunk;
}

void prof__log_append(struct process *p, struct log *log, uint32_t chunk, region_word *newest)
{
	uint32_t before = log->newest;

	p->newer[chunk - 1] = 0;
	p->first_record[chunk - 1] = UINT16_MAX;
	if (before)
		p->newer[before - 1] = chunk;
	else
		log->oldest = chunk;
	log->newest = chunk;
	log->owned++;
	ring_open(p->chunks, chunk - 1, log->seq++, before, newest);
}

/* A list of regions reads only where a part log begins.  `first` is the chunk in which the first record of the
 * log begins, 0: that record is being written. */
static void tell_begin(const struct process *p, const struct word_log *log, uint32_t first)
{
	if (log->use != CHUNK_FOR_PARTS)
		return;

	struct region_thread *block =
	    (struct region_thread *)((char *)log->shared - offsetof(struct region_thread, parts));
	int64_t bound = WORD_LOAD(block->bound);

	if (first) {
		uint32_t at = p->first_record[first - 1] + RECORD_BOUND;
		if (at >= CHUNK_WORDS)
			first = p->newer[first - 1];
		bound = (int64_t)WORD_LOAD(p->chunks[first - 1].words[at % CHUNK_WORDS]);
	}
	WORD_STORE(block->parts_begin, bound);
}

/* Tells where the first record begins that is whole once the oldest chunks are gone; `otherwise`: there is none. */
static void tell_first_record(const struct process *p, const struct word_log *log, uint64_t otherwise)
{
	uint64_t seq = log->chunks.seq - log->chunks.owned;
	uint32_t c = log->chunks.oldest;

	for (; c && p->first_record[c - 1] == UINT16_MAX; c = p->newer[c - 1])
		seq++;
	WORD_STORE(log->shared->tail_record, c ? seq * CHUNK_WORDS + p->first_record[c - 1] : otherwise);
	tell_begin(p, log, c);
}

static uint32_t retire_oldest(struct word_log *log, uint64_t record)
{
	struct process *p = prof__process;
	uint32_t chunk = prof__log_take_oldest(p, &log->chunks);

	tell_first_record(p, log, record);
	ring_retire(&log->shared->tail, (log->chunks.seq - log->chunks.owned) * CHUNK_WORDS);
	return chunk;
}

static void go_to(struct word_log *log, uint32_t chunk)
{
	log->end.chunk = chunk;
	log->end.at = prof__process->chunks[chunk - 1].words;
	log->end.chunk_end = log->end.at + CHUNK_WORDS;
}

/* A chunk for what follows: one that a record left which did not fit, a fresh one, or the log's own oldest, but
 * never the one in which the record begins.  0: none. */
static uint32_t another_chunk(struct log_record *r)
{
	struct word_log *log = r->log;
	struct process *p = prof__process;
	uint32_t chunk = log->end.chunk ? p->newer[log->end.chunk - 1] : 0;

	if (chunk)
		return chunk;
	chunk = prof__chunk_claim(p, log->use, log->chunks.owned);
	if (!chunk) {
		if (!log->chunks.oldest || log->chunks.oldest == r->start_chunk)
			return 0;
		chunk = retire_oldest(log, r->start);
		if (prof__chunk_too_many(p, log->use, log->chunks.owned) && log->chunks.oldest != r->start_chunk)
			prof__chunk_release(p, retire_oldest(log, r->start)); /* others have come: share */
	}
	prof__log_append(p, &log->chunks, chunk, &log->shared->chunk);
	return chunk;
}

bool prof__log_more_room(struct log_record *r)
{
	uint32_t chunk = another_chunk(r);

	if (!chunk)
		return false;
	go_to(r->log, chunk);
	if (!r->start_chunk)
		r->start_chunk = chunk;
	return true;
}

/* A log of a single chunk that is full has to start over: its record could never replace its own chunk. */
cold void prof__log_start_over(struct word_log *log)
{
	struct process *p = prof__process;
	uint32_t fresh = prof__chunk_claim(p, log->use, 1), chunk = log->chunks.oldest;
	if (fresh) {
		prof__chunk_release(p, fresh);
		return;
	}
	log->end.head = log->chunks.seq * CHUNK_WORDS;
	prof__log_take_oldest(p, &log->chunks);
	tell_first_record(p, log, log->end.head);
	ring_retire(&log->shared->tail, log->end.head);
	prof__log_append(p, &log->chunks, chunk, &log->shared->chunk);
	go_to(log, chunk);
}

void prof__log_publish(struct log_record *r)
{
	uint16_t *first = &prof__process->first_record[r->start_chunk - 1];

	if (*first == UINT16_MAX)
		*first = (uint16_t)(r->start % CHUNK_WORDS);
	WORD_RELEASE(r->log->shared->head, r->log->end.head); /* pairs with the acquire in log_read */
}

/* The chunk in which the record begins was not replaced meanwhile. */
void prof__log_take_back(struct log_record *r, uint32_t kept)
{
	struct word_log *log = r->log;
	uint32_t at = (uint32_t)(r->start % CHUNK_WORDS) + kept, chunk = r->start_chunk;

	if (!chunk)
		return;
	if (at > CHUNK_WORDS) {
		at -= CHUNK_WORDS;
		chunk = prof__process->newer[chunk - 1];
	}
	go_to(log, chunk);
	log->end.at += at;
	log->end.head = r->start + kept;
}

static bool copy_words(struct log_record *r, const region_word *from, size_t count)
{
	while (count) {
		size_t some;
		region_word *to = log_words(r, count, &some);
		if (!to)
			return false;
		for (size_t i = 0; i < some; i++)
			WORD_STORE(to[i], WORD_LOAD(from[i]));
		from += some;
		count -= some;
	}
	return true;
}

bool prof__log_copy(struct word_log *to, const struct word_log *from, const struct log_place *place,
                    struct log_place *at)
{
	struct process *p = prof__process;
	uint64_t words = place->to - place->from, left = words, first = place->from % CHUNK_WORDS;
	struct log_record r;

	if (place->from < (from->chunks.seq - from->chunks.owned) * CHUNK_WORDS)
		return false;
	log_make_way(to, words < CHUNK_WORDS ? (uint32_t)words : CHUNK_WORDS);
	log_begin(&r, to);
	for (uint32_t source = place->chunk; left; source = p->newer[source - 1], first = 0) {
		uint64_t here = CHUNK_WORDS - first < left ? CHUNK_WORDS - first : left;
		if (!copy_words(&r, p->chunks[source - 1].words + first, here)) {
			prof__log_take_back(&r, 0);
			return false;
		}
		left -= here;
	}
	prof__log_publish(&r);
	*at = (struct log_place){ r.start, r.start + words, r.start_chunk };
	return true;
}
