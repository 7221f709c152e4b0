/* SPDX-License-Identifier: MIT */
/*
 * io_counters: counters, events and notes of a profile made by hand, in all syntaxes: tables, CSV, and JSON that
 * is read back; names that could break them, and numbers at the edges.
 */
#include <float.h>
#include <math.h>

#include "io/export/export.h"
#include "io/export/export_table.h"
#include "model/table/counter_table.h"
#include "model/table/event_table.h"
#include "tests/json_read.h"
#include "tests/model_dsl.h"

static const struct export_style narrow = { .width = 60 }, ascii = { .ascii = true };

static union profile_number whole(int64_t n)
{
	return (union profile_number){ .whole = n };
}

static union profile_number real(double n)
{
	return (union profile_number){ .real = n };
}

static void change(struct profile *p, uint32_t track, int64_t tick, union profile_number last,
		   union profile_number least, union profile_number most)
{
	struct profile_change c = { .tick = tick, .last = last, .least = least, .most = most };

	assert_true(profile_add_change(p, track, &c));
}

/* Three frames of 1000 ticks; health changes in 1 and 3, rays in 2; the heat of both threads is known. */
static struct profile *game(void)
{
	struct profile *p = dsl_profile("main . 3000 0\npool . 3000 0\n"
					"frame 1 1000\nmain . 1000 0\nframe 2 1000\nmain . 1000 0\n"
					"frame 3 1000\nmain . 1000 0\n");
	uint32_t health = profile_add_track(p, profile_add_counter(p, "health, \"own\"", false, false), 0, 0);
	uint32_t rays = profile_add_track(p, profile_add_counter(p, "ra\xc3\xbfys\n", false, true),
					  PROFILE_NONE, 0);
	uint32_t heat = profile_add_counter(p, "heat", true, false);
	uint32_t main_heat = profile_add_track(p, heat, 0, 0);
	uint32_t jump = profile_add_event(p, "jump"), fall = profile_add_event(p, "fall\033[2J");

	change(p, health, 1000, whole(INT64_MIN), whole(INT64_MIN), whole(INT64_MAX));
	change(p, health, 3000, whole(12345), whole(-7), whole(12345));
	change(p, rays, 2000, whole(1000000), whole(2), whole(1000000));
	change(p, main_heat, 1000, real(0.1), real(-DBL_MAX), real(1e300));
	change(p, profile_add_track(p, heat, 1, 0), 2500, real(INFINITY), real(5e-324), real(INFINITY));
	for (int i = 1; i <= 5; i++)
		assert_true(profile_add_instant(p, i * 100, 0, jump, NULL, false));
	assert_true(profile_add_instant(p, 1500, 1, PROFILE_NONE, "loaded \"a\"\n", true));
	assert_true(profile_add_instant(p, 2000, 1, fall, NULL, false));
	assert_true(profile_add_instant(p, 2001, 0, PROFILE_NONE, "", false));
	return p;
}

struct made {
	struct profile *p;
	struct values *values;
	struct counter_report *counters;
	struct counter_table table;
	struct export e;
};

static const struct typed_table *table_of(struct made *m)
{
	counter_table_init(&m->table, m->p, m->counters);
	return &m->table.table;
}

static struct made make(struct counter_options o)
{
	struct made m = { .p = game() };
	char why[128];

	m.values = values_of_frames(m.p, 0, 3);
	m.counters = counters_make(m.p, &o, why, sizeof(why));
	assert_true(m.values && m.counters);
	m.e = (struct export){ .profile = m.p, .values = m.values, .count = 3, .asked = 3 };
	return m;
}

static void fini(struct made *m)
{
	counters_free(m->counters);
	values_free(m->values);
	profile_free(m->p);
}

static const struct counter_options all_frames = { .from = 0, .to = 3000, .frames = 3,
						   .sort = COUNTER_COLUMNS };

static char *printed(const struct made *from, bool (*print)(const struct made *m, FILE *out))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct made copy = *from, *m = &copy;

	if (!m->e.table)
		m->e.table = table_of(m);
	assert_true(print(m, out));
	fclose(out);
	return text;
}

