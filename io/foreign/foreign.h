/* SPDX-License-Identifier: MIT */
/*
 * foreign: what is known of a program as a file for another one: single calls as events, or the sums of zone stacks.
 *
 *     events    each entry and exit with its time, thread by thread; frames, counters, events and notes where the format
 *               has them. Of what is known in a window of time
 *     sums      of each stack of zones its self time or its amount of another measure, and its entries: values of the whole
 *               run, or of frames
 *
 * The formats are those of model/report/file_kinds.h. Times are nanoseconds as the reports round them (format_ns), so they never
 * go back, and no call lies outside of the one around it. Of sums each zone's self times are together what the report has
 * for the zone, to the nanosecond (foreign_sums.h).
 *
 * If a format cannot hold something, one sentence says so: nothing is left out in silence.
 */
#ifndef IO_FOREIGN_H
#define IO_FOREIGN_H

#include <stdio.h>

#include "model/boxes/spans.h"
#include "model/query/values.h"
#include "model/report/file_kinds.h"
#include "model/report/report.h"

#define FOREIGN_SAID 1024

/* Single calls of one thread. */
struct foreign_lane {
	uint64_t id;     /* that it has in files: no other lane has it */
	uint32_t thread; /* of the profile */
	const struct span_list *list; /* NULL: no single calls of it are known */
	bool first;       /* of its thread: events and notes are here */
	int64_t from, to; /* what belongs to it: [from, to] */
};

struct foreign {
	const struct profile *profile;
	uint32_t threads; /* those that are in it: a selection */
	/* events */
	const struct spans *spans;
	int64_t from, to;  /* ticks: the window */
	bool whole;        /* it is all that is known of calls */
	uint64_t frame;    /* it is this one: each thread has its own part of it. 0: it is not one frame */
	/* sums */
	const struct values *values; /* not averages: their scale is 1 */
	bool merged;       /* stacks do not say of which thread they are; tables are of all threads together */
	/* tables */
	bool each_frame;   /* there are some of each frame */
	bool ascii;
	/* Progress callback, called after each 1,024 pieces. `all` 0: not known. Return false to cancel: then
	 * `stopped` is set, and the file is of no use. NULL: it is written to its end. */
	bool (*goes_on)(void *context, uint64_t done, uint64_t all);
	void *context;
	/* results */
	struct foreign_lane *lanes; /* made by foreign_write, and owned */
	uint32_t lane_count;
	uint64_t last_id;  /* of the threads, and of lanes that have none of theirs */
	char said[FOREIGN_SAID]; /* what the file lacks; "": nothing */
	bool no_memory;
	bool stopped;
	uint64_t done, all; /* entries and exits that were gone through, and that there are to go through */
};

/* For the files of this room */

/* Adds to what the file lacks. */
void foreign_say(struct foreign *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of a number of things, if it is not 0: `12 notes are left out`. */
void foreign_say_count(struct foreign *t, uint64_t count, const char *one, const char *many);

/* Call it after each piece of the work. False: stop. */
bool foreign_goes_on(struct foreign *t);

static inline bool foreign_selects(const struct foreign *t, uint32_t thread)
{
	return profile_selects(t->profile, t->threads, thread);
}

/* The sum of two times in ns, at most INT64_MAX: at less than 10^9 ticks a
 * second, ticks of 63 bits are more nanoseconds than that. */
static inline int64_t foreign_add(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

bool foreign_visualiser(struct foreign *t, FILE *out);
bool foreign_perf_timer(struct foreign *t, FILE *out);
bool foreign_perf_binary(struct foreign *t, FILE *out);
bool foreign_chrome(struct foreign *t, FILE *out);
bool foreign_speedscope(struct foreign *t, FILE *out);
bool foreign_speedscope_sums(struct foreign *t, FILE *out);
bool foreign_folded(struct foreign *t, FILE *out);
bool foreign_callgrind(struct foreign *t, FILE *out);
bool foreign_pprof(struct foreign *t, FILE *out);
bool foreign_table_tree(struct foreign *t, FILE *out);
bool foreign_table_flat(struct foreign *t, FILE *out);

/*
 * Names of the program as a format can hold them.
 *
 * They are its bytes. Those that the format cannot hold become `\xNN`, which is said. Where several zones have one name,
 * their places stand behind it: `load (ui/load.c:7)`.
 */

enum foreign_text_kind {
	TEXT_BYTES, /* whatever they are, but for NUL */
	TEXT_UTF8,  /* valid UTF-8, for formats with escapes of their own */
	TEXT_LINE,  /* any bytes on one line: no controls */
	TEXT_STACK, /* likewise without a ; */
	TEXT_SHOWN, /* what a terminal shows, as on the screen */
};

struct foreign_names {
	const struct profile *p;
	enum foreign_text_kind kind;
	char **zones;     /* by zone */
	bool changed; /* a name is not as it was */
};

/* Makes the names of all zones. False: out of memory. */
bool foreign_names_init(struct foreign_names *n, const struct profile *p, enum foreign_text_kind kind);
void foreign_names_fini(struct foreign_names *n);

/* Any other name. Caller frees; NULL: out of memory. */
char *foreign_names_text(struct foreign_names *n, const char *bytes);

/* A thread's: `main`, or `thread 7` if it has none. */
char *foreign_names_thread(struct foreign_names *n, uint32_t thread);

void foreign_say_names(struct foreign *t, const struct foreign_names *n);

/* foreign_kinds.c: writes it in one of the formats, of events or sums, not of a report. False: not all could be written, out of
 * memory (no_memory), or nobody wants it any more (stopped). What the file lacks is in t->said, also then. */
bool foreign_write(struct foreign *t, enum file_kind kind, FILE *out);

#endif
