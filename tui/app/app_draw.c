/* SPDX-License-Identifier: MIT */
/*
 * app_draw: the lines of the screen, from the top down: the banner, the frame graph, the tabs, the
 * view, the status, the footer. Where there are few lines, the least important go.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "model/table/event_table.h"
#include "tui/app/app_inside.h"
#include "tui/cells/figures.h"
#include "tui/frames/instants.h"

/*
 * The pane below a view of one frame, or of a stretch of time: what happened in it, its events and notes, as many as there
 * is room for.
 */

#define HEIGHT_FROM 9 /* of the body */
#define HEIGHT_PART 4 /* at most one line of so many, and one */
#define EACH 2 /* of an event: so many are one row */
#define TIME_CELLS 9
#define THREAD_CELLS 10

/* Events in the selected stretch of time, else in the frame, in rows, which the caller frees; none if out of
 * memory. If there are more than `lines`, each event is one row. */
static struct bursts happened_rows(const struct look *look, uint32_t lines, struct profile_frame *of)
{
	const struct profile *p = look->profile;
	const struct profile_frame *frame = p && look->frames.chosen ? profile_find_frame(p, look->frames.chosen) : NULL;
	struct bursts rows = { NULL, 0 };
	uint32_t first, count;

	*of = (struct profile_frame){ .start = look->selected_from, .length = look->selected_to - look->selected_from };
	if (!look->selected_to && frame)
		*of = *frame;
	count = p && (look->selected_to || frame) ? instants_of(p, of, &first) : 0;
	if (count && lines)
		bursts_of_frame(&rows, p, first, count, count > lines ? EACH : BURST);
	return rows;
}

/* The lines that the pane wants, of a body of so many; 0: nothing happened, or nothing is chosen, or there is no room. */
static int pane_lines(const struct look *look, int height)
{
	struct profile_frame of;
	uint32_t most = height < HEIGHT_FROM ? 0 : (uint32_t)(height / HEIGHT_PART + 1);
	struct bursts rows = happened_rows(look, most, &of);

	free(rows.rows);
	return (int)(rows.row_count < most ? rows.row_count : most);
}

/* A text in so many cells, with blanks behind it. */
static int put_text(struct canvas *c, struct area a, int x, int y, int cells, enum role role, char *text)
{
	int used = canvas_clipped(c, a, x, y, cells, role, text ? text : "?");

	free(text);
	return x + (used > cells ? used : cells) + 1;
}

static void draw_line(const struct look *look, const struct profile_frame *of, const struct burst_row *row,
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
	x = put_text(c, a, x, y, THREAD_CELLS, ROLE_LABEL, event_row_thread(p, row, look->ascii));
	x += canvas_text(c, a, x, y, note ? ROLE_MARK : ROLE_AXIS, event_sign(note, look->ascii)) + 1;
	put_text(c, a, x, y, a.width - x, note ? ROLE_NAME : ROLE_PLAIN, event_row_text(p, row, look->ascii));
}

static bool is_note(const struct look *look, const struct burst_row *row)
{
	return look->profile->instants[row->first].event == PROFILE_NONE;
}

static uint32_t count_notes(const struct look *look, const struct bursts *rows)
{
	uint32_t notes = 0;

	for (uint32_t i = 0; i < rows->row_count; i++)
		notes += is_note(look, &rows->rows[i]);
	return notes;
}

