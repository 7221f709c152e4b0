/* SPDX-License-Identifier: MIT */
/*
 * options_together: options that say nothing beside one another are refused, with both named.
 *
 * A command line asks for one thing, in one form, and the table of options says of each with what it goes. The few rules
 * that depend on an option's value stand in a list.
 */
#include "proftop/options_table.h"

#include <string.h>

#include "model/report/file_kinds.h"
#include "model/report/report.h"

_Static_assert(WITH_PAGE < 1u << 22, "several names");

/* By bit. */
static const char *const with_names[] = {
	"the screen", "-1",       "-v graph", "-v counters", "-v why", "-v threads", "-v timeline", "--freeze-over",
	"--stream",   "--stacks", "--diff",   "--check",     "-l",     "--clean",    "-1 -o",       "-1",
	"-j",         "--csv",    "--",       "--export of single calls", "--export of stacks",
	"--export=html",
};

static const char *name_of(unsigned bit)
{
	return with_names[__builtin_ctz(bit)];
}

/* What is asked for */

static unsigned report_of(const struct options *o)
{
	switch (o->view) {
	case REPORT_GRAPH:
		return WITH_GRAPH;
	case OPTION_VIEW_WHY:
		return WITH_WHY;
	case OPTION_VIEW_COUNTERS:
		return WITH_COUNTERS;
	case OPTION_VIEW_THREADS:
		return WITH_THREADS;
	case OPTION_VIEW_TIMELINE:
		return WITH_TIMELINE;
	default:
		return WITH_ZONES;
	}
}

static unsigned export_of(const struct options *o)
{
	static const unsigned things[] = { [FILE_EVENTS] = WITH_EVENTS, [FILE_SUMS] = WITH_SUMS, [FILE_PAGE] = WITH_PAGE,
					   [FILE_REPORT] = 0 };

	return o->export < 0 ? 0 : things[file_kinds[o->export].form];
}

static unsigned thing_of(const struct options *o)
{
	const struct {
		bool asked;
		unsigned thing;
	} things[] = {
		{ o->list, WITH_LIST },     { o->clean, WITH_CLEAN }, { o->stream, WITH_STREAM },
		{ o->stacks, WITH_STACKS }, { o->diff, WITH_DIFF },   { o->check, WITH_CHECK },
		{ export_of(o), export_of(o) },
		{ !options_batch(o), WITH_SCREEN }, { o->output, WITH_RECORD }, { o->freeze_ms > 0, WITH_FREEZE },
	};

	for (size_t i = 0; i < sizeof(things) / sizeof(*things); i++)
		if (things[i].asked)
			return things[i].thing;
	return report_of(o);
}

/* 0: the form is given by the thing. */
static unsigned form_of(const struct options *o, unsigned thing)
{
	if (thing & (WITH_SCREEN | WITH_CLEAN | WITH_RECORD | WITH_EXPORT))
		return 0;
	return o->json || thing == WITH_STREAM ? WITH_JSON : o->csv ? WITH_CSV : WITH_TEXT;
}

/* What goes with what */

static void spell(const struct option_def *def, char out[32])
{
	if (def->letter)
		snprintf(out, 32, "-%c", def->letter);
	else
		snprintf(out, 32, "--%s", def->name);
}

/* What the option does not go with; 0: it goes with all. */
static unsigned against(const struct option_def *def, const struct options *o)
{
	unsigned thing = thing_of(o), form = form_of(o, thing);

	if (!(def->with & thing))
		return thing & (WITH_REPORTS | WITH_FREEZE) && !(def->with & WITH_ZONES) ? form : thing;
	if (def->with & WITH_FORMS && form && !(def->with & form))
		return thing == WITH_STREAM ? thing : form;
	return o->app && def->with & WITH_NO_PROGRAM ? WITH_NO_PROGRAM : 0;
}

/* `, but with -1, --check`: by its form where that is what matters; one word for all reports. */
static void list_with(const struct option_def *def, const char *option, unsigned thing, char *out, size_t size)
{
	unsigned with = def->with & ~(unsigned)WITH_NO_PROGRAM;
	const char *between = "; use it with ";

	*out = '\0';
	if (with & WITH_FORMS)
		with &= WITH_SCREEN | WITH_FORMS;
	if (with & WITH_ZONES)
		with &= ~(unsigned)WITH_REPORTS | WITH_ZONES;
	for (; with; with &= with - 1) {
		const char *name = with & -with & WITH_ZONES && thing & WITH_REPORTS ? "other reports" : name_of(with);
		size_t length = strlen(out);

		if (!strcmp(name, option))
			continue;
		snprintf(out + length, size - length, "%s%s", between, name);
		between = ", ";
	}
}

