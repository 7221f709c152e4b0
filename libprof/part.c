/* part.c: a thread publishes its own part of each interval.
 *
 * It does so at its first transition after a mark, when its accumulators still stand as they stood at the
 * mark: no thread ever reads another's running nodes.  A part goes from the thread's boundary of the
 * interval before to b = max(T, the thread's last transition); what is written is the difference of each
 * changed node to its base, and the bases move to b.  Intervals in which the thread made no transition
 * follow as one span.  The whole is inside base_seq, and inside the intent of the transition.
 */
#include "libprof/transition.h"

#include <string.h>

/* ---- the tick at which an interval ended */

int64_t prof__interval_end(struct process *p, uint64_t interval)
{
	struct region_frame *frame = &p->frames[interval & p->frame_mask];
	uint64_t end = WORD_ACQUIRE(frame->end);

	if (unlikely(end == (MARK_UNDECIDED | interval))) {
		/* The marker is between its two stores, maybe preempted there: whoever comes first decides. */
		clock_order();
		uint64_t before = WORD_LOAD(p->frames[(interval - 1) & p->frame_mask].end);
		uint64_t now = (uint64_t)prof__ticks(p);
		if (!(before & MARK_UNDECIDED) && now <= before)
			now = before + 1;
		if (atomic_compare_exchange_strong_explicit(&frame->end, &end, now, memory_order_acq_rel,
		                                            memory_order_acquire))
			end = now;
	}
	atomic_thread_fence(memory_order_acquire); /* pairs with the marker's release fence */
	return WORD_LOAD(p->shared->epoch) >= interval + p->frame_mask + 1 ? 0 : (int64_t)end;
}

/* ---- a record on its way into the part log */

struct record {
	struct thread *t;
	struct log_record at;
	region_word *head_at[RECORD_HEAD_WORDS];
	struct log_end before_head, behind_head;
	unsigned fill;
	uint32_t before; /* node packed last */
	uint32_t nodes;
	_Alignas(8) unsigned char bytes[512];
};

/* The head's words are reserved now and stored at the end, when the length is known. */
static void reserve_head(struct record *r)
{
	struct word_log *log = &r->t->parts;

	r->before_head = log->end;
	log_begin(&r->at, log);
	r->fill = 0;
	r->nodes = 0;
	r->before = UINT32_MAX;
	for (int i = 0; i < RECORD_HEAD_WORDS; i++)
		r->head_at[i] = log_word(&r->at);
	r->behind_head = log->end;
}

static void store_bytes(struct record *r, unsigned size)
{
	for (unsigned i = 0; i < size; i += 8) {
		region_word *to = log_word(&r->at);
		uint64_t word;
		if (!to)
			return;
		memcpy(&word, r->bytes + i, 8);
		WORD_STORE(*to, word);
	}
}

static void add_node(struct record *r, const struct record_node *n)
{
	r->fill += record_pack(r->bytes + r->fill, r->before, n);
	r->before = n->node;
	r->nodes++;
	if (unlikely(r->fill > sizeof r->bytes - RECORD_NODE_MAX - 8)) {
		unsigned whole = r->fill & ~7u;
		store_bytes(r, whole);
		memmove(r->bytes, r->bytes + whole, r->fill - whole);
		r->fill -= whole;
	}
}

static void store_head(struct record *r, struct record_head *head)
{
	uint64_t words[RECORD_HEAD_WORDS];

	head->generation = r->t->generation;
	head->words = (uint32_t)(r->t->parts.end.head - r->at.start);
	record_head_words(head, words);
	for (int i = 0; i < RECORD_HEAD_WORDS; i++)
		WORD_STORE(*r->head_at[i], words[i]);
	prof__log_publish(&r->at); /* pairs with the acquire in log_read */
}

/* Ends the record, with its nodes or, where these did not fit, without.  The chunks that were taken for them
 * stay with the log, for what comes next. */
