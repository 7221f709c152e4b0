/* SPDX-License-Identifier: MIT */
/*
 * typed: times as a user types them.
 */
#ifndef TUI_TYPED_H
#define TUI_TYPED_H

#include <stdbool.h>

#define BUDGET_FORMS "16.7 (ms) or 60fps"

/* How long a frame may take: in ms, `16.7` or `16.7ms`, or as a rate, `60fps` or `60 Hz`. False: it is none. */
bool budget_parse(const char *text, double *ms);

/* `12.5ms`, `3 s`, `2` for seconds; down to ns. False: it is no time. */
bool time_parse(const char *text, double *seconds);

/* What is searched for, and which calls of it: takes the `>1ms` or `<1ms` behind `raycast` off the text, and sets the one
 * of the two, in seconds, that it says; the other one is 0. Without such an end both are 0, and the text stays. */
void condition_parse(char *text, double *longer_s, double *shorter_s);

#endif
