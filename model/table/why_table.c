/* SPDX-License-Identifier: MIT */
#include "model/table/why_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

#define BAR_CELLS 10
#define BAR_WIDE 20
#define WIDE_FROM 130 /* cells of the screen, from where on the bar is wide */
#define WORD_CELLS 13 /* `waited longer`; longer words are cut last */
#define STACK_PART 3  /* a stack has this part of a line, or callers that do not tell it from others are left out */

static const struct table_column columns[WHY_COLUMNS] = {
	[WHY_ZONE] = { "ZONE", .member = "path", .kind = TYPED_WORDS, .sorts = true, .least = 7,
		       .help = "The stack of zones, the innermost first." },
	[WHY_DELTA] = { "DELTA", .key = "delta", .kind = TYPED_TICKS, .sorts = true, .importance = 10, .least = 7,
			.help = "Difference of its self time from the base frame." },
	[WHY_BAR] = { "", .kind = TYPED_BAR, .importance = 3, .least = BAR_CELLS },
	[WHY_WORD] = { "WHY", .member = "word", .kind = TYPED_WORDS, .importance = 9, .least = WORD_CELLS,
		       .help = "Main cause. at most: perhaps the thread only did not run. new, gone: in one frame only. carried over: "
		               "open since before." },
	[WHY_CALLS] = { "FROM COUNT", .key = "calls", .kind = TYPED_TICKS, .sorts = true, .importance = 6, .least = 7,
			.help = "Part of DELTA from more or fewer calls, at the old time per call." },
	[WHY_COST] = { "FROM SPEED", .key = "cost", .kind = TYPED_TICKS, .sorts = true, .importance = 7, .least = 7,
		       .help = "Part of DELTA from slower or faster calls." },
	[WHY_CARRY] = { "CARRIED", .key = "carried", .kind = TYPED_TICKS, .sorts = true, .importance = 4, .least = 7,
			.help = "Part of DELTA of zones that were open before and have no call." },
	[WHY_COUNT] = { "COUNT", .key = "count", .kind = TYPED_NUMBER, .sorts = true, .importance = 8, .least = 5,
			.help = "Calls then and now." },
	[WHY_SELF] = { "SELF", .key = "self", .kind = TYPED_TICKS, .importance = 2, .least = 8,
		       .help = "Its self time in this frame." },
	[WHY_BASE_SELF] = { .key = "base_self", .kind = TYPED_COUNT },
	[WHY_BASE_COUNT] = { .key = "base_count", .kind = TYPED_COUNT },
	[WHY_NAME] = { .key = "zone", .kind = TYPED_NAME },
	[WHY_FILE] = { .key = "file", .kind = TYPED_NAME },
	[WHY_LINE] = { .key = "line", .kind = TYPED_NUMBER },
	[WHY_NODE] = { .key = "node", .kind = TYPED_NUMBER },
	[WHY_BASE_NODE] = { .key = "base_node", .kind = TYPED_NUMBER },
	[WHY_KIND] = { .key = "kind", .kind = TYPED_WORDS },
	[WHY_WAITING] = { .key = "waiting", .kind = TYPED_FLAG },
	[WHY_AT_MOST] = { .key = "at_most", .kind = TYPED_FLAG },
	[WHY_THREAD] = { .key = "thread", .kind = TYPED_NUMBER },
};

static const struct table_column amount_column = { "FROM AMOUNT", .key = "cost", .kind = TYPED_TICKS,
						   .help = "Part of DELTA from more or less per call." };

const struct table_type why_amount_type = { .columns = &amount_column, .column_count = 1 };

static const struct why_line *line_at(const struct why_table *t, uint32_t line, struct why_line *room)
{
	*room = (struct why_line){ t->thread, line, 0 };
	return t->lines ? &t->lines[line] : room;
}

const struct why_row *why_table_row(const struct why_table *t, uint32_t line)
{
	struct why_line room;
	const struct why_line *l = line_at(t, line, &room);

	return l->row == WHY_HEADING ? NULL : &t->w->threads[l->thread].rows[l->row];
}

const struct profile_zone *why_table_zone(const struct why_table *t, const struct why_stack *stack)
{
	bool is_now = stack->node != PROFILE_NONE;
	const struct profile *p = is_now ? t->now : t->base;

	return &p->zones[p->nodes[is_now ? stack->node : stack->base_node].zone];
}

uint32_t why_table_node(const struct why_table *t, const struct why_row *row)
{
	uint32_t node = t->w->stacks[row->stack].node;

	return node < t->keys->node_count ? node : PROFILE_NONE;
}

const char *why_table_name(const struct why_table *t, const struct why_row *row)
{
	uint32_t node = why_table_node(t, row);
	const char *name = node != PROFILE_NONE ? keys_shown(t->keys, t->now, t->keys->of_node[node]) : NULL;

	return name ? name : "?";
}

