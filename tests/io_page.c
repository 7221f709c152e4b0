/* SPDX-License-Identifier: MIT */
/*
 * io_page: a page is written of profiles that are made here, its document is read back, and each figure in it is set against
 * the profile's own: all frames, parts and cells, totals, counters, events, calls, and why. Then what there is too much
 * of, names of any bytes, and a disk that is full.
 */
#include "io/page/page.h"

#include <math.h>

#include "model/report/zone_table.h"
#include "model/stats/base_frame.h"
#include "model/stats/why.h"
#include "model/table/why_table.h"
#include "model/table/worst_table.h"
#include "tests/json_read.h"
#include "tests/long.h"
#include "tests/model_random.h"
#include "tests/page_read.h"

struct stage {
	struct profile *p;
	struct transitions *t;
	struct spans *spans;
	struct values *values;
	struct page page;
	char *text;   /* of the file */
	size_t size;
	yajl_val all; /* its document */
};

static void begin(struct stage *s, struct profile *p)
{
	*s = (struct stage){ .p = p, .t = transitions_new(1000000), .spans = spans_new() };
	assert_true(s->p && s->t && s->spans);
	s->values = values_of_run(p);
	assert_non_null(s->values);
	s->page = (struct page){ .profile = p, .values = s->values, .spans = s->spans, .threads = THREADS_ALL, .whole = true,
				 .count = p->frame_count, .by = "io_page 1", .made_ns = 7 };
}

static void forget(struct stage *s)
{
	yajl_tree_free(s->all);
	free(s->text);
	s->all = NULL;
	s->text = NULL;
}

static void end(struct stage *s)
{
	forget(s);
	values_free(s->values);
	spans_free(s->spans);
	transitions_free(s->t);
	profile_free(s->p);
}

/* Other values are covered. */
static void cover(struct stage *s, struct values *values)
{
	assert_non_null(values);
	values_free(s->values);
	s->values = values;
	s->page.values = values;
}

static void write_page(struct stage *s)
{
	FILE *out;
	char *document;

	forget(s);
	out = open_memstream(&s->text, &s->size);
	assert_non_null(out);
	assert_true(page_write(&s->page, out));
	assert_int_equal(fclose(out), 0);
	document = page_document(s->text);
	s->all = doc_parse(document);
	free(document);
}

/* What stands where in a document */

static yajl_val column(const struct stage *s, const char *of, const char *key)
{
	return doc_array(doc_at(s->all, of), key);
}

static size_t length_of(yajl_val array)
{
	assert_true(YAJL_IS_ARRAY(array));
	return YAJL_GET_ARRAY(array)->len;
}

static yajl_val at(yajl_val array, size_t i)
{
	assert_true(i < length_of(array));
	return YAJL_GET_ARRAY(array)->values[i];
}

static int64_t integer(yajl_val v)
{
	if (!YAJL_IS_INTEGER(v))
		fail_msg("no integer");
	return YAJL_GET_INTEGER(v);
}

static int64_t number(yajl_val array, size_t i)
{
	return integer(at(array, i));
}

static const char *text(yajl_val v)
{
	if (!YAJL_IS_STRING(v))
		fail_msg("no text");
	return v->u.string;
}

static void expect_text(yajl_val v, const char *expected)
{
	assert_string_equal(text(v), expected);
}

static void expect_name(yajl_val v, const char *bytes)
{
	char *shown = name_escape(bytes, strlen(bytes));

	expect_text(v, shown);
	free(shown);
}

static int64_t origin_of(const struct stage *s)
{
	return strtoll(doc_text(s->all, "origin"), NULL, 10);
}

/* Sentences of what it lacks: whether one has this in it. */
static bool says(const struct stage *s, const char *what)
{
	yajl_val said = doc_at(s->all, "said");

	for (size_t i = 0; i < length_of(said); i++)
		if (strstr(text(at(said, i)), what))
			return strstr(s->page.said, what);
	return false;
}

/* ---- what is compared */

static bool selects(const struct stage *s, uint32_t thread)
{
	return s->page.threads == THREADS_EACH || profile_selects(s->p, s->page.threads, thread);
}

static void expect_what_there_is(const struct stage *s)
{
	const struct profile *p = s->p;

	expect_name(doc_at(doc_at(s->all, "process"), "program"), p->process.program);
	assert_int_equal(doc_integer(s->all, "ticks_per_s"), p->ticks_per_s);
	assert_int_equal(origin_of(s), p->first_tick);
	assert_int_equal(doc_integer(s->all, "now") + origin_of(s), p->now_tick);
	assert_int_equal(length_of(column(s, "zones", "name")), p->zone_count);
	for (uint32_t i = 0; i < p->zone_count; i++) {
		expect_name(at(column(s, "zones", "name"), i), p->zones[i].name);
		expect_name(at(column(s, "zones", "file"), i), p->zones[i].file);
		assert_int_equal(number(column(s, "zones", "line"), i), p->zones[i].line);
		assert_int_equal(number(column(s, "zones", "flags"), i), p->zones[i].flags);
	}
	assert_int_equal(length_of(column(s, "threads", "name")), p->thread_count);
	for (uint32_t i = 0; i < p->thread_count; i++) {
		const struct profile_thread *t = &p->threads[i];

		expect_name(at(column(s, "threads", "name"), i), t->name);
		assert_int_equal(strtoull(text(at(column(s, "threads", "id"), i)), NULL, 10), t->id);
		assert_int_equal(number(column(s, "threads", "tid"), i), t->tid);
		assert_int_equal(number(column(s, "threads", "marking"), i), t->marking);
		assert_int_equal(number(column(s, "threads", "namesake"), i), t->namesake);
		assert_int_equal(number(column(s, "threads", "shown"), i), selects(s, i));
	}
	assert_int_equal(length_of(column(s, "nodes", "parent")), p->node_count);
	for (uint32_t i = 0; i < p->node_count; i++) {
		assert_int_equal((uint32_t)number(column(s, "nodes", "parent"), i), p->nodes[i].parent);
		assert_int_equal(number(column(s, "nodes", "zone"), i), p->nodes[i].zone);
		assert_int_equal(number(column(s, "nodes", "thread"), i), p->nodes[i].thread);
	}
	assert_int_equal(doc_length(s->all, "losses"), p->loss_count);
	for (uint32_t i = 0; i < p->loss_count; i++)
		assert_int_equal(doc_integer(at(doc_at(s->all, "losses"), i), "count"), p->losses[i].count);
}

