/* SPDX-License-Identifier: MIT */
/*
 * batch: from the options and a profile to the reports that they ask for.
 *
 * A number of frames means complete ones that follow one another: what was overwritten in part, or
 * kept as one of the worst, is none of them.
 */
#include "proftop/batch.h"

#include "model/query/overhead.h"
#include "model/report/columns.h"
#include "model/stats/base_frame.h"
#include "model/stats/medians.h"
#include "proftop/choose.h"
#include "proftop/output.h"

void batch_fini(struct batch *b)
{
	report_free(b->report);
	report_free(b->graph);
	cause_fini(&b->cause);
	batch_calls_fini(b);
	batch_threads_fini(b);
	batch_timeline_fini(b);
	counters_free(b->counters);
	heat_free(b->heat);
	keys_free(b->keys);
	values_free(b->values);
	averages_free(b->averages);
	values_free(b->base_values);
	why_free(b->comparison);
}

/* Whether all that was published of the frame is still known. */
static bool is_complete(const struct profile_frame *frame)
{
	for (uint32_t i = 0; i < frame->part_count; i++)
		if (frame->parts[i].flags & (PART_LAPPED | PART_KEPT))
			return false;
	return frame->part_count && !(frame->flags & FRAME_KEPT);
}

uint32_t batch_last_frames(const struct profile *p, long n, long *count)
{
	uint32_t first = p->frame_count, i = p->frame_count;

	for (*count = 0; i && *count < n; i--) {
		const struct profile_frame *frame = &p->frames[i - 1];

		if (!is_complete(frame))
			break;
		if (frame->flags & FRAME_DISCARDED)
			continue;
		++*count;
		first = i - 1;
	}
	return first;
}

/* Sums over n frames, divided by n without rounding. */
static struct values *sums_as_average(struct values *v)
{
	if (v && v->frames) {
		v->scale = (int64_t)v->frames;
		v->average = true;
	}
	return v;
}

static struct values *average_values(struct batch *b)
{
	b->averages = averages_new();
	if (!b->averages || !averages_update(b->averages, b->p))
		return NULL;
	return values_average(b->averages, b->p, (enum average_slot)b->o->average);
}

/* One frame, and what it is set against. */
static bool cover_frame(struct batch *b)
{
	b->first = profile_frame_index(b->p, b->frame);
	b->count = 1;
	b->values = values_of_frames(b->p, b->first, 1);
	b->chosen_base = base_choose(b->p, BASE_USUAL, b->frame, 0);
	b->base = b->chosen_base.number;
	if (b->base)
		b->base_values = values_of_frames(b->p, profile_frame_index(b->p, b->base), 1);
	return b->values && (!b->base || b->base_values);
}

static bool cover_values(struct batch *b)
{
	const struct options *o = b->o;
	long count;

	if (o->frames) {
		profile_drop_frames(b->p, batch_last_frames(b->p, o->frames, &count));
		b->asked = (uint64_t)o->frames;
	}
	if (o->view == OPTION_VIEW_WHY && !b->frame)
		b->frame = worst_frame(b->p);
	if (b->frame)
		return cover_frame(b);
	b->count = b->p->frame_count;
	b->whole_run = !o->frames && (o->average < 0 || o->average == AVERAGE_RUN);
	if (o->average >= 0)
		b->average = (enum average_slot)o->average;
	if (!o->frames && o->average < 0)
		b->values = values_of_run(b->p);
	else if (o->average < 0)
		b->values = values_of_frames(b->p, 0, b->p->frame_count);
	else if (o->frames && o->average == AVERAGE_RUN)
		b->values = sums_as_average(values_of_frames(b->p, 0, b->p->frame_count));
	else
		b->values = average_values(b);
	return b->values;
}

bool batch_cover(struct batch *b)
{
	return cover_values(b) && (!b->o->subtract || (overhead_subtract(b->values, b->p) &&
						       (!b->base || overhead_subtract(b->base_values, b->p))));
}

static bool has_heat(const struct batch *b)
{
	return b->options.thread != THREADS_EACH && !b->o->json && b->p->frame_count &&
	       b->o->view != OPTION_VIEW_WHY;
}

/* Of one frame: how far it is from the medians of all that are held. */
static bool make_distance(struct batch *b)
{
	struct scope scope = { .keys = b->keys, .threads = b->options.thread };
	struct medians *medians = medians_new(b->p, &scope);
	enum medians_state state = medians ? MEDIANS_MORE : MEDIANS_NO_MEMORY;
	bool known;

	while (state == MEDIANS_MORE)
		state = medians_work(medians, b->p, b->p->frame_count);
	known = state == MEDIANS_DONE && heat_has_frame(b->p, &scope, &b->p->frames[b->first], medians);
	if (known)
		b->heat = heat_of_frame(b->p, &scope, &b->p->frames[b->first], medians);
	medians_free(medians);
	return b->heat || (state == MEDIANS_DONE && !known);
}

static bool make_heat(struct batch *b)
{
	enum average_slot slot = b->o->average < 0 ? AVERAGE_FAST : b->average;

	if (b->frame)
		return make_distance(b);
	b->heat = heat_new(b->keys, b->options.thread, slot);
	return b->heat && heat_update(b->heat, b->p);
}

