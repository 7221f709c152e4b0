/* SPDX-License-Identifier: MIT */
/*
 * frame_news: notes and events on the time axis of the frame graph.
 *
 * What happens in more than every fourth column in sight is routine and gets no sign: signs everywhere
 * would say nothing. On a graph of many lines they have a line of their own. Else notes go before the times on the
 * axis, which stand aside for them, and events stand where these leave room, with a blank between.
 */
#include "tui/frames/frame_columns.h"
#include "tui/frames/instants.h"

/* The ticks of a column's frames: (from, to]; false: it has none. */
static bool ticks_of(const struct graph_strip *s, int64_t column, int64_t *from, int64_t *to)
{
	uint32_t count, first = graph_frames_in(s, column, &count);

	if (!count)
		return false;
	*from = s->p->frames[first].start;
	*to = frame_end(&s->p->frames[first + count - 1]);
	return true;
}

static const struct cell *cell_of(const struct graph_news *n, int bar)
{
	bool inside = bar >= 0 && bar < n->place->bars;

	return inside ? canvas_cell(n->c, n->a.x + n->place->left + bar, n->a.y + n->place->rows) : NULL;
}

static bool is_free(const struct graph_news *n, int bar)
{
	const struct cell *cell = cell_of(n, bar);

	return cell && cell->codes[0] == ' ';
}

/* Whether a part of a label stands there: a sign beside it would read as one more part. */
static bool is_label(const struct graph_news *n, int bar)
{
	const struct cell *cell = cell_of(n, bar);

	return cell && cell->codes[0] != ' ' && (cell->role == ROLE_AXIS || cell->role == ROLE_DIM);
}

bool graph_news_begin(struct graph_news *n)
{
	int64_t from, to;

	n->kinds = (struct instants_kinds){ 0 };
	if (!n->strip->p || !n->strip->p->instant_count || !instants_kinds_init(&n->kinds, n->strip->p))
		return false;
	for (int i = 0; i < n->place->bars; i++)
		if (ticks_of(n->strip, n->view->first + i, &from, &to))
			instants_meet(&n->kinds, n->strip->p, from, to, (uint32_t)i);
	return true;
}

/* `beside`: the bar to the left of it has a sign that was drawn a moment ago. */
static bool has_room(const struct graph_news *n, int bar, bool notes, bool beside)
{
	if (notes || !n->apart)
		return is_free(n, bar);
	return is_free(n, bar) && !is_label(n, bar + 1) && (beside || !is_label(n, bar - 1));
}

void graph_news_draw(const struct graph_news *n, bool notes)
{
	bool beside = false;
	int64_t from, to;

	for (int i = notes ? 0 : n->from; i < n->place->bars; i++) {
		beside = has_room(n, i, notes, beside) && ticks_of(n->strip, n->view->first + i, &from, &to) &&
			 instants_news(&n->kinds, n->strip->p, from, to, (uint32_t)n->place->bars) == 1 + notes;
		if (beside)
			canvas_text(n->c, n->a, n->place->left + i, n->place->rows,
				    notes ? ROLE_MARK : ROLE_AXIS, instants_sign(notes, n->ascii));
	}
}

void graph_news_end(struct graph_news *n)
{
	instants_kinds_fini(&n->kinds);
}
