/* SPDX-License-Identifier: MIT */
/*
 * view_worst: the worst frames, a row each: the longest, or those in which the thread of the frames worked longest.
 *
 *     FRAME  AGE s  LENGTH ms▼  BUSY ms    OVER  MORE ms  IN ZONE
 *   >    40    1.0      43.000   43.000  +26.33   27.000  ai
 *        70    0.5      36.000   14.000  +19.33   20.000  vsync (waits)
 *
 * w and W go by the order that the rows have. Enter goes to the frame of the cursor's row. When another frame is chosen the
 * cursor goes to its row.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/stats/base_frame.h"
#include "model/stats/worst.h"
#include "tui/cells/figures.h"
#include "model/stats/frame_stats.h"
#include "tui/views/view.h"

#define ROWS_MOST 1000

struct worst_view {
	struct view view;
	char scope[96];
	uint64_t chosen; /* frame, when the rows were made last */
	enum unit unit;  /* that times had so far */
	struct bases *bases; /* owned; what frames are compared with */
};

/* It has numbers of frames and no frames: these move as new ones come. */
struct worst_table {
	struct typed_table table;
	struct worst_frame *frames;
	enum worst_order order;
	bool inverted;
	int64_t budget; /* ticks; 0: none */
	struct bases *bases; /* of the view */
	const struct profile *p;
};

enum { WORST_FRAME, WORST_NAME, WORST_AGE, WORST_LENGTH_COLUMN, WORST_BUSY_COLUMN, WORST_OVER, WORST_MORE, WORST_ZONE,
       WORST_COLUMNS };

static const struct table_column columns[WORST_COLUMNS] = {
	[WORST_FRAME] = { "FRAME", .kind = TYPED_FRAME, .importance = 9, .least = 6,
			  .help = "Number of the frame. Enter goes there." },
	[WORST_NAME] = { "NAME", .kind = TYPED_NAME, .importance = 3, .least = 6, .help = "Name that the program gave it." },
	[WORST_AGE] = { "AGE", .unit = "s", .kind = TYPED_SECONDS, .importance = 2, .least = 6,
			.help = "Time from its end to the end of the newest frame." },
	[WORST_LENGTH_COLUMN] = { "LENGTH", .kind = TYPED_TICKS, .sorts = true, .importance = 8, .least = 7,
				  .help = "Length of the frame. w goes from the longest to the next." },
	[WORST_BUSY_COLUMN] = { "BUSY", .kind = TYPED_TICKS, .sorts = true, .importance = 7, .least = 7,
				.help = "Length without declared waits of the frame thread. If sorted by BUSY, w follows it." },
	[WORST_OVER] = { "OVER", .kind = TYPED_TICKS, .importance = 4, .least = 7, .help = "Time over the budget." },
	[WORST_MORE] = { "MORE", .kind = TYPED_TICKS, .importance = 5, .least = 7,
			 .help = "Extra self time of the next column's zone, against the usual frame." },
	[WORST_ZONE] = { "IN ZONE", .kind = TYPED_NAME,
			 .help = "The zone of the frame thread with the most extra self time." },
};

static const int columns_of_order[WORST_ORDERS] = { [WORST_LENGTH] = WORST_LENGTH_COLUMN, [WORST_BUSY] = WORST_BUSY_COLUMN };

static const struct worst_frame *row_at(const struct worst_table *t, uint32_t row)
{
	return &t->frames[t->inverted ? t->table.count - 1 - row : row];
}

static uint64_t row_id(const struct typed_table *t, uint32_t row)
{
	return row_at((const struct worst_table *)t, row)->number;
}

/* By its number as it is written, or its name. */
static bool row_matches(const struct typed_table *table, uint32_t row, const struct pattern *pattern)
{
	const struct worst_table *t = (const struct worst_table *)table;
	const struct profile_frame *frame = profile_find_frame(t->p, row_id(table, row));
	char number[24];

	snprintf(number, sizeof(number), "%llu", (unsigned long long)row_id(table, row));
	return pattern_matches(pattern, number) || (frame && pattern_matches(pattern, profile_frame_name(t->p, frame)));
}

