/* SPDX-License-Identifier: MIT */
/*
 * columns: the one table of what columns a report can have. The text report, CSV and JSON, the list
 * of sort keys, the help and the manual all follow from it. How wide they become: sheet.h.
 */
#ifndef MODEL_COLUMNS_H
#define MODEL_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

enum report_view { REPORT_SELF, REPORT_HIER, REPORT_GRAPH, REPORT_TREE, REPORT_VIEWS };

extern const char *const report_view_names[REPORT_VIEWS]; /* `self`, `hier`, `graph`, `tree` */

enum column {
	COLUMN_ZONE,
	COLUMN_SELF,
	COLUMN_HIER,
	COLUMN_COUNT,
	COLUMN_RATE,
	COLUMN_DELTA, /* of a report that has a base */
	COLUMN_DIRECT,
	COLUMN_FRAME,
	COLUMN_SHARE,
	COLUMN_TREND,
	COLUMN_HEAT,
	COLUMN_AVG,
	COLUMN_AVG_SELF,
	COLUMN_MAX,
	COLUMN_THREADS,
	COLUMN_FRAMES, /* this one and the rest: statistics per frame */
	COLUMN_FRAME_MIN,
	COLUMN_FRAME_MEAN,
	COLUMN_FRAME_MEDIAN,
	COLUMN_FRAME_P90,
	COLUMN_FRAME_P99,
	COLUMN_FRAME_MAX,
	COLUMN_FIRST,
	COLUMNS
};

/* Statistics per frame have to be made for a report: where it is sorted by one of them, or is so wide
 * that they find room. */
#define COLUMNS_WIDE 140u /* cells; 0 is no limit (layout.h) */

static inline bool column_is_per_frame(enum column column)
{
	return column >= COLUMN_FRAMES && column < COLUMNS;
}

static inline bool columns_want_per_frame(enum column sort, uint32_t width)
{
	return column_is_per_frame(sort) || width == 0 || width >= COLUMNS_WIDE;
}

/* The kind of a column's values: how they are shown, sorted and exported. */
enum value_kind {
	VALUE_NAME,
	VALUE_TIME,   /* exact: 1/scale ticks */
	VALUE_COUNT,  /* exact: 1/scale */
	VALUE_DELTA,  /* exact: 1/scale ticks, with its sign; sorted by how far it is from 0 */
	VALUE_TICKS,  /* exact: plain ticks, whatever the scale */
	VALUE_MEAN,   /* ticks, as a real number */
	VALUE_RATIO,  /* real, 1 = the whole */
	VALUE_RATE,   /* real: a second */
	VALUE_HEAT,   /* real, 0 to 1 */
	VALUE_NUMBER, /* exact: a plain number */
	VALUE_TREND,  /* drawn by layout, no text; sorted by, exact: ticks, the most of its frames */
};

/* Its values are real numbers, and have none that is exact. */
static inline bool value_is_real(enum value_kind kind)
{
	return kind == VALUE_MEAN || kind == VALUE_RATIO || kind == VALUE_RATE || kind == VALUE_HEAT;
}

struct column_def {
	const char *key;   /* of -s, CSV and JSON */
	const char *title; /* without unit */
	bool unit;         /* the title is followed by the column's unit of time */
	const char *help;  /* a sentence */
	uint8_t width;     /* least cells; a column grows with its values */
	bool left;         /* aligned left; else right */
	enum value_kind kind;
	uint8_t views;      /* 1 << enum report_view: where it is shown */
	bool ascending;     /* sorts smallest first */
	bool asked;         /* where a process is watched: only while it is sorted by */
	uint8_t importance; /* in a narrow space the least goes first; 0: never goes */
};

extern const struct column_def report_columns[COLUMNS];

/* The column of a key, or COLUMNS. */
enum column report_column(const char *key);

#endif
