/* SPDX-License-Identifier: MIT */
/*
 * proftop_export: a profile as a file for another program: what a batch covers, in the kind that the command line names.
 */
#ifndef PROFTOP_EXPORT_H
#define PROFTOP_EXPORT_H

#include "proftop/batch.h"
#include "proftop/export_file.h"

/* What can be seen to be wrong before anything is read: false, and it has been said. */
bool export_usable(const struct options *o);

/* Of single calls, or of stacks, or a page; not a report. */
bool export_is_foreign(const struct options *o);

bool export_is_page(const struct options *o);

/* Single calls are wanted for it. */
bool export_is_events(const struct options *o);

/* Opens the file that -o names. False: it has been said. */
bool export_begin(const struct options *o, struct export_file *file);

/* Writes it. The batch covers what is wanted; for single calls it has the transitions. Not 0: an exit status, and it has been
 * said. *written: it was, as far as the stream has not failed. */
int export_foreign(struct batch *b, FILE *out, bool *written);

/* The exit status of it all: if `status` is none of EXIT_DONE, the file is left as it was. NULL: it went to stdout. */
int export_end(const struct options *o, struct export_file *file, bool written, int status);

#endif
