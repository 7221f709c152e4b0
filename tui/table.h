/* SPDX-License-Identifier: MIT */
/*
 * table: the rows of a report with a cursor.
 *
 * The cursor belongs to a zone: when rows are made anew, sorted otherwise or filtered, it goes where
 * the zone goes; where the zone is not there it waits in its line for it to come back. As long as
 * nobody has moved it, it stays in the line where it is.
 */
#ifndef TUI_TABLE_H
#define TUI_TABLE_H

#include "model/layout.h"
#include "tui/canvas.h"
#include "tui/commands.h"
#include "tui/look.h"

struct table {
	struct report *report; /* owned; NULL: none yet */
	uint64_t wanted;       /* identity of the cursor's row; 0: the one at `at` */
	uint32_t at, top;      /* row of the cursor; first one in sight */
	struct layout_widths widths;
	int widths_of; /* width of the area that they are for */
	struct area drawn;     /* where it was drawn last: titles, and rows below */
	uint32_t shown;        /* 1 << column: that found room there */
	struct layout_place places[COLUMNS];
};

void table_fini(struct table *t);

/* New rows, which the table owns from now on. */
void table_take(struct table *t, struct report *r);

/* The columns begin anew with their widths: another view, unit or precision. */
void table_forget_widths(struct table *t);

uint32_t table_count(const struct table *t);

/* The row of the cursor, NULL where there is none. */
const struct report_row *table_row(const struct table *t);

/* Puts the cursor on the row with this identity, or waits for it; false: it is not there now. */
bool table_go(struct table *t, uint64_t id);

/* Puts the cursor on the first row with this key; where there is none it stays. */
void table_go_key(struct table *t, uint32_t key);

/* The cursor is nobody's, in the first line. */
void table_home(struct table *t);

/* One of the commands that move the cursor; false: it is another one. */
bool table_command(struct table *t, enum command command);

/* The next row that matches, in steps of 1 or -1, from the cursor's on if `here`, else from the one
 * behind it, around the end. False: there is none. */
bool table_search(struct table *t, const struct pattern *pattern, int step, bool here);

/* Draws titles and rows. */
void table_draw(struct table *t, const struct look *look, struct canvas *c, struct area a);

/* What lies at a place of the screen. TABLE_ROW puts the cursor there. */
enum table_hit { TABLE_NOTHING, TABLE_TITLE, TABLE_ROW, TABLE_CURSOR /* it was there already */ };
enum table_hit table_click(struct table *t, int x, int y, enum column *column);

/* The wheel: moves what is in sight, and the cursor with it. */
void table_scroll(struct table *t, int rows);

/* The column that is shown to the left (-1) or right (1) of one. */
enum column table_beside(const struct table *t, enum column column, int step);

#endif
