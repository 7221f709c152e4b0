/* SPDX-License-Identifier: MIT */
/*
 * symbols_cache: functions that were found once, kept in files for the next
 * time, one file for each build id.
 *
 * To go through a gigabyte of debug information takes seconds, and its
 * functions do not change: another build has another build id. So they are
 * still known when the program's file has been replaced. Texts with control
 * characters are not kept.
 *
 * The files are plain text. Do not trust them: a file with a malformed line is
 * ignored and written again.
 */
#ifndef IO_SYMBOLS_CACHE_H
#define IO_SYMBOLS_CACHE_H

#include "io/symbols.h"

struct symbols_cache; /* of a module */

/* NULL: there is no folder for them (symbols_keep_in), the module has no build
 * id, or there is no memory. */
struct symbols_cache *symbols_cache_open(const struct profile_module *module);

/* As symbols_find. */
uint32_t symbols_cache_find(const struct symbols_cache *c, uint64_t offset, struct symbol out[SYMBOLS_MOST]);

/* Keeps what was found at `offset`. */
void symbols_cache_add(struct symbols_cache *c, uint64_t offset, const struct symbol *found, uint32_t count);

/* Writes the file, if something was added, and frees all. If the file cannot be
 * written, nothing is kept. */
void symbols_cache_close(struct symbols_cache *c);

#endif
