/* SPDX-License-Identifier: MIT */
/*
 * import_source: a trace as a source of a profile. It is made a recording first, in an unlinked file in the folder for what
 * is temporary, and that is played.
 */
#ifndef IO_IMPORT_SOURCE_H
#define IO_IMPORT_SOURCE_H

#include "io/import/import.h"
#include "io/source.h"

/* Reads all of `fd`, as import_convert does, and takes it over. NULL: result->why, a sentence about the file. */
struct source *import_source(int fd, const struct import_options *options, struct import_result *result);

#endif
