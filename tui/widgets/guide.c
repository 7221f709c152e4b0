/* SPDX-License-Identifier: MIT */
#include "tui/widgets/guide.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/widgets/line_commands.h"

#define KEY_CELLS 19 /* of the first column, where there is room */
#define LEAST_TEXT 24
#define FOOTER_FROM 4 /* lines, from where on one of them says how to leave */

#define FOUND_MOST 256
#define PIECES_APART 2 /* cells between two keys, or two colours, of a line */

/* A pen that goes down the page; lines outside of what is in sight are only counted. */
struct page {
	struct canvas *c;
	struct area a;
	int y; /* below the top of what is in sight; negative above */
	int keys; /* cells of the first column */
	const struct pattern *pattern; /* NULL: nothing is searched for */
	int at;                        /* the entry that was gone to */
	int found[FOUND_MOST], found_count; /* lines of those that have it */
};

static void put(struct page *p, int x, enum role role, const char *text, size_t length)
{
	if (p->y >= 0)
		canvas_bytes(p->c, p->a, x, p->y, role, 0, text, length);
}

/* An entry that has what is searched for: it stands out, also without colours where it is the one that was gone to. */
static bool note_found(struct page *p, const char *key, const char *text)
{
	bool has = p->pattern && (pattern_matches(p->pattern, key) || pattern_matches(p->pattern, text));

	if (!has || p->found_count == FOUND_MOST)
		return has;
	p->found[p->found_count++] = p->y;
	if (p->found_count == p->at)
		put(p, 0, ROLE_KEY, ">", 1);
	return has;
}

static void put_entry(struct page *p, const char *key, const char *text)
{
	bool found = note_found(p, key, text);

	put(p, 1, found ? ROLE_FOUND : ROLE_KEY, key, strlen(key));
	if ((int)text_width(key) + 2 > p->keys)
		p->y++;
	p->y = canvas_wrapped(p->c, p->a, p->keys, p->y, ROLE_PLAIN, text);
}

/* The first sentence of the text: the whole of it stands further down. */
static void put_brief(struct page *p, const char *key, const char *text)
{
	const char *end = text;
	char brief[256];

	while ((end = strstr(end, ". ")) && !isupper((unsigned char)end[2]))
		end += 2;
	snprintf(brief, sizeof(brief), "%.*s", end ? (int)(end - text) + 1 : (int)strlen(text), text);
	put_entry(p, key, brief);
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
		{ "main busy", NULL, "In the title: a frame of the frame thread, here main, without declared waits." },
		{ "2.3 cores", NULL, "In the title: time in zones that do not wait, over all threads, by elapsed time. It is "
				     "what zones declare, not CPU time." },
	};

	put_heading(p, "Signs");
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		put_entry(p, ascii && signs[i].ascii ? signs[i].ascii : signs[i].shown, signs[i].help);
}

/* Colours */

struct colour {
	enum role role;
	float heat;
	const char *sample, *ascii;
	const char *help;
};

static const struct colour heats[] = {
	{ ROLE_WARM, 0.3f, "zone", NULL, "a little restless, as HEAT says" },
	{ ROLE_WARM, 0.6f, "zone", NULL, "more" },
	{ ROLE_WARM, 1, "zone", NULL, "most" },
};

static const struct colour bars[] = {
	{ ROLE_GRAPH, 0, "▆", "#", "a frame," },
	{ ROLE_DIM, 0, "▆", ":", "what waits, or may, or still runs" },
	{ ROLE_OVER, 0, "▆", "#", "one over the budget" },
	{ ROLE_CHOSEN, 0, "▆", "#", "the one that is shown" },
	{ ROLE_PIN_1, 0, "1", NULL, "to" },
	{ ROLE_PIN_4, 0, "4", NULL, "zones that are pinned" },
};

static const struct colour others[] = {
	{ ROLE_DIM, 0, "zone", NULL, "it waits, or is in no zone" },
	{ ROLE_SORTED, 0, "TITLE▼", "TITLE v", "rows are sorted by it" },
	{ ROLE_FOUND, 0, "name", NULL, "it was searched for" },
	{ ROLE_PAUSED, 0, "PAUSED", NULL, "not now, or not all" },
	{ ROLE_ALARM, 0, "lost 3", NULL, "what asks for a look" },
};

static const char *sample_of(const struct page *p, const struct colour *c)
{
	return p->c->ascii && c->ascii ? c->ascii : c->sample;
}

