/* SPDX-License-Identifier: MIT */
#include "model/stats/frame_stats.h"

#include <stdio.h>

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

int64_t frame_waiting_of_busiest(const struct profile_frame *frame)
{
	double least = (double)frame->length, length = least;

	for (uint32_t i = 0; i < frame->part_count; i++) {
		const struct profile_held *part = &frame->parts[i];
		double waits = part->waiting > 0 ? (double)part->waiting : 0;

		if (part->flags & PART_MERGED)
			waits = part->end > part->bound ? waits * length / (double)(part->end - part->bound) : 0;
		least = waits < least ? waits : least;
	}
	return frame->part_count ? (int64_t)least : 0;
}

void frame_mean_make(const struct profile *p, const struct values *v, struct frame_mean *out)
{
	uint32_t thread = frames_thread(p);
	bool bounded = p->frame_count && p->frames[p->frame_count - 1].flags & FRAME_BOUNDED;
	int64_t waiting;

	*out = (struct frame_mean){ 0 };
	if (!v->average || !v->frames || v->scale <= 0)
		return;
	out->rate = values_frame_rate(v, p);
	out->length = v->last_frame || !bounded ? v->wall / v->scale : 0;
	out->covers = v->elapsed > 0 ? (double)v->wall / (double)v->elapsed : 0;
	waiting = thread != PROFILE_NONE ? values_waiting(v, p, thread) : 0;
	out->waits = waiting > 0 && waiting <= v->wall;
	out->busy = (v->wall - waiting) / v->scale;
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

const char *no_frames_why(const struct profile *p, char *out, size_t size)
{
	unsigned long long ended = p->frames_ended;

	if (p->left_out_frames)
		snprintf(out, size, "%llu ended, and --only-slow left them out of the recording", ended);
	else if (ended)
		snprintf(out, size, "%llu ended, and proftop holds none of them", ended);
	else
		snprintf(out, size, "%s", NO_FRAMES_UNMARKED);
	return out;
}

static bool may_come(const struct profile *p)
{
	return !p || p->process.state == PROFILE_LIVE;
}

void no_frames_text(const struct profile *p, char out[NO_FRAMES_SIZE])
{
	char why[NO_FRAMES_SIZE - sizeof("no frames: ")];

	if (may_come(p))
		snprintf(out, NO_FRAMES_SIZE, "no frames yet");
	else
		snprintf(out, NO_FRAMES_SIZE, "no frames: %s", no_frames_why(p, why, sizeof(why)));
}

const char *no_frames_short(const struct profile *p)
{
	if (may_come(p))
		return "no frames yet";
	if (p->left_out_frames)
		return "all frames left out";
	return p->frames_ended ? "no frames held" : "no frames marked";
}
