/* SPDX-License-Identifier: MIT */
/*
 * banner: the first line of the screen.
 *
 *   proftop  game[4711]  demo  LIVE 00:14:22  60.1 fps  frame 51 882  avg 16.64 ms  p50 16.4  ...
 *   PAUSED  frame 51 371  −511 (−8.5 s)  41.20 ms  OVER +24.5  busy 40.1  off CPU 14.8  median 16.4  game[4711]
 *   PAUSED  frames 51 072–51 371 (300 frames, 5.0 s)  −8.1 s  avg 16.64 ms  busy 11.2  game[4711]
 *   PAUSED  stretch of 394.9 ms  −8.1 s  busy 49.5  game[4711]
 *   game[4711]  DEAD 00:03:12 ago  frame 51 371 unfinished  ...
 *   game[4711]  game.prof  FILE  the program died  frame 51 371 unfinished  ...
 *   game[4711]  LIVE 00:14:22  REC 00:01:12 4.2 MiB  60.1 fps  ...
 *
 * All times have the unit of the median, which stands once, behind the frame's
 * length. If the times differ too much for one unit, each has its own. Frames a
 * second, avg, busy and cores come from the average that the table shows, and
 * change with it. p50, p99 and max cover all frames that are held; their number
 * stands behind them.
 */
#include "tui/frames/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/format.h"
#include "model/base/text.h"
#include "model/stats/off_cpu.h"
#include "tui/cells/fields.h"
#include "tui/cells/figures.h"

#define GAP 2
#define NAME_CELLS 24 /* of the name of a frame */
#define THREAD_CELLS 12 /* of that of a thread */
#define OFF_PART 10 /* of a frame */
#define FULL_FROM 60 /* cells, from where on a state says since when */

/* The higher, the longer it stays. 0 stays always. */
enum importance {
	ALWAYS,
	OF,
	PROFTOP,
	REGION,
	PROGRAM_TOO, /* after a frame, which matters more */
	CORES_OF_ONE, /* busy says nearly the same */
	MEDIAN,
	NUMBER,
	CALLED,
	MOST,
	P99,
	COVER, /* else fps and avg seem to contradict each other */
	CORES_BESIDE, /* where the frame thread is shown alone, which busy is of */
	BUSY,
	OFF, /* perhaps no zone is to blame */
	CORES,
	AGE,
	AVERAGE,
	RATE,
	FILE_NAME,
	FREEZE, /* and where to look further */
	UNFINISHED,
	ENDING,
	OVER,
	LENGTH,
	FRAME,
	RECORDING,
};

struct banner {
	const struct scene *s;
	const struct profile *p; /* the scene's; NULL: none */
	const struct figure_unit *unit; /* NULL: each time has its own */
	struct fields fields;
	int width;
};