static int colour_cells(const struct page *p, const struct colour *c)
{
	return (int)(text_width(sample_of(p, c)) + text_width(c->help)) + 1;
}

/* One behind the other, as many as a line has room for. Returns where it ended. */
static int put_colours(struct page *p, int x, const struct colour *colours, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *sample = sample_of(p, &colours[i]);
		int cells = colour_cells(p, &colours[i]);
		bool goes_on = colours[i].role == ROLE_PIN_1; /* `1 to 4` is one */
		int needs = cells + (goes_on ? PIECES_APART + colour_cells(p, &colours[i + 1]) : 0);

		if (x > 1 && x + needs > p->a.width) {
			x = 1;
			p->y++;
		}
		canvas_bytes(p->c, p->a, x, p->y, colours[i].role, colours[i].heat, sample, strlen(sample));
		p->y = canvas_wrapped(p->c, p->a, x + (int)text_width(sample) + 1, p->y, ROLE_LABEL, colours[i].help) - 1;
		x += cells + PIECES_APART;
	}
	return x;
}

static void put_all_colours(struct page *p, bool with_heats, bool with_bars)
{
	int x = 1;

	if (with_heats)
		x = put_colours(p, x, heats, sizeof(heats) / sizeof(*heats));
	if (with_bars)
		x = put_colours(p, x, bars, sizeof(bars) / sizeof(*bars));
	put_colours(p, x, others, sizeof(others) / sizeof(*others));
	p->y++;
}

static void put_mouse(struct page *p)
{
	static const struct column_help places[] = {
		{ "a row", "A click puts the cursor there; on the row of the cursor it does what Enter does." },
		{ "a title", "Sorts by the column; once more: the other way." },
		{ "a tab", "Opens the view." },
		{ "behind tabs", "The thread: the list of threads. The average, the filter, the path: as their keys." },
		{ "a bar", "Pauses at that frame, the longest of its column. A drag selects the frames between: all views show them." },
		{ "the last line", "A click on a key presses it." },
		{ "a list", "A click chooses; beside the list, it closes." },
		{ "the wheel", "Scrolls rows, lists and this help; over the frame graph it zooms." },
		{ "Shift", "While it is held, most terminals keep the mouse for their own selection. M leaves it to them." },
	};

	put_heading(p, "Mouse");
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		put_entry(p, places[i].title, places[i].help);
}

/* The open view */

static void put_keys(struct page *p, const struct fields *keys)
{
	int width = 0, x = 1;

	for (int i = 0; i < keys->count; i++)
		if ((int)text_width(keys->fields[i].text) > width)
			width = (int)text_width(keys->fields[i].text);
	for (int i = 0; i < keys->count; i++) {
		const struct line_field *f = &keys->fields[i];

		if (x > 1 && x + width > p->a.width) {
			x = 1;
			p->y++;
		}
		if (p->y >= 0) {
			int used = canvas_bytes(p->c, p->a, x, p->y, ROLE_KEY, 0, f->text, f->key);

			canvas_text(p->c, p->a, x + used, p->y, ROLE_LABEL, f->text + f->key);
		}
		x += width + PIECES_APART;
	}
	p->y += keys->count > 0;
}

static int at_least(int a, int b)
{
	return a > b ? a : b;
}

static void put_about(struct page *p, const struct guide_about *about)
{
	int keys = p->keys, widest = 0;

	if (about->what)
		p->y = canvas_wrapped(p->c, p->a, 1, p->y, ROLE_PLAIN, about->what);
	put_keys(p, &about->keys);
	for (int i = 0; i < about->column_count; i++)
		widest = at_least(widest, (int)text_width(about->columns[i].title) + 3);
	p->keys = widest < keys ? widest : keys;
	for (int i = 0; i < about->column_count; i++)
		put_brief(p, about->columns[i].title, about->columns[i].help);
	p->keys = keys;
	put_all_colours(p, about->has_heat, about->has_bars);
}

