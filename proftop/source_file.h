/* SPDX-License-Identifier: MIT */
/*
 * source_file: where the source of a zone is, of which the program says no more than its compiler was told:
 * often a name that is relative to the folder that it was built in.
 *
 * Such a name is looked for in the folder that the process is in, in that of its program, in the one that
 * proftop is in, and in those above each. Nothing of what the program says is believed: only a regular file
 * is taken, or what a link to one leads to, and none whose name has control characters, which an editor may write to the
 * terminal.
 */
#ifndef PROFTOP_SOURCE_FILE_H
#define PROFTOP_SOURCE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOURCE_PATH 4096

struct source_file {
	const char *file;    /* as the program says it; raw bytes */
	const char *program; /* path of its executable; "" when not known */
	int64_t pid;         /* 0: it does not run */
};

/* The path, which begins with a slash. False: `why` says where it was looked for, safe to show. */
bool source_find(const struct source_file *s, bool ascii, char out[SOURCE_PATH], char *why, size_t why_size);

#endif
