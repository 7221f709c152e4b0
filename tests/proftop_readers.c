/* SPDX-License-Identifier: MIT */
/*
 * proftop_readers: readers that are stopped, killed, and many: the program does not notice, and what they could not
 * read they say, to the frame.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "io/region/live.h"
#include "tests/long.h"
#include "tests/proftop_run.h"
#include "tests/region_builder.h"
#include "tests/told_app.h"
#include "tui/cells/figures.h"

#define STOPPED_FRAMES 20000u

static void stop(pid_t pid)
{
	int status;

	assert_int_equal(kill(pid, SIGSTOP), 0);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
}

/* The program works while nobody reads; in hours, for a minute. */
static void work_unread(struct told_app *app)
{
	time_t until = time(NULL) + (test_long() ? 60 : 0);

	do
		told_frames(app, STOPPED_FRAMES);
	while (time(NULL) < until);
}

/* A stream that is stopped says how many frames it skipped, and it is all that it did not write. */
static void a_stopped_stream_says_what_it_skipped(void **state)
{
	struct stream_reader r;
	struct told_app app;
	uint64_t first;

	(void)state;
	told_begin(&app, "stopped", "256K");
	told_frames(&app, 10);
	stream_reader_begin(&r, app.region);
	stream_reader_until(&r, 1);
	first = json_number_in(r.last, "first_frame");
	assert_true(first >= 1 && first <= 11);
	told_frames(&app, 10);
	stream_reader_until(&r, 2);
	stop(r.pid);
	work_unread(&app);
	assert_int_equal(kill(r.pid, SIGCONT), 0);
	told_frames(&app, 10);
	told_end(&app);
	assert_true(stream_reader_end(&r, &app) >= STOPPED_FRAMES / 2);
	assert_int_equal(r.lines - 2 + json_number_in(r.last, "skipped"), app.frames + 1 - first);
}

/* The losses that a source reports and the data that it has add up to all that there was. */
static struct profile *read_on(struct source *s, uint64_t frames)
{
	do
		assert_true(source_next(s) <= SOURCE_LOST);
	while (s->profile->frames_ended < frames || !s->profile->frame_count ||
	       s->profile->frames[s->profile->frame_count - 1].number < frames);
	return s->profile;
}

static uint64_t loss_of(const struct profile *p, const char *key)
{
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (!strcmp(p->losses[i].key, key))
			return p->losses[i].count;
	fail_msg("no loss '%s'", key);
	return 0;
}

static uint64_t frames_behind(const struct profile *p, uint64_t number)
{
	uint64_t frames = 0;

	for (uint32_t i = 0; i < p->frame_count; i++)
		frames += p->frames[i].number > number;
	return frames;
}

static void expect_on_screen(struct screen *s, uint64_t lapped)
{
	char text[64];

	snprintf(text, sizeof(text), "lapped_frames %s", figure_grouped(lapped).text);
	screen_until(s, text);
}

/* The screen is stopped where it has all frames; so the next it can have are known, and what is lapped. */
static void a_stopped_screen_says_what_was_lapped(void **state)
{
	enum open_result result;
	char why[512] = "";
	struct told_app app;
	struct profile *p;
	struct source *beside;
	struct screen *s;

	(void)state;
	told_begin(&app, "screen", "256K");
	told_frames(&app, 50);
	beside = live_open(app.region, 0, &result, why, sizeof(why));
	assert_non_null(beside);
	read_on(beside, 50);
	s = proftop_start(&(struct proftop){ .columns = 200, .rows = 50, .arguments = { app.region } });
	screen_until(s, "frame 50");
	stop(screen_pid(s));
	work_unread(&app);
	p = read_on(beside, app.frames);
	assert_int_equal(frames_behind(p, 50) + loss_of(p, "lapped_frames"), app.frames - 50);
	assert_true(loss_of(p, "lapped_frames") > 0);
	assert_int_equal(kill(screen_pid(s), SIGCONT), 0);
	expect_on_screen(s, loss_of(p, "lapped_frames"));
	source_close(beside);
	proftop_leave(s);
	told_end(&app);
}