/* Draws all of it from line `y` of the area on; p->y is the line behind it then. */
static void put_all(struct page *p, const struct guide *g, struct canvas *c, struct area a, int y)
{
	char title[128] = "proftop: keys, columns and signs";

	*p = (struct page){ .c = c, .a = a, .keys = a.width >= KEY_CELLS + LEAST_TEXT ? KEY_CELLS : 3,
			    .pattern = *g->find ? &g->pattern : NULL, .at = g->at };
	if (g->about.view)
		snprintf(title, sizeof(title), "proftop: keys, columns and signs; first those of %s", g->about.view);
	p->y = canvas_wrapped(c, a, 0, y, ROLE_TITLE, title);
	if (g->about.view)
		put_about(p, &g->about);
	put_commands(p, c->ascii);
	put_lines(p);
	put_columns(p);
	put_signs(p, c->ascii);
	put_heading(p, "Colours (none is the only sign of anything)");
	put_all_colours(p, true, true);
	put_mouse(p);
}

/* Searching */

bool guide_search(struct guide *g, const char *text, char *why, size_t why_size)
{
	struct pattern pattern;
	char copy[PROMPT_SIZE];

	snprintf(copy, sizeof(copy), "%s", text);
	if (!pattern_init(&pattern, copy, why, why_size))
		return false;
	pattern_fini(&pattern);
	pattern_fini(&g->pattern);
	memcpy(g->find, copy, sizeof(g->find));
	pattern_init(&g->pattern, g->find, why, why_size); /* it keeps g->find */
	g->at = 0;
	g->seeks = *g->find;
	return true;
}

static void step_found(struct guide *g, int step)
{
	if (!g->found)
		return;
	g->at = (g->at + step - 1 + g->found) % g->found + 1;
	g->seeks = true;
}

/* Brings the entry that was gone to into sight, with what is above it. `page` was drawn from line 0 on. */
static void seek(struct guide *g, const struct page *page, int height)
{
	int line;

	if (g->seeks && !g->at)
		for (g->at = 1; g->at < page->found_count && page->found[g->at - 1] < g->top; g->at++)
			;
	if (g->at > page->found_count)
		g->at = page->found_count;
	if (g->seeks && g->at) {
		line = page->found[g->at - 1];
		if (line < g->top || line >= g->top + height)
			g->top = line - height / 3;
	}
	g->seeks = false;
	g->found = page->found_count;
}

void guide_fini(struct guide *g)
{
	pattern_fini(&g->pattern);
	*g = (struct guide){ 0 };
}

/* How far one is, and the way out. */
static void put_footer(struct guide *g, struct canvas *c, struct area a)
{
	struct fields f = { .gap = 2 };

	fields_add_key(&f, 7, "q", "Back");
	fields_press(&f, 'q');
	if (g->top < g->most) {
		fields_add_key(&f, 6, "PgDn", "More");
		fields_press(&f, TERM_PAGE_DOWN);
	}
	if (g->top) {
		fields_add_key(&f, 3, "PgUp", "Back up");
		fields_press(&f, TERM_PAGE_UP);
	}
	fields_add_key(&f, 4, "/", "Search");
	fields_press(&f, '/');
	if (g->found) {
		fields_add_key(&f, 5, "n", "Next");
		fields_press(&f, 'n');
	}
	if (*g->find)
		fields_add(&f, g->found ? ROLE_LABEL : ROLE_ALARM, 5, g->found ? "%d/%d" : "not found", g->at, g->found);
	fields_draw_presses(&f, c, a, 0, &g->footer);
}

void guide_draw(struct guide *g, struct canvas *c, struct area a)
{
	struct area nothing, footer = { a.x, a.y, a.width, 0 };
	struct page page;

	if (a.height >= FOOTER_FROM) {
		a.height--;
		footer = (struct area){ a.x, a.y + a.height, a.width, 1 };
	}
	nothing = (struct area){ a.x, a.y, a.width, 0 };
	g->page = a.height > 1 ? a.height - 1 : 1;
	put_all(&page, g, c, nothing, 0);
	g->most = page.y - a.height;
	seek(g, &page, a.height);
	if (g->most < 0)
		g->most = 0;
	if (g->top > g->most)
		g->top = g->most;
	if (g->top < 0)
		g->top = 0;
	put_all(&page, g, c, a, -g->top);
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
	case COMMAND_PIN: /* Space, as in less */
	case COMMAND_PAGE_DOWN:
		g->top += g->top < INT_MAX - g->page ? g->page : 0;
		break;
	case COMMAND_FIRST:
		g->top = 0;
		break;
	case COMMAND_LAST:
		g->top = INT_MAX; /* likewise: it may not have been drawn yet */
		break;
	case COMMAND_SEARCH_NEXT:
		step_found(g, 1);
		break;
	case COMMAND_SEARCH_BEFORE:
		step_found(g, -1);
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
