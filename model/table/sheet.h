/* SPDX-License-Identifier: MIT */
/*
 * sheet: a table as rows and columns of texts, whoever draws it.
 *
 * Cells are added one after the other, row after row. sheet_at gives any cell back, whatever the width. sheet_fit
 * decides what is shown in a width of so many cells of a screen: as long as the column that gives way has less room
 * than it should keep, the least important other column is dropped. If it is still too narrow, that column is cut and
 * ends in an ellipsis; a name of code has it in the middle, as its end tells it from others. Where that would leave no
 * other column, the most important one stays, as narrow as its texts are. sheet_line is a row as a line of text for
 * that width. Texts are UTF-8 that is safe to show, and in ASCII where the sheet is.
 *
 * All that is added is copied; titles and units of columns are borrowed. Out of memory what follows is dropped, and
 * `failed` is set.
 */
#ifndef MODEL_SHEET_H
#define MODEL_SHEET_H

#include <stdbool.h>

#include "model/table/line.h"

#define SHEET_COLUMNS 32 /* at most */
#define SHEET_GAP 2 /* cells between two columns */
#define SHEET_TITLES UINT32_MAX /* in the place of a row */
#define SHEET_NO_LIMIT 0 /* width: every column in full */

enum { SHEET_GIVES_WAY = 0, SHEET_STAYS = UINT8_MAX }; /* importance; one column of each sheet gives way */

/* The kind of a column's values, which says how each renderer writes them. Kinds of texts come first. */
enum typed_kind {
	TYPED_WORDS,   /* text that may be shown as it is */
	TYPED_NAME,    /* bytes from outside, which each renderer escapes */
	TYPED_FLAG,    /* whole: 0 or 1 */
	TYPED_SPARK,   /* series: one after the other, as small bars */
	TYPED_BAR,     /* real: the part of the longest bar, -1 to 1 */
	TYPED_NUMBER,  /* whole/scale: an id, a line, a few; its digits are not grouped */
	TYPED_FRAME,   /* whole: number of a frame */
	TYPED_COUNT,   /* whole/scale */
	TYPED_REAL,    /* real */
	TYPED_MEAN,    /* real: shown with its first three digits, and all before the point */
	TYPED_RATE,    /* real: so many a second */
	TYPED_TICKS,   /* whole/scale: a time, in ticks of the source */
	TYPED_MEAN_TICKS, /* real: likewise */
	TYPED_SHARE,   /* the same; shown in percent of `of` ticks */
	TYPED_NS,      /* whole/scale: a time, in nanoseconds */
	TYPED_SPAN,    /* whole: a time, in ticks; shown in the unit that suits it, or `of` ticks */
	TYPED_SECONDS, /* real */
	TYPED_AGE,     /* real: seconds, shown in the unit that suits them */
	TYPED_BYTES,   /* whole/scale */
	TYPED_RATIO,   /* real: 1 is the whole */
	TYPED_HEAT,    /* real: 0 to 1 */
};

/* One column of a table, for all renderers. A sheet uses the first seven members. */
struct table_column {
	const char *title;
	const char *unit;   /* stands behind the title; NULL: none */
	uint8_t importance; /* of those that may go, the least goes first */
	bool right;         /* its texts stand at the right; those of numbers do in a typed table */
	bool hidden;        /* it is not shown, whatever the width */
	bool indented;      /* the title is, by two cells, where there is room */
	uint32_t least;     /* cells */
	const char *key;    /* of CSV and of -s */
	const char *member; /* of JSON; NULL: the key */
	const char *help;   /* a sentence */
	enum typed_kind kind;
	bool sorts;         /* the screen can sort by it */
	bool ascending;     /* sorted by it, the smallest comes first */
	bool bounded;       /* its values may be lower bounds: CSV has a column more, KEY_at_least */
	const char *group;  /* JSON has it in an object of this name, with its neighbours of the same group; NULL: in none */
	uint8_t views;      /* 1 << view: the views of the table that have it, if there are several */
};

struct sheet_cell {
	const char *text;
	const char *lead;  /* in front of it, without a role, in ASCII: an indent, a mark. NULL: none. Where the column is
			    * cut it takes half of that at most */
	const char *depth; /* in the place of a lead that would take more than half, with blanks in front of it; NULL: the
			    * end of the lead is */
	const char *tail;  /* behind it, and stays where the text is cut; NULL: none */
	uint64_t id;       /* of the row, in the column that gives way. Rows that differ in their ids get
			    * numbers if they would look alike: `lo…~1`, `lo…~2`. 0: they may look alike */
	float heat;        /* of STYLE_HEAT and STYLE_WARM */
	uint32_t cells;    /* that all three take; sheet_add finds out where it is 0 */
	enum style_role role;
	char star;         /* stands in the gap behind it, if there is room; 0: none */
	bool rest;         /* it runs on to the end of the line, over what the row has no cells for */
	bool loose;        /* it may stick out of its column, which is not made wider for it; sheet_at does not tell */
};

/* Where a column stands: cells [x, x + width) of each line. */
struct layout_place {
	uint32_t x;
	uint32_t width; /* 0: it found no room */
};

struct sheet {
	struct table_column columns[SHEET_COLUMNS];
	uint32_t count;   /* of them */
	bool ascii;
	bool descending;
	int sorted;       /* the column that it is sorted by; -1: none */
	uint32_t indent;  /* of all lines */
	/* Cells of the column that gives way: */
	uint32_t keeps;   /* if it needs so many, other columns are dropped before it gets fewer */
	uint32_t floor;   /* it never has fewer, even if the line is longer than the width then */
	uint32_t usual;   /* where there is room it has so many, even if its texts need fewer */
	bool failed;

	/* Cells that the widest text of each column needs so far. sheet_fit adds the titles */
	uint32_t needs[SHEET_COLUMNS];

	/* Set by sheet_fit */
	uint32_t width, room; /* cells of a line; cells that the column that gives way could have at most */
	uint32_t shown; /* 1 << column */
	bool tight;     /* there is room for one column beside the one that gives way, hardly */
	struct layout_place places[SHEET_COLUMNS];

	struct sheet_kept *kept; /* sheet.c has it */
	uint32_t cell_count, cell_capacity;
	char *texts;
	uint32_t text_length, text_capacity;
};

/* Begins an empty sheet, which is sorted by nothing. The `count` columns are copied, and may be changed in s->columns
 * until sheet_fit. */
void sheet_init(struct sheet *s, const struct table_column *columns, uint32_t count, bool ascii);
void sheet_fini(struct sheet *s);

/* Adds the next cell. When a row is full the next one begins; a cell that is the rest of its row fills it. */
void sheet_add(struct sheet *s, struct sheet_cell cell);
void sheet_text(struct sheet *s, const char *text, enum style_role role);

uint32_t sheet_rows(const struct sheet *s);

/* A cell. Its texts are borrowed until another cell is added. Cells after one that is the rest of its row are "". */
struct sheet_cell sheet_at(const struct sheet *s, uint32_t row, uint32_t column);

/* Makes a column wide enough for this text, though no cell has it. */
void sheet_widen(struct sheet *s, uint32_t column, const char *text);

/* Makes `needs` cover titles and least widths, too. sheet_fit does so itself; call it before only to raise `needs`
 * further. */
void sheet_measure(struct sheet *s);

/* How wide columns are and where they stand, in lines of `width` cells. */
void sheet_fit(struct sheet *s, uint32_t width);

/* A row, or SHEET_TITLES, as a line, whose text and spans the caller frees. False: out of memory, and
 * the line is empty. */
bool sheet_line(const struct sheet *s, uint32_t row, struct layout_line *line);

#endif
