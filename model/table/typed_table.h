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
 *     screen  the rows in sight                     tui/widgets/table.h
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
	int64_t of;            /* of a time: the whole for UNIT_PCT, 1/scale; at first that of the table */
	double real;
	const char *text;      /* borrowed, or `owned` */
	const char *shown;     /* what people see in the place of all this; NULL: the value */
	const char *tail;      /* stands behind the text, and stays where that is cut; NULL: none */
	char mark;             /* stands in front of the text; 0: none */
	uint32_t indent;       /* blanks in front of the mark */
	uint32_t level;        /* depth in a tree, shown as a number if there is no space for `indent` */
	char star;             /* stands behind it, if there is room; 0: none */
	bool plain;            /* of ticks: JSON has this value only, without one in nanoseconds */
	float heat;            /* of STYLE_HEAT and STYLE_WARM */
	enum unit unit;        /* of a time: at first that of the column */
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
	uint32_t cells;  /* of a line; SHEET_NO_LIMIT: as many as it needs */
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
	bool csv_shows; /* numbers in CSV have the unit and the decimals that text has; else times are in nanoseconds, and all is exact */
	bool by_line; /* on the screen the cursor stays in its line when rows change their order; else on its row */
	void (*value)(const struct typed_table *t, const struct typed_look *look, uint32_t row, uint32_t column,
		      struct typed_value *v);
	enum unit (*unit)(const struct typed_table *t, enum table_output output, uint32_t column); /* of times; NULL: that of the table */
	/* Of text, if there are several sections: the row behind the last one of a section, and the line above its titles,
	 * which the caller frees. NULL: out of memory. */
	uint32_t (*section)(const struct typed_table *t, bool ascii, uint32_t section, char **heading);
	/* The rest is for the screen. */
	uint64_t (*id)(const struct typed_table *t, uint32_t row); /* not 0; the same whenever rows are made again */
	bool (*matches)(const struct typed_table *t, uint32_t row, const struct pattern *pattern);
	unsigned (*pin)(const struct typed_table *t, uint32_t row); /* its number; 0: it is not pinned. NULL: none can be */
	void (*arrange)(const struct typed_table *t, const struct typed_look *look, struct sheet *s); /* for this width; NULL: nothing to do */
	void (*free)(struct typed_table *t);
};

/* Rows begin with this. */
struct typed_table {
	const struct table_type *type;
	struct table_column columns[SHEET_COLUMNS]; /* the type's; some may be hidden here, or of another kind */
	uint32_t count;    /* rows */
	uint32_t left_out; /* rows that the filter left out */
	uint32_t without;  /* 1 << column: that CSV, JSON and the page do not have here */
	uint32_t sections; /* of text, each with titles of its own; 1 at first */
	uint32_t fixed;    /* of the screen: so many rows at the front stay in sight */
	uint32_t first;    /* likewise: where the cursor stands that nobody has moved */
	uint64_t like;     /* likewise: whatever else widths depend on */
	int precision;     /* of times; -1, at first: as their unit has it */
	int sorted;        /* the column that they are sorted by; -1: none */
	bool descending;
	uint64_t ticks_per_s;
	enum unit unit;    /* of times; never UNIT_AUTO */
	const char *covers;  /* the title of a text says it: which rows these are; NULL: nothing */
	const char *nothing; /* text has this line in the place of the table; NULL: the table */
	int64_t whole;     /* UNIT_PCT: of so many ticks, by the scale of the value */
};

/* What a screen remembers of a table, so that columns do not move while numbers change: a column grows at once. It
 * shrinks after TABLE_PATIENCE drawings, to the most that it needed in them. Zeroed at first. Widths begin anew by
 * themselves when anything in `like` changes, and that of one column when its unit does. */
#define TABLE_PATIENCE 200

struct table_widths {
	struct widths_like {
		const struct table_type *type; /* NULL: nothing is remembered */
		uint64_t like;
		uint32_t columns, cells;
		int precision;
		bool ascii;
	} like;
	uint32_t cells[SHEET_COLUMNS];
	uint32_t needed[SHEET_COLUMNS]; /* since `age` was 0 */
	enum unit units[SHEET_COLUMNS];
	uint32_t age;
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

/* Gives a sheet with all rows that are in sight the widths that it had, before it is fitted. */
void typed_table_hold(const struct typed_table *t, const struct typed_look *look, struct sheet *s, struct table_widths *w);

/* Gives the lines of a text, look->cells wide, one after the other: only one of them is in memory, until `give` returns.
 * False: out of memory. */
typedef void table_give(void *context, const struct layout_line *line);
bool typed_table_lines(const struct typed_table *t, const struct typed_look *look, table_give *give, void *context);

/* A value as text. A number alone, as `csv_shows` has it: "" if it is not known. Both return the length. */
size_t typed_table_text(const struct typed_table *t, const struct typed_look *look, struct typed_value *v, char *out, size_t size);
size_t typed_table_number(const struct typed_table *t, const struct typed_value *v, char *out, size_t size);

/* Makes the columns of numbers as wide as a row needs that is not added. */
void typed_table_widen(const struct typed_table *t, const struct typed_look *look, struct sheet *s, uint32_t row);

/* A time in the unit that suits `about`: `3.250 ms`, `2.510 s`, `00:14:22`; brief with three digits, `3.25 ms`. */
void typed_span(char *out, size_t size, int64_t ticks, int64_t about, uint64_t ticks_per_s, bool brief, bool ascii);
static inline bool typed_is_time(enum typed_kind kind)
{
	return kind == TYPED_TICKS || kind == TYPED_MEAN_TICKS || kind == TYPED_NS;
}

static inline bool typed_is_number(enum typed_kind kind)
{
	return kind >= TYPED_NUMBER;
}

#endif
