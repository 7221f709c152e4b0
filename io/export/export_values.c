/* SPDX-License-Identifier: MIT */
#include "io/export/export_values.h"

#include <stdlib.h>
#include <string.h>

#include "io/json_table.h"
#include "io/json_members.h"
#include "model/base/array.h"
#include "model/table/event_table.h"

struct frame_values {
	const struct profile *p;
	struct counter_report *walk;
	struct counter_value *said; /* by row: what the document had of it */
	bool no_events;
	int64_t from, to; /* as in struct export */
};

struct frame_values *frame_values_new(const struct profile *p, bool no_events)
{
	struct frame_values *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->p = p;
	v->no_events = no_events;
	v->walk = counters_walk(p);
	if (v->walk)
		v->said = array_zeroed(v->walk->row_count, sizeof(*v->said));
	if (v->said)
		return v;
	frame_values_free(v);
	return NULL;
}

void frame_values_within(struct frame_values *v, int64_t from, int64_t to)
{
	v->from = from;
	v->to = to;
}

void frame_values_free(struct frame_values *v)
{
	if (v) {
		counters_free(v->walk);
		free(v->said);
	}
	free(v);
}

/* The value of a row. Rows keep their order, so it is nearly always at *place, or a little behind it. */
static struct counter_value said_of(const struct frame_values *v, uint64_t id, uint32_t *place)
{
	for (uint32_t i = 0; i < v->walk->row_count; i++) {
		uint32_t at = (uint32_t)(((uint64_t)*place + i) % v->walk->row_count);

		if (v->walk->rows[at].id != id)
			continue;
		*place = at + 1;
		return v->said[at];
	}
	return (struct counter_value){ 0 };
}

bool frame_values_renew(struct frame_values *v)
{
	struct frame_values *fresh = v->walk->row_count || v->p->track_count ?
				     frame_values_new(v->p, v->no_events) : v;
	uint32_t place = 0;

	if (!fresh || fresh == v)
		return fresh;
	for (uint32_t i = 0; i < fresh->walk->row_count; i++)
		fresh->said[i] = said_of(v, fresh->walk->rows[i].id, &place);
	counters_free(v->walk);
	free(v->said);
	*v = *fresh;
	free(fresh);
	return true;
}

/* Two counters may have one name and differ in their kind. */
static void put_counter(struct json *j, const struct profile *p, const struct counter_row *row)
{
	json_name(j, "name", p->counters[row->counter].name);
	json_thread(j, p, row->thread);
	json_text(j, "kind", p->counters[row->counter].real ? "real" : "integer");
}

static void put_value(struct json *j, const struct profile *p, const struct counter_row *row)
{
	bool real = p->counters[row->counter].real;

	json_number(j, "last", real, row->value.last);
	if (row->value.bounds_known) {
		json_number(j, "min", real, row->value.least);
		json_number(j, "max", real, row->value.most);
	} else {
		json_null(j, "min");
		json_null(j, "max");
	}
}

static void put_frame_counters(struct json *j, struct frame_values *v)
{
	json_array(j, "counters");
	for (uint32_t i = 0; i < v->walk->row_count; i++) {
		const struct counter_row *row = &v->walk->rows[i];
		const struct counter_value *value = &row->value, *said = &v->said[i];

		if (value->known ? !value->changed && said->known && said->last.whole == value->last.whole
				 : !said->known)
			continue;
		json_object(j, NULL);
		put_counter(j, v->p, row);
		if (value->known)
			put_value(j, v->p, row);
		else
			json_null(j, "last");
		if (value->known && !value->changed)
			json_bool(j, "kept", true);
		json_object_end(j);
		v->said[i] = *value;
	}
	json_array_end(j);
}

static void put_rows(struct json *j, const struct event_table *t, bool notes)
{
	json_array(j, notes ? "notes" : "events");
	for (uint32_t i = 0; i < t->table.count; i++)
		if (event_table_is_note(t, i) == notes)
			json_table_row(j, &t->table, i, NULL);
	json_array_end(j);
}

/* Times are since `origin`. */
static void put_happened(struct json *j, const struct profile *p, struct bursts *rows, int64_t origin, bool no_events)
{
	struct event_table t;

	event_table_init(&t, p, *rows);
	t.origin = origin;
	if (!no_events)
		put_rows(j, &t, false);
	put_rows(j, &t, true);
	free(rows->rows);
}

void json_outside(struct json *j, const struct profile *p, int64_t from, int64_t to, bool no_events)
{
	uint32_t first, count = 0, behind = profile_instants(p, from, to, &first);
	uint32_t *of = array_zeroed(behind, sizeof(*of));
	struct bursts rows = { NULL, 0 };

	behind += first;
	for (uint32_t i = profile_unframed_next(p, first); of && i < behind; i = profile_unframed_next(p, i + 1))
		of[count++] = i;
	if (!of || !bursts_of_seconds(&rows, p, of, count))
		json_fail(j);
	json_object(j, "outside");
	put_happened(j, p, &rows, p->first_tick, no_events);
	json_object_end(j);
	free(of);
}

void json_frame_values(struct json *j, struct frame_values *v, const struct profile_frame *frame)
{
	int64_t from = v->to && v->from > frame->start ? v->from : frame->start;
	int64_t to = v->to && v->to < frame_end(frame) ? v->to : frame_end(frame);
	uint32_t first, count = profile_instants(v->p, from, to, &first);
	struct bursts rows;

	counters_step(v->walk, frame);
	put_frame_counters(j, v);
	if (!bursts_of_frame(&rows, v->p, first, count, BURST))
		json_fail(j);
	put_happened(j, v->p, &rows, frame->start, v->no_events);
	if (instants_lack(v->p, frame))
		json_bool(j, "events_incomplete", true);
}
