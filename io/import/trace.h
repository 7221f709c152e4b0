/* SPDX-License-Identifier: MIT */
/*
 * trace: what importers find in a file, told in the order in which it is there, becomes a profile: zones, paths, frames
 * with their parts, single calls, counters, events and notes. import.h says what the figures are.
 *
 * A trace is told in one of two ways. In order, each thread's times ascend; threads may be interleaved. Anyhow: in any
 * order, and with calls that say how long they took; then all is gathered, and sorted at the end. Frames that an event or a
 * zone splits are known only at the end, too, so with these options, and to merge threads, everything is gathered.
 *
 * `place` is a line or a byte of the file, for anomalies. Names and texts are bytes of any kind.
 */
#ifndef IO_TRACE_H
#define IO_TRACE_H

#include "io/import/import.h"

struct trace;
struct import_output;

#define NAME_MOST 16383u /* bytes of a name; what is longer is cut */

#define TRACE_NONE UINT32_MAX /* no such thread, name, counter */
#define TRACE_NO_FRAME INT64_C(-1)
#define TRACE_UNNAMED UINT32_MAX /* an end that does not say of what */

/* NULL: out of memory. `anyhow`: see above. Borrows all that it gets. */
struct trace *trace_new(const struct import_options *options, struct anomalies *anomalies, uint64_t ticks_per_s,
			bool anyhow);
void trace_free(struct trace *t);

/* No memory, or no room for what has to be sorted, or is more than fits into memory: then all calls do nothing. `why` gets a
 * sentence, if it failed. */
#define TRACE_ABANDONED "it was interrupted"
bool trace_failed(const struct trace *t, char *why, size_t size);

/* The thread with this id, from 0 on; TRACE_NONE: there are too many, what it does is left out. */
uint32_t trace_thread(struct trace *t, uint64_t id, uint64_t place);
/* Without a name it is called by its id. */
void trace_name_thread(struct trace *t, uint32_t thread, const char *bytes, size_t size, uint64_t place);
/* The id that is shown; before its first call, or at the end of what is told anyhow. */
void trace_show_thread(struct trace *t, uint32_t thread, uint64_t id, int64_t tid);

/* Shows the events of a thread that has only instants on thread `into`. Only
 * for events in any order. */
void trace_lend_thread(struct trace *t, uint32_t thread, uint32_t into);

/* The process of the trace, if the file names it. `name` may be NULL. */
void trace_process(struct trace *t, int64_t pid, const char *name);

/* Each name once, as a number. What is too long is cut, a NUL becomes the bytes c0 80 as in Java, and no name at all is
 * called `(no name)`. Behind the first million of names, or 128 MiB of them, all are one name. TRACE_NONE: no memory. */
uint32_t trace_name(struct trace *t, const char *bytes, size_t size, uint64_t place);
const char *trace_text(const struct trace *t, uint32_t name);

/* A zone is entered. The exit that ends it has the same `match`, else it is an
 * anomaly (but see trace_end_by_name). `frame`: the file's own number from 0
 * on. */
void trace_enter(struct trace *t, uint32_t thread, uint32_t name, uint32_t match, int64_t tick, int64_t frame,
		 uint64_t place);
void trace_leave(struct trace *t, uint32_t thread, uint32_t match, int64_t tick, uint64_t place);
/* From now on an exit ends the innermost zone that has its `match`, and the
 * zones inside that; if no zone has it, the exit ends nothing. An exit without
 * a name ends the innermost zone. Only for events in any order. */
void trace_end_by_name(struct trace *t);
/* The same for what is matched by its name, which is quicker when it need not be looked up. */
void trace_enter_text(struct trace *t, uint32_t thread, const char *bytes, size_t size, int64_t tick, int64_t frame,
		      uint64_t place);
void trace_leave_text(struct trace *t, uint32_t thread, const char *bytes, size_t size, int64_t tick, uint64_t place);
/* A whole call; only if it is told anyhow. */
void trace_call(struct trace *t, uint32_t thread, uint32_t name, int64_t tick, int64_t length, uint64_t place);

void trace_event(struct trace *t, uint32_t thread, uint32_t name, int64_t tick, uint64_t place);
void trace_note(struct trace *t, uint32_t thread, const char *bytes, size_t size, int64_t tick, int64_t frame,
		uint64_t place);

/* A counter. Its values are doubles if one of them is. Counters of one name are
 * different ones if their owners differ. trace_name_counter gives one another
 * name. TRACE_NONE: there are too many. */
uint32_t trace_counter(struct trace *t, const char *bytes, size_t size, uint32_t owner, uint64_t place);
void trace_name_counter(struct trace *t, uint32_t counter, const char *bytes, size_t size);
void trace_value(struct trace *t, uint32_t counter, int64_t tick, int64_t value);
void trace_real_value(struct trace *t, uint32_t counter, int64_t tick, double value);

/* Sums without times: the zones of a stack, outermost first, had so much self time. All of it is one frame. */
void trace_sum(struct trace *t, uint32_t thread, const uint32_t *names, uint32_t depth, int64_t self, uint64_t place);

/* All was told. If it did not fail, *out gets what it is. */
void trace_finish(struct trace *t, struct import_output *out);

#endif
