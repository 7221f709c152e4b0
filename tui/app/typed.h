/* SPDX-License-Identifier: MIT */
/*
 * budget: how long a frame may take, as a user says it: in ms, `16.7` or `16.7ms`, or as a rate, `60fps` or `60 Hz`.
 */
#ifndef TUI_BUDGET_H
#define TUI_BUDGET_H

#include <stdbool.h>

#define BUDGET_FORMS "16.7 for ms, or 60fps"

/* False: it is none. */
bool budget_parse(const char *text, double *ms);

#endif
