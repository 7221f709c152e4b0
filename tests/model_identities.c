/* SPDX-License-Identifier: MIT */
/*
 * Property tests: on thousands of random trees, with direct and mutual recursion and several
 * threads, what flat, callgraph and treeview give equals a second computation written straight
 * from the definitions (each node's path is spelled out and looked at), and every identity holds,
 * merged and spread, for one thread, for those of one name and for all, in sums, in every average
 * slot, and in what is left when only the stacks that contain a path count.
 */
#include <math.h>

#include "model/query/path.h"
#include "tests/long.h"
#include "tests/model_dsl.h"

#define MOST_NODES 64
#define MOST_KEYS 64
#define TREES test_times(1000, 4000)

/* A generator of its own, so that a failing seed can be named. */
static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((random_state >> 33) % n);
}

/* Nodes hang on any earlier node, so zones repeat in a path in every way. One path may have
 * several nodes. */
static struct profile *random_profile(void)
{
	struct profile *p = profile_new();
	uint32_t zones = 1 + random_below(5), threads = 1 + random_below(3);
	uint32_t nodes = random_below(MOST_NODES - 3);
	char name[16];

	for (uint32_t i = 0; i < zones; i++) {
		snprintf(name, sizeof(name), "z%u", i);
		profile_add_zone(p, name, "", 0, 0);
	}
	for (uint32_t i = 0; i < threads; i++)
		profile_add_thread(p, i, 0, random_below(2) ? "t" : "u");
	for (uint32_t i = 0; i < nodes; i++)
		profile_add_node(p, random_below(p->node_count), 1 + random_below(zones));
	return p;
}

static void random_totals(struct profile *p)
{
	for (uint32_t i = 0; i < p->node_count; i++) {
		uint32_t thread = p->nodes[i].thread;
		bool root = p->nodes[i].parent == PROFILE_NONE;
		int64_t self = random_below(4) ? (int64_t)random_below(1000) : 0;

		profile_set_total(p, i, self, root ? 0 : random_below(5), random_below(2000));
		profile_set_time(p, thread, 0, p->threads[thread].time + self);
	}
	p->now_tick = 100000;
}

/* The definitions, spelled out */

struct stack {
	uint32_t keys[MOST_NODES]; /* from the root */
	uint32_t length;
};

static struct stack path_of(const struct profile *p, const struct keys *k, uint32_t node)
{
	struct stack path = { .length = 0 };
	uint32_t zones[MOST_NODES], n = 0;

	for (uint32_t i = node; i != PROFILE_NONE; i = p->nodes[i].parent)
		zones[n++] = p->nodes[i].zone;
	while (n--) {
		uint32_t depth = 1;

		for (uint32_t i = 0; k->spread && i < path.length; i++)
			depth += k->keys[path.keys[i]].zone == zones[n];
		path.keys[path.length++] = keys_find(k, zones[n], depth);
	}
	return path;
}

static uint32_t path_top(const struct stack *path)
{
	return path->keys[path->length - 1];
}

static int first_of(const struct stack *path, uint32_t key)
{
	for (uint32_t i = 0; i < path->length; i++)
		if (path->keys[i] == key)
			return (int)i;
	return -1;
}

static int last_of(const struct stack *path, uint32_t key)
{
	for (uint32_t i = path->length; i-- > 0;)
		if (path->keys[i] == key)
			return (int)i;
	return -1;
}

static uint32_t times_in(const struct stack *path, uint32_t key)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < path->length; i++)
		n += path->keys[i] == key;
	return n;
}

struct sums {
	int64_t self, hier, count, direct;
};

struct world {
	const struct profile *p;
	const struct keys *k;
	const struct values *v;
	uint32_t thread;
	struct stack paths[MOST_NODES];
};

static bool selected(const struct world *w, uint32_t thread)
{
	const struct profile_thread *threads = w->p->threads;

	if (w->thread == THREADS_ALL || w->thread == thread)
		return true;
	for (uint32_t i = 0; i < w->p->thread_count; i++)
		if (w->thread == THREADS_NAMED(i))
			return !strcmp(threads[i].name, threads[thread].name);
	return false;
}

