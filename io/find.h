/* SPDX-License-Identifier: MIT */
/*
 * find: which region is meant: by a name, a process id, a path, or by nothing at all.
 *
 * A name wins over a process id, and that over a file; what has a slash in it is a path. A process is asked for what it
 * has mapped, so its region is found whatever it is called, in containers too, where the path leads
 * through /proc/PID/root.
 */
#ifndef IO_FIND_H
#define IO_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIND_SIZE 4096 /* of a path */

enum find_result {
	FIND_DONE,
	FIND_NONE, /* `why` says what there is not */
	FIND_GONE, /* as NONE, and there is no such process: nothing will come of it */
	FIND_MANY, /* of several, one has to be chosen: `why` lists them */
};

/* The name or path for live_open of what the user typed. */
enum find_result find_region(const char *text, char *out, size_t size, char *why, size_t why_size);

/* Whether the text is what a file is called rather than a region: it has a slash, or ends as files do that proftop reads or
 * writes. */
bool find_is_file_name(const char *text);

/* Whether there is a region or a file of this name. */
bool find_is_there(const char *text);

/* Says that nothing of this name is there: what was looked for, and what to do. */
void find_absent(const char *text, char *why, size_t why_size);

/* Whether the text means one frame of a region: `NAME@12` is frame 12, `NAME@-3` the third from the newest back. Then
 * what stands in front of the @ goes to `out` (it may be "", the default region), and the number, never 0, to *frame.
 * False: it means no frame, or there is a region or a file that has the whole text as its name; `out` gets the whole
 * text. */
bool find_frame(const char *text, char *out, size_t size, int64_t *frame);

/* The region that the calling process writes to. Nothing is mapped, no signal handler set. */
enum find_result find_self(char *out, size_t size, char *why, size_t why_size);

/* Where nothing was typed: $PROF_SHM, else the only region of a living process, else the only
 * region. */
enum find_result find_default(unsigned flags, char *out, size_t size, char *why, size_t why_size);

#endif
