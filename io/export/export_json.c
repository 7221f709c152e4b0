/* SPDX-License-Identifier: MIT */
#include "io/export/export.h"

#include "io/export/export_calls.h"
#include "io/export/export_timeline.h"
#include "io/export/export_values.h"
#include "io/export/export_why.h"
#include "io/json_members.h"
#include "io/json_table.h"
#include "model/report/zone_table.h"
#include "model/table/thread_table.h"

#define CAUSE_COUNTERS 100 /* of a list */

/* The call graph */

/* Of the focus: its recursive entries. */
static void put_recursive(struct json *j, const struct typed_table *t, uint32_t row)
{
	const struct report *g = zone_table_report(t);
	uint32_t i = 0;

	while (i + 1 < g->section_count && g->sections[i + 1].before <= row)
		i++;
	if (profile_has_calls(((const struct zone_table *)t)->p))
		json_scaled(j, "recursive", g->sections[i].recursive, g->scale);
	else
		json_null(j, "recursive");
}

static void put_side(struct json *j, const struct zone_table *t, const struct report_section *section, const char *key,
		     enum row_role role)
{
	json_array(j, key);
	for (uint32_t i = 0; i < section->row_count; i++)
		if (section->rows[i].role == role) {
			json_line(j);
			json_table_row(j, &t->table, section->before + i, NULL);
		}
	json_array_end(j);
}

/* null where the thread never entered the zone. */
static void put_focus(struct json *j, const struct zone_table *t, const struct report_section *section)
{
	for (uint32_t i = 0; i < section->row_count; i++)
		if (section->rows[i].role == ROW_FOCUS) {
			json_table_member(j, "focus", &t->table, section->before + i, put_recursive);
			return;
		}
	json_null(j, "focus");
}

static void put_graph_of(struct json *j, const struct export *e, const char *key,
			 const struct report_section *section)
{
	struct zone_table t;

	zone_table_init(&t, e->profile, e->graph);
	json_object(j, key);
	json_text(j, "zone", e->graph->focus);
	json_thread(j, e->profile, section->thread);
	json_integer(j, "depth", section->depth);
	put_side(j, &t, section, "callers", ROW_CALLER);
	json_line(j);
	put_focus(j, &t, section);
	json_line(j);
	put_side(j, &t, section, "children", ROW_CHILD);
	if (e->calls) {
		json_line(j);
		json_calls(j, e->profile, e->calls, (uint32_t)(section - e->graph->sections));
	}
	json_object_end(j);
	json_line(j);
}

/* One graph, or a list of them with one for each thread. */
static void put_graph(struct json *j, const struct export *e)
{
	const struct report *g = e->graph;

	if (!g->each) {
		put_graph_of(j, e, "graph", &g->sections[0]);
		return;
	}
	json_array(j, "graph");
	for (uint32_t i = 0; i < g->section_count; i++)
		put_graph_of(j, e, NULL, &g->sections[i]);
	json_array_end(j);
	json_line(j);
}

/* The causes of the heat of the focus: `varies` and `correlates`; nothing if the report has none */

static const char *const extent_names[EXTENTS] = { [EXTENT_SELF] = "self", [EXTENT_HIER] = "hier" };
static const char *const with_names[CORRELATE_WITHS] = { [CORRELATE_LENGTH] = "frame", [CORRELATE_TIME] = "self" };

static void put_shares(struct json *j, const struct profile *p, const struct variance *v, const char *key)
{
	double ns = 1e9 / (double)p->ticks_per_s;

	if (!v->known) {
		json_null(j, key);
		return;
	}
	json_object(j, key);
	json_real(j, "mean", v->mean);
	json_real(j, "mean_ns", v->mean * ns);
	json_real(j, "deviation", v->deviation);
	json_real(j, "deviation_ns", v->deviation * ns);
	json_real(j, "calls", v->calls);
	json_real(j, "cost", v->cost);
	json_real(j, "carried", v->carried);
	json_object_end(j);
}

