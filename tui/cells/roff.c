/* SPDX-License-Identifier: MIT */
#include "tui/cells/roff.h"

static const char *const escapes[128] = {
	['-'] = "\\-", ['~'] = "\\(ti", ['^'] = "\\(ha", ['`'] = "\\(oq", ['\''] = "\\(cq",
	['\\'] = "\\e",
};

void roff_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		const char *escape = (unsigned char)*text < 128 ? escapes[(int)*text] : NULL;

		if (escape)
			fputs(escape, out);
		else
			fputc(*text, out);
	}
}
