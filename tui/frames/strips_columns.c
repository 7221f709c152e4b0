/* SPDX-License-Identifier: MIT */
#include "tui/frames/strips_columns.h"


#define LABEL_LEAST 8
#define LABEL_MOST 26
#define SCALE_CELLS 6
#define SCALE_FROM 60 /* from this width on */
#define LINES_MOST 5  /* of a strip */
#define LINES_USUAL 3
#define HIGH 32       /* a screen from here on has room for more */

#define ZOOM_OF_50_MS 14 /* steps from 1 us */
#define ZOOM_MOST 40

__extension__ typedef __int128 wide;

/* Lines and cells */

/* At most two fifths of the screen, the last line of them for the time. */
int strips_lines(int count, int height)
{
	int room = height * 2 / 5 - 1, most = height >= HIGH ? LINES_MOST : LINES_USUAL, lines;

	if (room < 1 || count < 1)
		return 0;
	lines = room / count < most ? room / count : most;
	return (lines ? lines * count : room) + 1;
}

struct strips_place strips_place_in(const struct strips_look *look, struct area a)
{
	struct strips_place place = { .label = a.width / 4 };
	int room = a.height - 1;

	if (place.label < LABEL_LEAST)
		place.label = LABEL_LEAST;
	if (place.label > LABEL_MOST)
		place.label = LABEL_MOST;
	place.scale = a.width >= SCALE_FROM ? SCALE_CELLS : 0;
	place.bars = a.width - place.label - place.scale;
	if (room < 1 || look->count < 1 || place.bars < 1)
		return (struct strips_place){ .label = place.label };
	place.lines = room >= look->count ? room / look->count : 1;
	place.shown = room / place.lines < look->count ? room / place.lines : look->count;
	place.first = look->focus < place.shown ? 0 : look->focus - place.shown + 1;
	return place;
}

/* Time */

int64_t strips_span(int zoom)
{
	static const int64_t steps[] = { 1000, 2000, 5000 };
	int at = zoom + ZOOM_OF_50_MS;
	int64_t power = 1;

	at = at < 0 ? 0 : at > ZOOM_MOST ? ZOOM_MOST : at;
	for (int i = 0; i < at / 3; i++)
		power *= 10;
	return steps[at % 3] * power;
}

int64_t strips_column(int64_t moment, int64_t span)
{
	return moment / span - (moment % span < 0);
}

int64_t strips_begin(int64_t column, int64_t span)
{
	wide begin = (wide)column * span;

	if (begin < -MOMENT_FARTHEST)
		return -MOMENT_FARTHEST;
	return begin > MOMENT_FARTHEST ? MOMENT_FARTHEST : (int64_t)begin;
}

int64_t strips_moment(const struct profile *p, const struct profile_frame *frame, int64_t moment)
{
	int64_t start = moment_of(p, frame->start), end = moment_of(p, frame_end(frame));

	if (start == MOMENT_NONE || (moment >= start && moment < end))
		return moment_known(p) ? moment : MOMENT_NONE;
	return start + (end - start) / 2;
}

/* The first and the last moment of all. False: none is known. */
static bool span_of_all(const struct strips_look *look, int64_t *first, int64_t *last)
{
	bool any = false;

	for (int i = 0; i < look->count; i++) {
		const struct profile *p = look->strips[i].look.profile;
		int64_t from, to, now;

		if (!p || !moment_span(p, &from, &to))
			continue;
		now = moment_of(p, p->now_tick);
		to = to < now ? now : to;
		*first = any && *first < from ? *first : from;
		*last = any && *last > to ? *last : to;
		any = true;
	}
	return any;
}

struct strips_view strips_view_of(const struct strips *g, const struct strips_look *look, int bars)
{
	struct strips_view v = { .span = strips_span(g->zoom), .newest = -1 };
	int64_t first, least;

	if (!span_of_all(look, &first, &v.now))
		return v;
	v.lowest = strips_column(first, v.span);
	/* what ends with a column is in it */
	v.newest = strips_column(v.now > first ? v.now - 1 : v.now, v.span);
	v.last = g->right == MOMENT_NONE ? v.newest : strips_column(g->right, v.span);
	least = v.lowest + bars - 1 < v.newest ? v.lowest + bars - 1 : v.newest;
	v.last = v.last < least ? least : v.last < v.newest ? v.last : v.newest;
	v.first = v.last - bars + 1;
	return v;
}

struct graph_column strips_column_at(const struct strip *s, int64_t column, int64_t span)
{
	const struct profile *p = s->look.profile;
	struct graph_column c = { 0 };
	uint32_t count = 0, first = 0;

	if (p)
		first = moment_frames(p, strips_begin(column, span), strips_begin(column + 1, span), &count);
	for (uint32_t i = first; i < first + count; i++)
		graph_column_add(&c, &p->frames[i], s->look.budget);
	return c;
}
