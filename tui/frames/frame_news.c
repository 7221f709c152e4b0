/* SPDX-License-Identifier: MIT */
/*
 * frame_news: notes and events on the time axis of the frame graph.
 *
 * What happens in more than every fourth column in sight is routine and gets no sign: signs everywhere
 * would say nothing. Notes go before the times on the axis, events stand where these leave room.
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

static bool is_free(const struct graph_news *n, int bar)
{
	const struct cell *cell = canvas_cell(n->c, n->a.x + n->place->left + bar,
					      n->a.y + n->place->rows);

	return cell && cell->codes[0] == ' ';
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

void graph_news_draw(const struct graph_news *n, bool notes)
{
	int64_t from, to;

	for (int i = notes ? 0 : n->from; i < n->place->bars; i++)
		if (is_free(n, i) && ticks_of(n->strip, n->view->first + i, &from, &to) &&
		    instants_news(&n->kinds, n->strip->p, from, to, (uint32_t)n->place->bars) ==
			    1 + notes)
			canvas_text(n->c, n->a, n->place->left + i, n->place->rows,
				    notes ? ROLE_MARK : ROLE_AXIS, instants_sign(notes, n->ascii));
}

void graph_news_end(struct graph_news *n)
{
	instants_kinds_fini(&n->kinds);
}
