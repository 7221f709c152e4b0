/* SPDX-License-Identifier: MIT */
/*
 * canvas: a grid of cells. Every change of a cell goes through put(), which keeps wide characters
 * whole: whoever overwrites one half of it blanks the other.
 */
#include "tui/cells/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

static const struct cell blank = { .codes = { ' ' }, .width = 1 };

/* The grid */

bool canvas_resize(struct canvas *c, int width, int height)
{
	size_t columns = width > 0 ? (size_t)width : 0, lines = height > 0 ? (size_t)height : 0;
	struct cell *cells = NULL;

	/* One more than there are, so that none is no special case. */
	if (!lines || columns <= (SIZE_MAX / sizeof(*cells) - 1) / lines)
		cells = malloc((columns * lines + 1) * sizeof(*cells));
	if (!cells)
		return false;
	free(c->cells);
	c->cells = cells;
	c->width = (int)columns;
	c->height = (int)lines;
	canvas_clear(c);
	return true;
}

void canvas_fini(struct canvas *c)
{
	free(c->cells);
	*c = (struct canvas){ 0 };
}

void canvas_clear(struct canvas *c)
{
	size_t count = (size_t)c->width * (size_t)c->height;

	for (size_t i = 0; i < count; i++)
		c->cells[i] = blank;
	c->cursor_x = 0;
	c->cursor_y = c->height > 0 ? c->height - 1 : 0;
	c->cursor_shown = false;
}

struct area canvas_area(const struct canvas *c)
{
	return (struct area){ .width = c->width, .height = c->height };
}

struct cell *canvas_cell(struct canvas *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->width || y >= c->height)
		return NULL;
	return &c->cells[(size_t)y * (size_t)c->width + (size_t)x];
}

/* The cell at (x, y) of the area, NULL outside of either. */
static struct cell *cell_in(struct canvas *c, struct area a, int x, int y)
{
	if (x < 0 || y < 0 || x >= a.width || y >= a.height)
		return NULL;
	return canvas_cell(c, a.x + x, a.y + y);
}

static void wipe_cell(struct cell *cell)
{
	cell->codes[0] = ' ';
	cell->codes[1] = cell->codes[2] = 0;
	cell->width = 1;
}

/* Characters */

/* The state while text is drawn. */
struct brush {
	struct canvas *c;
	struct area a;
	int x, y;
	uint8_t role, heat;
};

/* Writes a cell; the other half of a wide character that stood there becomes a blank. */
static void put_code(const struct brush *p, int x, uint32_t code, int width)
{
	struct cell *cell = cell_in(p->c, p->a, x, p->y), *other;

	if (!cell)
		return;
	if (cell->width != 1) {
		other = canvas_cell(p->c, p->a.x + x + (cell->width ? 1 : -1), p->a.y + p->y);
		if (other && other->width != 1)
			wipe_cell(other);
	}
	cell->codes[0] = code;
	cell->codes[1] = cell->codes[2] = 0;
	cell->width = (uint8_t)width;
	cell->role = p->role;
	cell->heat = p->heat;
}

/* Only where both halves are inside; else a blank in the half that is. */
static void put_wide(const struct brush *p, int x, uint32_t code)
{
	if (!cell_in(p->c, p->a, x, p->y) || !cell_in(p->c, p->a, x + 1, p->y)) {
		put_code(p, x, ' ', 1);
		put_code(p, x + 1, ' ', 1);
		return;
	}
	put_code(p, x, ' ', 1);
	put_code(p, x + 1, 0, 0);
	put_code(p, x, code, 2);
}

/* Adds it to the character before; where there are too many of them already, it is left out. */
static void combine_code(const struct brush *p, uint32_t code)
{
	struct cell *cell = cell_in(p->c, p->a, p->x - 1, p->y);

	if (cell && !cell->width)
		cell = cell_in(p->c, p->a, p->x - 2, p->y);
	if (!cell || p->c->ascii)
		return;
	for (int i = 1; i < CELL_CODES; i++) {
		if (!cell->codes[i]) {
			cell->codes[i] = code;
			return;
		}
	}
}

/* ASCII that can be seen, lines and blocks: of one cell, and nearly all that is drawn. */
static bool is_simple(uint32_t code)
{
	return (code >= 0x20 && code < 0x7F) || (code >= 0x2500 && code < 0x25A0);
}