/* In the order of time; where not all have room, notes go before events. */
static void pane_draw(const struct look *look, struct canvas *c, struct area a)
{
	struct profile_frame of;
	uint32_t lines = (uint32_t)a.height;
	struct bursts rows = happened_rows(look, lines, &of);
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

/*
 * The pane with what the program in focus prints. Whoever runs the
 * app reads the end of the file (app_wants_output); a program's end is no reason
 * to close the pane, as what it printed last is what one wants to read then.
 */

bool app_wants_output(const struct app *a, unsigned track, bool at_look)
{
	return a->output_open && track == a->focus && (at_look || !a->tracks[track].output);
}

void app_take_output(struct app *a, unsigned track, struct output_tail *t, const char *why)
{
	output_tail_free(a->tracks[track].output);
	a->tracks[track].output = t;
	if (t || track != a->focus)
		return;
	a->output_open = false;
	app_say(a, "%s", why);
}

bool app_close_output(struct app *a)
{
	bool open = a->output_open;

	a->output_open = false;
	for (unsigned i = 0; i < a->track_count; i++) {
		output_tail_free(a->tracks[i].output);
		a->tracks[i].output = NULL;
	}
	return open;
}

unsigned app_turn_output(struct app *a, int unused)
{
	(void)unused;
	if (app_close_output(a))
		return EFFECT_DRAW;
	if (output_pane_fits(a->screen.body))
		a->output_open = true;
	else
		app_say(a, "the screen is too small to show the program's output");
	return EFFECT_DRAW;
}

static int app_output_lines(const struct app *a, int body, int screen)
{
	return a->output_open && a->at->output ? output_pane_lines(a->at->output, body, screen) : 0;
}

/* The lines of its pane in a body of so many, on a screen of so many. */
static void app_draw_output(const struct app *a, struct canvas *c, struct area area)
{
	const struct profile *p = times_profile(&a->at->times);
	const char *program = p && *p->process.program ? p->process.program : a->at->target, *slash = strrchr(program, '/');
	char *name = name_safe(slash && slash[1] ? slash + 1 : program, a->style.ascii);

	output_pane_draw(a->at->output, name && *name ? name : "the program", c, area);
	free(name);
}

#define STATS_S 0.5 /* least time between two looks at all frame lengths */
#define SAID_S 8    /* so long a message stays */

/* Which lines there are, by the height of the screen; see the table. */
struct plan {
	int least; /* height from which on this is the plan */
	int banner, graph, tabs, status, footer; /* lines */
};

static const struct plan plans[] = {
	{ 45, 1, 10, 1, 1, 1 },
	{ 32, 1, 8, 1, 1, 1 },
	{ 22, 1, 5, 1, 1, 1 },
	{ 16, 1, 3, 1, 1, 1 },
	{ 11, 1, 0, 1, 1, 1 },
	{ 7, 1, 0, 0, 1, 1 },
	{ 5, 1, 0, 0, 1, 0 },
	{ 3, 1, 0, 0, 0, 0 },
	{ 0, 0, 0, 0, 0, 0 },
};

static const struct plan *plan_for(int height)
{
	const struct plan *p = plans;

	while (height < p->least)
		p++;
	return p;
}

/* The next `lines` of the area, which becomes smaller. */
static struct area take_lines(struct area *a, int lines)
{
	struct area taken = { a->x, a->y, a->width, lines };

	a->y += lines;
	a->height -= lines;
	return taken;
}

static struct scene scene_of(const struct app *a)
{
	const struct track *t = a->at;
	const struct profile *process = t->times.live ? t->times.live : t->times.paused;
	const struct profile_frame *newest = times_newest(&t->times);
	struct scene s = { .state = t->times.paused ? SCENE_PAUSED : t->state, .target = t->target, .recording = t->recording, .is_file = t->is_file,
			   .waiting = t->waiting, .ending = t->ending,
			   .profile = times_profile(&t->times), .query = times_query(&t->times),
			   .frame = t->times.chosen, .stats = &t->stats, .mean = &t->mean, .load = &t->load,
			   .unit = t->title_unit, .budget = app_budget(a),
			   .freeze = t->times.paused ? 0 : app_freeze_over(a),
			   .ascii = a->style.ascii, .mouse = a->style.mouse };

	s.another = t->times.paused && t->times.another;
	if (t->times.selected_to) {
		s.stretch_from = t->times.selected_from;
		s.stretch_to = t->times.selected_to;
		s.range_first = t->times.selected_first;
		s.range_last = t->times.selected_last;
	}
	if (process) {
		s.writer = process->process.state;
		s.stopped = process->process.stopped;
	}
	if (t->times.paused && !t->times.another && process->frame_count) /* paused: the program may have gone on */
		newest = &process->frames[process->frame_count - 1];
	if (newest) {
		s.newest = newest->number;
		s.newest_end = newest->start + newest->length;
	}
	return s;
}

/* The body where there is nothing to look at yet */

static void draw_waiting(const struct app *a, struct canvas *c, struct area area)
{
	struct area text = { area.x + 2, area.y, area.width - 4, area.height };
	int y = area.height > 10 ? area.height / 4 : 0;

	y = canvas_wrapped(c, text, 0, y, ROLE_PLAIN, a->at->waiting) + 1;
	if (a->at->state == SCENE_WAITING && a->starts) {
		canvas_wrapped(c, text, 0, y, ROLE_DIM,
			       "This screen shows the program as soon as it enters a zone. If it never does: is it linked "
			       "with libprof, and built with Prof_ENABLED?");
	} else if (a->at->state == SCENE_WAITING) {
		y = canvas_wrapped(c, text, 0, y, ROLE_DIM,
				   "Press A to choose a program. Or start one that is linked with libprof:");
		canvas_text(c, text, 4, y, ROLE_PLAIN, "PROF_SHM=name ./program");
		canvas_wrapped(c, text, 0, y + 1, ROLE_DIM,
			       "Then run `proftop name`. This also works later, and after a crash.");
	}
	c->cursor_x = area.x;
	c->cursor_y = area.y;
}

/* Below the rows stands the name of the cursor's row, whole, where it is cut in it. */

#define NAME_HEIGHT 10 /* of the body, from where on it has a line, */
#define NAME_PART 5    /* and one of so many at most */

static int name_lines(const struct app *a, struct area body)
{
	const struct table *t = &app_view(a)->table;
	int width = body.width - TABLE_POINTER, lines, most = body.height / NAME_PART;

	if (!*t->name || !t->rows || body.height < NAME_HEIGHT || width < 1)
		return 0;
	lines = ((int)text_width(t->name) + width - 1) / width;
	return lines < most ? lines : most;
}

static void draw_name(const struct app *a, struct canvas *c, struct area area)
{
	const char *name = app_view(a)->table.name;
	int width = area.width - TABLE_POINTER;

	for (int y = 0; y < area.height && *name; y++) {
		size_t used, length = text_clip(name, (size_t)width, &used);

		canvas_bytes(c, area, TABLE_POINTER, y, ROLE_NAME, 0, name, length);
		name += length;
		if (!length)
			break;
	}
}

static void wipe_area(struct canvas *c, struct area area)
{
	for (int y = 0; y < area.height; y++)
		for (int x = 0; x < area.width; x++) {
			canvas_text(c, area, x, y, ROLE_PLAIN, " ");
			if (canvas_cell(c, area.x + x, area.y + y))
				canvas_cell(c, area.x + x, area.y + y)->selected = 0;
		}
}

/* Only drawing shows whether a name is cut. If it is, or no longer is, the view is drawn again, with another
 * height. */
static void draw_view(struct app *a, struct look *look, struct canvas *c, struct area area)
{
	int lines = name_lines(a, area), now;
	struct area rows = area;

	rows.height -= lines;
	app_view(a)->ops->draw(app_view(a), look, c, rows);
	now = name_lines(a, area);
	if (now != lines) {
		wipe_area(c, area);
		rows.height = area.height - now;
		app_view(a)->ops->draw(app_view(a), look, c, rows);
	}
	draw_name(a, c, (struct area){ area.x, area.y + rows.height, area.width, now });
}

static void draw_body(struct app *a, struct canvas *c, struct area area)
{
	struct look look = app_looks(a);
	int lines = app_output_lines(a, area.height, c->height);

	area.height -= lines;
	if (lines)
		app_draw_output(a, c, (struct area){ area.x, area.y + area.height, area.width, lines });
	if (!look.query) {
		draw_waiting(a, c, area);
		return;
	}
	lines = app_view(a)->ops->lists_events ? 0 : pane_lines(&look, area.height);
	area.height -= lines;
	draw_view(a, &look, c, area);
	if (lines)
		pane_draw(&look, c, (struct area){ area.x, area.y + area.height, area.width, lines });
}

/* All of it */

static void make_anew(struct app *a)
{
	struct look look = app_looks(a);
	struct track *t = a->at;

	if (look.profile && (t->stats_made < 0 || a->now - t->stats_made >= STATS_S)) {
		app_decide_threads(a);
		frame_stats_make(look.profile, query_order(look.query), app_budget(a), &t->stats);
		t->stats_made = a->now;
		if (t->stats.count)
			t->title_unit = figure_unit_keep(t->title_unit, t->stats.median, look.profile->ticks_per_s);
	}
	app_refresh(a);
}

static void draw_graph(struct app *a, struct canvas *c, struct area area)
{
	struct frame_graph_look look = app_graph_look(a);

	a->screen.graph = area;
	if (area.height < 1)
		a->screen.graph_focused = false;
	else if (app_several(a))
		app_draw_strips(a, c, area);
	else
		frame_graph_draw(&a->at->times.graph, &look, c, area);
}

static int graph_lines(const struct app *a, const struct plan *plan, int height)
{
	if (app_several(a) && plan->graph)
		return strips_lines((int)a->track_count, height);
	return times_newest(&a->at->times) ? plan->graph : 0;
}

/* Where the graph has another size, the frame that is chosen comes into sight again. Before the views are made anew:
 * some are of the frames in sight. */
static void fit_graph(struct app *a, struct area screen)
{
	struct frame_graph_look look = app_graph_look(a);
	int height = graph_lines(a, plan_for(screen.height), screen.height);

	if (a->screen.graph.width == screen.width && a->screen.graph.height == height)
		return;
	a->screen.graph.width = screen.width;
	a->screen.graph.height = height;
	if (!a->at->times.chosen)
		return;
	if (app_several(a))
		app_strips_reveal(a);
	else
		frame_graph_reveal(&a->at->times.graph, &look, a->screen.graph, a->at->times.chosen);
}

/* Draws the prompt or the message, over the last line. */
static void draw_last_line(struct app *a, struct canvas *c, struct area screen)
{
	struct area line = { screen.x, screen.y + screen.height - 1, screen.width, 1 };

	for (int x = 0; x < screen.width; x++)
		canvas_text(c, line, x, 0, ROLE_PLAIN, " ");
	app_draw_footer(a, c, line);
}

static void draw_screen(struct app *a, struct canvas *c, struct area screen)
{
	const struct plan *plan = plan_for(screen.height);
	struct scene scene = scene_of(a);
	struct area area = screen, line;

	a->screen.footer.count = a->screen.about.count = a->screen.tabs.count = 0; /* until they are drawn */
	if (plan->banner)
		banner_draw(&scene, c, take_lines(&area, plan->banner));
	draw_graph(a, c, take_lines(&area, graph_lines(a, plan, screen.height)));
	line = area;
	line.height = plan->tabs ? area.height - plan->status - plan->footer : 0;
	take_lines(&area, app_draw_tabs(a, c, line));
	line = take_lines(&area, area.height - plan->status - plan->footer);
	a->screen.body = line.height;
	draw_body(a, c, line);
	app_draw_said(a, c, line);
	if (plan->status)
		status_draw(&scene, c, take_lines(&area, plan->status));
	/* what is asked and said finds room also where there is no footer */
	if (plan->footer)
		app_draw_footer(a, c, take_lines(&area, plan->footer));
	else if (a->ask.overlay == OVERLAY_PROMPT || a->ask.overlay == OVERLAY_LETTER ||
		 *a->said.progress || (*a->said.text && !app_says_more(a, screen.width)))
		draw_last_line(a, c, screen);
}

/* A search in the help is typed in its last line. */
static void draw_guide(struct app *a, struct canvas *c, struct area screen)
{
	guide_draw(&a->guide, c, screen);
	if (a->ask.overlay == OVERLAY_PROMPT)
		draw_last_line(a, c, screen);
}

void app_draw(struct app *a, struct canvas *c, double now)
{
	struct area screen;

	a->now = now;
	c->ascii = a->style.ascii;
	canvas_clear(c);
	screen = canvas_area(c);
	a->stale |= a->screen.width != (uint32_t)screen.width; /* what there is room for is made */
	a->screen.width = (uint32_t)screen.width;
	fit_graph(a, screen);
	if (a->guide.open) {
		draw_guide(a, c, screen);
		return;
	}
	if (now - a->said.at > SAID_S && a->ask.overlay != OVERLAY_PROMPT)
		*a->said.text = '\0';
	app_watch(a); /* time has passed */
	app_tracks_agree(a);
	make_anew(a);
	draw_screen(a, c, screen);
	if (a->ask.overlay == OVERLAY_PICKER)
		picker_draw(&a->ask.picker, c, screen);
}
