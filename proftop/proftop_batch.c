/* SPDX-License-Identifier: MIT */
/*
 * proftop_batch: a source, the model and an exporter, as the command line says: a report or one
 * document goes to stdout; all that is said about it goes to stderr (say.h).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export_calls.h"
#include "io/export_why.h"
#include "io/find.h"
#include "io/title.h"
#include "tui/batch.h"
#include "tui/output.h"
#include "tui/proftop.h"
#include "tui/say.h"
#include "tui/threads.h"
#include "tui/wait.h"
#include "tui/which_frame.h"

/* Reports */

static int print_stacks(const struct batch *b, struct source *source)
{
	struct export_style style = output_style(b->o);
	uint32_t thread = b->options.thread;

	return output_finish(b->o->json ? export_stacks_json(source, thread, stdout)
					: export_stacks(source, thread, &style, stdout));
}

static struct why_report why_report_of(const struct batch *b)
{
	return (struct why_report){ .base = { b->p, b->base_values }, .now = { b->p, b->values },
				    .base_end = { .frame = b->base, .role = "the median" },
				    .now_end = { .frame = b->frame }, .why = b->comparison,
				    .unit = b->options.unit, .precision = b->options.precision };
}

static int print_report(const struct batch *b)
{
	struct export_style style = output_style(b->o);
	struct why_report why = why_report_of(b);
	struct calls_report calls = { .key = b->focus, .sections = b->calls, .count = b->calls_count };
	struct export e = { .profile = b->p, .values = b->values, .report = b->report, .counters = b->counters,
			    .graph = b->graph, .cause = b->has_cause ? &b->cause : NULL,
			    .calls = b->calls ? &calls : NULL,
			    .why = b->comparison ? &why : NULL, .first = b->first, .count = b->count,
			    .whole_run = b->whole_run, .asked = b->asked, .average = b->average,
			    .spreadsheet = b->o->spreadsheet, .chosen = b->frame };
	bool done;

	if (b->calls)
		calls.zone = b->keys->keys[b->focus].zone;
	if (b->o->json)
		done = export_json(&e, stdout);
	else if (b->o->csv)
		done = export_csv(&e, stdout);
	else
		done = export_text(&e, &style, stdout);
	return output_finish(done);
}

int batch_say_unread(const struct profile *p, uint32_t threads)
{
	int status = EXIT_DONE;

	for (uint32_t i = 0; i < p->thread_count; i++) {
		char *text;

		if (!p->threads[i].unread || (threads != REPORT_EACH && !profile_selects(p, threads, i)))
			continue;
		text = title_unread(&p->threads[i], false);
		say("%s", text ? text : "a thread could not be read");
		free(text);
		status = EXIT_UNKNOWN;
	}
	return status;
}

static int say_missing(const struct batch *b)
{
	int status = b->whole_run ? batch_say_unread(b->p, b->options.thread) : EXIT_DONE;

	if (b->o->csv && !b->whole_run && b->values->incomplete)
		say(b->values->incomplete == 1 ? "%u part of a thread missing or merged"
					       : "%u parts of threads missing or merged", b->values->incomplete);
	return status;
}

/* Before anything is made of the profile: it may get nodes by it. */
static bool take_transitions(struct batch *b, struct source *source)
{
	if (b->o->view != (int)REPORT_GRAPH || b->o->csv)
		return true;
	b->transitions = transitions_new(TRANSITIONS_MOST);
	return b->transitions && source_transitions(source, b->transitions);
}

int batch_print(const struct options *o, struct source *source, int64_t frame)
{
	struct batch b = { .o = o, .p = source->profile, .options = batch_options(o) };
	int status = EXIT_FAILED;

	if (!threads_choose(b.p, o->thread, &b.options.thread) ||
	    (frame && !which_frame(b.p, frame, &b.frame)))
		return EXIT_FAILED;
	if (o->stacks)
		return print_stacks(&b, source);
	if (o->average >= 0 && !b.p->frame_count)
		say("there are no frames to average: " SAY_UNMARKED);
	else if (!take_transitions(&b, source) || !batch_cover(&b))
		say_no_memory();
	else
		status = batch_make_reports(&b);
	if (!status && b.transitions)
		status = batch_make_calls(&b);
	if (!status)
		status = print_report(&b);
	if (!status)
		status = say_missing(&b);
	batch_fini(&b);
	return status;
}

/* Reading */

#define OWN_FRAMES_A_SECOND 10 /* at most: live.h */

static int bad_source(const struct source *source)
{
	say("%s", source->why);
	return EXIT_NOT_OURS;
}

/* How many frames are waited for. Of a program that marks none they are made while it is looked at: as
 * many as an average that fades is made of. */
static long frames_wanted(const struct options *o, const struct profile *p)
{
	bool marks = p->frame_count ? !(p->frames[p->frame_count - 1].flags & FRAME_GUESSED)
				    : p->frames_ended > 0;

	if (o->frames || marks || o->average < 0 || o->average == AVERAGE_RUN)
		return o->frames;
	return o->average == AVERAGE_NOW ? 1 : (long)(average_seconds(o->average) * OWN_FRAMES_A_SECOND);
}

enum source_result batch_read(struct source *source)
{
	enum source_result result = source_next(source);

	if (result != SOURCE_ANEW)
		return result;
	if (source_reset(source))
		return source_next(source);
	snprintf(source->why, sizeof(source->why), "out of memory");
	return SOURCE_BAD;
}

