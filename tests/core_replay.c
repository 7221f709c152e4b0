/* core_replay.c: replaying a thread's events against its parts. */
#include "tests/core_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include "tests/core_run.h"

/* One node, as replayed. */
struct tally {
	int64_t self, longest;
	uint64_t count;
};

struct replay {
	const struct image *image;
	struct replay_counts *counts;
	uint32_t block, nodes, zones;
	uint32_t *parent, *zone;
	struct tally *part, *published, *total, *ended;
	int64_t *entered;      /* of the open call; -1: not known */
	bool *longest_unknown; /* in this part: a call ended whose begin was lapped, or on another thread */
	bool *ever_unknown;    /* in any part */
	uint32_t *touched, touched_count; /* nodes that have something in part or published */
	bool *is_touched;
	int64_t *hier, *hier_published;
	uint32_t *seen, stamp; /* of zones, while a path is walked */
	struct image_log events;
	uint64_t next;         /* event */
	uint32_t current;
	int64_t since;         /* up to here the current node has its time */
	int64_t last;          /* tick of the last event; -1: none seen */
	bool synced;           /* the state is known */
	bool whole;            /* since the first transition of the block */
	bool started;          /* the record before was a START */
	bool chained;          /* there was a record before */
	uint64_t interval;     /* expected next */
	int64_t bound;
	uint64_t generation;
};

static bool same(struct replay *r, bool holds, const char *what, uint64_t interval, uint32_t node, int64_t got,
                 int64_t want)
{
	if (!holds)
		r->counts->differences++;
	return CHECK(holds, "block %u interval %llu node %u: %s is %lld, should be %lld", r->block,
	             (unsigned long long)interval, node, what, (long long)got, (long long)want);
}

/* A node's longest call is as long as the longest that is known, or longer if not all are known. */
static bool at_least(bool unknown, int64_t got, int64_t want)
{
	return unknown ? got >= want : got == want;
}

/* ---- events */

static int64_t tick_of(const struct replay *r, uint64_t event)
{
	return (int64_t)r->events.words[(event - r->events.first) * 2];
}

static uint64_t what_of(const struct replay *r, uint64_t event)
{
	return r->events.words[(event - r->events.first) * 2 + 1];
}

static void touch_node(struct replay *r, uint32_t node)
{
	if (r->is_touched[node])
		return;
	r->is_touched[node] = true;
	r->touched[r->touched_count++] = node;
}

/* Gives the time up to `tick` to the current node, and to every zone in its path once. */
static void pass(struct replay *r, int64_t tick)
{
	int64_t ticks = tick - r->since;

	touch_node(r, r->current);
	r->part[r->current].self += ticks;
	r->since = tick;
	r->stamp++;
	for (uint32_t n = r->current; n; n = r->parent[n])
		if (r->seen[r->zone[n]] != r->stamp) {
			r->seen[r->zone[n]] = r->stamp;
			r->hier[r->zone[n]] += ticks;
		}
}

static void ended_call(struct replay *r, uint32_t node, int64_t tick)
{
	if (r->entered[node] < 0)
		r->longest_unknown[node] = true;
	else if (tick - r->entered[node] > r->part[node].longest)
		r->part[node].longest = tick - r->entered[node];
}

static void replay_event(struct replay *r, const struct record_head *head)
{
	int64_t tick = tick_of(r, r->next);
	uint32_t kind = what_of(r, r->next) & 0xff, node = (uint32_t)(what_of(r, r->next) >> 8);

	if (!same(r, node < r->nodes, "node of an event", head->interval, node, node, r->nodes))
		exit(1);
	same(r, tick > head->bound || (r->started && tick == head->bound), "tick", head->interval, node, tick, head->bound);
	same(r, r->last < 0 || tick >= r->last, "tick", head->interval, node, tick, r->last);
	pass(r, tick);
	r->last = tick;
	r->counts->transitions++;
	if (kind == EVENT_ENTER || kind == EVENT_RESUME) {
		same(r, r->parent[node] == r->current, "parent", head->interval, node, r->parent[node], r->current);
		touch_node(r, node);
		r->part[node].count += kind == EVENT_ENTER;
		r->entered[node] = kind == EVENT_ENTER ? tick : -1; /* the call was elsewhere before */
		r->current = node;
		return;
	}
	same(r, node == r->current, "current", head->interval, node, node, r->current);
	if (kind == EVENT_LEAVE || kind == EVENT_SUSPEND) {
		if (kind == EVENT_LEAVE)
			ended_call(r, node, tick);
		r->current = r->parent[node];
	} else {
		same(r, kind == EVENT_END && head->kind == RECORD_EXIT, "kind of event", head->interval, node, kind, EVENT_END);
		r->current = 0;
	}
}

