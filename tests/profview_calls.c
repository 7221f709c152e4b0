/* SPDX-License-Identifier: MIT */
/*
 * profview_calls: timelines of libprofview: programs at random write a region, lose some of what they wrote, and stop; the
 * boxes are those of an oracle that follows each thread's stack. Then what is deep, hostile, or far away.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/game_region.h"
#include "tests/long.h"
#include "tests/profview_rows.h"

#define THREADS 3
#define NODES 14
#define EVENTS_MOST 20000
#define CALLS_MOST 250000

static const char *const zones[] = { "zero", "one", "two", "three", "four" };

/* ---- a program, and what is known of it */

struct event {
	enum region_event_kind kind;
	uint32_t node;
	int64_t tick;
	bool gap; /* before it something was lost */
};

struct thread {
	uint32_t block, parents[NODES], zones[NODES], depths[NODES], node_count;
	uint32_t at; /* innermost node, 0: none */
	bool ended;
	struct event *written; /* all of them, as the log numbers them */
	uint32_t count;
	uint32_t seen;         /* so many were read, */
	struct event *events;  /* of which these are known */
	uint32_t event_count;
};

struct span {
	unsigned depth, flags;
	int64_t begin, end;
	uint32_t node;
};

struct interval {
	int64_t begin, end;
	bool born, ended;
};

struct oracle {
	struct span *spans;
	uint32_t count;
	struct interval *known;
	uint32_t known_count;
};

struct program {
	struct builder b;
	Prof_view *v;
	struct thread threads[THREADS];
	int64_t now;
	uint64_t random;
};

static uint32_t below(struct program *p, uint32_t n)
{
	return (uint32_t)(builder_random(&p->random) % n);
}

static void write_event(struct program *p, struct thread *t, enum region_event_kind kind, uint32_t node)
{
	builder_transition_event(&p->b, t->block, kind, node, p->now);
	assert_true(t->count < EVENTS_MOST);
	t->written[t->count++] = (struct event){ kind, node, p->now, false };
}

static void thread_begin(struct program *p, struct thread *t, const char *name)
{
	t->block = builder_thread(&p->b, p->now, name);
	p->b.events[t->block].most = 1 + below(p, 5);
	t->written = calloc(EVENTS_MOST, sizeof(*t->written));
	t->events = calloc(EVENTS_MOST, sizeof(*t->events));
	assert_true(t->written && t->events);
	write_event(p, t, EVENT_START, 1);
	for (t->node_count = 1; t->node_count < NODES; t->node_count++) {
		uint32_t parent = below(p, t->node_count), zone = below(p, 5);

		assert_int_equal(builder_node(&p->b, t->block, parent, zone + 1), t->node_count);
		t->parents[t->node_count] = parent;
		t->zones[t->node_count] = zone;
		t->depths[t->node_count] = parent ? t->depths[parent] + 1 : 0;
	}
}

static char left[128]; /* the path of a region that a test that failed would leave */

static int remove_left(void **state)
{
	(void)state;
	if (*left)
		unlink(left);
	*left = '\0';
	return 0;
}

static void program_begin(struct program *p, uint64_t seed)
{
	enum Prof_view_result result;
	char name[64];

	memset(p, 0, sizeof(*p));
	p->random = seed;
	p->now = BUILDER_START;
	snprintf(name, sizeof(name), "view-calls-%u", (unsigned)seed);
	builder_begin(&p->b, name);
	builder_path(&p->b, left, sizeof(left));
	for (size_t i = 0; i < 5; i++)
		builder_zone(&p->b, zones[i], "zones.c", 10 + (uint32_t)i);
	for (int i = 0; i < THREADS; i++)
		thread_begin(p, &p->threads[i], (char[]){ 't', (char)('0' + i), 0 });
	p->v = Prof_view_open(p->b.name, 0, &result, NULL, 0);
	assert_non_null(p->v);
}

static void program_end(struct program *p)
{
	Prof_view_close(p->v);
	builder_end(&p->b);
	*left = '\0';
	for (int i = 0; i < THREADS; i++) {
		free(p->threads[i].written);
		free(p->threads[i].events);
	}
}

