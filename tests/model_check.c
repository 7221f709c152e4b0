/* SPDX-License-Identifier: MIT */
/* Conditions of frames: their text, what is wrong with it and where, and whether profiles meet them. */
#include "tests/model_dsl.h"
#include "tests/model_random.h"

#include <math.h>

#include "model/stats/check.h"
#include "model/stats/zone_stats.h"

/* Texts */

static const struct {
	const char *text;
	const char *zone;
	enum check_measure measure;
	enum check_stat stat;
	uint32_t rank;
	enum check_op op;
	int64_t limit;
} good[] = {
	{ "p99<16.7ms", NULL, CHECK_FRAME, CHECK_RANK, 99000000, CHECK_BELOW, 16700000000 },
	{ "  p99 \t<=\n16.7 ms ", NULL, CHECK_FRAME, CHECK_RANK, 99000000, CHECK_AT_MOST, 16700000000 },
	{ "p99.9>1ns", NULL, CHECK_FRAME, CHECK_RANK, 99900000, CHECK_ABOVE, 1000 },
	{ "p0.000001>=1ns", NULL, CHECK_FRAME, CHECK_RANK, 1, CHECK_AT_LEAST, 1000 },
	{ "p100<.5s", NULL, CHECK_FRAME, CHECK_RANK, 100000000, CHECK_BELOW, 500000000000 },
	{ "p50.<5.us", NULL, CHECK_FRAME, CHECK_RANK, 50000000, CHECK_BELOW, 5000000 },
	{ "median<1.25µs", NULL, CHECK_FRAME, CHECK_RANK, 50000000, CHECK_BELOW, 1250000 },
	{ "min<2μs", NULL, CHECK_FRAME, CHECK_MIN, 0, CHECK_BELOW, 2000000 },
	{ "max<0.001ns", NULL, CHECK_FRAME, CHECK_MAX, 0, CHECK_BELOW, 1 },
	{ "mean<9000000s", NULL, CHECK_FRAME, CHECK_MEAN, 0, CHECK_BELOW, 9000000000000000000 },
	{ "max<0s", NULL, CHECK_FRAME, CHECK_MAX, 0, CHECK_BELOW, 0 },
	{ "zone raycast p95<3ms", "raycast", CHECK_HIER, CHECK_RANK, 95000000, CHECK_BELOW, 3000000000 },
	{ "zone raycast self p95<3ms", "raycast", CHECK_SELF, CHECK_RANK, 95000000, CHECK_BELOW, 3000000000 },
	{ "zone raycast hier max>3ms", "raycast", CHECK_HIER, CHECK_MAX, 0, CHECK_ABOVE, 3000000000 },
	{ "zone raycast count max<=3", "raycast", CHECK_COUNT, CHECK_MAX, 0, CHECK_AT_MOST, 3000 },
	{ "zone raycast count mean<2.125", "raycast", CHECK_COUNT, CHECK_MEAN, 0, CHECK_BELOW, 2125 },
	{ "zone self self max<1s", "self", CHECK_SELF, CHECK_MAX, 0, CHECK_BELOW, 1000000000000 },
	{ "zone zone max<1s", "zone", CHECK_HIER, CHECK_MAX, 0, CHECK_BELOW, 1000000000000 },
	{ "zone operator< max<1s", "operator<", CHECK_HIER, CHECK_MAX, 0, CHECK_BELOW, 1000000000000 },
	{ "zone map<a,b>::at max<1s", "map<a,b>::at", CHECK_HIER, CHECK_MAX, 0, CHECK_BELOW, 1000000000000 },
	{ "zone \"load level@a.c:3\" max<1s", "load level@a.c:3", CHECK_HIER, CHECK_MAX, 0, CHECK_BELOW, 1000000000000 },
	{ "zone 'it is \"it\"'max<1s", "it is \"it\"", CHECK_HIER, CHECK_MAX, 0, CHECK_BELOW, 1000000000000 },
};

static void conditions_are_understood(void **state)
{
	char why[256];
	uint32_t count;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		struct check_condition *c = check_parse(good[i].text, &count, why, sizeof(why));

		if (!c)
			fail_msg("%s: %s", good[i].text, why);
		if (count != 1 || c->measure != good[i].measure || c->stat != good[i].stat || c->rank != good[i].rank ||
		    c->op != good[i].op || c->limit != good[i].limit)
			fail_msg("%s: %u of measure %d, stat %d, rank %u, op %d, limit %lld", good[i].text, count,
				 (int)c->measure, (int)c->stat, c->rank, (int)c->op, (long long)c->limit);
		if (good[i].zone)
			assert_string_equal(c->zone, good[i].zone);
		else
			assert_null(c->zone);
		check_forget(c, count);
	}
}

