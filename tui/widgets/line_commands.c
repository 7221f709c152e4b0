/* SPDX-License-Identifier: MIT */
#include "tui/widgets/line_commands.h"

#include <string.h>

#include "model/base/text.h"

#define NAME_MOST 16 /* bytes of a name that may be a slip of one here */
#define SLIPS 2      /* letters that may be wrong in it */

const struct line_command line_commands[] = {
	{ "view", LINE_VIEW, .value = "NAME", .help = "Open a view: self, hier, graph, tree, counters and others." },
	{ "zone", LINE_ZONE, .value = "NAME",
	  .help = "Open the call graph of a zone: name, or name@file:line if two zones have this name." },
	{ "thread", LINE_THREAD, .value = "NAME", .help = "Show a thread by its name or id, or all threads: all." },
	{ "frame", LINE_FRAME, .value = "N",
	  .help = "Go to a frame by its number. -N is N frames before the running frame. The number alone works "
	          "too." },
	{ "last", LINE_LAST, .value = "N",
	  .help = "Select the last N frames, up to the frame that is shown. All views and exports then use them, until you "
	          "press Esc or go to another frame." },
	{ "sort", LINE_SORT, .value = "COLUMN", .help = "Sort by a column." },
	{ "filter", LINE_FILTER, .value = "TEXT", .optional = true,
	  .help = "Show only zones whose name contains the text, or matches the regular expression after ~. Without "
	          "a text, show all." },
	{ "search", LINE_SEARCH, .value = "TEXT", .help = "Search for a zone, likewise." },
	{ "budget", LINE_BUDGET, .value = "TIME", .optional = true,
	  .help = "Set the frame budget, 16.7 for ms or 60fps. Without a time, switch it off." },
	{ "zoom", LINE_ZOOM, .value = "TIME", .help = "In the timeline, show this much time: 12.5ms or 2s." },
	{ "ago", LINE_AGO, .value = "TIME", .help = "In the timeline, go this far back: 3.2s." },
	{ "average", LINE_AVERAGE, .value = "SLOT",
	  .help = "Show the average now, fast, slow or run. While paused, now is the frame, and run is the whole "
	          "run." },
	{ "unit", LINE_UNIT, .value = "UNIT", .help = "Show times in auto, ms, us, ns or pct." },
	{ "precision", LINE_PRECISION, .value = "N", .optional = true,
	  .help = "Set the decimals of times, 0 to 6. Without a number, they are automatic." },
	{ "theme", LINE_THEME, .value = "NAME", .help = "Change the theme: default, high-contrast, colour-blind, terminal, mono." },
	{ "mark", LINE_MARK, .value = "LETTER", .help = "Mark the frame that is shown." },
	{ "goto", LINE_GO_TO, .value = "LETTER", .help = "Go to the frame that has the mark." },
	{ "attach", LINE_ATTACH, .value = "NAME", .optional = true,
	  .help = "Show another program, or open a recording or another file. Without a name, choose a program from a list." },
	{ "record", LINE_RECORD, .value = "FILE", .optional = true,
	  .help = "Record into a file: the history so far, and everything that follows. Without a file, stop "
	          "recording." },
	{ "export", LINE_EXPORT, .value = "KIND FILE", .optional = true,
	  .help = "Export what is shown to a file for another program, for example `chrome game.json'. Without a "
	          "kind, choose it from a list." },
	{ "pause", LINE_KEY, .command = COMMAND_PAUSE },
	{ "follow", LINE_KEY, .command = COMMAND_FOLLOW },
	{ "worst", LINE_WORST, .value = "ORDER", .optional = true,
	  .help = "Order the worst frames by length or busy time, for w and the view Worst. Without an order, do "
	          "what w does." },
	{ "why", LINE_KEY, .command = COMMAND_WHY },
	{ "base", LINE_KEY, .command = COMMAND_WHY_BASE },
	{ "freeze", LINE_KEY, .command = COMMAND_FREEZE },
	{ "compare", LINE_KEY, .command = COMMAND_COMPARE },
	{ "stacks", LINE_KEY, .command = COMMAND_STACKS },
	{ "slowest", LINE_KEY, .command = COMMAND_SLOWEST_CALL },
	{ "focus", LINE_KEY, .command = COMMAND_PATH },
	{ "amounts", LINE_KEY, .command = COMMAND_AMOUNTS },
	{ "recursion", LINE_KEY, .command = COMMAND_RECURSION },
	{ "byzone", LINE_KEY, .command = COMMAND_BY_ZONE },
	{ "waits", LINE_KEY, .command = COMMAND_WAITS },
	{ "overhead", LINE_KEY, .command = COMMAND_OVERHEAD },
	{ "invert", LINE_KEY, .command = COMMAND_INVERT },
	{ "track", LINE_KEY, .command = COMMAND_CURSOR },
	{ "pin", LINE_KEY, .command = COMMAND_PIN },
	{ "reset", LINE_KEY, .command = COMMAND_RESET },
	{ "source", LINE_KEY, .command = COMMAND_EDITOR },
	{ "copy", LINE_KEY, .command = COMMAND_COPY_ROW },
	{ "copyscreen", LINE_KEY, .command = COMMAND_COPY_SCREEN },
	{ "output", LINE_KEY, .command = COMMAND_OUTPUT },
	{ "log", LINE_KEY, .command = COMMAND_LOG_AXIS },
	{ "colours", LINE_KEY, .command = COMMAND_COLOURS },
	{ "ascii", LINE_KEY, .command = COMMAND_ASCII },
	{ "mouse", LINE_KEY, .command = COMMAND_MOUSE },
	{ "redraw", LINE_KEY, .command = COMMAND_REDRAW },
	{ "save", LINE_KEY, .command = COMMAND_SAVE },
	{ "help", LINE_KEY, .command = COMMAND_HELP },
	{ "quit", LINE_KEY, .command = COMMAND_LEAVE },
};
const size_t line_command_count = sizeof(line_commands) / sizeof(*line_commands);

