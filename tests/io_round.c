/* SPDX-License-Identifier: MIT */
/*
 * io_round: what is imported, exported in the same format and imported again is the same: its sums, its single calls with
 * their frames, its counters and events, as far as the format has them. Traces are made (made_trace.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/foreign/foreign.h"
#include "tests/imported.h"
#include "tests/made_trace.h"

struct text {
	char *at;
	size_t size;
};

static struct text exported(const struct imported *i, enum file_kind kind)
{
	struct spans *spans = spans_new();
	struct values *values = values_of_run(i->p);
	struct foreign foreign = { .profile = i->p, .threads = THREADS_ALL, .spans = spans, .values = values, .whole = true,
				   .from = i->p->first_tick, .to = i->p->now_tick };
	struct text text = { 0 };
	FILE *out = open_memstream(&text.at, &text.size);

	assert_non_null(spans);
	assert_non_null(values);
	assert_non_null(out);
	assert_true(spans_update(spans, i->p, i->calls, i->p->now_tick));
	assert_true(foreign_write(&foreign, kind, out));
	assert_int_equal(fclose(out), 0);
	spans_free(spans);
	values_free(values);
	return text;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Nodes and threads may have another order: lines are compared as a set. Cuts the text into them. */
static char **lines_of(struct text *text, size_t *count)
{
	char **lines = calloc(text->size + 1, sizeof(*lines)), *rest = text->at;

	assert_non_null(lines);
	for (*count = 0; rest && *rest; ++*count) {
		lines[*count] = strsep(&rest, "\n");
		lines[*count] += *lines[*count] == ',';
	}
	qsort(lines, *count, sizeof(*lines), compare_lines);
	return lines;
}

static void expect_same(const struct imported *a, const struct imported *b, enum file_kind kind)
{
	struct text x = exported(a, kind), y = exported(b, kind);
	size_t x_count, y_count;
	char **x_lines = lines_of(&x, &x_count), **y_lines = lines_of(&y, &y_count);

	for (size_t i = 0; i < x_count && i < y_count; i++)
		if (strcmp(x_lines[i], y_lines[i]) != 0)
			fail_msg("%s: %.300s\n---- has become\n%.300s", file_kind_names[kind], x_lines[i], y_lines[i]);
	assert_int_equal(x_count, y_count);
	free(x_lines);
	free(y_lines);
	free(x.at);
	free(y.at);
}

static void expect_same_frames(const struct imported *a, const struct imported *b)
{
	if (a->p->frame_count != b->p->frame_count)
		fail_msg("%u frames from %ld to %ld have become %u from %ld to %ld", a->p->frame_count, (long)a->p->first_tick,
			 (long)a->p->now_tick, b->p->frame_count, (long)b->p->first_tick, (long)b->p->now_tick);
	for (uint32_t i = 0; i < a->p->frame_count; i++) {
		assert_int_equal(a->p->frames[i].number, b->p->frames[i].number);
		assert_int_equal(a->p->frames[i].start, b->p->frames[i].start);
		assert_int_equal(a->p->frames[i].length, b->p->frames[i].length);
	}
}

struct round {
	enum made_format format;
	enum file_kind kind;
	enum file_kind same[3]; /* in what they are compared */
	uint32_t same_count;
	bool again; /* the first round changes numbers of zones, or moves times, as readers have doubles: the second is looked at */
};

/* Calls with their frames and notes are compared as perf_timer's, counters and events as Chrome's. Folded stacks have no
 * unit: they are read as microseconds, so they do not come back. */
static const struct round rounds[] = {
	{ MADE_TIMER_JSON, FILE_PERF_TIMER, { FILE_PERF_TIMER, FILE_FOLDED, FILE_CHROME }, 3, false },
	{ MADE_TIMER_BINARY, FILE_PERF_BINARY, { FILE_PERF_TIMER, FILE_FOLDED, FILE_CHROME }, 3, false },
	{ MADE_TEXT, FILE_VISUALISER, { FILE_VISUALISER, FILE_FOLDED }, 2, true },
	{ MADE_CHROME, FILE_CHROME, { FILE_PERF_TIMER, FILE_FOLDED, FILE_CHROME }, 3, true },
	{ MADE_CHROME_CALLS, FILE_CHROME, { FILE_PERF_TIMER, FILE_FOLDED, FILE_CHROME }, 3, true },
};

static struct imported *read_back(const struct imported *a, enum file_kind kind)
{
	struct text text = exported(a, kind);
	struct imported *b = imported_bytes(text.at, text.size, NULL);

	if (!b->done)
		fail_msg("%s: %s", file_kind_names[kind], b->why);
	free(text.at);
	return b;
}

static struct imported *read_made(const struct made_options *o, enum made_format format)
{
	struct made *made = made_new(o);
	struct text text = { 0 };
	FILE *out = open_memstream(&text.at, &text.size);
	struct imported *a;

	assert_non_null(made);
	assert_non_null(out);
	made_write(made, format, out);
	assert_int_equal(fclose(out), 0);
	a = imported_bytes(text.at, text.size, NULL);
	assert_true(a->done);
	free(text.at);
	made_free(made);
	return a;
}

static void go_round(const struct round *r, const struct made_options *o)
{
	struct imported *a = read_made(o, r->format), *b = read_back(a, r->kind);

	expect_same(a, b, FILE_FOLDED);
	if (r->again) {
		imported_free(a);
		a = b;
		b = read_back(a, r->kind);
	}
	expect_same_frames(a, b);
	for (uint32_t i = 0; i < r->same_count; i++)
		expect_same(a, b, r->same[i]);
	imported_free(a);
	imported_free(b);
}

static void what_comes_back_is_the_same(void **state)
{
	const struct round *r = *state;

	for (uint64_t seed = 1; seed <= 3; seed++)
		go_round(r, &(struct made_options){ .seed = seed, .threads = 3, .frames = 20, .calls = 30, .zones = 12, .depth = 6,
						    .values = 2, .events = 2, .mixed = seed == 2, .no_frames = seed == 3 });
}

int main(void)
{
	struct CMUnitTest tests[sizeof(rounds) / sizeof(*rounds)];

	for (size_t i = 0; i < sizeof(rounds) / sizeof(*rounds); i++)
		tests[i] = (struct CMUnitTest){ .name = made_names[rounds[i].format], .test_func = what_comes_back_is_the_same,
						.initial_state = (void *)&rounds[i] };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
