/* SPDX-License-Identifier: MIT */
#include "proftop/options_table.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/report/file_kinds.h"
#include "model/report/report.h"
#include "tui/cells/figures.h"

/* Values */

struct parsing {
	struct options *o;
	const struct subcommand_def *command;
	bool first_taken; /* the operand in front of the targets */
	bool given[OPTIONS_MOST]; /* by option_table */
	char *why;
	size_t why_size;
};

static bool refuse_word(struct parsing *p, const char *format, const char *shown, const char *value)
{
	snprintf(p->why, p->why_size, format, shown, value);
	return false;
}

/* A sentence more, if the word that was refused has a meaning elsewhere. */
static bool add_instead(struct parsing *p, const char *word)
{
	size_t length = strlen(p->why);
	char instead[256];

	if (!options_instead(word, instead, sizeof(instead)))
		return false;
	snprintf(p->why + length, p->why_size - length, ". For %s: %s", word, instead);
	return true;
}

static bool list_choices(struct parsing *p, const struct option_def *def, const char *shown,
			 const char *value)
{
	char list[256] = "";

	for (int i = 0; i < def->choice_count; i++) {
		size_t length = strlen(list);

		if (def->choices[i])
			snprintf(list + length, sizeof(list) - length, "%s%s", length ? ", " : "", def->choices[i]);
	}
	snprintf(p->why, p->why_size, "%s: '%s' is not one of %s", shown, value, list);
	if (def->choices == file_kind_names || def->field == offsetof(struct options, view))
		add_instead(p, value);
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
		snprintf(p->why, p->why_size, "%s: '%s' is not a number from %ld to %ld", shown, value,
			 def->least, def->most);
		return false;
	}
	*(long *)field = number;
	return true;
}

static bool take_real(struct parsing *p, const struct option_def *def, void *field, const char *shown, const char *value)
{
	char *end;
	double number = strtod(value, &end);

	if (end == value || *end || !(number >= 0 && number < 1e9))
		return refuse_word(p, "%s: '%s' is not a number from 0 up", shown, value);
	if (number < def->floor) {
		snprintf(p->why, p->why_size, "%s: the minimum is %g seconds", shown, def->floor);
		return false;
	}
	*(double *)field = number;
	return true;
}

static bool take_budget(struct parsing *p, void *field, const char *shown, const char *value)
{
	return budget_parse(value, field) || refuse_word(p, "%s: '%s' is not a time; try " BUDGET_FORMS, shown, value);
}

/* 20M: digits, and K, M or G for powers of 1,024. */
static bool take_size(struct parsing *p, void *field, const char *shown, const char *value)
{
	static const char units[] = "KMG";
	char *end;
	unsigned long long number = strtoull(value, &end, 10);
	const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;

	if (*value < '1' || *value > '9' || (*end && (!unit || end[1])) || number > (UINT64_C(1) << 62) >> shift)
		return refuse_word(p, "%s: '%s' is not a size; try 500K, 20M or 2G", shown, value);
	*(uint64_t *)field = number << shift;
	return true;
}

static bool take_choice(struct parsing *p, const struct option_def *def, void *field,
			const char *shown, const char *value)
{
	for (int i = 0; i < def->choice_count; i++)
		if (def->choices[i] && !strcmp(def->choices[i], value)) {
			*(int *)field = i;
			return true;
		}
	return list_choices(p, def, shown, value);
}

static bool take_target(struct parsing *p, const char *word)
{
	struct options *o = p->o;

	if (!*word)
		return refuse_word(p, "%s%s", "the name of a region cannot be empty", "");
	if (o->target_count == OPTION_TARGETS)
		return refuse_word(p, "'%s': at most eight regions are possible%s", word, "");
	if (!o->target)
		o->target = word;
	o->targets[o->target_count++] = word;
	return true;
}

static bool take_help(struct parsing *p, void *field, const char *shown, const char *value)
{
	static const char *const forms[HELP_FORMS] = {
		[HELP_ROFF] = "roff", [HELP_KEYS] = "keys", [HELP_CONFIG] = "config", [HELP_WORDS] = "words",
		[HELP_LINES] = "lines", [HELP_EXPORTS] = "exports",
	};

	*(bool *)field = true;
	for (int form = HELP_TEXT + 1; value && form < HELP_FORMS; form++)
		if (!strcmp(forms[form], value)) {
			p->o->help_form = form;
			return true;
		}
	return !value || refuse_word(p, "%s: '%s' is not one of its forms", shown, value);
}