static void expect_run(const struct stage *s)
{
	const struct values *v = s->values;
	yajl_val run = doc_at(s->all, "run");

	assert_int_equal(doc_integer(run, "wall"), v->wall);
	assert_int_equal(doc_integer(run, "elapsed"), v->elapsed);
	assert_int_equal(doc_integer(run, "frames"), v->frames);
	for (uint32_t i = 0; i < s->p->thread_count; i++)
		assert_int_equal(number(doc_at(run, "time"), i), selects(s, i) ? v->time[i] : 0);
	for (uint32_t i = 0; i < s->p->node_count; i++) {
		bool shown = selects(s, s->p->nodes[i].thread);
		int64_t longest = v->longest[i] == PROFILE_LONGEST_UNKNOWN ? -1 : v->longest[i];

		assert_int_equal(number(doc_at(run, "self"), i), shown ? v->self[i] : 0);
		assert_int_equal(number(doc_at(run, "count"), i), shown ? v->count[i] : 0);
		assert_int_equal(number(doc_at(run, "longest"), i), shown ? longest : 0);
	}
}

/* The page has titles and help of the lists that all outputs have. */
static void expect_columns(const struct stage *s, const char *key, const struct table_type *type)
{
	yajl_val columns = doc_at(s->all, key);
	size_t n = 0;

	for (uint32_t c = 0; c < type->column_count; c++) {
		const struct table_column *wanted = &type->columns[c];

		if (!wanted->title || !(wanted->key || wanted->member) || wanted->group)
			continue;
		expect_text(doc_at(at(columns, n), "key"), wanted->member ? wanted->member : wanted->key);
		expect_text(doc_at(at(columns, n), "title"), wanted->title);
		expect_text(doc_at(at(columns, n++), "help"), wanted->help);
	}
	assert_true(n && length_of(columns) == n);
}

/* Where the next part and the next cell stand. */
struct place {
	size_t part, cell;
};

static void expect_part(const struct stage *s, const struct profile_frame *frame, const struct profile_held *part,
			struct place *place)
{
	int64_t node = 0;

	assert_int_equal(number(column(s, "parts", "thread"), place->part), part->thread);
	assert_int_equal(number(column(s, "parts", "flags"), place->part), part->flags);
	assert_int_equal(number(column(s, "parts", "bound"), place->part), part->bound - frame->start);
	assert_int_equal(number(column(s, "parts", "end"), place->part), part->end - part->bound);
	assert_int_equal(number(column(s, "parts", "cells"), place->part++), part->cell_count);
	for (uint32_t i = 0; i < part->cell_count; i++, place->cell++) {
		struct profile_cell cell = profile_cell(part, i);
		yajl_val longest = at(column(s, "cells", "longest"), place->cell);

		node += number(column(s, "cells", "node"), place->cell);
		assert_int_equal(node, cell.node);
		assert_int_equal(number(column(s, "cells", "self"), place->cell), cell.self);
		assert_int_equal(number(column(s, "cells", "count"), place->cell), cell.count);
		if (cell.longest == PROFILE_LONGEST_UNKNOWN)
			assert_true(YAJL_IS_NULL(longest));
		else
			assert_int_equal(integer(longest) + cell.self, cell.longest);
	}
}

