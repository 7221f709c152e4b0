/* SPDX-License-Identifier: MIT */
/*
 * Both files of perf_timer.
 *
 *     JSON     one array of [operation, thread, frame, nanoseconds, "name"]
 *     binary   packed and little-endian: u32 0xFA57, u32 count, and then each event: u8 operation, u64 thread, i32 frame,
 *              u64 nanoseconds, u16 bytes of the name, the name
 */
#include <endian.h>
#include <string.h>

#include "io/import/number.h"
#include "io/import/parse_json.h"

enum timer_operation { TIMER_ENTER = 0, TIMER_EXIT = 1, TIMER_NOTE = 2 };

struct timer_event {
	uint64_t operation, thread, time; /* time: ns */
	int64_t frame;                    /* -1: none */
	const char *name;
	size_t size;
	uint64_t place;
};

static void timer_tell(struct importing *i, const struct timer_event *e)
{
	int64_t tick = e->time > INT64_MAX ? INT64_MAX : (int64_t)e->time;
	uint32_t thread;

	if (e->operation > TIMER_NOTE) {
		anomaly_add(i->anomalies, ANOMALY_RECORD, e->place);
		return;
	}
	thread = trace_thread(i->trace, e->thread, e->place);
	if (e->operation == TIMER_ENTER)
		trace_enter_text(i->trace, thread, e->name, e->size, tick, e->frame, e->place);
	else if (e->operation == TIMER_EXIT)
		trace_leave_text(i->trace, thread, e->name, e->size, tick, e->place);
	else
		trace_note(i->trace, thread, e->name, e->size, tick, e->frame, e->place);
}

/* JSON */

enum { OPERATION, THREAD, FRAME, TIME, NAME, FIELDS };

struct timer {
	struct importing *i;
	struct timer_event event;
	uint32_t field;  /* the next one; FIELDS: all are there */
	bool bad, number; /* a field is none of those, or none that fits */
	char name[NAME_MOST + 1]; /* cut; one byte more than a name has shows that */
};

static bool on_open(void *context, const struct parse_json *p, bool array)
{
	struct timer *x = context;

	if (p->depth == 2 && array) {
		x->field = 0;
		x->bad = x->number = false;
		x->event.place = p->place - 1;
	} else if (p->depth == 3) {
		x->bad = true;
	} else if (p->depth == 2) {
		anomaly_add(x->i->anomalies, ANOMALY_RECORD, p->place - 1);
	}
	return p->depth == 1 && array;
}

static void on_close(void *context, const struct parse_json *p, bool array)
{
	struct timer *x = context;

	if (p->depth != 1 || !array)
		return;
	x->i->result->records++;
	if (x->bad || x->field != FIELDS)
		anomaly_add(x->i->anomalies, ANOMALY_RECORD, x->event.place);
	else if (x->number)
		anomaly_add(x->i->anomalies, ANOMALY_NUMBER, x->event.place);
	else
		timer_tell(x->i, &x->event);
}

static void on_key(void *context, const struct parse_json *p, const char *text, size_t size)
{
	(void)context, (void)p, (void)text, (void)size;
}

static void on_other(void *context, const struct parse_json *p)
{
	struct timer *x = context;

	if (p->depth == 1)
		anomaly_add(x->i->anomalies, ANOMALY_RECORD, p->place - 1);
	x->bad = true;
}

/* A whole number that is written as 1e3 or 5.0. */
static bool whole_scaled(const char *digits, size_t size, uint64_t *out, bool *minus)
{
	bool rounded;
	int64_t value;

	if (!number_scaled(digits, size, 0, &value, &rounded) || rounded)
		return false;
	*out = (uint64_t)value;
	*minus = value < 0;
	return true;
}

static void name_field(struct timer *x, const char *bytes, size_t size)
{
	x->field = FIELDS;
	x->event.name = x->name;
	x->event.size = size < sizeof x->name ? size : sizeof x->name;
	memcpy(x->name, bytes, x->event.size);
}

/* A name may be a number. */
static void on_number(void *context, const struct parse_json *p, const char *digits, size_t size)
{
	struct timer *x = context;
	uint64_t value;
	bool minus;

	if (p->depth != 2 || x->field >= NAME) {
		if (p->depth == 2 && x->field == NAME)
			name_field(x, digits, size);
		else
			on_other(context, p);
		return;
	}
	if (!number_whole(digits, size, &value, &minus) && !whole_scaled(digits, size, &value, &minus)) {
		x->number = true;
		value = minus = 0;
	}
	switch (x->field++) {
	case OPERATION:
		x->event.operation = value;
		x->number |= minus;
		break;
	case THREAD:
		x->event.thread = value;
		break;
	case FRAME:
		x->event.frame = (int64_t)value;
		x->number |= minus ? x->event.frame < INT32_MIN : value > INT32_MAX;
		break;
	default:
		x->event.time = value;
		x->number |= minus;
	}
}

/* A number may be a text. */
static void on_text(void *context, const struct parse_json *p, const char *bytes, size_t size)
{
	struct timer *x = context;

	if (p->depth == 2 && x->field == NAME)
		name_field(x, bytes, size);
	else
		on_number(context, p, bytes, size);
}

static void on_drop(void *context)
{
	(void)context; /* on_open() resets it */
}

bool import_timer_json(struct importing *i)
{
	static const struct parse_events events = { on_open, on_close, on_key, on_text, on_number, on_other, on_drop, '[' };
	struct timer x = { .i = i };

	return parse_json(i, &events, &x, false);
}

/* Binary */

#define BINARY_HEAD 8
#define BINARY_EVENT 23

static uint64_t number_at(const uint8_t *at, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, at, size);
	return le64toh(value);
}

/* The event at i->in.at; returns its bytes, 0 if it is not all there. */
static size_t binary_event(struct importing *i, struct timer_event *e)
{
	const uint8_t *at = i->in.at;
	size_t left = (size_t)(i->in.end - at);

	if (left < BINARY_EVENT)
		return 0;
	e->size = number_at(at + 21, 2);
	if (left < BINARY_EVENT + e->size)
		return 0;
	e->operation = at[0];
	e->thread = number_at(at + 1, 8);
	e->frame = (int32_t)(uint32_t)number_at(at + 9, 4);
	e->time = number_at(at + 13, 8);
	e->name = (const char *)at + BINARY_EVENT;
	e->place = input_offset(&i->in, at);
	timer_tell(i, e);
	return BINARY_EVENT + e->size;
}

bool import_timer_binary(struct importing *i)
{
	struct timer_event e = { 0 };
	uint64_t count;

	if (i->in.end - i->in.at < BINARY_HEAD)
		return import_refuses(i, "it ends within its header");
	count = number_at(i->in.at + 4, 4);
	i->in.at += BINARY_HEAD;
	do {
		for (size_t size; count && (size = binary_event(i, &e)); count--, i->result->records++)
			i->in.at += size;
	} while (count && import_more(i));
	if (trace_failed(i->trace, i->result->why, sizeof i->result->why))
		return true;
	if (count)
		import_cut(i, input_offset(&i->in, i->in.at));
	else if (i->in.at < i->in.end || import_more(i))
		anomaly_add(i->anomalies, ANOMALY_REST, input_offset(&i->in, i->in.at));
	return true;
}
