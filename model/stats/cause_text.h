/* SPDX-License-Identifier: MIT */
/*
 * cause_text: what goes with a zone's heat, in words, for the screen and for reports.
 */
#ifndef MODEL_CAUSE_TEXT_H
#define MODEL_CAUSE_TEXT_H

#include "model/stats/cause.h"

#define CAUSE_TEXT 160 /* bytes that are enough for any of these */

/* `71 % by its number of calls, 29 % by what a call costs`; whole percents that sum up to 100. Why there are none: `-
 * (of 30 frames and more)`, or `not at all`. */
void cause_varies_text(const struct variance *v, char *out, size_t size);

/* `texture_bytes +0.82`; `growth of` it, where it is what it grew by; with the thread's name where it is the value of
 * one: `jobs (worker) +0.61`. Names are as shown, and long ones are cut. */
void cause_counter_text(const struct profile *p, const struct correlation *c, enum correlate_with with, bool ascii,
			char *out, size_t size);

extern const char *const correlate_with_words[CORRELATE_WITHS]; /* `the frame's length`, `its self time` */

#endif
