#include "bench/walk.h"

#include <stdio.h>

#include "prof.h"

#define ZONES    64
#define CHILDREN 8

static Prof_zone *zones[ZONES];

void walk_begin(void)
{
	for (int i = 0; i < ZONES; i++) {
		char name[16];

		snprintf(name, sizeof name, "zone %d", i);
		zones[i] = Prof_Zone(name);
	}
}

/* The zones of one node's children differ, so each node is a stack of its own. */
static void walk_from(long node, long nodes, void (*moment)(void))
{
	if (moment)
		moment();
	Prof_Enter(zones[node % ZONES]);
	for (long child = node * CHILDREN + 1; child <= node * CHILDREN + CHILDREN && child < nodes; child++)
		walk_from(child, nodes, moment);
	if (moment)
		moment();
	Prof_Leave();
}

void walk(long nodes, void (*moment)(void))
{
	if (nodes > 0)
		walk_from(0, nodes, moment);
}