static bool as_table(const struct made *m, FILE *out)
{
	return export_table_text(m->e.table, &ascii, out);
}

static bool as_csv(const struct made *m, FILE *out)
{
	return export_csv(&m->e, out);
}

static bool as_json(const struct made *m, FILE *out)
{
	return export_json(&m->e, out);
}

static bool as_text(const struct made *m, FILE *out)
{
	return export_text(&m->e, &narrow, out);
}

static bool as_text_of_80_cells(const struct made *m, FILE *out)
{
	return export_text(&m->e, &(struct export_style){ .width = 80 }, out);
}

static void expect(const struct made *m, bool (*print)(const struct made *m, FILE *out),
		   const char *expected)
{
	char *text = printed(m, print);

	assert_string_equal(text, expected);
	free(text);
}

static void a_table(void **state)
{
	struct counter_options o = all_frames;
	struct made m;

	(void)state;
	o.filter = "~^(health|ra)";
	m = make(o);
	expect(&m, as_table,
	       "COUNTER                LAST                         MIN                        MAX"
	       "          CHANGE        CHANGE/S  THREAD\n"
	       "health, \"own\"        12 345  -9 223 372 036 854 775 808  9 223 372 036 854 775 807"
	       "  4.61168602e+18  4.61168602e+24  main\n"
	       "ra\\xC3\\xBFys\\x0A  1 000 000                           2                  1 000 000"
	       "          333333  3.33333333e+11\n"
	       "2 more hidden by the filter\n\n");
	fini(&m);
}

static void nothing_to_show(void **state)
{
	struct made m = { .p = profile_new() };
	char why[64], *text;

	(void)state;
	m.counters = counters_make(m.p, &all_frames, why, sizeof(why));
	text = printed(&m, as_table);
	assert_non_null(strstr(text, "no counters"));
	free(text);
	fini(&m);
}

static void comma_separated(void **state)
{
	struct counter_options o = all_frames;
	struct made m;
	char *text;

	(void)state;
	o.sort = COUNTER_LAST;
	o.filter = "~^(health|ra)";
	m = make(o);
	expect(&m, as_csv,
	       "name,thread,kind,last,min,max,change,rate\n"
	       "ra\xc3\xbfys\\x0A,,integer,1000000,2,1000000,333333.3333333333,333333333333.3333\n"
	       "\"health, \"\"own\"\"\",main,integer,12345,-9223372036854775808,9223372036854775807,"
	       "4.611686018427388e+18,4.611686018427388e+24\n");
	fini(&m);
	o.filter = "heat";
	m = make(o);
	text = printed(&m, as_csv);
	assert_non_null(strstr(text, "\nheat,main,real,0.1,-1.7976931348623157e+308,1e+300,"));
	free(text);
	fini(&m);
}

/* Below the table: what repeats is one line; names and notes are safe to print. */
static void what_happened(void **state)
{
	struct made m = make(all_frames);
	char *text = printed(&m, as_text);

	(void)state;
	assert_non_null(strstr(text, "\n\nFRAME       TIME  THREAD  KIND   EVENT OR NOTE\n"
				     "    1  +0.100 µs  main    event  jump ×5\n"
				     "    2  +0.500 µs  pool    note   loaded \"a\"\\x0A…\n"
				     "    2  +1.000 µs  pool    event  fall\\x1B[2J\n"
				     "    3      +1 ns  main    note\n\n"));
	free(text);
	m.e.asked = 0; /* the whole run: no list */
	text = printed(&m, as_text);
	assert_null(strstr(text, "event"));
	free(text);
	fini(&m);
}