/* Returns how many frames have all of theirs. */
static uint32_t expect_frames(const struct stage *s)
{
	struct place place = { 0, 0 };
	uint64_t before = 0;
	int64_t tick = origin_of(s);
	uint32_t held = 0, n = 0, name, names = 0;

	for (uint32_t i = s->page.first; i < s->page.first + s->page.count; i++) {
		const struct profile_frame *frame = &s->p->frames[i];
		uint32_t parts = 0;

		if (s->page.asked && frame->flags & FRAME_DISCARDED)
			continue;
		before += (uint64_t)number(column(s, "frames", "number"), n);
		tick += number(column(s, "frames", "start"), n);
		assert_int_equal(before, frame->number);
		assert_int_equal(tick, frame->start);
		tick += number(column(s, "frames", "length"), n);
		assert_int_equal(tick, frame_end(frame));
		assert_int_equal(number(column(s, "frames", "flags"), n), frame->flags);
		name = (uint32_t)number(column(s, "frames", "name"), n);
		assert_int_equal(name != 0, frame->name != 0);
		if (name)
			expect_name(at(doc_at(s->all, "frame_names"), name - 1), profile_frame_name(s->p, frame));
		if (name > names)
			assert_int_equal(name, ++names);
		held += number(column(s, "frames", "held"), n) == 1;
		for (uint32_t k = 0; number(column(s, "frames", "held"), n) && k < frame->part_count; k++)
			if (selects(s, frame->parts[k].thread)) {
				expect_part(s, frame, &frame->parts[k], &place);
				parts++;
			}
		assert_int_equal(number(column(s, "frames", "parts"), n++), parts);
	}
	assert_int_equal(length_of(column(s, "frames", "number")), n);
	assert_int_equal(length_of(column(s, "parts", "thread")), place.part);
	assert_int_equal(length_of(column(s, "cells", "node")), place.cell);
	assert_int_equal(doc_length(s->all, "frame_names"), names);
	return held;
}

static void expect_number(yajl_val v, bool real, union profile_number n)
{
	if (!real)
		assert_int_equal(integer(v), n.whole);
	else if (!isfinite(n.real))
		assert_true(YAJL_IS_NULL(v));
	else
		assert_true(YAJL_GET_DOUBLE(v) == n.real);
}

/* Returns how many changes are left out. */
static uint64_t expect_track(const struct stage *s, yajl_val v, const struct profile_track *t)
{
	bool real = s->p->counters[t->counter].real;
	uint64_t left_out = (uint64_t)doc_integer(v, "left_out");
	int64_t tick = origin_of(s);

	assert_int_equal(doc_integer(v, "thread"), t->thread == PROFILE_NONE ? -1 : (int64_t)t->thread);
	if (t->born > 0)
		assert_int_equal(doc_integer(v, "born"), t->born - tick);
	else
		assert_true(YAJL_IS_NULL(doc_at(v, "born")));
	assert_int_equal(doc_length(v, "tick") + left_out, t->change_count);
	for (uint32_t i = 0; i < doc_length(v, "tick"); i++) {
		const struct profile_change *c = &t->changes[left_out + i];

		tick += number(doc_at(v, "tick"), i);
		assert_int_equal(tick, c->tick);
		expect_number(at(doc_at(v, "last"), i), real, c->last);
		expect_number(at(doc_at(v, "least"), i), real, c->least);
		expect_number(at(doc_at(v, "most"), i), real, c->most);
		assert_int_equal(number(doc_at(v, "lost"), i), c->lost);
	}
	expect_number(doc_at(v, "run_least"), real, t->run_least);
	expect_number(doc_at(v, "run_most"), real, t->run_most);
	return left_out;
}

static uint64_t expect_counters(const struct stage *s)
{
	uint64_t left_out = 0;

	assert_int_equal(doc_length(s->all, "counters"), s->p->counter_count);
	for (uint32_t i = 0; i < s->p->counter_count; i++) {
		yajl_val v = at(doc_at(s->all, "counters"), i);
		size_t n = 0;

		expect_name(doc_at(v, "name"), s->p->counters[i].name);
		assert_int_equal(doc_integer(v, "real"), s->p->counters[i].real);
		assert_int_equal(doc_integer(v, "summed"), s->p->counters[i].summed);
		for (uint32_t k = 0; k < s->p->track_count; k++)
			if (s->p->tracks[k].counter == i)
				left_out += expect_track(s, at(doc_at(v, "tracks"), n++), &s->p->tracks[k]);
		assert_int_equal(doc_length(v, "tracks"), n);
	}
	return left_out;
}

static void expect_events(const struct stage *s)
{
	int64_t tick = origin_of(s);
	size_t notes = 0;

	for (uint32_t i = 0; i < s->p->event_count; i++)
		expect_name(at(column(s, "events", "names"), i), s->p->events[i]);
	assert_int_equal(length_of(column(s, "events", "tick")), s->p->instant_count);
	for (uint32_t i = 0; i < s->p->instant_count; i++) {
		const struct profile_instant *n = &s->p->instants[i];

		tick += number(column(s, "events", "tick"), i);
		assert_int_equal(tick, n->tick);
		assert_int_equal(number(column(s, "events", "thread"), i), n->thread);
		assert_int_equal((uint32_t)number(column(s, "events", "event"), i), n->event);
		if (n->event == PROFILE_NONE)
			expect_name(at(column(s, "events", "text"), notes++), n->text);
	}
	assert_int_equal(length_of(column(s, "events", "text")), notes);
}

