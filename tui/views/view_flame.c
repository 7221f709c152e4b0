/* SPDX-License-Identifier: MIT */
/*
 * view_flame: the tree as a flame graph: its rows as boxes as wide as their
 * hierarchical time, each under its caller.
 *
 *     all 16.67 ms   1 column = 0.210 ms
 *     all 16.67
 *     update 1.71            render 1.3 ..  wait_for_frame 13.2
 *     ai 1.29      physics   nebula  .
 *
 * The cursor stands on a box, and on the same row in the tree. Boxes narrower
 * than a cell are merged. After a zoom into a box it is as wide as the screen,
 * with its callers above it. The zoom is kept by the ids of rows, so it stays
 * when the rows are made again. If the frame is compared with another one, boxes
 * are as wide as in this frame, and their colours show the difference.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "model/boxes/flame.h"
#include "model/report/zone_table.h"
#include "tui/cells/fields.h"
#include "tui/cells/figures.h"
#include "tui/views/view.h"
#include "tui/widgets/boxes.h"

#define ZOOMS_MOST 32
#define DETAIL_FROM 5 /* lines of the area, where there is one for the cursor's box; */
#define PATH_FROM 8   /* and one for its callers, and what is gone */
#define SAME_PART 20 /* a difference below this part of the longer of both is none */
#define MOST_PART 3  /* one above this part is a large one */

struct flame_view {
	struct view view;
	struct flame *flame; /* of the report in the table; NULL: there is none */
	uint64_t zooms[ZOOMS_MOST]; /* ids of rows, the last is looked at */
	uint32_t zoom_count;
	uint32_t zoom;     /* box that is as wide as the screen; PROFILE_NONE: there is no box */
	uint32_t top;      /* level in the first line */
	bool without_waits;
	struct area drawn; /* where the boxes are */
};

/* The state while the flame graph is drawn. */
struct painting {
	const struct flame_view *f;
	const struct report *report;
	const struct look *look;
	uint32_t first; /* box of the level at hand */
};

static const struct report_row *rows_of(const struct flame_view *f)
{
	return table_report(&f->view.table)->sections[0].rows;
}

static uint32_t box_of_cursor(const struct flame_view *f)
{
	return f->flame && f->view.table.at < table_count(&f->view.table) ? f->flame->boxes[f->view.table.at] : PROFILE_NONE;
}

/* There may be a flame without any: all that there is waits, and that is hidden. */
static bool has_boxes(const struct flame_view *f)
{
	return f->flame && f->zoom != PROFILE_NONE;
}

static void find_zoom(struct flame_view *f)
{
	uint64_t id = f->zoom_count ? f->zooms[f->zoom_count - 1] : 0;
	uint32_t count = f->flame && f->flame->depth ? f->flame->levels[f->flame->depth] : 0, box = 0;

	while (id && box < count && rows_of(f)[f->flame->rows[box]].id != id)
		box++;
	f->zoom = !count ? PROFILE_NONE : box < count ? box : 0;
}

static bool is_inside(const struct flame *f, uint32_t box, uint32_t of)
{
	return f->begin[box] >= f->begin[of] && f->end[box] <= f->end[of];
}

/* Where the cursor's box is not to be seen, one zoom after the other ends. */
static void end_zooms(struct flame_view *f)
{
	uint32_t box = box_of_cursor(f);

	while (f->zoom_count && box != PROFILE_NONE && f->zoom != PROFILE_NONE && !is_inside(f->flame, box, f->zoom) &&
	       !is_inside(f->flame, f->zoom, box)) {
		f->zoom_count--;
		find_zoom(f);
	}
}

static bool flame_refresh(struct view *v, const struct look *look)
{
	struct flame_view *f = (struct flame_view *)v;
	struct report_options o = view_report_options(v, look, REPORT_TREE);
	const struct report *r;

	o.sort = COLUMN_HIER;
	o.invert = false;
	r = view_make_report(v, look, &o) ? table_report(&v->table) : NULL;
	flame_free(f->flame);
	f->flame = r && r->section_count ? flame_make(&r->sections[0], f->without_waits) : NULL;
	find_zoom(f);
	return f->flame;
}

