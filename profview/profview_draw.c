/* SPDX-License-Identifier: MIT */
/*
 * profview_draw: columns, rows, frames and losses as profview.h has them: what a program draws.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/title.h"
#include "model/base/text.h"
#include "model/query/tally.h"
#include "model/report/zone_table.h"
#include "profview/profview_inside.h"

#define INDENT_LEVEL 2 /* cells */

static_assert(COLUMNS <= Prof_view_VALUES, "a row has room for all values");
static_assert((int)Prof_view_ZONE == ROW_ZONE && (int)Prof_view_NO_ZONE == ROW_NO_ZONE &&
		      (int)Prof_view_CALLER == ROW_CALLER && (int)Prof_view_FOCUS == ROW_FOCUS &&
		      (int)Prof_view_CHILD == ROW_CHILD, "roles");

/* Columns: those of the report that are numbers. Heat is told of the row. */

static bool is_number(const struct report *r, enum column column)
{
	return r->columns >> column & 1 && typed_is_number(report_columns[column].kind) && column != COLUMN_HEAT;
}

static bool is_count(enum column column)
{
	return column == COLUMN_COUNT || column == COLUMN_DIRECT;
}

static enum Prof_view_kind kind_of(enum column column)
{
	switch (report_columns[column].kind) {
	case TYPED_TICKS:
		return column == COLUMN_MAX || column_is_per_frame(column) ? Prof_view_TICKS : Prof_view_TIME;
	case TYPED_MEAN_TICKS:
		return Prof_view_MEAN;
	case TYPED_RATIO:
		return Prof_view_RATIO;
	case TYPED_RATE:
		return Prof_view_RATE;
	default:
		return is_count(column) ? Prof_view_COUNT : Prof_view_NUMBER;
	}
}

static char *column_title(const Prof_view *v, enum column column)
{
	const char *title = report_columns[column].title;
	char *text = malloc(strlen(title) + 16);

	if (text)
		sprintf(text, "%s%s%s", title, column_is_time(column) ? " " : "",
			column_is_time(column) ? unit_title(v->report->units[column], v->ascii) : "");
	return text;
}

int Prof_view_column(Prof_view *v, unsigned index, struct Prof_view_column *out)
{
	enum column column = COLUMN_ZONE;

	if (!profview_report(v))
		return 0;
	for (;; column++) {
		if (column == COLUMNS)
			return 0;
		if (is_number(v->report, column) && !index--)
			break;
	}
	*out = (struct Prof_view_column){
		.key = report_columns[column].key, .help = report_columns[column].help,
		.kind = kind_of(column), .sorted = v->report->sort == column,
		.title = profview_name(v, column_title(v, column)),
	};
	return 1;
}

/* Rows */

/* Nanoseconds of times, else the number itself; also of amounts that are no times. */
static double number_of(const struct report *r, enum column column, double value)
{
	return column_is_time(column) && per_s_is_time(r->ticks_per_s) ? value * 1e9 / (double)r->ticks_per_s : value;
}

static void fill_value(const Prof_view *v, const struct report_row *row, enum column column, struct Prof_view_value *out)
{
	out->shown = row->shown >> column & 1;
	if (out->shown) {
		out->number = number_of(v->report, column, row->values[column].real);
		out->exact = column_is_real(column) ? 0 : row->values[column].exact;
	}
	report_text(v->report, row, column, v->ascii, out->text, sizeof(out->text));
}

static unsigned indent_of(const struct report_row *row)
{
	if (row->role == ROW_CALLER)
		return INDENT_LEVEL;
	if (row->role == ROW_CHILD)
		return 2 * INDENT_LEVEL;
	return row->level * INDENT_LEVEL;
}

