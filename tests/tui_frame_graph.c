/* SPDX-License-Identifier: MIT */
/*
 * The frame graph: what it looks like, and that what it says is under the pointer is what it drew
 * there, however it was zoomed and moved.
 */
#include "tests/model_dsl.h"
#include "tests/tui_lines.h"

#include "model/stats/statistics.h"
#include "tui/frames/frame_graph.h"
#include "tui/frames/scene.h"

#define MS INT64_C(1000000)
#define S_LATER (1000 * MS)

/* Frames, one behind the other, of these lengths in ms/10; 0 is a discarded one of 20 ms. */
static struct profile *of_lengths(uint64_t first, const int *lengths, int count)
{
	struct profile *p = profile_new();
	int64_t at = 0;

	assert_non_null(p);
	for (int i = 0; i < count; i++) {
		int64_t length = lengths[i] ? lengths[i] * MS / 10 : 20 * MS;

		assert_true(profile_add_frame(p, first + (uint64_t)i, at, length,
					      lengths[i] ? 0 : FRAME_DISCARDED));
		at += length;
	}
	return p;
}

static void stats_make(const struct profile *p, int64_t budget, struct frame_stats *out)
{
	struct frame_order *order = frame_order_new();

	assert_non_null(order);
	assert_true(frame_order_update(order, p));
	frame_stats_make(p, order, budget, out);
	frame_order_free(order);
}

static struct profile *even(uint64_t first, int count, int64_t length)
{
	struct profile *p = profile_new();

	assert_non_null(p);
	for (int i = 0; i < count; i++)
		assert_true(profile_add_frame(p, first + (uint64_t)i, i * length, length, 0));
	return p;
}

static void expect(const struct frame_graph *g, const struct frame_graph_look *look, int width,
		   int height, const char *text)
{
	struct canvas c = { 0 };

	lines_begin(&c, width, height, look->ascii);
	frame_graph_draw(g, look, &c, canvas_area(&c));
	lines_expect(&c, text);
	canvas_fini(&c);
}

static const int ten[] = { 83, 100, 0, 166, 167, 168, 300, 334, 600, 40 };

/* What it looks like */

static void bars_stand_on_a_scale_with_the_budget(void **state)
{
	struct profile *p = of_lengths(1, ten, 10);
	struct frame_graph_look look = { .profile = p, .budget = 167 * MS / 10 };
	struct frame_graph g = { 0 };

	(void)state;
	expect(&g, &look, 24, 5,
	       " 25.1┤              ▅█!\n"
	       " 16.7┼╌╌╌╌╌╌╌╌╌╌╌╌╌▁███╌\n"
	       "     │         ▂ ██████\n"
	       "     │        ██x██████▄\n"
	       "   ms                now\n");
	expect(&g, &look, 24, 3,
	       " 16.7┼╌╌╌╌╌╌╌╌╌╌╌╌╌▁▆█!╌\n"
	       "     │        ▄▅x██████▂\n"
	       "   ms                now\n");
	profile_free(p);
}

static void in_ascii_it_says_the_same(void **state)
{
	struct profile *p = of_lengths(1, ten, 10);
	struct frame_graph_look look = { .profile = p, .budget = 167 * MS / 10, .ascii = true };
	struct frame_graph g = { 0 };

	(void)state;
	expect(&g, &look, 24, 5,
	       " 25.1+              :#!\n"
	       " 16.7+-------------.###-\n"
	       "     |         . ######\n"
	       "     |        ##x######:\n"
	       "   ms                now\n");
	profile_free(p);
}

/* The waiting of the marking thread is dim, above its work. A cell shows the
 * one that it has more of, or with colours for areas both. The selected frame
 * is visible as a whole. */
static void what_waits_is_dim(void **state)
{
	struct profile *p = profile_new();
	struct frame_graph_look look = { .profile = p, .budget = 20 * MS, .chosen = 3 };
	struct frame_graph g = { 0 };
	static const int dim[] = { 1, 0, 0, 2 }; /* of the lower two lines, by column */
	struct canvas c = { 0 };

	(void)state;
	profile_add_zone(p, "vsync", "", 0, ZONE_WAITING);
	dsl_grow(p, "frame 1 19000000\nmain . 9000000\nmain vsync 10000000 1\n"
		    "frame 2 19000000\nmain . 19000000\nw vsync 19000000 1\n"
		    "frame 3 19000000\nmain vsync 19000000 1\n"
		    "frame 4 19000000\nw vsync 19000000 1\n"); /* what of it was work is not known */
	p->threads[0].marking = true;
	lines_begin(&c, 4, 6, false);
	frame_graph_draw(&g, &look, &c, canvas_area(&c));
	for (int x = 0; x < 4; x++) {
		int dims = 0;

		for (int y = 0; y < 5; y++)
			dims += canvas_cell(&c, x, y)->role == ROLE_DIM;
		assert_int_equal(dims, dim[x]);
	}
	look.pins.areas = true;
	frame_graph_draw(&g, &look, &c, canvas_area(&c));
	assert_int_equal(canvas_cell(&c, 0, 4)->codes[0], 0x2587); /* 9 of the cell's 10 ms */
	assert_int_equal(canvas_cell(&c, 0, 4)->role, ROLE_GRAPH);
	assert_int_equal(canvas_cell(&c, 0, 4)->heat, ROLE_DIM);
	assert_int_equal(canvas_cell(&c, 0, 3)->heat, 0); /* all of it is waiting */
	assert_int_equal(canvas_cell(&c, 1, 4)->heat, 0); /* and here work */
	look.ascii = true;
	frame_graph_draw(&g, &look, &c, canvas_area(&c));
	assert_int_equal(canvas_cell(&c, 1, 4)->codes[0], '#');
	assert_int_equal(canvas_cell(&c, 3, 4)->codes[0], ':');
	canvas_fini(&c);
	profile_free(p);
}

/* Frames that no thread marks: the dim part is what the busiest thread waited.
 * A thread that stays in one zone has one slice for several frames. */
