/* SPDX-License-Identifier: MIT */
#include "model/moment.h"

#include "model/frame_stats.h"

#define NS_PER_S 1000000000

__extension__ typedef __int128 wide;

/* value * times / by, rounded down. */
static wide scaled(wide value, uint64_t times, uint64_t by)
{
	wide product = value * (wide)times, quotient = product / (wide)by;

	return quotient - (product % (wide)by < 0);
}

static int64_t limited(wide value, int64_t least)
{
	if (value < least)
		return least;
	return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

int64_t moment_of(const struct profile *p, int64_t tick)
{
	const struct profile_process *process = &p->process;

	if (!moment_known(p))
		return MOMENT_NONE;
	return limited(scaled((wide)tick - process->known_tick, NS_PER_S, p->ticks_per_s) +
			       process->known_moment,
		       MOMENT_NONE + 1);
}

int64_t moment_tick(const struct profile *p, int64_t moment)
{
	const struct profile_process *process = &p->process;
	wide ticks = ((wide)moment - process->known_moment) * p->ticks_per_s + NS_PER_S / 2;

	return limited(scaled(ticks, 1, NS_PER_S) + process->known_tick, 0);
}

/* Index of the last frame that began at that tick or before; of all that began later, the first. */
static uint32_t begun_by(const struct profile *p, int64_t tick)
{
	uint32_t first = 0, end = p->frame_count;

	while (end - first > 1) {
		uint32_t middle = first + (end - first) / 2;

		if (p->frames[middle].start <= tick)
			first = middle;
		else
			end = middle;
	}
	return first;
}

uint32_t moment_frame(const struct profile *p, int64_t moment)
{
	int64_t tick, end;
	uint32_t i;

	if (!p->frame_count || !moment_known(p))
		return PROFILE_NONE;
	tick = moment_tick(p, moment);
	i = begun_by(p, tick);
	end = frame_end(&p->frames[i]);
	if (i + 1 < p->frame_count && end <= tick && p->frames[i + 1].start - tick < tick - end)
		i++;
	return i;
}

bool moment_span(const struct profile *p, int64_t *first, int64_t *last)
{
	if (!p->frame_count || !moment_known(p))
		return false;
	*first = moment_of(p, p->frames[0].start);
	*last = moment_of(p, frame_end(&p->frames[p->frame_count - 1]));
	return true;
}
