/* SPDX-License-Identifier: MIT */
/*
 * recorder_inside: the files of recorder.h.
 *
 *   recorder_frames.c   which frames a take has, and which ticks are near slow frames
 *   recorder_size.c     how large a take is, and what of it fits into a limited file
 *   recorder.c          a take: all items, in their order
 */
#ifndef IO_RECORDER_INSIDE_H
#define IO_RECORDER_INSIDE_H

#include "io/recording/recorder.h"
#include "model/profile/measures.h"

#define AROUND_S 1   /* recorded before and after a slow frame */
#define RECENT 4096u /* frames that are looked at again, at most */

/* What was written of a frame that may still change, as a sum. */
struct recent {
	uint64_t number, looks; /* a sum of what its parts looked like */
};

/* The amounts of a measure in the whole run, as they were written. */
struct was_measure {
	int64_t *by_node;
	bool *lacks; /* by thread */
	uint32_t node_room, thread_room;
};

/* Items that may change are remembered as they were written. */
struct was_thread {
	struct profile_thread thread;
	uint32_t name; /* a hash */
	int64_t instant; /* tick of its last event or note that was written, */
	uint32_t instants; /* and how many of that tick were; 0: there was none */
};

struct was_track {
	uint32_t thread;
	bool summed, total;
	char unit[PROFILE_UNIT];
	struct profile_change last; /* that was written */
	bool any;
	int64_t from; /* changes before this tick are in another recording */
	struct profile_change now;
	union profile_number run_least, run_most;
};

struct recorder {
	struct source *s;
	struct recorder_options o;
	struct transitions *calls; /* that were read and not written yet */
	bool *goes_on;             /* by their list: the newest up to now are written, so its zones are open */
	uint32_t goes_on_room;
	struct writer *w;
	const struct profile *p;
	bool process_written;
	uint32_t zone_count, thread_count, track_count; /* that this recording has */
	struct was_thread *threads;
	struct was_track *tracks;
	struct was_measure measures[MEASURES_MOST];
	struct profile_total *totals; /* by node */
	uint32_t *passed;
	int64_t *running; /* by thread: find_running */
	uint32_t thread_room, track_room, total_room, passed_room, running_room;
	struct profile_process process;
	uint64_t from_frame, to_frame; /* 0: any */
	uint64_t frame; /* number of the newest that was written or left out */
	uint64_t left_out, let_go;
	uint64_t frames_over, calls_over, values_over; /* exceeded the limit */
	struct recent *recent; /* a ring by number */
	struct transition_stretch *near; /* with `over`: recorder_find_slow */
	uint32_t near_count, near_room;
	int64_t until;         /* up to this tick it is decided what is written */
	int64_t looked;        /* up to this tick events and notes were looked at, */
	int64_t taken;         /* and all else that was known then */
	uint64_t limit;        /* bytes of a file; 0: none */
	int64_t run_tick;      /* of the totals that were written last */
	int64_t frames_from, calls_from; /* what is older has no space in this take */
	int64_t left_out_until; /* frames that end up to this tick and were not written yet never are: they had no space */
	bool anew, copied;
	bool turned;   /* the next take is the first of a file that is not the first file */
	bool carries;  /* this take writes frames again that the file before has (recorder_find_carried), */
	int64_t carried_from; /* and what is of their time: after this tick */
	bool ready;    /* calls were read for the next take */
	bool at_frame; /* the take is as of the end of the newest frame (ends_with_frame) */
};

static inline int64_t recorder_seconds(const struct recorder *r, int64_t s)
{
	return (int64_t)r->p->ticks_per_s * s;
}

static inline int64_t recorder_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t recorder_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* recorder_frames.c */

/* Finds the slow frames of this take. False: out of memory. Then recorder_is_near says whether these ticks are written: one
 * of them is near a slow frame, or all frames are recorded. */
bool recorder_find_slow(struct recorder *r);
bool recorder_is_near(const struct recorder *r, int64_t from, int64_t to);
bool recorder_frame_is_near(const struct recorder *r, const struct profile_frame *f);
/* Begin and end of the frames that recorder_only chose, as far as a take goes. */
struct transition_stretch recorder_time_asked_for(const struct recorder *r);
/* A take looks at frames from this index on, if recorder_looks_at says so of the frame, and writes those that are pending:
 * new, or changed since they were written. */
uint32_t recorder_first_unsettled(const struct recorder *r);
bool recorder_looks_at(const struct recorder *r, const struct profile_frame *f, uint64_t newest);
bool recorder_is_pending(const struct recorder *r, const struct profile_frame *f);
bool recorder_write_frames(struct recorder *r);
/* If no frame has ended since the file before, its newest frames are carried over, so that a file of calls alone has
 * frames, too. Sets r->carries and r->carried_from. */
void recorder_find_carried(struct recorder *r);
/* How many of the transitions from i on are all written, or all left out. */
uint32_t recorder_calls_together(const struct recorder *r, const struct transition_list *list, uint32_t i, uint32_t end,
				 bool *written);

/* recorder_size.c */

uint64_t recorder_bytes(const struct recorder *r); /* that the next take writes at most, about */
int64_t recorder_newest(const struct recorder *r); /* the newest tick that is known */
/* Sets the tick up to which frames, or calls, are left out, before they are written. */
void recorder_fit_frames(struct recorder *r);
void recorder_fit_calls(struct recorder *r);
void recorder_write_losses_of_size(struct recorder *r); /* after all of a take */

#endif
