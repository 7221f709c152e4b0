/* SPDX-License-Identifier: MIT */
/*
 * page: a profile as one file that a browser opens: what report/ has, and the profile's columns in it.
 *
 *     the template's head, with its style
 *     <script id="data" type="application/octet-stream" data-encoding="gzip">H4sI...</script>
 *     the template's tail, with its scripts
 *
 * The data are one JSON document of columns (page_print.c), packed where there is zlib. The page works out of the cells of frames
 * and nodes what reports work out of them, so that they have one source of figures: `run` are the values that the caller covers,
 * cells are those of the frames, rows of why are those of model/stats/why.h, and calls those of model/boxes/spans.h.
 *
 * Columns of ticks are mostly differences, which pack well:
 *
 *     frames.number   minus that of the frame before
 *     frames.start    minus the end of the frame before
 *     parts.bound     minus the frame's start; end minus bound
 *     cells.node      minus the one before in its part; longest minus the cell's self, null: not known
 *     ticks of tracks, events, rows of calls   minus the one before
 *     measures.node   as cells.node
 *
 * If there is too much, it is thinned: PAGE_CELLS, PAGE_SPANS, PAGE_CHANGES. The file says so, and the rest is
 * exact.
 */
#ifndef IO_PAGE_H
#define IO_PAGE_H

#include <stdio.h>

#include "model/boxes/spans.h"
#include "model/query/values.h"

#define PAGE_CELLS 1000000u   /* of all frames: others keep their lengths */
#define PAGE_NAME_MOST 4096   /* bytes of a name; longer ones are cut */
#define PAGE_SPANS 1000000u   /* single calls */
#define PAGE_CHANGES 500000u  /* of counters */
#define PAGE_SAID 1024

/* A fault that the source found, how often, and in a sentence. */
struct page_remark {
	uint64_t count;
	const char *sentence;
};

struct page {
	const struct profile *profile;
	const struct values *values; /* what is covered: not an average */
	const struct spans *spans;   /* single calls; NULL: none */
	uint32_t threads;            /* a selection */
	uint32_t measure;            /* which one the page shows when it is opened; MEASURE_SELF: time */
	const char *threads_asked;   /* in the words of who asked; NULL: nobody did */
	uint32_t first, count;       /* frames that are covered, by index */
	bool whole;                  /* the whole run is covered */
	uint64_t asked;              /* so many frames were asked for; 0: no number */
	uint64_t frame;              /* it is this one; 0: it is not one frame */
	int64_t budget;              /* ticks that a frame may take; 0: none */
	const char *by;              /* who makes it, with a version */
	int64_t made_ns;             /* and when, since the epoch; 0: now */
	uint64_t unread;             /* entries and exits that the spans are without, as there are too many */
	const struct page_remark *remarks; /* those with a count of 0 are left out */
	uint32_t remark_count;
	uint64_t cells, calls, changes; /* less than the numbers above, for tests; 0: those */
	char said[PAGE_SAID];        /* what the file lacks; "": nothing */
};

/* False: not all could be written, or out of memory: the stream's error says which. */
bool page_write(struct page *page, FILE *out);

#endif
