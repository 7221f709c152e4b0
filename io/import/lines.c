/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/import/import_inside.h"

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

		stop = memchr(bytes, '\n', (size_t)(end - bytes));
		if (!stop && *lines)
			break;
		if (!stop)
			stop = end;
		length = without_return(bytes, (size_t)(stop - bytes));
		if (*bytes != '#' && !import_is_blank(bytes, length)) {
			count += is(bytes, length);
			(*lines)++;
		}
	}
	return count;
}
