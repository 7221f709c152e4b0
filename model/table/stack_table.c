/* SPDX-License-Identifier: MIT */
#include "model/table/stack_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "model/table/thread_table.h"

#define STILL_S 1 /* no zone entered or left for so many seconds is worth a word */
#define PLACE_PART 3 /* of the width is for the place, and what the names leave */
#define PLACE_LEAST 16
#define PLACE_BESIDE 16 /* cells of OPEN FOR, and of the gaps */
#define THREAD_MORE 24  /* cells behind the name of a thread: that it is in no zone, and its id */
#define INDENT 2
#define INDENT_MOST 100
#define NAME_KEEPS 40 /* cells, in a text: other columns go before it has fewer */

enum { OPEN_NAME, OPEN_FOR, OPEN_PLACE, OPEN_THREAD, OPEN_TID, OPEN_THREAD_NAME, OPEN_STATE, OPEN_BUSY, OPEN_LAST, OPEN_ZONE, OPEN_FILE,
       OPEN_LINE, OPEN_NODE, OPEN_ENTERED, OPEN_TIME, OPEN_AT_LEAST, OPEN_COLUMNS };

static const struct table_column columns[OPEN_COLUMNS] = {
	[OPEN_NAME] = { "THREAD AND ITS OPEN ZONES", .kind = TYPED_WORDS,
			.help = "Open zones, the outermost first. The thread is in the last one." },
	[OPEN_FOR] = { "OPEN FOR", .kind = TYPED_SPAN, .importance = 9, .least = 8,
		       .help = "How long the zone has been open. For a dead program: at least this long, or - if that is not known." },
	[OPEN_PLACE] = { "PLACE", .kind = TYPED_WORDS, .importance = 4, .least = 5,
			 .help = "Source line of the zone. For a thread, its state, such as: no zone change for 12 s." },
	[OPEN_THREAD] = { .key = "id", .member = "thread", .kind = TYPED_NUMBER },
	[OPEN_TID] = { .key = "tid", .kind = TYPED_COUNT },
	[OPEN_THREAD_NAME] = { .key = "thread", .member = "name", .kind = TYPED_NAME },
	[OPEN_STATE] = { .key = "state", .kind = TYPED_WORDS },
	[OPEN_BUSY] = { .key = "busy", .kind = TYPED_FLAG },
	[OPEN_LAST] = { .key = "last_tick", .kind = TYPED_COUNT },
	[OPEN_ZONE] = { .key = "zone", .kind = TYPED_NAME },
	[OPEN_FILE] = { .key = "file", .kind = TYPED_NAME },
	[OPEN_LINE] = { .key = "line", .kind = TYPED_NUMBER },
	[OPEN_NODE] = { .key = "node", .kind = TYPED_NUMBER },
	[OPEN_ENTERED] = { .key = "entered", .kind = TYPED_COUNT },
	[OPEN_TIME] = { .key = "open", .kind = TYPED_TICKS },
	[OPEN_AT_LEAST] = { .key = "at_least", .kind = TYPED_FLAG },
};

/* Rows */

const struct open_row *stack_table_row(const struct stack_table *t, uint32_t row)
{
	return &t->open->rows[t->passing ? t->passing[row] : row];
}

const struct open_thread *stack_table_thread(const struct stack_table *t, uint32_t row)
{
	return &t->open->threads[stack_table_row(t, row)->thread];
}

static uint64_t row_id(const struct typed_table *t, uint32_t row)
{
	return stack_table_row((const struct stack_table *)t, row)->id;
}

static bool row_matches(const struct typed_table *table, uint32_t row, const struct pattern *pattern)
{
	const struct stack_table *t = (const struct stack_table *)table;
	const struct open_row *r = stack_table_row(t, row);

	return pattern_matches(pattern, r->level ? t->open->zones[r->zone].name : stack_table_thread(t, row)->name);
}

static void free_table(struct typed_table *table)
{
	struct stack_table *t = (struct stack_table *)table;

	open_stacks_free(t->open);
	free(t->passing);
	free(t);
}

/* Texts for people; NULL: out of memory */