static void of_frames_of_no_thread_the_waiting_of_the_busiest_is_dim(void **state)
{
	struct profile *p = profile_new();
	struct frame_graph_look look = { .profile = p, .budget = 20 * MS };
	struct frame_graph g = { 0 };
	static const int dim[] = { 0, 0, 2, 1 }; /* of the lower two lines, by column */
	struct canvas c = { 0 };

	(void)state;
	profile_add_zone(p, "poll", "", 0, ZONE_WAITING);
	dsl_grow(p, "frame 1 19000000\na . 19000000\nb . 19000000\n"
		    "frame 2 19000000\na poll 19000000 1\nb . 19000000\n"
		    "frame 3 19000000\na poll 19000000 1\nb poll 19000000 1\n"
		    "frame 4 19000000\na . 9000000\na poll 10000000 1\nb . 19000000\n");
	struct profile_cell cell = { dsl_node(p, "b", "poll"), 57000000, 1, 57000000 };
	struct profile_part part = { .thread = dsl_thread(p, "b"), .first_frame = 2, .flags = PART_MERGED, .end = 57000000,
				     .cells = &cell, .cell_count = 1 };
	assert_true(profile_set_part(p, 4, &part));
	lines_begin(&c, 4, 6, true);
	frame_graph_draw(&g, &look, &c, canvas_area(&c));
	for (int merged = 0; merged < 2; merged++) {
		look.merged = p->threads[0].marking = merged; /* the same if a thread marks frames and all are shown */
		frame_graph_draw(&g, &look, &c, canvas_area(&c));
		for (int x = 0; x < 4; x++) {
			int dims = 0;

			for (int y = 0; y < 5; y++)
				dims += canvas_cell(&c, x, y)->role == ROLE_DIM;
			assert_int_equal(dims, dim[x]);
		}
	}
	canvas_fini(&c);
	profile_free(p);
}

static void a_frame_of_just_the_budget_does_not_touch_its_line(void **state)
{
	static const int lengths[] = { 166, 167, 168 };
	struct profile *p = of_lengths(1, lengths, 3);
	struct frame_graph_look look = { .profile = p, .budget = 167 * MS / 10 };
	struct frame_graph g = { 0 };

	(void)state;
	for (int height = 2; height < 12; height++) {
		struct canvas c = { 0 };
		struct cell *cell;
		int rows = height < 3 ? height : height < 7 ? height - 1 : height - 2, line = rows - 1 - rows / 2;

		lines_begin(&c, 3, height, false);
		frame_graph_draw(&g, &look, &c, canvas_area(&c));
		for (int x = 0; x < 3; x++) {
			cell = canvas_cell(&c, x, line);
			assert_int_equal(cell->role, x < 2 ? ROLE_BUDGET : ROLE_OVER);
			assert_int_equal(cell->codes[0] == 0x254C, x < 2);
		}
		canvas_fini(&c);
	}
	profile_free(p);
}

static void without_a_budget_the_scale_is_round_and_no_hitch_flattens_it(void **state)
{
	static const int lengths[] = { 166, 166, 166, 90000, 166, 166, 166 };
	struct profile *p = of_lengths(1, lengths, 7);
	struct frame_graph_look look = { .profile = p };
	struct frame_graph g = { 0 };

	(void)state;
	expect(&g, &look, 24, 4,
	       " 20.0┼╌╌╌╌╌╌╌╌9.00 s!╌╌╌\n"
	       "     │           ▅▅▅█▅▅▅\n"
	       "     │           ███████\n"
	       "   ms                now\n");
	profile_free(p);
}

/* The longest first; of several side by side it is the longest one's. */
static void a_peak_that_is_cut_says_how_long_it_is(void **state)
{
	static const int lengths[] = { 900, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 2000, 3000, 1000, 40, 40, 40, 40, 40, 700, 40 };
	struct profile *p = of_lengths(1, lengths, sizeof(lengths) / sizeof(*lengths));
	struct frame_graph_look look = { .profile = p, .budget = 10 * MS };
	struct frame_graph g = { 0 };

	(void)state;
	expect(&g, &look, 32, 4,
	       " 20.0┤!90.0 ms  300 ms!!! 70ms!\n"
	       " 10.0┼█╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌███╌╌╌╌╌█╌\n"
	       "     │█▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃███▃▃▃▃▃█▃\n"
	       "   ms              −0.5 s    now\n");
	profile_free(p);
}

/* Bars that are a little longer than what is usual have their tops below a length that finds no other room; that of the longest
 * of all hides whatever there is. */
static void lengths_hide_tops_that_say_little(void **state)
{
	int crowd[60] = { 900, 300, 300, 160, 700, 300, 210, 160, 160, 600 };
	static const int lengths[] = { 160, 160, 160, 205, 160, 160, 900, 160, 205, 160, 160, 160, 205, 160, 160, 160, 160, 260, 700, 260, 160, 160 };
	struct profile *p = of_lengths(1, lengths, sizeof(lengths) / sizeof(*lengths));
	struct frame_graph_look look = { .profile = p };
	struct frame_graph g = { 0 };

	(void)state;
	expect(&g, &look, 28, 4,
	       " 20.0┼╌╌╌▁╌╌!90.0 ms╌╌╌▅!▅╌╌\n"
	       "     │▅▅▅█▅▅█▅█▅▅▅█▅▅▅▅███▅▅\n"
	       "     │██████████████████████\n"
	       "   ms                    now\n");
	profile_free(p);
	for (int i = 10; i < 60; i++)
		crowd[i] = 160;
	look.profile = p = of_lengths(1, crowd, sizeof(crowd) / sizeof(*crowd));
	expect(&g, &look, 66, 4,
	       " 20.0┼!90ms█▁╌╌!60.0 ms╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
	       "     │███▅███▅▅█▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅\n"
	       "     │████████████████████████████████████████████████████████████\n"
	       "   ms  −1.0 s                  −0.5 s                          now\n");
	look.budget = 20 * MS; /* where the first line says what is over it, nothing of that is hidden */
	expect(&g, &look, 66, 3,
	       " 20.0┼!▄▄╌!▄▁╌╌!60.0 ms╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
	       "     │███▆███▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n"
	       "   ms 11.7 % over budget       −0.5 s                          now\n");
	profile_free(p);
}

/* The label of the longest frame may cover another run, which then has no label: it would stand beside the first one. */
static void labels_never_touch(void **state)
{
	int lengths[60] = { 9918, 300, 300, 300, 300, 701 };
	struct frame_graph_look look = { .budget = 20 * MS };
	struct frame_graph g = { 0 };
	struct profile *p;

	(void)state;
	for (int i = 6; i < 60; i++)
		lengths[i] = 160;
	look.profile = p = of_lengths(1, lengths, 60);
	expect(&g, &look, 66, 4,
	       " 40.0┤!992ms\n"
	       " 20.0┼█▄▄▄▄█╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
	       "     │██████▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n"
	       "   ms 10.0 % over budget       −0.5 s                          now\n");
	profile_free(p);
}

/* One frame in eight has an amount of a measure. The scale is that of these frames, and 0 has no bar. */
static void a_measure_may_be_0_in_most_frames(void **state)
{
	struct profile *p = profile_new();
	struct frame_graph_look look = { .profile = p };
	struct frame_graph g = { 0 };
	char text[64];

	(void)state;
	for (int n = 1; n <= 16; n++) {
		int64_t amounts[DSL_CPU_MEASURES] = { -2, n % 8 ? 0 : n * MS / 2, -2, -2, -2, -2 };

		snprintf(text, sizeof(text), "frame %d 16000000\nmain work 16000000 1\n", n);
		dsl_grow(p, text);
		dsl_cpu_amounts(p, (uint64_t)n, "main", amounts);
	}
	look.measure = dsl_cpu_measure(p, 1);
	expect(&g, &look, 24, 4,
	       " 5.00┼╌╌╌╌╌╌╌╌╌╌8.00 ms!\n"
	       "     │         ▅       █\n"
	       "     │         █       █\n"
	       "   ms                now\n");
	profile_free(p);
}

