/* snapshot_totals.c: what each node of a block has in the whole run. And, for a thread that has not moved since a frame
 * ended, its part of that frame: it is not published yet, and is worked out here.
 *
 * The writer works on while this reads. It goes so:
 *
 *     transition   intent = h+1; fence(release); words; head = h+1 (release)
 *     boundary     the same, and the bases change under base_seq
 *     new owner    state = CLAIMED; ended_*, started, bound, epoch under base_seq; state = LIVE (release)
 *
 * So a reader takes state, base_seq and head (acquire), then the words, then a fence (acquire). If intent is head
 * by then, and the others are what they were, no transition began in between and all words are of one moment. If
 * intent is not head, but it, head and last stay the same, the thread stands still in the middle of a
 * transition, and what it had counted before can be told as well.
 *
 * No total is called whole before it was checked: the self times of all nodes sum to until - started, in ticks.
 */
#include "shm/snapshot_read.h"

#define QUIET_TRIES 16 /* to find a thread between two transitions */

/* The words that tell whether a reading of the nodes is of one moment: read before the nodes, and again after them. */
struct look {
	uint64_t state, mark, head, intent;
	int64_t started, bound, last;
	uint64_t epoch, current;
	uint32_t nodes;
};

static void look_begin(const struct attachment *a, uint32_t block, struct region_thread *t, struct look *l)
{
	l->state = WORD_ACQUIRE(t->state);
	l->mark = seq_read_begin(&t->base_seq);
	l->head = WORD_ACQUIRE(t->head);
	l->intent = WORD_LOAD(t->intent);
	l->nodes = snapshot_node_count(a, block);
	l->started = WORD_LOAD(t->started);
	l->bound = WORD_LOAD(t->bound);
	l->last = WORD_LOAD(t->last);
	l->epoch = WORD_LOAD(t->epoch);
	l->current = WORD_LOAD(t->current);
}

/* No boundary came since, and no new owner: what was read of the bases belongs together. */
static bool bases_stand(struct region_thread *t, const struct look *l)
{
	return seq_read_valid(&t->base_seq, l->mark) && WORD_LOAD(t->state) == l->state;
}

/* No transition began since either: all that was read belongs together. */
static bool look_stands(struct region_thread *t, const struct look *l)
{
	return bases_stand(t, l) && WORD_LOAD(t->intent) == l->head;
}

/* A transition is going on: this look will not hold, and reading the nodes, which may be many, would be wasted. */
static bool is_in_flight(struct region_thread *t, const struct look *l)
{
	return WORD_LOAD(t->intent) != l->head;
}

/* The thread has not moved since, though it may be in the middle of a transition. */
static bool look_rests(struct region_thread *t, const struct look *l)
{
	atomic_thread_fence(memory_order_acquire); /* pairs with the release fence after intent */
	return WORD_LOAD(t->intent) == l->intent && WORD_LOAD(t->head) == l->head && WORD_LOAD(t->last) == l->last &&
	       WORD_LOAD(t->base_seq) == l->mark && WORD_LOAD(t->state) == l->state;
}

/* ---- the nodes */

enum reading {
	READ_RUNNING, /* all that the thread has counted, up to `until` */
	READ_BASES,   /* what it had at its last boundary */
	READ_CLAIMED, /* nobody owns the block just now: all of it belongs to the owners before */
};

typedef bool look_check(struct region_thread *t, const struct look *l);

struct nodes {
	uint32_t block;
	enum reading reading;
	int64_t until;
	struct snapshot_total *values;
	int64_t self, frame; /* sums */
	look_check *check;   /* asked now and then: once it says no, reading on is of no use. NULL: not asked */
	struct region_thread *t;
	const struct look *look;
};

