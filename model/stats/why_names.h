/* SPDX-License-Identifier: MIT */
/*
 * why_names: the names of zones in a comparison.
 *
 * The zones may be of two profiles. If two of them have one name, they are
 * shown with their places, `load (mesh.c:4)`, so that different rows look
 * different.
 */
#ifndef MODEL_WHY_NAMES_H
#define MODEL_WHY_NAMES_H

#include "model/query/match.h"
#include "model/stats/why.h"

/* Sets w->names, of all zones in the stacks of rows. False: out of memory. */
bool why_names_make(struct why *w, const struct profile *base, const struct profile *now, const struct match *match);
void why_names_fini(struct why *w);

#endif
