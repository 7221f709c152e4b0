/* SPDX-License-Identifier: MIT */
#include "tui/options.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/average.h"
#include "model/columns.h"
#include "model/format.h"
#include "tui/roff.h"

enum kind {
	KIND_FLAG,    /* a bool */
	KIND_TEXT,    /* a const char * */
	KIND_COUNT,   /* a long from least to most */
	KIND_REAL,    /* a double, not negative */
	KIND_CHOICE,  /* an int, the index of one of choices */
	KIND_HELP,    /* a bool; `=roff` and `=keys` set another */
};

enum group { GROUP_WHAT, GROUP_WHICH, GROUP_HOW, GROUP_OTHER, GROUPS };

static const char *const group_titles[GROUPS] = {
	[GROUP_WHAT] = "What to do",
	[GROUP_WHICH] = "Of what",
	[GROUP_HOW] = "How it is shown",
	[GROUP_OTHER] = "Other",
};

static const char *const colour_names[COLOUR_CHOICES] = {
	[COLOUR_AUTO] = "auto", [COLOUR_NEVER] = "never", [COLOUR_8] = "8",
	[COLOUR_16] = "16",     [COLOUR_256] = "256",
};

struct option_def {
	char letter;      /* 0: none */
	const char *name; /* without dashes */
	const char *argument;
	enum kind kind;
	enum group group;
	size_t field; /* offset in struct options */
	long least, most;
	const char *const *choices;
	int choice_count;
	const char *help;
};

#define REDRAW_S 0.1

#define FIELD(name) .field = offsetof(struct options, name)
#define CHOICES(list, count) .choices = list, .choice_count = count

static const struct option_def option_table[] = {
	{ .letter = '1', .name = "once", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(once),
	  .help = "Print a report as text and exit." },
	{ .letter = 'j', .name = "json", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(json),
	  .help = "Print one JSON document: the report and all that it is made of. With -l the list, "
		  "with --stacks the stacks." },
	{ .name = "csv", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(csv),
	  .help = "Print the report as comma-separated values." },
	{ .name = "stacks", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(stacks),
	  .help = "Print the zones that are open in each thread; of a dead process, those that were "
		  "open when it died, and how long at least." },
	{ .letter = 'l', .name = "list", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(list),
	  .help = "List the regions of this machine: name, process, state, age, size, how many "
		  "seconds of history they hold, user, command." },
	{ .name = "clean", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(clean),
	  .help = "Remove the region NAME, or with --dead all regions, if their process is proved "
		  "dead. Asks before it does." },
	{ .name = "dead", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(dead),
	  .help = "With --clean: all regions of dead processes." },
	{ .letter = 'y', .name = "yes", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(yes),
	  .help = "With --clean: do not ask." },

	{ .letter = 'n', .name = "frames", .argument = "N", .kind = KIND_COUNT, .group = GROUP_WHICH,
	  FIELD(frames), .least = 1, .most = 1000000000,
	  .help = "Cover the last N complete frames instead of the whole run; wait until there are N "
		  "or the program ends. Discarded frames do not count." },
	{ .letter = 't', .name = "thread", .argument = "THREAD", .kind = KIND_TEXT,
	  .group = GROUP_WHICH, FIELD(thread),
	  .help = "A thread by its name or id, `each' for a section a thread, `all' for all threads "
		  "merged. A report is of all if nothing is said, the screen of the thread that marks "
		  "frames." },
	{ .letter = 'w', .name = "wait", .argument = "SEC", .kind = KIND_REAL,
	  .group = GROUP_WHICH, FIELD(wait_s),
	  .help = "Wait so long for the region to appear. A report does not wait if it is not told to; "
		  "the screen waits without end." },
	{ .name = "any-user", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(any_user),
	  .help = "Also regions of other users." },

	{ .letter = 'v', .name = "view", .argument = "VIEW", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(view), CHOICES(report_view_names, REPORT_VIEWS),
	  .help = "self: by the time in each zone itself (the default). hier: with all that runs "
		  "inside. graph: who calls the zone of -z, and what it calls. tree: the zone "
		  "stacks from the root down." },
	{ .letter = 'z', .name = "zone", .argument = "ZONE", .kind = KIND_TEXT, .group = GROUP_HOW,
	  FIELD(zone),
	  .help = "The zone of the call graph: its name, name@file:line where several have it, "
		  "and with --spread name(2) for its second level of recursion." },
	{ .letter = 's', .name = "sort", .argument = "KEY", .kind = KIND_TEXT, .group = GROUP_HOW,
	  FIELD(sort), .help = "Sort by a column; `help' lists them." },
	{ .letter = 'f', .name = "filter", .argument = "FILTER", .kind = KIND_TEXT,
	  .group = GROUP_HOW, FIELD(filter),
	  .help = "Only rows whose zone contains this text, whatever its case; behind a ~ it is an "
		  "extended regular expression." },
	{ .name = "spread", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(spread),
	  .help = "Each depth of recursion is a zone of its own: name, name(2), and so on." },
	{ .name = "average", .argument = "SLOT", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(average), CHOICES(average_names, AVERAGE_SLOTS),
	  .help = "An average frame instead of totals: now, the newest frame; fast and slow, over "
		  "about 0.8 and 2.5 s; run, over all that is covered." },
	{ .letter = 'u', .name = "unit", .argument = "UNIT", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(unit), CHOICES(unit_names, UNITS),
	  .help = "The unit of times; auto: what suits each column; pct: SELF and HIER as parts of "
		  "the wall time that is covered." },
	{ .name = "precision", .argument = "N", .kind = KIND_COUNT, .group = GROUP_HOW,
	  FIELD(precision), .least = 0, .most = 9, .help = "Digits behind the point of times." },
	{ .letter = 'b', .name = "budget", .argument = "MS", .kind = KIND_REAL, .group = GROUP_HOW,
	  FIELD(budget_ms),
	  .help = "Screen: the time that a frame may take, in ms; longer ones stand out." },
	{ .letter = 'd', .name = "delay", .argument = "SEC", .kind = KIND_REAL, .group = GROUP_HOW,
	  FIELD(redraw_s),
	  .help = "Screen: time between two looks at the program; 0.1 is the default, and the least." },
	{ .letter = 'M', .name = "no-mouse", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(no_mouse),
	  .help = "Screen: leave the mouse to the terminal." },
	{ .letter = 'U', .name = "ascii", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(ascii),
	  .help = "Print nothing but ASCII; so it is when the locale is not UTF-8." },
	{ .letter = 'C', .name = "color", .argument = "WHEN", .kind = KIND_CHOICE,
	  .group = GROUP_HOW, FIELD(colour), CHOICES(colour_names, COLOUR_CHOICES),
	  .help = "auto: colours on a terminal, unless NO_COLOR is set (the default). A number: "
		  "so many colours, wherever the output goes." },

	{ .letter = 'h', .name = "help", .kind = KIND_HELP, .group = GROUP_OTHER, FIELD(help),
	  .help = "Print this list." },
	{ .letter = 'V', .name = "version", .kind = KIND_FLAG, .group = GROUP_OTHER, FIELD(version),
	  .help = "Print the versions of proftop, of the region's format and of the libraries used." },
};

