/* SPDX-License-Identifier: MIT */
/*
 * batch: from the options and a profile to the reports that they ask for.
 */
#include "proftop/batch.h"

#include <math.h>

#include "model/base/array.h"
#include "model/base/pattern.h"
#include "model/report/columns.h"
#include "model/stats/frame_stats.h"
#include "model/stats/series.h"
#include "proftop/choose.h"
#include "proftop/options_table.h"
#include "proftop/output.h"
#include "proftop/proftop.h"
#include "proftop/source_text.h"

/* One frame, and what it is set against. */
static void cover_frame(struct batch *b, struct query_options *q)
{
	b->chosen_base = base_choose(b->p, BASE_USUAL, b->frame, 0);
	q->frame = b->frame;
	q->first = q->last = 0; /* -n chose the frames among which it is */
	q->base = b->chosen_base.number;
	q->base_name = base_names[b->chosen_base.kind];
	q->average = AVERAGE_NOW;
	q->sums = true;
}

/* Keeps only the newest complete frames, as many as were asked for. */
static void cover_frames(struct batch *b, struct query_options *q)
{
	uint32_t first;

	profile_newest_frames(b->p, (uint64_t)b->o->frames, true, &first);
	profile_drop_frames(b->p, first);
	b->asked = (uint64_t)b->o->frames;
	if (b->o->average >= 0 && b->o->average != AVERAGE_RUN)
		return;
	q->first = 1;
	q->last = QUERY_NEWEST;
}

bool batch_cover(struct batch *b)
{
	const struct options *o = b->o;
	struct query_options q = { .threads = b->options.thread, .measure = export_is_page(o) ? MEASURE_SELF : b->measure, .spread = o->spread, .sums = o->average < 0, .at_once = true,
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

/* Counters */

/* A selected thread has its own counters, and the sums that it adds to. */
static void choose_counters(struct counter_report *r, const struct profile *p, uint32_t selection)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < r->row_count; i++) {
		uint32_t thread = r->rows[i].thread;

		if (thread == PROFILE_NONE || profile_selects(p, selection, thread))
			r->rows[kept++] = r->rows[i];
	}
	r->row_count = kept;
}

static int make_counters(struct batch *b)
{
	const struct profile *p = b->p;
	uint32_t n = b->count;
	struct counter_options o = { .from = 0, .to = -1, .filter = b->o->filter,
				     .frames = p->frames_ended };

	o.sort = b->o->sort ? counter_column(b->o->sort) : COUNTER_COLUMNS;
	while (n > 1 && p->frames[b->first + n - 1].flags & FRAME_DISCARDED)
		n--; /* those between other frames stay: counters change in them */
	if (!b->whole_run && n)
		counters_cover(&o, p, b->first, n);
	b->counters = counters_make(p, &o, b->why, sizeof(b->why));
	if (!b->counters) {
		say("%s", b->why);
		return EXIT_FAILED;
	}
	choose_counters(b->counters, p, b->options.thread);
	return EXIT_DONE;
}

/* Events */

/* The ticks that are covered: (from, to]. */
static bool is_covered(const struct batch *b, int64_t tick)
{
	const struct profile_frame *first = b->count ? &b->p->frames[b->first] : NULL;

	return b->whole_run || (first && tick > first->start && tick <= frame_end(&first[b->count - 1]));
}

static bool is_wanted(const struct batch *b, const struct profile_instant *instant)
{
	bool is_chosen = instant->thread < b->p->thread_count ? profile_selects(b->p, b->options.thread, instant->thread)
							      : b->options.thread == THREADS_ALL;

	return is_chosen && is_covered(b, instant->tick) && (!b->o->no_events || instant->event == PROFILE_NONE);
}

static int make_events(struct batch *b)
{
	struct pattern pattern;
	uint32_t passing = 0, kept = 0, *of = NULL;
	bool made;

	if (!pattern_init(&pattern, b->o->filter ? b->o->filter : "", b->why, sizeof(b->why))) {
		say("%s", b->why);
		return EXIT_FAILED;
	}
	of = event_table_filter(b->p, &pattern, &passing);
	pattern_fini(&pattern);
	for (uint32_t i = 0; of && i < b->p->instant_count; i++)
		b->events_hidden += is_wanted(b, &b->p->instants[i]);
	for (uint32_t i = 0; of && i < passing; i++)
		if (is_wanted(b, &b->p->instants[of[i]]))
			of[kept++] = of[i];
	b->events_hidden -= kept;
	made = of && bursts_of_seconds(&b->events, b->p, of, kept);
	free(of);
	return made ? EXIT_DONE : say_no_memory();
}

/* The worst frames */

