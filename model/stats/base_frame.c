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

/* Calls */

static uint64_t cell_entries(const struct profile_held *part, uint32_t cell)
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
		calls = add_up(calls, cell_entries(part, i));
	return calls;
}

/* The frames to choose from */

struct candidate {
	uint64_t number;
	int64_t length;
	uint64_t calls; /* once the bases are `counted` */
};

#define REMEMBERED 1024 /* choices; a power of two */

struct choice {
	uint64_t frame; /* 0: none */
	enum base_kind kind; /* that was asked for */
	struct base_frame base;
};

struct bases {
	const struct profile *p;
	uint32_t marking;
	struct candidate *frames; /* ascending */
	uint32_t count;
	bool counted;
	uint64_t median; /* a frame's number; 0: there is none */
	uint64_t newest; /* frame that was held */
	struct choice choices[REMEMBERED]; /* by the frame's number */
};

/* NULL: the frame or the marking thread's part of it is not held. */
static const struct profile_held *part_of(const struct bases *b, uint64_t number)
{
	const struct profile_frame *frame = profile_find_frame(b->p, number);

	return frame ? profile_find_part(frame, b->marking) : NULL;
}

static void add_candidates(struct bases *b, uint32_t first, uint32_t count, bool known)
{
	for (uint32_t i = first; i - first < count && i < b->p->frame_count; i++) {
		const struct profile_frame *f = &b->p->frames[i];

		if (known ? frame_counts_for(b->p, f, b->marking) : frame_counts(f))
			b->frames[b->count++] = (struct candidate){ f->number, f->length, 0 };
	}
}

static uint64_t newest_of(const struct profile *p)
{
	return p->frame_count ? p->frames[p->frame_count - 1].number : 0;
}

/* `b` is zeroed. */
static bool bases_init(struct bases *b, const struct profile *p, uint32_t first, uint32_t count)
{
	b->p = p;
	b->marking = profile_marking_thread(p);
	b->newest = newest_of(p);
	b->frames = array_zeroed(p->frame_count, sizeof(*b->frames));
	if (!b->frames)
		return false;
	add_candidates(b, first, count, true);
	if (!b->count)
		add_candidates(b, first, count, false); /* nothing is known of any frame but its length */
	return true;
}

/* Returns the frame with the lower median length of n candidates, and of
 * several the newest. 0: there is none, or no memory. */
static uint64_t typical_of(const struct candidate *frames, uint32_t n)
{
	int64_t *lengths = n ? reallocarray(NULL, n, sizeof(*lengths)) : NULL, length;
	uint64_t number = 0;
	uint32_t random = 1;

	for (uint32_t i = 0; lengths && i < n; i++)
		lengths[i] = frames[i].length;
	if (!lengths)
		return 0;
	length = select_rank(lengths, n, (n - 1) / 2, &random);
	for (uint32_t i = 0; i < n; i++)
		if (frames[i].length == length)
			number = frames[i].number;
	free(lengths);
	return number;
}

/* Similar frames */

/* The calls of one frame, with which others are compared. */
struct similar {
	uint64_t frame;  /* its number */
	uint64_t *count; /* by node; NULL: no memory */
	uint64_t calls;
};

static bool similar_init(struct similar *s, const struct bases *b, uint64_t frame)
{
	const struct profile_held *part = part_of(b, frame);

	*s = (struct similar){ .frame = frame, .count = array_zeroed(b->p->node_count, sizeof(*s->count)) };
	for (uint32_t i = 0; s->count && part && i < part->cell_count; i++)
		s->count[profile_cell(part, i).node] += cell_entries(part, i);
	s->calls = calls_of(part);
	return s->count && part;
}

/* Once the calls are counted, most frames are passed over by their number alone: it differs by a factor of two at most.
 * Else this counts those of the candidate. */
static bool is_similar(const struct similar *s, const struct bases *b, struct candidate *c)
{
	uint64_t less = s->calls < c->calls ? s->calls : c->calls, more = s->calls < c->calls ? c->calls : s->calls;
	const struct profile_held *part;
	uint64_t common = 0, calls = 0;

	if (b->counted && more - less > less)
		return false;
	part = part_of(b, c->number);
	for (uint32_t i = 0; part && i < part->cell_count; i++) {
		uint64_t now = cell_entries(part, i), then = s->count[profile_cell(part, i).node];

		calls = add_up(calls, now);
		common = add_up(common, now < then ? now : then);
	}
	c->calls = calls;
	/* Σ max = Σ a + Σ b − Σ min */
	return part && c->number != s->frame && (double)common * 3 >= (double)s->calls + (double)calls;
}