/* A value that is rounded up to 10 has no digit more than 9.99 has, so that its unit stays visible. */
static void labels_have_so_many_digits(void **state)
{
	struct profile *p = even(1, 3, 10 * MS);
	struct frame_graph_look look = { .profile = p, .budget = 20 * MS - 1 };
	struct frame_graph g = { 0 };

	(void)state;
	expect(&g, &look, 24, 11,
	       " 40.0┤\n"
	       "     │\n"
	       "     │\n"
	       "     │\n"
	       " 20.0┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
	       "     │\n"
	       " 10.0┤\n"
	       "     │               ███\n"
	       "     │               ███\n"
	       "\n"
	       "   ms                now\n");
	look.logarithmic = true;
	expect(&g, &look, 24, 6,
	       " 80ms┤\n"
	       " 40ms┤\n"
	       " 20ms┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
	       " 10ms┤\n"
	       "5.0ms┤               ███\n"
	       "  log                now\n");
	profile_free(p);
}

/* On a logarithmic axis of bytes, `488K` stands for 488 KiB. */
static void labels_of_bytes_keep_their_unit(void **state)
{
	static const struct profile_measure row = { "bytes", "BYTES", .unit = MEASURE_BYTES, .of = MEASURE_OF_SLICE };
	struct profile *p = dsl_profile("frame 1 16000000\nmain work 16000000 1\n");
	const struct profile_held *held = profile_find_part(profile_find_frame(p, 1), 0);
	struct profile_cell cell = profile_cell(held, 0);
	int64_t amount = 300 << 10;
	struct profile_column column = { .measure = profile_add_measure(p, &row), .cell_count = 1, .nodes = &cell.node,
					 .values = &amount };
	struct profile_part part = { .first_frame = 1, .flags = held->flags, .bound = held->bound, .end = held->end,
				     .cell_count = 1, .cells = &cell, .column_count = 1, .columns = &column };
	struct frame_graph_look look = { .profile = p, .logarithmic = true, .measure = column.measure };
	struct frame_graph g = { 0 };

	(void)state;
	assert_true(profile_set_part(p, 1, &part));
	expect(&g, &look, 24, 4,
	       " 977K┤\n"
	       " 488K┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
	       " 244K┤                 ▂\n"
	       "  log                now\n");
	profile_free(p);
}

/* Frames of 20 us and of 3 s, with a budget of 10 ms: a line of cells is a factor of 30. */
static void a_logarithmic_axis_has_all_of_them(void **state)
{
	struct profile *p = profile_new();
	struct frame_graph_look look = { .profile = p, .budget = 10 * MS, .logarithmic = true };
	struct frame_graph g = { 0 };
	static const int64_t lengths[] = { 20000, 200000, 2 * MS, 9999999, 10 * MS, 10000001, 20 * MS, 200 * MS, 3000 * MS };
	int64_t at = 0;

	(void)state;
	for (int i = 0; i < 9; at += lengths[i++])
		assert_true(profile_add_frame(p, 1 + (uint64_t)i, at, lengths[i], 0));
	expect(&g, &look, 24, 7,
	       "200ms┤                 ▇\n"
	       " 10ms┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌▁▂██\n"
	       "500µs┤           ▄██████\n"
	       " 25µs┤          ▆███████\n"
	       "1.2µs┤         ▇████████\n"
	       "\n"
	       "  log                now\n");;
	look.ascii = true;
	expect(&g, &look, 24, 4,
	       " 10ms+--------------..:#\n"
	       " 33us+          .:######\n"
	       "111ns+         :########\n"
	       "  log                now\n");;
	expect(&g, &look, 12, 1,
	       "   ...:::::#\n");;
	look.budget = 0;
	expect(&g, &look, 24, 6,
	       "400ms+                 :\n"
	       " 20ms+----------------:#\n"
	       "1.0ms+           .:::###\n"
	       " 50us+          :#######\n"
	       "2.5us+         :########\n"
	       "  log                now\n");;
	profile_free(p);
}

static void a_logarithmic_axis_survives_anything(void **state)
{
	static const int64_t lengths[] = { 0, 1, INT64_MAX, 5, INT64_MAX - 1 };
	struct frame_graph g = { 0 };

	(void)state;
	for (int height = 0; height < 12; height++)
		for (unsigned which = 0; which < 32; which++) {
			struct profile *p = profile_new();
			struct frame_graph_look look = { .profile = p, .logarithmic = true,
							 .budget = which % 3 ? lengths[which % 5] : 0 };
			struct canvas c = { 0 };

			for (unsigned i = 0; i < 5; i++)
				if (which >> i & 1)
					profile_add_frame(p, i + 1, 0, lengths[i], 0);
			lines_begin(&c, 30, height, false);
			frame_graph_draw(&g, &look, &c, canvas_area(&c));
			canvas_fini(&c);
			profile_free(p);
		}
}

/* A dim bar in the column that it will have. One that has lasted for less than a tenth of a second is not drawn. */
static void the_frame_that_runs_is_a_bar_that_grows(void **state)
{
	struct profile *p = even(1, 30, 100 * MS);
	struct frame_graph_look look = { .profile = p, .budget = 100 * MS };
	struct frame_graph g = { 0 };
	struct area a = { 0, 0, 24, 4 };
	struct canvas c = { 0 };

	(void)state;
	p->now_tick = 3000 * MS + 99 * MS;
	expect(&g, &look, 24, 4,
	       "  200┤\n"
	       "  100┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
	       "     │██████████████████\n"
	       "   ms                now\n");
	assert_int_equal(frame_graph_at(&g, &look, a, 23), 30);
	p->now_tick = 3000 * MS + 150 * MS;
	expect(&g, &look, 24, 4,
	       "  200┤\n"
	       "  100┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▄\n"
	       "     │██████████████████\n"
	       "   ms                now\n");
	assert_int_equal(frame_graph_at(&g, &look, a, 23), 0);
	assert_int_equal(frame_graph_at(&g, &look, a, 22), 30);
	lines_begin(&c, 24, 4, false);
	frame_graph_draw(&g, &look, &c, a);
	assert_int_equal(canvas_cell(&c, 23, 2)->role, ROLE_DIM);
	assert_int_equal(canvas_cell(&c, 22, 2)->role, ROLE_GRAPH);
	canvas_fini(&c);
	p->now_tick = 3000 * MS + 4500 * MS;
	expect(&g, &look, 24, 4,
	       "  200┤           4.50 s!\n"
	       "  100┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌█\n"
	       "     │██████████████████\n"
	       "   ms                now\n");
	frame_graph_pan(&g, &look, a, -1); /* it is not in sight */
	assert_int_equal(frame_graph_at(&g, &look, a, 23), 30);
	frame_graph_pan(&g, &look, a, 1);
	assert_int_equal(g.right, 0);
	assert_true(profile_add_frame(p, 31, 3000 * MS, 4500 * MS, 0)); /* nothing moves when it ends */
	assert_int_equal(frame_graph_at(&g, &look, a, 23), 31);
	assert_int_equal(frame_graph_at(&g, &look, a, 22), 30);
	p->process.state = PROFILE_ENDED;
	p->now_tick += 500 * MS;
	assert_int_equal(frame_graph_at(&g, &look, a, 23), 31);
	profile_free(p);
}

