/* SPDX-License-Identifier: MIT */
/*
 * export_sheet: a sheet (model/table/sheet.h) that is fitted, as text.
 */
#ifndef IO_EXPORT_SHEET_H
#define IO_EXPORT_SHEET_H

#include <stdbool.h>
#include <stdio.h>

#include "model/table/sheet.h"

/* A row, or SHEET_TITLES, as a line. False: out of memory. */
bool export_row(const struct sheet *s, uint32_t row, bool bold, FILE *out);

#endif
