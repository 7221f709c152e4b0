/* SPDX-License-Identifier: MIT */
#include "proftop/proftop_reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/find.h"
#include "proftop/messages.h"
#include "proftop/proftop.h"
#include "proftop/proftop_import.h"
#include "proftop/wait.h"

#define LOOK_MS 20 /* between two looks at the program behind `--` */

/* Opening */

/* The region that is meant, and a source of it; NULL: *status, and why in `why`. */
static struct source *open_target(const struct options *o, const char *target, unsigned flags, int *status,
				  char *why)
{
	char name[FIND_SIZE];
	enum open_result result;
	enum find_result found;
	struct source *source;

	if (target && *target)
		found = find_region(target, name, sizeof(name), why, WHY_SIZE);
	else
		found = find_default(source_flags(o), name, sizeof(name), why, WHY_SIZE);
	*status = found == FIND_MANY ? EXIT_USAGE : EXIT_ABSENT;
	if (found != FIND_DONE)
		return NULL;
	source = source_open(name, source_flags(o) | flags, importing_options(o, false), &result, why, WHY_SIZE);
	*status = status_of(result);
	return source;
}

void reading_say_absent(const struct options *o, const char *target, const char *why)
{
	bool screen = o->command == SUBCOMMAND_SCREEN, named = o->named && target == o->target;
	const char *similar = screen ? options_similar_command(target) : NULL;
	char text[2 * WHY_SIZE], instead[256];
	size_t length = (size_t)snprintf(text, sizeof(text), "%.*s", WHY_SIZE, why);

	if (!named && options_instead(target, instead, sizeof(instead)))
		length += (size_t)snprintf(text + length, sizeof(text) - length, ". For %.200s: %s", target, instead);
	else if (similar)
		length += (size_t)snprintf(text + length, sizeof(text) - length, ". Did you mean proftop %s?", similar);
	if (screen && !strchr(target, '/'))
		snprintf(text + length, sizeof(text) - length, "%s To wait for a region of this name: proftop --name %.300s",
			 text[length - 1] == '?' ? "" : ".", target);
	say("%s", text);
}

bool reading_open_frame(struct reading *r, const struct options *o, const char *target, unsigned flags, int64_t *frame,
			int *status)
{
	double until = wait_now() + (o->wait_s > 0 ? o->wait_s : 0);
	char why[WHY_SIZE], name[FIND_SIZE];

	for (*status = EXIT_DONE;; wait_rest()) {
		bool is_frame = target && find_frame(target, name, sizeof(name), frame);

		if (!is_frame)
			*frame = 0;
		r->source = open_target(o, is_frame ? name : target, flags, status, why);
		if (r->source || *status != EXIT_ABSENT || wait_now() >= until)
			break;
	}
	if (!r->source && *status == EXIT_ABSENT && target)
		reading_say_absent(o, target, why);
	else if (!r->source)
		say("%s", why);
	return r->source;
}

/* The program that was started; it may end before it has a region. */
static bool open_launched(struct reading *r, const char *program, unsigned flags, int *status)
{
	enum open_result result;
	char why[WHY_SIZE];
	bool ended;

	do {
		ended = launch_rest(r->launch, LOOK_MS);
		r->source = live_open(r->launch->region, flags, &result, why, sizeof(why));
	} while (!r->source && result == OPEN_ABSENT && !ended);
	*status = status_of(result);
	if (!r->source && result == OPEN_ABSENT)
		say(LEFT_NO_REGION, program);
	else if (!r->source)
		say("%s", why);
	return r->source;
}

bool reading_open(struct reading *r, const struct options *o, unsigned flags, int *status)
{
	int64_t frame;

	if (r->launch)
		return open_launched(r, o->app[0], flags, status);
	if (!reading_open_frame(r, o, o->target, flags, &frame, status) || !frame)
		return r->source;
	say("%s is one frame, and this needs more than one", o->target);
	reading_close(r);
	*status = EXIT_USAGE;
	return false;
}

void reading_close(struct reading *r)
{
	source_close(r->source);
	r->source = NULL;
}

/* Looks */

void reading_look(struct reading *r)
{
	r->result = source_next(r->source);
	if (!r->told)
		importing_tell(r->source);
	r->told = true;
	r->anew = r->result == SOURCE_ANEW;
	if (!r->anew)
		return;
	if (r->leaving)
		r->leaving(r->context);
	r->result = source_renew(r->source);
}

void reading_rest(struct reading *r)
{
	if (r->result == SOURCE_LOST)
		return;
	if (r->launch)
		launch_rest(r->launch, LOOK_MS);
	else
		wait_rest();
}

bool reading_is_over(const struct reading *r)
{
	return r->result == SOURCE_BAD || source_is_over(r->result);
}

int reading_status(const struct reading *r)
{
	if (r->result != SOURCE_BAD)
		return EXIT_DONE;
	say("%s", r->source->why);
	return EXIT_NOT_OURS;
}

void reading_forget(struct reading *r)
{
	struct profile *p = r->source->profile;

	if (p->frame_count > 1)
		profile_drop_frames(p, p->frame_count - 1);
}
