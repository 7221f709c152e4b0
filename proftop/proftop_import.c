/* SPDX-License-Identifier: MIT */
#include "proftop/proftop_import.h"

#include <stdio.h>
#include <string.h>

#include "proftop/messages.h"
#include "proftop/wait.h"

static struct {
	struct import_options options;
	const struct options *o;
	bool screen, began;
	_Atomic enum import_step step;
	_Atomic uint64_t done, total;
} importing;

bool importing_what(char *out, size_t size)
{
	uint64_t done = atomic_load_explicit(&importing.done, memory_order_relaxed);
	uint64_t total = atomic_load_explicit(&importing.total, memory_order_relaxed);
	int percent = total ? (int)((double)done * 100 / (double)total) : 0;

	if (atomic_load_explicit(&importing.step, memory_order_relaxed) == IMPORT_ORDERS)
		snprintf(out, size, "sorted: %d %%", percent);
	else if (total)
		snprintf(out, size, "read: %d %% of %.0f MB", percent, (double)total / 1e6);
	else
		snprintf(out, size, "read: %.0f MB", (double)done / 1e6);
	return done;
}

static void show_read(void)
{
	char what[64];

	importing_what(what, sizeof(what));
	progress_tell(what);
}

/* A signal ends proftop at once, because part of a trace must not become a
 * report. */
static bool note_progress(void *context, enum import_step step, uint64_t done, uint64_t total)
{
	(void)context;
	atomic_store_explicit(&importing.step, step, memory_order_relaxed);
	atomic_store_explicit(&importing.done, done, memory_order_relaxed);
	atomic_store_explicit(&importing.total, total, memory_order_relaxed);
	if (importing.screen)
		return true;
	if (!importing.began) {
		importing.began = true;
		progress_begin();
	}
	if (progress_due())
		show_read();
	return true;
}

const struct import_options *importing_options(const struct options *o, bool screen)
{
	importing.o = o;
	importing.screen = screen;
	importing.options = (struct import_options){ .frame_event = o->frame_event, .frame_zone = o->frame_zone,
						     .merge_namesakes = o->merge_threads, .progress = note_progress };
	return &importing.options;
}

static void list_anomalies(const struct anomalies *a)
{
	for (int kind = 0; kind < ANOMALIES; kind++)
		if (a->counts[kind])
			say("%llu: %s", (unsigned long long)a->counts[kind], anomaly_kinds[kind].sentence);
	for (uint32_t i = 0; i < a->told; i++)
		say("%s %llu: %s", a->lines ? "line" : "byte", (unsigned long long)a->places[i].at,
		    anomaly_kinds[a->places[i].kind].sentence);
}

uint32_t importing_remarks(const struct source *s, struct page_remark out[ANOMALIES])
{
	const struct import_result *r = import_result_of(s);

	for (int kind = 0; r && kind < ANOMALIES; kind++)
		out[kind] = (struct page_remark){ r->anomalies.counts[kind], anomaly_kinds[kind].sentence };
	return r ? ANOMALIES : 0;
}

static bool asks_for_trace(const struct options *o)
{
	return o && (o->frame_event || o->frame_zone || o->merge_threads || o->anomalies);
}

void importing_tell(const struct source *s)
{
	const struct import_result *r = import_result_of(s);
	uint64_t total = r ? anomalies_total(&r->anomalies) : 0;

	progress_end();
	importing.began = false;
	if (!r && asks_for_trace(importing.o))
		say("%s is not a trace of another program. --frame-event, --frame-zone, --merge-threads and "
		    "--anomalies need one",
		    s->profile->process.source);
	else if (r && importing.o && importing.o->anomalies)
		list_anomalies(&r->anomalies);
	else if (total)
		say("%s: %llu thing%s in it %s not as %s should be. List them: --anomalies",
		    strcmp(s->profile->process.source, "-") ? s->profile->process.source : "standard input",
		    (unsigned long long)total, total == 1 ? "" : "s", total == 1 ? "is" : "are", total == 1 ? "it" : "they");
}

bool importing_has_frames(const struct source *s)
{
	const struct import_result *r = import_result_of(s);
	const struct profile *p = s->profile;
	const char *name = !importing.o ? NULL : importing.o->frame_zone ? importing.o->frame_zone : importing.o->frame_event;

	if (r && name && r->anomalies.counts[ANOMALY_NO_FRAME]) {
		say("no frames to check: nothing in it is called '%s'", name);
		return false;
	}
	if (r && p->frame_count && p->frames[0].flags & FRAME_GUESSED)
		say("proftop made its frames, all of one length. --frame-event and --frame-zone split it by its "
		    "contents");
	return true;
}
