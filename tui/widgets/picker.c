/* SPDX-License-Identifier: MIT */
#include "tui/widgets/picker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/array.h"
#include "model/base/pattern.h"
#include "model/base/text.h"

#define TYPED_CELLS 10 /* of what is typed, in the title */
#define STRIPS 3 /* cells on both sides of it that would show nothing that can be read */

void picker_begin(struct picker *p, const char *title)
{
	picker_fini(p);
	snprintf(p->title, sizeof(p->title), "%s", title);
}

void picker_fini(struct picker *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		free(p->items[i].text);
	free(p->items);
	*p = (struct picker){ 0 };
}

int picker_pad(const char *name)
{
	size_t width = text_width(name);

	return width < PICKER_NAME ? PICKER_NAME - (int)width : 0;
}

bool picker_add(struct picker *p, uint64_t value, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		return false;
	if (!array_reserve(&p->items, &p->capacity, (uint64_t)p->count + 1, sizeof(*p->items))) {
		free(text);
		return false;
	}
	p->items[p->count++] = (struct picker_item){ .text = text, .value = value };
	return true;
}

void picker_say(struct picker *p, uint32_t item, char *text)
{
	if (!text)
		return;
	free(p->items[item].text);
	p->items[item].text = text;
}

/* Items that are not hidden: how many, how many of them before one, and which is the n-th. */

static uint32_t shown_before(const struct picker *p, uint32_t end)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < end; i++)
		count += !p->items[i].hidden;
	return count;
}

static uint32_t nth_shown(const struct picker *p, uint32_t n)
{
	uint32_t i = 0;

	for (; i < p->count; i++)
		if (!p->items[i].hidden && !n--)
			break;
	return i;
}

static void move_cursor(struct picker *p, int64_t by)
{
	int64_t count = shown_before(p, p->count), at = shown_before(p, p->at) + by;

	if (at >= count)
		at = count - 1;
	if (count)
		p->at = nth_shown(p, at < 0 ? 0 : (uint32_t)at);
}

/* An expression that is not complete yet hides nothing. The cursor stays on its item while it can. */
static void filter_items(struct picker *p)
{
	struct pattern pattern;
	char why[128];

	if (!pattern_init(&pattern, p->typed, why, sizeof(why)))
		return;
	for (uint32_t i = 0; i < p->count; i++)
		p->items[i].hidden = !pattern_matches(&pattern, p->items[i].text);
	pattern_fini(&pattern);
	if (p->at < p->count && p->items[p->at].hidden)
		move_cursor(p, 0);
}

/* Typed text most likely begins the name that is meant. */
static void go_to_typed(struct picker *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		if (!p->items[i].hidden && !strncasecmp(p->items[i].text, p->typed, strlen(p->typed))) {
			p->at = i;
			return;
		}
}

static void type_key(struct picker *p, uint32_t key)
{
	size_t length = strlen(p->typed), more;
	char bytes[4];

	more = utf8_encode(key, bytes);
	if (!code_visible(key) || length + more >= sizeof(p->typed))
		return;
	memcpy(p->typed + length, bytes, more);
	p->typed[length + more] = '\0';
	filter_items(p);
	go_to_typed(p);
}

static void untype_key(struct picker *p)
{
	size_t length = strlen(p->typed);

	while (length && ((unsigned char)p->typed[--length] & 0xC0) == 0x80)
		;
	p->typed[length] = '\0';
	filter_items(p);
}

enum picker_result picker_key(struct picker *p, uint32_t key)
{
	switch (key) {
	case TERM_UP:
		move_cursor(p, -1);
		break;
	case TERM_DOWN:
		move_cursor(p, 1);
		break;
	case TERM_PAGE_UP:
		move_cursor(p, -p->list.height);
		break;
	case TERM_PAGE_DOWN:
		move_cursor(p, p->list.height);
		break;
	case TERM_HOME:
		move_cursor(p, INT32_MIN);
		break;
	case TERM_END:
		move_cursor(p, UINT32_MAX);
		break;
	case TERM_ENTER:
	case '\n':
	case TERM_RIGHT:
		if (!p->count)
			return PICKER_GIVEN_UP;
		return shown_before(p, p->count) ? PICKER_DONE : PICKER_GOES_ON;
	case TERM_BACKSPACE:
		if (!*p->typed)
			return PICKER_GIVEN_UP;
		untype_key(p);
		break;
	case TERM_CONTROL('U'):
		*p->typed = '\0';
		filter_items(p);
		break;
	case TERM_LEFT:
	case TERM_ESCAPE:
		return PICKER_GIVEN_UP;
	default:
		if (key >= ' ' && key < KEY_FIRST_SPECIAL)
			type_key(p, key);
	}
	return PICKER_GOES_ON;
}