/* If a line is too short for all callers, the ones that tell the stacks apart stay. */
static char *stack_text(const struct why_table *t, const struct why_row *row, const struct typed_look *look)
{
	enum why_callers last = look->output == TABLE_TEXT ? WHY_DOTS : look->output == TABLE_SCREEN ? WHY_TOLD : WHY_ALL;
	char *text = NULL;

	for (enum why_callers callers = WHY_ALL; callers <= last; callers++) {
		free(text);
		text = why_stack_text(t->w, row, callers, look->ascii);
		if (!text || !look->width || text_width(text) <= look->width / STACK_PART)
			break;
	}
	return text;
}

/* `  ray.c:118`, or "" if the place is unknown or the zone's name already has it. NULL: out of memory. */
static char *place_text(const struct why_table *t, const struct why_row *row, bool ascii)
{
	const struct profile_zone *zone = why_table_zone(t, &t->w->stacks[row->stack]);
	const char *slash = strrchr(zone->file, '/');
	char *file = name_safe(slash ? slash + 1 : zone->file, ascii), *text = NULL;

	if (why_has_place(t->w, row))
		text = strdup("");
	else if (file && asprintf(&text, *file ? "  %s:%u" : "%s", file, zone->line) < 0)
		text = NULL;
	free(file);
	return text;
}

/* The callers give way first, then the place, which text has. */
static void put_stack(const struct why_table *t, const struct why_row *row, const struct typed_look *look, struct typed_value *v)
{
	const struct why_stack *stack = &t->w->stacks[row->stack];

	v->text = v->owned = stack_text(t, row, look);
	if (look->output == TABLE_TEXT)
		v->tail = v->owned_tail = place_text(t, row, look->ascii);
	v->id = (uint64_t)stack->zone << 32 | (why_stack_id(t->w, row) & INT32_MAX) | UINT64_C(1) << 31; /* zones in the order of other tables */
	v->role = stack->zone != PROFILE_NO_ZONE && stack->node != PROFILE_NONE && !stack->waits ? STYLE_NAME : STYLE_DIM;
}

/* On the screen a part that there is none of says `-`; in text also one of 0. JSON has them all. */
static void put_part(const struct typed_look *look, int64_t value, bool has, struct typed_value *v)
{
	v->whole = value;
	v->sign = true;
	if ((look->output == TABLE_SCREEN && !has) || (look->output == TABLE_TEXT && !value))
		v->shown = "-";
	if (!has || !value)
		v->role = STYLE_DIM;
}

static enum style_role delta_role(int64_t delta)
{
	return delta > 0 ? STYLE_OVER : delta < 0 ? STYLE_STATE : STYLE_DIM;
}

static void put_count(const struct why_row *row, const struct typed_look *look, struct typed_value *v)
{
	v->whole = row->count;
	v->before = row->base_count;
	v->has_before = true;
	if (!row->count && !row->base_count && look->output < TABLE_CSV)
		v->shown = look->output == TABLE_TEXT ? "" : "-";
	if (row->count == row->base_count)
		v->role = STYLE_DIM;
}

/* The columns that only JSON and the page have. */
static void put_identity(const struct why_table *t, const struct why_row *row, uint32_t thread, enum table_output output,
			 enum why_column column, struct typed_value *v)
{
	const struct why_stack *stack = &t->w->stacks[row->stack];
	const struct profile_zone *zone = why_table_zone(t, stack);
	const struct why_thread *both = &t->w->threads[thread];
	uint32_t node = column == WHY_BASE_NODE || (output == TABLE_PAGE && stack->node == PROFILE_NONE) ? stack->base_node : stack->node;

	switch (column) {
	case WHY_NAME:
		v->text = zone->name;
		if (stack->depth > 1)
			v->text = v->owned = asprintf(&v->owned, "%s(%u)", zone->name, stack->depth) < 0 ? NULL : v->owned;
		break;
	case WHY_FILE:
		v->text = zone->file;
		break;
	case WHY_LINE:
		v->whole = zone->line;
		break;
	case WHY_KIND:
		v->text = why_kind_names[row->kind];
		break;
	case WHY_WAITING:
		v->whole = stack->waits;
		break;
	case WHY_AT_MOST:
		v->whole = row->at_most;
		break;
	case WHY_THREAD:
		v->whole = both->thread != PROFILE_NONE ? both->thread : both->base_thread;
		break;
	default:
		v->state = node == PROFILE_NONE ? TYPED_UNKNOWN : TYPED_KNOWN;
		v->whole = node;
	}
}

static bool of_calls(enum why_column column)
{
	return column == WHY_CALLS || column == WHY_COST || column == WHY_CARRY || column == WHY_COUNT || column == WHY_BASE_COUNT;
}