static bool counts(const struct world *w, uint32_t node)
{
	return selected(w, w->p->nodes[node].thread);
}

static struct sums plain_flat(const struct world *w, uint32_t key)
{
	struct sums s = { 0 };

	for (uint32_t n = 0; n < w->p->node_count; n++) {
		if (!counts(w, n))
			continue;
		if (path_top(&w->paths[n]) == key) {
			s.self += w->v->self[n];
			s.count += w->v->count[n];
		}
		if (first_of(&w->paths[n], key) >= 0)
			s.hier += w->v->self[n];
	}
	return s;
}

static struct sums plain_caller(const struct world *w, uint32_t focus, uint32_t caller)
{
	struct sums s = { 0 };

	for (uint32_t n = 0; n < w->p->node_count; n++) {
		const struct stack *path = &w->paths[n];
		int first = first_of(path, focus);
		bool top = path_top(path) == focus;

		if (!counts(w, n) || first < 1)
			continue;
		if (top && path->keys[path->length - 2] == caller)
			s.direct += w->v->count[n];
		if (path->keys[first - 1] != caller)
			continue;
		s.hier += w->v->self[n];
		s.self += top ? w->v->self[n] : 0;
		s.count += top ? w->v->count[n] : 0;
	}
	return s;
}

static struct sums plain_child(const struct world *w, uint32_t focus, uint32_t child)
{
	struct sums s = { 0 };

	for (uint32_t n = 0; n < w->p->node_count; n++) {
		const struct stack *path = &w->paths[n];
		int last = last_of(path, focus);

		if (!counts(w, n) || last < 0 || last == (int)path->length - 1 ||
		    path->keys[last + 1] != child)
			continue;
		s.hier += w->v->self[n];
		s.self += path_top(path) == child ? w->v->self[n] : 0;
		if (last == (int)path->length - 2)
			s.count += w->v->count[n];
	}
	return s;
}

/* Comparing */

static const struct callgraph_row *row_of(const struct callgraph_row *rows, uint32_t n,
					  uint32_t key)
{
	static const struct callgraph_row none;

	for (uint32_t i = 0; i < n; i++)
		if (rows[i].key == key)
			return &rows[i];
	return &none;
}

/* Rows of one thread after others are those that it has by itself, and `keys`
 * has each of them once. */
static void check_flat_again(const struct world *w, const struct flat_row *rows)
{
	uint32_t selections[] = { THREADS_ALL, 0, w->v->thread_count - 1, w->thread }, count = 0;
	struct flat f;

	assert_true(flat_init(&f, w->k, w->v));
	for (size_t i = 0; i < sizeof selections / sizeof *selections; i++)
		flat_sum(&f, w->p, w->k, w->v, selections[i]);
	for (uint32_t key = 0; key < w->k->count; key++) {
		const struct flat_row *a = &f.rows[key], *b = &rows[key];

		assert_true(a->self == b->self && a->hier == b->hier && a->count == b->count && a->longest == b->longest &&
			    a->threads == b->threads && a->present == b->present);
		if (b->present)
			assert_int_equal(f.keys[count++], key);
	}
	assert_int_equal(f.count, count);
	flat_fini(&f);
}

static void check_flat(const struct world *w)
{
	struct flat_row *rows = flat_make(w->p, w->k, w->v, w->thread);
	int64_t self = 0, time = 0;

	assert_non_null(rows);
	for (uint32_t key = 0; key < w->k->count; key++) {
		struct sums plain = plain_flat(w, key);

		assert_int_equal(rows[key].self, plain.self);
		assert_int_equal(rows[key].hier, plain.hier);
		assert_int_equal(rows[key].count, plain.count);
		assert_true(rows[key].hier >= rows[key].self);
		self += rows[key].self;
	}
	for (uint32_t i = 0; i < w->v->thread_count; i++)
		time += selected(w, i) ? w->v->time[i] : 0;
	assert_int_equal(self, time);
	check_flat_again(w, rows);
	free(rows);
}

