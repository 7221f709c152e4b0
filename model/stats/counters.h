/* SPDX-License-Identifier: MIT */
/*
 * counters: a report of the counters of a profile over some frames, a row for each value that is
 * shown: one for a counter that is summed, else one for each thread that set it.
 *
 * Over several frames: last is of the newest one, least and most are the extremes of all of them;
 * change is what it grew by in them, a frame; where it is not known from their start on, in a frame since it
 * is. A sum's least and most are those of its values at the
 * ends of the frames where several threads add to it, because only those are known; with one thread
 * they are exact.
 *
 * Integers stay integers; a sum that leaves 64 bits stays at their edge.
 */
#ifndef MODEL_COUNTERS_H
#define MODEL_COUNTERS_H

#include "model/format.h"
#include "model/profile.h"

enum counter_column {
	COUNTER_NAME,
	COUNTER_LAST,
	COUNTER_LEAST,
	COUNTER_MOST,
	COUNTER_CHANGE,
	COUNTER_THREAD,
	COUNTER_COLUMNS
};

struct counter_column_def {
	const char *key;   /* of -s, CSV and JSON */
	const char *title;
	const char *help;  /* a sentence */
};

extern const struct counter_column_def counter_columns[COUNTER_COLUMNS];

enum counter_column counter_column(const char *key); /* COUNTER_COLUMNS: none */

/* A value over a stretch of time. */
struct counter_value {
	bool known;   /* else all of it is nothing: it had no value yet, or that is lost */
	bool changed; /* in the stretch */
	union profile_number last, least, most;
	union profile_number change; /* last - what it was before, or, where that is not known, what it is known to
				      * be first. Of several frames in a report: the mean of them, a double */
	bool change_real; /* change is a double: so is the counter, or it is a mean */
	int64_t since; /* tick of what change is against */
};

struct counter_row {
	uint64_t id;      /* the same in every report: of name, kind and thread */
	uint32_t counter;
	uint32_t thread;  /* PROFILE_NONE: of all */
	const char *name; /* as shown, in UTF-8; owned by the report */
	const char *thread_name; /* likewise; "" */
	struct counter_value value;
};

struct counter_options {
	int64_t from, to;        /* ticks: the stretch that is covered; to < from: the whole run */
	uint64_t frames;         /* in it, for CHANGE; 0 counts as 1 */
	enum counter_column sort; /* COUNTER_COLUMNS: by name */
	bool invert;
	const char *filter;      /* as report_options.filter */
};

struct counter_report {
	struct counter_row *rows;
	uint32_t row_count;
	uint32_t hidden; /* by the filter */
	enum counter_column sort;
	bool descending;
	struct counter_store *store;
};

/* NULL: `why` says why (out of memory, a bad filter). */
struct counter_report *counters_make(const struct profile *p, const struct counter_options *o, char *why,
				     size_t why_size);
void counters_free(struct counter_report *r);

/* The value of a row in one frame. */
struct counter_value counters_in_frame(const struct profile *p, uint32_t counter, uint32_t thread,
				       const struct profile_frame *frame);

/* The same for frames [first, first + n) into out[0..n). O(n + changes). */
void counters_in_frames(const struct profile *p, uint32_t counter, uint32_t thread, uint32_t first,
			uint32_t n, struct counter_value *out);

/* Frames [first, first + count). */
struct counter_span {
	uint32_t first, count;
};

/* What it was in each span of frames: what a graph of it is drawn from. Spans ascend. Least, most and whether it
 * changed are those of all frames in it, but of those in which a double was no number; nothing else is set.
 * O(frames + changes). */
void counters_in_spans(const struct profile *p, uint32_t counter, uint32_t thread, const struct counter_span *spans,
		       uint32_t n, struct counter_value *out);

/* A walk over frames: rows as in a report, without an order, and with no values until counters_step has
 * told those of a frame. Frames come in ascending order; the profile stays as it is. All that is there is
 * told in O(rows * frames + changes). NULL: out of memory. Free it with counters_free. */
struct counter_report *counters_walk(const struct profile *p);
void counters_step(struct counter_report *walk, const struct profile_frame *frame);

/* A number of that counter as text: integers in full, with a blank between thousands; doubles with nine
 * digits at most; `-` where it is not known. Returns the length written, below size. */
size_t counter_text(const struct profile *p, uint32_t counter, union profile_number n, bool known,
		    char *out, size_t size);

/* What a value changed by as text: of a double the first three digits, and all before the point. */
size_t counter_change_text(const struct counter_value *v, char *out, size_t size);


#endif
