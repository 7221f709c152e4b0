/* SPDX-License-Identifier: MIT */
/*
 * profview_view: libprofview on a region of known content, through profview.h alone: its numbers are those of
 * proftop report -j, to the tick; sums of callers, children and threads hold; the cursor, selections and frames go
 * where the header says; what is wrong is refused and changes nothing.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profview/profview.h"
#include "tests/game_region.h"
#include "tests/json_read.h"

static Prof_view *open_view(const char *name)
{
	enum Prof_view_result result;
	char why[256] = "";
	Prof_view *v = Prof_view_open(name, 0, &result, why, sizeof(why));

	if (!v)
		fail_msg("%d: %s", (int)result, why);
	return v;
}

struct fixture {
	struct game g;
	Prof_view *v;
};

static int begin(void **state)
{
	struct fixture *f = malloc(sizeof(*f));

	game_begin(&f->g, 'v');
	f->v = open_view(f->g.b.name);
	assert_int_equal(Prof_view_update(f->v), Prof_view_OK);
	*state = f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	Prof_view_close(f->v);
	game_end(&f->g);
	free(f);
	return 0;
}

/* Values by their key */

static unsigned column_of(Prof_view *v, const char *key)
{
	struct Prof_view_column column;

	for (unsigned i = 0; Prof_view_column(v, i, &column); i++)
		if (!strcmp(column.key, key))
			return i;
	fail_msg("no column '%s'", key);
	return 0;
}

static int64_t exact(Prof_view *v, const struct Prof_view_row *row, const char *key)
{
	return row->values[column_of(v, key)].exact;
}

static int64_t sum(Prof_view *v, enum Prof_view_role role, const char *key)
{
	struct Prof_view_row row;
	int64_t total = 0;

	for (unsigned i = 0; Prof_view_row(v, i, &row); i++)
		if (row.role == role)
			total += exact(v, &row, key);
	return total;
}

/* The first row with this name, or of this role where there is no name. */
static bool find_row(Prof_view *v, const char *name, enum Prof_view_role role,
		     struct Prof_view_row *row)
{
	for (unsigned i = 0; Prof_view_row(v, i, row); i++)
		if (name ? !strcmp(row->name, name) : row->role == role)
			return true;
	return false;
}

static bool row_of_cursor(Prof_view *v, struct Prof_view_row *row)
{
	unsigned highlighted = 0;
	bool found = false;

	for (unsigned i = 0; Prof_view_row(v, i, row); i++)
		highlighted += row->highlight != 0;
	for (unsigned i = 0; !found && Prof_view_row(v, i, row); i++)
		found = row->highlight;
	assert_int_equal(highlighted, found);
	return found;
}

static void go_to(Prof_view *v, const char *name)
{
	struct Prof_view_row row;

	for (unsigned i = 0; Prof_view_row(v, i, &row); i++)
		if (!strcmp(row.name, name)) {
			Prof_view_set_cursor(v, i);
			return;
		}
	fail_msg("no row '%s'", name);
}

/* proftop report -j */

static yajl_val document(const char *name, const char *options)
{
	const char *top = getenv("top_builddir");
	char command[512];

	snprintf(command, sizeof(command), "%s/proftop/proftop report -j %s %s", top ? top : ".", options, name);
	return doc_of(command);
}

static void expect_same_row(Prof_view *v, int64_t scale, yajl_val zone)
{
	static const char *const alike[] = { "self", "hier", "count", "max" };
	struct Prof_view_row row = { .count = 0 };
	const char *name = doc_text(zone, "zone");

	if (!find_row(v, name, Prof_view_ZONE, &row))
		fail_msg("proftop has '%s', the view has not", name);
	for (size_t i = 0; i < sizeof(alike) / sizeof(*alike); i++) {
		double there = doc_real(zone, alike[i]), here;

		if (!row.values[column_of(v, alike[i])].shown) {
			assert_string_equal(name, "(no zone)"); /* which is never entered */
			continue;
		}
		here = (double)exact(v, &row, alike[i]) / (double)(i < 3 ? scale : 1);

		if (fabs(here - there) > 1e-6) /* the digits that it prints */
			fail_msg("%s of %s: %.9f here, %.9f there", alike[i], name, here, there);
	}
}

