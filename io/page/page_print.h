/* SPDX-License-Identifier: MIT */
/*
 * page_print: writes the JSON document of a page, packed as io/gzip.h does it,
 * in base64.
 */
#ifndef IO_PAGE_PRINT_H
#define IO_PAGE_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "io/json.h"

#define PAGE_NAME_MOST 4096 /* bytes of a name; longer ones are cut */

struct page_print;

/* The document is written through *json, and belongs to out. NULL: out of
 * memory. */
struct page_print *page_print_begin(FILE *out, struct json **json);
/* Ends the document and frees both. False: not all of it was written. */
bool page_print_end(struct page_print *p);

#endif
