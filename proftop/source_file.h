/* SPDX-License-Identifier: MIT */
/*
 * source_file: finds the source of a zone. The program knows the name as its
 * compiler was told it, which is often relative to the folder of the build.
 *
 * The name is searched in the folder that the process is in, in the folder of
 * its executable, in the one that proftop is in, and in those above each. The
 * project may have been moved: so shorter ends of the name are searched there,
 * and then the folders below and beside these (source_below). Nothing that
 * the program says is trusted: only a regular file is taken, or what a link to
 * one leads to, and none whose name has control characters, which an editor may
 * write to the terminal.
 */
#ifndef PROFTOP_SOURCE_FILE_H
#define PROFTOP_SOURCE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOURCE_PATH 4096

struct wanted_source {
	const char *file;    /* as the program says it; raw bytes */
	const char *command; /* its executable and arguments, blanks between them; "" when not known */
	int64_t pid;         /* 0: it does not run here */
};

/* The path, which begins with a slash. False: `why` names the folders that were searched, safe to show. */
bool source_find(const struct wanted_source *s, bool ascii, char out[SOURCE_PATH], char *why, size_t why_size);

/*
 * Searches a file in a folder and in those below it.
 *
 * If several files have that name, the one with the most of the wanted folders
 * before it is taken, then the one that lies least deep, then the first by name.
 * Near folders are searched first, and the number of entries is limited, so that
 * a folder of millions of files does not hold up the screen. Links to folders,
 * and folders whose names begin with a dot, are not entered.
 */

/* `file`: a name, maybe with some of its folders before it: `src/ray.c`. False: there is none. */
bool source_below(const char *folder, const char *file, char out[SOURCE_PATH]);

#endif
