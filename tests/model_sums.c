/* SPDX-License-Identifier: MIT */
/*
 * model_sums: programs at random, of which single calls are known from somewhere on: what boxes of sums have of a part and
 * what is known singly make up the part, stack by stack and tick by tick. And windows of any width, and parts that lie.
 */
#include "model/boxes/sums.h"

#include "tests/long.h"
#include "tests/model_random.h"

#define NODES 30
#define FRAMES 40

struct program {
	struct profile *p;
	struct transitions *t;
	struct spans *s;
	int64_t self[NODES + 1], count[NODES + 1];
	struct sum_frames frames;
	struct sums sums;
};

static void end_frame(struct program *r, uint64_t number, int64_t start, int64_t end)
{
	struct profile_cell cells[NODES + 1];
	struct profile_part part = { .cells = cells, .bound = start, .end = end };

	for (uint32_t i = 0; i < r->p->node_count; i++)
		if (r->self[i] || r->count[i])
			cells[part.cell_count++] = (struct profile_cell){ i, r->self[i], r->count[i], 0 };
	assert_true(profile_add_frame(r->p, number, start, end - start, 0));
	assert_true(profile_set_part(r->p, number, &part));
	memset(r->self, 0, sizeof(r->self));
	memset(r->count, 0, sizeof(r->count));
}

/* Walks through the tree: into a child or out of the zone, and marks now and then. From a step on, and not in a stretch
 * behind it, its entries and exits are known. */
static void run(struct program *r)
{
	struct transition_list *list;
	uint32_t node = 0, from = random_below(600), gap = random_below(1200);
	int64_t tick = 1, start = 1;
	uint64_t number = 1;

	r->p = profile_new();
	r->t = transitions_new(100000);
	r->s = spans_new();
	for (uint32_t i = 0; i < 5; i++)
		profile_add_zone(r->p, (char[]){ 'a' + (char)i, 0 }, "", 0, 0);
	profile_add_thread(r->p, 1, 0, "main");
	while (r->p->node_count < NODES)
		profile_add_node(r->p, random_below(r->p->node_count), 1 + random_below(5));
	list = transitions_of(r->t, 1, 0);
	for (uint32_t step = 0; number <= FRAMES; step++) {
		bool known = step >= from && (step < gap || step > gap + 20);
		uint32_t child = 1 + random_below(NODES - 1);
		int64_t length = random_below(3) * (int64_t)random_below(1000);

		r->self[node] += length;
		tick += length;
		if (step == from || (step >= gap && step <= gap + 21)) /* what was before is not known */
			assert_true(transitions_add(r->t, list, (struct transition){ tick, 0, TRANSITION_GAP }));
		if (!random_below(8) && tick > start) {
			end_frame(r, number++, start, tick);
			start = tick;
		} else if (r->p->nodes[child].parent == node) {
			node = child;
			r->count[node]++;
			if (known)
				assert_true(transitions_add(r->t, list, (struct transition){ tick, node, TRANSITION_ENTER }));
		} else if (node && random_below(2)) {
			if (known)
				assert_true(transitions_add(r->t, list, (struct transition){ tick, node, TRANSITION_LEAVE }));
			node = r->p->nodes[node].parent;
		}
	}
	r->p->now_tick = tick;
	assert_true(spans_update(r->s, r->p, r->t, tick));
}

static void end(struct program *r)
{
	sums_fini(&r->sums);
	sum_frames_fini(&r->frames);
	spans_free(r->s);
	transitions_free(r->t);
	profile_free(r->p);
}

static void fill(struct program *r, int64_t from, int64_t to, uint32_t columns)
{
	assert_true(sum_frames_pick(&r->frames, r->p, from, to, columns));
	assert_true(sums_fill(&r->sums, r->p, 0, &r->s->lists[0], &r->frames));
}

/* Boxes lie in pieces, in their callers, one after the other; pieces lie apart, and where nothing is known singly unless
 * they are scaled. */