static char *shown_name(const struct banner *b, const char *bytes)
{
	return name_safe(bytes, b->s->ascii);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* States */

static const struct {
	const char *name;
	enum role role;
	bool since_start; /* how long it has run is said; else since when it has not */
} states[] = {
	[SCENE_WAITING] = { "WAITING", ROLE_PAUSED, false },
	[SCENE_READING] = { "READING", ROLE_STATE, false },
	[SCENE_LIVE] = { "LIVE", ROLE_STATE, true },
	[SCENE_STOPPED] = { "STOPPED", ROLE_ALARM, false },
	[SCENE_PAUSED] = { "PAUSED", ROLE_PAUSED, false },
	[SCENE_ENDED] = { "ENDED", ROLE_PAUSED, false },
	[SCENE_DEAD] = { "DEAD", ROLE_ALARM, false },
	[SCENE_FILE] = { "FILE", ROLE_STATE, false },
};

const char *scene_state_name(enum scene_state state)
{
	return states[state].name;
}

enum role scene_state_role(enum scene_state state)
{
	return states[state].role;
}

static bool is_over(enum scene_state state)
{
	return state == SCENE_ENDED || state == SCENE_DEAD;
}

static const struct frame_stats *stats_of(const struct banner *b)
{
	return b->s->stats && b->s->stats->count ? b->s->stats : NULL;
}

static int64_t hangs_for(const struct banner *b)
{
	return scene_lives(b->s->state) && b->p && stats_of(b) ? frame_stats_hang(b->p, stats_of(b)) : 0;
}

/* `LIVE 00:14:22`, `STOPPED for 00:00:07`, `DEAD 00:03:12 ago`. A narrow title has the name alone. */
static void state_text(const struct banner *b, char *out, size_t size)
{
	const char *name = states[b->s->state].name;
	bool full = b->p && b->width >= FULL_FROM;
	bool known = full && b->p->process.silent_ns >= 0;
	int64_t since = full || b->s->state == SCENE_STOPPED ? 0 : hangs_for(b);

	if (full && states[b->s->state].since_start)
		snprintf(out, size, "%s %s", name,
			 figure_clock(format_ns(b->p->now_tick - b->p->first_tick,
						b->p->ticks_per_s)).text);
	else if (known && b->s->state == SCENE_STOPPED)
		snprintf(out, size, "%s for %s", name, figure_clock(b->p->process.silent_ns).text);
	else if (b->s->is_file && is_over(b->s->state))
		snprintf(out, size, "%s", states[SCENE_FILE].name);
	else if (known && is_over(b->s->state))
		snprintf(out, size, "%s %s ago", name,
			 figure_clock(b->p->process.silent_ns).text);
	else if (since)
		snprintf(out, size, "RUNNING %s", figure_span(format_ns(since, b->p->ticks_per_s)).text);
	else
		snprintf(out, size, "%s", name);
}

static void add_state(struct banner *b)
{
	char text[64];

	state_text(b, text, sizeof(text));
	fields_add(&b->fields, hangs_for(b) && b->width < FULL_FROM ? ROLE_ALARM : states[b->s->state].role,
		   ALWAYS, "%s", text);
}

/* Who */

/* `game[4711]`, of so many cells at most. */
static void add_program(struct banner *b, enum importance importance, int cells)
{
	char *name = b->p ? shown_name(b, base_name(b->p->process.program)) : NULL;
	char pid[32];
	int room;

	if (!name)
		return;
	snprintf(pid, sizeof(pid), "[%lld]", (long long)b->p->process.pid);
	if (b->p->process.pid <= 0)
		pid[0] = '\0';
	room = cells - (int)strlen(pid);
	if ((int)text_width(name) > room && room < 4) { /* the name says more than the number */
		pid[0] = '\0';
		room = cells;
	}
	name[text_clip(name, room > 0 ? (size_t)room : 0, NULL)] = '\0';
	fields_add(&b->fields, ROLE_TITLE, importance, "%s%s", name, pid);
	free(name);
}

/* A file is called by its own name, which matters more than a region's. */
static void add_region(struct banner *b)
{
	const char *source = b->p ? b->p->process.source : "";
	char *name = shown_name(b, b->s->is_file ? base_name(source) : source);

	if (name && *name)
		fields_add(&b->fields, ROLE_TITLE, b->s->is_file ? FILE_NAME : REGION, "%s", name);
	free(name);
}

/* How long ago a recorded program ended says nothing of the recording. */
static void add_recorded_end(struct banner *b)
{
	if (b->s->is_file && b->s->state == SCENE_DEAD)
		fields_add(&b->fields, ROLE_ALARM, ENDING, "the program died");
	else if (b->s->is_file && b->s->state == SCENE_ENDED)
		fields_add(&b->fields, ROLE_TITLE, ENDING, "the program ended");
}

/* Paused, the state is PAUSED, whatever has become of the program. */
static void add_end_of_paused(struct banner *b)
{
	if (b->s->is_file || b->s->another)
		return;
	if (b->s->writer == PROFILE_DEAD)
		fields_add(&b->fields, ROLE_ALARM, ENDING, "the program died");
	else if (b->s->writer == PROFILE_ENDED)
		fields_add(&b->fields, ROLE_PAUSED, ENDING, "the program ended");
}

/* `REC 00:01:12 4.2 MiB`; a narrow title has REC alone; "" if nothing is recorded. */
static void recording_text(const struct banner *b, char *out, size_t size)
{
	const char *recording = b->s->recording;

	if (!recording || !*recording)
		*out = '\0';
	else
		snprintf(out, size, "REC %s", recording);
	if (b->width < FULL_FROM)
		out[strcspn(out, " ")] = '\0';
}

static void add_recording(struct banner *b)
{
	char text[64];

	recording_text(b, text, sizeof(text));
	if (*text)
		fields_add(&b->fields, ROLE_ALARM, RECORDING, "%s", text);
}

/* How many cells the program's name leaves for what stands behind it. */
static int cells_after_name(const struct banner *b)
{
	char state[64], recording[64];

	state_text(b, state, sizeof(state));
	recording_text(b, recording, sizeof(recording));
	return GAP + (int)text_width(state) + (*recording ? GAP + (int)text_width(recording) : 0);
}

/* Numbers */

static struct figure time_of(const struct banner *b, int64_t ticks)
{
	return figure_of_many(ticks, b->p->ticks_per_s, b->unit, b->s->ascii);
}

static void add_time(struct banner *b, enum importance importance, const char *name, int64_t ticks)
{
	fields_add(&b->fields, ROLE_TITLE, importance, "%s %s", name, time_of(b, ticks).text);
}

static void add_length(struct banner *b, enum importance importance, const char *name,
		       int64_t ticks)
{
	fields_add(&b->fields, ROLE_TITLE, importance, "%s%s", name,
		   figure_timed(ticks, b->p->ticks_per_s, b->unit, 4, b->s->ascii).text);
}

static enum average_slot slot_of(const struct banner *b)
{
	return b->s->query ? query_options(b->s->query)->average : AVERAGE_RUN;
}

/* The mean frame length of the average that the table shows, from the same sums; 0: there is none. */
static int64_t average_of(const struct banner *b)
{
	return b->s->mean ? b->s->mean->length : 0;
}

static void add_average(struct banner *b)
{
	if (average_of(b))
		add_length(b, AVERAGE, slot_of(b) == AVERAGE_NOW ? "" : "avg ", average_of(b));
}

/* Any of its digits is. */
static bool is_seen(const struct banner *b, int64_t ticks, const struct figure_unit *unit, int digits)
{
	return !ticks || strpbrk(figure_time(ticks, b->p->ticks_per_s, unit, digits).text, "123456789");
}

/* `main busy`, of the thread that marks frames; `busy` if the program has no other. */
static void busy_name(const struct banner *b, uint32_t thread, char *out, size_t size)
{
	char *name = b->p->thread_count > 1 ? shown_name(b, b->p->threads[thread].name) : NULL;
	size_t bytes = name ? text_clip(name, THREAD_CELLS, NULL) : 0;

	snprintf(out, size, "%.*s%sbusy", (int)bytes, name ? name : "", bytes ? " " : "");
	free(name);
}

/* In a unit of its own where nothing of it would be seen in that of the title. */
static void add_busy_time(struct banner *b, const char *name, int64_t ticks)
{
	const struct figure_unit *unit = b->unit && is_seen(b, ticks, b->unit, 3) ? b->unit : NULL;

	fields_add(&b->fields, ROLE_TITLE, BUSY, "%s %s", name,
		   figure_of_many(ticks, b->p->ticks_per_s, unit, b->s->ascii).text);
}

/* `main busy 11.2`: the mean frame without the time in waiting zones. Absent if nothing waits. */
static void add_busy(struct banner *b)
{
	uint32_t thread = frames_thread(b->p);
	char name[FIELD_SIZE];

	if (thread == PROFILE_NONE || !b->s->mean || !b->s->mean->waits)
		return;
	busy_name(b, thread, name, sizeof(name));
	add_busy_time(b, name, b->s->mean->busy);
}

/* `main: slice gone`, in the place of its busy time: what a thread did in the frame is not known. It is said of the thread
 * that marks frames, or of the first one that is shown. False: that thread's slice is there. */
static bool add_missing(struct banner *b, const struct profile_frame *f)
{
	uint32_t threads = b->s->query ? query_options(b->s->query)->threads : THREADS_ALL;
	uint32_t marking = frames_thread(b->p), missing = 0;
	const struct profile_held *found = NULL;
	char *name, more[32] = "";

	for (uint32_t i = 0; i < f->part_count; i++) {
		const struct profile_held *part = &f->parts[i];

		if (!(part->flags & (PART_MISSING | PART_LAPPED)) ||
		    (part->thread != marking && !profile_selects(b->p, threads, part->thread)))
			continue;
		found = !found || part->thread == marking ? part : found;
		missing++;
	}
	if (!found)
		return false;
	if (missing > 1)
		snprintf(more, sizeof(more), ", %u more", missing - 1);
	name = shown_name(b, b->p->threads[found->thread].name);
	fields_add(&b->fields, ROLE_ALARM, UNFINISHED, "%.*s%s: %s",
		   name && *name ? (int)text_clip(name, THREAD_CELLS, NULL) : 6, name && *name ? name : "thread", more,
		   found->flags & PART_MISSING ? "lost" : missing > 1 ? "slices gone" : "slice gone");
	free(name);
	return found->thread == marking;
}

/* `in frames 12.3 %`: how much of the time. An event loop waits between its frames, and that is in none of them. */
static void add_cover(struct banner *b)
{
	if (b->s->mean && b->s->mean->rate > 0 && b->s->mean->covers < 1)
		fields_add(&b->fields, ROLE_TITLE, COVER, "in frames %s",
			   figure_percent(b->s->mean->covers, 1).text);
}

/* Frames a second, in the slot that the table shows. */
static double rate_of(const struct banner *b)
{
	return b->s->mean ? b->s->mean->rate : 0;
}

static enum importance cores_importance(const struct banner *b)
{
	uint32_t flags = b->p->frame_count ? b->p->frames[b->p->frame_count - 1].flags : 0;

	if (flags & FRAME_BOUNDED)
		return CORES;
	if (b->p->thread_count < 2)
		return CORES_OF_ONE;
	return b->s->query && !profile_merges(query_options(b->s->query)->threads) ? CORES_BESIDE : CORES;
}

/* Shows `2.3 cores` over all threads, or `≥2.3 cores` if that is a lower bound.
 * Shows nothing if no CPU time is known and the only thread was never seen
 * idle. */
static void add_cores(struct banner *b)
{
	const struct load *l = b->s->load;
	double cores = l && l->wall > 0 ? l->used / l->wall : 0;
	char text[32];

	if (!l || l->wall <= 0 || (b->p->thread_count < 2 && !l->idles && !l->cpu))
		return;
	if (l->least && cores < 0.005) /* at least 0.00: that says nothing */
		return;
	format_fixed(text, sizeof(text), cores, cores < 0.995 ? 2 : cores < 9.95 ? 1 : 0);
	if (cores > 0 && cores < 0.005)
		fields_add(&b->fields, ROLE_TITLE, cores_importance(b), "<0.01 cores");
	else
		fields_add(&b->fields, ROLE_TITLE, cores_importance(b), "%s%s cores", !l->least ? "" : b->s->ascii ? ">=" : "≥", text);
}

static void add_over(struct banner *b, int64_t length)
{
	if (b->s->budget > 0 && length > b->s->budget)
		fields_add(&b->fields, ROLE_ALARM, OVER, "OVER +%s", time_of(b, length - b->s->budget).text);
}

static void add_hanging(struct banner *b)
{
	int64_t since = hangs_for(b);

	if (!since || b->width < FULL_FROM) /* there the state says it */
		return;
	fields_add(&b->fields, ROLE_ALARM, UNFINISHED, "RUNNING %s, %s %s the median",
		   figure_span(format_ns(since, b->p->ticks_per_s)).text,
		   figure_grouped((uint64_t)(since / stats_of(b)->median)).text, b->s->ascii ? "x" : "×");
	fields_add(&b->fields, ROLE_TITLE, FREEZE, "o: where");
}

static void add_freeze(struct banner *b)
{
	if (b->s->freeze > 0)
		fields_add(&b->fields, ROLE_PAUSED, FREEZE, "pause > %s",
			   figure_timed(b->s->freeze, b->p->ticks_per_s, b->unit, 3, b->s->ascii).text);
}

/* Where the program says where frames begin, nobody knows whether one had. */
static void add_unfinished(struct banner *b)
{
	const struct profile *p = b->p;
	uint32_t flags = p->frame_count ? p->frames[p->frame_count - 1].flags : FRAME_BOUNDED;

	if (b->s->state == SCENE_DEAD && !(flags & (FRAME_BOUNDED | FRAME_GUESSED)))
		fields_add(&b->fields, ROLE_ALARM, UNFINISHED, "frame %s unfinished",
			   figure_grouped(b->p->frames_ended + 1).text);
}

/* Frames that are no doing of the program; a rate would look like one of its. False: it marks its own. */
static bool add_cutter(struct banner *b)
{
	uint32_t flags = b->p->frame_count ? b->p->frames[b->p->frame_count - 1].flags : 0;

	if (flags & FRAME_GUESSED)
		fields_add(&b->fields, ROLE_PAUSED, RATE, "frames by proftop");
	else if (flags & FRAME_TIMER)
		fields_add(&b->fields, ROLE_PAUSED, RATE, "frames by timer");
	return flags & (FRAME_GUESSED | FRAME_TIMER);
}

/* `'request'`: what the program calls the frame. */
static void add_name(struct banner *b, const struct profile_frame *f, enum role role)
{
	char *name = f->name ? shown_name(b, profile_frame_name(b->p, f)) : NULL;
	size_t cells = 0, bytes = name ? text_clip(name, NAME_CELLS, &cells) : 0;

	if (name)
		fields_add(&b->fields, role, CALLED, "'%.*s%s'", (int)bytes, name,
			   !name[bytes] ? "" : b->s->ascii ? "..." : "…");
	free(name);
}

/* Rate, number and lengths of the newest frames, and their name if all named ones have the same name. A name
 * that changes with each frame would flicker. */
static void add_newest(struct banner *b)
{
	const struct frame_stats *stats = stats_of(b);

	if (!add_cutter(b) && rate_of(b) > 0 && b->s->state == SCENE_LIVE && !hangs_for(b))
		fields_add(&b->fields, ROLE_TITLE, RATE, "%s fps", figure_rate(rate_of(b)).text);
	if (b->s->newest && b->s->state != SCENE_DEAD)
		fields_add(&b->fields, ROLE_TITLE, NUMBER, "frame %s",
			   figure_grouped(b->s->newest).text);
	if (b->s->newest && b->p->frame_name_count == 1)
		add_name(b, &b->p->frames[b->p->frame_count - 1], ROLE_TITLE);
	add_average(b);
	if (average_of(b)) /* else busy would contain the time between frames */
		add_busy(b);
	add_cores(b);
	add_cover(b);
	if (!stats)
		return;
	add_time(b, MEDIAN, "p50", stats->median);
	add_time(b, P99, "p99", stats->p99);
	add_time(b, MOST, "max", stats->max);
	fields_add(&b->fields, ROLE_LABEL, OF, "of %s frame%s", figure_grouped(stats->count).text, stats->count == 1 ? "" : "s");
}

/* `−511 (−8.5 s)`: before the running frame, and from end to end of frames. */
static void add_age(struct banner *b, const struct profile_frame *f)
{
	const char *minus = canvas_minus(b->s->ascii);
	int64_t ticks = b->s->newest_end - frame_end(f);

	if (b->s->newest < f->number)
		return;
	fields_add(&b->fields, ROLE_PAUSED, AGE, "%s%s (%s%s)", minus,
		   figure_grouped(b->s->newest - f->number + 1).text, ticks > 0 ? minus : "",
		   figure_span(format_ns(ticks > 0 ? ticks : 0, b->p->ticks_per_s)).text);
}

static void add_flags(struct banner *b, const struct profile_frame *f)
{
	if (f->flags & FRAME_DISCARDED)
		fields_add(&b->fields, ROLE_ALARM, OVER, "discarded");
	if (f->flags & FRAME_KEPT)
		fields_add(&b->fields, ROLE_PAUSED, MEDIAN, "retained");
	if (f->flags & FRAME_GUESSED)
		fields_add(&b->fields, ROLE_PAUSED, OVER, "by proftop");
	if (f->flags & FRAME_TIMER)
		fields_add(&b->fields, ROLE_TITLE, OVER, "by timer");
}

static const struct profile_frame *base_of(const struct banner *b)
{
	const struct query_options *o = b->s->query ? query_options(b->s->query) : NULL;

	return o && o->base ? profile_find_frame(b->p, o->base) : NULL;
}

/* What the frame is compared with: `vs mark a 16.4`; else a usual length: `median 16.4`. */
static void add_base(struct banner *b)
{
	const struct query_options *o = b->s->query ? query_options(b->s->query) : NULL;
	const struct profile_frame *base = base_of(b);
	const struct frame_stats *stats = stats_of(b);
	char name[40];

	snprintf(name, sizeof(name), "vs %s", o && o->base_name ? o->base_name : "base");
	if (base)
		add_time(b, MEDIAN, name, base->length);
	else if (o && o->base)
		fields_add(&b->fields, ROLE_TITLE, MEDIAN, "%s", name);
	else if (stats)
		add_time(b, MEDIAN, "median", stats->median);
}

/* If a stretch of time is selected instead of a frame: how long it is, and how long ago it ended. */
static void add_stretch(struct banner *b)
{
	int64_t length = b->s->stretch_to - b->s->stretch_from, ago = b->s->newest_end - b->s->stretch_to;
	const struct values *v = b->s->query ? query_values(b->s->query) : NULL;

	b->unit = NULL;
	if (b->s->range_first && v)
		fields_add(&b->fields, ROLE_PAUSED, FRAME, "frames %s%s%s (%s frames, %s)", figure_grouped(b->s->range_first).text,
			   b->s->ascii ? "-" : "–", figure_grouped(b->s->range_last).text, figure_grouped(v->frames).text,
			   figure_span(format_ns(v->wall, b->p->ticks_per_s)).text);
	else
		fields_add(&b->fields, ROLE_PAUSED, FRAME, "selection of %s",
			   figure_timed(length, b->p->ticks_per_s, NULL, 4, b->s->ascii).text);
	if (ago > 0)
		fields_add(&b->fields, ROLE_PAUSED, AGE, "%s%s", canvas_minus(b->s->ascii),
			   figure_span(format_ns(ago, b->p->ticks_per_s)).text);
	if (b->s->range_first && average_of(b))
		add_length(b, AVERAGE, "avg ", average_of(b));
	add_busy(b);
	add_cores(b);
}

/* `off CPU 14.8`: how long the thread that marks frames did not run, outside of zones that wait, if that is a tenth of the
 * frame or more. */
static void add_off_cpu(struct banner *b, const struct profile_frame *f)
{
	uint32_t thread = frames_thread(b->p);
	int64_t ticks = off_cpu_ticks(b->p, off_cpu_measure(b->p), f, thread);

	if (ticks > 0 && ticks >= f->length / OFF_PART)
		fields_add(&b->fields, ROLE_ALARM, OFF, "off CPU %s", time_of(b, ticks).text);
}

/* The selected frame. */
static void add_chosen(struct banner *b)
{
	const struct profile_frame *f = profile_find_frame(b->p, b->s->frame);

	if (b->s->stretch_to) {
		add_stretch(b);
		return;
	}
	fields_add(&b->fields, ROLE_PAUSED, FRAME, "frame %s", figure_grouped(b->s->frame).text);
	if (!f) {
		fields_add(&b->fields, ROLE_ALARM, LENGTH, "not in the history");
		return;
	}
	add_name(b, f, ROLE_PAUSED);
	add_age(b, f);
	add_length(b, LENGTH, "", f->length);
	add_over(b, f->length);
	if (slot_of(b) != AVERAGE_RUN) {
		if (!add_missing(b, f)) {
			add_busy(b); /* not that of the run, which `a` may have chosen for the table */
			add_off_cpu(b, f);
		}
		add_cores(b);
	}
	add_flags(b, f);
	add_base(b);
}

/* The line */

/* `exited 0` is no alarm. */
static void add_ending(struct banner *b)
{
	const char *ending = b->s->ending ? b->s->ending : "";

	fields_add(&b->fields, strcmp(ending, "exited 0") != 0 ? ROLE_ALARM : ROLE_TITLE, ENDING, "%s", ending);
}

/* `proftop  game[4711]  demo  LIVE 00:14:22`: the program as long as the state has room. */
static void add_head(struct banner *b)
{
	fields_add(&b->fields, ROLE_TITLE, PROFTOP, "proftop");
	add_program(b, ALWAYS, b->width - cells_after_name(b));
	add_region(b);
	add_state(b);
}

static const struct figure_unit *unit_of(const struct banner *b)
{
	const struct profile_frame *f = profile_find_frame(b->p, b->s->frame), *base = base_of(b);
	const struct frame_stats *stats = stats_of(b);
	int64_t median = stats ? stats->median : f ? f->length : 0;
	int64_t most = stats ? stats->max : 0;
	const struct figure_unit *unit;

	if (most < average_of(b)) /* which knows of newer frames */
		most = average_of(b);
	if (!f && !average_of(b)) /* no length is there to name the unit */
		return NULL;
	if (figure_apart(f ? f->length : most, median) || (f && base && figure_apart(base->length, median)))
		return NULL;
	unit = stats && b->s->unit ? b->s->unit : figure_unit_for(median, b->p->ticks_per_s);
	if (!is_seen(b, f ? f->length : average_of(b), unit, 4) || (f && base && !is_seen(b, base->length, unit, 3)))
		return NULL;
	return unit;
}

static void add_process(struct banner *b)
{
	b->unit = unit_of(b);
	if ((b->s->frame || b->s->stretch_to) && b->s->state == SCENE_PAUSED) {
		add_state(b);
		add_recording(b);
		add_chosen(b);
		if (b->s->another)
			fields_add(&b->fields, ROLE_ALARM, ENDING, "previous run");
		add_end_of_paused(b);
		add_program(b, PROGRAM_TOO, b->width);
		if (b->s->is_file)
			add_region(b);
		return;
	}
	add_head(b);
	add_recording(b);
	add_recorded_end(b);
	add_ending(b);
	if (b->s->frame) {
		add_chosen(b);
		return;
	}
	add_unfinished(b);
	add_hanging(b);
	add_freeze(b);
	add_newest(b);
}

/* `WAITING for demo  there is no region of that name`: the first sentence, if not all sentences fit. The body has them
 * all. */
static void draw_waiting(struct banner *b, struct canvas *c, struct area a)
{
	const char *target = b->s->target && *b->s->target ? b->s->target : "a program";
	const char *why = b->s->waiting ? b->s->waiting : "";
	char first[512];
	int used;

	if (b->width >= FULL_FROM)
		fields_add(&b->fields, ROLE_TITLE, PROFTOP, "proftop");
	fields_add(&b->fields, states[b->s->state].role, ALWAYS, "%s%s%s", states[b->s->state].name,
		   b->s->state == SCENE_WAITING ? " for " : " ", target);
	add_ending(b);
	used = fields_draw(&b->fields, c, a, 0);
	snprintf(first, sizeof(first), "%s", why);
	if ((int)text_width(why) > a.width - used - GAP && strstr(first, ". "))
		*strstr(first, ". ") = '\0';
	canvas_clipped(c, a, used + GAP, 0, a.width - used - GAP, ROLE_TITLE, first);
}

void banner_draw(const struct scene *s, struct canvas *c, struct area a)
{
	struct banner b = { .s = s, .p = s->profile, .fields = { .gap = GAP }, .width = a.width };

	canvas_role(c, a, 0, 0, a.width, ROLE_TITLE);
	if (s->state == SCENE_WAITING || s->state == SCENE_READING) {
		draw_waiting(&b, c, a);
		return;
	}
	if (b.p)
		add_process(&b);
	else
		add_head(&b);
	fields_draw(&b.fields, c, a, 0);
}