/* Boxes */

/* Only where there are any. */
static struct boxes boxes_of(const struct painting *p, const struct box_row *row)
{
	const struct flame *flame = p->f->flame;
	uint32_t zoom = p->f->zoom, box = box_of_cursor(p->f);

	return (struct boxes){ .row = row, .from = flame->begin[zoom], .to = flame->end[zoom], .context = p,
			       .chosen = box - p->first < row->count ? box - p->first : UINT32_MAX,
			       .coloured = p->look->coloured, .ascii = p->look->ascii };
}

static const struct report_row *row_of(const struct painting *p, uint32_t box)
{
	return &rows_of(p->f)[p->f->flame->rows[p->first + box]];
}

/* `raycast  1.285`, and against another frame `raycast  +0.085`. */
static void label_of_box(const void *context, uint32_t box, struct box_label *out)
{
	const struct painting *p = context;
	const struct report_row *row = row_of(p, box);
	char *name = name_shown(row->name, p->look->ascii);
	size_t used, bytes = name ? text_clip(name, sizeof(out->name) / 4, &used) : 0;

	snprintf(out->name, sizeof(out->name), "%.*s", (int)bytes, name ? name : "");
	report_text(p->report, row, *p->report->base ? COLUMN_DELTA : COLUMN_HIER, p->look->ascii, out->value, sizeof(out->value));
	free(name);
}

static enum role difference_role(const struct report_row *row)
{
	int64_t delta = row->values[COLUMN_DELTA].exact, now = row->values[COLUMN_HIER].exact;
	int64_t size = delta < 0 ? -delta : delta, longer = delta < 0 ? now - delta : now;

	if (size <= longer / SAME_PART)
		return ROLE_BOX_PALE;
	if (delta > 0)
		return size > longer / MOST_PART ? ROLE_BOX_MOST : ROLE_BOX_MORE;
	return size > longer / MOST_PART ? ROLE_BOX_LEAST : ROLE_BOX_LESS;
}

static enum role role_of_box(const void *context, uint32_t box)
{
	const struct painting *p = context;
	const struct report_row *row = row_of(p, box);

	if (p->look->search)
		return pattern_matches(p->look->search, row->name) ? ROLE_FOUND : ROLE_BOX_PALE;
	if (*p->report->base)
		return difference_role(row);
	if (row->waiting || row->parent == PROFILE_NONE)
		return ROLE_BOX_PALE;
	return boxes_role_of(row->name);
}

/* Lines */

/* `all 16.67 ms   raycast 1.285 ms   1 column = 13.0 µs` */
static void draw_scale(const struct painting *p, struct canvas *c, struct area a)
{
	const struct flame *flame = p->f->flame;
	const struct report *r = p->report;
	uint32_t zoom = p->f->zoom;
	const char *unit = unit_title(r->unit, p->look->ascii);
	int64_t cell = (flame->end[zoom] - flame->begin[zoom]) / a.width;
	struct fields f = { .gap = 3 };
	char text[64];

	report_text(r, &rows_of(p->f)[0], COLUMN_HIER, p->look->ascii, text, sizeof(text));
	fields_add(&f, ROLE_TITLE, 0, "all %s %s", text, unit);
	if (zoom) {
		char *name = name_shown(rows_of(p->f)[flame->rows[zoom]].name, p->look->ascii);

		report_text(r, &rows_of(p->f)[flame->rows[zoom]], COLUMN_HIER, p->look->ascii, text, sizeof(text));
		fields_add(&f, ROLE_PAUSED, 3, "only %s %s %s", name ? name : "?", text, unit);
		free(name);
	}
	if (r->unit == UNIT_PCT && cell / r->scale >= r->wall / r->scale / 1000) {
		format_time(text, sizeof(text), cell, r->scale, r->ticks_per_s, UNIT_PCT, r->precision, r->wall);
		fields_add(&f, ROLE_LABEL, 2, "1 column = %s %%", text);
	} else {
		fields_add(&f, ROLE_LABEL, 2, "1 column = %s",
			   figure_timed(cell / r->scale, r->ticks_per_s, NULL, 3, p->look->ascii).text);
	}
	if (p->f->without_waits)
		fields_add(&f, ROLE_PAUSED, 5, "without waits");
	if (*r->base)
		fields_add(&f, ROLE_LABEL, 4, "%s", r->base);
	fields_draw(&f, c, a, 0);
}

