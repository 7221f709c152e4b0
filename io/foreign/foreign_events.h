/* SPDX-License-Identifier: MIT */
/*
 * foreign_events: what a file of events has: lanes of threads; the steps of each lane, one after the other; marks between
 * them; in which frame a call was; and what counters were.
 */
#ifndef IO_FOREIGN_EVENTS_H
#define IO_FOREIGN_EVENTS_H

#include "io/foreign/foreign.h"

/* Which threads are in a file of events, and which time of each. */

/* Fills t->lanes: of each selected thread a lane for each list of its calls that reaches into the window, or one without
 * calls. False: out of memory. */
bool foreign_lanes_make(struct foreign *t);

/* The first lane of a thread; NULL: it is not in the file. */
const struct foreign_lane *foreign_lane_of(const struct foreign *t, uint32_t thread);

/* A tick in nanoseconds, as -j has it. */
int64_t foreign_ns(const struct foreign *t, int64_t tick);

/* For readers whose numbers are doubles: the tick from which times of the file count. It is 0, unless the last one would be
 * beyond 2^53 ns. */
int64_t foreign_zero(const struct foreign *t);
void foreign_say_zero(struct foreign *t, int64_t zero);

/* Says since when single calls of a live program are known. */
void foreign_say_since(struct foreign *t);

/*
 * The single calls of a lane one step after the other, as a file of events has them.
 *
 *     rows of spans   [ update        ][ update ..      steps   enter update, enter ai, leave ai, leave update,
 *                       [ ai ]                                  enter update ...
 *
 * Steps are nested, and their times never go back. A call that reaches over the lane's time, or into time that is not known,
 * is in it with the part that is: the step says so.
 */

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

/* How many calls are not exported as they were, for the messages. */
struct foreign_counts {
	uint64_t cut, begin_unknown, end_unknown, running, resumed, left_open;
};

void foreign_count_step(struct foreign_counts *c, const struct foreign_step *step);

/* `closed`: the format has no calls that still run. */
void foreign_say_counts(struct foreign *t, const struct foreign_counts *c, bool closed);

/*
 * Events, notes and the ends of frames, of a lane and in the order of time; and between them its steps.
 *
 * A frame is an event called `frame` of the thread that marks frames, where it ends. Frames that the source guessed are none,
 * and where the program has an event of its own at the mark, that one says it.
 */

#define FOREIGN_FRAME_NAME "frame"

enum foreign_mark_kind { MARK_EVENT, MARK_NOTE, MARK_FRAME };

struct foreign_mark {
	enum foreign_mark_kind kind;
	int64_t tick;
	uint32_t event;   /* the index of its name */
	const char *text; /* the name, or what the note says: raw bytes */
	const struct profile_frame *frame;
};

struct foreign_marks {
	const struct foreign *t;
	const struct foreign_lane *lane;
	uint32_t instant, frame; /* that come next */
};

/* Events and frame marks, in the order of time: a mark comes before the zone that is entered at its tick, and
 * behind the one that is left. */
struct foreign_events {
	struct foreign_walk walk;
	struct foreign_marks marks;
	struct foreign_step step; /* what comes next, */
	struct foreign_mark mark;
	bool has_step, has_mark; /* if something does */
};

enum foreign_event { FOREIGN_OVER, FOREIGN_STEP, FOREIGN_MARK };

bool foreign_events_begin(struct foreign_events *e, struct foreign *t, const struct foreign_lane *lane, bool with_frames);
enum foreign_event foreign_events_next(struct foreign_events *e, struct foreign_step *step, struct foreign_mark *mark);
void foreign_events_end(struct foreign_events *e);

/* Says what a format has no place for. */
enum foreign_lacks { LACKS_EVENTS = 1 << 0, LACKS_NOTES = 1 << 1, LACKS_COUNTERS = 1 << 2, LACKS_FRAMES = 1 << 3 };
void foreign_say_lacks(struct foreign *t, unsigned lacks);

/* In which frame a call was entered, and a note was made, for formats that say so of each. */

/* Frames are those of a file that some other program wrote. */
bool foreign_frames_of_file(const struct foreign *t);

#define FOREIGN_NOTE INT64_MIN

/* The index of the frame in which a thread entered a call that lasted until then, or made a note; PROFILE_NONE: none that
 * is known. */
uint32_t foreign_frame_at(const struct foreign *t, uint32_t thread, int64_t tick, int64_t until);

/* How many calls of the thread the frames of a file have beyond those that are found in them here, `found` of each frame: what
 * a file calls in a frame while another one runs is found in that one, or in none. */
uint64_t foreign_frames_lacking(const struct foreign *t, uint32_t thread, const uint64_t *found);

/*
 * The values of counters, one after the other.
 *
 * A stretch of time has three: the least, the greatest and the last value, all at its end. A counter has a value of its own
 * in each thread that set it; one that is only added to has one.
 */

struct foreign_value {
	int64_t tick;
	union profile_number number;
};

struct foreign_values {
	struct foreign *t;
	const struct profile_track *track;
	uint32_t next;    /* of the changes, */
	unsigned extreme; /* and how many of its extremes have been told */
	bool entered;     /* what it was when the window began has been told, */
	bool newest;      /* and what it was last */
};

/* True if the file has the track: those of its threads, and sums over all. */
bool foreign_has_track(const struct foreign *t, const struct profile_track *track);

void foreign_values_begin(struct foreign_values *v, struct foreign *t, const struct profile_track *track);
bool foreign_values_next(struct foreign_values *v, struct foreign_value *value);

/* The thread whose value it is has to be said: others have set the same counter. */
bool foreign_track_shares(const struct profile *p, const struct profile_track *track);

#endif
