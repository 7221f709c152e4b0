/* SPDX-License-Identifier: MIT */
/*
 * proftop_tables: export table-tree and table-flat of a made perf_timer file: each figure of each row is what its calls
 * say, added up here; of all threads, of each and of each frame. Rows stand in the order of time.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/made_trace.h"

#define ROWS  4096
#define NAMES 1024

struct row {
	char section[128], path[NAMES]; /* zones from the top down, each behind a / */
	int64_t inclusive, exclusive, calls;
	int64_t inc_min, inc_max, inc_sum, exc_min, exc_max, exc_sum;
	int seen;
};

static struct row rows[ROWS];
static int row_count;

static struct row *row_of(const char *section, const char *path, bool make)
{
	for (int i = 0; i < row_count; i++)
		if (!strcmp(rows[i].section, section) && !strcmp(rows[i].path, path))
			return &rows[i];
	if (!make)
		return NULL;
	assert_true(row_count < ROWS);
	snprintf(rows[row_count].section, sizeof(rows->section), "%s", section);
	snprintf(rows[row_count].path, sizeof(rows->path), "%s", path);
	return &rows[row_count++];
}

/* What is true */

static void path_of(const struct made *m, uint32_t call, bool flat, char out[NAMES])
{
	char before[NAMES] = "", name[64];

	if (!flat && m->calls[call].parent != MADE_NONE)
		path_of(m, m->calls[call].parent, flat, before);
	made_zone(m, m->calls[call].zone, name);
	assert_true(snprintf(out, NAMES, "%s/%s", before, name) < NAMES);
}

static bool is_in_itself(const struct made *m, uint32_t call)
{
	for (uint32_t at = m->calls[call].parent; at != MADE_NONE; at = m->calls[at].parent)
		if (m->calls[at].zone == m->calls[call].zone)
			return true;
	return false;
}

static void add_call(const struct made *m, uint32_t call, const char *section, bool flat)
{
	const struct made_call *c = &m->calls[call];
	int64_t inclusive = c->leave - c->enter, exclusive = inclusive - c->children;
	char path[NAMES];
	struct row *r;

	path_of(m, call, flat, path);
	r = row_of(section, path, true);
	if (!r->calls) {
		r->inc_min = inclusive;
		r->exc_min = exclusive;
	}
	r->calls++;
	r->inclusive += flat && is_in_itself(m, call) ? 0 : inclusive;
	r->exclusive += exclusive;
	r->inc_sum += inclusive;
	r->exc_sum += exclusive;
	r->inc_min = inclusive < r->inc_min ? inclusive : r->inc_min;
	r->inc_max = inclusive > r->inc_max ? inclusive : r->inc_max;
	r->exc_min = exclusive < r->exc_min ? exclusive : r->exc_min;
	r->exc_max = exclusive > r->exc_max ? exclusive : r->exc_max;
}

static void add_calls(const struct made *m, bool flat, bool each_frame)
{
	row_count = 0;
	memset(rows, 0, sizeof(rows));
	for (uint32_t i = 0; i < m->call_count; i++) {
		char frame[32] = "", section[128];

		if (each_frame) /* a file's first frame is frame 1 */
			snprintf(frame, sizeof(frame), "frame %d, ", m->calls[i].frame + 1);
		snprintf(section, sizeof(section), "%s%" PRIu64, frame, m->ids[m->calls[i].thread]);
		add_call(m, i, section, flat);
		snprintf(section, sizeof(section), "%sCUMULATIVE", frame);
		add_call(m, i, section, flat);
	}
}

/* What is printed */

static int64_t take_time(char **at)
{
	int64_t ms = strtoll(*at, at, 10);

	assert_int_equal(**at, '.');
	return ms * 1000000 + strtoll(*at + 1, at, 10);
}