static int report_status(enum report_error error)
{
	return error == REPORT_NO_MEMORY || error == REPORT_NO_SUCH_ZONE ? EXIT_FAILED : EXIT_USAGE;
}

static int make_report(struct batch *b, enum report_view view, struct report **out)
{
	struct report_options options = b->options;
	enum report_error error;

	options.view = view;
	if (options.sort < COLUMNS && !(report_columns[options.sort].views >> view & 1))
		options.sort = COLUMNS; /* of the graph, and this is the flat report beside it */
	error = report_make(b->p, b->values, &options, out, b->why, sizeof(b->why));
	if (!error)
		return EXIT_DONE;
	say("%s", b->why);
	return report_status(error);
}

/* Of a graph's focus, over all frames that are held. False: out of memory. */
static bool make_cause(struct batch *b, const struct report *graph)
{
	struct scope scope = { .keys = b->keys, .threads = b->options.thread };
	const struct report_section *section = &graph->sections[0];

	if (graph->section_count != 1 || b->options.thread == THREADS_EACH)
		return true;
	for (uint32_t i = 0; i < section->row_count; i++)
		if (section->rows[i].role == ROW_FOCUS) {
			b->has_cause = cause_make(&b->cause, b->p, &scope, section->rows[i].key, UINT32_MAX,
						  CAUSE_WORK_BATCH);
			return b->has_cause;
		}
	return true;
}

int batch_make_reports(struct batch *b)
{
	const struct options *o = b->o;
	bool graph_beside = o->view == REPORT_GRAPH && (o->json || o->csv);
	int status;

	if (o->view == OPTION_VIEW_COUNTERS)
		return batch_make_counters(b);
	if (o->view == OPTION_VIEW_THREADS)
		return batch_make_threads(b);
	if (o->view == OPTION_VIEW_TIMELINE)
		return batch_make_timeline(b);
	b->keys = keys_new(o->spread);
	if (!b->keys || !keys_update(b->keys, b->p) || (has_heat(b) && !make_heat(b)))
		return say_no_memory();
	b->options.keys = b->keys;
	b->options.heat = b->heat;
	if (!o->json && !o->csv && o->view != OPTION_VIEW_WHY) {
		b->options.base = b->base_values;
		b->options.base_name = base_names[b->chosen_base.kind];
	}
	b->options.per_frame = o->json || o->csv ||
			       columns_want_per_frame(b->options.sort, output_width());
	status = make_report(b, graph_beside ? REPORT_SELF : b->options.view, &b->report);
	if (!status && graph_beside)
		status = make_report(b, REPORT_GRAPH, &b->graph);
	if (!status && o->view == REPORT_GRAPH && !make_cause(b, b->graph ? b->graph : b->report))
		return say_no_memory();
	if (!status && o->view == OPTION_VIEW_WHY)
		status = batch_make_why(b);
	return status;
}

const struct typed_table *batch_table(const struct batch *b, struct batch_table *table)
{
	if (b->counters) {
		counter_table_init(&table->counters, b->p, b->counters);
		return &table->counters.table;
	}
	if (!b->threads || b->spans)
		return NULL;
	thread_table_init(&table->threads, b->p, &b->loads, b->threads, b->thread_count, b->open, b->count);
	return &table->threads.table;
}

struct report_options batch_options(const struct options *o)
{
	struct report_options r = REPORT_OPTIONS_DEFAULT;

	r.view = o->view < (int)REPORT_VIEWS ? (enum report_view)o->view
		 : o->view == OPTION_VIEW_FLAME ? REPORT_TREE : REPORT_SELF;
	r.spread = o->spread;
	r.bottom_up = o->bottom_up;
	r.by_size = o->waits == WAITS_BY_SIZE;
	r.zone = o->zone;
	r.sort = o->sort ? report_column(o->sort) : COLUMNS;
	r.filter = o->filter;
	r.unit = (enum unit)o->unit;
	if (o->csv && r.unit == UNIT_AUTO)
		r.unit = UNIT_NS;
	r.precision = (int)o->precision;
	return r;
}

bool batch_usable(const struct options *o)
{
	struct report_options options = batch_options(o);
	struct profile *nothing;
	struct values *values;
	struct report *report = NULL;
	char why[WHY_SIZE] = "";
	bool good;

	if (o->view == OPTION_VIEW_COUNTERS)
		return batch_counters_usable(o);
	if (o->view == OPTION_VIEW_THREADS)
		return true;
	if (o->view == OPTION_VIEW_TIMELINE)
		return batch_timeline_usable(o);
	if ((o->view == OPTION_VIEW_WHY || o->diff || o->freeze_ms > 0) && options_batch(o) && !batch_why_usable(o))
		return false;
	if (o->sort && !sort_key_fits(o->view, o->sort)) {
		say("-s: no column '%s' in the view %s. List all columns: -s help", o->sort,
		    report_view_names[o->view]);
		return false;
	}
	options.view = REPORT_SELF;
	nothing = profile_new();
	values = nothing ? values_of_run(nothing) : NULL;
	good = !values || report_make(nothing, values, &options, &report, why, sizeof(why)) !=
				  REPORT_BAD_FILTER;
	if (!good)
		say("%s", why);
	report_free(report);
	values_free(values);
	profile_free(nothing);
	return good;
}