/* Sets the value that an option has if it is not given. */
static bool take_unset(const struct option_def *def, void *field)
{
	if (def->kind == KIND_TEXT)
		*(const char **)field = NULL;
	else
		*(long *)field = -1;
	return true;
}

bool option_take(struct options *o, const struct option_def *def, const char *shown, const char *value,
		 char *why, size_t why_size)
{
	struct parsing parsing = { .o = o, .why = why, .why_size = why_size }, *p = &parsing;
	void *field = (char *)o + def->field;

	if (def->unset && value && !strcmp(value, def->unset))
		return take_unset(def, field);
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
		return take_real(p, def, field, shown, value);
	case KIND_BUDGET:
		return take_budget(p, field, shown, value);
	case KIND_SIZE:
		return take_size(p, field, shown, value);
	case KIND_CHOICE:
		return take_choice(p, def, field, shown, value);
	case KIND_HELP:
		return take_help(p, field, shown, value);
	case KIND_TARGET:
		o->named = true;
		return take_target(p, value);
	}
	return false;
}

void option_argument(const struct option_def *def, char *out, size_t size)
{
	*out = '\0';
	if (def->argument && !def->choice_count)
		snprintf(out, size, " %s", def->argument);
	for (int i = 0; i < def->choice_count; i++) {
		size_t length = strlen(out);

		if (def->choices[i])
			snprintf(out + length, size - length, "%c%s", length ? '|' : ' ', def->choices[i]);
	}
}

/* Words of the command line */

static bool take_option(struct parsing *p, const struct option_def *def, const char *shown, const char *value)
{
	p->given[def - option_table] = true;
	return option_take(p->o, def, shown, value, p->why, p->why_size);
}

/* Whether the row has this letter, or if that is 0 this name. */
static bool is_spelled(const struct option_def *def, char letter, const char *name, size_t length)
{
	if (letter)
		return def->letter == letter;
	return strlen(def->name) == length && !memcmp(def->name, name, length);
}

/* The row of the command, else that of any other: it is refused once all is parsed. */
static const struct option_def *find_option(unsigned with, char letter, const char *name, size_t length)
{
	const struct option_def *found = NULL;

	for (size_t i = 0; i < option_count; i++)
		if (is_spelled(&option_table[i], letter, name, length) && (!found || option_table[i].with & with)) {
			found = &option_table[i];
			if (found->with & with)
				break;
		}
	return found;
}

/* Names that are nearly right */

#define LONGEST_NAME 31

/* How many letters have to be put in, left out, changed, or swapped with the next one. */
static int edit_distance(const char *a, const char *b)
{
	int cost[LONGEST_NAME + 1][LONGEST_NAME + 1];
	int m = (int)strlen(a), n = (int)strlen(b);

	if (m > LONGEST_NAME || n > LONGEST_NAME)
		return LONGEST_NAME;
	for (int i = 0; i <= m; i++)
		for (int k = 0; k <= n; k++) {
			int least = i + k;

			if (i && k) {
				least = cost[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
				least = cost[i - 1][k] + 1 < least ? cost[i - 1][k] + 1 : least;
				least = cost[i][k - 1] + 1 < least ? cost[i][k - 1] + 1 : least;
			}
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] && cost[i - 2][k - 2] + 1 < least)
				least = cost[i - 2][k - 2] + 1;
			cost[i][k] = least;
		}
	return cost[m][n];
}

/* How many letters of a word may be wrong, so that it is still like another one. */
static int wrong_letters_most(const char *word)
{
	return strlen(word) < 5 ? 1 : 2;
}

/* The command whose name is nearest, and no more than `most` letters away; NULL: none is. */
static const struct subcommand_def *similar_command(const char *word, int most)
{
	const struct subcommand_def *found = NULL;

	for (int i = 0; i < SUBCOMMANDS; i++) {
		int far = edit_distance(word, subcommands[i].name);

		if (far <= most) {
			found = &subcommands[i];
			most = far - 1;
		}
	}
	return found;
}

const char *options_similar_command(const char *word)
{
	const struct subcommand_def *found = similar_command(word, 1);

	return found ? found->name : NULL;
}

const char *options_command_name(enum subcommand command)
{
	return subcommands[command].name;
}

