/* SPDX-License-Identifier: MIT */
/*
 * foreign_frames: in which frame a call was entered, and a note was made, for formats that say so of each.
 */
#ifndef IO_FOREIGN_FRAMES_H
#define IO_FOREIGN_FRAMES_H

#include "io/foreign/foreign.h"

/* The index of the frame that a thread was in; PROFILE_NONE: none that is known. */
uint32_t foreign_frame_at(const struct foreign *t, uint32_t thread, int64_t tick);

#endif