/* The ring has a mark that is on its way all the while, so of what it has nothing is read at the first look: there is
 * frame 1, which was kept. The stream begins with the next frame to end all the same. */
static void a_stream_begins_behind_what_had_ended(void **state)
{
	struct record_node root = { 0, 1000, 0, 0 };
	struct record_head head = { .kind = RECORD_PART, .generation = 1, .interval = 1, .bound = BUILDER_START,
				    .end = BUILDER_START + 1000 };
	struct stream_reader r;
	struct builder b;
	uint64_t words[64];
	uint32_t block;

	(void)state;
	builder_begin(&b, "begins");
	block = builder_thread(&b, BUILDER_START, "main");
	builder_frame(&b, BUILDER_START + 1000, 1, MARK_SLOW, NULL);
	for (uint64_t n = 2; n <= 12; n++)
		builder_frame(&b, BUILDER_START + 900 + (int64_t)n * 100, n, 0, NULL);
	WORD_STORE(b.worst->interval, 1);
	WORD_STORE(b.worst->start, BUILDER_START);
	WORD_STORE(b.worst->end, BUILDER_START + 1000);
	WORD_STORE(b.worst->number, 1);
	WORD_STORE(b.worst->info, MARK_SLOW);
	builder_keep(&b, block, 0, 1, words, builder_pack(head, &root, 1, words));
	WORD_STORE(b.frames[6 % b.sizes.frames].end, MARK_UNDECIDED | 6);
	stream_reader_begin(&r, b.name);
	stream_reader_until(&r, 1);
	assert_int_equal(json_number_in(r.last, "first_frame"), 13);
	stream_reader_kill(&r);
	builder_end(&b);
}

/* In a loop, wherever they are: attaching, reading, writing. */
static void killed_readers_leave_no_trace(void **state)
{
	uint64_t random = (uint64_t)time(NULL) | 1;
	struct stream_reader r;
	struct told_app app;
	struct held before;

	(void)state;
	told_begin(&app, "killed", "256K");
	told_frames(&app, 5000);
	before = held_by(app.pid);
	for (unsigned long i = 0; i < test_times(40, 3000); i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		stream_reader_begin(&r, app.region);
		told_frames(&app, 1 + (random >> 33) % 3000);
		stream_reader_kill(&r);
	}
	assert_int_equal(held_by(app.pid).descriptors, before.descriptors);
	assert_true(held_by(app.pid).mappings <= before.mappings + 2 + HELD_MAPPINGS_MORE);
	told_end(&app);
}

static void eight_at_once_have_all_of_it(void **state)
{
	struct stream_reader readers[8];
	struct told_app app;

	(void)state;
	told_begin(&app, "eight", "1M");
	told_frames(&app, 100);
	for (int i = 0; i < 8; i++)
		stream_reader_begin(&readers[i], app.region);
	for (int i = 0; i < 8; i++)
		stream_reader_until(&readers[i], 1); /* it has the region */
	for (unsigned long i = 0; i < test_times(40, 4000); i++) {
		told_frames(&app, 100);
		for (int k = 0; k < 8; k++)
			stream_reader_drain(&readers[k]);
	}
	told_end(&app);
	for (int i = 0; i < 8; i++)
		stream_reader_end(&readers[i], &app);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stopped_stream_says_what_it_skipped),
		cmocka_unit_test(a_stopped_screen_says_what_was_lapped),
		cmocka_unit_test(a_stream_begins_behind_what_had_ended),
		cmocka_unit_test(killed_readers_leave_no_trace),
		cmocka_unit_test(eight_at_once_have_all_of_it),
	};

	if (argc == 2 && !strcmp(argv[1], "told"))
		return told_main();
	return cmocka_run_group_tests(tests, NULL, told_remove_all);
}