static const struct {
	const char *text, *why; /* what it begins with */
} bad[] = {
	{ "", "at the end: a condition begins with" },
	{ "  ", "at the end: a condition begins with" },
	{ "q99<1ms", "at character 1, 'q99': a condition begins with" },
	{ "p<1ms", "at character 1, 'p': a condition begins with" },
	{ "p9x<1ms", "at character 1, 'p9x': a percentile is p and a number" },
	{ "p.<1ms", "at character 1, 'p.': a percentile is p and a number" },
	{ "p0<1ms", "at character 1, 'p0': a percentile is above 0" },
	{ "p100.1<1ms", "at character 1, 'p100.1': a percentile is 100 at most" },
	{ "p99.1234567<1ms", "at character 1, 'p99.1234567': a percentile has six decimals" },
	{ "p99999999999999999999<1ms", "at character 1, 'p99999999999999999999': a percentile is p" },
	{ "p99", "at the end: expected one of < <= > >=" },
	{ "p99 1ms", "at character 5, '1ms': expected one of < <= > >=" },
	{ "p99=1ms", "at character 4, '=': expected one of < <= > >=" },
	{ "p99<<1ms", "at character 4, '<<': expected one of < <= > >=" },
	{ "p99=<1ms", "at character 4, '=<': expected one of < <= > >=" },
	{ "p99<", "at the end: expected a number" },
	{ "p99<ms", "at character 5, 'ms': expected a number" },
	{ "p99<-1ms", "at character 5, '-1ms': expected a number" },
	{ "p99<1", "at the end: a time needs its unit" },
	{ "p99<1e3", "at character 6, 'e3': a time needs its unit" },
	{ "p99<1min", "at character 6, 'min': a time needs its unit" },
	{ "p99<1.2.3ms", "at character 8, '.3ms': a time needs its unit" },
	{ "p99<1 µ", "at character 7, 'µ': a time needs its unit" },
	{ "p99<0.0001ns", "at character 5, '0.0001': the number is finer than" },
	{ "p99<9999999999s", "at character 5, '9999999999': the number is too large" },
	{ "p99<1ms max<2ms", "at character 9, 'max': separate conditions by a comma" },
	{ "p99<1ms,", "at the end: a condition begins with" },
	{ "p99<1ms,,max<1ms", "at character 9, ',': a condition begins with" },
	{ "zone", "at the end: a zone's name has to follow" },
	{ "zone ''max<1ms", "at character 7, '': a zone's name has to follow" },
	{ "zone a", "at the end: after the zone, write self, hier or count" },
	{ "zone a self", "at the end: after the zone, write self, hier or count" },
	{ "zone a own 1ms", "at character 8, 'own': after the zone, write self, hier or count" },
	{ "zone \"a b max<1ms", "at character 6, '\"a b max<1ms': the closing quote is missing" },
	{ "zone größe own<1", "at character 12, 'own'" },
	{ "zone a count max<3ms", "at character 19, 'ms': a count has no unit" },
	{ "zone a count max<0.0001", "at character 18, '0.0001': the number is finer than a thousandth of an entry" },
	{ "\033[31m<1ms", "at character 1, '\\x1B[31m': a condition" },
};

static void what_is_wrong_is_said_with_its_place(void **state)
{
	char why[256];
	uint32_t count;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (check_parse(bad[i].text, &count, why, sizeof(why)))
			fail_msg("'%s' is understood", bad[i].text);
		if (strncmp(why, bad[i].why, strlen(bad[i].why)) != 0)
			fail_msg("'%s':\n%s\nand not\n%s", bad[i].text, why, bad[i].why);
	}
}

static void several_conditions(void **state)
{
	char text[CHECK_CONDITIONS * 10 + 10] = "", why[256];
	struct check_condition *c;
	uint32_t count;

	(void)state;
	c = check_parse("p99<16.7ms , zone a count max<3,min>1us", &count, why, sizeof(why));
	assert_non_null(c);
	assert_int_equal(count, 3);
	assert_string_equal(c[1].zone, "a");
	assert_int_equal(c[2].stat, CHECK_MIN);
	check_forget(c, count);
	for (uint32_t i = 0; i < CHECK_CONDITIONS; i++)
		strcat(text, i ? ",max<1s" : "max<1s");
	c = check_parse(text, &count, why, sizeof(why));
	assert_int_equal(count, CHECK_CONDITIONS);
	check_forget(c, count);
	strcat(text, ",max<1s");
	assert_null(check_parse(text, &count, why, sizeof(why)));
}

