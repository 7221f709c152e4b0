/* SPDX-License-Identifier: MIT */
#include "model/stats/thread_load.h"

#include "model/base/array.h"

static bool is_work(const struct profile *p, uint32_t node)
{
	uint32_t zone = p->nodes[node].zone;

	return zone != PROFILE_NO_ZONE && !(p->zones[zone].flags & ZONE_WAITING);
}

static int64_t busy_in(const struct profile *p, const struct profile_held *part)
{
	int64_t busy = 0;

	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		if (is_work(p, cell.node))
			busy += cell.self;
	}
	return busy;
}

static void add_frame(struct thread_loads *l, const struct profile *p, const struct profile_frame *frame, uint32_t at)
{
	l->wall += frame->length;
	for (uint32_t i = 0; i < frame->part_count; i++) {
		const struct profile_held *part = &frame->parts[i];
		int64_t busy = busy_in(p, part);

		l->threads[part->thread].frames[at] = busy;
		l->threads[part->thread].busy += busy;
	}
}

bool thread_loads_make(struct thread_loads *l, const struct profile *p, uint64_t last)
{
	uint32_t end = last ? profile_frame_index(p, last) : p->frame_count, first;

	*l = (struct thread_loads){ .threads = array_zeroed(p->thread_count, sizeof(*l->threads)) };
	if (!l->threads)
		return false;
	end += end < p->frame_count && p->frames[end].number == last;
	for (first = end; first && l->count < THREAD_LOAD_FRAMES; first--)
		l->count += frame_counts(&p->frames[first - 1]);
	for (uint32_t i = first, at = 0; i < end; i++)
		if (frame_counts(&p->frames[i]))
			add_frame(l, p, &p->frames[i], at++);
	for (uint32_t i = 0; i < p->thread_count; i++) /* a part may be of several frames, and of some before these */
		if (l->threads[i].busy > l->wall)
			l->threads[i].busy = l->wall;
	return true;
}

void thread_loads_fini(struct thread_loads *l)
{
	free(l->threads);
	*l = (struct thread_loads){ 0 };
}
