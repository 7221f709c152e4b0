/* SPDX-License-Identifier: MIT */
/*
 * trace_inside: the files of trace.h.
 *
 *   trace.c          what importers call
 *   trace_base.c     what all others need: names, threads, paths, what fails; and where it all goes (below)
 *   trace_gather.c   what is told anyhow: sorted, and then told in order
 *   trace_stacks.c   zones that are open, the paths of zones, their sums, single calls
 *   trace_frames.c   where frames are, and what each path had in them
 *   trace_values.c   counters, events, notes
 *
 * All that a trace has goes into its profile, and its single calls into `calls`. If they are more than calls_most, or
 * the frames more than PLAYER_HOLD bytes, then frames, calls, values, events and notes go into a recording instead, which is
 * an unlinked file (trace_spool): the profile has the definitions and totals alone, which are told to the recording from it.
 *
 * Sums are gathered path by path (struct cell), each for one frame, which has a key; when the path's time goes into another
 * frame, what it had goes to be sorted by frames. So memory does not grow with the frames.
 *
 *     by time      a key is the tick at which a frame begins in a grid that gets coarser when there are too many
 *     by the file  the file's number + 1, as 0 is no number here; what it is called is settled at the end
 *     by marks     the index of a mark: all of them are known then
 */
#ifndef IO_TRACE_INSIDE_H
#define IO_TRACE_INSIDE_H

#include "io/import/import_inside.h"
#include "io/import/sorter.h"
#include "io/import/trace.h"
#include "io/recording/recording.h"
#include "io/recording/writer.h"
#include "model/base/strings.h"

#define TRACE_DEPTH 4096u /* as spans.h: what is deeper is not told */
#define TRACE_THREADS (UINT32_C(1) << 16)
#define TRACE_NODES (UINT32_C(1) << 19)
#define TRACE_FRAMES (UINT32_C(1) << 20)
#define TRACE_COUNTERS (UINT32_C(1) << 20)
#define TRACE_TICK_MOST RECORDING_TICK_MOST
#define TRACE_TIME_MOST (INT64_C(1) << 60) /* of all threads together */
#define TRACE_NO_KEY INT64_MIN

enum trace_frames { FRAMES_BY_TIME, FRAMES_BY_FILE, FRAMES_BY_MARKS };

/* The values of a node of the profile in a frame that may not be over. */
struct trace_node {
	uint32_t name;
	uint32_t child, follows; /* guesses: its child that was entered last, and what came behind itself */
	int64_t key;             /* of which frame these are */
	int64_t self, count, longest;
};

struct trace_open {
	uint32_t node, match;
	int64_t entered;
	int64_t key; /* by the file */
	uint64_t place;
};

/* A thread of the file. Its list in `calls` has its index. */
struct trace_thread {
	uint64_t id;
	int64_t tid;
	uint32_t name; /* TRACE_UNNAMED */
	uint32_t row;  /* the thread of the profile, which may have several of one name; TRACE_NONE: not known yet */
	uint32_t lent; /* the thread whose row it has; TRACE_NONE */
	bool begun, ended;
	int64_t first, last;
	int64_t noted; /* the newest of its events and notes, without the shift of what was gathered */
	struct trace_open *stack;
	uint32_t depth, capacity;
	uint64_t deeper; /* zones that are open and had no room, and why: */
	enum anomaly cramped;
	int64_t key, key_end; /* by time, by marks: the frame that it is in, and its end */
	uint32_t mark;        /* by marks: the index of the first one that has not ended */
	int64_t visited;      /* by the file: the frame that it entered a zone in last */
	int64_t call_tick, call_end; /* of the whole call that was gathered last */
	uint32_t call_room; /* the list has room for so many transitions */
};

struct trace_frame {
	int64_t number, start, end; /* number: the key by the file; start > end: no block, notes alone */
	int64_t note_first, note_last;
};

struct trace_counter {
	uint32_t name, owner;
	bool real;
};

struct trace_mark {
	int64_t start, end;
	uint32_t thread;
};

struct trace {
	struct profile *p;
	struct transitions *calls;
	struct writer *spool; /* NULL: all of it is in the two above */
	int spool_fd, spool_error;
	uint64_t calls_most; /* in `calls` */

	const struct import_options *options;
	struct anomalies *anomalies;
	const char *folder;
	bool failed, anyhow;
	bool by_name; /* trace_end_by_name */
	uint8_t kinds; /* bits of enum gathered: kinds of events that there are */
	int error; /* as errno is; 0: no memory */
	struct strings names;
	uint64_t name_bytes;
	uint32_t too_many; /* the name of all that have no space; TRACE_NONE: all had */
	uint64_t many_place; /* of the record that was counted last as one too many; ANOMALY_NOWHERE */

