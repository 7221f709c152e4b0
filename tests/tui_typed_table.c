/* SPDX-License-Identifier: MIT */
/*
 * typed_table: a made-up table with a column of each kind, printed by all five renderers. Nothing of the product knows it.
 * With the argument `page` it prints what the page would get of it, which tests/page_table reads.
 */
#include "io/export/export_table.h"
#include "io/json_table.h"
#include "tests/tui_lines.h"
#include "tui/widgets/table.h"

enum { NAME, WORDS, FLAG, SPARK, BAR, NUMBER, FRAME, COUNT, REAL, MEAN, RATE, TICKS, MEAN_TICKS, SHARE, NS, SPAN, SECONDS, AGE, BYTES,
       RATIO, HEAT, ALL };

static const struct table_column made_columns[ALL] = {
	[NAME] = { "WIDGET", .key = "widget", .kind = TYPED_NAME, .help = "Its name." },
	[WORDS] = { "WORDS", .key = "words", .kind = TYPED_WORDS, .importance = 2 },
	[FLAG] = { "FLAG", .key = "flag", .kind = TYPED_FLAG, .importance = 2 },
	[SPARK] = { "SPARK", .key = "spark", .kind = TYPED_SPARK, .importance = 2, .least = 4 },
	[BAR] = { "BAR", .key = "bar", .kind = TYPED_BAR, .importance = 2, .least = 4 },
	[NUMBER] = { "ID", .key = "id", .kind = TYPED_NUMBER, .importance = 2 },
	[FRAME] = { "FRAME", .key = "frame", .kind = TYPED_FRAME, .importance = 2 },
	[COUNT] = { "COUNT", .key = "count", .kind = TYPED_COUNT, .importance = 9, .sorts = true, .bounded = true },
	[REAL] = { "REAL", .key = "real", .kind = TYPED_REAL, .importance = 2 },
	[MEAN] = { "MEAN", .key = "mean", .kind = TYPED_MEAN, .importance = 2 },
	[RATE] = { "RATE", .key = "rate", .kind = TYPED_RATE, .importance = 2 },
	[TICKS] = { "TICKS", .key = "ticks", .kind = TYPED_TICKS, .importance = 8 },
	[MEAN_TICKS] = { "EACH", .key = "each", .kind = TYPED_MEAN_TICKS, .importance = 2 },
	[SHARE] = { "SHARE", .key = "share", .kind = TYPED_SHARE, .importance = 2 },
	[NS] = { "NS", .key = "cpu", .kind = TYPED_NS, .importance = 2 },
	[SPAN] = { "SPAN", .key = "span", .kind = TYPED_SPAN, .importance = 2 },
	[SECONDS] = { "LATE", .unit = "s", .key = "late", .kind = TYPED_SECONDS, .importance = 2 },
	[AGE] = { "AGE", .key = "age", .kind = TYPED_AGE, .importance = 2 },
	[BYTES] = { "BYTES", .key = "memory", .kind = TYPED_BYTES, .importance = 7 },
	[RATIO] = { "RATIO", .key = "ratio", .kind = TYPED_RATIO, .importance = 2 },
	[HEAT] = { "HEAT", .key = "heat", .kind = TYPED_HEAT, .importance = 2 },
};

static const int64_t made_series[] = { 1, 0, 8, 4 };

/* The first row has values, the second knows nothing, the third has less than it had before, and a lower bound. */
static void made_value(const struct typed_table *t, const struct typed_look *look, uint32_t row, uint32_t column,
		       struct typed_value *v)
{
	static const int64_t wholes[ALL] = { [FLAG] = 1, [NUMBER] = 4711, [FRAME] = 51882, [COUNT] = 1234567, [TICKS] = 2500000,
					     [SHARE] = 2500000, [NS] = 1500000, [SPAN] = 61500000000, [BYTES] = 1572864 };
	static const double reals[ALL] = { [BAR] = 1, [REAL] = 0.1, [MEAN] = 1234.5678, [RATE] = 48.0567, [MEAN_TICKS] = 2500000.5,
					  [SECONDS] = 2.25, [AGE] = 200, [RATIO] = 0.125, [HEAT] = 0.25 };

	(void)t;
	(void)look;
	v->state = row == 1 && column != NAME ? TYPED_UNKNOWN : TYPED_KNOWN;
	v->text = column == WORDS ? "a, \"b\"" : row == 0 ? "b\xc3\xa4r\n" : row == 1 ? "none" : "=less";
	v->whole = row == 2 ? -wholes[column] : wholes[column];
	v->real = row == 2 ? -reals[column] : reals[column];
	v->of = column == SHARE ? 10000000 : 0;
	v->series = made_series;
	v->series_count = 4;
	if (row == 2 && column == COUNT) {
		v->at_least = true;
		v->whole = 12;
	} else if (row == 2 && column == TICKS) {
		v->sign = true;
	} else if (row == 2 && column == BYTES) {
		v->has_before = true;
		v->before = 33554432;
		v->whole = 512;
	} else if (row == 2 && (column == NUMBER || column == FRAME || column == FLAG)) {
		v->whole = 0;
	} else if (row == 2 && column == SPAN) {
		v->sign = true;
		v->whole = 12340;
	}
}

