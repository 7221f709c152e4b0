/* SPDX-License-Identifier: MIT */
/*
 * page_choose: of which frames there is all, and of which the length alone.
 *
 * Where they have more cells than a page may have, a quarter of the room goes to the longest, a quarter to the newest, and the
 * rest to frames that are spread evenly over all the others. In front of them come those of which the page says why they took so
 * long, and the one that they are set against.
 */
#include "io/page/page_inside.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "model/stats/base_frame.h"

/* Amounts of other measures than time and entries. */
static uint64_t cells_of_columns(const struct profile_held *part)
{
	uint64_t cells = 0;

	for (uint32_t i = 0; i < part->column_count; i++)
		cells += profile_column(part, i).cell_count;
	return cells;
}

/* The cells of one frame, over the selected threads. Slices count as well, which bounds frames of many threads
 * without cells. */
static uint64_t cells_of_frame(const struct page_work *w, uint32_t place)
{
	const struct profile_frame *frame = &w->p->frames[w->frames[place]];
	uint64_t cells = 0;

	for (uint32_t i = 0; i < frame->part_count; i++)
		if (page_selects(w, frame->parts[i].thread))
			cells += 1 + frame->parts[i].cell_count + cells_of_columns(&frame->parts[i]);
	return cells;
}

static bool keep_frame(struct page_work *w, uint32_t place, uint64_t *room)
{
	uint64_t cells = cells_of_frame(w, place);

	if (w->held[place])
		return true;
	if (cells > *room)
		return false;
	*room -= cells;
	w->held[place] = true;
	w->held_count++;
	return true;
}

static uint32_t place_of(const struct page_work *w, uint64_t number)
{
	for (uint32_t i = 0; i < w->frame_count; i++)
		if (w->p->frames[w->frames[i]].number == number)
			return i;
	return PROFILE_NONE;
}

static uint32_t place_of_index(const struct page_work *w, uint32_t index)
{
	uint32_t place = SEARCH(i, 0, w->frame_count, w->frames[i] < index);

	return place < w->frame_count && w->frames[place] == index ? place : PROFILE_NONE;
}

static void keep_compared(struct page_work *w, uint64_t *room)
{
	uint32_t base = w->base ? place_of(w, w->base) : PROFILE_NONE;

	if (base != PROFILE_NONE)
		keep_frame(w, base, room);
	for (uint32_t i = 0; i < w->asked_count; i++) {
		uint32_t place = place_of_index(w, w->asked[i]);

		if (place != PROFILE_NONE)
			keep_frame(w, place, room);
	}
}

static void keep_longest(struct page_work *w, uint64_t room)
{
	for (uint32_t i = 0; i < w->frame_count; i++)
		if (!keep_frame(w, place_of_index(w, w->longest[i]), &room))
			return;
}

static void keep_newest(struct page_work *w, uint64_t room)
{
	for (uint32_t i = w->frame_count; i-- > 0;)
		if (!keep_frame(w, i, &room))
			return;
}

/* Each of them has its share of the room: the running sum of cells passes a multiple of the step. */
static void keep_spread(struct page_work *w, uint64_t room)
{
	uint64_t all = 0, sum = 0, kept = 0, whole = room;

	for (uint32_t i = 0; i < w->frame_count; i++)
		all += w->held[i] ? 0 : cells_of_frame(w, i);
	for (uint32_t i = 0; i < w->frame_count; i++) {
		uint64_t cells = w->held[i] ? 0 : cells_of_frame(w, i);

		if (w->held[i])
			continue;
		sum += cells;
		if ((double)kept + (double)cells <= (double)whole * ((double)sum / (double)all) && keep_frame(w, i, &room))
			kept += cells;
	}
}

static void thin_frames(struct page_work *w, uint64_t room)
{
	keep_compared(w, &room);
	keep_longest(w, room / 4);
	keep_newest(w, room / 4);
	keep_spread(w, room / 2);
}

