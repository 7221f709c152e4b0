/* SPDX-License-Identifier: MIT */
#include "proftop/proftop_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "proftop/export_file.h"
#include "proftop/messages.h"
#include "proftop/options_table.h"
#include "proftop/proftop.h"
#include "proftop/proftop_import.h"
#include "proftop/proftop_reading.h"
#include "proftop/wait.h"
#include "tui/cells/figures.h"

#define TAKE_S 0.25 /* from one take to the next */
#define OWN_FRAMES_SEEN 10 /* a program without marks is taken for one that has none: about a second */

/* How far all frames reach back. */
static int64_t history_ns(const struct profile *p)
{
	uint32_t first = profile_kept_frames(p);

	if (first == p->frame_count)
		return 0;
	return format_ns(frame_end(&p->frames[p->frame_count - 1]) - p->frames[first].start, p->ticks_per_s);
}

bool beside_begin(struct beside *b, struct source *s, const char *path, const struct options *o, char *why, size_t why_size)
{
	struct recorder_options options = {
		.no_calls = o->no_calls,
		.over = (int64_t)(o->only_slow_ms * 1e-3 * (double)s->profile->ticks_per_s),
	};

	snprintf(b->path, sizeof(b->path), "%s", path);
	b->taken = 0;
	b->began = wait_now();
	b->before_ns = history_ns(s->profile);
	b->recorder = recorder_new(s, &options);
	if (!b->recorder)
		snprintf(why, why_size, "out of memory");
	else if (record_file_holds(o->max_size, b->recorder, why, why_size) &&
		 record_file_open(&b->file, b->path, o->max_size, source_file(s), why, why_size))
		return true;
	recorder_free(b->recorder);
	b->recorder = NULL;
	return false;
}

static void close_recording(struct beside *b)
{
	recorder_free(b->recorder);
	record_file_close(&b->file);
	b->recorder = NULL;
}

bool beside_look(struct beside *b, bool over, char *why, size_t why_size)
{
	bool taken;

	if (!b->recorder || (!over && wait_now() - b->taken < TAKE_S))
		return true;
	taken = record_file_take(&b->file, b->recorder, over);
	b->taken = wait_now();
	if (!taken)
		snprintf(why, why_size, "%s: %s. The recording ends here", b->path,
			 b->file.error ? strerror(b->file.error) : "out of memory");
	if (!taken || over)
		close_recording(b);
	return taken;
}

void beside_anew(struct beside *b)
{
	if (b->recorder && !recorder_begin_anew(b->recorder))
		close_recording(b);
}

void beside_end(struct beside *b)
{
	char why[512];

	beside_look(b, true, why, sizeof(why));
}

_Static_assert(TRACKS_MOST >= OPTION_TARGETS, "what can be named can be looked at");

static void say_of(const struct program *g, const char *text);

static void say_recording(struct program *g)
{
	struct track *t = &g->all->app->tracks[g->track];

	*t->recording = '\0';
	if (g->beside.recorder)
		snprintf(t->recording, sizeof(t->recording), "%s %s",
			 figure_clock((int64_t)((wait_now() - g->beside.began) * 1e9)).text,
			 figure_bytes(g->beside.file.written).text);
}

/* A file as one types it in a shell, so that it is no command and no option of proftop. */
static void put_file_word(const char *path, char *out, size_t size)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+/,:@%=";
	const char *here = strchr(path, '/') || (*path != '-' && !subcommand_find(path)) ? "" : "./";

	if (!path[strspn(path, plain)]) {
		snprintf(out, size, "%s%.500s", here, path);
		return;
	}
	size_t length = (size_t)snprintf(out, size, "'%s", here);
	for (; *path && length + 6 < size; path++)
		length += (size_t)snprintf(out + length, size - length, *path == '\'' ? "'\\''" : "%c", *path);
	snprintf(out + length, size - length, "'");
}

/* False: nothing is recorded. */
static bool finish_recording(struct program *g)
{
	if (!g->beside.recorder)
		return false;
	char word[512];

	beside_end(&g->beside);
	put_file_word(g->beside.path, word, sizeof(word));
	snprintf(g->recorded, sizeof(g->recorded), "recorded: %.500s, %s, %s. To open it: proftop %s", g->beside.path,
		 figure_span(g->beside.before_ns + (int64_t)((wait_now() - g->beside.began) * 1e9)).text,
		 figure_bytes(g->beside.file.written).text, word);
	return true;
}

static void end_recording(struct program *g)
{
	if (!finish_recording(g))
		return;
	say_of(g, g->recorded);
	say_recording(g);
}

/* Records what is new in the source. */
static void record_program(struct program *g)
{
	char why[WHY_SIZE];

	if (g->follow.state == FOLLOW_OVER)
		end_recording(g);
	else if (!beside_look(&g->beside, false, why, sizeof(why)))
		say_of(g, why);
	say_recording(g);
}

