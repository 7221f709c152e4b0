/* mark.h: the call that ends a frame, timed by itself. */
#ifndef BENCH_MARK_H
#define BENCH_MARK_H

/* So many frames, in each of which the calling thread walks through `nodes` nodes (walk.h): what the call of
 * Prof_update takes, in the mean, without the two reads of the clock around it.  The thread's own part of the
 * frame is written in that call.  A call that takes MARK_INTERRUPTED_NS has lost its core, and is left out. */
#define MARK_INTERRUPTED_NS 50000
double mark_ns(long nodes, long frames);

/* The same without nodes, if each frame takes so long at least: long enough that the thread may read its CPU time in each. */
double mark_apart_ns(long frames, double frame_ns);

#endif
