/* SPDX-License-Identifier: MIT */
/*
 * choose: what the words of a command line stand for: threads (-t), a frame (NAME@12 or NAME@-3), a column (-s).
 */
#ifndef PROFTOP_CHOOSE_H
#define PROFTOP_CHOOSE_H

#include "model/profile/profile.h"

/* A selection of threads (model/profile/profile.h); `text` may be NULL. False: there is no such thread,
 * which has been said. */
bool threads_choose(const struct profile *p, const char *text, uint32_t *threads);

/* The measure of a key; `text` may be NULL: time. False: the profile has none of it, or it is a maximum, which has been
 * said, with `before` in front: the option, or "". */
bool measure_choose(const struct profile *p, const char *before, const char *text, uint32_t *measure);

/* The number of the frame that is asked for: by its number, or below 0 from the newest one back, which is -1. False:
 * it is not held or was discarded, and what is held has been said. */
bool which_frame(const struct profile *p, int64_t asked, uint64_t *number);

/* Says that there are no frames (`what`: "no frames to average"), and why. */
void say_no_frames(const struct profile *p, const char *what);

/* The key of a column, which outlives `text`; NULL: there is no such column in any view. */
const char *sort_key(const char *text);

/* Whether the view (as options.view) has that column. */
bool sort_key_fits(int view, const char *key);

#endif