/* Before frame 1, between bounded ones, behind the last; not where frames are missing. */
static void what_happened_outside_of_frames(void **state)
{
	static const int64_t outside[] = { 50, 200, 1300, 5301, 5400 };
	struct made m = make(all_frames);
	struct profile *p = dsl_profile("main . 3000 0\npool . 3000 0\n");
	char *text;

	(void)state;
	profile_free(m.p);
	values_free(m.values);
	m.p = p;
	m.values = values_of_run(p);
	m.e.profile = p;
	m.e.values = m.values;
	counters_free(m.counters);
	m.counters = counters_make(p, &all_frames, (char[64]){ 0 }, 64);
	assert_true(profile_add_frame(p, 1, 200, 800, FRAME_BOUNDED));
	assert_true(profile_add_frame(p, 2, 2000, 800, FRAME_BOUNDED));
	assert_true(profile_add_frame(p, 4, 4500, 800, FRAME_BOUNDED));
	for (int i = 0; i < 5; i++)
		assert_true(profile_add_instant(p, outside[i], 0, PROFILE_NONE, "o", false));
	assert_true(profile_add_instant(p, 201, 0, PROFILE_NONE, "in", false));
	assert_true(profile_add_instant(p, 3500, 0, PROFILE_NONE, "in 3, or not", false));
	text = printed(&m, as_text);
	assert_non_null(strstr(text, "outside frames:\n    TIME  THREAD  KIND  EVENT OR NOTE\n1.300 µs  main    note  o\n\n"
				     "after the newest frame:\n    TIME  THREAD  KIND  EVENT OR NOTE\n5.301 µs"));
	free(text);
	m.e.asked = m.e.count = 0;
	m.e.whole_run = true;
	text = printed(&m, as_text);
	assert_non_null(strstr(text, "outside frames:\n    TIME  THREAD  KIND  EVENT OR NOTE\n"
				     "   50 ns  main    note  o\n  200 ns  main    note  o\n"
				     "1.300 µs  main    note  o\n\n"
				     "after the newest frame:\n    TIME  THREAD  KIND  EVENT OR NOTE\n"
				     "5.301 µs  main    note  o\n5.400 µs  main    note  o\n\n"));
	assert_null(strstr(text, "in"
				 " 3"));
	free(text);
	text = printed(&m, as_json);
	assert_non_null(strstr(text, "\"tick\":5400"));
	assert_null(strstr(text, "3500"));
	free(text);
	fini(&m);
}

/* Text and JSON of a window of time, ticks 201 to 1500, have its events alone,
 * also those that are in no frame. */
static void what_happened_is_of_the_window_alone(void **state)
{
	struct made m = make(all_frames);
	char *text;

	(void)state;
	assert_true(profile_add_instant(m.p, 3001, 0, PROFILE_NONE, "behind", false));
	m.e.asked = 0;
	m.e.whole_run = true;
	m.e.from = 200;
	m.e.to = 1500;
	text = printed(&m, as_text);
	assert_non_null(strstr(text, "    1  +0.300 µs  main    event  jump ×3\n"));
	assert_non_null(strstr(text, "loaded"));
	assert_null(strstr(text, "fall"));
	assert_null(strstr(text, "behind"));
	free(text);
	text = printed(&m, as_json);
	assert_non_null(strstr(text, "\"tick\":300"));
	assert_non_null(strstr(text, "loaded"));
	assert_null(strstr(text, "\"tick\":200,"));
	assert_null(strstr(text, "fall"));
	assert_null(strstr(text, "behind"));
	free(text);
	m.e.from = 2500;
	m.e.to = 3500;
	text = printed(&m, as_text);
	assert_non_null(strstr(text, "behind"));
	assert_null(strstr(text, "jump"));
	free(text);
	fini(&m);
}

static void what_happened_is_not_endless(void **state)
{
	struct made m = make(all_frames);
	char *text, note[32];
	unsigned lines = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(note, sizeof(note), "number %d", i);
		assert_true(profile_add_instant(m.p, 2002 + i / 2, 0, PROFILE_NONE, note, false));
	}
	text = printed(&m, as_text);
	for (const char *at = text; (at = strstr(at, "  note   ")); at++)
		lines++;
	assert_int_equal(lines, 38); /* two events are a line each */
	assert_non_null(strstr(text, "(964 events and notes before these or between them)\n"));
	assert_non_null(strstr(text, "event  jump ×5\n"));
	assert_non_null(strstr(text, "number 999\n"));
	assert_null(strstr(text, "number 961\n"));
	free(text);
	fini(&m);
}

