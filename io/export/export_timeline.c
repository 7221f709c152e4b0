/* SPDX-License-Identifier: MIT */
#include "io/export/export_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "io/export/title.h"
#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/text.h"
#include "model/boxes/flame.h"
#include "model/boxes/ruler.h"
#include "model/boxes/sums.h"
#include "model/report/zone_table.h"

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
	struct sum_frames frames;
	struct sums sums;                   /* of the lane */
	struct box_run *runs, *sum_runs;    /* columns of each */
	uint32_t blanks;                    /* that are put before what comes next on the line */
	char *text;              /* of a run, */
	size_t size;
	enum unit unit;
	bool unknown, away, summed; /* cells that say so are there */
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

static void label_of(const struct drawing *d, uint32_t node, int64_t length, struct box_label *out)
{
	const struct profile *p = d->e->profile;
	char *name = name_safe(p->zones[p->nodes[node].zone].name, d->style->ascii);
	size_t used, bytes = name ? text_clip(name, sizeof(out->name) / 4, &used) : 0;

	snprintf(out->name, sizeof(out->name), "%.*s", (int)bytes, name ? name : "");
	if (length > 0)
		format_time_shown(out->value, sizeof(out->value), length, 1, p->ticks_per_s, d->unit, -1, 0);
	free(name);
}

static void flush_blanks(struct drawing *d)
{
	put_blanks(d, d->blanks);
	d->blanks = 0;
}

/* A cell without a box: nothing where the thread was in no zone. */
static void put_nothing(struct drawing *d, const struct timeline_lane *lane, uint32_t depth, uint32_t x)
{
	int64_t middle = tick_of(d, x) + (tick_of(d, x + 1) - tick_of(d, x)) / 2;
	enum spans_knowledge known = lane->list ? spans_knows(lane->list, middle) : SPANS_UNKNOWN;

	if (depth || known == SPANS_KNOWN || (known == SPANS_UNKNOWN && sums_piece(&d->sums, middle))) {
		d->blanks++;
		return;
	}
	flush_blanks(d);
	d->unknown |= known == SPANS_UNKNOWN;
	d->away |= known != SPANS_UNKNOWN;
	fputc(known == SPANS_UNKNOWN ? '?' : '~', d->out);
}

static void put_run(struct drawing *d, const struct box_run *run, const struct box_row *row, const uint32_t *nodes, bool sums)
{
	struct box_label label = { .name = "" };

	if (run->kind == BOX_ONE) {
		const struct sum_piece *piece = sums ? sums_piece(&d->sums, row->begin[run->box]) : NULL;

		label_of(d, nodes[run->box], piece && piece->scaled ? 0 : row->end[run->box] - row->begin[run->box], &label);
	}
	flush_blanks(d);
	d->summed |= sums;
	box_run_text(run, &label, sums ? BOX_BRACES : BOX_BRACKETS, d->style->ascii, d->text, d->size);
	fputs(d->text, d->out);
}

/* Where no single calls are: the boxes of sums, which lie there, or nothing. */
static void put_between(struct drawing *d, const struct timeline_lane *lane, uint32_t depth, const struct box_run *between)
{
	struct box_row row = sums_row(&d->sums, depth);
	uint32_t count = box_row_runs(&row, tick_of(d, between->x), tick_of(d, between->x + between->cells), between->cells,
				      d->sum_runs);

	for (uint32_t i = 0; i < count; i++) {
		struct box_run *run = &d->sum_runs[i];

		for (uint32_t x = 0; run->kind == BOX_NONE && x < run->cells; x++)
			put_nothing(d, lane, depth, between->x + run->x + x);
		if (run->kind != BOX_NONE)
			put_run(d, run, &row, d->sums.rows[depth].node, true);
	}
}

static void put_row(struct drawing *d, const struct timeline_lane *lane, uint32_t depth)
{
	struct box_row row = lane->list ? spans_row(lane->list, depth) : (struct box_row){ 0 };
	uint32_t count = box_row_runs(&row, d->r->from, d->r->to, d->columns, d->runs);

	for (uint32_t i = 0; i < count; i++)
		if (d->runs[i].kind == BOX_NONE)
			put_between(d, lane, depth, &d->runs[i]);
		else
			put_run(d, &d->runs[i], &row, lane->list->rows[depth].node, false);
	fputc('\n', d->out);
	d->blanks = 0;
}

static bool put_lane(struct drawing *d, const struct timeline_lane *lane)
{
	const struct span_list *l = lane->list;
	uint32_t rows = 0;

	if (!sums_fill(&d->sums, d->e->profile, lane->thread, l, &d->frames))
		return false;
	while (l && rows < l->depth && spans_covered(l, rows, d->r->from, d->r->to))
		rows++;
	rows = d->sums.depth > rows ? d->sums.depth : rows;
	put_name(d, d->e->profile->threads[lane->thread].name);
	put_row(d, lane, 0);
	for (uint32_t depth = 1; depth < rows && depth < ROWS_MOST; depth++) {
		put_blanks(d, d->names + 1);
		put_row(d, lane, depth);
	}
	if (rows > ROWS_MOST) {
		put_blanks(d, d->names + 1);
		fprintf(d->out, "(%u more rows)\n", rows - ROWS_MOST);
	}
	return true;
}

