/* SPDX-License-Identifier: MIT */
#include "proftop/options_table.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/report/file_kinds.h"
#include "tui/cells/figures.h"

/* Values */

struct parsing {
	struct options *o;
	uint64_t given; /* bit i: option_table[i] */
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
	snprintf(p->why, p->why_size, "%s: '%s' is not one of %s", shown, value, list);
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

static bool take_real(struct parsing *p, void *field, const char *shown, const char *value)
{
	char *end;
	double number = strtod(value, &end);

	if (end == value || *end || !(number >= 0 && number < 1e9))
		return refuse(p, "%s: '%s' is not a number from 0 up", shown, value);
	*(double *)field = number;
	return true;
}

static bool take_budget(struct parsing *p, void *field, const char *shown, const char *value)
{
	return budget_parse(value, field) || refuse(p, "%s: '%s' is not a time; try " BUDGET_FORMS, shown, value);
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
		return refuse(p, "%s: '%s' is not a size; try 500K, 20M or 2G", shown, value);
	*(uint64_t *)field = number << shift;
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

/* KIND, or KIND:FILE. A report is asked for in the way of its own option, too. */
static bool take_export(struct parsing *p, const struct option_def *def, const char *shown, const char *value)
{
	size_t length = strcspn(value, ":");
	enum file_kind kind = file_kind_find(value, length);

	if (!strcmp(value, "help")) {
		p->o->export_help = true;
		return true;
	}
	if (kind == FILE_KINDS)
		return list_choices(p, def, shown, value);
	if (value[length] && !value[length + 1])
		return refuse(p, "%s: '%s' names no file after the colon", shown, value);
	p->o->export = (int)kind;
	p->o->export_file = value[length] ? value + length + 1 : NULL;
	p->o->csv |= kind == FILE_CSV;
	p->o->json |= kind == FILE_JSON;
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
	return !value || refuse(p, "%s: '%s' is not one of its forms", shown, value);
}

/* What holds where nothing is said. */
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
		return take_real(p, field, shown, value);
	case KIND_BUDGET:
		return take_budget(p, field, shown, value);
	case KIND_SIZE:
		return take_size(p, field, shown, value);
	case KIND_CHOICE:
		return take_choice(p, def, field, shown, value);
	case KIND_HELP:
		return take_help(p, field, shown, value);
	case KIND_EXPORT:
		return take_export(p, def, shown, value);
	}
	return false;
}

/* Words of the command line */

static bool take(struct parsing *p, const struct option_def *def, const char *shown, const char *value)
{
	p->given |= UINT64_C(1) << (def - option_table);
	return option_take(p->o, def, shown, value, p->why, p->why_size);
}

static const struct option_def *find_letter(char letter)
{
	for (size_t i = 0; i < option_count; i++)
		if (letter && option_table[i].letter == letter)
			return &option_table[i];
	return NULL;
}

static const struct option_def *find_name(const char *name, size_t length)
{
	for (size_t i = 0; i < option_count; i++)
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
		return refuse(p, "no option %s%s", shown, "");
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
			return refuse(p, "no option %s%s", shown, "");
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
	struct options *o = p->o;

	if (!*word)
		return refuse(p, "%s%s", "the name of a region cannot be empty", "");
	if (o->target_count == OPTION_TARGETS)
		return refuse(p, "'%s': at most eight regions are possible%s", word, "");
	if (!o->target)
		o->target = word;
	o->targets[o->target_count++] = word;
	return true;
}

void options_begin(struct options *o)
{
	*o = (struct options){ .precision = -1, .average = -1, .wait_s = -1, .export = -1,
				 .redraw_s = OPTION_REDRAW_S };
}

bool options_parse(struct options *o, int argc, char **argv, char *why, size_t why_size)
{
	struct parsing p = { .o = o, .why = why, .why_size = why_size };

	for (int i = 1; i < argc; i++) {
		const char *next = i + 1 < argc ? argv[i + 1] : NULL;
		bool done;

		if (!strcmp(argv[i], "--")) {
			if (!next)
				return refuse(&p, "%s%s", "no program after --", "");
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
	return o->help || o->version || o->export_help || options_go_together(o, p.given, why, why_size);
}

bool options_screen(const struct options *o)
{
	return !options_batch(o) && !o->list && !o->clean;
}

bool options_batch(const struct options *o)
{
	return o->once || o->json || o->csv || o->stream || o->stacks || o->diff || o->check ||
	       o->export >= 0;
}
