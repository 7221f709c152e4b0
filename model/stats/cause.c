/* SPDX-License-Identifier: MIT */
#include "model/stats/cause.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/text.h"
#include "model/stats/counters.h"

/* Variance */

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

/* Ranks */

struct placed {
	double value;
	uint32_t place;
};

static int compare_values(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

bool ranks_of(const double *values, uint32_t n, double *ranks)
{
	struct placed *sorted = array_zeroed(n, sizeof(*sorted));
	uint32_t end;

	if (!sorted)
		return false;
	for (uint32_t i = 0; i < n; i++)
		sorted[i] = (struct placed){ values[i], i };
	qsort(sorted, n, sizeof(*sorted), compare_values);
	for (uint32_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && sorted[end].value == sorted[i].value;)
			end++;
		for (uint32_t k = i; k < end; k++)
			ranks[sorted[k].place] = ((double)i + 1 + end) / 2;
	}
	free(sorted);
	return true;
}

/* The mean of n ranks is (n + 1)/2, also of mid-ranks. All terms are multiples of a quarter, and exact. */
bool ranks_correlate(const double *a, const double *b, uint32_t n, double *rho)
{
	double mean = ((double)n + 1) / 2, aa = 0, bb = 0, ab = 0;

	for (uint32_t i = 0; i < n; i++) {
		aa += (a[i] - mean) * (a[i] - mean);
		bb += (b[i] - mean) * (b[i] - mean);
		ab += (a[i] - mean) * (b[i] - mean);
	}
	if (aa <= 0 || bb <= 0)
		return false;
	*rho = ab / sqrt(aa * bb);
	return true;
}

/* Counters */

#define FRAMES_LEAST 250u /* of a limit of work */

/* The series that counters are correlated with, and space for one counter. By frame. */
struct against {
	uint32_t frames;
	double *value[CORRELATE_WITHS]; /* as it is, */
	double *ranks[CORRELATE_WITHS]; /* and its ranks over all these frames */
	double *number, *other;         /* of the frames in which the counter is a number, */
	double *number_ranks, *other_ranks;
	double *room;
};

#define AGAINST_ARRAYS (2 * CORRELATE_WITHS + 4)

static bool against_make(struct against *a, const struct series *s, uint32_t frames)
{
	uint32_t first = s->count - frames;
	double *at = a->room = array_zeroed((uint64_t)AGAINST_ARRAYS * frames, sizeof(*a->room));

	if (!at)
		return false;
	a->frames = frames;
	for (int w = 0; w < CORRELATE_WITHS; w++, at += 2 * frames) {
		const int64_t *from = w == CORRELATE_LENGTH ? s->length : s->value[EXTENT_SELF];

		a->value[w] = at;
		a->ranks[w] = at + frames;
		for (uint32_t i = 0; i < frames; i++)
			a->value[w][i] = (double)from[first + i];
		if (!ranks_of(a->value[w], frames, a->ranks[w]))
			return false;
	}
	a->number = at;
	a->other = at + frames;
	a->number_ranks = at + 2 * frames;
	a->other_ranks = at + 3 * frames;
	return true;
}

/* The value of a counter in a frame; NAN: it is not known, or not a number. */
static double number_of(const struct counter_value *v, bool real, bool change)
{
	union profile_number n = change ? v->change : v->last;
	double number = real ? n.real : (double)n.whole;

	return v->known && isfinite(number) ? number : NAN;
}

/* The frames in which it is a number; how many. */
static uint32_t take_numbers(struct against *a, const double *numbers)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->frames; i++)
		if (!isnan(numbers[i]))
			a->number[n++] = numbers[i];
	return n;
}

static bool take_others(struct against *a, const double *numbers, int with, uint32_t n)
{
	uint32_t at = 0;

	if (n == a->frames) {
		memcpy(a->other_ranks, a->ranks[with], n * sizeof(*a->other_ranks));
		return true;
	}
	for (uint32_t i = 0; i < a->frames; i++)
		if (!isnan(numbers[i]))
			a->other[at++] = a->value[with][i];
	return ranks_of(a->other, n, a->other_ranks);
}

static double least_told(uint32_t n)
{
	double chance = 3 / sqrt((double)n - 1);

	return chance > CORRELATE_LEAST ? chance : CORRELATE_LEAST;
}

/* Sets the numbers of a counter against everything; keeps what is stronger than what is there. False: out of
 * memory. */