static uint32_t child_of(struct program *p, const struct thread *t)
{
	uint32_t found = 0, seen = 0;

	for (uint32_t i = 1; i < t->node_count; i++)
		if (t->parents[i] == t->at && !below(p, ++seen))
			found = i;
	return found;
}

static void step(struct program *p, struct thread *t)
{
	uint32_t child = below(p, 2) ? child_of(p, t) : 0;

	if (t->ended || (!child && !t->at))
		return;
	p->now += below(p, 3) ? 0 : below(p, 40);
	if (!below(p, 4000)) {
		write_event(p, t, EVENT_END, 0);
		t->ended = true;
		return;
	}
	write_event(p, t, child ? EVENT_ENTER : EVENT_LEAVE, child ? child : t->at);
	t->at = child ? child : t->parents[t->at];
}

static void run(struct program *p, uint32_t steps)
{
	while (steps--)
		step(p, &p->threads[below(p, THREADS)]);
}

/* Takes the events that a poll finds in the log. */
static void note_read(struct program *p, struct thread *t)
{
	uint32_t tail = (uint32_t)WORD_LOAD(p->b.threads[t->block].event_tail), i = t->seen > tail ? t->seen : tail;
	bool gap = t->seen && i != t->seen;

	for (; i < t->count; i++, gap = false) {
		t->events[t->event_count] = t->written[i];
		t->events[t->event_count++].gap = gap;
	}
	t->seen = t->count;
}

static void update(struct program *p)
{
	enum Prof_view_result result = Prof_view_update(p->v);

	assert_true(result == Prof_view_OK || result == Prof_view_ENDED);
	for (int i = 0; i < THREADS; i++)
		note_read(p, &p->threads[i]);
}

/* ---- the oracle */

struct following {
	const struct thread *t;
	struct oracle *o;
	uint32_t open[NODES], open_count, entered; /* spans */
	int64_t begin;
};

static void open_span(struct following *f, uint32_t node, int64_t tick, unsigned flags)
{
	f->open[f->open_count] = f->o->count;
	f->o->spans[f->o->count++] = (struct span){ f->open_count++, flags, tick, tick, node };
}

/* One that has no time behind the begin has no span, but where the thread began. */
static void close_span(struct following *f, int64_t tick, unsigned flags)
{
	struct span *span = &f->o->spans[f->open[--f->open_count]];
	const struct interval *known = &f->o->known[f->o->known_count - 1];
	bool alone = known->born && (f->o->known_count == 1 || known[-1].end < known->begin);

	span->end = tick;
	span->flags |= flags;
	if (tick <= f->begin && !alone)
		span->node = 0;
}

static void open_around(struct following *f, uint32_t node)
{
	if (!node)
		return;
	open_around(f, f->t->parents[node]);
	open_span(f, node, f->begin, Prof_view_CUT_BEGIN);
}

static void begin_interval(struct following *f, const struct event *e)
{
	f->begin = e->tick;
	f->open_count = f->entered = 0;
	f->o->known[f->o->known_count++] = (struct interval){ .begin = e->tick, .born = e->kind == EVENT_START };
	if (e->kind == EVENT_ENTER || e->kind == EVENT_LEAVE) {
		open_around(f, e->kind == EVENT_ENTER ? f->t->parents[e->node] : e->node);
		f->entered = f->t->depths[e->node];
	}
}

static void end_interval(struct following *f, int64_t tick, unsigned flags)
{
	struct interval *known = &f->o->known[f->o->known_count - 1];

	known->end = tick;
	while (f->open_count)
		close_span(f, tick, flags);
	if (tick <= known->begin && !known->born && !known->ended)
		f->o->known_count--;
}

static void follow(struct following *f, const struct event *e)
{
	if (e->kind == EVENT_ENTER)
		open_span(f, e->node, e->tick, e->tick == f->begin && f->open_count < f->entered ? Prof_view_CUT_BEGIN : 0);
	else if (e->kind == EVENT_LEAVE)
		close_span(f, e->tick, 0);
	else if (e->kind == EVENT_END)
		f->o->known[f->o->known_count - 1].ended = true;
}

static struct oracle oracle_of(const struct thread *t, int64_t now)
{
	struct oracle o = { .spans = calloc(EVENTS_MOST, sizeof(*o.spans)), .known = calloc(EVENTS_MOST, sizeof(*o.known)) };
	struct following f = { .t = t, .o = &o };
	struct span *sorted = calloc(EVENTS_MOST, sizeof(*sorted));
	uint32_t count = 0;

