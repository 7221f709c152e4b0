/* core_kept.c: the single calls of worst frames, as the product's reader delivers them. */
#include "tests/core_kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shm/snapshot_read.h"
#include "tests/core_run.h"

/* All events that there are of a block. */
struct calls {
	struct attachment *a;
	uint32_t block;
	struct snapshot_event *events;
	uint64_t *numbers;
	uint64_t count, room, head;
	uint64_t log; /* the first that is in the log */
	uint64_t chunks;
	struct snapshot_place *places;
	uint32_t nodes;
};

/* The retained calls of a slice: its nodes, summed up over its pieces. */
struct part {
	int64_t bound, end;
	int64_t *self;
	uint32_t nodes;
	bool any;
	bool cut; /* a piece of it has no nodes, as they did not fit: that is counted, and nothing can be compared */
};

static uint32_t node_behind(const struct calls *c, const struct snapshot_event *e)
{
	uint32_t node = (uint32_t)(e->what >> 8);

	switch (e->what & 0xff) {
	case EVENT_ENTER:
	case EVENT_RESUME:
		return node;
	case EVENT_LEAVE:
	case EVENT_SUSPEND:
		return c->places[node].parent;
	default:
		return 0;
	}
}

/* A TICK leaves the thread where it was. */
static void add(struct calls *c, uint64_t first, const struct snapshot_event *events, uint64_t count)
{
	if (c->count + count > c->room) {
		c->room = c->room * 2 + count;
		c->events = realloc(c->events, c->room * sizeof *c->events);
		c->numbers = realloc(c->numbers, c->room * sizeof *c->numbers);
		if (!c->events || !c->numbers)
			abort();
	}
	for (uint64_t i = 0; i < count; i++) {
		uint64_t before = c->count ? c->numbers[c->count - 1] : 0;
		int64_t last = c->count ? c->events[c->count - 1].tick : 0;
		CHECK((!c->count || first + i > before) && events[i].tick >= last, "block %u: event %llu stands behind %llu",
		      c->block, (unsigned long long)(first + i), (unsigned long long)before);
		c->numbers[c->count] = first + i;
		c->events[c->count] = events[i];
		if ((events[i].what & 0xff) == EVENT_TICK && c->count)
			c->events[c->count].what = EVENT_ENTER | (uint64_t)node_behind(c, &c->events[c->count - 1]) << 8;
		c->count++;
	}
}

static bool add_kept(const struct snapshot_kept_events *kept, void *context)
{
	struct calls *c = context;

	CHECK(kept->count == CHUNK_EVENTS, "a kept chunk has %llu events", (unsigned long long)kept->count);
	c->chunks++;
	add(c, kept->first, kept->events, kept->count);
	return true;
}

static void read_calls(struct calls *c)
{
	uint64_t first, end, log;
	uint32_t bad = 0;

	snapshot_event_range(c->a, c->block, &first, &end);
	struct snapshot_event *events = calloc(end - first + 1, sizeof *events);
	c->places = calloc(snapshot_node_number(c->a, c->block) + 1, sizeof *c->places);
	if (!events || !c->places)
		abort();
	c->nodes = snapshot_nodes(c->a, c->block, 0, snapshot_node_number(c->a, c->block), c->places, &bad);
	log = snapshot_events(c->a, c->block, first, end - first, events);
	CHECK(log == first, "block %u: of the log from %llu on there is %llu on", c->block, (unsigned long long)first,
	      (unsigned long long)log);
	enum snapshot_result result = snapshot_kept_events(c->a, c->block, 0, log, add_kept, c);
	CHECK(result == SNAPSHOT_OK || result == SNAPSHOT_ABSENT, "block %u: kept calls: %d", c->block, (int)result);
	add(c, log, &events[log - first], end - log);
	c->head = end;
	c->log = log;
	free(events);
}

static bool add_record(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct part *p = context;

	if (!p->any)
		p->bound = head->bound;
	p->any = true;
	p->cut |= (head->flags & RECORD_CUT) != 0;
	p->end = head->end;
	if (head->kind == RECORD_SPAN)
		p->self[head->nodes] += head->end - head->bound;
	else
		for (uint32_t i = 0; i < head->nodes; i++)
			p->self[nodes[i].node] += nodes[i].self;
	return true;
}