enum picker_result picker_mouse(struct picker *p, const struct term_event *e)
{
	int y = e->y - p->list.y, x = e->x - p->list.x;
	bool inside = x >= 0 && x < p->list.width && y >= 0 && y < p->list.height;

	if (e->action != MOUSE_PRESS)
		return PICKER_GOES_ON;
	if (e->button == WHEEL_UP || e->button == WHEEL_DOWN) {
		move_cursor(p, e->button == WHEEL_UP ? -1 : 1);
		return PICKER_GOES_ON;
	}
	if (e->button != BUTTON_LEFT || !inside)
		return PICKER_GIVEN_UP;
	if (p->top + (uint32_t)y >= shown_before(p, p->count))
		return PICKER_GOES_ON;
	p->at = nth_shown(p, p->top + (uint32_t)y);
	return PICKER_DONE;
}

static int width_of(struct picker *p)
{
	size_t width = text_width(p->title) + 2 + TYPED_CELLS;

	for (uint32_t i = 0; i < p->count; i++)
		if (text_width(p->items[i].text) > p->widest)
			p->widest = text_width(p->items[i].text);
	if (p->widest > width)
		width = p->widest;
	return width < 10000 ? (int)width + PICKER_EDGE : 10000;
}

/* The title, and behind it what was typed. */
static void title_of(const struct picker *p, char *out, size_t size)
{
	snprintf(out, size, "%s%s%s", p->title, *p->typed ? ": " : "", p->typed);
}

/* Where there is more than is in sight, arrows stand in the edge, and below it which of how many it is. */
static void draw_marks(const struct picker *p, struct canvas *c, struct area box, uint32_t count)
{
	static const char *const arrows[2][2] = { { "▲", "▼" }, { "^", "v" } };
	uint32_t lines = (uint32_t)p->list.height;
	char text[32];
	int cells;

	if (p->top)
		canvas_text(c, box, box.width - 1, 1, ROLE_KEY, arrows[c->ascii][0]);
	if (p->top + lines < count)
		canvas_text(c, box, box.width - 1, box.height - 2, ROLE_KEY, arrows[c->ascii][1]);
	cells = snprintf(text, sizeof(text), " %u/%u ", shown_before(p, p->at) + 1, count);
	if (count > lines && cells + 3 < box.width)
		canvas_text(c, box, box.width - cells - 1, box.height - 1, ROLE_LABEL, text);
}

void picker_draw(struct picker *p, struct canvas *c, struct area a)
{
	struct area box = { .width = width_of(p), .height = (int)(p->count < 10000 ? p->count : 10000) + 2 };
	uint32_t count = shown_before(p, p->count), at = shown_before(p, p->at), item;
	char title[PICKER_TYPED + PICKER_TITLE + 2];

	if (box.width > a.width - STRIPS)
		box.width = a.width;
	if (box.height > a.height)
		box.height = a.height;
	box.x = a.x + (a.width - box.width) / 2;
	box.y = a.y + (a.height - box.height) / 2;
	title_of(p, title, sizeof(title));
	p->list = canvas_box(c, box, title);
	if (p->list.height < 1)
		return;
	if (p->top + (uint32_t)p->list.height > count)
		p->top = count > (uint32_t)p->list.height ? count - (uint32_t)p->list.height : 0;
	if (at < p->top)
		p->top = at;
	if (at >= p->top + (uint32_t)p->list.height)
		p->top = at - (uint32_t)p->list.height + 1;
	if (!count)
		canvas_clipped(c, p->list, 1, 0, p->list.width - 1, ROLE_DIM, "no match");
	item = nth_shown(p, p->top);
	for (int y = 0; y < p->list.height && item < p->count; item++) {
		if (p->items[item].hidden)
			continue;
		canvas_clipped(c, p->list, 1, y, p->list.width - 1, ROLE_PLAIN, p->items[item].text);
		if (item == p->at)
			canvas_select(c, p->list, y);
		y++;
	}
	draw_marks(p, c, box, count);
}
