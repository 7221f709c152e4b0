/* SPDX-License-Identifier: MIT */
#include "model/report/line_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/lookup.h"

enum { LINE_SELF, LINE_SELF_PART, LINE_TOTAL, LINE_TOTAL_PART, LINE_FUNCTION, LINE_PLACE, LINE_SOURCE, LINE_FILE, LINE_NUMBER,
       LINE_COLUMNS };

#define NAME_BYTES 40 /* of a function, if its source stands beside it */

static const struct table_column columns[LINE_COLUMNS] = {
	[LINE_SELF] = { "SELF", .key = "self", .kind = TYPED_COUNT, .importance = 8, .least = 6, .help = "Samples at the line itself; in an average, per frame." },
	[LINE_SELF_PART] = { "SELF%", .key = "self_part", .kind = TYPED_RATIO, .importance = 7, .least = 6, .help = "Share of the samples covered that are at the line itself." },
	[LINE_TOTAL] = { "TOTAL", .key = "total", .kind = TYPED_COUNT, .importance = 6, .least = 6, .help = "Samples at the line and in everything that it called." },
	[LINE_TOTAL_PART] = { "TOTAL%", .key = "total_part", .kind = TYPED_RATIO, .importance = 5, .least = 6, .help = "Share of the samples covered that TOTAL counts." },
	[LINE_FUNCTION] = { "FUNCTION", .key = "function", .kind = TYPED_NAME, .importance = SHEET_GIVES_WAY, .least = 12, .help = "The function." },
	[LINE_PLACE] = { "WHERE", .kind = TYPED_WORDS, .importance = 4, .least = 10, .help = "File and line." },
	[LINE_SOURCE] = { "SOURCE", .kind = TYPED_WORDS, .importance = 3, .least = 10, .help = "The text of the line." },
	[LINE_FILE] = { .key = "file", .kind = TYPED_NAME },
	[LINE_NUMBER] = { .key = "line", .kind = TYPED_NUMBER },
};

static void free_table(struct typed_table *t)
{
	free(((struct line_table *)t)->rows);
	free(t);
}

double line_table_part(const struct line_table *t, int64_t samples)
{
	return t->samples ? (double)samples / (double)t->samples : 0;
}

static void put_source(const struct line_table *t, const struct line_row *row, struct typed_value *v)
{
	const char *text = row->line && t->source ? t->source(t->source_context, t->p, t->p->zones[row->zone].file, row->line) : NULL;

	v->owned = text ? strdup(text) : NULL;
	v->text = v->owned;
	v->state = v->owned ? TYPED_KNOWN : TYPED_UNKNOWN;
}

static void put_place(const struct profile_zone *zone, uint32_t line, struct typed_value *v)
{
	const char *slash = strrchr(zone->file, '/');

	if (*zone->file && line && asprintf(&v->owned, "%s:%u", slash ? slash + 1 : zone->file, line) >= 0)
		v->text = v->owned;
	else
		v->state = TYPED_UNKNOWN;
}

static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t row, uint32_t column,
		      struct typed_value *v)
{
	const struct line_table *t = (const struct line_table *)table;
	const struct line_row *l = &t->rows[row];
	const struct profile_zone *zone = &t->p->zones[l->zone];

	(void)look;
	switch (column) {
	case LINE_SELF:
	case LINE_TOTAL:
		v->whole = column == LINE_SELF ? l->self : l->total;
		v->scale = t->scale;
		break;
	case LINE_SELF_PART:
	case LINE_TOTAL_PART:
		v->real = line_table_part(t, column == LINE_SELF_PART ? l->self : l->total);
		break;
	case LINE_FUNCTION:
		v->text = zone->name;
		v->role = STYLE_NAME;
		if (t->source && strlen(zone->name) > NAME_BYTES && (v->owned = strndup(zone->name, NAME_BYTES)))
			v->text = v->owned;
		break;
	case LINE_PLACE:
		put_place(zone, l->line, v);
		break;
	case LINE_SOURCE:
		put_source(t, l, v);
		break;
	case LINE_FILE:
		v->text = zone->file;
		break;
	default:
		v->whole = l->line;
		v->state = l->line ? TYPED_KNOWN : TYPED_UNKNOWN;
	}
}

const struct table_type line_table_type = {
	.key = "lines", .name = "lines", .columns = columns, .column_count = LINE_COLUMNS, .drops = true, .value = put_value,
	.free = free_table,
};

/* Rows while they are counted. */
struct counting {
	const struct profile *p;
	const struct values *v;
	struct lookup lookup;
	struct line_row *rows;
	uint32_t *last; /* by row: 1 + the node whose samples were counted for it last */
	uint32_t count, capacity, last_capacity;
};

static bool same_line(const void *context, uint32_t index, const void *wanted)
{
	const struct line_row *row = &((const struct counting *)context)->rows[index], *want = wanted;

	return row->zone == want->zone && row->line == want->line;
}

