/* SPDX-License-Identifier: MIT */
/*
 * batch: what a report that is asked for on the command line is made of: which frames it covers,
 * their values, and the rows.
 */
#ifndef PROFTOP_BATCH_H
#define PROFTOP_BATCH_H

#include "io/export/export_timeline.h"
#include "model/query/query.h"
#include "model/stats/base_frame.h"
#include "model/stats/calls.h"
#include "model/table/counter_table.h"
#include "model/table/event_table.h"
#include "model/report/function_table.h"
#include "model/report/line_table.h"
#include "model/table/thread_table.h"
#include "model/table/worst_table.h"
#include "proftop/messages.h"
#include "proftop/options.h"

/* All that belongs to one report. `o`, `p`, `measure` and `options` are given; the rest comes of them. */
struct batch {
	const struct options *o;
	struct profile *p; /* borrowed. If some frames are covered (-n), the older ones are dropped from it */
	uint32_t measure;  /* what the report counts: MEASURE_SELF is time */
	struct report_options options;
	uint64_t frame;        /* the number of the frame that is meant; 0: none. In the view why the longest one, if
				* the user named none */
	struct query *query;   /* it has what is covered, and owns the values */
	const struct values *values;
	uint32_t first, count; /* frames of the profile that are covered */
	uint64_t asked;        /* so many frames were asked for; 0: no number */
	bool whole_run;        /* not bound to frames */
	enum average_slot average;
	struct report *report;
	struct counter_report *counters; /* instead of both, in that view */
	struct bursts events;            /* likewise in the view events, with */
	uint32_t events_hidden;          /* by the filter */
	struct function_table *functions; /* beside the report, in that view */
	struct line_table *lines;         /* likewise, with */
	struct source_texts *sources;
	struct worst_table *worst;       /* likewise in the view worst, with */
	struct bases *bases;
	struct thread_loads loads;       /* likewise in the view threads, with */
	uint32_t *threads, thread_count; /* those that are shown, in their order */
	struct open_stacks *open;        /* and this is given with o, p and options, and owned; NULL: none */
	struct report *graph; /* beside the flat report, where that is the document; else NULL */
	struct timeline_report timeline; /* of that view, of the transitions, with */
	struct spans *spans;             /* NULL: it is another view */
	struct transitions *transitions; /* of the views graph and timeline: given with o, p and options, and owned; NULL: none */
	struct source *source;           /* of these, borrowed, where others may be wanted */
	uint32_t focus;                  /* likewise: key */
	struct calls_summary *calls;     /* likewise: by section of the graph; NULL: none */
	uint32_t calls_count;
	struct base_frame chosen_base; /* what `frame` is compared with */
	const struct values *base;     /* of it, the query's; NULL: none */
	struct why *comparison;        /* likewise, owned */
	const struct cause *cause;     /* of the focus of a graph, the query's; NULL: none */
	char why[WHY_SIZE];
};

/* The report's options that the command line asks for; not the thread. */
struct report_options batch_options(const struct options *o);

/* Checks what can be checked before a program runs for minutes; false: a message was printed. */
bool batch_usable(const struct options *o);

/* Finds the covered frames and their values. False: out of memory. */
bool batch_cover(struct batch *b);

/* batch_timeline.c: the views threads and timeline. */
int batch_make_threads(struct batch *b);
bool batch_timeline_usable(const struct options *o);
int batch_make_timeline(struct batch *b);
void batch_timeline_fini(struct batch *b);

/* Single calls of the graph's focus, behind batch_make_reports. */
int batch_make_calls(struct batch *b);

/* Makes the reports of what is covered. Not 0: an exit status, and why has been said. */
int batch_make_reports(struct batch *b);

/* The table of the view, if that is counters, threads, events, worst, functions
 * or lines. It may be stored in `table`. NULL: it is another view. */
struct batch_table {
	struct counter_table counters;
	struct thread_table threads;
	struct event_table events;
};
const struct typed_table *batch_table(const struct batch *b, struct batch_table *table);

/* Frees what was made; the profile stays. */
void batch_fini(struct batch *b);

#endif