static void same_numbers_as_proftop(void **state)
{
	static const char *const slots[] = { "now", "fast", "slow", "run" };
	struct fixture *f = *state;

	for (int slot = Prof_view_NOW; slot <= Prof_view_RUN; slot++) {
		char options[32];
		struct Prof_view_info info;
		yajl_val tree, rows;

		snprintf(options, sizeof(options), "--average=%s", slots[slot]);
		tree = document(f->g.b.name, options);
		rows = doc_at(tree, "rows");
		assert_int_equal(Prof_view_set_average(f->v, (enum Prof_view_average)slot), Prof_view_OK);
		assert_int_equal(Prof_view_info(f->v, &info), Prof_view_OK);
		assert_int_equal(rows->u.array.len, Prof_view_rows(f->v));
		for (size_t i = 0; i < rows->u.array.len; i++)
			expect_same_row(f->v, info.scale, rows->u.array.values[i]);
		yajl_tree_free(tree);
	}
}

static void selves_are_the_time_of_the_threads(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_thread thread;
	struct Prof_view_info info;
	unsigned threads = 0;

	for (unsigned i = 0; Prof_view_thread(f->v, i, &thread); i++) {
		char id[32];

		snprintf(id, sizeof(id), "%llu", (unsigned long long)thread.id);
		assert_int_equal(Prof_view_set_thread(f->v, id), Prof_view_OK);
		assert_int_equal(Prof_view_info(f->v, &info), Prof_view_OK);
		assert_true(info.time > 0);
		assert_int_equal(sum(f->v, Prof_view_ZONE, "self") +
					 sum(f->v, Prof_view_NO_ZONE, "self"), info.time);
		threads++;
	}
	assert_int_equal(threads, GAME_THREADS);
	assert_int_equal(Prof_view_set_thread(f->v, "nobody"), Prof_view_NOTHING);
	assert_int_equal(Prof_view_set_thread(f->v, "worker"), Prof_view_NOTHING); /* there are two */
	assert_true(strlen(Prof_view_why(f->v)) > 10);
	assert_int_equal(Prof_view_set_thread(f->v, NULL), Prof_view_OK);
}

static void expect_graph(Prof_view *v)
{
	static const char *const alike[] = { "self", "hier", "count" };
	struct Prof_view_row focus;

	assert_int_equal(Prof_view_get_mode(v), Prof_view_CALL_GRAPH);
	assert_true(find_row(v, NULL, Prof_view_FOCUS, &focus));
	assert_int_equal(focus.mark, '-');
	for (size_t i = 0; i < sizeof(alike) / sizeof(*alike); i++)
		assert_int_equal(sum(v, Prof_view_CALLER, alike[i]), exact(v, &focus, alike[i]));
	assert_int_equal(sum(v, Prof_view_CHILD, "hier"),
			 exact(v, &focus, "hier") - exact(v, &focus, "self"));
}

static void a_call_graph_sums_up(void **state)
{
	static const char *const zones[] = { "ai", "raycast", "bvh_walk", "update", "job" };
	struct fixture *f = *state;

	for (int spread = 0; spread < 2; spread++) {
		assert_int_equal(Prof_view_set_recursion(f->v, spread), Prof_view_OK);
		for (size_t i = 0; i < sizeof(zones) / sizeof(*zones); i++) {
			assert_int_equal(Prof_view_select_zone(f->v, zones[i]), Prof_view_OK);
			expect_graph(f->v);
		}
	}
	assert_int_equal(Prof_view_select_zone(f->v, "bvh_walk(3)"), Prof_view_OK);
	expect_graph(f->v);
	assert_int_equal(Prof_view_set_recursion(f->v, 0), Prof_view_OK);
	expect_graph(f->v); /* of bvh_walk */
	assert_int_equal(Prof_view_select_zone(f->v, "nothing"), Prof_view_NOTHING);
	expect_graph(f->v);
}

