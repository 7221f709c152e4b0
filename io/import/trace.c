/* SPDX-License-Identifier: MIT */
#include "io/import/trace_inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/unlinked.h"
#include "model/base/array.h"
#include "model/profile/moment.h"

/* Times before 0 shift the whole trace to 0. These limits leave space for that and for the lengths of calls, so that each
 * tick fits into a recording. */
#define BEFORE_MOST (INT64_C(1) << 60)
#define TOLD_MOST   (TRACE_TICK_MOST - TRACE_TIME_MOST)

bool trace_failed(const struct trace *t, char *why, size_t size)
{
	if (t->spool_error)
		snprintf(why, size, "%s %s for its converted form: %s. Set TMPDIR to another folder",
			 t->spool_fd < 0 ? "cannot write in" : "no space in", t->folder, strerror(t->spool_error));
	else if (t->failed && t->error == ECANCELED)
		snprintf(why, size, TRACE_ABANDONED);
	else if (t->failed && t->error && t->error != ENOMEM)
		snprintf(why, size, "no space in %s to sort its records: %s. Set TMPDIR to another folder", t->folder,
			 strerror(t->error));
	else if (t->failed || (t->spool && writer_failed(t->spool)))
		snprintf(why, size, "out of memory");
	else
		return false;
	return true;
}

/* False: out of memory. */
static bool name_process(struct trace *t)
{
	struct profile *p = t->p;

	p->process.state = PROFILE_FILE;
	p->process.silent_ns = -1;
	p->process.known_moment = MOMENT_NONE;
	return profile_text(&p->process.source, t->options->source) && profile_text(&p->process.program, t->options->source) &&
	       profile_text(&p->process.clock, "file");
}

struct trace *trace_new(const struct import_options *options, struct anomalies *anomalies, uint64_t ticks_per_s, bool anyhow)
{
	struct trace *t = calloc(1, sizeof(*t));
	const char *event = options->frame_event, *zone = options->frame_zone;

	if (!t)
		return NULL;
	t->options = options;
	t->anomalies = anomalies;
	t->spool_fd = -1;
	t->too_many = TRACE_NONE;
	t->many_place = ANOMALY_NOWHERE;
	t->calls_most = options->calls_most ? options->calls_most : TRANSITIONS_MOST;
	t->folder = unlinked_folder(options->temporary);
	frames_init(t);
	values_init(t);
	gather_init(t);
	t->p = profile_new();
	t->calls = transitions_new(UINT64_MAX); /* trace_more_calls bounds it */
	if (!t->p || !t->calls || !name_process(t)) {
		trace_free(t);
		return NULL;
	}
	t->anyhow = anyhow || event || zone || options->merge_namesakes;
	t->time_left = TRACE_TIME_MOST;
	t->p->ticks_per_s = ticks_per_s;
	t->frame_event = event ? trace_name(t, event, strlen(event), 0) : TRACE_NONE;
	t->frame_zone = zone ? trace_name(t, zone, strlen(zone), 0) : TRACE_NONE;
	return t;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->thread_count; i++)
		free(t->threads[i].stack);
	strings_fini(&t->names);
	lookup_fini(&t->threads_by_id);
	lookup_fini(&t->children);
	lookup_fini(&t->frames_by_number);
	lookup_fini(&t->counters_by_name);
	sorter_fini(&t->cells);
	sorter_fini(&t->gathered);
	sorter_fini(&t->values);
	sorter_fini(&t->instants);
	free(t->threads);
	free(t->nodes);
	free(t->frames);
	free(t->marks);
	free(t->counters);
	free(t->texts);
	writer_free(t->spool);
	if (t->spool_fd >= 0)
		close(t->spool_fd);
	transitions_free(t->calls);
	profile_free(t->p);
	free(t);
}

void trace_process(struct trace *t, int64_t pid, const char *name)
{
	if (t->failed)
		return;
	t->p->process.pid = pid;
	if (name)
		profile_text(&t->p->process.program, name);
}

/* Ticks of the recording: those of the file, but for one that begins before 0. What is gathered is shifted when all is
 * known; else by what the first one lacks, and an hour more for what may be before that. */