/* `main  tid 4711`; `pool  (no zone)  tid 4712`. */
static char *thread_text(const struct open_thread *t, bool ascii)
{
	char *name = name_safe(t->name, ascii), *text = NULL, tid[40] = "";

	if (name && t->tid)
		snprintf(tid, sizeof(tid), "%stid %lld", *name || !t->count ? "  " : "", (long long)t->tid);
	if (name && asprintf(&text, "%s%s%s", name, t->count ? "" : "  (no zone)", tid) < 0)
		text = NULL;
	free(name);
	return text;
}

static char *zone_text(const struct stack_table *t, const struct open_row *row, const struct typed_look *look)
{
	char *name = name_safe(t->open->zones[row->zone].name, look->ascii), *text = NULL, depth[16] = "";
	uint32_t most = look->width && look->width / 3 < INDENT_MOST ? look->width / 3 : INDENT_MOST;
	uint32_t indent = row->level < most / INDENT ? row->level * INDENT : most;

	if (t->spread && row->depth > 1)
		snprintf(depth, sizeof(depth), "(%u)", row->depth);
	if (name && asprintf(&text, "%*s%s%s", (int)indent, "", name, depth) < 0)
		text = NULL;
	free(name);
	return text;
}

/* News about a thread, in the column of places. `no zone change for 2.4 s`: it has entered and left no zone for so long. */
static char *news_text(const struct open_stacks *o, const struct open_thread *t, bool ascii)
{
	bool lives = o->state == PROFILE_LIVE;
	char span[64], news[128] = "", *text;

	if (t->busy) {
		snprintf(news, sizeof(news), "%s entering or leaving the last zone", lives ? "just" : "it ended while");
	} else if (lives && t->count && t->still / STILL_S >= (int64_t)o->ticks_per_s) {
		typed_span(span, sizeof(span), t->still, t->still, o->ticks_per_s, true, ascii);
		snprintf(news, sizeof(news), "no zone change for %s", span);
	}
	return asprintf(&text, "%s%s%s", t->marking ? "frame thread" : "", t->marking && *news ? ", " : "", news) < 0 ? NULL : text;
}

/* Cells of the widest name, with the blanks before it. */
static uint32_t widest_name(const struct open_stacks *o)
{
	uint32_t widest = (uint32_t)text_width(columns[OPEN_NAME].title);

	for (uint32_t i = 0; i < o->row_count; i++) {
		const struct open_row *row = &o->rows[i];
		uint32_t indent = row->level * INDENT < INDENT_MOST ? row->level * INDENT : INDENT_MOST;
		uint32_t cells = row->level ? indent + (uint32_t)text_width(o->zones[row->zone].name)
					    : (uint32_t)text_width(o->threads[row->thread].name) + THREAD_MORE;

		widest = cells > widest ? cells : widest;
	}
	return widest;
}

/* Cells for a place: a part of the width, or all that the names leave. */
static size_t place_cells(const struct stack_table *t, const struct typed_look *look)
{
	uint32_t taken = t->widest + PLACE_BESIDE, part = look->width / PLACE_PART, left = look->width > taken ? look->width - taken : 0;
	uint32_t most = left > part ? left : part;

	return most < PLACE_LEAST ? PLACE_LEAST : most;
}

/* `…/game/ai.c:20`: the end says more than the beginning. */
static char *place_text(const struct stack_table *t, const struct open_zone *zone, const struct typed_look *look)
{
	char *file = name_safe(zone->file, look->ascii), *text = NULL, line[16];
	size_t most = place_cells(t, look), width;
	const char *from = file, *slash;

	snprintf(line, sizeof(line), ":%u", zone->line);
	most -= strlen(line);
	width = file ? text_width(file) : 0;
	while (look->width && width > most && (slash = strchr(from + 1, '/'))) {
		from = slash;
		width = text_width(from) + 3;
	}
	if (file && asprintf(&text, "%s%s%s", from == file ? "" : look->ascii ? "..." : "…", from, *file ? line : "") < 0)
		text = NULL;
	free(file);
	return text;
}

/* Values */

