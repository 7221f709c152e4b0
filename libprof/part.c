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

/* The marker is between its two stores, maybe preempted there: whoever comes first decides. */
static cold uint64_t decide_end(struct process *p, uint64_t interval, uint64_t end)
{
	clock_order();
	uint64_t before = WORD_LOAD(p->frames[(interval - 1) & p->frame_mask].end);
	uint64_t now = (uint64_t)prof__ticks(p);

	if (!(before & MARK_UNDECIDED) && now <= before)
		now = before + 1;
	return atomic_compare_exchange_strong_explicit(&p->frames[interval & p->frame_mask].end, &end, now,
	                                               memory_order_acq_rel, memory_order_acquire)
	           ? now
	           : end;
}

inlined int64_t interval_end(struct process *p, uint64_t interval)
{
	uint64_t end = WORD_ACQUIRE(p->frames[interval & p->frame_mask].end);

	if (unlikely(end == (MARK_UNDECIDED | interval)))
		end = decide_end(p, interval, end);
	atomic_thread_fence(memory_order_acquire); /* pairs with the marker's release fence */
	return unlikely(WORD_LOAD(p->shared->epoch) >= interval + p->frame_mask + 1) ? 0 : (int64_t)end;
}

int64_t prof__interval_end(struct process *p, uint64_t interval)
{
	return interval_end(p, interval);
}

/* ---- a record on its way into the part log */

#define HEAD_BYTES (RECORD_HEAD_WORDS * sizeof(uint64_t))

/* A record on its way into the log.  `bytes` has the words that are not in the log yet, at first with the head.
 * Most records get into the log as a whole.  The head of a longer one is stored again at the end, when its
 * length is known. */
struct record {
	struct thread *t;
	struct log_record at;
	region_word *head, *head_rest; /* where the head's words are in the log: the first head_words, and the others */
	size_t head_words;
	size_t fill;     /* of bytes */
	uint32_t stored; /* words */
	uint32_t before; /* node packed last */
	uint32_t nodes;
	_Alignas(8) unsigned char bytes[1024];
};

/* Packed bytes are stored when there are so many: behind them there is space for one node more. */
#define RECORD_FULL (sizeof((struct record *)0)->bytes - RECORD_NODE_ROOM)

inlined void begin_record(struct record *r, struct thread *t)
{
	r->t = t;
	r->head = r->head_rest = NULL;
	r->head_words = 0;
	r->fill = HEAD_BYTES;
	r->stored = 0;
	r->before = UINT32_MAX;
	r->nodes = 0;
	log_make_way(&t->parts, RECORD_HEAD_WORDS);
	log_begin(&r->at, &t->parts);
}

/* A piece of the record is at `to`: the first one, or the second, has its head. */
inlined void note_head(struct record *r, region_word *to, size_t words)
{
	if (!r->head) {
		r->head = to;
		r->head_words = words < RECORD_HEAD_WORDS ? words : RECORD_HEAD_WORDS;
	} else if (!r->head_rest) {
		r->head_rest = to;
	}
}

/* The first words of what is packed into the log. */
static void store_words(struct record *r, size_t words)
{
	const unsigned char *from = r->bytes;

	while (words) {
		size_t some;
		region_word *to = log_words(&r->at, words, &some);
		if (unlikely(!to))
			return;
		note_head(r, to, some);
		for (size_t i = 0; i < some; i++) {
			uint64_t word;
			memcpy(&word, from + i * 8, 8);
			WORD_STORE(to[i], word);
		}
		from += some * 8;
		words -= some;
		r->stored += (uint32_t)some;
	}
}

/* Stores the whole words of what is packed, and keeps the bytes behind them. */
static void store_packed(struct record *r)
{
	size_t whole = r->fill & ~(size_t)7;

	store_words(r, whole / 8);
	memcpy(r->bytes, r->bytes + whole, 8);
	r->fill -= whole;
}

inlined void put_head(struct record *r, const struct record_head *head)
{
	uint64_t words[RECORD_HEAD_WORDS];

	record_head_words(head, words);
	memcpy(r->bytes, words, HEAD_BYTES);
}

static cold void store_head(struct record *r, const struct record_head *head)
{
	uint64_t words[RECORD_HEAD_WORDS];

	record_head_words(head, words);
	for (size_t i = 0; i < RECORD_HEAD_WORDS; i++)
		WORD_STORE(*(i < r->head_words ? &r->head[i] : &r->head_rest[i - r->head_words]), words[i]);
}

