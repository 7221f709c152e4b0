/* SPDX-License-Identifier: MIT */
/*
 * status: the line above the footer: what cannot be believed, and what looking costs.
 *
 *   lost 3   zones not closed 2 times   region 32 MiB, 94 s of history   running   profiling cost 0.2–0.6 %
 *
 * Losses, unclosed zones and missing slices are shown only if there are any.
 *
 * The profiling cost is a share of the busy time of the viewed threads (with a path focus, of its stacks;
 * overhead.h). The first number is the calibrated minimum for the entries shown, the second the cost with cold
 * caches, if that is more. From 10 % on the cost is an alarm, and it stays on narrow screens, because the times
 * above are longer than those of the program alone.
 */
#include "tui/frames/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/format.h"
#include "model/base/text.h"
#include "model/query/overhead.h"
#include "tui/cells/fields.h"
#include "tui/cells/figures.h"
#include "model/stats/frame_stats.h"
#include "model/table/event_table.h"

#define WIDE_FROM 60 /* cells, from where on there is air between the fields */
#define CAUSES_MOST 12
#define NEWS_NS INT64_C(10000000000) /* so long a note is news */
#define NOTE_THREAD 12 /* cells of its thread's name, */
#define NOTE_CELLS 58  /* of all of it, or half of the line if that is more, */
#define NOTE_REST 24   /* but for those of what always stands before it */
#define LEFT_OPEN "left_open" /* a loss that is shown apart: nothing is missing */

/* The higher, the longer it stays. 0 stays always. */
enum importance {
	ALWAYS, OVERHEAD, SIZE, UNSEEN, NOTE, CAUSE, OVERHEAD_ALARM, OPEN, MISSING, WRITER
};

static bool is_left_open(const struct profile_loss *loss)
{
	return !strcmp(loss->key, LEFT_OPEN);
}

static uint64_t count_left_open(const struct profile *p)
{
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (is_left_open(&p->losses[i]))
			return p->losses[i].count;
	return 0;
}

static void add_cause(struct fields *f, const struct profile_loss *loss, bool ascii)
{
	char *key = name_safe(loss->key, ascii);

	if (key)
		fields_add(f, ROLE_ALARM, CAUSE, "%s %s", key, figure_grouped(loss->count).text);
	free(key);
}

/* The cause behind another in the order of their counts, the largest first; NULL: the first, and that
 * there are no more. */
static const struct profile_loss *next_cause(const struct profile *p, const struct profile_loss *before)
{
	const struct profile_loss *next = NULL;

	for (uint32_t i = 0; i < p->loss_count; i++) {
		const struct profile_loss *l = &p->losses[i];
		bool behind = !before || l->count < before->count ||
			      (l->count == before->count && l > before);

		if (l->count && !is_left_open(l) && !profile_loss_is_of_old_calls(l) && behind && (!next || l->count > next->count))
			next = l;
	}
	return next;
}

static void add_losses(struct fields *f, const struct profile *p, bool ascii)
{
	uint64_t lost = profile_loss_total(p) - count_left_open(p);
	const struct profile_loss *loss = NULL;
	int causes = 0;

	if (lost)
		fields_add(f, ROLE_ALARM, ALWAYS, "lost %s", figure_grouped(lost).text);
	while (causes++ < CAUSES_MOST && (loss = next_cause(p, loss)))
		add_cause(f, loss, ascii);
}

/* Frames that were overwritten before proftop attached, and frames that
 * --only-slow left out. Without these lines a user would take the known frames
 * for all. */
static void add_unseen(struct fields *f, const struct profile *p)
{
	if (p->unseen_frames)
		fields_add(f, ROLE_STATUS, UNSEEN, "%s frames before attach", figure_grouped(p->unseen_frames).text);
	if (p->left_out_frames)
		fields_add(f, ROLE_STATUS, UNSEEN, "%s frames left out", figure_grouped(p->left_out_frames).text);
}

static void add_left_open(struct fields *f, const struct profile *p, bool ascii)
{
	uint64_t open = count_left_open(p);
	char *zone = name_safe(p->left_open, ascii);

	if (open)
		fields_add(f, ROLE_ALARM, OPEN, "zones not closed %s%s%s%s%s", open == 1 ? "once" : figure_grouped(open).text,
			   open == 1 ? "" : " times", zone && *zone ? " (" : "", zone ? zone : "", zone && *zone ? ")" : "");
	free(zone);
}

/* Incomplete slices of the viewed values, and of those they are compared with. */
static void add_missing(struct fields *f, const struct values *v, const struct values *base)
{
	if (v && v->incomplete)
		fields_add(f, ROLE_ALARM, MISSING, "%s slice%s incomplete",
			   figure_grouped(v->incomplete).text, v->incomplete == 1 ? "" : "s");
	if (base && base->incomplete)
		fields_add(f, ROLE_ALARM, MISSING, "%s slice%s of the base incomplete",
			   figure_grouped(base->incomplete).text, base->incomplete == 1 ? "" : "s");
}

