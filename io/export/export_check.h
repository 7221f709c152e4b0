/* SPDX-License-Identifier: MIT */
/*
 * export_check: what became of conditions that were judged (model/stats/check.h), as text and as JSON. As those of
 * export.h, false when not all could be written.
 */
#ifndef IO_EXPORT_CHECK_H
#define IO_EXPORT_CHECK_H

#include "io/export/export.h"
#include "model/stats/check.h"

/* `p99 16.200 ms < 16.7 ms: holds   (600 frames)`: a line a condition; with bounds in the figure's place and `not known`
 * where frames are missing. A figure has as many decimals as it takes
 * to see on which side of the limit it is. */
bool export_check(const struct check *c, const struct profile *p, const struct export_style *style, FILE *out);

/* One document. `asked`: so many frames were asked for; 0: no number. */
bool export_check_json(const struct check *c, const struct profile *p, uint64_t asked, FILE *out);

#endif
