/* SPDX-License-Identifier: MIT */
/*
 * proftop_diff: the command diff: two regions, or frames of them, one against the other.
 *
 * Frames are what they were. A region stands for its whole run: for the average frame of it, or where one of the two has
 * no frames, for all of its time.
 */
#include <string.h>

#include "io/export/export_why.h"
#include "io/find.h"
#include "proftop/batch.h"
#include "proftop/choose.h"
#include "proftop/output.h"
#include "proftop/proftop.h"
#include "proftop/proftop_reading.h"

struct side {
	const char *text;
	struct source *source; /* that of the other one where it is the same region */
	int64_t asked;
	struct query *query;
	uint32_t measure;
	struct why_end end;
};

static int open_side(const struct options *o, struct side *side, const struct side *other)
{
	char name[FIND_SIZE], others[FIND_SIZE];
	struct reading r = { .source = NULL };
	int64_t frame;
	int status;

	if (other) {
		find_frame(side->text, name, sizeof(name), &frame);
		find_frame(other->text, others, sizeof(others), &frame);
		if (!strcmp(name, others)) {
			side->source = other->source;
			side->asked = find_frame(side->text, name, sizeof(name), &frame) ? frame : 0;
			return EXIT_DONE;
		}
	}
	if (!reading_open_frame(&r, o, side->text, 0, &side->asked, &status))
		return status;
	side->source = r.source;
	reading_look(&r);
	return reading_status(&r);
}

/* The values of a side: of its frame, or of the whole run, on average or in total. NULL: out of memory. */
static const struct values *values_of_side(struct side *side, bool average)
{
	const struct query_options o = { .threads = THREADS_ALL, .measure = side->measure, .frame = side->end.frame,
					 .average = side->end.frame ? AVERAGE_NOW : AVERAGE_RUN,
					 .sums = side->end.frame || !average };
	const struct values *v;

	side->query = query_new(side->source->profile);
	v = side->query && query_look(side->query, &o) ? query_values(side->query) : NULL;
	side->end.frames = v && !o.sums ? v->frames : 0;
	return v;
}

static bool has_frames(const struct side *side)
{
	return side->end.frame || profile_run_frames(side->source->profile);
}

static bool choose_frame(struct side *side)
{
	return !side->asked || which_frame(side->source->profile, side->asked, &side->end.frame);
}

static int print_diff(const struct options *o, const struct why_report *r)
{
	struct export_style style = output_style(o);

	return output_finish(o->json ? export_diff_json(r, stdout) : export_diff(r, &style, stdout));
}

static int compare_sides(const struct options *o, struct side *base, struct side *now)
{
	struct why_report r = { .unit = (enum unit)o->unit, .precision = (int)o->precision,
				.top = (uint32_t)o->top, .least = o->least };
	struct why_options options = { .by_zone = o->by == BY_ZONE, .spread = o->spread };
	struct why *why;
	uint32_t threads;
	bool average;
	int status;

	if (!measure_choose(base->source->profile, "--measure: ", o->measure, &base->measure) ||
	    !measure_choose(now->source->profile, "--measure: ", o->measure, &now->measure))
		return EXIT_USAGE;
	if (!choose_frame(base) || !choose_frame(now) || !threads_choose(now->source->profile, o->thread, &threads))
		return EXIT_FAILED;
	if (threads < now->source->profile->thread_count &&
	    !strcmp(now->source->profile->threads[threads].name, o->thread))
		threads = THREADS_NAMED(threads); /* in the base there may be more of the name */
	average = has_frames(base) && has_frames(now);
	r.base = (struct why_side){ base->source->profile, values_of_side(base, average) };
	r.now = (struct why_side){ now->source->profile, values_of_side(now, average) };
	if (!r.base.v || !r.now.v)
		return say_no_memory();
	options.threads = threads;
	why = why_make(&r.base, &r.now, &options);
	if (!why)
		return say_no_memory();
	r.why = why;
	r.base_end = base->end;
	r.now_end = now->end;
	status = print_diff(o, &r);
	for (int i = 0; !status && i < 2; i++)
		if (!(i ? now : base)->end.frame)
			status = batch_say_unread((i ? now : base)->source->profile, THREADS_ALL);
	why_free(why);
	return status;
}

int diff_report(const struct options *o)
{
	struct side base = { .text = o->targets[0] }, now = { .text = o->targets[1] };
	int status = open_side(o, &base, NULL);

	if (!status)
		status = open_side(o, &now, &base);
	if (!status)
		status = compare_sides(o, &base, &now);
	query_free(base.query);
	query_free(now.query);
	if (now.source != base.source)
		source_close(now.source);
	source_close(base.source);
	return status;
}