/* Where a column has several frames the one that runs may stand behind the longest of these. */
static void the_frame_that_runs_shares_its_column(void **state)
{
	struct profile *p = even(0, 41, 100 * MS);
	struct frame_graph_look look = { .profile = p, .budget = 100 * MS };
	struct frame_graph g = { .zoom = 2 };
	struct area a = { 0, 0, 12, 4 };

	(void)state;
	p->now_tick = 4100 * MS + 150 * MS;
	assert_int_equal(frame_graph_at(&g, &look, a, 11), 40);
	expect(&g, &look, 12, 4, "\n╌╌╌╌╌╌╌╌╌╌╌▄\n ███████████\n×4       now\n");
	profile_free(p);
}

static void a_band_is_marked_in_all_lines(void **state)
{
	struct profile *p = even(1, 100, 10 * MS);
	struct frame_graph_look look = { .profile = p, .ascii = true, .band_from = 97, .band_to = 92 };
	struct frame_graph g = { 0 };
	struct canvas c = { 0 };

	(void)state;
	expect(&g, &look, 24, 4,
	       " 20.0+------------------\n"
	       "     |\n"
	       "     |##################\n"
	       "   ms          [====]\n");
	lines_begin(&c, 24, 4, true);
	frame_graph_draw(&g, &look, &c, canvas_area(&c));
	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 24; x++)
			assert_int_equal(canvas_cell(&c, x, y)->selected, x >= 15 && x <= 20);
	canvas_fini(&c);
	profile_free(p);
}

static void the_unit_is_that_of_the_frames(void **state)
{
	struct frame_graph_look look = { 0 };
	struct frame_graph g = { 0 };
	struct profile *p = even(1, 3, 42000);

	(void)state;
	look.profile = p;
	expect(&g, &look, 24, 3,
	       " 50.0┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
	       "     │               ▇▇▇\n"
	       "   µs                now\n");
	profile_free(p);
	p = even(1, 3, 1500 * MS);
	look.profile = p;
	look.ascii = true;
	expect(&g, &look, 24, 3,
	       " 2.00+------------------\n"
	       "     |               :::\n"
	       "    s                now\n");
	profile_free(p);
}

static void small_areas_have_what_fits(void **state)
{
	struct profile *p = of_lengths(1, ten, 10);
	struct frame_graph_look look = { .profile = p, .budget = 167 * MS / 10 };
	struct frame_graph g = { 0 };

	(void)state;
	expect(&g, &look, 12, 1, "  ▂▂x▄▄▅▇█!▁\n");
	expect(&g, &look, 12, 2, "╌╌╌╌╌╌╌▁▆█!╌\n  ▄▅x██████▂\n");
	expect(&g, &look, 1, 1, "▁\n");
	expect(&g, &look, 1, 4, "\n╌\n▂\n\n");
	expect(&g, &look, 19, 5,
	       "               ▅█!\n"
	       "╌╌╌╌╌╌╌╌╌╌╌╌╌╌▁███╌\n"
	       "          ▂ ██████\n"
	       "         ██x██████▄\n"
	       "                now\n");
	expect(&g, &look, 0, 0, "");
	profile_free(p);
}

static void nothing_is_drawn_outside_of_the_area(void **state)
{
	struct profile *p = even(1, 100, MS);
	struct frame_graph_look look = { .profile = p, .ascii = true, .focused = true };
	struct frame_graph g = { 0 };
	struct canvas c = { 0 };

	(void)state;
	lines_begin(&c, 6, 5, true);
	frame_graph_draw(&g, &look, &c, (struct area){ 2, 1, 3, 3 });
	lines_expect(&c, "\n  ---\n  :::\n  >\n\n");
	canvas_fini(&c);
	profile_free(p);
}

static void nothing_to_show_is_an_empty_scale(void **state)
{
	struct profile *p = profile_new();
	struct frame_graph_look look = { .profile = p };
	struct frame_graph g = { 0 };

	(void)state;
	expect(&g, &look, 24, 3, "     │\n     │\n\n");
	look.budget = 20 * MS;
	expect(&g, &look, 24, 3, " 20.0┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n     │\n   ms\n");
	assert_int_equal(frame_graph_at(&g, &look, (struct area){ 0, 0, 24, 3 }, 20), 0);
	frame_graph_pan(&g, &look, (struct area){ 0, 0, 24, 3 }, -5);
	frame_graph_zoom(&g, &look, (struct area){ 0, 0, 24, 3 }, 1, 0);
	frame_graph_reveal(&g, &look, (struct area){ 0, 0, 24, 3 }, 7);
	assert_int_equal(g.right, 0);
	assert_int_equal(g.zoom, 0);
	look.profile = NULL;
	expect(&g, &look, 24, 3, "\n\n\n");
	assert_int_equal(frame_graph_at(&g, &look, (struct area){ 0, 0, 24, 3 }, 20), 0);
	frame_graph_pan(&g, &look, (struct area){ 0, 0, 24, 3 }, 5);
	profile_free(p);
}

static void the_frame_that_is_shown_and_marks_stand_in_the_axis(void **state)
{
	static const uint64_t marks[FRAME_MARKS] = { [0] = 991, [25] = 998, [3] = 5 };
	struct profile *p = even(1, 1000, 10 * MS);
	struct frame_graph_look look = { .profile = p, .chosen = 995, .marks = marks,
					 .budget = 10 * MS };
	struct frame_graph g = { 0 };

	(void)state;
	expect(&g, &look, 24, 3,
	       " 10.0┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
	       "     │██████████████████\n"
	       "   ms         a   ▲  z\n");
	look.focused = look.ascii = true;
	g.right = 996;
	expect(&g, &look, 24, 3,
	       " 10.0+------------------\n"
	       "     |##################\n"
	       ">  ms             a   ^\n");
	expect(&g, &look, 24, 7, /* there they have a line of their own */
	       " 20.0+\n"
	       "     |\n"
	       " 10.0+------------------\n"
	       "     |##################\n"
	       "     |##################\n"
	       "                  a   ^\n"
	       ">  ms\n");
	profile_free(p);
}

