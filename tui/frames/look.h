/* SPDX-License-Identifier: MIT */
/*
 * look: what all views share: the query, and how numbers and names are shown. Borrowed by them for
 * the length of a call.
 */
#ifndef TUI_LOOK_H
#define TUI_LOOK_H

#include "model/base/pattern.h"
#include "model/query/query.h"
#include "model/report/line_table.h"
#include "model/stats/open_stacks.h"
#include "tui/frames/frame_graph.h"
#include "tui/frames/singles.h"

struct look {
	struct query *query; /* NULL: there is nothing to look at yet */
	const struct profile *profile; /* the query' */
	enum unit unit;
	int precision;        /* -1: the unit's own */
	const char *filter;   /* "": none */
	const struct pattern *search; /* NULL: nothing is searched for */
	int64_t selected_from, selected_to; /* the stretch of time that is looked at instead of a frame; 0, 0: none */
	int64_t longer, shorter;      /* and of calls those that take longer, and shorter, in ticks; 0: of any length */
	const char *awaited;  /* a zone whose call graph is wanted, and that is not there yet; NULL: none */
	uint32_t why_threads; /* those that the view why has */
	uint32_t lanes;       /* the threads that somebody chose for the timeline, a selection */
	bool bottom_up;       /* trees */
	bool why_by_zone;     /* its rows are zones, not stacks */
	bool waits_by_size;   /* zones that wait stand among the others */
	const struct pins *pins;
	line_source *source;  /* NULL: no source is shown */
	void *source_context;
	struct singles *singles; /* NULL: there are none to be had */
	struct open_stacks *stacks;   /* NULL: they have not been read */
	const char *stacks_when;      /* of what moment they are: `now` */
	bool spread;          /* recursion */
	bool ascii;
	bool coloured;  /* colours tell areas apart; else signs alone do */
	bool keeps_order; /* nothing but new data has come: rows keep their order as far as they can */
	double now;     /* seconds */
	uint32_t width; /* cells of the screen */
	struct frame_graph graph;       /* where the frame graph is looked at, */
	struct frame_graph_look frames; /* what is in it, */
	struct area graph_area;         /* and how wide it is, or would be */
};

/* True if a call of this length meets the condition of the search. */
static inline bool look_finds_length(const struct look *look, int64_t ticks)
{
	return (!look->longer || ticks > look->longer) && (!look->shorter || ticks < look->shorter);
}

#endif
