/* SPDX-License-Identifier: MIT */
/*
 * source_text: lines of the source files of a profile's functions, as they are on this machine now. A file is searched
 * (source_file.h) when its first line is asked for, and read again if it changes. A file at another path than the program
 * names must have the same name and lie in a folder of the same name: to show another file would be worse than none.
 */
#ifndef PROFTOP_SOURCE_TEXT_H
#define PROFTOP_SOURCE_TEXT_H

#include "model/profile/profile.h"
#include "proftop/source_file.h"

struct source_texts; /* zeroed fields are all it needs: source_texts_new never reads a file */

struct source_texts *source_texts_new(void); /* NULL: out of memory */
void source_texts_free(struct source_texts *s);

/* Finds, on this machine, the source that the program calls `file`. False:
 * `why` (safe to show) says where it was searched. */
bool source_of_zone(const struct profile *p, const char *file, bool ascii, char out[SOURCE_PATH], char *why, size_t why_size);

/* A line of `file` without the blanks around it (line_source in
 * model/report/line_table.h). NULL: the file or the line was not found. */
const char *source_texts_line(void *texts, const struct profile *p, const char *file, uint32_t line);

#endif