/* Replays what happened up to `end`. */
static void replay_until(struct replay *r, const struct record_head *head)
{
	while (r->next < r->events.head && tick_of(r, r->next) <= head->end &&
	       (what_of(r, r->next) & 0xff) != EVENT_START) {
		replay_event(r, head);
		r->next++;
	}
	pass(r, head->end);
}

/* After a lap: finds the state at `bound`, if all events behind it are there. */
static bool sync_to(struct replay *r, int64_t bound)
{
	uint64_t e = r->events.first;

	if (e == r->events.head || (e > 0 && tick_of(r, e) > bound))
		return false;
	while (e < r->events.head && tick_of(r, e) <= bound)
		e++;
	if (e == r->events.first)
		return false;
	uint64_t before = what_of(r, e - 1);
	uint32_t node = (uint32_t)(before >> 8);
	switch (before & 0xff) {
	case EVENT_ENTER:
	case EVENT_RESUME:
		r->current = node;
		break;
	case EVENT_LEAVE:
	case EVENT_SUSPEND:
		r->current = r->parent[node];
		break;
	default:
		r->current = 0;
	}
	for (uint32_t n = 0; n < r->nodes; n++)
		r->entered[n] = -1;
	r->next = e;
	r->since = bound;
	r->last = tick_of(r, e - 1);
	return true;
}

/* ---- records */

static void publish(struct replay *r, const struct record_head *head, const struct record_node *nodes)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < head->nodes; i++) {
		uint32_t n = nodes[i].node;
		if (!same(r, n < r->nodes, "packed node", head->interval, n, n, r->nodes))
			return;
		same(r, nodes[i].self >= 0, "self", head->interval, n, nodes[i].self, 0);
		touch_node(r, n);
		r->published[n].self += nodes[i].self;
		r->published[n].count += nodes[i].count;
		r->published[n].longest = nodes[i].longest;
		sum += nodes[i].self;
		r->stamp++;
		for (; n; n = r->parent[n])
			if (r->seen[r->zone[n]] != r->stamp) {
				r->seen[r->zone[n]] = r->stamp;
				r->hier_published[r->zone[n]] += nodes[i].self;
			}
	}
	r->counts->nodes += head->nodes;
	same(r, sum == head->end - head->bound, "sum of self", head->interval, 0, sum, head->end - head->bound);
}

static void compare(struct replay *r, const struct record_head *head)
{
	for (uint32_t i = 0; i < r->touched_count; i++) {
		uint32_t n = r->touched[i];
		struct tally *want = &r->part[n], *got = &r->published[n];
		same(r, got->self == want->self, "self", head->interval, n, got->self, want->self);
		same(r, got->count == want->count, "count", head->interval, n, (int64_t)got->count, (int64_t)want->count);
		same(r, at_least(r->longest_unknown[n], got->longest, want->longest), "longest", head->interval, n,
		     got->longest, want->longest);
		if (r->longest_unknown[n])
			want->longest = got->longest;
	}
	for (uint32_t z = 1; z <= r->zones; z++)
		same(r, r->hier_published[z] == r->hier[z], "hier of a zone", head->interval, z, r->hier_published[z], r->hier[z]);
}

static void close_part(struct replay *r)
{
	for (uint32_t i = 0; i < r->touched_count; i++) {
		uint32_t n = r->touched[i];
		r->total[n].self += r->part[n].self;
		r->total[n].count += r->part[n].count;
		if (r->part[n].longest > r->total[n].longest)
			r->total[n].longest = r->part[n].longest;
		r->part[n] = r->published[n] = (struct tally){ 0 };
		r->ever_unknown[n] |= r->longest_unknown[n];
		r->longest_unknown[n] = r->is_touched[n] = false;
	}
	r->touched_count = 0;
	memset(r->hier, 0, (r->zones + 1) * sizeof *r->hier);
	memset(r->hier_published, 0, (r->zones + 1) * sizeof *r->hier_published);
}

static int64_t latest(int64_t a, int64_t b, int64_t c)
{
	int64_t most = a > b ? a : b;

	return most > c ? most : c;
}

