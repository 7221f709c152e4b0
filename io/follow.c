/* SPDX-License-Identifier: MIT */
#include "io/follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/aside.h"
#include "io/find.h"
#include "io/region/live_list.h"

#define LOOK_NS 200000000 /* from one look for the name to the next */
#define LOOK_SHARE 20     /* and so many times as long as a look takes */
#define READ_NS 30000000  /* so long a poll waits for what is being read */

/* The first read of a source: it takes as long as there is to read, half a second where a region has a gigabyte. The source
 * is the thread's until opening_end gives it back. */
struct opening {
	struct source *source;
	enum source_result result;
	struct aside *aside;
};

static void read_it(void *context)
{
	struct opening *o = context;

	o->result = source_next(o->source);
}

/* NULL: out of memory, and the source is the caller's still. */
static struct opening *opening_begin(struct source *s)
{
	struct opening *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->source = s;
	o->aside = aside_begin(read_it, o);
	if (o->aside)
		return o;
	free(o);
	return NULL;
}

/* Waits until the read is over. *result: of its `next`. */
static struct source *opening_end(struct opening *o, enum source_result *result)
{
	struct source *s = o->source;

	aside_end(o->aside);
	*result = o->result;
	free(o);
	return s;
}

/* Ends the read soon, and closes the source. */
static void opening_drop(struct opening *o)
{
	enum source_result result;

	if (!o)
		return;
	atomic_store_explicit(&o->source->stop, true, memory_order_relaxed);
	source_close(opening_end(o, &result));
}

struct follow_inside {
	char *text;   /* what was typed; NULL: nothing */
	char *before; /* while turning from a source: what was typed for that */
	unsigned flags;
	const struct import_options *import;
	struct opening *opening;  /* what is being read; NULL: nothing is */
	char opened[FIND_SIZE];   /* its name */
	char name[FIND_SIZE];  /* of what is attached */
	struct source_file held; /* the file of the source */
	bool turning;          /* to whatever is found, living or not */
	bool gone;             /* the process that was typed is no more, and left nothing */
	bool returns;          /* it is known by its name, which another process may take */
	int64_t look_ns;       /* when to look again */
};

static int64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static enum follow_news set_state(struct follow *f, enum follow_state state, enum open_result result,
				  const char *why)
{
	bool same = f->state == state && f->result == result && !strcmp(f->why, why);

	f->state = state;
	f->result = result;
	snprintf(f->why, sizeof(f->why), "%s", why);
	return same ? FOLLOW_NOTHING : FOLLOW_STATE;
}

static bool turns_from_source(const struct follow *f)
{
	return f->source && f->inside->turning;
}

/* The chosen region cannot be opened. The previous one is followed on. */
static enum follow_news turn_back(struct follow *f, enum open_result result, const char *why)
{
	struct follow_inside *in = f->inside;

	free(in->text);
	in->text = in->before;
	in->before = NULL;
	in->turning = false;
	f->name = in->name;
	f->turn_result = result;
	snprintf(f->turn_why, sizeof(f->turn_why), "%s", why);
	return FOLLOW_REFUSED;
}

/* Something of that name is there and cannot be had, or there is nothing. What was read is kept. */
static enum follow_news set_refused(struct follow *f, enum open_result result, const char *why)
{
	if (turns_from_source(f))
		return turn_back(f, result, why);
	if (f->source && result == OPEN_ABSENT)
		return FOLLOW_NOTHING;
	return set_state(f, f->source ? FOLLOW_OVER : FOLLOW_WAITING, result, why);
}

static enum follow_state state_of(enum source_result result)
{
	return result == SOURCE_MORE || result == SOURCE_LOST ? FOLLOW_ATTACHED : FOLLOW_OVER;
}

/* Attaching */

/* The source that is open now is the one that the user meant. */
static void settle_on(struct follow *f, const char *name, enum follow_state state)
{
	struct follow_inside *in = f->inside;

	in->held = source_file(f->source);
	in->turning = false;
	free(in->before);
	in->before = NULL;
	in->returns = !strchr(name, '/') && (!in->text || !strcmp(in->text, name));
	if (name != in->name)
		snprintf(in->name, sizeof(in->name), "%s", name);
	f->name = in->name;
	set_state(f, state, OPEN_OK, "");
}