	assert_true(o.spans && o.known && sorted);
	for (uint32_t i = 0; i < t->event_count; i++) {
		const struct event *e = &t->events[i], *next = i + 1 < t->event_count ? e + 1 : NULL;

		if (!i || e->gap)
			begin_interval(&f, e);
		follow(&f, e);
		if (e->kind == EVENT_END)
			end_interval(&f, e->tick, 0);
		else if (!next)
			end_interval(&f, now > e->tick ? now : e->tick + 1, Prof_view_RUNNING);
		else if (next->gap)
			end_interval(&f, e->tick, Prof_view_CUT_END);
	}
	for (unsigned depth = 0; depth < NODES; depth++)
		for (uint32_t i = 0; i < o.count; i++)
			if (o.spans[i].depth == depth && o.spans[i].node)
				sorted[count++] = o.spans[i];
	free(o.spans);
	o.spans = sorted;
	o.count = count;
	return o;
}

static void oracle_fini(struct oracle *o)
{
	free(o->spans);
	free(o->known);
}

static enum Prof_view_box_kind known_at(const void *context, int64_t tick)
{
	const struct oracle *o = context;
	bool born = o->known_count && o->known[0].born;
	enum Prof_view_box_kind kind = born ? Prof_view_BOX_AWAY : Prof_view_BOX_UNKNOWN;

	for (uint32_t i = 0; i < o->known_count && o->known[i].begin <= tick; i++) {
		kind = o->known[i].ended ? Prof_view_BOX_AWAY : Prof_view_BOX_UNKNOWN;
		if (tick < o->known[i].end)
			return Prof_view_BOX_IDLE;
	}
	return kind;
}

/* ---- comparing */

static int64_t covered_below(const struct oracle *o, unsigned depth, int64_t from, int64_t to)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < o->count; i++)
		if (o->spans[i].depth == depth + 1)
			sum += known_overlap(&(struct known_box){ o->spans[i].begin, o->spans[i].end, "" }, from, to);
	return sum;
}

static void expect_call(const struct thread *t, const struct oracle *o, const struct span *s, unsigned index,
			const struct Prof_view_box *box)
{
	assert_int_equal(box->kind, Prof_view_BOX);
	assert_int_equal(box->begin, s->begin);
	assert_int_equal(box->end, s->end);
	assert_int_equal(box->flags, s->flags);
	assert_int_equal(box->depth, s->depth);
	assert_int_equal(box->index, index);
	assert_int_equal(box->count, 1);
	assert_int_equal(box->hier, s->end - s->begin);
	assert_int_equal(box->self, box->hier - covered_below(o, s->depth, s->begin, s->end));
	assert_true(fabs(box->ns - (double)box->hier) < 1e-3 * (1 + box->ns)); /* ticks are nanoseconds */
	assert_string_equal(box->name, zones[t->zones[s->node]]);
	assert_string_equal(box->file, "zones.c");
	assert_int_equal(box->line, 10 + t->zones[s->node]);
	assert_true(box->id != 0);
}

/* Any stretch: close to something, far from all, a tick, or everything. */
static struct Prof_view_axis any_axis(struct program *p, const struct oracle *o)
{
	struct Prof_view_axis axis = { .columns = 1 + below(p, COLUMNS_MOST) };
	int64_t near = o->count ? o->spans[below(p, o->count)].begin : p->now;

	switch (below(p, 5)) {
	case 0:
		axis.from = BUILDER_START - below(p, 1000);
		axis.to = p->now + 1 + below(p, 1000);
		break;
	case 1:
		axis.from = near - below(p, 50);
		axis.to = near + 1 + below(p, 50);
		break;
	case 2:
		axis.from = near - below(p, 5000);
		axis.to = near + 1 + below(p, 5000);
		break;
	case 3:
		axis.from = -(INT64_C(1) << below(p, 62));
		axis.to = INT64_C(1) << below(p, 62);
		break;
	default:
		axis.from = near;
		axis.to = near + 1 + below(p, 3);
	}
	return axis;
}

