/* SPDX-License-Identifier: MIT */
/*
 * open_stacks: the zones that were open in each thread at one moment, as rows.
 *
 *   main               a thread
 *     frame            its zones, the outermost first
 *       update
 *   pool               a thread in no zone
 *
 * All that a screen shows of them is copied here, names too. So it stays the same while the profile that it was made
 * of changes, or is freed. Times are in ticks.
 *
 * This is only the list. A source reads the stacks of a process (source_stack, io/source.h), whether it is alive or
 * dead, and the program adds them here, thread by thread and zone by zone. Rows beyond a limit are not kept, but counted
 * in `left_out`.
 */
#ifndef MODEL_OPEN_STACKS_H
#define MODEL_OPEN_STACKS_H

#include "model/base/pattern.h"
#include "model/profile/profile.h"

#define OPEN_ROWS_MOST 20000u /* of a screen */

struct open_thread {
	uint64_t id; /* the profile's */
	uint32_t index; /* likewise */
	int64_t tid;
	char *name; /* raw bytes, as a zone's; owned */
	bool marking;
	bool busy;      /* in the middle of a transition: the last zone may just have been entered or left */
	int64_t now;    /* tick at which it was looked at; of a process that is over, its newest */
	int64_t last;   /* tick of its last transition; */
	int64_t still;  /* so long ago */
	enum profile_thread_state state;
	uint32_t count; /* of its open zones, those without a row too */
	uint32_t first, end; /* its rows, [first, end) */
};

struct open_zone {
	char *name, *file; /* owned */
	uint32_t line;
	bool waiting;
};

struct open_row {
	uint64_t id; /* of the thread, or of the zone at its level in the thread; not 0 */
	uint32_t thread; /* index below */
	uint32_t level;  /* of a zone, from 1; 0: the row is the thread's own */
	uint32_t zone;   /* index below */
	uint32_t depth;  /* of recursion: how often the zone is in the stack up to here */
	uint64_t key;       /* identity of its key, merged (keys.h) */
	uint64_t spread_key; /* and spread */
	uint32_t node;   /* the profile's */
	int64_t entered; /* tick; */
	int64_t open;    /* so long ago; of a process that died, at least */
};

struct open_stacks {
	enum profile_state state; /* of the process */
	uint64_t ticks_per_s;
	struct open_row *rows;
	uint32_t row_count;
	struct open_thread *threads;
	uint32_t thread_count;
	struct open_zone *zones; /* each once */
	uint32_t zone_count;
	uint64_t left_out; /* zones and threads that found no room */
	struct open_stacks_store *store;
};

/* Empty, of this process as it is now. It will keep at most so many rows. NULL: out of memory. */
struct open_stacks *open_stacks_new(const struct profile *p, uint32_t most);

/* One more who holds it; the last one who lets go of it frees it. */
struct open_stacks *open_stacks_hold(struct open_stacks *o);
void open_stacks_free(struct open_stacks *o);

/* A thread of the profile, behind all those that are added before it: its last transition, and when it was looked at.
 * False: out of memory. */
bool open_stacks_add_thread(struct open_stacks *o, const struct profile *p, uint32_t thread, bool busy,
			    int64_t last, int64_t now);

/* The next zone of the thread that was added last, inside of the one before: its node, and since when it is
 * open. False: out of memory. */
bool open_stacks_add_zone(struct open_stacks *o, const struct profile *p, uint32_t node, int64_t entered);

/* The innermost open zone of a thread of the profile. It has the `id` and the `index` of the profile. NULL: the
 * thread was in none; or, if `known` is false, it was not read, or not all of its rows are there. */
const struct open_row *open_stacks_innermost(const struct open_stacks *o, uint64_t id, uint32_t index, bool *known);

/* How many threads are in no zone. */
uint32_t open_stacks_idle(const struct open_stacks *o);

/* Whether a thread has the pattern in its name, or in that of one of its zones. */
bool open_stacks_matches(const struct open_stacks *o, uint32_t thread, const struct pattern *pattern);

#endif
