/* SPDX-License-Identifier: MIT */
/*
 * picker: a list in a box, out of which one is chosen. What is typed leaves the items that have it in them, as a filter
 * does.
 */
#ifndef TUI_PICKER_H
#define TUI_PICKER_H

#include "tui/cells/canvas.h"
#include "tui/term/term.h"

#define PICKER_TYPED 64
#define PICKER_TITLE 112

struct picker_item {
	char *text;     /* UTF-8, safe to show; owned */
	uint64_t value; /* the caller's */
	bool hidden;    /* it has not what was typed */
};

struct picker {
	char title[PICKER_TITLE];
	struct picker_item *items;
	uint32_t count, capacity;
	uint32_t at;    /* the item that the cursor is on, if any is in sight */
	uint32_t top;   /* how many of those that are not hidden are above the box */
	char typed[PICKER_TYPED];
	size_t widest;    /* cells that an item needed so far */
	struct area list; /* where it was drawn last */
};

enum picker_result { PICKER_GOES_ON, PICKER_DONE, PICKER_GIVEN_UP };

void picker_begin(struct picker *p, const char *title);
void picker_fini(struct picker *p); /* also between two uses */

#define PICKER_EDGE 4  /* cells of the box, with a blank on each side */
#define PICKER_NAME 18 /* cells of a name, in lists that begin with one */

/* Blanks behind a name, so that what follows stands in a column. */
int picker_pad(const char *name);

/* False: out of memory; the list goes without. */
bool picker_add(struct picker *p, uint64_t value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Another text for an item, which the list owns from now on; NULL: it keeps the one that it has. What was typed is not
 * looked for anew, and the box does not become narrower. */
void picker_say(struct picker *p, uint32_t item, char *text);

/* DONE: items[at] is chosen. */
enum picker_result picker_key(struct picker *p, uint32_t key);
enum picker_result picker_mouse(struct picker *p, const struct term_event *e);

/* In the middle of the area. */
void picker_draw(struct picker *p, struct canvas *c, struct area a);

#endif
