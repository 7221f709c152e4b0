/* SPDX-License-Identifier: MIT */
#include "io/export/export_flame.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"
#include "model/boxes/flame.h"
#include "model/report/columns.h"

#define WIDTH 100 /* where there is no limit */

struct drawing {
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
static void label_of(const struct drawing *d, const struct report_row *row, struct box_label *out)
{
	char *name = name_shown(row->name, d->style->ascii);
	size_t used, bytes = name ? text_clip(name, sizeof(out->name) / 4, &used) : 0, blanks;

	snprintf(out->name, sizeof(out->name), "%.*s", (int)bytes, name ? name : "");
	free(name);
	report_text(d->report, row, *d->report->base ? COLUMN_DELTA : COLUMN_HIER, out->value, sizeof(out->value));
	blanks = strspn(out->value, " ");
	memmove(out->value, out->value + blanks, strlen(out->value + blanks) + 1);
}

/* A background for each hue, as on the screen; what waits, and the root, are pale. */
static void put_colour(const struct drawing *d, const struct report_row *row, FILE *out)
{
	static const uint8_t hues[BOX_HUES] = { 110, 179, 108, 174, 140, 73 }, few[BOX_HUES] = { 4, 3, 2, 5, 6, 1 };
	bool pale = row->waiting || row->parent == PROFILE_NONE;
	uint32_t hue = box_hue(row->name);

	if (d->style->colours >= 256)
		fprintf(out, "\033[38;5;16;48;5;%um", pale ? 250u : hues[hue]);
	else if (d->style->colours)
		fprintf(out, "\033[3%u;4%um", pale || few[hue] == 3 || few[hue] == 2 || few[hue] == 6 ? 0u : 7u, pale ? 7u : few[hue]);
}

static void put_level(const struct drawing *d, uint32_t level, FILE *out)
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
			label_of(d, r, &label);
			put_colour(d, r, out);
		}
		box_run_text(&d->runs[i], &label, d->style->colours ? BOX_AREAS : BOX_BRACKETS, d->style->ascii, d->text, d->size);
		fputs(d->text, out);
		if (r && d->style->colours)
			fputs("\033[0m", out);
	}
	fputc('\n', out);
}

static bool put_section(struct drawing *d, const struct report_section *s, FILE *out)
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
	struct drawing d = { .report = r, .style = style, .width = style->width ? style->width : WIDTH };
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