static void load_node(struct region_node *n, struct region_node_ended *e, struct nodes *in, struct snapshot_total *v)
{
	int64_t self = WORD_LOAD(n->self), base = WORD_LOAD(n->base_self);
	uint64_t count = WORD_LOAD(n->count), base_count = WORD_LOAD(n->base_count);
	int64_t longest = tick_max(0, WORD_LOAD(n->longest)), run_longest = tick_max(0, WORD_LOAD(n->run_longest));

	v->ended_self = WORD_LOAD(e->self);
	v->ended_count = WORD_LOAD(e->count);
	v->ended_longest = tick_max(0, WORD_LOAD(e->longest));
	if (in->reading == READ_CLAIMED) {
		v->ended_self = base;
		v->ended_count = base_count;
		v->ended_longest = tick_max(v->ended_longest, run_longest);
		return;
	}
	v->longest = run_longest;
	if (in->reading == READ_RUNNING) {
		if (self < 0)
			self = tick_add(self, in->until);
		v->frame_self = tick_sub(self, base);
		v->frame_count = count - base_count;
		v->frame_longest = longest;
		v->longest = tick_max(run_longest, longest);
	} else {
		self = base;
		count = base_count;
	}
	v->self = tick_sub(self, v->ended_self);
	v->count = count - v->ended_count;
}

static bool load_nodes(struct region_node_chunk *chunk, uint32_t first, uint32_t end, void *context)
{
	struct nodes *in = context;

	if (in->check && !in->check(in->t, in->look))
		return false;
	for (uint32_t n = first; n < end; n++) {
		struct snapshot_total *v = &in->values[n];
		memset(v, 0, sizeof *v);
		if (chunk)
			load_node(&chunk->nodes[n % CHUNK_NODES], &chunk->ended[n % CHUNK_NODES], in, v);
		in->self = tick_add(in->self, v->self);
		in->frame = tick_add(in->frame, v->frame_self);
	}
	return true;
}

static void read_all_nodes(const struct attachment *a, struct region_thread *t, const struct look *l, uint32_t count,
                           struct nodes *in)
{
	uint32_t there = count < l->nodes ? count : l->nodes;

	in->self = in->frame = 0;
	if (!count)
		return; /* and values may be NULL */
	memset(in->values + there, 0, (count - there) * sizeof *in->values);
	snapshot_walk_nodes(a, t, 0, there, load_nodes, in);
}

/* Reads the nodes. False: something changed meanwhile, so they do not belong together; it stops as soon as it sees
 * that. */
static bool read_nodes(const struct attachment *a, struct region_thread *t, const struct look *l, uint32_t count,
                       struct nodes *in, look_check *check)
{
	in->check = check;
	in->t = t;
	in->look = l;
	read_all_nodes(a, t, l, count, in);
	in->check = NULL;
	return check(t, l);
}

/* ---- totals */

static void describe_totals(const struct look *l, const struct nodes *in, struct snapshot_totals *out)
{
	out->started = l->started;
	out->bound = l->bound;
	out->epoch = l->epoch;
	out->until = in->until;
	out->at_bound = in->reading == READ_BASES;
	out->torn = in->self != tick_sub(out->until, out->started);
	out->current = l->current < l->nodes ? (uint32_t)l->current : 0;
	out->state = BLOCK_STATE(l->state);
	out->generation = BLOCK_GENERATION(l->state);
}

static int64_t quiet_until(const struct look *l, int64_t now)
{
	return BLOCK_STATE(l->state) == BLOCK_LIVE ? tick_max(now, l->last) : l->last;
}

/* Between two owners nothing runs, and the next one begins at the last boundary. False: the next one has begun. */
static bool read_claimed(const struct attachment *a, struct region_thread *t, struct look *l, uint32_t count,
			 struct nodes *in, struct snapshot_totals *out)
{
	in->reading = READ_CLAIMED;
	in->until = l->started = l->bound;
	read_all_nodes(a, t, l, count, in);
	describe_totals(l, in, out);
	atomic_thread_fence(memory_order_acquire);
	return WORD_LOAD(t->state) == l->state;
}

