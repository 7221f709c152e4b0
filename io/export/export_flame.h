/* SPDX-License-Identifier: MIT */
/*
 * export_flame: a tree as boxes, as text. Part of export_text.
 */
#ifndef IO_EXPORT_FLAME_H
#define IO_EXPORT_FLAME_H

#include "io/export/export.h"

/* A line a level, the root first; with several sections below the name of each. False: not all could be written. */
bool text_flame(const struct report *r, const struct export_style *style, FILE *out);

#endif