static bool set_against(struct against *a, const double *numbers, bool of_change, struct correlation *out)
{
	uint32_t n = take_numbers(a, numbers);

	if (n < CORRELATE_FRAMES)
		return true;
	if (!ranks_of(a->number, n, a->number_ranks))
		return false;
	for (int w = 0; w < CORRELATE_WITHS; w++) {
		struct correlated *best = &out->with[w];
		double rho;

		if (!take_others(a, numbers, w, n))
			return false;
		if (ranks_correlate(a->number_ranks, a->other_ranks, n, &rho) && fabs(rho) >= least_told(n) &&
		    (!best->frames || fabs(rho) > fabs(best->rho)))
			*best = (struct correlated){ n, rho, of_change };
	}
	return true;
}

/* The numbers of all values in all frames: rows of `frames` numbers, twice as many as values. NULL: out of memory. */
static double *walk_numbers(const struct profile *p, struct counter_report *walk, const struct series *s,
			    uint32_t frames, uint32_t values)
{
	double *numbers = array_zeroed((uint64_t)frames * values, 2 * sizeof(*numbers));

	for (uint32_t i = 0; numbers && i < frames; i++) {
		counters_step(walk, &p->frames[s->frames[s->count - frames + i]]);
		for (uint32_t k = 0; k < values; k++) {
			const struct counter_row *row = &walk->rows[k];
			bool real = p->counters[row->counter].real;
			double *at = numbers + (uint64_t)k * 2 * frames + i;

			at[0] = number_of(&row->value, real, false);
			at[frames] = number_of(&row->value, real, true);
		}
	}
	return numbers;
}

static bool only_grows(const double *numbers, uint32_t frames)
{
	double last = NAN;
	bool grows = false;

	for (uint32_t i = 0; i < frames; i++) {
		if (isnan(numbers[i]))
			continue;
		if (numbers[i] < last)
			return false;
		grows |= numbers[i] > last;
		last = numbers[i];
	}
	return grows;
}

static bool correlate_all(struct correlations *c, const struct profile *p, struct counter_report *walk,
			  const struct series *s)
{
	struct against a = { 0 };
	double *numbers = walk_numbers(p, walk, s, c->frames, c->asked);
	bool done = numbers && against_make(&a, s, c->frames);

	for (uint32_t k = 0; done && k < c->asked; k++) {
		struct correlation row = { .counter = walk->rows[k].counter, .thread = walk->rows[k].thread };
		const double *of = numbers + (uint64_t)k * 2 * c->frames;

		done = (only_grows(of, c->frames) || set_against(&a, of, false, &row)) &&
		       set_against(&a, of + c->frames, true, &row);
		if (row.with[CORRELATE_LENGTH].frames || row.with[CORRELATE_TIME].frames)
			c->rows[c->count++] = row;
	}
	free(a.room);
	free(numbers);
	return done;
}

/* How much of it is looked at. */
static void limit_work(struct correlations *c, uint32_t frames, uint32_t values, uint64_t work)
{
	c->frames = frames;
	c->asked = values;
	if (!work || (uint64_t)frames * values <= work)
		return;
	if (work / values < frames)
		c->frames = (uint32_t)(work / values);
	if (c->frames < FRAMES_LEAST)
		c->frames = frames < FRAMES_LEAST ? frames : FRAMES_LEAST;
	if (work / c->frames < values)
		c->asked = (uint32_t)(work / c->frames);
	c->left_out = values - c->asked;
}

bool correlations_make(struct correlations *c, const struct profile *p, const struct series *s, uint64_t work)
{
	struct counter_report *walk;
	bool done = true;

	*c = (struct correlations){ .frames = s->count };
	if (s->count < CORRELATE_FRAMES || !p->track_count)
		return true;
	walk = counters_walk(p);
	if (!walk)
		return false;
	if (walk->row_count) {
		limit_work(c, s->count, walk->row_count, work);
		walk->row_count = c->asked; /* the others need not be walked along */
		c->rows = array_zeroed(c->asked, sizeof(*c->rows));
		done = c->rows && correlate_all(c, p, walk, s);
	}
	counters_free(walk);
	if (!done)
		correlations_fini(c);
	return done;
}

void correlations_fini(struct correlations *c)
{
	free(c->rows);
	*c = (struct correlations){ 0 };
}

uint32_t correlations_strongest(const struct correlations *c, enum correlate_with with, uint32_t most,
				const struct correlation **out)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < c->count && most; i++) {
		const struct correlation *row = &c->rows[i];
		uint32_t at = count;

		if (!row->with[with].frames)
			continue;
		while (at && fabs(out[at - 1]->with[with].rho) < fabs(row->with[with].rho))
			at--;
		if (at == most)
			continue;
		count += count < most;
		memmove(out + at + 1, out + at, (count - 1 - at) * sizeof(*out));
		out[at] = row;
	}
	return count;
}

/* The causes */

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