static int make_worst(struct batch *b)
{
	enum worst_order order = b->o->sort ? worst_order_named(b->o->sort) : WORST_LENGTH;
	int64_t budget = llround(b->o->budget_ms / 1000 * (double)b->p->ticks_per_s);
	const struct worst_table *t;
	char most[64] = "";

	b->bases = bases_new(b->p, 0, b->p->frame_count);
	if (b->bases)
		b->worst = worst_table_new(b->p, b->first, b->count, order, b->o->top ? (uint32_t)b->o->top : WORST_ROWS, budget, b->bases);
	t = b->worst;
	if (!t)
		return say_no_memory();
	if (!t->all) {
		no_frames_text(b->p, b->why);
		b->worst->table.nothing = b->why;
		return EXIT_DONE;
	}
	if (t->table.count < t->all)
		snprintf(most, sizeof(most), "the %s %u of ", worst_words[order], t->table.count);
	snprintf(b->why, sizeof(b->why), "%s%u %s", most, t->all, t->all == 1 ? "frame" : "frames");
	if (b->whole_run || *most)
		b->worst->table.covers = b->why;
	return EXIT_DONE;
}

/* Why: a frame, the longest one where none was named */

static int make_why(struct batch *b)
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

/* Functions */

static int make_functions(struct batch *b)
{
	const struct options *o = b->o;
	const struct function_table *t;

	b->functions = function_table_new(b->p, b->report, o->least_samples < 0 ? FUNCTION_LEAST_SAMPLES : o->least_samples,
					  o->least < 0 ? FUNCTION_LEAST_PERCENT : o->least);
	t = b->functions;
	if (!t)
		return say_no_memory();
	snprintf(b->why, sizeof(b->why), "%lld samples, %u of %u functions", (long long)t->samples, t->table.count,
		 t->table.count + t->others);
	b->functions->table.covers = b->why;
	if (!t->table.count)
		b->functions->table.nothing = "no function has enough samples. --min-samples and --min set the limits";
	return EXIT_DONE;
}

/* Reports of zones */

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

/* Lines of source */

/* The source is shown if any of it is on this machine. */
static void show_sources(struct batch *b)
{
	struct line_table *t = b->lines;

	if (b->o->json || b->o->csv || !(b->sources = source_texts_new()))
		return;
	for (uint32_t i = 0; i < t->table.count; i++)
		if (source_texts_line(b->sources, b->p, b->p->zones[t->rows[i].zone].file, t->rows[i].line)) {
			line_table_sources(t, source_texts_line, b->sources);
			return;
		}
}

static int make_lines(struct batch *b)
{
	const struct options *o = b->o;
	const struct keys *keys = query_keys(b->query);
	uint32_t key, zone = PROFILE_NO_ZONE;
	const struct line_table *t;

	if (o->zone && keys_parse(keys, b->p, o->zone, &key) != KEYS_FOUND)
		return make_report(b, REPORT_GRAPH, &b->graph); /* which says what is wrong with the name */
	if (o->zone)
		zone = keys->keys[key].zone;
	t = b->lines = line_table_new(b->p, b->values, b->options.thread, zone,
				      o->least_samples < 0 ? FUNCTION_LEAST_SAMPLES : o->least_samples,
				      o->least < 0 ? FUNCTION_LEAST_PERCENT : o->least);
	if (!t)
		return say_no_memory();
	show_sources(b);
	snprintf(b->why, sizeof(b->why), "%lld samples, %u of %u lines", (long long)t->samples, t->table.count,
		 t->table.count + t->others);
	b->lines->table.covers = b->why;
	if (!t->table.count)
		b->lines->table.nothing = "no line has enough samples. --min-samples and --min set the limits";
	return EXIT_DONE;
}

/* The causes of the heat of a call graph's focus. False: out of memory. */
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
		return make_counters(b);
	if (o->view == OPTION_VIEW_THREADS)
		return batch_make_threads(b);
	if (o->view == OPTION_VIEW_TIMELINE)
		return batch_make_timeline(b);
	if (o->view == OPTION_VIEW_EVENTS)
		return make_events(b);
	if (o->view == OPTION_VIEW_WORST)
		return make_worst(b);
	if (o->json || o->view == OPTION_VIEW_WHY)
		b->options.without |= 1u << COLUMN_HEAT;
	if (o->json || o->csv || o->view == OPTION_VIEW_WHY)
		b->options.without |= 1u << COLUMN_DELTA;
	b->options.per_frame = o->json || o->csv ||
			       columns_want_per_frame(b->options.sort, output_width());
	status = make_report(b, graph_beside ? REPORT_SELF : b->options.view, &b->report);
	if (!status && o->view == OPTION_VIEW_FUNCTIONS)
		return make_functions(b);
	if (!status && o->view == OPTION_VIEW_LINES)
		return make_lines(b);
	if (!status && graph_beside)
		status = make_report(b, REPORT_GRAPH, &b->graph);
	if (!status && o->view == REPORT_GRAPH && !make_cause(b, b->graph ? b->graph : b->report))
		return say_no_memory();
	if (!status && o->view == OPTION_VIEW_WHY)
		status = make_why(b);
	return status;
}