static void expect_focus(Prof_view *v, const char *name)
{
	struct Prof_view_row row;

	assert_true(find_row(v, NULL, Prof_view_FOCUS, &row));
	assert_string_equal(row.name, name);
}

static void selections_lead_on_and_back(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_row row;

	go_to(f->v, "ai");
	assert_int_equal(Prof_view_select(f->v), Prof_view_OK);
	expect_focus(f->v, "ai");
	assert_true(row_of_cursor(f->v, &row)); /* on the focus, from which nothing leads on */
	assert_int_equal(row.role, Prof_view_FOCUS);
	assert_int_equal(Prof_view_select(f->v), Prof_view_NOTHING);
	go_to(f->v, "raycast");
	assert_int_equal(Prof_view_select(f->v), Prof_view_OK);
	expect_focus(f->v, "raycast");
	assert_int_equal(Prof_view_select_parent(f->v), Prof_view_OK);
	expect_focus(f->v, "ai"); /* which casts most rays */
	assert_int_equal(Prof_view_select_parent(f->v), Prof_view_OK);
	expect_focus(f->v, "update");
	assert_int_equal(Prof_view_select_parent(f->v), Prof_view_NOTHING);
	assert_int_equal(Prof_view_back(f->v), Prof_view_OK);
	expect_focus(f->v, "ai");
	assert_int_equal(Prof_view_back(f->v), Prof_view_OK);
	assert_int_equal(Prof_view_back(f->v), Prof_view_OK);
	expect_focus(f->v, "ai");
	assert_true(row_of_cursor(f->v, &row)); /* where it was when raycast was selected */
	assert_string_equal(row.name, "raycast");
	assert_int_equal(Prof_view_back(f->v), Prof_view_OK);
	assert_int_equal(Prof_view_get_mode(f->v), Prof_view_SELF_TIME);
	assert_true(row_of_cursor(f->v, &row));
	assert_string_equal(row.name, "ai");
	assert_int_equal(Prof_view_back(f->v), Prof_view_NOTHING);
}

static void the_cursor_follows_its_zone(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_row row;
	unsigned rows = Prof_view_rows(f->v);

	go_to(f->v, "collide");
	assert_int_equal(Prof_view_set_sort(f->v, "count", 1), Prof_view_OK);
	assert_true(row_of_cursor(f->v, &row));
	assert_string_equal(row.name, "collide");
	assert_int_equal(Prof_view_set_mode(f->v, Prof_view_HIERARCHICAL_TIME), Prof_view_OK);
	assert_true(row_of_cursor(f->v, &row));
	assert_string_equal(row.name, "collide");
	Prof_view_move_cursor(f->v, 1000);
	assert_int_equal(Prof_view_get_cursor(f->v), rows - 1);
	assert_true(row_of_cursor(f->v, &row));
	assert_int_equal(row.role, Prof_view_NO_ZONE);
	assert_int_equal(Prof_view_select(f->v), Prof_view_NOTHING);
	Prof_view_move_cursor(f->v, -1000);
	assert_int_equal(Prof_view_get_cursor(f->v), 0);
	assert_int_equal(Prof_view_set_sort(f->v, "no such", 0), Prof_view_NOTHING);
	assert_int_equal(Prof_view_set_filter(f->v, "bvh"), Prof_view_OK);
	assert_true(Prof_view_rows(f->v) < rows);
	assert_int_equal(Prof_view_set_filter(f->v, "~["), Prof_view_NOTHING);
	assert_true(find_row(f->v, "bvh_walk", Prof_view_ZONE, &row)); /* the filter of before */
	assert_int_equal(Prof_view_set_filter(f->v, NULL), Prof_view_OK);
	assert_int_equal(Prof_view_rows(f->v), rows);
}

