/* SPDX-License-Identifier: MIT */
/*
 * sort_key: names of columns to sort by, as on the command line and in settings: those of reports, and those of
 * the view of counters.
 */
#ifndef TUI_SORT_KEY_H
#define TUI_SORT_KEY_H

#include <stdbool.h>

/* The key itself, which outlives `text`; NULL: there is no such column in any view. */
const char *sort_key(const char *text);

/* Whether the view (as options.view) has that column. */
bool sort_key_fits(int view, const char *key);

#endif
