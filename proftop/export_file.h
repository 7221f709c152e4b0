/* SPDX-License-Identifier: MIT */
/*
 * export_file: a file that is there as a whole or not at all: it is written aside, and gets its name when all arrived.
 *
 * Where the name is not a file's but a device's or a pipe's, it is written to as it is. Nothing is left of one that was not
 * finished, whatever ends the program: where the file system has files without names (O_TMPFILE) there is nothing to leave, and
 * elsewhere it goes with the signal (stop.h). There SIGKILL leaves it.
 */
#ifndef PROFTOP_EXPORT_FILE_H
#define PROFTOP_EXPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct export_file {
	FILE *out;
	char *path;   /* whose name it gets, links followed; NULL: none, it is written to as it is */
	char *aside;  /* its name until then; NULL: it has none */
	int mode;     /* permissions of the one that is there; -1: there is none */
};

/* False: *error is an errno, and there is nothing to finish. */
bool export_file_open(struct export_file *f, const char *path, int *error);

/* `written`: all of it was. Else, and where it does not arrive, what was there before stays. False: *error; 0: it was not
 * for want of room that it was not written. */
bool export_file_finish(struct export_file *f, bool written, int *error);

#endif
