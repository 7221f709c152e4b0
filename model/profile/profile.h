/* SPDX-License-Identifier: MIT */
/*
 * profile: what is known of one profiled process, as it grows.
 *
 * A source (a live region, a dead one, a file) feeds it, everything else in model/ only reads it.
 * The source sets plain numbers and states itself (ticks_per_s, now_tick, a thread's state);
 * whatever grows, and every string, goes through the functions below.
 *
 * Times are in ticks of the source, `ticks_per_s` of them in a second. A point in time and a
 * length are both int64_t; points are below 2^63 and never negative. Zones, threads and nodes are
 * named by their index, which never changes and is never reused. Strings are copied on the way in.
 *
 * What stays true:
 *  - zone 0 is PROFILE_NO_ZONE, `(no zone)`: the zone of every thread's root node, and only that;
 *  - the parent of a node has a smaller index than the node, and the same thread;
 *  - frames stand in ascending order of their numbers (gaps are allowed) and leave at the front;
 *  - a frame has at most one part a thread, and of a whole part Σ self = end − bound.
 *
 * A failed allocation is returned as PROFILE_NONE or false, and leaves the profile as it was.
 */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROFILE_NO_ZONE 0u
#define PROFILE_NONE UINT32_MAX /* no such zone, thread or node; the parent of a root */

/* A selection of threads, where one is asked for: the index of a thread; all of them; or all that
 * have the name of thread i. Threads without a name have it in common with nobody. Where several
 * are selected they are merged. Indices stay below 2^31, so the three never meet. */
#define THREADS_ALL PROFILE_NONE
#define THREADS_NAMED(i) (UINT32_C(0x80000000) | (i))
#define THREADS_MOST UINT32_C(0x7FFFFFF0) /* what lies above is nobody's index */

enum profile_zone_flags {
	ZONE_WAITING = 1 << 0, /* its self time was declared waiting: shown, but neither busy time nor heat */
	ZONE_PUBLIC = 1 << 1,  /* one zone that is entered in many places */
};

struct profile_zone {
	char *name; /* raw bytes of the program: show them through name_escape */
	char *file; /* "" when not known */
	uint32_t line;
	uint32_t flags;
	bool name_clash; /* another zone has this name: show it with its place */
};

enum profile_thread_state {
	THREAD_LIVE,
	THREAD_ENDED,
	THREAD_AGGREGATE, /* not one thread but the sum of those that ended: `ended threads` */
};

/* Why what a thread had in the whole run is not there, or not as new as the rest. */
enum profile_unread {
	THREAD_READ,
	THREAD_MOVING,  /* it changed while it was read, again and again */
	THREAD_DAMAGED, /* its totals cannot be right */
};

struct profile_thread {
	uint64_t id; /* the source's own and stable; not an index */
	int64_t tid; /* the system's, 0 when not known */
	char *name;
	enum profile_thread_state state;
	bool marking;       /* it set the last frame mark */
	bool several;       /* threads that came one after the other */
	int64_t first_tick; /* where its time begins: with the run if it was there then, else with its first zone */
	int64_t time;       /* whole run so far: from there until its end, or now */
	enum profile_unread unread; /* at the last reading of the whole run */
	uint32_t root;      /* its root node, made with the thread */
	uint32_t namesake;  /* one and the same thread for all of this name: one of them */
};

/* Its part of a frame is of more threads than one: it has no bounds of its own. */
static inline bool profile_thread_is_several(const struct profile_thread *t)
{
	return t->several || t->state == THREAD_AGGREGATE;
}

struct profile_node {
	uint32_t parent; /* PROFILE_NONE for a root */
	uint32_t zone;
	uint32_t thread;
	uint32_t heir; /* has what this one had in the whole run, as its thread ended; PROFILE_NONE: none */
	uint32_t passed; /* so often: the threads of one that is several pass it on one after the other */
};

/* Values of a node over the whole run so far. */
struct profile_total {
	int64_t self;    /* ticks */
	int64_t count;   /* entries */
	int64_t longest; /* ticks of the longest single call that ended, inclusive */
};

/* `longest` in a frame where calls may have ended of which nobody knows how long they took. It is more than
 * any other, so that the longest of several is not known either where it is not of one. */
#define PROFILE_LONGEST_UNKNOWN INT64_MAX

/* Values of a node in one frame. Nodes that a part does not name are 0 in it. */
struct profile_cell {
	uint32_t node;
	int64_t self;
	int64_t count;
	int64_t longest;
};

