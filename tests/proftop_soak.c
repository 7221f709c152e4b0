/* SPDX-License-Identifier: MIT */
/*
 * proftop_soak: an hour of a game as fast as it goes, with readers that come and go: after the first quarter nobody
 * holds more, and in the end each frame that there was is accounted for by everybody. In a run of hours, it is so many
 * looks that a reader is full long before the end, and holds no more than what it has room for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>

#include "tests/long.h"
#include "tests/proftop_run.h"
#include "tests/told_app.h"
#include "tui/figures.h"

#define FRAMES_AN_HOUR (60u * 60 * 60)
#define SLICES 120u /* of an hour; between two of them it is looked at */
#define KIB_MORE 512u /* that the program may hold more at the end: pages that its C library had not touched yet */

/* A reader holds what frames it has room for, which are 61 MiB, and what is made of them. */
#ifdef __SANITIZE_ADDRESS__
#define READER_KIB (1024u * 1024)
#else
#define READER_KIB (192u * 1024)
#endif
#define READER_FULL_KIB (1024u * 1024) /* with all the frames that it has room for */

struct soak {
	struct told_app app;
	struct screen *screen;
	struct stream_reader stays, comes;
	struct held warm;
	off_t size; /* of the region */
	uint64_t most_kib; /* that a reader held */
};

static off_t size_of(const struct told_app *app)
{
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), "/dev/shm/%s", app->region);
	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

/* One reader after the other: each goes in the middle of what it does, and the next one comes. */
static void come_and_go(struct soak *s, unsigned slice)
{
	if (slice % 10 == 0)
		stream_reader_begin(&s->comes, s->app.region);
	else if (slice % 10 == 9)
		stream_reader_kill(&s->comes);
	else
		stream_reader_drain(&s->comes);
}

static void look_at_readers(struct soak *s)
{
	const pid_t pids[] = { screen_pid(s->screen), s->stays.pid };

	for (int i = 0; i < 2; i++) {
		struct held held = held_by(pids[i]);

		assert_in_range(held.private_kib, 1, test_long() ? READER_FULL_KIB : READER_KIB);
		if (held.private_kib > s->most_kib)
			s->most_kib = held.private_kib;
	}
}

static void begin(struct soak *s)
{
	told_begin(&s->app, "soak", "2M");
	told_frames(&s->app, 1);
	s->size = size_of(&s->app);
	stream_reader_begin(&s->stays, s->app.region);
	stream_reader_until(&s->stays, 1);
	s->screen = proftop_start(&(struct proftop){ .columns = 120, .rows = 40, .arguments = { s->app.region } });
	screen_until(s->screen, "LIVE");
}

static void expect_flat(struct soak *s)
{
	struct held now = held_by(s->app.pid);

	print_message("the program: %llu KiB, %llu mappings, then %llu and %llu; readers: %llu KiB at most\n",
		      (unsigned long long)s->warm.private_kib, (unsigned long long)s->warm.mappings,
		      (unsigned long long)now.private_kib, (unsigned long long)now.mappings,
		      (unsigned long long)s->most_kib);
	assert_int_equal(size_of(&s->app), s->size);
	assert_int_equal(now.descriptors, s->warm.descriptors);
	assert_in_range(now.mappings, 1, s->warm.mappings);
	assert_in_range(now.private_kib, 1, s->warm.private_kib + KIB_MORE);
}

/* The screen has come so far. */
static void await(struct soak *s)
{
	char text[64];

	snprintf(text, sizeof(text), "frame %s", figure_grouped(s->app.frames).text);
	screen_until(s->screen, text);
}

static void one_slice(struct soak *s, unsigned long slice, unsigned long slices)
{
	told_frames(&s->app, FRAMES_AN_HOUR / SLICES);
	come_and_go(s, (unsigned)slice);
	stream_reader_drain(&s->stays);
	screen_pump(s->screen, 0);
	if (slice == slices / 4)
		s->warm = held_by(s->app.pid);
	if (slice % 10 == 5 || test_long()) {
		await(s);
		look_at_readers(s);
	}
}

static void an_hour_of_a_game(void **state)
{
	unsigned long slices = SLICES * test_times(1, 20);
	struct soak s = { .size = 0 };

	(void)state;
	begin(&s);
	for (unsigned long slice = 0; slice < slices; slice++)
		one_slice(&s, slice, slices);
	await(&s);
	expect_flat(&s);
	proftop_leave(s.screen);
	told_end(&s.app);
	stream_reader_end(&s.stays, &s.app);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_hour_of_a_game),
	};

	if (argc == 2 && !strcmp(argv[1], "told"))
		return told_main();
	return cmocka_run_group_tests(tests, NULL, told_remove_all);
}
