/* SPDX-License-Identifier: MIT */
/* Layouts of a window on a report, as a live screen draws them again and again. */
#include <math.h>

#include "tests/model_dsl.h"

#include "model/table/spark.h"

#define GAME                                                                                       \
	"main .                 402000   0        0\n"                                             \
	"main render           2904000   1  2904000\n"                                             \
	"main ai                100000   1  3100000\n"                                             \
	"main ai/raycast       3000000 300    19000\n"                                             \
	"main physics            50000   1   462000\n"                                             \
	"main physics/raycast   412000 300     2900\n"

static struct report_options options(enum report_view view)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;

	o.view = view;
	return o;
}

static struct report *report_of(const char *text, const struct report_options *o)
{
	struct profile *p = dsl_profile(text);
	struct values *v = values_of_run(p);
	struct report *r = dsl_report(p, v, o);

	values_free(v);
	profile_free(p); /* a report stands for itself */
	return r;
}

static void expect_layout(struct layout *l, const char *expected)
{
	char *text;

	assert_non_null(l);
	text = dsl_lines(l);
	if (strcmp(text, expected) != 0)
		fail_msg("expected:\n%sgot:\n%s", expected, text);
	free(text);
	layout_free(l);
}

/* Windows */

static void a_window_has_its_rows_alone(void **state)
{
	struct report_options o = options(REPORT_SELF);
	struct report *r = report_of(GAME, &o);
	struct layout_widths w = { 0 };
	struct layout *l;

	(void)state;
	r->columns = 1u << COLUMN_ZONE | 1u << COLUMN_SELF | 1u << COLUMN_COUNT;
	l = layout_window(r, 60, true, 1, 2, &w);
	expect_layout(l, "  ZONE                          SELF ms v   COUNT\n"
			 "  render                            2.904       1\n"
			 "+ ai                                0.100       1\n");
	expect_layout(layout_window(r, 60, true, 4, UINT32_MAX, &w),
		      "  ZONE                          SELF ms v   COUNT\n"
		      "  (no zone)                         0.402       -\n");
	expect_layout(layout_window(r, 60, true, 5, 10, &w),
		      "  ZONE                          SELF ms v   COUNT\n");
	expect_layout(layout_window(r, 60, true, UINT32_MAX, UINT32_MAX, &w),
		      "  ZONE                          SELF ms v   COUNT\n");
	report_free(r);
}

/* Behind its entries, in the gap before what is next; at the right edge only where there is a cell left. */
static void a_star_stands_in_a_gap(void **state)
{
	struct report_options o = options(REPORT_SELF);
	struct layout_widths w = { 0 };
	struct report *r = report_of(GAME, &o);

	(void)state;
	r->sections[0].rows[0].costly = true;
	r->columns = 1u << COLUMN_ZONE | 1u << COLUMN_COUNT | 1u << COLUMN_FRAME;
	expect_layout(layout_window(r, 60, true, 0, 2, &w),
		      "  ZONE                           COUNT  %FRAME\n"
		      "  raycast                          600*  49.7%\n"
		      "  render                             1   42.3%\n");
	r->columns = 1u << COLUMN_ZONE | 1u << COLUMN_COUNT;
	expect_layout(layout_window(r, 39, true, 0, 1, &w),
		      "  ZONE                           COUNT\n"
		      "  raycast                          600*\n");
	expect_layout(layout_window(r, 38, true, 0, 1, &w),
		      "  ZONE                           COUNT\n"
		      "  raycast                          600\n");
	report_free(r);
}

static void a_window_is_of_the_first_section(void **state)
{
	struct report_options o = options(REPORT_SELF);
	struct layout_widths w = { 0 };
	struct report *r;

	(void)state;
	o.thread = THREADS_EACH;
	o.unit = UNIT_NS;
	r = report_of("main a 5 1\nother b 7 1\n", &o);
	assert_int_equal(r->section_count, 2);
	r->columns = 1u << COLUMN_ZONE | 1u << COLUMN_SELF;
	expect_layout(layout_window(r, 200, true, 0, 9, &w),
		      "  ZONE                          SELF ns v\n"
		      "  a                                     5\n"
		      "  (no zone)                             0\n");
	report_free(r);
}

