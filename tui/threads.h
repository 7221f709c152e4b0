/* SPDX-License-Identifier: MIT */
/*
 * threads: the thread that -t means.
 */
#ifndef TUI_THREADS_H
#define TUI_THREADS_H

#include "model/profile.h"

/* Its index in the profile, THREADS_ALL or REPORT_EACH; `text` may be NULL. False: there is no such
 * thread, or more than one, which has been said. */
bool threads_choose(const struct profile *p, const char *text, uint32_t *thread);

#endif
