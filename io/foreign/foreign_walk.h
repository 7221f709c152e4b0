/* SPDX-License-Identifier: MIT */
/*
 * foreign_walk: the single calls of a lane one step after the other, as a file of events has them.
 *
 *     rows of spans   [ update        ][ update ..      steps   enter update, enter ai, leave ai, leave update,
 *                       [ ai ]                                  enter update ...
 *
 * Steps are nested, and their times never go back. A call that reaches over the lane's time, or into time that is not known,
 * is in it with the part that is: the step says so.
 */
#ifndef IO_FOREIGN_WALK_H
#define IO_FOREIGN_WALK_H

#include "io/foreign/foreign.h"

enum foreign_step_flags {
	STEP_CUT = 1 << 0,     /* an enter: the time that is covered begins here, not the call. A leave: the call is cut,
				* at either end */
	STEP_UNKNOWN = 1 << 1, /* what is known begins or ends here, not the call */
	STEP_RUNNING = 1 << 2, /* a leave: it was not left yet */
	STEP_RESUMED = 1 << 3,   /* an enter: of a call that goes on */
	STEP_SUSPENDED = 1 << 4, /* a leave: of a call that is not over */
	STEP_LEFT_OPEN = 1 << 5, /* a leave: there was none, but its thread ended here */
};

struct foreign_step {
	bool enter;
	uint32_t node; /* of the profile */
	int64_t tick;
	int64_t until; /* an enter: the tick of its leave */
	unsigned flags;
};

struct foreign_walk {
	struct foreign *t;
	const struct profile *p;
	const struct foreign_lane *lane;
	uint32_t level;        /* so many are open */
	uint32_t *next, *open; /* by depth: the span that comes next, and the one that is open */
};

bool foreign_walk_begin(struct foreign_walk *w, struct foreign *t, const struct foreign_lane *lane); /* false: no memory */
/* False: there is none any more, or nobody wants it. */
bool foreign_walk_next(struct foreign_walk *w, struct foreign_step *step);
void foreign_walk_end(struct foreign_walk *w);

/* How many steps a lane has. */
uint64_t foreign_walk_steps(const struct foreign_lane *lane);

/* What was not as it should be, to be told. */
struct foreign_counts {
	uint64_t cut, begin_unknown, end_unknown, running, resumed, left_open;
};

void foreign_count_step(struct foreign_counts *c, const struct foreign_step *step);

/* `closed`: the format has no calls that still run. */
void foreign_say_counts(struct foreign *t, const struct foreign_counts *c, bool closed);

#endif
