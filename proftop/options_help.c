/* SPDX-License-Identifier: MIT */
/*
 * options_help: the tables of commands and options as help prints them, as the manual has them, and for completions.
 */
#include "proftop/options_table.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "model/report/columns.h"
#include "model/report/file_kinds.h"
#include "model/table/counter_table.h"
#include "model/table/worst_table.h"
#include "proftop/options.h"
#include "proftop/output.h"
#include "proftop/settings.h"
#include "model/base/text.h"
#include "tui/widgets/commands.h"
#include "tui/widgets/line_commands.h"

#define HELP_INDENT 26
#define HELP_WIDTH 79
#define HELP_CHOICES 13 /* where the rest of long lists of choices begins */

/* `-n, --frames N`. Returns its width. */
static int put_spelling(const struct option_def *def, FILE *out)
{
	char letter[5] = "    ", argument[128], text[192];
	int width, end = HELP_WIDTH;

	if (def->letter)
		snprintf(letter, sizeof(letter), "-%c, ", def->letter);
	option_argument(def, argument, sizeof(argument));
	width = snprintf(text, sizeof(text), "  %s--%s%s", letter, def->name, argument);
	while (width > HELP_WIDTH && end > 0 && text[end - 1] != '|')
		end--;
	if (width <= HELP_WIDTH || !end)
		return fprintf(out, "%s", text);
	fprintf(out, "%.*s\n", end, text);
	return fprintf(out, "%*s%s", HELP_CHOICES, "", text + end);
}

/* The words of a text, in lines that begin at `indent`; the first line has been begun at `at`. */
static void put_wrapped(const char *text, int at, int indent, FILE *out)
{
	bool first = true;

	if (at >= indent && indent) {
		fputc('\n', out);
		at = 0;
	}
	fprintf(out, "%*s", indent - at, "");
	at = indent;
	while (*text) {
		int length = (int)strcspn(text, " ");

		if (!first && at + 1 + length > HELP_WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			at = indent;
			first = true;
		}
		fprintf(out, "%s%.*s", first ? "" : " ", length, text);
		at += length + !first;
		first = false;
		text += length + (text[length] == ' ');
	}
	fputc('\n', out);
}

/* Commands */

static void put_commands(FILE *out)
{
	fputs("usage: proftop [option...] [NAME...]                 show the screen\n"
	      "       proftop [option...] -- program [argument...]\n"
	      "       proftop COMMAND [option...] [NAME]\n\n", out);
	put_wrapped("Shows where an instrumented program spends its time. NAME is the value of PROF_SHM in the program, a "
		    "process id, or a file: ./FILE if a region has its name. Without it: $PROF_SHM, else the only live region.", 0, 0, out);
	fputc('\n', out);
	for (int i = 0; i < SUBCOMMANDS; i++)
		fprintf(out, "  %-8s %s\n", subcommands[i].name, subcommands[i].summary);
	fputs("\nproftop help COMMAND lists its options. On the screen, ? lists the keys.\n", out);
}

/* Whether the command has the option. */
static bool has_option(const struct subcommand_def *command, const struct option_def *def)
{
	return command->with & def->with && (command->first != OPERAND_PROGRAM || !def->no_program);
}

static void put_options(const struct subcommand_def *command, FILE *out)
{
	for (enum option_group g = 0; g < GROUPS; g++) {
		bool titled = false;

		for (size_t i = 0; i < option_count; i++) {
			const struct option_def *def = &option_table[i];

			if (def->group != g || !has_option(command, def))
				continue;
			if (!titled)
				fprintf(out, "\n%s\n", option_group_titles[g]);
			titled = true;
			put_wrapped(def->help, put_spelling(def, out), HELP_INDENT, out);
		}
	}
}

/* The exit statuses that the command has. A program behind -- that fails gives its own. */
static void put_statuses(const struct subcommand_def *c, FILE *out)
{
	char text[400] = "Exit status";
	const char *before = ":";

	for (const struct option_status *s = option_statuses; s < option_statuses + option_status_count; s++)
		if (s->with & c->with) {
			size_t length = strlen(text);

			snprintf(text + length, sizeof(text) - length, "%s %d %s", before, s->status, s->meaning);
			before = ",";
		}
	if (c->program && !(c->with & WITH_SCREEN))
		strcat(text, ". With -- program: the status of the program if it fails, or 128 + n after signal n");
	strcat(text, ".");
	put_wrapped(text, 0, 0, out);
}

static void put_command(const struct subcommand_def *c, FILE *out)
{
	fprintf(out, "usage: proftop %s [option...]%s%s\n\n", c->name, *c->operands ? " " : "", c->operands);
	put_wrapped(c->about ? c->about : c->summary, 0, 0, out);
	if (c->first == OPERAND_KIND) {
		fputs("\nKinds\n", out);
		options_kinds(out);
	}
	if (c->topic)
		fprintf(out, "\n%s", c->topic);
	put_options(c, out);
	if (*c->examples)
		fputs("\nExamples\n", out);
	for (int i = 0; i < SUBCOMMAND_EXAMPLES && c->examples[i]; i++)
		fprintf(out, "  %s\n", c->examples[i]);
	fputc('\n', out);
	put_statuses(c, out);
}

void options_help(const struct subcommand_def *about, FILE *out)
{
	if (about)
		put_command(about, out);
	else
		put_commands(out);
}