/* The writer died in a transition, all of whose committed events have been replayed. */
static bool in_flight(const struct replay *r)
{
	const struct region_thread *t = image_thread(r->image, r->block);

	return r->next == r->events.head && (WORD_LOAD(t->intent) != WORD_LOAD(t->head) ||
	                                     BLOCK_STATE(WORD_LOAD(t->state)) == BLOCK_CLAIMED);
}

/* The end that the record must have: the rule b = max(T, last), and what else ends a part. */
static void check_end(struct replay *r, const struct record_head *head)
{
	uint64_t covered = head->kind == RECORD_MERGED || head->kind == RECORD_SPAN ? head->intervals : 1;
	int64_t mark = 0, want = head->end;

	bool known = image_end(r->image, head->interval + covered - 1, &mark);
	if (head->kind == RECORD_EXIT && in_flight(r))
		return; /* the part is written before the event that ends it */
	if (head->kind == RECORD_MORE || head->kind == RECORD_EXIT)
		want = r->last;
	else if (known)
		want = latest(mark, r->last, head->bound);
	else
		want = latest(head->end, r->last, head->bound);
	same(r, head->end == want, "end", head->interval, 0, head->end, want);
	r->counts->slipped += known && head->kind == RECORD_PART && head->end > mark;
	if (known && head->kind == RECORD_PART)
		same(r, !(head->flags & RECORD_DISCARDED) == !(image_flags(r->image, head->interval) & MARK_DISCARDED),
		     "discarded", head->interval, 0, head->flags, 0);
}

static void check_chain(struct replay *r, const struct record_head *head)
{
	same(r, head->end >= head->bound, "end", head->interval, 0, head->end, head->bound);
	if (!r->chained || head->kind == RECORD_START)
		return;
	same(r, head->bound == r->bound, "bound", head->interval, 0, head->bound, r->bound);
	same(r, head->interval == r->interval, "interval", head->interval, 0, (int64_t)head->interval, (int64_t)r->interval);
	same(r, head->generation == (r->generation & 0xffff), "generation", head->interval, 0, head->generation,
	     (int64_t)(r->generation & 0xffff));
}

static void count_record(struct replay *r, const struct record_head *head)
{
	struct replay_counts *c = r->counts;

	c->parts += head->kind == RECORD_PART;
	c->pieces += head->kind == RECORD_MORE;
	c->merged += head->kind == RECORD_MERGED;
	c->spans += head->kind == RECORD_SPAN;
	c->span_intervals += head->kind == RECORD_SPAN ? head->intervals : 0;
	c->exits += head->kind == RECORD_EXIT;
	c->discarded += (head->flags & RECORD_DISCARDED) != 0;
	c->cut += (head->flags & RECORD_CUT) != 0;
}

/* A new owner begins: at the root, with everything before put aside. */
static void replay_start(struct replay *r, const struct record_head *head)
{
	r->counts->starts++;
	same(r, head->end == head->bound, "length of a start", head->interval, 0, head->end, head->bound);
	while (!r->synced && r->next < r->events.head &&
	       ((what_of(r, r->next) & 0xff) != EVENT_START || tick_of(r, r->next) < head->bound))
		r->next++;
	if (r->synced || (r->next < r->events.head && tick_of(r, r->next) == head->bound)) {
		if (!in_flight(r) && same(r, r->next < r->events.head, "start", head->interval, 0, 0, 1)) {
			same(r, (what_of(r, r->next) & 0xff) == EVENT_START, "event", head->interval, 0,
			     (int64_t)what_of(r, r->next), EVENT_START);
			same(r, tick_of(r, r->next) == head->bound, "tick", head->interval, 0, tick_of(r, r->next), head->bound);
			r->counts->transitions++;
			r->next++;
		}
		if (!r->synced)
			r->whole = false;
		r->synced = true;
	}
	for (uint32_t n = 0; n < r->nodes; n++) {
		int64_t longest = r->ended[n].longest;
		r->ended[n] = r->total[n];
		if (longest > r->ended[n].longest)
			r->ended[n].longest = longest;
		r->total[n].longest = 0;
	}
	r->current = 0;
	r->since = r->last = head->bound;
	r->generation = head->generation;
}

static void replay_span(struct replay *r, const struct record_head *head)
{
	uint64_t before = r->next;

	replay_until(r, head);
	same(r, r->next == before, "events in a span", head->interval, head->nodes, (int64_t)(r->next - before), 0);
	same(r, head->nodes == r->current, "node of a span", head->interval, head->nodes, head->nodes, r->current);
}

