/* SPDX-License-Identifier: MIT */
#include "model/query/merged.h"

#include <string.h>

#include "model/base/array.h"

/* By thread: it entered a zone. */
static void find_entered(const struct profile *p, const struct values *v, bool *entered)
{
	for (uint32_t i = 0; i < v->node_count; i++)
		entered[p->nodes[i].thread] |= values_entered(v, p, i);
}

static int64_t *copy_of(const int64_t *from, uint32_t count)
{
	int64_t *copy = array_zeroed(count, sizeof(*copy));

	if (copy && count)
		memcpy(copy, from, count * sizeof(*copy));
	return copy;
}

/* Takes off what those who entered none spent in no zone. */
static bool leave_out(const struct profile *p, struct values *v, const bool *entered, int64_t **owned)
{
	v->self = owned[0] = copy_of(v->self, v->node_count);
	v->time = owned[1] = copy_of(v->time, v->thread_count);
	if (!v->self || !v->time)
		return false;
	for (uint32_t i = 0; i < v->thread_count; i++) {
		uint32_t root = p->threads[i].root;

		if (entered[i] || root >= v->node_count)
			continue;
		v->time[i] -= v->self[root];
		v->self[root] = 0;
	}
	return true;
}

bool merged_init(struct merged *m, const struct profile *p, const struct values *now, const struct values *base,
		 uint32_t threads)
{
	bool *entered, done;

	*m = (struct merged){ .now = *now, .has_base = base };
	if (base)
		m->base = *base;
	if (!profile_merges(threads) || now->measure != MEASURE_SELF)
		return true;
	entered = array_zeroed(p->thread_count, sizeof(*entered));
	if (!entered)
		return false;
	find_entered(p, now, entered);
	if (base)
		find_entered(p, base, entered);
	done = leave_out(p, &m->now, entered, &m->owned[0]) && (!base || leave_out(p, &m->base, entered, &m->owned[2]));
	free(entered);
	return done;
}

void merged_fini(struct merged *m)
{
	for (size_t i = 0; i < sizeof(m->owned) / sizeof(*m->owned); i++)
		free(m->owned[i]);
}