/* Single calls of the focus of a call graph */

static const struct report *graph_of(const struct batch *b)
{
	return b->graph ? b->graph : b->report;
}

static bool make_section(struct batch *b, struct calls_summary *s, uint32_t threads)
{
	struct scope scope = query_scope(b->query);
	struct series series;

	scope.threads = threads;
	scope.until = b->whole_run ? profile_run_tick(b->p) : 0;
	s->calls = calls_make(b->p, &scope, b->transitions, b->focus, b->first,
			      b->whole_run ? CALLS_ALL_FRAMES : b->count);
	if (!s->calls || (!b->frame && !series_make(&series, b->p, &scope, b->focus, b->count)))
		return false;
	if (b->frame)
		return true;
	if (profile_has_calls(b->p))
		s->a_frame = statistics_of(series.entries, series.count);
	series_fini(&series);
	return true;
}

int batch_make_calls(struct batch *b)
{
	const struct report *g = graph_of(b);

	if (keys_parse(query_keys(b->query), b->p, b->o->zone, &b->focus) != KEYS_FOUND)
		return EXIT_DONE; /* what stands against it was said with the graph */
	b->calls = array_zeroed(g->section_count, sizeof(*b->calls));
	if (!b->calls)
		return say_no_memory();
	for (; b->calls_count < g->section_count; b->calls_count++)
		if (!make_section(b, &b->calls[b->calls_count], g->sections[b->calls_count].thread)) {
			calls_free(b->calls[b->calls_count].calls);
			return say_no_memory();
		}
	return EXIT_DONE;
}

/* Tables */

const struct typed_table *batch_table(const struct batch *b, struct batch_table *table)
{
	if (b->counters) {
		counter_table_init(&table->counters, b->p, b->counters);
		return &table->counters.table;
	}
	if (b->events.rows) {
		event_table_init(&table->events, b->p, b->events);
		table->events.table.left_out = b->events_hidden;
		table->events.origin = b->p->first_tick;
		if (!b->events.row_count && !b->events_hidden)
			table->events.table.nothing = b->p->instant_count
				? "no events or notes in what is covered"
				: "no events or notes. The program can report them: Prof_Event, Prof_Note";
		return &table->events.table;
	}
	if (b->worst)
		return &b->worst->table;
	if (b->functions)
		return &b->functions->table;
	if (b->lines)
		return &b->lines->table;
	if (!b->threads || b->spans)
		return NULL;
	thread_table_init(&table->threads, b->p, &b->loads, b->threads, b->thread_count, b->open, b->count);
	thread_table_amounts(&table->threads, b->values);
	return &table->threads.table;
}

/* Options */

static bool is_filter_usable(const struct options *o)
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

static bool is_sort_usable(const struct options *o)
{
	if (!o->sort || sort_key_fits(o->view, o->sort))
		return true;
	say("-s: no column '%s' in the view %s. List all columns: proftop report -s help", o->sort,
	    option_report_views[o->view]);
	return false;
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
		return is_sort_usable(o) && is_filter_usable(o);
	if (o->view == OPTION_VIEW_WORST)
		return is_sort_usable(o);
	if (o->view == OPTION_VIEW_THREADS)
		return true;
	if (o->view == OPTION_VIEW_EVENTS)
		return is_filter_usable(o);
	if (o->view == OPTION_VIEW_TIMELINE)
		return batch_timeline_usable(o);
	if (o->view == REPORT_GRAPH && !o->zone && o->command == SUBCOMMAND_REPORT) {
		say("-v graph needs a zone: add -z ZONE");
		return false;
	}
	return is_sort_usable(o) && is_filter_usable(o);
}

void batch_fini(struct batch *b)
{
	report_free(b->report);
	report_free(b->graph);
	for (uint32_t i = 0; i < b->calls_count; i++)
		calls_free(b->calls[i].calls);
	free(b->calls);
	transitions_free(b->transitions);
	thread_loads_fini(&b->loads);
	free(b->threads);
	open_stacks_free(b->open);
	batch_timeline_fini(b);
	counters_free(b->counters);
	free(b->events.rows);
	if (b->worst)
		worst_table_type.free(&b->worst->table);
	if (b->functions)
		function_table_type.free(&b->functions->table);
	if (b->lines)
		line_table_type.free(&b->lines->table);
	source_texts_free(b->sources);
	bases_free(b->bases);
	why_free(b->comparison);
	query_free(b->query);
}
