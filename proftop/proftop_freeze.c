/* SPDX-License-Identifier: MIT */
/*
 * proftop_freeze: why --over: the first frame that takes longer, and why it did.
 *
 * For a live process, these are the frames after the moment of attaching; for the program behind --, all of
 * them; and for one that is over, all that are still held. Frames that proftop makes, for a program that marks
 * none, are never too long.
 */
#include "proftop/batch.h"
#include "proftop/proftop.h"
#include "proftop/proftop_reading.h"
#include "proftop/wait.h"
#include "model/stats/frame_stats.h"

#define AFTER 3        /* so many frames more, in which threads that were busy publish their parts */
#define AFTER_S 0.5    /* but no longer than that */
#define UNMARKED_S 2.0 /* so long without a frame, and the user is told */

struct freezing {
	const struct options *o;
	struct reading reading;
	uint64_t seen;         /* frames up to this number are none of those that are waited for */
	int64_t limit;         /* ticks */
	double begun;
	bool told;
};

/* The first frame behind those that were seen that took too long; 0: none. They have been seen then. */
static uint64_t find_slow(struct freezing *f)
{
	const struct profile *p = f->reading.source->profile;

	for (uint32_t i = profile_frame_index(p, f->seen + 1); i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];

		if (frame->length > f->limit && !(frame->flags & (FRAME_DISCARDED | FRAME_GUESSED)))
			return frame->number;
	}
	if (p->frame_count && p->frames[p->frame_count - 1].number > f->seen)
		f->seen = p->frames[p->frame_count - 1].number;
	return 0;
}

static void tell_unmarked(struct freezing *f)
{
	if (f->told || f->reading.source->profile->frames_ended || wait_now() < f->begun + UNMARKED_S)
		return;
	say("waiting for frames: " NO_FRAMES_UNMARKED);
	f->told = true;
}

static uint64_t wait_for_slow(struct freezing *f)
{
	uint64_t slow;

	while (!(slow = find_slow(f)) && !reading_is_over(&f->reading)) {
		tell_unmarked(f);
		reading_rest(&f->reading);
		reading_look(&f->reading);
		if (f->reading.anew) /* the first frame that the program marks has the number 1 */
			f->seen = 0;
	}
	return slow;
}

static void wait_for_parts(struct freezing *f, uint64_t slow)
{
	const struct profile *p = f->reading.source->profile;
	double until = wait_now() + AFTER_S;

	while (!reading_is_over(&f->reading) && wait_now() < until &&
	       p->frames[p->frame_count - 1].number < slow + AFTER) {
		reading_rest(&f->reading);
		reading_look(&f->reading);
	}
}

static int say_none(const struct freezing *f)
{
	const struct profile *p = f->reading.source->profile;
	int64_t longest = 0;
	char time[64], why[WHY_SIZE];

	for (uint32_t i = 0; i < p->frame_count; i++)
		if (!(p->frames[i].flags & FRAME_DISCARDED) && p->frames[i].length > longest)
			longest = p->frames[i].length;
	format_time(time, sizeof(time), longest, 1, p->ticks_per_s, UNIT_MS, -1, 0);
	if (p->frame_count)
		say("no frame took longer than %g ms. The program ended after %llu frames; the longest known one "
		    "took %s ms", f->o->over_ms, (unsigned long long)p->frames_ended, time);
	else
		say("no frame took longer than %g ms: %s", f->o->over_ms, no_frames_why(p, why, sizeof(why)));
	return EXIT_FAILED;
}

static int64_t ticks_of(double ms, uint64_t ticks_per_s)
{
	double ticks = ms / 1e3 * (double)ticks_per_s;

	return ticks < 9e18 ? (int64_t)ticks : INT64_MAX;
}

static int print_slow(const struct freezing *f, uint64_t slow)
{
	struct export_file file;

	if (!f->o->output)
		return batch_print(f->o, f->reading.source, (int64_t)slow, NULL);
	return export_begin(f->o, &file) ? batch_print(f->o, f->reading.source, (int64_t)slow, &file) : EXIT_FAILED;
}

/* The source was opened and nothing read yet. `from_now`: what there is at the first look was seen, unless nothing
 * more will come. */
static int explain_slow(struct freezing *f, bool from_now)
{
	const struct profile *p;
	uint64_t slow;

	f->begun = wait_now();
	reading_look(&f->reading);
	p = f->reading.source->profile; /* the look may have replaced it */
	f->limit = ticks_of(f->o->over_ms, p->ticks_per_s);
	if (from_now && !reading_is_over(&f->reading) && p->frame_count)
		f->seen = p->frames[p->frame_count - 1].number;
	slow = wait_for_slow(f);
	if (slow)
		wait_for_parts(f, slow);
	if (f->reading.result == SOURCE_BAD)
		return reading_status(&f->reading);
	if (!slow)
		return say_none(f);
	return print_slow(f, slow);
}

int freeze_report(const struct options *o, struct launch *l)
{
	struct freezing f = { .o = o, .reading.launch = l };
	int status;

	if (reading_open(&f.reading, o, LIVE_OFTEN, &status))
		status = explain_slow(&f, !l);
	reading_close(&f.reading);
	return status;
}