/* As a view of its own: no list below it says the same again. CSV has names and texts in one column. */
static void events_are_a_table_too(void **state)
{
	struct made m = make(all_frames);
	struct bursts bursts;
	struct event_table t;
	char *text;

	(void)state;
	assert_true(bursts_of_seconds(&bursts, m.p, NULL, m.p->instant_count));
	event_table_init(&t, m.p, bursts);
	m.e.table = &t.table;
	text = printed(&m, as_csv);
	assert_non_null(strstr(text, "frame,time_ns,thread,kind,name,count\n1,100,main,event,jump,1\n"));
	assert_non_null(strstr(text, "\n2,500,pool,note,\"loaded \"\"a\"\"\\x0A\",1\n"));
	free(text);
	text = printed(&m, as_text);
	assert_non_null(strstr(text, "    2  +0.500 µs  pool    note   loaded \"a\"\\x0A…\n"));
	assert_null(strstr(text, "outside frames:"));
	free(text);
	free(bursts.rows);
	fini(&m);
}

/* From frame 2 on into frame 3: CSV and JSON have the first of its events. */
static void a_burst_has_the_time_of_its_first_event(void **state)
{
	struct made m = make(all_frames);
	uint32_t evict = profile_add_event(m.p, "evict");
	struct bursts bursts;
	struct event_table t;
	char *text;

	(void)state;
	for (int i = 0; i < 40; i++)
		assert_true(profile_add_instant(m.p, 1990 + i, 0, evict, NULL, false));
	assert_true(bursts_of_seconds(&bursts, m.p, NULL, m.p->instant_count));
	event_table_init(&t, m.p, bursts);
	m.e.table = &t.table;
	text = printed(&m, as_csv);
	assert_non_null(strstr(text, "\n2,990,main,event,evict,40\n"));
	free(text);
	free(bursts.rows);
	fini(&m);
}

/* The last rows have the time since the run began; the first ones, in frames, that since the frame began. */
static void expect_times_on_the_screen(const struct profile *p)
{
	static const struct typed_look look = { .output = TABLE_SCREEN, .width = 100, .precision = -1 };
	static const char *const expected[] = { "00:01:34.039", "00:01:34.050", "00:01:34.051" };
	struct bursts bursts;
	struct event_table t;

	assert_true(bursts_of_seconds(&bursts, p, NULL, p->instant_count));
	event_table_init(&t, p, bursts);
	for (uint32_t row = 0, back = t.table.count; row < t.table.count; row++, back--) {
		struct typed_value v = typed_table_value(&t.table, &look, row, EVENT_TIME);
		char text[64];

		typed_table_text(&t.table, &look, &v, text, sizeof(text));
		typed_value_fini(&v);
		if (back <= 3)
			assert_string_equal(text, expected[3 - back]);
		else
			assert_int_equal(*text, '+');
	}
	free(bursts.rows);
}

/* After the first minute, a burst of two threads and two notes that come a millisecond apart. The burst has the times of its
 * first and last event. */
static void events_outside_frames_are_told_apart(void **state)
{
	struct made m = make(all_frames);
	uint32_t evict = profile_add_event(m.p, "evict");
	char *text;

	(void)state;
	m.p->ticks_per_s = 1000;
	m.p->first_tick = -90000;
	assert_true(profile_add_frame(m.p, 4, 4500, 800, FRAME_BOUNDED));
	for (int i = 0; i < 40; i++)
		assert_true(profile_add_instant(m.p, 4000 + i, i % 2, evict, NULL, false));
	assert_true(profile_add_instant(m.p, 4050, 0, PROFILE_NONE, "one", false));
	assert_true(profile_add_instant(m.p, 4051, 0, PROFILE_NONE, "two", false));
	text = printed(&m, as_text_of_80_cells);
	assert_non_null(strstr(text, "\n00:01:34.000 → 00:01:34.039  (several)  event  evict ×"));
	assert_non_null(strstr(text, "00:01:34.050  main       note   one\n"));
	assert_non_null(strstr(text, "00:01:34.051  main       note   two\n"));
	free(text);
	expect_times_on_the_screen(m.p);
	fini(&m);
}

