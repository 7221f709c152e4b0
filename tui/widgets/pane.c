/* SPDX-License-Identifier: MIT */
#include "tui/widgets/pane.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/base/text.h"
#include "tui/cells/figures.h"
#include "tui/frames/instants.h"

#define HEIGHT_FROM 9 /* of the body */
#define HEIGHT_PART 4 /* at most one line of so many, and one */
#define TIME_CELLS 9
#define THREAD_CELLS 10

static uint32_t happened(const struct look *look, const struct profile_frame **frame, uint32_t *first)
{
	const struct profile *p = look->profile;

	*frame = p && look->frames.chosen ? profile_find_frame(p, look->frames.chosen) : NULL;
	return *frame ? instants_of(p, *frame, first) : 0;
}

int pane_lines(const struct look *look, int height)
{
	const struct profile_frame *frame;
	uint32_t first, count = happened(look, &frame, &first);
	uint32_t most = height < HEIGHT_FROM ? 0 : (uint32_t)(height / HEIGHT_PART + 1);

	return (int)(count < most ? count : most);
}

/* A text in so many cells, with blanks behind it. */
static int put(struct canvas *c, struct area a, int x, int y, int cells, enum role role, char *text)
{
	int used = canvas_clipped(c, a, x, y, cells, role, text ? text : "?");

	free(text);
	return x + (used > cells ? used : cells) + 1;
}

static void draw_line(const struct look *look, const struct profile_frame *frame,
		      const struct profile_instant *instant, struct canvas *c, struct area a, int y)
{
	bool note = instant->event == PROFILE_NONE;
	char time[32];
	int x = 2;

	instants_time(look->profile, frame, instant->tick, look->ascii, time, sizeof(time));
	canvas_text(c, a, x + TIME_CELLS - (int)text_width(time), y, ROLE_NUMBER, time);
	x += TIME_CELLS + 1;
	x = put(c, a, x, y, THREAD_CELLS, ROLE_LABEL,
		instants_thread(look->profile, instant, look->ascii));
	x += canvas_text(c, a, x, y, note ? ROLE_MARK : ROLE_AXIS, instants_sign(note, look->ascii)) + 1;
	put(c, a, x, y, a.width - x, note ? ROLE_NAME : ROLE_PLAIN,
	    instants_text(look->profile, instant, look->ascii));
}

static uint32_t count_notes(const struct profile *p, uint32_t first, uint32_t count)
{
	uint32_t notes = 0;

	for (uint32_t i = first; i < first + count; i++)
		notes += p->instants[i].event == PROFILE_NONE;
	return notes;
}

/* In the order of time; where not all have room, notes go before events. */
void pane_draw(const struct look *look, struct canvas *c, struct area a)
{
	const struct profile_frame *frame;
	uint32_t first, count = happened(look, &frame, &first), lines = (uint32_t)a.height;
	uint32_t room = count > lines ? lines - 1 : lines;
	uint32_t notes = count ? count_notes(look->profile, first, count) : 0, left[2];
	int y = 0;
	char more[64];

	left[1] = notes < room ? notes : room;
	left[0] = room - left[1];
	for (uint32_t i = first; i < first + count && y < (int)room; i++) {
		const struct profile_instant *instant = &look->profile->instants[i];
		bool note = instant->event == PROFILE_NONE;

		if (!left[note])
			continue;
		left[note]--;
		draw_line(look, frame, instant, c, a, y++);
	}
	if (count <= lines)
		return;
	snprintf(more, sizeof(more), "and %s more (E)", figure_grouped(count - room).text);
	canvas_text(c, a, 2, y, ROLE_DIM, more);
}
