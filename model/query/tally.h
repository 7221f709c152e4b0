/* SPDX-License-Identifier: MIT */
/*
 * tally: the self and hierarchical time of the keys that have any in one frame.
 *
 * A frame touches few of the nodes that there are. One pass over its cells, and the nodes above
 * them, gives both times of each key: O(cells + nodes above), whatever the profile holds. Heat,
 * trend and medians are made of it.
 */
#ifndef MODEL_TALLY_H
#define MODEL_TALLY_H

#include "model/query/keys.h"

/* Which nodes count for a key: its own alone, or also all that are below them. */
enum extent { EXTENT_SELF, EXTENT_HIER, EXTENTS };

/* The nodes and threads of a frame that are counted. */
struct scope {
	const struct keys *keys;
	uint32_t threads;    /* a selection */
	const bool *members; /* by node, keys->node_count: whether it counts; NULL: all do */
	int64_t since;       /* tick: single calls that ended then or before do not count (calls.h); 0: all do */
	int64_t until;       /* tick: single calls that ended later do not count; 0: all do */
	uint32_t measure;    /* of which amounts are counted; single calls are always of time */
	bool calls;          /* a tally has `calls`, too */
};

struct tally_row {
	uint32_t key;
	int64_t value[EXTENTS]; /* ticks, or amounts of the measure */
};

/* The calls of a key: over all its nodes, as those that are inside of it are calls, too. */
struct tally_calls {
	int64_t count;
	int64_t longest; /* ticks, or PROFILE_LONGEST_UNKNOWN */
};

struct tally {
	struct tally_row *rows; /* each key once, in no order; keys without a row have 0 */
	struct tally_calls *calls; /* of each row, if the scope asks for them. Then keys have a row that were entered and
				    * took no time */
	uint32_t count;
	bool usual; /* the frame counts for the threads (frame_counts_for), and all amounts of the measure are known: it
		     * may stand with others */
	struct tally_store *store;
};

bool tally_init(struct tally *t); /* false: out of memory. All 0 is as good as fini'd */
void tally_fini(struct tally *t);

/* Makes room for the keys and nodes there are; before each tally_frame that may meet new ones. A
 * tally serves one set of keys. */
bool tally_reserve(struct tally *t, const struct profile *p, const struct keys *k);

/* About what a tally of the frame costs, in cells. */
uint64_t tally_cost(const struct profile_frame *frame);

/* Fills the rows anew. */
void tally_frame(struct tally *t, const struct profile *p, const struct scope *scope,
		 const struct profile_frame *frame);

#endif