static void put_counter(struct json *j, const struct profile *p, const struct correlation *c, enum correlate_with with)
{
	json_object(j, NULL);
	json_name(j, "counter", p->counters[c->counter].name);
	json_thread(j, p, c->thread);
	json_text(j, "of", c->with[with].of_change ? "change" : "value");
	json_real(j, "rho", c->with[with].rho);
	json_integer(j, "frames", c->with[with].frames);
	json_object_end(j);
}

static void put_cause(struct json *j, const struct export *e)
{
	const struct correlation *rows[CAUSE_COUNTERS];

	if (!e->cause)
		return;
	json_object(j, "varies");
	json_integer(j, "frames", e->cause->frames);
	for (int extent = 0; extent < EXTENTS; extent++)
		put_shares(j, e->profile, &e->cause->varies[extent], extent_names[extent]);
	json_object_end(j);
	json_line(j);
	json_object(j, "correlates");
	for (int with = 0; with < CORRELATE_WITHS; with++) {
		uint32_t count = correlations_strongest(&e->cause->correlations, with, CAUSE_COUNTERS, rows);

		json_array(j, with_names[with]);
		for (uint32_t i = 0; i < count; i++)
			put_counter(j, e->profile, rows[i], with);
		json_array_end(j);
	}
	json_object_end(j);
	json_line(j);
}

/* What the reports are made of */

static void put_node(struct json *j, const struct export *e, uint32_t node)
{
	const struct profile_node *n = &e->profile->nodes[node];

	json_line(j);
	json_object(j, NULL);
	json_integer(j, "id", node);
	if (n->parent == PROFILE_NONE)
		json_null(j, "parent");
	else
		json_integer(j, "parent", n->parent);
	json_zone(j, e->profile, n->zone, 1);
	json_thread(j, e->profile, n->thread);
	json_scaled(j, "self", e->values->self[node], e->values->scale);
	if (profile_has_calls(e->profile))
		json_scaled(j, "count", e->values->count[node], e->values->scale);
	else
		json_null(j, "count");
	json_object_end(j);
}

static void put_nodes(struct json *j, const struct export *e)
{
	json_array(j, "nodes");
	for (uint32_t i = 0; i < e->values->node_count; i++)
		put_node(j, e, i);
	json_array_end(j);
	json_line(j);
}

/* To where its totals go, and whether they could be read. */
static void put_reading(struct json *j, const struct profile *p, const struct profile_thread *t)
{
	static const char *const why[] = { [THREAD_MOVING] = "moving", [THREAD_DAMAGED] = "damaged" };

	json_integer(j, "until", t->state == THREAD_AGGREGATE ? profile_run_tick(p) : t->first_tick + t->time);
	if (t->unread)
		json_text(j, "unread", why[t->unread]);
}

/* Its time, or its amount of the measure. */
static void put_time(struct json *j, const struct export *e, uint32_t thread)
{
	const struct values *v = e->values;
	enum measure_known known = values_known(v, e->profile, thread);

	json_amount(j, e->profile, v->measure, v->measure == MEASURE_SELF ? "time" : "amount", known != MEASURE_UNKNOWN,
		    v->time[thread], v->scale);
	if (known == MEASURE_LEAST)
		json_bool(j, "lower_bound", true);
}

static void put_threads(struct json *j, const struct export *e)
{
	json_array(j, "threads");
	for (uint32_t i = 0; i < e->values->thread_count; i++) {
		const struct profile_thread *t = &e->profile->threads[i];

		json_line(j);
		json_object(j, NULL);
		json_unsigned(j, "id", t->id);
		json_integer(j, "tid", t->tid);
		json_name(j, "name", t->name);
		put_time(j, e, i);
		json_text(j, "state", thread_state_names[t->state]);
		json_bool(j, "marking", t->marking);
		json_integer(j, "incomplete", e->values->missing[i]);
		if (e->whole_run)
			put_reading(j, e->profile, t);
		json_object_end(j);
	}
	json_array_end(j);
	json_line(j);
}

static uint32_t parts_incomplete(const struct profile_frame *frame)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < frame->part_count; i++)
		count += (frame->parts[i].flags & PART_INCOMPLETE) != 0;
	return count;
}

