/* SPDX-License-Identifier: MIT */
/*
 * proftop_check: --check: whether frames meet a condition: a gate for tests of performance.
 *
 * Of a living process the next frames are judged, so many as -n says; of one that is over, and of the program
 * behind --, all that there are, or the last -n. One that ends before it has set so many marks is judged by the
 * last that it has set, also before the look began.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export_check.h"
#include "model/text.h"
#include "tui/output.h"
#include "tui/proftop.h"
#include "tui/say.h"
#include "tui/threads.h"
#include "tui/wait.h"

#define LOOK_MS 20      /* between two looks at the program behind -- */
#define NEXT_FRAMES 600 /* of a living process, where -n says nothing */
#define PATIENCE_S 3    /* without a frame; then it is said what is waited for */

struct checking {
	const struct options *o;
	struct check *check;
	struct source *source;
	struct launch *launch;   /* NULL: the process is not ours */
	uint64_t next;           /* so many frames from now on are waited for; 0: until it ends */
	uint64_t judged;         /* the last so many */
	uint64_t seen;           /* number of the frame that was looked at last */
	uint64_t from;           /* and of the newest one when the look began */
	uint64_t come;           /* frames behind it that were taken */
	uint64_t passed_over;    /* frames that were overwritten before they were read */
	double patient_until;
};

bool check_usable(const struct options *o)
{
	char why[WHY_SIZE];
	struct check *c;
	bool about_threads;

	if (!o->check)
		return true;
	c = check_new(o->check, o->spread, why, sizeof(why));
	if (!c) {
		say("--check: %s", why);
		return false;
	}
	about_threads = check_has_zones(c);
	check_free(c);
	if (o->thread && !about_threads)
		say("--check: -t is of the time in zones, and there is none in the condition");
	return !o->thread || about_threads;
}

/* Frames */

static bool is_last(enum source_result result)
{
	return result == SOURCE_END || result == SOURCE_GONE;
}

static bool is_enough(const struct checking *s)
{
	return s->next && s->come >= s->next;
}

/* Threads may come later than the first frame, those of a name too. */
static bool find_threads(struct checking *s)
{
	const char *name = s->o->thread;
	uint32_t threads;

	if (!s->launch)
		return threads_choose(s->source->profile, name, &s->check->threads);
	if (!name || !strcmp(name, "all"))
		return true;
	threads = profile_parse_threads(s->source->profile, name);
	s->check->threads = threads == PROFILE_NONE ? THREADS_MOST : threads;
	return true;
}

/* Which frames are meant. Of those that are there, as many as may be needed are looked at. */
static void begin(struct checking *s, enum source_result result)
{
	const struct profile *p = s->source->profile;
	uint64_t asked = (uint64_t)s->o->frames;

	s->judged = asked ? asked : UINT64_MAX;
	if (!s->launch && !is_last(result)) {
		s->next = asked ? asked : NEXT_FRAMES;
		s->judged = s->next;
	}
	s->check->most = s->judged == UINT64_MAX ? 0 : s->judged;
	s->from = p->frame_count ? p->frames[p->frame_count - 1].number : p->frames_ended;
	if (p->frame_count > s->judged)
		s->seen = p->frames[p->frame_count - s->judged - 1].number;
	s->patient_until = wait_now() + PATIENCE_S;
}

static bool add_frame(struct checking *s, const struct profile_frame *frame)
{
	if (s->seen && frame->number > s->seen)
		s->passed_over += frame->number - s->seen - 1;
	s->seen = frame->number;
	switch (check_add(s->check, s->source->profile, frame)) {
	case CHECK_TAKEN:
		s->come += frame->number > s->from;
		return true;
	case CHECK_NO_FRAME:
		return true;
	case CHECK_NO_MEMORY:
		break;
	}
	say_no_memory();
	return false;
}

/* What has come. Those that were kept alone are none that follow one another. */
static bool add_frames(struct checking *s)
{
	const struct profile *p = s->source->profile;
	char why[WHY_SIZE];

	if (!find_threads(s))
		return false;
	if (!check_find(s->check, p, why, sizeof(why))) {
		say("%s", why);
		return false;
	}
	for (uint32_t i = profile_frame_index(p, s->seen + 1); i < p->frame_count && !is_enough(s); i++)
		if (!(p->frames[i].flags & FRAME_KEPT) && !add_frame(s, &p->frames[i]))
			return false;
	return true;
}

