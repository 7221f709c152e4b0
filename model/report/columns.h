/* SPDX-License-Identifier: MIT */
/*
 * columns: the one list of the columns that a report can have. All that prints a report, the sort keys, the help and the
 * manual follow from it. Their values: zone_table.h.
 */
#ifndef MODEL_COLUMNS_H
#define MODEL_COLUMNS_H

#include "model/table/typed_table.h"

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
	COLUMNS,
	/* What CSV and JSON have beside them: */
	COLUMN_THREAD = COLUMNS,
	COLUMN_ROLE,
	COLUMN_LEVEL,
	COLUMN_PARENT,
	COLUMN_FILE,
	COLUMN_LINE,
	COLUMN_LEAST,
	COLUMN_WAITS,
	COLUMN_COSTLY,
	COLUMNS_ALL
};

extern const struct table_column report_columns[COLUMNS_ALL];

/* Statistics per frame have to be made for a report: where it is sorted by one of them, or is so wide
 * that they find room. */
#define COLUMNS_WIDE 140u /* cells; 0 is no limit */

static inline bool column_is_per_frame(enum column column)
{
	return column >= COLUMN_FRAMES && column < COLUMNS;
}

/* Where a process is watched, it is shown only while rows are sorted by it. */
static inline bool column_is_asked(enum column column)
{
	return column == COLUMN_FRAME_MEAN || column == COLUMN_FRAME_P90;
}

static inline bool columns_want_per_frame(enum column sort, uint32_t width)
{
	return column_is_per_frame(sort) || width == 0 || width >= COLUMNS_WIDE;
}

static inline bool column_is_time(enum column column)
{
	return typed_is_time(report_columns[column].kind);
}

/* Its values are real numbers, and have none that is exact. */
static inline bool column_is_real(enum column column)
{
	enum typed_kind kind = report_columns[column].kind;

	return kind == TYPED_MEAN_TICKS || kind == TYPED_RATIO || kind == TYPED_RATE || kind == TYPED_HEAT;
}

/* The column of a key, or COLUMNS. */
enum column report_column(const char *key);

#endif