static int bars_in(struct profile *p, int width, int height)
{
	struct frame_graph_look look = { .profile = p };
	struct frame_graph g = { 0 };
	int bars = 0;

	for (int x = 0; x < width; x++)
		bars += frame_graph_at(&g, &look, (struct area){ 0, 0, width, height }, x) != 0;
	return bars;
}

static void bars_grow_with_the_width_and_leave_no_column(void **state)
{
	struct profile *p = even(1, 1000, 10 * MS);

	(void)state;
	for (int height = 3; height < 12; height++)
		for (int width = 20; width <= 400; width++)
			assert_int_equal(bars_in(p, width, height), width - 6);
	profile_free(p);
}

static void a_wide_one_says_what_a_column_stands_for(void **state)
{
	struct profile *p = even(1, 1000, 10 * MS);
	struct frame_graph_look look = { .profile = p, .budget = 8 * MS, .ascii = true };
	struct frame_graph g = { .zoom = 2 };

	(void)state;
	expect(&g, &look, 100, 4,
	       " 16.0+\n"
	       " 8.00+......................................................"
	       "........................................\n"
	       "     |######################################################"
	       "########################################\n"
	       "   ms 1 column = 4 frames, max  100.0 % over budget"
	       "                    -1.0 s                    now\n");
	look.budget = 0;
	expect(&g, &look, 80, 3,
	       " 20.0+--------------------------------------------------------------------------\n"
	       "     |::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::\n"
	       "   ms 1 column = 4 frames, max                     -1.0 s                    now\n");
	profile_free(p);
}

static void frames_kept_alone_stand_apart(void **state)
{
	struct profile *p = profile_new();
	struct frame_graph_look look = { .profile = p, .budget = 10 * MS };
	struct frame_graph g = { 0 };
	struct area a = { 0, 0, 24, 4 };
	struct canvas c = { 0 };

	(void)state;
	profile_add_frame(p, 3, 0, 25 * MS, FRAME_KEPT | FRAME_SLOW);
	profile_add_frame(p, 90, S_LATER, 40 * MS, FRAME_KEPT | FRAME_SLOW);
	for (int i = 0; i < 6; i++)
		profile_add_frame(p, 200 + (uint64_t)i, 2 * S_LATER + i * 8 * MS, 8 * MS, 0);
	expect(&g, &look, 24, 4,
	       " 20.0┤         ▄!┆\n"
	       " 10.0┼╌╌╌╌╌╌╌╌╌██┆╌╌╌╌╌╌\n"
	       "     │         ██┆▆▆▆▆▆▆\n"
	       "   ms       −2.0 s   now\n");
	assert_int_equal(frame_graph_at(&g, &look, a, 15), 3);
	assert_int_equal(frame_graph_at(&g, &look, a, 16), 90);
	assert_int_equal(frame_graph_at(&g, &look, a, 17), 0);
	assert_int_equal(frame_graph_at(&g, &look, a, 18), 200);
	g.zoom = 6; /* they stay apart also where all others are one column */
	assert_int_equal(frame_graph_at(&g, &look, a, 20), 3);
	assert_int_equal(frame_graph_at(&g, &look, a, 23), 200);
	g.zoom = 8; /* but from each other only where a column is less than what they stand for */
	assert_int_equal(frame_graph_at(&g, &look, a, 20), 0);
	assert_int_equal(frame_graph_at(&g, &look, a, 21), 90);
	assert_int_equal(frame_graph_at(&g, &look, a, 22), 0);
	assert_int_equal(frame_graph_at(&g, &look, a, 23), 200);
	g.zoom = 0; /* dim, unless they are over the budget */
	look.budget = 30 * MS;
	lines_begin(&c, 24, 4, false);
	frame_graph_draw(&g, &look, &c, a);
	assert_int_equal(canvas_cell(&c, 15, 2)->role, ROLE_DIM);
	assert_int_equal(canvas_cell(&c, 16, 2)->role, ROLE_OVER);
	assert_int_equal(canvas_cell(&c, 18, 2)->role, ROLE_GRAPH);
	canvas_fini(&c);
	profile_free(p);
}

/* Ten seconds in the ring; a frame a second before that for half an hour, and one each 68 seconds for hours. */
static struct profile *of_hours(void)
{
	struct profile *p = profile_new();
	int64_t ring = 4 * 3600 * S_LATER;

	for (int64_t i = 0; i < 186; i++)
		profile_add_frame(p, 1 + (uint64_t)i * 4096, i * 68 * S_LATER, (12 + i % 7) * MS, FRAME_KEPT);
	for (int64_t i = 0; i < 1800; i++)
		profile_add_frame(p, 800000 + (uint64_t)i * 64, ring - (1800 - i) * S_LATER,
				  (8 + i % 5) * MS, FRAME_KEPT);
	for (int64_t i = 0; i < 600; i++)
		profile_add_frame(p, 1000000 + (uint64_t)i, ring + i * S_LATER / 60, 9 * MS, 0);
	return p;
}

static void hours_are_in_sight_and_have_their_age(void **state)
{
	struct profile *p = of_hours();
	struct frame_graph_look look = { .profile = p, .budget = 10 * MS };
	struct frame_graph g = { 0 };
	struct area a = { 0, 0, 70, 4 };

	(void)state;
	frame_graph_reveal(&g, &look, a, 999999);
	frame_graph_pan(&g, &look, a, -20);
	expect(&g, &look, 70, 4,
	       " 20.0┤                   ┆\n"
	       " 10.0┼╌╌▁▂╌╌╌▁▂╌╌╌▁▂╌╌╌▁▂┆╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
	       "     │▇███▆▇███▆▇███▆▇███┆▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇\n"
	       "   ms 0.0 % over budget  −28.9 s                    −9.5 s\n");
	frame_graph_pan(&g, &look, a, -100000);
	expect(&g, &look, 70, 4,
	       " 20.0┤\n"
	       " 10.0┼▂▂▃▄▅▆▆▂▂▃▄▅▆▆▂▂▃▄▅▆▆▂▂▃▄▅▆▆▂▂▃▄▅▆▆▂▂▃▄▅▆▆▂▂▃▄▅▆▆▂▂▃▄▅▆▆▂▂▃▄▅▆▆▂\n"
	       "     │████████████████████████████████████████████████████████████████\n"
	       "   ms −4.0 h     −3.7 h        −3.4 h        −3.2 h        −2.9 h\n");
	frame_graph_zoom(&g, &look, a, 20, 0);
	expect(&g, &look, 70, 4,
	       " 20.0┤                                                              ┆\n"
	       " 10.0┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▆▆▆▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂┆╌\n"
	       "     │                              ████████████████████████████████┆▇\n"
	       "   ms 1 column = 4 096 frames, max  −4.0 h     −18 min             now\n");
	assert_int_equal(frame_graph_at(&g, &look, a, 69), 1000000);
	profile_free(p);
}

