/* SPDX-License-Identifier: MIT */
/*
 * instants: events and notes on the screen: the frame that each belongs to, and its words.
 */
#ifndef TUI_INSTANTS_H
#define TUI_INSTANTS_H

#include "model/profile/profile.h"
#include "model/stats/bursts.h"
#include "tui/cells/canvas.h"

/* How many a frame has; *first is the index of the first one. */
uint32_t instants_of(const struct profile *p, const struct profile_frame *frame, uint32_t *first);

/* When it was, in its frame: `+3.2 ms`. */
void instants_time(const struct profile *p, const struct profile_frame *frame, int64_t tick, bool ascii,
		   char *out, size_t size);

/*
 * The number of the next frame after `from` (step 1), or before it (-1), with an event or a note that is worth going
 * to; 0: there is none. A kind of event that is met in more than one held frame of four is not worth it: one would
 * only go from frame to frame, and there are other keys for that.
 */
uint64_t instants_step(const struct profile *p, uint64_t from, int step);

/* How often each kind of thing is met, to tell news from routine: by event, notes behind the events. */
struct instants_kinds {
	uint32_t *count; /* places where it was met */
	uint32_t *last;  /* the place where it was met last, plus 1 */
	uint32_t notes;  /* index of notes */
};

/* False: out of memory. */
bool instants_kinds_init(struct instants_kinds *k, const struct profile *p);
void instants_kinds_fini(struct instants_kinds *k);

/* Notes down what happened in (from, to] at a place, a number that only grows; what belongs to no frame
 * is left out. */
void instants_meet(struct instants_kinds *k, const struct profile *p, int64_t from, int64_t to,
		   uint32_t place);


/* The most important kind of event in (from, to] that is rare among so many places: 0 nothing, 1 an event, 2 a
 * note. */
int instants_news(const struct instants_kinds *k, const struct profile *p, int64_t from, int64_t to,
		  uint32_t places);

#endif