static int64_t tick_of(struct trace *t, int64_t tick, uint64_t place)
{
	if (t->anyhow) {
		int64_t least = !t->any || t->last <= TOLD_MOST - BEFORE_MOST ? -BEFORE_MOST : 0;
		int64_t most = !t->any || t->first >= 0 ? TOLD_MOST : TOLD_MOST - BEFORE_MOST;

		if (tick >= least && tick <= most)
			return tick;
		anomaly_add(t->anomalies, ANOMALY_TIME_RANGE, place);
		return tick < least ? least : most;
	}
	if (!t->shifted && tick < 0 && tick > -TRACE_TICK_MOST)
		t->shift = (int64_t)t->p->ticks_per_s * 3600 - tick;
	t->shifted = true;
	if (tick >= -t->shift && tick <= TRACE_TICK_MOST - t->shift)
		return tick + t->shift;
	anomaly_add(t->anomalies, ANOMALY_TIME_RANGE, place);
	return tick < 0 ? 0 : TRACE_TICK_MOST;
}

static bool is_told(struct trace *t, uint32_t thread)
{
	return !t->failed && thread != TRACE_NONE;
}

void trace_enter(struct trace *t, uint32_t thread, uint32_t name, uint32_t match, int64_t tick, int64_t frame,
		 uint64_t place)
{
	struct step s = { thread, name, match, 0, frame, place };

	if (!is_told(t, thread) || name == TRACE_NONE)
		return;
	s.tick = tick_of(t, tick, place);
	if (t->anyhow) {
		gather(t, GATHERED_ENTER, &s, 0);
		return;
	}
	s.key = frame == TRACE_NO_FRAME && t->by == FRAMES_BY_TIME ? TRACE_NO_KEY : frames_key(t, frame, place);
	stack_enter(t, &s);
}

void trace_leave(struct trace *t, uint32_t thread, uint32_t match, int64_t tick, uint64_t place)
{
	struct step s = { thread, TRACE_NONE, match, 0, TRACE_NO_FRAME, place };

	if (!is_told(t, thread))
		return;
	s.tick = tick_of(t, tick, place);
	if (t->anyhow)
		gather(t, GATHERED_LEAVE, &s, 0);
	else
		stack_leave(t, &s);
}

void trace_end_by_name(struct trace *t)
{
	t->by_name = t->anyhow;
}

static bool has_text(const struct trace *t, uint32_t name, const char *bytes, size_t size)
{
	const struct string *n;

	if (name == TRACE_NONE)
		return false;
	n = &t->names.at[name];
	return n->length == size && !memcmp(n->text, bytes, size);
}

/* Guesses the zone: a thread often enters the zone that it entered last time in the same place. A right guess
 * saves the look-up of the name. */
static uint32_t guess_name(const struct trace *t, const struct trace_thread *th, const char *bytes, size_t size)
{
	uint32_t at, child;

	if (th->row == TRACE_NONE)
		return TRACE_NONE;
	at = th->depth ? th->stack[th->depth - 1].node : t->p->threads[th->row].root;
	child = t->nodes[at].child;
	if (child == TRACE_NONE)
		return TRACE_NONE;
	if (t->nodes[child].follows != TRACE_NONE &&
	    has_text(t, t->nodes[t->nodes[child].follows].name, bytes, size))
		return t->nodes[t->nodes[child].follows].name;
	return has_text(t, t->nodes[child].name, bytes, size) ? t->nodes[child].name : TRACE_NONE;
}

void trace_enter_text(struct trace *t, uint32_t thread, const char *bytes, size_t size, int64_t tick, int64_t frame,
		      uint64_t place)
{
	uint32_t name;

	if (!is_told(t, thread))
		return;
	name = t->anyhow ? TRACE_NONE : guess_name(t, &t->threads[thread], bytes, size);
	if (name == TRACE_NONE)
		name = trace_name(t, bytes, size, place);
	trace_enter(t, thread, name, name, tick, frame, place);
}

void trace_leave_text(struct trace *t, uint32_t thread, const char *bytes, size_t size, int64_t tick, uint64_t place)
{
	const struct trace_thread *th;
	uint32_t match;

	if (!is_told(t, thread))
		return;
	th = &t->threads[thread];
	if (!t->anyhow && th->depth && !th->deeper && has_text(t, th->stack[th->depth - 1].match, bytes, size))
		match = th->stack[th->depth - 1].match;
	else
		match = trace_name(t, bytes, size, place);
	trace_leave(t, thread, match, tick, place);
}

void trace_call(struct trace *t, uint32_t thread, uint32_t name, int64_t tick, int64_t length, uint64_t place)
{
	struct step s = { thread, name, name, 0, TRACE_NO_FRAME, place };

	if (!is_told(t, thread) || name == TRACE_NONE || !t->anyhow)
		return;
	s.tick = tick_of(t, tick, place);
	if (length < 0 || length > TRACE_TIME_MOST) {
		anomaly_add(t->anomalies, ANOMALY_TIME_RANGE, place);
		length = length < 0 ? 0 : TRACE_TIME_MOST;
	}
	gather(t, GATHERED_CALL, &s, length);
}

