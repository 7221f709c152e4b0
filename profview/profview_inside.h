/* SPDX-License-Identifier: MIT */
/*
 * profview_inside: a view of profview.h, as its own files see it; nobody else includes this. Each of them
 * calls only those above it.
 *
 *   profview_shown.c   the profile, the report that all the others look at, the row of the cursor
 *   profview_move.c    the cursor, and where it leads
 *   profview_look.c    mode, average, recursion, thread, sort, filter, format
 *   profview_time.c    live, or a private copy and a frame of it
 *   profview_titles.c  what is shown, in words
 *   profview_draw.c    columns, rows, frames, losses
 *   profview_values.c  counters, events, notes
 *   profview_report.c  Prof_Report, which needs no view
 *   profview.c         open, update, close
 */
#ifndef PROFVIEW_INSIDE_H
#define PROFVIEW_INSIDE_H

#include "io/region/live.h"
#include "profview/profview.h"
#include "model/stats/counters.h"
#include "model/report/drill.h"
#include "model/report/lens.h"

#define WORK_FRAMES 2000 /* of medians, in one go */

struct Prof_view {
	struct source *source;
	bool read;   /* at least once */
	bool ended;
	struct lens *live_lens; /* NULL: nothing was read yet */
	struct profile *paused; /* a copy; NULL: live */
	struct lens *paused_lens;
	uint64_t chosen;        /* frame of the copy */

	enum report_view mode, came_from;
	struct lens_options look; /* but for the frame; its thread is one of the profile that is shown, */
	uint64_t thread_id;       /* by this id in any other */
	enum column sort;         /* COLUMNS: the mode's own */
	bool invert;
	char *filter;             /* NULL: none */
	enum unit unit;
	int precision;
	bool ascii;
	struct drill drill;

	struct report *report; /* of all this; NULL: there is none */
	struct counter_report *counters; /* NULL: to be made */
	bool stale;            /* it is to be made anew */
	bool arrived;          /* the cursor has been on the focus of the call graph */
	uint64_t wanted;       /* row of the cursor; 0: the one at `at` */
	uint32_t at;

	char *titles;          /* NULL: to be made */
	char *name;            /* of the row, column or thread that was asked for last */
	char why[512];
};

/* profview_shown.c: a result that is not OK, with its sentence. */
enum Prof_view_result profview_say(Prof_view *v, enum Prof_view_result result, const char *why);

/* Something else is looked at: the report is to be made anew. */
void profview_stale(Prof_view *v);

/* Makes the report if that is needed. False: there is none, and `why` says why. */
bool profview_report(Prof_view *v);

/* Its section, NULL: there is none. Makes it first. */
const struct report_section *profview_section(Prof_view *v);

/* What is shown; NULL: nothing was read yet. */
const struct profile *profview_profile(const Prof_view *v);
struct lens *profview_lens(const Prof_view *v);

/* Another profile is shown: the thread that was chosen is looked for in it; all of them if it is not there. */
void profview_find_thread(Prof_view *v);

/* What is the name in UTF-8 or ASCII, kept in v->name; "": no memory. */
const char *profview_name(Prof_view *v, char *made);

/* profview_move.c: opens another mode, with the cursor in the row of this key; PROFILE_NONE: where it is. */
void profview_open_mode(Prof_view *v, enum report_view mode, uint32_t key);

/* profview_time.c: forgets the copy. */
void profview_go_live(Prof_view *v);

#endif