static void fill_row(Prof_view *v, const struct report_row *row, struct Prof_view_row *out)
{
	const struct profile_zone *zone = &profview_profile(v)->zones[row->zone];
	bool hot = row->shown >> COLUMN_HEAT & 1;

	memset(out, 0, sizeof(*out));
	out->name = profview_name(v, name_shown(row->name, v->ascii));
	out->file = zone->file;
	out->line = zone->line;
	out->id = row->id;
	out->role = (enum Prof_view_role)row->role;
	out->indent = indent_of(row);
	out->mark = row->mark;
	out->waiting = row->waiting;
	out->heat = hot ? row->heat : 0;
	for (enum column column = 0; column < COLUMNS; column++)
		if (is_number(v->report, column))
			fill_value(v, row, column, &out->values[out->count++]);
}

unsigned Prof_view_rows(Prof_view *v)
{
	const struct report_section *section = profview_section(v);

	return section ? section->row_count : 0;
}

int Prof_view_row(Prof_view *v, unsigned index, struct Prof_view_row *out)
{
	if (index >= Prof_view_rows(v))
		return 0;
	fill_row(v, &v->report->sections[0].rows[index], out);
	out->highlight = index == v->at;
	return 1;
}

enum Prof_view_result Prof_view_info(Prof_view *v, struct Prof_view_info *out)
{
	const struct profile *p = profview_profile(v);
	const struct report_section *section = profview_section(v);

	memset(out, 0, sizeof(*out));
	if (!p)
		return profview_say(v, Prof_view_NOTHING, "nothing was read yet");
	out->ticks_per_s = (int64_t)p->ticks_per_s;
	out->frames_ended = p->frames_ended;
	out->pid = p->process.pid;
	out->live = v->source->profile->process.state == PROFILE_LIVE;
	out->lost = profile_loss_total(p);
	out->scale = 1;
	if (!section)
		return Prof_view_NOTHING;
	out->scale = v->report->scale;
	out->wall = query_values(profview_query(v)) ? query_values(profview_query(v))->wall : 0;
	out->time = section->time;
	out->frame = v->report->last_frame;
	out->frames = v->report->frames;
	out->incomplete = v->report->incomplete;
	return Prof_view_OK;
}

/* Frames */

/* The first of the newest `most`. */
static uint32_t first_of(const struct profile *p, unsigned most)
{
	return p->frame_count > most ? p->frame_count - most : 0;
}

unsigned Prof_view_frames(Prof_view *v, struct Prof_view_frame *out, unsigned most)
{
	const struct profile *p = profview_profile(v);
	uint32_t first = p ? first_of(p, most) : 0, count = p ? p->frame_count - first : 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct profile_frame *frame = &p->frames[first + i];

		out[i] = (struct Prof_view_frame){
			.number = frame->number, .begin = frame->start, .ticks = frame->length,
			.ns = (double)frame->length * 1e9 / (double)p->ticks_per_s,
			.flags = (frame->flags & FRAME_DISCARDED ? Prof_view_DISCARDED : 0) |
				 (frame->flags & FRAME_KEPT ? Prof_view_ALONE : 0) |
				 (frame->flags & FRAME_GUESSED ? Prof_view_GUESSED : 0) |
				 (v->paused && frame->number == v->chosen ? Prof_view_CHOSEN : 0),
		};
	}
	return count;
}

/* The key of a zone; NULL: that of the cursor. PROFILE_NONE: there is none. */
static uint32_t key_of(Prof_view *v, const char *zone)
{
	const struct report_section *section = profview_section(v);
	uint32_t key = PROFILE_NONE;

	if (!zone)
		return section && v->at < section->row_count ? section->rows[v->at].key : key;
	if (!profview_profile(v) ||
	    keys_parse(query_keys(profview_query(v)), profview_profile(v), zone, &key) != KEYS_FOUND)
		return PROFILE_NONE;
	return key;
}

static int64_t ticks_in(const struct tally *tally, uint32_t key, enum extent extent)
{
	for (uint32_t i = 0; i < tally->count; i++)
		if (tally->rows[i].key == key)
			return tally->rows[i].value[extent];
	return 0;
}

