/* SPDX-License-Identifier: MIT */
/*
 * open: a source of whatever the user means: the region of a process, by its name or its path, or a file.
 *
 * The first bytes of a file say what it is, never its name: a region (one that was copied, say), a recording, or
 * a trace that another program wrote (io/import/import.h). A pipe gives a recording.
 */
#ifndef IO_OPEN_H
#define IO_OPEN_H

#include "io/import/import.h"
#include "io/region/live.h"

/* As live_open. `import` says how traces of others are converted; their first `next` does that. NULL: as it is usual. */
struct source *source_open(const char *name, unsigned flags, const struct import_options *import, enum open_result *result,
			   char *why, size_t why_size);

#endif
