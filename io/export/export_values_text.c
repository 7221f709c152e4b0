/* SPDX-License-Identifier: MIT */
#include "io/export/export_values.h"

#include <inttypes.h>
#include <stdlib.h>

#include "io/export/export_table.h"
#include "model/base/array.h"
#include "model/base/search.h"
#include "model/base/share.h"
#include "model/stats/frame_stats.h"
#include "model/table/event_table.h"

/* What happened */

#define LINES_MOST 40 /* the newest of each kind */

/* Instants, and the lines that they make. */
struct happenings {
	const struct profile *p;
	bool outside; /* of frames */
	uint32_t *of; /* indices */
	uint32_t count;
	struct bursts bursts;
};

/* Whether the two are a line together: the same event of the same thread, one after the other in a frame. */
static bool continues(const struct happenings *h, const struct burst_row *a, const struct burst_row *b)
{
	const struct profile_instant *x = &h->p->instants[a->first], *y = &h->p->instants[b->first];

	return !h->outside && x->event != PROFILE_NONE && x->event == y->event && x->thread == y->thread &&
	       b->count == 1 && a->count + 1 < BURST && frame_at(h->p, x->tick) == frame_at(h->p, y->tick);
}

/* False: out of memory. */
static bool make_lines(struct happenings *h)
{
	struct burst_row *rows;
	uint32_t lines = 0;

	if (!bursts_of_seconds(&h->bursts, h->p, h->of, h->count))
		return false;
	rows = h->bursts.rows;
	for (uint32_t i = 0; i < h->bursts.row_count; i++)
		if (lines && continues(h, &rows[lines - 1], &rows[i])) {
			rows[lines - 1].last = rows[i].last;
			rows[lines - 1].count++;
		} else {
			rows[lines++] = rows[i];
		}
	h->bursts.row_count = lines;
	return true;
}

static uint32_t kind_of(const struct profile *p, const struct burst_row *row)
{
	uint32_t event = p->instants[row->first].event;

	return event == PROFILE_NONE ? p->event_count : event;
}

/* Lines that find no room get a count of 0. Returns how many instants these have; *before: all of them come before the
 * first one that stays. */
static uint32_t leave_out(struct happenings *h, bool *before)
{
	struct burst_row *rows = h->bursts.rows;
	uint32_t count = h->bursts.row_count, left = 0;
	bool stays = false;
	struct share s;

	*before = true;
	if (count <= LINES_MOST || !share_init(&s, h->p->event_count + 1))
		return 0;
	for (uint32_t i = 0; i < count; i++)
		share_add(&s, kind_of(h->p, &rows[i]));
	share_room(&s, LINES_MOST);
	for (uint32_t i = 0; i < count; i++) {
		bool leaves = share_leaves(&s, kind_of(h->p, &rows[i]));

		*before = *before && !(leaves && stays);
		stays = stays || !leaves;
		if (leaves) {
			left += rows[i].count;
			rows[i].count = 0;
		}
	}
	share_fini(&s);
	return left;
}

static void put_lines(struct happenings *h, const struct export_style *style, FILE *out)
{
	struct event_table t;
	uint32_t lines = 0, left;
	bool before;

	left = leave_out(h, &before);
	for (uint32_t i = 0; i < h->bursts.row_count; i++)
		if (h->bursts.rows[i].count)
			h->bursts.rows[lines++] = h->bursts.rows[i];
	h->bursts.row_count = lines;
	if (!lines)
		return;
	if (left)
		fprintf(out, "(%" PRIu32 " events and notes before these%s)\n", left, before ? "" : " or between them");
	event_table_init(&t, h->p, h->bursts);
	t.table.columns[EVENT_FRAME].hidden = h->outside;
	export_table_text(&t.table, style, out);
}

static void happenings_fini(struct happenings *h)
{
	free(h->of);
	free(h->bursts.rows);
}

static void add_index(const struct export *e, struct happenings *h, uint32_t index)
{
	const struct profile_instant *instant = &e->profile->instants[index];

	if (export_is_within(e, instant->tick) && (!e->no_events || instant->event == PROFILE_NONE))
		h->of[h->count++] = index;
}

/* Events in the covered frames; none if out of memory. */
static struct happenings in_frames(const struct export *e)
{
	const struct profile *p = e->profile;
	struct happenings h = { .p = p, .of = array_zeroed(p->instant_count, sizeof(*h.of)) };

	for (uint32_t i = 0; h.of && i < e->count; i++) {
		const struct profile_frame *frame = &p->frames[e->first + i];
		uint32_t first, count = profile_instants(p, frame->start, frame_end(frame), &first);

		for (uint32_t k = 0; k < count && !(e->asked && frame->flags & FRAME_DISCARDED); k++)
			add_index(e, &h, first + k);
	}
	if (h.of && !make_lines(&h))
		h.bursts.row_count = 0;
	return h;
}

/* `newer`: those after the newest frame, else those before its end. */
static struct happenings out_of_frames(const struct export *e, bool newer)
{
	const struct profile *p = e->profile;
	struct happenings h = { .p = p, .outside = true, .of = array_zeroed(p->instant_count, sizeof(*h.of)) };
	int64_t end = p->frame_count ? frame_end(&p->frames[p->frame_count - 1]) : INT64_MAX;
	uint32_t first;

	profile_instants(p, export_outside_from(e), INT64_MAX, &first);
	for (uint32_t i = profile_unframed_next(p, first); h.of && i < p->instant_count; i = profile_unframed_next(p, i + 1))
		if ((p->instants[i].tick > end) == newer)
			add_index(e, &h, i);
	if (h.of && !make_lines(&h))
		h.bursts.row_count = 0;
	return h;
}

/* The last frame that is covered of which events and notes may be missing; NULL: there is none. */
static const struct profile_frame *lacks_happenings(const struct export *e)
{
	const struct profile *p = e->profile;
	uint32_t known = SEARCH(i, 0, e->count, instants_lack(p, &p->frames[e->first + i]));
	const struct profile_frame *last = known ? &p->frames[e->first + known - 1] : NULL;

	return last && (!e->to || frame_end(last) > e->from) ? last : NULL;
}

void text_happened(const struct export *e, const struct export_style *style, FILE *out)
{
	const struct profile_frame *lacks = lacks_happenings(e);
	struct happenings h = in_frames(e);

	if (lacks)
		fprintf(out, "(events and notes up to frame %" PRIu64 " may be missing, because they were "
		    "overwritten)\n", lacks->number);
	put_lines(&h, style, out);
	if (lacks && !h.bursts.row_count)
		fputc('\n', out);
	happenings_fini(&h);
}

static void text_of_outside(const struct export *e, bool newer, const struct export_style *style, FILE *out)
{
	struct happenings h = out_of_frames(e, newer);

	if (h.bursts.row_count) {
		fputs(newer ? "after the newest frame:\n" : "outside frames:\n", out);
		put_lines(&h, style, out);
	}
	happenings_fini(&h);
}

/* Events after the newest frame may belong to the frame in which the program
 * is. */
void text_outside(const struct export *e, const struct export_style *style, FILE *out)
{
	text_of_outside(e, false, style, out);
	text_of_outside(e, true, style, out);
}
