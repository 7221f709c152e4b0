/* SPDX-License-Identifier: MIT */
/*
 * profile-visualiser's text: a record a line, fields by one space, microseconds.
 *
 *     T tid label   F tid fid label   S tid fid t   E tid fid t
 *     V tid eid label   Y tid eid t   C cid label   D cid t value
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/import/import_inside.h"
#include "io/import/number.h"
#include "model/base/array.h"

#define UNREGISTERED (UINT32_MAX - 1) /* matches nothing */

struct text {
	struct importing *i;
	struct trace *t;
	struct ids functions, events, counters; /* of the file to those below */
	uint32_t *names; /* of functions, and of events */
	uint32_t count, capacity;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Reads the next field, a number, and one blank behind it. False: there is
 * none. */
static bool field(const char **at, const char *end, uint64_t *out)
{
	const char *from = *at, *stop;
	uint64_t value = 0;

	while (from < end && is_blank(*from))
		from++;
	stop = from;
	while (stop < end && (unsigned char)(*stop - '0') <= 9 && stop - from < 18)
		value = value * 10 + (unsigned char)(*stop++ - '0');
	if (stop == from || (stop < end && !is_blank(*stop))) {
		while (stop < end && !is_blank(*stop))
			stop++;
		if (!number_id(from, (size_t)(stop - from), &value))
			return false;
	}
	*out = value;
	*at = stop + (stop < end);
	return true;
}

/* A time, or a value: the last field of its line. */
static bool last_field(const char *at, const char *end, int64_t *out)
{
	uint64_t value;

	while (at < end && is_blank(end[-1]))
		end--;
	while (at < end && is_blank(*at))
		at++;
	if (at < end && *at != '-' && end - at < 18) {
		if (!field(&at, end, &value) || at != end)
			return false;
		*out = (int64_t)value;
		return true;
	}
	return number_signed(at, (size_t)(end - at), out);
}

/* What an id stands for; *name is its place among the names. */
static bool known(const struct ids *ids, uint64_t a, uint64_t b, uint32_t *name)
{
	*name = ids_find(ids, a, b);
	return *name != NAMES_NONE;
}

static void label(struct text *x, struct ids *ids, uint64_t a, uint64_t b, uint32_t name)
{
	uint32_t *at = ids_at(ids, a, b);

	if (!at)
		return;
	if (*at == NAMES_NONE) {
		if (!array_reserve(&x->names, &x->capacity, (uint64_t)x->count + 1, sizeof(*x->names))) {
			ids->count--;
			ids->failed = true;
			return;
		}
		*at = x->count++;
	}
	x->names[*at] = name;
}

/* One that was never registered stands as its number. */
static bool named(struct text *x, struct ids *ids, uint64_t a, uint64_t b, uint32_t *out, uint64_t line)
{
	char number[24];

	if (known(ids, a, b, out))
		return true;
	anomaly_add(x->i->anomalies, ANOMALY_UNNAMED, line);
	snprintf(number, sizeof number, "%llu", (unsigned long long)b);
	label(x, ids, a, b, trace_name(x->t, number, strlen(number), line));
	return known(ids, a, b, out);
}

/* Of each letter: what stands behind it. False: that is not what has to. */

static bool thread_line(struct text *x, const char *at, const char *end, uint64_t line)
{
	uint64_t thread;

	if (!field(&at, end, &thread))
		return false;
	trace_name_thread(x->t, trace_thread(x->t, thread, line), at, (size_t)(end - at), line);
	return true;
}

static bool label_line(struct text *x, struct ids *ids, const char *at, const char *end, uint64_t line)
{
	uint64_t thread, id;

	if (!field(&at, end, &thread) || !field(&at, end, &id))
		return false;
	trace_thread(x->t, thread, line);
	label(x, ids, thread, id, trace_name(x->t, at, (size_t)(end - at), line));
	return true;
}

static bool sample_line(struct text *x, const char *at, const char *end, uint64_t line, bool enters)
{
	uint32_t function = UNREGISTERED, to;
	uint64_t thread, id;
	int64_t tick;

	if (!field(&at, end, &thread) || !field(&at, end, &id) || !last_field(at, end, &tick))
		return false;
	to = trace_thread(x->t, thread, line);
	if (!enters) {
		if (!known(&x->functions, thread, id, &function))
			function = UNREGISTERED;
		trace_leave(x->t, to, function, tick, line);
	} else if (named(x, &x->functions, thread, id, &function, line)) {
		trace_enter(x->t, to, x->names[function], function, tick, TRACE_NO_FRAME, line);
	}
	return true;
}

static bool event_line(struct text *x, const char *at, const char *end, uint64_t line)
{
	uint64_t thread, id;
	uint32_t event;
	int64_t tick;

	if (!field(&at, end, &thread) || !field(&at, end, &id) || !last_field(at, end, &tick))
		return false;
	if (named(x, &x->events, thread, id, &event, line))
		trace_event(x->t, trace_thread(x->t, thread, line), x->names[event], tick, line);
	return true;
}

static bool counter_label_line(struct text *x, const char *at, const char *end, uint64_t line)
{
	uint64_t id;

	if (!field(&at, end, &id))
		return false;
	label(x, &x->counters, 0, id, trace_name(x->t, at, (size_t)(end - at), line));
	return true;
}

static bool value_line(struct text *x, const char *at, const char *end, uint64_t line)
{
	const char *stop;
	uint64_t id;
	int64_t tick, value;
	uint32_t name;

	if (!field(&at, end, &id))
		return false;
	while (at < end && is_blank(*at))
		at++;
	for (stop = at; stop < end && !is_blank(*stop);)
		stop++;
	if (stop == end || !number_signed(at, (size_t)(stop - at), &tick) || !last_field(stop + 1, end, &value))
		return false;
	if (named(x, &x->counters, 0, id, &name, line)) {
		const char *text = trace_text(x->t, x->names[name]);

		trace_value(x->t, trace_counter(x->t, text, strlen(text), 0, line), tick, value);
	}
	return true;
}

static bool record(struct text *x, const char *line, size_t size, uint64_t number)
{
	const char *at = line + 2, *end = line + size;

	if (size < 3 || !is_blank(line[1]))
		return false;
	switch (line[0]) {
	case 'S':
	case 'E':
		return sample_line(x, at, end, number, line[0] == 'S');
	case 'Y':
		return event_line(x, at, end, number);
	case 'D':
		return value_line(x, at, end, number);
	case 'T':
		return thread_line(x, at, end, number);
	case 'F':
		return label_line(x, &x->functions, at, end, number);
	case 'V':
		return label_line(x, &x->events, at, end, number);
	case 'C':
		return counter_label_line(x, at, end, number);
	default:
		return false;
	}
}

static void line_told(void *context, const char *line, size_t size, bool cut, uint64_t number)
{
	struct text *x = context;

	if ((size && line[0] == '#') || (!cut && import_is_blank(line, size)))
		return;
	if ((cut && size && !strchr("TFVC", line[0])) || !record(x, line, size, number))
		anomaly_add(x->i->anomalies, ANOMALY_RECORD, number);
}

/* The letters, with as many numbers as each has. */
bool text_is(const char *line, size_t size)
{
	static const char letters[] = "TFSEVYCD", numbers[] = "12332313";
	const char *letter = size > 2 && is_blank(line[1]) && line[0] ? strchr(letters, line[0]) : NULL;
	const char *at = line + 2, *end = line + size;
	uint64_t value;

	if (!letter)
		return false;
	while (at < end && is_blank(end[-1]))
		end--;
	for (char n = '0'; n < numbers[letter - letters]; n++)
		if (at >= end || !field(&at, end, &value))
			return false;
	return strchr("TFVC", line[0]) || at == end;
}

bool import_text(struct importing *i)
{
	struct text x = { .i = i, .t = i->trace };
	bool failed;

	i->anomalies->lines = true;
	import_lines(i, line_told, &x);
	failed = x.functions.failed || x.events.failed || x.counters.failed;
	ids_fini(&x.functions);
	ids_fini(&x.events);
	ids_fini(&x.counters);
	free(x.names);
	return !failed || import_refuses(i, "out of memory");
}
