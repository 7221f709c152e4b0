/* core_replay.h: the oracle: what the events of a thread say that its parts must be.
 *
 * An event is one transition with its tick.  Replayed in order they give, between any two ticks, the time
 * in each node, its entries and its longest call; this must be what the thread published, node for node,
 * in ticks, without a difference.
 */
#ifndef TESTS_CORE_REPLAY_H
#define TESTS_CORE_REPLAY_H

#include "tests/core_image.h"

struct replay_counts {
	uint64_t transitions, starts, parts, pieces, merged, spans, span_intervals, exits, nodes, discarded, cut;
	uint64_t unchecked;   /* records whose events were lapped */
	uint64_t slipped;     /* parts that end later than T, by the rule b = max(T, last) */
	uint64_t differences; /* records or totals that are not as replayed */
};

/* Replays every block of the image against its records and totals; each difference is a failed check, too.
 * Adds to counts. */
void replay_image(const struct image *image, struct replay_counts *counts);
void replay_print(const char *what, const struct replay_counts *counts);

#endif
