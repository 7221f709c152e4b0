/* made_trace.h: a program's run that never was, made of a number; written as a trace of each format; and its true figures,
 * counted call by call, which the importers have no part in.
 *
 * Times of calls are all different. Threads are one after the other in a file, or mixed.
 */
#ifndef TESTS_MADE_TRACE_H
#define TESTS_MADE_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MADE_NONE UINT32_MAX

enum made_format { MADE_TEXT, MADE_TIMER_JSON, MADE_TIMER_BINARY, MADE_CHROME, MADE_CHROME_CALLS, MADE_FOLDED, MADE_FORMATS };

extern const char *const made_names[MADE_FORMATS]; /* `text`, `timer-json` ... */

struct made_options {
	uint64_t seed;
	uint32_t threads, frames, calls; /* calls: of a thread in a frame, about */
	uint32_t zones, depth;
	uint32_t values, events; /* of each a frame; notes as many as events */
	bool mixed;              /* threads are mixed by time */
	bool no_frames;          /* perf_timer's -1 everywhere */
	bool anomalies;          /* some of each that the format can have */
};

struct made_call {
	uint32_t thread, zone, parent; /* parent: index, MADE_NONE */
	int64_t enter, leave;          /* ns; of text us */
	int64_t children;              /* time in them */
	int32_t frame;
};

struct made_value {
	int64_t tick, value;
	uint32_t counter;
};

struct made_happening {
	int64_t tick;
	uint32_t thread, name;
	int32_t frame;
	bool note;
};

struct made {
	struct made_options o;
	struct made_call *calls; /* by entry within a thread, threads one after the other */
	uint32_t call_count, call_capacity;
	uint32_t *thread_begins; /* threads + 1 indices */
	uint64_t *ids;           /* of threads */
	struct made_value *values;
	uint32_t value_count;
	struct made_happening *happenings;
	uint32_t happening_count;
	uint64_t state;
	uint32_t any;           /* records that were written */
	uint32_t mismatches, ends_alone, records_bad; /* that were written, with `anomalies` */
};

struct made *made_new(const struct made_options *o);
void made_free(struct made *m);
void made_write(struct made *m, enum made_format format, FILE *out);

void made_zone(const struct made *m, uint32_t zone, char out[64]);   /* its name */
void made_thread(const struct made *m, uint32_t thread, char out[64]);
void made_event(uint32_t name, char out[64]);
void made_note(uint32_t name, char out[64]);
void made_counter(uint32_t counter, char out[64]);

/* The time of a zone, on a thread, in a stretch of time. */
struct made_figures {
	int64_t self, inclusive; /* inclusive: of a zone in itself once */
	int64_t count, longest, least; /* longest, least: of calls that end there; 0: none */
};

/* The stretch (from, to]: an entry at its very end is not in it, unless `last`. */
struct made_figures made_in_time(const struct made *m, uint32_t thread, uint32_t zone, int64_t from, int64_t to, bool last);
/* The time of calls that were entered in this frame. */
struct made_figures made_in_frame(const struct made *m, uint32_t thread, uint32_t zone, int32_t frame);

/* The figures of the whole run, of each thread and zone, counters and how often each event was, as JSON. */
void made_say(const struct made *m, FILE *out);

/* Those of each thread and zone as lines `thread,zone self inclusive count longest`, in ns. */
void made_say_csv(const struct made *m, enum made_format format, FILE *out);

#endif
