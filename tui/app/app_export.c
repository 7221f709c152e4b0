/* SPDX-License-Identifier: MIT */
/*
 * app_export: what is looked at as a file for another program: which kind, and under which name. It is written by whoever
 * runs the app (EFFECT_EXPORT): the frame that is chosen, the frames or the time that were selected, or else all that
 * is held.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "model/report/file_kinds.h"
#include "tui/app/app_inside.h"

#define KIND_CELLS 18 /* of a kind's name in the list */
#define PROGRAM_BYTES 64

bool app_can_export(const struct app *a, enum command unused)
{
	(void)unused;
	return times_profile(&a->at->times);
}

static unsigned say_nothing(struct app *a)
{
	app_say(a, "no program to export");
	return EFFECT_DRAW;
}

/* `Export: frames 12-40`: what will be in the file. */
static void title_export(const struct times *t, bool whole_run, char *out, size_t size)
{
	if (t->selected_first)
		snprintf(out, size, "Export: frames %llu-%llu", (unsigned long long)t->selected_first,
			 (unsigned long long)t->selected_last);
	else if (t->selected)
		snprintf(out, size, "Export: selected time (web page: the whole run)");
	else if (t->chosen && !whole_run)
		snprintf(out, size, "Export: frame %llu", (unsigned long long)t->chosen);
	else
		snprintf(out, size, times_profile(t)->frame_count ? "Export: all known frames (for fewer: Esc, then :last 300)" : "Export: the whole run");
}

unsigned app_pick_export(struct app *a, int unused)
{
	char title[PICKER_TITLE];

	(void)unused;
	if (!times_profile(&a->at->times))
		return say_nothing(a);
	title_export(&a->at->times, a->at->paused_run, title, sizeof(title));
	picker_begin(&a->ask.picker, title);
	for (int i = 0; i < FILE_KINDS; i++)
		if (file_kinds[i].form != FILE_REPORT)
			picker_add(&a->ask.picker, (uint64_t)i, "%-*s %s", KIND_CELLS, file_kind_names[i], file_kinds[i].holds);
	a->ask.overlay = OVERLAY_PICKER;
	a->ask.command = COMMAND_EXPORT;
	return EFFECT_DRAW;
}

/* Makes any bytes a name that no shell and no option takes for something else. */
static void plain_name(const struct profile *p, char out[PROGRAM_BYTES])
{
	const char *program = p->process.program, *slash = strrchr(program, '/');

	snprintf(out, PROGRAM_BYTES, "%s", slash ? slash + 1 : program);
	for (char *c = out; *c; c++)
		if ((unsigned char)*c > 127 || (!isalnum((unsigned char)*c) && *c != '_' && (c == out || !strchr("-.", *c))))
			*c = '_';
	if (!*out)
		snprintf(out, PROGRAM_BYTES, "profile");
}

/* `game-12.trace.json` */
static void propose_file(struct app *a, enum file_kind kind, char *out, size_t size)
{
	const struct times *t = &a->at->times;
	char program[PROGRAM_BYTES], part[48] = "";

	plain_name(times_profile(t), program);
	if (t->selected_first)
		snprintf(part, sizeof(part), "-%llu-%llu", (unsigned long long)t->selected_first,
			 (unsigned long long)t->selected_last);
	else if (t->selected && file_kinds[kind].form != FILE_PAGE)
		snprintf(part, sizeof(part), "-part");
	else if (t->chosen && !a->at->paused_run)
		snprintf(part, sizeof(part), "-%llu", (unsigned long long)t->chosen);
	snprintf(out, size, "%s%s%s", program, part, file_kinds[kind].ending);
}

void app_ask_export(struct app *a, int kind)
{
	struct app_export *e = &a->wanted.export;

	e->kind = kind;
	propose_file(a, (enum file_kind)kind, e->proposed, sizeof(e->proposed));
	app_ask(a, COMMAND_EXPORT, "Export to:", e->proposed);
}

/* All is as it was when it was asked for; single calls are those of now, where they are not held already. */
bool app_export_to(struct app *a, const char *file)
{
	struct app_export *e = &a->wanted.export;
	struct look look = app_looks(a);

	if (!*file) {
		app_say(a, "type a file name");
		return false;
	}
	if (!look.profile) {
		say_nothing(a);
		return false;
	}
	snprintf(e->path, sizeof(e->path), "%s", file);
	e->threads = file_kinds[e->kind].form == FILE_EVENTS ? look.lanes : app_threads(a, look.profile);
	if (file_kinds[e->kind].form != FILE_SUMS)
		app_take_singles(a);
	return true;
}

unsigned app_export_line(struct app *a, const char *value)
{
	size_t length = strcspn(value, " ");
	enum file_kind kind = file_kind_find(value, length);
	const char *file = value + length + strspn(value + length, " ");

	if (!times_profile(&a->at->times))
		return say_nothing(a);
	if (!*value)
		return app_pick_export(a, 0);
	if (kind == FILE_KINDS)
		app_say(a, "no kind '%.*s'; Tab lists all kinds", (int)length, value);
	else if (file_kinds[kind].form == FILE_REPORT)
		app_say(a, "this is a report: run proftop report %s", kind == FILE_CSV ? "--csv" : kind == FILE_JSON ? "-j" : "-v functions");
	if (kind == FILE_KINDS || file_kinds[kind].form == FILE_REPORT)
		return LINE_REFUSED;
	if (*file == '-') {
		app_say(a, ":export takes no options. Select frames first (:last 300). A file of this name: ./%.40s", file);
		return LINE_REFUSED;
	}
	a->wanted.export.kind = (int)kind;
	*a->wanted.export.proposed = '\0';
	if (*file)
		return app_export_to(a, file) ? EFFECT_DRAW | EFFECT_EXPORT : LINE_REFUSED;
	app_ask_export(a, (int)kind);
	return EFFECT_DRAW;
}