static uint64_t made_id(const struct typed_table *t, uint32_t row)
{
	(void)t;
	return row + 1;
}

static bool made_matches(const struct typed_table *t, uint32_t row, const struct pattern *pattern)
{
	(void)t;
	return pattern_matches(pattern, row == 1 ? "none" : "other");
}

static void made_free(struct typed_table *t)
{
	free(t);
}

static const struct table_type made_type = {
	.key = "widgets", .name = "widgets", .columns = made_columns, .column_count = ALL, .value = made_value, .id = made_id,
	.matches = made_matches, .free = made_free,
};

static struct typed_table *made_table(void)
{
	struct typed_table *t = malloc(sizeof(*t));

	assert_non_null(t);
	typed_table_init(t, &made_type, 1000000000);
	t->count = 3;
	t->sorted = COUNT;
	t->descending = true;
	return t;
}

enum form { TEXT, NARROW, SPREADSHEET, JSON, PAGE };

static void print(struct typed_table *t, enum form form, FILE *out)
{
	struct json *j = form >= JSON ? json_begin(out) : NULL;

	if (!j) {
		assert_true(form == SPREADSHEET ? export_table_csv(t, true, out)
						: export_table_text(t, &(struct export_style){ .width = form == NARROW ? 70 : 0 }, out));
		return;
	}
	json_object(j, NULL);
	if (form == PAGE) {
		json_page_columns(j, "columns", t->type);
		json_page_rows(j, "rows", t, NULL);
	} else {
		json_table(j, t, NULL);
	}
	json_object_end(j);
	assert_true(json_end(j));
}

static void expect(enum form form, const char *expected)
{
	struct typed_table *t = made_table();
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	print(t, form, out);
	fclose(out);
	if (strcmp(text, expected) != 0) {
		fprintf(stderr, "expected:\n%sgot:\n%s", expected, text);
		fail();
	}
	free(text);
	free(t);
}

static void each_kind_has_a_column(void **state)
{
	(void)state;
	for (enum typed_kind kind = 0; kind <= TYPED_HEAT; kind++) {
		uint32_t c = 0;

		while (c < ALL && made_columns[c].kind != kind)
			c++;
		if (c == ALL)
			fail_msg("no column of kind %d", (int)kind);
	}
}

static void as_text(void **state)
{
	(void)state;
	expect(TEXT, "WIDGET   WORDS   FLAG  SPARK  BAR     ID  FRAME      COUNT  REAL   MEAN   RATE  TICKS ms  EACH ms   "
			"SHARE   NS ms        SPAN  LATE s     AGE           BYTES   RATIO    HEAT\n"
			"bär\\x0A  a, \"b\"  yes   ▁ ▇▄   ████  4711  51882  1 234 567   0.1   1235   48.1     2.500    2.500"
			"   25.0%   1.500    00:01:01     2.2   3 min         1.5 MiB   12.5%   0.250\n"
			"none     -       -     -      -        -      -          -     -      -      -         -        -   "
			"    -       -           -       -       -               -       -       -\n"
			"=less    a, \"b\"  no    ▁ ▇▄   ░░░░     0      0        ≥12  -0.1  -1235  -48.1    -2.500   -2.500 "
			" -25.0%  -1.500  +12.340 µs    -2.2  -200 s  32 MiB → 512 B  -12.5%  -0.250\n"
			"\n");
}

static void as_csv(void **state)
{
	(void)state;
	expect(SPREADSHEET, "widget,words,flag,id,frame,count,count_at_least,real,mean,rate,ticks_ns,each_ns,share_ns,cpu_ns,span"
			"_ns,late_s,age_s,memory_bytes,ratio_pct,heat\n"
			"bär\\x0A,\"a, \"\"b\"\"\",1,4711,51882,1234567,0,0.1,1234.5678,48.0567,2500000,2500000.5,2500000,150"
			"0000,61500000000,2.25,200.0,1572864,12.5,0.25\n"
			"none,,,,,,,,,,,,,,,,,,,\n"
			"'=less,\"a, \"\"b\"\"\",0,0,0,12,1,-0.1,-1234.5678,-48.0567,-2500000,-2500000.5,-2500000,-1500000,12"
			"340,-2.25,-200.0,512,-12.5,-0.25\n");
}

