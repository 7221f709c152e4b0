/* SPDX-License-Identifier: MIT */
/*
 * profview_values: counters of what is shown, and the events and notes of its frame, as profview.h has them.
 */
#include <stdio.h>

#include "profview/profview_inside.h"
#include "model/base/text.h"

/* The frame that is shown; live, the newest. NULL: there is none. */
static const struct profile_frame *frame_shown(const Prof_view *v, const struct profile *p)
{
	if (v->paused)
		return profile_find_frame(p, v->chosen);
	return p && p->frame_count ? &p->frames[p->frame_count - 1] : NULL;
}

/* Counters */

static bool make_counters(Prof_view *v)
{
	const struct profile *p = profview_profile(v);
	struct counter_options o = { .from = 0, .to = -1, .sort = COUNTER_COLUMNS };
	const struct profile_frame *frame;

	if (v->counters || !p)
		return v->counters;
	frame = v->paused ? frame_shown(v, p) : NULL;
	if (frame) {
		o.from = frame->start;
		o.to = frame->start + frame->length;
	}
	v->counters = counters_make(p, &o, v->why, sizeof(v->why));
	return v->counters;
}

static struct Prof_view_value value_of(const struct profile *p, const struct counter_row *row, enum counter_column column,
				       union profile_number n)
{
	bool real = p->counters[row->counter].real;
	struct Prof_view_value value = { .shown = counter_knows(&row->value, column) };

	if (value.shown) {
		value.number = real ? n.real : (double)n.whole;
		value.exact = real ? 0 : n.whole;
	}
	counter_text(p, row->counter, n, value.shown, value.text, sizeof(value.text));
	return value;
}

int Prof_view_counter(Prof_view *v, unsigned index, struct Prof_view_counter *out)
{
	const struct profile *p = profview_profile(v);
	const struct counter_row *row;

	if (!make_counters(v) || index >= v->counters->row_count)
		return 0;
	row = &v->counters->rows[index];
	*out = (struct Prof_view_counter){
		.name = profview_name(v, name_shown(row->name, v->ascii)), .id = row->id,
		.of_thread = row->thread != PROFILE_NONE, .real = p->counters[row->counter].real,
		.last = value_of(p, row, COUNTER_LAST, row->value.last),
		.min = value_of(p, row, COUNTER_LEAST, row->value.least),
		.max = value_of(p, row, COUNTER_MOST, row->value.most),
	};
	if (out->of_thread)
		out->thread = p->threads[row->thread].id;
	return 1;
}

/* Events and notes */

int Prof_view_instant(Prof_view *v, unsigned index, struct Prof_view_instant *out)
{
	const struct profile *p = profview_profile(v);
	const struct profile_frame *frame = p ? frame_shown(v, p) : NULL;
	const struct profile_instant *instant;
	uint32_t first;
	bool note;

	if (!frame || index >= profile_instants(p, frame->start, frame->start + frame->length, &first))
		return 0;
	instant = &p->instants[first + index];
	note = instant->event == PROFILE_NONE;
	*out = (struct Prof_view_instant){
		.text = profview_name(v, name_safe(note ? instant->text : p->events[instant->event], v->ascii)),
		.note = note, .cut = instant->cut, .thread = p->threads[instant->thread].id,
		.frame = frame->number, .ticks = instant->tick - frame->start,
		.ns = (double)(instant->tick - frame->start) * 1e9 / (double)p->ticks_per_s,
	};
	return 1;
}