/* Pieces of conditions one behind the other, some behind a whole one, and bytes between them: it is understood, or
 * said why not. */
static void any_text_is_understood_or_refused(void **state)
{
	static const char *const pieces[] = {
		"zone ", "a", " self ", " hier ", " count ", "p99", "p", "max", "mean", "<", "<=", ">", ",", " ", "1",
		".", "99999999999999999999", "ms", "s", "µs", "\"", "'", "\xff", "\xc2", "\033", "\\", "@f.c:1",
		"p0.0000000000000000000000001",
	};
	char text[512], why[64];
	uint32_t count, understood = 0;

	(void)state;
	random_state = 3;
	for (int round = 0; round < 20000; round++) {
		size_t length = 0;
		uint32_t many = random_below(round & 1 ? 2 : 12);
		struct check_condition *c;

		*text = '\0';
		if (round & 1)
			length = (size_t)snprintf(text, sizeof(text), "%s",
						  good[random_below(sizeof(good) / sizeof(*good))].text);
		for (uint32_t i = 0; i < many; i++) {
			const char *piece = pieces[random_below(sizeof(pieces) / sizeof(*pieces))];

			length += (size_t)snprintf(text + length, sizeof(text) - length, "%s", piece);
		}
		if (length && random_below(4) == 0)
			text[random_below((uint32_t)length)] = (char)(1 + random_below(255));
		*why = '\0';
		c = check_parse(text, &count, why, 1 + random_below(sizeof(why)));
		if (c) {
			understood++;
			for (uint32_t i = 0; i < count; i++)
				assert_true(c[i].limit >= 0 && c[i].rank <= 100000000);
			check_forget(c, count);
		}
	}
	assert_in_range(understood, 1000, 19000);
}

/* Judging */

static struct check *check_of(const char *text, const struct profile *p)
{
	char why[256] = "";
	struct check *c = check_new(text, false, why, sizeof(why));

	if (!c || !check_find(c, p, why, sizeof(why)))
		fail_msg("%s: %s", text, why);
	for (uint32_t i = 0; i < p->frame_count; i++)
		check_add(c, p, &p->frames[i]);
	return c;
}

static bool holds(const struct profile *p, const char *text, uint64_t n)
{
	struct check *c = check_of(text, p);
	bool met;

	assert_true(check_judge(c, p->ticks_per_s, n, 0));
	assert_int_not_equal(c->verdict, CHECK_NOT_KNOWN);
	met = c->verdict == CHECK_HOLDS;
	check_free(c);
	return met;
}

static void expect(const struct profile *p, const char *text, bool expected)
{
	if (holds(p, text, UINT64_MAX) != expected)
		fail_msg("%s is %d", text, !expected);
}

/* Five frames of a game: ray is called by ai and by itself. */
static struct profile *game(void)
{
	return dsl_profile("frame 1 100\nmain . 40 0\nmain ai 20 1\nmain ai/ray 30 3\nmain ai/ray/ray 10 2\npool ray 5 1\n"
			   "frame 2 110\nmain . 110 0\n"
			   "frame 3 120\nmain . 60 0\nmain ai 20 1\nmain ai/ray 40 4\n"
			   "frame 4 130\nmain . 70 0\nmain ai 20 1\nmain ai/ray 40 4\n"
			   "frame 5 200\nmain . 100 0\nmain ai 20 1\nmain ai/ray 80 8\n");
}

static void lengths_of_frames(void **state)
{
	struct profile *p = game();

	(void)state;
	expect(p, "min<=100ns", true);
	expect(p, "min<100ns", false);
	expect(p, "median<=120ns, median>=120ns", true);
	expect(p, "p60<=120ns", true);
	expect(p, "p60.1<=120ns", false);
	expect(p, "p80<=130ns", true);
	expect(p, "p80.000001>=200ns", true);
	expect(p, "p100>=200ns", true);
	expect(p, "p0.000001<=100ns", true);
	expect(p, "mean>=132ns, mean<=132ns", true);
	expect(p, "mean<132.001ns", true);
	expect(p, "mean<132ns", false);
	expect(p, "max>199.999ns", true);
	expect(p, "max>0.0002ms", false);
	expect(p, "max<1s, min>1s", false);
	profile_free(p);
}

