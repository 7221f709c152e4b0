/* SPDX-License-Identifier: MIT */
/*
 * options_table: the rows of the command line, for the files that read them: options.c parses,
 * options_help.c prints, settings.c has those of the screen in a file.
 */
#ifndef TUI_OPTIONS_TABLE_H
#define TUI_OPTIONS_TABLE_H

#include "tui/options.h"

enum option_kind {
	KIND_FLAG,    /* a bool */
	KIND_TEXT,    /* a const char * */
	KIND_COUNT,   /* a long from least to most */
	KIND_REAL,    /* a double, not negative */
	KIND_BUDGET,  /* a double, in ms */
	KIND_CHOICE,  /* an int, the index of one of choices */
	KIND_HELP,    /* a bool; `=FORM` sets another */
};

enum option_group { GROUP_WHAT, GROUP_WHICH, GROUP_HOW, GROUP_OTHER, GROUPS };

extern const char *const option_group_titles[GROUPS];

struct option_def {
	char letter;      /* 0: none */
	const char *name; /* without dashes */
	const char *argument;
	enum option_kind kind;
	enum option_group group;
	size_t field; /* offset in struct options */
	long least, most;
	const char *const *choices;
	int choice_count;
	const char *help;
	const char *unset;   /* the word for what holds where nothing is said; NULL: there is none */
	/* in a file, for the screen */
	const char *setting; /* its name there; NULL: it is not in it */
	bool opposite;       /* there it says the opposite of the option */
	const char *about;   /* what it is there; NULL: `help` says it */
};

extern const struct option_def option_table[];
extern const size_t option_count;

#define OPTION_REDRAW_S 0.1 /* the least, and the default */

/* A value of an option as it is written, into its field of the struct. False: `why` says, of `shown`,
 * what is wrong with it. */
bool option_take(struct options *o, const struct option_def *def, const char *shown, const char *value,
		 char *why, size_t why_size);

/* ` N`, ` ms|us|ns`, or nothing. */
void option_argument(const struct option_def *def, char *out, size_t size);

#endif