static void draw_code(struct brush *p, uint32_t code)
{
	int width;

	if (is_simple(code) && (code < 0x80 || !p->c->ascii)) {
		put_code(p, p->x++, code, 1);
		return;
	}
	width = cell_width(code);
	if (!code_visible(code)) { /* text of outside was escaped before, so this is a second wall */
		code = '?';
		width = 1;
	}
	if (!width) {
		combine_code(p, code);
		return;
	}
	if (p->c->ascii && code >= 0x80)
		code = '?';
	if (width == 1) {
		put_code(p, p->x, code, 1);
	} else if (code == '?') { /* of the same room, so that columns stay where they are */
		put_code(p, p->x, code, 1);
		put_code(p, p->x + 1, ' ', 1);
	} else {
		put_wide(p, p->x, code);
	}
	p->x += width;
}

/* Text */

int canvas_bytes(struct canvas *c, struct area a, int x, int y, enum role role, float heat,
		 const char *text, size_t length)
{
	struct brush p = { .c = c, .a = a, .x = x, .y = y, .role = (uint8_t)role };
	uint32_t code;

	if ((role == ROLE_HEAT || role == ROLE_WARM) && heat > 0)
		p.heat = heat < 1 ? (uint8_t)(heat * 255 + 0.5f) : 255;
	for (size_t at = 0, n; at < length && text[at]; at += n) {
		code = (unsigned char)text[at];
		n = code < 0x80 ? 1 : utf8_decode(text + at, length - at, &code); /* nearly all is ASCII */
		if (!n) {
			n = 1;
			code = '?';
		}
		if (p.x >= a.width && cell_width(code))
			break;
		draw_code(&p, code);
	}
	if (p.x > a.width)
		p.x = a.width;
	return p.x > x ? p.x - x : 0;
}

int canvas_text(struct canvas *c, struct area a, int x, int y, enum role role, const char *text)
{
	return canvas_bytes(c, a, x, y, role, 0, text, strlen(text));
}

int canvas_clipped(struct canvas *c, struct area a, int x, int y, int cells, enum role role,
		   const char *text)
{
	const char *ellipsis = c->ascii ? "..." : "…";
	int dots = c->ascii ? 3 : 1, used;
	size_t bytes;

	if (cells > a.width - x)
		cells = a.width - x;
	if (cells <= 0)
		return 0;
	if (text_width(text) <= (size_t)cells)
		return canvas_text(c, a, x, y, role, text);
	if (dots > cells)
		dots = cells;
	bytes = text_clip(text, (size_t)(cells - dots), NULL);
	used = canvas_bytes(c, a, x, y, role, 0, text, bytes);
	return used + canvas_bytes(c, a, x + used, y, role, 0, ellipsis,
				   c->ascii ? (size_t)dots : strlen(ellipsis));
}

/* Lines */

int canvas_wrapped(struct canvas *c, struct area a, int x, int y, enum role role, const char *text)
{
	int at = x;

	while (*text) {
		size_t length = strcspn(text, " ");
		int cells = (int)(text_width(text) - text_width(text + length));

		if (at > x && at + 1 + cells > a.width) {
			y++;
			at = x;
		}
		at += at > x;
		canvas_bytes(c, a, at, y, role, 0, text, length);
		at += cells;
		text += length + (text[length] == ' ');
	}
	return y + 1;
}

void canvas_role(struct canvas *c, struct area a, int x, int y, int cells, enum role role)
{
	struct cell *cell;

	if (cells > a.width - x)
		cells = a.width - x;
	for (int i = 0; i < cells; i++) {
		cell = cell_in(c, a, x + i, y);
		if (cell) {
			cell->role = (uint8_t)role;
			cell->heat = 0;
		}
	}
}

static int clamp_below(int value, int end)
{
	return value < 0 || end < 1 ? 0 : value < end ? value : end - 1;
}

void canvas_select(struct canvas *c, struct area a, int y)
{
	struct cell *cell;

	if (y < 0 || y >= a.height)
		return;
	for (int x = 0; x < a.width; x++) {
		cell = cell_in(c, a, x, y);
		if (cell)
			cell->selected = 1;
	}
	c->cursor_x = clamp_below(a.x, c->width);
	c->cursor_y = clamp_below(a.y + y, c->height);
}

#define MINUS 0x2212

const char *canvas_minus(bool ascii)
{
	return ascii ? "-" : "\u2212";
}

static uint32_t code_at(const struct canvas *c, struct area a, int x, int y)
{
	struct cell *cell = x < a.width ? canvas_cell((struct canvas *)c, a.x + x, a.y + y) : NULL;

	return cell && cell->codes[0] ? cell->codes[0] : ' ';
}