/* The same in half the memory, where all three are below 2^32. */
struct profile_narrow {
	uint32_t node;
	uint32_t self;
	uint32_t count;
	uint32_t longest;
};

enum profile_part_flags {
	PART_MISSING = 1 << 0,   /* dropped by the writer: nothing is known of this thread here */
	PART_LAPPED = 1 << 1,    /* overwritten before it was read: nothing is known either */
	PART_MERGED = 1 << 2,    /* covers frames `first_frame` to this one in one sum */
	PART_INFERRED = 1 << 3,  /* worked out by the reader: the thread had not published it yet */
	PART_DISCARDED = 1 << 4, /* of a discarded frame: has bounds but no cells */
	PART_EXIT = 1 << 5,      /* the thread ended in this frame */
	PART_KEPT = 1 << 6,      /* known for the frame being long alone: what the thread did around it is gone */
};

/* One thread's part of one frame as it is given: its own ticks from `bound` to `end`. */
struct profile_part {
	uint32_t thread;
	uint32_t flags; /* 0: whole */
	uint64_t first_frame;
	int64_t bound; /* its boundary of the frame before, or where its time begins */
	int64_t end;   /* its own boundary of this frame, or its end */
	uint32_t cell_count;
	struct profile_cell *cells; /* each node at most once */
};

/* The same as a frame holds it. Much of the memory of a profile is cells, and nearly all parts have
 * only values below 2^32: those are held narrow, any other part as it was given. Both are exact, and
 * profile_cell reads either. */
struct profile_held {
	uint32_t thread;
	uint32_t flags;
	uint64_t first_frame;
	int64_t bound;
	int64_t end;
	uint32_t cell_count;
	bool is_wide;
	union {
		struct profile_narrow *narrow;
		struct profile_cell *wide;
	} cells;
};

/* Cell i of a part, of cell_count. */
static inline struct profile_cell profile_cell(const struct profile_held *part, uint32_t i)
{
	const struct profile_narrow *cell;

	if (part->is_wide)
		return part->cells.wide[i];
	cell = &part->cells.narrow[i];
	return (struct profile_cell){ cell->node, cell->self, cell->count, cell->longest };
}

enum profile_frame_flags {
	FRAME_DISCARDED = 1 << 0, /* the program said not to record it */
	FRAME_BOUNDED = 1 << 1,   /* between a begin and an end; the time around it is in no frame */
	FRAME_SLOW = 1 << 2,      /* among the worst so far when it ended */
	FRAME_GUESSED = 1 << 3,   /* its end is no mark: the source made it, of two looks at a program that
				   * marks none, or from a file */
	FRAME_TIMER = 1 << 5,     /* it ended by the clock of the library, not by a mark of the program */
	FRAME_KEPT = 1 << 4,      /* kept for being long, its neighbours are gone: part of no average */
};

struct profile_frame {
	uint64_t number; /* from 1 in the order of the marks */
	int64_t start;
	int64_t length;
	uint32_t flags;
	uint32_t part_count;
	struct profile_held *parts; /* in order of their threads. Perhaps shared with a copy */
};

/* What is told from the lengths of many frames is told from these. */
static inline bool frame_counts(const struct profile_frame *frame)
{
	return frame->length > 0 && !(frame->flags & (FRAME_DISCARDED | FRAME_KEPT));
}

/* A value of a counter, by profile_counter.real. */
union profile_number {
	int64_t whole;
	double real;
};

struct profile_counter {
	char *name; /* raw bytes, as a zone's */
	bool real;  /* doubles, else integers. Two counters may have one name and differ in this */
	bool summed; /* it is only added to: its value is the sum over all its tracks. Else each track is
		      * a value of its own, of one thread */
};

/* What a counter was in one stretch of time, of which `tick` is the end: an interval between marks, or a
 * part of one. In a frame with start < tick <= end it is the frame's own. */
struct profile_change {
	int64_t tick;
	union profile_number last, least, most;
	bool lost; /* from here on it is not known, until the next change: what came was overwritten */
};

/* The values that one thread, or one after the other those that shared a place, gave to a counter. It
 * keeps its value from one change to the next. */
struct profile_track {
	uint32_t counter;
	uint32_t thread;    /* PROFILE_NONE: of a counter that is summed */
	int64_t born;       /* tick before which it had no value; 0 of a sum. 0: not known */
	struct profile_change *changes; /* ascending ticks. Before the first of them it is not known, unless
					 * born is later */
	uint32_t change_count;
	struct profile_change now; /* the newest value; tick: when it was read. Not among changes, unless it is
				    * the last of them */
	union profile_number run_least, run_most; /* of the whole run */
};