static void replay_record(struct replay *r, const struct record_head *head, const struct record_node *nodes)
{
	bool bare = head->flags & (RECORD_DISCARDED | RECORD_CUT) || head->kind == RECORD_SPAN;

	if (!bare)
		publish(r, head, nodes);
	if (!r->synced) {
		r->whole = false;
		r->synced = sync_to(r, head->bound);
	}
	if (!r->synced) {
		r->counts->unchecked++;
		close_part(r);
		return;
	}
	if (head->kind == RECORD_SPAN)
		replay_span(r, head);
	else
		replay_until(r, head);
	if (head->kind == RECORD_MORE && in_flight(r)) {
		r->whole = false; /* a piece covers the event that it follows, which was not committed any more */
	} else {
		check_end(r, head);
		if (!bare)
			compare(r, head);
	}
	close_part(r);
}

static void one_record(struct replay *r, const struct record_head *head, const struct record_node *nodes)
{
	count_record(r, head);
	check_chain(r, head);
	if (head->kind == RECORD_START)
		replay_start(r, head);
	else
		replay_record(r, head, nodes);
	r->started = head->kind == RECORD_START;
	r->chained = true;
	r->bound = head->end;
	r->generation = r->started ? head->generation : r->generation ? r->generation : head->generation;
	r->interval = head->interval;
	if (head->kind == RECORD_PART)
		r->interval++;
	else if (head->kind == RECORD_SPAN || head->kind == RECORD_MERGED)
		r->interval += head->intervals;
}

/* ---- totals */

/* The bases are the sum of all parts; the accumulators that and what happened since. */
static void check_totals(struct replay *r)
{
	struct region_thread *t = image_thread(r->image, r->block);
	enum region_block_state state = BLOCK_STATE(WORD_LOAD(t->state));
	bool live = state == BLOCK_LIVE;

	if (!r->whole || WORD_LOAD(t->base_seq) & 1 || state == BLOCK_CLAIMED)
		return;
	for (uint32_t n = 0; n < r->nodes; n++) {
		struct region_node *node = image_node(r->image, r->block, n);
		struct region_node_ended *ended = image_node_ended(r->image, r->block, n);
		same(r, WORD_LOAD(node->base_self) == r->total[n].self, "base", 0, n, WORD_LOAD(node->base_self), r->total[n].self);
		same(r, WORD_LOAD(node->base_count) == r->total[n].count, "base of count", 0, n,
		     (int64_t)WORD_LOAD(node->base_count), (int64_t)r->total[n].count);
		same(r, at_least(r->ever_unknown[n], WORD_LOAD(node->run_longest), r->total[n].longest), "longest", 0, n,
		     WORD_LOAD(node->run_longest), r->total[n].longest);
		same(r, WORD_LOAD(ended->self) == r->ended[n].self, "ended", 0, n, WORD_LOAD(ended->self), r->ended[n].self);
		same(r, at_least(r->ever_unknown[n], WORD_LOAD(ended->longest), r->ended[n].longest), "longest of ended", 0,
		     n, WORD_LOAD(ended->longest), r->ended[n].longest);
		same(r, WORD_LOAD(ended->count) == r->ended[n].count, "count of ended", 0, n,
		     (int64_t)WORD_LOAD(ended->count), (int64_t)r->ended[n].count);
	}
	if (WORD_LOAD(t->intent) != WORD_LOAD(t->head))
		return;
	struct record_head rest = { .kind = RECORD_MORE, .bound = r->bound, .end = INT64_MAX, .interval = r->interval };
	for (; r->next < r->events.head; r->next++)
		replay_event(r, &rest);
	if (r->events.head > r->events.first && (what_of(r, r->events.head - 1) & 0xff) == EVENT_END)
		live = false; /* all but the word that says so */
	for (uint32_t n = 0; n < r->nodes; n++) {
		struct region_node *node = image_node(r->image, r->block, n);
		int64_t want = r->total[n].self + r->part[n].self - (live && n == r->current ? r->since : 0);
		same(r, WORD_LOAD(node->self) == want, "accumulator", 0, n, WORD_LOAD(node->self), want);
		same(r, WORD_LOAD(node->count) == r->total[n].count + r->part[n].count, "accumulated count", 0, n,
		     (int64_t)WORD_LOAD(node->count), (int64_t)(r->total[n].count + r->part[n].count));
		int64_t longest = WORD_LOAD(node->longest) > 0 ? WORD_LOAD(node->longest) : 0;
		same(r, at_least(r->longest_unknown[n], longest, r->part[n].longest), "longest since", 0, n, longest, r->part[n].longest);
	}
	if (live)
		same(r, WORD_LOAD(t->current) == r->current, "current", 0, 0, (int64_t)WORD_LOAD(t->current), r->current);
}