const struct subcommand_def *subcommand_find(const char *name)
{
	for (int i = 0; i < SUBCOMMANDS; i++)
		if (!strcmp(subcommands[i].name, name))
			return &subcommands[i];
	return NULL;
}

bool options_instead(const char *word, char *out, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; i < option_hint_count; i++)
		if (!strcmp(option_hints[i].word, word)) {
			snprintf(out, size, "%s", option_hints[i].instead);
			return true;
		}
	if (subcommand_find(word)) {
		snprintf(out, size, "proftop %s", word);
		return true;
	}
	for (const struct option_def *def = option_table; def < option_table + option_count; def++)
		for (int i = 0; def->field == offsetof(struct options, view) && i < def->choice_count; i++)
			if (def->choices[i] && !strcmp(def->choices[i], word))
				length += (size_t)snprintf(out + length, size - length, "%sproftop%s -v %s NAME", length ? ", or " : "",
							   def->with & WITH_SCREEN ? "" : " report", word);
	if (!length && file_kind_find(word, strlen(word)) != FILE_KINDS)
		length = (size_t)snprintf(out, size, "proftop export %s NAME", word);
	return length;
}

static bool refuse_unknown(struct parsing *p, const char *shown)
{
	const char *similar = NULL, *word = shown[1] == '-' ? shown + 2 : "";
	int most = wrong_letters_most(word);
	char instead[256];

	if (options_instead(shown, instead, sizeof(instead)) || options_instead(word, instead, sizeof(instead)))
		return refuse_word(p, "no option %s; type %s", shown, instead);
	for (size_t i = 0; *word && i < option_count; i++) {
		bool has = option_table[i].with & p->command->with;
		int far = has ? edit_distance(word, option_table[i].name) : LONGEST_NAME;

		if (far <= most) {
			similar = option_table[i].name;
			most = far - 1;
		}
	}
	if (similar)
		return refuse_word(p, "no option %s. Did you mean --%s?", shown, similar);
	return refuse_word(p, "no option %s%s", shown, "");
}

/* Words */

/* `--name`, `--name=value`, `--name value`. *used is raised when the next word was the value. */
static bool take_long(struct parsing *p, const char *word, const char *next, int *used)
{
	const char *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);
	const struct option_def *def = find_option(p->command->with, 0, word + 2, length - 2);
	const char *value = equals ? equals + 1 : NULL;
	char shown[64];

	snprintf(shown, sizeof(shown), "%.*s", (int)length, word);
	if (!def)
		return refuse_unknown(p, shown);
	if (!def->argument && value && def->kind != KIND_HELP)
		return refuse_word(p, "%s takes no value ('%s')", shown, value);
	if (def->argument && !value) {
		value = next;
		*used += next != NULL;
	}
	if (def->argument && !value)
		return refuse_word(p, "%s needs a value: %s", shown, def->argument);
	return take_option(p, def, shown, value);
}

/* `-x`, `-xy`, `-xVALUE`, `-x VALUE`. */
static bool take_short(struct parsing *p, const char *word, const char *next, int *used)
{
	for (const char *at = word + 1; *at; at++) {
		const struct option_def *def = find_option(p->command->with, *at, NULL, 0);
		char shown[3] = { '-', *at, 0 };
		const char *value;

		if (!def)
			return refuse_unknown(p, shown);
		if (!def->argument) {
			if (!take_option(p, def, shown, NULL))
				return false;
			continue;
		}
		value = at[1] ? at + 1 : next;
		*used += value == next && next;
		if (!value)
			return refuse_word(p, "%s needs a value: %s", shown, def->argument);
		return take_option(p, def, shown, value);
	}
	return true;
}

static bool take_kind(struct parsing *p, const char *word)
{
	enum file_kind kind = file_kind_find(word, strlen(word));
	const struct option_def kinds = { .choices = file_kind_names, .choice_count = FILE_KINDS };

	p->o->export_help = !strcmp(word, "help");
	if (kind == FILE_KINDS && !p->o->export_help)
		return list_choices(p, &kinds, "proftop export", word);
	p->o->export = p->o->export_help ? -1 : (int)kind;
	return true;
}

static bool take_topic(struct parsing *p, const char *word)
{
	const struct subcommand_def *similar = similar_command(word, wrong_letters_most(word));

	p->o->help_about = subcommand_find(word);
	if (p->o->help_about)
		return true;
	if (similar)
		return refuse_word(p, "no command '%s'. Did you mean %s?", word, similar->name);
	refuse_word(p, "no command '%s'%s", word, "");
	if (!add_instead(p, word))
		refuse_word(p, "no command '%s'. List all commands: proftop help%s", word, "");
	return false;
}

