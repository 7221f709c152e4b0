/* SPDX-License-Identifier: MIT */
/*
 * page_source: the page of report/ as bytes: what stands before the data, and what stands behind. scripts/page-source makes
 * page_source.c.
 */
#ifndef IO_PAGE_SOURCE_H
#define IO_PAGE_SOURCE_H

#include <stddef.h>

extern const unsigned char page_head[], page_tail[];
extern const size_t page_head_size, page_tail_size;

#endif