/* The frame of its last event has not ended: it began in frame 3. */
static void a_burst_goes_on_behind_the_newest_frame(void **state)
{
	struct made m = make(all_frames);
	uint32_t evict = profile_add_event(m.p, "evict");
	char *text;

	(void)state;
	for (int i = 0; i < 40; i++)
		assert_true(profile_add_instant(m.p, 2990 + i, 0, evict, NULL, false));
	text = printed(&m, as_text);
	assert_non_null(strstr(text, "\n    3 "));
	assert_non_null(strstr(strstr(text, "\n    3 "), "evict ×"));
	free(text);
	fini(&m);
}

/* A second has 25 of one event, and more: it is one line, and pushes out nothing. One that is not so often leaves the
 * notes and what is rare their room. */
static void a_burst_is_one_line(void **state)
{
	struct made m = make(all_frames);
	uint32_t evict = profile_add_event(m.p, "evict"), often = profile_add_event(m.p, "often");
	char *text;

	(void)state;
	m.p->ticks_per_s = 24; /* so the three frames last for two minutes */
	for (int i = 0; i < 2000; i++)
		assert_true(profile_add_instant(m.p, 1501 + i / 2, i % 2, evict, NULL, false));
	for (int i = 0; i < 90; i++)
		assert_true(profile_add_instant(m.p, 2002 + i * 10, i % 2, often, NULL, false));
	text = printed(&m, as_text);
	assert_non_null(strstr(text, "2 → 3   +20.833 s  (several)  event  evict ×48/s  (2 000)\n"));
	assert_non_null(strstr(text, "loaded"));
	assert_non_null(strstr(text, "event  jump ×5\n"));
	assert_non_null(strstr(text, "often\n"));
	assert_non_null(strstr(text, " events and notes before these or between them)\n"));
	free(text);
	m.e.no_events = true;
	text = printed(&m, as_text);
	assert_non_null(strstr(text, "loaded"));
	assert_null(strstr(text, "event  "));
	free(text);
	text = printed(&m, as_json);
	assert_non_null(strstr(text, "loaded"));
	assert_null(strstr(text, "\"events\""));
	free(text);
	fini(&m);
}

/* JSON */

static yajl_val document(const struct made *m)
{
	char *text = printed(m, as_json);
	yajl_val tree = doc_parse(text);

	assert_null(strstr(text, ":inf"));
	assert_null(strstr(text, ":nan"));
	free(text);
	return tree;
}

static void a_burst_in_a_frame_is_written_once(void **state)
{
	struct made m = make(all_frames);
	uint32_t evict = profile_add_event(m.p, "evict"), few = profile_add_event(m.p, "few");
	yajl_val tree;

	(void)state;
	for (int i = 0; i < 40; i++)
		assert_true(profile_add_instant(m.p, 2010 + i, 0, evict, NULL, false));
	for (int i = 0; i < 24; i++)
		assert_true(profile_add_instant(m.p, 2100 + i, 0, few, NULL, false));
	tree = document(&m);
	assert_int_equal(doc_length(tree, "frames/2/events"), 25);
	assert_string_equal(doc_text(tree, "frames/2/events/0/name"), "evict");
	assert_string_equal(doc_digits(tree, "frames/2/events/0/count"), "40");
	assert_string_equal(doc_digits(tree, "frames/2/events/0/tick"), "2010");
	assert_string_equal(doc_digits(tree, "frames/2/events/0/ns"), "10");
	assert_string_equal(doc_digits(tree, "frames/2/events/0/last_ns"), "49");
	assert_string_equal(doc_text(tree, "frames/2/events/1/name"), "few");
	yajl_tree_free(tree);
	fini(&m);
}