static void expect_row(const char *section, const char *path, char *figures, bool flat, int64_t *before)
{
	struct row *r = row_of(section, path, false);
	int64_t weight;

	if (!r)
		fail_msg("no such row: %s %s", section, path);
	assert_int_equal(r->seen++, 0);
	assert_int_equal(take_time(&figures), r->inclusive);
	assert_int_equal(take_time(&figures), r->exclusive);
	assert_int_equal(strtoll(figures, &figures, 10), r->calls);
	assert_int_equal(take_time(&figures), r->inc_min);
	assert_int_equal(take_time(&figures), r->inc_max);
	assert_int_equal(take_time(&figures), (r->inc_sum + r->calls / 2) / r->calls);
	assert_int_equal(take_time(&figures), r->exc_min);
	assert_int_equal(take_time(&figures), r->exc_max);
	assert_int_equal(take_time(&figures), (r->exc_sum + r->calls / 2) / r->calls);
	assert_string_equal(figures, "\n");
	weight = flat ? r->exclusive : r->inclusive;
	assert_true(weight <= *before);
	*before = weight;
}

/* A line begins with its branches, three letters each. */
static void take_line(char *line, const char *section, size_t names, bool flat)
{
	static char path[NAMES];
	static size_t ends[64];
	static int64_t before[64]; /* of the sibling above */
	size_t depth = 0, length;
	char *name = line;

	while (!flat && (!strncmp(name, "|  ", 3) || !strncmp(name, "   ", 3) || !strncmp(name, "|- ", 3) ||
			 !strncmp(name, "`- ", 3))) {
		name += 3;
		depth++;
	}
	depth = flat ? 1 : depth;
	assert_true(depth > 0 && depth < 63);
	length = names - (size_t)(name - line);
	while (length && name[length - 1] == ' ')
		length--;
	snprintf(path + ends[depth - 1], sizeof(path) - ends[depth - 1], "/%.*s", (int)length, name);
	ends[depth] = strlen(path);
	if (!strcmp(section, "")) /* begin anew */
		return;
	if (depth == 1 && before[0] != (int64_t)(uintptr_t)section)
		before[1] = INT64_MAX;
	before[0] = (int64_t)(uintptr_t)section;
	before[depth + 1] = INT64_MAX;
	expect_row(section, path, line + names, flat, &before[depth]);
}

/* The name's column is as many bytes wide in each line as in cells: names of letters that are several bytes are wider. */
static size_t name_bytes(const char *line, size_t cells)
{
	size_t bytes = 0;

	for (size_t i = 0; i < cells; i++)
		for (bytes++; (line[bytes] & 0xC0) == 0x80; bytes++)
			;
	return bytes;
}

static void compare(const struct made *m, const char *path, const char *kind, bool each_frame)
{
	char command[512], line[2048], section[2][128] = { "", "" };
	const char *top = getenv("top_builddir");
	bool flat = !strcmp(kind, "flat");
	size_t cells = 0;
	int which = 0;
	FILE *f;

	add_calls(m, flat, each_frame);
	snprintf(command, sizeof(command), "LC_ALL=C %s/proftop/proftop export table-%s %s %s", top ? top : ".", kind,
		 each_frame ? "--each-frame" : "", path);
	f = popen(command, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char *end = strstr(line, ", by ");

		if (line[0] == '\n') {
			continue;
		} else if (end) {
			which = !which;
			snprintf(section[which], sizeof(section[which]), "%.*s", (int)(end - line), line);
		} else if (!strncmp(line, "name ", 5)) {
			cells = (size_t)(strstr(line, "inclusive") - line) - 7;
		} else {
			take_line(line, section[which], name_bytes(line, cells), flat);
		}
	}
	assert_int_equal(pclose(f), 0);
	for (int i = 0; i < row_count; i++)
		assert_int_equal(rows[i].seen, 1);
}

static void figures_are_those_of_the_calls(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct made *m = made_new(&(struct made_options){ .seed = seed, .threads = 3, .frames = 5, .calls = 30, .zones = 6,
								  .depth = 8, .mixed = seed & 1, .events = 2 });

		char path[] = "/tmp/proftop_tables.XXXXXX";
		FILE *f = fdopen(mkstemp(path), "w");

		made_write(m, MADE_TIMER_JSON, f);
		fclose(f);
		for (int i = 0; i < 4; i++)
			compare(m, path, i & 1 ? "flat" : "tree", i & 2);
		unlink(path);
		made_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(figures_are_those_of_the_calls) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
