/* SPDX-License-Identifier: MIT */
/*
 * gzip: bytes on their way to a file, packed where there is zlib; else they are given on as they are.
 */
#ifndef IO_GZIP_H
#define IO_GZIP_H

#include <stdbool.h>
#include <stddef.h>

struct gzip;

/* Receives the packed data, piece by piece. */
typedef void gzip_give(void *context, const void *data, size_t length);

/* `level` from 1, fast, to 9; 0: what is usual. NULL: out of memory. */
struct gzip *gzip_new(int level, gzip_give *give, void *context);
void gzip_put(struct gzip *g, const void *data, size_t length);

/* Gives the rest, and frees it. False: not all could be packed. */
bool gzip_end(struct gzip *g);

/* The version of the library that packs; NULL: there is none, and what is given is what was put. */
const char *gzip_library(void);

#endif