/* The nodes did not fit: a record without.  false: not a chunk is to be had, and the part is missing. */
static cold bool cut_record(struct record *r, struct record_head *head)
{
	bool has_head = r->stored >= RECORD_HEAD_WORDS;

	loss_add(prof__process, LOSS_PART_ROOM);
	prof__log_take_back(&r->at, has_head ? RECORD_HEAD_WORDS : 0);
	head->flags |= RECORD_CUT;
	if (head->kind != RECORD_SPAN) /* where it is the node */
		head->nodes = 0;
	head->words = RECORD_HEAD_WORDS;
	return has_head;
}

inlined void finish(struct record *r, struct record_head head)
{
	struct thread *t = r->t;
	size_t left = (r->fill + 7) / 8;
	bool whole = r->stored == 0;

	head.generation = t->generation;
	head.words = r->stored + (uint32_t)left;
	if (whole)
		put_head(r, &head);
	record_put(r->bytes + r->fill, 0);
	store_words(r, left);
	if (unlikely(r->at.cut) && !cut_record(r, &head))
		return;
	if (unlikely(!whole || r->at.cut))
		store_head(r, &head);
	prof__log_publish(&r->at); /* pairs with the acquire in log_read */
	if (unlikely(head.kind == RECORD_MERGED))
		prof__hours_forget(t, head.interval);
	else
		prof__hours_note(t, head.interval, head.interval + head.intervals - 1,
		                 &(struct log_place){ r->at.start, t->parts.end.head, r->at.start_chunk });
}

/* ---- parts */

/* The changes of a node since its base.  The base moves to b. */
inlined struct record_node take_changes(const struct node *node, int64_t b)
{
	struct region_node *n = node->shared;
	int64_t self = WORD_LOAD(n->self), longest = WORD_LOAD(n->longest);
	uint64_t count = WORD_LOAD(n->count);

	if (self < 0)
		self += b;
	struct record_node changes = { node->id, self - WORD_LOAD(n->base_self), max_tick(longest, 0),
		                       count - WORD_LOAD(n->base_count) };
	WORD_STORE(n->base_self, self);
	WORD_STORE(n->base_count, count);
	if (longest >= 0) {
		if (unlikely(longest > WORD_LOAD(n->run_longest)))
			WORD_STORE(n->run_longest, longest);
		WORD_STORE(n->longest, NODE_NOT_LEFT);
	}
	return changes;
}

/* Nodes that are asked for before they are needed: a reader has taken their cache lines from this core, and waits
 * for many of them are one wait when they are asked for at once. */
#define NODES_AHEAD 16u

/* Packs what the nodes from `first` on have, until all of them are or the bytes are full; the first one left. */
static uint32_t pack_nodes(struct record *r, uint32_t first, int64_t b)
{
	struct node *const *dirty = r->t->dirty;
	unsigned char *at = r->bytes + r->fill, *const full = r->bytes + RECORD_FULL;
	uint32_t before = r->before, count = r->t->dirty_count, i, nodes = 0;

	for (i = first; i < count && at < full; i++) {
		if (i + NODES_AHEAD < count)
			own_soon(dirty[i + NODES_AHEAD]->shared);
		struct record_node n = take_changes(dirty[i], b);
		if (!(n.self | n.longest | (int64_t)n.count))
			continue;
		at = record_pack(at, before, n);
		before = n.node;
		nodes++;
	}
	r->fill = (size_t)(at - r->bytes);
	r->before = before;
	r->nodes += nodes;
	return i;
}

/* Lists the nodes that are open and were entered since the last boundary, even if the clock has not moved since. */
static void list_open(struct thread *t)
{
	for (struct node *n = t->current; n->parent && WORD_LOAD(n->shared->start) >= t->bound; n = n->parent)
		touch_node(t, n);
}

/* ---- groups: what measures are in the slice (shm/record.h) */

/* Pads to a whole word, because groups begin with one. */
static void pad_record(struct record *r)
{
	record_put(r->bytes + r->fill, 0);
	r->fill = (r->fill + 7) & ~(size_t)7;
}

static void put_word(struct record *r, uint64_t word)
{
	if (r->fill >= RECORD_FULL)
		store_packed(r);
	record_put(r->bytes + r->fill, word);
	r->fill += sizeof word;
}

