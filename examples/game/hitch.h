/* SPDX-License-Identifier: MIT */
/* hitch: now and then a frame of 30 to 50 ms, for a reason that a profiler finds.
 *
 * More calls    the ships look around for cover, on and on: ai casts many more rays,
 *               each as dear as ever.
 * Dearer calls  the rocks' tree has gone stale: as many rays as ever, and the same
 *               answers, but each walk of the tree is much longer.
 *
 * How long a hitch is, is a matter of time, and machines differ: the first kind looks
 * at the clock; for the second, the price of a ray in a tree mixed up more or less is
 * measured at the start, and what is to be expected is corrected by what came of it.
 */
#ifndef GAME_HITCH_H
#define GAME_HITCH_H

#include "world.h"

enum { HITCH_LEVELS = 10 };

enum hitch_kind { HITCH_NONE, HITCH_MORE_CALLS, HITCH_DEARER_CALLS };

struct hitch {
	uint64_t state;
	uint64_t frame;       /* of the next */
	enum hitch_kind kind; /* of the next */
	enum hitch_kind now;  /* of the running frame */
	unsigned count;       /* how many there have been */
	double wanted_ns;     /* how much longer than usual the running frame is to be */
	double usual_ns;      /* how long a frame works, in the mean of the latest */
	double ray_ns[HITCH_LEVELS]; /* the price of a ray in a tree mixed up by so much */
	double correction;    /* a frame's extra time against its rays' */
};

/* Measures what rays cost in this world, which it leaves as it was. */
void hitch_init(struct hitch *hitch, struct world *world, uint64_t seed);

/* What is to go wrong in this frame; most often nothing. */
struct trouble hitch_begin(struct hitch *hitch, uint64_t frame);

/* How long that frame has worked. */
void hitch_end(struct hitch *hitch, double work_ns);

#endif
