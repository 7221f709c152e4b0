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

static int at_least(int a, int b)
{
	return a > b ? a : b;
}

static void put_words(struct page *p, int x, enum role role, const char *text, size_t length)
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
		put_words(p, 0, ROLE_KEY, ">", 1);
	return has;
}

static void put_entry(struct page *p, const char *key, const char *text)
{
	bool found = note_found(p, key, text);

	put_words(p, 1, found ? ROLE_FOUND : ROLE_KEY, key, strlen(key));
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
	put_words(p, 0, ROLE_COLUMN, text, strlen(text));
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
	put_heading(p, "Commands typed after :");
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

/* The legend */

enum { LEGEND_HEAT = 1, LEGEND_BARS = 2, LEGEND_ROWS = 4, LEGEND_REST = 8 /* in the whole legend only */, LEGEND_ALL = 15 };

/* The meaning of a mark or a colour. */
static const struct sign {
	unsigned of; /* LEGEND_*: the views that have it; 0: all */
	enum role role;
	float heat;
	const char *sample, *ascii, *help;
} signs[] = {
	{ LEGEND_ROWS, ROLE_NAME, 0, "+ zone", NULL, "it calls others" },
	{ LEGEND_ROWS, ROLE_NAME, 0, "- zone", NULL, "focus, or unfolded" },
	{ LEGEND_ROWS, ROLE_NUMBER, 0, "9 *", NULL, ">10 % is profiling" },
	{ LEGEND_HEAT, ROLE_WARM, 0.3f, "zone", NULL, "varies a little" },
	{ LEGEND_HEAT, ROLE_WARM, 1, "zone", NULL, "varies much" },
	{ LEGEND_HEAT, ROLE_NUMBER, 0, ".-# ##", NULL, "HEAT, low to high" },
	{ 0, ROLE_DIM, 0, "zone", NULL, "waits, or no zone" },
	{ 0, ROLE_SORTED, 0, "TITLE▼", "TITLE v", "sorted by it" },
	{ 0, ROLE_FOUND, 0, "name", NULL, "search match" },
	{ LEGEND_BARS, ROLE_GRAPH, 0, "▆", "#", "frame" },
	{ LEGEND_BARS, ROLE_DIM, 0, "▆", ":", "waits, unfinished" },
	{ LEGEND_BARS, ROLE_BUDGET, 0, "▒", "%", "off CPU" },
	{ LEGEND_BARS, ROLE_OVER, 0, "▆", "#", "over the budget" },
	{ LEGEND_BARS, ROLE_PIN_1, 0, "1", NULL, "pinned (1 to 4)" },
	{ LEGEND_BARS, ROLE_OVER, 0, "!", NULL, "off the scale" },
	{ LEGEND_BARS, ROLE_GRAPH, 0, "x", NULL, "discarded frame" },
	{ LEGEND_BARS, ROLE_MARK, 0, "◆ ◇", "* +", "note, event" },
	{ LEGEND_BARS, ROLE_CHOSEN, 0, "▲ a", "^ a", "shown, marked" },
	{ LEGEND_REST, ROLE_CHOSEN, 0, "▆", "#", "shown frame" },
	{ LEGEND_REST, ROLE_PAUSED, 0, "PAUSED", NULL, "paused or partial" },
	{ LEGEND_REST, ROLE_ALARM, 0, "lost 3", NULL, "warning" },
};
#define SIGNS (sizeof(signs) / sizeof(*signs))

static const char *sample_of(const struct page *p, const struct sign *s)
{
	return p->c->ascii && s->ascii ? s->ascii : s->sample;
}

/* A table: as many pairs of a sign and its meaning side by side as the line has space for. */
static void put_legend(struct page *p, unsigned of)
{
	int sample_cells = 0, cells = 0, columns, column = 0;

	for (size_t i = 0; i < SIGNS; i++)
		sample_cells = at_least(sample_cells, (int)text_width(sample_of(p, &signs[i])) + 1);
	for (size_t i = 0; i < SIGNS; i++)
		cells = at_least(cells, sample_cells + (int)text_width(signs[i].help));
	columns = at_least((p->a.width - 1 + PIECES_APART) / (cells + PIECES_APART), 1);
	for (size_t i = 0; i < SIGNS; i++) {
		const struct sign *s = &signs[i];
		int x = 1 + column * (cells + PIECES_APART);

		if (s->of && !(s->of & of))
			continue;
		if (note_found(p, sample_of(p, s), s->help))
			put_words(p, x + sample_cells, ROLE_FOUND, s->help, strlen(s->help));
		else
			put_words(p, x + sample_cells, ROLE_LABEL, s->help, strlen(s->help));
		if (p->y >= 0)
			canvas_bytes(p->c, p->a, x, p->y, s->role, s->heat, sample_of(p, s), strlen(sample_of(p, s)));
		column = (column + 1) % columns;
		p->y += !column;
	}
	p->y += column > 0;
}

static void put_title(struct page *p)
{
	static const struct column_help terms[] = {
		{ "main busy", "Length of a frame of the frame thread, here main, without declared waits." },
		{ "2.3 cores", "CPU time of all threads by elapsed time. If it is not known: time in zones that do not wait." },
	};

	put_heading(p, "Title");
	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++)
		put_entry(p, terms[i].title, terms[i].help);
}

