/* SPDX-License-Identifier: MIT */
/*
 * import_later: a trace as a source whose first `next` converts it, so that this can be done in a thread beside the screen
 * (io/opening.h), and ended by the source's `stop`.
 */
#ifndef IO_IMPORT_LATER_H
#define IO_IMPORT_LATER_H

#include "io/import/import_source.h"

/* Takes `fd` over; the names in the options are copied. NULL: out of memory, and `fd` is closed. */
struct source *import_later(int fd, const struct import_options *options);

/* What was found in the file, once it was converted; NULL: the source is of another kind, or not that far. */
const struct import_result *import_result_of(const struct source *s);

#endif
