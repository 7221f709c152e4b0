/* SPDX-License-Identifier: MIT */
#include "proftop/proftop_export_screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/foreign/foreign_kinds.h"
#include "model/base/text.h"
#include "model/stats/overhead.h"
#include "proftop/export_file.h"
#include "tui/cells/figures.h"

#define NUMBERS 1000 /* of files of one name */
#define PATH_BYTES (PROMPT_SIZE + 16)

/* What is looked at */

struct exporting {
	struct app *app;
	const struct app_export *wanted;
	struct foreign foreign;
	struct values *values; /* owned; NULL: those of the selected time, or none are needed */
	struct spans *spans;
	char what[96];         /* it is, for the user */
};

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static bool is_frame(const struct exporting *e)
{
	const struct track *at = e->app->at;

	return at->times.chosen && !at->times.selected && !at->paused_run;
}

static bool take_values(struct exporting *e)
{
	const struct times *t = &e->app->at->times;
	const struct profile *p = e->foreign.profile;

	e->foreign.values = t->selected;
	if (t->selected)
		return true;
	e->values = is_frame(e) ? values_of_frames(p, profile_frame_index(p, t->chosen), 1) : values_of_run(p);
	e->foreign.values = e->values;
	return e->values && (!e->app->choice.less_overhead || overhead_subtract(e->values, p));
}

/* From the first that more than single frames are known of. */
static int64_t known_since(const struct exporting *e, const struct transitions *all, int64_t now)
{
	int64_t since = now;

	for (uint32_t i = 0; i < all->count; i++)
		if (transitions_since(&all->lists[i]) < since && foreign_selects(&e->foreign, all->lists[i].thread))
			since = transitions_since(&all->lists[i]);
	return since;
}

/* Calls that run may have been entered behind the last tick of the profile. */
static int64_t known_until(const struct exporting *e, int64_t now)
{
	for (uint32_t i = 0; i < e->spans->count; i++) {
		const struct span_list *l = &e->spans->lists[i];

		if (l->known_count)
			now = later(now, l->known[l->known_count - 1].end);
	}
	return now;
}

static void choose_window(struct exporting *e, const struct transitions *all, int64_t now)
{
	const struct times *t = &e->app->at->times;
	const struct profile_frame *frame = is_frame(e) ? profile_find_frame(e->foreign.profile, t->chosen) : NULL;

	if (t->selected) {
		e->foreign.from = t->selected_from;
		e->foreign.to = t->selected_to;
	} else if (frame) {
		e->foreign.from = frame->start;
		e->foreign.to = frame_end(frame);
		e->foreign.frame = frame->number;
	} else {
		e->foreign.whole = true;
		e->foreign.from = all ? known_since(e, all, now) : now;
		e->foreign.to = known_until(e, now);
	}
}

static bool take_calls(struct exporting *e)
{
	const struct times *t = &e->app->at->times;
	int64_t now = e->foreign.profile->now_tick, taken = now;
	uint64_t run;
	const struct transitions *all = t->singles ? singles_all(t->singles, &taken, &run) : NULL;

	e->spans = spans_new();
	e->foreign.spans = e->spans;
	if (!e->spans || (all && !spans_update(e->spans, e->foreign.profile, all, taken)))
		return false;
	choose_window(e, all, later(now, taken));
	return true;
}

static void name_it(struct exporting *e)
{
	const struct times *t = &e->app->at->times;
	uint64_t ticks_per_s = e->foreign.profile->ticks_per_s;

	if (t->selected)
		snprintf(e->what, sizeof(e->what), "%s that were measured",
			 figure_span(format_ns(t->selected_to - t->selected_from, ticks_per_s)).text);
	else if (is_frame(e))
		snprintf(e->what, sizeof(e->what), "frame %s", figure_grouped(t->chosen).text);
	else
		snprintf(e->what, sizeof(e->what), "%s", e->spans ? "all single calls that are known" : "the whole run");
}

/* False: out of memory. */
static bool prepare(struct exporting *e)
{
	e->foreign.profile = times_profile(&e->app->at->times);
	e->foreign.threads = e->wanted->threads;
	e->foreign.ascii = e->app->style.ascii;
	if (file_kinds[e->wanted->kind].form == FILE_EVENTS ? !take_calls(e) : !take_values(e))
		return false;
	name_it(e);
	return true;
}

static void finish(struct exporting *e)
{
	values_free(e->values);
	spans_free(e->spans);
}

/* The file */

/* `game-12.json` becomes `game-12-2.json`, and so on. False: they are all there. */
static bool find_name(const struct app_export *wanted, char path[PATH_BYTES])
{
	const char *ending = file_kinds[wanted->kind].ending;
	size_t length = strlen(wanted->path) - strlen(ending);
	struct stat st;

	snprintf(path, PATH_BYTES, "%s", wanted->path);
	if (strcmp(wanted->path, wanted->proposed) != 0)
		return lstat(path, &st) || !S_ISREG(st.st_mode);
	for (int i = 2; !lstat(path, &st) && i < NUMBERS; i++)
		snprintf(path, PATH_BYTES, "%.*s-%d%s", (int)length, wanted->path, i, ending);
	return lstat(path, &st);
}

static void say_done(struct exporting *e, const char *shown, const char *path)
{
	struct stat st;
	bool sized = !stat(path, &st) && S_ISREG(st.st_mode); /* nobody knows how much a pipe took */

	app_say(e->app, "%s: %s%s, %s%s%s", shown, sized ? figure_grouped((uint64_t)st.st_size).text : "written",
		sized ? " bytes" : "", e->what, *e->foreign.said ? "; " : "", e->foreign.said);
}

static void write_file(struct exporting *e, const char *path, const char *shown)
{
	struct export_file file;
	bool written;
	int error = 0;

	if (!export_file_open(&file, path, &error)) {
		app_say(e->app, "%s could not be written: %s", shown, strerror(error));
		return;
	}
	written = foreign_write(&e->foreign, (enum file_kind)e->wanted->kind, file.out);
	if (export_file_finish(&file, written, &error))
		say_done(e, shown, path);
	else
		app_say(e->app, "%s could not be written: %s", shown, strerror(e->foreign.no_memory || !error ? ENOMEM : error));
}

void export_screen(struct app *app, void (*show)(void *context), void *context)
{
	struct exporting e = { .app = app, .wanted = &app->wanted.export };
	char path[PATH_BYTES], *shown;

	if (!times_profile(&app->at->times))
		return;
	if (!find_name(e.wanted, path)) {
		shown = name_safe(path, app->style.ascii);
		app_say(app, "%s is there already, and stays: another name", shown ? shown : "?");
		free(shown);
		return;
	}
	shown = name_safe(path, app->style.ascii);
	if (shown) {
		app_say(app, "writing %s%s", shown, app->style.ascii ? "..." : "…");
		show(context);
	}
	if (!shown || !prepare(&e))
		app_say(app, "out of memory");
	else
		write_file(&e, path, shown);
	free(shown);
	finish(&e);
}
