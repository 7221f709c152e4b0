/* SPDX-License-Identifier: MIT */
#include "tui/widgets/output_pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/cells/figures.h"

#define BODY_LEAST 5   /* lines, from which on there is room for the pane */
#define SCREEN_PART 3  /* the pane takes a line of so many at most, */
#define BODY_PART 2    /* and of the body one of so many */
#define LINE_MOST 2048 /* bytes of a line that are looked at */
#define TAB 8          /* columns */

struct output_tail {
	char *file;
	uint64_t size; /* of all of the output */
	size_t length; /* of its end */
	char bytes[];
};

struct output_tail *output_tail_new(const char *file, const char *bytes, size_t length, uint64_t size)
{
	struct output_tail *t = malloc(sizeof(*t) + length);

	if (!t)
		return NULL;
	t->file = strdup(file);
	t->size = size;
	t->length = length;
	if (length)
		memcpy(t->bytes, bytes, length);
	if (t->file)
		return t;
	free(t);
	return NULL;
}

void output_tail_free(struct output_tail *t)
{
	if (t)
		free(t->file);
	free(t);
}

/* The line that ends before `end`: where it begins. */
static size_t line_start(const struct output_tail *t, size_t end)
{
	while (end && t->bytes[end - 1] != '\n')
		end--;
	return end;
}

/* The end of the last line. */
static size_t lines_end(const struct output_tail *t)
{
	return t->length && t->bytes[t->length - 1] == '\n' ? t->length - 1 : t->length;
}

bool output_pane_fits(int body)
{
	return body >= BODY_LEAST;
}

int output_pane_lines(const struct output_tail *t, int body, int screen)
{
	int most = screen / SCREEN_PART < body / BODY_PART ? screen / SCREEN_PART : body / BODY_PART, lines = 2;
	size_t start = lines_end(t);

	if (!output_pane_fits(body))
		return 0;
	for (; lines < most && (start = line_start(t, start)); start--)
		lines++;
	return lines;
}

/* Lines made safe */

struct line {
	char *text; /* owned; NULL: out of memory */
	size_t length;
};

static void add_text(struct line *l, const char *text, size_t length)
{
	char *longer = l->text ? realloc(l->text, l->length + length + 1) : NULL;

	if (!longer) {
		free(l->text);
		l->text = NULL;
		return;
	}
	memcpy(longer + l->length, text, length);
	l->text = longer;
	l->length += length;
	longer[l->length] = '\0';
}

static void add_escaped(struct line *l, const char *bytes, size_t length, bool ascii)
{
	char *safe = ascii ? name_escape_ascii(bytes, length) : name_escape(bytes, length);

	add_text(l, safe ? safe : "", safe ? strlen(safe) : 0);
	free(safe);
}

static void add_tab(struct line *l)
{
	size_t cells = l->text ? text_width(l->text) : 0;

	add_text(l, "        ", TAB - cells % TAB);
}

/* Bytes of `ESC [ 1 ; 31 m`, which sets a colour; 0: it is something else. */
static size_t colour_length(const char *bytes, size_t length)
{
	size_t at = 2;

	if (length < 3 || bytes[0] != '\033' || bytes[1] != '[')
		return 0;
	while (at < length && strchr("0123456789;:", bytes[at]) && bytes[at])
		at++;
	return at < length && bytes[at] == 'm' ? at + 1 : 0;
}

/* Returns how many bytes it was. A backslash stays one, which in a name would
 * be two. */
static size_t add_special(struct line *l, const char *bytes, size_t length)
{
	size_t colour = colour_length(bytes, length);

	if (*bytes == '\t')
		add_tab(l);
	else if (*bytes == '\\')
		add_text(l, "\\", 1);
	else if (!colour)
		add_escaped(l, bytes, 1, true);
	return colour ? colour : 1;
}

static size_t plain_length(const char *bytes, size_t length)
{
	size_t plain = 0;

	while (plain < length && bytes[plain] != '\t' && bytes[plain] != '\\' && bytes[plain] != '\033')
		plain++;
	return plain;
}

/* Caller frees. */
static char *safe_line(const char *bytes, size_t length, bool ascii)
{
	struct line l = { calloc(1, 1), 0 };

	for (size_t i = 0, used; i < length; i += used) {
		used = plain_length(bytes + i, length - i);
		if (!used)
			used = add_special(&l, bytes + i, length - i);
		else
			add_escaped(&l, bytes + i, used, ascii);
	}
	return l.text;
}

/* Draws a line as a terminal would show it: the text behind the last carriage return. */
static void draw_line(const struct output_tail *t, size_t start, size_t end, struct canvas *c, struct area a, int y)
{
	bool cut = !start && t->length < t->size; /* it begins before the bytes that were read */
	char *text;
	int x = 1;

	while (end > start && t->bytes[end - 1] == '\r')
		end--;
	for (size_t i = end; i > start; i--)
		if (t->bytes[i - 1] == '\r') {
			start = i;
			cut = false;
		}
	while (cut && start < end && ((unsigned char)t->bytes[start] & 0xc0) == 0x80)
		start++;
	if (end - start > LINE_MOST)
		end = start + LINE_MOST;
	text = safe_line(t->bytes + start, end - start, c->ascii);
	if (cut)
		x += canvas_text(c, a, x, y, ROLE_DIM, c->ascii ? "..." : "…");
	canvas_clipped(c, a, x, y, a.width - x, ROLE_PLAIN, text ? text : "?");
	free(text);
}

static void draw_title(const struct output_tail *t, const char *program, struct canvas *c, struct area a)
{
	char *file = name_safe(t->file, c->ascii), title[4096];

	snprintf(title, sizeof(title), "output of %s: %s in %s", program, figure_bytes(t->size).text, file ? file : "?");
	canvas_role(c, a, 0, 0, a.width, ROLE_COLUMN);
	canvas_clipped(c, a, 1, 0, a.width - 1, ROLE_COLUMN, title);
	free(file);
}

void output_pane_draw(const struct output_tail *t, const char *program, struct canvas *c, struct area a)
{
	size_t end = lines_end(t), start;

	draw_title(t, program, c, a);
	if (!t->length)
		canvas_text(c, a, 1, 1, ROLE_DIM, "(nothing yet)");
	for (int y = a.height - 1; y > 0 && t->length; y--) {
		start = line_start(t, end);
		draw_line(t, start, end, c, a, y);
		if (!start)
			break;
		end = start - 1;
	}
}
