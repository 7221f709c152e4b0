/* SPDX-License-Identifier: MIT */
/*
 * page_print: one JSON document to a stream, packed as io/gzip.h does it, in base64: as it stands in a page.
 *
 * io/json.h writes documents for people and programs, by a library. This one is made for columns of a million
 * numbers, and libprofview has it, which has no such library. `key` is NULL inside of arrays.
 */
#ifndef IO_PAGE_PRINT_H
#define IO_PAGE_PRINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PAGE_NAME_MOST 4096 /* bytes of a name; longer ones are cut */

struct page_print;

struct page_print *page_print_begin(FILE *out); /* NULL: out of memory */
/* Ends the document and frees it. False: not all could be written, or memory was short. */
bool page_print_end(struct page_print *j);

/* Memory was short, for whoever writes with it: page_print_end returns false. */
void page_fail(struct page_print *j);

void page_object(struct page_print *j, const char *key);
void page_object_end(struct page_print *j);
void page_array(struct page_print *j, const char *key);
void page_array_end(struct page_print *j);

void page_integer(struct page_print *j, const char *key, int64_t value);
void page_unsigned(struct page_print *j, const char *key, uint64_t value);
void page_real(struct page_print *j, const char *key, double value); /* null where it is no number */
void page_null(struct page_print *j, const char *key);
void page_text(struct page_print *j, const char *key, const char *text); /* valid UTF-8 without controls */
/* Bytes from outside, as name_escape shows them. Of a long one PAGE_NAME_MOST bytes, and `…`. */
void page_name(struct page_print *j, const char *key, const char *bytes);

uint64_t page_names_cut(const struct page_print *j); /* so far */

#endif
