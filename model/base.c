/* SPDX-License-Identifier: MIT */
#include "model/base.h"

#include <stdlib.h>

#include "model/select.h"

const char *const base_names[BASES] = {
	[BASE_MEDIAN] = "median",   [BASE_PREVIOUS] = "previous", [BASE_BEST] = "best",
	[BASE_AVERAGE] = "average", [BASE_FRAME] = "frame",
};

/* The newest frame that counts and has this length. */
static uint64_t newest_of_length(const struct profile *p, int64_t length)
{
	for (uint32_t i = p->frame_count; i-- > 0;)
		if (frame_counts(&p->frames[i]) && p->frames[i].length == length)
			return p->frames[i].number;
	return 0;
}

static uint64_t median_frame(const struct profile *p)
{
	int64_t *lengths = p->frame_count ? reallocarray(NULL, p->frame_count, sizeof(*lengths)) : NULL;
	uint32_t n = 0, random = 1;
	uint64_t number = 0;

	if (!lengths)
		return 0;
	for (uint32_t i = 0; i < p->frame_count; i++)
		if (frame_counts(&p->frames[i]))
			lengths[n++] = p->frames[i].length;
	if (n)
		number = newest_of_length(p, select_rank(lengths, n, (n - 1) / 2, &random));
	free(lengths);
	return number;
}

static uint64_t best_frame(const struct profile *p)
{
	const struct profile_frame *best = NULL;

	for (uint32_t i = 0; i < p->frame_count; i++)
		if (frame_counts(&p->frames[i]) && (!best || p->frames[i].length <= best->length))
			best = &p->frames[i];
	return best ? best->number : 0;
}

static uint64_t frame_before(const struct profile *p, uint64_t frame)
{
	for (uint32_t i = profile_frame_index(p, frame); i-- > 0;)
		if (frame_counts(&p->frames[i]))
			return p->frames[i].number;
	return 0;
}

uint64_t base_frame(const struct profile *p, enum base_kind kind, uint64_t frame, uint64_t named)
{
	switch (kind) {
	case BASE_MEDIAN:
		return median_frame(p);
	case BASE_PREVIOUS:
		return frame_before(p, frame);
	case BASE_BEST:
		return best_frame(p);
	case BASE_FRAME:
		return profile_find_frame(p, named) ? named : 0;
	case BASE_AVERAGE:
	case BASES:
		break;
	}
	return 0;
}