/* Each node counts once, however often the zone stands in its stack; where it has no time it counts as 0. */
static void zones_in_frames(void **state)
{
	struct profile *p = game();

	(void)state;
	expect(p, "zone ray min<=0ns", true);
	expect(p, "zone ray self max>=80ns, zone ray self max<=80ns", true);
	expect(p, "zone ray self p60<=40ns, zone ray self p80<=45ns, zone ray self p80>=45ns", true);
	expect(p, "zone ai hier max<=100ns, zone ai hier max>=100ns", true);
	expect(p, "zone ai max>=100ns", true);
	expect(p, "zone ai self max<=20ns, zone ai self min<=0ns", true);
	expect(p, "zone ray count max<=8, zone ray count mean>=4.4, zone ray count mean<=4.4", true);
	expect(p, "zone ray count mean<4.4", false);
	profile_free(p);
}

static void threads_that_are_chosen(void **state)
{
	struct profile *p = game();
	struct check *c;
	char why[256];

	(void)state;
	c = check_new("zone ray max<=5ns, zone ray max>=5ns", false, why, sizeof(why));
	c->threads = 1;
	assert_true(check_find(c, p, why, sizeof(why)));
	for (uint32_t i = 0; i < p->frame_count; i++)
		assert_int_equal(check_add(c, p, &p->frames[i]), CHECK_TAKEN);
	assert_true(check_judge(c, p->ticks_per_s, 100, 0));
	assert_int_equal(c->verdict, CHECK_HOLDS);
	assert_int_equal(c->judged, 5);
	check_free(c);
	profile_free(p);
}

static void the_newest_frames(void **state)
{
	struct profile *p = game();

	(void)state;
	assert_true(holds(p, "min>=200ns", 1));
	assert_false(holds(p, "min>=200ns", 2));
	assert_true(holds(p, "min>=130ns", 2));
	profile_free(p);
}

/* Values older than the newest `most` are dropped meanwhile. */
static void few_are_kept_of_many(void **state)
{
	struct profile *p = profile_new();
	struct check *c;
	char why[256];

	(void)state;
	c = check_new("max<=1000ns, min>=991ns, median>=995ns, median<=995ns", false, why, sizeof(why));
	c->most = 10;
	for (uint64_t n = 1; n <= 1000; n++) {
		dsl_frame(p, n, (int64_t)n);
		assert_int_equal(check_add(c, p, &p->frames[n - 1]), CHECK_TAKEN);
	}
	assert_int_equal(c->frames, 1000);
	assert_true(check_judge(c, p->ticks_per_s, 10, 0));
	assert_int_equal(c->verdict, CHECK_HOLDS);
	assert_int_equal(c->judged, 10);
	check_free(c);
	profile_free(p);
}

static void frames_that_are_none(void **state)
{
	struct profile *p = game();
	struct check *c = check_of("min>=110ns, max<=200ns", p);

	(void)state;
	p->frames[0].flags |= FRAME_DISCARDED;
	p->frames[2].length = 0;
	check_free(c);
	c = check_of("min>=110ns, max<=200ns", p);
	assert_int_equal(c->frames, 3);
	assert_true(check_judge(c, p->ticks_per_s, UINT64_MAX, 0));
	assert_int_equal(c->verdict, CHECK_HOLDS);
	assert_int_equal(c->judged, 3);
	assert_int_equal(c->unknown, 0);
	assert_true(check_judge(c, p->ticks_per_s, 3, 0));
	assert_int_equal(c->judged, 3);
	check_free(c);
	profile_free(p);
}

static void expect_verdict(struct check *c, uint64_t n, uint64_t last, uint32_t judged, uint64_t unknown,
			   enum check_verdict verdict)
{
	assert_true(check_judge(c, 1000000000, n, last));
	assert_int_equal(c->judged, judged);
	assert_int_equal(c->unknown, unknown);
	assert_int_equal(c->verdict, verdict);
}

/* Frames 101 to 200 are held, and 10, which was kept. */
static void what_is_not_held_may_be_anything(void **state)
{
	struct profile *p = profile_new();
	struct check *c;

	(void)state;
	dsl_frame(p, 10, 500);
	p->frames[0].flags |= FRAME_KEPT;
	for (uint64_t n = 101; n <= 200; n++)
		dsl_frame(p, n, 100);
	c = check_of("max<500ns", p);
	expect_verdict(c, UINT64_MAX, 0, 101, 99, CHECK_FAILS);
	expect_verdict(c, 100, 0, 100, 0, CHECK_HOLDS);
	expect_verdict(c, 101, 0, 100, 1, CHECK_NOT_KNOWN);
	expect_verdict(c, 191, 0, 101, 90, CHECK_FAILS);
	expect_verdict(c, 100, 203, 97, 3, CHECK_NOT_KNOWN);
	check_free(c);
	c = check_of("median<=100ns, min<=100ns, max>=500ns, p50>=100ns", p);
	expect_verdict(c, UINT64_MAX, 0, 101, 99, CHECK_HOLDS); /* the median is of rank 100 wherever the others are */
	check_free(c);
	c = check_of("min>=1ns", p);
	expect_verdict(c, UINT64_MAX, 0, 101, 99, CHECK_NOT_KNOWN);
	check_free(c);
	profile_free(p);
}

