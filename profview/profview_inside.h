/* SPDX-License-Identifier: MIT */
/*
 * profview_inside: a view of profview.h, as its own files see it; nobody else includes this. Each of them
 * calls only those above it.
 *
 *   profview_shown.c   the profile, the report that all the others look at, the row of the cursor; names that hold as
 *                      long as what is shown
 *   profview_look.c    mode, average, recursion, thread, sort, filter, format; the cursor, and where it leads
 *   profview_boxes.c   rows of boxes in columns: the flame graph, and lanes of single calls
 *   profview_draw.c    what is shown, in words; columns, rows, frames, losses, counters, events, notes
 *   profview.c         open, update, close; live, or a private copy and a frame of it; Prof_Report, which needs no view
 */
#ifndef PROFVIEW_INSIDE_H
#define PROFVIEW_INSIDE_H

#include "io/region/live.h"
#include "model/boxes/flame.h"
#include "model/boxes/spans.h"
#include "model/query/query.h"
#include "model/report/drill.h"
#include "model/stats/counters.h"
#include "profview/profview.h"

#define WORK_FRAMES 2000 /* of medians, in one go */

/* Names by a number, each made when it is asked for. */
struct profview_names {
	char **names; /* NULL: not made yet */
	uint32_t count;
};

/* The flame graph of what is shown. */
struct profview_flame {
	bool made;             /* else it is to be made */
	enum Prof_view_result result;
	struct report *report; /* NULL: there is none */
	struct flame *flame;   /* likewise */
	struct profview_names names; /* of its rows */
	bool without_waits;
};

/* Single calls. They are read into the transitions of the source, also while a frame of the past is shown; spans, which
 * are looked at, are as of the last update that was live. */
struct profview_calls {
	uint64_t most;          /* 0: none are read */
	struct transitions *transitions; /* NULL: there are none yet */
	struct spans *spans;    /* likewise */
	bool old;               /* the spans are of other transitions, and of the copy */
	int64_t now;            /* of the spans */
	bool ordered;           /* the lanes are those of what is looked at: */
	uint32_t *lanes, lane_count, lane_capacity; /* lists, as they are shown */
	struct profview_names zones, threads; /* by their numbers, escaped */
};

struct Prof_view {
	struct source *source;
	bool read;   /* at least once */
	bool ended;
	struct query *live_query; /* NULL: nothing was read yet */
	struct profile *paused; /* a copy; NULL: live */
	struct query *paused_query;
	uint64_t chosen;        /* frame of the copy */

	enum report_view mode, came_from;
	struct query_options look; /* but for the frame; its thread is one of the profile that is shown, */
	uint64_t thread_id;       /* by this id in any other */
	char measure[64];         /* its key, in whatever profile; "": time */
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

	struct profview_flame flame;
	struct profview_calls calls;
	struct box_run *runs;  /* of the row at hand */
	uint32_t run_capacity;

	char *titles;          /* NULL: to be made */
	char *name;            /* of the row, column or thread that was asked for last */
	char why[512];
};

/* profview_shown.c: the name at `index` of `count`; where there is none yet, what `make` (text.h) makes of `text`. "": no
 * memory. */
const char *profview_names_at(struct profview_names *names, uint32_t index, uint32_t count,
			      char *(*make)(const char *text, bool ascii), const char *text, bool ascii);

/* A result that is not OK, with its sentence. */
enum Prof_view_result profview_say(Prof_view *v, enum Prof_view_result result, const char *why);

/* Something else is looked at: the report is to be made anew. */
void profview_stale(Prof_view *v);

/* Makes the report if that is needed. False: there is none, and `why` says why. */
bool profview_report(Prof_view *v);

/* Its section, NULL: there is none. Makes it first. */
const struct report_section *profview_section(Prof_view *v);

/* A report of its tree, the longest rows first, whatever the mode is. */
enum Prof_view_result profview_tree(Prof_view *v, struct report **out);

/* The profile shown; NULL: nothing was read yet. */
const struct profile *profview_profile(const Prof_view *v);
struct query *profview_query(const Prof_view *v);

/* Another profile is shown: the thread that was chosen is looked for in it; all of them if it is not there. */
void profview_find_thread(Prof_view *v);

/* Keeps a name, in UTF-8 or ASCII, in v->name; "": no memory. */
const char *profview_name(Prof_view *v, char *made);

/* profview_boxes.c: reads calls, if they are wanted. False: no memory, and there are none until it is called again. */
bool profview_calls_read(Prof_view *v);

/* The source has let go of its profile. */
void profview_calls_anew(Prof_view *v);

/* Goes live again: spans are those that were read meanwhile. */
void profview_calls_go_live(Prof_view *v);
void profview_calls_forget(Prof_view *v);

#endif
