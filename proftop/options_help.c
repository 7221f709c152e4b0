/* SPDX-License-Identifier: MIT */
/*
 * options_help: the table of options as --help prints it, and as the manual has it.
 */
#include "proftop/options_table.h"

#include <string.h>

#include "tui/cells/roff.h"

#define HELP_INDENT 26
#define HELP_WIDTH 79

/* ` N`, ` ms|us|ns`, or nothing. */
void option_argument(const struct option_def *def, char *out, size_t size)
{
	*out = '\0';
	if (def->kind == KIND_EXPORT)
		snprintf(out, size, " %s[:FILE]", def->argument);
	else if (def->argument && !def->choice_count)
		snprintf(out, size, " %s", def->argument);
	for (int i = 0; def->kind != KIND_EXPORT && i < def->choice_count; i++) {
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
	option_argument(def, argument, sizeof(argument));
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
	fputs("usage: proftop [option...] [NAME | PID | FILE]...       on the screen\n       proftop [option...] -- "
	      "program [argument...]\n       proftop -1|-j|--csv|--stream|--stacks [option...] [...]  to standard "
	      "output\n       proftop --export=KIND[:FILE] [option...] [...]\n       proftop --check CONDITION "
	      "[option...] [...]\n       proftop --diff [option...] NAME[@N] NAME[@N]\n       proftop -l [-j]\n       "
	      "proftop --clean NAME|--dead [-y]\n\nShows where an instrumented program spends its time. NAME is the "
	      "value of PROF_SHM in\nthe program. A word with a slash is a FILE that contains a region. Without a "
	      "name:\n$PROF_SHM, else the only live region. On the screen, ? lists the keys.\n", out);
	for (enum option_group g = 0; g < GROUPS; g++) {
		fprintf(out, "\n%s\n", option_group_titles[g]);
		for (size_t i = 0; i < option_count; i++) {
			if (option_table[i].group != g)
				continue;
			put_wrapped(option_table[i].help, put_spelling(&option_table[i], out), out);
		}
	}
	fputs("\nExit status: 0 success, 1 failure, 2 wrong usage, 3 no such region or program, 4 the\ncondition of "
	      "--check does not hold, 5 not a region, damaged, or another version, 6 --check\ncannot know. A report "
	      "with -- exits with the program's status, or 128 + n after signal n.\n", out);
}

static void put_roff(const struct option_def *def, FILE *out)
{
	char argument[128];

	fputs(".TP\n.B ", out);
	if (def->letter)
		fprintf(out, "\\-%c\\fR, \\fB", def->letter);
	fputs("\\-\\-", out);
	roff_text(def->name, out);
	option_argument(def, argument, sizeof(argument));
	fprintf(out, "%s%s\\fR\n", def->choice_count && def->kind != KIND_EXPORT ? "" : "\\fI", argument);
	roff_text(def->help, out);
	fputc('\n', out);
}

void options_roff(FILE *out)
{
	for (enum option_group g = 0; g < GROUPS; g++) {
		fprintf(out, ".SS %s\n", option_group_titles[g]);
		for (size_t i = 0; i < option_count; i++)
			if (option_table[i].group == g)
				put_roff(&option_table[i], out);
	}
}

void options_words(FILE *out)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option_def *def = &option_table[i];
		char letter[3] = { def->letter ? '-' : '\0', def->letter, '\0' };

		fprintf(out, "--%s\t%s\t%s\t", def->name, letter, def->argument ? def->argument : "");
		for (int c = 0; c < def->choice_count; c++)
			fprintf(out, "%s%s", c ? "|" : "", def->choices[c]);
		fprintf(out, "\t%s\n", def->help);
	}
}