static void check_callers(const struct world *w, const struct callgraph *g)
{
	struct sums sum = { 0 };

	for (uint32_t key = 0; key < w->k->count; key++) {
		const struct callgraph_row *row = row_of(g->callers, g->caller_count, key);
		struct sums plain = plain_caller(w, g->focus.key, key);

		assert_int_equal(row->self, plain.self);
		assert_int_equal(row->hier, plain.hier);
		assert_int_equal(row->count, plain.count);
		assert_int_equal(row->direct, plain.direct);
		sum.self += row->self;
		sum.hier += row->hier;
		sum.count += row->count;
		sum.direct += row->direct;
	}
	if (g->focus.key == PROFILE_NO_ZONE)
		return; /* nobody calls the root */
	assert_int_equal(sum.self, g->focus.self);
	assert_int_equal(sum.hier, g->focus.hier);
	assert_int_equal(sum.count, g->focus.count);
	assert_int_equal(sum.direct, g->focus.count);
}

static void check_children(const struct world *w, const struct callgraph *g)
{
	int64_t hier = 0;

	for (uint32_t key = 0; key < w->k->count; key++) {
		const struct callgraph_row *row = row_of(g->children, g->child_count, key);
		struct sums plain = plain_child(w, g->focus.key, key);

		assert_int_equal(row->self, plain.self);
		assert_int_equal(row->hier, plain.hier);
		assert_int_equal(row->count, plain.count);
		hier += row->hier;
	}
	assert_int_equal(hier, g->focus.hier - g->focus.self);
}

static void check_focus(const struct world *w, const struct callgraph *g)
{
	struct sums plain = plain_flat(w, g->focus.key);
	uint32_t depth = 0;
	int64_t recursive = 0;
	bool there = false;

	assert_int_equal(g->focus.self, plain.self);
	assert_int_equal(g->focus.hier, plain.hier);
	assert_int_equal(g->focus.count, plain.count);
	for (uint32_t n = 0; n < w->p->node_count; n++) {
		uint32_t times = times_in(&w->paths[n], g->focus.key);

		if (!counts(w, n))
			continue;
		there = there || times;
		if (times > depth && (w->v->self[n] || w->v->count[n]))
			depth = times;
		if (times > 1 && path_top(&w->paths[n]) == g->focus.key)
			recursive += w->v->count[n];
	}
	assert_int_equal(g->depth, depth);
	assert_true(g->there == there);
	assert_int_equal(g->recursive, recursive);
}

static void check_graphs(const struct world *w)
{
	for (uint32_t key = 0; key < w->k->count; key++) {
		struct callgraph *g = callgraph_make(w->p, w->k, w->v, w->thread, key);

		assert_non_null(g);
		check_focus(w, g);
		check_callers(w, g);
		check_children(w, g);
		callgraph_free(g);
	}
}

/* Each row's path is unlike any other's, and it has what the nodes of that path have. */
static bool same_path(const struct treeview *t, uint32_t row, const struct stack *path)
{
	for (uint32_t i = path->length; i-- > 0; row = t->rows[row].parent)
		if (row == PROFILE_NONE || t->rows[row].key != path->keys[i])
			return false;
	return row == PROFILE_NONE;
}

static void check_tree_row(const struct world *w, const struct treeview *t, uint32_t row,
			   uint32_t *nodes)
{
	int64_t self = 0, below = 0;

	for (uint32_t n = 0; n < w->p->node_count; n++) {
		if (!counts(w, n) || !same_path(t, row, &w->paths[n]))
			continue;
		self += w->v->self[n];
		++*nodes;
	}
	assert_int_equal(t->rows[row].self, self);
	for (uint32_t i = row + 1; i < t->count; i++)
		if (t->rows[i].parent == row)
			below += t->rows[i].hier;
	assert_int_equal(below, t->rows[row].hier - t->rows[row].self);
	/* whole subtrees: the row before is the parent, or deeper down below it */
	assert_true(row == 0 ? t->rows[row].parent == PROFILE_NONE
			     : t->rows[row].level <= t->rows[row - 1].level + 1);
}

