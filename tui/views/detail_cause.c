/* SPDX-License-Identifier: MIT */
#include "tui/views/detail_cause.h"

#include "model/stats/cause_text.h"
#include "tui/cells/fields.h"

#define COUNTERS_MOST 8 /* of a line */
#define GAP 3           /* cells between two pieces of a line */

/* What there is to say, in the order of its importance. */
enum piece { PIECE_VARIES, PIECE_TIME, PIECE_LENGTH, PIECES };

static bool has_piece(const struct cause *cause, enum piece piece)
{
	const struct correlation *one[1];

	if (piece == PIECE_VARIES)
		return true;
	return correlations_strongest(&cause->correlations, piece == PIECE_TIME ? CORRELATE_TIME : CORRELATE_LENGTH, 1,
				      one);
}

/* The later one is named the sooner it goes where there is no room. */
static void add_counters(struct fields *f, const struct look *look, const struct cause *cause,
			 enum correlate_with with, uint8_t importance)
{
	const struct correlation *rows[COUNTERS_MOST];
	uint32_t count = correlations_strongest(&cause->correlations, with, COUNTERS_MOST, rows);
	char text[CAUSE_TEXT];

	for (uint32_t i = 0; i < count; i++) {
		cause_counter_text(look->profile, rows[i], with, look->ascii, text, sizeof(text));
		if (i)
			fields_add(f, ROLE_LABEL, (uint8_t)(importance + COUNTERS_MOST - i), "%s", text);
		else
			fields_add(f, ROLE_LABEL, (uint8_t)(importance + COUNTERS_MOST), "correlates with %s: %s",
				   correlate_with_words[with], text);
	}
}

static void add_piece(struct fields *f, const struct look *look, const struct cause *cause, enum piece piece)
{
	char text[CAUSE_TEXT];

	switch (piece) {
	case PIECE_VARIES:
		cause_varies_text(&cause->varies[EXTENT_HIER], text, sizeof(text));
		fields_add(f, ROLE_LABEL, 0, "variation: %s", text);
		break;
	case PIECE_TIME:
		add_counters(f, look, cause, CORRELATE_TIME, COUNTERS_MOST + 1);
		break;
	case PIECE_LENGTH:
		add_counters(f, look, cause, CORRELATE_LENGTH, 1);
		break;
	case PIECES:
		break;
	}
}

int detail_cause_lines(const struct look *look, uint32_t key)
{
	const struct cause *cause = look->query && !look->selected_to ? query_cause(look->query, key) : NULL;
	int lines = 0;

	for (enum piece piece = 0; cause && piece < PIECES; piece++)
		lines += has_piece(cause, piece);
	return lines;
}

/* A piece a line; what is left when the lines end stands behind the last one. */
void detail_cause_draw(const struct look *look, uint32_t key, struct canvas *c, struct area a)
{
	const struct cause *cause = look->query && !look->selected_to ? query_cause(look->query, key) : NULL;
	enum piece piece = 0;

	for (int y = 0; cause && y < a.height; y++) {
		struct fields f = { .gap = GAP };

		for (; piece < PIECES && (!f.count || y == a.height - 1); piece++)
			add_piece(&f, look, cause, piece);
		fields_draw(&f, c, a, y);
	}
	canvas_fix_minus(c, a);
}
