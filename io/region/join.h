/* SPDX-License-Identifier: MIT */
/*
 * join: frames made of the marks of a process and of what each of its threads says of itself.
 *
 * A source knows intervals: interval n is the time between two marks, and is a frame if it has a
 * number. Threads publish their parts of intervals one by one, in pieces, for several intervals at
 * once, and some of them before the interval itself is known here. What comes early waits; the rest
 * goes to the frames of the profile, where all pieces of one thread in one frame are one part.
 *
 * Intervals come in ascending order, and a thread's records in the order of their time. Ticks are
 * those of the profile. All functions that return bool return false when out of memory only.
 */
#ifndef IO_JOIN_H
#define IO_JOIN_H

#include "model/profile/measures.h"
#include "model/profile/profile.h"

struct join;

struct join_interval {
	uint64_t interval;
	uint64_t number; /* of the frame; 0: it is none */
	int64_t start;   /* T(interval - 1) */
	int64_t end;     /* T(interval) */
	uint32_t flags;  /* enum profile_frame_flags */
};

enum join_kind {
	JOIN_PART,   /* of one interval: its only piece, or one of several */
	JOIN_MERGED, /* one sum for intervals first to last */
	JOIN_SPAN,   /* first to last, all of it in one node: interval j ends at max(T(j), bound) */
};

/* A record of a thread about one interval or several. */
struct join_record {
	enum join_kind kind;
	uint32_t thread; /* index in the profile */
	uint32_t flags;  /* enum profile_part_flags */
	uint64_t first, last;
	int64_t bound, end;
	struct profile_cell *cells; /* may be summed up in place. Of a span: one cell
				     * with the node; its self is end - bound */
	uint32_t cell_count;
	const struct profile_column *columns; /* measures (measures.h). Those of a span are of slices: put_span divides
					       * sums by length, and reduces them in place */
	uint32_t column_count;
	int64_t columns_length; /* of a span: ticks that its columns cover */
};

struct join *join_new(struct profile *p); /* NULL: out of memory. p is borrowed */
void join_free(struct join *j);

/* The next interval has ended: a frame that has a number comes into the profile, with all that
 * waits for it. */
bool join_interval(struct join *j, const struct join_interval *interval);

/* The newest interval that came, and where it ended; 0: none. */
uint64_t join_newest(const struct join *j);
int64_t join_newest_end(const struct join *j);

/* Adds what a thread says. A part that was inferred stays as it is when the thread's own word comes
 * later: the two are equal. */
bool join_record(struct join *j, struct join_record *record);

/* Frames of intervals first to last in which the thread has no part get one that says why, where
 * the part of another thread is known. One that stands for many says so also of a part that it has: some of
 * them are in it, and others are not. *count is raised by the number of frames. */
bool join_missing(struct join *j, uint32_t thread, uint64_t first, uint64_t last, uint32_t flag,
		  uint64_t *count);

/* Shows each record that waits. */
void join_waiting(const struct join *j, void (*visit)(const struct join_record *, void *context),
		  void *context);

/* The first interval that ends after this tick; the one behind the newest if none does. */
uint64_t join_interval_at(const struct join *j, int64_t tick);

/* Forgets the intervals of frames that the profile no longer holds, or kept alone: all is known of these. */
void join_trim(struct join *j);

#endif
