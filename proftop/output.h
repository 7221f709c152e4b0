/* SPDX-License-Identifier: MIT */
/*
 * output: stdout as a place for reports, and files.
 */
#ifndef PROFTOP_OUTPUT_H
#define PROFTOP_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proftop/options.h"

/* Whether the locale's characters are UTF-8. */
bool output_utf8(void);

/* In cells: COLUMNS, the terminal's, or what suits a file. */
uint32_t output_width(void);

/* 0, 8, 16 or 256, as --colour, the terminal and NO_COLOR have it. */
int output_colours(const struct options *o);

/* The exit status of what was written: it has arrived, or nobody wanted more of it (a reader that
 * left is no error); else what went wrong has been said. */
int output_finish(bool written);

/* Writes all of it to a file. False: errno. */
bool output_all(int fd, const char *text, size_t length);

/* Says that it was not written, and why: an errno. EXIT_FAILED. */
int output_failed(int error);

#endif
