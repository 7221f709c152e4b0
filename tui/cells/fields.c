/* SPDX-License-Identifier: MIT */
#include "tui/cells/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"

/* The text was cut at a byte: removes the rest of a character before the cut. */
static void trim_end(char *text)
{
	size_t length = strlen(text), at = length;
	uint32_t code;

	while (at && ((unsigned char)text[at - 1] & 0xC0) == 0x80)
		at--;
	if (at && !utf8_decode(text + at - 1, length - at + 1, &code))
		text[at - 1] = '\0';
}

void fields_add(struct fields *f, enum role role, uint8_t importance, const char *format, ...)
{
	struct line_field *field = &f->fields[f->count];
	va_list arguments;
	int length;

	if (f->count == FIELDS_MAX)
		return;
	va_start(arguments, format);
	length = vsnprintf(field->text, sizeof(field->text), format, arguments);
	va_end(arguments);
	if (length <= 0)
		return;
	if ((size_t)length >= sizeof(field->text))
		trim_end(field->text);
	field->role = role;
	field->importance = importance;
	field->key = 0;
	field->press = 0;
	f->count++;
}

void fields_add_key(struct fields *f, uint8_t importance, const char *key, const char *label)
{
	int count = f->count;

	fields_add(f, ROLE_LABEL, importance, "%s %s", key, label);
	if (f->count > count && strlen(key) < strlen(f->fields[count].text))
		f->fields[count].key = (uint8_t)strlen(key);
}

void fields_press(struct fields *f, uint32_t key)
{
	if (f->count)
		f->fields[f->count - 1].press = key;
}

/* The one that goes first: the least important, the last of several; -1: all stay. */
static int least_important(const struct fields *f, const bool *gone)
{
	int found = -1;

	for (int i = 0; i < f->count; i++)
		if (!gone[i] && f->fields[i].importance &&
		    (found < 0 || f->fields[i].importance <= f->fields[found].importance))
			found = i;
	return found;
}

static int width_of(const struct fields *f, const bool *gone)
{
	int width = 0;

	for (int i = 0; i < f->count; i++)
		if (!gone[i])
			width += (width ? f->gap : 0) + (int)text_width(f->fields[i].text);
	return width;
}

int fields_width(const struct fields *f)
{
	bool gone[FIELDS_MAX] = { false };

	return width_of(f, gone);
}

int fields_draw(const struct fields *f, struct canvas *c, struct area a, int y)
{
	struct presses none;

	return fields_draw_presses(f, c, a, y, &none);
}

uint32_t presses_at(const struct presses *p, int x, int y)
{
	for (int i = 0; i < p->count; i++)
		if (y == p->at[i].y && x >= p->at[i].x && x < p->at[i].end)
			return p->at[i].key;
	return 0;
}

int fields_draw_presses(const struct fields *f, struct canvas *c, struct area a, int y, struct presses *presses)
{
	bool gone[FIELDS_MAX] = { false };
	int x = 0, from, next;

	presses->count = 0;
	while (width_of(f, gone) > a.width && (next = least_important(f, gone)) >= 0)
		gone[next] = true;
	for (int i = 0; i < f->count; i++) {
		if (gone[i])
			continue;
		x += x ? f->gap : 0;
		from = x;
		x += canvas_bytes(c, a, x, y, ROLE_KEY, 0, f->fields[i].text, f->fields[i].key);
		x += canvas_text(c, a, x, y, f->fields[i].role,
				 f->fields[i].text + f->fields[i].key);
		if (f->fields[i].press && x > from)
			presses->at[presses->count++] = (struct press){ a.x + from, a.x + x, a.y + y, f->fields[i].press };
	}
	return x < a.width ? x : a.width > 0 ? a.width : 0;
}
