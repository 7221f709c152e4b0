/* SPDX-License-Identifier: MIT */
/*
 * foreign_frames: in which frame a call was entered, and a note was made, for formats that say so of each.
 */
#ifndef IO_FOREIGN_FRAMES_H
#define IO_FOREIGN_FRAMES_H

#include "io/foreign/foreign.h"

/* Frames are those of a file that some other program wrote. */
bool foreign_frames_of_file(const struct foreign *t);

#define FOREIGN_NOTE INT64_MIN

/* The index of the frame in which a thread entered a call that lasted until then, or made a note; PROFILE_NONE: none that
 * is known. */
uint32_t foreign_frame_at(const struct foreign *t, uint32_t thread, int64_t tick, int64_t until);

/* How many calls of the thread the frames of a file have beyond those that are found in them here, `found` of each frame: what
 * a file calls in a frame while another one runs is found in that one, or in none. */
uint64_t foreign_frames_lacking(const struct foreign *t, uint32_t thread, const uint64_t *found);

#endif