/* Something that happened: an event, or a note. */
struct profile_instant {
	int64_t tick; /* it belongs to the frame with start < tick <= end */
	uint32_t thread;
	uint32_t event;     /* index of its name; PROFILE_NONE: a note */
	char *text;         /* of a note; raw bytes; owned */
	bool cut;           /* the note was longer */
};

#define PROFILE_INSTANTS 100000u /* held at most; the oldest go */
#define PROFILE_NOTE_BYTES (UINT64_C(4) << 20) /* and of texts of notes so many bytes at most */

struct profile_loss {
	char *key;      /* `lapped_parts`: for JSON, stable */
	char *sentence; /* what it means for the user */
	uint64_t count;
};

/*
 * What is held, in bytes: each piece as the heap gives it, and of what stands in an array that grows and leaves at
 * the front twice its size, as up to a half of such an array is free.
 *
 *     a frame      its own size twice; of its parts, and of the cells of each, the piece
 *     a change     of a counter, its size twice
 *     an instant   its size twice, and the piece of a note's text
 *
 * Names, zones, threads, nodes and counters with their tracks are not counted: there are as many as the program
 * had in all its time, and none of them leaves.
 */
#define PROFILE_PIECE(bytes) ((bytes) <= 24 ? UINT64_C(32) : ((uint64_t)(bytes) + 8 + 15) / 16 * 16)
#define PROFILE_FRAME_BYTES (2 * sizeof(struct profile_frame)) /* of one without parts */
#define PROFILE_CHANGE_BYTES (2 * sizeof(struct profile_change))
#define PROFILE_INSTANT_BYTES (2 * sizeof(struct profile_instant))

enum profile_state {
	PROFILE_LIVE,
	PROFILE_ENDED, /* the process said goodbye */
	PROFILE_DEAD,  /* it did not */
	PROFILE_FILE,  /* read from a file */
};

struct profile_process {
	char *source;  /* what the user named: region or file */
	char *program; /* path of the executable */
	char *command; /* program and arguments */
	int64_t pid;
	int64_t uid;
	enum profile_state state;
	bool stopped; /* live, but a signal or a debugger has stopped it */
	int64_t started_ns; /* since the epoch, 0 when not known */
	char *clock;        /* `tsc`, `cntvct`, `clock_gettime`, `file` */
	int64_t size;       /* bytes of the region, 0 when not known */
	double pair_ns;     /* what entering and leaving a zone costs at least, as calibrated; 0: not known */
	double pair_cold_ns; /* and where the program has other things in the first cache; 0: not known */
	int64_t known_tick, known_moment; /* one of its ticks, and the moment of it (moment.h); MOMENT_NONE: not
					   * known. It may be another one later, by which more is known */
	int64_t silent_ns;  /* dead or ended: since its newest tick or since it was last seen alive; stopped: since it
			     * was first seen to be; at the last look. -1: not known */
};

struct profile {
	uint64_t ticks_per_s; /* at least 1 */
	struct profile_process process;

	int64_t first_tick; /* the run: from where frame 1 begins */
	int64_t now_tick;   /* until here */
	uint64_t frames_ended; /* frames of the whole run that ended, held here or not */
	uint64_t unseen_frames; /* of these, how many were gone before the source first looked. Not a loss: nobody who
				 * looked missed them */
	int64_t run_tick;      /* of when totals and times of threads are; 0: now_tick, and frames_ended */
	uint64_t run_frames;   /* frames that had ended by then */
	int64_t frame_began;   /* the running frame, where the program bounds its frames; 0: none runs, or not known */

	struct profile_zone *zones;
	uint32_t zone_count;
	struct profile_thread *threads;
	uint32_t thread_count;
	struct profile_node *nodes;
	struct profile_total *totals; /* by node */
	uint32_t node_count;

	struct profile_frame *frames; /* [0, frame_count): the oldest first. Moves when frames are added */
	uint32_t frame_count;
	uint64_t held_bytes; /* of frames, changes and instants: see PROFILE_PIECE */

	struct profile_counter *counters;
	uint32_t counter_count;
	struct profile_track *tracks;
	uint32_t track_count;

