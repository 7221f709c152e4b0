/* SPDX-License-Identifier: MIT */
/*
 * help: the answers of proftop to questions about itself.
 */
#include "tui/help.h"

#include <stdio.h>

#include "model/columns.h"
#include "tui/commands.h"
#include "tui/output.h"

int help_sort_keys(void)
{
	for (enum column c = 0; c < COLUMNS; c++)
		printf("%-10s %s\n", report_columns[c].key, report_columns[c].help);
	return output_finish(true);
}

int help_print(const struct options *o)
{
	if (o->keys)
		commands_roff(stdout);
	else if (o->roff)
		options_roff(stdout);
	else
		options_help(stdout);
	return output_finish(true);
}