/* More may be known later of a frame that was not whole. A missed frame may come, and is put where it belongs. */
static void what_was_missed_may_come(void **state)
{
	struct profile *p = game(), *anew = game();
	struct profile_part lost = { .thread = 0, .flags = PART_LAPPED, .first_frame = 4 };
	struct check *c;
	char why[256];

	(void)state;
	assert_true(profile_set_part(p, 4, &lost));
	c = check_new("zone ray count max<=8, zone ray count mean<=4.4, zone ray count mean>=4.4", false, why, sizeof(why));
	assert_true(check_find(c, p, why, sizeof(why)));
	for (uint32_t i = 0; i < p->frame_count; i++)
		if (i != 1)
			check_add(c, p, &p->frames[i]);
	expect_verdict(c, UINT64_MAX, 0, 4, 1, CHECK_NOT_KNOWN);
	assert_int_equal(c->not_whole, 1);
	assert_int_equal(c->conditions[0].judged, 3);
	assert_int_equal(c->conditions[0].unknown, 2);
	assert_true(check_anew(c) && check_find(c, anew, why, sizeof(why)));
	for (uint32_t i = 0; i < anew->frame_count; i++)
		check_add(c, anew, &anew->frames[i]);
	expect_verdict(c, UINT64_MAX, 0, 5, 0, CHECK_HOLDS);
	assert_int_equal(c->frames, 5);
	check_free(c);
	profile_free(anew);
	profile_free(p);
}

/* Zones are lost in frames 2 and 4 of three threads. `losses`: causes and
 * counts. */
static void expect_lossy(const char *losses, uint64_t unplaced, const char *condition, enum check_verdict verdict)
{
	struct profile *p = game();
	struct check *c;
	char key[64];
	unsigned long long count;
	int length;

	for (const char *at = losses; sscanf(at, "%63s %llu%n", key, &count, &length) == 2; at += length)
		assert_true(profile_set_loss(p, key, "", count));
	p->unplaced = unplaced;
	p->frames[1].parts[0].flags |= PART_LOSSY;
	p->frames[3].parts[0].flags |= PART_LOSSY;
	c = check_of(condition, p);
	check_losses(c, p);
	assert_true(check_judge(c, p->ticks_per_s, UINT64_MAX, 0));
	if (c->verdict != verdict)
		fail_msg("%s with %s: %s, %lld to %lld", condition, losses, check_verdicts[c->verdict],
			 (long long)c->conditions[0].least, (long long)c->conditions[0].most);
	check_free(c);
	profile_free(p);
}