static void put_pair(struct record *r, int64_t step, int64_t value)
{
	if (r->fill >= RECORD_FULL)
		store_packed(r);
	unsigned char *at = record_put_number(r->bytes + r->fill, step);
	r->fill = (size_t)(record_put_number(at, value) - r->bytes);
}

/* Packs the amounts of a measure by node.  A group begins with its length, so the length is added up first. */
static void pack_node_group(struct record *r, unsigned measure, unsigned flags)
{
	struct thread *t = r->t;
	int64_t before = -1, value;
	uint64_t bytes = 0, count = 0;

	for (uint32_t i = 0; i < t->dirty_count; i++)
		if ((value = prof__measure_changed(t, measure, t->dirty[i]))) {
			bytes += record_number_size(t->dirty[i]->id - before - 1) + record_number_size(value);
			before = t->dirty[i]->id;
			count++;
		}
	if (!count && !flags)
		return;
	put_word(r, record_group_word(GROUP_NODES, flags, measure, RECORD_GROUP_WORDS + (bytes + 7) / 8));
	put_word(r, count);
	before = -1;
	for (uint32_t i = 0; i < t->dirty_count; i++)
		if ((value = prof__measure_taken(t, measure, t->dirty[i]))) {
			put_pair(r, t->dirty[i]->id - before - 1, value);
			before = t->dirty[i]->id;
		}
	pad_record(r);
}

static void pack_slice_group(struct record *r, unsigned measure, unsigned flags)
{
	put_word(r, record_group_word(GROUP_SLICE, flags, measure, RECORD_GROUP_WORDS));
	put_word(r, (uint64_t)prof__measure_taken(r->t, measure, NULL));
}

/* The amounts of cpu.c, in one group. */
static void pack_cpu(struct record *r, bool span)
{
	uint64_t bytes = 0, count = 0;
	int64_t amount, amounts[CPU_MEASURES], step[CPU_MEASURES], before = -1;
	unsigned measure;

	for (unsigned i = 0; i < CPU_MEASURES; i++)
		if (prof__cpu_amount(r->t, span, i, &measure, &amount)) {
			step[count] = (int64_t)measure - before - 1;
			amounts[count] = amount;
			bytes += record_number_size(step[count]) + record_number_size(amount);
			before = measure;
			count++;
		}
	if (!count)
		return;
	put_word(r, record_group_word(GROUP_SLICES, 0, 0, RECORD_GROUP_WORDS + (bytes + 7) / 8));
	put_word(r, count);
	for (unsigned i = 0; i < count; i++)
		put_pair(r, step[i], amounts[i]);
	pad_record(r);
}

/* `without`: the bases move, and nothing is packed. */
static cold void pack_groups(struct record *r, bool without)
{
	struct thread *t = r->t;

	if (!without)
		pad_record(r);
	if (!without && t->cpu.known)
		pack_cpu(r, false);
	for (uint64_t left = t->measured | t->unmeasured; left; left &= left - 1) {
		unsigned measure = (unsigned)__builtin_ctzll(left);
		unsigned flags = t->unmeasured >> measure & 1 ? GROUP_UNKNOWN : 0;
		bool of_slice = prof__measure_of_slice(measure);

		if (without && of_slice)
			prof__measure_taken(t, measure, NULL);
		for (uint32_t i = 0; without && !of_slice && i < t->dirty_count; i++)
			prof__measure_taken(t, measure, t->dirty[i]);
		if (!without && of_slice)
			pack_slice_group(r, measure, flags);
		else if (!without)
			pack_node_group(r, measure, flags);
	}
	t->measured = t->unmeasured = 0;
}

/* Moves the bases of all changed nodes to b. */
static void rebase_changed(struct record *r, int64_t b, bool without)
{
	struct thread *t = r->t;

	for (uint32_t i = 0; i < t->dirty_count && i < NODES_AHEAD; i++)
		own_soon(t->dirty[i]->shared);
	for (uint32_t i = 0; i < t->dirty_count;) {
		if (unlikely(without)) { /* nodes in the record */
			take_changes(t->dirty[i++], b);
		} else {
			i = pack_nodes(r, i, b);
			if (i < t->dirty_count)
				store_packed(r);
		}
	}
	if (t->measured | t->unmeasured || t->cpu.known)
		pack_groups(r, without);
	t->dirty_count = 0;
	t->listing++;
}

/* The flag of a record of the intervals from first to last. */
inlined unsigned lossy_flag(const struct thread *t, uint64_t first, uint64_t last)
{
	return unlikely(t->lossy >= first) && WORD_LOAD(t->block->lossy_first) <= last ? RECORD_LOSSY : 0;
}

