/* SPDX-License-Identifier: MIT */
/*
 * transitions: every single entry and exit of zones that is still known, thread by thread, in the order of time.
 *
 * They are what single calls (calls.h) are told from. A source appends to them what is new; they are of the newest
 * seconds, as many as the process' own log holds, or fewer: when there are more than `most` in all, the oldest of the
 * longest list leave. What was lost between two of a thread is a gap: nothing is told across it.
 *
 * Nodes and threads are those of the source's profile. Of a copy of it (profile_copy) they are the same, but it may
 * lack the newest.
 */
#ifndef MODEL_TRANSITIONS_H
#define MODEL_TRANSITIONS_H

#include "model/profile.h"

#define TRANSITIONS_MOST 500000u /* 16 bytes each, and as much again at most while their arrays grow */

enum transition_kind {
	TRANSITION_ENTER, /* of the node */
	TRANSITION_LEAVE, /* of the node */
	TRANSITION_START, /* the thread begins here; node 0 */
	TRANSITION_END,   /* it ends here, whatever is open; node 0 */
	TRANSITION_GAP,   /* what was before is not known: nothing is open as far as one knows; node 0 */
};

struct transition {
	int64_t tick;
	uint32_t node; /* of the profile */
	uint32_t kind;
};

/* Of one thread, or of one of those that an aggregate is the sum of (THREAD_AGGREGATE): what belongs to one stack. */
struct transition_list {
	uint64_t id;     /* the source's own: no other list has it */
	uint32_t thread; /* of the profile */
	uint32_t count, capacity;
	struct transition *at; /* [0, count), ascending ticks. Moves */
	void *room;            /* where `at` lies in (array_queue) */
	uint32_t gaps;         /* ever */
};

/* How far a source has read. */
struct transition_cursor {
	uint64_t position, owner; /* its own; both 0: nothing yet */
};

struct transitions {
	struct transition_list *lists;
	uint32_t count, capacity;
	uint64_t total; /* over all lists */
	uint64_t most;
	struct transition_cursor *cursors; /* the source's */
	uint32_t cursor_count;
};

struct transitions *transitions_new(uint64_t most); /* NULL: out of memory */
void transitions_free(struct transitions *t);

/* The list with this id, made for the thread when it is new. Others may move; when there are very many, the one that
 * was silent for the longest leaves. NULL: out of memory. */
struct transition_list *transitions_of(struct transitions *t, uint64_t id, uint32_t thread);

/* Behind the last of the list; one that is earlier than that counts as of its tick. Drops where there are too many.
 * False: out of memory, and nothing is added. */
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

/* Room for `count` cursors, which are not changed and begin with zeros. False: out of memory. */
bool transitions_reach(struct transitions *t, uint32_t count);

#endif