static void free_table(struct typed_table *t)
{
	free(((struct worst_table *)t)->frames);
	free(t);
}

/* Values */

static void put_cause(const struct worst_table *t, const struct profile_frame *frame, uint32_t column, struct typed_value *v)
{
	uint64_t base = bases_choose(t->bases, frame->number).number; /* as Why chooses it */
	struct worst_zone most = worst_zone(t->p, frame, profile_find_frame(t->p, base));
	const struct profile_zone *zone = most.zone != PROFILE_NONE ? &t->p->zones[most.zone] : NULL;

	v->whole = most.more;
	if (!zone) {
		v->state = TYPED_UNKNOWN;
	} else if (column == WORST_ZONE) {
		v->text = zone->name;
		if (zone->flags & ZONE_WAITING)
			v->text = v->owned = asprintf(&v->owned, "%s (waits)", zone->name) < 0 ? NULL : v->owned;
		v->role = zone->flags & ZONE_WAITING ? STYLE_DIM : STYLE_NAME;
	}
}

/* The columns of a frame that is still held. */
static void put_held(const struct worst_table *t, uint64_t number, uint32_t column, struct typed_value *v)
{
	const struct profile_frame *frame = profile_find_frame(t->p, number), *newest = &t->p->frames[t->p->frame_count - 1];

	if (!frame) {
		v->state = TYPED_UNKNOWN;
	} else if (column == WORST_NAME) {
		v->text = profile_frame_name(t->p, frame);
		v->role = STYLE_NAME;
	} else if (column == WORST_AGE) {
		v->real = (double)(frame_end(newest) - frame_end(frame)) / (double)t->p->ticks_per_s;
		v->role = STYLE_LABEL;
	} else {
		put_cause(t, frame, column, v);
	}
}

static void put_value(const struct typed_table *table, const struct typed_look *asks, uint32_t row, uint32_t column,
		      struct typed_value *v)
{
	const struct worst_table *t = (const struct worst_table *)table;
	const struct worst_frame *f = row_at(t, row);
	const struct look *look = asks->own;

	switch (column) {
	case WORST_LENGTH_COLUMN:
		v->whole = f->length;
		v->role = worst_waited(f) ? STYLE_DIM : STYLE_NUMBER;
		break;
	case WORST_BUSY_COLUMN:
		v->state = f->busy < 0 ? TYPED_UNKNOWN : TYPED_KNOWN;
		v->whole = f->busy;
		break;
	case WORST_OVER:
		v->whole = f->length - t->budget;
		v->state = v->whole > 0 ? TYPED_KNOWN : TYPED_ABSENT;
		v->sign = true;
		v->role = v->whole > 0 ? STYLE_ALARM : STYLE_DIM;
		break;
	case WORST_FRAME:
		v->whole = (int64_t)f->number;
		v->role = f->number == look->frames.chosen ? STYLE_CHOSEN : STYLE_NUMBER;
		break;
	default:
		put_held(t, f->number, column, v);
	}
}

static const struct table_type worst_type = {
	.key = "frames", .name = "worst", .columns = columns, .column_count = WORST_COLUMNS, .value = put_value, .id = row_id,
	.matches = row_matches, .free = free_table,
};

/* Making them */

static enum unit unit_of(struct worst_view *v, const struct look *look, const struct worst_table *t)
{
	if (look->unit != UNIT_AUTO && look->unit != UNIT_PCT)
		return look->unit;
	if (t->table.count)
		v->unit = unit_for_many(t->frames[t->table.count / 2].length, t->frames[0].length, look->profile->ticks_per_s, v->unit);
	return v->unit == UNIT_AUTO ? UNIT_MS : v->unit;
}

