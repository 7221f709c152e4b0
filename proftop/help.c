/* SPDX-License-Identifier: MIT */
/*
 * help: the answers of proftop to questions about itself.
 */
#include "proftop/help.h"

#include <ctype.h>
#include <stdio.h>

#include "model/report/columns.h"
#include "model/report/file_kinds.h"
#include "model/table/counter_table.h"
#include "proftop/output.h"
#include "proftop/settings.h"
#include "tui/cells/roff.h"
#include "tui/widgets/commands.h"
#include "tui/widgets/line_commands.h"

int help_sort_keys(void)
{
	for (enum column c = 0; c < COLUMNS; c++)
		printf("%-12s %s\n", report_columns[c].key, report_columns[c].help);
	puts("\nIn the view counters:");
	for (const struct table_column *c = counter_table_type.columns; c < counter_table_type.columns + COUNTER_COLUMNS; c++)
		if (c->sorts)
			printf("%-12s %s\n", c->key, c->help);
	return output_finish(true);
}

int help_exports(void)
{
	options_kinds(stdout);
	return output_finish(true);
}

/* As proftop.1 has them. */
static void exports_roff(FILE *out)
{
	for (int i = 0; i < FILE_KINDS; i++) {
		fputs(".TP\n.B ", out);
		roff_text(file_kind_names[i], out);
		fprintf(out, "\n%c", toupper(file_kinds[i].holds[0]));
		roff_text(file_kinds[i].holds + 1, out);
		fputs(".\nOpens in ", out);
		roff_text(file_kinds[i].opens, out);
		fputs(".\n", out);
	}
}

int help_print(const struct options *o)
{
	static void (*const forms[HELP_FORMS])(FILE *out) = {
		[HELP_ROFF] = options_roff, [HELP_KEYS] = commands_roff,
		[HELP_CONFIG] = settings_roff, [HELP_WORDS] = options_words, [HELP_LINES] = line_commands_roff,
		[HELP_EXPORTS] = exports_roff,
	};

	if (o->help_form == HELP_TEXT)
		options_help(o->help_about, stdout);
	else
		forms[o->help_form](stdout);
	return output_finish(true);
}