static bool take_operand(struct parsing *p, const char *word)
{
	enum operand first = p->first_taken ? OPERAND_NONE : p->command->first;

	p->first_taken = true;
	switch (first) {
	case OPERAND_CONDITION:
		p->o->check = word;
		return true;
	case OPERAND_KIND:
		return take_kind(p, word);
	case OPERAND_COMMAND:
		return take_topic(p, word);
	case OPERAND_PROGRAM:
	case OPERAND_NONE:
		break;
	}
	return take_target(p, word);
}

/* The place of the command's name: of the first word that is neither an option nor the value of one. 0: the screen. */
static int find_command(struct parsing *p, int argc, char **argv)
{
	p->command = &subcommands[SUBCOMMAND_SCREEN];
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *word = argv[i];
		const struct option_def *def;

		if (word[0] != '-' || !word[1]) {
			const struct subcommand_def *command = subcommand_find(word);

			p->command = command ? command : p->command;
			return command ? i : 0;
		}
		if (word[1] == '-') {
			def = find_option(0, 0, word + 2, strlen(word + 2));
			i += def && def->argument;
			continue;
		}
		for (word++; *word; word++) {
			def = find_option(0, *word, NULL, 0);
			if (def && def->argument)
				break;
		}
		i += *word && !word[1];
	}
	return 0;
}

/* What goes with what */

static unsigned report_of(const struct options *o)
{
	switch (o->view) {
	case REPORT_TREE:
		return WITH_TREE;
	case REPORT_GRAPH:
		return WITH_GRAPH;
	case OPTION_VIEW_FLAME:
		return WITH_FLAME;
	case OPTION_VIEW_COUNTERS:
		return WITH_COUNTERS;
	case OPTION_VIEW_THREADS:
		return WITH_THREADS;
	case OPTION_VIEW_TIMELINE:
		return WITH_TIMELINE;
	case OPTION_VIEW_EVENTS:
		return WITH_EVENT_LIST;
	case OPTION_VIEW_WORST:
		return WITH_WORST;
	case OPTION_VIEW_FUNCTIONS:
		return WITH_FUNCTIONS;
	case OPTION_VIEW_LINES:
		return WITH_LINES;
	default:
		return WITH_FLAT;
	}
}

static unsigned export_of(const struct options *o)
{
	static const unsigned things[] = { [FILE_EVENTS] = WITH_EVENTS, [FILE_SUMS] = WITH_SUMS, [FILE_PAGE] = WITH_PAGE,
					   [FILE_REPORT] = WITH_FILED };

	if (o->export == FILE_SAMPLES_LOG)
		return WITH_SAMPLES_LOG;
	if (o->export == FILE_TABLE_TREE || o->export == FILE_TABLE_FLAT)
		return WITH_TABLES;
	return things[file_kinds[o->export].form];
}

/* The one bit of enum option_with that the command line asks for. */
static unsigned thing_of(const struct parsing *p)
{
	if (p->command->with == WITH_REPORT)
		return report_of(p->o);
	return p->command->with == WITH_EXPORT ? export_of(p->o) : p->command->with;
}

/* 0: the form is given by the thing. */
static unsigned form_of(const struct options *o, unsigned thing)
{
	if (thing & (WITH_SCREEN | WITH_CLEAN | WITH_RECORD | WITH_EXPORT | WITH_HELP))
		return 0;
	return o->json || thing == WITH_STREAM ? WITH_JSON : o->csv ? WITH_CSV : WITH_TEXT;
}

static const char *with_name(unsigned bit)
{
	return option_with_names[__builtin_ctz(bit)];
}

static void add_name(char *out, size_t size, const char *name)
{
	size_t length = strlen(out);

	snprintf(out + length, size - length, "%s%s", length ? ", " : "", name);
}

