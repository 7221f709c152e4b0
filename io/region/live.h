/* SPDX-License-Identifier: MIT */
/*
 * live: the region of a process, alive or dead, as a source of a profile.
 *
 * Threads. A region has a number of blocks. A thread owns a block until it ends; then the block may pass to another
 * thread. Each owner that the source has met is a thread of the profile, with an id that stays. Owners whose block
 * passed on before they were read are summed up in one THREAD_AGGREGATE, `ended threads`. When the block of a thread
 * of the profile passes on, its totals of the whole run move to `ended threads`, too; its parts of frames stay its own.
 *
 * Frames come into the profile when they are whole. If a thread has not published its part of a frame yet, the part is
 * worked out (inferred) from two looks at the process, a millisecond apart; `next` waits that long. A thread that
 * cannot be caught outside of a transition holds the newest frames back for a tenth of a second at most. After that
 * its parts are missing in them.
 *
 * How much of a history is held: live_hold says how many bytes; live_limit.c decides what is dropped.
 */
#ifndef IO_LIVE_H
#define IO_LIVE_H

#include "io/source.h"

#define LIVE_NAME_SIZE 256
#define LIVE_ANY_USER 1u /* regions of other users, too */
#define LIVE_OFTEN    2u /* `next` is called many times a second. So it reads the totals of the whole run, for which it
			  * has to look at each node, three times a second at most */

#define LIVE_OWN_FRAMES 8u /* as long as the process sets no mark, the source makes frames itself (FRAME_GUESSED): each
			    * is the time from one poll to another, a tenth of a second or more. When the process
			    * sets its first mark, `next` says SOURCE_ANEW */
#define LIVE_UNGUARDED 4u /* no SIGBUS handler is set: attach.h says what for */

/* A region by its name, or with a slash in it a file that holds one. NULL: *result and `why` say
 * what is wrong. */
struct source *live_open(const char *name, unsigned flags, enum open_result *result, char *why,
			 size_t why_size);

/* From its next `next` on, a source of live_open holds so many bytes (profile.h, held_bytes); at first 64 MiB.
 * The newest frame is held however large it is. */
void live_hold(struct source *s, uint64_t bytes);

#endif
