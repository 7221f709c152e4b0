/* SPDX-License-Identifier: MIT */
#include "model/stats/worst.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/stats/frame_stats.h"

const char *const worst_names[WORST_ORDERS] = { [WORST_LENGTH] = "length", [WORST_BUSY] = "busy" };
const char *const worst_words[WORST_ORDERS] = { [WORST_LENGTH] = "longest", [WORST_BUSY] = "busiest" };

enum worst_order worst_order_named(const char *name)
{
	enum worst_order order = 0;

	while (order < WORST_ORDERS && strcmp(worst_names[order], name) != 0)
		order++;
	return order;
}

static int64_t busy_of(const struct profile_frame *f, uint32_t thread)
{
	return frame_knows_waiting(f, thread) ? f->length - frame_waiting(f, thread) : -1;
}

struct worst_frame worst_frame_of(const struct profile *p, const struct profile_frame *frame)
{
	return (struct worst_frame){ frame->number, frame->length, busy_of(frame, frames_thread(p)) };
}

/* Looks up waiting only for the order by busy time: the order by length is made at each w, of all frames. */
static struct worst_frame take_frame(const struct profile_frame *f, uint32_t thread, enum worst_order order)
{
	return (struct worst_frame){ f->number, f->length, order == WORST_BUSY ? busy_of(f, thread) : -1 };
}

bool worst_waited(const struct worst_frame *f)
{
	return f->busy >= 0 && f->length - f->busy > f->length / 2;
}

static bool is_worse(const struct worst_frame *a, const struct worst_frame *b, enum worst_order order)
{
	if (order == WORST_BUSY && a->busy != b->busy)
		return a->busy > b->busy;
	return a->length != b->length ? a->length > b->length : a->number > b->number;
}

/* The list */

static int by_length(const void *a, const void *b)
{
	return is_worse(b, a, WORST_LENGTH) - is_worse(a, b, WORST_LENGTH);
}

static int by_busy(const void *a, const void *b)
{
	return is_worse(b, a, WORST_BUSY) - is_worse(a, b, WORST_BUSY);
}

/* Twice as many as are wanted are gathered, then the better half goes: so each frame is looked at once, and few are
 * sorted. */
struct worst_frame *worst_list(const struct profile *p, uint32_t first, uint32_t n, enum worst_order order, uint32_t most,
			       uint32_t *count, uint32_t *all)
{
	int (*const compare[WORST_ORDERS])(const void *, const void *) = { by_length, by_busy };
	uint32_t end = n < p->frame_count - first ? first + n : p->frame_count, thread = frames_thread(p), held = 0;
	struct worst_frame *list = array_zeroed(2 * (size_t)most, sizeof(*list)), f;
	bool full = false; /* list[most - 1] is the best of what is wanted so far */

	*count = *all = 0;
	for (uint32_t i = first; list && i < end; i++) {
		if (p->frames[i].flags & FRAME_DISCARDED)
			continue;
		++*all;
		f = take_frame(&p->frames[i], thread, order);
		if (full && !is_worse(&f, &list[most - 1], order))
			continue;
		list[held++] = f;
		if (held == 2 * most) {
			qsort(list, held, sizeof(*list), compare[order]);
			held = most;
			full = true;
		}
	}
	if (list)
		qsort(list, held, sizeof(*list), compare[order]);
	*count = held < most ? held : most;
	for (uint32_t i = 0; i < *count && order != WORST_BUSY; i++)
		list[i].busy = busy_of(profile_find_frame(p, list[i].number), thread);
	return list;
}

/* A step */

/* Whether f is on the wanted side of `from`, and the nearest to it so far. */
static bool is_nearer(const struct worst_frame *f, const struct worst_frame *from, const struct worst_frame *found, bool later,
		      enum worst_order order)
{
	if (later)
		return (!from->number || is_worse(from, f, order)) && (!found->number || is_worse(f, found, order));
	return is_worse(f, from, order) && (!found->number || is_worse(found, f, order));
}

struct worst worst_beside(const struct profile *p, uint32_t first, uint32_t n, uint64_t frame, bool later,
			  enum worst_order order)
{
	uint32_t end = n < p->frame_count - first ? first + n : p->frame_count, at = profile_frame_index(p, frame);
	const struct profile_frame *held = at >= first && at < end && p->frames[at].number == frame ? &p->frames[at] : NULL;
	uint32_t thread = frames_thread(p);
	struct worst_frame from = { 0 }, found = { 0 }, f;
	struct worst w = { 0 };
	uint32_t worse = 0; /* than the frame that one comes from */

	if (held)
		from = take_frame(held, thread, order);
	for (uint32_t i = first; i < end; i++) {
		if (p->frames[i].flags & FRAME_DISCARDED)
			continue;
		w.count++;
		f = take_frame(&p->frames[i], thread, order);
		worse += held && is_worse(&f, &from, order);
		if (is_nearer(&f, &from, &found, later || !held, order))
			found = f;
	}
	if (!found.number)
		return w;
	/* No frame lies between the two, so all that is worse than one of them is worse than the other, but for themselves. */
	w.frame = found.number;
	w.place = !held ? 1 : later ? worse + 1 + !(held->flags & FRAME_DISCARDED) : worse;
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

/* The reason why a frame took longer */

static const struct profile_held *known_part(const struct profile_frame *frame, uint32_t thread)
{
	const struct profile_held *part = frame && thread != PROFILE_NONE ? profile_find_part(frame, thread) : NULL;

	return part && !(part->flags & (PART_MISSING | PART_LAPPED | PART_MERGED | PART_DISCARDED)) ? part : NULL;
}

static void add_cells(const struct profile *p, const struct profile_held *part, int sign, int64_t *by_zone)
{
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		by_zone[p->nodes[cell.node].zone] += sign * cell.self;
	}
}

struct worst_zone worst_zone(const struct profile *p, const struct profile_frame *frame, const struct profile_frame *base)
{
	const struct profile_held *now = known_part(frame, frames_thread(p)), *then = known_part(base, frames_thread(p));
	int64_t *by_zone = now && then ? array_zeroed(p->zone_count, sizeof(*by_zone)) : NULL;
	struct worst_zone found = { PROFILE_NONE, 0 };

	if (!by_zone)
		return found;
	add_cells(p, now, 1, by_zone);
	add_cells(p, then, -1, by_zone);
	for (uint32_t i = 0; i < p->zone_count; i++)
		if (by_zone[i] > found.more)
			found = (struct worst_zone){ i, by_zone[i] };
	free(by_zone);
	return found;
}
