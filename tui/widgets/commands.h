/* SPDX-License-Identifier: MIT */
/*
 * commands: what can be done on the screen, and with which keys: one table.
 *
 * Dispatch, the help screen, the footer and the list in the manual all come from it. A key may mean one thing in the
 * table of a view and another one in the frame graph (Tab goes from one to the other).
 *
 * A new key: a command here, its row with keys and help in commands.c, and what it does in tui/app/app_keys.c.
 */
#ifndef TUI_COMMANDS_H
#define TUI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum command {
	COMMAND_NONE,
	/* moving in a table */
	COMMAND_UP,
	COMMAND_DOWN,
	COMMAND_PAGE_UP,
	COMMAND_PAGE_DOWN,
	COMMAND_FIRST,
	COMMAND_LAST,
	COMMAND_DRILL,
	COMMAND_BACK,
	COMMAND_CALLER,
	COMMAND_PATH,
	COMMAND_UNFOLD,
	COMMAND_FOLD,
	COMMAND_UNFOLD_ALL,
	/* moving among boxes */
	COMMAND_BOX_LEFT,
	COMMAND_BOX_RIGHT,
	COMMAND_BOX_LONGEST,
	COMMAND_CALL_BEFORE,
	COMMAND_CALL_AFTER,
	COMMAND_BOX_IN,
	COMMAND_BOX_OUT,
	COMMAND_BOX_WAITS,
	COMMAND_BOX_NEARER,
	COMMAND_BOX_FARTHER,
	COMMAND_BOX_FRAME,
	COMMAND_MEASURE,
	COMMAND_LANE_FOLD,
	COMMAND_LANE_FOLD_ALL,
	COMMAND_LANE_COUNTERS,
	COMMAND_LANE_HEAT,
	/* time */
	COMMAND_PAUSE,
	COMMAND_OLDER,
	COMMAND_NEWER,
	COMMAND_OLDER_10,
	COMMAND_NEWER_10,
	COMMAND_EVENT_BEFORE,
	COMMAND_EVENT_AFTER,
	COMMAND_OVER_BEFORE,
	COMMAND_OVER_AFTER,
	COMMAND_WORST,
	COMMAND_WORST_BACK,
	COMMAND_FOLLOW,
	COMMAND_GRAPH,
	COMMAND_MARK,
	COMMAND_GO_TO_MARK,
	COMMAND_BUDGET,
	COMMAND_FREEZE,
	COMMAND_WHY,
	COMMAND_WHY_BASE,
	COMMAND_SLOWEST_CALL,
	COMMAND_COMPARE,
	/* moving in the frame graph */
	COMMAND_SCRUB_LEFT,
	COMMAND_SCRUB_RIGHT,
	COMMAND_PAN_LEFT,
	COMMAND_PAN_RIGHT,
	COMMAND_ZOOM_IN,
	COMMAND_ZOOM_OUT,
	COMMAND_OLDEST,
	COMMAND_NEWEST,
	COMMAND_RANGE,
	COMMAND_SELECT_RANGE,
	/* what is shown */
	COMMAND_VIEW_SELF,
	COMMAND_VIEW_HIER,
	COMMAND_VIEW_GRAPH,
	COMMAND_VIEW_TREE,
	COMMAND_VIEW_WHY,
	COMMAND_VIEW_TIMELINE,
	COMMAND_VIEW_COUNTERS,
	COMMAND_VIEW_EVENTS,
	COMMAND_VIEW_FLAME,
	COMMAND_VIEW_WORST,
	COMMAND_VIEW_FUNCTIONS,
	COMMAND_STACKS,
	COMMAND_THREADS,
	COMMAND_THREAD_BEFORE,
	COMMAND_THREAD_AFTER,
	COMMAND_AMOUNTS,
	COMMAND_RECURSION,
	COMMAND_BY_ZONE,
	COMMAND_BOTTOM_UP,
	COMMAND_WAITS,
	COMMAND_AVERAGE,
	COMMAND_RESET,
	/* how */
	COMMAND_SORT_LEFT,
	COMMAND_SORT_RIGHT,
	COMMAND_SORT,
	COMMAND_INVERT,
	COMMAND_CURSOR, COMMAND_PIN,
	COMMAND_SEARCH,
	COMMAND_SEARCH_NEXT,
	COMMAND_SEARCH_BEFORE,
	COMMAND_FILTER,
	COMMAND_UNIT,
	COMMAND_PRECISION,
	COMMAND_OVERHEAD,
	COMMAND_LOG_AXIS,
	COMMAND_COLOURS,
	COMMAND_THEME,
	COMMAND_MOUSE,
	COMMAND_ASCII,
	COMMAND_REDRAW,
	/* the program */
	COMMAND_EDITOR,
	COMMAND_COPY_ROW,
	COMMAND_COPY_SCREEN,
	COMMAND_OUTPUT,
	COMMAND_RECORD,
	COMMAND_EXPORT,
	COMMAND_LINE,
	COMMAND_SAVE,
	COMMAND_REGIONS,
	COMMAND_HELP,
	COMMAND_QUIT,
	COMMAND_OUT,
	COMMAND_LEAVE,
	COMMANDS
};

/* In views of boxes, a key without a meaning of its own means what it does in a table. */
enum command_place { PLACE_ANY, PLACE_TABLE, PLACE_GRAPH, PLACE_BOXES };

enum command_group { COMMANDS_MOVE, COMMANDS_TIME, COMMANDS_WHAT, COMMANDS_HOW, COMMANDS_OTHER,
		     COMMAND_GROUPS };

struct command_def {
	uint32_t keys[5];   /* characters, or enum term_key; 0: no more */
	enum command_place place;
	enum command_group group;
	const char *shown;  /* the keys, as the help and the footer name them */
	const char *ascii;  /* the same in ASCII; NULL: `shown` is */
	const char *label;  /* two words, for the footer and the help of the open view; NULL: shown in neither */
	uint8_t footer;     /* importance there; 0: not in it */
	const char *help;   /* a sentence */
};

extern const struct command_def commands[COMMANDS];
extern const char *const command_group_titles[COMMAND_GROUPS];

/* The command of a key at a place, or COMMAND_NONE. */
enum command command_of_key(uint32_t key, enum command_place place);

/* The list for proftop.1. */
void commands_roff(FILE *out);

#endif