	char **events; /* names; raw bytes */
	uint32_t event_count;
	struct profile_instant *instants; /* [0, instant_count): ascending ticks. Moves */
	uint32_t instant_count;
	uint64_t note_bytes;   /* of their texts */
	int64_t instants_from; /* all that happened behind this tick is there, as far as it was not lost; of what
				* was before, some may be */

	struct profile_loss *losses;
	uint32_t loss_count;
	char *left_open; /* the last zone that a mark found left open; "" when none */

	struct profile_store *store; /* capacities and look-up tables of profile.c */
};

struct profile *profile_new(void); /* NULL: out of memory. ticks_per_s is 1,000,000,000 */
void profile_free(struct profile *p);

/* The profile as it is now, for whoever wants to look at it while the original goes on; neither sees
 * what is done to the other later. Parts of frames are shared and counted until the last of the two
 * lets go of them, so it costs O(frames + nodes + names), whatever the number of cells. A profile
 * and its copies belong to one thread of execution. NULL: out of memory. */
struct profile *profile_copy(const struct profile *p);

/* Replaces an owned string of the profile: `profile_text(&p->process.program, "a.out")`. NULL
 * counts as "". */
bool profile_text(char **field, const char *text);

/* The zone of this name and place. The same name, file and line is the same zone: a `static
 * inline` function that many files include has one. The name is any bytes but NUL. */
uint32_t profile_add_zone(struct profile *p, const char *name, const char *file, uint32_t line,
			  uint32_t flags);

/* The thread with this id, made with its root node when it is new. `name` (NULL: leave it) and
 * `tid` are renewed. */
uint32_t profile_add_thread(struct profile *p, uint64_t id, int64_t tid, const char *name);

/* The index of the thread with this id, or PROFILE_NONE. */
uint32_t profile_find_thread(const struct profile *p, uint64_t id);

/* A new node below `parent`, of the parent's thread. PROFILE_NONE also when `parent` or `zone` does
 * not exist. Two nodes with one path may exist; reports add them up. */
uint32_t profile_add_node(struct profile *p, uint32_t parent, uint32_t zone);

/* Values of the whole run so far, replacing those of before. The caller keeps
 * Σ self over a thread's nodes = its time. */
void profile_set_total(struct profile *p, uint32_t node, int64_t self, int64_t count,
		       int64_t longest);
void profile_set_time(struct profile *p, uint32_t thread, int64_t first_tick, int64_t time);

/* What the node had in the whole run is from now on in the total of its heir, which the caller sets. */
void profile_pass_total(struct profile *p, uint32_t node, uint32_t heir);

/* Adds a frame behind all others, or renews start, length and flags of the newest. False also
 * when `number` is below that of the newest. */
bool profile_add_frame(struct profile *p, uint64_t number, int64_t start, int64_t length,
		       uint32_t flags);

/* Puts a thread's part into the frame of this number; an earlier part of that thread there (an
 * inferred one) is replaced. Cells are copied; those whose node is not of this thread are refused
 * with the whole part. False also when the frame is not held. */
bool profile_set_part(struct profile *p, uint64_t number, const struct profile_part *part);

/* The frame of this number, or NULL; the pointer holds until frames are added or dropped. */
const struct profile_frame *profile_find_frame(const struct profile *p, uint64_t number);

/* Index of the first held frame whose number is >= number; frame_count when there is none. */
uint32_t profile_frame_index(const struct profile *p, uint64_t number);

/* The part of a thread in a frame, or NULL. */
const struct profile_held *profile_find_part(const struct profile_frame *frame, uint32_t thread);

/* Whether a part of these threads (a selection) in the frame has one of these flags, or it has no part at all:
 * then nothing is known of it but how long it took. */
bool frame_lacks(const struct profile *p, const struct profile_frame *frame, uint32_t threads, uint32_t flags);

/* What is told from the times of these threads in many frames, medians, heat, trends, is told from these: frames that
 * count, in which all that they did is known, and would be if the frame had been short. Who takes those that are known
 * for being long takes them for what is usual; who takes 0 for what is gone, too. */
static inline bool frame_counts_for(const struct profile *p, const struct profile_frame *frame, uint32_t threads)
{
	return frame_counts(frame) &&
	       !frame_lacks(p, frame, threads, PART_MISSING | PART_LAPPED | PART_MERGED | PART_KEPT);
}

/* Drops the n oldest frames; amortised O(parts dropped). */
void profile_drop_frames(struct profile *p, uint32_t n);

