/* SPDX-License-Identifier: MIT */
#include "model/stats/frame_stats.h"

#include <math.h>

#include "model/base/search.h"

#define HANGS_MEDIANS 10 /* a frame that lasts as many of them already is worth a word, */
#define HANGS_PART 4     /* if it is a quarter of a second: nobody could read it sooner */

uint32_t frames_thread(const struct profile *p)
{
	uint32_t thread = profile_marking_thread(p);

	return thread != PROFILE_NONE && (p->threads[thread].marking || p->thread_count == 1) ? thread : PROFILE_NONE;
}

/* NULL: what it waits is not known. */
static const struct profile_held *part_of(const struct profile_frame *frame, uint32_t thread)
{
	const struct profile_held *part = thread != PROFILE_NONE ? profile_find_part(frame, thread) : NULL;

	return part && !(part->flags & PART_MERGED) && part->waiting >= 0 ? part : NULL;
}

bool frame_knows_waiting(const struct profile_frame *frame, uint32_t thread)
{
	return part_of(frame, thread);
}

int64_t frame_waiting(const struct profile_frame *frame, uint32_t thread)
{
	const struct profile_held *part = part_of(frame, thread);

	return !part ? 0 : part->waiting < frame->length ? part->waiting : frame->length;
}

void frame_mean_make(const struct profile *p, uint32_t first, uint32_t n, struct frame_mean *out)
{
	uint32_t thread = frames_thread(p);
	double length = 0, busy = 0;

	*out = (struct frame_mean){ 0 };
	for (uint32_t i = first; i < p->frame_count && i - first < n; i++) {
		if (!frame_counts(&p->frames[i]))
			continue;
		length += (double)p->frames[i].length;
		out->count++;
		if (!frame_knows_waiting(&p->frames[i], thread))
			continue;
		busy += (double)(p->frames[i].length - frame_waiting(&p->frames[i], thread));
		out->known++;
	}
	if (!out->count)
		return;
	out->length = llround(length / out->count);
	out->busy = out->known ? llround(busy / out->known) : 0;
}

int64_t frames_longest(const struct profile *p, uint32_t first, uint32_t n)
{
	int64_t longest = 0;

	for (uint32_t i = first; i < p->frame_count && i - first < n; i++)
		if (p->frames[i].length > longest && !(p->frames[i].flags & FRAME_DISCARDED))
			longest = p->frames[i].length;
	return longest;
}

const struct profile_frame *frame_at(const struct profile *p, int64_t tick)
{
	uint32_t at = SEARCH(i, 0, p->frame_count, frame_end(&p->frames[i]) < tick);

	return at < p->frame_count && p->frames[at].start < tick ? &p->frames[at] : NULL;
}

/* Whether frame i ended where the one after it began, or only idled in between. */
static bool adjoins(const struct profile *p, uint32_t i)
{
	return p->frames[i].number + 1 == p->frames[i + 1].number &&
	       !(p->frames[i].flags & FRAME_KEPT);
}

/* Frames a second from mark to mark, over the newest second, or the newest frame alone when it is
 * longer. A mark is a mark: frames that the program discarded count, too. Where the program bounds its frames it may
 * stand still between them: then it is no more than one in the time since the newest. */
static double rate_of(const struct profile *p)
{
	uint32_t last = p->frame_count - 1, i = last, count;
	int64_t end = frame_end(&p->frames[last]), from = p->frames[last].start;
	double rate;

	while (i && adjoins(p, i - 1) && (i == last || end - from < (int64_t)p->ticks_per_s))
		from = frame_end(&p->frames[--i]);
	count = i < last ? last - i : 1;
	rate = end > from ? (double)count * (double)p->ticks_per_s / (double)(end - from) : 0;
	if (p->frames[last].flags & FRAME_BOUNDED && p->now_tick - end > (int64_t)p->ticks_per_s) {
		double still = (double)p->ticks_per_s / (double)(p->now_tick - end);

		rate = still < rate ? still : rate; /* in no frame, or in one that does not end */
	}
	return rate;
}

/* From this number on it is known what the marking thread did; `first` where it is known of none. One by one: behind
 * it there may be others that were overwritten, while the reader was stopped. */
static uint64_t known_from(const struct profile *p, uint64_t first)
{
	uint32_t marking = profile_marking_thread(p);

	for (uint32_t i = profile_frame_index(p, first); i < p->frame_count; i++)
		if (!frame_lacks(p, &p->frames[i], marking, PART_LAPPED | PART_KEPT))
			return p->frames[i].number;
	return first;
}

void frame_stats_make(const struct profile *p, const struct frame_order *order, int64_t budget,
		      struct frame_stats *out)
{
	const struct profile_frame *first, *last;

	*out = (struct frame_stats){ .count = p ? frame_order_count(order) : 0 };
	if (!out->count)
		return;
	out->median = frame_order_percentile(order, 500);
	out->p99 = frame_order_percentile(order, 990);
	out->max = frames_longest(p, 0, profile_kept_frames(p));
	if (out->max < frame_order_percentile(order, 1000))
		out->max = frame_order_percentile(order, 1000);
	out->over = budget > 0 ? frame_order_over(order, budget) : 0;
	out->rate = rate_of(p);
	first = profile_find_frame(p, known_from(p, frame_order_first(order)));
	last = profile_find_frame(p, frame_order_last(order));
	out->history = first && last ? frame_end(last) - first->start : 0;
}

int64_t frame_running(const struct profile *p)
{
	const struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;
	int64_t since;

	if (!newest || newest->flags & FRAME_GUESSED || (newest->flags & FRAME_BOUNDED && !p->frame_began))
		return 0;
	since = p->now_tick - (p->frame_began ? p->frame_began : frame_end(newest));
	return since > 0 ? since : 0;
}

int64_t frame_stats_hang(const struct profile *p, const struct frame_stats *s)
{
	int64_t since = s->count ? frame_running(p) : 0;

	if (since / HANGS_MEDIANS <= s->median || since < (int64_t)(p->ticks_per_s / HANGS_PART))
		return 0;
	return since;
}
