/* SPDX-License-Identifier: MIT */
/*
 * batch: from the options and a profile to the reports that they ask for.
 *
 * A number of frames means complete ones that follow one another: what was overwritten in part, or
 * kept as one of the worst, is none of them.
 */
#include "proftop/batch.h"

#include "model/base/pattern.h"
#include "model/report/columns.h"
#include "proftop/choose.h"
#include "proftop/output.h"

void batch_fini(struct batch *b)
{
	report_free(b->report);
	report_free(b->graph);
	batch_calls_fini(b);
	batch_threads_fini(b);
	batch_timeline_fini(b);
	counters_free(b->counters);
	why_free(b->comparison);
	query_free(b->query);
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

/* One frame, and what it is set against. */
static void cover_frame(struct batch *b, struct query_options *q)
{
	b->chosen_base = base_choose(b->p, BASE_USUAL, b->frame, 0);
	q->frame = b->frame;
	q->base = b->chosen_base.number;
	q->base_name = base_names[b->chosen_base.kind];
	q->average = AVERAGE_NOW;
	q->sums = true;
}

/* The number of frames that was asked for: all that are left then. */
static void cover_frames(struct batch *b, struct query_options *q)
{
	long count;

	profile_drop_frames(b->p, batch_last_frames(b->p, b->o->frames, &count));
	b->asked = (uint64_t)b->o->frames;
	if (b->o->average >= 0 && b->o->average != AVERAGE_RUN)
		return;
	q->first = 1;
	q->last = QUERY_NEWEST;
}

bool batch_cover(struct batch *b)
{
	const struct options *o = b->o;
	struct query_options q = { .threads = b->options.thread, .spread = o->spread, .sums = o->average < 0, .at_once = true,
				   .less_overhead = o->subtract };

	q.average = o->average < 0 ? AVERAGE_FAST : (enum average_slot)o->average;
	b->average = o->average < 0 ? AVERAGE_NOW : q.average;
	if (o->frames)
		cover_frames(b, &q);
	if (o->view == OPTION_VIEW_WHY && !b->frame)
		b->frame = worst_frame(b->p);
	if (b->frame)
		cover_frame(b, &q);
	else
		b->whole_run = !o->frames && (o->average < 0 || o->average == AVERAGE_RUN);
	b->query = query_new(b->p);
	if (!b->query || !query_look(b->query, &q))
		return false;
	query_frames(b->query, &b->first, &b->count);
	b->values = query_values(b->query);
	b->base = query_base(b->query);
	return b->values && (!q.base || b->base);
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
	error = query_report(b->query, &options, out, b->why, sizeof(b->why));
	if (!error)
		return EXIT_DONE;
	say("%s", b->why);
	return report_status(error);
}

/* Of a graph's focus. False: out of memory. */
static bool make_cause(struct batch *b, const struct report *graph)
{
	const struct report_section *section = &graph->sections[0];

	if (graph->section_count != 1 || b->options.thread == THREADS_EACH)
		return true;
	for (uint32_t i = 0; i < section->row_count; i++)
		if (section->rows[i].role == ROW_FOCUS) {
			b->cause = query_cause(b->query, section->rows[i].key);
			return b->cause;
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
	if (o->json || o->view == OPTION_VIEW_WHY)
		b->options.without |= 1u << COLUMN_HEAT;
	if (o->json || o->csv || o->view == OPTION_VIEW_WHY)
		b->options.without |= 1u << COLUMN_DELTA;
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

bool batch_filter_usable(const struct options *o)
{
	struct pattern pattern;
	char why[WHY_SIZE] = "";
	bool good = pattern_init(&pattern, o->filter, why, sizeof(why));

	if (good)
		pattern_fini(&pattern);
	else
		say("%s", why);
	return good;
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
	if (o->view == OPTION_VIEW_COUNTERS)
		return batch_counters_usable(o);
	if (o->view == OPTION_VIEW_THREADS)
		return true;
	if (o->view == OPTION_VIEW_TIMELINE)
		return batch_timeline_usable(o);
	if (o->view == REPORT_GRAPH && !o->zone && o->command == SUBCOMMAND_REPORT) {
		say("-v graph needs a zone: add -z ZONE");
		return false;
	}
	if (o->sort && !sort_key_fits(o->view, o->sort)) {
		say("-s: no column '%s' in the view %s. List all columns: proftop report -s help", o->sort,
		    report_view_names[o->view]);
		return false;
	}
	return batch_filter_usable(o);
}