void options_kinds(FILE *out)
{
	for (int i = 0; i < FILE_KINDS; i++)
		fprintf(out, "  %-18s %s\n  %-18s opens in %s\n", file_kind_names[i], file_kinds[i].holds, "",
			file_kinds[i].opens);
}

/* The manual */

static void put_roff(const struct option_def *def, FILE *out)
{
	char argument[128];
	const char *before = "Commands: ";

	fputs(".TP\n.B ", out);
	if (def->letter)
		fprintf(out, "\\-%c\\fR, \\fB", def->letter);
	fputs("\\-\\-", out);
	roff_text(def->name, out);
	option_argument(def, argument, sizeof(argument));
	fprintf(out, "%s%s\\fR\n", def->choice_count ? "" : "\\fI", argument);
	roff_text(def->help, out);
	fputc('\n', out);
	for (int i = 0; i < SUBCOMMANDS && !(def->with == WITH_ALL); i++)
		if (has_option(&subcommands[i], def)) {
			fprintf(out, "%s%s", before, subcommands[i].name);
			before = ", ";
		}
	fputs(*before == ',' ? ".\n" : "", out);
}

static void put_command_roff(const struct subcommand_def *c, FILE *out)
{
	fprintf(out, ".TP\n.B proftop %s \\fR", c->name);
	roff_text(c->operands, out);
	fputc('\n', out);
	roff_text(c->about ? c->about : c->summary, out);
	fputs(c->about ? "\n" : ".\n", out);
	for (int i = 0; i < SUBCOMMAND_EXAMPLES && c->examples[i]; i++) {
		fputs(i ? ".br\n" : ".PP\n.RS 14\n.nf\n", out);
		roff_text(c->examples[i], out);
		fputc('\n', out);
	}
	if (*c->examples)
		fputs(".fi\n.RE\n", out);
}

void options_roff(FILE *out)
{
	for (int i = 0; i < SUBCOMMANDS; i++)
		put_command_roff(&subcommands[i], out);
	fputs(".SH OPTIONS\n", out);
	for (enum option_group g = 0; g < GROUPS; g++) {
		fprintf(out, ".SS %s\n", option_group_titles[g]);
		for (size_t i = 0; i < option_count; i++)
			if (option_table[i].group == g)
				put_roff(&option_table[i], out);
	}
}

/* Completions */

static void put_choices(const char *const *choices, int count, FILE *out)
{
	const char *between = "";

	for (int i = 0; i < count; i++)
		if (choices[i]) {
			fprintf(out, "%s%s", between, choices[i]);
			between = "|";
		}
}

static void put_words(const struct subcommand_def *c, FILE *out)
{
	static const char *const operands[] = { [OPERAND_NONE] = "NAME", [OPERAND_CONDITION] = "CONDITION",
						[OPERAND_KIND] = "KIND", [OPERAND_PROGRAM] = "PROGRAM",
						[OPERAND_COMMAND] = "COMMAND" };

	fprintf(out, "%s\t\t\t%s\t", c->name, c->first || c->most ? operands[c->first] : "");
	put_choices(file_kind_names, c->first == OPERAND_KIND ? FILE_KINDS : 0, out);
	fprintf(out, "\t%s\n", c->summary);
	for (size_t i = 0; i < option_count; i++) {
		const struct option_def *def = &option_table[i];

		if (!has_option(c, def))
			continue;
		fprintf(out, "%s\t--%s\t", c->name, def->name);
		if (def->letter)
			fprintf(out, "-%c", def->letter);
		fprintf(out, "\t%s\t", def->argument ? def->argument : "");
		put_choices(def->choices, def->choice_count, out);
		fprintf(out, "\t%s\n", def->help);
	}
}

void options_words(FILE *out)
{
	for (int i = 0; i < SUBCOMMANDS; i++)
		put_words(&subcommands[i], out);
}

/* Answers */

static void put_sort_keys(const struct table_type *type)
{
	printf("\nIn the view %s:\n", type->name);
	for (const struct table_column *c = type->columns; c < type->columns + type->column_count; c++)
		if (c->sorts)
			printf("%-12s %s\n", c->key, c->help);
}

int help_sort_keys(void)
{
	for (enum column c = 0; c < COLUMNS; c++)
		printf("%-12s %s\n", report_columns[c].key, report_columns[c].help);
	put_sort_keys(&counter_table_type);
	put_sort_keys(&worst_table_type);
	return output_finish(true);
}

int help_exports(void)
{
	options_kinds(stdout);
	return output_finish(true);
}

/* As proftop.1 has them. */
static void exports_roff(FILE *out)
{
	for (int i = 0; i < FILE_KINDS; i++) {
		fputs(".TP\n.B ", out);
		roff_text(file_kind_names[i], out);
		fprintf(out, "\n%c", toupper(file_kinds[i].holds[0]));
		roff_text(file_kinds[i].holds + 1, out);
		fputs(".\nOpens in ", out);
		roff_text(file_kinds[i].opens, out);
		fputs(".\n", out);
	}
}

int help_print(const struct options *o)
{
	static void (*const forms[HELP_FORMS])(FILE *out) = {
		[HELP_ROFF] = options_roff, [HELP_KEYS] = commands_roff,
		[HELP_CONFIG] = settings_roff, [HELP_WORDS] = options_words, [HELP_LINES] = line_commands_roff,
		[HELP_EXPORTS] = exports_roff,
	};

	if (o->help_form == HELP_TEXT)
		options_help(o->help_about, stdout);
	else
		forms[o->help_form](stdout);
	return output_finish(true);
}
