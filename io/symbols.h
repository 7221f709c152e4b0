/* SPDX-License-Identifier: MIT */
/*
 * symbols: the functions of code addresses, by libdw. Without libdw no function is known.
 *
 * A module is a file with code. Its functions come from its symbol table, or from the one of its separate debug file, which
 * is found by its build id below /usr/lib/debug. Files and lines come from the debug information. The file must have the
 * build id that the module had in the program. Nothing is downloaded.
 *
 * All that the files say is hostile: they may be anything.
 */
#ifndef IO_SYMBOLS_H
#define IO_SYMBOLS_H

#include "model/profile/profile.h"

struct symbols;

/* `libdw 0.188`, or `no libdw`. */
const char *symbols_library(char *out, size_t size);

struct symbols *symbols_new(void); /* NULL: out of memory */
void symbols_free(struct symbols *s);

/* A function, and where it begins. */
struct symbol {
	char *name;
	char *file; /* "": not known */
	uint32_t line;
};

/* The function at `offset` in a module of the profile. False: it is not known. */
bool symbols_find(struct symbols *s, const struct profile *p, uint32_t module, uint64_t offset, struct symbol *out);
void symbols_forget(struct symbol *found);

#endif
