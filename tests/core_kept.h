/* core_kept.h: the single calls that a dead region has of its worst frames, held against the parts that it kept.
 *
 * The calls of a thread in such a frame are whole, from the transition before its slice to the one behind it, or
 * nothing was promised: then they are counted.  Whole, each zone's self time is that of the part, to the tick.
 */
#ifndef TESTS_CORE_KEPT_H
#define TESTS_CORE_KEPT_H

#include "shm/snapshot.h"

struct kept_seen {
	uint64_t whole, chunks; /* parts of worst frames with all their calls; chunks out of the round */
	uint64_t lapped;        /* of these parts: their calls are not in the log any more, or not all */
	uint64_t missing;       /* parts without */
	uint64_t counted;
};

/* Looks at all worst frames, and adds what it saw. */
void kept_check(struct attachment *a, struct kept_seen *seen);
void kept_print(const char *what, const struct kept_seen *seen);

#endif
