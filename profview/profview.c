/* SPDX-License-Identifier: MIT */
#include <config.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/export/export.h"
#include "io/find.h"
#include "io/page/page.h"
#include "model/boxes/spans.h"
#include "profview/profview_inside.h"

/*
 * Which time a view looks at: the running program, or a frame that has passed.
 *
 * A frame is looked at in a private copy of the profile, so that nothing under the eyes changes while the
 * program is read on.
 */

/* Forgets the copy. */
static void profview_go_live(Prof_view *v)
{
	query_free(v->paused_query);
	profile_free(v->paused);
	v->paused_query = NULL;
	v->paused = NULL;
	v->chosen = 0;
	profview_calls_go_live(v);
	profview_find_thread(v);
	profview_stale(v);
}

/* Takes the copy, if there is none yet. */
static enum Prof_view_result take_copy(Prof_view *v)
{
	const struct profile *p = profview_profile(v);

	if (v->paused)
		return Prof_view_OK;
	if (!p || !p->frame_count)
		return profview_say(v, Prof_view_NOTHING, "no frames yet");
	v->paused = profile_copy(p);
	v->paused_query = v->paused ? query_copy(v->live_query, v->paused) : NULL;
	if (v->paused_query)
		return Prof_view_OK;
	profview_go_live(v);
	return profview_say(v, Prof_view_NO_MEMORY, NULL);
}

/* The held frame at an index, or the nearest one. */
static enum Prof_view_result choose_index(Prof_view *v, int64_t index)
{
	enum Prof_view_result result = take_copy(v);
	int64_t last;

	if (result != Prof_view_OK)
		return result;
	last = (int64_t)v->paused->frame_count - 1;
	if (index < 0)
		index = 0;
	v->chosen = v->paused->frames[index > last ? last : index].number;
	profview_stale(v);
	return Prof_view_OK;
}

enum Prof_view_result Prof_view_move_frame(Prof_view *v, int delta)
{
	const struct profile *p = profview_profile(v);
	int64_t from = p ? p->frame_count : 0;

	if (v->paused)
		from = profile_frame_index(v->paused, v->chosen);
	return choose_index(v, from + delta);
}

enum Prof_view_result Prof_view_set_frame(Prof_view *v, unsigned back)
{
	const struct profile *p = profview_profile(v);

	if (back)
		return choose_index(v, (p ? (int64_t)p->frame_count : 0) - (int64_t)back);
	profview_go_live(v);
	return Prof_view_OK;
}

enum Prof_view_result Prof_view_set_frame_number(Prof_view *v, uint64_t number)
{
	const struct profile *p = profview_profile(v);

	return choose_index(v, p ? profile_frame_index(p, number) : 0);
}

uint64_t Prof_view_get_frame(const Prof_view *v)
{
	return v->paused ? v->chosen : 0;
}

/* Attaching */

static const enum Prof_view_result results[] = {
	[OPEN_OK] = Prof_view_OK,           [OPEN_ABSENT] = Prof_view_ABSENT,
	[OPEN_BAD_NAME] = Prof_view_ABSENT, [OPEN_NOT_OURS] = Prof_view_REFUSED,
	[OPEN_IN_USE] = Prof_view_SYSTEM,   [OPEN_FAILED] = Prof_view_SYSTEM,
};

static struct source *open_source(const char *target, unsigned flags, enum Prof_view_result *result,
				  char *why, size_t size)
{
	char name[FIND_SIZE];
	enum find_result found = target ? find_region(target, name, sizeof(name), why, size)
					: find_self(name, sizeof(name), why, size);
	enum open_result live = OPEN_ABSENT;
	struct source *s = NULL;

	if (found == FIND_DONE)
		s = live_open(name, flags, &live, why, size);
	if (found == FIND_DONE && live == OPEN_ABSENT)
		find_absent(name, why, size);
	*result = results[live];
	return s;
}

Prof_view *Prof_view_open(const char *target, unsigned flags, enum Prof_view_result *result, char *why,
			  size_t why_size)
{
	unsigned live = LIVE_OFTEN | LIVE_OWN_FRAMES | (flags & Prof_view_ANY_USER ? LIVE_ANY_USER : 0) |
			(flags & (Prof_view_ANY_USER | Prof_view_GUARD) ? 0 : LIVE_UNGUARDED);
	Prof_view *v = calloc(1, sizeof(*v));
	char text[1536];

	*result = Prof_view_NO_MEMORY;
	snprintf(text, sizeof(text), "%s", Prof_view_meaning(Prof_view_NO_MEMORY));
	if (v)
		v->source = open_source(target, live, result, text, sizeof(text));
	if (v && v->source) {
		v->look = (struct query_options){ .threads = THREADS_ALL, .average = AVERAGE_FAST };
		v->sort = COLUMNS;
		v->precision = -1;
		v->stale = true;
		return v;
	}
	if (why && why_size)
		snprintf(why, why_size, "%s", text);
	free(v);
	return NULL;
}