/* All spans of all lists are there. */
static void expect_calls(const struct stage *s)
{
	yajl_val lanes = doc_at(doc_at(s->all, "calls"), "lanes");

	assert_int_equal(length_of(lanes), s->spans->count);
	for (uint32_t i = 0; i < s->spans->count; i++) {
		const struct span_list *l = &s->spans->lists[i];
		yajl_val lane = at(lanes, i), known = doc_at(lane, "known");

		assert_int_equal(doc_integer(lane, "thread"), l->thread);
		assert_int_equal(length_of(known), l->known_count);
		for (uint32_t k = 0; k < l->known_count; k++) {
			assert_int_equal(number(at(known, k), 0) + origin_of(s), l->known[k].begin);
			assert_int_equal(number(at(known, k), 1) + origin_of(s), l->known[k].end);
		}
		assert_int_equal(doc_length(lane, "rows"), l->depth);
		for (uint32_t depth = 0; depth < l->depth; depth++) {
			yajl_val row = at(doc_at(lane, "rows"), depth);
			struct box_row boxes = spans_row(l, depth);
			int64_t tick = origin_of(s);

			assert_int_equal(doc_length(row, "begin"), boxes.count);
			for (uint32_t k = 0; k < boxes.count; k++) {
				tick += number(doc_at(row, "begin"), k);
				assert_int_equal(tick, boxes.begin[k]);
				assert_int_equal(tick + number(doc_at(row, "length"), k), boxes.end[k]);
				assert_int_equal(number(doc_at(row, "node"), k), l->rows[depth].node[k]);
				assert_int_equal(number(doc_at(row, "flags"), k), spans_flags(l, depth, k));
			}
		}
	}
}

/* Rows are those of the model, in their order, and with the rest they are its sums. */
static void expect_comparison(const struct stage *s, yajl_val v)
{
	uint64_t frame = (uint64_t)doc_integer(v, "frame"), base = (uint64_t)doc_integer(v, "base");
	struct values *now_v = values_of_frames(s->p, profile_frame_index(s->p, frame), 1);
	struct values *base_v = values_of_frames(s->p, profile_frame_index(s->p, base), 1);
	struct why *w = why_make(&(struct why_side){ s->p, base_v }, &(struct why_side){ s->p, now_v },
				 &(struct why_options){ .threads = THREADS_ALL });
	size_t n = 0;

	struct bases *bases = s->page.frame ? bases_new(s->p, 0, s->p->frame_count) : bases_new(s->p, s->page.first, s->page.count);
	struct base_frame chosen = bases_search(bases, BASE_USUAL, frame);

	assert_int_equal(base, chosen.number); /* of the frames of the page */
	assert_string_equal(doc_text(v, "base_kind"), base_names[chosen.kind]);
	assert_int_equal(doc_integer(doc_at(s->all, "usual"), "frame"), bases_median(bases));
	bases_free(bases);
	assert_int_equal(doc_integer(v, "length"), profile_find_frame(s->p, frame)->length);
	assert_int_equal(doc_length(v, "threads"), w->thread_count);
	for (uint32_t i = 0; i < w->thread_count; i++) {
		const struct why_thread *t = &w->threads[i];
		yajl_val thread = at(doc_at(v, "threads"), i);
		int64_t sum = doc_integer(thread, "rest");

		assert_int_equal(doc_integer(thread, "thread"), t->thread);
		assert_int_equal(doc_integer(thread, "time"), t->time);
		assert_int_equal(doc_integer(thread, "base_time"), t->base_time);
		assert_int_equal(doc_integer(thread, "delta"), t->delta);
		assert_int_equal(doc_integer(thread, "waiting"), t->waiting);
		for (uint32_t k = 0; k + (uint64_t)doc_integer(thread, "left_out") < t->count; k++) {
			const struct why_row *row = &t->rows[k];
			yajl_val r = at(doc_at(v, "rows"), n++);

			assert_int_equal(doc_integer(r, "self"), row->self);
			assert_int_equal(doc_integer(r, "base_self"), row->base_self);
			assert_int_equal(doc_integer(r, "delta"), row->delta);
			assert_int_equal(doc_integer(r, "calls"), row->calls);
			assert_int_equal(doc_integer(r, "cost"), row->cost);
			assert_int_equal(doc_integer(r, "count"), row->count);
			assert_int_equal(doc_integer(r, "base_count"), row->base_count);
			assert_int_equal(doc_integer(r, "delta"),
					 doc_integer(r, "self") - doc_integer(r, "base_self"));
			expect_text(doc_at(r, "word"), why_word(w, row));
			sum += row->delta;
		}
		assert_int_equal(sum, t->sum);
	}
	assert_int_equal(doc_length(v, "rows"), n);
	why_free(w);
	values_free(now_v);
	values_free(base_v);
}

static void expect_why(const struct stage *s)
{
	yajl_val why = doc_at(s->all, "why");

	for (size_t i = 0; i < length_of(why); i++)
		expect_comparison(s, at(why, i));
}

static void expect_all(const struct stage *s)
{
	expect_what_there_is(s);
	expect_columns(s, "zone_columns", &zone_table_type);
	expect_columns(s, "why_columns", &why_table_type);
	expect_columns(s, "why_amount_columns", &why_amount_type);
	expect_columns(s, "worst_columns", &worst_table_type);
	expect_run(s);
	assert_int_equal(expect_frames(s), length_of(column(s, "frames", "number")));
	assert_true(YAJL_IS_NULL(doc_at(s->all, "thinned")));
	assert_int_equal(expect_counters(s), 0);
	expect_events(s);
	expect_why(s);
	assert_string_equal(s->page.said, "");
	assert_int_equal(doc_length(s->all, "said"), 0);
}

/* ---- profiles */

static void nothing_at_all(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, profile_new());
	write_page(&s);
	expect_all(&s);
	assert_true(YAJL_IS_NULL(doc_at(s.all, "calls")));
	assert_int_equal(doc_integer(doc_at(s.all, "usual"), "frame"), 0);
	assert_memory_equal(s.text, "<!DOCTYPE html>", 15);
	assert_string_equal(s.text + s.size - 8, "</html>\n");
	end(&s);
}

