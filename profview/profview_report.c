/* SPDX-License-Identifier: MIT */
/*
 * profview_report: the report of the process itself, as text or a page, which it prints through a function of its own.
 *
 * A source is opened for it and closed again: it shares nothing with views, so any thread may call it.
 */
#include <stdio.h>

#include <config.h>

#include "io/export/export.h"
#include "io/find.h"
#include "io/page/page.h"
#include "model/boxes/spans.h"
#include "profview/profview_inside.h"

#define HELD_BYTES ((uint64_t)16 << 20) /* frames are wanted for their lengths alone */
#define PAGE_BYTES ((uint64_t)64 << 20) /* and of a page for what is in them */
#define MODE_MASK (Prof_Report_ASCII - 1)

struct sink {
	int (*write)(void *context, const char *text, size_t size);
	void *context;
	bool stopped;
};

/* Once stopped the caller's function is left alone, whatever stdio still has. 0 is how a cookie says that it failed:
 * stdio would take a negative number for very many bytes, and go on behind the end of the text. */
static ssize_t sink_write(void *context, const char *text, size_t size)
{
	struct sink *sink = context;

	if (!sink->stopped && sink->write(sink->context, text, size))
		sink->stopped = true;
	return sink->stopped ? 0 : (ssize_t)size;
}

struct work {
	const struct profile *p;
	struct values *values;
	struct keys *keys;
	struct report *each, *all;
};

static bool make_report(struct work *w, enum report_view view, uint32_t thread, struct report **out)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	char why[256];

	o.view = view;
	o.thread = thread;
	o.keys = w->keys;
	return report_make(w->p, w->values, &o, out, why, sizeof(why)) == REPORT_OK;
}

/* Threads one by one, and behind them all of them, where there are several. */
static bool make_reports(struct work *w, enum report_view view)
{
	w->values = values_of_run(w->p);
	w->keys = keys_new(false);
	return w->values && w->keys && keys_update(w->keys, w->p) &&
	       make_report(w, view, REPORT_EACH, &w->each) &&
	       (w->p->thread_count < 2 || make_report(w, view, THREADS_ALL, &w->all));
}

static void work_fini(struct work *w)
{
	report_free(w->each);
	report_free(w->all);
	keys_free(w->keys);
	values_free(w->values);
}

static FILE *open_sink(struct sink *sink)
{
	return fopencookie(sink, "w", (cookie_io_functions_t){ .write = sink_write });
}

/* All went out, or memory was short; closes it. */
static enum Prof_view_result close_sink(const struct sink *sink, FILE *out, bool done)
{
	done = fclose(out) == 0 && done;
	return sink->stopped ? Prof_view_STOPPED : done ? Prof_view_OK : Prof_view_NO_MEMORY;
}

static enum Prof_view_result print(const struct work *w, bool ascii, struct sink *sink)
{
	struct export e = { .profile = w->p, .values = w->values, .report = w->each, .below = w->all,
			    .count = w->p->frame_count, .whole_run = true };
	struct export_style style = { .ascii = ascii };
	FILE *out = open_sink(sink);

	return out ? close_sink(sink, out, export_text(&e, &style, out)) : Prof_view_NO_MEMORY;
}

static enum Prof_view_result text_of(struct source *s, enum report_view view, bool ascii, struct sink *sink)
{
	struct work w = { .p = s->profile };
	enum Prof_view_result result = make_reports(&w, view) ? print(&w, ascii, sink) : Prof_view_NO_MEMORY;

	work_fini(&w);
	return result;
}

/* The page */

struct page_parts {
	struct transitions *transitions;
	struct spans *spans;
	struct values *values;
};

/* Values behind the transitions, which may bring nodes. */
static bool make_parts(struct page_parts *w, struct source *s)
{
	w->transitions = transitions_new(TRANSITIONS_MOST);
	w->spans = spans_new();
	if (!w->transitions || !w->spans || !source_transitions(s, w->transitions))
		return false;
	w->values = values_of_run(s->profile);
	return w->values && spans_update(w->spans, s->profile, w->transitions, s->profile->now_tick);
}

static void parts_fini(struct page_parts *w)
{
	values_free(w->values);
	spans_free(w->spans);
	transitions_free(w->transitions);
}

static enum Prof_view_result print_page(const struct page_parts *w, const struct profile *p, struct sink *sink)
{
	struct page page = { .profile = p, .values = w->values, .spans = w->spans, .threads = THREADS_ALL, .count = p->frame_count,
			     .whole = true, .by = "libprofview " PACKAGE_VERSION, .unread = w->transitions->left_out };
	FILE *out = open_sink(sink);

	return out ? close_sink(sink, out, page_write(&page, out)) : Prof_view_NO_MEMORY;
}

static enum Prof_view_result page_of(struct source *s, struct sink *sink)
{
	struct page_parts w = { 0 };
	enum Prof_view_result result = make_parts(&w, s) ? print_page(&w, s->profile, sink) : Prof_view_NO_MEMORY;

	parts_fini(&w);
	return result;
}

/* Any of them */

static enum Prof_view_result report_source(struct source *s, unsigned mode, bool ascii, struct sink *sink)
{
	static const enum report_view views[] = {
		[Prof_Report_FLAT] = REPORT_SELF, [Prof_Report_HIER] = REPORT_HIER,
		[Prof_Report_TREE] = REPORT_TREE,
	};

	live_hold(s, mode == Prof_Report_HTML ? PAGE_BYTES : HELD_BYTES);
	if (source_next(s) == SOURCE_BAD)
		return Prof_view_REFUSED;
	return mode == Prof_Report_HTML ? page_of(s, sink) : text_of(s, views[mode], ascii, sink);
}

enum Prof_view_result Prof_Report(int (*write)(void *context, const char *text, size_t size), void *context,
				  int mode)
{
	struct sink sink = { write, context, false };
	unsigned kind = (unsigned)mode & MODE_MASK;
	char name[FIND_SIZE], why[512];
	enum open_result live;
	enum Prof_view_result result;
	struct source *s;

	if (mode < 0 || kind > Prof_Report_HTML || mode > (Prof_Report_ASCII | MODE_MASK))
		return Prof_view_NOTHING;
	if (find_self(name, sizeof(name), why, sizeof(why)) != FIND_DONE)
		return Prof_view_ABSENT;
	s = live_open(name, LIVE_UNGUARDED, &live, why, sizeof(why));
	if (!s)
		return live == OPEN_ABSENT ? Prof_view_ABSENT : Prof_view_SYSTEM;
	result = report_source(s, kind, mode & Prof_Report_ASCII, &sink);
	source_close(s);
	return result;
}
