/* SPDX-License-Identifier: MIT */
/*
 * What is usual: the mean of all calls of a stack, in the base that the frame is set against, or in the whole run. What a call
 * is against it is its colour, where that is asked for.
 */
#include "tui/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/base/array.h"

#define FACTOR_SEEN 1.5 /* of what is usual: below it nobody looks */
#define FACTOR_MOST 3   /* above it, it is a large one; */
#define FACTOR_WAITS 10 /* of waits, which are long or short as it comes, none is seen below this */

static int64_t count_of(const struct profile *p, const struct values *base, uint32_t node)
{
	return !base ? p->totals[node].count : node < base->node_count ? base->count[node] : 0;
}

static int64_t self_of(const struct profile *p, const struct values *base, uint32_t node)
{
	return !base ? p->totals[node].self : node < base->node_count ? base->self[node] : 0;
}

void timeline_find_usual(struct timeline *t, const struct look *look)
{
	const struct values *base = look->query ? query_base(look->query) : NULL;
	const struct profile *p = look->profile;

	free(t->usual);
	t->usual = NULL;
	t->usual_count = 0;
	t->against_base = base;
	if (!p || (!t->heat && !base) || !(t->usual = array_zeroed(p->node_count, sizeof(*t->usual))))
		return;
	t->usual_count = p->node_count;
	for (uint32_t i = p->node_count; i-- > 0;) { /* parents stand before their children */
		t->usual[i] += self_of(p, base, i);
		if (p->nodes[i].parent != PROFILE_NONE)
			t->usual[p->nodes[i].parent] += t->usual[i];
		t->usual[i] = count_of(p, base, i) > 0 ? t->usual[i] / count_of(p, base, i) : 0;
	}
}

/* Of a thread that ended the calls are counted with those of another one. */
int64_t timeline_usual(const struct timeline *t, const struct profile *p, uint32_t node)
{
	while (node < t->usual_count && !t->usual[node] && p->nodes[node].heir != PROFILE_NONE && p->nodes[node].heir > node)
		node = p->nodes[node].heir;
	return node < t->usual_count ? t->usual[node] : 0;
}

bool timeline_is_hot(double took, double usual, unsigned zone_flags)
{
	return took > usual * (zone_flags & ZONE_WAITING ? FACTOR_WAITS : FACTOR_MOST);
}

static unsigned flags_of(const struct profile *p, uint32_t node)
{
	return p->zones[p->nodes[node].zone].flags;
}

enum role timeline_heat(const struct timeline *t, const struct profile *p, uint32_t node, int64_t length)
{
	double usual = (double)timeline_usual(t, p, node), now = (double)length;

	if (usual <= 0)
		return t->against_base ? ROLE_BOX_MOST : ROLE_BOX_PALE;
	if (timeline_is_hot(now, usual, flags_of(p, node)))
		return ROLE_BOX_MOST;
	if (flags_of(p, node) & ZONE_WAITING)
		return ROLE_BOX_PALE;
	if (now > usual * FACTOR_SEEN)
		return ROLE_BOX_MORE;
	if (t->against_base && now * FACTOR_SEEN < usual)
		return now * FACTOR_MOST < usual ? ROLE_BOX_LEAST : ROLE_BOX_LESS;
	return ROLE_BOX_PALE;
}

void timeline_heat_text(const struct timeline *t, const struct look *look, uint32_t node, int64_t length, char *out, size_t size)
{
	double usual = (double)timeline_usual(t, look->profile, node), factor = usual > 0 ? (double)length / usual : 0;
	double seen = flags_of(look->profile, node) & ZONE_WAITING ? FACTOR_WAITS : FACTOR_SEEN;

	*out = '\0';
	if (factor > seen && factor < 1e15)
		snprintf(out, size, factor < 9.95 ? " %s%.1f" : " %s%.0f", look->ascii ? "x" : "×", factor);
}
