/* SPDX-License-Identifier: MIT */
#include "model/stats/first_threads.h"

#include "model/stats/thread_load.h"

#define LOOKS_BACK_S 2
#define ENOUGH_FRAMES 4
#define ENOUGH_PART 2   /* of a second */
#define BUSY_PART 100   /* of the time */

/* How many frames at the end there are in the time that is looked at. */
static uint32_t newest_frames(const struct profile *p)
{
	int64_t wall = 0;
	uint32_t first = p->frame_count;

	while (first && wall < LOOKS_BACK_S * (int64_t)p->ticks_per_s && !(p->frames[first - 1].flags & FRAME_KEPT))
		wall += p->frames[--first].length;
	return p->frame_count - first;
}

static enum first_threads decide(const struct profile *p, const struct thread_loads *l, uint64_t frames, uint32_t marking)
{
	double wall = (double)l->wall, own = (double)l->threads[marking].busy, others = 0;

	for (uint32_t i = 0; i < p->thread_count; i++)
		others += i == marking ? 0 : (double)l->threads[i].busy;
	if (p->process.state == PROFILE_LIVE && (frames < ENOUGH_FRAMES || wall * ENOUGH_PART < (double)p->ticks_per_s ||
						 (own + others) * BUSY_PART < wall))
		return FIRST_UNDECIDED;
	return own * 2 < wall && others > own ? FIRST_ALL : FIRST_MARKING;
}

/* The thread that marks frames; PROFILE_NONE: there is none. */
static uint32_t marking_thread(const struct profile *p)
{
	uint32_t thread = profile_marking_thread(p);

	return thread != PROFILE_NONE && p->threads[thread].marking ? thread : PROFILE_NONE;
}

enum first_threads first_threads_decide(const struct profile *p)
{
	uint32_t marking = marking_thread(p), count = newest_frames(p), first = p->frame_count - count;
	struct values *v = marking != PROFILE_NONE ? values_of_frames(p, first, count) : NULL;
	struct thread_loads l = { 0 };
	enum first_threads decided = FIRST_UNDECIDED;

	if (v && thread_loads_cover(&l, p, v, first, count))
		decided = decide(p, &l, v->frames, marking);
	thread_loads_fini(&l);
	values_free(v);
	return decided;
}

uint32_t first_threads_of(const struct profile *p, enum first_threads first)
{
	uint32_t marking = marking_thread(p);

	return marking == PROFILE_NONE || first == FIRST_ALL ? THREADS_ALL : marking;
}