static void put_words(const struct stack_table *t, const struct open_row *row, const struct typed_look *look, uint32_t column,
		      struct typed_value *v)
{
	const struct open_thread *thread = &t->open->threads[row->thread];
	const struct open_zone *zone = row->level ? &t->open->zones[row->zone] : NULL;

	if (column == OPEN_NAME)
		v->owned = zone ? zone_text(t, row, look) : thread_text(thread, look->ascii);
	else
		v->owned = zone ? place_text(t, zone, look) : news_text(t->open, thread, look->ascii);
	v->text = v->owned;
	v->role = column == OPEN_NAME && !zone ? STYLE_FOCUS : column == OPEN_NAME && !zone->waiting ? STYLE_NAME : STYLE_DIM;
}

/* For a thread in no zone: how long it has been there. */
static void put_time(const struct stack_table *t, const struct open_row *row, struct typed_value *v)
{
	const struct open_thread *thread = &t->open->threads[row->thread];

	v->whole = row->level ? row->open : thread->still;
	v->at_least = t->open->state == PROFILE_DEAD;
	v->role = row->level ? STYLE_NUMBER : STYLE_DIM;
	if (!row->level && (thread->count || !thread->still))
		v->shown = "";
	else if (v->at_least && !v->whole)
		v->state = TYPED_UNKNOWN; /* entering it is the last that is known of the thread */
}

/* JSON has the zones in the object of their thread; CSV has the thread beside each of them. */
static void put_thread_value(const struct open_thread *thread, uint32_t column, struct typed_value *v)
{
	switch (column) {
	case OPEN_THREAD:
		v->whole = (int64_t)thread->id;
		break;
	case OPEN_TID:
		v->whole = thread->tid;
		break;
	case OPEN_THREAD_NAME:
		v->text = thread->name;
		break;
	case OPEN_STATE:
		v->text = thread_state_names[thread->state];
		break;
	case OPEN_BUSY:
		v->whole = thread->busy;
		break;
	default:
		v->whole = thread->last;
	}
}

static void put_zone_value(const struct stack_table *t, const struct open_row *row, uint32_t column, struct typed_value *v)
{
	const struct open_zone *zone = &t->open->zones[row->zone];

	switch (column) {
	case OPEN_ZONE:
		v->text = zone->name;
		break;
	case OPEN_FILE:
		v->text = zone->file;
		break;
	case OPEN_LINE:
		v->whole = zone->line;
		break;
	case OPEN_NODE:
		v->whole = row->node;
		break;
	case OPEN_ENTERED:
		v->whole = row->entered;
		break;
	case OPEN_TIME:
		v->whole = row->open;
		break;
	default:
		v->whole = t->open->state == PROFILE_DEAD;
	}
}

static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t index, uint32_t column,
		      struct typed_value *v)
{
	const struct stack_table *t = (const struct stack_table *)table;
	const struct open_row *row = stack_table_row(t, index);
	bool is_of_zone = column >= OPEN_ZONE;

	if (column == OPEN_FOR)
		put_time(t, row, v);
	else if (column <= OPEN_PLACE)
		put_words(t, row, look, column, v);
	else if (is_of_zone ? !row->level : row->level && look->output == TABLE_JSON)
		v->state = TYPED_ABSENT;
	else if (is_of_zone)
		put_zone_value(t, row, column, v);
	else
		put_thread_value(&t->open->threads[row->thread], column, v);
}

static void arrange_stacks(const struct typed_table *t, const struct typed_look *look, struct sheet *s)
{
	(void)t;
	if (look->output == TABLE_TEXT)
		s->keeps = NAME_KEEPS;
}

const struct table_type stack_table_type = {
	.key = "stacks", .name = "stacks", .columns = columns, .column_count = OPEN_COLUMNS, .drops = true,
	.value = put_value,
	.arrange = arrange_stacks, .id = row_id, .matches = row_matches, .free = free_table,
};

void stack_table_init(struct stack_table *t, struct open_stacks *open)
{
	*t = (struct stack_table){ .open = open };
	typed_table_init(&t->table, &stack_table_type, open->ticks_per_s);
	t->table.count = open->row_count;
	t->widest = widest_name(open);
}
