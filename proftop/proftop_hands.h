/* SPDX-License-Identifier: MIT */
/*
 * proftop_hands: what the screen hands to others: a source to the editor, a text to the clipboard.
 */
#ifndef PROFTOP_HANDS_H
#define PROFTOP_HANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/app/app.h"
#include "tui/cells/canvas.h"
#include "tui/widgets/table.h"

/* Opens the source that the app names in the user's editor, which has the terminal until it ends; `meanwhile` as
 * in term_lend. Says what went wrong. */
void hands_edit(struct app *app, void (*meanwhile)(void *context), void *context);

/* Copies what the canvas shows: the row of the cursor, or all of it. Says where to. */
void hands_copy(struct app *app, const struct canvas *c, bool row);

/*
 * The command that opens a file at a line in the editor of the user.
 *
 * The editor is $VISUAL, else $EDITOR, else the first of vi, vim, nano and
 * editor that is installed. Its words are told apart as a shell does, by
 * blanks, quotes and backslashes. Nothing is expanded, and no shell sees the
 * name of the file. A table says how each editor is told the line;
 * an editor that is not in it gets `+LINE FILE`, which most understand.
 */

struct editor {
	char **argv; /* ends with NULL; owned */
	char *text;  /* of all words */
};

/* `file` begins with a slash; line 0: none. `visual` and `editor` are what the environment says, or NULL. False:
 * `why` says what is wrong with them, or that there is no editor. */
bool editor_init(struct editor *e, const char *visual, const char *editor, const char *file, uint32_t line,
		 char *why, size_t why_size);
void editor_fini(struct editor *e);

/* The last part of the editor's path: `vim`. */
const char *editor_name(const struct editor *e);

/*
 * The last copy, as a file: for terminals that have no clipboard, or keep theirs.
 *
 *     $XDG_RUNTIME_DIR/proftop/copy.txt, else ${TMPDIR-/tmp}/proftop-UID/copy.txt
 *
 * It is nobody else's to read. A folder that is not ours, or that others may write to, is not used.
 */

#define COPY_FILE_PATH 4096

/* False: `path` is not written, and the reason is returned in `why`, safe to show. */
bool copy_file_write(const char *text, size_t length, char path[COPY_FILE_PATH], char *why, size_t why_size);

/* The text of a canvas, to be copied: as it is shown, in UTF-8. Caller frees; NULL: out of memory. */

/* All lines, without the blanks at their ends. */
char *clipping_screen(const struct canvas *c);

/* The row of the cursor of a table that was drawn on it: its cells, a tab between two. "": there is none in
 * sight. */
char *clipping_row(const struct canvas *c, const struct table *t);

#endif