#define OPTION_COUNT (sizeof(option_table) / sizeof(*option_table))

/* Values */

struct parsing {
	struct options *o;
	char *why;
	size_t why_size;
};

static bool refuse(struct parsing *p, const char *format, const char *shown, const char *value)
{
	snprintf(p->why, p->why_size, format, shown, value);
	return false;
}

static bool list_choices(struct parsing *p, const struct option_def *def, const char *shown,
			 const char *value)
{
	char list[256] = "";

	for (int i = 0; i < def->choice_count; i++) {
		size_t length = strlen(list);

		snprintf(list + length, sizeof(list) - length, "%s%s", i ? ", " : "",
			 def->choices[i]);
	}
	snprintf(p->why, p->why_size, "%s: '%s' is none of %s", shown, value, list);
	return false;
}

static bool take_count(struct parsing *p, const struct option_def *def, void *field,
		       const char *shown, const char *value)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(value, &end, 10);
	if (errno || end == value || *end || number < def->least || number > def->most) {
		snprintf(p->why, p->why_size, "%s: '%s' is no number from %ld to %ld", shown, value,
			 def->least, def->most);
		return false;
	}
	*(long *)field = number;
	return true;
}

static bool take_real(struct parsing *p, void *field, const char *shown, const char *value)
{
	char *end;
	double number = strtod(value, &end);

	if (end == value || *end || !(number >= 0 && number < 1e9))
		return refuse(p, "%s: '%s' is no number from 0 on", shown, value);
	*(double *)field = number;
	return true;
}

static bool take_choice(struct parsing *p, const struct option_def *def, void *field,
			const char *shown, const char *value)
{
	for (int i = 0; i < def->choice_count; i++)
		if (!strcmp(def->choices[i], value)) {
			*(int *)field = i;
			return true;
		}
	return list_choices(p, def, shown, value);
}

static bool take_help(struct parsing *p, void *field, const char *shown, const char *value)
{
	*(bool *)field = true;
	if (value && strcmp(value, "roff") != 0 && strcmp(value, "keys") != 0)
		return refuse(p, "%s: '%s' is no form of it", shown, value);
	p->o->roff = value && !strcmp(value, "roff");
	p->o->keys = value && !strcmp(value, "keys");
	return true;
}

