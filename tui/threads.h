/* SPDX-License-Identifier: MIT */
/*
 * threads: the threads that -t means.
 */
#ifndef TUI_THREADS_H
#define TUI_THREADS_H

#include "model/profile.h"

/* A selection of them (model/profile.h), or REPORT_EACH; `text` may be NULL. False: there is no such thread,
 * which has been said. */
bool threads_choose(const struct profile *p, const char *text, uint32_t *threads);

#endif