static void one_frame(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, dsl_profile("main . 10\nmain a 90 2 50\nframe 1 100\nmain . 10\nmain a 90 2 50\n"));
	s.p->first_tick = 0;
	write_page(&s);
	expect_all(&s);
	assert_int_equal(doc_length(s.all, "why"), 0); /* there is no other one */
	assert_int_equal(doc_integer(doc_at(s.all, "usual"), "frame"), 1);
	s.page.remarks = (const struct page_remark[]){ { 12, "ends without a begin; left out" }, { 0, "none" }, { 1, "a time" } };
	s.page.remark_count = 3;
	write_page(&s);
	assert_int_equal(doc_length(s.all, "said"), 2);
	expect_text(at(doc_at(s.all, "said"), 0), "12: ends without a begin; left out");
	expect_text(at(doc_at(s.all, "said"), 1), "1: a time");
	assert_string_equal(s.page.said, "");
	end(&s);
}

/* Beyond what a double holds, and of several things whose end is not known. */
static void large_numbers(void **state)
{
	struct profile *p = dsl_profile("main a 5 1 5\nframe 1 100\nmain a 90 2 50\n");
	struct profile_cell cell = { dsl_node(p, "main", "a"), INT64_C(1) << 60, 3, PROFILE_LONGEST_UNKNOWN };
	struct profile_part part = { .thread = 0, .bound = INT64_C(1) << 61, .end = INT64_C(3) << 60, .cell_count = 1, .cells = &cell };
	struct stage s;

	(void)state;
	assert_true(profile_add_frame(p, UINT64_C(1) << 55, INT64_C(1) << 61, INT64_C(1) << 60, 0));
	assert_true(profile_set_part(p, UINT64_C(1) << 55, &part));
	p->first_tick = (INT64_C(1) << 53) + 1;
	p->now_tick = INT64_MAX;
	begin(&s, p);
	write_page(&s);
	expect_what_there_is(&s);
	expect_frames(&s);
	end(&s);
}

static void put_values(struct profile *p)
{
	uint32_t whole = profile_add_counter(p, "bytes", false, true), real = profile_add_counter(p, "rate \"x\"", true, false);
	int64_t step = p->now_tick / 50 + 1, first = step + 1;
	uint32_t sum = profile_add_track(p, whole, PROFILE_NONE, 3), own = profile_add_track(p, real, 0, -2 - first);
	uint32_t event = profile_add_event(p, "loaded\n");

	for (int64_t i = 1; i < 40; i++) {
		struct profile_change c = { .tick = i * step, .last.whole = i * i - 40, .least.whole = -i, .most.whole = INT64_MAX - i };
		struct profile_change r = { .tick = i * step + 1, .last.real = (double)i / 3, .least.real = -1e300,
					    .most.real = i == 7 ? NAN : 0.1, .lost = i == 9 };

		assert_true(profile_add_change(p, sum, &c) && profile_add_change(p, own, &r));
		assert_true(profile_add_instant(p, i * step, random_below(p->thread_count), event, NULL, false));
		if (i % 5 == 0)
			assert_true(profile_add_instant(p, i * step, 0, PROFILE_NONE, "a note </script> \xff", false));
	}
	profile_set_now(p, own, &(struct profile_change){ .tick = p->now_tick, .last.real = 2 }, (union profile_number){ .real = 0.5 },
			(union profile_number){ .real = 3 });
	assert_true(profile_set_loss(p, "lapped_parts", "parts were overwritten", 12));
}

static struct profile *made_profile(uint64_t seed, uint32_t frames)
{
	struct profile *p;

	random_state = seed;
	p = random_profile();
	p->now_tick = random_below(2) ? 0 : INT64_C(1) << 54;
	p->first_tick = p->now_tick;
	for (uint32_t i = 0; i < frames; i++) {
		random_frame(p);
		if (!random_below(3))
			profile_name_frame(p, random_below(2) ? "load <b>" : "play");
	}
	put_values(p);
	return p;
}

static void every_figure_of_profiles_made_at_random(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < test_times(30, 1000); seed++) {
		struct stage s;

		begin(&s, made_profile(seed, random_below(60)));
		write_page(&s);
		expect_all(&s);
		end(&s);
	}
}

static void the_longest_frames_are_set_against_the_median(void **state)
{
	struct stage s;
	uint32_t over = 0;

	(void)state;
	begin(&s, made_profile(11, 400));
	write_page(&s);
	assert_int_equal(doc_length(s.all, "why"), 32);
	s.page.budget = 80000000;
	write_page(&s);
	for (uint32_t i = 0; i < s.p->frame_count; i++)
		over += s.p->frames[i].length > s.page.budget && !(s.p->frames[i].flags & FRAME_DISCARDED);
	assert_int_equal(doc_integer(s.all, "budget"), s.page.budget);
	assert_in_range(over, 33, 96);
	assert_in_range(doc_length(s.all, "why"), over - 2, over); /* but for those of which no cell is known */
	expect_why(&s);
	end(&s);
}

/* ---- some of it */