static void begin_recording(struct program *g, const char *path)
{
	char why[WHY_SIZE], file[EXPORT_PATH];

	end_recording(g);
	if (!g->follow.source) {
		say_of(g, "nothing to record yet");
	} else if (!export_find_name(path, g->all->app->wanted.record_proposed, ".prof", file, sizeof(file))) {
		snprintf(why, sizeof(why), "%.500s exists already; type another name", file);
		say_of(g, why);
	} else if (!beside_begin(&g->beside, g->follow.source, file, g->all->o, why, sizeof(why))) {
		say_of(g, why);
	} else {
		record_program(g);
	}
}

void programs_record(struct programs *p, const char *path)
{
	struct program *g = &p->each[p->app->focus];

	if (*path)
		begin_recording(g, path);
	else
		end_recording(g);
}

/* How many frames the source has made because the program sets no marks. */
static uint64_t own_frames(const struct profile *p)
{
	return p->frame_count && p->frames[p->frame_count - 1].flags & FRAME_GUESSED ? p->frames_ended : 0;
}

static void let_go(void *context)
{
	struct program *g = context;

	g->own_frames = own_frames(g->follow.source->profile);
	if (g->follow.anew)
		beside_anew(&g->beside);
	else
		end_recording(g);
	app_detach(g->all->app, g->track);
}

static bool take_transitions(void *context, struct transitions *t)
{
	struct source *source = ((struct program *)context)->follow.source;

	return !source || source_transitions(source, t);
}

static enum scene_state state_of(const struct follow *f)
{
	static const enum scene_state states[] = {
		[PROFILE_LIVE] = SCENE_LIVE,
		[PROFILE_ENDED] = SCENE_ENDED,
		[PROFILE_DEAD] = SCENE_DEAD,
		[PROFILE_FILE] = SCENE_FILE,
	};

	const struct profile_process *process = f->source ? &f->source->profile->process : NULL;

	if (!process)
		return f->reading ? SCENE_READING : SCENE_WAITING;
	return process->stopped ? SCENE_STOPPED : states[process->state];
}

/* For a program that proftop started, more is known than that its region is not there. */
static void say_state(const struct program *g)
{
	const struct programs *p = g->all;
	char why[WHY_SIZE];

	if (p->behind && g->follow.result == OPEN_ABSENT && !g->follow.source)
		snprintf(why, sizeof(why), p->running ? "%s has not entered a zone yet" : LEFT_NO_REGION,
			 p->behind);
	else if (!g->follow.reading || !importing_what(why, sizeof(why)))
		snprintf(why, sizeof(why), "%s", g->follow.why);
	app_state(p->app, g->track, state_of(&g->follow), why);
	app_is_file(p->app, g->track, g->follow.source && source_is_recording(g->follow.source));
}

/* If there are several programs, a message begins with the name of its program. */
static void say_of(const struct program *g, const char *text)
{
	struct app *app = g->all->app;
	char *name = g->all->count > 1 ? name_safe(g->follow.name, app->style.ascii) : NULL;

	app_say(app, "%s%s%s", name ? name : "", name ? ": " : "", text);
	free(name);
}

/* Something stands against reading on: in a region that was cut off nothing will ever come. */
static void say_obstacle(const struct program *g)
{
	const struct follow *f = &g->follow;

	if (f->state != FOLLOW_OVER || !f->source || !*f->why)
		return;
	say_of(g, f->why);
	if (f->source->profile->process.state == PROFILE_LIVE)
		app_ending(g->all->app, g->track, "cannot be read any more");
}

/*
 * Another program, if the user chose one, or another run of the same; or the same run, which has set its first mark.
 * Nearly every program that is watched from its start is without marks for a moment, which is not worth a message.
 */
static void program_arrives(struct program *g)
{
	char text[64];

	if (g->turned) {
		app_go_live(g->all->app);
	} else if (g->attached && g->follow.anew) {
		if (g->own_frames >= OWN_FRAMES_SEEN && !own_frames(g->follow.source->profile))
			say_of(g, "the program now marks its frames itself");
	} else if (g->attached) {
		snprintf(text, sizeof(text), "new run: process %lld",
			 (long long)g->follow.source->profile->process.pid);
		say_of(g, text);
	}
	g->attached = true;
}

static bool look_at(struct program *g)
{
	struct app *app = g->all->app;
	enum follow_state before = g->follow.state;
	enum follow_news news = follow_poll(&g->follow, let_go, g);

	if (news == FOLLOW_NEW) {
		program_arrives(g);
		program_output_close(&g->prints);
		if (!g->all->behind)
			app_ending(app, g->track, "");
		app_attach(app, g->track, g->follow.source->profile);
		if (!g->track && g->all->output) {
			begin_recording(g, g->all->output);
			g->all->output = NULL;
		}
	} else if (news == FOLLOW_DATA) {
		app_data(app, g->track);
		record_program(g);
		say_obstacle(g);
	} else if (news == FOLLOW_STATE) {
		say_obstacle(g);
	} else if (news == FOLLOW_LATE) {
		say_of(g, g->follow.source->why);
	} else if (news == FOLLOW_REFUSED) {
		say_of(g, g->follow.turn_why);
	} else if (news == FOLLOW_READING && g->attached) {
		say_of(g, "reading the other region takes a moment");
	}
	g->turned = g->turned && (news == FOLLOW_NOTHING || g->follow.reading);
	say_recording(g);
	say_state(g);
	return g->follow.state == FOLLOW_CHOICE && before != FOLLOW_CHOICE;
}