/* `report -v graph, why`: one name for a command if the option goes with all of it, or if another is `asked` for. */
static void list_with(unsigned with, const struct subcommand_def *asked, char *out, size_t size)
{
	*out = '\0';
	for (int i = 0; i < SUBCOMMANDS; i++) {
		unsigned bits = subcommands[i].with & with;

		if (i == SUBCOMMAND_RUN || !bits)
			continue;
		if (bits == subcommands[i].with || (asked != &subcommands[i] && __builtin_popcount(bits) > 2))
			add_name(out, size, i == SUBCOMMAND_SCREEN ? with_name(bits) : subcommands[i].name);
		else
			for (; bits; bits &= bits - 1)
				add_name(out, size, with_name(bits & -bits));
	}
}

static void list_forms(unsigned with, char *out, size_t size)
{
	*out = '\0';
	for (with &= WITH_FORMS; with; with &= with - 1)
		add_name(out, size, with_name(with & -with));
}

static void spell_option(const struct option_def *def, char out[40])
{
	if (def->letter)
		snprintf(out, 40, "-%c", def->letter);
	else
		snprintf(out, 40, "--%s", def->name);
}

/* All that an option of this name goes with, over its rows. */
static unsigned with_of_name(const char *name)
{
	unsigned with = 0;

	for (size_t i = 0; i < option_count; i++)
		if (!strcmp(option_table[i].name, name))
			with |= option_table[i].with;
	return with;
}

/* `value` and the blank before it may be "". */
static bool refuse_beside(struct parsing *p, const struct option_def *def, const char *value, const char *beside,
			  const char *list)
{
	char option[40];

	spell_option(def, option);
	snprintf(p->why, p->why_size, "%s%s%s does not go with %s%s%s", option, *value ? " " : "", value, beside,
		 *list ? "; use it with " : "", list);
	return false;
}

static bool is_given(const struct parsing *p, const char *name)
{
	for (size_t i = 0; i < option_count; i++)
		if (p->given[i] && !strcmp(option_table[i].name, name))
			return true;
	return false;
}

static bool goes_with(struct parsing *p, const struct option_def *def)
{
	unsigned thing = thing_of(p), form = form_of(p->o, thing);
	const struct option_def *needs;
	char list[256], option[40], needed[40];

	if (!(def->with & thing)) {
		list_with(with_of_name(def->name), p->command, list, sizeof(list));
		return refuse_beside(p, def, "", with_name(thing), list);
	}
	if (def->with & WITH_FORMS && form && !(def->with & form)) {
		list_forms(def->with, list, sizeof(list));
		return refuse_beside(p, def, "", with_name(form), list);
	}
	if (def->no_program && p->o->app)
		return refuse_beside(p, def, "", "a program behind --", "");
	if (def->for_program && !p->o->app) {
		spell_option(def, option);
		snprintf(p->why, p->why_size, "%s needs a program to start: -- program [argument...]", option);
		return false;
	}
	if (!def->needs || is_given(p, def->needs))
		return true;
	needs = find_option(thing, 0, def->needs, strlen(def->needs));
	spell_option(def, option);
	spell_option(needs, needed);
	snprintf(p->why, p->why_size, "%s needs %s%s%s", option, needed, needs->argument ? " " : "",
		 needs->argument ? needs->argument : "");
	return false;
}

static bool values_go_with(struct parsing *p, const struct option_def *def)
{
	unsigned thing = thing_of(p);
	const void *field = (const char *)p->o + def->field;
	char list[256];

	for (size_t i = 0; i < option_value_count; i++) {
		const struct option_value *v = &option_values[i];
		const char *value;

		if (strcmp(v->option, def->name) != 0 || v->with & thing)
			continue;
		value = def->kind == KIND_CHOICE ? def->choices[*(const int *)field] : *(const char *const *)field;
		if (strcmp(value, v->value) != 0)
			continue;
		list_with(v->with, p->command, list, sizeof(list));
		return refuse_beside(p, def, value, with_name(thing), list);
	}
	return true;
}

static bool pairs_go_together(struct parsing *p)
{
	for (size_t i = 0; i < option_pair_count; i++) {
		const struct option_pair *pair = &option_pairs[i];
		const struct option_def *a = find_option(p->command->with, 0, pair->a, strlen(pair->a));
		const struct option_def *b = find_option(p->command->with, 0, pair->b, strlen(pair->b));
		char spelled[40], other[80];

		if (!is_given(p, pair->a) || !is_given(p, pair->b))
			continue;
		if (pair->value && strcmp(*(const char *const *)((const char *)p->o + b->field), pair->value) != 0)
			continue;
		spell_option(b, spelled);
		snprintf(other, sizeof(other), "%s%s%s", spelled, pair->value ? " " : "", pair->value ? pair->value : "");
		return refuse_beside(p, a, "", other, "");
	}
	return true;
}

