/* SPDX-License-Identifier: MIT */
#include "model/stats/worst.h"

#include <stddef.h>

static bool is_worse(const struct profile_frame *a, const struct profile_frame *b)
{
	return a->length != b->length ? a->length > b->length : a->number > b->number;
}

/* Whether f is on the wanted side of `from`, and the nearest to it so far. */
static bool is_nearer(const struct profile_frame *f, const struct profile_frame *from,
		      const struct profile_frame *found, bool later)
{
	if (later)
		return (!from || is_worse(from, f)) && (!found || is_worse(f, found));
	return is_worse(f, from) && (!found || is_worse(found, f));
}

struct worst worst_beside(const struct profile *p, uint64_t frame, bool later)
{
	const struct profile_frame *from = frame ? profile_find_frame(p, frame) : NULL, *found = NULL;
	struct worst w = { 0 };

	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *f = &p->frames[i];

		if (f->flags & FRAME_DISCARDED)
			continue;
		w.count++;
		if (is_nearer(f, from, found, later || !from))
			found = f;
	}
	if (!found)
		return w;
	w.frame = found->number;
	w.place = 1;
	for (uint32_t i = 0; i < p->frame_count; i++)
		w.place += !(p->frames[i].flags & FRAME_DISCARDED) && is_worse(&p->frames[i], found);
	return w;
}

struct worst worst_over(const struct profile *p, uint64_t frame, int64_t length, int step)
{
	struct worst w = { 0 };

	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *f = &p->frames[i];

		if (f->flags & FRAME_DISCARDED || f->length <= length)
			continue;
		w.count++;
		if (step < 0 ? f->number < frame : f->number > frame && !w.frame) {
			w.frame = f->number;
			w.place = w.count;
		}
	}
	return w;
}