static void write_part(struct thread *t, enum record_kind kind, uint64_t interval, uint64_t intervals, int64_t b,
                       bool discarded)
{
	struct record r;

	begin_record(&r, t);
	list_open(t);
	if (unlikely(t->late_samples.taken != t->late_samples.came))
		prof__samples_take(t);
	if (prof__process->reads_cpu)
		prof__cpu_slice(t, kind, b);
	rebase_changed(&r, b, discarded);
	finish(&r, (struct record_head){ .kind = kind, .interval = interval,
	                                 .flags = (discarded ? RECORD_DISCARDED : 0) |
	                                          lossy_flag(t, interval, interval + intervals - 1),
	                                 .bound = t->bound, .end = b, .nodes = r.nodes,
	                                 .intervals = (uint32_t)intervals });
	t->bound = b;
	WORD_STORE(t->block->bound, b);
}

static void write_plain(struct thread *t, struct record_head head)
{
	struct record r;

	begin_record(&r, t);
	if (head.kind == RECORD_SPAN && t->cpu.known)
		pack_cpu(&r, true);
	finish(&r, head);
}

/* The thread stayed in one node over whole intervals. */
static void write_span(struct thread *t, uint64_t first, uint64_t intervals, int64_t b)
{
	struct region_node *n = t->current->shared;

	write_plain(t, (struct record_head){ .kind = RECORD_SPAN, .flags = lossy_flag(t, first, first + intervals - 1),
	                                     .interval = first, .bound = t->bound, .end = b,
	                                     .nodes = t->current->id, .intervals = (uint32_t)intervals });
	WORD_STORE(n->base_self, WORD_LOAD(n->base_self) + (b - t->bound));
	t->bound = b;
	WORD_STORE(t->block->bound, b);
}

/* ---- the flush */

/* The newest interval that can still be had, at least `interval`, and its T (0: none can). */
static uint64_t newest_reachable(struct process *p, uint64_t interval, int64_t *end)
{
	for (int tries = 0; !(*end = interval_end(p, interval)) && tries < LAPPED_TRIES; tries++) {
		uint64_t epoch = WORD_LOAD(p->shared->epoch), count = p->frame_mask + 1ull;
		uint64_t oldest = epoch - count + 1 + count / 4;
		if (interval < oldest)
			interval = oldest;
	}
	return interval;
}

/* The marks were lapped: one record up to the newest interval that can still be had; which that is. */
static cold uint64_t flush_merged(struct thread *t, uint64_t first)
{
	struct process *p = prof__process;
	int64_t end;
	uint64_t last = newest_reachable(p, first, &end);

	atomic_fetch_add_explicit(&p->shared->lost[LOSS_FRAMES_MERGED], last - first + 1, memory_order_relaxed);
	write_part(t, RECORD_MERGED, first, last - first + 1, max_tick(end, WORD_LOAD(t->block->last)), false);
	return last;
}

/* True if one of the worst frames may be interval `first` or a later one. */
inlined bool any_worst(struct process *p, uint64_t first)
{
	return atomic_load_explicit(&p->worst_newest, memory_order_relaxed) >= first;
}

/* Intervals without a transition, `first` and those behind it; the running one. */
static cold uint64_t flush_span(struct thread *t, uint64_t first, uint64_t epoch)
{
	struct process *p = prof__process;
	int64_t end;

	log_make_way(&t->parts, RECORD_HEAD_WORDS);
	uint64_t from = t->parts.end.head;
	epoch = newest_reachable(p, epoch - 1, &end) + 1;
	end = max_tick(end, t->bound);
	if (p->reads_cpu)
		prof__cpu_span(t, epoch - first, end);
	write_span(t, first, epoch - first, end);
	if (any_worst(p, first)) /* asked anew: the span may end later than the thread thought when it began */
		prof__keep_worst(t, first, epoch - 1, from, (uint64_t)OWN(t->block->head));
	return epoch;
}

