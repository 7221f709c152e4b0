/* SPDX-License-Identifier: MIT */
/*
 * table: the rows of a typed table (model/table/typed_table.h) with a cursor.
 *
 * The column that gives way names the row; the one that they are sorted by stays longest. Values are asked for with the
 * look in typed_look.own.
 *
 * In a table of zones the cursor keeps its line: when rows change their order,
 * another row comes under it. Until the user moves it, it stands on the first
 * row of work. If the table follows, and in tables of other kinds, the cursor
 * keeps its row, by the row's id, and moves with it. If that row disappears,
 * the cursor keeps its line, and goes to the row when the row comes back. If
 * the caller went to a row by its id, the cursor goes to that row once more in
 * the next rows, and then keeps its line again. On a row that a search found
 * the cursor stays until the user moves it, or the table shows its top.
 * Otherwise another row could slip under Enter.
 */
#ifndef TUI_TABLE_H
#define TUI_TABLE_H

#include "model/report/zone_table.h"
#include "tui/cells/canvas.h"
#include "tui/frames/look.h"
#include "tui/widgets/commands.h"

#define TABLE_COLUMNS SHEET_COLUMNS /* at most */
#define TABLE_NAME 512

struct table {
	struct typed_table *rows;      /* owned, freed by its type; NULL: none yet */
	const struct table_type *type; /* of the rows that it had last; NULL: it had none */
	uint64_t wanted;       /* identity of the row that the cursor goes to in the next rows; 0: it stays at `at` */
	bool moved;            /* somebody has moved the cursor */
	bool follows;          /* the cursor stays on its row, whatever they are */
	bool found;            /* likewise, because a search found it */
	uint32_t at, top;      /* row of the cursor; first one in sight */
	struct table_widths widths;
	struct zone_units units; /* of reports of zones */
	struct area drawn;     /* where it was drawn last: titles, and rows below */
	char name[TABLE_NAME]; /* of the cursor's row, whole, where it was drawn cut: UTF-8, safe to show; "": it was not */
	uint32_t shown;        /* 1 << column: that found room there */
	struct layout_place places[TABLE_COLUMNS]; /* from TABLE_POINTER on */
};

#define TABLE_POINTER 2 /* cells of the `> ` in front of the row of the cursor */

void table_fini(struct table *t);

/* New rows, which the table owns from now on; NULL: none. */
void table_take(struct table *t, struct typed_table *rows);

/* The columns begin anew with their widths: another view, unit or precision. Units of columns stay while they suit. */
void table_forget_widths(struct table *t);

uint32_t table_count(const struct table *t);

/* The identity of the cursor's row, 0 where there is none. */
uint64_t table_id(const struct table *t);

/* Puts the cursor on the row with this identity, or waits for it; false: it is not there now. */
bool table_go(struct table *t, uint64_t id);

/* Puts the cursor on row number `row`, or the last one. */
void table_go_row(struct table *t, uint32_t row);

/* Whether the cursor stays on its row from now on. */
void table_follow(struct table *t, bool follows);

/* Puts the cursor into the first line, as if nobody had moved it. */
void table_home(struct table *t);

/* One of the commands that move the cursor; false: it is another one. */
bool table_command(struct table *t, enum command command);

/* Puts the cursor on the next row that matches. It searches downwards (step 1) or upwards (-1), and goes on from the
 * other end. `here`: a search begins, the row of the cursor is looked at first, and a name that is the text as a whole
 * goes before those that have it as a part; else the cursor's row is the last. False: there is none. */
bool table_search(struct table *t, const struct pattern *pattern, int step, bool here);

/* Draws titles and rows. */
void table_draw(struct table *t, const struct look *look, struct canvas *c, struct area a);

/* The thing at a place of the screen. TABLE_ROW puts the cursor there. */
enum table_hit { TABLE_NOTHING, TABLE_TITLE, TABLE_ROW, TABLE_CURSOR /* it was there already */ };
enum table_hit table_click(struct table *t, int x, int y, int *column);

/* The wheel: moves what is in sight, and the cursor with it. */
void table_scroll(struct table *t, int rows);

/* The title of a column that it can be sorted by; NULL: it is none. */
const char *table_title(const struct table *t, int column);

/* The column that it is sorted by; -1: none, or there are no rows. */
int table_sorted(const struct table *t);

/* The next column in sight to the left (step -1) or right (1) of the one that the table is sorted by, among those that
 * it can be sorted by; around the edge. -1: the table is not sorted. */
int table_beside(const struct table *t, int step);

/* The rows of a report of zones in a table. */

/* New rows, which the table owns from now on; NULL: none. */
void table_take_report(struct table *t, struct report *r);

/* The report in it; NULL: there is none, or its rows are others. */
const struct report *table_report(const struct table *t);

/* The row of the cursor, NULL where there is none, or no report. */
const struct report_row *table_row(const struct table *t);

/* Puts the cursor on the first row with this key; where there is none it stays. */
void table_go_key(struct table *t, uint32_t key);

#endif
