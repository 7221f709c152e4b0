/* SPDX-License-Identifier: MIT */
#include "io/export/export_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "io/export/title.h"
#include "model/base/array.h"
#include "model/base/format.h"
#include "model/boxes/ruler.h"

#define WIDTH 100     /* cells where there is no limit */
#define LEAST 10      /* of the axis */
#define NAME_MOST 16  /* of a thread's name */
#define ROWS_MOST 40  /* of a lane */

struct drawing {
	const struct export *e;
	const struct timeline_report *r;
	const struct export_style *style;
	FILE *out;
	uint32_t names, columns; /* cells of a line: a name, a blank, the axis */
	struct box_run *runs;    /* columns of them */
	char *text;              /* of a run, */
	size_t size;
	enum unit unit;
	bool unknown, away; /* cells that say so are there */
};

static void put_blanks(const struct drawing *d, uint32_t cells)
{
	fprintf(d->out, "%*s", (int)cells, "");
}

static void put_name(const struct drawing *d, const char *bytes)
{
	char *name = name_safe(bytes, d->style->ascii);
	size_t used = 0, length = name ? text_clip(name, d->names, &used) : 0;

	if (length)
		fwrite(name, 1, length, d->out);
	put_blanks(d, d->names - (uint32_t)used + 1);
	free(name);
}

static int64_t tick_of(const struct drawing *d, uint32_t column)
{
	uint64_t span = (uint64_t)(d->r->to - d->r->from);

	return d->r->from + (int64_t)(uint64_t)((unsigned __int128)span * column / d->columns);
}

static void put_ruler(const struct drawing *d)
{
	uint64_t ticks_per_s = d->e->profile->ticks_per_s;

	ruler_text(format_ns(d->r->from - d->r->zero, ticks_per_s), format_ns(d->r->to - d->r->zero, ticks_per_s), d->columns,
		   d->style->ascii, d->text, d->size);
	put_blanks(d, d->names + 1);
	fprintf(d->out, "%s\n", d->text);
}

/* Lanes */

static void label_of(const struct drawing *d, const struct span_list *l, uint32_t depth, uint32_t box,
		     struct box_label *out)
{
	const struct profile *p = d->e->profile;
	struct box_row row = spans_row(l, depth);
	char *name = name_safe(p->zones[p->nodes[l->rows[depth].node[box]].zone].name, d->style->ascii);
	size_t used, bytes = name ? text_clip(name, sizeof(out->name) / 4, &used) : 0;

	snprintf(out->name, sizeof(out->name), "%.*s", (int)bytes, name ? name : "");
	format_time(out->value, sizeof(out->value), row.end[box] - row.begin[box], 1, p->ticks_per_s, d->unit, -1, 0);
	free(name);
}

/* Cells without a call: nothing where the thread was in no zone. */
static void put_nothing(struct drawing *d, const struct span_list *l, const struct box_run *run)
{
	for (uint32_t x = run->x; x < run->x + run->cells; x++) {
		int64_t begin = tick_of(d, x), end = tick_of(d, x + 1);
		enum spans_knowledge known = spans_knows(l, begin + (end - begin) / 2);

		d->unknown |= known == SPANS_UNKNOWN;
		d->away |= known == SPANS_UNBORN || known == SPANS_ENDED;
		fputc(known == SPANS_KNOWN ? ' ' : known == SPANS_UNKNOWN ? '?' : '~', d->out);
	}
}

static void put_row(struct drawing *d, const struct span_list *l, uint32_t depth)
{
	struct box_row row = spans_row(l, depth);
	uint32_t count = box_row_runs(&row, d->r->from, d->r->to, d->columns, d->runs);

	for (uint32_t i = 0; i < count; i++) {
		const struct box_run *run = &d->runs[i];
		struct box_label label = { "", "" };

		if (run->kind == BOX_NONE && !depth) {
			put_nothing(d, l, run);
			continue;
		}
		if (run->kind == BOX_NONE && i + 1 == count)
			break;
		if (run->kind == BOX_ONE)
			label_of(d, l, depth, run->box, &label);
		box_run_text(run, &label, false, d->style->ascii, d->text, d->size);
		fputs(d->text, d->out);
	}
	fputc('\n', d->out);
}

static void put_lane(struct drawing *d, const struct span_list *l)
{
	uint32_t rows = 0;

	while (rows < l->depth && spans_covered(l, rows, d->r->from, d->r->to))
		rows++;
	put_name(d, d->e->profile->threads[l->thread].name);
	put_row(d, l, 0);
	for (uint32_t depth = 1; depth < rows && depth < ROWS_MOST; depth++) {
		put_blanks(d, d->names + 1);
		put_row(d, l, depth);
	}
	if (rows <= ROWS_MOST)
		return;
	put_blanks(d, d->names + 1);
	fprintf(d->out, "(%u rows more)\n", rows - ROWS_MOST);
}

static uint32_t names_width(const struct drawing *d, uint32_t width)
{
	uint32_t most = width / 4 < NAME_MOST ? width / 4 : NAME_MOST, names = 0;

	for (uint32_t i = 0; i < d->r->count; i++) {
		char *name = name_safe(d->e->profile->threads[d->r->lanes[i].list->thread].name, d->style->ascii);
		uint32_t used = name ? (uint32_t)text_width(name) : 0;

		names = used > names ? used : names;
		free(name);
	}
	return names < most ? names : most;
}

static void put_legend(const struct drawing *d)
{
	fprintf(d->out, "times in %s", unit_title(d->unit, d->style->ascii));
	if (d->unknown)
		fprintf(d->out, "   ? not known");
	if (d->away)
		fprintf(d->out, "   ~ the thread was not there");
	fputs("\n\n", d->out);
}

/* Instead of lanes. */
static void put_none(const struct drawing *d)
{
	int64_t known = d->e->profile->now_tick - d->r->since;
	char text[32];

	fputs("no single calls are known of that time", d->out);
	if (known > 0) {
		title_duration(text, sizeof(text), known, d->e->profile->ticks_per_s);
		fprintf(d->out, ", but of the last %s", text);
	}
	fputs("\n\n", d->out);
}

bool text_timeline(const struct export *e, const struct export_style *style, FILE *out)
{
	struct drawing d = { .e = e, .r = e->timeline, .style = style, .out = out };
	uint32_t width = style->width ? style->width : WIDTH;
	bool done;

	d.names = names_width(&d, width);
	d.columns = width > d.names + 1 + LEAST ? width - d.names - 1 : LEAST;
	d.size = (size_t)d.columns * 4 + 1;
	d.runs = array_zeroed(d.columns, sizeof(*d.runs));
	d.text = array_zeroed(d.size, 1);
	d.unit = unit_for((d.r->to - d.r->from) / 10, e->profile->ticks_per_s);
	done = d.runs && d.text;
	if (done && !d.r->count)
		put_none(&d);
	if (done && d.r->count) {
		put_ruler(&d);
		for (uint32_t i = 0; i < d.r->count; i++)
			put_lane(&d, d.r->lanes[i].list);
		put_legend(&d);
	}
	free(d.runs);
	free(d.text);
	return done;
}
