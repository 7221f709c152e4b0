/* SPDX-License-Identifier: MIT */
/*
 * export_beside: writes a file beside the screen, in a child process.
 *
 * The child has a private copy of the profile, as a fork gives it, so the screen
 * may go on reading the program. It prints nothing, has no terminal and no other
 * file of proftop's open, and ends with proftop. A signal ends it at any time, and
 * nothing is left of its file then (stop.h).
 */
#ifndef PROFTOP_EXPORT_BESIDE_H
#define PROFTOP_EXPORT_BESIDE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

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
bool export_beside_begin(struct export_beside *b, void (*write)(void *context, struct export_state *s), void *context);

/* Whether the child has ended; `state` stays until the next begin. */
bool export_beside_is_over(struct export_beside *b);

/* Ends the child, and waits for its end. */
void export_beside_end(struct export_beside *b);

/* Frees what there is, after the end. */
void export_beside_fini(struct export_beside *b);

#endif