static void the_last_frames_or_one_or_one_thread(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, made_profile(3, 50));
	s.page.first = 30;
	s.page.count = s.p->frame_count - 30;
	s.page.asked = s.page.count;
	s.page.whole = false;
	cover(&s, values_of_frames(s.p, s.page.first, s.page.count));
	write_page(&s);
	expect_run(&s);
	expect_frames(&s);
	assert_int_equal(doc_integer(doc_at(s.all, "covered"), "whole"), 0);
	s.page.first = 40;
	s.page.count = 1;
	s.page.asked = 0;
	s.page.frame = s.p->frames[40].number;
	cover(&s, values_of_frames(s.p, s.page.first, s.page.count));
	write_page(&s);
	expect_run(&s);
	expect_frames(&s);
	expect_why(&s);
	assert_int_equal(doc_integer(doc_at(s.all, "covered"), "frame"), s.page.frame);
	s.page = (struct page){ .profile = s.p, .threads = 1, .threads_asked = "worker", .whole = true, .count = s.p->frame_count, .by = "" };
	cover(&s, values_of_run(s.p));
	write_page(&s);
	expect_what_there_is(&s);
	expect_run(&s);
	expect_frames(&s);
	expect_text(doc_at(doc_at(s.all, "covered"), "threads"), "worker");
	end(&s);
}

/* ---- too much of it */

static bool is_held(const struct stage *s, uint64_t number_)
{
	uint64_t n = 0;

	for (size_t i = 0; i < length_of(column(s, "frames", "number")); i++) {
		n += (uint64_t)number(column(s, "frames", "number"), i);
		if (n == number_)
			return number(column(s, "frames", "held"), i);
	}
	return false;
}

static void frames_are_thinned(void **state)
{
	struct stage s;
	uint32_t held;

	(void)state;
	begin(&s, made_profile(5, 600));
	for (s.page.cells = 20000; s.page.cells > 10; s.page.cells /= 3) {
		write_page(&s);
		held = expect_frames(&s); /* those that are held are exact */
		if (s.page.cells > 6000) { /* else what is set against another frame takes all of the room */
			assert_true(is_held(&s, s.p->frames[s.p->frame_count - 1].number));
			assert_true(is_held(&s, worst_frame(s.p)));
			assert_true(is_held(&s, base_frame(s.p, BASE_MEDIAN, 0, 0)));
		}
		assert_true(length_of(column(&s, "cells", "node")) <= s.page.cells);
		assert_int_equal(doc_integer(doc_at(s.all, "thinned"), "frames"), s.p->frame_count);
		assert_int_equal(doc_integer(doc_at(s.all, "thinned"), "kept"), held);
		assert_true(says(&s, "frames have only their lengths"));
		expect_run(&s);
	}
	end(&s);
}

static void spread_frames_are_everywhere(void **state)
{
	struct stage s;
	uint32_t quarter[4] = { 0 };

	(void)state;
	begin(&s, made_profile(6, 2000));
	s.page.cells = 12000;
	write_page(&s);
	for (uint32_t i = 0; i < s.p->frame_count; i++)
		quarter[i * 4 / s.p->frame_count] += number(column(&s, "frames", "held"), i) != 0;
	for (int i = 0; i < 4; i++)
		assert_true(quarter[i] > 10);
	end(&s);
}

static void changes_of_counters_are_left_out(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, made_profile(8, 10));
	s.page.changes = 20; /* 10 and one a track */
	write_page(&s);
	assert_int_equal(expect_counters(&s), 2 * (39 - 11));
	assert_true(says(&s, "56 older changes of counters are left out"));
	end(&s);
}

/* ---- single calls */

static void put(struct stage *s, struct transition_list *list, enum transition_kind kind, uint32_t node, int64_t tick)
{
	assert_true(transitions_add(s->t, list, (struct transition){ tick, node, kind }));
}

/* Calls of a/b and a/c, one after the other in `calls` frames of ten ticks; so the run has them. */
static void make_calls(struct stage *s, uint32_t calls)
{
	struct profile *p = dsl_profile("main . 0\nmain a 0\nmain a/b 0\nmain a/c 0\nother . 0\nother d 0\n");
	uint32_t a = dsl_node(p, "main", "a"), b = dsl_node(p, "main", "a/b"), c = dsl_node(p, "main", "a/c"), d = dsl_node(p, "other", "d");
	struct transition_list *main, *other;

	for (uint32_t i = 0; i < calls; i++)
		assert_true(profile_add_frame(p, i + 1, i * 10, i % 7 == 3 ? 9 : 10, 0));
	profile_set_total(p, a, 3 * calls, calls, 10);
	profile_set_total(p, b, 4 * calls, calls, 10);
	profile_set_total(p, c, 2 * calls, calls, 10);
	profile_set_total(p, d, calls, calls, 1);
	profile_set_time(p, 0, 0, calls * 10);
	profile_set_time(p, 1, 0, calls * 10);
	p->now_tick = calls * 10;
	begin(s, p);
	main = transitions_of(s->t, 1, 0);
	put(s, main, TRANSITION_START, 0, 0);
	for (uint32_t i = 0; i < calls; i++) {
		put(s, main, TRANSITION_ENTER, a, i * 10);
		put(s, main, TRANSITION_ENTER, b, i * 10 + 1);
		put(s, main, TRANSITION_LEAVE, b, i * 10 + 5);
		put(s, main, TRANSITION_ENTER, c, i * 10 + 5);
		put(s, main, TRANSITION_LEAVE, c, i * 10 + 7);
		put(s, main, TRANSITION_LEAVE, a, i * 10 + 9);
	}
	other = transitions_of(s->t, 2, 1);
	put(s, other, TRANSITION_START, 0, 0);
	for (uint32_t i = 0; i < calls; i++) {
		put(s, other, TRANSITION_ENTER, d, i * 10 + 2);
		put(s, other, TRANSITION_LEAVE, d, i * 10 + 3);
	}
	put(s, other, TRANSITION_END, 0, calls * 10);
	assert_true(spans_update(s->spans, p, s->t, p->now_tick));
}

