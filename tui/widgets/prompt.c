/* SPDX-License-Identifier: MIT */
#include "tui/widgets/prompt.h"

#include <stdio.h>
#include <string.h>

#include "model/base/text.h"

#define DELETE_KEY 127

void prompt_begin(struct prompt *p, const char *label, const char *text)
{
	*p = (struct prompt){ .label = label };
	snprintf(p->text, sizeof(p->text), "%s", text);
	p->length = p->cursor = strlen(p->text);
}

void prompt_begin_filled(struct prompt *p, const char *label, const char *text)
{
	prompt_begin(p, label, text);
	p->filled = p->length;
}

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

static size_t start_before(const struct prompt *p, size_t at)
{
	while (at && is_continuation(p->text[--at]))
		;
	return at;
}

static size_t end_after(const struct prompt *p, size_t at)
{
	if (at < p->length)
		at++;
	while (at < p->length && is_continuation(p->text[at]))
		at++;
	return at;
}

static void cut_text(struct prompt *p, size_t from, size_t to)
{
	memmove(p->text + from, p->text + to, p->length - to + 1);
	p->length -= to - from;
	p->cursor = from;
}

static size_t word_before(const struct prompt *p)
{
	size_t at = p->cursor;

	while (at && p->text[at - 1] == ' ')
		at--;
	while (at && p->text[at - 1] != ' ')
		at--;
	return at;
}

/* Characters that cannot be shown are not typed either. */
static void insert_code(struct prompt *p, uint32_t code)
{
	char bytes[4];
	size_t length = utf8_encode(code, bytes), seen;
	uint32_t back;

	seen = utf8_decode(bytes, length, &back);
	if (code < ' ' || code > 0x10ffff || !seen || p->length + length >= sizeof(p->text))
		return;
	memmove(p->text + p->cursor + length, p->text + p->cursor, p->length - p->cursor + 1);
	memcpy(p->text + p->cursor, bytes, length);
	p->length += length;
	p->cursor += length;
}

static void edit_key(struct prompt *p, uint32_t key)
{
	if (p->filled && key >= ' ' && key < KEY_FIRST_SPECIAL && key != DELETE_KEY)
		cut_text(p, 0, p->length);
	p->filled = false;
	switch (key) {
	case TERM_BACKSPACE:
		cut_text(p, start_before(p, p->cursor), p->cursor);
		break;
	case TERM_DELETE:
		cut_text(p, p->cursor, end_after(p, p->cursor));
		break;
	case TERM_LEFT:
		p->cursor = start_before(p, p->cursor);
		break;
	case TERM_RIGHT:
		p->cursor = end_after(p, p->cursor);
		break;
	case TERM_HOME:
	case TERM_CONTROL('A'):
		p->cursor = 0;
		break;
	case TERM_END:
	case TERM_CONTROL('E'):
		p->cursor = p->length;
		break;
	case TERM_CONTROL('U'): /* of a line that was filled in the cursor is at the end */
		cut_text(p, 0, p->cursor);
		break;
	case TERM_CONTROL('W'):
		cut_text(p, word_before(p), p->cursor);
		break;
	default:
		if (key < KEY_FIRST_SPECIAL && key != DELETE_KEY)
			insert_code(p, key);
	}
}

enum prompt_result prompt_key(struct prompt *p, uint32_t key)
{
	if (key == '\r' || key == '\n')
		return PROMPT_DONE;
	if (key == TERM_ESCAPE || (key == TERM_BACKSPACE && !p->length))
		return PROMPT_GIVEN_UP;
	edit_key(p, key);
	return PROMPT_GOES_ON;
}

void prompt_paste(struct prompt *p, uint32_t code)
{
	bool behind = p->cursor && !p->filled; /* text of the user's stands before the cursor */

	if (code == '\r' || code == '\n' || code == '\t') {
		p->gap = behind;
		return;
	}
	if (p->gap && code >= ' ')
		edit_key(p, ' ');
	p->gap = false;
	if (code >= ' ')
		edit_key(p, code);
}

/* The text as cells can show it. In ASCII what is beyond it is a `?` for each character. */
void prompt_draw(const struct prompt *p, struct canvas *c, struct area a, int y)
{
	int typed = (int)text_width(p->text) + 2, most = a.width - (typed < a.width / 2 ? typed : a.width / 2);
	int at = canvas_clipped(c, a, 0, y, most, ROLE_KEY, p->label); /* it gives way to what is typed */
	size_t from = 0;

	at += canvas_text(c, a, at, y, ROLE_PROMPT, " ");
	while (from < p->cursor && at + (int)text_width(p->text + from) -
			(int)text_width(p->text + p->cursor) >= a.width)
		from = end_after(p, from); /* a long line moves, so that its cursor is in sight */
	c->cursor_x = a.x + at + (int)(text_width(p->text + from) - text_width(p->text + p->cursor));
	if (c->cursor_x >= a.x + a.width)
		c->cursor_x = a.x + a.width - 1; /* the label alone fills the line */
	c->cursor_y = a.y + y;
	c->cursor_shown = true;
	typed = canvas_text(c, a, at, y, ROLE_PROMPT, p->text + from);
	for (int x = at; p->filled && x < at + typed; x++)
		if (canvas_cell(c, a.x + x, a.y + y))
			canvas_cell(c, a.x + x, a.y + y)->selected = 1;
	at += typed;
	canvas_role(c, a, at, y, a.width - at, ROLE_PROMPT);
}