/* True if something is unknown or was lost in the columns of a box. */
static bool has_gap(const struct oracle *o, const struct Prof_view_axis *axis, const struct Prof_view_box *box)
{
	int64_t from = column_begin(axis, box->x), to = column_end(axis, box->x + box->width - 1), at = from;
	bool away = o->known_count && o->known[0].born; /* before the next interval */

	for (uint32_t i = 0; i < o->known_count && at < to; i++) {
		const struct interval *known = &o->known[i];

		if (known->end > from && !away && known->begin > at)
			return true;
		if (known->end > from && known->end < to && !known->ended)
			return true;
		if (known->end > at)
			at = known->end;
		away = known->ended;
	}
	return at < to && !away;
}

static void compare_row(struct program *p, unsigned lane, const struct oracle *o, struct known_row *row, unsigned depth)
{
	struct Prof_view_box boxes[COLUMNS_MOST], one;

	for (int round = 0; round < 4; round++) {
		struct Prof_view_axis axis = any_axis(p, o);
		unsigned count = Prof_view_lane_row(p->v, lane, depth, &axis, boxes), x = below(p, axis.columns);
		bool found = false;

		expect_row(row, &axis, boxes, count);
		for (unsigned i = 0; i < count; i++) {
			assert_int_equal(boxes[i].depth, depth);
			if (boxes[i].kind == Prof_view_BOX_MERGED)
				assert_int_equal(boxes[i].hier - boxes[i].self,
						 covered_below(o, depth, column_begin(&axis, boxes[i].x), column_end(&axis, boxes[i].x)));
			if (!depth && boxes[i].kind != Prof_view_BOX_UNKNOWN)
				assert_int_equal((boxes[i].flags & Prof_view_LOST) != 0, has_gap(o, &axis, &boxes[i]));
			if (boxes[i].kind >= Prof_view_BOX_IDLE)
				assert_true(boxes[i].begin >= axis.from && boxes[i].end <= axis.to &&
					    boxes[i].hier == boxes[i].end - boxes[i].begin);
			if (x - boxes[i].x < boxes[i].width) {
				found = true;
				assert_true(Prof_view_lane_at(p->v, lane, depth, &axis, x, &one));
				expect_same_box(&one, &boxes[i]);
			}
		}
		if (!found)
			assert_false(Prof_view_lane_at(p->v, lane, depth, &axis, x, &one));
		assert_false(Prof_view_lane_at(p->v, lane, depth, &axis, axis.columns, &one));
	}
}

static void compare_lane(struct program *p, unsigned lane, const struct thread *t, const struct oracle *o)
{
	struct known_box *boxes = calloc(o->count + 1, sizeof(*boxes));
	struct Prof_view_lane found;
	struct Prof_view_box box;
	unsigned depth, at = 0;

	assert_non_null(boxes);
	assert_true(Prof_view_lane(p->v, lane, &found));
	assert_int_equal(found.since, o->known[0].begin);
	for (depth = 0; depth < found.depth || !depth; depth++) {
		struct known_row row = { .boxes = boxes, .context = o, .known = depth ? NULL : known_at };

		for (; at < o->count && o->spans[at].depth == depth; at++) {
			const struct span *s = &o->spans[at];

			assert_true(Prof_view_lane_call(p->v, lane, depth, row.count, &box));
			expect_call(t, o, s, row.count, &box);
			boxes[row.count++] = (struct known_box){ s->begin, s->end, zones[t->zones[s->node]] };
		}
		assert_false(Prof_view_lane_call(p->v, lane, depth, row.count, &box));
		compare_row(p, lane, o, &row, depth);
	}
	assert_int_equal(at, o->count);
	assert_false(Prof_view_lane_call(p->v, lane, depth, 0, &box));
	free(boxes);
}

/* Each thread of which something is known is a lane, in the order in which they came. */
static void compare(struct program *p)
{
	struct Prof_view_calls calls;
	struct Prof_view_lane lane;
	uint64_t held = 0;
	unsigned lanes = 0;

	assert_int_equal(Prof_view_calls(p->v, &calls), Prof_view_OK);
	for (int i = 0; i < THREADS; i++) {
		struct oracle o = oracle_of(&p->threads[i], calls.now);

		if (o.known_count)
			compare_lane(p, lanes++, &p->threads[i], &o);
		held += o.count;
		oracle_fini(&o);
	}
	assert_int_equal(lanes, calls.lanes);
	assert_int_equal(held, calls.calls);
	assert_false(Prof_view_lane(p->v, lanes, &lane));
}

