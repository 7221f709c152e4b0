/* SPDX-License-Identifier: MIT */
/*
 * foreign_kinds: writes it in one of the formats of model/report/file_kinds.h.
 */
#ifndef IO_FOREIGN_KINDS_H
#define IO_FOREIGN_KINDS_H

#include "io/foreign/foreign.h"
#include "model/report/file_kinds.h"

/* Of events or sums, not of a report. False: not all could be written, out of memory (no_memory), or nobody wants it any more
 * (stopped). What the file lacks is in t->said, also then. */
bool foreign_write(struct foreign *t, enum file_kind kind, FILE *out);

#endif