/* ---- a block */

static void begin(struct replay *r)
{
	r->nodes = image_nodes(r->image, r->block);
	r->zones = (uint32_t)WORD_LOAD(r->image->process->zones);
	r->parent = calloc(r->nodes, sizeof *r->parent);
	r->zone = calloc(r->nodes, sizeof *r->zone);
	r->part = calloc(r->nodes, sizeof *r->part);
	r->published = calloc(r->nodes, sizeof *r->published);
	r->total = calloc(r->nodes, sizeof *r->total);
	r->ended = calloc(r->nodes, sizeof *r->ended);
	r->entered = calloc(r->nodes, sizeof *r->entered);
	r->touched = calloc(r->nodes, sizeof *r->touched);
	r->is_touched = calloc(r->nodes, sizeof *r->is_touched);
	r->longest_unknown = calloc(r->nodes, sizeof *r->longest_unknown);
	r->ever_unknown = calloc(r->nodes, sizeof *r->ever_unknown);
	r->hier = calloc(r->zones + 1, sizeof *r->hier);
	r->hier_published = calloc(r->zones + 1, sizeof *r->hier_published);
	r->seen = calloc(r->zones + 1, sizeof *r->seen);
	for (uint32_t n = 0; n < r->nodes; n++) {
		r->parent[n] = image_parent(r->image, r->block, n);
		r->zone[n] = image_zone(r->image, r->block, n);
		if (!same(r, n ? r->parent[n] < n && r->zone[n] && r->zone[n] <= r->zones : r->zone[n] == 0, "place", 0, n,
		          r->parent[n], n))
			exit(1);
	}
	r->events = image_events(r->image, r->block);
	r->next = r->events.first;
	r->whole = r->synced = r->events.first == 0;
	r->last = -1;
}

static void end(struct replay *r)
{
	free(r->parent);
	free(r->zone);
	free(r->part);
	free(r->published);
	free(r->total);
	free(r->ended);
	free(r->entered);
	free(r->longest_unknown);
	free(r->ever_unknown);
	free(r->touched);
	free(r->is_touched);
	free(r->hier);
	free(r->hier_published);
	free(r->seen);
	free(r->events.words);
}

static void replay_block(struct replay *r)
{
	struct image_log parts = image_parts(r->image, r->block);
	uint64_t at = parts.first;

	begin(r);
	if (parts.first)
		r->synced = r->whole = false;
	while (at < parts.head) {
		struct record_head head;
		struct record_node *nodes = NULL;
		if (!same(r, image_record(parts.words + (at - parts.first), parts.head - at, &head, &nodes), "record", 0, 0,
		          (int64_t)at, (int64_t)parts.head))
			break;
		one_record(r, &head, nodes);
		free(nodes);
		at += head.words;
	}
	check_totals(r);
	end(r);
	free(parts.words);
}

void replay_image(const struct image *image, struct replay_counts *counts)
{
	for (uint32_t b = 0; b < image->threads_used; b++) {
		struct replay r = { .image = image, .counts = counts, .block = b };
		if (image_nodes(image, b))
			replay_block(&r);
	}
}

void replay_print(const char *what, const struct replay_counts *c)
{
	printf("%s: %llu transitions, %llu starts, %llu parts (%llu slipped), %llu pieces, %llu merged, %llu spans of %llu, "
	       "%llu exits, %llu nodes, %llu discarded, %llu cut, %llu unchecked: %llu differences\n",
	       what, (unsigned long long)c->transitions, (unsigned long long)c->starts, (unsigned long long)c->parts,
	       (unsigned long long)c->slipped, (unsigned long long)c->pieces, (unsigned long long)c->merged,
	       (unsigned long long)c->spans, (unsigned long long)c->span_intervals, (unsigned long long)c->exits,
	       (unsigned long long)c->nodes, (unsigned long long)c->discarded, (unsigned long long)c->cut,
	       (unsigned long long)c->unchecked, (unsigned long long)c->differences);
}
