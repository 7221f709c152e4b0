/* SPDX-License-Identifier: MIT */
/*
 * merged: values as a report of threads that it shows as one has them.
 *
 *     frame 100       time  enters a zone     base           time  enters one     left out of both
 *     main           472.8       yes          main          314.5      yes             no
 *     worker         472.8        no          worker        314.5      yes             no
 *     worker         472.8        no          worker        314.5       no             yes
 *
 * A thread that enters no zone does nothing that one could see. Of a program with a hundred workers that sleep most of
 * `all` would be theirs. So its time in no zone is left out where threads are merged; if it was still in a zone that it
 * had entered before, that time stays.
 *
 * Where a time is set against another one, this is left out of both sides, of a thread that entered no zone on either. So
 * the same threads are compared: the difference of `all` is the sum of the differences of what is below it, and `all` less
 * its difference is the `all` of these threads in the base. If each side left out its own, a worker that had nothing to do
 * in a long frame would make that frame shorter, by all the time that it has in the base.
 */
#ifndef MODEL_MERGED_H
#define MODEL_MERGED_H

#include "model/query/values.h"

struct merged {
	struct values now, base; /* what is not as it was is owned by this; all else is borrowed */
	bool has_base;
	int64_t *owned[4];
};

/* Of a selection of threads. One that is no merged one is as it is. `base` is NULL where nothing is set against them, or of
 * the same profile. False: out of memory; merged_fini may follow. */
bool merged_init(struct merged *m, const struct profile *p, const struct values *now, const struct values *base,
		 uint32_t threads);
void merged_fini(struct merged *m);

#endif
