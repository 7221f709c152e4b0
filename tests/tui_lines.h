/* SPDX-License-Identifier: MIT */
/*
 * tui_lines: what was drawn into a canvas, as lines of text, so that a test shows what a user sees.
 */
#ifndef TESTS_TUI_LINES_H
#define TESTS_TUI_LINES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tui/cells/canvas.h"

static inline char *lines_encode(char *out, uint32_t code)
{
	if (code < 0x80) {
		*out++ = (char)code;
		return out;
	}
	if (code < 0x800) {
		*out++ = (char)(0xC0 | code >> 6);
	} else if (code < 0x10000) {
		*out++ = (char)(0xE0 | code >> 12);
		*out++ = (char)(0x80 | (code >> 6 & 0x3F));
	} else {
		*out++ = (char)(0xF0 | code >> 18);
		*out++ = (char)(0x80 | (code >> 12 & 0x3F));
		*out++ = (char)(0x80 | (code >> 6 & 0x3F));
	}
	*out++ = (char)(0x80 | (code & 0x3F));
	return out;
}

/* Lines without the blanks at their ends, a newline after each. Caller frees. */
static inline char *lines_text(struct canvas *c)
{
	char *text = calloc((size_t)(c->width * 4 * CELL_CODES + 1) * (size_t)c->height + 1, 1);
	char *out = text, *start;

	assert_non_null(text);
	for (int y = 0; y < c->height; y++) {
		start = out;
		for (int x = 0; x < c->width; x++)
			for (int i = 0; i < CELL_CODES && canvas_cell(c, x, y)->codes[i]; i++)
				out = lines_encode(out, canvas_cell(c, x, y)->codes[i]);
		while (out > start && out[-1] == ' ')
			out--;
		*out++ = '\n';
	}
	*out = '\0';
	return text;
}

/* Asserts what the canvas looks like. */
static inline void lines_expect(struct canvas *c, const char *expected)
{
	char *text = lines_text(c);

	if (strcmp(text, expected) != 0) { /* a message of cmocka is cut off */
		fprintf(stderr, "expected:\n%sgot:\n%s", expected, text);
		fail();
	}
	free(text);
}

/* A fresh canvas of that size. */
static inline void lines_begin(struct canvas *c, int width, int height, bool ascii)
{
	assert_true(canvas_resize(c, width, height));
	canvas_clear(c);
	c->ascii = ascii;
}

#endif