static void programs_at_random_are_what_they_wrote(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= (test_times(12, 400)); seed++) {
		struct program p;

		program_begin(&p, seed);
		Prof_view_set_calls(p.v, CALLS_MOST);
		for (int poll = 0; poll < 4; poll++) {
			run(&p, below(&p, below(&p, 3) ? 300 : 6000));
			update(&p);
			compare(&p);
		}
		builder_die(&p.b);
		update(&p);
		compare(&p);
		program_end(&p);
	}
}

/* ---- by hand */

/* The viewed calls stay while a frame of the past is shown; live again, all calls are there that came meanwhile. */
static void what_is_paused_stays(void **state)
{
	struct Prof_view_calls before, paused;
	struct program p;

	(void)state;
	program_begin(&p, 77);
	p.b.events[0].most = p.b.events[1].most = p.b.events[2].most = 20;
	Prof_view_set_calls(p.v, CALLS_MOST);
	builder_frame(&p.b, p.now += 1000, 1, 0, NULL);
	run(&p, 400);
	while (Prof_view_set_frame(p.v, 1) != Prof_view_OK) {
		usleep(20000);
		update(&p);
	}
	assert_int_equal(Prof_view_calls(p.v, &before), Prof_view_OK);
	for (int poll = 0; poll < 3; poll++) {
		run(&p, 500);
		update(&p);
		assert_int_equal(Prof_view_calls(p.v, &paused), Prof_view_OK);
		assert_memory_equal(&before, &paused, sizeof(before));
	}
	assert_int_equal(Prof_view_set_frame(p.v, 0), Prof_view_OK);
	compare(&p);
	program_end(&p);
}

static void poll_later(struct program *p)
{
	usleep(110000); /* what makes a frame of a program without marks */
	update(p);
}

/* The first mark comes while a frame is shown that was made of polls: its calls stay, and live all are read anew. */
static void a_first_mark_while_it_is_paused(void **state)
{
	struct Prof_view_calls before, paused;
	struct Prof_view_frame frame;
	struct Prof_view_box box;
	struct program p;

	(void)state;
	program_begin(&p, 76);
	p.b.events[0].most = p.b.events[1].most = p.b.events[2].most = 20;
	Prof_view_set_calls(p.v, CALLS_MOST);
	run(&p, 400);
	for (int poll = 0; poll < 3; poll++)
		poll_later(&p);
	assert_int_equal(Prof_view_set_frame(p.v, 1), Prof_view_OK);
	assert_int_equal(Prof_view_calls(p.v, &before), Prof_view_OK);
	for (uint64_t mark = 1; mark <= 3; mark++) {
		builder_frame(&p.b, p.now += 1000, mark, 0, NULL);
		run(&p, 300);
		poll_later(&p);
		assert_int_equal(Prof_view_calls(p.v, &paused), Prof_view_OK);
		assert_memory_equal(&before, &paused, sizeof(before));
		assert_true(Prof_view_lane_call(p.v, 0, 0, 0, &box));
		assert_true(*box.name);
	}
	assert_int_equal(Prof_view_set_frame(p.v, 0), Prof_view_OK);
	assert_int_equal(Prof_view_frames(p.v, &frame, 1), 1);
	assert_false(frame.flags & Prof_view_GUESSED);
	compare(&p);
	poll_later(&p);
	compare(&p);
	program_end(&p);
}