/* Of the n oldest frames those with stays[i] become FRAME_KEPT, and the others leave; O(n). */
void profile_thin_frames(struct profile *p, uint32_t n, const bool *stays);

/* How many frames that were kept alone stand before all others. */
uint32_t profile_kept_frames(const struct profile *p);

/* What the frames from `first` on take of held_bytes, as far as `end`. */
uint64_t profile_frames_bytes(const struct profile *p, uint32_t first, uint32_t end);

/* profile_values.c: counters, events and notes. Like frames they leave at the front: with profile_drop_frames
 * what is older than the oldest frame goes, of a track all changes but the last of these. */

/* The counter of this name and kind. `summed` is renewed: it may turn false later. */
uint32_t profile_add_counter(struct profile *p, const char *name, bool real, bool summed);

/* A new track of a counter. */
uint32_t profile_add_track(struct profile *p, uint32_t counter, uint32_t thread, int64_t born);

/* The counter of this track is no sum any longer: it is the value of this thread. */
void profile_own_track(struct profile *p, uint32_t track, uint32_t thread);

/* Adds a change, wherever its tick belongs; one that is there at this tick becomes the two together, as far as they
 * are known. */
bool profile_add_change(struct profile *p, uint32_t track, const struct profile_change *change);

/* Renews the newest value, and with run_least and run_most what is least and most of the run. */
void profile_set_now(struct profile *p, uint32_t track, const struct profile_change *now,
		     union profile_number run_least, union profile_number run_most);

/* The index of an event's name. */
uint32_t profile_add_event(struct profile *p, const char *name);

/* Something happened, perhaps earlier than what is there; behind what happened at the same tick. `text`, of a
 * note (event PROFILE_NONE), is copied. True also when it is older than all of PROFILE_INSTANTS that are held:
 * then it is not. */
bool profile_add_instant(struct profile *p, int64_t tick, uint32_t thread, uint32_t event,
			 const char *text, bool cut);

/* Not all that was before this tick is held: never goes back. */
void profile_set_instants_from(struct profile *p, int64_t tick);

/* The instants with from < tick <= to: returns how many, *first is the first one. */
uint32_t profile_instants(const struct profile *p, int64_t from, int64_t to, uint32_t *first);

/* What a track was in (from, to]: false: not known, or it had no value yet (*unborn). *own: it changed in
 * there; else least and most are last, the value it kept. */
bool profile_track_in(const struct profile *p, uint32_t track, int64_t from, int64_t to,
		      struct profile_change *out, bool *own, bool *unborn);

/* Sets the count of a loss, adding the cause when it is new. */
bool profile_set_loss(struct profile *p, const char *key, const char *sentence, uint64_t count);
uint64_t profile_loss_total(const struct profile *p);

/* The tick and the frames that the values of the whole run are of: where they are seldom renewed the
 * clock goes on without them, and what they are set against must not. */
static inline int64_t profile_run_tick(const struct profile *p)
{
	return p->run_tick ? p->run_tick : p->now_tick;
}

static inline uint64_t profile_run_frames(const struct profile *p)
{
	return p->run_tick ? p->run_frames : p->frames_ended;
}

static inline bool profile_merges(uint32_t selection)
{
	return selection >= THREADS_NAMED(0);
}

/* Whether a thread is one of the selection. */
static inline bool profile_selects(const struct profile *p, uint32_t selection, uint32_t thread)
{
	uint32_t named = selection ^ THREADS_NAMED(0);

	if (!profile_merges(selection))
		return selection == thread;
	return selection == THREADS_ALL ||
	       (named < p->thread_count && p->threads[named].namesake == p->threads[thread].namesake);
}

/* How many threads are selected. O(threads). */
uint32_t profile_selected(const struct profile *p, uint32_t selection);

/* The thread that marks frames, else the first thread; PROFILE_NONE when there is none. */
uint32_t profile_marking_thread(const struct profile *p);

/* The thread that a user means by `text`: a name (a name wins), or an id. PROFILE_NONE: none.
 * `*several` (may be NULL) says that more than one has the name; the first is returned. */
uint32_t profile_parse_thread(const struct profile *p, const char *text, bool *several);

/* The selection that a user means by it: all threads of that name, or the one of that id. PROFILE_NONE: none. */
static inline uint32_t profile_parse_threads(const struct profile *p, const char *text)
{
	bool several;
	uint32_t thread = profile_parse_thread(p, text, &several);

	return several ? THREADS_NAMED(thread) : thread;
}

#endif
