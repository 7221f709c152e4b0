/* SPDX-License-Identifier: MIT */
#include "model/heat.h"

#include <math.h>

#include "model/array.h"

/* Σ of weighted values and of their squares. As in average.c the decay of all is kept once:
 * a moment is sum·decay/weight. */
struct moments {
	double value;
	double square;
};

struct heat {
	const struct keys *keys;
	uint32_t thread;
	double seconds; /* T */
	double decay;
	double weight;
	uint64_t last; /* newest frame folded */
	struct moments *moments[MEASURES]; /* by key */
	uint32_t moment_capacity[MEASURES];
	uint32_t moment_count;
	int64_t *scratch; /* by node, all 0 */
	uint32_t scratch_capacity;
	uint32_t scratch_count;
	int64_t *values; /* by key */
	uint32_t value_capacity;
};

#define DECAY_LEAST 1e-100

struct heat *heat_new(const struct keys *k, uint32_t thread, enum average_slot slot)
{
	struct heat *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->keys = k;
	h->thread = thread;
	h->seconds = average_seconds(slot);
	h->decay = 1;
	return h;
}

void heat_free(struct heat *h)
{
	if (!h)
		return;
	for (int m = 0; m < MEASURES; m++)
		free(h->moments[m]);
	free(h->scratch);
	free(h->values);
	free(h);
}

static bool heat_room(struct heat *h)
{
	uint32_t keys = h->keys->count, nodes = h->keys->node_count;

	for (int m = 0; m < MEASURES; m++)
		if (!array_reserve(&h->moments[m], &h->moment_capacity[m], keys,
				   sizeof(*h->moments[m])))
			return false;
	if (!array_reserve(&h->values, &h->value_capacity, keys, sizeof(*h->values)) ||
	    !array_reserve(&h->scratch, &h->scratch_capacity, nodes, sizeof(*h->scratch)))
		return false;
	for (; h->moment_count < keys; h->moment_count++)
		for (int m = 0; m < MEASURES; m++)
			h->moments[m][h->moment_count] = (struct moments){ 0 };
	for (; h->scratch_count < nodes; h->scratch_count++)
		h->scratch[h->scratch_count] = 0;
	return true;
}

static void heat_decay(struct heat *h, double k)
{
	h->weight *= k;
	h->decay *= k;
	if (h->decay >= DECAY_LEAST)
		return;
	for (int m = 0; m < MEASURES; m++) {
		for (uint32_t i = 0; i < h->moment_count; i++) {
			h->moments[m][i].value *= h->decay;
			h->moments[m][i].square *= h->decay;
		}
	}
	h->decay = 1;
}

static void heat_frame(struct heat *h, const struct profile *p, const struct profile_frame *frame)
{
	double seconds = (double)frame->length / (double)p->ticks_per_s;
	double k = pow(0.1, seconds / h->seconds);
	double gain;

	heat_decay(h, k);
	h->weight += 1 - k;
	gain = (1 - k) / h->decay;
	for (enum measure m = 0; m < MEASURES; m++) {
		statistics_frame(p, h->keys, frame, h->thread, m, h->scratch, h->values);
		for (uint32_t i = 0; i < h->moment_count; i++) {
			double x = (double)h->values[i];

			h->moments[m][i].value += x * gain;
			h->moments[m][i].square += x * x * gain;
		}
	}
}

bool heat_update(struct heat *h, const struct profile *p)
{
	if (!heat_room(h))
		return false;
	for (uint32_t i = profile_frame_index(p, h->last + 1); i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];

		h->last = frame->number;
		if (frame->length > 0 && !(frame->flags & (FRAME_DISCARDED | FRAME_KEPT)))
			heat_frame(h, p, frame);
	}
	return true;
}

static double clamped(double heat)
{
	return heat < 0 ? 0 : heat > 1 ? 1 : heat;
}

static bool is_nothing(const struct profile *p, double ticks)
{
	return fabs(ticks) * 1e9 < (double)p->ticks_per_s;
}

double heat_from(const struct profile *p, double mean, double deviation)
{
	return is_nothing(p, mean) ? 0 : clamped(2 * deviation / fabs(mean));
}

double heat_against(const struct profile *p, double value, double median)
{
	if (is_nothing(p, median))
		return is_nothing(p, value) ? 0 : 1;
	return clamped(2 * fabs(value - median) / fabs(median));
}

double heat_of(const struct heat *h, const struct profile *p, uint32_t key, enum measure measure)
{
	double gain, mean, variance;

	if (key >= h->moment_count || h->weight <= 0 ||
	    p->zones[h->keys->keys[key].zone].flags & ZONE_WAITING)
		return 0;
	gain = h->decay / h->weight;
	mean = h->moments[measure][key].value * gain;
	variance = h->moments[measure][key].square * gain - mean * mean;
	return heat_from(p, mean, variance > 0 ? sqrt(variance) : 0);
}

const char *heat_mark(double heat)
{
	if (heat < 0.2)
		return ".";
	if (heat < 0.5)
		return "-";
	return heat < 0.8 ? "#" : "##";
}