static void add_value(const struct painting *p, const struct report_row *row, struct fields *f, enum column column,
		      uint8_t importance)
{
	const struct report *r = p->report;
	bool times = column_is_time(column);
	char text[64];

	if (!(r->columns & row->shown & 1u << column))
		return;
	report_text(r, row, column, p->look->ascii, text, sizeof(text));
	fields_add(f, ROLE_NUMBER, importance, "%s %s%s%s", report_title(r, column), text, times ? " " : "",
		   times ? unit_title(r->units[column], p->look->ascii) : "");
}

/* All that is known of the cursor's box. */
static void draw_detail(const struct painting *p, struct canvas *c, struct area a, int y)
{
	static const struct {
		enum column column;
		uint8_t importance;
	} values[] = { { COLUMN_HIER, 9 }, { COLUMN_SELF, 8 }, { COLUMN_DELTA, 10 }, { COLUMN_FRAME, 7 }, { COLUMN_COUNT, 6 },
		       { COLUMN_AVG, 4 }, { COLUMN_MAX, 5 }, { COLUMN_THREADS, 1 } };
	const struct report_row *row = table_row(&p->f->view.table);
	char *name = row ? name_shown(row->name, p->look->ascii) : NULL;
	struct fields f = { .gap = 2 };

	fields_add(&f, ROLE_NAME, 0, "%s", name ? name : "");
	free(name);
	for (size_t i = 0; row && i < sizeof(values) / sizeof(*values); i++)
		add_value(p, row, &f, values[i].column, values[i].importance);
	fields_draw(&f, c, a, y);
}

/* Its callers, the innermost first. */
static void draw_callers(const struct painting *p, struct canvas *c, struct area a, int y)
{
	const struct report_row *row = table_row(&p->f->view.table);
	struct fields f = { .gap = 1 };

	for (int i = 0; row && row->parent != PROFILE_NONE && i < FIELDS_MAX; i++) {
		char *name;

		row = &rows_of(p->f)[row->parent];
		name = name_shown(row->name, p->look->ascii);
		fields_add(&f, ROLE_DIM, (uint8_t)(FIELDS_MAX - i), "%s %s", p->look->ascii ? "<" : "‹", name ? name : "?");
		free(name);
	}
	fields_draw(&f, c, a, y);
}

/* Zones that have time in the other frame alone have no box. */
static void draw_gone(const struct painting *p, struct canvas *c, struct area a, int y)
{
	const struct report_section *s = &p->report->sections[0];
	struct fields f = { .gap = 2 };

	fields_add(&f, ROLE_LABEL, 0, "gone:");
	for (uint32_t i = 0; i < s->row_count && f.count < FIELDS_MAX; i++) {
		const struct report_row *row = &s->rows[i];
		char *name, text[64];

		if (p->f->flame->boxes[i] != PROFILE_NONE || row->values[COLUMN_DELTA].exact >= 0 ||
		    (row->parent != PROFILE_NONE && p->f->flame->boxes[row->parent] == PROFILE_NONE))
			continue;
		name = name_shown(row->name, p->look->ascii);
		report_text(p->report, row, COLUMN_DELTA, p->look->ascii, text, sizeof(text));
		fields_add(&f, ROLE_NUMBER, (uint8_t)(FIELDS_MAX - f.count), "%s %s %s", name ? name : "?", text,
			   unit_title(p->report->units[COLUMN_DELTA], p->look->ascii));
		free(name);
	}
	if (f.count == 1)
		return;
	fields_draw(&f, c, a, y);
	canvas_fix_minus(c, (struct area){ a.x, a.y + y, a.width, 1 });
}