static void finish(struct record *r, struct record_head head)
{
	struct thread *t = r->t;

	if (r->fill) {
		memset(r->bytes + r->fill, 0, 8);
		store_bytes(r, (r->fill + 7) & ~7u);
	}
	if (r->at.cut) {
		loss(prof__process, LOSS_PART_ROOM);
		if (!r->head_at[RECORD_HEAD_WORDS - 1]) {
			t->parts.end = r->before_head;
			return; /* not a chunk to be had: the part is missing */
		}
		t->parts.end = r->behind_head;
		head.flags |= RECORD_CUT;
		head.nodes = 0;
	}
	store_head(r, &head);
	if (head.kind == RECORD_MERGED)
		prof__hours_forget(t, head.interval);
	else
		prof__hours_note(t, head.interval, head.interval + head.intervals - 1,
		                 &(struct log_place){ r->at.start, t->parts.end.head, r->at.start_chunk });
}

/* ---- parts */

static void take_longest(struct region_node *n, int64_t longest)
{
	if (!longest)
		return;
	if (longest > WORD_LOAD(n->run_longest))
		WORD_STORE(n->run_longest, longest);
	WORD_STORE(n->longest, 0);
}

/* Moves the bases of all changed nodes to b; without == true leaves the nodes out of the record. */
static void rebase(struct thread *t, struct record *r, int64_t b, bool without)
{
	for (uint32_t i = 0; i < t->dirty_count; i++) {
		struct region_node *n = t->dirty[i]->shared;
		int64_t self = WORD_LOAD(n->self);
		uint64_t count = WORD_LOAD(n->count);
		if (self < 0)
			self += b;
		struct record_node packed = { t->dirty[i]->id, self - WORD_LOAD(n->base_self), WORD_LOAD(n->longest),
			                      count - WORD_LOAD(n->base_count) };
		if (!without && (packed.self | packed.longest | (int64_t)packed.count))
			add_node(r, &packed);
		WORD_STORE(n->base_self, self);
		WORD_STORE(n->base_count, count);
		take_longest(n, packed.longest);
	}
	t->dirty_count = 0;
	t->listing++;
}

static void write_part(struct thread *t, enum record_kind kind, uint64_t interval, uint64_t intervals, int64_t b,
                       bool discarded)
{
	struct record r;

	r.t = t;
	prof__log_make_way(&t->parts, RECORD_HEAD_WORDS);
	reserve_head(&r);
	rebase(t, &r, b, discarded);
	finish(&r, (struct record_head){ .kind = kind, .flags = discarded ? RECORD_DISCARDED : 0, .interval = interval,
	                                 .bound = t->bound, .end = b, .nodes = r.nodes,
	                                 .intervals = (uint32_t)intervals });
	t->bound = b;
	WORD_STORE(t->block->bound, b);
}

static void write_plain(struct thread *t, struct record_head head)
{
	struct record r;

	r.t = t;
	prof__log_make_way(&t->parts, RECORD_HEAD_WORDS);
	reserve_head(&r);
	finish(&r, head);
}

/* The thread stayed in one node over whole intervals. */
static void write_span(struct thread *t, uint64_t first, uint64_t intervals, int64_t b)
{
	struct region_node *n = t->current->shared;

	write_plain(t, (struct record_head){ .kind = RECORD_SPAN, .interval = first, .bound = t->bound, .end = b,
	                                     .nodes = t->current->id, .intervals = (uint32_t)intervals });
	WORD_STORE(n->base_self, WORD_LOAD(n->base_self) + (b - t->bound));
	t->bound = b;
	WORD_STORE(t->block->bound, b);
}

/* ---- the worst frames, kept apart from the log that laps */

static bool kept_room(struct process *p, struct log *log, struct region_kept *kept, uint32_t chunks)
{
	while (log->owned < chunks) {
		uint32_t chunk = prof__chunk_claim(p, CHUNK_FOR_WORST, log->owned);
		if (!chunk)
			return false;
		prof__log_append(p, log, chunk, &kept->chunk);
	}
	return true;
}

