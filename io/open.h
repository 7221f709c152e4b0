/* SPDX-License-Identifier: MIT */
/*
 * open: a source of whatever the user means: the region of a process, by its name or its path, or a file.
 *
 * What a file is is known by its first bytes, never by its name: a region (of a machine that was copied, say), or a
 * recording. What comes through a pipe is a recording.
 */
#ifndef IO_OPEN_H
#define IO_OPEN_H

#include "io/region/live.h"

/* As live_open. */
struct source *source_open(const char *name, unsigned flags, enum live_result *result, char *why, size_t why_size);

#endif
