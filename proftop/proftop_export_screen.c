/* SPDX-License-Identifier: MIT */
#include "proftop/proftop_screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <config.h>

#include "io/foreign/foreign.h"
#include "io/page/page.h"
#include "model/base/text.h"
#include "proftop/export_file.h"
#include "proftop/messages.h"
#include "proftop/proftop_import.h"
#include "proftop/wait.h"
#include "tui/cells/figures.h"

/* The export itself, which runs in the child */

struct exporting {
	struct app *app;
	const struct source *source; /* NULL: none */
	const struct app_export *wanted;
	const char *path;
	struct export_state *state;
	struct foreign foreign;
	struct spans *spans;
	uint32_t measure;      /* which the screen shows */
	bool partly;           /* the source has other calls than are held */
};

static bool store_progress(void *context, uint64_t done, uint64_t all)
{
	struct exporting *e = context;

	atomic_store_explicit(&e->state->done, done, memory_order_relaxed);
	atomic_store_explicit(&e->state->all, all, memory_order_relaxed);
	return true;
}

static bool store_bytes(void *context, uint64_t bytes)
{
	struct exporting *e = context;

	atomic_store_explicit(&e->state->bytes, bytes, memory_order_relaxed);
	return true;
}

static int64_t later_tick(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static bool is_frame(const struct exporting *e)
{
	const struct track *at = e->app->at;

	return at->times.chosen && !at->times.selected_to && !at->paused_run;
}

static bool is_page(const struct exporting *e)
{
	return file_kinds[e->wanted->kind].form == FILE_PAGE;
}

/* A page has frames. A stretch of time that was measured is no number of them, so the page is of the whole run then. */
static bool is_measured(const struct exporting *e)
{
	return e->app->at->times.selected && !is_page(e);
}

/* Takes the values that the screen shows, for all stacks; a page has times and what was measured. This is a process of
 * its own, so the screen goes on with its own view. */
static bool take_values(struct exporting *e)
{
	struct query *query = times_query(&e->app->at->times);
	struct query_options o = *query_options(query);

	o.sums = true;
	e->measure = o.measure;
	if (is_page(e))
		o.measure = MEASURE_SELF;
	o.path.length = 0;
	if (!is_frame(e))
		o.frame = 0;
	if (!is_measured(e))
		o.selected = NULL;
	if (is_page(e))
		o.less_overhead = false;
	e->foreign.values = query_look(query, &o) ? query_values(query) : NULL;
	return e->foreign.values;
}

static void choose_window(struct exporting *e, const struct transitions *all, int64_t now)
{
	const struct times *t = &e->app->at->times;
	const struct profile_frame *frame = is_frame(e) ? profile_find_frame(e->foreign.profile, t->chosen) : NULL;

	if (t->selected_to) {
		e->foreign.from = t->selected_from;
		e->foreign.to = t->selected_to;
	} else if (frame) {
		e->foreign.from = frame->start;
		e->foreign.to = frame_end(frame);
		e->foreign.frame = frame->number;
	} else {
		e->foreign.whole = true;
		e->foreign.from = all ? transitions_since_all(all, e->foreign.profile, e->foreign.threads, now) : now;
		e->foreign.to = spans_until_all(e->spans, e->foreign.profile, e->foreign.threads, now);
	}
}

/* A recording holds only the single calls that were asked for last, so this asks for those of the selection. */
static void want_calls(struct exporting *e)
{
	const struct times *t = &e->app->at->times;
	const struct profile_frame *frame = is_frame(e) ? profile_find_frame(e->foreign.profile, t->chosen) : NULL;

	if (t->singles && t->selected_to)
		singles_want(t->singles, t->selected_from, t->selected_to);
	else if (t->singles && frame)
		singles_want(t->singles, frame->start, frame_end(frame));
}

static bool take_calls(struct exporting *e)
{
	const struct times *t = &e->app->at->times;
	int64_t now = e->foreign.profile->now_tick, taken = now;
	const struct transitions *all;
	uint64_t run;

	all = t->singles ? singles_all(t->singles, &taken, &run) : NULL;
	e->spans = spans_new();
	e->foreign.spans = e->spans;
	if (!e->spans || (all && !spans_update(e->spans, e->foreign.profile, all, taken)))
		return false;
	choose_window(e, all, later_tick(now, taken));
	e->partly = e->foreign.whole && all && all->elsewhere && all->since < e->foreign.from;
	return true;
}

static void name_contents(struct exporting *e)
{
	const struct times *t = &e->app->at->times;
	uint64_t ticks_per_s = e->foreign.profile->ticks_per_s;

	if (t->selected_first)
		snprintf(e->state->what, sizeof(e->state->what), "frames %s to %s", figure_grouped(t->selected_first).text,
			 figure_grouped(t->selected_last).text);
	else if (t->selected && !is_page(e))
		snprintf(e->state->what, sizeof(e->state->what), "selection of %s",
			 figure_span(format_ns(t->selected_to - t->selected_from, ticks_per_s)).text);
	else if (is_frame(e))
		snprintf(e->state->what, sizeof(e->state->what), "frame %s", figure_grouped(t->chosen).text);
	else if (e->partly && !is_page(e))
		snprintf(e->state->what, sizeof(e->state->what), "single calls of %s, as many as are in memory; proftop export "
		                                   "writes all",
			 figure_span(format_ns(e->foreign.to - e->foreign.from, ticks_per_s)).text);
	else
		snprintf(e->state->what, sizeof(e->state->what), "%s", e->spans && !is_page(e) ? "all single calls that are known"
										     : "the whole run");
}

/* False: out of memory. */
static bool prepare_export(struct exporting *e)
{
	e->foreign.profile = times_profile(&e->app->at->times);
	e->foreign.threads = e->wanted->threads;
	e->foreign.ascii = e->app->style.ascii;
	e->foreign.goes_on = store_progress;
	e->foreign.context = e;
	if (file_kinds[e->wanted->kind].form != FILE_SUMS && !take_calls(e))
		return false;
	if (file_kinds[e->wanted->kind].form != FILE_EVENTS && !take_values(e))
		return false;
	name_contents(e);
	return true;
}

/* The file */

static bool write_page(struct exporting *e, FILE *out)
{
	const struct profile *p = e->foreign.profile;
	struct page page = { .profile = p, .values = e->foreign.values, .spans = e->spans, .threads = THREADS_ALL, .by = "proftop " PACKAGE_VERSION,
			     .budget = (int64_t)(e->app->choice.budget_ms * (double)p->ticks_per_s / 1e3) };
	struct page_remark remarks[ANOMALIES];
	bool written;

	page.remarks = remarks;
	page.remark_count = e->source ? importing_remarks(e->source, remarks) : 0;
	query_frames(times_query(&e->app->at->times), &page.first, &page.count);
	page.whole = !is_frame(e) && !e->app->at->times.selected_first;
	page.measure = e->measure;
	if (is_frame(e))
		page.frame = e->app->at->times.chosen;
	written = page_write(&page, out);
	e->foreign.no_memory = !written && !ferror(out);
	snprintf(e->foreign.said, sizeof(e->foreign.said), "%s", page.said);
	return written;
}

static void write_file(struct exporting *e)
{
	const struct export_watch watch = { .goes_on = store_bytes, .context = e };
	struct export_file file;
	bool written;
	int error = 0;

	if (!export_file_open(&file, e->path, &watch, &error)) {
		e->state->error = error;
		return;
	}
	written = is_page(e) ? write_page(e, file.out)
			     : foreign_write(&e->foreign, (enum file_kind)e->wanted->kind, file.out);
	e->state->written = export_file_finish(&file, written, &error);
	e->state->error = e->foreign.no_memory || !error ? ENOMEM : error;
	snprintf(e->state->said, sizeof(e->state->said), "%s", e->foreign.said);
}

static void export_in_child(void *context, struct export_state *state)
{
	struct exporting *e = context;

	e->state = state;
	if (prepare_export(e))
		write_file(e);
	else
		state->error = ENOMEM;
}

/* Beside the screen */

static void say_progress(const struct export_screen *x)
{
	const struct export_state *s = x->beside.state;
	uint64_t bytes = atomic_load_explicit(&s->bytes, memory_order_relaxed);
	uint64_t done = atomic_load_explicit(&s->done, memory_order_relaxed);
	uint64_t all = atomic_load_explicit(&s->all, memory_order_relaxed);
	char text[64] = "", size[64] = "";

	if (all && bytes)
		snprintf(text, sizeof(text), ": %d %%", done < all ? (int)((double)done * 100 / (double)all) : 99);
	if (bytes)
		snprintf(size, sizeof(size), "%s %s", *text ? "," : ":", figure_bytes(bytes).text);
	app_progress(x->app, "exporting %s%s%s, Esc cancels", x->shown, text, size);
}

/* A pipe has no size: nobody knows how much it took. */
static void say_done(const struct export_screen *x)
{
	const struct export_state *s = x->beside.state;
	struct stat st;
	bool sized = !stat(x->path, &st) && S_ISREG(st.st_mode);

	app_say(x->app, "wrote %s%s%s%s%s%s%s%s", x->shown, sized ? " (" : "",
		sized ? figure_bytes((uint64_t)st.st_size).text : "", sized ? ")" : "", *s->what ? ": " : "", s->what,
		*s->said ? "; " : "", s->said);
}

static void say_failed(const struct export_screen *x)
{
	int status = x->beside.status;

	if (WIFSIGNALED(status))
		app_say(x->app, "cannot write %s: the process that wrote it was ended by signal %d (%s)", x->shown,
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		app_say(x->app, "cannot write %s: %s", x->shown, strerror(x->beside.state->error));
}

/* The file may have got its name while its end was asked for. */
static bool is_written(const struct export_screen *x)
{
	struct stat st;

	return x->beside.state->written || (x->is_new && !lstat(x->path, &st));
}

static void finish_export(struct export_screen *x)
{
	app_progress(x->app, "%s", "");
	export_beside_fini(&x->beside);
	free(x->shown);
	x->shown = NULL;
}

bool export_screen_look(struct export_screen *x)
{
	if (!x->beside.pid)
		return false;
	x->app->now = wait_now(); /* what is said is said now */
	if (!export_beside_is_over(&x->beside)) {
		say_progress(x);
		return true;
	}
	if (is_written(x))
		say_done(x);
	else
		say_failed(x);
	finish_export(x);
	return true;
}

void export_screen_cancel(struct export_screen *x)
{
	if (!x->beside.pid)
		return;
	export_beside_end(&x->beside);
	if (is_written(x))
		say_done(x);
	else
		app_say(x->app, "%s not written: cancelled", x->shown);
	finish_export(x);
}

void export_screen_end(struct export_screen *x)
{
	if (!x->beside.pid)
		return;
	export_beside_end(&x->beside);
	if (!is_written(x))
		say("%s not written: proftop ended first", x->shown);
	finish_export(x);
}

static void begin_export(struct export_screen *x, const struct source *source)
{
	struct exporting e = { .app = x->app, .source = source, .wanted = &x->app->wanted.export, .path = x->path,
			       .foreign.profile = times_profile(&x->app->at->times) };
	struct stat st;

	x->is_new = lstat(x->path, &st);
	if (file_kinds[e.wanted->kind].form != FILE_SUMS)
		want_calls(&e); /* here: the child reads no source */
	if (!export_beside_begin(&x->beside, export_in_child, &e)) {
		app_say(x->app, "cannot write %s: %s", x->shown, strerror(errno));
		finish_export(x);
		return;
	}
	say_progress(x);
}

void export_screen_begin(struct export_screen *x, struct app *app, const struct source *source)
{
	if (!times_profile(&app->at->times))
		return;
	if (x->beside.pid) {
		app_say(app, "%s is still being written: wait, or press Esc twice to cancel it", x->shown);
		return;
	}
	x->app = app;
	if (!export_find_name(app->wanted.export.path, app->wanted.export.proposed, file_kinds[app->wanted.export.kind].ending, x->path,
			      sizeof(x->path))) {
		x->shown = name_safe(x->path, app->style.ascii);
		app_say(app, "%s exists already; type another name", x->shown ? x->shown : "?");
		free(x->shown);
		x->shown = NULL;
		return;
	}
	x->shown = name_safe(x->path, app->style.ascii);
	if (x->shown)
		begin_export(x, source);
	else
		app_say(app, "out of memory");
}
