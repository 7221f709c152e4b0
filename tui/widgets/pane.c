/* SPDX-License-Identifier: MIT */
#include "tui/widgets/pane.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/base/text.h"
#include "tui/cells/figures.h"
#include "tui/frames/instants.h"

#define HEIGHT_FROM 9 /* of the body */
#define HEIGHT_PART 4 /* at most one line of so many, and one */
#define EACH 2 /* of an event: so many are one row */
#define TIME_CELLS 9
#define THREAD_CELLS 10

/* What happened in the stretch of time that is selected, else in the frame, in rows, which the caller frees; none without
 * memory. Where they are more than `lines`, each event is one row. */
static struct crowds happened(const struct look *look, uint32_t lines, struct profile_frame *of)
{
	const struct profile *p = look->profile;
	const struct profile_frame *frame = p && look->frames.chosen ? profile_find_frame(p, look->frames.chosen) : NULL;
	struct crowds rows = { NULL, 0 };
	uint32_t first, count;

	*of = (struct profile_frame){ .start = look->selected_from, .length = look->selected_to - look->selected_from };
	if (!look->selected_to && frame)
		*of = *frame;
	count = p && (look->selected_to || frame) ? instants_of(p, of, &first) : 0;
	if (count && lines)
		crowds_of_frame(&rows, p, first, count, count > lines ? EACH : CROWD);
	return rows;
}

int pane_lines(const struct look *look, int height)
{
	struct profile_frame of;
	uint32_t most = height < HEIGHT_FROM ? 0 : (uint32_t)(height / HEIGHT_PART + 1);
	struct crowds rows = happened(look, most, &of);

	free(rows.rows);
	return (int)(rows.row_count < most ? rows.row_count : most);
}

/* A text in so many cells, with blanks behind it. */
static int put(struct canvas *c, struct area a, int x, int y, int cells, enum role role, char *text)
{
	int used = canvas_clipped(c, a, x, y, cells, role, text ? text : "?");

	free(text);
	return x + (used > cells ? used : cells) + 1;
}

static void draw_line(const struct look *look, const struct profile_frame *of, const struct crowd_row *row,
		      struct canvas *c, struct area a, int y)
{
	const struct profile *p = look->profile;
	const struct profile_instant *instant = &p->instants[row->last];
	bool note = instant->event == PROFILE_NONE;
	char time[32];
	int x = 2;

	instants_time(p, of, instant->tick, look->ascii, time, sizeof(time));
	canvas_text(c, a, x + TIME_CELLS - (int)text_width(time), y, ROLE_NUMBER, time);
	x += TIME_CELLS + 1;
	x = put(c, a, x, y, THREAD_CELLS, ROLE_LABEL, instants_row_thread(p, row, look->ascii));
	x += canvas_text(c, a, x, y, note ? ROLE_MARK : ROLE_AXIS, instants_sign(note, look->ascii)) + 1;
	put(c, a, x, y, a.width - x, note ? ROLE_NAME : ROLE_PLAIN, instants_row_text(p, row, false, look->ascii));
}

static bool is_note(const struct look *look, const struct crowd_row *row)
{
	return look->profile->instants[row->first].event == PROFILE_NONE;
}

static uint32_t count_notes(const struct look *look, const struct crowds *rows)
{
	uint32_t notes = 0;

	for (uint32_t i = 0; i < rows->row_count; i++)
		notes += is_note(look, &rows->rows[i]);
	return notes;
}

/* In the order of time; where not all have room, notes go before events. */
void pane_draw(const struct look *look, struct canvas *c, struct area a)
{
	struct profile_frame of;
	uint32_t lines = (uint32_t)a.height;
	struct crowds rows = happened(look, lines, &of);
	uint32_t room = rows.row_count > lines ? lines - 1 : lines, notes = count_notes(look, &rows), left[2];
	int y = 0;
	char more[64];

	left[1] = notes < room ? notes : room;
	left[0] = room - left[1];
	for (uint32_t i = 0; i < rows.row_count; i++) {
		bool note = is_note(look, &rows.rows[i]);

		if (!left[note])
			continue;
		left[note]--;
		draw_line(look, &of, &rows.rows[i], c, a, y++);
	}
	free(rows.rows);
	if (rows.row_count <= lines)
		return;
	snprintf(more, sizeof(more), "and %s more (E)", figure_grouped(rows.row_count - room).text);
	canvas_text(c, a, 2, y, ROLE_DIM, more);
}
