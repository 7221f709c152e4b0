/* SPDX-License-Identifier: MIT */
/*
 * proftop_check: the command check: whether frames meet a condition: a gate for tests of performance.
 *
 * It is asked of the next frames of a living process, so many as -n says; of one that is over, and of the program
 * behind --, of all that there ever were, or the last -n. One that ends before it has set so many marks is judged by the
 * last that it has set, also before the look began.
 *
 * Frames that were overwritten before they were read are among those that it is asked of. At the end the region is read
 * once more for those of them that it has kept for being long.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export.h"
#include "model/stats/check.h"
#include "model/base/text.h"
#include "proftop/choose.h"
#include "proftop/messages.h"
#include "proftop/output.h"
#include "proftop/proftop.h"
#include "proftop/proftop_import.h"
#include "proftop/proftop_reading.h"
#include "proftop/wait.h"
#include "model/stats/frame_stats.h"

#define NEXT_FRAMES 600 /* of a living process, where -n says nothing */
#define PATIENCE_S 3    /* without a frame; then it is said what is waited for */

struct checking {
	const struct options *o;
	struct check *check;
	struct reading reading;
	uint64_t next;           /* so many frames from now on are waited for; 0: until it ends */
	uint64_t asked;          /* the last so many are judged */
	uint64_t seen;           /* number of the frame that was looked at last */
	uint64_t from;           /* and of the newest one when the look began */
	uint64_t come;           /* frames behind it */
	uint64_t last;           /* number of the last frame, where the program is over */
	uint32_t looks;
	double patient_until;
};

bool check_usable(const struct options *o)
{
	char why[WHY_SIZE];
	struct check *c;
	bool about_threads;

	if (o->command != SUBCOMMAND_CHECK)
		return true;
	c = check_new(o->check, o->spread, why, sizeof(why));
	if (!c) {
		say("check: %s", why);
		return false;
	}
	about_threads = check_has_zones(c);
	check_free(c);
	if (o->thread && !about_threads)
		say("check: -t needs a condition with a zone");
	return !o->thread || about_threads;
}

/* Frames */

static bool is_enough(const struct checking *s)
{
	return s->next && s->come >= s->next;
}

/* Threads may come later than the first frame, those of a name too. */
static bool find_threads(struct checking *s)
{
	const char *name = s->o->thread;
	uint32_t threads;

	if (!s->reading.launch)
		return threads_choose(s->reading.source->profile, name, &s->check->threads);
	if (!name || !strcmp(name, "all"))
		return true;
	threads = profile_parse_threads(s->reading.source->profile, name);
	s->check->threads = threads == PROFILE_NONE ? THREADS_MOST : threads;
	return true;
}

/* Which frames are meant. Of those that are there all are looked at: the last may be asked for. */
static void begin_checking(struct checking *s)
{
	const struct profile *p = s->reading.source->profile;
	uint64_t asked = (uint64_t)s->o->frames;

	s->asked = asked ? asked : UINT64_MAX;
	if (!s->reading.launch && !reading_is_over(&s->reading)) {
		s->next = asked ? asked : NEXT_FRAMES;
		s->asked = s->next;
	}
	s->check->most = s->asked == UINT64_MAX ? 0 : s->asked;
	s->from = p->frame_count ? p->frames[p->frame_count - 1].number : p->frames_ended;
	s->patient_until = wait_now() + PATIENCE_S;
}

/* A frame that does not count is none that is waited for; what was overwritten may be any. */
static bool add_frame(struct checking *s, const struct profile_frame *frame)
{
	uint64_t before = s->seen > s->from ? s->seen : s->from;
	enum check_added added = check_add(s->check, s->reading.source->profile, frame);

	if (frame->number > before)
		s->come += frame->number - before - (added == CHECK_NO_FRAME);
	s->seen = frame->number;
	if (added == CHECK_NO_MEMORY)
		say_no_memory();
	return added != CHECK_NO_MEMORY;
}