static void check_tree(const struct world *w)
{
	struct treeview *t = treeview_make(w->p, w->k, w->v, w->thread);
	uint32_t nodes = 0, expected = 0;

	assert_non_null(t);
	for (uint32_t row = 0; row < t->count; row++)
		check_tree_row(w, t, row, &nodes);
	for (uint32_t n = 0; n < w->p->node_count; n++)
		expected += counts(w, n);
	assert_int_equal(nodes, expected);
	treeview_free(t);
}

/* From the bottom up: below the root each zone has its self time and its entries, by its callers, and theirs. */
static void check_tree_up(const struct world *w)
{
	struct treeview *t = treeview_make_up(w->p, w->k, w->v, NULL, w->thread), *down = treeview_make(w->p, w->k, w->v, w->thread);
	int64_t *below = calloc(t->count + 1, sizeof(*below)), whole = 0;

	assert_true(t && down && below);
	for (uint32_t row = 0; row < t->count; row++) {
		const struct treeview_row *r = &t->rows[row];
		int64_t self = 0, count = 0;

		for (uint32_t n = 0; n < w->p->node_count; n++) {
			const struct stack *s = &w->paths[n];
			uint32_t at = row, depth = r->level;
			bool same = counts(w, n) && s->length >= depth && depth;

			for (; same && depth; depth--, at = t->rows[at].parent) /* the row's path ends at its outermost caller */
				same = s->keys[s->length - depth] == t->rows[at].key;
			self += same ? w->v->self[n] : 0;
			count += same ? w->v->count[n] : 0;
		}
		if (r->level) {
			assert_int_equal(r->hier, self);
			assert_int_equal(r->count, count);
		}
		if (r->parent != PROFILE_NONE)
			below[r->parent] += r->hier;
		whole += r->level == 1 ? r->hier : 0;
	}
	for (uint32_t row = 0; row < t->count; row++)
		assert_int_equal(below[row], t->rows[row].hier - t->rows[row].self);
	if (t->count)
		assert_true(t->rows[0].hier == down->rows[0].hier && whole == t->rows[0].hier - t->rows[0].self);
	free(below);
	treeview_free(t);
	treeview_free(down);
}

static void check_all(const struct profile *p, const struct values *v, bool spread)
{
	struct keys *k = keys_new(spread);
	struct world w = { .p = p, .k = k, .v = v };

	assert_true(k && keys_update(k, p));
	for (uint32_t n = 0; n < p->node_count; n++) {
		w.paths[n] = path_of(p, k, n);
		assert_int_equal(path_top(&w.paths[n]), k->of_node[n]);
	}
	for (uint32_t t = 0; t <= 2 * p->thread_count; t++) {
		w.thread = t < p->thread_count ? t : THREADS_ALL;
		if (t > p->thread_count)
			w.thread = THREADS_NAMED(t - p->thread_count - 1);
		check_flat(&w);
		check_graphs(&w);
		check_tree(&w);
		check_tree_up(&w);
	}
	keys_free(k);
}

static void sums_of_random_trees(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < TREES; i++) {
		struct profile *p;
		struct values *v;

		random_state = i;
		p = random_profile();
		random_totals(p);
		v = values_of_run(p);
		assert_non_null(v);
		check_all(p, v, false);
		check_all(p, v, true);
		values_free(v);
		profile_free(p);
	}
}

/* Paths: a piece of some stack, or anything; what contains it is told from the spelled out stacks. */

static struct path random_path(const struct profile *p, const struct keys *k)
{
	struct stack stack = path_of(p, k, random_below(p->node_count));
	struct path path = { .length = 0 };
	uint32_t first = random_below(stack.length), length = random_below(stack.length - first + 1);

	for (uint32_t i = 0; i < length; i++)
		path.ids[path.length++] = k->id[stack.keys[first + i]];
	if (length && !random_below(4))
		path.ids[random_below(length)] = random_below(2) ? k->id[random_below(k->count)] : 7;
	return path;
}

