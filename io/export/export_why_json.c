/* SPDX-License-Identifier: MIT */
#include "io/export/export_why.h"

#include "io/json_members.h"
#include "io/json_table.h"
#include "model/table/why_table.h"

#define LEVELS 1024 /* of a stack that are written */

struct writing {
	struct json *j;
	const struct why_report *r;
};

static void put_known(const struct writing *w, const char *name, bool known, int64_t ticks)
{
	json_amount(w->j, w->r->now.p, w->r->why->measure, name, known, ticks, w->r->why->scale);
}

static void put_frame(const struct writing *w, const char *key, const struct why_end *end)
{
	if (end->frame)
		json_integer(w->j, key, (int64_t)end->frame);
	else
		json_null(w->j, key);
}

static void put_place(struct json *j, const struct profile_zone *zone)
{
	json_object(j, NULL);
	json_name(j, "file", zone->file);
	json_integer(j, "line", zone->line);
	json_object_end(j);
}

/* The callers of the zone, from the root down, and where they are in the program; null by zone. */
static void put_callers(struct json *j, const struct typed_table *table, uint32_t line)
{
	const struct why_table *t = (const struct why_table *)table;
	const struct why_stack *callers[LEVELS], *all = t->w->stacks;
	uint32_t count = 0;

	if (t->w->by_zone) {
		json_null(j, "callers");
		json_null(j, "caller_places");
		return;
	}
	for (uint32_t i = all[why_table_row(t, line)->stack].parent;
	     i != PROFILE_NONE && all[i].parent != PROFILE_NONE && count < LEVELS; i = all[i].parent)
		callers[count++] = &all[i];
	json_array(j, "callers");
	for (uint32_t i = count; i-- > 0;)
		json_name(j, NULL, why_table_zone(t, callers[i])->name);
	json_array_end(j);
	json_array(j, "caller_places");
	for (uint32_t i = count; i-- > 0;)
		put_place(j, why_table_zone(t, callers[i]));
	json_array_end(j);
}

static void put_thread_id(const struct writing *w, const char *key, const struct profile *p, uint32_t thread)
{
	if (thread == PROFILE_NONE)
		json_null(w->j, key);
	else
		json_integer(w->j, key, (int64_t)p->threads[thread].id);
}

static void put_frame_delta(const struct writing *w)
{
	int64_t delta;

	if (why_frame_delta(w->r, &delta))
		put_known(w, "frame_delta", true, delta);
	else
		json_null(w->j, "frame_delta");
}

/* Which base was chosen, and why. */
static void put_base_kind(const struct writing *w, const struct why_end *end)
{
	char reason[BASE_REASON] = "";

	if (end->kind)
		json_text(w->j, "base_kind", end->kind);
	else
		json_null(w->j, "base_kind");
	if (end->chosen)
		base_reason(end->chosen, reason);
	if (*reason)
		json_text(w->j, "base_reason", reason);
	else
		json_null(w->j, "base_reason");
}

/* Null: it is not known how long the thread did not run. */
static void put_off_cpu(const struct writing *w, const char *key, const struct off_cpu *off)
{
	if (!off->known) {
		json_null(w->j, key);
		return;
	}
	json_object(w->j, key);
	json_integer(w->j, "ns", off->ns);
	if (off->counted) {
		json_integer(w->j, "involuntary", off->preempted);
		json_integer(w->j, "voluntary", off->blocked);
	} else {
		json_null(w->j, "involuntary");
		json_null(w->j, "voluntary");
	}
	if (off->delayed)
		json_integer(w->j, "run_delay_ns", off->delay);
	else
		json_null(w->j, "run_delay_ns");
	json_object_end(w->j);
}

static void put_thread(const struct writing *w, const struct why_thread *t)
{
	const struct profile *p = t->thread != PROFILE_NONE ? w->r->now.p : w->r->base.p;
	const struct profile_thread *thread = &p->threads[t->thread != PROFILE_NONE ? t->thread : t->base_thread];
	uint32_t shown = why_rows_shown(w->r, t);
	struct why_table rows;

	json_line(w->j);
	json_object(w->j, NULL);
	put_frame(w, "frame", &w->r->now_end);
	put_frame(w, "base", &w->r->base_end);
	put_base_kind(w, &w->r->base_end);
	put_thread_id(w, "thread", w->r->now.p, t->thread);
	put_thread_id(w, "base_thread", w->r->base.p, t->base_thread);
	json_name(w->j, "name", thread->name);
	json_bool(w->j, "marking", thread->marking);
	put_known(w, "time", t->known != MEASURE_UNKNOWN, t->time);
	put_known(w, "base_time", t->base_known != MEASURE_UNKNOWN, t->base_time);
	put_known(w, "delta", !t->least, t->delta);
	put_frame_delta(w);
	put_known(w, "sum", !t->least, t->sum);
	put_known(w, "waiting", !t->least, t->waiting);
	put_off_cpu(w, "off_cpu", &t->off);
	put_off_cpu(w, "base_off_cpu", &t->base_off);
	json_bool(w->j, "rounded", w->r->why->rounded);
	json_integer(w->j, "incomplete", w->r->why->incomplete);
	json_integer(w->j, "missing", t->missing);
	if (t->least)
		json_bool(w->j, "amounts_unknown", true);
	json_text(w->j, "by", w->r->why->by_zone ? "zone" : "stack");
	json_integer(w->j, "left_out", t->count - shown);
	why_table_init(&rows, w->r->why, w->r->base.p, w->r->now.p);
	rows.thread = (uint32_t)(t - w->r->why->threads);
	rows.table.count = shown;
	json_table(w->j, &rows.table, put_callers);
	json_object_end(w->j);
}

void json_why(struct json *j, const struct why_report *r)
{
	const struct writing w = { j, r };

	json_array(j, "why");
	for (uint32_t i = 0; i < r->why->thread_count; i++)
		put_thread(&w, &r->why->threads[i]);
	json_array_end(j);
	json_line(j);
}

/* The command diff */

static void put_covered(const struct writing *w, const struct why_side *side, const struct why_end *end)
{
	json_object(w->j, "covered");
	json_bool(w->j, "whole_run", !end->frame);
	put_frame(w, "frame", end);
	if (end->frames)
		json_integer(w->j, "average_of", (int64_t)end->frames);
	json_ticks(w->j, side->p, "wall", side->v->wall, side->v->scale);
	json_integer(w->j, "incomplete", side->v->incomplete);
	json_object_end(w->j);
	json_line(w->j);
	json_losses(w->j, side->p);
}

bool export_diff_json(const struct why_report *r, FILE *out)
{
	struct writing w = { json_begin(out), r };

	if (!w.j)
		return false;
	json_object(w.j, NULL);
	json_process(w.j, r->now.p);
	json_line(w.j);
	json_text(w.j, "view", "diff");
	json_measure(w.j, r->now.p, r->why->measure);
	put_covered(&w, &r->now, &r->now_end);
	json_line(w.j);
	json_object(w.j, "base");
	json_process(w.j, r->base.p);
	json_line(w.j);
	put_covered(&w, &r->base, &r->base_end);
	json_object_end(w.j);
	json_line(w.j);
	json_why(w.j, r);
	json_object_end(w.j);
	return json_end(w.j);
}
