/* SPDX-License-Identifier: MIT */
#include "model/stats/base_frame.h"

#include <stdlib.h>

#include "model/base/select.h"

const char *const base_names[BASES] = {
	[BASE_MEDIAN] = "median",   [BASE_PREVIOUS] = "previous", [BASE_BEST] = "shortest",
	[BASE_AVERAGE] = "average", [BASE_FRAME] = "frame",
};

/* Which frames are compared with each other. */
struct among {
	const struct profile *p;
	uint32_t marking;
	bool known; /* those that count for the marking thread; else all that count */
};

static bool is_among(const struct among *a, const struct profile_frame *frame)
{
	return a->known ? frame_counts_for(a->p, frame, a->marking) : frame_counts(frame);
}

/* All of them, where nothing is known of any. */
static struct among among_of(const struct profile *p)
{
	struct among a = { p, profile_marking_thread(p), true };

	for (uint32_t i = p->frame_count; i-- > 0;)
		if (is_among(&a, &p->frames[i]))
			return a;
	a.known = false;
	return a;
}

/* The newest of them that has this length. */
static uint64_t newest_of_length(const struct profile *p, const struct among *a, int64_t length)
{
	for (uint32_t i = p->frame_count; i-- > 0;)
		if (p->frames[i].length == length && is_among(a, &p->frames[i]))
			return p->frames[i].number;
	return 0;
}

static uint64_t median_frame(const struct profile *p)
{
	int64_t *lengths = p->frame_count ? reallocarray(NULL, p->frame_count, sizeof(*lengths)) : NULL;
	struct among a = among_of(p);
	uint32_t n = 0, random = 1;
	uint64_t number = 0;

	if (!lengths)
		return 0;
	for (uint32_t i = 0; i < p->frame_count; i++)
		if (is_among(&a, &p->frames[i]))
			lengths[n++] = p->frames[i].length;
	if (n)
		number = newest_of_length(p, &a, select_rank(lengths, n, (n - 1) / 2, &random));
	free(lengths);
	return number;
}

static uint64_t best_frame(const struct profile *p)
{
	const struct profile_frame *best = NULL;
	struct among a = among_of(p);

	for (uint32_t i = 0; i < p->frame_count; i++)
		if (is_among(&a, &p->frames[i]) && (!best || p->frames[i].length <= best->length))
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

/* Some of what was done in it, and not its length alone. */
static bool is_known(const struct profile_frame *frame)
{
	for (uint32_t i = 0; i < frame->part_count; i++)
		if (frame->parts[i].cell_count || !(frame->parts[i].flags & (PART_MISSING | PART_LAPPED)))
			return true;
	return false;
}

static bool is_worse(const struct profile_frame *frame, const struct profile_frame *worst)
{
	bool known = is_known(frame);

	return known == is_known(worst) ? frame->length >= worst->length : known;
}

uint64_t worst_frame(const struct profile *p)
{
	const struct profile_frame *worst = NULL;

	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];

		if (!(frame->flags & FRAME_DISCARDED) && (!worst || is_worse(frame, worst)))
			worst = frame;
	}
	return worst ? worst->number : 0;
}
