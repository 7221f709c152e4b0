/* SPDX-License-Identifier: MIT */
/*
 * options: the command line of proftop: a command, its options, and what it is about.
 *
 * Parsing, what is wrong with a command line, help, completions and the lists in the manual all come from the two tables in
 * options_table.c, of commands and of options.
 */
#ifndef PROFTOP_OPTIONS_H
#define PROFTOP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum subcommand {
	SUBCOMMAND_SCREEN, /* the one without a name on the command line */
	SUBCOMMAND_RUN,    /* becomes SCREEN with a program */
	SUBCOMMAND_REPORT,
	SUBCOMMAND_WHY,
	SUBCOMMAND_STREAM,
	SUBCOMMAND_STACKS,
	SUBCOMMAND_RECORD,
	SUBCOMMAND_EXPORT,
	SUBCOMMAND_DIFF,
	SUBCOMMAND_CHECK,
	SUBCOMMAND_LIST,
	SUBCOMMAND_CLEAN,
	SUBCOMMAND_HELP,
	SUBCOMMANDS
};

/* Forms of --help: for a user; the commands with their options, and the keys, as proftop.1 has them; the
 * settings as proftop.conf.5 has them; commands that can be typed; the kinds of exports; words for the
 * completions of shells, a line per command or option. */
enum help_form { HELP_TEXT, HELP_ROFF, HELP_KEYS, HELP_CONFIG, HELP_WORDS, HELP_LINES, HELP_EXPORTS, HELP_FORMS };

enum colour { COLOUR_AUTO, COLOUR_NEVER, COLOUR_8, COLOUR_16, COLOUR_256, COLOUR_CHOICES };

#define OPTION_VIEW_WHY 4 /* behind those of enum report_view */
#define OPTION_VIEW_COUNTERS 5
#define OPTION_VIEW_THREADS 6 /* of reports alone: on the screen it is a list over any view */
#define OPTION_VIEW_FLAME 7
#define OPTION_VIEW_TIMELINE 8 /* of reports alone */
#define OPTION_VIEW_EVENTS 9
#define OPTION_VIEW_WORST 10 /* of reports alone: the screen has a key for it */
#define OPTION_VIEW_FUNCTIONS 11
#define OPTION_VIEW_LINES 12 /* of reports alone: the screen has them below the call graph of a function */
#define OPTION_VIEWS 13

enum waits { WAITS_LAST, WAITS_BY_SIZE, WAITS_CHOICES }; /* where zones that wait stand */
enum by { BY_STACK, BY_ZONE, BY_CHOICES };

#define OPTION_TARGETS 8 /* at most */

struct options {
	/* what to do */
	enum subcommand command; /* SCREEN also for RUN */
	const struct subcommand_def *help_about; /* of --help, or of the command help; NULL: all commands */
	bool help, version;
	bool json, csv, spreadsheet;
	const char *check; /* of the command check: what must hold of the frames */
	bool export_help;  /* the kinds are listed */
	int export;        /* of the command export: enum file_kind; else -1 */
	double over_ms;    /* the screen stops at the first frame over this, the command why is of it; 0: no such */
	bool dead, yes; /* of the command clean */
	const char *frame_event, *frame_zone; /* what ends a frame of a trace that has none; NULL: not said */
	bool merge_threads; /* of a trace: those of one name */
	bool anomalies;     /* lists what is wrong in it */
	const char *output; /* the recording, report or export goes there; NULL: no recording, or to stdout */
	double seconds;     /* so long it goes on; 0: without end */
	double only_slow_ms; /* of these frames alone; 0: of all */
	bool each_frame;    /* of exported tables */
	bool no_calls;      /* no single calls go into it */
	uint64_t max_size;  /* bytes; 0: no limit */
	/* of what */
	const char *target; /* NAME, PID or FILE, perhaps with @frame; the first; NULL: not said */
	const char *targets[OPTION_TARGETS]; /* all of them */
	int target_count;
	bool named;         /* the first is the value of --name, and so no command that is misspelled */
	bool from_input;    /* one of them is standard input */
	char **app;         /* behind `--`; NULL: none */
	bool sample;        /* it is sampled */
	double wait_s; /* below 0: not said */
	bool any_user;
	/* which part of it, and how it is shown */
	long frames; /* 0: the whole run */
	const char *thread, *zone, *sort, *filter;
	const char *measure; /* its key; NULL: time */
	const char *from, *to; /* times before the end, of the view timeline; NULL: not said */
	int view;    /* enum report_view, or one of OPTION_VIEW_ */
	int unit;    /* enum unit */
	int average; /* enum average_slot; -1: none */
	long precision; /* -1: the unit's own */
	bool spread, bottom_up, ascii, log_axis, no_events;
	int waits;    /* enum waits */
	int worst;    /* enum worst_order */
	int by;       /* enum by, of why and diff */
	long top;     /* rows a thread of these, or frames of the view worst; 0: all, or as many as the screen has */
	double least; /* percent of the thread's difference, or of all samples, that a row is at least; below 0: not said */
	long least_samples; /* of a function; likewise */
	bool subtract; /* what measuring costs is taken off */
	double budget_ms; /* 0: none */
	double redraw_s;  /* least time between two looks at the program, on the screen */
	bool no_mouse;
	bool no_title;
	int colour; /* enum colour */
	int theme;  /* enum theme_kind */
	/* the file of settings */
	const char *config; /* NULL: the usual one */
	bool no_config;
	const char *notice; /* what is wrong with it, to be said on the screen; NULL: nothing */
	int help_form;      /* enum help_form, of --help */
};

/* Sets all options to their defaults. */
void options_begin(struct options *o);

/* Takes a command line over what there is. False: `why` says what is wrong with it. Strings are those of
 * argv. */
bool options_parse(struct options *o, int argc, char **argv, char *why, size_t why_size);

/* The command that the screen was asked for with, if `word` is like a command's name but for one letter; NULL: it is not. */
const char *options_similar_command(const char *word);

/* What to type for a word that has no meaning where it stands: `proftop report -v tree NAME`. False: proftop does not know
 * the word. */
bool options_instead(const char *word, char *out, size_t size);

/* The name of a command in a sentence: the word behind `proftop`. */
const char *options_command_name(enum subcommand command);

void options_help(const struct subcommand_def *about, FILE *out); /* NULL: all commands, a line each */
void options_kinds(FILE *out); /* of files, for the command export */
void options_roff(FILE *out);  /* the lists of commands and options for proftop.1 */
void options_words(FILE *out); /* `command TAB --name TAB -x TAB ARGUMENT TAB a|b|c TAB help`, a line each; the
				* line of the command itself has no name */

/* Answers about proftop itself. They return an exit status. */

/* -h, --help=roff, --help=keys. */
int help_print(const struct options *o);

/* -s help: the names of the columns. */
int help_sort_keys(void);

/* proftop export help: the kinds of files. */
int help_exports(void);

#endif
