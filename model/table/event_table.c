/* SPDX-License-Identifier: MIT */
#include "model/table/event_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"
#include "model/stats/frame_stats.h"

#define FINE_PART 100 /* of a frame: less than that has a unit of its own */
#define CLOCK_S 60    /* from here on a time is hours, minutes, seconds and milliseconds */
#define TIME_SIZE 64

static const struct table_column columns[EVENT_COLUMNS] = {
	[EVENT_FRAME] = { "FRAME", .key = "frame", .kind = TYPED_FRAME, .importance = 9, .least = 6,
			  .help = "The frame in which it happened. Enter goes there." },
	[EVENT_TIME] = { "TIME", .key = "time", .kind = TYPED_SPAN, .importance = 5, .least = 8,
			 .help = "Time since the frame began (+). Outside frames, time since the run began." },
	[EVENT_THREAD] = { "THREAD", .key = "thread", .kind = TYPED_WORDS, .importance = 7, .least = 6,
			   .help = "The thread that reported it." },
	[EVENT_SHOWN] = { "EVENT OR NOTE", .kind = TYPED_WORDS, .help = "A full diamond (*) is a note, a hollow one (+) an event." },
	[EVENT_KIND] = { "KIND", .key = "kind", .kind = TYPED_WORDS, .importance = SHEET_STAYS },
	[EVENT_NAME] = { .key = "name", .kind = TYPED_NAME },
	[EVENT_NOTE] = { .member = "text", .kind = TYPED_NAME },
	[EVENT_THREAD_ID] = { .member = "thread", .kind = TYPED_NUMBER },
	[EVENT_AT_TICK] = { .member = "tick", .kind = TYPED_COUNT },
	[EVENT_NS] = { .member = "ns", .kind = TYPED_NS },
	[EVENT_CUT] = { .member = "cut", .kind = TYPED_FLAG },
	[EVENT_COUNT] = { .key = "count", .kind = TYPED_NUMBER },
	[EVENT_LAST_NS] = { .member = "last_ns", .kind = TYPED_NS },
};

/* Texts */

/* Takes both texts, and gives the second behind the first. NULL: out of memory. */
static char *join_texts(char *text, char *more)
{
	char *both = NULL;

	if (text && more && asprintf(&both, "%s%s", text, more) < 0)
		both = NULL;
	free(text);
	free(more);
	return both;
}

char *event_text(const struct profile *p, const struct profile_instant *instant, bool ascii)
{
	char *safe;

	if (instant->event != PROFILE_NONE)
		return name_safe(instant->event < p->event_count ? p->events[instant->event] : "?", ascii);
	safe = name_safe(instant->text ? instant->text : "", ascii);
	return instant->cut ? join_texts(safe, strdup(ascii ? "..." : "…")) : safe;
}

/* What stands behind the text of a row that is several: ` ×30`, or with the rate of a burst ` ×1 600/s  (4 800)`. */
static char *times_text(const struct profile *p, const struct burst_row *row, bool rate, bool ascii)
{
	const char *times = ascii ? "x" : "×";
	char count[32], rates[32], *text = NULL;

	format_grouped(count, sizeof(count), row->count);
	if (row->count < 2)
		return strdup("");
	if (!rate)
		return asprintf(&text, " %s%s", times, count) < 0 ? NULL : text;
	format_grouped(rates, sizeof(rates), burst_rate(p, row));
	return asprintf(&text, " %s%s/s  (%s)", times, rates, count) < 0 ? NULL : text;
}

char *event_row_text(const struct profile *p, const struct burst_row *row, bool ascii)
{
	return join_texts(event_text(p, &p->instants[row->first], ascii), times_text(p, row, false, ascii));
}

char *event_thread(const struct profile *p, const struct profile_instant *instant, bool ascii)
{
	const struct profile_thread *thread;
	char name[32];

	if (instant->thread >= p->thread_count)
		return strdup("-");
	thread = &p->threads[instant->thread];
	if (*thread->name)
		return name_safe(thread->name, ascii);
	snprintf(name, sizeof(name), "thread %llu", (unsigned long long)thread->id);
	return strdup(name);
}

char *event_row_thread(const struct profile *p, const struct burst_row *row, bool ascii)
{
	return row->thread == PROFILE_NONE ? strdup("(several)") : event_thread(p, &p->instants[row->first], ascii);
}

const char *event_sign(bool note, bool ascii)
{
	if (note)
		return ascii ? "*" : "◆";
	return ascii ? "+" : "◇";
}

int64_t event_time_about(const struct profile_frame *frame, int64_t since)
{
	return since < frame->length / FINE_PART ? since : frame->length;
}

/* Rows */

const struct profile_instant *event_table_instant(const struct event_table *t, uint32_t row)
{
	const struct burst_row *r = &t->bursts.rows[row];

	return &t->p->instants[r->count < BURST ? r->first : r->last];
}

