/* SPDX-License-Identifier: MIT */
/*
 * Out of memory: a while with the live screen, in which one allocation fails, the 1st, then the 2nd,
 * and so on; and in which every n-th one does. Nothing crashes or is lost (which the pass under
 * AddressSanitizer sees), and when there is memory again everything is there.
 */
#include "tests/failing_memory.h"
#include "tests/long.h"
#include "tests/tui_stage.h"

static uint64_t allocations;        /* so far */
static uint64_t fails_at, fails_each; /* 0: none */

static bool may_allocate(void)
{
	allocations++;
	return allocations != fails_at && !(fails_each && allocations % fails_each == 0);
}

static void there_is_memory(void)
{
	fails_at = fails_each = 0;
}

static void list_programs(struct app *a)
{
	app_regions_begin(a);
	app_region(a, "one", "live one");
	app_region(a, "two", "dead two");
	app_regions_end(a);
}

/* The stacks of the game; NULL: there was no memory for all of them. */
static struct open_stacks *stacks_of(const struct profile *p)
{
	struct open_stacks *o = open_stacks_new(p, OPEN_ROWS_MOST);

	if (o && open_stacks_add_thread(o, p, 0, false, 1, 9) && open_stacks_add_zone(o, p, p->threads[0].root + 3, 1) &&
	    open_stacks_add_thread(o, p, 1, true, 1, 9))
		return o;
	open_stacks_free(o);
	return NULL;
}

static void show_stacks(struct stage *t, const struct profile *p)
{
	stage_type(t, "o");
	for (int look = 0; look < 2; look++) {
		if (app_wants_stacks(&t->app, 0, true))
			app_take_stacks(&t->app, 0, stacks_of(p));
		stage_draw(t);
	}
	stage_type(t, "\\o\ro");
}

/* All that allocates, once. What the keys do depends on what there was memory for. */
static void use(struct stage *t, struct profile *p)
{
	static const char *const keys[] = {
		"2lju", "4*+-", "R3jlP", "1P\\~r\r", "/~a\rn", "\\\x15\r", "Tjj\r", "sj\r", "p[", "a", "p",
		"?q", "r", "7jsj\r", "p[(", "pE\\sh\r", "\\\x15\rl", "p1", "p{ma}mbc",
	};

	app_attach(&t->app, 0, p);
	app_state(&t->app, 0, SCENE_LIVE, "");
	stage_draw(t);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		stage_type(t, keys[i]);
		app_work(&t->app);
		stage_data(t);
	}
	show_stacks(t, p);
	list_programs(&t->app);
	stage_draw(t);
	stage_press(t, STAGE_ENTER);
}

/* Closes everything, all threads, no filter: the app shows the game as if nothing had been. */
static void expect_usable(struct stage *t, struct profile *p)
{
	stage_press(t, STAGE_ESCAPE);
	if (!t->app.at->times.live)
		app_attach(&t->app, 0, p);
	if (t->app.at->times.paused)
		stage_type(t, "p");
	t->app.at->path.length = 0;
	t->app.choice.thread = CHOOSE_ALL;
	t->app.choice.spread = false;
	t->app.choice.average = AVERAGE_NOW;
	*t->app.choice.filters[VIEW_SELF] = *t->app.choice.filters[VIEW_STACKS] = '\0';
	stage_data(t);
	stage_type(t, "2");
	for (const char *zone = "update\0ai\0draw\0leaf\0"; *zone; zone += strlen(zone) + 1)
		assert_non_null(strstr(stage_rows(t), zone));
	stage_go(t, "physics");
	stage_type(t, "l");
	stage_expect(t, "path: [physics]");
	stage_type(t, "p");
	stage_expect(t, "PAUSED  frame 4");
}

/* With a counter, an event and a note. */
static struct profile *talking_game(void)
{
	struct profile *p = stage_game(4);
	const struct profile_frame *frame = &p->frames[2];
	struct profile_change change = { .tick = frame->start + frame->length };
	uint32_t track = profile_add_track(p, profile_add_counter(p, "shots", false, false), 0, 0);

	assert_true(profile_add_change(p, track, &change));
	assert_true(profile_add_instant(p, frame->start + 1, 0, profile_add_event(p, "shot"), NULL, false));
	assert_true(profile_add_instant(p, frame->start + 2, 0, PROFILE_NONE, "shown", true));
	return p;
}

/* Returns how many allocations there were. */
static uint64_t with_failures(uint64_t at, uint64_t each)
{
	struct app_options o = stage_options();
	struct profile *p = talking_game();
	struct stage t;
	uint64_t count;

	stage_open(&t, &o, 60, 24);
	allocations = 0;
	fails_at = at;
	fails_each = each;
	use(&t, p);
	count = allocations;
	there_is_memory();
	expect_usable(&t, p);
	stage_end(&t);
	profile_free(p);
	return count;
}

static void one_allocation_fails(void **state)
{
	uint64_t count = with_failures(0, 0);

	(void)state;
	assert_true(count > 500);
	for (uint64_t n = 1; n <= count; n += test_long() ? n < 1000 ? 1 : 3 : n < 40 ? 1 : 101)
		with_failures(n, 0);
}

static void every_nth_allocation_fails(void **state)
{
	(void)state;
	for (uint64_t n = 1; n < 40; n++)
		with_failures(0, n);
	for (uint64_t n = 40; n < 3000; n += n / 4)
		with_failures(0, n);
}

static void the_app_itself(void **state)
{
	struct app_options o = stage_options();
	struct app app;

	(void)state;
	for (uint64_t n = 1; n <= VIEWS; n++) {
		allocations = 0;
		fails_at = n;
		assert_false(app_init(&app, &o));
	}
	there_is_memory();
	assert_true(app_init(&app, &o));
	app_fini(&app);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_app_itself),
		cmocka_unit_test(every_nth_allocation_fails),
		cmocka_unit_test(one_allocation_fails),
	};

	return cmocka_run_group_tests_name("tui: out of memory", tests, NULL, NULL);
}
