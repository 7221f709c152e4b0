/* SPDX-License-Identifier: MIT */
/*
 * page_frames: frames, the threads' parts of them, and the cells of these: `frames`, `thinned`, `parts`, `cells`; and
 * `measures`, if there are others than time and entries.
 */
#include "io/page/page_inside.h"

/* Frames */

static const struct profile_frame *frame_of(const struct page_work *w, uint32_t place)
{
	return &w->p->frames[w->frames[place]];
}

static uint32_t parts_shown(const struct page_work *w, const struct profile_frame *frame)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < frame->part_count; i++)
		count += page_selects(w, frame->parts[i].thread);
	return count;
}

static void put_numbers(struct page_work *w)
{
	uint64_t before = 0;

	json_array(w->j, "number");
	for (uint32_t i = 0; i < w->frame_count; i++) {
		json_unsigned(w->j, NULL, frame_of(w, i)->number - before);
		before = frame_of(w, i)->number;
	}
	json_array_end(w->j);
}

static void put_starts(struct page_work *w)
{
	int64_t end = w->origin;

	json_array(w->j, "start");
	for (uint32_t i = 0; i < w->frame_count; i++) {
		json_integer(w->j, NULL, page_minus(frame_of(w, i)->start, end));
		end = (int64_t)((uint64_t)frame_of(w, i)->start + (uint64_t)frame_of(w, i)->length);
	}
	json_array_end(w->j);
}

static void put_names(struct page_work *w)
{
	uint32_t put = 0;

	json_array(w->j, "frame_names");
	for (uint32_t i = 0; i < w->frame_count; i++) {
		if (w->names[frame_of(w, i)->name] <= put)
			continue;
		json_name(w->j, NULL, profile_frame_name(w->p, frame_of(w, i)));
		put++;
	}
	json_array_end(w->j);
}

static void put_frames(struct page_work *w)
{
	json_object(w->j, "frames");
	put_numbers(w);
	put_starts(w);
	PAGE_COLUMN(w->j, "length", i, w->frame_count, json_integer(w->j, NULL, frame_of(w, i)->length));
	PAGE_COLUMN(w->j, "flags", i, w->frame_count, json_unsigned(w->j, NULL, frame_of(w, i)->flags));
	PAGE_COLUMN(w->j, "name", i, w->frame_count, json_unsigned(w->j, NULL, w->names[frame_of(w, i)->name]));
	PAGE_COLUMN(w->j, "parts", i, w->frame_count, json_unsigned(w->j, NULL, w->held[i] ? parts_shown(w, frame_of(w, i)) : 0));
	PAGE_COLUMN(w->j, "held", i, w->frame_count, json_unsigned(w->j, NULL, w->held[i]));
	json_object_end(w->j);
}

static void put_thinned(struct page_work *w)
{
	uint32_t gone = w->frame_count - w->held_count;

	if (!gone) {
		json_null(w->j, "thinned");
		return;
	}
	json_object(w->j, "thinned");
	json_unsigned(w->j, "frames", w->frame_count);
	json_unsigned(w->j, "kept", w->held_count);
	json_text(w->j, "why", "to limit the file size, only the longest frames, the newest, and some of the others "
	                       "are complete. The rest have only their lengths");
	json_object_end(w->j);
	page_say(w, gone, "frame has only its length, to keep the file small",
		 "frames have only their lengths, to keep the file small");
}

/* Parts and cells, column by column */

/* Of each part in the file: the statement `put` writes what `part` of `frame` has, or `cell` of it. */
#define PART_COLUMN(w, key, put) \
	do { \
		json_array((w)->j, key); \
		for (uint32_t i = 0; i < (w)->frame_count; i++) { \
			const struct profile_frame *frame = frame_of(w, i); \
\
			for (uint32_t k = 0; (w)->held[i] && k < frame->part_count; k++) { \
				const struct profile_held *part = &frame->parts[k]; \
\
				if (page_selects(w, part->thread)) \
					put; \
			} \
		} \
		json_array_end((w)->j); \
	} while (0)

#define CELL_COLUMN(w, key, put) \
	PART_COLUMN(w, key, for (uint32_t c = 0; c < part->cell_count; c++) { \
		struct profile_cell cell = profile_cell(part, c); \
\
		put; \
	})

static void put_cell_nodes(struct page_work *w, const struct profile_held *part)
{
	int64_t before = 0;

	for (uint32_t i = 0; i < part->cell_count; i++) {
		int64_t node = profile_cell(part, i).node;

		json_integer(w->j, NULL, node - before);
		before = node;
	}
}