/* The thread may have been stopped or killed in the middle of a transition, or have lost its core there. Then what it
 * has counted goes as far as `last`, the tick of this transition or of the one before, and the sum is right up to
 * there whichever store came last. False: the thread moves after all, or its numbers cannot be had this way. */
static bool in_flight(const struct attachment *a, struct region_thread *t, uint32_t count, struct nodes *in,
                      struct snapshot_totals *out)
{
	struct look l;

	look_begin(a, in->block, t, &l);
	if (BLOCK_STATE(l.state) == BLOCK_CLAIMED || l.nodes > count)
		return false;
	in->reading = READ_RUNNING;
	in->until = l.last;
	if (!read_nodes(a, t, &l, count, in, look_rests))
		return false;
	describe_totals(&l, in, out);
	if (l.mark & 1 || l.bound > l.last) { /* it stands in a boundary: nobody knows what lies before it and what behind */
		out->bound = out->until;
		for (uint32_t n = 0; n < count; n++)
			in->values[n].frame_self = in->values[n].frame_longest = 0, in->values[n].frame_count = 0;
	}
	return !out->torn;
}

/* The totals as of the last boundary. SNAPSHOT_BUSY: a boundary came with each try. SNAPSHOT_DAMAGED: none came, and
 * the sum is wrong all the same, or the process is dead and no try held. */
static enum snapshot_result at_bound(const struct attachment *a, struct region_thread *t, uint32_t count,
                                     struct nodes *in, struct snapshot_totals *out)
{
	struct look l;

	for (int i = 0; i < SEQ_TRIES; i++) {
		look_begin(a, in->block, t, &l);
		if (BLOCK_STATE(l.state) == BLOCK_CLAIMED && read_claimed(a, t, &l, count, in, out))
			return SNAPSHOT_OK;
		in->reading = READ_BASES;
		in->until = l.bound;
		if (!(l.mark & 1) && BLOCK_STATE(l.state) != BLOCK_CLAIMED &&
		    read_nodes(a, t, &l, count, in, bases_stand)) {
			describe_totals(&l, in, out);
			return out->torn ? SNAPSHOT_DAMAGED : SNAPSHOT_OK;
		}
		snapshot_wait(a, i);
	}
	return a->live ? SNAPSHOT_BUSY : SNAPSHOT_DAMAGED;
}

/* When nothing else can be had: each node is right by itself, but they may be of different moments. */
static void read_torn(const struct attachment *a, struct region_thread *t, int64_t now, uint32_t count, struct nodes *in,
		      struct snapshot_totals *out)
{
	struct look l;

	look_begin(a, in->block, t, &l);
	in->reading = READ_RUNNING;
	in->until = quiet_until(&l, now);
	read_all_nodes(a, t, &l, count, in);
	describe_totals(&l, in, out);
	out->torn = true;
}

enum snapshot_result snapshot_totals(struct attachment *a, uint32_t block, int64_t now, uint32_t count,
                                     struct snapshot_total *values, struct snapshot_totals *out)
{
	struct region_thread *t = snapshot_block(a, block);
	struct nodes in = { .block = block, .values = values };
	enum snapshot_result result = SNAPSHOT_BUSY;
	struct look l;

	memset(out, 0, sizeof *out);
	if (!t)
		return SNAPSHOT_ABSENT;
	for (int i = 0; i < (a->live ? QUIET_TRIES : 1); i++) {
		look_begin(a, block, t, &l);
		if (l.nodes > count)
			break;
		if (BLOCK_STATE(l.state) == BLOCK_CLAIMED && read_claimed(a, t, &l, count, &in, out))
			return SNAPSHOT_OK;
		in.reading = READ_RUNNING;
		in.until = quiet_until(&l, now);
		if (!is_in_flight(t, &l) && read_nodes(a, t, &l, count, &in, look_stands)) {
			describe_totals(&l, &in, out);
			if (!out->torn)
				return SNAPSHOT_OK;
			break;
		}
		snapshot_wait(a, i);
	}
	if (l.nodes <= count && in_flight(a, t, count, &in, out))
		return SNAPSHOT_OK;
	if (l.nodes <= count)
		result = at_bound(a, t, count, &in, out);
	if (result != SNAPSHOT_OK)
		read_torn(a, t, now, count, &in, out);
	return result == SNAPSHOT_BUSY ? result : SNAPSHOT_OK;
}