static void numbers_stay_near_their_names(void **state)
{
	struct report_options o = options(REPORT_SELF);
	struct report *r = report_of(GAME, &o);
	struct layout_widths w = { 0 };
	struct layout *l = layout_window(r, 200, false, 0, 9, &w);

	(void)state;
	assert_int_equal(l->places[COLUMN_ZONE].x, 0);
	assert_in_range(l->places[COLUMN_SELF].x, 10, 40);
	layout_free(l);
	report_free(r);
}

static void what_is_sorted_by_goes_last(void **state)
{
	struct report_options o = options(REPORT_SELF);
	struct layout_widths w = { 0 };
	struct report *r;

	(void)state;
	o.sort = COLUMN_THREADS;
	o.filter = "raycast";
	r = report_of(GAME "pool raycast 5 1\n", &o);
	expect_layout(layout_window(r, 20, true, 0, 1, &w), "  ZONE         THR v\n"
							    "  raycast          2\n");
	expect_layout(layout_window(r, 32, true, 0, 1, &w), "  ZONE            SELF ms  THR v\n"
							    "  raycast           3.412      2\n");
	report_free(r);
}

/* Cell x of a line, where it is ASCII, is byte x. */
static void places_are_where_columns_stand(void **state)
{
	struct report_options o = options(REPORT_GRAPH);
	struct report *r;

	(void)state;
	o.zone = "raycast";
	r = report_of(GAME, &o);
	for (uint32_t width = 1; width < 140; width++) {
		struct layout_widths w = { 0 };
		struct layout *l = layout_window(r, width, true, 0, 9, &w);
		const char *titles = l->lines[0].text;

		for (enum column c = COLUMN_ZONE; c < COLUMNS; c++) {
			const struct layout_place *place = &l->places[c];
			const char *title = strstr(titles, report_columns[c].title);

			assert_int_equal(place->width > 0, l->columns >> c & 1);
			assert_true(place->x + place->width <= width);
			if (!place->width || c == COLUMN_ZONE)
				continue;
			assert_non_null(title);
			assert_in_range(title - titles, place->x, place->x + place->width - 1);
		}
		layout_free(l);
	}
	report_free(r);
}

/* Widths */

static struct report *report_of_one(const char *unit_less)
{
	struct report_options o = options(REPORT_SELF);
	char text[64];

	o.unit = UNIT_US;
	o.filter = "a";
	snprintf(text, sizeof(text), "main a %s 1\n", unit_less);
	return report_of(text, &o);
}

static uint32_t self_width(const char *ticks, struct layout_widths *w, uint32_t width)
{
	struct report *r = report_of_one(ticks);
	struct layout *l = layout_window(r, width, true, 0, 9, w);
	uint32_t cells = l->places[COLUMN_SELF].width;

	layout_free(l);
	report_free(r);
	return cells;
}

static void columns_grow_and_do_not_jump_back(void **state)
{
	struct layout_widths w = { 0 };

	(void)state;
	assert_int_equal(self_width("1000", &w, 100), strlen("SELF us v"));
	assert_int_equal(self_width("9999999000", &w, 100), strlen("9999999.000"));
	assert_int_equal(self_width("10000000000", &w, 100), strlen("10000000.000"));
	assert_int_equal(self_width("9999999000", &w, 100), strlen("10000000.000"));
	assert_int_equal(self_width("1000", &w, 100), strlen("10000000.000"));
	assert_int_equal(self_width("1000", &w, 101), strlen("SELF us v")); /* begun anew */
}

