/* SPDX-License-Identifier: MIT */
#include "io/export/export_sheet.h"

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
