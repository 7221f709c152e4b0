/* SPDX-License-Identifier: MIT */
/*
 * export_list: the regions of the machine as a table, or as a JSON array of objects.
 */
#ifndef IO_EXPORT_LIST_H
#define IO_EXPORT_LIST_H

#include "io/export/export.h"

enum list_result { LIST_DONE, LIST_NO_DIRECTORY, LIST_FAILED };

/* flags: of io/region/live.h. */
enum list_result export_list(unsigned flags, const struct export_style *style, FILE *out);
enum list_result export_list_json(unsigned flags, FILE *out);

#endif