static bool contains(const struct stack *stack, const struct keys *k, const struct path *path)
{
	for (uint32_t at = 0; at + path->length <= stack->length; at++) {
		uint32_t same = 0;

		while (same < path->length && k->id[stack->keys[at + same]] == path->ids[same])
			same++;
		if (same == path->length)
			return true;
	}
	return false;
}

static void restrict_and_check(struct profile *p, bool spread)
{
	struct keys *k = keys_new(spread);
	struct values *v = values_of_run(p);
	struct path path;
	bool *members;

	assert_true(v && k && keys_update(k, p));
	path = random_path(p, k);
	members = path_members(&path, p, k);
	for (uint32_t n = 0; n < p->node_count; n++) {
		struct stack stack = path_of(p, k, n);

		assert_int_equal(members[n], contains(&stack, k, &path));
	}
	values_restrict(v, p, members);
	for (uint32_t n = 0; n < p->node_count; n++) {
		assert_int_equal(v->self[n], members[n] ? p->totals[n].self : 0);
		assert_int_equal(v->count[n], members[n] ? p->totals[n].count : 0);
	}
	check_all(p, v, spread);
	free(members);
	values_free(v);
	keys_free(k);
}

static void paths_through_random_trees(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < TREES / 4; i++) {
		struct profile *p;

		random_state = i;
		p = random_profile();
		if (p->node_count) {
			random_totals(p);
			restrict_and_check(p, false);
			restrict_and_check(p, true);
		}
		profile_free(p);
	}
}

/* A part that names some of the thread's nodes, and lasts as long as they do. */
static void random_part(struct profile *p, uint64_t frame, uint32_t thread)
{
	struct profile_cell cells[MOST_NODES];
	struct profile_part part = { .thread = thread, .first_frame = frame, .cells = cells };

	for (uint32_t i = 0; i < p->node_count; i++) {
		struct profile_cell cell = { i, random_below(100000), random_below(4), 7 };

		if (p->nodes[i].thread != thread || !random_below(3))
			continue;
		if (p->nodes[i].parent == PROFILE_NONE)
			cell.count = 0;
		cells[part.cell_count++] = cell;
		part.end += cell.self;
	}
	assert_true(profile_set_part(p, frame, &part));
}

/* From 1 ns to a second, each size as often as any other. */
static int64_t random_length(void)
{
	static const uint32_t most[] = { 10, 1000, 100000, 10000000, 1000000000 };

	return random_below(most[random_below(5)]);
}

/* Some are discarded, and some are bounded by the program, with time between them. */
static void random_frame(struct profile *p, uint64_t frame)
{
	int64_t length = random_below(20) ? random_length() : 0;
	uint32_t flags = random_below(3) ? 0 : FRAME_BOUNDED;

	p->now_tick += flags ? random_length() : 0;
	assert_true(profile_add_frame(p, frame, p->now_tick, length, random_below(10) ? flags : flags | FRAME_DISCARDED));
	p->now_tick += length;
	for (uint32_t t = 0; t < p->thread_count; t++)
		if (random_below(8))
			random_part(p, frame, t);
	p->frames_ended = frame;
}

static bool is_averaged(const struct profile_frame *f)
{
	return f->length > 0 && !(f->flags & FRAME_DISCARDED) && f->part_count;
}

static int64_t entries_of(const struct profile_frame *f, uint32_t node)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < f->part_count; i++)
		for (uint32_t c = 0; c < f->parts[i].cell_count; c++)
			if (profile_cell(&f->parts[i], c).node == node)
				sum += profile_cell(&f->parts[i], c).count;
	return sum;
}

/* Calls of a node in a second, by the clock: those in frames, and the time from the end of each frame to that of the next,
 * both less the older they are. */
