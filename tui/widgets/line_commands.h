/* SPDX-License-Identifier: MIT */
/*
 * line_commands: what can be typed behind `:`: commands by their names, some with a value: one table.
 *
 * Most of them do what a key does, and their help is that of the key (commands.h). A name may be shortened as long as
 * no other command begins so. Dispatch, completion, the help screen and the list in the manual come from the table.
 */
#ifndef TUI_LINE_COMMANDS_H
#define TUI_LINE_COMMANDS_H

#include "tui/widgets/commands.h"

/* The action of a typed command: that of a key, or one with a value. */
enum line_act {
	LINE_KEY,
	LINE_VIEW,
	LINE_SORT,
	LINE_FILTER,
	LINE_SEARCH,
	LINE_FRAME,
	LINE_LAST,
	LINE_ZONE,
	LINE_THREAD,
	LINE_BUDGET,
	LINE_WORST,
	LINE_ZOOM,
	LINE_AGO,
	LINE_AVERAGE,
	LINE_UNIT,
	LINE_PRECISION,
	LINE_THEME,
	LINE_MARK,
	LINE_GO_TO,
	LINE_ATTACH,
	LINE_RECORD,
	LINE_EXPORT,
	LINE_ACTS
};

struct line_command {
	const char *name;
	enum line_act act;
	enum command command; /* LINE_KEY */
	const char *value;    /* as the help names it; NULL: it has none */
	bool optional;        /* the value */
	const char *help;     /* a sentence; NULL: that of the key */
};

extern const struct line_command line_commands[];
extern const size_t line_command_count;

const char *line_command_help(const struct line_command *c);

/* The command of this name, or that this is the beginning of, `length` bytes; NULL: there is none, or several
 * begin so. */
const struct line_command *line_command_find(const char *name, size_t length);

/* Names that somebody may have meant, separated by `, `; "": none is near. */
void line_command_near(const char *name, size_t length, char *out, size_t size);

/* The list for proftop.1. */
void line_commands_roff(FILE *out);

#endif
