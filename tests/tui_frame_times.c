/* SPDX-License-Identifier: MIT */
/*
 * frame_times: what the distribution of frame lengths looks like.
 */
#include "tests/tui_lines.h"

#include "tui/frames/frame_times.h"

#define MS INT64_C(1000000)

static struct frame_order *order;
static struct profile *p;

/* So many frames of a length, in 1/10 ms. */
static void add(int count, int64_t length)
{
	for (int i = 0; i < count; i++) {
		uint64_t number = p->frame_count ? p->frames[p->frame_count - 1].number + 1 : 1;

		assert_true(profile_add_frame(p, number, 0, length * MS / 10, 0));
	}
	assert_true(frame_order_update(order, p));
}

static void begin(void)
{
	p = profile_new();
	order = frame_order_new();
	assert_true(p && order);
}

/* Around 16 ms, some at 24, one of 41. */
static void begin_game(void)
{
	begin();
	add(200, 160);
	add(600, 164);
	add(300, 168);
	add(20, 172);
	add(9, 240);
	add(1, 412);
}

static void end(void)
{
	frame_order_free(order);
	profile_free(p);
}

static void expect(const struct frame_times *t, int width, int height, bool ascii, const char *expected)
{
	struct canvas c = { 0 };

	lines_begin(&c, width, height, ascii);
	frame_times_draw(t, &c, canvas_area(&c), ascii);
	lines_expect(&c, expected);
	canvas_fini(&c);
}

static struct frame_times times(int64_t budget, int64_t chosen)
{
	return (struct frame_times){ order, 1000000000, budget * MS / 10, chosen * MS / 10 };
}

static void one_line_is_numbers(void **state)
{
	struct frame_times t;

	(void)state;
	begin_game();
	t = times(200, 0);
	expect(&t, 80, 1, false, "1 130 frames  p50 16.4 ms  p90 16.8  p99 17.2  max 41.2  over 20.0: 0.9 % (10)\n");
	expect(&t, 40, 1, false, "p50 16.4 ms  p99 17.2  max 41.2\n");
	expect(&t, 12, 1, false, "p50 16.4 ms\n");
	t = times(0, 0);
	expect(&t, 80, 1, true, "1 130 frames  p50 16.4 ms  p90 16.8  p99 17.2  max 41.2\n");
	end();
}

static void more_lines_have_a_histogram(void **state)
{
	struct frame_times t;

	(void)state;
	begin_game();
	t = times(200, 240);
	expect(&t, 60, 6, false,
	       "p50 16.4 ms  p99 17.2  max 41.2  over 20.0: 0.9 % (10)\n"
	       " █            ┊\n"
	       " █            ┊\n"
	       "▂█ █          ┊\n"
	       "██ █▁         ┊          ▁                                 ▁\n"
	       "╵16.0 ms      ╵20.0 ms   ^  ╵24.9 ms      ╵31.0 ms\n");
	expect(&t, 60, 6, true,
	       "p50 16.4 ms  p99 17.2  max 41.2  over 20.0: 0.9 % (10)\n"
	       " #            |\n"
	       " #            |\n"
	       ".# #          |\n"
	       "## #.         |          .                                 .\n"
	       "|16.0 ms      |20.0 ms   ^  |24.9 ms      |31.0 ms\n");
	t = times(200, 164); /* its mark would cover a part of a label */
	expect(&t, 60, 6, true,
	       "p50 16.4 ms  p99 17.2  max 41.2  over 20.0: 0.9 % (10)\n"
	       " #            |\n"
	       " #            |\n"
	       ".# #          |\n"
	       "## #.         |          .                                 .\n"
	       " ^            |20.0 ms      |24.9 ms      |31.0 ms\n");
	expect(&t, 60, 2, true,
	       "p50 16.4 ms  p99 17.2  max 41.2  over 20.0: 0.9 % (10)\n"
	       ".# :.         |          .                                 .\n");
	expect(&t, 60, 3, true,
	       "p50 16.4 ms  p99 17.2  max 41.2  over 20.0: 0.9 % (10)\n"
	       " #            |\n"
	       ":# #.         |          .                                 .\n");
	end();
}

static void frames_of_one_length_stand_in_the_middle(void **state)
{
	struct frame_times t;

	(void)state;
	begin();
	add(5, 167);
	t = times(0, 0);
	expect(&t, 50, 4, true,
	       "p50 16.7 ms  p90 16.7  p99 16.7  max 16.7\n"
	       "                        ###\n"
	       "                        ###\n"
	       "|16.3 ms       |16.5 ms       |16.8 ms\n");
	expect(&t, 20, 4, true,
	       "p50 16.7 ms\n"
	       "          #\n"
	       "          #\n"
	       "|16.3 ms\n");
	end();
}

/* As many digits as they need; where there are no more, a time is said once. */
static void no_time_stands_below_the_bars_twice(void **state)
{
	struct frame_times t;

	(void)state;
	begin();
	add(5, 1030);
	t = times(0, 0);
	expect(&t, 80, 4, true,
	       "5 frames  p50 103 ms  p90 103  p99 103  max 103\n"
	       "                                        ####\n"
	       "                                        ####\n"
	       "|100.5 ms       |101.5 ms       |102.5 ms       |103.5 ms       |104.5 ms\n");
	end();
	begin();
	for (int i = 0; i < 3; i++)
		assert_true(profile_add_frame(p, (uint64_t)i + 1, 0, 1 + i / 2, 0));
	assert_true(frame_order_update(order, p));
	t = times(0, 0);
	expect(&t, 80, 4, true,
	       "3 frames  p50 1.00 ns  p90 2.00  p99 2.00  max 2.00\n"
	       "                                            ####\n"
	       "                                            ####                            ####\n"
	       "|1.00 ns                                        |2.00 ns\n");
	end();
}

static void any_lengths_fit_into_any_area(void **state)
{
	static const int64_t lengths[] = { 1, 2, 3, INT64_MAX, INT64_MAX - 1 };

	(void)state;
	for (int first = 0; first < 5; first++) {
		struct frame_times t;

		begin();
		for (int i = first; i < 5; i++)
			assert_true(profile_add_frame(p, (uint64_t)i + 1, 0, lengths[i], 0));
		assert_true(frame_order_update(order, p));
		for (int size = 0; size < 40; size++) {
			struct area a = { 3, 2, size * 3, size / 2 };
			struct canvas c = { 0 };

			t = (struct frame_times){ order, 1, size % 2 ? INT64_MAX : 2, lengths[size % 5] };
			lines_begin(&c, 130, 30, size % 3);
			frame_times_draw(&t, &c, a, size % 3);
			for (int y = 0; y < 30; y++)
				for (int x = 0; x < 130; x++)
					if (x < a.x || y < a.y || x >= a.x + a.width || y >= a.y + a.height)
						assert_int_equal(canvas_cell(&c, x, y)->codes[0], ' ');
			canvas_fini(&c);
		}
		end();
	}
}

static void without_frames_nothing_is_drawn(void **state)
{
	struct frame_times t = { 0 };

	(void)state;
	expect(&t, 40, 3, true, "\n\n\n");
	begin();
	t = times(10, 10);
	expect(&t, 40, 3, true, "\n\n\n");
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_line_is_numbers),
		cmocka_unit_test(more_lines_have_a_histogram),
		cmocka_unit_test(frames_of_one_length_stand_in_the_middle),
		cmocka_unit_test(no_time_stands_below_the_bars_twice),
		cmocka_unit_test(any_lengths_fit_into_any_area),
		cmocka_unit_test(without_frames_nothing_is_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
