/* SPDX-License-Identifier: MIT */
#include "model/stats/base_frame.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/order.h"

const char *const base_names[BASES] = {
	[BASE_USUAL] = "usual",     [BASE_MEDIAN] = "median", [BASE_SIMILAR] = "similar", [BASE_PREVIOUS] = "previous", [BASE_BEST] = "shortest",
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

/* Calls */

static uint64_t entries(const struct profile_held *part, uint32_t cell)
{
	int64_t count = profile_cell(part, cell).count;

	return count > 0 ? (uint64_t)count : 0;
}

static uint64_t add_up(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static uint64_t calls_of(const struct profile_held *part)
{
	uint64_t calls = 0;

	for (uint32_t i = 0; part && i < part->cell_count; i++)
		calls = add_up(calls, entries(part, i));
	return calls;
}

/* The calls of one frame, with which others are compared. */
struct similar {
	const struct among *among;
	uint64_t frame;  /* its number */
	uint64_t *count; /* by node; NULL: no memory */
	uint64_t calls;
};

static bool similar_init(struct similar *s, const struct among *a, uint64_t frame)
{
	const struct profile_frame *f = profile_find_frame(a->p, frame);
	const struct profile_held *part = f ? profile_find_part(f, a->marking) : NULL;

	*s = (struct similar){ .among = a, .frame = frame, .count = array_zeroed(a->p->node_count, sizeof(*s->count)) };
	for (uint32_t i = 0; s->count && part && i < part->cell_count; i++)
		s->count[profile_cell(part, i).node] += entries(part, i);
	s->calls = calls_of(part);
	return s->count && part;
}

static bool is_similar(const struct similar *s, const struct profile_frame *frame)
{
	const struct profile_held *part = profile_find_part(frame, s->among->marking);
	uint64_t common = 0;

	if (!part || frame->number == s->frame)
		return false;
	for (uint32_t i = 0; i < part->cell_count; i++) {
		uint64_t now = entries(part, i), then = s->count[profile_cell(part, i).node];

		common = add_up(common, now < then ? now : then);
	}
	return (double)common * 3 >= (double)s->calls + (double)calls_of(part); /* Σ max = Σ a + Σ b − Σ min */
}

/* Returns the frame with the lower median length, of those that may be chosen,
 * and of these only the similar ones if `similar` is given. Sets *found to how
 * many there are. */
static uint64_t typical_frame(const struct among *a, const struct similar *similar, uint32_t *found)
{
	const struct profile *p = a->p;
	int64_t *lengths = p->frame_count ? reallocarray(NULL, p->frame_count, sizeof(*lengths)) : NULL;
	bool *is_one = p->frame_count ? calloc(p->frame_count, sizeof(*is_one)) : NULL;
	uint32_t n = 0, random = 1;
	uint64_t number = 0;
	int64_t length;

	*found = 0;
	for (uint32_t i = 0; lengths && is_one && i < p->frame_count; i++) {
		is_one[i] = is_among(a, &p->frames[i]) && (!similar || is_similar(similar, &p->frames[i]));
		if (is_one[i])
			lengths[n++] = p->frames[i].length;
	}
	if (n) {
		length = select_rank(lengths, n, (n - 1) / 2, &random);
		for (uint32_t i = 0; i < p->frame_count; i++)
			if (is_one[i] && p->frames[i].length == length)
				number = p->frames[i].number; /* the newest */
	}
	*found = n;
	free(is_one);
	free(lengths);
	return number;
}

static uint64_t median_frame(const struct profile *p)
{
	struct among a = among_of(p);
	uint32_t found;

	return typical_frame(&a, NULL, &found);
}

static uint64_t similar_frame(const struct profile *p, uint64_t frame, uint32_t *found)
{
	struct among a = among_of(p);
	struct similar s;
	uint64_t number = 0;

	*found = 0;
	if (similar_init(&s, &a, frame))
		number = typical_frame(&a, &s, found);
	free(s.count);
	return number;
}

static uint64_t calls_in(const struct profile *p, uint64_t number)
{
	const struct profile_frame *frame = profile_find_frame(p, number);

	return frame ? calls_of(profile_find_part(frame, profile_marking_thread(p))) : 0;
}

static bool is_far_from(uint64_t a, uint64_t b)
{
	uint64_t less = a < b ? a : b, more = a < b ? b : a;

	return more / SIMILAR_FROM > less || (more / SIMILAR_FROM == less && more % SIMILAR_FROM);
}

static bool is_whole(const struct profile *p, uint64_t number)
{
	const struct profile_frame *frame = profile_find_frame(p, number);

	return frame && !frame_lacks(p, frame, profile_marking_thread(p), PART_INCOMPLETE);
}

static struct base_frame usual_frame(const struct profile *p, uint64_t frame)
{
	struct base_frame base = { .kind = BASE_MEDIAN, .number = median_frame(p) };
	uint64_t similar;
	uint32_t found;

	base.calls = calls_in(p, frame);
	base.median_calls = calls_in(p, base.number);
	if (!is_far_from(base.calls, base.median_calls) || !is_whole(p, frame) || !is_whole(p, base.number))
		return base;
	similar = similar_frame(p, frame, &found);
	if (found < SIMILAR_LEAST)
		return base;
	base.by_calls = true;
	base.kind = BASE_SIMILAR;
	base.number = similar;
	return base;
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

struct base_frame base_choose(const struct profile *p, enum base_kind kind, uint64_t frame, uint64_t named)
{
	struct base_frame base = { .kind = kind };
	uint32_t found;

	switch (kind) {
	case BASE_USUAL:
		return usual_frame(p, frame);
	case BASE_MEDIAN:
		base.number = median_frame(p);
		break;
	case BASE_SIMILAR:
		base.number = similar_frame(p, frame, &found);
		break;
	case BASE_PREVIOUS:
		base.number = frame_before(p, frame);
		break;
	case BASE_BEST:
		base.number = best_frame(p);
		break;
	case BASE_FRAME:
		base.number = profile_find_frame(p, named) ? named : 0;
		break;
	case BASE_AVERAGE:
	case BASES:
		break;
	}
	return base;
}

uint64_t base_frame(const struct profile *p, enum base_kind kind, uint64_t frame, uint64_t named)
{
	return base_choose(p, kind, frame, named).number;
}

void base_reason(const struct base_frame *base, char out[BASE_REASON])
{
	*out = '\0';
	if (base->by_calls)
		snprintf(out, BASE_REASON, "%llu call%s, the median frame has %llu", (unsigned long long)base->calls,
			 base->calls == 1 ? "" : "s", (unsigned long long)base->median_calls);
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
