/* core_shown.h: what a reader of the whole way, io/region/live.h, makes of a region: its profile, checked.
 *
 * The other checks of a region look at its words; this one looks at what a report and the screen are made of.
 */
#ifndef TESTS_CORE_SHOWN_H
#define TESTS_CORE_SHOWN_H

#include "io/source.h"

struct shown_seen {
	uint64_t profiles, frames, parts, inferred;
	uint64_t unseen; /* parts that one of two readers has and the other could not have */
};

/* The region of that name, now or in a minute; NULL, and a failure counted.  The caller closes it. */
struct source *shown_open(const char *name);

/* Reads on until the writer is known to be dead; what there is then is checked.  False: a failure was counted. */
bool shown_to_end(struct source *s, struct shown_seen *seen);

/* What holds of any profile: parts are as long as their cells, threads as their nodes, and nothing is negative. */
void shown_exact(const struct profile *p, struct shown_seen *seen);

/* Two profiles of one dead process, of which the first watched it die, say the same: of each frame that both hold, of
 * the whole run, and of what was open. */
void shown_same(struct source *watched, struct source *after, struct shown_seen *seen);

/* What a report of the dead region of that name says: all entries that its words have, and which thread was in the
 * middle of a transition. */
void shown_dead(const char *name, struct shown_seen *seen);

#endif