static void lost_zones_may_have_been_any(void **state)
{
	static const struct {
		const char *losses;
		uint64_t unplaced;
		const char *condition;
		enum check_verdict verdict;
	} cases[] = {
		{ "node_room 5", 0, "zone ray count max<9", CHECK_NOT_KNOWN }, /* 4 and 5 in frame 4 */
		{ "node_room 4", 0, "zone ray count max<9", CHECK_HOLDS },
		{ "node_room 5", 0, "zone ray count max<8", CHECK_FAILS },
		{ "node_room 5", 0, "zone ray count min<1", CHECK_NOT_KNOWN }, /* 0 in frame 2 */
		{ "node_room 5", 0, "zone ray count min>=0", CHECK_HOLDS },
		{ "node_room 5", 0, "zone ray count mean<7", CHECK_HOLDS },
		{ "node_room 5", 0, "zone ray count mean<5", CHECK_NOT_KNOWN },
		{ "node_room 5", 0, "zone ray hier max<131ns", CHECK_HOLDS }, /* a slice of 130 */
		{ "node_room 5", 0, "zone ray hier max<130ns", CHECK_NOT_KNOWN },
		{ "node_room 5", 0, "zone ray hier max<80ns", CHECK_FAILS },
		{ "node_room 5", 0, "zone ai self min<20ns", CHECK_NOT_KNOWN },
		{ "node_room 5", 0, "max<=200ns, min>=100ns", CHECK_HOLDS },
		{ "node_room 5", UINT64_MAX, "zone ray hier max<1s", CHECK_NOT_KNOWN }, /* of an older writer */
		{ "thread_room 5", 5, "zone ray hier max<1s", CHECK_NOT_KNOWN },
		{ "thread_room 5", 5, "zone ray hier max>=1ns", CHECK_HOLDS },
		{ "thread_room 5", 5, "zone ray count max<14", CHECK_HOLDS },
		{ "thread_room 5", 5, "zone ray count max<13", CHECK_NOT_KNOWN },
		{ "starting 1", 0, "zone ai count max<10", CHECK_NOT_KNOWN },
		{ "starting 1", 0, "zone ray count p20<2", CHECK_HOLDS }, /* 0 or 1 in frame 2: frame 1 alone is in doubt */
		{ "calls_room 1", 0, "zone ray count min<1", CHECK_NOT_KNOWN }, /* slices are known before the totals */
		{ "mark_room 1", 0, "max<=200ns", CHECK_HOLDS },
		{ "mark_room 1", 0, "max<200ns", CHECK_NOT_KNOWN },
		{ "mark_room 1", 0, "max<130ns", CHECK_FAILS }, /* one of the two longest was one frame */
		{ "mark_room 1", 0, "min>=100ns", CHECK_NOT_KNOWN },
		{ "mark_room 1", 0, "mean<=132ns", CHECK_HOLDS },
		{ "mark_room 1", 0, "mean>=132ns", CHECK_NOT_KNOWN },
		{ "mark_busy 18446744073709551615", 0, "max<=200ns", CHECK_HOLDS },
		{ "mark_busy 18446744073709551615", 0, "p50<1ns", CHECK_NOT_KNOWN },
		{ "clock_back 1", 0, "max<1s", CHECK_NOT_KNOWN },
		{ "clock_back 1", 0, "zone ai count min<=1", CHECK_HOLDS },
		{ "recording_cut 1", 0, "max<1s", CHECK_NOT_KNOWN },
		{ "recording_cut 1", 0, "max<200ns", CHECK_FAILS },
		{ "recording_cut 1", 0, "min<=100ns", CHECK_HOLDS },
		{ "recording_cut 1", 0, "p50<1s", CHECK_NOT_KNOWN }, /* any number of frames may follow */
		{ "recording_cut 1", 0, "mean>1ns", CHECK_NOT_KNOWN },
		{ "damaged_records 1", 0, "zone ray hier max<1s", CHECK_NOT_KNOWN },
		{ "damaged_records 1", 0, "max<1s", CHECK_HOLDS },
		{ "of_another_version 1", 0, "max<1s", CHECK_NOT_KNOWN },
		{ "counter_room 9 note_cut 9 calls_room 9 event_room 9", 0, "zone ai count max<3, max<1s", CHECK_HOLDS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		expect_lossy(cases[i].losses, cases[i].unplaced, cases[i].condition, cases[i].verdict);
}

/* Each cause by what it leaves in doubt. A loss of the last ones concerns no
 * figure of a frame. */
static void each_cause_has_its_effect(void **state)
{
	static const char *const asked[] = {
		"zone ray count max<9", "zone ray count p80<9", "zone ray hier max<1s", "max<=200ns", "min>=100ns",
	};
	static const struct {
		const char *not_known; /* ? where the condition is not known, + where it holds */
		const char *causes;
	} effects[] = {
		{ "?++++", "after_thread_end in_handler memory node_room stack_room thread_room too_deep zone_room "
			   "import_deep import_end_alone" },
		{ "++++?", "mark_busy mark_room" },
		{ "?+?++", "starting" },
		{ "???++", "damaged_nodes damaged_records items_too_large recording_damaged" },
		{ "++???", "clock_back" },
		{ "?????", "recording_cut recording_room of_another_version" },
		{ "+++++", "calls_room counter_room end_without_begin event_room frame_bounds frames_merged hours_room "
			   "left_open not_a_number note_cut part_room region_room stack_misused value_room worst_room "
			   "in_flight lapped_frames lapped_parts lapped_values torn_totals torn_values unread_totals "
			   "calls_not_copied calls_over_size frames_left_out frames_not_copied frames_over_size values_over_size" },
	};
	char cause[64], losses[80];
	int length;

	(void)state;
	for (size_t i = 0; i < sizeof(effects) / sizeof(*effects); i++)
		for (const char *at = effects[i].causes; sscanf(at, "%63s%n", cause, &length) == 1; at += length) {
			snprintf(losses, sizeof(losses), "%s 5", cause);
			for (size_t k = 0; k < sizeof(asked) / sizeof(*asked); k++)
				expect_lossy(losses, 0, asked[k],
					     effects[i].not_known[k] == '?' ? CHECK_NOT_KNOWN : CHECK_HOLDS);
		}
}

/* Any frame of an imported trace may lack some of the records that were lost.
 * There are no more frames for it. */
static void lost_records_of_a_trace_are_no_frames(void **state)
{
	static const char *const causes[] = { "import_record", "import_many", "import_cut" };

	(void)state;
	for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++) {
		struct profile *p = game();
		struct check *c;

		assert_true(profile_set_loss(p, causes[i], "", 1000000));
		p->unplaced = UINT64_MAX;
		c = check_of("max<1s, mean<1s, zone ray count max<9", p);
		check_losses(c, p);
		expect_verdict(c, UINT64_MAX, 0, p->frame_count, 0, CHECK_NOT_KNOWN);
		for (uint32_t k = 0; k < c->count; k++) {
			assert_int_equal(c->conditions[k].judged, 0);
			assert_int_equal(c->conditions[k].unknown, p->frame_count);
			assert_int_equal(c->conditions[k].verdict, CHECK_NOT_KNOWN);
		}
		check_free(c);
		profile_free(p);
	}
}

/* Give each frame that was left out some value: the figures then lie between the bounds, which are equal if no
 * frame was left out. */
static void bounds_hold_whatever_is_missing(void **state)
{
	static const char text[] = "min<1s,median<1s,p90<1s,p99<1s,max<1s,mean<1s";

	(void)state;
	random_state = 17;
	for (int round = 0; round < 300; round++) {
		struct profile *all = profile_new(), *held = profile_new();
		uint32_t frames = 1 + random_below(100), few = random_below(8);
		struct check *bounds, *exact;

		for (uint64_t n = 1; n <= frames; n++) {
			bool gone = random_below(8) < few && n < frames, above = random_below(2);

			dsl_frame(all, n, gone ? above ? 1 + random_below(100000) : 1 : 50 + random_below(100));
			if (!gone)
				dsl_frame(held, n, all->frames[n - 1].length);
		}
		bounds = check_of(text, held);
		exact = check_of(text, all);
		assert_true(check_judge(bounds, all->ticks_per_s, UINT64_MAX, 0));
		assert_true(check_judge(exact, all->ticks_per_s, UINT64_MAX, 0));
		assert_int_equal(bounds->judged + bounds->unknown, frames);
		for (uint32_t i = 0; i < exact->count; i++) {
			struct check_condition *b = &bounds->conditions[i], *e = &exact->conditions[i];

			assert_int_equal(e->least, e->most);
			assert_int_equal(b->scale, e->scale);
			assert_true(b->least <= e->least && e->least <= b->most);
			if (!bounds->unknown)
				assert_int_equal(b->least, b->most);
		}
		check_free(bounds);
		check_free(exact);
		profile_free(all);
		profile_free(held);
	}
}
/* A zone that comes while frames are added had no time before. */
static void zones_that_come_later(void **state)
{
	struct profile *p = dsl_profile("frame 1 10\nmain a 10 1\n");
	struct check *c;
	char why[256];

	(void)state;
	c = check_new("zone b max<=7ns, zone b max>=7ns, zone b min<=0ns", false, why, sizeof(why));
	assert_true(check_find(c, p, why, sizeof(why)));
	assert_string_equal(check_missing(c), "b");
	assert_int_equal(check_add(c, p, &p->frames[0]), CHECK_TAKEN);
	dsl_grow(p, "frame 2 10\nmain a 3 1\nmain a/b 3 1\nmain a/b/c 4 1\n");
	assert_true(check_find(c, p, why, sizeof(why)));
	assert_null(check_missing(c));
	assert_int_equal(check_add(c, p, &p->frames[1]), CHECK_TAKEN);
	assert_true(check_judge(c, p->ticks_per_s, 10, 0));
	assert_int_equal(c->verdict, CHECK_HOLDS);
	dsl_grow(p, "frame 3 10\nmain b@g.c:7 10 1\n");
	assert_false(check_find(c, p, why, sizeof(why)));
	assert_string_equal(why, "several zones are called 'b'. Name one of them: zone NAME@file:line");
	check_free(c);
	profile_free(p);
}

static void expect_statistics(const struct check *c, const struct statistics *s)
{
	const int64_t figures[] = { s->min, s->median, s->p90, s->p99, s->max };
	const struct check_condition *mean = &c->conditions[5];

	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(c->conditions[i].least, figures[i]);
		assert_int_equal(c->conditions[i].most, figures[i]);
	}
	assert_int_equal(mean->most, mean->least);
	assert_true(fabs((double)mean->least / (double)mean->scale - s->mean) <= 1e-9 * s->mean);
}

