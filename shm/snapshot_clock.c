/* snapshot_clock.c: what a tick of the region is worth, and which one it is now. */
#include "shm/snapshot_read.h"

#include "shm/clock.h"

#define LONG_ENOUGH_NS  100000000ull /* two instants so far apart give the rate to a millionth */
#define LEAST_NS        1000000ull
#define NS_PER_S        1000000000ull
#define HIGHEST_RATE    1000000000000ull /* ticks per second that no counter reaches */

static bool readable(const struct attachment *a)
{
	return a->same_boot && (a->header.clock == CLOCK_COUNTER || a->header.clock == REGION_CLOCK_MONOTONIC);
}

bool snapshot_now(struct attachment *a, int64_t *now)
{
	if (!readable(a))
		return false;
	*now = clock_ticks((enum region_clock)a->header.clock);
	return *now >= (int64_t)a->header.created.ticks;
}

/* Ticks per second between two instants, 0 if they are less than least_ns apart or make no sense. */
static uint64_t rate_between(struct region_instant from, struct region_instant to, uint64_t least_ns)
{
	if (to.ticks <= from.ticks || to.raw_ns <= from.raw_ns || to.raw_ns - from.raw_ns < least_ns)
		return 0;
	uint64_t ns = to.raw_ns - from.raw_ns;
	unsigned __int128 rate = ((unsigned __int128)(to.ticks - from.ticks) * NS_PER_S + ns / 2) / ns;
	return rate > HIGHEST_RATE ? 0 : (uint64_t)rate;
}

/* A region younger than a millisecond: the counter is looked at for as long. */
static uint64_t rate_here(const struct attachment *a)
{
	enum region_clock source = (enum region_clock)a->header.clock;
	struct region_instant now = clock_instant(source), then;
	struct timespec pause = { 0, 2000000 };
	uint64_t rate = rate_between(a->header.created, now, LEAST_NS);

	if (rate)
		return rate;
	nanosleep(&pause, NULL);
	then = now;
	now = clock_instant(source);
	return rate_between(then, now, LEAST_NS);
}

uint64_t snapshot_rate(struct attachment *a, bool *estimated)
{
	struct snapshot_process p;
	uint64_t rate = a->header.ticks_per_s;

	*estimated = false;
	if (rate && rate <= HIGHEST_RATE)
		return rate;
	snapshot_process(a, &p);
	rate = rate_between(p.created, p.latest, LONG_ENOUGH_NS);
	if (!rate && readable(a))
		rate = rate_here(a);
	if (!rate)
		rate = rate_between(p.created, p.latest, LEAST_NS);
	*estimated = !rate;
	return rate ? rate : NS_PER_S;
}
