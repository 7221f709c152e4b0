/* SPDX-License-Identifier: MIT */
#include "tui/timeline/timeline.h"

#include <string.h>

#define FRAMES_FIRST 3 /* so many as long as the newest one are seen at first; */
#define FIRST_NS INT64_C(100000000) /* where there are none */
#define AROUND 16 /* a box that is fitted has this part of its length on either side */

__extension__ typedef __int128 wide;

/* Nobody can look before all that is held, or behind the newest; the least window is a tick a cell. */
void timeline_look_at(struct timeline *t, int64_t from, int64_t width)
{
	int64_t most = t->read - t->oldest, least = t->drawn.width > 1 ? t->drawn.width : 1;

	width = width > most ? most : width;
	width = width < least ? least : width;
	from = from > t->read - width ? t->read - width : from;
	from = from < t->oldest ? t->oldest : from;
	t->window = (struct window){ from, from + width };
}

static void remember(struct timeline *t)
{
	if (t->window_count == WINDOWS_MOST)
		memmove(t->windows, t->windows + 1, --t->window_count * sizeof(*t->windows));
	t->windows[t->window_count++] = t->window;
}

bool timeline_back(struct timeline *t)
{
	if (!t->window_count)
		return false;
	t->window = t->windows[--t->window_count];
	return true;
}

static int64_t first_width(const struct profile *p)
{
	const struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;

	if (newest && newest->length > 0 && newest->length < INT64_MAX / FRAMES_FIRST)
		return FRAMES_FIRST * newest->length;
	return (int64_t)((double)FIRST_NS * (double)p->ticks_per_s / 1e9);
}

static const struct profile_frame *chosen_frame(const struct look *look)
{
	return look->frames.chosen ? profile_find_frame(look->profile, look->frames.chosen) : NULL;
}

/* It comes into sight as a whole. */
static void show_frame(struct timeline *t, const struct profile_frame *f)
{
	int64_t end = frame_end(f), width = timeline_width(t);

	if (f->start >= t->window.from && end <= t->window.to)
		return;
	if (width < f->length)
		width = f->length + f->length / 8;
	timeline_look_at(t, f->start - (width - f->length) / 2, width);
}

void timeline_place(struct timeline *t, const struct look *look)
{
	const struct profile_frame *f = chosen_frame(look);
	bool first = !t->window.to, paused = !first && f && !t->chosen && f == &look->profile->frames[look->profile->frame_count - 1];

	if (first)
		timeline_look_at(t, t->read, first_width(look->profile));
	if ((!look->frames.chosen && !t->measured.to) || paused)
		timeline_look_at(t, t->read, timeline_width(t));
	else if (f && (first || look->frames.chosen != t->chosen))
		show_frame(t, f);
	if (look->selected_to && (first || look->selected_to != t->selected_to))
		show_frame(t, &(struct profile_frame){ .start = look->selected_from,
						       .length = look->selected_to - look->selected_from });
	t->selected_to = look->selected_to;
	t->chosen = look->frames.chosen;
}

/* The middle of the cursor's box, as far as it is in sight; or of the window. */
static int64_t middle_of(const struct timeline *t)
{
	struct lane_row row;
	uint32_t box = timeline_box(t, &row);
	int64_t from, to;

	if (box == UINT32_MAX)
		return t->window.from + timeline_width(t) / 2;
	from = row.row.begin[box] > t->window.from ? row.row.begin[box] : t->window.from;
	to = row.row.end[box] < t->window.to ? row.row.end[box] : t->window.to;
	return from <= to ? from + (to - from) / 2 : t->window.from + timeline_width(t) / 2;
}

void timeline_zoom_at(struct timeline *t, int64_t tick, int64_t width)
{
	double part = (double)(tick - t->window.from) / (double)timeline_width(t);

	timeline_look_at(t, tick - (int64_t)(part * (double)width), width);
}

void timeline_zoom(struct timeline *t, int64_t width)
{
	timeline_zoom_at(t, middle_of(t), width);
}

void timeline_fit(struct timeline *t, int64_t from, int64_t to)
{
	int64_t length = to - from;

	remember(t);
	timeline_look_at(t, from - length / AROUND, length + 2 * (length / AROUND));
}

static bool fits(const struct timeline *t, int64_t from, int64_t to)
{
	return t->window.from <= from && t->window.to >= to && timeline_width(t) <= (to - from) + (to - from) / 4 + t->drawn.width;
}

/* A box of sums leads to its frame. */
bool timeline_fit_box(struct timeline *t, const struct profile *p)
{
	struct lane_row row;
	uint32_t box = timeline_box(t, &row);
	const struct sum_piece *piece;
	int64_t from, to;

	if (box == UINT32_MAX)
		return false;
	from = row.row.begin[box];
	to = row.row.end[box];
	piece = row.of_sums ? sums_piece(&row.lane->sums, from) : NULL;
	if (piece && piece->frame < p->frame_count) {
		from = p->frames[piece->frame].start;
		to = frame_end(&p->frames[piece->frame]);
	}
	if (to <= from || fits(t, from, to))
		return false;
	timeline_fit(t, from, to);
	return true;
}

void timeline_fit_frame(struct timeline *t, const struct look *look)
{
	const struct profile *p = look->profile;
	const struct profile_frame *f = chosen_frame(look);

	if (!f && p->frame_count)
		f = &p->frames[p->frame_count - 1];
	if (!f)
		return;
	remember(t);
	timeline_look_at(t, f->start, f->length);
}

int64_t timeline_tick(const struct timeline *t, int x)
{
	return t->window.from + (int64_t)((wide)timeline_width(t) * x / (t->drawn.width > 0 ? t->drawn.width : 1));
}

int timeline_column(const struct timeline *t, int64_t tick)
{
	wide x = (wide)(tick - t->window.from) * t->drawn.width / timeline_width(t);

	return x < -1 || tick < t->window.from ? -1 : x > t->drawn.width ? t->drawn.width : (int)x;
}
