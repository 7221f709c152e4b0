/* SPDX-License-Identifier: MIT */
/*
 * text: names from outside made safe to show, and the room that text takes on a terminal.
 */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * A name that came from outside, safe to show anywhere: printable, valid UTF-8 stays; a backslash
 * becomes `\\`; every byte of anything else (controls, C1, bytes that are not UTF-8, bidirectional
 * and other invisible characters, surrogates, noncharacters) becomes `\xNN`. The name can be
 * recovered from it: name_unescape. The caller frees what these five return; NULL: out of memory.
 */
char *name_escape(const char *bytes, size_t length);
char *name_escape_ascii(const char *bytes, size_t length); /* every byte beyond ASCII becomes `\xNN`, too */
char *name_safe(const char *bytes, bool ascii); /* one of these two, of a string */
char *name_shown(const char *text, bool ascii); /* a copy of what name_escape made; with `ascii` in ASCII */
char *name_unescape(const char *text); /* the bytes of the name; a backslash that begins no such sequence stays */

/* One character of UTF-8: its bytes (0: not valid, or the end), its code point into *code. */
size_t utf8_decode(const char *text, size_t length, uint32_t *code);

/* The other way round: returns how many bytes it has, 4 at most. `code` is a code point. */
size_t utf8_encode(uint32_t code, char out[4]);

/* Where to cut a text that has more than `most` bytes: not inside a character. */
size_t utf8_cut(const char *text, size_t most);

/* Whether name_escape leaves a code point as it is: it is no control, and not invisible. */
bool code_visible(uint32_t code);

/* Cells that a code point takes on a terminal: 0 (combining), 1, or 2 (wide). */
int cell_width(uint32_t code);

/* Cells of a text that name_escape made. */
size_t text_width(const char *text);

/* The bytes of its longest prefix of at most `cells` cells; what that takes into *used. */
size_t text_clip(const char *text, size_t cells, size_t *used);

/* Writes a text for a manual page, so that it reads there as it is here: dashes are no hyphens, `x' is a quotation, and
 * nothing begins a request. */
void roff_text(const char *text, FILE *out);

#endif
