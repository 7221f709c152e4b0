/* SPDX-License-Identifier: MIT */
/*
 * export: reports to a stream, in the syntax that the function's file is named after.
 *
 * The caller chooses what is shown (the profile, the covered values, and the report made of them); here it is
 * only printed. All functions return false when not all could be written, for whatever reason; the caller
 * flushes, and looks at the stream's error itself.
 */
#ifndef IO_EXPORT_H
#define IO_EXPORT_H

#include <stdio.h>

#include "io/source.h"
#include "model/query/average.h"
#include "model/report/report.h"
#include "model/stats/cause.h"
#include "model/report/function_table.h"

struct why_report;
struct calls_report;
struct open_stacks;
struct check;
struct typed_table;
struct timeline_report;

struct export {
	const struct profile *profile;
	const struct values *values; /* what is covered */
	const struct report *report; /* the view; JSON and CSV of a graph: the flat report beside it */
	const struct report *graph;  /* JSON and CSV: the call graph; else NULL */
	const struct typed_table *table; /* instead of report and graph, which are NULL then: counters, threads; else NULL */
	const struct timeline_report *timeline; /* likewise (export_timeline.h) */
	const struct why_report *why; /* text: instead of the table; JSON: beside it (export_why.h); else NULL */
	const struct cause *cause;   /* of the focus of a call graph of one section; else NULL */
	const struct calls_report *calls; /* of a graph's focus (export_calls.h); else NULL */
	const struct report *below;  /* text: a second table, of one section; else NULL */
	uint32_t first, count; /* index and number of the frames that are covered and that the profile still holds */
	bool whole_run;        /* the whole run is covered, not some frames */
	uint64_t asked;        /* so many frames were asked for; 0: no number */
	enum average_slot average; /* which one, if values->average is set */
	bool spreadsheet;      /* CSV: a ' is put in front of names that a spreadsheet would take for a formula */
	bool no_events;        /* events are left out, notes are not */
	const struct values *base; /* of the frame that a report is set against (its options' base); else NULL */
	const char *base_role;     /* what the base is; NULL: `the median` */
	bool flame;            /* text: the tree as boxes */
	bool chosen;           /* one frame of the past is covered, also when values->average is set */
	int64_t from, to;      /* ticks: only events and notes in (from, to] are shown; 0 and 0: all that are covered */
};

static inline bool export_is_within(const struct export *e, int64_t tick)
{
	return !e->to || (tick > e->from && tick <= e->to);
}

/* The tick from which on what happened outside of frames is covered. */
static inline int64_t export_outside_from(const struct export *e)
{
	if (e->chosen)
		return INT64_MAX;
	if (e->to)
		return e->from;
	return e->whole_run || !e->count ? -1 : e->profile->frames[e->first].start;
}

/* How text looks. */
struct export_style {
	uint32_t width; /* cells; 0: no limit */
	bool ascii;
	int colours; /* 0: none; else 8, 16 or 256 */
};

/* A title, what is covered, the table, what was lost. */
/* A log of functions, those with the most samples of their own first. */
bool export_samples_log(const struct function_table *t, FILE *out);

bool export_text(const struct export *e, const struct export_style *style, FILE *out);

/* The lines of that above the table, with an empty one behind. */
void export_titles(const struct export *e, const struct export_style *style, FILE *out);

/* A line of titles, then a line a row; times in the report's unit, which is in their title. */
bool export_csv(const struct export *e, FILE *out);

/* One document: see proftop(1). */
bool export_json(const struct export *e, FILE *out);

/* The zones that are open in each thread of a selection. */
enum export_form { EXPORT_TEXT, EXPORT_JSON, EXPORT_CSV, EXPORT_SPREADSHEET };
bool export_stacks(struct source *s, uint32_t thread, enum export_form form, const struct export_style *style, FILE *out);

/* Reads the open zones of each thread of a selection, at most `most` rows. The caller frees them with open_stacks_free.
 * NULL: out of memory. */
struct open_stacks *stacks_read(struct source *s, uint32_t thread, uint32_t most);

/* The results of a check. As text, one line for each condition: `p99 16.200 ms < 16.7 ms: holds   (600 frames)`, with
 * bounds in the figure's place and `not known` where frames are missing. A figure has as many decimals as it takes to see
 * on which side of the limit it is. As JSON, one document; `asked`: so many frames were asked for, 0: no number. */
bool export_check(const struct check *c, const struct profile *p, const struct export_style *style, FILE *out);
bool export_check_json(const struct check *c, const struct profile *p, uint64_t asked, FILE *out);

/* The regions of the machine, as a table or as a list of objects. flags: of io/region/live.h. */
enum list_result { LIST_DONE, LIST_NO_DIRECTORY, LIST_FAILED };
enum list_result export_list(unsigned flags, const struct export_style *style, FILE *out);
enum list_result export_list_json(unsigned flags, FILE *out);

#endif