/* The last event that is not behind the part's begin, and the first that is behind its end.  False: one is not there, or
 * something between them. */
static bool find_whole(const struct calls *c, const struct part *p, uint64_t *first, uint64_t *end)
{
	uint64_t i = 0;

	while (i < c->count && c->events[i].tick <= p->bound)
		i++;
	*first = i - 1;
	while (i < c->count && c->events[i].tick <= p->end)
		i++;
	*end = i;
	if (*first == UINT64_MAX || (i == c->count && c->numbers[i - 1] + 1 != c->head))
		return false;
	return i == c->count || c->numbers[i] - c->numbers[*first] == i - *first;
}

/* Takes off the self times that the events say, which leaves nothing. */
static void replay(const struct calls *c, struct part *p, uint64_t first, uint64_t end)
{
	int64_t before = p->bound;
	uint32_t node = node_behind(c, &c->events[first]);

	for (uint64_t i = first + 1; i < end; i++) {
		p->self[node] -= c->events[i].tick - before;
		before = c->events[i].tick;
		node = node_behind(c, &c->events[i]);
	}
	p->self[node] -= p->end - before;
	for (uint32_t n = 0; !p->cut && n < p->nodes; n++)
		CHECK(!p->self[n], "block %u, part from %lld to %lld: node %u has %lld ticks more than its calls", c->block,
		      (long long)p->bound, (long long)p->end, n, (long long)p->self[n]);
}

static void check_part(struct calls *c, uint32_t slot, uint64_t interval, struct kept_seen *seen)
{
	struct part p = { .nodes = c->nodes, .self = calloc(c->nodes + 1, sizeof *p.self) };
	uint64_t damaged = 0, first, end;

	if (!p.self)
		abort();
	if (snapshot_kept(c->a, c->block, slot, interval, &damaged, add_record, &p) == SNAPSHOT_OK && p.any) {
		if (find_whole(c, &p, &first, &end)) {
			seen->whole++;
			seen->lapped += c->numbers[first] < c->log;
			replay(c, &p, first, end);
		} else {
			seen->missing++;
		}
	}
	free(p.self);
}

void kept_check(struct attachment *a, struct kept_seen *seen)
{
	struct snapshot_process process;
	struct snapshot_frame frame;
	uint64_t missing = seen->missing;

	snapshot_process(a, &process);
	for (uint32_t b = 0; b < process.threads; b++) {
		struct calls c = { .a = a, .block = b };
		struct snapshot_thread t;
		if (snapshot_thread(a, b, &t) == SNAPSHOT_ABSENT || !WORD_LOAD(snapshot_block(a, b)->event_chunk))
			continue; /* it keeps no events */
		read_calls(&c);
		seen->chunks += c.chunks;
		for (uint32_t slot = 0; slot < a->worst_count; slot++)
			if (snapshot_worst(a, slot, &frame) == SNAPSHOT_OK)
				check_part(&c, slot, frame.interval, seen);
		free(c.events);
		free(c.numbers);
		free(c.places);
	}
	seen->counted += process.lost[LOSS_CALLS_ROOM];
	if (!process.lost[LOSS_EVENT_ROOM]) /* else there were times when a thread had no log */
		CHECK(seen->missing - missing <= process.lost[LOSS_CALLS_ROOM],
		      "the calls of %llu parts are missing, %llu counted",
		      (unsigned long long)(seen->missing - missing), (unsigned long long)process.lost[LOSS_CALLS_ROOM]);
}

void kept_print(const char *what, const struct kept_seen *seen)
{
	printf("  %s: calls of %llu parts of worst frames are whole (%llu of them lapped), of %llu not; %llu counted; %llu chunks\n",
	       what, (unsigned long long)seen->whole, (unsigned long long)seen->lapped, (unsigned long long)seen->missing,
	       (unsigned long long)seen->counted, (unsigned long long)seen->chunks);
}
