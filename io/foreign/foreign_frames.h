/* SPDX-License-Identifier: MIT */
/*
 * foreign_frames: in which frame a call was entered, and a note was made, for formats that say so of each.
 */
#ifndef IO_FOREIGN_FRAMES_H
#define IO_FOREIGN_FRAMES_H

#include "io/foreign/foreign.h"

#define FOREIGN_NOTE INT64_MIN

/* The index of the frame in which a thread entered a call that lasted until then, or made a note; PROFILE_NONE: none that
 * is known. */
uint32_t foreign_frame_at(const struct foreign *t, uint32_t thread, int64_t tick, int64_t until);

#endif
