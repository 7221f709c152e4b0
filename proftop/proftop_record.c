/* SPDX-License-Identifier: MIT */
/*
 * proftop_record: the command record: a recording of what a source has, and of what comes.
 *
 * It goes on until the program ends, so many seconds have passed (--seconds), or Ctrl-C. With -n it is of so many complete
 * frames, the last ones, as a report is.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proftop/batch.h"
#include "proftop/messages.h"
#include "proftop/output.h"
#include "proftop/proftop.h"
#include "proftop/proftop_reading.h"
#include "proftop/record_file.h"
#include "proftop/stop.h"
#include "proftop/wait.h"

#define TAKE_S 0.2 /* from one take to the next */

struct recording {
	const struct options *o;
	struct reading reading;
	struct recorder *recorder;
	struct record_file file;
	double begun;
	bool memory; /* there is none */
};

static int say_failed(const struct recording *r)
{
	if (r->file.error == EPIPE)
		return EXIT_DONE; /* nobody reads any more */
	if (!r->file.error)
		return say_no_memory();
	say("%s: %s. The recording ends here, and is complete up to here", r->file.path, strerror(r->file.error));
	return EXIT_FAILED;
}

static bool is_over(const struct recording *r)
{
	return reading_is_over(&r->reading) || stop_asked() ||
	       (r->o->seconds > 0 && wait_now() - r->begun >= r->o->seconds);
}

static void rest_for_take(struct recording *r)
{
	double until = wait_now() + TAKE_S;

	do
		reading_rest(&r->reading);
	while (wait_now() < until && !stop_asked());
}

/* Takes as they come. */
static int record_all(struct recording *r)
{
	for (bool over = false; !over; rest_for_take(r)) {
		over = is_over(r);
		if (r->memory || !record_file_take(&r->file, r->recorder, over))
			return say_failed(r);
		if (over)
			break;
		reading_look(&r->reading);
		if (r->reading.result == SOURCE_BAD)
			return reading_status(&r->reading);
	}
	return EXIT_DONE;
}

/* The last so many complete frames, once there are as many. */
static int record_frames(struct recording *r)
{
	const struct profile *p = r->reading.source->profile;
	uint32_t first;
	long count;

	for (;; rest_for_take(r), reading_look(&r->reading)) {
		if (r->reading.result == SOURCE_BAD)
			return reading_status(&r->reading);
		count = profile_newest_frames(p, (uint64_t)r->o->frames, true, &first);
		if (count >= r->o->frames || is_over(r))
			break;
	}
	if (count < r->o->frames)
		say("only %ld of %ld frames", count, r->o->frames);
	if (count)
		recorder_only(r->recorder, p->frames[first].number, p->frames[p->frame_count - 1].number);
	return record_file_take(&r->file, r->recorder, true) ? EXIT_DONE : say_failed(r);
}

/* When the profile begins again, so does the recording. */
static void let_go(void *context)
{
	struct recording *r = context;

	r->memory |= !recorder_begin_anew(r->recorder);
}

static int record_source(struct recording *r)
{
	struct recorder_options options = { .no_calls = r->o->no_calls };
	char why[WHY_SIZE];
	int status;

	reading_look(&r->reading); /* it waits for what comes through a pipe, and nothing is written yet */
	if (r->reading.result == SOURCE_BAD)
		return reading_status(&r->reading);
	if (!r->reading.launch)
		stop_on_signals();
	options.over = (int64_t)(r->o->only_slow_ms * 1e-3 * (double)r->reading.source->profile->ticks_per_s);
	r->recorder = recorder_new(r->reading.source, &options);
	if (!r->recorder)
		return say_no_memory();
	if (record_file_holds(r->o->max_size, r->recorder, why, sizeof(why)) &&
	    record_file_open(&r->file, r->o->output, r->o->max_size, source_file(r->reading.source), why, sizeof(why))) {
		status = r->o->frames ? record_frames(r) : record_all(r);
	} else {
		say("%s", why);
		status = EXIT_FAILED;
	}
	if (r->file.exceeded)
		say("%s is larger than --max-size, because each file begins with all names and totals", r->o->output);
	recorder_free(r->recorder);
	record_file_close(&r->file);
	return status;
}

int record_report(const struct options *o, struct launch *l)
{
	struct recording r = { .o = o, .reading = { .launch = l, .leaving = let_go, .context = &r },
			       .file.fd = -1, .begun = wait_now() };
	int status;

	if (!strcmp(o->output, "-") && isatty(STDOUT_FILENO)) {
		say("refusing to write binary data to a terminal: use -o FILE, or a pipe");
		return EXIT_USAGE;
	}
	if (!reading_open(&r.reading, o, LIVE_OFTEN | LIVE_OWN_FRAMES, &status))
		return status;
	status = record_source(&r);
	reading_close(&r.reading);
	return status;
}