static void put_mouse(struct page *p)
{
	static const struct column_help places[] = {
		{ "row", "Click to select it. Click it again to do what Enter does." },
		{ "column title", "Click to sort by the column. Click it again to reverse the order." },
		{ "tab", "Click to open the view." },
		{ "right of the tabs", "Click the thread, average, filter or path to do what its key does." },
		{ "bar of a frame", "Click to pause at this frame. Drag to select a range." },
		{ "last line", "Click a key to press it." },
		{ "list", "Click an entry to choose it. Click outside to close the list." },
		{ "wheel", "Scroll rows, lists and this help. Over the frame graph, zoom." },
		{ "Shift", "Hold Shift to select text with the terminal. M switches the mouse off." },
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
	put_legend(p, (about->has_heat ? LEGEND_HEAT : 0) | (about->has_bars ? LEGEND_BARS : 0) | (about->has_rows ? LEGEND_ROWS : 0));
}

/* The page of the open view is shown; else that of all keys. */
static bool is_of_view(const struct guide *g)
{
	return g->about.view && !g->all;
}

/* Draws all of it from line `y` of the area on; p->y is the line behind it then. */
static void put_all(struct page *p, const struct guide *g, struct canvas *c, struct area a, int y)
{
	char title[128] = "Help: all keys, commands and columns";

	*p = (struct page){ .c = c, .a = a, .keys = a.width >= KEY_CELLS + LEAST_TEXT ? KEY_CELLS : 3,
			    .pattern = *g->find ? &g->pattern : NULL, .at = g->at };
	if (is_of_view(g))
		snprintf(title, sizeof(title), "Help: %s", g->about.view);
	p->y = canvas_wrapped(c, a, 0, y, ROLE_TITLE, title);
	if (is_of_view(g)) {
		put_about(p, &g->about);
		return;
	}
	put_commands(p, c->ascii);
	put_lines(p);
	put_columns(p);
	put_heading(p, "Legend (colour is never the only sign)");
	put_legend(p, LEGEND_ALL);
	put_title(p);
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
	g->all |= *g->find; /* a search is of all that there is */
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
static void seek_page(struct guide *g, const struct page *page, int height)
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

	fields_add_key(&f, 7, "q", "Close");
	fields_press(&f, 'q');
	if (is_of_view(g)) {
		fields_add_key(&f, 6, "?", "All keys");
		fields_press(&f, '?');
	}
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
	seek_page(g, &page, a.height);
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
		g->open = is_of_view(g);
		g->all = true;
		g->top = 0;
		break;
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
