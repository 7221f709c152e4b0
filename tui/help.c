/* SPDX-License-Identifier: MIT */
/*
 * help: the answers of proftop to questions about itself.
 */
#include "tui/help.h"

#include <stdio.h>

#include "model/columns.h"
#include "tui/output.h"
#include "tui/say.h"

int help_sort_keys(void)
{
	for (enum column c = 0; c < COLUMNS; c++)
		printf("%-10s %s\n", report_columns[c].key, report_columns[c].help);
	return output_finish(true);
}

int help_print(const struct options *o)
{
	if (o->roff)
		options_roff(stdout);
	else
		options_help(stdout);
	return output_finish(true);
}

int help_no_screen(void)
{
	say("the live screen is not part of this version; -1 prints a report, -j one JSON document "
	    "(proftop -h lists all)");
	return EXIT_USAGE;
}
