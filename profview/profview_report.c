/* SPDX-License-Identifier: MIT */
/*
 * profview_report: the text report of the process itself, which it prints through a function of its own.
 *
 * A source is opened for it and closed again: it shares nothing with views, so any thread may call it.
 */
#include <stdio.h>

#include "io/export/export.h"
#include "io/find.h"
#include "profview/profview_inside.h"

#define HELD_BYTES ((uint64_t)16 << 20) /* frames are wanted for their lengths alone */
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

static enum Prof_view_result print(const struct work *w, bool ascii, struct sink *sink)
{
	struct export e = { .profile = w->p, .values = w->values, .report = w->each, .below = w->all,
			    .count = w->p->frame_count, .whole_run = true };
	struct export_style style = { .ascii = ascii };
	FILE *out = fopencookie(sink, "w", (cookie_io_functions_t){ .write = sink_write });
	bool done;

	if (!out)
		return Prof_view_NO_MEMORY;
	done = export_text(&e, &style, out);
	done = fclose(out) == 0 && done;
	return sink->stopped ? Prof_view_STOPPED : done ? Prof_view_OK : Prof_view_NO_MEMORY;
}

static enum Prof_view_result report_source(struct source *s, enum report_view view, bool ascii,
					   struct sink *sink)
{
	struct work w = { .p = s->profile };
	enum Prof_view_result result = Prof_view_NO_MEMORY;

	live_hold(s, HELD_BYTES);
	if (source_next(s) == SOURCE_BAD)
		return Prof_view_REFUSED;
	if (make_reports(&w, view))
		result = print(&w, ascii, sink);
	work_fini(&w);
	return result;
}

enum Prof_view_result Prof_Report(int (*write)(void *context, const char *text, size_t size), void *context,
				  int mode)
{
	static const enum report_view views[] = {
		[Prof_Report_FLAT] = REPORT_SELF, [Prof_Report_HIER] = REPORT_HIER,
		[Prof_Report_TREE] = REPORT_TREE,
	};
	struct sink sink = { write, context, false };
	unsigned view = (unsigned)mode & MODE_MASK;
	char name[FIND_SIZE], why[512];
	enum live_result live;
	enum Prof_view_result result;
	struct source *s;

	if (mode < 0 || view >= sizeof(views) / sizeof(*views) || mode > (Prof_Report_ASCII | MODE_MASK))
		return Prof_view_NOTHING;
	if (find_self(name, sizeof(name), why, sizeof(why)) != FIND_DONE)
		return Prof_view_ABSENT;
	s = live_open(name, LIVE_UNGUARDED, &live, why, sizeof(why));
	if (!s)
		return live == LIVE_ABSENT ? Prof_view_ABSENT : Prof_view_SYSTEM;
	result = report_source(s, views[view], mode & Prof_Report_ASCII, &sink);
	source_close(s);
	return result;
}