static void frames_of_the_past(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_frame frames[64];
	struct Prof_view_info info;

	assert_int_equal(Prof_view_move_frame(f->v, -1), Prof_view_OK);
	assert_int_equal(Prof_view_get_frame(f->v), GAME_FRAMES);
	assert_int_equal(Prof_view_move_frame(f->v, -29), Prof_view_OK);
	assert_int_equal(Prof_view_get_frame(f->v), 171);
	assert_int_equal(Prof_view_info(f->v, &info), Prof_view_OK);
	assert_int_equal(info.frame, 171);
	assert_int_equal(info.wall, game_frame_length(171) * info.scale);
	game_play(&f->g, 5);
	assert_int_equal(Prof_view_update(f->v), Prof_view_OK); /* which does not change what is shown */
	assert_int_equal(Prof_view_frames(f->v, frames, 64), 64);
	for (unsigned i = 0; i < 64; i++) {
		assert_int_equal(frames[i].number, GAME_FRAMES - 63 + i);
		assert_int_equal(frames[i].ticks, game_frame_length(frames[i].number));
		assert_int_equal(frames[i].flags & Prof_view_CHOSEN, frames[i].number == 171 ? Prof_view_CHOSEN : 0);
	}
	assert_int_equal(Prof_view_set_frame(f->v, 0), Prof_view_OK);
	assert_int_equal(Prof_view_get_frame(f->v), 0);
	assert_int_equal(Prof_view_set_frame(f->v, 1), Prof_view_OK);
	assert_int_equal(Prof_view_get_frame(f->v), GAME_FRAMES + 5);
	assert_int_equal(Prof_view_move_frame(f->v, 1000), Prof_view_OK);
	assert_int_equal(Prof_view_get_frame(f->v), GAME_FRAMES + 5);
	assert_int_equal(Prof_view_set_frame_number(f->v, 133), Prof_view_OK);
	assert_int_equal(Prof_view_get_frame(f->v), 133);
}

/* Over frames, self is what the rows of each frame by itself say. */
static void a_series_is_the_rows_of_its_frames(void **state)
{
	struct fixture *f = *state;
	int64_t self[16], hier[16];
	struct Prof_view_frame frames[16];
	struct Prof_view_row row;

	assert_int_equal(Prof_view_series(f->v, "nothing", 0, self, 16), 0);
	assert_int_equal(Prof_view_frames(f->v, frames, 16), 16);
	assert_int_equal(Prof_view_series(f->v, "raycast", 0, self, 16), 16);
	assert_int_equal(Prof_view_series(f->v, "raycast", 1, hier, 16), 16);
	for (unsigned i = 0; i < 16; i++) {
		assert_int_equal(Prof_view_set_frame_number(f->v, frames[i].number), Prof_view_OK);
		assert_true(find_row(f->v, "raycast", Prof_view_ZONE, &row));
		assert_true(self[i] > 0 && hier[i] > self[i]);
		assert_int_equal(exact(f->v, &row, "self"), self[i]);
		assert_int_equal(exact(f->v, &row, "hier"), hier[i]);
	}
}

static void texts_are_safe_and_numbers_match_them(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_column column;
	struct Prof_view_row row;
	unsigned self = column_of(f->v, "self");

	Prof_view_set_format(f->v, Prof_view_US, 1, 1);
	assert_true(Prof_view_column(f->v, self, &column));
	assert_string_equal(column.title, "SELF us");
	assert_int_equal(column.kind, Prof_view_TIME);
	assert_true(column.sorted);
	for (unsigned i = 0; Prof_view_row(f->v, i, &row); i++) {
		char text[32];

		for (const char *c = row.name; *c; c++)
			assert_true(*c >= ' ' && *c < 0x7F);
		snprintf(text, sizeof(text), "%.1f", row.values[self].number / 1e3);
		if (row.values[self].shown)
			assert_true(fabs(atof(text) - atof(row.values[self].text)) < 0.11);
		assert_true(row.heat >= 0 && row.heat <= 1);
		for (unsigned c = 0; c < row.count; c++)
			assert_true(row.values[c].shown || !strcmp(row.values[c].text, "-"));
	}
	assert_false(Prof_view_column(f->v, row.count, &column));
}