static void flush_once(struct thread *t)
{
	struct process *p = prof__process;
	struct region_thread *block = t->block;
	uint64_t last = t->epoch, epoch = WORD_ACQUIRE(p->shared->epoch);
	log_make_way(&t->parts, RECORD_HEAD_WORDS);
	uint64_t from = t->pieces_from != UINT64_MAX ? t->pieces_from : t->parts.end.head;
	bool worst = any_worst(p, last);
	uint64_t info = WORD_LOAD(p->frames[last & p->frame_mask].info);
	int64_t end = interval_end(p, last);

	seq_write_begin(&block->base_seq);
	if (unlikely(!end)) {
		last = flush_merged(t, last);
		epoch = WORD_ACQUIRE(p->shared->epoch);
	} else {
		t->cpu.stays = epoch - 1 - last;
		if (unlikely(epoch > last + 1))
			t->cpu.stays_to = interval_end(p, epoch - 1);
		write_part(t, RECORD_PART, last, 1, max_tick(end, WORD_LOAD(block->last)), info & MARK_DISCARDED);
		if (unlikely(worst))
			prof__keep_worst(t, last, last, from, t->part_event);
	}
	if (unlikely(epoch > last + 1))
		epoch = flush_span(t, last + 1, epoch);
	if (has_to_look(t))
		prof__events_look(t);
	t->pieces_from = UINT64_MAX;
	t->part_event = (uint64_t)OWN(block->head);
	t->epoch = epoch;
	WORD_STORE(block->epoch, epoch);
	touch_node(t, t->current);
	WORD_STORE(block->last, max_tick(WORD_LOAD(block->last), t->bound));
	seq_write_end(&block->base_seq);
}

/* A mark may come at any time.  A tick that was read behind one whose part is not written would move the boundary there,
 * so the epoch is compared after the clock was read.  Where marks come faster than parts are written it is the first tick
 * behind the boundary. */
cold int64_t prof__flush(struct thread *t)
{
	int64_t seen = clock_seen(t), now = seen;
	bool behind = true;

	prof__events_unkept(t);
	for (int i = 0; i < 2 && behind; i++) {
		if (WORD_LOAD(*t->epoch_word) != t->epoch) /* else a handler has published it */
			flush_once(t);
		clock_order();
		now = prof__ticks(prof__process);
		clock_order();
		behind = WORD_LOAD(*t->epoch_word) != t->epoch;
	}
	int64_t last = WORD_LOAD(t->block->last);
	if (unlikely(now < seen))
		loss_add(prof__process, LOSS_CLOCK_BACK);
	if (now > last && !behind)
		return now;
	push_clock(t, last + 1, max_tick(seen, now));
	return last + 1;
}

/* No event tells of it, and no node changes.  So readers see by intent that something is going on, and by base_seq what has
 * changed; head stays.  A boundary ahead of the clock is the thread's newest tick. */
cold void prof__flush_still(struct thread *t)
{
	uint64_t head = transition_begin(t->block) - 1;
	int64_t to = prof__flush(t);

	if (to == t->pushed_to && to > WORD_LOAD(t->block->last))
		t->pushed_to = WORD_LOAD(t->block->last);
	WORD_RELEASE(t->block->intent, head);
}

void prof__part_start(struct thread *t, uint32_t tid)
{
	if (!t->parts.end.head)
		WORD_STORE(t->block->parts_begin, t->bound);
	write_plain(t, (struct record_head){ .kind = RECORD_START, .interval = t->epoch, .bound = t->bound,
	                                     .end = t->bound, .nodes = tid, .intervals = 1 });
}

void prof__part_exit(struct thread *t, int64_t now)
{
	t->cpu.stays = 0;
	seq_write_begin(&t->block->base_seq);
	write_part(t, RECORD_EXIT, t->epoch, 1, now, false);
	t->pieces_from = UINT64_MAX;
	seq_write_end(&t->block->base_seq);
}

/* ---- pieces */

/* A thread that works for long without a mark publishes its part in pieces, so that what it did can be
 * read exactly while it goes on. */
static void publish_piece(struct thread *t)
{
	log_make_way(&t->parts, RECORD_HEAD_WORDS);
	if (t->pieces_from == UINT64_MAX)
		t->pieces_from = t->parts.end.head;
	seq_write_begin(&t->block->base_seq);
	write_part(t, RECORD_MORE, t->epoch, 1, WORD_LOAD(t->block->last), false);
	touch_node(t, t->current);
	seq_write_end(&t->block->base_seq);
}

void prof__part_pieces(struct thread *t)
{
	if (WORD_LOAD(t->block->last) - t->bound > prof__process->piece_ticks)
		publish_piece(t);
}

cold void prof__events_full(struct thread *t, uint64_t head, enum guard ready)
{
	prof__events_open(t, head, WORD_LOAD(t->block->last));
	prof__part_pieces(t);
	transition_end(t, t->block, head, ready);
}
