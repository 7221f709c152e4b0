/* SPDX-License-Identifier: MIT */
/*
 * which_frame: the frame that a command line means by NAME@12 or NAME@-3.
 */
#ifndef TUI_WHICH_FRAME_H
#define TUI_WHICH_FRAME_H

#include "model/profile.h"

/* The number of the frame that is asked for: by its number, or below 0 from the newest one back, which is -1. False:
 * it is not held or was discarded, and what is held has been said. */
bool which_frame(const struct profile *p, int64_t asked, uint64_t *number);

/* The number of the longest frame that is held, kept ones too; of several the newest. 0: there is none. */
uint64_t worst_frame(const struct profile *p);

/* That there are no frames, and why. */
void say_no_frames(void);

#endif
