/* SPDX-License-Identifier: MIT */
/*
 * view_help: what the columns of views are that are no reports of zones, for the help. Reports have a table of
 * columns in model/, with a sentence each.
 */
#ifndef TUI_VIEW_HELP_H
#define TUI_VIEW_HELP_H

#include "tui/views/view.h"
#include "tui/widgets/guide.h"

/* The last has no title. NULL: the view has none of these. */
const struct column_help *view_help(enum view_kind view);

#endif