static void add_region(struct fields *f, const struct scene *s)
{
	const struct profile *p = s->profile;
	char size[64] = "region -";

	if (p->process.size > 0)
		snprintf(size, sizeof(size), "region %s",
			 figure_bytes((uint64_t)p->process.size).text);
	if (s->stats && s->stats->count)
		fields_add(f, ROLE_STATUS, SIZE, "%s, %s of history", size,
			   figure_span(format_ns(s->stats->history, p->ticks_per_s)).text);
	else
		fields_add(f, ROLE_STATUS, SIZE, "%s, %s", size, no_frames_short(p));
}

static void add_writer(struct fields *f, const struct scene *s)
{
	static const struct {
		const char *text;
		enum role role;
	} writers[] = {
		[PROFILE_LIVE] = { "running", ROLE_STATUS },
		[PROFILE_ENDED] = { "ended", ROLE_PAUSED },
		[PROFILE_DEAD] = { "died", ROLE_ALARM },
		[PROFILE_FILE] = { "from a file", ROLE_STATUS },
	};

	if (s->stopped)
		fields_add(f, ROLE_ALARM, WRITER, "stopped");
	else
		fields_add(f, writers[s->writer].role, WRITER, "%s", writers[s->writer].text);
}

/* A smaller share would be shown as 0.0 %. If the cost with cold caches is not known, it is taken to be three times the
 * cost with warm ones: less than 0.2 %. */
#define NO_COST 0.0005

/* `profiling cost 0.2–0.6 %`, `profiling cost ≥0.2 %`, `profiling cost <0.1 %` */
static void add_overhead(struct fields *f, const struct scene *s, const struct values *v)
{
	const struct profile *p = s->profile;
	double pair = overhead_pair(p), cold = overhead_pair_cold(p), entries = 0, busy = 0;
	struct figure warm, most;
	enum importance importance = OVERHEAD;
	enum role role = ROLE_STATUS;

	if (v && pair > 0)
		overhead_share(v, p, query_options(s->query)->threads, &entries, &busy);
	if (overhead_is_much(pair, entries, busy)) {
		importance = OVERHEAD_ALARM;
		role = ROLE_ALARM;
	}
	if (busy <= 0)
		return;
	warm = figure_percent(entries * pair, busy);
	most = figure_percent(entries * cold, busy);
	if (cold <= 0 && entries * pair < busy * NO_COST)
		fields_add(f, role, importance, "profiling cost <0.2 %%");
	else if (cold <= 0)
		fields_add(f, role, importance, "profiling cost %s%s", s->ascii ? ">=" : "≥", warm.text);
	else if (entries * cold < busy * NO_COST)
		fields_add(f, role, importance, "profiling cost <0.1 %%");
	else if (!strcmp(warm.text, most.text))
		fields_add(f, role, importance, "profiling cost %s", most.text);
	else
		fields_add(f, role, importance, "profiling cost %.*s%s%s", (int)strcspn(warm.text, " "), warm.text,
			   s->ascii ? "-" : "–", most.text);
}

/* Cells of a line for a note. */
static int note_cells(int width)
{
	int most = width / 2 > NOTE_CELLS ? width / 2 : NOTE_CELLS;

	return most < width - NOTE_REST ? most : width - NOTE_REST;
}

/* The newest note, while it is news. */
static void add_note(struct fields *f, const struct scene *s, int cells)
{
	const struct profile *p = s->profile;
	const struct profile_instant *instant = NULL;
	char *text, *thread;
	const char *dots = s->ascii ? "..." : "…";
	size_t used, bytes;

	for (uint32_t i = p->instant_count; i-- > 0 && !instant;) {
		if (format_ns(p->now_tick - p->instants[i].tick, p->ticks_per_s) > NEWS_NS)
			return;
		if (p->instants[i].event == PROFILE_NONE)
			instant = &p->instants[i];
	}
	text = instant ? event_text(p, instant, s->ascii) : NULL;
	thread = instant ? event_thread(p, instant, s->ascii) : NULL;
	if (text && thread) {
		bytes = text_clip(thread, NOTE_THREAD, &used);
		thread[bytes] = '\0';
		cells -= (int)used + (int)strlen("* : ");
		bytes = (int)text_width(text) <= cells ? strlen(text)
			: text_clip(text, (size_t)(cells > 3 ? cells - (int)text_width(dots) : 0), &used);
		fields_add(f, ROLE_MARK, NOTE, "%s %s: %.*s%s", event_sign(true, s->ascii), thread, (int)bytes, text,
			   text[bytes] ? dots : "");
	}
	free(thread);
	free(text);
}

void status_draw(const struct scene *s, struct canvas *c, struct area a)
{
	bool wide = a.width >= WIDE_FROM;
	struct fields f = { .gap = wide ? 3 : 2 };
	const struct values *v = s->query ? query_times(s->query) : NULL;
	const struct values *base = s->query ? query_base(s->query) : NULL;

	canvas_role(c, a, 0, 0, a.width, ROLE_STATUS);
	if (!s->profile)
		return;
	add_losses(&f, s->profile, s->ascii);
	add_unseen(&f, s->profile);
	add_left_open(&f, s->profile, s->ascii);
	add_missing(&f, v, base);
	add_region(&f, s);
	add_writer(&f, s);
	add_overhead(&f, s, v);
	if (scene_lives(s->state))
		add_note(&f, s, note_cells(a.width - wide));
	a.x += wide; /* a blank before it, as before the rows of a report */
	a.width -= wide;
	fields_draw(&f, c, a, 0);
}