static void gaps_between_numbers_stay_gaps(void **state)
{
	struct profile *p = profile_new();
	struct frame_graph_look look = { .profile = p, .budget = 10 * MS };
	struct frame_graph g = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 12; i++)
		if (i != 3 && i != 7 && i != 8)
			profile_add_frame(p, 40 + i, (int64_t)i * 10 * MS, 10 * MS, 0);
	expect(&g, &look, 12, 2, "╌╌╌╌╌╌╌╌╌╌╌╌\n███ ███  ███\n");
	g.zoom = 1;
	expect(&g, &look, 6, 2, "╌╌╌╌╌╌\n██████\n");
	profile_free(p);
}

static void bars_move_and_keep_their_shape(void **state)
{
	struct frame_graph_look look = { .budget = 10 * MS, .ascii = true };
	struct frame_graph g = { .zoom = 3 };
	struct profile *p = profile_new();
	struct canvas before = { 0 }, after = { 0 };
	int64_t at = 0;

	(void)state;
	look.profile = p;
	lines_begin(&before, 40, 9, true);
	lines_begin(&after, 40, 9, true);
	for (uint64_t i = 1; i < 1200; i++) {
		int64_t length = (int64_t)(i * 7919 % 97) * MS / 4;

		profile_add_frame(p, i, at, length, 0);
		at += length;
		if (i == 1007) /* the last of a column */
			frame_graph_draw(&g, &look, &before, canvas_area(&before));
	}
	frame_graph_draw(&g, &look, &after, canvas_area(&after));
	for (int y = 0; y < 8; y++)
		for (int x = 6 + (1199 - 1007) / 8; x < 40; x++)
			assert_memory_equal(canvas_cell(&before, x, y),
					    canvas_cell(&after, x - (1199 - 1007) / 8, y),
					    sizeof(struct cell));
	canvas_fini(&before);
	canvas_fini(&after);
	profile_free(p);
}

static void labels_of_the_axis_suit_the_time_in_sight(void **state)
{
	static const struct {
		int64_t length;
		const char *axis;
		uint64_t right;
	} cases[] = {
		{ 1000, "   us                  -40 us              -20 us              now", 0 },
		{ 100000, "   us                   -4 ms               -2 ms              now", 0 },
		{ 20 * MS, "   ms        -1.0 s                   -0.5 s                   now", 0 },
		{ 700 * MS, "    s               -30.0 s       -20.0 s       -10.0 s        now", 0 },
		{ 60000 * MS, "    s                  -40 min             -20 min             now", 0 },
		{ 700 * MS, "    s            -130 s        -120 s        -110 s         -100 s", 50 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct profile *p = even(1, 200, cases[i].length);
		struct frame_graph_look look = { .profile = p, .ascii = true };
		struct frame_graph g = { .right = cases[i].right };
		struct canvas c = { 0 };
		char *text;

		lines_begin(&c, 66, 3, true);
		frame_graph_draw(&g, &look, &c, canvas_area(&c));
		text = lines_text(&c);
		strrchr(text, '\n')[0] = '\0';
		assert_string_equal(strrchr(text, '\n') + 1, cases[i].axis);
		free(text);
		canvas_fini(&c);
		profile_free(p);
	}
}

/* Under the pointer */

static uint32_t seed;

static uint32_t any(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

/* Frames with gaps between their numbers, some kept before them, some discarded. */
static struct profile *any_profile(uint32_t from)
{
	struct profile *p = profile_new();
	uint32_t kept, frames;
	uint64_t number;
	int64_t at = 0;

	seed = from;
	number = 1 + any(1000);
	kept = any(3) ? 0 : any(12);
	frames = 1 + any(400);

	for (uint32_t i = 0; i < kept + frames; i++) {
		uint32_t flags = i < kept ? FRAME_KEPT : any(9) ? 0 : FRAME_DISCARDED;
		int64_t length = (int64_t)any(40) * MS;

		assert_true(profile_add_frame(p, number, at, length, flags));
		at += length;
		number += any(8) ? 1 : 1 + any(40);
	}
	return p;
}

/* Where the axis says that the chosen frame is; -1: it does not. */
static int chosen_at(const struct frame_graph *g, const struct frame_graph_look *look,
		     struct area a)
{
	struct canvas c = { 0 };
	int found = -1;

	lines_begin(&c, a.width, a.height, true);
	frame_graph_draw(g, look, &c, a);
	for (int x = 0; x < a.width; x++) {
		if (canvas_cell(&c, x, a.height - 1)->codes[0] != '^')
			continue;
		assert_int_equal(found, -1);
		found = x;
	}
	canvas_fini(&c);
	return found;
}

static bool is_kept(const struct profile *p, uint64_t number)
{
	return profile_find_frame(p, number)->flags & FRAME_KEPT;
}

/* Whether two frames share a column. */
static bool together(const struct profile *p, uint32_t zoom, uint64_t one, uint64_t other)
{
	uint32_t joined = zoom > 6 ? zoom - 6 : 0; /* kept ones: each stands for 64 */

	if (is_kept(p, one) && is_kept(p, other))
		return profile_frame_index(p, one) >> joined == profile_frame_index(p, other) >> joined;
	if (is_kept(p, one) || is_kept(p, other))
		return false;
	return one >> zoom == other >> zoom;
}

static void expect_longest(const struct profile *p, uint32_t zoom, uint64_t number)
{
	const struct profile_frame *longest = profile_find_frame(p, number);

	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *f = &p->frames[i];

		if (!together(p, zoom, f->number, number) || f->flags & FRAME_DISCARDED)
			continue;
		assert_false(longest->flags & FRAME_DISCARDED);
		assert_true(f->length <= longest->length);
	}
}

static void what_is_under_the_pointer_is_what_was_drawn_there(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 60; round++) {
		struct profile *p = any_profile(round * 5 + 3);
		struct frame_graph_look look = { .profile = p, .ascii = true };
		struct area a = { 0, 0, 1 + (int)any(120), 3 + (int)any(4) };
		struct frame_graph g = { .zoom = any(10) };

		for (uint32_t i = 0; i < p->frame_count; i++) {
			uint64_t number = look.chosen = p->frames[i].number, there;
			int x;

			frame_graph_reveal(&g, &look, a, number);
			x = chosen_at(&g, &look, a);
			assert_in_range(x, 0, a.width - 1);
			there = frame_graph_at(&g, &look, a, x);
			assert_true(together(p, g.zoom, there, number));
			expect_longest(p, g.zoom, there);
		}
		profile_free(p);
	}
}