static void put_row(const struct why_table *t, const struct why_row *row, uint32_t thread, const struct typed_look *look,
		    enum why_column column, struct typed_value *v)
{
	v->scale = column >= WHY_NAME ? 1 : t->w->scale;
	if (t->w->no_calls && of_calls(column)) {
		v->state = TYPED_UNKNOWN;
		return;
	}
	switch (column) {
	case WHY_ZONE:
		put_stack(t, row, look, v);
		break;
	case WHY_DELTA:
		v->whole = row->delta;
		v->sign = true;
		v->role = delta_role(row->delta);
		break;
	case WHY_BAR:
		v->real = t->most ? (double)row->delta / (double)t->most : 0;
		v->role = row->delta > 0 ? STYLE_OVER : STYLE_GRAPH;
		break;
	case WHY_WORD:
		v->text = why_word(t->w, row);
		break;
	case WHY_CALLS:
		put_part(look, row->calls, row->kind != WHY_CARRIED, v);
		break;
	case WHY_COST:
		put_part(look, row->cost, row->kind == WHY_CHANGED, v);
		break;
	case WHY_CARRY:
		put_part(look, row->carried, row->kind == WHY_CARRIED, v);
		break;
	case WHY_COUNT:
		put_count(row, look, v);
		break;
	case WHY_SELF:
		v->kind = look->output == TABLE_JSON ? TYPED_COUNT : TYPED_TICKS;
		v->whole = row->self;
		v->before = row->base_self;
		v->has_before = true;
		break;
	case WHY_BASE_SELF:
		v->whole = row->base_self;
		break;
	case WHY_BASE_COUNT:
		v->whole = row->base_count;
		break;
	default:
		put_identity(t, row, thread, look->output, column, v);
	}
}

static void put_heading(const struct why_table *t, uint32_t thread, const struct typed_look *look, enum why_column column,
			struct typed_value *v)
{
	int64_t delta = t->w->threads[thread].delta;

	v->role = STYLE_FOCUS;
	if (column == WHY_DELTA && t->w->threads[thread].least) {
		v->state = TYPED_UNKNOWN;
	} else if (column == WHY_DELTA) {
		v->whole = delta;
		v->scale = t->w->scale;
		v->sign = true;
		v->role = delta_role(delta);
	} else if (column == WHY_ZONE) {
		v->text = v->owned = t->heading(t, thread, look->ascii);
	} else {
		v->shown = "";
	}
}

static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t index, uint32_t column,
		      struct typed_value *v)
{
	const struct why_table *t = (const struct why_table *)table;
	const struct why_row *row = why_table_row(t, index);
	struct why_line room;
	uint32_t thread = line_at(t, index, &room)->thread;

	if (row)
		put_row(t, row, thread, look, (enum why_column)column, v);
	else
		put_heading(t, thread, look, (enum why_column)column, v);
}

static void arrange_why(const struct typed_table *table, const struct typed_look *look, struct sheet *s)
{
	(void)table;
	if (look->output == TABLE_TEXT) {
		s->indent = SHEET_GAP;
		s->columns[s->count - 2].least = WORD_CELLS; /* it stands in front of the stack */
	}
	if (look->output != TABLE_SCREEN)
		return;
	s->keeps = look->width / STACK_PART;
	if (look->width >= WIDE_FROM)
		s->columns[WHY_BAR].least = BAR_WIDE;
}

static uint64_t row_id(const struct typed_table *t, uint32_t row)
{
	return ((const struct why_table *)t)->lines[row].id;
}

/* By the innermost zone. */
static bool row_matches(const struct typed_table *table, uint32_t line, const struct pattern *pattern)
{
	const struct why_table *t = (const struct why_table *)table;
	const struct why_row *row = why_table_row(t, line);

	return row && pattern_matches(pattern, why_table_name(t, row));
}

static void free_table(struct typed_table *table)
{
	struct why_table *t = (struct why_table *)table;

	why_free((struct why *)t->w);
	free(t->lines);
	free(t);
}

const struct table_type why_table_type = {
	.key = "rows", .name = "why", .columns = columns, .column_count = WHY_COLUMNS, .value = put_value,
	.arrange = arrange_why,
	.id = row_id, .matches = row_matches, .free = free_table,
	.shows = {
		[TABLE_TEXT] = (const uint8_t[]){ WHY_DELTA, WHY_CALLS, WHY_COST, WHY_COUNT, WHY_WORD, WHY_ZONE, TABLE_END },
		[TABLE_JSON] = (const uint8_t[]){ WHY_NAME, WHY_FILE, WHY_LINE, WHY_NODE, WHY_BASE_NODE, WHY_KIND, WHY_WAITING, WHY_AT_MOST,
						  WHY_DELTA,
						  WHY_CALLS, WHY_COST, WHY_CARRY, WHY_SELF, WHY_BASE_SELF, WHY_COUNT, WHY_BASE_COUNT,
						  TABLE_END },
		[TABLE_PAGE] = (const uint8_t[]){ WHY_ZONE, WHY_DELTA, WHY_WORD, WHY_CALLS, WHY_COST, WHY_CARRY, WHY_COUNT, WHY_SELF,
						  WHY_BASE_SELF, WHY_BASE_COUNT, WHY_THREAD, WHY_NODE, WHY_WAITING, WHY_KIND, TABLE_END },
	},
};

void why_table_init(struct why_table *t, const struct why *w, const struct profile *base, const struct profile *now)
{
	*t = (struct why_table){ .w = w, .base = base, .now = now };
	typed_table_init(&t->table, &why_table_type, w->per_s);
	if (w->measure == MEASURE_SELF)
		return;
	t->table.columns[WHY_COST].title = amount_column.title;
	t->table.columns[WHY_COST].help = amount_column.help;
}