static void columns_shrink_after_a_long_while(void **state)
{
	struct layout_widths w = { 0 };
	int layouts = 1;

	(void)state;
	assert_int_equal(self_width("10000000000", &w, 100), strlen("10000000.000"));
	while (self_width("1000", &w, 100) > strlen("SELF us v"))
		layouts++;
	assert_in_range(layouts, TABLE_PATIENCE, 2 * TABLE_PATIENCE);
}

/* Units */

static void a_column_has_the_unit_that_suits_it(void **state)
{
	struct report_options o = options(REPORT_SELF);
	struct report *r;

	(void)state;
	o.filter = "leaf";
	r = report_of("main leaf 5000000 2000 9000\nmain . 95000000 0\n", &o);
	assert_int_equal(r->units[COLUMN_SELF], UNIT_MS);
	assert_int_equal(r->units[COLUMN_HIER], UNIT_MS);
	assert_int_equal(r->units[COLUMN_AVG], UNIT_US);
	assert_int_equal(r->units[COLUMN_MAX], UNIT_US);
	r->columns = 1u << COLUMN_ZONE | 1u << COLUMN_SELF | 1u << COLUMN_AVG | 1u << COLUMN_MAX;
	expect_layout(layout_make(r, 0, true),
		      "  ZONE        SELF ms v    AVG us    MAX us\n"
		      "  leaf            5.000     2.500     9.000\n");
	report_free(r);
	o.unit = UNIT_MS; /* as it was asked for */
	r = report_of("main leaf 5000000 2000 9000\n", &o);
	assert_int_equal(r->units[COLUMN_AVG], UNIT_MS);
	report_free(r);
}

/* One unit cannot show both: the long one decides. */
static void a_call_of_27_ns_stands_beside_one_of_300_ms(void **state)
{
	struct report_options o = options(REPORT_SELF);
	struct report *r;
	struct typed_look csv = { .output = TABLE_CSV, .precision = -1 };
	struct zone_table t;
	struct typed_value v;
	char text[32];

	(void)state;
	r = report_of("main slow 300000000 1 300000000\nmain fast 2700 100 40\n", &o);
	r->columns = 1u << COLUMN_ZONE | 1u << COLUMN_AVG | 1u << COLUMN_MAX;
	expect_layout(layout_make(r, 0, true),
		      "  ZONE          AVG ms    MAX ms\n"
		      "  slow         300.000   300.000\n"
		      "  fast          <0.001    <0.001\n"
		      "  (no zone)          -         -\n");
	zone_table_init(&t, NULL, r);
	v = typed_table_value(&t.table, &csv, 1, COLUMN_AVG);
	v.unit = UNIT_NS;
	typed_table_number(&t.table, &v, text, sizeof(text));
	assert_string_equal(text, "27.0");
	v.unit = UNIT_MS;
	typed_table_number(&t.table, &v, text, sizeof(text));
	assert_string_equal(text, "0.000");
	report_free(r);
}

static void zones_that_wait_choose_no_unit(void **state)
{
	struct profile *p = dsl_profile("main sleep 9000000000 1\nmain a 3000000 1000\nmain b 7000000 1000\n");
	struct report_options o = options(REPORT_SELF);
	struct values *v = values_of_run(p);
	struct report *r;

	(void)state;
	r = dsl_report(p, v, &o);
	assert_int_equal(r->units[COLUMN_AVG], UNIT_MS);
	report_free(r);
	profile_add_zone(p, "sleep", "", 0, ZONE_WAITING);
	r = dsl_report(p, v, &o);
	assert_int_equal(r->units[COLUMN_AVG], UNIT_US);
	report_free(r);
	values_free(v);
	profile_free(p);
}

