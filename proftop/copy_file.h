/* SPDX-License-Identifier: MIT */
/*
 * copy_file: what was copied last, as a file: for terminals that have no clipboard, or keep theirs.
 *
 *     $XDG_RUNTIME_DIR/proftop/copy.txt, else ${TMPDIR-/tmp}/proftop-UID/copy.txt
 *
 * It is nobody else's to read. A folder that is not ours, or that others may write to, is not used.
 */
#ifndef PROFTOP_COPY_FILE_H
#define PROFTOP_COPY_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define COPY_FILE_PATH 4096

/* False: `path` is not written, and the reason is returned in `why`, safe to show. */
bool copy_file_write(const char *text, size_t length, char path[COPY_FILE_PATH], char *why, size_t why_size);

#endif
