/* SPDX-License-Identifier: MIT */
#include "tui/widgets/picker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/text.h"
#include "tui/widgets/commands.h"

#define EDGE_CELLS 4 /* of the box, with a blank on each side */

void picker_begin(struct picker *p, const char *title)
{
	picker_fini(p);
	p->title = title;
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
	p->items[p->count++] = (struct picker_item){ text, value };
	return true;
}

static void move(struct picker *p, int64_t by)
{
	int64_t at = (int64_t)p->at + by;

	if (at >= (int64_t)p->count)
		at = (int64_t)p->count - 1;
	p->at = at < 0 ? 0 : (uint32_t)at;
}

enum picker_result picker_key(struct picker *p, uint32_t key)
{
	switch (command_of_key(key, PLACE_TABLE)) {
	case COMMAND_UP:
		move(p, -1);
		break;
	case COMMAND_DOWN:
		move(p, 1);
		break;
	case COMMAND_PAGE_UP:
		move(p, -p->list.height);
		break;
	case COMMAND_PAGE_DOWN:
		move(p, p->list.height);
		break;
	case COMMAND_FIRST:
		move(p, INT32_MIN);
		break;
	case COMMAND_LAST:
		move(p, UINT32_MAX);
		break;
	case COMMAND_DRILL:
		return p->count ? PICKER_DONE : PICKER_GIVEN_UP;
	case COMMAND_BACK:
	case COMMAND_QUIT:
	case COMMAND_OUT:
		return PICKER_GIVEN_UP;
	default:
		break;
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
		move(p, e->button == WHEEL_UP ? -1 : 1);
		return PICKER_GOES_ON;
	}
	if (e->button != BUTTON_LEFT || !inside)
		return PICKER_GIVEN_UP;
	if (p->top + (uint32_t)y >= p->count)
		return PICKER_GOES_ON;
	p->at = p->top + (uint32_t)y;
	return PICKER_DONE;
}

static int width_of(const struct picker *p)
{
	size_t width = p->title ? text_width(p->title) + 2 : 0;

	for (uint32_t i = 0; i < p->count; i++)
		if (text_width(p->items[i].text) > width)
			width = text_width(p->items[i].text);
	return width < 10000 ? (int)width + EDGE_CELLS : 10000;
}

void picker_draw(struct picker *p, struct canvas *c, struct area a)
{
	struct area box = { .width = width_of(p), .height = (int)(p->count < 10000 ? p->count : 10000) + 2 };

	if (box.width > a.width)
		box.width = a.width;
	if (box.height > a.height)
		box.height = a.height;
	box.x = a.x + (a.width - box.width) / 2;
	box.y = a.y + (a.height - box.height) / 2;
	p->list = canvas_box(c, box, p->title);
	if (p->list.height < 1)
		return;
	if (p->at < p->top)
		p->top = p->at;
	if (p->at >= p->top + (uint32_t)p->list.height)
		p->top = p->at - (uint32_t)p->list.height + 1;
	for (int y = 0; y < p->list.height && p->top + (uint32_t)y < p->count; y++) {
		canvas_clipped(c, p->list, 1, y, p->list.width - 1, ROLE_PLAIN,
			       p->items[p->top + (uint32_t)y].text);
		if (p->top + (uint32_t)y == p->at)
			canvas_select(c, p->list, y);
	}
}