/* Copies the record that was just written, words [from, part_head) of the log. */
static void copy_record(struct thread *t, struct log *log, uint64_t from)
{
	struct process *p = prof__process;
	uint32_t source = t->parts.chunks.oldest, target = log->oldest;
	uint64_t seq = t->parts.chunks.seq - t->parts.chunks.owned;

	for (; seq < from / CHUNK_WORDS; seq++)
		source = p->newer[source - 1];
	for (uint64_t w = from, out = 0; w < t->parts.end.head; w++, out++) {
		if (w > from && w % CHUNK_WORDS == 0)
			source = p->newer[source - 1];
		if (out && out % CHUNK_WORDS == 0)
			target = p->newer[target - 1];
		WORD_STORE(p->chunks[target - 1].words[out % CHUNK_WORDS],
		           WORD_LOAD(p->chunks[source - 1].words[w % CHUNK_WORDS]));
	}
}

static void keep(struct thread *t, unsigned slot, uint64_t interval, uint64_t from)
{
	struct process *p = prof__process;
	struct region_kept *kept = &t->block->worst[slot];
	uint64_t words = t->parts.end.head - from, oldest = (t->parts.chunks.seq - t->parts.chunks.owned) * CHUNK_WORDS;

	if (!words || from < oldest) {
		loss(p, LOSS_WORST_ROOM);
		return;
	}
	seq_write_begin(&kept->seq);
	WORD_STORE(kept->interval, 0);
	if (kept_room(p, &t->kept[slot], kept, (uint32_t)((words + CHUNK_WORDS - 1) / CHUNK_WORDS))) {
		copy_record(t, &t->kept[slot], from);
		WORD_STORE(kept->interval, interval);
		WORD_STORE(kept->words, words);
	} else {
		loss(p, LOSS_WORST_ROOM);
	}
	seq_write_end(&kept->seq);
}

/* Keeps the record written from word `from` on for every worst frame in intervals [first, last]. */
static void keep_worst(struct thread *t, uint64_t first, uint64_t last, uint64_t from)
{
	struct process *p = prof__process;

	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++) {
		uint64_t interval = atomic_load_explicit(&p->worst_interval[slot], memory_order_relaxed);
		if (interval >= first && interval <= last)
			keep(t, slot, interval, from);
	}
}

/* ---- the flush */

/* The newest interval that can still be had, at least `interval`, and its T (0: none can). */
static uint64_t reachable(struct process *p, uint64_t interval, int64_t *end)
{
	for (int tries = 0; !(*end = prof__interval_end(p, interval)) && tries < LAPPED_TRIES; tries++) {
		uint64_t epoch = WORD_LOAD(p->shared->epoch), count = p->frame_mask + 1ull;
		uint64_t oldest = epoch - count + 1 + count / 4;
		if (interval < oldest)
			interval = oldest;
	}
	return interval;
}

static void flush_once(struct thread *t)
{
	struct process *p = prof__process;
	uint64_t first = t->epoch, epoch = WORD_ACQUIRE(p->shared->epoch);
	prof__log_make_way(&t->parts, RECORD_HEAD_WORDS);
	uint64_t from = t->pieces_from != UINT64_MAX ? t->pieces_from : t->parts.end.head;
	bool worst = atomic_load_explicit(&p->worst_newest, memory_order_relaxed) >= first;
	uint64_t info = WORD_LOAD(p->frames[first & p->frame_mask].info);
	int64_t end;
	uint64_t last = reachable(p, first, &end);

	seq_write_begin(&t->block->base_seq);
	if (unlikely(last > first)) {
		epoch = WORD_ACQUIRE(p->shared->epoch);
		atomic_fetch_add_explicit(&p->shared->lost[LOSS_FRAMES_MERGED], last - first + 1, memory_order_relaxed);
		write_part(t, RECORD_MERGED, first, last - first + 1, max_tick(end, WORD_LOAD(t->block->last)), false);
	} else {
		write_part(t, RECORD_PART, first, 1, max_tick(end, WORD_LOAD(t->block->last)), info & MARK_DISCARDED);
		if (unlikely(worst))
			keep_worst(t, first, first, from);
	}
	if (unlikely(epoch > last + 1)) {
		prof__log_make_way(&t->parts, RECORD_HEAD_WORDS);
		from = t->parts.end.head;
		epoch = reachable(p, epoch - 1, &end) + 1;
		write_span(t, last + 1, epoch - 1 - last, max_tick(end, t->bound));
		if (worst)
			keep_worst(t, last + 1, epoch - 1, from);
	}
	t->pieces_from = UINT64_MAX;
	t->epoch = epoch;
	WORD_STORE(t->block->epoch, epoch);
	touch(t, t->current);
	seq_write_end(&t->block->base_seq);
	WORD_STORE(t->block->last, max_tick(WORD_LOAD(t->block->last), t->bound));
}