/* As the statistics of zones and lengths have them. */
static void figures_agree_with_statistics(void **state)
{
	(void)state;
	random_state = 11;
	for (int round = 0; round < 200; round++) {
		struct profile *p = profile_new();
		struct check *c;
		struct statistics s;
		uint32_t frames = 1 + random_below(300);

		for (uint64_t n = 1; n <= frames; n++)
			dsl_frame(p, n, 1 + random_below(100));
		assert_true(statistics_of_lengths(p, 0, frames, &s));
		c = check_of("min<1s,median<1s,p90<1s,p99<1s,max<1s,mean<1s", p);
		assert_true(check_judge(c, p->ticks_per_s, frames, 0));
		expect_statistics(c, &s);
		check_free(c);
		profile_free(p);
	}
}

/* Programs at random, recursive ones too, of all threads and of one. */
static void zones_agree_with_statistics(void **state)
{
	static const char *const stats_of[] = { "min", "median", "p90", "p99", "max", "mean" };

	(void)state;
	random_state = 5;
	for (int round = 0; round < 60; round++) {
		struct profile *p = random_profile();
		struct keys *keys = keys_new(false);
		struct scope scope = { .keys = keys, .threads = round & 1 ? THREADS_ALL : random_below(3) };
		uint32_t key;

		for (uint32_t i = 0; i < 30; i++) {
			random_frame(p);
			p->frames[i].number = i + 1; /* none is missing */
			p->frames[i].flags &= ~(uint32_t)FRAME_KEPT;
		}
		assert_true(keys_update(keys, p));
		for (enum extent m = 0; m < EXTENTS; m++) {
			struct tally tally;
			struct zone_stats *stats = tally_init(&tally) ? zone_stats_of_frames(p, &scope, &tally, 0, p->frame_count, m) : NULL;
			char text[256] = "", why[256], zone = (char)('a' + random_below(5));
			struct check *c;

			for (size_t i = 0; i < sizeof(stats_of) / sizeof(*stats_of); i++)
				snprintf(text + strlen(text), sizeof(text) - strlen(text), "%szone %c %s %s<1s",
					 i ? "," : "", zone, m == EXTENT_SELF ? "self" : "hier", stats_of[i]);
			c = check_new(text, false, why, sizeof(why));
			assert_non_null(c);
			c->threads = scope.threads;
			assert_true(check_find(c, p, why, sizeof(why)));
			for (uint32_t i = 0; i < p->frame_count; i++)
				check_add(c, p, &p->frames[i]);
			if (keys_parse(keys, p, (char[]){ zone, 0 }, &key) == KEYS_FOUND &&
			    check_judge(c, p->ticks_per_s, UINT64_MAX, 0))
				expect_statistics(c, &zone_stats_of(stats, key)->per_frame);
			check_free(c);
			zone_stats_free(stats);
			tally_fini(&tally);
		}
		keys_free(keys);
		profile_free(p);
	}
}

