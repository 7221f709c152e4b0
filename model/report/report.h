/* SPDX-License-Identifier: MIT */
/*
 * report: rows and columns, ready to be printed by any output.
 *
 * Every value is there twice: exact, in integers, and as a real number. A report is printed as a typed table:
 * zone_table.h. Which columns there are: columns.h.
 *
 * A report has one section, or with THREADS_EACH one for each thread. Its rows are filtered, and sorted:
 *
 *   flat views   by the column, work first: zones that wait stand behind all others, and `(no zone)` behind those,
 *                unless it is at least a tenth of the time that is no waiting and rows are sorted by SELF
 *   call graph   the callers in the opposite order, then the focus, then the children in order: so the callers and
 *                the children that come first in it stand next to the focus
 *   tree         below each node its children, in order. When the filter lets a row pass, all rows above it on the
 *                way to the root stay, too. Of those below one row, zones that wait stand last
 */
#ifndef MODEL_REPORT_H
#define MODEL_REPORT_H

#include "model/base/format.h"
#include "model/query/pins.h"
#include "model/report/callgraph.h"
#include "model/report/columns.h"
#include "model/report/treeview.h"
#include "model/stats/heat.h"
#include "model/stats/series.h"
#include "model/stats/zone_stats.h"

enum row_role { ROW_ZONE, ROW_NO_ZONE, ROW_CALLER, ROW_FOCUS, ROW_CHILD };

struct report_value {
	int64_t exact; /* of exact kinds */
	double real;   /* always: in ticks, entries, or 1 = the whole */
};

struct report_row {
	/* The same in every report of the view that has the row: across refreshes and runs, however
	 * it is sorted. Of a flat row: its key's; of a graph: with the role, as a zone may be both a
	 * caller and a child; of a tree: of all zones from the root. */
	uint64_t id;
	enum row_role role;
	uint32_t key;
	uint32_t zone; /* PROFILE_NO_ZONE for `(no zone)` */
	const char *name; /* as shown, in UTF-8; owned by the report. `all`: the root of a tree */
	uint32_t level;   /* of a tree row; else 0 */
	uint32_t parent;  /* of a tree row: row of its section; else PROFILE_NONE */
	uint32_t depth;   /* of recursion, when it is spread; else 1 */
	char mark;        /* `+` calls other zones, `-` the focus, else ' '; of a tree that can be
			     folded: `+` is folded, `-` is not, ' ' has nothing below it */
	uint8_t pin;      /* its zone's number among the pins; 0: it is none */
	bool waiting;
	bool costly; /* more than a tenth of its time is what measuring it takes (overhead.h); of no caller: there it
		      * would be said of the focus */
	bool has_children; /* of a tree: rows below it, shown or folded */
	uint32_t below;    /* of a tree: rows below it that are folded */
	double heat; /* as mark and colour show it: of a zone with less than a hundredth of the frame it fades, in the
		      * column HEAT it is as it is */
	uint32_t shown; /* 1 << column: the row has that value; else it is `-` */
	bool unknown;   /* its amounts are not known, and in `values` they are 0 */
	bool least;     /* amounts are lower bounds: some that belong to them are not known */
	bool uncounted; /* of a function: its calls are not known */
	struct report_value values[COLUMNS];
};

struct report_section {
	uint32_t thread;  /* a selection */
	const char *name; /* of the thread, as shown; `all threads`, `worker (4 threads)` */
	enum measure_known known; /* amounts of the measure */
	int64_t time;     /* of the threads in it, 1/scale ticks: Σ self of the rows (not of a graph) */
	int64_t waiting;  /* self of zones that wait, 1/scale ticks */
	int64_t outside;  /* of a flat view: self of `(no zone)`, likewise */
	uint32_t depth;    /* graph: of the focus; 0: it has neither time nor entries */
	int64_t recursive; /* graph: recursive entries of the focus, 1/scale */
	struct report_row *rows;
	uint32_t row_count;
	uint32_t before; /* rows of the sections in front of it */
	uint32_t hidden; /* rows with values that the filter left out */
};

#define BASE_NAME 32 /* bytes */

