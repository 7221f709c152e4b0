/* SPDX-License-Identifier: MIT */
/*
 * flat: one row a key. Here it is defined what the times of a zone are, also of one that calls itself.
 *
 *   self(Z)  = Σ self of the nodes whose top is Z
 *   hier(Z)  = Σ self of the nodes whose path holds Z. A node counts once, however often Z is in its path: so the time
 *              of a recursive zone is never counted twice
 *   count(Z) = Σ entries of the nodes whose top is Z; recursive entries count, too
 *
 * O(nodes). Σ self over all keys = the time of the threads.
 */
#ifndef MODEL_FLAT_H
#define MODEL_FLAT_H

#include "model/query/keys.h"
#include "model/query/values.h"

struct flat_row {
	int64_t self;     /* 1/scale ticks, as all of them */
	int64_t hier;
	int64_t count;
	int64_t longest;  /* ticks */
	uint32_t threads; /* with time in the row */
	bool present;     /* a node of the threads looked at has this key as its top */
};

/* Makes the rows of several selections of threads, one after the other. Each
 * costs as much as its own nodes, however many keys there are. */
struct flat {
	struct flat_row *rows; /* by key; rows that are not in `keys` are 0 */
	uint32_t *keys;        /* the keys that are present, ascending */
	uint32_t count;
	int64_t *below; /* for flat_sum alone */
	uint32_t *last; /* likewise */
};

/* flat_sum must get these keys and values. It replaces the rows of the
 * selection before. False: out of memory. */
bool flat_init(struct flat *f, const struct keys *k, const struct values *v);
void flat_sum(struct flat *f, const struct profile *p, const struct keys *k, const struct values *v, uint32_t thread);
void flat_fini(struct flat *f);

/* Rows by key: keys->count of them. `thread` is a selection. Caller frees; NULL: out of
 * memory. */
struct flat_row *flat_make(const struct profile *p, const struct keys *k, const struct values *v,
			   uint32_t thread);

#endif