static bool take(struct parsing *p, const struct option_def *def, const char *shown,
		 const char *value)
{
	void *field = (char *)p->o + def->field;

	switch (def->kind) {
	case KIND_FLAG:
		*(bool *)field = true;
		return true;
	case KIND_TEXT:
		*(const char **)field = value;
		return true;
	case KIND_COUNT:
		return take_count(p, def, field, shown, value);
	case KIND_REAL:
		return take_real(p, field, shown, value);
	case KIND_CHOICE:
		return take_choice(p, def, field, shown, value);
	case KIND_HELP:
		return take_help(p, field, shown, value);
	}
	return false;
}

/* Words of the command line */

static const struct option_def *find_letter(char letter)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (letter && option_table[i].letter == letter)
			return &option_table[i];
	return NULL;
}

static const struct option_def *find_name(const char *name, size_t length)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (strlen(option_table[i].name) == length &&
		    !memcmp(option_table[i].name, name, length))
			return &option_table[i];
	return NULL;
}

/* `--name`, `--name=value`, `--name value`. *used is raised when the next word was the value. */
static bool take_long(struct parsing *p, const char *word, const char *next, int *used)
{
	const char *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);
	const struct option_def *def = find_name(word + 2, length - 2);
	const char *value = equals ? equals + 1 : NULL;
	char shown[64];

	snprintf(shown, sizeof(shown), "%.*s", (int)length, word);
	if (!def)
		return refuse(p, "there is no option %s%s", shown, "");
	if (!def->argument && value && def->kind != KIND_HELP)
		return refuse(p, "%s takes no value ('%s')", shown, value);
	if (def->argument && !value) {
		value = next;
		*used += next != NULL;
	}
	if (def->argument && !value)
		return refuse(p, "%s needs a value: %s", shown, def->argument);
	return take(p, def, shown, value);
}

/* `-x`, `-xy`, `-xVALUE`, `-x VALUE`. */
static bool take_short(struct parsing *p, const char *word, const char *next, int *used)
{
	for (const char *at = word + 1; *at; at++) {
		const struct option_def *def = find_letter(*at);
		char shown[3] = { '-', *at, 0 };
		const char *value;

		if (!def)
			return refuse(p, "there is no option %s%s", shown, "");
		if (!def->argument) {
			if (!take(p, def, shown, NULL))
				return false;
			continue;
		}
		value = at[1] ? at + 1 : next;
		*used += value == next && next;
		if (!value)
			return refuse(p, "%s needs a value: %s", shown, def->argument);
		return take(p, def, shown, value);
	}
	return true;
}

static bool take_operand(struct parsing *p, const char *word)
{
	if (p->o->target)
		return refuse(p, "'%s' and '%s': one region at a time (what is behind -- is a "
				 "program to run)", p->o->target, word);
	if (!*word)
		return refuse(p, "%s%s", "a region's name cannot be empty", "");
	p->o->target = word;
	return true;
}

/* Options that say nothing together */

static bool check(struct parsing *p)
{
	const struct options *o = p->o;
	bool screen = !options_batch(o) && !o->list && !o->clean;
	const struct {
		bool wrong;
		const char *why;
	} rules[] = {
		{ o->json && o->csv, "-j and --csv: one at a time" },
		{ o->stacks && o->csv, "--stacks and --csv: stacks are text, or JSON with -j" },
		{ o->stacks && o->frames, "--stacks and -n: stacks are of now" },
		{ o->clean && !o->target && !o->dead,
		  "--clean needs the NAME of a region, or --dead for all that are" },
		{ o->clean && o->target && o->dead, "--clean takes a NAME or --dead, not both" },
		{ o->dead && !o->clean, "--dead goes with --clean" },
		{ o->clean && options_batch(o), "--clean prints no report" },
		{ o->list && (o->target || o->app), "-l lists all regions, and takes no name" },
		{ o->app && (o->target || o->clean),
		  "a region or a program to run behind --, not both" },
		{ o->frames && screen,
		  "-n is of a report: give -1, -j or --csv, too" },
		{ o->redraw_s < REDRAW_S, "-d: 0.1 seconds are the least" },
		{ screen && o->thread && !strcmp(o->thread, "each"),
		  "-t each is of a report; the screen shows one thread, those of one name, or all" },
		{ o->view == REPORT_GRAPH && !o->zone && options_batch(o),
		  "-v graph is of a zone: say which, with -z ZONE" },
	};

	if (o->help || o->version)
		return true;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].wrong)
			return refuse(p, "%s%s", rules[i].why, "");
	return true;
}

