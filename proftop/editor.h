/* SPDX-License-Identifier: MIT */
/*
 * editor: the command that opens a file at a line in the editor of the user.
 *
 * The editor is $VISUAL, else $EDITOR, else the first of vi, vim, nano and
 * editor that is installed. Its words are told apart as a shell does, by
 * blanks, quotes and backslashes. Nothing is expanded, and no shell sees the
 * name of the file. A table in editor.c says how each editor is told the line;
 * an editor that is not in it gets `+LINE FILE`, which most understand.
 */
#ifndef PROFTOP_EDITOR_H
#define PROFTOP_EDITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct editor {
	char **argv; /* ends with NULL; owned */
	char *text;  /* of all words */
};

/* `file` begins with a slash; line 0: none. `visual` and `editor` are what the environment says, or NULL. False:
 * `why` says what is wrong with them, or that there is no editor. */
bool editor_init(struct editor *e, const char *visual, const char *editor, const char *file, uint32_t line,
		 char *why, size_t why_size);
void editor_fini(struct editor *e);

/* What of its path names the editor: `vim`. */
const char *editor_name(const struct editor *e);

#endif
