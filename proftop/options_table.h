/* SPDX-License-Identifier: MIT */
/*
 * options_table: the rows of the command line, for the files that read them: options.c parses, options_help.c prints,
 * settings.c has those of the screen in a file.
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
	KIND_TARGET,  /* one more of options.targets */
};

enum option_group { GROUP_WHAT, GROUP_CLEAN, GROUP_WHICH, GROUP_HOW, GROUP_OTHER, GROUPS };

extern const char *const option_group_titles[GROUPS];
extern const char *const option_report_views[OPTION_VIEWS]; /* NULL: reports have no such view */

/* The kinds of things that a command line can ask for: a command, for some commands a kind of view or file too,
 * and the form of the output. */
enum option_with {
	WITH_SCREEN = 1u << 0,
	WITH_FLAT = 1u << 1, /* report: self or hier */
	WITH_TREE = 1u << 2,
	WITH_FLAME = 1u << 3,
	WITH_GRAPH = 1u << 4,
	WITH_COUNTERS = 1u << 5,
	WITH_THREADS = 1u << 6,
	WITH_TIMELINE = 1u << 7,
	WITH_EVENT_LIST = 1u << 8,
	WITH_WORST = 1u << 9,
	WITH_WHY = 1u << 10,
	WITH_STREAM = 1u << 11,
	WITH_STACKS = 1u << 12,
	WITH_RECORD = 1u << 13,
	WITH_EVENTS = 1u << 14, /* export: single calls */
	WITH_TABLES = 1u << 15, /* the tables of single calls */
	WITH_SUMS = 1u << 16,   /* zone stacks */
	WITH_PAGE = 1u << 17,
	WITH_FILED = 1u << 18, /* a report as a file */
	WITH_DIFF = 1u << 19,
	WITH_CHECK = 1u << 20,
	WITH_LIST = 1u << 21,
	WITH_CLEAN = 1u << 22,
	WITH_HELP = 1u << 23,
	WITH_FUNCTIONS = 1u << 24, /* report */
	WITH_SAMPLES_LOG = 1u << 25,
	WITH_LINES = 1u << 26, /* report */
	WITH_TEXT = 1u << 27, /* the forms; an option with none of them has nothing to do with the form */
	WITH_JSON = 1u << 28,
	WITH_CSV = 1u << 29,

	WITH_FORMS = WITH_TEXT | WITH_JSON | WITH_CSV,
	WITH_ZONES = WITH_FLAT | WITH_TREE | WITH_FLAME,
	WITH_REPORT = WITH_ZONES | WITH_GRAPH | WITH_COUNTERS | WITH_THREADS | WITH_TIMELINE | WITH_EVENT_LIST | WITH_WORST |
	              WITH_FUNCTIONS | WITH_LINES,
	WITH_REPORTS = WITH_REPORT | WITH_WHY,
	WITH_EXPORT = WITH_EVENTS | WITH_TABLES | WITH_SUMS | WITH_PAGE | WITH_FILED | WITH_SAMPLES_LOG,
	WITH_TIMES = WITH_ZONES | WITH_GRAPH | WITH_WHY | WITH_DIFF,
	WITH_REGION = WITH_SCREEN | WITH_REPORTS | WITH_STREAM | WITH_STACKS | WITH_DIFF | WITH_CHECK,
	WITH_ALL = WITH_TEXT - 1,
	WITH_TRACE = WITH_REGION | WITH_PAGE | WITH_FILED | WITH_RECORD,
};

/* The operand before the targets. */
enum operand { OPERAND_NONE, OPERAND_CONDITION, OPERAND_KIND, OPERAND_PROGRAM, OPERAND_COMMAND };

#define SUBCOMMAND_EXAMPLES 3 /* at most */

struct subcommand_def {
	const char *name;
	const char *operands; /* as in `proftop NAME [option...] OPERANDS` */
	const char *summary;  /* a line of the list of commands */
	const char *about;    /* NULL: the summary says all */
	const char *topic;    /* lines that help prints before the options; NULL: none */
	const char *examples[SUBCOMMAND_EXAMPLES];
	unsigned with;        /* the bits of enum option_with that are this command */
	enum operand first;
	int least, most;      /* targets */
	bool program;         /* `-- program` may stand in place of a target */
	const char *required; /* the name of an option; NULL: none */
};

extern const struct subcommand_def subcommands[SUBCOMMANDS];

struct option_def {
	char letter;      /* 0: none */
	const char *name; /* without dashes. Rows of one name are of different commands */
	const char *argument;
	enum option_kind kind;
	enum option_group group;
	size_t field; /* offset in struct options */
	long least, most;
	double floor; /* KIND_REAL is at least that */
	const char *const *choices; /* NULL: a choice that this row does not have */
	int choice_count;
	const char *help;
	/* enum option_with: all that it says something of; beside anything else it is refused, not ignored. */
	unsigned with;
	bool is_target;    /* stands in place of a target */
	bool for_program;  /* refused without a program behind -- */
	bool no_program;   /* refused beside a program behind -- */
	const char *needs; /* another option, without which this one says nothing; NULL: none */
	const char *unset;   /* the word for what holds where nothing is said; NULL: there is none */
	/* in a file, for the screen */
	const char *setting; /* its name there; NULL: it is not in it */
	bool opposite;       /* there it says the opposite of the option */
	const char *about;   /* what it is there; NULL: `help` says it */
};

extern const struct option_def option_table[];
#define OPTIONS_MOST 96
extern const size_t option_count;

/* Two options that are refused beside one another. */
struct option_pair {
	const char *a, *b;
	const char *value; /* only beside this text as the value of b; NULL: beside any */
};

extern const struct option_pair option_pairs[];
extern const size_t option_pair_count;

/* A value that goes with less than its option does. */
struct option_value {
	const char *option, *value;
	unsigned with;
};

extern const struct option_value option_values[];
extern const size_t option_value_count;

/* What to type in place of a word that is no option, view, kind of export or command. */
struct option_hint {
	const char *word, *instead;
};

extern const struct option_hint option_hints[];
extern const size_t option_hint_count;

/* An exit status, in the words of the commands that have it. */
struct option_status {
	int status;
	const char *meaning;
	unsigned with;
};

extern const struct option_status option_statuses[];
extern const size_t option_status_count;

extern const char *const option_with_names[]; /* by bit of enum option_with */

#define OPTION_REDRAW_S 0.1 /* the least, and the default */

/* A value of an option as it is written, into its field of the struct. False: `why` says, of `shown`,
 * what is wrong with it. */
bool option_take(struct options *o, const struct option_def *def, const char *shown, const char *value,
		 char *why, size_t why_size);

/* The command of this name; NULL: there is none. */
const struct subcommand_def *subcommand_find(const char *name);

/* ` N`, ` ms|us|ns`, or nothing. */
void option_argument(const struct option_def *def, char *out, size_t size);

#endif
