/* SPDX-License-Identifier: MIT */
/*
 * symbols: the functions of code addresses, by libdw. Without libdw no function is known.
 *
 * A module is a file with code. Function names come from the symbol table of the module, or of a separate debug file below
 * /usr/lib/debug with the same build id. Files and lines come from the debug information. The file must have the build id
 * that the module had in the program. Nothing is downloaded.
 *
 * Do not trust the files: they may contain anything.
 */
#ifndef IO_SYMBOLS_H
#define IO_SYMBOLS_H

#include "model/profile/profile.h"

struct symbols;

/* `libdw 0.188`, or `no libdw`. */
const char *symbols_library(char *out, size_t size);

/* From now on, what is found in debug information is kept in files in this folder, for the next time (symbols_cache.h). NULL,
 * as at the beginning: nothing is. A program that only uses the library keeps nothing. */
void symbols_keep_in(const char *folder);

struct symbols *symbols_new(void); /* NULL: out of memory */
void symbols_free(struct symbols *s);

/* A function, and where it begins. */
struct symbol {
	char *name;
	char *file; /* "": not known */
	uint32_t line;
	uint32_t at; /* the line of that file that the address belongs to; 0: not known */
};

#define SYMBOLS_MOST 32

/* The functions at `offset` in a module. `index` is that of the module: another number is another module. The program began
 * at `started_ns` (0: not known). First the function itself, then those that the compiler inlined
 * there, each in the one before it. Returns how many; 0: none is known. */
uint32_t symbols_find(struct symbols *s, const struct profile_module *module, uint32_t index, int64_t started_ns, uint64_t offset,
		      struct symbol out[SYMBOLS_MOST]);
void symbols_forget(struct symbol *found, uint32_t count); /* frees their texts */

#endif
