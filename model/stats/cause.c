/* SPDX-License-Identifier: MIT */
#include "model/stats/cause.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/base/format.h"
#include "model/base/text.h"

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

bool cause_make(struct cause *c, const struct profile *p, const struct scope *scope, uint32_t key, uint32_t most,
		uint64_t work)
{
	struct series s;
	bool done;

	*c = (struct cause){ 0 };
	if (!series_make(&s, p, scope, key, most))
		return false;
	c->frames = s.count;
	for (int m = 0; m < EXTENTS; m++)
		c->varies[m] = variance_of(s.value[m], s.entries, s.count);
	done = correlations_make(&c->correlations, p, &s, work);
	series_fini(&s);
	return done;
}

void cause_fini(struct cause *c)
{
	correlations_fini(&c->correlations);
}

#define NAME_CELLS 24
#define THREAD_CELLS 12

const char *const correlate_with_words[CORRELATE_WITHS] = {
	[CORRELATE_LENGTH] = "the frame's length",
	[CORRELATE_TIME] = "its self time",
};

/* Shares may lie far outside of 0 to 1. */
static long percent_of(double share)
{
	return lround(fmax(-1e6, fmin(1e6, share)) * 100);
}

void cause_varies_text(const struct variance *v, char *out, size_t size)
{
	long calls = percent_of(v->calls), carried = percent_of(v->carried);
	char other[48] = "";

	if (v->frames < VARIANCE_FRAMES) {
		snprintf(out, size, "- (needs %u frames)", VARIANCE_FRAMES);
		return;
	}
	if (!v->known) {
		snprintf(out, size, "none");
		return;
	}
	if (carried)
		snprintf(other, sizeof(other), ", %ld %% carried over", carried);
	snprintf(out, size, "%ld %% call count, %ld %% time per call%s", calls,
		 100 - calls - carried, other);
}

/* Clipped to so many cells. NULL: out of memory. Caller frees. */
static char *name_of(const char *raw, bool ascii, size_t cells, int *length)
{
	char *name = name_safe(raw, ascii);
	size_t used;

	*length = name ? (int)text_clip(name, cells, &used) : 0;
	return name;
}

void cause_counter_text(const struct profile *p, const struct correlation *c, enum correlate_with with, bool ascii,
			char *out, size_t size)
{
	bool has_thread = c->thread < p->thread_count;
	int length, thread_length;
	char *name = name_of(p->counters[c->counter].name, ascii, NAME_CELLS, &length);
	char *thread = name_of(has_thread ? p->threads[c->thread].name : "", ascii, THREAD_CELLS, &thread_length);
	bool says_thread = thread_length > 0 && profile_selected(p, THREADS_ALL) > 1;
	char rho[32];

	format_fixed(rho, sizeof(rho), c->with[with].rho, 2);
	snprintf(out, size, "%s%.*s%s%.*s%s %s%s", c->with[with].of_change ? "growth of " : "", length,
		 name ? name : "", says_thread ? " (" : "", says_thread ? thread_length : 0, thread ? thread : "",
		 says_thread ? ")" : "", *rho == '-' ? "" : "+", rho);
	free(name);
	free(thread);
}