const char *line_command_help(const struct line_command *c)
{
	return c->help ? c->help : commands[c->command].help;
}

const struct line_command *line_command_find(const char *name, size_t length)
{
	const struct line_command *found = NULL;
	int begin_so = 0;

	for (size_t i = 0; i < line_command_count && length; i++) {
		if (strncmp(line_commands[i].name, name, length) != 0)
			continue;
		found = &line_commands[i];
		if (!found->name[length])
			return found;
		begin_so++;
	}
	return begin_so == 1 ? found : NULL;
}

static int least_of(int a, int b)
{
	return a < b ? a : b;
}

/* Letters to change, put in or take out so that one becomes the other (Levenshtein). */
static int edit_distance(const char *a, size_t a_length, const char *b)
{
	int row[NAME_MOST + 1];
	size_t b_length = strlen(b);

	for (size_t j = 0; j <= b_length; j++)
		row[j] = (int)j;
	for (size_t i = 1; i <= a_length; i++) {
		int before = row[0];

		row[0] = (int)i;
		for (size_t j = 1; j <= b_length; j++) {
			int changed = before + (a[i - 1] != b[j - 1]);

			before = row[j];
			row[j] = least_of(changed, least_of(row[j], row[j - 1]) + 1);
		}
	}
	return row[b_length];
}

static bool is_near(const char *name, size_t length, const char *known)
{
	if (!length || !strncmp(known, name, length))
		return length;
	return length <= NAME_MOST && strlen(known) <= NAME_MOST && length > SLIPS &&
	       edit_distance(name, length, known) <= SLIPS;
}

void line_command_near(const char *name, size_t length, char *out, size_t size)
{
	*out = '\0';
	for (size_t i = 0; i < line_command_count; i++) {
		size_t used = strlen(out);

		if (is_near(name, length, line_commands[i].name))
			snprintf(out + used, size - used, "%s%s", used ? ", " : "", line_commands[i].name);
	}
}

void line_commands_roff(FILE *out)
{
	for (size_t i = 0; i < line_command_count; i++) {
		const struct line_command *c = &line_commands[i];

		fprintf(out, ".TP\n\\fB:%s\\fR", c->name);
		if (c->value)
			fprintf(out, c->optional ? " [\\fI%s\\fR]" : " \\fI%s\\fR", c->value);
		fputc('\n', out);
		roff_text(line_command_help(c), out);
		fputc('\n', out);
	}
}
