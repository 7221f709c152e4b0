/* SPDX-License-Identifier: MIT */
/*
 * proftop_batch: a source, the model and an exporter, as the command line says: a report or one
 * document goes to stdout; all that is said about it goes to stderr (messages.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export_calls.h"
#include "io/export/export_why.h"
#include "io/export/title.h"
#include "io/page/page.h"
#include "proftop/batch.h"
#include "proftop/choose.h"
#include "proftop/messages.h"
#include "proftop/output.h"
#include "proftop/proftop.h"
#include "proftop/proftop_reading.h"
#include "proftop/wait.h"
#include "tui/frames/times.h"

/* Reports */

/* CSV has no place for what was lost while a recording was read: it is cut off,
 * or damaged. */
static void say_lost_in_reading(const struct batch *b)
{
	for (uint32_t i = 0; b->o->csv && i < b->p->loss_count; i++) {
		const struct profile_loss *loss = &b->p->losses[i];

		if (loss->count && !strncmp(loss->key, "recording_", strlen("recording_")))
			say("lost %llu: %s: %s", (unsigned long long)loss->count, loss->key, loss->sentence);
	}
}

static int print_stacks(const struct batch *b, struct source *source)
{
	struct export_style style = output_style(b->o);
	enum export_form form = b->o->json ? EXPORT_JSON : b->o->spreadsheet ? EXPORT_SPREADSHEET : b->o->csv ? EXPORT_CSV : EXPORT_TEXT;

	int status = output_finish(export_stacks(source, b->options.thread, form, &style, stdout));

	if (!status)
		say_lost_in_reading(b);
	return status;
}

static const char *base_role(const struct batch *b)
{
	return b->chosen_base.kind == BASE_SIMILAR ? "typical of similar calls" : "the median";
}

static struct why_report why_report_of(const struct batch *b)
{
	return (struct why_report){ .base = { b->p, b->base }, .now = { b->p, b->values },
				    .base_end = { .frame = b->chosen_base.number, .kind = base_names[b->chosen_base.kind], .chosen = &b->chosen_base,
						  .role = base_role(b) },
				    .now_end = { .frame = b->frame }, .why = b->comparison, .top = (uint32_t)b->o->top,
				    .least = b->o->least,
				    .unit = b->options.unit, .precision = b->options.precision };
}

static bool print_report(const struct batch *b, FILE *out)
{
	struct export_style style = output_style(b->o);
	struct why_report why = why_report_of(b);
	struct calls_report calls = { .key = b->focus, .sections = b->calls, .count = b->calls_count };
	struct batch_table table;
	struct export e = { .profile = b->p, .values = b->values, .report = b->report, .table = batch_table(b, &table),
			    .graph = b->graph, .cause = b->cause,
			    .timeline = b->spans ? &b->timeline : NULL,
			    .calls = b->calls ? &calls : NULL,
			    .why = b->comparison ? &why : NULL, .first = b->first, .count = b->count,
			    .whole_run = b->whole_run, .asked = b->asked, .average = b->average,
			    .spreadsheet = b->o->spreadsheet, .base = b->report && !(b->options.without >> COLUMN_DELTA & 1) ? b->base : NULL, .base_role = base_role(b),
			    .flame = b->o->view == OPTION_VIEW_FLAME, .chosen = b->frame,
			    .no_events = b->o->no_events };

	if (b->spans && (b->o->from || b->o->to || b->asked || b->frame)) {
		e.from = b->timeline.from;
		e.to = b->timeline.to;
	}
	if (b->calls)
		calls.zone = query_keys(b->query)->keys[b->focus].zone;
	if (b->o->export == FILE_SAMPLES_LOG)
		return export_samples_log(b->functions, out);
	if (b->o->json)
		return export_json(&e, out);
	if (b->o->csv)
		return export_csv(&e, out);
	return export_text(&e, &style, out);
}