static void put_frame(struct json *j, const struct profile *p, struct frame_values *values, const struct profile_frame *frame)
{
	json_line(j);
	json_object(j, NULL);
	json_integer(j, "number", (int64_t)frame->number);
	json_integer(j, "start", frame->start);
	json_integer(j, "length", frame->length);
	json_frame_name(j, p, frame);
	json_frame_flags(j, frame->flags);
	json_integer(j, "parts", frame->part_count);
	json_integer(j, "incomplete", parts_incomplete(frame));
	json_frame_values(j, values, frame);
	json_object_end(j);
}

static void put_frames(struct json *j, const struct export *e, struct frame_values *values)
{
	json_array(j, "frames");
	for (uint32_t i = 0; i < e->count; i++) {
		const struct profile_frame *frame = &e->profile->frames[e->first + i];

		if (!e->asked || !(frame->flags & FRAME_DISCARDED)) /* of the last N, what is covered */
			put_frame(j, e->profile, values, frame);
	}
	json_array_end(j);
	json_line(j);
}

/* From the first frame that is covered on. */
static void put_outside(struct json *j, const struct export *e)
{
	json_outside(j, e->profile, export_outside_from(e), e->to ? e->to : INT64_MAX, e->no_events);
	json_line(j);
}

static void put_lost(struct json *j, const struct export *e)
{
	json_losses(j, e->profile);
	json_integer(j, "unseen_frames", (int64_t)e->profile->unseen_frames);
	json_integer(j, "left_out_frames", (int64_t)e->profile->left_out_frames);
	json_line(j);
	json_name(j, "left_open", e->profile->left_open);
}

/* What is covered */

static void put_covered(struct json *j, const struct export *e)
{
	const struct values *v = e->values;

	json_object(j, "covered");
	json_bool(j, "whole_run", e->whole_run);
	json_integer(j, "frames", (int64_t)v->frames);
	if (e->asked)
		json_integer(j, "frames_asked", (int64_t)e->asked);
	if (v->first_frame)
		json_integer(j, "first_frame", (int64_t)v->first_frame);
	if (v->last_frame)
		json_integer(j, "last_frame", (int64_t)v->last_frame);
	json_ticks(j, e->profile, "wall", v->wall, v->scale);
	json_ticks(j, e->profile, "elapsed", v->elapsed, v->scale);
	json_real(j, "frames_per_s", values_frame_rate(v, e->profile));
	json_integer(j, "incomplete", v->incomplete);
	json_object_end(j);
	json_line(j);
}

static void put_view(struct json *j, const struct export *e)
{
	if (!e->report) {
		json_text(j, "view", e->table ? e->table->type->name : "timeline");
		json_line(j);
		return;
	}
	json_text(j, "view", e->why ? "why" : e->table ? e->table->type->name : report_view_names[e->graph ? REPORT_GRAPH : e->report->view]);
	json_measure(j, e->profile, e->values->measure);
	json_text(j, "recursion", e->report->spread ? "spread" : "merged");
	if (e->values->average)
		json_text(j, "average", average_names[e->average]);
	if (e->values->less_overhead)
		json_bool(j, "overhead_subtracted", true);
	json_line(j);
}

bool export_json(const struct export *e, FILE *out)
{
	struct frame_values *values = frame_values_new(e->profile, e->no_events);
	struct zone_table zones;
	struct json *j = values ? json_begin(out) : NULL;

	if (!j) {
		frame_values_free(values);
		return false;
	}
	frame_values_within(values, e->from, e->to);
	json_object(j, NULL);
	json_process(j, e->profile);
	json_line(j);
	put_view(j, e);
	put_covered(j, e);
	if (e->table)
		json_table(j, e->table, NULL);
	else if (e->timeline)
		json_timeline(j, e);
	else {
		zone_table_init(&zones, e->profile, e->report);
		json_table(j, &zones.table, NULL);
	}
	if (e->graph)
		put_graph(j, e);
	put_cause(j, e);
	if (e->why)
		json_why(j, e->why);
	if (e->report || e->timeline)
		put_nodes(j, e);
	put_threads(j, e);
	put_frames(j, e, values);
	put_outside(j, e);
	put_lost(j, e);
	frame_values_free(values);
	json_object_end(j);
	return json_end(j);
}
