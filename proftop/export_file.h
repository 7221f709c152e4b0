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

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Progress callback while a file is opened and written: before each piece of it, and some twenty times a second
 * while a pipe has no reader. Return false to cancel. */
struct export_watch {
	bool (*goes_on)(void *context, uint64_t bytes); /* so many were written */
	void *context;
};

struct export_file {
	FILE *out;
	int fd;       /* that it writes to */
	const struct export_watch *watch; /* NULL: it takes as long as it takes */
	uint64_t bytes;
	char *path;   /* whose name it gets, links followed; NULL: none, it is written to as it is */
	char *aside;  /* its name until then; NULL: it has none */
	int mode;     /* permissions of the one that is there; -1: there is none */
};

/* False: *error is an errno, and there is nothing to finish. ECANCELED: it is not wanted any more, here and below. */
bool export_file_open(struct export_file *f, const char *path, const struct export_watch *watch, int *error);

/* `written`: all of it was. Else, and where it does not arrive, what was there before stays. False: *error; 0: it was not
 * for want of room that it was not written. */
bool export_file_finish(struct export_file *f, bool written, int *error);

/*
 * A file that is written beside the screen, in a child process.
 *
 * The child has a private copy of the profile, as a fork gives it, so the screen
 * may go on reading the program. It prints nothing, has no terminal and no other
 * file of proftop's open, and ends with proftop. A signal ends it at any time, and
 * nothing is left of its file then (stop.h).
 */

/* In memory that both processes share. The child writes it, the parent reads it.
 * The parent reads members that are not atomic only after the child has ended. */
struct export_state {
	atomic_uint_least64_t bytes; /* written so far */
	atomic_uint_least64_t done, all; /* of what is to be written; 0: not known */
	bool written; /* all of it, and the file has its name */
	int error;    /* errno, if it is not */
	char what[128], said[1024]; /* what was written, and what there is to say of it */
};

struct export_beside {
	pid_t pid; /* 0: no file is being written */
	int status; /* of a child that has ended, as waitpid gives it */
	struct export_state *state;
};

/* Calls `write` in a child. False: errno says why there is none. */
/* The name of a new file, of `size` bytes. `proposed` is a name that the user did not type: if a file has it, `game.prof` becomes
 * `game-2.prof`, and so on. `ending` is that of `wanted`. False: a file has it, or all of these. */
bool export_find_name(const char *wanted, const char *proposed, const char *ending, char *path, size_t size);

bool export_beside_begin(struct export_beside *b, void (*write)(void *context, struct export_state *s), void *context);

/* Whether the child has ended; `state` stays until the next begin. */
bool export_beside_is_over(struct export_beside *b);

/* Ends the child, and waits for its end. */
void export_beside_end(struct export_beside *b);

/* Frees what there is, after the end. */
void export_beside_fini(struct export_beside *b);

#endif
