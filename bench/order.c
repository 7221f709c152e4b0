/* SPDX-License-Identifier: MIT */
/*
 * order: what it costs to know the median of all frames that are held, and the other percentiles, while frames come
 * and leave; against sorting them at each redraw.
 *
 * The floor of a line is the time that qsort takes for as many lengths.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/measure.h"
#include "model/stats/frame_order.h"
#include "model/stats/worst.h"

#define FRAMES 2000 /* that come and leave, a repetition */

struct held {
	struct profile *p;
	struct frame_order *order;
	uint64_t newest;
};

static void add(struct held *h)
{
	static uint64_t random = 88172645463325252u;

	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	h->newest++;
	profile_add_frame(h->p, h->newest, (int64_t)h->newest * 20000000, 16000000 + (int64_t)(random % 4000000), 0);
}

static bool begin(struct held *h, uint32_t frames)
{
	*h = (struct held){ profile_new(), frame_order_new(), 0 };
	if (!h->p || !h->order)
		return false;
	while (h->newest < frames)
		add(h);
	return frame_order_update(h->order, h->p);
}

static void end(struct held *h)
{
	frame_order_free(h->order);
	profile_free(h->p);
}

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double sort_ns(const struct profile *p)
{
	int64_t *lengths = malloc(p->frame_count * sizeof(*lengths));
	double from;

	for (uint32_t i = 0; lengths && i < p->frame_count; i++)
		lengths[i] = p->frames[i].length;
	from = measure_own_ns();
	if (lengths)
		qsort(lengths, p->frame_count, sizeof(*lengths), compare);
	MEASURE_KEEP();
	from = measure_own_ns() - from;
	free(lengths);
	return from;
}

/* A frame that comes, one that leaves, and all that the first line of the screen says of them. */
static double frame_ns(struct held *h, long frames)
{
	double from = measure_own_ns();
	uint64_t sum = 0;

	for (long i = 0; i < frames; i++) {
		add(h);
		profile_drop_frames(h->p, 1);
		frame_order_update(h->order, h->p);
		sum += (uint64_t)frame_order_percentile(h->order, 500) +
		       (uint64_t)frame_order_percentile(h->order, 990) +
		       frame_order_over(h->order, 18000000);
		MEASURE_KEEP();
	}
	return sum ? (measure_own_ns() - from) / (double)frames : 0;
}

static double copy_ns(const struct held *h)
{
	double from = measure_own_ns();

	frame_order_free(frame_order_copy(h->order));
	MEASURE_KEEP();
	return measure_own_ns() - from;
}

static double worst_ns(const struct held *h)
{
	double from = measure_own_ns();
	struct worst w = worst_beside(h->p, 0, UINT32_MAX, h->newest / 2, true, WORST_BUSY);

	MEASURE_KEEP();
	return w.frame ? measure_own_ns() - from : 0;
}

static void with(uint32_t frames)
{
	char names[3][64];
	struct line one = { .what = names[0], .unit = "ns", .target = TARGET_MOST, .bound = 10000 };
	struct line copied = { .what = names[1], .unit = "ns", .target = TARGET_MOST, .bound = 1e6 };
	struct line worst = { .what = names[2], .unit = "ns", .target = TARGET_MOST, .bound = 10e6 };
	struct held h;

	snprintf(names[0], sizeof(names[0]), "a frame more, of %u", frames);
	snprintf(names[1], sizeof(names[1]), "a copy, to pause, of %u", frames);
	snprintf(names[2], sizeof(names[2]), "the next longest, of %u", frames);
	if (!begin(&h, frames)) {
		line_skip("order", "out of memory");
		return;
	}
	for (int r = 0; r < measure_repeats(); r++) {
		line_add(&one, frame_ns(&h, measure_times(FRAMES)), sort_ns(h.p));
		line_add(&copied, copy_ns(&h), 0);
		line_add(&worst, worst_ns(&h), 0);
	}
	line_print(&one);
	line_print(&copied);
	line_print(&worst);
	end(&h);
}

int main(int argc, char **argv)
{
	measure_begin(argc, argv);
	line_heading("the order of frames by length, kept up; floor: sorting them all");
	with(200);
	with(2000);
	with(20000);
	return measure_end();
}