cold int64_t prof__flush(struct thread *t)
{
	int64_t seen = clock_seen(t);

	/* At most twice: a mark that falls into the flush itself is seen, one more waits for the next
	 * transition, which is as well. */
	for (int i = 0; i < 2 && WORD_LOAD(*t->epoch_word) != t->epoch; i++)
		flush_once(t);
	clock_order();
	int64_t now = prof__ticks(prof__process), last = WORD_LOAD(t->block->last);
	if (now > last)
		return now;
	push_clock(t, last + 1, max_tick(seen, now));
	return last + 1;
}

void prof__part_start(struct thread *t, uint32_t tid)
{
	write_plain(t, (struct record_head){ .kind = RECORD_START, .interval = t->epoch, .bound = t->bound,
	                                     .end = t->bound, .nodes = tid, .intervals = 1 });
}

void prof__part_exit(struct thread *t, int64_t now)
{
	seq_write_begin(&t->block->base_seq);
	write_part(t, RECORD_EXIT, t->epoch, 1, now, false);
	t->pieces_from = UINT64_MAX;
	seq_write_end(&t->block->base_seq);
}

/* ---- the event log */

static uint32_t retire_oldest_events(struct thread *t)
{
	uint32_t chunk = prof__log_take_oldest(prof__process, &t->events);

	ring_retire(&t->block->event_tail, (t->events.seq - t->events.owned) * CHUNK_EVENTS);
	return chunk;
}

void prof__events_open(struct thread *t, uint64_t head)
{
	struct process *p = prof__process;
	uint32_t chunk = p->events ? prof__chunk_claim(p, CHUNK_FOR_EVENTS, t->events.owned) : 0;

	if (!chunk && t->events.oldest) {
		chunk = retire_oldest_events(t);
		if (prof__chunk_too_many(p, CHUNK_FOR_EVENTS, t->events.owned))
			prof__chunk_release(p, retire_oldest_events(t)); /* others have come: share */
	}
	if (chunk) {
		t->events.seq = head / CHUNK_EVENTS;
		prof__log_append(p, &t->events, chunk, &t->block->event_chunk);
		t->event = (struct region_event *)p->chunks[chunk - 1].words;
	} else {
		if (p->events)
			atomic_fetch_add_explicit(&p->shared->lost[LOSS_EVENT_ROOM], CHUNK_EVENTS, memory_order_relaxed);
		t->event = t->sink;
	}
	t->event_end = t->event + CHUNK_EVENTS;
}

/* A thread that works for long without a mark publishes its part in pieces, so that what it did can be
 * read exactly while it goes on. */
static void piece(struct thread *t)
{
	prof__log_make_way(&t->parts, RECORD_HEAD_WORDS);
	if (t->pieces_from == UINT64_MAX)
		t->pieces_from = t->parts.end.head;
	seq_write_begin(&t->block->base_seq);
	write_part(t, RECORD_MORE, t->epoch, 1, WORD_LOAD(t->block->last), false);
	touch(t, t->current);
	seq_write_end(&t->block->base_seq);
}

cold void prof__events_full(struct thread *t, uint64_t head, enum guard ready)
{
	prof__events_open(t, head);
	if (WORD_LOAD(t->block->last) - t->bound > prof__process->piece_ticks)
		piece(t);
	transition_end(t, t->block, head, ready);
}
