/* SPDX-License-Identifier: MIT */
/*
 * title: the lines above and below a report: which process, what is covered, what was lost.
 */
#ifndef IO_TITLE_H
#define IO_TITLE_H

#include "io/export/export.h"

/* Fields of a line, put one behind the other, and into further lines where the width ends. */
struct title_line {
	FILE *out;
	uint32_t width; /* 0: no limit */
	uint32_t used;
};

void title_field(struct title_line *line, const char *text);
void title_end(struct title_line *line);

/* A name from outside, as the style can show it. Caller frees; NULL: out of memory. */
char *title_name(const struct export_style *style, const char *bytes);

/* `game[4711]  demo  live  00:14:22`: a field each. */
void title_process(struct title_line *line, const struct profile *p,
		   const struct export_style *style);

/* `why frame 625 'load' (the median): 62.093 ms`, with the name that the program gave the frame. */
struct title_frame {
	const char *before; /* `why `; "" */
	const char *role;   /* `the median`; NULL: none */
	uint64_t number;
	int64_t ticks, scale;
	enum unit unit;
	int precision;
};

void title_frame(struct title_line *line, const struct profile *p, const struct title_frame *frame,
		 const struct export_style *style);

/* `measure: samples, sampled every 1000000 ns`, of another one than time. */
void title_measure(struct title_line *line, const struct profile *p, uint32_t measure);

/* `00:14:22`, or `1.234 s` below a minute. */
void title_duration(char *out, size_t size, int64_t ticks, uint64_t ticks_per_s);

/* `the last 3.200 s`, or `from 10.000 us to 5.000 us before the end`: the times lie so long before it, in ticks. They have
 * one unit, that of the longer, and as many digits as tell them apart. */
void title_stretch(char *out, size_t size, int64_t from, int64_t to, uint64_t ticks_per_s, bool ascii);

/* `worker (4712) could not be read: it changed all the while`, of a thread whose `unread` says so. Caller frees;
 * NULL: out of memory. */
char *title_unread(const struct profile_thread *thread, bool ascii);

/* Says that the end of the run is not known of some threads. When a program dies or is stopped, and a thread was just
 * in the middle of a zone's begin or end, the time since then cannot be told: `worker (4712) is known until 1.250 ms
 * before the end`, or of several threads how many they are, and the longest of these times. Times that would be shown
 * as 0 in this unit are left out. Caller frees; NULL: there is nothing to say, or out of memory. */
char *title_known_until(const struct profile *p, enum unit unit, int precision, bool ascii);

/* `lost 3   zones not closed 2 times (last: ai)`, and a line for each cause of loss. Prints nothing if nothing was lost. `before`
 * begins the first line; NULL: nothing does. */
void title_losses(const struct profile *p, const char *before, const struct export_style *style, FILE *out);

#endif
