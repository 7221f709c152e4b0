/* SPDX-License-Identifier: MIT */
/*
 * Counters as lanes: a line each, a bar a column for the most that it was in the frames of that column. The scale is from 0,
 * or from the least in sight where that is below, to the most in sight, which stands at the right.
 */
#include "tui/timeline/timeline.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "model/base/text.h"
#include "model/stats/counters.h"
#include "tui/frames/frame_columns.h"

#define EIGHTHS 8
#define PART 4 /* lines of counters are at most this part of those of lanes */

static struct counter_report *make(const struct timeline *t, const struct profile *p)
{
	struct counter_options o = { .from = t->window.from, .to = t->window.to, .sort = COUNTER_COLUMNS, .filter = "" };
	char why[64];

	return p->frame_count ? counters_make(p, &o, why, sizeof(why)) : NULL;
}

uint32_t timeline_counters(const struct timeline *t, const struct profile *p, int lines)
{
	struct counter_report *r = t->counters && p->counter_count ? make(t, p) : NULL;
	uint32_t count = r ? r->row_count : 0;

	counters_free(r);
	return count < (uint32_t)(lines / PART) ? count : (uint32_t)(lines / PART);
}

/* The frames of each column; `of` has for each column which span it is, PROFILE_NONE: there are no frames. Returns how
 * many spans there are: columns of one frame have one. */
static uint32_t spans_of(const struct timeline *t, const struct profile *p, struct counter_span *spans, uint32_t *of)
{
	uint32_t count = 0;

	for (int x = 0; x < t->drawn.width; x++) {
		int64_t from = timeline_tick(t, x), to = timeline_tick(t, x + 1);
		uint32_t first = SEARCH(i, 0, p->frame_count, frame_end(&p->frames[i]) <= from);
		uint32_t behind = SEARCH(i, first, p->frame_count, p->frames[i].start < (to > from ? to : from + 1));

		of[x] = PROFILE_NONE;
		if (count && behind == spans[count - 1].first + spans[count - 1].count && first < behind)
			of[x] = count - 1; /* the frame goes on */
		if (count && first < spans[count - 1].first + spans[count - 1].count)
			first = spans[count - 1].first + spans[count - 1].count;
		if (first < behind) {
			spans[count] = (struct counter_span){ first, behind - first };
			of[x] = count++;
		}
	}
	return count;
}

static double most_of(const struct counter_value *v, bool real)
{
	return real ? v->most.real : (double)v->most.whole;
}

static double least_of(const struct counter_value *v, bool real)
{
	return real ? v->least.real : (double)v->least.whole;
}

static void draw_row(const struct timeline *t, const struct look *look, const struct counter_row *row,
		     const struct counter_span *spans, uint32_t count, const uint32_t *of, struct canvas *c, struct area a)
{
	bool real = look->profile->counters[row->counter].real;
	struct counter_value *values = array_zeroed(count, sizeof(*values));
	double top = 0, bottom = 0;
	char *name = name_shown(row->name, look->ascii);

	canvas_clipped(c, a, 0, 0, t->drawn.x - a.x - 1, ROLE_DIM, name ? name : "?");
	free(name);
	a.width -= t->drawn.x - a.x;
	a.x = t->drawn.x;
	if (values)
		counters_in_spans(look->profile, row->counter, row->thread, spans, count, values);
	for (uint32_t i = 0; values && i < count; i++)
		if (values[i].known && isfinite(most_of(&values[i], real)) && isfinite(least_of(&values[i], real))) {
			top = fmax(top, most_of(&values[i], real));
			bottom = fmin(bottom, least_of(&values[i], real));
		}
	for (int x = 0; values && x < a.width; x++) {
		const struct counter_value *v = of[x] == PROFILE_NONE ? NULL : &values[of[x]];
		double most = v && v->known ? most_of(v, real) : NAN;

		if (isfinite(most))
			canvas_text(c, a, x, 0, v->changed ? ROLE_GRAPH : ROLE_DIM,
				    graph_filled(1 + (int)(top > bottom ? (most / 2 - bottom / 2) / (top / 2 - bottom / 2) * (EIGHTHS - 1) : 0),
						 look->ascii));
	}
	if (top > bottom && a.width > 4 * FIGURE_SHORT) {
		struct figure most = figure_short(top);

		canvas_text(c, a, a.width - (int)text_width(most.text) - 1, 0, ROLE_AXIS, " ");
		canvas_text(c, a, a.width - (int)text_width(most.text), 0, ROLE_AXIS, most.text);
	}
	free(values);
}

void timeline_draw_counters(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	struct counter_report *r = a.height > 0 ? make(t, look->profile) : NULL;
	uint64_t width = t->drawn.width > 0 ? (uint64_t)t->drawn.width : 0;
	struct counter_span *spans = array_zeroed(width, sizeof(*spans));
	uint32_t *of = array_zeroed(width, sizeof(*of)), count = spans && of ? spans_of(t, look->profile, spans, of) : 0;

	for (uint32_t i = 0; r && spans && of && i < r->row_count && (int)i < a.height; i++)
		draw_row(t, look, &r->rows[i], spans, count, of, c, (struct area){ a.x, a.y + (int)i, a.width, 1 });
	counters_free(r);
	free(spans);
	free(of);
}
