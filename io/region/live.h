/* SPDX-License-Identifier: MIT */
/*
 * live: the region of a process, alive or dead, as a source of a profile.
 *
 * Threads of the profile: each owner of a block is one, with an id that stays; those whose block went
 * to another owner before they were read are summed up in one THREAD_AGGREGATE, `ended threads`. What
 * a thread that is in the profile had in the whole run moves there too when its block is passed on; its
 * parts of frames stay its own.
 *
 * Frames come into the profile when they are whole: a thread that has not yet published its part of
 * one gets it by inference, which needs two looks at the process a millisecond apart. next waits for
 * that itself. A thread that cannot be caught outside of a transition holds the newest frames back for
 * a tenth of a second at most; then its parts are missing in them.
 */
#ifndef IO_LIVE_H
#define IO_LIVE_H

#include "io/source.h"

#define LIVE_NAME_SIZE 256
#define LIVE_ANY_USER 1u /* regions of other users, too */
#define LIVE_OFTEN    2u /* next is called many times a second: it brings the values of the whole run,
			  * for which each node is looked at, three times a second at most */

#define LIVE_OWN_FRAMES 8u /* as long as the process sets no mark, frames are made of successive polls, one in a
			    * tenth of a second at most: FRAME_GUESSED. When it sets its first one, next
			    * says SOURCE_ANEW */
#define LIVE_UNGUARDED 4u /* no SIGBUS handler is set: attach.h says what for */

enum live_result {
	LIVE_OK,
	LIVE_ABSENT,   /* no such region or file */
	LIVE_BAD_NAME, /* cannot be the name of one */
	LIVE_NOT_OURS, /* not a region, another user's, damaged, or of another version */
	LIVE_IN_USE,   /* its process lives */
	LIVE_FAILED,   /* the system says no, or no memory */
};

/* A region by its name, or with a slash in it a file that holds one. NULL: *result and `why` say
 * what is wrong. */
struct source *live_open(const char *name, unsigned flags, enum live_result *result, char *why,
			 size_t why_size);

/* From its next `next` on, a source of live_open holds so many bytes (profile.h, held_bytes); at first 64 MiB.
 * The newest frame is held however large it is. */
void live_hold(struct source *s, uint64_t bytes);

/* Renews process.silent_ns in the profile of a source of live_open, which is else as of its last next. */
void live_read_silence(struct source *s);

#endif