static void they_are_read_when_they_are_wanted(void **state)
{
	struct Prof_view_axis axis = { 0, 100000, 10 };
	struct Prof_view_box boxes[10];
	struct Prof_view_calls calls;
	struct Prof_view_lane lane;
	struct program p;

	(void)state;
	program_begin(&p, 78);
	run(&p, 300);
	assert_int_equal(Prof_view_calls(p.v, &calls), Prof_view_NOTHING);
	assert_int_equal(Prof_view_update(p.v), Prof_view_OK);
	assert_int_equal(Prof_view_calls(p.v, &calls), Prof_view_NOTHING);
	assert_non_null(strstr(Prof_view_why(p.v), "Prof_view_set_calls"));
	assert_int_equal(calls.lanes, 0);
	assert_false(Prof_view_lane(p.v, 0, &lane));
	assert_int_equal(Prof_view_lane_row(p.v, 0, 0, &axis, boxes), 0);
	assert_int_equal(Prof_view_lane_rows(p.v, 0, &axis), 0);
	assert_false(Prof_view_lane_at(p.v, 0, 0, &axis, 0, boxes));
	assert_false(Prof_view_lane_call(p.v, 0, 0, 0, boxes));
	Prof_view_set_calls(p.v, CALLS_MOST);
	builder_die(&p.b);
	update(&p);
	compare(&p);
	update(&p); /* it has ended: nothing comes any more, but what is wanted newly */
	Prof_view_set_calls(p.v, 0);
	assert_int_equal(Prof_view_calls(p.v, &calls), Prof_view_NOTHING);
	Prof_view_set_calls(p.v, CALLS_MOST);
	assert_int_equal(Prof_view_update(p.v), Prof_view_ENDED);
	compare(&p);
	program_end(&p);
}

static void lanes_are_of_the_threads_that_are_looked_at(void **state)
{
	struct Prof_view_calls calls;
	struct Prof_view_thread thread;
	struct Prof_view_lane lane;
	struct program p;

	(void)state;
	program_begin(&p, 79);
	run(&p, 300);
	Prof_view_set_calls(p.v, CALLS_MOST);
	update(&p);
	assert_int_equal(Prof_view_set_thread(p.v, "t1"), Prof_view_OK);
	assert_true(Prof_view_thread(p.v, 1, &thread));
	assert_true(Prof_view_lane(p.v, 0, &lane));
	assert_string_equal(lane.name, "t1");
	assert_int_equal(lane.thread, thread.id);
	assert_false(Prof_view_lane(p.v, 1, &lane));
	assert_int_equal(Prof_view_calls(p.v, &calls), Prof_view_OK);
	assert_int_equal(calls.lanes, 1);
	assert_int_equal(Prof_view_set_thread(p.v, NULL), Prof_view_OK);
	compare(&p);
	program_end(&p);
}

/* Those that a window reaches into: down to the first without anything. */
static void rows_are_as_many_as_have_something(void **state)
{
	struct Prof_view_axis axis = { 0, 0, 40 };
	struct Prof_view_box box;
	struct Prof_view_lane lane;
	struct program p;

	(void)state;
	program_begin(&p, 80);
	run(&p, 500);
	Prof_view_set_calls(p.v, CALLS_MOST);
	update(&p);
	axis.to = p.now + 1;
	assert_true(Prof_view_lane(p.v, 0, &lane));
	assert_int_equal(Prof_view_lane_rows(p.v, 0, &axis), lane.depth);
	assert_true(Prof_view_lane_call(p.v, 0, lane.depth - 1, 0, &box));
	axis.from = box.begin - 1;
	axis.to = box.begin + 1;
	assert_int_equal(Prof_view_lane_rows(p.v, 0, &axis), lane.depth);
	axis.to = BUILDER_START;
	axis.from = 0;
	assert_int_equal(Prof_view_lane_rows(p.v, 0, &axis), 0);
	program_end(&p);
}

/* A frame's calls stand between its begin and its end, and have the ids of flat rows. */
static void calls_lead_to_rows_and_frames(void **state)
{
	struct Prof_view_frame frame;
	struct Prof_view_row row;
	struct Prof_view_box box;
	struct game g;
	unsigned index = 0, found = 0, calls = 0;
	Prof_view *v;

	(void)state;
	game_begin(&g, 'k');
	v = Prof_view_open(g.b.name, 0, &(enum Prof_view_result){ 0 }, NULL, 0);
	assert_non_null(v);
	Prof_view_set_calls(v, CALLS_MOST);
	assert_int_equal(Prof_view_update(v), Prof_view_OK);
	assert_true(Prof_view_frames(v, &frame, 1) == 1);
	while (Prof_view_lane_call(v, 0, 0, index, &box))
		index++;
	assert_true(box.begin > frame.begin && box.end <= frame.begin + frame.ticks); /* the last one */
	for (unsigned depth = 0; Prof_view_lane_call(v, 0, depth, 0, &box); depth++, calls++)
		for (unsigned i = 0; Prof_view_row(v, i, &row); i++)
			found += !strcmp(row.name, box.name) && row.id == box.id && row.line == box.line;
	assert_true(calls > 3);
	assert_int_equal(found, calls);
	Prof_view_close(v);
	game_end(&g);
}