	struct lookup threads_by_id, children, frames_by_number, counters_by_name;
	struct trace_thread *threads;
	uint32_t thread_count, thread_capacity;
	uint32_t last_thread; /* that was asked for */
	struct trace_node *nodes; /* by node of the profile */
	uint32_t node_capacity;
	int64_t time_left; /* of TRACE_TIME_MOST */

	bool any, shifted;
	int64_t first, last; /* ticks of all there is */
	int64_t shift;       /* that was added to the file's */

	enum trace_frames by;
	bool sums; /* trace_sum */
	int64_t grid;
	struct sorter cells;
	struct trace_frame *frames;
	uint32_t frame_count, frame_capacity;
	uint32_t last_frame; /* by the file: that was asked for */
	struct trace_mark *marks;
	uint32_t mark_count, mark_capacity;
	uint32_t frame_event, frame_zone; /* names; TRACE_NONE */

	uint64_t by_ends, by_beginnings; /* how often gathered calls come as files that are written so have them */
	struct sorter gathered, values, instants;
	struct trace_counter *counters;
	uint32_t counter_count, counter_capacity;
	char *texts; /* of notes */
	uint32_t text_count, text_capacity, note_count;
};

/* trace_base.c */
bool trace_fails(struct trace *t, int error); /* returns false */
/* Counts a record of which something is one too many (ANOMALY_MANY), but only
 * once, whatever else of it is. `name`: of its zone; TRACE_NONE. */
void trace_too_many(struct trace *t, uint32_t name, uint64_t place);
uint32_t trace_add_node(struct trace *t, uint32_t parent, uint32_t name);
void trace_make_rows(struct trace *t);  /* of what was gathered */
void trace_renew_rows(struct trace *t); /* what is known at the end */
/* The calls of a thread, of which there are more than its room. False: failed. */
bool trace_more_calls(struct trace *t, uint32_t thread);
/* Before the first frame: makes a recording of it if the profile would have more than it may hold. */
void trace_weigh(struct trace *t);
/* Into the profile, or the recording. */
void trace_put_frame(struct trace *t, const struct profile_frame *frame);
void trace_put_part(struct trace *t, uint64_t frame, const struct profile_part *part);
void trace_put_change(struct trace *t, uint32_t track, const struct profile_change *change);
void trace_put_instant(struct trace *t, const struct profile_instant *instant);
void trace_end_spool(struct trace *t);

/* trace_stacks.c: in order */
struct step {
	uint32_t thread, name, match;
	int64_t tick, key;
	uint64_t place;
};
void stack_enter(struct trace *t, const struct step *s);
void stack_leave(struct trace *t, const struct step *s);
void stack_sum(struct trace *t, uint32_t thread, const uint32_t *names, uint32_t depth, int64_t self, uint64_t place);
void stack_end(struct trace *t, uint32_t thread);

/* trace_frames.c */
struct cell {
	int64_t key, self, longest;
	uint32_t node, count; /* node UINT32_MAX: of the row `count`, self is its first tick in the frame */
};
void frames_init(struct trace *t);
void frames_see(struct trace *t, int64_t tick);                  /* something happened then */
void frames_widen(struct trace *t);
int64_t frames_key(struct trace *t, int64_t frame, uint64_t place); /* by the file; TRACE_NO_KEY: none */
struct trace_frame *frames_of_key(struct trace *t, int64_t key);
void frames_begin(struct trace *t, struct trace_thread *th);     /* at th->last */
void frames_next(struct trace *t, struct trace_thread *th);      /* th->last is where the frame ends */
void frames_flush(struct trace *t, uint32_t node);
void frames_visit(struct trace *t, struct trace_thread *th, int64_t key, int64_t tick);
void frames_settle_marks(struct trace *t);
void frames_write(struct trace *t);
/* The index of the frame with start < tick <= end, or of the first one behind it; frame_count: none. */
uint32_t frames_at(const struct trace *t, int64_t tick);
/* By the file, at the end: the frame with this key, or the first one behind it. */
uint32_t frames_with(const struct trace *t, int64_t key);

/* trace_values.c */
void values_init(struct trace *t);
void values_event(struct trace *t, uint32_t thread, uint32_t name, int64_t tick);
void values_note(struct trace *t, uint32_t thread, const char *bytes, size_t size, int64_t tick, int64_t key,
		 uint64_t place);
void values_add(struct trace *t, uint32_t counter, int64_t tick, int64_t value, bool real);
void values_write(struct trace *t);

/* trace_gather.c */
enum gathered { GATHERED_ENTER, GATHERED_LEAVE, GATHERED_CALL };
void gather_init(struct trace *t);
void gather(struct trace *t, enum gathered kind, const struct step *s, int64_t length);
void gather_tell(struct trace *t);

#endif
