/* SPDX-License-Identifier: MIT */
/*
 * settings: options of the screen as text that a user can edit: a line `name = value` each, and behind a #
 * what is for readers.
 *
 * Which there are says the table of options. Where the file is, is up to settings_file.h.
 */
#ifndef PROFTOP_SETTINGS_H
#define PROFTOP_SETTINGS_H

#include "proftop/options.h"

#define SETTINGS_WHY_SIZE 256

/* What is wrong with a text. */
struct settings_fault {
	unsigned line; /* the first line with something wrong, from 1; 0: nothing is */
	unsigned more; /* further ones */
	char why[SETTINGS_WHY_SIZE]; /* safe to show */
};

/* Takes all lines that can be understood. */
void settings_parse(struct options *o, const char *text, struct settings_fault *fault);

/* The text with the options as they are now: lines that set one have the new value, what else stands there
 * stays, what is missing is added with a word on what it is. `before` may be "". Caller frees; NULL: out of
 * memory. */
char *settings_text(const struct options *o, const char *before);

/* The list for proftop.conf.5. */
void settings_roff(FILE *out);

#endif