static void axes_that_are_none(void **state)
{
	static const struct Prof_view_axis none[] = {
		{ 0, 0, 10 }, { 5000, 5000, 10 }, { 10, 5, 10 }, { 0, 10000, 0 }, { INT64_MIN, INT64_MAX, 10 },
		{ INT64_MAX, INT64_MIN, 10 }, { -1, INT64_MAX, 10 },
	};
	static const struct Prof_view_axis large[] = {
		{ 0, INT64_MAX, 10 }, { INT64_MIN, -1, 10 }, { -(INT64_C(1) << 61), INT64_C(1) << 61, 10 },
		{ 0, INT64_C(1) << 62, 10 }, { INT64_MAX - 1, INT64_MAX, 10 }, { INT64_MIN, INT64_MIN + 1, 10 },
		{ INT64_C(1) << 62, (INT64_C(1) << 62) + 3, 10 },
	};
	struct Prof_view_box boxes[10];
	struct program p;

	(void)state;
	program_begin(&p, 81);
	run(&p, 300);
	Prof_view_set_calls(p.v, CALLS_MOST);
	update(&p);
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		assert_int_equal(Prof_view_lane_row(p.v, 0, 0, &none[i], boxes), 0);
		assert_int_equal(Prof_view_lane_rows(p.v, 0, &none[i]), 0);
		assert_false(Prof_view_lane_at(p.v, 0, 0, &none[i], 0, boxes));
	}
	for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++) {
		unsigned count = Prof_view_lane_row(p.v, 0, 0, &large[i], boxes), x = 0;

		for (unsigned k = 0; k < count; x += boxes[k++].width)
			assert_int_equal(boxes[k].x, x);
		assert_int_equal(x, 10);
		Prof_view_lane_row(p.v, 0, 1, &large[i], boxes);
	}
	program_end(&p);
}

/* ---- 4,000 deep, with the flame graph of it */

#define DEEP 4000

static void a_deep_stack_has_all_its_rows(void **state)
{
	struct Prof_view_axis axis = { 0, 1000000, 16 };
	struct Prof_view_box boxes[16];
	enum Prof_view_result result;
	struct Prof_view_flame flame;
	struct Prof_view_lane lane;
	struct builder b;
	uint32_t block;
	Prof_view *v;

	(void)state;
	builder_begin(&b, "view-deep");
	block = builder_thread(&b, BUILDER_START, "deep");
	b.events[block].most = 60;
	builder_zone(&b, "again", "", 0);
	for (uint32_t i = 0; i < DEEP; i++)
		builder_node(&b, block, i, 1);
	for (uint32_t i = 0; i < DEEP; i++)
		builder_enter(&b, block, i + 1, 2000 + i);
	for (uint32_t i = 0; i < DEEP; i++)
		builder_leave(&b, block, 10000 + i);
	builder_die(&b);
	v = Prof_view_open(b.name, 0, &result, NULL, 0);
	assert_non_null(v);
	Prof_view_set_calls(v, CALLS_MOST);
	assert_int_equal(Prof_view_update(v), Prof_view_ENDED);
	assert_true(Prof_view_lane(v, 0, &lane));
	assert_int_equal(lane.depth, DEEP);
	assert_int_equal(Prof_view_lane_rows(v, 0, &axis), DEEP);
	for (unsigned depth = 0; depth < DEEP; depth++) {
		assert_true(Prof_view_lane_call(v, 0, depth, 0, boxes));
		assert_int_equal(boxes[0].begin, 2000 + depth);
		assert_int_equal(boxes[0].end, 10000 + DEEP - 1 - depth);
		assert_int_equal(boxes[0].self, depth + 1 < DEEP ? 2 : boxes[0].hier);
		assert_true(Prof_view_lane_row(v, 0, depth, &axis, boxes) > 0);
	}
	assert_int_equal(Prof_view_set_average(v, Prof_view_RUN), Prof_view_OK);
	assert_int_equal(Prof_view_set_recursion(v, 1), Prof_view_OK);
	assert_int_equal(Prof_view_flame(v, &flame), Prof_view_OK);
	assert_int_equal(flame.depth, DEEP + 1);
	axis.to = flame.whole;
	for (unsigned depth = 1; depth <= DEEP; depth++) {
		assert_true(Prof_view_flame_box(v, depth, 0, boxes));
		assert_int_equal(boxes[0].end - boxes[0].begin, 10000 + DEEP - depth - 2000 - depth + 1);
		assert_true(Prof_view_flame_row(v, depth, &axis, boxes) > 0);
	}
	Prof_view_close(v);
	builder_end(&b);
}

