/* SPDX-License-Identifier: MIT */
/*
 * sums: what a thread had in frames of which single calls are not known, as boxes on the axis of time.
 *
 *     frames   | 611             | 612             | 613        |
 *     exact                              ?..........[ up ][draw]     spans.h, from there on
 *     sums     {update      }{dr}{upd}{draw}
 *              { ai   }{ph}      { ai }
 *
 * A box stands for all calls of a stack in a frame: it is as long as they took in all, the longest first, inside of that of
 * its caller. When they ran is not known, but for the frame. Where single calls are known of a part of the frame these are
 * taken off, and the boxes are as long as the rest; where that rest lies in several places, they are drawn in the longest of
 * these, scaled. A thread that stands for several has no boxes, as their times lie beside each other.
 * Where frames are narrower than columns, the longest of each column stands for it, as in the frame graph, and is drawn
 * as wide as the column.
 */
#ifndef MODEL_SUMS_H
#define MODEL_SUMS_H

#include "model/boxes/spans.h"

/* The frames that are drawn in a window: the same for all threads. */
struct sum_frames {
	int64_t from, to;    /* ticks; from < to */
	uint32_t columns;    /* at least 1 */
	bool thinned;        /* there are more frames than columns: */
	uint32_t *frames;    /* indices in the profile, ascending; thinned: that of each column, or PROFILE_NONE */
	uint32_t count, capacity;
	int64_t *hier;       /* by node; these are sums_fill's own */
	uint32_t *place, node_room;
};

/* O(frames in the window). False: out of memory. Zeros before it is used first. */
bool sum_frames_pick(struct sum_frames *f, const struct profile *p, int64_t from, int64_t to, uint32_t columns);
void sum_frames_fini(struct sum_frames *f);

/* The time that the boxes of a part of a frame lie in. */
struct sum_piece {
	int64_t begin, end;
	uint32_t frame, part; /* their indices */
	bool whole;           /* the boxes are of all of the part */
	bool scaled;          /* their lengths are to each other as the times are, but not these */
};

/* The sums of one thread. */
struct sums {
	struct span_row *rows; /* by depth, as those of spans.h; the node of a box is in node[box] */
	uint32_t depth, row_capacity;
	struct sum_piece *pieces; /* ascending, not overlapping */
	uint32_t count, capacity;
};

/* The boxes of these frames. `exact`: what is known singly of the thread; NULL: nothing. Zeros before it is used first.
 * O(cells of the parts, and log of it). False: out of memory, and it is empty. */
bool sums_fill(struct sums *s, const struct profile *p, uint32_t thread, const struct span_list *exact,
	       struct sum_frames *f);
void sums_fini(struct sums *s);

struct box_row sums_row(const struct sums *s, uint32_t depth);

/* The piece that holds this tick; NULL: none does. */
const struct sum_piece *sums_piece(const struct sums *s, int64_t tick);

/* The sums of a node and all nodes below it in a slice. O(cells, depth). */
struct sum_of_node {
	int64_t hier, self, count;
};
struct sum_of_node sums_of_node(const struct profile *p, const struct profile_held *part, uint32_t node);

/* Sums over all threads in [from, to): as spans_values; where single calls are not known, those of the frames,
 * for the slices that lie in it as a whole. `s` may be NULL. O(spans and cells in the window). NULL: out of
 * memory. */
struct values *sums_values(const struct spans *s, const struct profile *p, int64_t from, int64_t to);

#endif
