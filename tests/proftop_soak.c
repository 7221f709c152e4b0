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
#include "tui/cells/figures.h"

#define FRAMES_AN_HOUR (60u * 60 * 60)
#define SLICES 120u /* of an hour; between two of them it is looked at */

/* A reader holds 64 MiB of frames (io/region/live.h), in a heap with the holes that a history has in which some stay, and
 * what is made of them; a stream none but the newest. Both remember each thread that there ever was: here one comes and
 * goes in each hundredth frame, and there is no end to them. */
#ifdef __SANITIZE_ADDRESS__ /* what was freed rests for a while */
#define SCREEN_KIB (1024u * 1024)
#define STREAM_KIB (512u * 1024)
#define KIB_MORE (64u * 1024) /* and what it knows of each thread that there was */
#else
#define KIB_MORE 512u /* that the program may hold more at the end: pages that its C library had not touched yet */
#define SCREEN_KIB (160u * 1024)
#define STREAM_KIB (16u * 1024)
#endif
#define SCREEN_THREAD_KIB 2u
#define STREAM_THREAD_KIB 1u

struct soak {
	struct told_app app;
	struct screen *screen;
	struct stream_reader stays, comes;
	struct held warm;
	off_t size; /* of the region */
	uint64_t screen_kib, stream_kib; /* that they held at most */
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

static void look_at(pid_t pid, uint64_t bound, uint64_t *most)
{
	uint64_t kib = held_by(pid).private_kib;

	assert_in_range(kib, 1, bound);
	if (kib > *most)
		*most = kib;
}

static void look_at_readers(struct soak *s)
{
	uint64_t threads = s->app.frames / 100;

	look_at(screen_pid(s->screen), SCREEN_KIB + threads * SCREEN_THREAD_KIB, &s->screen_kib);
	look_at(s->stays.pid, STREAM_KIB + threads * STREAM_THREAD_KIB, &s->stream_kib);
}

static void begin(struct soak *s)
{
	told_begin(&s->app, "soak", "2M");
	told_frames(&s->app, 1);
	s->size = size_of(&s->app);
	stream_reader_begin(&s->stays, s->app.region);
	stream_reader_until(&s->stays, 1);
	/* so wide that the frame's number is there also while the program rests, and RUNNING */
	s->screen = proftop_start(&(struct proftop){ .columns = 200, .rows = 40, .arguments = { s->app.region } });
	screen_until(s->screen, "LIVE");
}

static void expect_flat(struct soak *s)
{
	struct held now = held_by(s->app.pid);

	print_message("the program: %llu KiB, %llu mappings, then %llu and %llu; the screen: %llu KiB at most, "
		      "the stream: %llu\n",
		      (unsigned long long)s->warm.private_kib, (unsigned long long)s->warm.mappings,
		      (unsigned long long)now.private_kib, (unsigned long long)now.mappings,
		      (unsigned long long)s->screen_kib, (unsigned long long)s->stream_kib);
	assert_int_equal(size_of(&s->app), s->size);
	assert_int_equal(now.descriptors, s->warm.descriptors);
	assert_in_range(now.mappings, 1, s->warm.mappings + HELD_MAPPINGS_MORE);
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
