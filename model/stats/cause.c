/* SPDX-License-Identifier: MIT */
#include "model/stats/cause.h"

bool cause_make(struct cause *c, const struct profile *p, const struct scope *scope, uint32_t key, uint32_t most,
		uint64_t work)
{
	struct series s;
	bool done;

	*c = (struct cause){ 0 };
	if (!series_make(&s, p, scope, key, most))
		return false;
	c->frames = s.count;
	for (int m = 0; m < EXTENTS; m++)
		c->varies[m] = variance_of(s.value[m], s.entries, s.count);
	done = correlations_make(&c->correlations, p, &s, work);
	series_fini(&s);
	return done;
}

void cause_fini(struct cause *c)
{
	correlations_fini(&c->correlations);
}