/* Draws the lines below the boxes. Returns how many lines are left for the boxes. */
static int draw_below(const struct painting *p, struct canvas *c, struct area a)
{
	int lines = a.height;

	if (a.height >= DETAIL_FROM)
		draw_detail(p, c, a, --lines);
	if (a.height >= PATH_FROM)
		draw_callers(p, c, a, --lines);
	if (a.height >= PATH_FROM && *p->report->base)
		draw_gone(p, c, a, --lines);
	return lines;
}

/* Levels, so that the cursor is in sight, and no line below the last one is wasted. */
static void bring_into_sight(struct flame_view *f, int lines)
{
	const struct report_row *row = table_row(&f->view.table);
	uint32_t level = row ? row->level : 0, shown = lines > 0 ? (uint32_t)lines : 1;

	if (f->top + shown > f->flame->depth)
		f->top = f->flame->depth > shown ? f->flame->depth - shown : 0;
	if (level < f->top)
		f->top = level;
	if (level >= f->top + shown)
		f->top = level - shown + 1;
}

static void draw_boxes(struct flame_view *f, struct painting *p, struct canvas *c)
{
	bring_into_sight(f, f->drawn.height);
	for (int y = 0; y < f->drawn.height && f->top + (uint32_t)y < f->flame->depth; y++) {
		struct box_row row = flame_level(f->flame, f->top + (uint32_t)y);
		struct boxes b;

		p->first = f->flame->levels[f->top + (uint32_t)y];
		b = boxes_of(p, &row);
		b.label = label_of_box;
		b.role = role_of_box;
		boxes_draw(&b, c, f->drawn, y);
	}
}

/* Why there is no box; NULL: there are some. */
static const char *why_none(const struct flame_view *f)
{
	if (*f->view.why)
		return f->view.why;
	if (has_boxes(f))
		return NULL;
	return !f->flame ? "" : f->without_waits ? "all of it waits; H shows it" : "no time in any zone here";
}

static void flame_draw(struct view *v, const struct look *look, struct canvas *c, struct area a)
{
	struct flame_view *f = (struct flame_view *)v;
	struct painting p = { .f = f, .report = table_report(&v->table), .look = look };
	const char *why = why_none(f);

	f->drawn = (struct area){ 0 };
	view_draw_why(why ? why : "", c, a);
	if (why || a.height < 1 || a.width < 1)
		return;
	end_zooms(f);
	f->drawn = (struct area){ a.x, a.y + 1, a.width, draw_below(&p, c, a) - 1 };
	draw_scale(&p, c, a);
	draw_boxes(f, &p, c);
}

/* Commands */

static void go_to_box(struct flame_view *f, uint32_t box)
{
	if (box != PROFILE_NONE)
		table_go(&f->view.table, rows_of(f)[f->flame->rows[box]].id);
}

/* The cursor's level, as it is drawn. */
static struct boxes level_of_cursor(const struct flame_view *f, const struct look *look, struct box_row *row,
				    struct painting *p)
{
	uint32_t level = table_row(&f->view.table)->level;

	*p = (struct painting){ .f = f, .look = look, .first = f->flame->levels[level] };
	*row = flame_level(f->flame, level);
	return boxes_of(p, row);
}

static void go_beside(struct flame_view *f, const struct look *look, int step)
{
	struct painting p;
	struct box_row row;
	struct boxes b;
	uint32_t box;

	if (!has_boxes(f))
		return;
	b = level_of_cursor(f, look, &row, &p);
	box = boxes_beside(&b, f->drawn.width, step);
	if (box != UINT32_MAX)
		go_to_box(f, p.first + box);
}

/* The longest of those that it calls: it stands behind it. */
static bool go_down(struct flame_view *f)
{
	uint32_t below = f->view.table.at + 1;

	if (below >= table_count(&f->view.table) || rows_of(f)[below].parent != f->view.table.at ||
	    f->flame->boxes[below] == PROFILE_NONE)
		return false;
	go_to_box(f, f->flame->boxes[below]);
	return true;
}