/* Reads until there are all the frames that are wanted, or no more come. */
static int read_source(const struct options *o, struct source *source)
{
	enum source_result result = batch_read(source);
	long count = 0, wanted = frames_wanted(o, source->profile);

	while (wanted && (result == SOURCE_MORE || result == SOURCE_LOST)) {
		batch_last_frames(source->profile, wanted, &count);
		if (count >= wanted)
			break;
		if (result != SOURCE_LOST)
			wait_rest();
		result = batch_read(source);
		wanted = frames_wanted(o, source->profile);
	}
	if (result == SOURCE_BAD)
		return bad_source(source);
	batch_last_frames(source->profile, o->frames, &count);
	if (count < o->frames && (uint64_t)o->frames > source->profile->frames_ended)
		say("only %ld of %ld frames: the program has ended", count, o->frames);
	else if (count < o->frames)
		say("only %ld of %ld frames are still whole: the rest was overwritten, as the region "
		    "is too small for them (PROF_SHM_SIZE), or discarded", count, o->frames);
	return EXIT_DONE;
}

/* The region that is meant, and a source of it; NULL: *status, and why in `why`. */
static struct source *open_target(const struct options *o, const char *target, unsigned flags, int *status,
				  char *why)
{
	char name[FIND_SIZE];
	enum live_result result;
	enum find_result found;
	struct source *source;

	if (target && *target)
		found = find_region(target, name, sizeof(name), why, WHY_SIZE);
	else
		found = find_default(source_flags(o), name, sizeof(name), why, WHY_SIZE);
	*status = found == FIND_MANY ? EXIT_USAGE : EXIT_ABSENT;
	if (found != FIND_DONE)
		return NULL;
	source = live_open(name, source_flags(o) | flags, &result, why, WHY_SIZE);
	*status = status_of(result);
	return source;
}

struct source *batch_open_frame(const struct options *o, const char *target, unsigned flags, int64_t *frame,
				int *status)
{
	double until = wait_now() + (o->wait_s > 0 ? o->wait_s : 0);
	char why[WHY_SIZE], name[FIND_SIZE];
	struct source *source = NULL;

	for (*status = EXIT_DONE;; wait_rest()) {
		bool is_frame = target && find_frame(target, name, sizeof(name), frame);

		if (!is_frame)
			*frame = 0;
		source = open_target(o, is_frame ? name : target, flags, status, why);
		if (source || *status != EXIT_ABSENT || wait_now() >= until)
			break;
	}
	if (!source)
		say("%s", why);
	return source;
}

struct source *batch_open(const struct options *o, unsigned flags, int *status)
{
	int64_t frame;
	struct source *source = batch_open_frame(o, o->target, flags, &frame, status);

	if (!source || !frame)
		return source;
	say("%s is one frame: what is asked for is of more than that", o->target);
	source_close(source);
	*status = EXIT_USAGE;
	return NULL;
}

/* What is of more than one frame, or of none. */
static bool is_of_frame(const struct options *o)
{
	if (o->stacks)
		say("%s: stacks are of now, not of a frame", o->target);
	else if (o->frames)
		say("%s is one frame: no -n", o->target);
	else if (o->average >= 0)
		say("%s is one frame: no --average", o->target);
	return !o->stacks && !o->frames && o->average < 0;
}

int batch_report(const struct options *o)
{
	int status;
	int64_t frame;
	struct source *source;

	if (o->diff)
		return diff_report(o);
	if (o->freeze_ms > 0)
		return freeze_report(o);
	source = batch_open_frame(o, o->target, LIVE_OWN_FRAMES, &frame, &status);
	if (!source)
		return status;
	status = frame && !is_of_frame(o) ? EXIT_USAGE : read_source(o, source);
	if (!status)
		status = batch_print(o, source, frame);
	source_close(source);
	return status;
}

/* Programs behind `--` */

static int report_launched(const struct options *o, const struct launch *l)
{
	enum live_result result;
	char why[WHY_SIZE];
	struct source *source = live_open(l->region, 0, &result, why, sizeof(why));
	int status;

	if (!source && result == LIVE_ABSENT) {
		say(LEFT_NO_REGION, o->app[0]);
		return EXIT_ABSENT;
	}
	if (!source) {
		say("%s", why);
		return status_of(result);
	}
	status = read_source(o, source);
	if (!status)
		status = batch_print(o, source, 0);
	source_close(source);
	return status;
}

int batch_run(const struct options *o)
{
	struct launch l = { .pid = 0 };
	int status = EXIT_DONE, app_status;

	if (!launch_start(&l, o->app, LAUNCH_BATCH)) {
		say("%s cannot be run: %s", o->app[0], strerror(l.error));
		return status_of_launch(&l);
	}
	if (o->stream)
		status = stream_run(o, &l);
	else if (o->freeze_ms > 0)
		status = freeze_run(o, &l);
	else if (o->check)
		status = check_run(o, &l);
	else
		launch_wait(&l);
	signal(SIGPIPE, SIG_IGN);
	app_status = launch_exit_status(&l);
	if (app_status > 128)
		say("%s ended by signal %d (%s)", o->app[0], app_status - 128,
		    strsignal(app_status - 128));
	if (!o->stream && o->freeze_ms <= 0 && !o->check)
		status = report_launched(o, &l);
	remove_region(&l);
	return app_status && status != EXIT_FALSE ? app_status : status;
}