static void put_longest(struct page_work *w, struct profile_cell cell)
{
	if (cell.longest == PROFILE_LONGEST_UNKNOWN)
		json_null(w->j, NULL);
	else
		json_integer(w->j, NULL, page_minus(cell.longest, cell.self));
}

void page_put_frames(struct page_work *w)
{
	put_names(w);
	put_frames(w);
	put_thinned(w);
	json_object(w->j, "parts");
	PART_COLUMN(w, "thread", json_unsigned(w->j, NULL, part->thread));
	PART_COLUMN(w, "flags", json_unsigned(w->j, NULL, part->flags));
	PART_COLUMN(w, "bound", json_integer(w->j, NULL, page_minus(part->bound, frame->start)));
	PART_COLUMN(w, "end", json_integer(w->j, NULL, page_minus(part->end, part->bound)));
	PART_COLUMN(w, "cells", json_unsigned(w->j, NULL, part->cell_count));
	json_object_end(w->j);
	json_object(w->j, "cells");
	PART_COLUMN(w, "node", put_cell_nodes(w, part));
	CELL_COLUMN(w, "self", json_integer(w->j, NULL, cell.self));
	CELL_COLUMN(w, "count", json_integer(w->j, NULL, cell.count));
	CELL_COLUMN(w, "longest", put_longest(w, cell));
	json_object_end(w->j);
	json_object(w->j, "usual");
	json_unsigned(w->j, "frame", w->base);
	json_object_end(w->j);
}

/* Measures. Each has its amounts of the whole run by node, and of the parts that are in the file. */

static int64_t amount_count(const struct page_work *w, const struct profile_held *part)
{
	struct measure_amounts amounts = profile_amounts(w->p, part, w->measure);

	return amounts.known ? (int64_t)amounts.count : -1;
}

static void put_amount_nodes(struct page_work *w, const struct profile_held *part)
{
	struct measure_amounts amounts = profile_amounts(w->p, part, w->measure);
	int64_t before = 0;

	for (uint32_t i = 0; i < amounts.count; i++) {
		int64_t node = measure_amount(&amounts, i).node;

		json_integer(w->j, NULL, node - before);
		before = node;
	}
}

static void put_amounts(struct page_work *w, const struct profile_held *part)
{
	struct measure_amounts amounts = profile_amounts(w->p, part, w->measure);

	for (uint32_t i = 0; i < amounts.count; i++)
		json_integer(w->j, NULL, measure_amount(&amounts, i).value);
}

static void put_run_amounts(struct page_work *w)
{
	const struct page *page = w->page;
	struct values *v = page->whole ? values_of_run_in(w->p, w->measure)
				       : values_of_frames_in(w->p, page->first, page->count, w->measure);

	if (!v) {
		json_fail(w->j);
		return;
	}
	PAGE_COLUMN(w->j, "run", i, w->p->node_count, json_integer(w->j, NULL, page_value(w, v, v->self, i)));
	PAGE_COLUMN(w->j, "known", i, w->p->thread_count,
		    json_integer(w->j, NULL, page_selects(w, i) ? values_known(v, w->p, i) : MEASURE_KNOWN));
	values_free(v);
}

static void put_measure(struct page_work *w)
{
	const struct profile_measure *m = &w->p->measures[w->measure];

	json_object(w->j, NULL);
	json_name(w->j, "key", m->key);
	json_text(w->j, "unit", measure_unit_names[m->unit]);
	json_integer(w->j, "of_slice", m->of == MEASURE_OF_SLICE);
	json_text(w->j, "help", measure_help(m->key));
	if (measure_is_shown(w->p, w->measure))
		put_run_amounts(w);
	else
		json_bool(w->j, "hidden", true);
	PART_COLUMN(w, "cells", json_integer(w->j, NULL, amount_count(w, part)));
	PART_COLUMN(w, "node", put_amount_nodes(w, part));
	PART_COLUMN(w, "value", put_amounts(w, part));
	json_object_end(w->j);
}

void page_put_measures(struct page_work *w)
{
	bool any = false;

	for (w->measure = MEASURES_CORE; w->measure < w->p->measure_count; w->measure++) {
		/* Of slices also what is not shown: how exact the others are. */
		if (!measure_is_shown(w->p, w->measure) && w->p->measures[w->measure].of != MEASURE_OF_SLICE)
			continue;
		if (!any)
			json_array(w->j, "measures");
		any = true;
		put_measure(w);
	}
	if (any)
		json_array_end(w->j);
	if (w->page->measure != MEASURE_SELF)
		json_name(w->j, "measure", w->p->measures[w->page->measure].key);
}
