/* SPDX-License-Identifier: MIT */
#include "model/profile/moment.h"

#include "model/base/search.h"

#define NS_PER_S 1000000000

__extension__ typedef __int128 wide;

/* value * times / by, rounded down. */
static wide scale_ticks(wide value, uint64_t times, uint64_t by)
{
	wide product = value * (wide)times, quotient = product / (wide)by;

	return quotient - (product % (wide)by < 0);
}

static int64_t limit_to(wide value, int64_t least, int64_t most)
{
	if (value < least)
		return least;
	return value > most ? most : (int64_t)value;
}

int64_t moment_of(const struct profile *p, int64_t tick)
{
	const struct profile_process *process = &p->process;

	if (!moment_known(p))
		return MOMENT_NONE;
	return limit_to(scale_ticks((wide)tick - process->known_tick, NS_PER_S, p->ticks_per_s) +
			       process->known_moment,
		       -MOMENT_FARTHEST, MOMENT_FARTHEST);
}

int64_t moment_tick(const struct profile *p, int64_t moment)
{
	const struct profile_process *process = &p->process;
	int64_t known = limit_to(process->known_moment, -MOMENT_FARTHEST, MOMENT_FARTHEST);
	wide ns = limit_to(moment, -MOMENT_FARTHEST, MOMENT_FARTHEST) - known;
	wide ticks = ns * (wide)p->ticks_per_s + NS_PER_S / 2;

	return limit_to(scale_ticks(ticks, 1, NS_PER_S) + process->known_tick, 0, INT64_MAX);
}

/* How many frames began before that tick. */
static uint32_t begun_before(const struct profile *p, int64_t tick)
{
	return SEARCH(i, 0, p->frame_count, p->frames[i].start < tick);
}

uint32_t moment_frame(const struct profile *p, int64_t moment)
{
	int64_t tick, end;
	uint32_t i;

	if (!p->frame_count || !moment_known(p))
		return PROFILE_NONE;
	tick = moment_tick(p, moment);
	i = begun_before(p, tick < INT64_MAX ? tick + 1 : tick);
	i -= i > 0;
	end = frame_end(&p->frames[i]);
	if (i + 1 < p->frame_count && end <= tick && p->frames[i + 1].start - tick < tick - end)
		i++;
	return i;
}

uint32_t moment_frames(const struct profile *p, int64_t from, int64_t to, uint32_t *count)
{
	int64_t first_tick;
	uint32_t first, end;

	*count = 0;
	if (!moment_known(p))
		return 0;
	first_tick = moment_tick(p, from);
	first = begun_before(p, first_tick);
	/* the one before them may be running still */
	first -= first > 0 && frame_end(&p->frames[first - 1]) > first_tick;
	end = begun_before(p, moment_tick(p, to));
	*count = end > first ? end - first : 0;
	return first;
}

bool moment_span(const struct profile *p, int64_t *first, int64_t *last)
{
	if (!p->frame_count || !moment_known(p))
		return false;
	*first = moment_of(p, p->frames[0].start);
	*last = moment_of(p, frame_end(&p->frames[p->frame_count - 1]));
	return true;
}