bool event_table_is_note(const struct event_table *t, uint32_t row)
{
	return t->p->instants[t->bursts.rows[row].first].event == PROFILE_NONE;
}

/* Rows of the same tick, thread and event have the same id: nobody could tell them apart. A burst keeps the id
 * of its first event, however many have come since. */
static uint64_t row_id(const struct typed_table *table, uint32_t row)
{
	const struct event_table *t = (const struct event_table *)table;
	const struct profile_instant *i = &t->p->instants[t->bursts.rows[row].first];

	return (((uint64_t)i->tick * UINT64_C(0x9E3779B97F4A7C15)) ^ (uint64_t)i->thread << 32 ^ i->event) |
	       1;
}

static bool instant_passes(const struct profile *p, const struct profile_instant *instant, const struct pattern *pattern)
{
	char *text = event_text(p, instant, false);
	bool found = text && pattern_matches(pattern, text);

	free(text);
	return found;
}

static bool row_matches(const struct typed_table *table, uint32_t row, const struct pattern *pattern)
{
	const struct event_table *t = (const struct event_table *)table;

	return instant_passes(t->p, event_table_instant(t, row), pattern);
}

uint32_t *event_table_filter(const struct profile *p, const struct pattern *pattern, uint32_t *count)
{
	enum { UNSEEN, PASSES, STAYS } *names = array_zeroed(p->event_count, sizeof(*names));
	uint32_t *passing = array_zeroed(p->instant_count, sizeof(*passing));

	*count = 0;
	for (uint32_t i = 0; names && passing && i < p->instant_count; i++) {
		uint32_t event = p->instants[i].event;
		bool known = event < p->event_count && names[event] != UNSEEN;
		bool pass = known ? names[event] == PASSES : instant_passes(p, &p->instants[i], pattern);

		if (event < p->event_count)
			names[event] = pass ? PASSES : STAYS;
		if (pass)
			passing[(*count)++] = i;
	}
	if (!names) {
		free(passing);
		passing = NULL;
	}
	free(names);
	return passing;
}

static void free_table(struct typed_table *t)
{
	free(((struct event_table *)t)->bursts.rows);
	free(t);
}

/* Values */

/* A report prints the first and the last frame of a burst, or only the first if the last one has not ended. */
static void put_frame(const struct event_table *t, const struct burst_row *row, const struct profile_frame *frame,
		      enum table_output output, struct typed_value *v)
{
	const struct profile_frame *first = output == TABLE_TEXT ? frame_at(t->p, t->p->instants[row->first].tick) : NULL;

	v->has_before = frame && first && first != frame;
	frame = frame ? frame : first;
	v->state = frame ? TYPED_KNOWN : TYPED_ABSENT;
	v->whole = frame ? (int64_t)frame->number : 0;
	v->before = first ? (int64_t)first->number : 0;
	v->role = frame && t->chosen && frame->number == t->chosen ? STYLE_CHOSEN : STYLE_TITLE;
}

/* `41.200 ms`, `12.345 s`, `00:01:02.345`. */
static void time_text(char out[TIME_SIZE], const struct event_table *t, int64_t ticks, int64_t about, bool brief, bool ascii)
{
	int64_t ms = format_ns(ticks, t->p->ticks_per_s) / 1000000, s = ms / 1000;

	if (s < CLOCK_S)
		typed_span(out, TIME_SIZE, ticks, about ? about : ticks, t->p->ticks_per_s, brief, ascii);
	else
		snprintf(out, TIME_SIZE, "%02lld:%02lld:%02lld.%03lld", (long long)s / 3600, (long long)s / 60 % 60, (long long)s % 60,
			 (long long)ms % 1000);
}

/* The time since the frame began; outside frames, since the run began. There a report has the first and the last time of a
 * burst. */
static void put_time(const struct event_table *t, const struct burst_row *row, const struct profile_instant *instant,
		     const struct profile_frame *frame, const struct typed_look *look, struct typed_value *v)
{
	int64_t first = t->p->instants[row->first].tick - t->p->first_tick;
	char time[TIME_SIZE], before[TIME_SIZE] = "";
	bool is_burst = !frame && look->output == TABLE_TEXT && row->count >= BURST;

	v->role = STYLE_DIM;
	v->whole = instant->tick - (frame ? frame->start : t->p->first_tick);
	if (look->output != TABLE_TEXT && look->output != TABLE_SCREEN)
		return;
	time_text(time, t, v->whole, frame ? event_time_about(frame, v->whole) : 0, frame && look->output == TABLE_SCREEN, look->ascii);
	if (is_burst)
		time_text(before, t, first, 0, false, look->ascii);
	if (asprintf(&v->owned, "%s%s%s%s", before, !is_burst ? "" : look->ascii ? " > " : " → ", frame ? "+" : "", time) < 0)
		v->owned = NULL;
	v->kind = TYPED_WORDS;
	v->text = v->owned;
}