static uint32_t names_width(const struct drawing *d, uint32_t width)
{
	uint32_t most = width / 4 < NAME_MOST ? width / 4 : NAME_MOST, names = 0;

	for (uint32_t i = 0; i < d->r->count; i++) {
		char *name = name_safe(d->e->profile->threads[d->r->lanes[i].thread].name, d->style->ascii);
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
	if (d->summed)
		fprintf(d->out, "   {} sum of a frame");
	if (d->away)
		fprintf(d->out, "   ~ the thread did not run");
	fputs("\n\n", d->out);
}

/* Instead of lanes. */
static void put_none(const struct drawing *d)
{
	int64_t known = d->e->profile->now_tick - d->r->since;
	char text[128];

	fputs("no single calls are known from that time", d->out);
	if (known > 0) {
		title_stretch(text, sizeof(text), known, 0, d->e->profile->ticks_per_s, d->style->ascii);
		fprintf(d->out, ", but of %s", text);
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
	d.sum_runs = array_zeroed(d.columns, sizeof(*d.sum_runs));
	done = d.runs && d.sum_runs && d.text && sum_frames_pick(&d.frames, e->profile, d.r->from, d.r->to, d.columns);
	if (done && !d.r->count)
		put_none(&d);
	if (done && d.r->count) {
		put_ruler(&d);
		for (uint32_t i = 0; i < d.r->count && done; i++)
			done = put_lane(&d, &d.r->lanes[i]);
		put_legend(&d);
	}
	sums_fini(&d.sums);
	sum_frames_fini(&d.frames);
	free(d.runs);
	free(d.sum_runs);
	free(d.text);
	return done;
}

struct flame_drawing {
	const struct report *report;
	const struct report_section *section;
	const struct flame *flame;
	const struct export_style *style;
	uint32_t width;
	struct box_run *runs; /* width of them */
	char *text;           /* of a run, */
	size_t size;
};

/* With a base the differences. */
static void row_label(const struct flame_drawing *d, const struct report_row *row, struct box_label *out)
{
	char *name = name_shown(row->name, d->style->ascii);
	size_t used, bytes = name ? text_clip(name, sizeof(out->name) / 4, &used) : 0;

	snprintf(out->name, sizeof(out->name), "%.*s", (int)bytes, name ? name : "");
	free(name);
	report_text(d->report, row, *d->report->base ? COLUMN_DELTA : COLUMN_HIER, d->style->ascii, out->value, sizeof(out->value));
}

/* A background for each hue, as on the screen; what waits, and the root, are pale. */
static void put_colour(const struct flame_drawing *d, const struct report_row *row, FILE *out)
{
	static const uint8_t hues[BOX_HUES] = { 110, 179, 108, 174, 140, 73 }, few[BOX_HUES] = { 4, 3, 2, 5, 6, 1 };
	bool pale = row->waiting || row->parent == PROFILE_NONE;
	uint32_t hue = box_hue(row->name);

	if (d->style->colours >= 256)
		fprintf(out, "\033[38;5;16;48;5;%um", pale ? 250u : hues[hue]);
	else if (d->style->colours)
		fprintf(out, "\033[3%u;4%um", pale || few[hue] == 3 || few[hue] == 2 || few[hue] == 6 ? 0u : 7u, pale ? 7u : few[hue]);
}

static void put_level(const struct flame_drawing *d, uint32_t level, FILE *out)
{
	struct box_row row = flame_level(d->flame, level);
	uint32_t count = box_row_runs(&row, 0, d->flame->whole, d->width, d->runs);

	count -= count && d->runs[count - 1].kind == BOX_NONE; /* no blanks at the end of a line */
	for (uint32_t i = 0; i < count; i++) {
		const struct report_row *r = NULL;
		struct box_label label = { .name = "" };

		if (d->runs[i].kind == BOX_ONE)
			r = &d->section->rows[d->flame->rows[d->flame->levels[level] + d->runs[i].box]];
		if (r) {
			row_label(d, r, &label);
			put_colour(d, r, out);
		}
		box_run_text(&d->runs[i], &label, d->style->colours ? BOX_AREAS : BOX_BRACKETS, d->style->ascii, d->text, d->size);
		fputs(d->text, out);
		if (r && d->style->colours)
			fputs("\033[0m", out);
	}
	fputc('\n', out);
}

static bool put_section(struct flame_drawing *d, const struct report_section *s, FILE *out)
{
	struct flame *flame = flame_make(s, false);
	char *name = d->report->section_count > 1 ? name_shown(s->name, d->style->ascii) : NULL;

	d->section = s;
	d->flame = flame;
	if (name)
		fprintf(out, "thread: %s\n", name);
	free(name);
	for (uint32_t level = 0; flame && level < flame->depth; level++)
		put_level(d, level, out);
	fputc('\n', out);
	flame_free(flame);
	return flame;
}

bool text_flame(const struct report *r, const struct export_style *style, FILE *out)
{
	struct flame_drawing d = { .report = r, .style = style, .width = style->width ? style->width : WIDTH };
	bool done;

	d.size = (size_t)d.width * 4 + 1;
	d.runs = array_zeroed(d.width, sizeof(*d.runs));
	d.text = array_zeroed(d.size, 1);
	done = d.runs && d.text;
	for (uint32_t i = 0; i < r->section_count && done; i++)
		done = put_section(&d, &r->sections[i], out);
	free(d.runs);
	free(d.text);
	return done;
}