/* Whether there are as many targets as the command takes, and what else it cannot do without. */
static bool has_operands(struct parsing *p)
{
	const struct subcommand_def *c = p->command;
	int count = p->o->target_count;

	for (size_t i = 0; i < option_count; i++)
		count += p->given[i] && option_table[i].is_target;
	if (p->o->app && p->o->target)
		return refuse_word(p, "%s%s", "give a region, or a program after --, not both", "");
	if (c->required && !is_given(p, c->required))
		return refuse_word(p, "proftop %s takes %s", c->name, c->operands);
	if (count > c->most && !*c->operands)
		return refuse_word(p, "'%s': proftop %s takes no name", p->o->target, c->name);
	if (count >= c->least && count <= c->most && (!p->o->app || c->program) &&
	    (p->first_taken || p->o->app || (c->first != OPERAND_CONDITION && c->first != OPERAND_KIND && c->first != OPERAND_PROGRAM)))
		return true;
	refuse_word(p, "proftop %s takes %s", c->name, c->operands);
	for (int i = 0; i < p->o->target_count && !add_instead(p, p->o->targets[i]); i++)
		;
	return false;
}

static bool all_go_together(struct parsing *p)
{
	for (size_t i = 0; i < option_count; i++)
		if (p->given[i] && (!goes_with(p, &option_table[i]) || !values_go_with(p, &option_table[i])))
			return false;
	return pairs_go_together(p) && has_operands(p);
}

/* All */

void options_begin(struct options *o)
{
	*o = (struct options){ .precision = -1, .average = -1, .least = -1, .least_samples = -1, .wait_s = -1, .export = -1,
				 .redraw_s = OPTION_REDRAW_S };
}

/* False: `why` says what is wrong with a word. */
static bool take_words(struct parsing *p, int argc, char **argv, int command)
{
	for (int i = 1; i < argc; i++) {
		const char *next = i + 1 < argc ? argv[i + 1] : NULL;
		bool done;

		if (i == command)
			continue;
		if (!strcmp(argv[i], "--")) {
			if (!next)
				return refuse_word(p, "%s%s", "no program after --", "");
			p->o->app = argv + i + 1;
			return true;
		}
		if (p->command->first == OPERAND_PROGRAM && argv[i][0] != '-') {
			p->o->app = argv + i;
			return true;
		}
		if (!strncmp(argv[i], "--", 2))
			done = take_long(p, argv[i], next, &i);
		else if (argv[i][0] == '-' && argv[i][1])
			done = take_short(p, argv[i], next, &i);
		else
			done = take_operand(p, argv[i]);
		if (!done)
			return false;
	}
	return true;
}

bool options_parse(struct options *o, int argc, char **argv, char *why, size_t why_size)
{
	struct parsing parsing = { .o = o, .why = why, .why_size = why_size }, *p = &parsing;
	int command = find_command(p, argc, argv);

	o->command = (enum subcommand)(p->command - subcommands);
	if (command && o->command != SUBCOMMAND_HELP)
		o->help_about = p->command; /* a message about a wrong word names its help */
	if (!take_words(p, argc, argv, command))
		return false;
	if (command && o->help && !o->help_about)
		o->help_about = p->command;
	o->help |= o->command == SUBCOMMAND_HELP;
	if (o->help || o->version || o->export_help)
		return true;
	if (o->command == SUBCOMMAND_EXPORT && o->export < 0)
		return refuse_word(p, "proftop %s takes %s", p->command->name, p->command->operands);
	if (!all_go_together(p))
		return false;
	if (o->command == SUBCOMMAND_RUN)
		o->command = SUBCOMMAND_SCREEN;
	if (o->command == SUBCOMMAND_WHY)
		o->view = OPTION_VIEW_WHY;
	if (p->command->with & (WITH_REPORTS | WITH_EXPORT) && o->output && !strcmp(o->output, "-"))
		o->output = NULL;
	if (o->sample && !o->measure && thing_of(p) & (WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_SUMS))
		o->measure = "samples";
	if (o->export == FILE_SAMPLES_LOG)
		o->view = OPTION_VIEW_FUNCTIONS;
	o->csv |= o->export == FILE_CSV;
	o->json |= o->export == FILE_JSON;
	return true;
}
