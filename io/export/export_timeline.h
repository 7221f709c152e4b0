/* SPDX-License-Identifier: MIT */
/*
 * export_timeline: boxes in reports: single calls on the axis of time, a lane for each thread; and a tree as a flame graph.
 *
 *     text    a ruler, and of each lane a line a depth, with the calls as boxes: box_row.h; where calls are not known,
 *             what the frames have of the thread: sums.h
 *     JSON    the same calls, span by span, with what is known of the time around them: spans.h
 */
#ifndef IO_EXPORT_TIMELINE_H
#define IO_EXPORT_TIMELINE_H

#include "io/export/export.h"
#include "model/boxes/spans.h"

struct timeline_lane {
	uint32_t thread;
	const struct span_list *list; /* NULL: no single calls of it are known */
	bool single;      /* some in the window may be: it is in JSON */
	int64_t from, to; /* what belongs to the lane: [from, to). Of one frame the thread's own part of it */
};

struct timeline_report {
	const struct timeline_lane *lanes; /* in the order in which they are shown */
	uint32_t count;
	int64_t from, to; /* the axis: [from, to), from < to */
	int64_t zero;     /* the tick that the ruler calls 0 */
	bool known;       /* some single calls in it are */
	int64_t since;    /* the first of which something is known; now: of none is */
};

/* False: out of memory. */
bool text_timeline(const struct export *e, const struct export_style *style, FILE *out);

struct json;

/* `window` and `lanes` (export_timeline_json.c). */
void json_timeline(struct json *j, const struct export *e);

/* A tree as boxes, as text: a line a level, the root first; with several sections below the name of each. False: not all could be written. */
bool text_flame(const struct report *r, const struct export_style *style, FILE *out);

#endif
