/* SPDX-License-Identifier: MIT */
/*
 * export_values_text: events and notes in the text report. For the exporters alone.
 */
#ifndef IO_EXPORT_VALUES_TEXT_H
#define IO_EXPORT_VALUES_TEXT_H

#include "io/export/export.h"

/* A line for each note and event of the frames that are covered; nothing where there are none. */
void text_happened(const struct export *e, const struct export_style *style, FILE *out);

/* The same of what happened outside of frames. */
void text_outside(const struct export *e, const struct export_style *style, FILE *out);

#endif
