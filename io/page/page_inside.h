/* SPDX-License-Identifier: MIT */
/*
 * page_inside: what the files of this room share while a page is written.
 */
#ifndef IO_PAGE_INSIDE_H
#define IO_PAGE_INSIDE_H

#include <stdio.h>

#include "io/json.h"
#include "io/page/page.h"
#include "model/report/report.h"

#define PAGE_WHY_LONGEST 32 /* frames that are set against the median: the longest, */
#define PAGE_WHY_OVER 64    /* and so many more that are over the budget */

struct page_work {
	struct page *page;
	struct json *j;
	const struct profile *p;
	int64_t origin;       /* ticks in the file are minus this: a browser has integers up to 2^53 alone */
	uint32_t *frames;     /* by index of the profile: those that are in the file */
	uint32_t frame_count;
	uint32_t *longest;    /* the same by their lengths, the longest first; of one length the newest */
	bool *held;           /* by place in `frames`: its parts and cells are there */
	uint32_t held_count;
	uint32_t *names;      /* by profile_frame.name: what it is in the file, from 1; 0: no frame there has it */
	struct bases *bases;  /* frames that others are set against: of those that are covered */
	uint64_t base;        /* the number of the median frame; 0: there is none */
	uint32_t *asked;      /* those that are: by index of the profile, ascending */
	uint32_t asked_count;
	uint32_t measure;     /* which one is written */
};

/* Writes a member that is an array: the statement `put` writes the element i. */
#define PAGE_COLUMN(j, key, i, count, put) \
	do { \
		json_array(j, key); \
		for (uint32_t i = 0; i < (count); i++) \
			put; \
		json_array_end(j); \
	} while (0)

static inline bool page_selects(const struct page_work *w, uint32_t thread)
{
	return profile_selects(w->p, w->page->threads, thread);
}

/* By node, of what the page shows; what came since the values were made has 0. */
static inline int64_t page_value(const struct page_work *w, const struct values *v, const int64_t *by_node, uint32_t node)
{
	return node < v->node_count && page_selects(w, w->p->nodes[node].thread) ? by_node[node] : 0;
}

/* Ticks may be anything in a damaged file: as unsigned a difference is defined, and comes out again. */
static inline int64_t page_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* The page of report/ as bytes: what stands before the data, and what stands behind. scripts/page-source makes
 * page_source.c. */
extern const unsigned char page_head[], page_tail[];
extern const size_t page_head_size, page_tail_size;

/* page_print.c: the JSON document of a page, packed as io/gzip.h does it, in base64. */

struct page_print;

/* The document is written through *json, and belongs to out. NULL: out of
 * memory. */
struct page_print *page_print_begin(FILE *out, struct json **json);
/* Ends the document and frees both. False: not all of it was written. */
bool page_print_end(struct page_print *p);

/* Adds a sentence to what the file lacks, with the number in front, if it is not 0. */
void page_say(struct page_work *w, uint64_t count, const char *one, const char *many);

/* page_choose.c: which frames are in it, and of which all is. False: out of memory. */
bool page_choose(struct page_work *w);
void page_choose_fini(struct page_work *w);

/* Each writes its members of the document. */
void page_put_frames(struct page_work *w);
void page_put_measures(struct page_work *w);
void page_put_counters(struct page_work *w);
void page_put_events(struct page_work *w);
void page_put_calls(struct page_work *w);
void page_put_why(struct page_work *w);
void page_put_said(struct page_work *w);

#endif
