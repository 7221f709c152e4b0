/* SPDX-License-Identifier: MIT */
/*
 * export_cause: what goes with the heat of a call graph's focus, in JSON. For the exporters alone.
 */
#ifndef IO_EXPORT_CAUSE_H
#define IO_EXPORT_CAUSE_H

#include "io/export.h"
#include "io/json.h"

/* `varies` and `correlates`; nothing where the report has no cause. */
void json_cause(struct json *j, const struct export *e);

#endif
