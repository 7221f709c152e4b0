/* SPDX-License-Identifier: MIT */
#include "io/export/export_table.h"

#include <inttypes.h>
#include <stdlib.h>

bool export_row(const struct sheet *s, uint32_t row, bool bold, FILE *out)
{
	struct layout_line line;

	if (!sheet_line(s, row, &line))
		return false;
	fprintf(out, bold ? "\033[1m%s\033[0m\n" : "%s\n", line.text);
	free(line.text);
	free(line.spans);
	return true;
}

bool export_table_text(const struct typed_table *t, const struct export_style *style, FILE *out)
{
	const struct typed_look look = { .output = TABLE_TEXT, .ascii = style->ascii, .width = style->width, .precision = -1 };
	struct sheet s;
	bool done;

	if (t->nothing) {
		fprintf(out, "%s\n\n", t->nothing);
		return !ferror(out);
	}
	typed_table_sheet(t, &look, &s);
	for (uint32_t row = 0; row < t->count && !s.failed; row++)
		typed_table_add(t, &look, &s, row);
	sheet_fit(&s, style->width);
	done = !s.failed && export_row(&s, SHEET_TITLES, style->colours, out);
	for (uint32_t row = 0; row < t->count && done; row++)
		done = export_row(&s, row, false, out);
	sheet_fini(&s);
	if (t->left_out)
		fprintf(out, "%" PRIu32 " more hidden by the filter\n", t->left_out);
	fputc('\n', out);
	return done && !ferror(out);
}