static bool choose_held(struct page_work *w)
{
	uint64_t most = w->page->cells ? w->page->cells : PAGE_CELLS, all = 0;

	w->held = array_zeroed(w->frame_count, sizeof(*w->held));
	if (!w->held)
		return false;
	for (uint32_t i = 0; i < w->frame_count; i++)
		all += cells_of_frame(w, i);
	if (all > most) {
		thin_frames(w, most);
		return true;
	}
	memset(w->held, true, w->frame_count);
	w->held_count = w->frame_count;
	return true;
}

/* Which frames */

static bool choose_frames(struct page_work *w)
{
	w->frames = array_zeroed(w->page->count, sizeof(*w->frames));
	if (!w->frames)
		return false;
	for (uint32_t i = 0; i < w->page->count; i++) {
		const struct profile_frame *frame = &w->p->frames[w->page->first + i];

		if (!w->page->asked || !(frame->flags & FRAME_DISCARDED)) /* of the last N, what is covered */
			w->frames[w->frame_count++] = w->page->first + i;
	}
	return true;
}

/* Names are numbered in the order in which they come; those of other frames are not in the file. */
static bool choose_names(struct page_work *w)
{
	uint32_t most = 0, count = 0;

	for (uint32_t i = 0; i < w->frame_count; i++)
		if (w->p->frames[w->frames[i]].name > most)
			most = w->p->frames[w->frames[i]].name;
	w->names = array_zeroed((uint64_t)most + 1, sizeof(*w->names));
	for (uint32_t i = 0; w->names && i < w->frame_count; i++) {
		uint32_t name = w->p->frames[w->frames[i]].name;

		if (name && !w->names[name])
			w->names[name] = ++count;
	}
	return w->names;
}

struct by_length {
	int64_t length;
	uint32_t index;
};

static int compare_lengths(const void *a, const void *b)
{
	const struct by_length *x = a, *y = b;

	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	return x->index > y->index ? -1 : x->index < y->index;
}

static bool sort_longest(struct page_work *w)
{
	struct by_length *order = array_zeroed(w->frame_count, sizeof(*order));

	w->longest = array_zeroed(w->frame_count, sizeof(*w->longest));
	if (!order || !w->longest) {
		free(order);
		return false;
	}
	for (uint32_t i = 0; i < w->frame_count; i++)
		order[i] = (struct by_length){ w->p->frames[w->frames[i]].length, w->frames[i] };
	qsort(order, w->frame_count, sizeof(*order), compare_lengths);
	for (uint32_t i = 0; i < w->frame_count; i++)
		w->longest[i] = order[i].index;
	free(order);
	return true;
}

/* Something of what it did is known. */
static bool is_known(const struct page_work *w, const struct profile_frame *frame)
{
	for (uint32_t i = 0; i < frame->part_count; i++)
		if (frame->parts[i].cell_count && page_selects(w, frame->parts[i].thread))
			return true;
	return false;
}

static int compare_indices(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Discarded ones took no time that anybody asks about. */
static bool choose_asked(struct page_work *w)
{
	w->asked = calloc(PAGE_WHY_LONGEST + PAGE_WHY_OVER, sizeof(*w->asked));
	w->bases = w->page->frame ? bases_new(w->p, 0, w->p->frame_count) : bases_new(w->p, w->page->first, w->page->count);
	if (!w->asked || !w->bases)
		return false;
	w->base = bases_median(w->bases);
	for (uint32_t i = 0; w->base && i < w->frame_count; i++) {
		const struct profile_frame *frame = &w->p->frames[w->longest[i]];
		bool over = w->page->budget && frame->length > w->page->budget;

		if (w->asked_count == PAGE_WHY_LONGEST + PAGE_WHY_OVER || (w->asked_count >= PAGE_WHY_LONGEST && !over))
			break;
		if (frame->number != w->base && !(frame->flags & FRAME_DISCARDED) && is_known(w, frame))
			w->asked[w->asked_count++] = w->longest[i];
	}
	qsort(w->asked, w->asked_count, sizeof(*w->asked), compare_indices);
	return true;
}

bool page_choose(struct page_work *w)
{
	return choose_frames(w) && choose_names(w) && sort_longest(w) && choose_asked(w) && choose_held(w);
}

void page_choose_fini(struct page_work *w)
{
	free(w->frames);
	free(w->longest);
	free(w->asked);
	free(w->held);
	free(w->names);
	bases_free(w->bases);
}
