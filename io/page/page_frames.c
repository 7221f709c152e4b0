/* SPDX-License-Identifier: MIT */
/*
 * page_frames: frames, the threads' parts of them, and the cells of these: `frames`, `thinned`, `parts`, `cells`.
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
	json_array(w->j, "length");
	for (uint32_t i = 0; i < w->frame_count; i++)
		json_integer(w->j, NULL, frame_of(w, i)->length);
	json_array_end(w->j);
	json_array(w->j, "flags");
	for (uint32_t i = 0; i < w->frame_count; i++)
		json_unsigned(w->j, NULL, frame_of(w, i)->flags);
	json_array_end(w->j);
	json_array(w->j, "name");
	for (uint32_t i = 0; i < w->frame_count; i++)
		json_unsigned(w->j, NULL, w->names[frame_of(w, i)->name]);
	json_array_end(w->j);
	json_array(w->j, "parts");
	for (uint32_t i = 0; i < w->frame_count; i++)
		json_unsigned(w->j, NULL, w->held[i] ? parts_shown(w, frame_of(w, i)) : 0);
	json_array_end(w->j);
	json_array(w->j, "held");
	for (uint32_t i = 0; i < w->frame_count; i++)
		json_unsigned(w->j, NULL, w->held[i]);
	json_array_end(w->j);
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

typedef void put_part(struct page_work *w, const struct profile_frame *frame, const struct profile_held *part);

static void put_each(struct page_work *w, const char *key, put_part *put)
{
	json_array(w->j, key);
	for (uint32_t i = 0; i < w->frame_count; i++) {
		const struct profile_frame *frame = frame_of(w, i);

		for (uint32_t k = 0; w->held[i] && k < frame->part_count; k++)
			if (page_selects(w, frame->parts[k].thread))
				put(w, frame, &frame->parts[k]);
	}
	json_array_end(w->j);
}

static void put_thread(struct page_work *w, const struct profile_frame *frame, const struct profile_held *part)
{
	(void)frame;
	json_unsigned(w->j, NULL, part->thread);
}

static void put_flags(struct page_work *w, const struct profile_frame *frame, const struct profile_held *part)
{
	(void)frame;
	json_unsigned(w->j, NULL, part->flags);
}

static void put_bound(struct page_work *w, const struct profile_frame *frame, const struct profile_held *part)
{
	json_integer(w->j, NULL, page_minus(part->bound, frame->start));
}

static void put_end(struct page_work *w, const struct profile_frame *frame, const struct profile_held *part)
{
	(void)frame;
	json_integer(w->j, NULL, page_minus(part->end, part->bound));
}

static void put_count(struct page_work *w, const struct profile_frame *frame, const struct profile_held *part)
{
	(void)frame;
	json_unsigned(w->j, NULL, part->cell_count);
}

static void put_cell_nodes(struct page_work *w, const struct profile_frame *frame, const struct profile_held *part)
{
	int64_t before = 0;

	(void)frame;
	for (uint32_t i = 0; i < part->cell_count; i++) {
		int64_t node = profile_cell(part, i).node;

		json_integer(w->j, NULL, node - before);
		before = node;
	}
}

static void put_cell_selves(struct page_work *w, const struct profile_frame *frame, const struct profile_held *part)
{
	(void)frame;
	for (uint32_t i = 0; i < part->cell_count; i++)
		json_integer(w->j, NULL, profile_cell(part, i).self);
}

static void put_cell_counts(struct page_work *w, const struct profile_frame *frame, const struct profile_held *part)
{
	(void)frame;
	for (uint32_t i = 0; i < part->cell_count; i++)
		json_integer(w->j, NULL, profile_cell(part, i).count);
}

static void put_cell_longest(struct page_work *w, const struct profile_frame *frame, const struct profile_held *part)
{
	(void)frame;
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		if (cell.longest == PROFILE_LONGEST_UNKNOWN)
			json_null(w->j, NULL);
		else
			json_integer(w->j, NULL, page_minus(cell.longest, cell.self));
	}
}

void page_put_frames(struct page_work *w)
{
	put_names(w);
	put_frames(w);
	put_thinned(w);
	json_object(w->j, "parts");
	put_each(w, "thread", put_thread);
	put_each(w, "flags", put_flags);
	put_each(w, "bound", put_bound);
	put_each(w, "end", put_end);
	put_each(w, "cells", put_count);
	json_object_end(w->j);
	json_object(w->j, "cells");
	put_each(w, "node", put_cell_nodes);
	put_each(w, "self", put_cell_selves);
	put_each(w, "count", put_cell_counts);
	put_each(w, "longest", put_cell_longest);
	json_object_end(w->j);
	json_object(w->j, "usual");
	json_unsigned(w->j, "frame", w->base);
	json_object_end(w->j);
}