static void all_calls(void **state)
{
	struct stage s;

	(void)state;
	make_calls(&s, 100);
	write_page(&s);
	expect_calls(&s);
	assert_int_equal(doc_integer(doc_at(s.all, "calls"), "whole"), 1);
	assert_int_equal(doc_integer(doc_at(s.all, "calls"), "left_out"), 0);
	assert_int_equal(doc_integer(doc_at(s.all, "calls"), "from"), 0);
	profile_set_total(s.p, dsl_node(s.p, "main", "a"), 300, 101, 10); /* one of them is not known */
	cover(&s, values_of_run(s.p));
	write_page(&s);
	expect_calls(&s);
	assert_int_equal(doc_integer(doc_at(s.all, "calls"), "whole"), 0);
	end(&s);
}

static void calls_that_are_cut_or_run(void **state)
{
	struct stage s;
	uint32_t a;
	struct transition_list *list;

	(void)state;
	begin(&s, dsl_profile("main . 0\nmain a 0\nmain a/b 0\n"));
	a = dsl_node(s.p, "main", "a");
	list = transitions_of(s.t, 9, 0);
	put(&s, list, TRANSITION_START, 0, 5);
	put(&s, list, TRANSITION_ENTER, a, 7);
	put(&s, list, TRANSITION_SUSPEND, a, 9);
	put(&s, list, TRANSITION_RESUME, a, 10);
	put(&s, list, TRANSITION_GAP, 0, 20);
	put(&s, list, TRANSITION_ENTER, dsl_node(s.p, "main", "a/b"), 30);
	s.p->now_tick = 50;
	assert_true(spans_update(s.spans, s.p, s.t, 50));
	write_page(&s);
	expect_calls(&s);
	end(&s);
}

/* Begins of row 0 of the first lane. */
static bool has_call_at(const struct stage *s, int64_t tick)
{
	yajl_val row = at(doc_at(at(doc_at(doc_at(s->all, "calls"), "lanes"), 0), "rows"), 0);
	int64_t begin_ = 0;

	for (size_t i = 0; i < doc_length(row, "begin"); i++) {
		begin_ += number(doc_at(row, "begin"), i);
		if (begin_ == tick)
			return true;
	}
	return false;
}

static size_t calls_there(const struct stage *s)
{
	yajl_val lanes = doc_at(doc_at(s->all, "calls"), "lanes");
	size_t count = 0;

	for (size_t i = 0; i < length_of(lanes); i++)
		for (size_t k = 0; k < doc_length(at(lanes, i), "rows"); k++)
			count += length_of(doc_at(at(doc_at(at(lanes, i), "rows"), k), "begin"));
	return count;
}

static void calls_are_left_out(void **state)
{
	struct stage s;

	(void)state;
	make_calls(&s, 1000);
	assert_true(profile_add_frame(s.p, 1001, 10000, 0, 0));
	((struct profile_frame *)s.p->frames)[123].length = 12; /* the longest */
	s.page.calls = 400;
	s.page.unread = 12;
	write_page(&s);
	assert_in_range(calls_there(&s), 200, 410); /* a call may lie in a long frame and among the newest */
	assert_int_equal(calls_there(&s) + (size_t)doc_integer(doc_at(s.all, "calls"), "left_out"), 4000);
	assert_int_equal(doc_integer(doc_at(s.all, "calls"), "whole"), 0);
	assert_true(has_call_at(&s, 1230) && has_call_at(&s, 9990) && !has_call_at(&s, 500));
	assert_true(says(&s, "single calls are left out"));
	assert_true(says(&s, "12 begins and ends of zones were not read"));
	end(&s);
}

static void calls_of_one_frame(void **state)
{
	struct stage s;

	(void)state;
	make_calls(&s, 50);
	s.page.whole = false;
	s.page.first = 20;
	s.page.count = 1;
	s.page.frame = 21;
	cover(&s, values_of_frames(s.p, 20, 1));
	write_page(&s);
	assert_true(has_call_at(&s, 200) && !has_call_at(&s, 180) && !has_call_at(&s, 220));
	assert_int_equal(doc_integer(doc_at(s.all, "calls"), "left_out"), 0);
	end(&s);
}

/* ---- names */