/* ---- the inferred part */

#define ENDS_AHEAD 4u /* so many marks may come between a look at the epoch and one at the oldest end */

static uint32_t current_of(const struct look *l)
{
	return l->current < l->nodes ? (uint32_t)l->current : 0;
}

static struct snapshot_inferred infer_open(struct region_thread *t, uint64_t epoch, int64_t bound, int64_t end, uint32_t current)
{
	return (struct snapshot_inferred){ epoch, bound, end, current, WORD_LOAD(t->lossy_first), WORD_LOAD(t->lossy_last) };
}

/* The thread has been still for so long that the end of its interval was overwritten. But as it did nothing, all is
 * known of the intervals after the oldest one whose end is still there. */
static enum snapshot_result infer_behind(const struct attachment *a, struct region_thread *t, const struct look *l,
                                         uint64_t newest, struct snapshot_inferred *out)
{
	uint64_t count = a->frame_count, ahead = count > 2 * ENDS_AHEAD ? ENDS_AHEAD : 1;
	uint64_t oldest = WORD_ACQUIRE(a->process->epoch) - count + ahead;
	int64_t end;

	if (oldest > newest || oldest <= l->epoch)
		return SNAPSHOT_BUSY;
	enum snapshot_result result = snapshot_interval_end(a, oldest, &end);
	if (result == SNAPSHOT_DAMAGED)
		return result;
	if (result != SNAPSHOT_OK || is_in_flight(t, l) || !look_stands(t, l))
		return SNAPSHOT_BUSY;
	end = tick_max(end, l->last);
	*out = infer_open(t, oldest, end, end, current_of(l));
	return SNAPSHOT_LAPPED;
}

enum snapshot_result snapshot_infer(struct attachment *a, uint32_t block, uint64_t newest, uint32_t count,
                                    struct snapshot_total *values, struct snapshot_inferred *out)
{
	struct region_thread *t = snapshot_block(a, block);
	struct nodes in = { .block = block, .reading = READ_RUNNING, .values = values };
	struct look l;
	bool lapped = false;

	memset(out, 0, sizeof *out);
	if (!t)
		return SNAPSHOT_ABSENT;
	for (int i = 0; i < (a->live ? QUIET_TRIES : 1); i++) {
		int64_t end = 0;
		look_begin(a, block, t, &l);
		if (BLOCK_STATE(l.state) != BLOCK_LIVE || l.epoch > newest)
			return SNAPSHOT_ABSENT;
		enum snapshot_result result = snapshot_interval_end(a, l.epoch, &end);
		lapped = result == SNAPSHOT_LAPPED;
		if (lapped) {
			result = infer_behind(a, t, &l, newest, out);
			if (result != SNAPSHOT_BUSY)
				return result;
		} else if (result != SNAPSHOT_OK && WORD_LOAD(t->epoch) == l.epoch) {
			return result;
		}
		*out = infer_open(t, l.epoch, l.bound, tick_max(end, l.last), current_of(&l));
		in.until = out->end;
		if (l.nodes > count)
			return SNAPSHOT_BUSY;
		if (result == SNAPSHOT_OK && !is_in_flight(t, &l)) {
			if (read_nodes(a, t, &l, count, &in, look_stands))
				return in.frame == tick_sub(out->end, out->bound) ? SNAPSHOT_OK : SNAPSHOT_DAMAGED;
		}
		snapshot_wait(a, i);
	}
	/* If the end of its interval is overwritten, and no try found it outside of a transition, nobody waits for it. */
	return lapped ? SNAPSHOT_ABSENT : SNAPSHOT_BUSY;
}