static bool find_zones(struct checking *s)
{
	char why[WHY_SIZE];

	if (!find_threads(s))
		return false;
	if (check_find(s->check, s->reading.source->profile, why, sizeof(why)))
		return true;
	say("%s", why);
	return false;
}

/* Adds the frames that have come. */
static bool add_frames(struct checking *s)
{
	const struct profile *p = s->reading.source->profile;

	if (!find_zones(s))
		return false;
	for (uint32_t i = profile_frame_index(p, s->seen + 1); i < p->frame_count && !is_enough(s); i++)
		if (!add_frame(s, &p->frames[i]))
			return false;
	return true;
}

static void say_waiting(struct checking *s)
{
	const struct profile *p = s->reading.source->profile;

	if (p->frames_ended)
		say("waiting for frames: none of %llu counts", (unsigned long long)p->frames_ended);
	else
		say("waiting for frames: " NO_FRAMES_UNMARKED);
	s->patient_until = 0;
}

static void rest_or_say(struct checking *s)
{
	reading_rest(&s->reading);
	if (!s->check->frames && s->patient_until > 0 && wait_now() > s->patient_until)
		say_waiting(s);
}

/* The last frame that is judged. If the newest frames are asked for, it is the newest that is held: one more may
 * have ended than was read or recorded. */
static uint64_t last_frame(const struct checking *s)
{
	const struct profile *p = s->reading.source->profile;

	return s->asked != UINT64_MAX && p->frame_count ? p->frames[p->frame_count - 1].number : p->frames_ended;
}

/* Until there are enough of them, or no more come. Not 0: an exit status, and why has been said. */
static int read_frames(struct checking *s)
{
	struct reading *r = &s->reading;

	reading_look(r);
	if (r->result != SOURCE_BAD)
		begin_checking(s);
	for (; r->result != SOURCE_BAD; reading_look(r)) {
		s->looks++;
		if (!add_frames(s))
			return EXIT_FAILED;
		if (reading_is_over(r) && !is_enough(s))
			s->last = last_frame(s);
		if (is_enough(s) || reading_is_over(r))
			return EXIT_DONE;
		reading_forget(r);
		rest_or_say(s);
	}
	return reading_status(r);
}

/* Reads the retained frames among those that were missed. Those that came since the last one are not needed. */
static int read_kept(struct checking *s)
{
	const struct profile *p;

	if (!check_anew(s->check))
		return say_no_memory();
	s->reading.result = source_renew(s->reading.source);
	if (s->reading.result == SOURCE_BAD)
		return reading_status(&s->reading);
	p = s->reading.source->profile;
	if (!find_zones(s))
		return EXIT_FAILED;
	for (uint32_t i = 0; i < p->frame_count && p->frames[i].number <= s->seen; i++)
		if (check_add(s->check, p, &p->frames[i]) == CHECK_NO_MEMORY)
			return say_no_memory();
	return EXIT_DONE;
}

/* The result */

/* A zone that is not there may be one of those that were lost. */
static bool may_be_lost(const struct loss_effects *lost)
{
	return lost->calls || lost->slices || lost->first || lost->end;
}

static bool can_be_judged(struct checking *s)
{
	const struct profile *p = s->reading.source->profile;
	const char *missing = check_missing(s->check), *key = check_missing_measure(s->check);
	uint32_t thread, measure;
	char *shown;

	if (!threads_choose(p, s->o->thread, &thread))
		return false;
	if (!s->check->frames && p->frame_count)
		say("no frames to check: none of %llu counts", (unsigned long long)p->frames_ended);
	else if (!s->check->frames)
		say_no_frames(p, "no frames to check");
	if (s->check->frames && key)
		return measure_choose(p, "", key, &measure);
	if (!s->check->frames || !missing)
		return s->check->frames;
	shown = name_safe(missing, false);
	check_losses(s->check, p);
	if (may_be_lost(&s->check->lost))
		say("there is no zone '%s', but data were lost: it may be in them", shown ? shown : "?");
	else
		say("no zone '%s' has been entered", shown ? shown : "?");
	free(shown);
	return may_be_lost(&s->check->lost);
}

/* The number of newest frames without a gap between them, counted as -n does:
 * without discarded ones. */
