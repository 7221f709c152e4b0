/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks: `main;update;physics 123` a line, the outermost first, and a
 * count. A count has no unit: it is shown as a nanosecond each, or as 1,000 or
 * more if counts at the beginning of the file have fractions. If all lines
 * there have two counts, and no two of them are of one stack, the counts are
 * those of two profiles (difffolded.pl), and the second is taken, as
 * flamegraph.pl does. A line that begins with # is a comment, unless it has a
 * stack and a count.
 */
#include <stdlib.h>
#include <string.h>

#include "io/import/import_inside.h"
#include "io/import/number.h"
#include "model/base/array.h"
#include "model/base/strings.h"

#define SHIFT_MOST 9 /* digits behind the point that are kept */
#define COUNT_MOST INT64_C(1000000000) /* a larger count needs no more digits */
#define SHIFTED_MOST INT64_C(1000000000000000) /* of the largest count, in ticks */

struct folded {
	struct importing *i;
	uint32_t thread;
	uint32_t *names;
	uint32_t capacity;
	int shift; /* a count is 10^shift ticks */
	bool two;
	bool failed;
};

struct count {
	const char *text;
	size_t size;
};

/* Cuts the last field, a count, and the space around it off the line. False: it
 * is no count. */
static bool take_count(const char *line, size_t *size, struct count *count)
{
	size_t end = *size, at;
	bool rounded;
	int64_t value;

	while (end && import_is_space(line[end - 1]))
		end--;
	for (at = end; at && !import_is_space(line[at - 1]);)
		at--;
	*count = (struct count){ line + at, end - at };
	while (at && import_is_space(line[at - 1]))
		at--;
	*size = at;
	return at && number_scaled(count->text, count->size, 0, &value, &rounded) && value >= 0;
}

/* A line of numbers alone is no stack: callgrind writes such lines. */
static bool is_stack(const char *line, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!strchr("0123456789.+-* \t", line[i]) || !line[i])
			return true;
	return false;
}

bool folded_is(const char *line, size_t size)
{
	struct count count;

	return take_count(line, &size, &count) && is_stack(line, size);
}

static bool has_two_counts(const char *line, size_t size)
{
	struct count count;

	return take_count(line, &size, &count) && take_count(line, &size, &count) && is_stack(line, size);
}

/* difffolded.pl writes each stack once. `thread 1 30` and `thread 2 45` would
 * be one stack: they are threads 1 and 2. */
static bool stacks_differ(const char *at, const char *end)
{
	struct strings stacks = { 0 };
	struct count count;
	uint32_t lines = 0;
	bool differ;

	for (const char *stop; at < end; at = stop + 1) {
		size_t size;

		stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		size = (size_t)(stop - at);
		if (!has_two_counts(at, size) || !take_count(at, &size, &count) ||
		    !take_count(at, &size, &count) || size > NAME_MOST)
			continue;
		strings_add(&stacks, at, size, STRINGS_NONE);
		lines++;
	}
	differ = stacks.count == lines;
	strings_fini(&stacks);
	return differ;
}

static void see_count(struct folded *f, const struct count *count, int64_t *largest)
{
	bool rounded;
	int64_t value;

	number_scaled(count->text, count->size, 0, &value, &rounded);
	*largest = value > *largest ? value : *largest;
	while (f->shift < SHIFT_MOST && number_scaled(count->text, count->size, f->shift, &value, &rounded) && rounded &&
	       value < COUNT_MOST)
		f->shift += 3;
}

/* Finds out from the first lines whether counts have fractions, and whether
 * there are two a line. */
static void look_at_beginning(struct folded *f)
{
	const char *at = (const char *)f->i->in.at, *end = (const char *)f->i->in.end, *stop;
	uint32_t lines, stacks = import_count_lines(at, (size_t)(end - at), UINT32_MAX, folded_is, &lines);
	int64_t largest = 0;
	struct count count;

	f->two = stacks && import_count_lines(at, (size_t)(end - at), UINT32_MAX, has_two_counts, &lines) == stacks &&
		 stacks_differ(at, end);
	for (; (stop = memchr(at, '\n', (size_t)(end - at))) || at < end; at = stop + (stop < end)) {
		size_t size = (size_t)((stop ? stop : (stop = end)) - at);

		if (take_count(at, &size, &count) && is_stack(at, size))
			see_count(f, &count, &largest);
	}
	for (; f->shift; f->shift -= 3) { /* down to what the largest count allows */
		int64_t shifted = largest;

		for (int i = 0; i < f->shift && shifted <= SHIFTED_MOST; i++)
			shifted *= 10;
		if (shifted <= SHIFTED_MOST)
			break;
	}
}

/* Returns the end of the stack, and its count in *sum. NULL: the line has no
 * stack. */
static const char *sum_of(const struct folded *f, const char *line, size_t size, int64_t *sum, bool *rounded)
{
	struct count count, first;

	if (!take_count(line, &size, &count) || !is_stack(line, size))
		return NULL;
	number_scaled(count.text, count.size, f->shift, sum, rounded);
	if (f->two) {
		size_t without = size;

		if (take_count(line, &without, &first))
			size = without;
	}
	return line + size;
}

static void line_told(void *context, const char *line, size_t size, bool cut, uint64_t number)
{
	struct folded *f = context;
	struct trace *t = f->i->trace;
	const char *end, *stop;
	uint32_t depth = 0;
	bool rounded, hash = size && line[0] == '#';
	int64_t sum;

	if (!cut && import_is_blank(line, size))
		return;
	for (; size && import_is_space(*line); line++)
		size--;
	end = cut ? NULL : sum_of(f, line, size, &sum, &rounded);
	if (!end && hash && !cut)
		return; /* a comment */
	if (!end) {
		anomaly_add(f->i->anomalies, ANOMALY_RECORD, number);
		return;
	}
	if (rounded)
		anomaly_add(f->i->anomalies, ANOMALY_ROUNDED, number);
	if (f->two)
		anomaly_add(f->i->anomalies, ANOMALY_TWO_COUNTS, number);
	for (; line <= end; line = stop + 1) {
		stop = memchr(line, ';', (size_t)(end - line));
		stop = stop ? stop : end;
		if (!array_reserve(&f->names, &f->capacity, (uint64_t)depth + 1, sizeof(*f->names))) {
			f->failed = true;
			return;
		}
		f->names[depth] = trace_name(t, line, (size_t)(stop - line), number);
		if (f->names[depth++] == TRACE_NONE)
			return;
	}
	trace_sum(t, f->thread, f->names, depth, sum, number);
}

bool import_folded(struct importing *i)
{
	struct folded f = { .i = i, .thread = trace_thread(i->trace, 0, 0) };

	i->anomalies->lines = true;
	look_at_beginning(&f);
	trace_name_thread(i->trace, f.thread, "stacks", 6, 0);
	import_lines(i, line_told, &f);
	free(f.names);
	return !f.failed || import_refuses(i, "out of memory");
}
