/* SPDX-License-Identifier: MIT */
/*
 * live_file: the file behind the name of a region, looked at without attaching it.
 *
 * A process that is started again makes another file of the same name. While a source of the old one
 * is open, no new file can be taken for it.
 */
#ifndef IO_LIVE_FILE_H
#define IO_LIVE_FILE_H

#include "io/region/live.h"

/* A few system calls, nothing is mapped or copied. False: there is no region that could be attached. */
bool live_file_find(const char *name, unsigned flags, struct source_file *out);

/* The name of a region of that process, of the living one if there are several. As above. */
bool live_file_of_pid(int64_t pid, char *out, size_t size);

#endif