static void frames_of_a_document(void **state)
{
	struct made m = make(all_frames);
	yajl_val tree = document(&m);

	(void)state;
	assert_int_equal(doc_length(tree, "frames/0/counters"), 2);
	assert_string_equal(doc_text(tree, "frames/0/counters/0/name"), "health, \"own\"");
	assert_string_equal(doc_digits(tree, "frames/0/counters/0/last"), "-9223372036854775808");
	assert_string_equal(doc_digits(tree, "frames/0/counters/0/max"), "9223372036854775807");
	assert_true(doc_real(tree, "frames/0/counters/1/last") == 0.1);
	assert_true(doc_real(tree, "frames/0/counters/1/min") == -DBL_MAX);
	assert_int_equal(doc_length(tree, "frames/1/counters"), 1);
	assert_true(YAJL_IS_NULL(doc_at(tree, "frames/1/counters/0/thread")));
	assert_int_equal(doc_length(tree, "frames/2/counters"), 2); /* health, and the heat of pool */
	assert_true(YAJL_IS_NULL(doc_at(tree, "frames/2/counters/1/last")));
	assert_true(doc_real(tree, "frames/2/counters/1/min") == 5e-324);
	assert_int_equal(doc_length(tree, "frames/0/events"), 5);
	assert_string_equal(doc_digits(tree, "frames/0/events/4/tick"), "500");
	assert_string_equal(doc_digits(tree, "frames/1/events/0/ns"), "1000");
	assert_string_equal(doc_text(tree, "frames/1/events/0/name"), "fall\\x1B[2J");
	assert_string_equal(doc_text(tree, "frames/1/notes/0/text"), "loaded \"a\"\\x0A");
	assert_true(YAJL_IS_TRUE(doc_at(tree, "frames/1/notes/0/cut")));
	assert_string_equal(doc_digits(tree, "frames/1/notes/0/thread"), "2");
	assert_string_equal(doc_text(tree, "frames/2/notes/0/text"), "");
	yajl_tree_free(tree);
	fini(&m);
}

/* The first frame of a document has all that is known by then. */
static void what_was_before_is_kept(void **state)
{
	struct made m = make(all_frames);
	yajl_val tree;

	(void)state;
	m.e.first = 1;
	m.e.count = 2;
	tree = document(&m);
	assert_int_equal(doc_length(tree, "frames/0/counters"), 3);
	assert_true(YAJL_IS_TRUE(doc_at(tree, "frames/0/counters/0/kept")));
	assert_string_equal(doc_digits(tree, "frames/0/counters/0/min"), "-9223372036854775808");
	assert_int_equal(doc_length(tree, "frames/1/counters"), 2);
	yajl_tree_free(tree);
	fini(&m);
}

static void rows_of_a_document(void **state)
{
	struct counter_options o = all_frames;
	struct made m;
	yajl_val tree;

	(void)state;
	o.to = 2000; /* what pool has is not known by then */
	m = make(o);
	tree = document(&m);
	assert_string_equal(doc_text(tree, "view"), "counters");
	assert_int_equal(doc_length(tree, "counters"), 4);
	assert_string_equal(doc_text(tree, "counters/1/name"), "heat");
	assert_string_equal(doc_text(tree, "counters/1/kind"), "real");
	assert_true(YAJL_IS_NULL(doc_at(tree, "counters/2/last")));
	assert_string_equal(doc_digits(tree, "counters/3/change"), "333333.3333333333");
	assert_true(doc_real(tree, "counters/3/rate") == 1e6 / 2e-6);
	yajl_tree_free(tree);
	fini(&m);
}

