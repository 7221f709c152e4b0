/* SPDX-License-Identifier: MIT */
/*
 * singles: single calls of a zone for the screen: transitions, taken of whoever has them, and what is told from them.
 *
 * Live they are taken once a second at most, and only while a view wants them. Pausing takes them once more, before
 * the profile is copied: so what is paused has its own, which nobody overwrites, and going live throws them away.
 * Their nodes are those of the profile that is followed, or of its copy.
 */
#ifndef TUI_SINGLES_H
#define TUI_SINGLES_H

#include "model/query/query.h"
#include "model/stats/calls.h"
#include "model/stats/series.h"

struct singles;

/* Adds to `t` what is new; it may add nodes to the profile. False: out of memory. */
typedef bool singles_take_from(void *context, struct transitions *t);

struct singles *singles_new(void); /* NULL: out of memory */
void singles_free(struct singles *s);

/* Where they come from, from now on; NULL: from nowhere. What is there stays. */
void singles_from(struct singles *s, singles_take_from *take, void *context);

/* Takes what is new, as of `now`, in ticks. False: out of memory, and there are none any more. */
bool singles_take(struct singles *s, int64_t now);

/* Where there are more than are held at a time (a recording), those of this stretch take their place, paused or not. True:
 * they did, and what was told before is gone. */
bool singles_want(struct singles *s, int64_t from, int64_t to);

/* True if so many ticks have passed since calls were read last, or none were read yet. */
bool singles_due(const struct singles *s, int64_t now, uint64_t ticks);

/* While it is held nothing is taken: what is known stays as it is. */
void singles_hold(struct singles *s, bool hold);

/* All that is held, and the tick at which it was taken; NULL: nothing was taken. `run` gets a number that changes when
 * what was taken before is gone. */
const struct transitions *singles_all(const struct singles *s, int64_t *taken, uint64_t *run);

/* All that was taken is gone. */
void singles_forget(struct singles *s);

/* The single calls of one key, a zone or a stack as the query merges them. If
 * frames or a stretch of time are selected, only calls of the selection. */
struct singles_of {
	uint32_t key;
	int64_t until;                /* tick: when they were taken */
	struct calls *calls;          /* of all that is held; NULL: nothing was taken, or no memory */
	struct calls *framed;         /* of the frame that is chosen; NULL: likewise, or none is */
	bool frame_cut;               /* single calls of that frame, or of its beginning, are no longer held */
	struct longest_call frame_longest; /* of that frame: its own record of the longest call */
	struct longest_call longest;  /* of the frames that are held, or selected; ticks 0: none is known */
	struct statistics a_frame;    /* calls in each of the newest frames, at most WINDOW_FRAMES; empty for a selection */
};

/* Made when something else is asked for or more was taken; owned by `s`, as long as the query is not updated. (from, to]
 * is the time that is selected, in ticks: that of the query's range of frames, if it has one. 0, 0: nothing is selected. */
const struct singles_of *singles_look(struct singles *s, const struct query *l, const struct profile *p, uint32_t key,
				      int64_t from, int64_t to);

/* The slowest call that is known of a key. Frames know how long their longest call took, single calls when it was. */
struct slowest_call {
	int64_t ticks;
	uint64_t frame;  /* number of the frame in which it ended; 0: it is not held */
	int64_t leave;   /* tick; 0: its frame alone is known */
	uint32_t thread;
	bool of_all;     /* no held frame has a slower one; else that is not known */
};

/* False: none is known. */
bool singles_slowest(const struct singles_of *of, const struct profile *p, struct slowest_call *out);

#endif
