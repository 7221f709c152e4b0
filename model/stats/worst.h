/* SPDX-License-Identifier: MIT */
/*
 * worst: the frames that are held, from the worst to the best: as a list, and one step at a time.
 *
 * Discarded frames are left out; those that were kept alone are in. Of several that are equal the newest comes first.
 *
 * length   the longest first
 * busy     the one first in which the thread of the frames (frames_thread) worked longest: its length without what that
 *          thread waited. A frame of which this is not known comes after all others, by its length
 */
#ifndef MODEL_WORST_H
#define MODEL_WORST_H

#include "model/profile/profile.h"

enum worst_order { WORST_LENGTH, WORST_BUSY, WORST_ORDERS };

extern const char *const worst_names[WORST_ORDERS]; /* `length`, `busy` */
enum worst_order worst_order_named(const char *name); /* WORST_ORDERS: there is none */
extern const char *const worst_words[WORST_ORDERS]; /* `longest`, `busiest` */

struct worst_frame {
	uint64_t number;
	int64_t length;
	int64_t busy; /* ticks; -1: not known */
};

struct worst_frame worst_frame_of(const struct profile *p, const struct profile_frame *frame);

/* Whether the thread waited for more than half of the frame. Then its own work did not make the frame long. */
bool worst_waited(const struct worst_frame *f);

/* The `most` worst frames, or fewer, among `n` held frames from index `first` on. Sets *count to the length of the list,
 * and *all to the number of frames that were compared. Caller frees; NULL: out of memory. Mostly O(n), at most
 * O(n log most). */
struct worst_frame *worst_list(const struct profile *p, uint32_t first, uint32_t n, enum worst_order order, uint32_t most,
			       uint32_t *count, uint32_t *all);

struct worst {
	uint64_t frame; /* number; 0: there is none */
	uint32_t place; /* 1: the worst */
	uint32_t count; /* of all of them */
};

/* The next worst frame after `frame` (later), or the one before it, among `n` held frames from index `first` on.
 * If `frame` is not among them (0 never is), the worst of them. O(n), without memory. */
struct worst worst_beside(const struct profile *p, uint32_t first, uint32_t n, uint64_t frame, bool later,
			  enum worst_order order);

/* The nearest frame before `frame` (step -1) or after it (1) that took longer than `length` ticks, by number. `place` counts
 * such frames from the oldest on; `count` is there also if there is no frame to go to. O(frames). */
struct worst worst_over(const struct profile *p, uint64_t frame, int64_t length, int step);

/* The zone of the frames' thread whose self time is most above what it is in another frame, and by how much. */
struct worst_zone {
	uint32_t zone; /* PROFILE_NONE: none took longer, or it is not known */
	int64_t more;  /* ticks */
};

/* O(cells of the two, and zones). */
struct worst_zone worst_zone(const struct profile *p, const struct profile_frame *frame, const struct profile_frame *base);

#endif