bool programs_look(struct programs *p)
{
	bool choice = false;

	for (unsigned i = 0; i < p->count; i++)
		choice |= look_at(&p->each[i]);
	return choice;
}

bool programs_are_read(const struct programs *p)
{
	for (unsigned i = 0; i < p->count; i++)
		if (p->each[i].follow.reading)
			return true;
	return false;
}

bool programs_read_stacks(struct programs *p, bool at_look)
{
	bool any = false;

	for (unsigned i = 0; i < p->count; i++) {
		struct source *s = p->each[i].follow.source;

		if (!s || !app_wants_stacks(p->app, i, at_look))
			continue;
		app_take_stacks(p->app, i, stacks_read(s, THREADS_ALL, OPEN_ROWS_MOST));
		any = true;
	}
	return any;
}

static bool is_refused(const struct follow *f)
{
	return f->result == OPEN_NOT_OURS || f->result == OPEN_BAD_NAME;
}

const char *programs_give_up(const struct programs *p, int *status)
{
	bool too_long = p->o->wait_s >= 0 && p->app->now - p->began >= p->o->wait_s;
	const struct follow *first = &p->each[0].follow;

	for (unsigned i = 0; i < p->count; i++) {
		const struct program *g = &p->each[i];

		if (g->attached || g->follow.source || g->follow.reading || p->running ||
		    (!too_long && !is_refused(&g->follow)))
			return NULL;
	}
	*status = is_refused(first) ? status_of(first->result) : EXIT_ABSENT;
	return first->why;
}

/* The name of the region. The user may have typed a process id or a path instead. */
static const char *region_of(const struct program *g)
{
	return g->follow.source ? g->follow.source->profile->process.source : g->follow.name;
}

static struct program *program_of(const struct programs *p, const char *region)
{
	for (unsigned i = 0; i < p->count; i++)
		if (!strcmp(region_of(&p->each[i]), region))
			return (struct program *)&p->each[i];
	return NULL;
}

bool programs_show(const struct programs *p, const char *region)
{
	return p->count > 1 && program_of(p, region);
}

bool programs_read_output(struct programs *p, bool at_look)
{
	struct program *g = &p->each[p->app->focus];
	const struct profile_process *process = g->follow.source ? &g->follow.source->profile->process : NULL;
	bool launched = p->launch && !strcmp(region_of(g), p->launch->region), live = process && process->state == PROFILE_LIVE && process->here;
	char why[WHY_SIZE] = "";

	if (!app_wants_output(p->app, g->track, at_look))
		return false;
	app_take_output(p->app, g->track,
			program_output_read(&g->prints, launched ? p->launch->output : "", live ? process->pid : 0,
					    process && process->state == PROFILE_FILE, why, sizeof(why)), why);
	return true;
}

void programs_turn(struct programs *p, const char *region)
{
	struct program *g = &p->each[p->app->focus];

	if (programs_show(p, region)) {
		app_focus(p->app, program_of(p, region)->track);
		return;
	}
	if (!follow_turn(&g->follow, region))
		app_say(p->app, "out of memory");
	g->turned = true;
}

/* The beginning and the end */

static bool add_program(struct programs *p, const char *target)
{
	struct program *g = &p->each[p->count];

	*g = (struct program){ .all = p, .track = p->count, .beside.file.fd = -1, .prints.fd = -1 };
	if (!follow_open(&g->follow, target, p->flags))
		return false;
	follow_import(&g->follow, importing_options(p->o, true));
	if (p->count++ && !app_add_track(p->app, target))
		return false;
	singles_from(p->app->tracks[g->track].times.singles, take_transitions, g);
	return true;
}

bool programs_open(struct programs *p, struct app *app, const struct options *o, const struct launch *launch)
{
	*p = (struct programs){ .app = app, .o = o, .behind = o->app ? o->app[0] : NULL, .running = o->app,
				.began = wait_now(), .flags = source_flags(o), .output = o->output };
	p->launch = launch;
	if (launch || !o->target)
		return add_program(p, launch ? launch->region : NULL);
	for (int i = 0; i < o->target_count; i++)
		if (!add_program(p, o->targets[i]))
			return false;
	return true;
}

void programs_close(struct programs *p)
{
	for (unsigned i = 0; i < p->count; i++) {
		finish_recording(&p->each[i]);
		if (*p->each[i].recorded)
			say("%s", p->each[i].recorded);
		follow_close(&p->each[i].follow);
		program_output_close(&p->each[i].prints);
	}
}