static struct worst_table *make_table(struct worst_view *v, const struct look *look, uint32_t *all)
{
	const struct profile *p = look->profile;
	struct worst_table *t = calloc(1, sizeof(*t));
	uint32_t first, end;

	snprintf(v->view.why, sizeof(v->view.why), "out of memory");
	if (!t)
		return NULL;
	*t = (struct worst_table){ .order = view_worst_order(&v->view), .inverted = v->view.invert, .budget = look->frames.budget,
				   .p = p };
	typed_table_init(&t->table, &worst_type, p->ticks_per_s);
	t->table.sorted = columns_of_order[t->order];
	t->table.descending = !t->inverted;
	t->table.columns[WORST_NAME].hidden = !p->frame_name_count;
	t->table.columns[WORST_OVER].hidden = !t->budget;
	first = look->selected_first ? profile_frame_index(p, look->selected_first) : 0;
	end = look->selected_first ? profile_frame_index(p, look->selected_last + 1) : p->frame_count;
	t->frames = worst_list(p, first, end - first, t->order, ROWS_MOST, &t->table.count, all);
	t->bases = v->bases = bases_renew(v->bases, p, look->frames.chosen);
	if (!t->frames || !t->bases) {
		free_table(&t->table);
		return NULL;
	}
	t->table.unit = unit_of(v, look, t);
	*v->view.why = '\0';
	return t;
}

static void say_scope(struct worst_view *v, const struct look *look, const struct worst_table *t, uint32_t all)
{
	static const char *const what[WORST_ORDERS] = { [WORST_LENGTH] = "longest", [WORST_BUSY] = "busiest" };
	char most[64] = "";

	if (t->table.count < all)
		snprintf(most, sizeof(most), "the %s %s of ", what[t->order], figure_grouped(t->table.count).text);
	snprintf(v->scope, sizeof(v->scope), "%s%s %sframes", most, figure_grouped(all).text,
		 look->selected_first ? "selected " : "");
}

static bool refresh(struct view *view, const struct look *look)
{
	struct worst_view *v = (struct worst_view *)view;
	uint32_t all = 0;
	struct worst_table *t = look->query ? make_table(v, look, &all) : NULL;

	table_take_typed(&view->table, (struct typed_table *)t);
	if (!t)
		return false;
	say_scope(v, look, t, all);
	if (!t->table.count)
		no_frames_text(look->profile, view->why);
	if (look->frames.chosen && look->frames.chosen != v->chosen)
		table_go(&view->table, look->frames.chosen);
	v->chosen = look->frames.chosen;
	return true;
}

static bool command(struct view *v, const struct look *look, enum command command)
{
	(void)look;
	return table_command(&v->table, command);
}

static uint64_t frame(const struct view *v, const struct look *look)
{
	(void)look;
	return v->table.at < table_count(&v->table) ? table_id(&v->table) : 0;
}

static bool applies(const struct view *v, enum command command)
{
	return command == COMMAND_DRILL && frame(v, NULL);
}

static void close_view(struct view *v)
{
	bases_free(((struct worst_view *)v)->bases);
}

static const char *scope(const struct view *v)
{
	return ((const struct worst_view *)v)->scope;
}

const struct view_ops view_worst = {
	.name = "Worst", .key = '9', .size = sizeof(struct worst_view), .refresh = refresh, .draw = view_draw_table,
	.command = command, .applies = applies, .frame = frame, .scope = scope, .frame_label = "Frame", .unfiltered = true,
	.guest = true, .spare = true, .type = &worst_type, .close = close_view,
};

enum worst_order view_worst_order(const struct view *v)
{
	return v->sort == WORST_BUSY_COLUMN ? WORST_BUSY : WORST_LENGTH;
}

void view_worst_sort(struct view *v, enum worst_order order)
{
	v->sort = columns_of_order[order];
	table_home(&v->table);
}