static void a_unit_has_a_slack(void **state)
{
	const uint64_t s = 1000000000;

	(void)state;
	assert_int_equal(unit_for_many(200000, 200000, s, UNIT_AUTO), UNIT_MS);
	assert_int_equal(unit_for_many(90000, 90000, s, UNIT_AUTO), UNIT_US);
	assert_int_equal(unit_for_many(500, 500, s, UNIT_AUTO), UNIT_NS);
	assert_int_equal(unit_for_many(90000, 90000, s, UNIT_MS), UNIT_MS);
	assert_int_equal(unit_for_many(200000, 200000, s, UNIT_US), UNIT_US);
	assert_int_equal(unit_for_many(20000, 20000, s, UNIT_MS), UNIT_MS);
	assert_int_equal(unit_for_many(9999, 9999, s, UNIT_MS), UNIT_US);
	assert_int_equal(unit_for_many(500000, 500000, s, UNIT_US), UNIT_US);
	assert_int_equal(unit_for_many(9, 9, s, UNIT_US), UNIT_NS);
	assert_int_equal(unit_for_many(500, 203123, s, UNIT_AUTO), UNIT_US);
	assert_int_equal(unit_for_many(500, 9999, s, UNIT_NS), UNIT_NS);
	assert_int_equal(unit_for_many(500, 10000, s, UNIT_NS), UNIT_US);
	assert_int_equal(unit_for_many(500, 1000, s, UNIT_US), UNIT_US); /* the way back is ten times farther */
	assert_int_equal(unit_for_many(500, 999, s, UNIT_US), UNIT_US);  /* a held unit shows it in two digits */
	assert_int_equal(unit_for_many(5, 1000, s, UNIT_US), UNIT_US);
	assert_int_equal(unit_for_many(5, 999, s, UNIT_US), UNIT_NS);
	assert_int_equal(unit_for_many(2000, 9999999, s, UNIT_US), UNIT_US);
	assert_int_equal(unit_for_many(2000, 10000000, s, UNIT_US), UNIT_MS);
	assert_int_equal(unit_for_many(2000, 1000000, s, UNIT_MS), UNIT_MS);
	assert_int_equal(unit_for_many(2000, 999999, s, UNIT_MS), UNIT_US);
	assert_int_equal(unit_for_many(500, 99999999, s, UNIT_AUTO), UNIT_US); /* in ms half of the times would be nothing */
	assert_int_equal(unit_for_many(500, 100000000, s, UNIT_AUTO), UNIT_MS);
	assert_int_equal(unit_for_many(8570000, 52540117, s, UNIT_US), UNIT_MS); /* it was held, 9 cells wide */
	assert_int_equal(unit_for_many(2000, 2 * (int64_t)s, s, UNIT_AUTO), UNIT_MS);
	assert_int_equal(unit_for_many(2000, (int64_t)s / 50, s, UNIT_US), UNIT_MS);
	assert_int_equal(unit_for_many(2000, 2 * (int64_t)s, s, UNIT_US), UNIT_MS);
	assert_int_equal(unit_for_many(2000, 20 * (int64_t)s, s, UNIT_US), UNIT_MS);
	assert_int_equal(unit_for_many(INT64_MAX, INT64_MAX, s, UNIT_NS), UNIT_MS);
	assert_int_equal(unit_for_many(0, 0, s, UNIT_AUTO), UNIT_NS);
	assert_int_equal(unit_for_many(90000, 90000, s, UNIT_PCT), UNIT_US); /* a part of a whole is no unit of times */
}

static const char *avg_title_in(struct report_options o, const char *text, uint32_t width, bool average,
				struct layout_widths *w)
{
	struct report *r;
	struct layout *l;
	const char *found;

	o.filter = "leaf";
	r = report_of(text, &o);
	r->average = average;
	l = layout_window(r, width, false, 0, 9, w);
	found = strstr(l->lines[0].text, "AVG ms") ? "ms" : strstr(l->lines[0].text, "AVG µs") ? "us" : "?";
	layout_free(l);
	report_free(r);
	return found;
}

static const char *avg_title(const char *text, struct layout_widths *w)
{
	return avg_title_in(options(REPORT_SELF), text, 100, false, w);
}

