/* SPDX-License-Identifier: MIT */
/*
 * counters: a report of the counters of a profile over some frames, a row for each value that is
 * shown: one for a counter that is summed, else one for each thread that set it.
 *
 * Over several frames: last is the value at the end of the newest one, least and most are the extremes over all of
 * them, and change is what the value grew by, divided by the number of frames. If the value is not known at the start
 * of the first frame, change counts from where it is known first, and is divided by the frames since then. Rate is what it
 * grew by in a second of the same time.
 *
 * Least and most are not known if changes of the stretch are gone. The exception is the whole run of a value that one
 * thread alone changes: the source tells these two itself.
 *
 * Least and most are exact where one thread alone changes the value. In frames in which several threads add to a sum,
 * only its value at the end of the frame is known, so that one is taken.
 *
 * A counter may be a total, which only grows (profile_counter.total). What counts of it is how much it grew: in a single
 * frame its last, least and most are all that.
 *
 * Integers stay integers. A sum that would leave the range of 64 bits stays at its edge.
 */
#ifndef MODEL_COUNTERS_H
#define MODEL_COUNTERS_H

#include "model/base/format.h"
#include "model/profile/profile.h"

/* The columns of a report: counter_table.h. Rows can be sorted by the first six, and by the thread. */
enum counter_column {
	COUNTER_NAME,
	COUNTER_LAST,
	COUNTER_LEAST,
	COUNTER_MOST,
	COUNTER_CHANGE,
	COUNTER_RATE,
	COUNTER_TREND,
	COUNTER_THREAD,
	COUNTER_THREAD_ID,
	COUNTER_KIND,
	COUNTER_UNIT,
	COUNTER_COUNTS,
	COUNTER_COLUMNS
};

struct counter_value;

/* Whether a column of numbers is known: MIN and MAX may be unknown beside a known LAST. */
bool counter_knows(const struct counter_value *v, enum counter_column column);

/* A value over a stretch of time. */
struct counter_value {
	bool known;   /* else all of it is nothing: it had no value yet, or that is lost */
	bool changed; /* in the stretch */
	/* least and most are those of the whole stretch. False: in a part of it the value is not known, as changes were
	 * overwritten or dropped, and least and most are of the rest */
	bool bounds_known;
	union profile_number last, least, most;
	union profile_number change; /* last − the value before the stretch, or if that is not known, − the first value
				      * that is known. Of several frames in a report: that a frame, a double */
	bool change_real; /* change is a double, because the counter is, or because it is such a mean */
	double rate; /* in a report: what change is of, a second; 0 where that is no time */
	int64_t since; /* tick of the value that was subtracted for `change` */
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
	/* An earlier report, sorted by the same value: rows keep its order, as model/base/order.h says. NULL: rows
	 * are sorted exactly. */
	const struct counter_report *before;
};

/* Sets the stretch to n held frames from index `first` on. Frames between those that were kept alone count, too: a
 * counter went on in them. */
void counters_cover(struct counter_options *o, const struct profile *p, uint32_t first, uint32_t n);

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

/* The values of a counter over spans of frames, which a graph is drawn from. Spans ascend. Of each span only known,
 * least, most and changed are set. Frames in which a double was no number are left out. O(frames + changes). */
void counters_in_spans(const struct profile *p, uint32_t counter, uint32_t thread, const struct counter_span *spans,
		       uint32_t n, struct counter_value *out);

/* A walk over frames. It has the rows of a report, in no order. counters_step sets their values to those of one frame.
 * Give it the frames in ascending order, and do not change the profile meanwhile. A walk over all frames takes
 * O(rows * frames + changes). NULL: out of memory. Free it with counters_free. */
struct counter_report *counters_walk(const struct profile *p);
void counters_step(struct counter_report *walk, const struct profile_frame *frame);

/* A number of that counter as text: integers in full, with a blank between thousands; doubles with nine
 * digits at most; `-` where it is not known. Returns the length written, below size. */
size_t counter_text(const struct profile *p, uint32_t counter, union profile_number n, bool known,
		    char *out, size_t size);

#endif
