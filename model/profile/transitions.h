/* SPDX-License-Identifier: MIT */
/*
 * transitions: every single entry and exit of zones that is still known, thread by thread, in the order of time.
 *
 * Single calls (calls.h) are worked out from them. A source appends what is new. They reach back a few seconds: as far
 * as the process' own log does when it is read, until there are more than `most` in all; then the oldest of the longest
 * list are dropped. Those of frames that are spared (transitions_spare) stay, as long as they are not more than half of
 * all: a list then begins with some of long ago. When some transitions of a thread were lost, or dropped behind others
 * that were spared, a TRANSITION_GAP stands in their place, and no call reaches over it.
 *
 * Nodes and threads are those of the source's profile. They have the same indices in a copy of it (profile_copy), but
 * the newest nodes and threads may not be in the copy yet.
 */
#ifndef MODEL_TRANSITIONS_H
#define MODEL_TRANSITIONS_H

#include "model/base/lookup.h"
#include "model/profile/profile.h"

#define TRANSITIONS_MOST 2000000u /* 16 bytes each, and as much again at most while their arrays grow */
#define TRANSITIONS_SPARED 64u   /* stretches of time, */
#define TRANSITIONS_AROUND 4     /* and so many transitions before and behind each */

enum transition_kind {
	TRANSITION_ENTER, /* of the node */
	TRANSITION_LEAVE, /* of the node */
	TRANSITION_START, /* the thread begins here; node 0 */
	TRANSITION_END,   /* it ends here, whatever is open; node 0 */
	TRANSITION_GAP,   /* what was before is not known: nothing is open as far as one knows; node 0 */
	TRANSITION_SUSPEND, /* as LEAVE, of a call that is not over */
	TRANSITION_RESUME,  /* as ENTER, of one that was suspended, maybe in another list */
	TRANSITION_KINDS
};

static inline bool transition_enters(uint32_t kind)
{
	return kind == TRANSITION_ENTER || kind == TRANSITION_RESUME;
}

static inline bool transition_leaves(uint32_t kind)
{
	return kind == TRANSITION_LEAVE || kind == TRANSITION_SUSPEND;
}

struct transition {
	int64_t tick;
	uint32_t node; /* of the profile */
	uint32_t kind;
};

/* The transitions of one thread, or of one member of an aggregate (THREAD_AGGREGATE). They belong to one stack. */
struct transition_list {
	uint64_t id;     /* the source's own: no other list has it */
	uint32_t thread; /* of the profile */
	uint32_t count, capacity;
	uint64_t first;        /* the number of at[0], and from there on they ascend by one: transitions are numbered as
				* they come. A list that comes anew, after it was dropped, goes on with numbers above all
				* that it had */
	uint64_t steady;       /* numbers from this on are of the same transitions ever. When some were dropped behind
				* others that are spared, these have numbers right below this one, */
	uint32_t moved;        /* and this grows */
	struct transition *at; /* [0, count), ascending ticks. Moves */
	void *room;            /* where `at` lies in (array_queue) */
	uint32_t gaps;         /* ever */
	uint64_t long_ago;     /* those with numbers below this are of spared stretches, of which alone something is held
				* so long ago */
};

/* How far a source has read. */
struct transition_cursor {
	uint64_t position, owner; /* its own; both 0: nothing yet */
};

/* A stretch of time. */
struct transition_stretch {
	int64_t begin, end; /* ticks, the last one included */
};

struct transitions {
	struct transition_list *lists;
	uint32_t count, capacity;
	uint64_t total; /* over all lists */
	uint64_t most;
	uint64_t left_out; /* so many had no room, up to now; the source adds those that it does not even read */
	struct lookup by_id; /* of lists; also those that were dropped */
	uint64_t renewed; /* where the numbers of new lists begin */
	struct transition_cursor *cursors; /* the source's */
	uint32_t cursor_count;
	struct transition_stretch spared[TRANSITIONS_SPARED]; /* ascending, not overlapping */
	uint32_t spared_count;
	struct transition_stretch wanted; /* transitions_want; begin = end: the newest */
	struct transition_stretch asked, read; /* the source's: what was wanted last, and what of that was read */
	bool elsewhere; /* the source has others, of times that may be wanted, */
	int64_t since;  /* from this tick on */
	bool followed; /* the source has read for the first time, and others may have read of it */
};

struct transitions *transitions_new(uint64_t most); /* NULL: out of memory */
void transitions_free(struct transitions *t);

/* How many lists there may be. Each takes time where room is made. */
static inline uint32_t transitions_lists(const struct transitions *t)
{
	return t->most / 2048 < 1024 ? 1024 : t->most / 2048 < 65536 ? (uint32_t)(t->most / 2048) : 65536;
}

/* The list with this id, or NULL. */
struct transition_list *transitions_find(struct transitions *t, uint64_t id);

/* The list with this id; if there is none, a new one for the thread, which may move all the others in memory. If there
 * are transitions_lists already, the one that got no transition for the longest time is dropped. NULL: out of memory. */
struct transition_list *transitions_of(struct transitions *t, uint64_t id, uint32_t thread);

/* Adds a transition at the end of the list. If its tick is below that of the last one, it gets the tick of the last
 * one. Drops the oldest if there are too many. False: out of memory, and nothing is added. */
bool transitions_add(struct transitions *t, struct transition_list *list, struct transition n);

/* The same for many at once: room for `more` behind the last, each of which is put there, and then all are settled.
 * False: out of memory, and there is no room. */
bool transitions_reserve(struct transition_list *list, uint32_t more);
static inline void transitions_put(struct transition_list *list, struct transition n)
{
	if (list->count && n.tick < list->at[list->count - 1].tick)
		n.tick = list->at[list->count - 1].tick;
	list->at[list->count++] = n;
}
void transitions_settle(struct transitions *t, uint32_t put);

/* From now on the transitions of these stretches are spared, in any order and at most so many, and of each list
 * TRANSITIONS_AROUND before and behind each, so that what was open in it is known at both ends. */
void transitions_spare(struct transitions *t, const struct transition_stretch *stretches, uint32_t count);

/* Asks a source that has more transitions than may be held (a recording) for those around this stretch, instead
 * of others. begin = end: the newest. They come with its next reading. Sources that have all of them at hand, or
 * none, ignore this. */
void transitions_want(struct transitions *t, struct transition_stretch stretch);

/* All leave; the lists stay, and go on with other numbers. */
void transitions_forget(struct transitions *t);

/* The first n of the list leave. */
void transitions_drop(struct transitions *t, struct transition_list *list, uint32_t n);

/* The tick from which on more is held than spared stretches: that of the newest transition where there is nothing else.
 * INT64_MAX: there is none. */
int64_t transitions_since(const struct transition_list *list);
/* The first of these ticks of all lists of a selection of threads; at most `now`. */
int64_t transitions_since_all(const struct transitions *t, const struct profile *p, uint32_t threads, int64_t now);

/* Room for `count` cursors, which are not changed and begin with zeros. False: out of memory. */
bool transitions_reach(struct transitions *t, uint32_t count);

#endif