static void as_json(void **state)
{
	(void)state;
	expect(JSON, "{\"widgets\":[\n"
			"{\"widget\":\"bär\\\\x0A\",\"words\":\"a, \\\"b\\\"\",\"flag\":true,\"spark\":[1,0,8,4],\"bar\":1,\""
			"id\":4711,\"frame\":51882,\"count\":1234567,\"count_at_least\":false,\"real\":0.1,\"mean\":1234.5678"
			",\"rate\":48.0567,\"ticks\":2500000,\"ticks_ns\":2500000,\"each\":2500000.5,\"each_ns\":2500000.5,\""
			"share\":2500000,\"share_ns\":2500000,\"cpu\":1500000,\"span\":61500000000,\"span_ns\":61500000000,\""
			"late\":2.25,\"age\":200,\"memory\":1572864,\"ratio\":0.125,\"heat\":0.25}\n"
			",{\"widget\":\"none\",\"words\":null,\"flag\":null,\"spark\":null,\"bar\":null,\"id\":null,\"frame\""
			":null,\"count\":null,\"real\":null,\"mean\":null,\"rate\":null,\"ticks\":null,\"ticks_ns\":null,\"ea"
			"ch\":null,\"each_ns\":null,\"share\":null,\"share_ns\":null,\"cpu\":null,\"span\":null,\"span_ns\":n"
			"ull,\"late\":null,\"age\":null,\"memory\":null,\"ratio\":null,\"heat\":null}\n"
			",{\"widget\":\"=less\",\"words\":\"a, \\\"b\\\"\",\"flag\":false,\"spark\":[1,0,8,4],\"bar\":-1,\"id"
			"\":0,\"frame\":0,\"count\":12,\"count_at_least\":true,\"real\":-0.1,\"mean\":-1234.5678,\"rate\":-48"
			".0567,\"ticks\":-2500000,\"ticks_ns\":-2500000,\"each\":-2500000.5,\"each_ns\":-2500000.5,\"share\":"
			"-2500000,\"share_ns\":-2500000,\"cpu\":-1500000,\"span\":12340,\"span_ns\":12340,\"late\":-2.25,\"ag"
			"e\":-200,\"memory\":512,\"ratio\":-0.125,\"heat\":-0.25}]\n"
			"}\n");
}

/* Drawn at that width. The cursor is on the first row. */
static void expect_screen(int width, bool ascii, const char *expected)
{
	struct look look = { .width = (uint32_t)width, .ascii = ascii, .precision = -1 };
	struct canvas c = { 0 };
	struct table t = { 0 };

	lines_begin(&c, width, 4, ascii);
	table_take(&t, made_table());
	assert_int_equal(table_count(&t), 3);
	assert_int_equal(table_sorted(&t), COUNT);
	assert_string_equal(table_title(&t, COUNT), "COUNT");
	assert_null(table_title(&t, BYTES));
	table_draw(&t, &look, &c, (struct area){ 0, 0, width, 4 });
	lines_expect(&c, expected);
	table_fini(&t);
	canvas_fini(&c);
}

static void on_the_screen(void **state)
{
	(void)state;
	expect_screen(200, false, "  WIDGET   WORDS   FLAG  SPARK  BAR     ID   FRAME     COUNT▼  REAL   MEAN   RATE  TICKS ms  EACH ms"
			"   SHARE   NS ms      SPAN  LATE s     AGE         BYTES   RATIO    HEAT\n"
			"> bär\\x0A  a, \"b\"  yes   ▁ ▇▄   ████  4711  51 882  1 234 567   0.1   1235   48.1     2.500    2."
			"500   25.0%   1.500  00:01:01     2.2   3 min       1.5 MiB   12.5%   0.250\n"
			"  none     -       -     -      -        -       -          -     -      -      -         -        -"
			"       -       -         -       -       -             -       -       -\n"
			"  =less    a, \"b\"  no    ▁ ▇▄   ░░░░     0       0        ≥12  −0.1  −1235  −48.1    −2.500   −2.5"
			"00  −25.0%  −1.500  +12.3 µs    −2.2  −200 s  32 MiB→512 B  −12.5%  −0.250\n");
}

/* The least important columns go first; the one that rows are sorted by stays. */
static void on_a_narrow_screen(void **state)
{
	(void)state;
	expect_screen(50, true, "  WIDGET          COUNT v  TICKS ms          BYTES\n"
			"> b\\xC3\\xA4...  1 234 567     2.500        1.5 MiB\n"
			"  none                  -         -              -\n"
			"  =less              >=12    -2.500  32 MiB->512 B\n");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_has_a_column),
		cmocka_unit_test(as_text),
		cmocka_unit_test(as_csv),
		cmocka_unit_test(as_json),
		cmocka_unit_test(on_the_screen),
		cmocka_unit_test(on_a_narrow_screen),
	};

	if (argc > 1 && !strcmp(argv[1], "page")) {
		struct typed_table *t = made_table();

		print(t, PAGE, stdout);
		free(t);
		return 0;
	}
	return cmocka_run_group_tests_name("typed table: five renderers", tests, NULL, NULL);
}
