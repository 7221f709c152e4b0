/* SPDX-License-Identifier: MIT */
/*
 * canvas: a screen as cells, drawn by the views and shown by term.c.
 *
 * Coordinates are in cells, from the upper left corner, x to the right and y down. Whatever lies
 * outside of the canvas, or of the area that was given, is not drawn: no caller has to clip. A cell
 * holds one character of one or two cells and its role; what a role looks like is up to theme.h. A
 * role is never the only carrier of a meaning.
 */
#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/table/line.h"

enum role {
	ROLE_PLAIN,
	ROLE_TITLE,    /* the first line */
	ROLE_STATE,    /* in it: LIVE */
	ROLE_PAUSED,   /* in it: PAUSED, or a frame of history */
	ROLE_ALARM,    /* DEAD, losses, over the budget, an error */
	ROLE_TAB,      /* name of a view */
	ROLE_TAB_OPEN, /* of the one that is open */
	ROLE_COLUMN,   /* column title */
	ROLE_SORTED,   /* of the column that is sorted by */
	ROLE_NAME,
	ROLE_FOCUS,    /* name of the focus of a call graph */
	ROLE_NUMBER,
	ROLE_DIM,
	ROLE_BAR,      /* share, trend */
	ROLE_HEAT,     /* mark of heat; `heat` says how hot */
	ROLE_WARM,     /* name of what has that heat; likewise */
	ROLE_GRAPH,    /* bar of a frame */
	ROLE_OVER,     /* bar of a frame over the budget */
	ROLE_CHOSEN,   /* bar of the frame that is shown */
	ROLE_BUDGET,   /* the budget's line */
	ROLE_AXIS,     /* scale and time axis */
	ROLE_MARK,     /* a mark's letter */
	ROLE_STATUS,
	ROLE_KEY,      /* in the footer and the help: a key */
	ROLE_LABEL,    /* what it does */
	ROLE_PROMPT,   /* a line that is being typed */
	ROLE_FOUND,    /* what a search found */
	ROLE_PIN_1,    /* the first zone that is pinned, in the frame graph and its row; the others */
	ROLE_PIN_2,
	ROLE_PIN_3,
	ROLE_PIN_4,
	ROLE_BOX_1,    /* a box: its zone's colour, one of */
	ROLE_BOX_2,
	ROLE_BOX_3,
	ROLE_BOX_4,
	ROLE_BOX_5,
	ROLE_BOX_6,
	ROLE_BOX_PALE, /* it waits, is the root, was not searched for, or does not differ */
	ROLE_BOX_MORE, /* it takes longer than in another frame, */
	ROLE_BOX_MOST, /* by far */
	ROLE_BOX_LESS,
	ROLE_BOX_LEAST,
	ROLE_BOX_CHOSEN, /* the cursor's */
	ROLES
};

#define IN_BAR 1 /* the sign stands in a bar of its role's colour */
#define CELL_CODES 3 /* a character and two that combine with it */

struct cell {
	uint32_t codes[CELL_CODES]; /* code points; 0: none. The right half of a wide character has none */
	uint8_t role;               /* enum role */
	uint8_t heat;               /* 0 to 255, of ROLE_HEAT and ROLE_WARM. Of others: 0, or IN_BAR, or the role
				     * whose colour is behind the sign */
	uint8_t selected;           /* 1: in the row of the cursor */
	uint8_t width;              /* 1, 2; 0: right half of a wide character */
};

/* A rectangle of a canvas. */
struct area {
	int x, y, width, height;
};

struct canvas {
	int width, height;
	struct cell *cells; /* row after row */
	int cursor_x, cursor_y; /* where the terminal's cursor stands */
	bool cursor_shown;      /* as a text cursor; else it is there, for a screen reader, as the terminal can */
	bool ascii;             /* text beyond ASCII is not drawn by anybody */
};

/* False: out of memory; the canvas is as it was. All cells become blanks. */
bool canvas_resize(struct canvas *c, int width, int height);
void canvas_fini(struct canvas *c);

/* All cells blank, the cursor in the last line. */
void canvas_clear(struct canvas *c);

struct area canvas_area(const struct canvas *c);

/* The cell, or NULL outside. */
struct cell *canvas_cell(struct canvas *c, int x, int y);

/* Writes UTF-8 from (x, y) of the area on, at most to its right edge; a wide character that does not
 * fit leaves a blank. Controls are drawn as `?`: text of outside goes through name_escape before.
 * Returns the cells used. */
int canvas_text(struct canvas *c, struct area a, int x, int y, enum role role, const char *text);

/* The same for `length` bytes of it, and a heat from 0 to 1. */
int canvas_bytes(struct canvas *c, struct area a, int x, int y, enum role role, float heat,
		 const char *text, size_t length);

/* The minus sign of every number on the screen: `−`, or `-` in ASCII. */
const char *canvas_minus(bool ascii);

/* Gives the negative numbers that are drawn in the area this sign. Reports format them with a `-`. */
void canvas_fix_minus(struct canvas *c, struct area a);

/* As canvas_text; what does not fit into `cells` ends in an ellipsis (`...` in ASCII). */
int canvas_clipped(struct canvas *c, struct area a, int x, int y, int cells, enum role role,
		   const char *text);

/* The words of a text in lines of at most the area's width, from (x, y) on and then from x on.
 * Returns the line behind the last. */
int canvas_wrapped(struct canvas *c, struct area a, int x, int y, enum role role, const char *text);

/* Fills a line of the area, from x on, with one role; what is written there stays. */
void canvas_role(struct canvas *c, struct area a, int x, int y, int cells, enum role role);

/* Marks a line of the area as that of the cursor, and puts the terminal's cursor at its start. */
void canvas_select(struct canvas *c, struct area a, int y);

/* A line, its spans in the roles that belong to their style. */
void canvas_line(struct canvas *c, struct area a, int x, int y, const struct layout_line *line);

/* A frame around the area, with a title in it, and blanks inside. Returns the area inside. */
struct area canvas_box(struct canvas *c, struct area a, const char *title);

#endif