static double calls_a_second(const struct profile *p, uint32_t node, double t)
{
	double calls = 0, time = 0;

	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *f = &p->frames[i];
		int64_t before = i ? p->frames[i - 1].start + p->frames[i - 1].length : f->start;
		double dt = (double)(f->start + f->length - (f->flags & FRAME_BOUNDED ? before : f->start)) / 1e9;
		double k = pow(0.1, dt / t);

		calls *= k; /* frames that are left out make the others older */
		time *= k;
		if (!is_averaged(f))
			continue;
		calls += (double)entries_of(f, node);
		time += dt;
	}
	return time > 0 ? calls / time : 0;
}

/* COUNT of an average frame, by frames a second. */
static void check_rates(const struct profile *p, const struct values *v, enum average_slot slot)
{
	double rate = values_frame_rate(v, p);

	assert_true(v->wall <= v->elapsed);
	for (uint32_t n = 0; n < p->node_count; n++) {
		double calls = rate * (double)v->count[n] / (double)v->scale, rounded = rate / (double)v->scale;
		double expected = 0;

		if (slot == AVERAGE_FAST || slot == AVERAGE_SLOW)
			expected = calls_a_second(p, n, slot == AVERAGE_FAST ? 0.8 : 2.5);
		else if (slot == AVERAGE_RUN)
			expected = (double)p->totals[n].count * 1e9 / (double)(p->now_tick - p->first_tick);
		else
			continue;
		assert_float_equal(calls, expected, 1e-6 * expected + rounded);
	}
}

/* Identities of the newest frame. */
static void check_newest(const struct profile *p, const struct values *v)
{
	const struct profile_frame *f = profile_find_frame(p, v->last_frame);
	int64_t before = f > p->frames ? f[-1].start + f[-1].length : f->start;
	int64_t dt = f->start + f->length - (f->flags & FRAME_BOUNDED ? before : f->start);

	for (uint32_t n = 0; dt && n < p->node_count; n++)
		assert_float_equal(values_frame_rate(v, p) * (double)v->count[n], (double)entries_of(f, n) * 1e9 / (double)dt,
				   1e-6 * values_frame_rate(v, p));
}

static void averages_of_random_frames(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < TREES / 20; i++) {
		struct averages *a = averages_new();
		struct profile *p;

		random_state = i;
		p = random_profile();
		random_totals(p);
		for (uint64_t frame = 1; frame <= 1 + random_below(20); frame++) {
			random_frame(p, frame);
			profile_add_node(p, random_below(p->node_count), 1);
			if (p->node_count >= MOST_NODES)
				break;
		}
		assert_true(averages_update(a, p));
		for (enum average_slot slot = 0; slot < AVERAGE_SLOTS; slot++) {
			struct values *v = values_average(a, p, slot);

			assert_non_null(v);
			check_all(p, v, false);
			check_all(p, v, true);
			check_rates(p, v, slot);
			if (slot == AVERAGE_NOW && v->frames)
				check_newest(p, v);
			values_free(v);
		}
		averages_free(a);
		profile_free(p);
	}
}

/* Rows as they are shown add up to the section's time too, with idle threads left out. */
static void sections_add_up(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < TREES / 10; i++) {
		struct report_options o = REPORT_OPTIONS_DEFAULT;
		struct report *r;
		struct values *v;
		struct profile *p;
		int64_t self = 0;

		random_state = i;
		p = random_profile();
		for (uint64_t frame = 1; frame <= 3; frame++)
			random_frame(p, frame);
		v = values_of_frames(p, 0, 3);
		o.view = i % 2 ? REPORT_TREE : REPORT_SELF;
		r = dsl_report(p, v, &o);
		for (uint32_t row = 0; row < r->sections[0].row_count; row++)
			self += r->sections[0].rows[row].values[COLUMN_SELF].exact;
		assert_int_equal(self, r->sections[0].time);
		report_free(r);
		values_free(v);
		profile_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_of_random_trees),
		cmocka_unit_test(paths_through_random_trees),
		cmocka_unit_test(averages_of_random_frames),
		cmocka_unit_test(sections_add_up),
	};

	return cmocka_run_group_tests_name("model: identities", tests, NULL, NULL);
}