static void drop_opening(struct follow *f)
{
	opening_drop(f->inside->opening);
	f->inside->opening = NULL;
	f->reading = false;
}

static enum follow_news go_on_reading(struct follow *f)
{
	unsigned functions = atomic_load_explicit(&f->inside->opening->source->looked_up, memory_order_relaxed);

	if (!f->source && functions)
		snprintf(f->why, sizeof(f->why), "reading it takes a moment: %u functions looked up so far", functions);
	if (f->reading)
		return FOLLOW_NOTHING;
	f->reading = true;
	if (!f->source)
		set_state(f, FOLLOW_WAITING, OPEN_OK, "reading it takes a moment");
	return FOLLOW_READING;
}

/* Once a source has been read, it takes the place of the one that is held. */
static enum follow_news take_opening(struct follow *f, void (*leaving)(void *), void *context)
{
	struct follow_inside *in = f->inside;
	struct source *before = f->source, *s;
	enum source_result read;
	char why[sizeof(f->why)];

	if (!aside_is_over(in->opening->aside, f->reading ? 0 : READ_NS))
		return go_on_reading(f);
	s = opening_end(in->opening, &read);
	in->opening = NULL;
	f->reading = false;
	if (read == SOURCE_BAD) {
		snprintf(why, sizeof(why), "%s", s->why);
		source_close(s);
		return set_refused(f, OPEN_NOT_OURS, why);
	}
	f->anew = false;
	if (before && leaving)
		leaving(context);
	f->source = s;
	f->late = false;
	s->hurried = true;
	source_close(before);
	settle_on(f, in->opened, state_of(read));
	return FOLLOW_NEW;
}

static enum follow_news attach_source(struct follow *f, const char *name, void (*leaving)(void *),
				      void *context)
{
	struct follow_inside *in = f->inside;
	char why[sizeof(f->why)];
	enum open_result result;
	struct source *s = source_open(name, in->flags | LIVE_OFTEN | LIVE_OWN_FRAMES, in->import, &result, why, sizeof(why));

	if (!s)
		return set_refused(f, result, why);
	if (f->source && !in->turning && !source_file(s).live) { /* it has just died */
		source_close(s);
		return FOLLOW_NOTHING;
	}
	in->opening = opening_begin(s);
	if (!in->opening) {
		source_close(s);
		return set_refused(f, OPEN_FAILED, "out of memory");
	}
	snprintf(in->opened, sizeof(in->opened), "%s", name);
	return take_opening(f, leaving, context);
}

/* The user chose what is held already. */
static enum follow_news stay_attached(struct follow *f, const char *name)
{
	settle_on(f, name, f->inside->held.live ? FOLLOW_ATTACHED : FOLLOW_OVER);
	return FOLLOW_STATE;
}

/* True if the region of this name has to be attached. *held: it is the one that is held. */
static bool is_wanted(const struct follow *f, const char *name, bool *held)
{
	const struct follow_inside *in = f->inside;
	struct source_file file;

	*held = false;
	if (!f->source || !live_file_find(name, in->flags, &file))
		return true; /* or else the reason is wanted */
	*held = source_file_same(&file, &in->held);
	return !*held && (in->turning || file.live);
}

static enum follow_news look_at(struct follow *f, const char *name, void (*leaving)(void *),
				void *context)
{
	bool held;

	if (is_wanted(f, name, &held))
		return attach_source(f, name, leaving, context);
	return held && f->inside->turning ? stay_attached(f, name) : FOLLOW_NOTHING;
}

/* Finding */

static enum follow_news not_found(struct follow *f, enum find_result found, const char *why)
{
	enum follow_state state = FOLLOW_WAITING;

	if (turns_from_source(f))
		return turn_back(f, OPEN_ABSENT, why);
	f->inside->gone = found == FIND_GONE;
	if (f->inside->gone)
		state = FOLLOW_OVER;
	else if (!f->inside->text)
		state = FOLLOW_CHOICE;
	return set_state(f, state, OPEN_ABSENT, why);
}

