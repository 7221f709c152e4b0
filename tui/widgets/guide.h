/* SPDX-License-Identifier: MIT */
/*
 * guide: the help. Its first page is of the open view: its keys, its columns and the legend. It fits into 80x24. The second
 * page has all keys, commands and columns, the legend and the mouse. Both are made of the tables of commands and columns, so
 * they list what there is.
 *
 * The help can be searched. What is found is an entry: a key, a column or a sign with its text.
 */
#ifndef TUI_GUIDE_H
#define TUI_GUIDE_H

#include "model/base/pattern.h"
#include "tui/cells/fields.h"
#include "tui/widgets/commands.h"
#include "tui/widgets/prompt.h"
#include "tui/widgets/table.h"

/* A column, and what is in it. */
struct column_help {
	const char *title, *help;
};

/* The part of the help that belongs to the open view: borrowed, but for the keys. */
struct guide_about {
	const char *view, *what; /* its name, and a sentence; NULL: there is none */
	struct fields keys;      /* that do something in it */
	struct column_help columns[TABLE_COLUMNS];
	int column_count;
	bool has_heat, has_bars, has_rows; /* names are coloured; there is a frame graph; rows are zones */
};

struct guide {
	bool open;
	bool all; /* the second page is shown */
	struct guide_about about;
	int top;  /* line in sight first */
	int most; /* the last that can be that */
	int page; /* lines that PgDn goes on */
	char find[PROMPT_SIZE]; /* what was searched for; "": nothing */
	struct pattern pattern; /* the same */
	int found, at; /* entries that have it; the one that was gone to, from 1 */
	bool seeks;    /* at the next draw it goes to `at`; where that is 0, to the first one from `top` on */
	struct presses footer;
};

/* Moves, or closes it; false: the command is not for it. */
bool guide_command(struct guide *g, enum command command);

/* Looks for a text from what is in sight on. False: it is no expression, and `why` says so. */
bool guide_search(struct guide *g, const char *text, char *why, size_t why_size);

void guide_draw(struct guide *g, struct canvas *c, struct area a);
void guide_fini(struct guide *g);

#endif
