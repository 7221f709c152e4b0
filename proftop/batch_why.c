/* SPDX-License-Identifier: MIT */
/*
 * batch_why: what the view why is made of: a frame, the worst where none was named, against the median of those that
 * are held.
 */
#include "model/stats/base_frame.h"
#include "model/stats/overhead.h"
#include "proftop/batch.h"
#include "proftop/choose.h"

bool batch_why_usable(const struct options *o)
{
	if (o->unit != UNIT_PCT)
		return true;
	say("-u pct: a difference between frames is no part of one");
	return false;
}

int batch_make_why(struct batch *b)
{
	struct why_side base = { .p = b->p }, now = { b->p, b->values };

	if (!b->frame) {
		say_no_frames();
		return EXIT_FAILED;
	}
	b->base = base_frame(b->p, BASE_MEDIAN, b->frame, 0);
	if (!b->base) {
		say("there is no frame to set frame %llu against", (unsigned long long)b->frame);
		return EXIT_FAILED;
	}
	b->base_values = values_of_frames(b->p, profile_frame_index(b->p, b->base), 1);
	if (!b->base_values || (b->o->subtract && !overhead_subtract(b->base_values, b->p)))
		return say_no_memory();
	base.v = b->base_values;
	b->comparison = why_make(&base, &now, &(struct why_options){
		.threads = b->options.thread == REPORT_EACH ? THREADS_ALL : b->options.thread,
		.by_zone = b->o->by == BY_ZONE, .spread = b->o->spread });
	return b->comparison ? EXIT_DONE : say_no_memory();
}