/* Sets *found to how many there are. */
static uint64_t similar_frame(struct bases *b, uint64_t frame, uint32_t *found)
{
	struct candidate *those = array_zeroed(b->count, sizeof(*those));
	struct similar s;
	uint64_t number = 0;

	*found = 0;
	if (similar_init(&s, b, frame) && those) {
		for (uint32_t i = 0; i < b->count; i++)
			if (is_similar(&s, b, &b->frames[i]))
				those[(*found)++] = b->frames[i];
		b->counted = true;
		number = typical_of(those, *found);
	}
	free(s.count);
	free(those);
	return number;
}

static bool is_far_from(uint64_t a, uint64_t b)
{
	uint64_t less = a < b ? a : b, more = a < b ? b : a;

	return more / SIMILAR_FROM > less || (more / SIMILAR_FROM == less && more % SIMILAR_FROM);
}

static bool is_whole(const struct bases *b, uint64_t number)
{
	const struct profile_frame *frame = profile_find_frame(b->p, number);

	return frame && !frame_lacks(b->p, frame, b->marking, PART_INCOMPLETE);
}

/* Choosing */

struct bases *bases_new(const struct profile *p, uint32_t first, uint32_t count)
{
	struct bases *b = calloc(1, sizeof(*b));

	if (!b || !bases_init(b, p, first, count)) {
		free(b);
		return NULL;
	}
	b->median = typical_of(b->frames, b->count);
	return b;
}

void bases_free(struct bases *b)
{
	if (b)
		free(b->frames);
	free(b);
}

uint64_t bases_median(const struct bases *b)
{
	return b->median;
}

struct bases *bases_renew(struct bases *b, const struct profile *p, bool exact)
{
	uint64_t newer = b ? newest_of(p) - b->newest : 0;

	if (b && b->p == p && newer <= (exact ? 0 : p->frame_count / 8) && b->marking == profile_marking_thread(p) &&
	    profile_find_frame(p, b->median))
		return b;
	bases_free(b);
	return bases_new(p, 0, p->frame_count);
}

static struct base_frame choose_usual(struct bases *b, uint64_t frame)
{
	struct base_frame base = { .kind = BASE_MEDIAN, .number = b->median };
	uint64_t similar;
	uint32_t found;

	base.calls = calls_of(part_of(b, frame));
	base.median_calls = calls_of(part_of(b, base.number));
	if (!is_far_from(base.calls, base.median_calls) || !is_whole(b, frame) || !is_whole(b, base.number))
		return base;
	similar = similar_frame(b, frame, &found);
	if (found < SIMILAR_LEAST)
		return base;
	base.by_calls = true;
	base.kind = BASE_SIMILAR;
	base.number = similar;
	return base;
}

static uint64_t best_frame(const struct bases *b)
{
	const struct candidate *best = NULL;

	for (uint32_t i = 0; i < b->count; i++)
		if (!best || b->frames[i].length <= best->length)
			best = &b->frames[i];
	return best ? best->number : 0;
}

static uint64_t frame_before(const struct profile *p, uint64_t frame)
{
	for (uint32_t i = profile_frame_index(p, frame); i-- > 0;)
		if (frame_counts(&p->frames[i]))
			return p->frames[i].number;
	return 0;
}

static struct base_frame choose(struct bases *b, enum base_kind kind, uint64_t frame)
{
	struct base_frame base = { .kind = kind };
	uint32_t found;

	switch (kind) {
	case BASE_USUAL:
		return choose_usual(b, frame);
	case BASE_MEDIAN:
		base.number = b->median;
		break;
	case BASE_SIMILAR:
		base.number = similar_frame(b, frame, &found);
		break;
	case BASE_BEST:
		base.number = best_frame(b);
		break;
	case BASE_PREVIOUS:
		base.number = frame_before(b->p, frame);
		break;
	case BASE_AVERAGE:
	case BASE_FRAME:
	case BASES:
		break;
	}
	return base;
}

struct base_frame bases_search(struct bases *b, enum base_kind kind, uint64_t frame)
{
	struct choice *c = &b->choices[frame & (REMEMBERED - 1)];

	if (!frame || c->frame != frame || c->kind != kind || (c->base.number && !profile_find_frame(b->p, c->base.number)))
		*c = (struct choice){ frame, kind, choose(b, kind, frame) };
	return c->base;
}

struct base_frame base_choose(const struct profile *p, enum base_kind kind, uint64_t frame, uint64_t named)
{
	struct base_frame base = { .kind = kind == BASE_USUAL ? BASE_MEDIAN : kind };
	struct bases *b;

	if (kind == BASE_FRAME) {
		base.number = profile_find_frame(p, named) ? named : 0;
		return base;
	}
	b = bases_new(p, 0, p->frame_count);
	if (b)
		base = bases_search(b, kind, frame);
	bases_free(b);
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