static void titles_say_what_is_shown(void **state)
{
	struct fixture *f = *state;
	char all[1024] = "";
	const char *field;

	assert_int_equal(Prof_view_select_zone(f->v, "raycast"), Prof_view_OK);
	assert_int_equal(Prof_view_set_frame_number(f->v, 171), Prof_view_OK);
	for (unsigned i = 0; (field = Prof_view_title(f->v, i)); i++) {
		assert_null(strchr(field, '\n'));
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "[%s]", field);
	}
	assert_non_null(strstr(all, "[4711]"));
	assert_non_null(strstr(all, "[PAUSED frame 171, -30 "));
	assert_non_null(strstr(all, "[frame 171: "));
	assert_non_null(strstr(all, "[call graph of raycast]"));
	assert_non_null(strstr(all, "[lost "));
	assert_null(strstr(all, "average"));
	assert_int_equal(Prof_view_set_frame(f->v, 0), Prof_view_OK);
	*all = '\0';
	for (unsigned i = 0; (field = Prof_view_title(f->v, i)); i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "[%s]", field);
	assert_non_null(strstr(all, "[average frame, fast (0.8 s)]"));
}

static void losses_sum_up(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_info info;
	struct Prof_view_loss loss;
	uint64_t lost = 0;

	for (unsigned i = 0; Prof_view_loss(f->v, i, &loss); i++)
		lost += loss.count;
	assert_int_equal(Prof_view_info(f->v, &info), Prof_view_OK);
	assert_true(lost > 0);
	assert_int_equal(info.lost, lost);
}

/* Each frame has its own: events lie in it, and counters are as they were in it. */
static void counters_and_instants_of_frames(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_frame frames[64];
	struct Prof_view_counter counter;
	struct Prof_view_instant instant;
	unsigned count = Prof_view_frames(f->v, frames, 64), notes = 0, events = 0, known = 0, i;

	count = count < 64 ? count : 64;
	assert_true(count > 1);
	for (unsigned n = 0; n < count; n++) {
		assert_int_equal(Prof_view_set_frame_number(f->v, frames[n].number), Prof_view_OK);
		for (i = 0; Prof_view_instant(f->v, i, &instant); i++) {
			assert_int_equal(instant.frame, frames[n].number);
			assert_true(instant.ticks > 0 && instant.ticks <= frames[n].ticks);
			assert_true(*instant.text);
			notes += instant.note != 0;
			events += !instant.note;
		}
		for (i = 0; Prof_view_counter(f->v, i, &counter); i++) {
			assert_true(*counter.name);
			if (!strcmp(counter.name, "bytes_loaded") && counter.last.shown)
				assert_false(counter.of_thread || counter.real);
			assert_int_equal(strcmp(counter.last.text, "-") != 0, counter.last.shown);
			assert_true(counter.min.number <= counter.last.number &&
				    counter.last.number <= counter.max.number);
			known += counter.last.shown != 0;
		}
	}
	assert_true(notes > 0 && events > notes && known > count);
	assert_int_equal(Prof_view_set_frame(f->v, 0), Prof_view_OK);
	for (i = 0; Prof_view_counter(f->v, i, &counter); i++)
		;
	assert_true(i > 1);
}

