/* SPDX-License-Identifier: MIT */
/*
 * messages: what proftop says to its user, and the status with which it ends.
 *
 * It goes to stderr, a line each with the program's name in front, behind what stdout has so far.
 */
#ifndef PROFTOP_MESSAGES_H
#define PROFTOP_MESSAGES_H

#include <stdbool.h>

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_ABSENT = 3,
	EXIT_FALSE = 4, /* of check */
	EXIT_NOT_OURS = 5,
	EXIT_UNKNOWN = 6, /* of check; of a report: a thread that could not be read */
};

#define WHY_SIZE 1536 /* room for a sentence that says what is wrong */

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* EXIT_FAILED, for want of memory. */
int say_no_memory(void);

/* Asks whether the region of that name may be removed, and reads the answer. */
bool say_agreed(const char *name);

#endif