static void check_places(const struct program *r)
{
	const struct sums *s = &r->sums;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct sum_piece *piece = &s->pieces[i];

		assert_true(piece->begin < piece->end && (!i || s->pieces[i - 1].end <= piece->begin));
		assert_ptr_equal(sums_piece(s, piece->begin), piece);
		for (uint32_t k = 0; !piece->scaled && k < r->s->lists[0].known_count; k++)
			assert_true(r->s->lists[0].known[k].end <= piece->begin || r->s->lists[0].known[k].begin >= piece->end);
	}
	for (uint32_t depth = 0; depth < s->depth; depth++) {
		struct box_row row = sums_row(s, depth), above = depth ? sums_row(s, depth - 1) : row;

		for (uint32_t i = 0; i < row.count; i++) {
			const struct sum_piece *piece = sums_piece(s, row.begin[i]);
			uint32_t caller = box_row_at(&above, row.begin[i]);

			assert_non_null(piece);
			assert_true(row.begin[i] < row.end[i] && row.end[i] <= piece->end);
			assert_true(!i || row.end[i - 1] <= row.begin[i]);
			if (!depth)
				continue;
			assert_true(caller != UINT32_MAX && above.end[caller] >= row.end[i]);
			assert_int_equal(s->rows[depth - 1].node[caller], r->p->nodes[s->rows[depth].node[i]].parent);
		}
	}
}

/* Adds what the spans of a row have of a node in [from, to). */
static int64_t exact_of(const struct program *r, uint32_t node, int64_t from, int64_t to)
{
	const struct span_list *l = &r->s->lists[0];
	int64_t sum = 0;

	for (uint32_t depth = 0; depth < l->depth; depth++) {
		struct box_row row = spans_row(l, depth);

		for (uint32_t i = 0; i < row.count; i++) {
			int64_t begin = row.begin[i] > from ? row.begin[i] : from, end = row.end[i] < to ? row.end[i] : to;

			sum += l->rows[depth].node[i] == node && begin < end ? end - begin : 0;
		}
	}
	return sum;
}

static int64_t boxes_of(const struct program *r, uint32_t node, const struct sum_piece *piece)
{
	int64_t sum = 0;

	for (uint32_t depth = 0; depth < r->sums.depth; depth++) {
		struct box_row row = sums_row(&r->sums, depth);

		for (uint32_t i = 0; i < row.count; i++)
			if (r->sums.rows[depth].node[i] == node && sums_piece(&r->sums, row.begin[i]) == piece)
				sum += row.end[i] - row.begin[i];
	}
	return sum;
}

static void boxes_and_spans_make_up_the_parts(void **state)
{
	uint32_t whole = 0, rest = 0, apart = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= test_times(2000, 5000); seed++) {
		struct program r = { 0 };

		random_state = seed;
		run(&r);
		fill(&r, 0, r.p->now_tick + 1, FRAMES);
		assert_false(r.frames.thinned);
		check_places(&r);
		for (uint32_t i = 0; i < r.sums.count; i++) {
			const struct sum_piece *piece = &r.sums.pieces[i];
			const struct profile_held *part = &r.p->frames[piece->frame].parts[piece->part];

			whole += piece->whole;
			rest += !piece->whole;
			apart += piece->scaled; /* the rest of the part lies in several places */
			if (piece->scaled)
				continue;
			for (uint32_t node = 1; node < NODES; node++) {
				struct sum_of_node sum = sums_of_node(r.p, part, node);

				if (sum.hier != exact_of(&r, node, part->bound, part->end) + boxes_of(&r, node, piece))
					fail_msg("seed %llu: frame %u, node %u", (unsigned long long)seed, piece->frame, node);
			}
		}
		end(&r);
	}
	assert_true(whole > 100 && rest > 50 && apart > 2);
}