/* Whether it cannot be moved any farther, to one side at least. */
static bool is_at_an_end(const struct frame_graph *g, const struct frame_graph_look *look,
			 struct area a)
{
	struct frame_graph older = *g, newer = *g;

	frame_graph_pan(&older, look, a, -1);
	frame_graph_pan(&newer, look, a, 1);
	return chosen_at(&older, look, a) == chosen_at(g, look, a) ||
	       chosen_at(&newer, look, a) == chosen_at(g, look, a);
}

static void a_frame_stays_where_it_is_while_it_is_zoomed(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 200; round++) {
		struct profile *p;
		struct frame_graph_look look = { .ascii = true };
		struct area a;
		struct frame_graph g;
		int before, after;

		look.profile = p = any_profile(round * 7 + 1);
		a = (struct area){ 0, 0, 1 + (int)any(120), 4 };
		g = (struct frame_graph){ .zoom = any(5) };
		look.chosen = p->frames[any(p->frame_count)].number;
		frame_graph_reveal(&g, &look, a, look.chosen);
		for (int i = 0; i < 12; i++) {
			before = chosen_at(&g, &look, a);
			frame_graph_zoom(&g, &look, a, any(2) ? 1 : -1, look.chosen);
			after = chosen_at(&g, &look, a);
			assert_in_range(after, 0, a.width - 1);
			if (after != before)
				assert_true(is_at_an_end(&g, &look, a));
		}
		profile_free(p);
	}
}

static void a_frame_comes_into_sight_also_where_there_are_no_bars(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 200; round++) {
		struct profile *p = any_profile(round * 3 + 1);
		struct frame_graph_look look = { .profile = p };
		struct frame_graph g = { .zoom = any(3) };
		struct area a = { 0, 0, 8 + (int)any(100), 0 };
		uint32_t index = any(p->frame_count), count, first;

		look.chosen = p->frames[index].number;
		frame_graph_reveal(&g, &look, a, look.chosen);
		first = frame_graph_sight(&g, &look, a, &count);
		assert_true(index >= first && index - first < count);
		profile_free(p);
	}
}

static void what_is_not_in_sight_comes_to_the_edge_when_it_is_zoomed(void **state)
{
	struct profile *p = even(1, 1000, 10 * MS);
	struct frame_graph_look look = { .profile = p, .ascii = true, .chosen = 500 };
	struct frame_graph g = { 0 };
	struct area a = { 0, 0, 19, 4 };

	(void)state;
	frame_graph_zoom(&g, &look, a, 1, 500);
	assert_int_equal(chosen_at(&g, &look, a), 0);
	g = (struct frame_graph){ .right = 300 };
	frame_graph_zoom(&g, &look, a, 1, 500);
	assert_int_equal(chosen_at(&g, &look, a), 18);
	profile_free(p);
}

/* Moving */

static void it_follows_the_newest_until_it_is_moved(void **state)
{
	struct profile *p = even(1, 1000, 10 * MS);
	struct frame_graph_look look = { .profile = p };
	struct frame_graph g = { 0 };
	struct area a = { 0, 0, 50, 1 };

	(void)state;
	assert_int_equal(frame_graph_at(&g, &look, a, 49), 1000);
	frame_graph_pan(&g, &look, a, -10);
	assert_int_equal(frame_graph_at(&g, &look, a, 49), 990);
	profile_add_frame(p, 1001, 10000 * MS, 10 * MS, 0);
	assert_int_equal(frame_graph_at(&g, &look, a, 49), 990);
	frame_graph_pan(&g, &look, a, 100);
	assert_int_equal(g.right, 0);
	profile_add_frame(p, 1002, 10010 * MS, 10 * MS, 0);
	assert_int_equal(frame_graph_at(&g, &look, a, 49), 1002);
	look.chosen = 980;
	frame_graph_pan(&g, &look, a, 1);
	assert_int_equal(g.right, 1002);
	profile_free(p);
}

static void it_goes_to_the_oldest_and_no_farther(void **state)
{
	struct profile *p = even(5, 1000, 10 * MS);
	struct frame_graph_look look = { .profile = p };
	struct frame_graph g = { 0 };
	struct area a = { 0, 0, 50, 1 };

	(void)state;
	frame_graph_pan(&g, &look, a, -100000);
	assert_int_equal(frame_graph_at(&g, &look, a, 0), 5);
	assert_int_equal(frame_graph_at(&g, &look, a, 49), 54);
	profile_drop_frames(p, 30); /* the ring goes on, below the eyes */
	assert_int_equal(frame_graph_at(&g, &look, a, 0), 35);
	profile_free(p);
}

static void the_gap_is_crossed_both_ways(void **state)
{
	struct profile *p = profile_new();
	struct frame_graph_look look = { .profile = p };
	struct frame_graph g = { 0 };
	struct area a = { 0, 0, 2, 1 };
	uint64_t seen = 0;

	(void)state;
	for (int i = 0; i < 4; i++)
		profile_add_frame(p, 10 + (uint64_t)i * 10, i * S_LATER, MS, FRAME_KEPT);
	for (int i = 0; i < 4; i++)
		profile_add_frame(p, 100 + (uint64_t)i, 5 * S_LATER + i * MS, MS, 0);
	for (int i = 0; i < 9; i++)
		frame_graph_pan(&g, &look, a, -1);
	assert_int_equal(frame_graph_at(&g, &look, a, 0), 10);
	for (int i = 0; i < 9; i++) {
		frame_graph_pan(&g, &look, a, 1);
		seen = frame_graph_at(&g, &look, a, 1);
	}
	assert_int_equal(seen, 103);
	assert_int_equal(g.right, 0);
	profile_free(p);
}

static void any_numbers_and_times_are_survived(void **state)
{
	static const uint64_t numbers[] = { 0, 1, 1000, UINT64_C(1) << 62, UINT64_MAX - 1, UINT64_MAX };
	static const int64_t times[] = { 0, INT64_MAX, 5, INT64_MAX - 1, 0, INT64_MAX };
	struct frame_graph_look look = { .budget = INT64_MAX };
	struct area a = { 0, 0, 100, 6 };

	(void)state;
	for (uint32_t zoom = 0; zoom < 70; zoom += 3) {
		struct profile *p = profile_new();
		struct frame_graph g = { .zoom = zoom, .right = numbers[zoom % 6] };
		struct frame_stats stats;
		struct canvas c = { 0 };

		look.profile = p;
		look.chosen = numbers[zoom % 5];
		for (int i = 0; i < 6; i++)
			profile_add_frame(p, numbers[i], times[i], times[5 - i],
					  zoom > 30 && i < 2 ? FRAME_KEPT : 0);
		lines_begin(&c, 100, 6, false);
		frame_graph_draw(&g, &look, &c, a);
		for (int i = -9; i < 10; i++) {
			frame_graph_zoom(&g, &look, a, i, numbers[(i + 9) % 6]);
			frame_graph_pan(&g, &look, a, i * 100000000);
			frame_graph_at(&g, &look, a, i * 10);
			frame_graph_draw(&g, &look, &c, a);
		}
		look.budget = zoom % 2;
		frame_graph_draw(&g, &look, &c, a);
		stats_make(p, look.budget, &stats);
		canvas_fini(&c);
		profile_free(p);
	}
}

