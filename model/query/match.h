/* SPDX-License-Identifier: MIT */
/*
 * match: which zone, thread and node of one profile is which of another: of two runs of a program, of two
 * builds of it, or of a profile and its copy.
 *
 * Zones are one where name, file and line are (key_id). Of those left over, two are one where each is the
 * only one of its name: its line has moved. The marking thread is the marking thread; all others go by their
 * name, of several with one name in their order. Nodes are one where their zones are, from the root down; two
 * nodes of one path stay two, in their order. Nothing is matched twice. One and the same profile matches itself.
 */
#ifndef MODEL_MATCH_H
#define MODEL_MATCH_H

#include "model/profile/profile.h"

/* By index in the one profile: the index in the other; PROFILE_NONE: it is not there. */
struct match {
	uint32_t *zones;
	uint32_t *threads;
	uint32_t *nodes;
};

/* Finds for each zone, node and thread of `from` its counterpart in `to`. NULL: out of memory. */
struct match *match_make(const struct profile *from, const struct profile *to);
void match_free(struct match *m);

#endif
