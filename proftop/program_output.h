/* SPDX-License-Identifier: MIT */
/*
 * program_output: the end of the file that a program prints to.
 *
 * The file is the one that launch.c made, or the regular file that standard
 * output, else standard error, of the process is: /proc/PID/fd/1 and 2. It stays
 * open when the process ends, so that its last lines can still be read. Only its
 * end is read, whatever its size.
 */
#ifndef PROFTOP_PROGRAM_OUTPUT_H
#define PROFTOP_PROGRAM_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/widgets/output_pane.h"

#define PROGRAM_OUTPUT_TAIL 16384 /* bytes that are read */

struct program_output {
	int fd;            /* below 0: not open */
	char *file;        /* its name; owned */
	uint64_t device, inode;
};

/* `file`: where it is, if that is known; else "". `pid`: the process; 0: it does
 * not run. NULL: `why` says why there is nothing to show. */
struct output_tail *program_output_read(struct program_output *o, const char *file, int64_t pid, bool recording,
					char *why, size_t why_size);

void program_output_close(struct program_output *o);

#endif