static bool refuse_pair(const struct option_def *def, unsigned thing, char *why, size_t why_size)
{
	char option[32], with[160];

	spell(def, option);
	list_with(def, option, thing, with, sizeof(with));
	snprintf(why, why_size, "%s does not go with %s%s", option, name_of(thing),
		 thing == WITH_NO_PROGRAM ? "" : with);
	return false;
}

/* What depends on a value, or on what is no option. */
static const char *wrong_values(const struct options *o)
{
	unsigned thing = thing_of(o);
	const struct {
		bool wrong;
		const char *why;
	} rules[] = {
		{ o->diff && o->target_count != 2,
		  "--diff needs two names: regions, or frames such as NAME@12 (the twelfth) and NAME@-1 (the "
		  "newest)" },
		{ o->target_count > 1 && !o->diff && thing != WITH_SCREEN,
		  "a report covers one region (to run a program, write it after --)" },
		{ o->app && o->target, "give a region, or a program after --, not both" },
		{ o->list && o->target, "-l lists all regions, and takes no name" },
		{ o->clean && !o->target && !o->dead, "--clean needs the NAME of a region, or --dead for all dead "
		                                      "ones" },
		{ o->clean && o->target && o->dead, "--clean takes a NAME or --dead, not both" },
		{ o->thread && !strcmp(o->thread, "each") &&
			  thing & (WITH_SCREEN | WITH_COUNTERS | WITH_STREAM | WITH_CHECK),
		  "-t each needs a report with a section per thread. Give one thread, or all" },
		{ thing == WITH_SCREEN && o->view == OPTION_VIEW_THREADS,
		  "-v threads is for -1, -j and --csv. On the screen, press T" },
		{ thing == WITH_ZONES && o->bottom_up && o->view != REPORT_TREE && o->view != OPTION_VIEW_FLAME,
		  "--bottom-up needs -v tree or -v flame" },
		{ o->view == OPTION_VIEW_FLAME && (o->json || o->csv) && !o->list,
		  "-v flame exists on the screen and as text. For --json and --csv, use -v tree" },
		{ o->max_size && o->output && !strcmp(o->output, "-"), "--max-size needs a file, not standard "
		    "output" },
		{ thing == WITH_SCREEN && (o->max_size || o->only_slow_ms > 0 || o->no_calls) && !o->output,
		  "--max-size, --only-slow and --no-calls need a recording: add -o FILE" },
		{ thing == WITH_TIMELINE && o->frames && (o->from || o->to), "use either -n, or --from and --to" },
		{ thing == WITH_EVENTS && o->frames && (o->from || o->to), "use either -n, or --from and --to" },
		{ o->each_frame && o->export != FILE_TABLE_TREE && o->export != FILE_TABLE_FLAT,
		  "--each-frame needs --export=table-tree or table-flat" },
		{ o->export >= 0 && o->json && o->csv, "--export=csv does not go with -j, nor --export=json with "
		                                       "--csv" },
		{ thing == WITH_GRAPH && !o->zone, "-v graph needs a zone: add -z ZONE" },
		{ o->config && o->no_config, "use either --config or --no-config" },
		{ thing == WITH_RECORD && !o->once, "use -o with the screen, or with -1" },
		{ thing == WITH_RECORD && o->frames && (o->seconds > 0 || o->only_slow_ms > 0 || o->max_size),
		  "-n of a recording covers the last frames. It does not go with --seconds, --only-slow or "
		  "--max-size" },
		{ o->frame_event && o->frame_zone, "use either --frame-event or --frame-zone" },
		{ o->redraw_s < OPTION_REDRAW_S, "-d: the minimum is 0.1 seconds" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].wrong)
			return rules[i].why;
	return NULL;
}

bool options_go_together(const struct options *o, uint64_t given, char *why, size_t why_size)
{
	const char *wrong;

	for (size_t i = 0; i < option_count; i++)
		if (given >> i & 1 && against(&option_table[i], o))
			return refuse_pair(&option_table[i], against(&option_table[i], o), why, why_size);
	wrong = wrong_values(o);
	if (wrong)
		snprintf(why, why_size, "%s", wrong);
	return !wrong;
}
