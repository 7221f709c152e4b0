/* SPDX-License-Identifier: MIT */
/*
 * drill: the way through call graphs: the zone that is looked at, the path that led to it, and what was
 * looked at before each step.
 */
#ifndef MODEL_DRILL_H
#define MODEL_DRILL_H

#include "model/query/path.h"
#include "model/report/report.h"

#define DRILL_STEPS_MOST 1000 /* that one can go back; the first of them go */

/* All 0: there is no zone yet. */
struct drill {
	struct path path;
	uint32_t place; /* of the focus in the path */
	struct drill_step *steps;
	uint32_t count, capacity;
};

void drill_fini(struct drill *d);

/* Begins with the last zone of a path; what was before is forgotten. */
void drill_begin(struct drill *d, const struct path *path);

/* The identity of the zone that is looked at; 0: there is none. */
static inline uint64_t drill_focus(const struct drill *d)
{
	return d->path.length ? d->path.ids[d->place] : 0;
}

/* Whether a row of a call graph leads on: it is a zone, and not the focus. */
bool drill_can_enter(const struct report_row *row);

/* On to the zone of a row that leads on; `id` is its key's identity. `cursor`, the row that one came from, is
 * what drill_back returns. Where there is no memory, the step is taken and cannot be taken back. */
void drill_enter(struct drill *d, enum row_role role, uint64_t id, uint64_t cursor);

/* Takes back a step. False: there is none. */
bool drill_back(struct drill *d, uint64_t *cursor);

/* Recursion is spread or merged now: path_turn, for its path and those of all steps. */
void drill_turn(struct drill *d, const struct profile *p, const struct keys *before, bool spread);

/* The caller with most time, whatever the rows are sorted by; NULL: there is none that leads on. */
const struct report_row *drill_largest_caller(const struct report *graph);

#endif
