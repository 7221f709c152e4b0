/* SPDX-License-Identifier: MIT */
/*
 * export_values_text: counters, events and notes in the text report. For the exporters alone.
 */
#ifndef IO_EXPORT_VALUES_TEXT_H
#define IO_EXPORT_VALUES_TEXT_H

#include "io/export/export.h"
#include "model/stats/counters.h"

/* The report of counters as a table. False: not all could be written. */
bool text_counters(const struct profile *p, const struct counter_report *r,
		   const struct export_style *style, FILE *out);

/* A line for each note and event of the frames that are covered; nothing where there are none. */
void text_happened(const struct export *e, const struct export_style *style, FILE *out);

/* The same of what happened outside of frames. */
void text_outside(const struct export *e, const struct export_style *style, FILE *out);

#endif