/* What was looked at is not needed any more. The newest frame is what the next ones are put behind. */
static void forget_frames(struct profile *p)
{
	if (p->frame_count > 1)
		profile_drop_frames(p, p->frame_count - 1);
}

static void say_waiting(struct checking *s)
{
	const struct profile *p = s->source->profile;

	if (p->frames_ended)
		say("waiting for frames: none of %llu counts", (unsigned long long)p->frames_ended);
	else
		say("waiting for frames: " SAY_UNMARKED);
	s->patient_until = 0;
}

static void rest(struct checking *s)
{
	if (s->launch)
		launch_rest(s->launch, LOOK_MS);
	else
		wait_rest();
	if (!s->check->frames && s->patient_until > 0 && wait_now() > s->patient_until)
		say_waiting(s);
}

/* Until there are enough of them, or no more come. Not 0: an exit status, and why has been said. */
static int read_frames(struct checking *s)
{
	enum source_result result = source_next(s->source);

	if (result != SOURCE_BAD)
		begin(s, result);
	while (result != SOURCE_BAD) {
		if (!add_frames(s))
			return EXIT_FAILED;
		if (is_enough(s) || is_last(result))
			return EXIT_DONE;
		forget_frames(s->source->profile);
		if (result != SOURCE_LOST)
			rest(s);
		result = source_next(s->source);
	}
	say("%s", s->source->why);
	return EXIT_NOT_OURS;
}

/* What came out */

static bool can_be_judged(const struct checking *s)
{
	const struct profile *p = s->source->profile;
	const char *missing = check_missing(s->check);
	uint32_t thread;
	char *shown;

	if (!threads_choose(p, s->o->thread, &thread))
		return false;
	if (!s->check->frames && p->frames_ended)
		say("there are no frames to judge: none of %llu counts", (unsigned long long)p->frames_ended);
	else if (!s->check->frames)
		say("there are no frames to judge: " SAY_UNMARKED);
	if (!s->check->frames || !missing)
		return s->check->frames;
	shown = name_safe(missing, false);
	say("no zone '%s' has been entered", shown ? shown : "?");
	free(shown);
	return false;
}

static void say_few(const struct checking *s)
{
	const struct profile *p = s->source->profile;

	if (s->judged != UINT64_MAX && s->check->judged < s->judged)
		say(p->frames_ended < s->judged ? "only %u of %llu frames: the program has ended"
						: "only %u of %llu frames: the others were overwritten, or discarded",
		    s->check->judged, (unsigned long long)s->judged);
	if (s->passed_over)
		say("%llu frames were overwritten before they were read: they are not judged",
		    (unsigned long long)s->passed_over);
	if (s->check->not_whole)
		say("of %u frames not all parts are there any more: conditions with a zone leave them out",
		    s->check->not_whole);
}

static int say_unjudged(const struct check *c)
{
	if (c->not_whole < c->judged)
		return say_no_memory();
	say("there are no frames to judge a zone by: of %u none is whole", c->judged);
	return EXIT_FAILED;
}

static int report(struct checking *s)
{
	const struct profile *p = s->source->profile;
	struct export_style style = output_style(s->o);
	int status;

	if (!can_be_judged(s))
		return EXIT_FAILED;
	if (!check_judge(s->check, p->ticks_per_s, s->judged))
		return say_unjudged(s->check);
	say_few(s);
	status = output_finish(s->o->json ? export_check_json(s->check, p, s->judged == UINT64_MAX ? 0 : s->judged,
							      stdout)
					  : export_check(s->check, p, &style, stdout));
	return status || s->check->holds ? status : EXIT_FALSE;
}

static int check_source(struct checking *s)
{
	char why[WHY_SIZE];
	int status;

	s->check = check_new(s->o->check, s->o->spread, why, sizeof(why));
	if (!s->check) {
		say("%s", why);
		return EXIT_FAILED;
	}
	status = read_frames(s);
	if (!status)
		status = report(s);
	check_free(s->check);
	return status;
}

int check_report(const struct options *o)
{
	struct checking s = { .o = o };
	int status;

	s.source = batch_open(o, LIVE_OFTEN, &status);
	if (s.source)
		status = check_source(&s);
	source_close(s.source);
	return status;
}

int check_run(const struct options *o, struct launch *l)
{
	struct checking s = { .o = o, .launch = l };
	int status = EXIT_DONE;

	s.source = open_launched(l, o->app[0], LIVE_OFTEN, &status);
	if (s.source)
		status = check_source(&s);
	source_close(s.source);
	launch_wait(l);
	return status;
}
