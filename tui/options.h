/* SPDX-License-Identifier: MIT */
/*
 * options: the command line of proftop, out of one table.
 *
 * Parsing, what is wrong with a command line, --help and the list in the manual all come from
 * option_table in options.c.
 */
#ifndef TUI_OPTIONS_H
#define TUI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum colour { COLOUR_AUTO, COLOUR_NEVER, COLOUR_8, COLOUR_16, COLOUR_256, COLOUR_CHOICES };

struct options {
	/* what to do */
	bool once, json, csv, stream, stacks, list, clean, help, version;
	bool dead, yes; /* of --clean */
	/* of what */
	const char *target; /* NAME, PID or FILE; NULL: not said */
	char **app;         /* behind `--`; NULL: none */
	double wait_s; /* below 0: not said */
	bool any_user;
	/* which part of it, and how it is shown */
	long frames; /* 0: the whole run */
	const char *thread, *zone, *sort, *filter;
	int view;    /* enum report_view */
	int unit;    /* enum unit */
	int average; /* enum average_slot; -1: none */
	long precision; /* -1: the unit's own */
	bool spread, ascii;
	double budget_ms; /* 0: none */
	double redraw_s;  /* least time between two looks at the program, on the screen */
	bool no_mouse;
	int colour; /* enum colour */
	bool roff, keys; /* --help: the options or the keys, as the manual has them */
};

/* False: `why` says what is wrong with the command line. Strings are those of argv. */
bool options_parse(struct options *o, int argc, char **argv, char *why, size_t why_size);

/* One of the options that print a report or data and end. */
bool options_batch(const struct options *o);

void options_help(FILE *out);
void options_roff(FILE *out); /* the list of options for proftop.1 */

#endif