unsigned Prof_view_series(Prof_view *v, const char *zone, int hier, int64_t *out, unsigned most)
{
	uint32_t key = key_of(v, zone), first, count;
	const struct profile *p = profview_profile(v);
	struct tally tally = { .count = 0 };
	struct scope scope;

	if (key == PROFILE_NONE)
		return 0;
	scope = (struct scope){ .keys = query_keys(profview_query(v)), .threads = v->look.threads };
	if (!tally_init(&tally) || !tally_reserve(&tally, p, scope.keys)) {
		tally_fini(&tally);
		return 0;
	}
	first = first_of(p, most);
	count = p->frame_count - first;
	for (uint32_t i = 0; i < count; i++) {
		tally_frame(&tally, p, &scope, &p->frames[first + i]);
		out[i] = ticks_in(&tally, key, hier ? EXTENT_HIER : EXTENT_SELF);
	}
	tally_fini(&tally);
	return count;
}

int Prof_view_loss(Prof_view *v, unsigned index, struct Prof_view_loss *out)
{
	const struct profile *p = profview_profile(v);

	if (!p || index >= p->loss_count)
		return 0;
	*out = (struct Prof_view_loss){ p->losses[index].key, p->losses[index].sentence,
					p->losses[index].count };
	return 1;
}

/* The scope of a view in words: the fields above a text report, and losses. */

#define FIELD_A_LINE 1 /* cells of a line in which no two fields fit */

/* How far back the frame is that is shown. */
static void put_age(const Prof_view *v, FILE *out)
{
	const struct profile *p = v->paused;
	const struct profile_frame *frame = p ? profile_find_frame(p, v->chosen) : NULL, *newest;
	char length[32], age[32];

	if (!frame)
		return;
	newest = &p->frames[p->frame_count - 1];
	format_time(length, sizeof(length), frame->length, 1, p->ticks_per_s, UNIT_MS, -1, 0);
	format_fixed(age, sizeof(age), (double)(newest->start + newest->length - frame->start - frame->length) /
		     (double)p->ticks_per_s, 1);
	fprintf(out, "PAUSED frame %llu, -%llu (-%s s), %s ms\n", (unsigned long long)frame->number,
		(unsigned long long)(newest->number - frame->number + 1), age, length);
}

static bool put_fields(Prof_view *v, FILE *out)
{
	const struct profile *p = profview_profile(v);
	struct export_style style = { .width = FIELD_A_LINE, .ascii = v->ascii };
	struct export e = { .profile = p, .values = query_values(profview_query(v)), .report = v->report,
			    .count = p->frame_count, .whole_run = v->look.average == AVERAGE_RUN,
			    .average = v->look.average, .chosen = v->paused };

	if (!e.values)
		return false;
	put_age(v, out);
	export_titles(&e, &style, out);
	title_losses(p, NULL, &style, out);
	return !ferror(out);
}

/* Lines of causes of loss begin with a blank. They are not wanted, and neither is the end of the last line. */
static void cut_causes(char *text)
{
	char *causes = strstr(text, "\n ");
	size_t length = strlen(text);

	if (causes)
		*causes = '\0';
	else if (length && text[length - 1] == '\n')
		text[length - 1] = '\0';
}

static bool make_titles(Prof_view *v)
{
	size_t size;
	FILE *out;
	bool done;

	if (!profview_report(v))
		return false;
	out = open_memstream(&v->titles, &size);
	if (!out)
		return false;
	done = put_fields(v, out);
	if (fclose(out) == 0 && done) {
		cut_causes(v->titles);
		return true;
	}
	free(v->titles);
	v->titles = NULL;
	return false;
}

const char *Prof_view_title(Prof_view *v, unsigned index)
{
	const char *at;

	if (!v->titles && !make_titles(v))
		return NULL;
	for (at = v->titles + strspn(v->titles, "\n"); *at; at += strspn(at, "\n")) {
		size_t length = strcspn(at, "\n");

		if (!index--)
			return profview_name(v, strndup(at, length));
		at += length;
	}
	return NULL;
}

/* Counters of what is shown, and the events and notes of its frame, as profview.h has them. */

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
