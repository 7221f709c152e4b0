/* SPDX-License-Identifier: MIT */
/*
 * frame_order: the lengths of the frames that are held, in their order, kept up as frames come and leave.
 *
 * In it are the frames that count (frame_counts): not discarded, not kept alone. They are ordered by length, and
 * those of one length by their number. Percentiles are nearest-rank, as in statistics.h, so each is a length that
 * occurred. What is asked takes O(log frames), and so does a frame that comes or leaves.
 *
 * Which frame is the median one: base_frame.h. Lengths are in ticks. An order has no pointer into the profile, so that its
 * copy serves a copy of the profile.
 */
#ifndef MODEL_FRAME_ORDER_H
#define MODEL_FRAME_ORDER_H

#include "model/profile/profile.h"

struct frame_order;

/* Empty. NULL: out of memory, as below. */
struct frame_order *frame_order_new(void);
struct frame_order *frame_order_copy(const struct frame_order *from);
void frame_order_free(struct frame_order *o);

/* Takes in what has come to the profile since, and lets go of what left it, also by being kept alone from now on.
 * It is always given the same profile, or a copy of it. False: out of memory; it has what it had, or some of what is
 * new, and the next update goes on. */
bool frame_order_update(struct frame_order *o, const struct profile *p);

uint32_t frame_order_count(const struct frame_order *o);

/* The length of that rank: 1 is the shortest, frame_order_count the longest. 0: there is none of that rank. */
int64_t frame_order_length(const struct frame_order *o, uint32_t rank);

/* The length that so many thousandths of the frames do not exceed: 500 the median, 990 p99, 1000 the longest.
 * 0: there are none. */
int64_t frame_order_percentile(const struct frame_order *o, unsigned per_mille);

/* How many frames are longer. */
uint32_t frame_order_over(const struct frame_order *o, int64_t length);

/* The numbers of the first frame that counts and of the newest; 0: none. */
uint64_t frame_order_first(const struct frame_order *o);
uint64_t frame_order_last(const struct frame_order *o);

/* out[i]: how many have edges[i] <= length < edges[i + 1], of n buckets with n + 1 ascending edges.
 * O(n log frames). */
void frame_order_histogram(const struct frame_order *o, const int64_t *edges, uint32_t n, uint32_t *out);

#endif