/* In another terminal widths begin anew; asked for another unit, units do, too. Sums have their own. */
static void units_stay_where_widths_begin_anew(void **state)
{
	static const char some[] = "main leaf 9000000 100\n", more[] = "main leaf 20000000 100\n"; /* 90 and 200 µs */
	struct layout_widths w = { 0 };
	struct report_options o = options(REPORT_SELF);

	(void)state;
	assert_string_equal(avg_title(some, &w), "us");
	assert_string_equal(avg_title_in(o, more, 120, false, &w), "us");
	o.precision = 1;
	assert_string_equal(avg_title_in(o, more, 120, false, &w), "us");
	assert_string_equal(avg_title_in(o, more, 120, true, &w), "ms");
	assert_string_equal(avg_title_in(o, more, 120, false, &w), "us");
	assert_string_equal(avg_title_in(o, some, 120, true, &w), "ms");
	o.unit = UNIT_MS;
	assert_string_equal(avg_title_in(o, some, 120, true, &w), "ms");
	o.unit = UNIT_AUTO;
	assert_string_equal(avg_title_in(o, some, 120, true, &w), "us");
}

static void units_do_not_flip(void **state)
{
	struct layout_widths w = { 0 };

	(void)state;
	assert_string_equal(avg_title("main leaf 9000000 100\n", &w), "us");
	assert_string_equal(avg_title("main leaf 20000000 100\n", &w), "us"); /* of itself: ms */
	assert_string_equal(avg_title("main . 1 0\n", &w), "us");             /* no row at all */
	assert_string_equal(avg_title("main leaf 900000000 100\n", &w), "us");
	assert_string_equal(avg_title("main leaf 900000000000 100\n", &w), "ms");
	assert_string_equal(avg_title("main leaf 9000000 100\n", &w), "ms");
	assert_string_equal(avg_title("main leaf 500000 100\n", &w), "us");
}

/* A program that is in no zone yet: SELF holds its unit, and the other columns have nothing that asks for one. */
static void a_column_without_times_has_the_unit_of_self(void **state)
{
	struct layout_widths w = { 0 };

	(void)state;
	assert_string_equal(avg_title("main . 900000000 0\n", &w), "ms");
	assert_string_equal(avg_title("main . 1 0\n", &w), "ms"); /* of itself: ns */
	assert_string_equal(avg_title("main leaf 9000000 100\n", &w), "us");
}

/* Where a tree is of percents its columns differ with its direction: what had percents has times of its own then. */
static void percents_are_no_unit_that_stays(void **state)
{
	struct layout_widths w = { 0 };
	struct report_options o = options(REPORT_TREE);

	(void)state;
	o.unit = UNIT_PCT;
	for (int i = 0; i < 4; i++) {
		struct report *r;
		struct layout *l;

		o.bottom_up = i % 2 == 0;
		r = report_of("main . 1000000 0\nmain leaf 9000000 100 90000\n", &o);
		l = layout_window(r, 200, false, 0, 9, &w);
		assert_int_equal(!strstr(l->lines[0].text, "MAX µs"), o.bottom_up);
		assert_null(strstr(l->lines[0].text, "MAX %"));
		layout_free(l);
		report_free(r);
	}
}

/* Trends */

static void expect_spark(const int64_t *values, uint32_t count, uint32_t per_cell, uint32_t cells,
			 bool ascii, const char *expected)
{
	char text[SPARK_SIZE(32)];
	size_t length = spark_draw(values, count, per_cell, cells, ascii, text);

	assert_int_equal(length, strlen(text));
	assert_string_equal(text, expected);
}