/* From mark to mark, values are those of the frames, singly known or not; else they say what is missing. */
static void values_are_those_of_the_frames(void **state)
{
	uint32_t all = 0, missing = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= test_times(200, 5000); seed++) {
		struct program r = { 0 };

		random_state = seed;
		run(&r);
		for (int i = 0; i < 10; i++) {
			uint32_t first = random_below(FRAMES), behind = first + 1 + random_below(FRAMES - first);
			int64_t from = r.p->frames[first].start, to = frame_end(&r.p->frames[behind - 1]), time = 0;
			struct values *v = sums_values(r.s, r.p, from, to), *frames = values_of_frames(r.p, first, behind - first);

			assert_true(v && frames);
			for (uint32_t node = 0; node < NODES; node++) {
				assert_true(v->self[node] >= 0 && v->self[node] <= frames->self[node]);
				if (!v->incomplete)
					assert_int_equal(v->self[node], frames->self[node]);
				time += v->self[node];
			}
			assert_int_equal(v->time[0], time);
			assert_int_equal(v->wall, to - from);
			assert_int_equal(!v->incomplete, v->time[0] == to - from);
			all += !v->incomplete;
			missing += v->incomplete;
			values_free(v);
			values_free(frames);
		}
		end(&r);
	}
	assert_true(all > 100 && missing > 100);
}

static void a_window_of_any_width(void **state)
{
	uint32_t thinned = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= test_times(300, 5000); seed++) {
		struct program r = { 0 };

		random_state = seed;
		run(&r);
		for (int i = 0; i < 20; i++) {
			int64_t from = random_below((uint32_t)r.p->now_tick), width = 1 + random_below((uint32_t)r.p->now_tick);

			fill(&r, from, from + width, 1 + random_below(50));
			check_places(&r);
			thinned += r.frames.thinned;
			for (uint32_t k = 0; r.frames.thinned && k < r.sums.count; k++)
				assert_true(r.sums.pieces[k].begin >= from && r.sums.pieces[k].end <= from + width);
		}
		fill(&r, 0, INT64_MAX, 7);
		check_places(&r);
		end(&r);
	}
	assert_true(thinned > 100);
}

/* By hand: the longest first, each under its caller; the longest frame of a column. */
static void boxes_stand_by_size(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nmain a 10 1 1\nmain a/b 30 1 1\nmain a/c 40 2 30\nmain d 20 1 20\n"
					"frame 2 300\nmain d 300 1 300\n"
					"frame 3 50\nmain a 50 1 50\n");
	struct sum_frames f = { 0 };
	struct sums s = { 0 };
	struct box_row row;

	(void)state;
	assert_true(sum_frames_pick(&f, p, 0, 450, 10));
	assert_true(sums_fill(&s, p, 0, NULL, &f));
	assert_int_equal(s.count, 3);
	row = sums_row(&s, 0);
	assert_int_equal(row.count, 4);
	assert_int_equal(row.end[0] - row.begin[0], 80);
	assert_int_equal(row.end[1], row.begin[0] + 100);
	row = sums_row(&s, 1);
	assert_int_equal(row.count, 2);
	assert_int_equal(s.rows[1].node[0], dsl_node(p, "main", "a/c"));
	assert_int_equal(row.end[0] - row.begin[0], 40);
	assert_int_equal(row.begin[1], row.end[0]);
	assert_true(sum_frames_pick(&f, p, 0, 450, 1));
	assert_true(sums_fill(&s, p, 0, NULL, &f));
	assert_int_equal(s.count, 1);
	assert_int_equal(s.pieces[0].frame, 1);
	assert_true(s.pieces[0].scaled);
	row = sums_row(&s, 0);
	assert_int_equal(row.begin[0], 0);
	assert_int_equal(row.end[0], 450);
	sums_fini(&s);
	sum_frames_fini(&f);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_stand_by_size),
		cmocka_unit_test(boxes_and_spans_make_up_the_parts),
		cmocka_unit_test(values_are_those_of_the_frames),
		cmocka_unit_test(a_window_of_any_width),
	};

	return cmocka_run_group_tests_name("model: sums", tests, NULL, NULL);
}