/* Something that takes no thread's time; how much there is of it all. */
static int64_t see_tick(struct trace *t, int64_t tick)
{
	if (!t->any || tick < t->first || tick > t->last) {
		if (t->anyhow) {
			t->first = t->any && t->first < tick ? t->first : tick;
			t->last = t->any && t->last > tick ? t->last : tick;
			t->any = true;
		} else {
			frames_see(t, tick);
		}
	}
	return tick;
}

/* The same on a thread: what it leaves open lasts until then, at least. */
static int64_t seen_on(struct trace *t, uint32_t thread, int64_t tick)
{
	struct trace_thread *th = &t->threads[thread];

	th->noted = tick > th->noted ? tick : th->noted;
	return see_tick(t, tick);
}

void trace_event(struct trace *t, uint32_t thread, uint32_t name, int64_t tick, uint64_t place)
{
	if (!is_told(t, thread) || name == TRACE_NONE)
		return;
	tick = seen_on(t, thread, tick_of(t, tick, place));
	values_event(t, thread, name, tick);
	if (name != t->frame_event)
		return;
	if (!array_reserve(&t->marks, &t->mark_capacity, (uint64_t)t->mark_count + 1, sizeof(*t->marks)))
		trace_fails(t, 0);
	else
		t->marks[t->mark_count++] = (struct trace_mark){ .end = tick, .thread = thread };
}

void trace_note(struct trace *t, uint32_t thread, const char *bytes, size_t size, int64_t tick, int64_t frame,
		uint64_t place)
{
	struct trace_frame *f;
	int64_t key;

	if (!is_told(t, thread))
		return;
	tick = seen_on(t, thread, tick_of(t, tick, place));
	key = t->frame_event != TRACE_NONE || t->frame_zone != TRACE_NONE ? TRACE_NO_KEY : frames_key(t, frame, place);
	f = key == TRACE_NO_KEY ? NULL : frames_of_key(t, key);
	if (f) {
		f->note_first = tick < f->note_first ? tick : f->note_first;
		f->note_last = tick > f->note_last ? tick : f->note_last;
	}
	values_note(t, thread, bytes, size, tick, key, place);
}

void trace_value(struct trace *t, uint32_t counter, int64_t tick, int64_t value)
{
	values_add(t, counter, see_tick(t, tick_of(t, tick, ANOMALY_NOWHERE)), value, false);
}

void trace_real_value(struct trace *t, uint32_t counter, int64_t tick, double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof bits);
	values_add(t, counter, see_tick(t, tick_of(t, tick, ANOMALY_NOWHERE)), bits, true);
}

void trace_sum(struct trace *t, uint32_t thread, const uint32_t *names, uint32_t depth, int64_t self, uint64_t place)
{
	t->sums = true;
	profile_lack_calls(t->p);
	if (is_told(t, thread))
		stack_sum(t, thread, names, depth, self, place);
}

static void set_losses(struct trace *t)
{
	for (int kind = 0; kind < ANOMALIES; kind++) {
		char key[64];

		if (!t->anomalies->counts[kind] || !anomaly_kinds[kind].loses)
			continue;
		snprintf(key, sizeof key, "import_%s", anomaly_kinds[kind].key);
		if (!profile_set_loss(t->p, key, anomaly_kinds[kind].sentence, t->anomalies->counts[kind]))
			trace_fails(t, 0);
	}
}

static void set_run(struct trace *t)
{
	struct profile *p = t->p;

	p->first_tick = t->first;
	p->now_tick = t->last;
	p->frames_ended = t->frame_count;
	p->unplaced = UINT64_MAX;
}

static void hand_over(struct trace *t, struct import_output *out)
{
	*out = (struct import_output){ .spool = t->spool ? t->spool_fd : -1 };
	if (t->spool) {
		t->spool_fd = -1;
		return;
	}
	out->profile = t->p;
	out->calls = t->calls;
	t->p = NULL;
	t->calls = NULL;
}

void trace_finish(struct trace *t, struct import_output *out)
{
	char why[8];

	if (t->failed)
		return;
	if (t->anyhow) {
		trace_make_rows(t);
		gather_tell(t);
	}
	for (uint32_t i = 0; i < t->thread_count; i++)
		stack_end(t, i);
	frames_write(t);
	if (t->failed)
		return;
	values_write(t);
	set_losses(t);
	set_run(t);
	trace_end_spool(t);
	if (!trace_failed(t, why, sizeof why))
		hand_over(t, out);
}