static void sparks(void **state)
{
	static const int64_t steps[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	static const int64_t rare[] = { 0, 1, 0, 0, 1000000, 0, 5, 0 };
	static const int64_t huge[] = { INT64_MAX, INT64_MAX / 2, -5 };

	(void)state;
	expect_spark(steps, 9, 1, 9, false, " ▁▂▃▄▅▆▇▇");
	expect_spark(steps, 8, 1, 8, true, " .:-=+*#");
	expect_spark(rare, 8, 4, 2, false, "▁▇"); /* the most of four; more than nothing is seen */
	expect_spark(rare, 8, 4, 4, true, "  .#");
	expect_spark(steps + 1, 3, 2, 3, true, " -#"); /* cells end with the newest */
	expect_spark(steps, 9, 1, 2, false, "▇▇"); /* the oldest have no room */
	expect_spark(huge, 3, 1, 3, false, "▇▄ ");
	expect_spark(rare, 1, 1, 3, false, "   ");
	expect_spark(rare, 0, 4, 3, true, "   ");
}

#define FRAMES 40

/* Frame n: a takes n, b is quiet but in every 10th. */
static struct profile *profile_of_frames(void)
{
	char text[FRAMES * 96 + 1] = "";
	int length = 0;

	for (int n = 1; n <= FRAMES; n++)
		length += sprintf(text + length,
				  "frame %d 1000\nmain . 1 0\nmain a %d 1\nmain b %d 1\n", n, n,
				  n % 10 ? 0 : 7);
	return dsl_profile(text);
}

struct trends {
	struct profile *p;
	struct values *v;
	struct keys *k;
	struct trend *t;
};

static struct trends trends_of(struct profile *p)
{
	struct trends t = { .p = p, .v = values_of_last(p, FRAMES), .k = keys_new(false) };
	struct scope scope = { .keys = t.k, .threads = THREADS_ALL };
	struct tally tally;

	assert_true(keys_update(t.k, p));
	t.t = trend_new(t.k, THREADS_ALL, 0);
	assert_true(trend_reserve(t.t) && tally_init(&tally) && tally_reserve(&tally, p, t.k));
	for (uint32_t i = trend_first(t.t, p); i < p->frame_count; i++) {
		tally_frame(&tally, p, &scope, &p->frames[i]);
		trend_fold(t.t, &p->frames[i], &tally);
	}
	tally_fini(&tally);
	return t;
}

static void trends_free(struct trends *t)
{
	trend_free(t->t);
	keys_free(t->k);
	values_free(t->v);
	profile_free(t->p);
}

static void a_trend_is_a_column(void **state)
{
	struct trends t = trends_of(profile_of_frames());
	struct report_options o = options(REPORT_SELF);
	struct report *r;

	(void)state;
	o.keys = t.k;
	o.trend = t.t;
	o.unit = UNIT_NS;
	r = dsl_report(t.p, t.v, &o);
	r->columns &= 1u << COLUMN_ZONE | 1u << COLUMN_SELF | 1u << COLUMN_TREND;
	expect_layout(layout_make(r, 60, false), "  ZONE        SELF ns▼  TREND\n"
						 "  a                820  ▃▃▄▅▅▆▇▇\n"
						 "  b                 28  ▇ ▇  ▇ ▇\n"
						 "  (no zone)         40  ▇▇▇▇▇▇▇▇\n");
	expect_layout(layout_make(r, 120, true), "  ZONE        SELF ns v  TREND\n"
						 "  a                 820  :---===+++***###\n"
						 "  b                  28  #    #    #    #\n"
						 "  (no zone)          40  ################\n");
	report_free(r);
	trends_free(&t);
}

static void a_trend_is_not_in_batch(void **state)
{
	struct trends t = trends_of(profile_of_frames());
	struct report_options o = options(REPORT_SELF);
	struct report *r = dsl_report(t.p, t.v, &o);
	int64_t values[TREND_FRAMES];

	(void)state;
	assert_false(r->columns >> COLUMN_TREND & 1);
	assert_int_equal(report_trend(r, &r->sections[0].rows[0], values), 0);
	report_free(r);
	o.trend = t.t;
	o.keys = t.k;
	o.view = REPORT_TREE;
	r = dsl_report(t.p, t.v, &o);
	assert_false(r->columns >> COLUMN_TREND & 1);
	report_free(r);
	trends_free(&t);
}

static void sorted_by_trend(void **state)
{
	struct trends t = trends_of(dsl_profile("frame 1 100\nmain a 9 1\nmain b 20 1\n"
						"frame 2 100\nmain a 9 1\nmain c 8 1\n"
						"frame 3 100\nmain a 9 1\nmain c 8 1\n"));
	struct report_options o = options(REPORT_SELF);
	struct report *r;

	(void)state;
	o.keys = t.k;
	o.trend = t.t;
	o.unit = UNIT_NS;
	o.sort = COLUMN_TREND;
	r = dsl_report(t.p, t.v, &o);
	r->columns &= 1u << COLUMN_ZONE | 1u << COLUMN_SELF | 1u << COLUMN_TREND;
	expect_layout(layout_make(r, 60, true), "  ZONE         SELF ns  TREND v\n"
						"  b                 20         #\n"
						"  a                 27         #\n"
						"  c                 16         #\n"
						"  (no zone)          0\n");
	report_free(r);
	trends_free(&t);
}

static void no_zone_of_several_threads_has_no_trend(void **state)
{
	struct trends t = trends_of(dsl_profile("frame 1 100\nmain . 3 0\nmain a 9 1\n"
						"pool . 3 0\npool a 9 1\n"));
	struct report_options o = options(REPORT_SELF);
	struct report *r;

	(void)state;
	o.keys = t.k;
	o.trend = t.t;
	o.unit = UNIT_NS;
	r = dsl_report(t.p, t.v, &o);
	r->columns &= 1u << COLUMN_ZONE | 1u << COLUMN_SELF | 1u << COLUMN_TREND;
	expect_layout(layout_make(r, 60, true), "  ZONE        SELF ns v  TREND\n"
						"  a                  18         #\n"
						"  (no zone)           6  -\n");
	report_free(r);
	trends_free(&t);
}

static const struct layout_span *span_of(const struct layout_line *line, enum style_role role)
{
	for (uint32_t i = 0; i < line->span_count; i++)
		if (line->spans[i].role == role)
			return &line->spans[i];
	return NULL;
}

static void a_trend_is_drawn_as_a_bar(void **state)
{
	struct trends t = trends_of(profile_of_frames());
	struct report_options o = options(REPORT_HIER);
	struct layout_widths w = { 0 };
	struct report *r;
	struct layout *l;

	(void)state;
	o.keys = t.k;
	o.trend = t.t;
	r = dsl_report(t.p, t.v, &o);
	l = layout_window(r, 200, false, 0, 9, &w);
	assert_int_equal(l->places[COLUMN_TREND].width, 32);
	assert_non_null(span_of(&l->lines[1], STYLE_BAR));
	assert_int_equal(span_of(&l->lines[1], STYLE_BAR)->length, 32 * strlen("█"));
	layout_free(l);
	report_free(r);
	trends_free(&t);
}

/* A trend that hardly changes need not be seen. */
static void a_steady_trend_is_dim(void **state)
{
	struct trends t = trends_of(profile_of_frames());
	struct report_options o = options(REPORT_SELF);
	struct layout_widths w = { 0 };
	struct report *r;
	struct layout *l;

	(void)state;
	o.keys = t.k;
	o.trend = t.t;
	r = dsl_report(t.p, t.v, &o);
	l = layout_window(r, 200, false, 0, 9, &w);
	assert_non_null(span_of(&l->lines[1], STYLE_BAR)); /* a */
	assert_non_null(span_of(&l->lines[2], STYLE_BAR)); /* b */
	assert_null(span_of(&l->lines[3], STYLE_BAR));     /* (no zone) */
	layout_free(l);
	report_free(r);
	trends_free(&t);
}

/* `dust` is as restless as `work`, but takes a two-thousandth of the frame. */
static void heat_of_dust_fades(void **state)
{
	struct profile *p = profile_new();
	struct report_options o = options(REPORT_SELF);
	struct values *v;
	struct report *r;
	struct keys *k = keys_new(false);
	struct heat *h = heat_new(k, THREADS_ALL, AVERAGE_FAST);
	const struct report_row *rows;
	char frame[160], text[16];

	(void)state;
	for (int n = 1; n <= FRAMES; n++) {
		snprintf(frame, sizeof(frame), "frame %d 10000000\nmain . 8995000 0\nmain work %d 1\nmain dust %d 1\n", n,
			 n % 2 ? 500000 : 1500000, n % 2 ? 2500 : 7500);
		dsl_grow(p, frame);
	}
	assert_true(keys_update(k, p) && heat_update(h, p));
	v = values_of_last(p, FRAMES);
	o.keys = k;
	o.heat = h;
	o.by_size = true;
	r = dsl_report(p, v, &o);
	rows = r->sections[0].rows;
	assert_string_equal(rows[1].name, "work");
	assert_true(rows[1].heat > 0.9 && rows[1].heat == rows[1].values[COLUMN_HEAT].real);
	assert_string_equal(rows[2].name, "dust");
	assert_true(fabs(rows[2].values[COLUMN_HEAT].real - rows[1].heat) < 1e-9);
	assert_true(fabs(rows[2].heat - 0.05 * rows[1].heat) < 1e-9);
	report_text(r, &rows[2], COLUMN_HEAT, true, text, sizeof(text));
	assert_string_equal(text, ".");
	report_free(r);
	heat_free(h);
	keys_free(k);
	values_free(v);
	profile_free(p);
}

static void windows_never_exceed_the_width(void **state)
{
	struct trends t = trends_of(profile_of_frames());
	struct report_options o = options(REPORT_SELF);
	struct report *r;

	(void)state;
	o.keys = t.k;
	o.trend = t.t;
	r = dsl_report(t.p, t.v, &o);
	for (uint32_t width = 1; width < 210; width++) {
		for (int ascii = 0; ascii < 2; ascii++) {
			struct layout_widths w = { 0 };
			struct layout *l = layout_window(r, width, ascii, 0, 9, &w);

			for (uint32_t i = 0; i < l->count; i++)
				assert_true(text_width(l->lines[i].text) <= width);
			layout_free(l);
		}
	}
	report_free(r);
	trends_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_has_its_rows_alone),
		cmocka_unit_test(a_window_is_of_the_first_section),
		cmocka_unit_test(numbers_stay_near_their_names),
		cmocka_unit_test(what_is_sorted_by_goes_last),
		cmocka_unit_test(places_are_where_columns_stand),
		cmocka_unit_test(columns_grow_and_do_not_jump_back),
		cmocka_unit_test(columns_shrink_after_a_long_while),
		cmocka_unit_test(a_column_has_the_unit_that_suits_it),
		cmocka_unit_test(a_call_of_27_ns_stands_beside_one_of_300_ms),
		cmocka_unit_test(zones_that_wait_choose_no_unit),
		cmocka_unit_test(a_unit_has_a_slack),
		cmocka_unit_test(units_do_not_flip),
		cmocka_unit_test(a_column_without_times_has_the_unit_of_self),
		cmocka_unit_test(percents_are_no_unit_that_stays),
		cmocka_unit_test(units_stay_where_widths_begin_anew),
		cmocka_unit_test(sparks),
		cmocka_unit_test(a_trend_is_a_column),
		cmocka_unit_test(a_trend_is_not_in_batch),
		cmocka_unit_test(sorted_by_trend),
		cmocka_unit_test(no_zone_of_several_threads_has_no_trend),
		cmocka_unit_test(a_trend_is_drawn_as_a_bar),
		cmocka_unit_test(a_steady_trend_is_dim),
		cmocka_unit_test(heat_of_dust_fades),
		cmocka_unit_test(a_star_stands_in_a_gap),
		cmocka_unit_test(windows_never_exceed_the_width),
	};

	return cmocka_run_group_tests_name("model: layout", tests, NULL, NULL);
}
