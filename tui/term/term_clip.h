/* SPDX-License-Identifier: MIT */
/*
 * term_clip: a text for the clipboard of the terminal, as the sequence OSC 52 that xterm brought up.
 *
 * Nobody answers whether a terminal takes it, or whether its user lets it. So it is sent to all but those that
 * are known to have no clipboard, or to show what they do not understand.
 */
#ifndef TUI_TERM_CLIP_H
#define TUI_TERM_CLIP_H

#include <stdbool.h>
#include <stddef.h>

/* Whether it is sent to a terminal of this name (TERM). */
bool clip_is_known(const char *term);

/* ESC ] 52 ; c ; the text in base64 ; BEL. Caller frees; NULL: out of memory. */
char *clip_sequence(const char *text, size_t length);

#endif
