/* SPDX-License-Identifier: MIT */
/*
 * proftop_freeze: --freeze-over in a report: the first frame that takes longer, and why it did.
 *
 * Of a living process these are the frames behind the moment of attaching, of the program behind -- all of them, and of
 * one that is over all that are still held. The frames made of looks at a program that marks none are no doing of it,
 * and never too long.
 */
#include <signal.h>

#include "tui/batch.h"
#include "tui/proftop.h"
#include "tui/wait.h"

#define AFTER 3        /* so many frames more, in which threads that were busy publish their parts */
#define AFTER_S 0.5    /* but no longer than that */
#define UNMARKED_S 2.0 /* so long without a frame, and the user is told */
#define LOOK_MS 20

struct freezing {
	const struct options *o;
	struct source *source;
	struct launch *launch; /* NULL: the process is not ours */
	uint64_t seen;         /* frames up to this number are none of those that are waited for */
	int64_t limit;         /* ticks */
	enum source_result result;
	double begun;
	bool told;
};

static bool is_over(const struct freezing *f)
{
	return f->result == SOURCE_END || f->result == SOURCE_GONE || f->result == SOURCE_BAD;
}

static void look(struct freezing *f)
{
	if (f->result == SOURCE_MORE) {
		if (f->launch)
			launch_rest(f->launch, LOOK_MS);
		else
			wait_rest();
	}
	f->result = batch_read(f->source);
}

/* The first frame behind those that were seen that took too long; 0: none. They have been seen then. */
static uint64_t find_slow(struct freezing *f)
{
	const struct profile *p = f->source->profile;

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
	if (f->told || f->source->profile->frames_ended || wait_now() < f->begun + UNMARKED_S)
		return;
	say("waiting for frames: " SAY_UNMARKED);
	f->told = true;
}

static uint64_t wait_for_slow(struct freezing *f)
{
	uint64_t slow;

	while (!(slow = find_slow(f)) && !is_over(f)) {
		tell_unmarked(f);
		look(f);
	}
	return slow;
}

static void wait_for_parts(struct freezing *f, uint64_t slow)
{
	const struct profile *p = f->source->profile;
	double until = wait_now() + AFTER_S;

	while (!is_over(f) && wait_now() < until && p->frames[p->frame_count - 1].number < slow + AFTER)
		look(f);
}

static int say_none(const struct freezing *f)
{
	const struct profile *p = f->source->profile;
	int64_t longest = 0;
	char time[64];

	for (uint32_t i = 0; i < p->frame_count; i++)
		if (!(p->frames[i].flags & FRAME_DISCARDED) && p->frames[i].length > longest)
			longest = p->frames[i].length;
	format_time(time, sizeof(time), longest, 1, p->ticks_per_s, UNIT_MS, -1, 0);
	if (p->frame_count)
		say("no frame took longer than %g ms: the program has ended after %llu, and the longest that "
		    "is held took %s ms", f->o->freeze_ms, (unsigned long long)p->frames_ended, time);
	else
		say("no frame took longer than %g ms: " SAY_UNMARKED, f->o->freeze_ms);
	return EXIT_FAILED;
}

static int64_t ticks_of(double ms, uint64_t ticks_per_s)
{
	double ticks = ms / 1e3 * (double)ticks_per_s;

	return ticks < 9e18 ? (int64_t)ticks : INT64_MAX;
}

/* The source was opened and nothing read yet. `from_now`: what there is at the first look was seen, unless nothing
 * more will come. */
static int freeze(struct freezing *f, bool from_now)
{
	const struct profile *p = f->source->profile;
	struct options o = *f->o;
	uint64_t slow;

	f->begun = wait_now();
	f->result = batch_read(f->source);
	f->limit = ticks_of(o.freeze_ms, p->ticks_per_s);
	if (from_now && !is_over(f) && p->frame_count)
		f->seen = p->frames[p->frame_count - 1].number;
	slow = wait_for_slow(f);
	if (slow)
		wait_for_parts(f, slow);
	if (f->result == SOURCE_BAD) {
		say("%s", f->source->why);
		return EXIT_NOT_OURS;
	}
	if (!slow)
		return say_none(f);
	o.view = OPTION_VIEW_WHY;
	return batch_print(&o, f->source, (int64_t)slow);
}

int freeze_report(const struct options *o)
{
	struct freezing f = { .o = o };
	int status;

	f.source = batch_open(o, LIVE_OFTEN, &status);
	if (!f.source)
		return status;
	status = freeze(&f, true);
	source_close(f.source);
	return status;
}

int freeze_run(const struct options *o, struct launch *l)
{
	struct freezing f = { .o = o, .launch = l };
	int status = EXIT_DONE;

	signal(SIGPIPE, SIG_IGN);
	f.source = open_launched(l, o->app[0], LIVE_OFTEN, &status);
	if (f.source)
		status = freeze(&f, false);
	source_close(f.source);
	launch_wait(l);
	return status;
}
