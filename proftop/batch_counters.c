/* SPDX-License-Identifier: MIT */
/*
 * batch_counters: the view of counters as a report: which of them, in which order, over which frames.
 */
#include "proftop/batch.h"
#include "proftop/choose.h"

bool batch_counters_usable(const struct options *o)
{
	if (o->sort && !sort_key_fits(o->view, o->sort)) {
		say("-s: no column '%s' in the view counters. List all columns: proftop report -s help", o->sort);
		return false;
	}
	return batch_filter_usable(o);
}

/* Of a thread its own values, and the sums that it adds to. */
static void choose_threads(struct counter_report *r, const struct profile *p, uint32_t selection)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < r->row_count; i++) {
		uint32_t thread = r->rows[i].thread;

		if (thread == PROFILE_NONE || profile_selects(p, selection, thread))
			r->rows[kept++] = r->rows[i];
	}
	r->row_count = kept;
}

/* The frames that are covered, and the discarded ones among them: a counter goes on in those. */
static void cover_frames(struct counter_options *o, const struct batch *b)
{
	const struct profile_frame *first = &b->p->frames[b->first], *last = first + b->count - 1;

	while (last > first && last->flags & FRAME_DISCARDED)
		last--;
	o->from = first->start;
	o->to = last->start + last->length;
	o->frames = last->number - first->number + 1;
}

int batch_make_counters(struct batch *b)
{
	const struct profile *p = b->p;
	struct counter_options o = { .from = 0, .to = -1, .filter = b->o->filter,
				     .frames = p->frames_ended };

	o.sort = b->o->sort ? counter_column(b->o->sort) : COUNTER_COLUMNS;
	if (!b->whole_run && b->count)
		cover_frames(&o, b);
	b->counters = counters_make(p, &o, b->why, sizeof(b->why));
	if (!b->counters) {
		say("%s", b->why);
		return EXIT_FAILED;
	}
	choose_threads(b->counters, p, b->options.thread);
	return EXIT_DONE;
}
