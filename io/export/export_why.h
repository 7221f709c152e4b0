/* SPDX-License-Identifier: MIT */
/*
 * export_why: why a frame took longer or shorter than another, or one run than another: a section a thread, as text, or
 * the member `why` of a document.
 */
#ifndef IO_EXPORT_WHY_H
#define IO_EXPORT_WHY_H

#include "io/export/export.h"
#include "model/stats/base_frame.h"
#include "model/stats/why.h"

struct json;

/* One side of the comparison. */
struct why_end {
	uint64_t frame;   /* its number; 0: the whole run */
	uint64_t frames;  /* of the whole run: so many frames its ticks are shared out over; 0: they are totals */
	const char *role; /* of a frame, `the median`; NULL: it is what was asked for */
	const char *kind; /* `median`, `similar`: a base that was chosen; NULL: it was asked for */
	const struct base_frame *chosen; /* why; NULL: it was asked for */
};

/* What is printed; borrowed. */
struct why_report {
	struct why_side base, now;
	struct why_end base_end, now_end;
	const struct why *why;
	enum unit unit; /* not UNIT_PCT */
	int precision;
	uint32_t top;  /* rows of a thread at most; 0: all */
	double least;  /* percent of the thread's difference, of a row */
};

/* How many rows of a thread are printed: the first ones. */
uint32_t why_rows_shown(const struct why_report *r, const struct why_thread *t);

/* By how much two frames of one profile differ, ticks. False: it is not two such. */
bool why_frame_delta(const struct why_report *r, int64_t *delta);

/* For two frames of one profile: which ones, and how long they took. */
void text_why_titles(const struct why_report *r, const struct export_style *style, FILE *out);

/* The sections, an empty line behind each. False: out of memory. */
bool text_why(const struct why_report *r, const struct export_style *style, FILE *out);

/* `why`: see proftop(1). */
void json_why(struct json *j, const struct why_report *r);

/* The command diff: two sides that may be of two profiles. */
bool export_diff(const struct why_report *r, const struct export_style *style, FILE *out);
bool export_diff_json(const struct why_report *r, FILE *out);

#endif
