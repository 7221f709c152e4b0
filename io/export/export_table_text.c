/* SPDX-License-Identifier: MIT */
#include "io/export/export_table.h"

#include <inttypes.h>
#include <stdlib.h>

/* Colours. They repeat what the text says, so without them nothing is missing. */

static const char *heat_colour(float heat, int colours)
{
	static const char *const few[] = { "32", "33", "1;33", "1;37" };
	static const char *const many[] = { "38;5;34", "38;5;142", "38;5;220", "1;38;5;231" };
	int step = heat < 0.2f ? 0 : heat < 0.5f ? 1 : heat < 0.8f ? 2 : 3;

	return colours >= 256 ? many[step] : few[step];
}

static const char *role_colour(const struct layout_span *span, int colours)
{
	static const char *const roles[] = {
		[STYLE_TITLE] = "1", [STYLE_SORTED] = "1;4", [STYLE_THREAD] = "1",
		[STYLE_NAME] = "",   [STYLE_FOCUS] = "1",    [STYLE_NUMBER] = "",
		[STYLE_DIM] = "2",   [STYLE_HEAT] = "",    [STYLE_WARM] = "",
		[STYLE_BAR] = "36",  [STYLE_LABEL] = "",     [STYLE_STATE] = "",
		[STYLE_ALARM] = "",  [STYLE_OVER] = "",      [STYLE_GRAPH] = "",
		[STYLE_CHOSEN] = "", [STYLE_FOUND] = "",
	};

	if (!colours)
		return "";
	if (span->role == STYLE_HEAT || span->role == STYLE_WARM)
		return heat_colour(span->heat, colours);
	return roles[span->role];
}

static void put_span(const struct layout_line *line, const struct layout_span *span, int colours,
		     FILE *out)
{
	const char *colour = role_colour(span, colours);

	if (*colour)
		fprintf(out, "\033[%sm", colour);
	fwrite(line->text + span->start, 1, span->length, out);
	if (*colour)
		fputs("\033[0m", out);
}

struct put_lines {
	int colours;
	FILE *out;
};

static void put_line(void *context, const struct layout_line *line)
{
	const struct put_lines *to = context;
	FILE *out = to->out;
	uint32_t at = 0;

	for (uint32_t i = 0; i < line->span_count; i++) {
		const struct layout_span *span = &line->spans[i];

		if (span->start < at)
			continue;
		fwrite(line->text + at, 1, span->start - at, out);
		put_span(line, span, to->colours, out);
		at = span->start + span->length;
	}
	fputs(line->text + at, out);
	fputc('\n', out);
}

bool export_row(const struct sheet *s, uint32_t row, FILE *out)
{
	struct layout_line line;

	if (!sheet_line(s, row, &line))
		return false;
	fprintf(out, "%s\n", line.text);
	free(line.text);
	free(line.spans);
	return true;
}

bool export_table_text(const struct typed_table *t, const struct export_style *style, FILE *out)
{
	const struct typed_look look = { .output = TABLE_TEXT, .ascii = style->ascii, .width = style->width, .cells = style->width,
					 .precision = -1 };
	struct put_lines to = { style->colours, out };
	bool done;

	if (t->nothing) {
		fprintf(out, "%s\n\n", t->nothing);
		return !ferror(out);
	}
	done = typed_table_lines(t, &look, put_line, &to);
	if (t->left_out)
		fprintf(out, "%" PRIu32 " more hidden by the filter\n", t->left_out);
	fputc('\n', out);
	return done && !ferror(out);
}