/* Ticks are no nanoseconds; and numbers may be as large as they get. */
static void comparing_is_exact(void **state)
{
	struct profile *p = dsl_profile("frame 1 3\nframe 2 3\nframe 3 4\n");

	(void)state;
	p->ticks_per_s = 3; /* 1 s, 1 s, 4/3 s */
	expect(p, "median<=1s, median>=1s", true);
	expect(p, "max<1.333333333334s", true);
	expect(p, "max<1.333333333333s", false);
	p->ticks_per_s = UINT64_MAX;
	expect(p, "max<0.001ns", true);
	expect(p, "max<9000000s", true);
	p->ticks_per_s = 1;
	p->frames[2].length = INT64_MAX;
	expect(p, "max>9000000s", true);
	expect(p, "mean>9000000s", true);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_understood),
		cmocka_unit_test(what_is_wrong_is_said_with_its_place),
		cmocka_unit_test(several_conditions),
		cmocka_unit_test(any_text_is_understood_or_refused),
		cmocka_unit_test(lengths_of_frames),
		cmocka_unit_test(zones_in_frames),
		cmocka_unit_test(threads_that_are_chosen),
		cmocka_unit_test(the_newest_frames),
		cmocka_unit_test(few_are_kept_of_many),
		cmocka_unit_test(frames_that_are_none),
		cmocka_unit_test(what_is_not_held_may_be_anything),
		cmocka_unit_test(what_was_missed_may_come),
		cmocka_unit_test(lost_zones_may_have_been_any),
		cmocka_unit_test(each_cause_has_its_effect),
		cmocka_unit_test(lost_records_of_a_trace_are_no_frames),
		cmocka_unit_test(bounds_hold_whatever_is_missing),
		cmocka_unit_test(zones_that_come_later),
		cmocka_unit_test(figures_agree_with_statistics),
		cmocka_unit_test(zones_agree_with_statistics),
		cmocka_unit_test(comparing_is_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
