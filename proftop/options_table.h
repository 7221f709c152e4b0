/* SPDX-License-Identifier: MIT */
/*
 * options_table: the rows of the command line, for the files that read them: options.c parses,
 * options_help.c prints, settings.c has those of the screen in a file.
 */
#ifndef PROFTOP_OPTIONS_TABLE_H
#define PROFTOP_OPTIONS_TABLE_H

#include <stdint.h>

#include "proftop/options.h"

enum option_kind {
	KIND_FLAG,    /* a bool */
	KIND_TEXT,    /* a const char * */
	KIND_COUNT,   /* a long from least to most */
	KIND_REAL,    /* a double, not negative */
	KIND_BUDGET,  /* a double, in ms */
	KIND_SIZE,    /* a uint64_t, in bytes: 20M */
	KIND_CHOICE,  /* an int, the index of one of choices */
	KIND_HELP,    /* a bool; `=FORM` sets another */
	KIND_EXPORT,  /* one of choices, and behind a : a file */
};

enum option_group { GROUP_WHAT, GROUP_WHICH, GROUP_HOW, GROUP_OTHER, GROUPS };

extern const char *const option_group_titles[GROUPS];

/* What a command line asks for, one of the first fifteen or of the last three, and in which form. */
enum option_with {
	WITH_SCREEN = 1u << 0,
	WITH_ZONES = 1u << 1, /* a report: self, hier or tree */
	WITH_GRAPH = 1u << 2,
	WITH_COUNTERS = 1u << 3,
	WITH_WHY = 1u << 4,
	WITH_THREADS = 1u << 5,
	WITH_TIMELINE = 1u << 6,
	WITH_FREEZE = 1u << 7, /* a report of a frame that is waited for */
	WITH_STREAM = 1u << 8,
	WITH_STACKS = 1u << 9,
	WITH_DIFF = 1u << 10,
	WITH_CHECK = 1u << 11,
	WITH_LIST = 1u << 12,
	WITH_CLEAN = 1u << 13,
	WITH_RECORD = 1u << 14,
	WITH_TEXT = 1u << 15,
	WITH_JSON = 1u << 16,
	WITH_CSV = 1u << 17,
	WITH_NO_PROGRAM = 1u << 18, /* no program behind -- */
	WITH_EVENTS = 1u << 19, /* --export, of single calls */
	WITH_SUMS = 1u << 20,   /* and of stacks */
	WITH_PAGE = 1u << 21,   /* and of a page */
	WITH_EXPORT = WITH_EVENTS | WITH_SUMS | WITH_PAGE,
	WITH_FORMS = WITH_TEXT | WITH_JSON | WITH_CSV,
	WITH_REPORTS = WITH_ZONES | WITH_GRAPH | WITH_COUNTERS | WITH_WHY | WITH_THREADS | WITH_TIMELINE,
	WITH_TIMES = WITH_ZONES | WITH_GRAPH | WITH_WHY | WITH_FREEZE | WITH_DIFF,
	WITH_REGION = WITH_SCREEN | WITH_REPORTS | WITH_FREEZE | WITH_STREAM | WITH_STACKS | WITH_DIFF | WITH_CHECK,
};

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
	/* enum option_with: all that it says something of; beside anything else it is refused, not ignored. Without one of
	 * WITH_FORMS in it: whatever the form */
	unsigned with;
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

/* Whether the options of a command line go together. `given` has bit i for option_table[i]. False: `why` names the two
 * that do not. */
bool options_go_together(const struct options *o, uint64_t given, char *why, size_t why_size);

/* ` N`, ` ms|us|ns`, or nothing. */
void option_argument(const struct option_def *def, char *out, size_t size);

#endif
