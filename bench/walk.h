/* walk.h: a tree of zones with eight children to a node, to be gone through.
 *
 * Programs that publish many nodes in a frame: each node of the tree is a stack of zones of its own.
 */
#ifndef BENCH_WALK_H
#define BENCH_WALK_H

/* Makes the zones; before any thread walks. */
void walk_begin(void);

/* Enters and leaves each of the first so many nodes once, and calls `moment`, unless it is NULL, before each of
 * both. */
void walk(long nodes, void (*moment)(void));

#endif