/* ---- what no program writes */

static void look_at_all(Prof_view *v, uint64_t *random)
{
	static const struct Prof_view_axis all = { 0, INT64_MAX, COLUMNS_MOST };
	struct Prof_view_box boxes[COLUMNS_MOST], one;
	struct Prof_view_calls calls;
	struct Prof_view_lane lane;

	if (Prof_view_calls(v, &calls) != Prof_view_OK)
		return;
	for (unsigned i = 0; Prof_view_lane(v, i, &lane); i++) {
		unsigned rows = Prof_view_lane_rows(v, i, &all);

		assert_true(rows <= lane.depth);
		for (unsigned depth = 0; depth < lane.depth; depth++)
			for (int round = 0; round < 4; round++) {
				int64_t from = (int64_t)(builder_random(random) >> (1 + builder_random(random) % 62));
				struct Prof_view_axis axis = round ? (struct Prof_view_axis){ 0, from + 1, COLUMNS_MOST } : all;
				unsigned count = Prof_view_lane_row(v, i, depth, &axis, boxes);

				for (unsigned k = 0; k < count; k++) {
					assert_true(boxes[k].x + boxes[k].width <= COLUMNS_MOST && boxes[k].begin <= boxes[k].end);
					assert_true(boxes[k].hier >= 0 && boxes[k].self >= 0 && boxes[k].name);
				}
				Prof_view_lane_at(v, i, depth, &axis, (unsigned)(builder_random(random) % COLUMNS_MOST), &one);
				Prof_view_lane_call(v, i, depth, (unsigned)builder_random(random), &one);
			}
	}
}

static void hostile_logs_are_survived(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= (test_times(15, 300)); seed++) {
		struct program p;

		program_begin(&p, 1000 + seed);
		Prof_view_set_calls(p.v, seed % 3 ? CALLS_MOST : 50);
		for (int poll = 0; poll < 3; poll++) {
			for (int i = 0; i < 2000; i++) {
				struct thread *t = &p.threads[below(&p, THREADS)];
				int64_t tick = (int64_t)(builder_random(&p.random) >> below(&p, 64));

				if (below(&p, 20)) {
					step(&p, t);
				} else {
					builder_transition_event(&p.b, t->block, below(&p, 6), below(&p, below(&p, 2) ? NODES : 1u << 31),
								 below(&p, 2) ? p.now : tick);
					t->written[t->count++] = (struct event){ 0 };
				}
			}
			Prof_view_update(p.v);
			look_at_all(p.v, &p.random);
		}
		program_end(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(they_are_read_when_they_are_wanted, remove_left),
		cmocka_unit_test_teardown(lanes_are_of_the_threads_that_are_looked_at, remove_left),
		cmocka_unit_test_teardown(rows_are_as_many_as_have_something, remove_left),
		cmocka_unit_test_teardown(calls_lead_to_rows_and_frames, remove_left),
		cmocka_unit_test_teardown(axes_that_are_none, remove_left),
		cmocka_unit_test_teardown(programs_at_random_are_what_they_wrote, remove_left),
		cmocka_unit_test_teardown(what_is_paused_stays, remove_left),
		cmocka_unit_test_teardown(a_first_mark_while_it_is_paused, remove_left),
		cmocka_unit_test_teardown(a_deep_stack_has_all_its_rows, remove_left),
		cmocka_unit_test_teardown(hostile_logs_are_survived, remove_left),
	};

	return cmocka_run_group_tests_name("profview: single calls", tests, NULL, NULL);
}
