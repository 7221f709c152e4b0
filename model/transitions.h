/* SPDX-License-Identifier: MIT */
/*
 * transitions: every single entry and exit of zones that is still known, thread by thread, in the order of time.
 *
 * They are what single calls (calls.h) are told from. A source appends to them what is new; they are of the newest
 * seconds, as many as the process' own log holds, or fewer: when there are more than `most` in all, the oldest of the
 * longest list leave. What was lost between two of a thread is a gap: nothing is told across it.
 */
#ifndef MODEL_TRANSITIONS_H
#define MODEL_TRANSITIONS_H

#include "model/profile.h"

#define TRANSITIONS_MOST 1000000u /* 16 bytes each */

enum transition_kind {
	TRANSITION_ENTER, /* of the node */
	TRANSITION_LEAVE, /* of the node */
	TRANSITION_GAP,   /* what was before is not known: nothing is open that was, as far as one knows */
};

struct transition {
	int64_t tick;
	uint32_t node; /* of the profile */
	uint32_t kind;
};

struct transition_list {
	uint32_t thread; /* of the profile */
	struct transition *at; /* [0, count), ascending ticks. Moves */
	uint32_t count, capacity;
	void *room; /* where `at` lies in (array_queue) */
	uint64_t lost; /* gaps */
	uint64_t position; /* the source's own: of what it gave last */
	uint64_t generation; /* likewise */
};

struct transitions {
	struct transition_list *lists; /* a thread has one at most */
	uint32_t count, capacity;
	uint64_t total; /* over all lists */
	uint64_t most;
};

struct transitions *transitions_new(uint64_t most); /* NULL: out of memory */
void transitions_free(struct transitions *t);

/* The list of a thread, made when it is new; NULL: out of memory. */
struct transition_list *transitions_of(struct transitions *t, uint32_t thread);

/* Behind the last of the list; drops where there are too many. False: out of memory. */
bool transitions_add(struct transitions *t, struct transition_list *list, const struct transition *n);

#endif
