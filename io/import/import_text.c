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

/* The meaning of an id of the file. */
struct label {
	uint64_t thread, id; /* thread: of a counter 0 */
	char kind; /* F, V, C: the letter of the line that registers it */
	uint32_t name;
};

struct text {
	struct importing *i;
	struct trace *t;
	struct label *labels;
	uint32_t count, capacity;
	struct lookup by_id;
	bool failed; /* no memory */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Reads the next field, a number, and one blank behind it. False: there is
 * none. */
static bool read_field(const char **at, const char *end, uint64_t *out)
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
		if (!read_field(&at, end, &value) || at != end)
			return false;
		*out = (int64_t)value;
		return true;
	}
	return number_signed(at, (size_t)(end - at), out);
}

static bool same_label(const void *context, uint32_t index, const void *wanted)
{
	const struct label *label = &((const struct text *)context)->labels[index], *like = wanted;

	return label->id == like->id && label->thread == like->thread && label->kind == like->kind;
}

static uint32_t label_hash(const struct label *like)
{
	return lookup_hash_pair(like->thread + ((uint64_t)like->kind << 56), like->id);
}

/* LOOKUP_NONE: it was not registered. */
static uint32_t find_label(const struct text *x, char kind, uint64_t thread, uint64_t id)
{
	const struct label like = { .thread = thread, .id = id, .kind = kind };

	return lookup_find(&x->by_id, label_hash(&like), same_label, x, &like);
}

/* The last name that an id was registered with is its name. */
static uint32_t add_label(struct text *x, char kind, uint64_t thread, uint64_t id, uint32_t name)
{
	const struct label label = { thread, id, kind, name };
	uint32_t found = find_label(x, kind, thread, id);

	if (found == LOOKUP_NONE) {
		if (!lookup_reserve(&x->by_id) ||
		    !array_reserve(&x->labels, &x->capacity, (uint64_t)x->count + 1, sizeof(*x->labels))) {
			x->failed = true;
			return LOOKUP_NONE;
		}
		lookup_add(&x->by_id, label_hash(&label), x->count);
		found = x->count++;
	}
	x->labels[found] = label;
	return found;
}

/* One that was never registered stands as its number. LOOKUP_NONE: no memory. */
static uint32_t label_of(struct text *x, char kind, uint64_t thread, uint64_t id, uint64_t line)
{
	uint32_t found = find_label(x, kind, thread, id);
	char number[24];

	if (found != LOOKUP_NONE)
		return found;
	anomaly_add(x->i->anomalies, ANOMALY_UNNAMED, line);
	snprintf(number, sizeof number, "%llu", (unsigned long long)id);
	return add_label(x, kind, thread, id, trace_name(x->t, number, strlen(number), line));
}

/* One function for each kind of line, for what follows its letter. False: the line is wrong. */

static bool thread_line(struct text *x, const char *at, const char *end, uint64_t line)
{
	uint64_t thread;

	if (!read_field(&at, end, &thread))
		return false;
	trace_name_thread(x->t, trace_thread(x->t, thread, line), at, (size_t)(end - at), line);
	return true;
}

/* A counter has no thread. */
static bool label_line(struct text *x, char kind, const char *at, const char *end, uint64_t line)
{
	uint64_t thread = 0, id;

	if ((kind != 'C' && !read_field(&at, end, &thread)) || !read_field(&at, end, &id))
		return false;
	if (kind != 'C')
		trace_thread(x->t, thread, line);
	add_label(x, kind, thread, id, trace_name(x->t, at, (size_t)(end - at), line));
	return true;
}

static bool sample_line(struct text *x, const char *at, const char *end, uint64_t line, bool enters)
{
	uint64_t thread, id;
	uint32_t to, label;
	int64_t tick;

	if (!read_field(&at, end, &thread) || !read_field(&at, end, &id) || !last_field(at, end, &tick))
		return false;
	to = trace_thread(x->t, thread, line);
	if (enters) {
		label = label_of(x, 'F', thread, id, line);
		if (label != LOOKUP_NONE)
			trace_enter(x->t, to, x->labels[label].name, label, tick, TRACE_NO_FRAME, line);
	} else {
		label = find_label(x, 'F', thread, id);
		trace_leave(x->t, to, label == LOOKUP_NONE ? UNREGISTERED : label, tick, line);
	}
	return true;
}

static bool event_line(struct text *x, const char *at, const char *end, uint64_t line)
{
	uint64_t thread, id;
	uint32_t label;
	int64_t tick;

	if (!read_field(&at, end, &thread) || !read_field(&at, end, &id) || !last_field(at, end, &tick))
		return false;
	label = label_of(x, 'V', thread, id, line);
	if (label != LOOKUP_NONE)
		trace_event(x->t, trace_thread(x->t, thread, line), x->labels[label].name, tick, line);
	return true;
}

static bool value_line(struct text *x, const char *at, const char *end, uint64_t line)
{
	const char *stop, *text;
	uint64_t id;
	int64_t tick, value;
	uint32_t label;

	if (!read_field(&at, end, &id))
		return false;
	while (at < end && is_blank(*at))
		at++;
	for (stop = at; stop < end && !is_blank(*stop);)
		stop++;
	if (stop == end || !number_signed(at, (size_t)(stop - at), &tick) || !last_field(stop + 1, end, &value))
		return false;
	label = label_of(x, 'C', 0, id, line);
	if (label == LOOKUP_NONE)
		return true;
	text = trace_text(x->t, x->labels[label].name);
	trace_value(x->t, trace_counter(x->t, text, strlen(text), 0, line), tick, value);
	return true;
}

static bool read_record(struct text *x, const char *line, size_t size, uint64_t number)
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
	case 'V':
	case 'C':
		return label_line(x, line[0], at, end, number);
	default:
		return false;
	}
}

/* A line may be indented. */
static const char *skip_indent(const char *line, size_t *size)
{
	for (; *size && is_blank(*line); line++)
		--*size;
	return line;
}

static void line_told(void *context, const char *line, size_t size, bool cut, uint64_t number)
{
	struct text *x = context;

	line = skip_indent(line, &size);
	if ((size && line[0] == '#') || (!cut && import_is_blank(line, size)))
		return;
	if ((cut && size && !strchr("TFVC", line[0])) || !read_record(x, line, size, number))
		anomaly_add(x->i->anomalies, ANOMALY_RECORD, number);
}

/* The letters, with as many numbers as each has. */
bool text_is(const char *line, size_t size)
{
	static const char letters[] = "TFSEVYCD", numbers[] = "12332313";
	const char *letter, *at, *end;
	uint64_t value;

	line = skip_indent(line, &size);
	letter = size > 2 && is_blank(line[1]) && line[0] ? strchr(letters, line[0]) : NULL;
	if (!letter)
		return false;
	at = line + 2;
	end = line + size;
	while (at < end && is_blank(end[-1]))
		end--;
	for (char n = '0'; n < numbers[letter - letters]; n++)
		if (at >= end || !read_field(&at, end, &value))
			return false;
	return strchr("TFVC", line[0]) || at == end;
}

bool import_text(struct importing *i)
{
	struct text x = { .i = i, .t = i->trace };

	i->anomalies->lines = true;
	import_lines(i, line_told, &x);
	lookup_fini(&x.by_id);
	free(x.labels);
	return !x.failed || import_refuses(i, "out of memory");
}
