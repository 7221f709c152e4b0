/* SPDX-License-Identifier: MIT */
/*
 * prompt: a line that is typed, with its label: `Search: ray_`.
 */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include "tui/cells/canvas.h"
#include "tui/term/term.h"

#define PROMPT_SIZE 256

struct prompt {
	const char *label;
	char text[PROMPT_SIZE]; /* UTF-8 */
	size_t length, cursor;  /* bytes */
	bool filled; /* the text is the current setting, and was not edited yet: it is drawn as
		      * selected, and what is typed replaces it */
	bool gap; /* a newline or a tab was pasted: it becomes a blank if more text follows */
};

enum prompt_result { PROMPT_GOES_ON, PROMPT_DONE, PROMPT_GIVEN_UP };

void prompt_begin(struct prompt *p, const char *label, const char *text);
void prompt_begin_filled(struct prompt *p, const char *label, const char *text);

/* Takes a key: characters, Backspace, Delete, arrows, Home, End, ^U, ^W; Enter ends it, Esc and
 * Backspace in an empty line give it up. */
enum prompt_result prompt_key(struct prompt *p, uint32_t key);

/* Takes a character of pasted text; 0 is the end of the text. Newlines and tabs
 * between words become one blank, other control characters are dropped. Pasted
 * text never ends the prompt. */
void prompt_paste(struct prompt *p, uint32_t code);

/* Draws it into line y, with the terminal's cursor in it. */
void prompt_draw(const struct prompt *p, struct canvas *c, struct area a, int y);

#endif
