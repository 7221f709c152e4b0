/* SPDX-License-Identifier: MIT */
/*
 * export_stream: frames as they come, a line of JSON each: the syntax is in proftop(1).
 *
 *   header   what the process is, and the first frame that is meant
 *   frame    one line a frame, in ascending order, each frame once
 *   end      why there is no more, and how many frames were written and skipped
 *
 * A frame that is meant but was gone before it could be written is skipped, and the next line says so:
 * lines of frames + skipped = frames meant, from the first one to the newest that is said in the last line.
 */
#ifndef IO_EXPORT_STREAM_H
#define IO_EXPORT_STREAM_H

#include <stdio.h>

#include "model/profile/profile.h"

struct stream;

struct stream_options {
	bool spread;
	bool no_events; /* they are left out, notes are not */
	bool anew; /* it takes the place of one whose frames the source made until there were real ones */
	const char *filter; /* NULL or "": none; only zones that match it are written. Borrowed */
};

/* `p` is borrowed. NULL: `why` says why. */
struct stream *stream_new(const struct profile *p, const struct stream_options *options, char *why,
			  size_t why_size);
void stream_free(struct stream *s);

/* Only threads of this selection from now on; at first all. */
void stream_threads(struct stream *s, uint32_t threads);

/* All of these return false when not all could be written, for whatever reason. */

/* `first`: number of the first frame that is meant. */
bool stream_header(struct stream *s, uint64_t first, FILE *out);

/* The profile has grown: before frames are written. False: out of memory. */
bool stream_update(struct stream *s);

/* Writes the next held frame. False also where there is none: stream_has says. */
bool stream_frame(struct stream *s, FILE *out);
bool stream_has(const struct stream *s);

/* Frames written so far, without those that the program discarded. */
uint64_t stream_count(const struct stream *s);

/* Writes the last line; `how` is a word for why the stream ends. `all`: the source brings no more frames. Then frames
 * that have ended, but did not come, count as skipped. */
bool stream_end(struct stream *s, const char *how, bool all, FILE *out);

#endif