static void names_of_any_bytes(void **state)
{
	static const char *const names[] = { "</script><script>alert(1)</script>", "\"quoted\" \\ and 'so'", "two\nlines\r\t", "\xff\xfe\xc3",
					     "<!--", "snow \xe2\x98\x83", "\xe2\x80\xae" "reversed", "]]>", "\x1b[31m" };
	struct profile *p = profile_new();
	struct stage s;

	(void)state;
	assert_non_null(p);
	profile_add_thread(p, 1, 0, names[0]);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		profile_add_node(p, p->threads[0].root, profile_add_zone(p, names[i], names[i], 1, 0));
	for (int c = 1; c < 256; c++)
		profile_add_zone(p, (char[]){ (char)c, 0 }, "", 0, 0);
	profile_add_event(p, names[0]);
	profile_add_counter(p, names[1], false, true);
	profile_text(&p->process.program, names[2]);
	begin(&s, p);
	write_page(&s);
	expect_what_there_is(&s);
	assert_null(strstr(strstr(s.text, PAGE_DATA) + strlen(PAGE_DATA), "alert"));
	end(&s);
}

#define LONG_NAME (10u << 20)

static void names_of_megabytes(void **state)
{
	static const char *const kinds[] = { "x", "\xe2\x98\x83", "\xff", "\\", "a\n" };
	char *name = malloc(LONG_NAME + 1);
	struct profile *p = profile_new();
	struct stage s;

	(void)state;
	assert_true(name && p);
	for (size_t i = 0; i < 5; i++) {
		for (size_t k = 0; k < LONG_NAME; k++)
			name[k] = kinds[i][k % strlen(kinds[i])];
		name[LONG_NAME] = '\0';
		assert_int_not_equal(profile_add_zone(p, name, "", 0, 0), PROFILE_NONE);
	}
	begin(&s, p);
	write_page(&s);
	for (size_t i = 1; i <= 5; i++) {
		const char *name_ = text(at(column(&s, "zones", "name"), i));

		assert_in_range(strlen(name_), PAGE_NAME_MOST - 3, PAGE_NAME_MOST + 3);
		assert_string_equal(name_ + strlen(name_) - strlen("…"), "…");
		assert_memory_equal(name_, i == 3 ? "\\xFF" : i == 4 ? "\\\\" : i == 5 ? "a\\x0A" : kinds[i - 1], strlen(kinds[i - 1]));
	}
	assert_true(s.size < 1 << 20);
	assert_true(says(&s, "5 names are cut"));
	end(&s);
	free(name);
}

/* ---- the file */

static void a_full_disk(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct stage s;

	(void)state;
	assert_non_null(full);
	begin(&s, made_profile(1, 100));
	assert_false(page_write(&s.page, full) && fflush(full) == 0);
	fclose(full);
	end(&s);
}

/* A frame is a thread with 20 zones. */
static struct profile *many_frames(uint32_t frames)
{
	struct profile *p = profile_new();
	uint32_t thread = profile_add_thread(p, 1, 1, "main"), parent = p->threads[thread].root;
	struct profile_cell cells[20];
	struct profile_part part = { .thread = thread, .cells = cells, .cell_count = 20 };
	int64_t tick = 1000000;

	for (uint32_t i = 0; i < 20; i++)
		cells[i].node = profile_add_node(p, i % 3 ? parent : p->threads[thread].root,
						 profile_add_zone(p, (char[]){ 'a' + (char)i, 0 }, "game.c", i, 0));
	random_state = 1;
	p->first_tick = tick;
	for (uint32_t n = 1; n <= frames; n++) {
		int64_t length = 30000000 + random_below(n % 100 ? 3000000 : 30000000);

		for (uint32_t i = 0; i < 20; i++)
			cells[i] = (struct profile_cell){ cells[i].node, length / 20 - random_below(900000), 1 + random_below(3),
							  length / 30 };
		part.bound = tick;
		part.end = tick + length;
		assert_true(profile_add_frame(p, n, tick, length, 0) && profile_set_part(p, n, &part));
		tick += length;
		if (n > 300000) /* a machine may have little memory: of the rest, lengths and a few cells */
			part.cell_count = 1;
	}
	p->frames_ended = frames;
	p->now_tick = tick;
	return p;
}

static void a_million_frames_are_less_than_20_MB(void **state)
{
	uint32_t frames = (uint32_t)test_times(100000, 1000000);
	struct stage s;
	FILE *out;

	(void)state;
	begin(&s, many_frames(frames));
	out = open_memstream(&s.text, &s.size);
	assert_true(out && page_write(&s.page, out));
	assert_int_equal(fclose(out), 0);
#ifdef HAVE_ZLIB
	assert_true(s.size < 20000000);
#endif
	assert_non_null(strstr(s.page.said, "frames have only their lengths"));
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_at_all),
		cmocka_unit_test(one_frame),
		cmocka_unit_test(large_numbers),
		cmocka_unit_test(every_figure_of_profiles_made_at_random),
		cmocka_unit_test(the_longest_frames_are_set_against_the_median),
		cmocka_unit_test(the_last_frames_or_one_or_one_thread),
		cmocka_unit_test(frames_are_thinned),
		cmocka_unit_test(spread_frames_are_everywhere),
		cmocka_unit_test(changes_of_counters_are_left_out),
		cmocka_unit_test(all_calls),
		cmocka_unit_test(calls_that_are_cut_or_run),
		cmocka_unit_test(calls_are_left_out),
		cmocka_unit_test(calls_of_one_frame),
		cmocka_unit_test(names_of_any_bytes),
		cmocka_unit_test(names_of_megabytes),
		cmocka_unit_test(a_full_disk),
		cmocka_unit_test(a_million_frames_are_less_than_20_MB),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