static enum follow_news find_target(struct follow *f, void (*leaving)(void *), void *context)
{
	const struct follow_inside *in = f->inside;
	char name[FIND_SIZE], why[sizeof(f->why)];
	enum find_result found;

	if (f->source && !in->turning)
		return look_at(f, in->name, leaving, context);
	found = in->text ? find_region(in->text, name, sizeof(name), why, sizeof(why))
			 : find_default(in->flags, name, sizeof(name), why, sizeof(why));
	return found == FIND_DONE ? look_at(f, name, leaving, context) : not_found(f, found, why);
}

/* Nothing that would have to be looked for will ever come. */
static bool is_final(const struct follow *f)
{
	const struct follow_inside *in = f->inside;

	return in->gone || (f->state == FOLLOW_OVER && !in->turning && !in->returns);
}

static enum follow_news look_for_target(struct follow *f, void (*leaving)(void *), void *context)
{
	struct follow_inside *in = f->inside;
	int64_t now = monotonic_ns(), took;
	enum follow_news news;

	if (in->opening)
		return take_opening(f, leaving, context);
	if (now < in->look_ns)
		return FOLLOW_NOTHING;
	if (f->source)
		source_read_silence(f->source);
	news = is_final(f) ? FOLLOW_NOTHING : find_target(f, leaving, context);
	took = (monotonic_ns() - now) * LOOK_SHARE;
	in->look_ns = now + (took > LOOK_NS ? took : LOOK_NS);
	return news;
}

/* Reading on */

static enum follow_news read_on(struct follow *f, void (*leaving)(void *), void *context)
{
	struct source *s = f->source;
	enum source_result result = source_next(s);
	bool anew = result == SOURCE_ANEW, was_late = f->late;

	if (anew) {
		f->anew = true;
		if (leaving)
			leaving(context);
		result = source_renew(s);
	}
	f->inside->held = source_file(s);
	f->late = result == SOURCE_LATE;
	if (f->late)
		return was_late ? FOLLOW_NOTHING : FOLLOW_LATE;
	if (result == SOURCE_BAD)
		return set_state(f, FOLLOW_OVER, OPEN_NOT_OURS, s->why);
	f->state = state_of(result);
	if (s->profile->process.state == PROFILE_FILE)
		snprintf(f->why, sizeof(f->why), "%s", s->why); /* a recording that was cut off */
	return anew ? FOLLOW_NEW : FOLLOW_DATA;
}

enum follow_news follow_poll(struct follow *f, void (*leaving)(void *), void *context)
{
	if (f->state == FOLLOW_ATTACHED && !f->inside->turning)
		return read_on(f, leaving, context);
	return look_for_target(f, leaving, context);
}

/* The beginning and the end */

bool follow_turn(struct follow *f, const char *text)
{
	struct follow_inside *in = f->inside;
	char *copy = text ? strdup(text) : NULL;

	if (text && !copy)
		return false;
	drop_opening(f);
	if (f->source && !in->turning)
		in->before = in->text;
	else
		free(in->text);
	in->text = copy;
	in->turning = true;
	in->gone = false;
	in->look_ns = 0;
	f->name = copy ? copy : "";
	return true;
}

bool follow_open(struct follow *f, const char *text, unsigned flags)
{
	*f = (struct follow){ .state = FOLLOW_WAITING, .result = OPEN_ABSENT, .name = "" };
	f->inside = calloc(1, sizeof(*f->inside));
	if (!f->inside)
		return false;
	f->inside->flags = flags;
	if (follow_turn(f, text))
		return true;
	follow_close(f);
	return false;
}

void follow_import(struct follow *f, const struct import_options *options)
{
	f->inside->import = options;
}

void follow_close(struct follow *f)
{
	source_close(f->source);
	if (f->inside) {
		drop_opening(f);
		free(f->inside->text);
		free(f->inside->before);
	}
	free(f->inside);
	*f = (struct follow){ .name = "" };
}