static uint32_t count_newest(const struct profile *p)
{
	uint32_t count = 0;

	for (uint32_t i = p->frame_count; i; i--) {
		if (i < p->frame_count && p->frames[i - 1].number + 1 != p->frames[i].number)
			break;
		count += frame_counts(&p->frames[i - 1]);
	}
	return count;
}

static const char *why_not_known(const struct source *source)
{
	if (source->profile->left_out_frames)
		return "--only-slow left them out of the recording";
	return source_is_recording(source) ? "they were not recorded, or exceed the history"
					   : "they were overwritten before proftop read them, or exceed the history";
}

/* Entries that a source does not know are amounts, too. */
static bool about_amounts(const struct check *c, const struct profile *p)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->conditions[i].key || (c->conditions[i].measure == CHECK_COUNT && !profile_has_calls(p)))
			return true;
	return false;
}

static void say_what_is_missing(const struct checking *s)
{
	const struct check *c = s->check;
	const struct profile *p = s->reading.source->profile;
	uint64_t all = c->judged + c->unknown;

	if (s->asked != UINT64_MAX && all < s->asked)
		say("only %llu of %llu frames: the program has ended", (unsigned long long)all,
		    (unsigned long long)s->asked);
	if (c->unknown)
		say("%s%llu of %llu frames are not known: %s", c->lost.end ? "at least " : "",
		    (unsigned long long)c->unknown, (unsigned long long)all, why_not_known(s->reading.source));
	if (c->unknown && !c->lost.end && s->asked == UINT64_MAX && count_newest(s->reading.source->profile))
		say("use -n %u for the available frames", count_newest(s->reading.source->profile));
	if (c->not_whole)
		say(about_amounts(c, p) ? "%u frames have missing slices or amounts: values in them are not known"
				     : "%u frames have missing slices: the time of a zone in them is not known",
		    c->not_whole);
	if (c->lossy)
		say("zones were lost in %u frame%s: the values of a zone there are not known exactly", c->lossy,
		    c->lossy == 1 ? "" : "s");
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (loss_has_effect(&p->losses[i]))
			say("lost %llu: %s", (unsigned long long)p->losses[i].count, p->losses[i].sentence);
}

static bool judge_frames(struct checking *s)
{
	check_losses(s->check, s->reading.source->profile);
	if (check_judge(s->check, s->reading.source->profile->ticks_per_s, s->asked, s->last))
		return true;
	say_no_memory();
	return false;
}

static int report_verdict(struct checking *s)
{
	static const int statuses[] = { [CHECK_HOLDS] = EXIT_DONE, [CHECK_NOT_KNOWN] = EXIT_UNKNOWN,
					[CHECK_FAILS] = EXIT_FALSE };
	const struct profile *p = s->reading.source->profile;
	struct export_style style = output_style(s->o);
	int status;

	say_what_is_missing(s);
	status = output_finish(s->o->json ? export_check_json(s->check, p, s->asked == UINT64_MAX ? 0 : s->asked,
							      stdout)
					  : export_check(s->check, p, &style, stdout));
	return status ? status : statuses[s->check->verdict];
}

/* Where the region was looked at again and again. */
static bool has_missed(const struct checking *s)
{
	return s->looks > 1 && s->check->unknown + s->check->not_whole;
}

static int judge_and_report(struct checking *s)
{
	int status = EXIT_DONE;

	if (!importing_has_frames(s->reading.source) || !can_be_judged(s) || !judge_frames(s))
		return EXIT_FAILED;
	if (has_missed(s))
		status = read_kept(s);
	if (status || !judge_frames(s))
		return status ? status : EXIT_FAILED;
	return report_verdict(s);
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
		status = judge_and_report(s);
	check_free(s->check);
	return status;
}

int check_report(const struct options *o, struct launch *l)
{
	struct checking s = { .o = o, .reading.launch = l };
	int status;

	if (reading_open(&s.reading, o, LIVE_OFTEN, &status))
		status = check_source(&s);
	reading_close(&s.reading);
	return status;
}
