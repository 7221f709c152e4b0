/* SPDX-License-Identifier: MIT */
/*
 * spans: single calls on the axis of time, out of transitions: of each thread, rows of calls by their depth.
 *
 *     tick            0    5   10        20   25   30
 *     transitions     START     GAP
 *     known           |---------|        |------------ ...     intervals
 *     row 0           [ update  ]        [ update ][ d ...     a span a call
 *     row 1             [ ai ]             [ draw ]
 *
 * They grow with the transitions: what is new is read, and what left these at the front leaves the spans, too. Where some
 * left behind others that are spared, the spared ones alone are read anew. Spans are then the same as if all were made
 * anew of the transitions that are held.
 *
 * Time between transitions is known, except where some were lost (TRANSITION_GAP). So time falls into intervals
 * that are known and intervals that are not. A transition that cannot follow the one before it, as another zone
 * was innermost, is taken for one behind a gap. What is open where an interval begins is known from its first
 * transition: the zones around it. Spans lie within one interval. Where a call was entered before it, or left
 * behind it, the span is that part of the call that is known, and its flags say so. Of a call that still runs it
 * reaches to where the transitions were read. A call that ends at the very tick at which its interval begins has
 * no span, but where the thread began there and no interval before ends there. A call that was suspended is as
 * many spans as it had stretches, each on the thread where it ran, and their flags say so. Nothing tells which
 * of them are of one call. Nothing says in transitions that the program had recording off: that time is known,
 * and in no zone.
 *
 * Rows are SPANS_DEPTH at most: what is deeper is time of the zone in the last row. There are never more spans than twice
 * what the transitions may be (most), and SPANS_INFERRED: where more zones than that were open behind gaps, that time
 * counts as not known. A span takes 29 bytes (box_row.h), so the million calls of TRANSITIONS_MOST 29 MB, and 58 at most
 * while rows grow. Ticks are not negative. To take in a transition is O(1), behind a gap O(depth).
 */
#ifndef MODEL_SPANS_H
#define MODEL_SPANS_H

#include "model/boxes/box_row.h"
#include "model/profile/transitions.h"
#include "model/query/values.h"

#define SPANS_DEPTH 4096u
#define SPANS_INFERRED 65536u

/* Time of a thread in which each of its transitions is known. */
struct span_interval {
	int64_t begin, end;   /* ticks; the end of one that goes on: as far as was read */
	uint64_t first, last; /* the numbers of its transitions (transition_list.first) */
	uint32_t entered;     /* rows from 0 on in which a span was open when it began */
	uint32_t open;        /* and when it ended; of one that goes on: now */
	bool born;            /* the thread began with it; */
	bool alone;           /* and none before ended at that tick: what lies there is its own */
	bool ended;           /* the thread ended with it */
	bool goes_on;
};

/* The spans of one list of transitions. */
struct span_list {
	uint64_t id;     /* the list's */
	uint32_t thread; /* of the profile */
	struct span_row *rows;
	uint32_t depth, row_capacity; /* rows[0, depth), each with a span */
	struct span_interval *known;  /* [0, known_count), ascending, not overlapping. Moves */
	uint32_t known_count, known_capacity;
	void *known_room;
	/* How far it has come: */
	uint64_t first;   /* the number of the oldest transition that is held */
	uint32_t moved;   /* transition_list.moved */
	uint64_t next;    /* of the one that is read next */
	int64_t last;     /* tick of the one before it */
	uint32_t current; /* the innermost node that is open, while an interval goes on; PROFILE_NONE: none is */
	int64_t since;    /* the tick of a gap before it, else INT64_MIN */
};

struct spans {
	struct span_list *lists; /* in the order of the transitions' lists */
	uint32_t count, capacity;
	uint64_t held;   /* spans */
	uint32_t *level; /* by node: how many nodes are above it */
	uint32_t level_count, level_capacity;
};

struct spans *spans_new(void); /* NULL: out of memory */
void spans_free(struct spans *s);

/*
 * Takes in the transitions that are new since the last time, always of the same `t`, and leaves out those that it
 * dropped. They were read at the tick `now`. If the profile is a copy that does not have the node of a transition yet, the
 * rest of this list is read as soon as it has.
 *
 * False: out of memory; what is missing is there after the next time that it succeeds.
 */
bool spans_update(struct spans *s, const struct profile *p, const struct transitions *t, int64_t now);

/* Returns the indices of all lists, sorted by their threads; lists of one thread stay in order. Caller frees; NULL: out of
 * memory. */
uint32_t *spans_by_thread(const struct spans *s);

/* The row of a depth, 0 for the outermost calls: see box_row.h for what can be asked of it. The nodes of its spans are in
 * rows[depth].node. The row is empty if the list is not so deep. Valid until the next update. */
struct box_row spans_row(const struct span_list *l, uint32_t depth);

enum spans_knowledge {
	SPANS_UNKNOWN, /* not read, or lost */
	SPANS_UNBORN,  /* the thread had not begun */
	SPANS_KNOWN,   /* where there is no span the thread was in no zone */
	SPANS_ENDED,   /* the thread was over */
};

/* What is known of a tick. O(log intervals). */
enum spans_knowledge spans_knows(const struct span_list *l, int64_t tick);

/* The same, and the time around it of which this is known: [*begin, *end), INT64_MIN and INT64_MAX where it has no end. */
enum spans_knowledge spans_stretch(const struct span_list *l, int64_t tick, int64_t *begin, int64_t *end);

/* The tick up to which the calls of a list are known: `now`, or the end of the newest known interval, if that is still
 * running and ends later. `l` may be NULL. The second function takes the latest of all lists of a selection of threads. */
int64_t spans_until(const struct span_list *l, int64_t now);
int64_t spans_until_all(const struct spans *s, const struct profile *p, uint32_t threads, int64_t now);

/* Whether something of [from, to) is not known, or transitions were lost in it. O(log intervals). */
bool spans_gap(const struct span_list *l, int64_t from, int64_t to);

enum span_flags {
	SPAN_CUT_BEGIN = 1 << 0, /* it was entered where the span begins or before */
	SPAN_CUT_END = 1 << 1,   /* it was left behind its end */
	SPAN_RUNNING = 1 << 2,   /* it was not left yet */
	SPAN_RESUMED = 1 << 3,   /* the call goes on here, and ran elsewhere or before */
	SPAN_SUSPENDED = 1 << 4, /* it is not over with this */
	SPAN_LEFT_OPEN = 1 << 5, /* it was not left: its thread ended */
};
unsigned spans_flags(const struct span_list *l, uint32_t depth, uint32_t span);

/* The span around this one, on the row above; the first one inside of it, on the row below. UINT32_MAX: there is none. */
uint32_t spans_parent(const struct span_list *l, uint32_t depth, uint32_t span);
uint32_t spans_first_child(const struct span_list *l, uint32_t depth, uint32_t span);

/* Ticks of [from, to) that the spans of a row cover: O(log spans). Those of the row below taken off are the self time of
 * the row. */
int64_t spans_covered(const struct span_list *l, uint32_t depth, int64_t from, int64_t to);

/* Values of all threads in [from, to) by node, with those parts of their calls that lie in it. `count`: the
 * calls that have a part in it; stretches that were resumed do not count, as their calls may be counted already.
 * `longest`: the longest such part, without stretches of calls that were suspended. `missing`: the threads of
 * which not all of it is known. The time of a thread is its known time. O(spans in the window). NULL: out of
 * memory. Free with values_free. */
struct values *spans_values(const struct spans *s, const struct profile *p, int64_t from, int64_t to);

#endif
