#include "bench/mark.h"

#include "bench/measure.h"
#include "bench/walk.h"
#include "prof.h"
#include "shm/clock.h"

/* Ticks of the counter in a nanosecond. */
static double tick_rate(void)
{
	static double rate;
	double start = measure_now_ns();
	int64_t first = clock_counter();

	while (rate == 0 && measure_now_ns() - start < 2e6)
		;
	if (rate == 0)
		rate = (double)(clock_counter() - first) / (measure_now_ns() - start);
	return rate;
}

static double marks_ns(long nodes, long frames, double frame_ns)
{
	double rate = tick_rate();
	int64_t in_marks = 0, longest = (int64_t)(MARK_INTERRUPTED_NS * rate);
	long counted = 0;

	for (long i = 0; i < frames; i++) {
		walk(nodes, NULL);
		for (int64_t begin = clock_counter(); frame_ns > 0 && (double)(clock_counter() - begin) < frame_ns * rate;)
			continue;
		int64_t before = clock_counter();
		Prof_update(1);
		int64_t took = clock_counter() - before;
		in_marks += took < longest ? took : 0;
		counted += took < longest;
	}
	return (double)in_marks / rate / (double)(counted ? counted : 1) - measure_floor_ns();
}

double mark_ns(long nodes, long frames)
{
	return marks_ns(nodes, frames, 0);
}

double mark_apart_ns(long frames, double frame_ns)
{
	return marks_ns(0, frames, frame_ns);
}