/* A report has the kind in a column of its own. */
static void put_text(const struct event_table *t, uint32_t row, const struct typed_look *look, struct typed_value *v)
{
	const struct burst_row *r = &t->bursts.rows[row];
	bool is_note = event_table_is_note(t, row);
	char *text = event_text(t->p, &t->p->instants[r->first], look->ascii), *sign = NULL;

	if (look->output == TABLE_SCREEN && asprintf(&sign, "%s ", event_sign(is_note, look->ascii)) < 0)
		sign = NULL;
	v->text = v->owned = look->output == TABLE_SCREEN ? join_texts(sign, text) : text;
	v->tail = v->owned_tail = times_text(t->p, r, r->count >= BURST, look->ascii);
	v->role = is_note ? STYLE_NAME : STYLE_LABEL;
}

/* Of JSON and CSV, which has names and texts in one column. */
static void put_identity(const struct event_table *t, uint32_t row, enum table_output output, uint32_t column, struct typed_value *v)
{
	const struct burst_row *r = &t->bursts.rows[row];
	const struct profile_instant *first = &t->p->instants[r->first], *last = &t->p->instants[r->last];
	bool is_note = event_table_is_note(t, row);

	switch (column) {
	case EVENT_NAME:
		v->state = is_note && output != TABLE_CSV ? TYPED_ABSENT : TYPED_KNOWN;
		v->text = is_note ? first->text : first->event < t->p->event_count ? t->p->events[first->event] : NULL;
		break;
	case EVENT_NOTE:
		v->state = is_note ? TYPED_KNOWN : TYPED_ABSENT;
		v->text = first->text;
		break;
	case EVENT_THREAD_ID:
		v->state = r->thread < t->p->thread_count ? TYPED_KNOWN : TYPED_UNKNOWN;
		v->whole = v->state == TYPED_KNOWN ? (int64_t)t->p->threads[r->thread].id : 0;
		break;
	case EVENT_AT_TICK:
		v->whole = first->tick;
		break;
	case EVENT_NS:
		v->whole = format_ns(first->tick - t->origin, t->p->ticks_per_s);
		break;
	case EVENT_CUT:
		v->state = is_note ? TYPED_KNOWN : TYPED_ABSENT;
		v->whole = first->cut;
		break;
	case EVENT_COUNT:
		v->state = r->count > 1 || output == TABLE_CSV ? TYPED_KNOWN : TYPED_ABSENT;
		v->whole = r->count;
		break;
	default:
		v->state = r->count > 1 ? TYPED_KNOWN : TYPED_ABSENT;
		v->whole = format_ns(last->tick - t->origin, t->p->ticks_per_s);
	}
}

static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t row, uint32_t column,
		      struct typed_value *v)
{
	const struct event_table *t = (const struct event_table *)table;
	const struct profile_instant *instant = look->output == TABLE_CSV ? &t->p->instants[t->bursts.rows[row].first]
									  : event_table_instant(t, row);
	const struct profile_frame *frame = column < EVENT_THREAD ? frame_at(t->p, instant->tick) : NULL;

	switch (column) {
	case EVENT_FRAME:
		put_frame(t, &t->bursts.rows[row], frame, look->output, v);
		break;
	case EVENT_TIME:
		put_time(t, &t->bursts.rows[row], instant, frame, look, v);
		break;
	case EVENT_THREAD:
		v->text = v->owned = event_row_thread(t->p, &t->bursts.rows[row], look->ascii);
		break;
	case EVENT_KIND:
		v->text = event_table_is_note(t, row) ? "note" : "event";
		break;
	case EVENT_SHOWN:
		put_text(t, row, look, v);
		break;
	default:
		put_identity(t, row, look->output, column, v);
	}
}

const struct table_type event_table_type = {
	.key = "events", .name = "events", .columns = columns, .column_count = EVENT_COLUMNS, .value = put_value,
	.id = row_id,
	.matches = row_matches, .free = free_table,
	.shows = {
		[TABLE_SCREEN] = (const uint8_t[]){ EVENT_FRAME, EVENT_TIME, EVENT_THREAD, EVENT_SHOWN, TABLE_END },
		[TABLE_TEXT] = (const uint8_t[]){ EVENT_FRAME, EVENT_TIME, EVENT_THREAD, EVENT_KIND, EVENT_SHOWN, TABLE_END },
		[TABLE_JSON] = (const uint8_t[]){ EVENT_NAME, EVENT_NOTE, EVENT_THREAD_ID, EVENT_AT_TICK, EVENT_NS, EVENT_CUT, EVENT_COUNT,
						  EVENT_LAST_NS, TABLE_END },
	},
};

void event_table_init(struct event_table *t, const struct profile *p, struct bursts bursts)
{
	*t = (struct event_table){ .p = p, .bursts = bursts };
	typed_table_init(&t->table, &event_table_type, p->ticks_per_s);
	t->table.count = bursts.row_count;
}
