/* SPDX-License-Identifier: MIT */
/*
 * hitch: now and then, one frame takes 30 to 50 ms for a reason that a profiler can find.
 *
 * More calls    The ships look around for cover, again and again: ai casts many more
 *               rays, and each ray takes as long as before.
 * Slower calls  The tree of the rocks has become disordered: ai casts as many rays as
 *               before, with the same results, but each walk of the tree takes much longer.
 *
 * How long a hitch lasts depends on the machine. The first kind reads the clock. For the
 * second kind, hitch_init measures how long a ray takes in trees that are mixed up more or
 * less, and each hitch corrects the expected time by the time that it took.
 */
#ifndef GAME_HITCH_H
#define GAME_HITCH_H

#include "world.h"

enum { HITCH_LEVELS = 10 };

enum hitch_kind { HITCH_NONE, HITCH_MORE_CALLS, HITCH_SLOWER_CALLS };

struct hitch {
	uint64_t state;
	uint64_t frame;       /* of the next hitch */
	enum hitch_kind kind; /* of the next hitch */
	enum hitch_kind now;  /* of the running frame */
	unsigned count;       /* hitches so far */
	double wanted_ns;     /* how much longer than usual the running frame shall take */
	double usual_ns;      /* work time of a frame: the mean of the newest ones */
	double ray_ns[HITCH_LEVELS]; /* time of a ray in a tree that is mixed up this much */
	double correction;    /* extra time of a frame, divided by that of its rays */
};

/* Measures how long rays take in this world. The world stays as it was. */
void hitch_init(struct hitch *hitch, struct world *world, uint64_t seed);

/* Returns what shall go wrong in this frame; usually nothing. */
struct trouble hitch_begin(struct hitch *hitch, uint64_t frame);

/* Tells the hitch how long the frame worked. */
void hitch_end(struct hitch *hitch, double work_ns);

#endif
