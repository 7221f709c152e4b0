/* SPDX-License-Identifier: MIT */
#include "tui/widgets/guide.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/cells/fields.h"
#include "tui/widgets/line_commands.h"

#define KEY_CELLS 18 /* of the first column, where there is room */
#define LEAST_TEXT 24
#define FOOTER_FROM 4 /* lines, from where on one of them says how to leave */

/* A pen that goes down the page; lines outside of what is in sight are only counted. */
struct page {
	struct canvas *c;
	struct area a;
	int y; /* below the top of what is in sight; negative above */
	int keys; /* cells of the first column */
};

static void put(struct page *p, int x, enum role role, const char *text, size_t length)
{
	if (p->y >= 0)
		canvas_bytes(p->c, p->a, x, p->y, role, 0, text, length);
}

static void put_entry(struct page *p, const char *key, const char *text)
{
	put(p, 1, ROLE_KEY, key, strlen(key));
	if ((int)text_width(key) + 2 > p->keys)
		p->y++;
	p->y = canvas_wrapped(p->c, p->a, p->keys, p->y, ROLE_PLAIN, text);
}

static void put_heading(struct page *p, const char *text)
{
	p->y++;
	put(p, 0, ROLE_COLUMN, text, strlen(text));
	p->y++;
}

static void put_commands(struct page *p, bool ascii)
{
	for (enum command_group g = 0; g < COMMAND_GROUPS; g++) {
		put_heading(p, command_group_titles[g]);
		for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++)
			if (commands[c].group == g)
				put_entry(p, ascii && commands[c].ascii ? commands[c].ascii
									: commands[c].shown,
					  commands[c].help);
	}
}

static void put_lines(struct page *p)
{
	put_heading(p, "Typed behind :");
	for (size_t i = 0; i < line_command_count; i++) {
		const struct line_command *c = &line_commands[i];
		char name[64];

		snprintf(name, sizeof(name), "%s%s%s", c->name, c->value ? " " : "", c->value ? c->value : "");
		put_entry(p, name, line_command_help(c));
	}
}

static void put_columns(struct page *p)
{
	put_heading(p, "Columns");
	for (enum column c = 0; c < COLUMNS; c++)
		put_entry(p, report_columns[c].title, report_columns[c].help);
}

static void put_signs(struct page *p, bool ascii)
{
	static const struct {
		const char *shown, *ascii, *help;
	} signs[] = {
		{ "+ zone", NULL, "It calls other zones; in the tree, it is folded." },
		{ "- zone", NULL, "The zone that a call graph is of; in the tree, it is unfolded." },
		{ ". - # ##", NULL, "Heat: how restless the zone is. Of a frame of history: how far it is from "
				    "what is usual for the zone." },
		{ "count *", NULL, "More than a tenth of the zone's time is what measuring it takes." },
		{ "!", NULL, "In the frame graph: higher than the scale." },
		{ "x", NULL, "In the frame graph: a frame that the program discarded." },
		{ "◆ ◇", "* +", "Below the frame graph: a note, and an event." },
		{ "▲ a to z", "^ a to z", "There, too: the frame that is shown, and frames with a mark." },
	};

	put_heading(p, "Signs");
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		put_entry(p, ascii && signs[i].ascii ? signs[i].ascii : signs[i].shown, signs[i].help);
}

/* Draws all of it from line `y` of the area on, and returns the line behind it. */
static int put_all(struct canvas *c, struct area a, int y)
{
	struct page p = { c, a, y, a.width >= KEY_CELLS + LEAST_TEXT ? KEY_CELLS : 3 };

	p.y = canvas_wrapped(c, a, 0, y, ROLE_TITLE, "proftop: keys, columns and signs");
	put_commands(&p, c->ascii);
	put_lines(&p);
	put_columns(&p);
	put_signs(&p, c->ascii);
	return p.y;
}

/* How far one is, and the way out. */
static void put_footer(const struct guide *g, struct canvas *c, struct area a)
{
	struct fields f = { .gap = 2 };

	fields_add_key(&f, 3, "q", "Back");
	if (g->top < g->most)
		fields_add_key(&f, 2, "PgDn", "More");
	if (g->top)
		fields_add_key(&f, 1, "PgUp", "Back up");
	fields_draw(&f, c, a, 0);
}

void guide_draw(struct guide *g, struct canvas *c, struct area a)
{
	struct area nothing = { a.x, a.y, a.width, 0 }, footer = nothing;

	if (a.height >= FOOTER_FROM) {
		a.height--;
		footer = (struct area){ a.x, a.y + a.height, a.width, 1 };
	}
	g->page = a.height > 1 ? a.height - 1 : 1;
	g->most = put_all(c, nothing, 0) - a.height;
	if (g->most < 0)
		g->most = 0;
	if (g->top > g->most)
		g->top = g->most;
	if (g->top < 0)
		g->top = 0;
	put_all(c, a, -g->top);
	put_footer(g, c, footer);
	c->cursor_x = a.x;
	c->cursor_y = a.y;
}

bool guide_command(struct guide *g, enum command command)
{
	switch (command) {
	case COMMAND_UP:
		g->top--;
		break;
	case COMMAND_DOWN:
		g->top += g->top < INT_MAX; /* guide_draw knows where it ends */
		break;
	case COMMAND_PAGE_UP:
		g->top -= g->page;
		break;
	case COMMAND_PAGE_DOWN:
		g->top += g->top < INT_MAX - g->page ? g->page : 0;
		break;
	case COMMAND_FIRST:
		g->top = 0;
		break;
	case COMMAND_LAST:
		g->top = INT_MAX; /* likewise: it may not have been drawn yet */
		break;
	case COMMAND_HELP:
	case COMMAND_QUIT:
	case COMMAND_OUT:
	case COMMAND_BACK:
		g->open = false;
		g->top = 0;
		break;
	default:
		return false;
	}
	if (g->top < 0)
		g->top = 0;
	return true;
}