static void go_up(struct flame_view *f)
{
	uint32_t parent = table_row(&f->view.table)->parent;

	if (parent != PROFILE_NONE)
		go_to_box(f, f->flame->boxes[parent]);
}

/* False: the cursor's box is as wide as the screen already. */
static bool zoom_in(struct flame_view *f)
{
	uint32_t box = box_of_cursor(f);

	if (box == PROFILE_NONE || box == f->zoom)
		return false;
	if (f->zoom_count == ZOOMS_MOST)
		memmove(f->zooms, f->zooms + 1, --f->zoom_count * sizeof(*f->zooms));
	f->zooms[f->zoom_count++] = table_row(&f->view.table)->id;
	f->zoom = box;
	return true;
}

static void zoom_out(struct flame_view *f)
{
	f->zoom_count -= f->zoom_count > 0;
	find_zoom(f);
}

static bool flame_applies(const struct view *v, enum command command)
{
	const struct flame_view *f = (const struct flame_view *)v;
	const struct report_row *row = table_row(&v->table);

	switch (command) {
	case COMMAND_DRILL:
	case COMMAND_CALLER:
	case COMMAND_PATH:
		return row && row->zone != PROFILE_NO_ZONE;
	case COMMAND_BOX_IN:
		return row && f->flame && box_of_cursor(f) != PROFILE_NONE;
	case COMMAND_BOX_OUT:
		return f->zoom_count;
	case COMMAND_BOX_WAITS:
		return f->flame;
	default:
		return false;
	}
}

static bool flame_act(struct view *v, const struct look *look, enum command command)
{
	struct flame_view *f = (struct flame_view *)v;

	if (!f->flame || !table_row(&v->table))
		return false;
	if (command == COMMAND_UP)
		go_up(f);
	else if (command == COMMAND_DOWN)
		go_down(f);
	else if (command == COMMAND_BOX_LONGEST)
		return go_down(f);
	else if (command == COMMAND_BOX_LEFT || command == COMMAND_BOX_RIGHT)
		go_beside(f, look, command == COMMAND_BOX_LEFT ? -1 : 1);
	else if (command == COMMAND_BOX_IN)
		return zoom_in(f);
	else if (command == COMMAND_BOX_OUT)
		zoom_out(f);
	else if (command == COMMAND_BOX_WAITS)
		f->without_waits = !f->without_waits;
	else if (command == COMMAND_FIRST)
		go_to_box(f, f->zoom);
	else
		return false;
	return true;
}

static enum table_hit flame_click(struct view *v, const struct look *look, int x, int y)
{
	struct flame_view *f = (struct flame_view *)v;
	uint32_t level = f->top + (uint32_t)(y - f->drawn.y);
	struct painting p = { .f = f, .look = look };
	struct box_row row;
	struct box_run run;
	struct boxes b;

	if (!has_boxes(f) || y < f->drawn.y || y >= f->drawn.y + f->drawn.height || level >= f->flame->depth)
		return TABLE_NOTHING;
	row = flame_level(f->flame, level);
	p.first = f->flame->levels[level];
	b = boxes_of(&p, &row);
	if (!boxes_at(&b, f->drawn.width, x - f->drawn.x, &run))
		return TABLE_NOTHING;
	if (b.chosen - run.box < run.count)
		return TABLE_CURSOR;
	go_to_box(f, p.first + run.box);
	return TABLE_ROW;
}

static void close_flame(struct view *v)
{
	flame_free(((struct flame_view *)v)->flame);
}

const struct view_ops view_flame = {
	.name = "Flame", .key = '8', .size = sizeof(struct flame_view), .refresh = flame_refresh, .draw = flame_draw,
	.click = flame_click,
	.command = flame_act, .applies = flame_applies, .target = view_tree_path, .close = close_flame,
	.guest = true, .spare = true, .place = PLACE_BOXES,
};
