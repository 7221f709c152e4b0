/* SPDX-License-Identifier: MIT */
/* no_frames: messages for a profile without frames. */
#ifndef TUI_NO_FRAMES_H
#define TUI_NO_FRAMES_H

#include "model/profile/profile.h"

/* Why there are no frames, and the two ways to have some. */
#define NO_FRAMES_UNMARKED \
	"the program has marked none (Prof_update does; a batch program can be started with PROF_FRAME_MS=20)"

/* Why the profile holds no frame: NO_FRAMES_UNMARKED, or what became of the
 * frames that ended. Returns `out`. */
const char *no_frames_why(const struct profile *p, char *out, size_t size);

#define NO_FRAMES_SIZE 160 /* bytes */

/* `no frames yet` if frames may still come, else why there are none. Without a
 * profile (NULL) frames may still come. */
void no_frames_text(const struct profile *p, char out[NO_FRAMES_SIZE]);

/* The same in a few words, for the status line. */
const char *no_frames_short(const struct profile *p);

#endif