struct report_options {
	enum report_view view;
	uint32_t thread; /* a selection */
	bool spread;
	bool bottom_up; /* tree: zones with their callers below them (treeview.h) */
	const char *zone;   /* graph: the focus, as keys_parse takes it; NULL: `focus` is a key */
	uint32_t focus;
	enum column sort; /* COLUMN_ZONE and up; COLUMNS: the view's own */
	bool invert;
	const char *filter; /* NULL or "": none; `~` starts a POSIX extended regular expression */
	const struct pins *pins; /* NULL: none. In flat views they stand first, in order of their numbers, also
				  * without time, and whatever is filtered */
	enum unit unit;
	int precision; /* < 0: the unit's own */
	bool zero_rows; /* keep rows without time and entries */
	bool by_size;   /* zones that wait, and `(no zone)`, stand among the others */
	bool heat_later, trend_later; /* it is being worked out: its column is there already, and empty */
	const struct heat *heat; /* NULL: no heat. Made for the same keys and thread */
	const struct trend *trend; /* NULL: no trend. Likewise; outlives the report */
	bool per_frame; /* the columns of statistics per frame, in flat views: of `stats`, or where that
			 * is NULL of the frames that the values cover */
	bool watched;   /* it is of a process that goes on: statistics are those of `stats` alone */
	const struct zone_stats *stats; /* made for the same keys and thread, for the view's extent */
	/* The values that they are compared with, of the same profile and scale; NULL: none. With them, the
	 * report has COLUMN_DELTA, and rows that have time in them alone. */
	const struct values *base;
	const char *base_name; /* `median`: what the column calls it */
	uint32_t without; /* 1 << column: COLUMN_HEAT and COLUMN_DELTA, which query_report does not make then */
	const struct keys *keys; /* NULL: made for this report. Up to date, of the same `spread` */
	/* For a tree: is the row with this id folded? NULL: none is. Not asked while there is a filter: a fold
	 * does not hide what the filter found. */
	bool (*folded)(void *context, uint64_t id);
	void *folded_context;
	/* An earlier report of the same view, sorted by the same column: rows keep its order, as model/base/order.h
	 * says. NULL: rows are sorted exactly. */
	const struct report *before;
};

#define REPORT_OPTIONS_DEFAULT                                                                    \
	((struct report_options){ .thread = THREADS_ALL, .focus = PROFILE_NONE, .sort = COLUMNS,   \
				  .precision = -1 })

struct report {
	enum report_view view;
	enum column sort;
	bool descending;
	bool spread, bottom_up;
	enum unit asked;
	enum unit unit; /* of SELF, HIER and what is beside the table; never UNIT_AUTO */
	/* The unit of each column of times: never UNIT_AUTO; UNIT_PCT (of the wall time) for SELF and HIER
	 * alone. It suits these values: */
	enum unit units[COLUMNS];
	int64_t middle[COLUMNS]; /* ticks; 0: there are none */
	int64_t most[COLUMNS];
	int precision;
	int64_t scale; /* of SELF, HIER, COUNT, DIRECT and the difference */
	int64_t wall;  /* 1/scale ticks: what %frame is of. If the measure is not time: its amount over all threads */
	uint64_t ticks_per_s; /* measure_per_s: of time the ticks, else what amounts are written with */
	uint32_t measure;
	uint64_t frames;
	uint64_t first_frame, last_frame;
	bool average;
	bool unmarked; /* the program marks no frames: those that there are were cut by proftop */
	bool mean_of_cut; /* and the figures are a mean of such frames */
	uint32_t incomplete;
	uint32_t columns; /* 1 << column: that this report has */
	uint32_t offered; /* likewise: that it would have, sorted by them */
	const struct trend *trend; /* borrowed; NULL: there is none */
	char base[BASE_NAME]; /* title of COLUMN_DELTA: `vs median`; "": there is no base */
	char *focus;      /* graph: the focus' name as shown */
	struct report_section *sections;
	uint32_t section_count;
	bool each; /* a section for each thread: however many there are */
	struct report_store *store;
};

enum report_error {
	REPORT_OK,
	REPORT_NO_MEMORY,
	REPORT_NO_SUCH_ZONE,
	REPORT_AMBIGUOUS_ZONE,
	REPORT_BAD_FILTER,
	REPORT_NEEDS_ZONE,
};

/* *out is the report, to be freed with report_free, or NULL and `why` (at least 256 bytes) a
 * sentence for the user. */
enum report_error report_make(const struct profile *p, const struct values *v,
			      const struct report_options *options, struct report **out,
			      char *why, size_t why_size);
void report_free(struct report *r);

/* The extent that a view shows: self in the view self, else hierarchical. */
static inline enum extent report_extent(enum report_view view)
{
	return view == REPORT_SELF ? EXTENT_SELF : EXTENT_HIER;
}

/* The title of a column, without its unit. */
const char *report_title(const struct report *r, enum column column);

/* What the trend of a row shows: the values of its zone as trend_values gives them. Returns how
 * many; 0 where the row has none. */
uint32_t report_trend(const struct report *r, const struct report_row *row,
		      int64_t out[TREND_FRAMES]);

/* MAX of the focus in a section of a graph; 0: none of its calls has ended. */
int64_t report_longest(const struct report_section *section);

/* What a section is called: `all threads`; `worker (4 threads)` of those that have a name in common; the thread's
 * own, escaped. Caller frees; NULL: out of memory. */
char *report_threads(const struct profile *p, uint32_t selection);

#endif
