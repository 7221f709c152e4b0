/* SPDX-License-Identifier: MIT */
/*
 * fields: a line of pieces of text, of which the least important go where the width ends.
 */
#ifndef TUI_FIELDS_H
#define TUI_FIELDS_H

#include "tui/cells/canvas.h"

#define FIELD_SIZE 160
#define FIELDS_MAX 48

struct line_field {
	char text[FIELD_SIZE]; /* UTF-8, safe to show */
	uint8_t key; /* bytes at its start that are a key, in ROLE_KEY */
	enum role role;
	uint8_t importance; /* the least goes first; 0 never goes, and is cut at the edge */
	uint32_t press; /* the key that a click on it stands for; 0: none */
};

struct fields {
	struct line_field fields[FIELDS_MAX];
	int count;
	int gap; /* cells between two */
};

/* Where pieces were drawn that a click presses, in cells of the canvas. */
struct presses {
	struct press {
		int x, end, y;
		uint32_t key;
	} at[FIELDS_MAX];
	int count;
};

/* Adds a piece; an empty one is none. More than FIELDS_MAX are dropped. */
void fields_add(struct fields *f, enum role role, uint8_t importance, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Adds a key and what it does: `q Quit`. */
void fields_add_key(struct fields *f, uint8_t importance, const char *key, const char *label);

/* A click on the piece that was added last presses this key. */
void fields_press(struct fields *f, uint32_t key);

/* Cells of all of them. */
int fields_width(const struct fields *f);

/* Draws them into line y of the area, from its left edge, in their order. Returns the cells used. */
int fields_draw(const struct fields *f, struct canvas *c, struct area a, int y);

/* The same, and says where those are that a click presses. */
int fields_draw_presses(const struct fields *f, struct canvas *c, struct area a, int y, struct presses *presses);

/* The key that a click there presses; 0: none. */
uint32_t presses_at(const struct presses *p, int x, int y);

#endif
