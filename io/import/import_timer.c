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
	char name[NAME_MOST + 1]; /* cut; its length is as it was */
};

static void opens(void *context, const struct parse_json *p, bool array)
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

static void text(void *context, const struct parse_json *p, const char *bytes, size_t size)
{
	struct timer *x = context;

	if (p->depth != 2 || x->field != NAME) {
		other(context, p);
		return;
	}
	x->field = FIELDS;
	memcpy(x->name, bytes, size < sizeof x->name ? size : sizeof x->name);
	x->event.name = x->name;
	x->event.size = size < sizeof x->name ? size : sizeof x->name;
}

static bool whole(uint64_t *out, const char *digits, size_t size, bool below_0)
{
	bool minus;

	return number_whole(digits, size, out, &minus) && (below_0 || !minus);
}

static void number(void *context, const struct parse_json *p, const char *digits, size_t size)
{
	struct timer *x = context;
	struct timer_event *e = &x->event;

	if (p->depth != 2 || x->field > TIME) {
		other(context, p);
		return;
	}
	switch (x->field++) {
	case OPERATION:
		x->number |= !whole(&e->operation, digits, size, false);
		break;
	case THREAD:
		x->number |= !whole(&e->thread, digits, size, true);
		break;
	case FRAME:
		x->number |= !number_signed(digits, size, &e->frame);
		if (e->frame > INT32_MAX || e->frame < INT32_MIN)
			x->number = true;
		break;
	default:
		x->number |= !whole(&e->time, digits, size, false);
	}
}

bool import_timer_json(struct importing *i)
{
	static const struct parse_events events = { opens, closes, key, text, number, other };
	struct timer x = { .i = i };

	return parse_json(i, &events, &x, false);
}