void Prof_view_close(Prof_view *v)
{
	if (!v)
		return;
	profview_calls_forget(v);
	profview_go_live(v);
	report_free(v->report);
	free(v->calls.lanes);
	free(v->runs);
	query_free(v->live_query);
	source_close(v->source);
	drill_fini(&v->drill);
	free(v->filter);
	free(v->name);
	free(v);
}

void Prof_view_set_memory(Prof_view *v, size_t bytes)
{
	live_hold(v->source, bytes);
}

/* Reading */

/* The program has set its first mark: what was made of polls until then gives way to its own frames. */
static enum source_result begin_anew(Prof_view *v)
{
	enum source_result result;

	query_free(v->live_query);
	v->live_query = NULL;
	profview_calls_anew(v);
	result = source_renew(v->source);
	profview_find_thread(v);
	return result;
}

static bool fold_frames(Prof_view *v)
{
	if (v->live_query)
		return query_update(v->live_query);
	v->live_query = query_new(v->source->profile);
	return v->live_query;
}

/* Nothing comes any more; but calls may be wanted only now. */
static enum Prof_view_result end_again(Prof_view *v)
{
	if (v->calls.most && !v->calls.transitions) {
		if (!v->paused)
			profview_stale(v);
		if (!profview_calls_read(v) || !fold_frames(v))
			return profview_say(v, Prof_view_NO_MEMORY, NULL);
	}
	return profview_say(v, Prof_view_ENDED, NULL);
}

enum Prof_view_result Prof_view_update(Prof_view *v)
{
	enum source_result result;
	bool calls;

	if (v->ended)
		return end_again(v);
	result = source_next(v->source);
	if (result == SOURCE_ANEW)
		result = begin_anew(v);
	if (!v->paused)
		profview_stale(v);
	if (result == SOURCE_BAD)
		return profview_say(v, Prof_view_REFUSED, v->source->why);
	calls = profview_calls_read(v);
	if (!fold_frames(v) || !calls)
		return profview_say(v, Prof_view_NO_MEMORY, NULL);
	if (v->paused && query_work(v->paused_query, WORK_FRAMES))
		profview_stale(v);
	v->ended = source_is_over(result);
	return v->ended ? profview_say(v, Prof_view_ENDED, NULL) : Prof_view_OK;
}

/*
 * The report of the process itself, as text or a page, which it prints through a function of its own.
 *
 * A source is opened for it and closed again: it shares nothing with views, so any thread may call it.
 */

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
	struct query *query;
	struct report *each, *all;
};

/* The whole run, as sums. False: out of memory. */
static bool look_at_run(struct query *q, uint32_t threads)
{
	const struct query_options o = { .threads = threads, .average = AVERAGE_RUN, .sums = true, .at_once = true };

	return q && query_look(q, &o);
}

static bool make_report(struct work *w, enum report_view view, uint32_t threads, struct report **out)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	char why[256];

	o.view = view;
	o.without = 1u << COLUMN_HEAT;
	return look_at_run(w->query, threads) && query_report(w->query, &o, out, why, sizeof(why)) == REPORT_OK;
}

/* Threads one by one, and behind them all of them, where there are several. */
static bool make_reports(struct work *w, const struct profile *p, enum report_view view)
{
	w->query = query_new(p);
	return make_report(w, view, THREADS_EACH, &w->each) &&
	       (p->thread_count < 2 || make_report(w, view, THREADS_ALL, &w->all));
}

static void work_fini(struct work *w)
{
	report_free(w->each);
	report_free(w->all);
	query_free(w->query);
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

static enum Prof_view_result print_report(const struct work *w, const struct profile *p, bool ascii, struct sink *sink)
{
	struct export e = { .profile = p, .values = query_values(w->query), .report = w->each, .below = w->all,
			    .count = p->frame_count, .whole_run = true };
	struct export_style style = { .ascii = ascii };
	FILE *out = open_sink(sink);

	return out ? close_sink(sink, out, export_text(&e, &style, out)) : Prof_view_NO_MEMORY;
}

static enum Prof_view_result text_of(struct source *s, enum report_view view, bool ascii, struct sink *sink)
{
	struct work w = { 0 };
	enum Prof_view_result result = make_reports(&w, s->profile, view) ? print_report(&w, s->profile, ascii, sink)
									  : Prof_view_NO_MEMORY;

	work_fini(&w);
	return result;
}

/* The page */

struct page_parts {
	struct transitions *transitions;
	struct spans *spans;
	struct query *query;
	const struct values *values;
};

/* Values behind the transitions, which may bring nodes. */
static bool make_parts(struct page_parts *w, struct source *s)
{
	w->transitions = transitions_new(TRANSITIONS_MOST);
	w->spans = spans_new();
	if (!w->transitions || !w->spans || !source_transitions(s, w->transitions))
		return false;
	w->query = query_new(s->profile);
	w->values = look_at_run(w->query, THREADS_ALL) ? query_values(w->query) : NULL;
	return w->values && spans_update(w->spans, s->profile, w->transitions, s->profile->now_tick);
}

static void parts_fini(struct page_parts *w)
{
	query_free(w->query);
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
