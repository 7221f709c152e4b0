/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks: `main;update;physics 123` a line, the outermost first, and a sum. They are no times, or nobody says of
 * what: a microsecond each.
 */
#include <stdlib.h>
#include <string.h>

#include "io/import/import_inside.h"
#include "io/import/number.h"
#include "model/base/array.h"

struct folded {
	struct importing *i;
	uint32_t thread;
	uint32_t *names;
	uint32_t capacity;
	bool failed;
};

/* What stands behind the last space; NULL: that is no number. */
static const char *sum_of(const char *line, size_t size, int64_t *sum, bool *rounded)
{
	const char *at;

	while (size && line[size - 1] == ' ')
		size--;
	at = size ? memrchr(line, ' ', size) : NULL;
	if (!at || at == line || !number_scaled(at + 1, (size_t)(line + size - at - 1), 0, sum, rounded) || *sum < 0)
		return NULL;
	return at;
}

bool folded_is(const char *line, size_t size)
{
	bool rounded;
	int64_t sum;

	return sum_of(line, size, &sum, &rounded);
}

static void line_told(void *context, const char *line, size_t size, bool cut, uint64_t number)
{
	struct folded *f = context;
	struct trace *t = f->i->trace;
	const char *end, *stop;
	uint32_t depth = 0;
	bool rounded;
	int64_t sum;

	if (size && line[0] == '#')
		return;
	end = cut ? NULL : sum_of(line, size, &sum, &rounded);
	if (!end) {
		anomaly_add(f->i->anomalies, ANOMALY_RECORD, number);
		return;
	}
	if (rounded)
		anomaly_add(f->i->anomalies, ANOMALY_ROUNDED, number);
	for (; line <= end; line = stop + 1) {
		stop = memchr(line, ';', (size_t)(end - line));
		stop = stop ? stop : end;
		if (!array_reserve(&f->names, &f->capacity, (uint64_t)depth + 1, sizeof(*f->names))) {
			f->failed = true;
			return;
		}
		f->names[depth] = trace_name(t, line, (size_t)(stop - line), number);
		if (f->names[depth++] == NAMES_NONE)
			return;
	}
	trace_sum(t, f->thread, f->names, depth, sum, number);
}

bool import_folded(struct importing *i)
{
	struct folded f = { .i = i, .thread = trace_thread(i->trace, 0, 0) };

	i->anomalies->lines = true;
	trace_name_thread(i->trace, f.thread, "stacks", 6, 0);
	import_lines(i, line_told, &f);
	free(f.names);
	return !f.failed || import_refuses(i, "out of memory");
}
