/* SPDX-License-Identifier: MIT */
/*
 * perf_timer's JSON: one array of [operation, thread, frame, nanoseconds, "name"].
 */
#include <string.h>

#include "io/import/number.h"
#include "io/import/parse_json.h"
#include "io/import/timer.h"

enum { OPERATION, THREAD, FRAME, TIME, NAME, FIELDS };

struct timer {
	struct importing *i;
	struct timer_event event;
	uint32_t field;  /* the next one; FIELDS: all are there */
	bool bad, number; /* a field is none of those, or none that fits */
	char name[NAME_MOST + 1]; /* cut; one byte more than a name has shows that */
};

static bool opens(void *context, const struct parse_json *p, bool array)
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

static void closes(void *context, const struct parse_json *p, bool array)
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

static void key(void *context, const struct parse_json *p, const char *text, size_t size)
{
	(void)context, (void)p, (void)text, (void)size;
}

static void other(void *context, const struct parse_json *p)
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
static void number(void *context, const struct parse_json *p, const char *digits, size_t size)
{
	struct timer *x = context;
	uint64_t value;
	bool minus;

	if (p->depth != 2 || x->field >= NAME) {
		if (p->depth == 2 && x->field == NAME)
			name_field(x, digits, size);
		else
			other(context, p);
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
static void text(void *context, const struct parse_json *p, const char *bytes, size_t size)
{
	struct timer *x = context;

	if (p->depth == 2 && x->field == NAME)
		name_field(x, bytes, size);
	else
		number(context, p, bytes, size);
}

static void drop(void *context)
{
	(void)context; /* opens() resets it */
}

bool import_timer_json(struct importing *i)
{
	static const struct parse_events events = { opens, closes, key, text, number, other, drop, '[' };
	struct timer x = { .i = i };

	return parse_json(i, &events, &x, false);
}