void canvas_fix_minus(struct canvas *c, struct area a)
{
	uint32_t before, next;

	for (int y = 0; y < a.height && !c->ascii; y++) {
		struct cell *cells = cell_in(c, a, 0, y);

		for (int x = 0; cells && x < a.width && a.x + x < c->width; x++) {
			if (cells[x].codes[0] != '-')
				continue;
			before = x ? code_at(c, a, x - 1, y) : ' ';
			next = code_at(c, a, x + 1, y);
			if ((before == ' ' || before == '(' || before == '|') && next >= '0' && next <= '9')
				cells[x].codes[0] = MINUS;
		}
	}
}

void canvas_line(struct canvas *c, struct area a, int x, int y, const struct layout_line *line)
{
	static const uint8_t roles[] = {
		[STYLE_TITLE] = ROLE_COLUMN, [STYLE_SORTED] = ROLE_SORTED, [STYLE_THREAD] = ROLE_TITLE,
		[STYLE_NAME] = ROLE_NAME,    [STYLE_FOCUS] = ROLE_FOCUS,   [STYLE_NUMBER] = ROLE_NUMBER,
		[STYLE_DIM] = ROLE_DIM,      [STYLE_HEAT] = ROLE_HEAT,     [STYLE_WARM] = ROLE_WARM, [STYLE_BAR] = ROLE_BAR,
		[STYLE_LABEL] = ROLE_LABEL,  [STYLE_STATE] = ROLE_STATE,   [STYLE_ALARM] = ROLE_ALARM,
		[STYLE_OVER] = ROLE_OVER,    [STYLE_GRAPH] = ROLE_GRAPH,   [STYLE_CHOSEN] = ROLE_CHOSEN,
		[STYLE_FOUND] = ROLE_FOUND,
	};
	size_t at = 0, length = strlen(line->text);

	for (uint32_t i = 0; i < line->span_count; i++) {
		const struct layout_span *s = &line->spans[i];

		x += canvas_bytes(c, a, x, y, ROLE_PLAIN, 0, line->text + at, s->start - at);
		x += canvas_bytes(c, a, x, y, roles[s->role], s->heat, line->text + s->start,
				  s->length);
		at = (size_t)s->start + s->length;
	}
	canvas_bytes(c, a, x, y, ROLE_PLAIN, 0, line->text + at, length - at);
}

/* Boxes */

struct border {
	const char *corners[4], *across, *down;
};

static void blank_area(struct canvas *c, struct area a)
{
	struct brush p = { .c = c, .a = a };
	struct cell *cell;

	for (p.y = 0; p.y < a.height; p.y++) {
		for (int x = 0; x < a.width; x++) {
			put_code(&p, x, ' ', 1);
			cell = cell_in(c, a, x, p.y);
			if (cell)
				cell->selected = 0;
		}
	}
}

static void draw_border(struct canvas *c, struct area a, const struct border *b)
{
	int right = a.width - 1, bottom = a.height - 1;

	for (int x = 1; x < right; x++) {
		canvas_text(c, a, x, 0, ROLE_AXIS, b->across);
		canvas_text(c, a, x, bottom, ROLE_AXIS, b->across);
	}
	for (int y = 1; y < bottom; y++) {
		canvas_text(c, a, 0, y, ROLE_AXIS, b->down);
		canvas_text(c, a, right, y, ROLE_AXIS, b->down);
	}
	for (int i = 0; i < 4; i++)
		canvas_text(c, a, i % 2 ? right : 0, i / 2 ? bottom : 0, ROLE_AXIS, b->corners[i]);
}

struct area canvas_box(struct canvas *c, struct area a, const char *title)
{
	static const struct border borders[] = {
		{ { "┌", "┐", "└", "┘" }, "─", "│" },
		{ { "+", "+", "+", "+" }, "-", "|" },
	};
	struct area inside = { a.x + 1, a.y + 1, a.width > 2 ? a.width - 2 : 0,
			       a.height > 2 ? a.height - 2 : 0 };
	int used;

	blank_area(c, a);
	if (a.width < 2 || a.height < 2)
		return inside;
	draw_border(c, a, &borders[c->ascii]);
	if (*title && a.width > 6) {
		canvas_text(c, a, 2, 0, ROLE_TITLE, " ");
		used = canvas_clipped(c, a, 3, 0, a.width - 6, ROLE_TITLE, title);
		canvas_text(c, a, 3 + used, 0, ROLE_TITLE, " ");
	}
	return inside;
}