bool options_parse(struct options *o, int argc, char **argv, char *why, size_t why_size)
{
	struct parsing p = { o, why, why_size };

	*o = (struct options){ .precision = -1, .average = -1, .wait_s = -1,
				 .redraw_s = REDRAW_S };
	for (int i = 1; i < argc; i++) {
		const char *next = i + 1 < argc ? argv[i + 1] : NULL;
		bool done;

		if (!strcmp(argv[i], "--")) {
			if (!next)
				return refuse(&p, "%s%s", "there is no program behind --", "");
			o->app = argv + i + 1;
			break;
		}
		if (!strncmp(argv[i], "--", 2))
			done = take_long(&p, argv[i], next, &i);
		else if (argv[i][0] == '-' && argv[i][1])
			done = take_short(&p, argv[i], next, &i);
		else
			done = take_operand(&p, argv[i]);
		if (!done)
			return false;
	}
	return check(&p);
}

bool options_batch(const struct options *o)
{
	return o->once || o->json || o->csv || o->stacks;
}

/* Help */

#define HELP_INDENT 26
#define HELP_WIDTH 79

/* ` N`, ` ms|us|ns`, or nothing. */
static void argument_text(const struct option_def *def, char *out, size_t size)
{
	*out = '\0';
	if (def->argument && !def->choice_count)
		snprintf(out, size, " %s", def->argument);
	for (int i = 0; i < def->choice_count; i++) {
		size_t length = strlen(out);

		snprintf(out + length, size - length, "%c%s", i ? '|' : ' ', def->choices[i]);
	}
}

/* `-n, --frames N`. Returns its width. */
static int put_spelling(const struct option_def *def, FILE *out)
{
	char letter[5] = "    ", argument[128];

	if (def->letter)
		snprintf(letter, sizeof(letter), "-%c, ", def->letter);
	argument_text(def, argument, sizeof(argument));
	return fprintf(out, "  %s--%s%s", letter, def->name, argument);
}

/* The words of a text, in lines that begin at HELP_INDENT; the first line has been begun at `at`. */
static void put_wrapped(const char *text, int at, FILE *out)
{
	bool first = true;

	if (at >= HELP_INDENT) {
		fputc('\n', out);
		at = 0;
	}
	fprintf(out, "%*s", HELP_INDENT - at, "");
	at = HELP_INDENT;
	while (*text) {
		int length = (int)strcspn(text, " ");

		if (!first && at + 1 + length > HELP_WIDTH) {
			fprintf(out, "\n%*s", HELP_INDENT, "");
			at = HELP_INDENT;
			first = true;
		}
		fprintf(out, "%s%.*s", first ? "" : " ", length, text);
		at += length + !first;
		first = false;
		text += length + (text[length] == ' ');
	}
	fputc('\n', out);
}

void options_help(FILE *out)
{
	fputs("usage: proftop [option...] [NAME | PID | FILE]          on the screen\n"
	      "       proftop [option...] -- program [argument...]\n"
	      "       proftop -1|-j|--csv|--stacks [option...] [...]   to standard output\n"
	      "       proftop -l [-j]\n"
	      "       proftop --clean NAME|--dead [-y]\n"
	      "\n"
	      "Shows where an instrumented program spends its time. NAME is what PROF_SHM was for it;\n"
	      "a word with a slash is a FILE that holds a region. Without any: $PROF_SHM, else the\n"
	      "only region that is live. On the screen, ? lists the keys.\n", out);
	for (enum group g = 0; g < GROUPS; g++) {
		fprintf(out, "\n%s\n", group_titles[g]);
		for (size_t i = 0; i < OPTION_COUNT; i++) {
			if (option_table[i].group != g)
				continue;
			put_wrapped(option_table[i].help, put_spelling(&option_table[i], out), out);
		}
	}
	fputs("\nExit status: 0 done, 1 failed, 2 wrong usage, 3 no such region or program, 5 not a\n"
	      "region of ours, damaged or of another version; with -- the program's own, 128 + n for\n"
	      "signal n.\n", out);
}

static void put_roff(const struct option_def *def, FILE *out)
{
	char argument[128];

	fputs(".TP\n.B ", out);
	if (def->letter)
		fprintf(out, "\\-%c\\fR, \\fB", def->letter);
	fputs("\\-\\-", out);
	roff_text(def->name, out);
	argument_text(def, argument, sizeof(argument));
	fprintf(out, "%s%s\\fR\n", def->choice_count ? "" : "\\fI", argument);
	roff_text(def->help, out);
	fputc('\n', out);
}

void options_roff(FILE *out)
{
	for (enum group g = 0; g < GROUPS; g++) {
		fprintf(out, ".SS %s\n", group_titles[g]);
		for (size_t i = 0; i < OPTION_COUNT; i++)
			if (option_table[i].group == g)
				put_roff(&option_table[i], out);
	}
}