/* LOOKUP_NONE: out of memory. */
static uint32_t row_of(struct counting *c, uint32_t zone, uint32_t line)
{
	struct line_row wanted = { .zone = zone, .line = line };
	uint32_t hash = lookup_hash(line, &zone, sizeof(zone));
	uint32_t row = lookup_find(&c->lookup, hash, same_line, c, &wanted);

	if (row != LOOKUP_NONE)
		return row;
	if (!lookup_reserve(&c->lookup) || !array_reserve(&c->rows, &c->capacity, c->count + 1ull, sizeof(*c->rows)) ||
	    !array_reserve(&c->last, &c->last_capacity, c->count + 1ull, sizeof(*c->last)))
		return LOOKUP_NONE;
	c->rows[c->count] = wanted;
	c->last[c->count] = 0;
	lookup_add(&c->lookup, hash, c->count);
	return c->count++;
}

static bool is_below(const struct profile *p, uint32_t node, uint32_t zone)
{
	while (node != PROFILE_NONE && p->nodes[node].zone != zone)
		node = p->nodes[node].parent;
	return node != PROFILE_NONE;
}

/* Counts the samples of a node for its own line, and for the lines that led to
 * it: of one function, or of all (PROFILE_NO_ZONE). */
static bool count_node(struct counting *c, uint32_t node, uint32_t zone)
{
	for (uint32_t n = node; n != PROFILE_NONE; n = c->p->nodes[n].parent) {
		const struct profile_node *at = &c->p->nodes[n];
		uint32_t row;

		if (!(c->p->zones[at->zone].flags & ZONE_FUNCTION) || (zone != PROFILE_NO_ZONE && at->zone != zone))
			continue;
		row = row_of(c, at->zone, at->line);
		if (row == LOOKUP_NONE)
			return false;
		c->rows[row].self += n == node ? c->v->self[node] : 0;
		c->rows[row].total += c->last[row] != node + 1 ? c->v->self[node] : 0;
		c->last[row] = node + 1;
	}
	return true;
}

static int by_line(const void *a, const void *b)
{
	const struct line_row *x = a, *y = b;

	return x->line < y->line ? -1 : x->line > y->line;
}

static int by_samples(const void *a, const void *b)
{
	const struct line_row *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->zone != y->zone ? (x->zone < y->zone ? -1 : 1) : by_line(a, b);
}

static void leave_out(struct line_table *t, uint32_t count, int64_t least, double percent)
{
	for (uint32_t i = 0; i < count; i++)
		if ((t->rows[i].total >= least || t->scale != 1) && line_table_part(t, t->rows[i].total) * 100 >= percent)
			t->rows[t->table.count++] = t->rows[i];
		else
			t->others++;
}

struct line_table *line_table_new(const struct profile *p, const struct values *v, uint32_t threads, uint32_t zone,
				  int64_t least, double percent)
{
	struct line_table *t = calloc(1, sizeof(*t));
	struct counting c = { .p = p, .v = v };
	bool of_function = p->zones[zone].flags & ZONE_FUNCTION, done = t;

	for (uint32_t i = 0; done && i < v->node_count; i++)
		if (v->self[i] && profile_selects(p, threads, p->nodes[i].thread)) {
			t->samples += v->self[i];
			if (zone == PROFILE_NO_ZONE || is_below(p, i, zone))
				done = count_node(&c, i, of_function ? zone : PROFILE_NO_ZONE);
		}
	lookup_fini(&c.lookup);
	free(c.last);
	if (!done) {
		free(c.rows);
		free(t);
		return NULL;
	}
	typed_table_init(&t->table, &line_table_type, p->ticks_per_s);
	t->p = p;
	t->scale = v->scale;
	t->rows = c.rows;
	t->table.columns[LINE_FUNCTION].hidden = of_function;
	t->table.columns[LINE_SOURCE].hidden = true;
	leave_out(t, c.count, least, percent);
	if (t->table.count)
		qsort(t->rows, t->table.count, sizeof(*t->rows), of_function ? by_line : by_samples);
	return t;
}

const struct line_row *line_table_hottest(const struct line_table *t)
{
	const struct line_row *hottest = NULL;

	for (uint32_t i = 0; i < t->table.count; i++)
		if (t->rows[i].line && (!hottest || by_samples(&t->rows[i], hottest) < 0))
			hottest = &t->rows[i];
	return hottest;
}

void line_table_sources(struct line_table *t, line_source *source, void *context)
{
	t->source = source;
	t->source_context = context;
	t->table.columns[LINE_SOURCE].hidden = false;
	t->table.columns[LINE_SOURCE].importance = SHEET_GIVES_WAY;
	t->table.columns[LINE_FUNCTION].importance = 9;
}