static void before_anything_was_read(void **state)
{
	struct fixture *f = *state;
	Prof_view *v = open_view(f->g.b.name);
	struct Prof_view_info info;
	struct Prof_view_row row;
	struct Prof_view_frame frame;
	int64_t ticks;

	assert_int_equal(Prof_view_rows(v), 0);
	assert_false(Prof_view_row(v, 0, &row));
	assert_null(Prof_view_title(v, 0));
	assert_int_equal(Prof_view_info(v, &info), Prof_view_NOTHING);
	assert_int_equal(Prof_view_frames(v, &frame, 1), 0);
	assert_int_equal(Prof_view_series(v, "ai", 0, &ticks, 1), 0);
	assert_int_equal(Prof_view_select(v), Prof_view_NOTHING);
	assert_int_equal(Prof_view_select_parent(v), Prof_view_NOTHING);
	assert_int_equal(Prof_view_select_zone(v, "ai"), Prof_view_NOTHING);
	assert_int_equal(Prof_view_set_mode(v, Prof_view_CALL_GRAPH), Prof_view_NOTHING);
	assert_int_equal(Prof_view_move_frame(v, -1), Prof_view_NOTHING);
	assert_int_equal(Prof_view_set_frame(v, 3), Prof_view_NOTHING);
	assert_int_equal(Prof_view_set_thread(v, "main"), Prof_view_NOTHING);
	assert_int_equal(Prof_view_back(v), Prof_view_NOTHING);
	Prof_view_move_cursor(v, 1);
	Prof_view_close(v);
}

static void what_cannot_be_had_is_said(void **state)
{
	enum Prof_view_result result = Prof_view_OK;
	char why[256] = "", small[4];

	(void)state;
	assert_null(Prof_view_open("no-such-region", 0, &result, why, sizeof(why)));
	assert_int_equal(result, Prof_view_ABSENT);
	assert_non_null(strstr(why, "no-such-region"));
	assert_null(Prof_view_open("/etc/passwd", Prof_view_ANY_USER, &result, why, sizeof(why)));
	assert_int_equal(result, Prof_view_REFUSED);
	assert_null(Prof_view_open(NULL, 0, &result, small, sizeof(small)));
	assert_int_equal(result, Prof_view_ABSENT); /* a test that is not profiled */
	assert_int_equal(strlen(small), 3);
	assert_null(Prof_view_open("no-such-region", 0, &result, NULL, 0));
}

static void a_dead_process_stays_to_be_seen(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_info info;
	unsigned rows = Prof_view_rows(f->v);

	builder_die(&f->g.b);
	assert_int_equal(Prof_view_update(f->v), Prof_view_ENDED);
	assert_int_equal(Prof_view_update(f->v), Prof_view_ENDED);
	assert_int_equal(Prof_view_info(f->v, &info), Prof_view_OK);
	assert_false(info.live);
	assert_int_equal(Prof_view_rows(f->v), rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(same_numbers_as_proftop, begin, end),
		cmocka_unit_test_setup_teardown(selves_are_the_time_of_the_threads, begin, end),
		cmocka_unit_test_setup_teardown(a_call_graph_sums_up, begin, end),
		cmocka_unit_test_setup_teardown(selections_lead_on_and_back, begin, end),
		cmocka_unit_test_setup_teardown(the_cursor_follows_its_zone, begin, end),
		cmocka_unit_test_setup_teardown(frames_of_the_past, begin, end),
		cmocka_unit_test_setup_teardown(a_series_is_the_rows_of_its_frames, begin, end),
		cmocka_unit_test_setup_teardown(texts_are_safe_and_numbers_match_them, begin, end),
		cmocka_unit_test_setup_teardown(titles_say_what_is_shown, begin, end),
		cmocka_unit_test_setup_teardown(losses_sum_up, begin, end),
		cmocka_unit_test_setup_teardown(counters_and_instants_of_frames, begin, end),
		cmocka_unit_test_setup_teardown(before_anything_was_read, begin, end),
		cmocka_unit_test(what_cannot_be_had_is_said),
		cmocka_unit_test_setup_teardown(a_dead_process_stays_to_be_seen, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
