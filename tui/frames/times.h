/* SPDX-License-Identifier: MIT */
/*
 * times: which time is looked at: the running program, or a frame that has passed.
 *
 * Pausing takes a private copy of the profile: nothing under the eyes changes or is overwritten,
 * while the program is recorded and read on. Going live again throws the copy away. So it is with single calls
 * (singles.h): what is paused has its own.
 */
#ifndef TUI_TIMES_H
#define TUI_TIMES_H

#include "model/query/query.h"
#include "model/stats/worst.h"
#include "tui/frames/frame_graph.h"
#include "model/stats/frame_stats.h"
#include "tui/frames/singles.h"

struct times {
	const struct profile *live; /* borrowed; NULL: nothing is attached */
	struct query *live_query;
	struct profile *paused;     /* owned; NULL: live */
	bool another;               /* what is live is not the run that is paused */
	struct query *paused_query;
	uint64_t chosen;            /* frame of the copy; 0: live, or there are no frames */
	int64_t selected_from, selected_to; /* the time that is viewed instead of a frame; 0, 0: none is */
	uint64_t selected_first, selected_last; /* numbers of the frames that it is, if it is a range of whole frames, and */
	uint32_t selected_count;    /* how many of these were not discarded; else 0 */
	struct values *selected;    /* else owned: the values of that time; NULL: none is selected */
	uint64_t range;             /* frame of the copy from where on a range of frames is being chosen; 0: none is */
	uint64_t worst;             /* frame of the copy that a walk through the worst frames came to; 0: none */
	enum worst_order worst_order; /* in which it went */
	uint64_t worst_first, worst_last; /* numbers of the frames among which it goes; 0: all */
	uint64_t marks[FRAME_MARKS];
	struct frame_graph graph;
	struct singles *singles; /* owned; NULL: none are taken */
};

void times_fini(struct times *t);

/* Another program: its profile, read for the first time. What is paused stays as it is. False: out
 * of memory, and nothing is attached. */
bool times_attach(struct times *t, const struct profile *live);

/* The profile is about to go. What is paused stays. */
void times_detach(struct times *t);

/* The live profile has grown. */
bool times_update(struct times *t);

/* Takes the copy and chooses its newest frame. False: there is nothing to pause, or no memory. */
bool times_pause(struct times *t);
void times_go_live(struct times *t);

/* Chooses a frame by its number, or the one nearest to it; pauses first. 0: it could not. */
uint64_t times_choose(struct times *t, uint64_t number);

/* The frame so many before (negative) or behind the one that is chosen; live, from the newest on. */
uint64_t times_step(struct times *t, int64_t frames);

/* Looks at [from, to) with these values of it, which it owns from now on; NULL: at the frame that is chosen again. The query
 * has to be told what to look at then. */
void times_select(struct times *t, struct values *values, int64_t from, int64_t to);

/* Looks at the average of all frames that are held from `first` to `last`. Pauses first. False: there is none of them, or
 * no memory. */
bool times_select_frames(struct times *t, uint64_t first, uint64_t last);

/* The profile shown: the paused copy, or the live one; NULL: nothing. */
const struct profile *times_profile(const struct times *t);
struct query *times_query(const struct times *t);

/* The newest frame of what is shown; NULL: none. */
const struct profile_frame *times_newest(const struct times *t);

#endif
