/* SPDX-License-Identifier: MIT */
/*
 * batch_why: what the view why is made of: a frame, the worst where none was named, against the median of those that
 * are held.
 */
#include "proftop/batch.h"
#include "proftop/choose.h"

int batch_make_why(struct batch *b)
{
	if (!b->frame) {
		say_no_frames(b->p, "no frames");
		return EXIT_FAILED;
	}
	if (!b->chosen_base.number) {
		say("no frame to compare frame %llu with", (unsigned long long)b->frame);
		return EXIT_FAILED;
	}
	b->comparison = query_why(b->query, b->options.thread, b->o->by == BY_ZONE);
	return b->comparison ? EXIT_DONE : say_no_memory();
}
