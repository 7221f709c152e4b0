/* SPDX-License-Identifier: MIT */
#include "model/stats/variance.h"

#include <math.h>

/* What is summed up over the frames. */
struct sums {
	double time, entries; /* of frames with entries */
	double all;           /* time of all frames */
	bool varies;
};

static struct sums sums_of(const int64_t *ticks, const int64_t *entries, uint32_t n)
{
	struct sums s = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		s.all += (double)ticks[i];
		s.varies |= ticks[i] != ticks[0];
		if (entries[i] <= 0)
			continue;
		s.time += (double)ticks[i];
		s.entries += (double)entries[i];
	}
	return s;
}

/* Σ (x − mean)·part is n·Cov(part, x), as Σ (x − mean) = 0. */
struct variance variance_of(const int64_t *ticks, const int64_t *entries, uint32_t n)
{
	struct variance v = { .frames = n };
	struct sums s = sums_of(ticks, entries, n);
	double a_call = s.entries > 0 ? s.time / s.entries : 0, square = 0;

	if (!n)
		return v;
	v.mean = s.all / n;
	for (uint32_t i = 0; i < n; i++) {
		double x = (double)ticks[i], away = x - v.mean;
		double calls = entries[i] > 0 ? a_call * (double)entries[i] : 0;

		square += away * away;
		v.calls += away * calls;
		if (entries[i] > 0)
			v.cost += away * (x - calls);
		else
			v.carried += away * x;
	}
	v.deviation = sqrt(square / n);
	v.known = n >= VARIANCE_FRAMES && s.varies && square > 0;
	v.calls = v.known ? v.calls / square : 0;
	v.cost = v.known ? v.cost / square : 0;
	v.carried = v.known ? v.carried / square : 0;
	return v;
}