int batch_say_unread(const struct profile *p, uint32_t threads)
{
	int status = EXIT_DONE;

	for (uint32_t i = 0; i < p->thread_count; i++) {
		char *text;

		if (!p->threads[i].unread || !profile_selects(p, threads, i))
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

	say_lost_in_reading(b);
	if (b->o->csv && !b->whole_run && b->values->incomplete)
		say(b->values->incomplete == 1 ? "%u slice incomplete"
					       : "%u slices incomplete", b->values->incomplete);
	return status;
}

#define TRANSITIONS_EXPORTED (UINT64_C(1) << 27) /* as many as there are: 4 GB of them are the most */

#define TRANSITIONS_OF_PAGE (8 * PAGE_SPANS) /* a call is two; of the others it takes the longest frames */

/* Before anything is made of the profile: it may get nodes by it. */
static bool take_transitions(struct batch *b, struct source *source)
{
	bool wanted = export_is_foreign(b->o) ? export_is_events(b->o)
					    : (b->o->view == (int)REPORT_GRAPH && !b->o->csv) || b->o->view == OPTION_VIEW_TIMELINE;

	if (!wanted)
		return true;
	b->source = source;
	b->transitions = transitions_new(export_is_page(b->o) ? TRANSITIONS_OF_PAGE
					 : export_is_foreign(b->o) ? TRANSITIONS_EXPORTED : TRANSITIONS_MOST);
	return b->transitions && source_transitions(source, b->transitions);
}

/* Reads the present open zones of the threads. A frame of the past has none. */
static bool take_stacks(struct batch *b, struct source *source)
{
	if (b->o->view == OPTION_VIEW_THREADS && !b->frame)
		b->open = stacks_read(source, THREADS_ALL, OPEN_ROWS_MOST);
	return b->o->view != OPTION_VIEW_THREADS || b->frame || b->open;
}

/* Where it goes, and what became of it. */
struct printing {
	FILE *out;
	bool written; /* as far as the stream has not failed */
	int missing;  /* the exit status of what it is without, which has been said */
};

static int make_and_print(struct batch *b, struct printing *to)
{
	int status;

	if (export_is_foreign(b->o))
		return export_foreign(b, to->out, &to->written);
	status = batch_make_reports(b);
	if (!status && b->transitions && !b->spans)
		status = batch_make_calls(b);
	if (!status)
		to->written = print_report(b, to->out);
	return status;
}

/* The average of the whole run needs only totals, so it works if no frame is
 * held. */
static bool lacks_frames(const struct batch *b)
{
	bool totals = b->o->average == AVERAGE_RUN && !b->o->frames && b->p->frames_ended;

	return b->o->average >= 0 && !b->p->frame_count && !totals;
}

static int print_covered(struct batch *b, struct source *source, struct printing *to)
{
	int status = EXIT_FAILED;

	if (lacks_frames(b))
		say_no_frames(b->p, "no frames to average");
	else if (!take_transitions(b, source) || !take_stacks(b, source) || !batch_cover(b))
		say_no_memory();
	else
		status = make_and_print(b, to);
	if (!status)
		to->missing = say_missing(b);
	return status;
}

int batch_print(const struct options *o, struct source *source, int64_t frame, struct export_file *file)
{
	struct batch b = { .o = o, .p = source->profile, .options = batch_options(o) };
	struct printing to = { .out = file ? file->out : stdout };
	bool of_samples = o->view == OPTION_VIEW_FUNCTIONS || o->view == OPTION_VIEW_LINES;
	int status;

	if (of_samples && profile_find_measure(b.p, "samples") == PROFILE_NONE) {
		say("there are no samples. Start the program with PROF_SAMPLE=1000, or by proftop with --sample");
		return export_end(o, file, false, EXIT_FAILED);
	}
	if (!measure_choose(b.p, "--measure: ", of_samples ? "samples" : o->measure, &b.measure))
		return export_end(o, file, false, EXIT_USAGE);
	if (!threads_choose(b.p, o->thread, &b.options.thread) || (frame && !which_frame(b.p, frame, &b.frame)))
		return export_end(o, file, false, EXIT_FAILED);
	if (o->command == SUBCOMMAND_STACKS)
		return print_stacks(&b, source);
	status = print_covered(&b, source, &to);
	batch_fini(&b);
	status = export_end(o, file, to.written, status);
	return status ? status : to.missing;
}

/* Reading */

#define OWN_FRAMES_A_SECOND 10 /* at most: live.h */
#define PATIENCE_S 3.0 /* with a program that is faster than its frames can be read */

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

/* The most frames that were whole at one look. */
struct most {
	long count;
	uint64_t ended; /* of the program's frames */
	double at;
};

/* The program overwrites its frames faster than they can be read: since there were more whole ones than ever before, twice
 * as many have come as are wanted. What is whole has to do then; for the first one that is, one waits once more as long. */
static bool is_too_fast(struct most *most, const struct profile *p, long wanted, long count)
{
	double now = wait_now();

	if (most->at == 0 || count > most->count) {
		*most = (struct most){ .count = count, .ended = p->frames_ended, .at = now };
		return false;
	}
	return now - most->at > (most->count ? PATIENCE_S : 2 * PATIENCE_S) &&
	       p->frames_ended - most->ended >= 2 * (uint64_t)wanted;
}

/* Reads until there are all the frames that are wanted, or no more come, or to wait for them is of no use. */
static int read_source(const struct options *o, struct reading *r)
{
	bool until_end = o->from_input && !o->frames; /* what comes through a pipe is a report of all of it */
	struct most most = { 0 };
	long count = 0, wanted;
	uint32_t first;

	for (reading_look(r); !reading_is_over(r); reading_look(r)) {
		const struct profile *p = r->source->profile;

		wanted = frames_wanted(o, p);
		count = profile_newest_frames(p, (uint64_t)wanted, true, &first);
		if (!until_end && (count >= wanted || is_too_fast(&most, p, wanted, count)))
			break;
		reading_rest(r);
	}
	if (r->result == SOURCE_BAD)
		return reading_status(r);
	count = profile_newest_frames(r->source->profile, (uint64_t)o->frames, true, &first);
	if (count < o->frames && (uint64_t)o->frames > r->source->profile->frames_ended)
		say("only %ld of %ld frames: the program has ended", count, o->frames);
	else if (count < o->frames && r->source->profile->left_out_frames)
		say("only %ld of %ld frames are complete. --only-slow left the others out of the recording, or they were "
		    "discarded", count, o->frames);
	else if (count < o->frames && source_is_recording(r->source))
		say("only %ld of %ld frames are complete. The others were not recorded, exceed the history, or were "
		    "discarded", count, o->frames);
	else if (count < o->frames)
		say("only %ld of %ld frames are complete. The others were overwritten because the region is too "
		    "small (raise PROF_SHM_SIZE), or were discarded", count, o->frames);
	return EXIT_DONE;
}

/* False if the command covers more than one frame, or none. */
static bool is_of_frame(const struct options *o)
{
	if (o->command == SUBCOMMAND_STACKS)
		say("%s: stacks shows the present, not a frame", o->target);
	else if (o->frames)
		say("%s is one frame. -n does not go with it", o->target);
	else if (o->average >= 0)
		say("%s is one frame. --average does not go with it", o->target);
	else if (o->from || o->to)
		say("%s is one frame. --from and --to do not go with it", o->target);
	return o->command != SUBCOMMAND_STACKS && !o->frames && o->average < 0 && !o->from && !o->to;
}

static int report_source(const struct options *o, struct launch *l, struct export_file *file)
{
	struct reading r = { .launch = l };
	int64_t frame = 0;
	int status;

	if (l ? !reading_open(&r, o, 0, &status)
	      : !reading_open_frame(&r, o, o->target, LIVE_OWN_FRAMES, &frame, &status))
		return export_end(o, file, false, status);
	status = frame && !is_of_frame(o) ? EXIT_USAGE : read_source(o, &r);
	status = status ? export_end(o, file, false, status) : batch_print(o, r.source, frame, file);
	reading_close(&r);
	return status;
}

int batch_report(const struct options *o, struct launch *l)
{
	struct export_file file;

	if (!o->output)
		return report_source(o, l, NULL);
	return export_begin(o, &file) ? report_source(o, l, &file) : EXIT_FAILED;
}
