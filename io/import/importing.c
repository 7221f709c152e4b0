/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "io/import/import_inside.h"

bool import_refuses(struct importing *i, const char *what)
{
	snprintf(i->result->why, sizeof i->result->why, "%s", what);
	return false;
}

bool import_lacks(struct importing *i, const char *what)
{
	const struct anomalies *a = i->anomalies;
	const struct anomaly_place *last;

	if (!a->told)
		return import_refuses(i, what);
	last = &a->places[a->told - 1];
	snprintf(i->result->why, sizeof i->result->why, "%s: %s (%s %llu)", what, anomaly_kinds[last->kind].sentence,
		 a->lines ? "line" : "byte", (unsigned long long)last->at);
	return false;
}

void import_cut(struct importing *i, uint64_t place)
{
	static const enum anomaly kinds[] = { [INPUT_WHOLE] = ANOMALY_CUT, [INPUT_CUT] = ANOMALY_CUT,
					      [INPUT_DAMAGED] = ANOMALY_DAMAGED, [INPUT_CHECKSUM] = ANOMALY_CHECKSUM };
	enum anomaly kind = kinds[i->in.lost];

	if (!i->anomalies->counts[kind])
		anomaly_add(i->anomalies, kind, place);
}

bool import_goes_on(struct importing *i)
{
	const struct import_options *o = i->options;
	char why[320];

	if (i->trace && trace_failed(i->trace, why, sizeof why))
		return false;
	i->abandoned = o->progress && !o->progress(o->context, IMPORT_READS, i->in.taken, i->in.total);
	return !i->abandoned;
}

bool import_more(struct importing *i)
{
	return import_goes_on(i) && input_more(&i->in);
}

/* Lines */

static size_t without_return(const char *line, size_t size)
{
	return size && line[size - 1] == '\r' ? size - 1 : size;
}

/* The lines that are there; `at` moves behind the last whole one. Returns how many. */
static uint64_t whole_lines(struct input *in, import_line *line, void *context, uint64_t number, bool *skips)
{
	uint64_t count = 0;

	for (const uint8_t *end; (end = memchr(in->at, '\n', (size_t)(in->end - in->at))); in->at = end + 1) {
		if (!*skips)
			line(context, (const char *)in->at,
			     without_return((const char *)in->at, (size_t)(end - in->at)), false, number + count);
		*skips = false;
		count++;
	}
	return count;
}

void import_lines(struct importing *i, import_line *line, void *context)
{
	struct input *in = &i->in;
	uint64_t number = 1;
	bool skips = false; /* the rest of a line that was too long */

	do {
		number += whole_lines(in, line, context, number, &skips);
		if (skips || in->end - in->at == INPUT_ROOM) {
			if (!skips)
				line(context, (const char *)in->at, INPUT_ROOM, true, number);
			skips = true;
			in->at = in->end;
		}
	} while (import_more(i));
	if (in->at < in->end && !skips)
		line(context, (const char *)in->at, without_return((const char *)in->at, (size_t)(in->end - in->at)), false,
		     number);
	i->result->records = number - 1 + (in->at < in->end);
	in->at = in->end;
}

bool import_is_blank(const char *line, size_t size)
{
	while (size && import_is_space(line[size - 1]))
		size--;
	return !size;
}

uint32_t import_count_lines(const char *bytes, size_t size, uint32_t most, bool (*is)(const char *line, size_t size),
			    uint32_t *lines)
{
	const char *end = bytes + size, *stop;
	uint32_t count = 0;

	for (*lines = 0; bytes < end && *lines < most; bytes = stop + 1) {
		size_t length;
		bool holds;

		stop = memchr(bytes, '\n', (size_t)(end - bytes));
		if (!stop && *lines)
			break;
		if (!stop)
			stop = end;
		length = without_return(bytes, (size_t)(stop - bytes));
		holds = !import_is_blank(bytes, length) && is(bytes, length);
		count += holds;
		*lines += holds || (*bytes != '#' && !import_is_blank(bytes, length));
	}
	return count;
}