/* Values of the first frame and of the third; between them some were overwritten. */
static void least_and_most_with_a_gap_are_not_known(void **state)
{
	struct profile_change lost = { .tick = 1500, .lost = true };
	struct counter_options o = all_frames;
	struct made m = make(o);
	char why[128], least[8], most[8], *text;
	yajl_val tree;

	(void)state;
	assert_true(profile_add_change(m.p, 0, &lost));
	counters_free(m.counters);
	o.filter = "health";
	m.counters = counters_make(m.p, &o, why, sizeof(why));
	text = printed(&m, as_csv);
	assert_non_null(strstr(text, "\"health, \"\"own\"\"\",main,integer,12345,,,"));
	free(text);
	text = printed(&m, as_table);
	assert_int_equal(sscanf(text, "%*[^\n]\nhealth, \"own\" 12 345 %7s %7s", least, most), 2);
	assert_string_equal(least, "-");
	assert_string_equal(most, "-");
	free(text);
	tree = document(&m);
	assert_string_equal(doc_digits(tree, "counters/0/last"), "12345");
	assert_true(YAJL_IS_NULL(doc_at(tree, "counters/0/min")) && YAJL_IS_NULL(doc_at(tree, "counters/0/max")));
	yajl_tree_free(tree);
	fini(&m);
}

/* Two counters of one name, one of 3 and one of 3.0. */
static struct profile *namesakes(void)
{
	struct profile *p = dsl_profile("main . 1000 0\nframe 1 1000\nmain . 1000 0\n");

	change(p, profile_add_track(p, profile_add_counter(p, "load", false, false), 0, 0), 1000, whole(3), whole(3),
	       whole(3));
	change(p, profile_add_track(p, profile_add_counter(p, "load", true, false), 0, 0), 1000, real(3), real(-3),
	       real(3));
	return p;
}

static void the_kind_is_told(void **state)
{
	struct made m = { .p = namesakes() };
	struct counter_options o = { .from = 0, .to = 1000, .frames = 1, .sort = COUNTER_COLUMNS };
	char why[128], *text;
	yajl_val tree;

	(void)state;
	m.values = values_of_frames(m.p, 0, 1);
	m.counters = counters_make(m.p, &o, why, sizeof(why));
	m.e = (struct export){ .profile = m.p, .values = m.values, .count = 1, .asked = 1 };
	tree = document(&m);
	assert_string_equal(doc_text(tree, "frames/0/counters/0/kind"), "integer");
	assert_string_equal(doc_digits(tree, "frames/0/counters/0/last"), "3");
	assert_string_equal(doc_text(tree, "frames/0/counters/1/kind"), "real");
	assert_string_equal(doc_digits(tree, "frames/0/counters/1/last"), "3.0");
	assert_string_equal(doc_digits(tree, "frames/0/counters/1/min"), "-3.0");
	assert_string_equal(doc_digits(tree, "counters/1/last"), "3.0");
	assert_string_equal(doc_text(tree, "counters/1/kind"), "real");
	yajl_tree_free(tree);
	text = printed(&m, as_csv);
	assert_non_null(strstr(text, "load,main,integer,3,3,3,"));
	assert_non_null(strstr(text, "load,main,real,3.0,-3.0,3.0,"));
	free(text);
	fini(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table),
		cmocka_unit_test(nothing_to_show),
		cmocka_unit_test(comma_separated),
		cmocka_unit_test(what_happened),
		cmocka_unit_test(what_happened_outside_of_frames),
		cmocka_unit_test(what_happened_is_of_the_window_alone),
		cmocka_unit_test(what_happened_is_not_endless),
		cmocka_unit_test(events_are_a_table_too),
		cmocka_unit_test(a_burst_has_the_time_of_its_first_event),
		cmocka_unit_test(events_outside_frames_are_told_apart),
		cmocka_unit_test(a_burst_goes_on_behind_the_newest_frame),
		cmocka_unit_test(a_burst_is_one_line),
		cmocka_unit_test(a_burst_in_a_frame_is_written_once),
		cmocka_unit_test(frames_of_a_document),
		cmocka_unit_test(what_was_before_is_kept),
		cmocka_unit_test(the_kind_is_told),
		cmocka_unit_test(rows_of_a_document),
		cmocka_unit_test(least_and_most_with_a_gap_are_not_known),
	};

	return cmocka_run_group_tests_name("io: counters as documents", tests, NULL, NULL);
}
