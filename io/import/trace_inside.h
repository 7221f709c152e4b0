/* SPDX-License-Identifier: MIT */
/*
 * trace_inside: the files of trace.h.
 *
 *   trace.c          what importers call
 *   trace_base.c     what all others need: names, paths, what fails
 *   trace_gather.c   what is told anyhow: sorted, and then told in order
 *   trace_stacks.c   zones that are open, the paths of zones, their sums, single calls
 *   trace_frames.c   where frames are, and what each path had in them
 *   trace_values.c   counters, events, notes
 *   trace_threads.c  threads, and which of them are one
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

#include "io/import/sorter.h"
#include "io/import/trace.h"
#include "io/recording/recording.h"

#define TRACE_DEPTH 4096u /* as spans.h: what is deeper is not told */
#define TRACE_THREADS (UINT32_C(1) << 16)
#define TRACE_NODES (UINT32_C(1) << 19)
#define TRACE_FRAMES (UINT32_C(1) << 20)
#define TRACE_COUNTERS (UINT32_C(1) << 20)
#define TRACE_TICK_MOST RECORDING_TICK_MOST
#define TRACE_TIME_MOST (INT64_C(1) << 60) /* of all threads together */
#define TRACE_NO_KEY INT64_MIN

enum trace_frames { FRAMES_BY_TIME, FRAMES_BY_FILE, FRAMES_BY_MARKS };

struct trace_node {
	uint32_t name, parent, row;
	uint32_t child, follows; /* guesses: its child that was entered last, and what came behind itself */
	int64_t key;             /* of which frame these are */
	int64_t self, count, longest;
	struct profile_total total; /* without these */
};

struct trace_open {
	uint32_t node, match;
	int64_t entered;
	int64_t key; /* by the file */
	uint64_t place;
};

/* A thread of the file. */
struct trace_thread {
	uint64_t id;
	int64_t tid;
	uint32_t name; /* TRACE_UNNAMED */
	uint32_t row;
	uint32_t lent; /* the thread whose row it has; NAMES_NONE */
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
	struct transition *calls;
	uint32_t call_count, call_capacity;
	uint64_t call_number;
};

/* A thread of the recording: one of the file, or several of one name. */
struct trace_row {
	uint32_t name, root, threads;
	uint64_t id;
	int64_t tid, first, time;
	bool marking;
};

struct trace_frame {
	int64_t number, start, end; /* number: the key by the file; start > end: no block, notes alone */
	int64_t note_first, note_last;
};

struct trace_counter {
	uint32_t name;
	bool real;
};

struct trace_mark {
	int64_t start, end;
	uint32_t thread;
};

struct trace {
	struct writer *w;
	const struct import_options *options;
	struct anomalies *anomalies;
	const char *folder;
	struct profile *p; /* for what the writer wants of one */
	bool failed, anyhow;
	bool by_name; /* trace_end_by_name */
	uint8_t kinds; /* bits of enum gathered: kinds of events that there are */
	int error; /* as errno is; 0: no memory */
	struct names names;
	uint32_t zone_count, event_count;

	struct ids thread_ids, children, frame_ids, counter_ids;
	struct trace_thread *threads;
	uint32_t thread_count, thread_capacity;
	uint64_t last_id; /* the thread that was asked for last */
	uint32_t last_thread;
	struct trace_row *rows;
	uint32_t row_count, row_capacity;
	struct trace_node *nodes;
	uint32_t node_count, node_capacity;
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
	int64_t last_key; /* by the file: the frame that was asked for last */
	uint32_t last_frame;
	struct trace_mark *marks;
	uint32_t mark_count, mark_capacity;
	uint32_t frame_event, frame_zone; /* names; NAMES_NONE */

	uint64_t by_ends, by_beginnings; /* how often gathered calls come as files that are written so have them */
	struct sorter gathered, values, instants;
	struct trace_counter *counters;
	uint32_t counter_count, counter_capacity;
	char *texts; /* of notes */
	uint32_t text_count, text_capacity, note_count;
};

/* trace_base.c */
bool trace_fails(struct trace *t, int error); /* returns false */
uint32_t trace_zone(struct trace *t, uint32_t name); /* of the recording */
uint32_t trace_add_node(struct trace *t, uint32_t parent, uint32_t name, uint32_t row); /* a root's name: NAMES_NONE */

/* trace_threads.c */
uint32_t trace_add_row(struct trace *t, uint32_t thread);
void trace_make_rows(struct trace *t);  /* of what was gathered */
void trace_renew_rows(struct trace *t); /* what is known at the end */

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
void stack_totals(struct trace *t);

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
void frames_flush(struct trace *t, struct trace_node *node);
void frames_visit(struct trace *t, struct trace_thread *th, int64_t key, int64_t tick);
void frames_settle_marks(struct trace *t);
void frames_write(struct trace *t);
/* The index of the frame with start < tick <= end, or of the first one behind it; frame_count: none. */
uint32_t frames_at(const struct trace *t, int64_t tick);

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
