/* SPDX-License-Identifier: MIT */
/*
 * recorder: what a source has, and what comes, into a recording.
 *
 * A take writes what has come since the one before; the first one all that the
 * source knew when it was begun, single calls too. Frames are written as they
 * are, and once more the parts that change afterwards: a thread that published
 * late replaces what had been worked out for it. All that the source says it
 * lost goes into the recording.
 *
 * With `over`, only frames that take longer are written, and a second before
 * and behind each: their parts, single calls, values, events and notes. How
 * many frames were left out is written, but is no loss.
 */
#ifndef IO_RECORDER_H
#define IO_RECORDER_H

#include "io/recording/writer.h"
#include "io/source.h"

struct recorder;

struct recorder_options {
	int64_t over;         /* ticks; 0: all frames */
	bool no_calls;        /* no single calls */
	uint64_t calls_most;  /* transitions that are held for a take; 0: 16 million, which are 256 MiB */
};

/* NULL: out of memory. */
struct recorder *recorder_new(struct source *s, const struct recorder_options *o);
void recorder_free(struct recorder *r);

/* Call it after source_next. `over`: no more will come, so all is written. False: out of memory, or w has failed. */
bool recorder_take(struct recorder *r, struct writer *w, bool over);

/* Only the frames with these numbers, and what is of their time: before the first take. */
void recorder_only(struct recorder *r, uint64_t first, uint64_t last);

/* Limits a file to about so many bytes. Each take may then be the last of its
 * file, so its totals, frames and calls are of one moment. If more came than an
 * empty file holds, the oldest is left out, and is counted as lost. */
void recorder_limit(struct recorder *r, uint64_t bytes);

/* With a limit, call it before each take: it reads the single calls, and sets
 * *bytes to about how many the take writes at most. 0: totals were not read
 * since the last take, so there is nothing to take. False: out of memory. */
bool recorder_look(struct recorder *r, bool over, uint64_t *bytes);

/* Sets *bytes to the size of the names and totals that each recording begins
 * with. Call it before the first take. False: out of memory. */
bool recorder_head(struct recorder *r, uint64_t *bytes);

/* The source's profile begins anew (SOURCE_ANEW), and so does the recording. False: out of memory. */
bool recorder_begin_anew(struct recorder *r);

/* This recording ends here, and the program goes on: single calls are known up to here. */
void recorder_leave(struct recorder *r, struct writer *w);

/* The next take goes into another recording. The recorder defines zones, threads and the like in it again. It does not
 * write frames again, with one exception: if no frame has ended since, it writes the newest frames, with their events
 * and values. So a limited file of calls alone has frames, too. */
void recorder_turn(struct recorder *r);

#endif
