/* SPDX-License-Identifier: MIT */
/*
 * frame_stats: the lengths of the frames that are held, in a few numbers.
 *
 * Percentiles are those of statistics.h, but nothing is sorted: a length is found by its rank, a
 * byte at a time from the highest, counting how many have which. So it takes the same time whatever
 * the lengths are, and no memory.
 */
#include "model/frame_stats.h"

int64_t frame_end(const struct profile_frame *frame)
{
	int64_t end;

	return __builtin_add_overflow(frame->start, frame->length, &end) ? INT64_MAX : end;
}

/* How many lengths that begin with `prefix` above the byte at `shift` have which value there. */
static void count_bytes(const struct profile *p, uint64_t prefix, unsigned shift,
			uint32_t counts[256])
{
	for (uint32_t i = 0; i < 256; i++)
		counts[i] = 0;
	for (uint32_t i = 0; i < p->frame_count; i++) {
		uint64_t rest = (uint64_t)p->frames[i].length >> shift;

		if (frame_counts(&p->frames[i]) && rest >> 8 == prefix)
			counts[rest & 255]++;
	}
}

/* The length of that rank, 1 for the least; `most` is the greatest of all. */
static int64_t length_of_rank(const struct profile *p, uint64_t rank, int64_t most)
{
	uint64_t found = 0;
	unsigned shift = 0;
	uint32_t counts[256];

	while (shift < 56 && most >> shift >> 8)
		shift += 8;
	for (;; shift -= 8) {
		uint32_t byte = 0;

		count_bytes(p, found, shift, counts);
		for (; byte < 255 && rank > counts[byte]; byte++)
			rank -= counts[byte];
		found = found << 8 | byte;
		if (!shift)
			return (int64_t)found;
	}
}

static int64_t nearest_rank(const struct profile *p, const struct frame_stats *s, unsigned percent)
{
	return length_of_rank(p, ((uint64_t)s->count * percent + 99) / 100, s->max);
}

/* Whether frame i ended where the one after it began, or only idled in between. */
static bool adjoins(const struct profile *p, uint32_t i)
{
	return p->frames[i].number + 1 == p->frames[i + 1].number &&
	       !(p->frames[i].flags & FRAME_KEPT);
}

/* Frames a second from mark to mark, over the newest second, or the newest frame alone when it is
 * longer. A mark is a mark: frames that the program discarded count, too. */
static double rate_of(const struct profile *p)
{
	uint32_t last = p->frame_count - 1, i = last, count;
	int64_t end = frame_end(&p->frames[last]), from = p->frames[last].start;

	while (i && adjoins(p, i - 1) && (i == last || end - from < (int64_t)p->ticks_per_s))
		from = frame_end(&p->frames[--i]);
	count = i < last ? last - i : 1;
	return end > from ? (double)count * (double)p->ticks_per_s / (double)(end - from) : 0;
}

static void add_frame(struct frame_stats *s, const struct profile_frame *f, int64_t budget)
{
	s->count++;
	s->over += budget > 0 && f->length > budget;
	if (f->length > s->max)
		s->max = f->length;
}

void frame_stats_make(const struct profile *p, int64_t budget, struct frame_stats *out)
{
	const struct profile_frame *first = NULL, *last = NULL;

	*out = (struct frame_stats){ 0 };
	for (uint32_t i = 0; p && i < p->frame_count; i++) {
		const struct profile_frame *f = &p->frames[i];

		if (!frame_counts(f))
			continue;
		first = first ? first : f;
		last = f;
		add_frame(out, f, budget);
	}
	if (!out->count)
		return;
	out->median = nearest_rank(p, out, 50);
	out->p99 = nearest_rank(p, out, 99);
	out->rate = rate_of(p);
	out->history = frame_end(last) - first->start;
}
