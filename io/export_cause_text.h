/* SPDX-License-Identifier: MIT */
/*
 * export_cause_text: what goes with the heat of a call graph's focus, in a text report. For the exporters alone.
 */
#ifndef IO_EXPORT_CAUSE_TEXT_H
#define IO_EXPORT_CAUSE_TEXT_H

#include "io/export.h"

/* Lines, with an empty one behind; nothing where the report has no cause. */
void text_cause(const struct export *e, const struct export_style *style, FILE *out);

#endif
