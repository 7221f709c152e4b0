/* SPDX-License-Identifier: MIT */
/*
 * typed_table: a table whose cells are typed values, whoever prints it.
 *
 * Its column list is an array of struct table_column (sheet.h): a column is one row there. Its rows yield a typed value
 * for each column. Five renderers print any such table:
 *
 *     text    all rows as lines of a sheet          export_table_text in io/export/export_table.h
 *     CSV     a line of keys, then a line a row     export_table_csv, likewise
 *     JSON    a list of objects, a member a column  json_table in io/json_table.h
 *     screen  the rows in sight                     tui/widgets/grid.h
 *     page    columns and rows in the document      json_page_rows, likewise; typed_table.js in report/
 *
 * A value may be unknown. JSON says null then, CSV has an empty field, and people see `-`, or what the value has in its
 * place. A value may be a lower bound: `≥` stands in front of it.
 */
#ifndef MODEL_TYPED_TABLE_H
#define MODEL_TYPED_TABLE_H

#include "model/base/format.h"
#include "model/base/pattern.h"
#include "model/table/sheet.h"

enum table_output { TABLE_SCREEN, TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_PAGE, TABLE_OUTPUTS };

#define TABLE_END UINT8_MAX /* behind the last column of a list */

enum typed_state {
	TYPED_KNOWN,
	TYPED_UNKNOWN,
	TYPED_ABSENT, /* there is nothing to be known: JSON has no such member. Else as unknown */
};

struct typed_value {
	enum typed_state state;
	enum typed_kind kind;  /* at first that of the column */
	bool at_least;         /* a lower bound */
	bool sign;             /* shown with `+` if it is more than 0 */
	bool has_before;       /* shown as `before → whole` */
	int64_t whole, before; /* 1/scale */
	int64_t scale;         /* at first 1 */
	int64_t of;
	double real;
	const char *text;      /* borrowed, or `owned` */
	const char *shown;     /* what people see in the place of all this; NULL: the value */
	const char *tail;      /* stands behind the text, and stays where that is cut; NULL: none */
	char *owned, *owned_tail; /* the renderer frees these */
	const int64_t *series; /* borrowed; the oldest first */
	uint32_t series_count, series_per_cell;
	uint64_t id;           /* sheet_cell.id */
	enum style_role role;  /* STYLE_TITLE: the usual one of its kind */
};

/* The renderer that asks for a value. */
struct typed_look {
	enum table_output output;
	bool ascii;
	bool found;      /* the row is what a search found */
	uint32_t width;  /* of the screen, or of a text; 0: no limit */
	int precision;   /* of times; -1: as their unit has it */
	const void *own; /* the caller's */
};

struct typed_table;

struct table_type {
	const char *key;  /* of the list in JSON */
	const char *name; /* of the view */
	const struct table_column *columns;
	uint32_t column_count;
	/* The columns of an output, in their order, and TABLE_END behind them. NULL: as they are in `columns`, for people
	 * those that have a title, else those that have a key or member. The screen has this order always. */
	const uint8_t *shows[TABLE_OUTPUTS];
	bool drops; /* text drops columns where it is narrow; else only the screen does */
	void (*value)(const struct typed_table *t, const struct typed_look *look, uint32_t row, uint32_t column,
		      struct typed_value *v);
	/* The rest is for the screen. */
	uint64_t (*id)(const struct typed_table *t, uint32_t row); /* not 0; the same whenever rows are made again */
	bool (*matches)(const struct typed_table *t, uint32_t row, const struct pattern *pattern);
	void (*arrange)(const struct typed_table *t, const struct typed_look *look, struct sheet *s); /* for this width; NULL: nothing to do */
	void (*free)(struct typed_table *t);
};

/* Rows begin with this. */
struct typed_table {
	const struct table_type *type;
	struct table_column columns[SHEET_COLUMNS]; /* the type's; some may be hidden here, or of another kind */
	uint32_t count;    /* rows */
	uint32_t left_out; /* rows that the filter left out */
	int sorted;        /* the column that they are sorted by; -1: none */
	bool descending;
	uint64_t ticks_per_s;
	enum unit unit;    /* of times; never UNIT_AUTO */
	const char *nothing; /* text has this line in the place of the table; NULL: the table */
	int64_t whole;     /* UNIT_PCT: of so many ticks, by the scale of the value */
};

/* All that the table does not say stays 0; it is sorted by nothing, and its times are in milliseconds. */
void typed_table_init(struct typed_table *t, const struct table_type *type, uint64_t ticks_per_s);

/* The columns of an output. Returns how many. */
uint32_t typed_table_shows(const struct typed_table *t, enum table_output output, uint8_t columns[SHEET_COLUMNS]);

/* A value of the table; typed_value_fini frees what is owned in it. */
struct typed_value typed_table_value(const struct typed_table *t, const struct typed_look *look, uint32_t row, uint32_t column);
void typed_value_fini(struct typed_value *v);

/* Begins a sheet with the columns of a text or screen. */
void typed_table_sheet(const struct typed_table *t, const struct typed_look *look, struct sheet *s);

/* Adds a row to it. */
void typed_table_add(const struct typed_table *t, const struct typed_look *look, struct sheet *s, uint32_t row);

/* Makes the columns of numbers as wide as a row needs that is not added. */
void typed_table_widen(const struct typed_table *t, const struct typed_look *look, struct sheet *s, uint32_t row);

/* A time in the unit that suits `about`: `3.250 ms`, `2.510 s`, `00:14:22`; brief with three digits, `3.25 ms`. */
void typed_span(char *out, size_t size, int64_t ticks, int64_t about, uint64_t ticks_per_s, bool brief, bool ascii);

static inline bool typed_is_number(enum typed_kind kind)
{
	return kind >= TYPED_NUMBER;
}

#endif