/* What is said of all of them */

static void statistics_are_those_of_the_lengths(void **state)
{
	struct profile *p = of_lengths(1, ten, 10);
	struct frame_stats s;

	(void)state;
	stats_make(p, 167 * MS / 10, &s);
	assert_int_equal(s.count, 9);
	assert_int_equal(s.median, 167 * MS / 10);
	assert_int_equal(s.p99, 60 * MS);
	assert_int_equal(s.max, 60 * MS);
	assert_int_equal(s.over, 4);
	assert_int_equal(s.history, 2158 * MS / 10);
	stats_make(p, 0, &s);
	assert_int_equal(s.over, 0);
	profile_free(p);
}

/* A discarded one is not; percentiles are of those that are held one after the other. */
static void the_longest_may_have_been_kept_alone(void **state)
{
	struct profile *p = profile_new();
	struct frame_stats s;

	(void)state;
	assert_true(profile_add_frame(p, 5, 0, 120 * MS, FRAME_KEPT | FRAME_DISCARDED));
	assert_true(profile_add_frame(p, 9, 200 * MS, 50 * MS, FRAME_KEPT));
	for (int i = 0; i < 20; i++)
		assert_true(profile_add_frame(p, 100 + (uint64_t)i, (1000 + i) * MS, MS, 0));
	stats_make(p, 0, &s);
	assert_int_equal(s.count, 20);
	assert_int_equal(s.p99, MS);
	assert_int_equal(s.max, 50 * MS);
	profile_free(p);
}

static void any_ranks_are_those_of_a_sort(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 60; round++) {
		struct profile *p = profile_new();
		struct frame_stats s;
		struct statistics expected;
		int64_t lengths[300];
		uint32_t n = 1 + round * 5;

		seed = round + 1;
		for (uint32_t i = 0; i < n; i++) {
			lengths[i] = 1 + (int64_t)any(1 << 16);
			lengths[i] <<= any(46);
			assert_true(profile_add_frame(p, i + 1, 0, lengths[i], 0));
		}
		assert_true(profile_add_frame(p, n + 1, 0, 0, 0)); /* of no length: counts nowhere */
		stats_make(p, 0, &s);
		assert_int_equal(s.count, n);
		expected = statistics_of(lengths, n);
		assert_int_equal(s.median, expected.median);
		assert_int_equal(s.p99, expected.p99);
		assert_int_equal(s.max, expected.max);
		profile_free(p);
	}
}

static void frames_kept_alone_are_part_of_no_statistics_but_the_longest(void **state)
{
	struct profile *p = profile_new();
	struct frame_stats s;

	(void)state;
	profile_add_frame(p, 1, 0, 900 * MS, FRAME_KEPT);
	stats_make(p, 0, &s);
	assert_int_equal(s.count, 0);
	profile_add_frame(p, 2, S_LATER, 500 * MS, 0);
	stats_make(p, 0, &s);
	assert_int_equal(s.count, 1);
	assert_int_equal(s.median, 500 * MS);
	assert_int_equal(s.max, 900 * MS);
	assert_int_equal(s.history, 500 * MS);
	profile_free(p);
	frame_stats_make(NULL, NULL, 0, &s);
	assert_int_equal(s.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_stand_on_a_scale_with_the_budget),
		cmocka_unit_test(in_ascii_it_says_the_same),
		cmocka_unit_test(what_waits_is_dim),
		cmocka_unit_test(of_frames_of_no_thread_the_waiting_of_the_busiest_is_dim),
		cmocka_unit_test(a_frame_of_just_the_budget_does_not_touch_its_line),
		cmocka_unit_test(without_a_budget_the_scale_is_round_and_no_hitch_flattens_it),
		cmocka_unit_test(a_peak_that_is_cut_says_how_long_it_is),
		cmocka_unit_test(lengths_hide_tops_that_say_little),
		cmocka_unit_test(labels_never_touch),
		cmocka_unit_test(a_measure_may_be_0_in_most_frames),
		cmocka_unit_test(labels_have_so_many_digits),
		cmocka_unit_test(labels_of_bytes_keep_their_unit),
		cmocka_unit_test(a_logarithmic_axis_has_all_of_them),
		cmocka_unit_test(a_logarithmic_axis_survives_anything),
		cmocka_unit_test(the_frame_that_runs_is_a_bar_that_grows),
		cmocka_unit_test(the_frame_that_runs_shares_its_column),
		cmocka_unit_test(a_band_is_marked_in_all_lines),
		cmocka_unit_test(the_unit_is_that_of_the_frames),
		cmocka_unit_test(small_areas_have_what_fits),
		cmocka_unit_test(nothing_is_drawn_outside_of_the_area),
		cmocka_unit_test(nothing_to_show_is_an_empty_scale),
		cmocka_unit_test(the_frame_that_is_shown_and_marks_stand_in_the_axis),
		cmocka_unit_test(bars_grow_with_the_width_and_leave_no_column),
		cmocka_unit_test(a_wide_one_says_what_a_column_stands_for),
		cmocka_unit_test(frames_kept_alone_stand_apart),
		cmocka_unit_test(hours_are_in_sight_and_have_their_age),
		cmocka_unit_test(gaps_between_numbers_stay_gaps),
		cmocka_unit_test(bars_move_and_keep_their_shape),
		cmocka_unit_test(labels_of_the_axis_suit_the_time_in_sight),
		cmocka_unit_test(what_is_under_the_pointer_is_what_was_drawn_there),
		cmocka_unit_test(a_frame_stays_where_it_is_while_it_is_zoomed),
		cmocka_unit_test(a_frame_comes_into_sight_also_where_there_are_no_bars),
		cmocka_unit_test(what_is_not_in_sight_comes_to_the_edge_when_it_is_zoomed),
		cmocka_unit_test(it_follows_the_newest_until_it_is_moved),
		cmocka_unit_test(it_goes_to_the_oldest_and_no_farther),
		cmocka_unit_test(the_gap_is_crossed_both_ways),
		cmocka_unit_test(any_numbers_and_times_are_survived),
		cmocka_unit_test(statistics_are_those_of_the_lengths),
		cmocka_unit_test(the_longest_may_have_been_kept_alone),
		cmocka_unit_test(any_ranks_are_those_of_a_sort),
		cmocka_unit_test(frames_kept_alone_are_part_of_no_statistics_but_the_longest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
