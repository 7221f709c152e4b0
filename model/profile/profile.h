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

#include "model/profile/measures.h"

#define PROFILE_NO_ZONE 0u
#define PROFILE_NONE UINT32_MAX /* no such zone, thread or node; the parent of a root */

/* A selection of threads, where one is asked for: the index of a thread; all of them; all of them, and a report shows
 * each for itself; or all that have the name of thread i. Threads without a name have it in common with nobody. Where
 * several are selected they are merged. Indices stay below 2^31, so these never meet. */
#define THREADS_ALL PROFILE_NONE
#define THREADS_EACH (PROFILE_NONE - 1)
#define THREADS_NAMED(i) (UINT32_C(0x80000000) | (i))
#define THREADS_MOST UINT32_C(0x7FFFFFF0) /* what lies above is nobody's index */

enum profile_zone_flags {
	ZONE_WAITING = 1 << 0, /* its self time was declared waiting: shown, but neither busy time nor heat */
	ZONE_PUBLIC = 1 << 1,  /* one zone that is entered in many places */
	ZONE_FUNCTION = 1 << 2, /* no zone of the program, but a function in which samples were taken: it has neither time nor calls */
};

/* The zones before and behind one, in a ring of those that share something with it. A zone that shares nothing is
 * before and behind itself. */
struct profile_ring {
	uint32_t before, behind;
};

struct profile_zone {
	char *name; /* raw bytes of the program: show them through name_escape */
	char *file; /* "" when not known */
	uint32_t line;
	uint32_t flags;
	bool name_clash; /* another zone has this name, or if this is a function, another function: profile_name_clashes */
	uint32_t module; /* 1 + index of the module that it is an address in; 0: it is none */
	uint64_t offset; /* of that address */
	struct profile_ring same_name, same_place;
};

/* A file with code that the program had loaded. */
struct profile_module {
	char *path;
	char *build; /* its build id in hexadecimal digits; "": not known */
	uint64_t address, size; /* in memory; 0: not known */
};

enum profile_thread_state {
	THREAD_LIVE,
	THREAD_ENDED,
	THREAD_AGGREGATE, /* not one thread but the sum of those that ended: `ended threads` */
};

/* The kind of a lane of the timeline: a thread, or something else that does one thing at a time. */
enum profile_lane {
	PROFILE_THREAD,
	PROFILE_LOCK,
	PROFILE_PROCESSOR,
	PROFILE_QUEUE, /* of a GPU */
	PROFILE_LANE,  /* something that this version does not know */
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
	enum profile_lane lane;
	bool marking;       /* it set the last frame mark */
	bool several;       /* it stands for several threads that came one after the other */
	int64_t first_tick; /* where its time begins: with the run if it was there then, else with its first zone */
	int64_t time;       /* ticks in the whole run so far: from first_tick to its end, or to now */
	enum profile_unread unread; /* at the last reading of the whole run */
	uint32_t root;      /* its root node, made with the thread */
	uint32_t namesake;  /* one of the threads that have its name, the same one for all of them. A thread without a
			     * name has itself */
	uint32_t stands_for; /* of so many others it is the namesake */
};

/* Whether its part of a frame may be the sum of several threads' parts. Such a part has no bounds of its own. */
static inline bool profile_thread_is_several(const struct profile_thread *t)
{
	return t->several || t->state == THREAD_AGGREGATE;
}

struct profile_node {
	uint32_t parent; /* PROFILE_NONE for a root */
	uint32_t zone;
	uint32_t thread;
	uint32_t heir; /* When the node's thread ends, its total of the whole run is added to that of another node, the
			* heir, and becomes 0 (profile_pass_total). PROFILE_NONE: that has not happened */
	uint32_t passed; /* how often it has: again for each thread, where one stands for several */
	uint32_t line;   /* of a function: the line of its file that it was at, so nodes of other lines of it may stand
			  * beside this one; 0: not known */
};

/* Values of a node over the whole run so far. */
struct profile_total {
	int64_t self;    /* ticks */
	int64_t count;   /* entries */
	int64_t longest; /* ticks of the longest single call that ended, inclusive */
	int64_t running_self, running_count; /* how much of these came after run_end: behind the thread's own boundary
					      * there */
};

/* The value of `longest` when it is not known how long the calls that ended in a frame took. It is larger than any
 * time, so that the maximum over several frames or nodes is not known either, if one of them is not. */
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
	PART_LOSSY = 1 << 7,     /* zones were lost in it: their time is in the zones around them */
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
	uint32_t column_count;      /* measures that the cells do not have (measures.h), each at most once */
	const struct profile_column *columns;
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
	int64_t waiting; /* self of its zones that wait */
	uint32_t cell_count;
	bool is_wide;
	uint8_t column_count; /* behind the cells: profile_column */
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

/* An amount of measure_amounts, and its node. */
struct measure_amount {
	uint32_t node;
	int64_t value;
};

static inline struct measure_amount measure_amount(const struct measure_amounts *a, uint32_t i)
{
	struct profile_cell cell;

	if (a->nodes)
		return (struct measure_amount){ a->nodes[i], a->values[i] };
	cell = profile_cell(a->part, i);
	return (struct measure_amount){ cell.node, a->measure == MEASURE_SELF      ? cell.self
						   : a->measure == MEASURE_ENTRIES ? cell.count
										   : cell.longest };
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
	uint32_t name : 24; /* that the program gave it, from 1: profile_frame_name; 0: none */
	uint32_t flags : 8; /* enum profile_frame_flags */
	uint32_t part_count;
	struct profile_held *parts; /* in order of their threads. Perhaps shared with a copy */
};

/* Whether the frame counts: it has a length, it was not discarded, and it was not kept only for being long.
 * Statistics of lengths are made of such frames alone. */
static inline bool frame_counts(const struct profile_frame *frame)
{
	return frame->length > 0 && !(frame->flags & (FRAME_DISCARDED | FRAME_KEPT));
}

/* A value of a counter, by profile_counter.real. */
union profile_number {
	int64_t whole;
	double real;
};

#define PROFILE_UNIT 16 /* bytes, with a NUL */

struct profile_counter {
	char *name; /* raw bytes, as a zone's */
	bool real;  /* doubles, else integers. Two counters may have one name and differ in this */
	bool summed; /* it is only added to: its value is the sum over all its tracks. Else each track is
		      * a value of its own, of one thread */
	bool total;  /* it only grows, and by how much is what matters; else its value is a level */
	char unit[PROFILE_UNIT]; /* raw bytes; "": not known */
};

/* The values of a counter in one stretch of time: in an interval between marks, or in a part of one. `tick` is
 * the end of the stretch. The change belongs to the frame with start < tick <= end. */
struct profile_change {
	int64_t tick;
	union profile_number last, least, most;
	bool lost; /* from here on it is not known, until the next change: what came was overwritten */
};

/* The values that one thread gave to a counter, or several threads that had the same place in the source one after the
 * other. A value holds from one change to the next. */
struct profile_track {
	uint32_t counter;
	uint32_t thread;    /* PROFILE_NONE: of a counter that is summed */
	int64_t born;       /* before this tick there was no value (in a sum it counts as 0). 0: not known. Below -1: the
			     * first known value is at tick -2 - born, and what was before is not known */
	struct profile_change *changes; /* ascending ticks. At a tick before the first change the value is not known,
					 * unless the tick is before `born` */
	uint32_t change_count;
	struct profile_change now; /* the newest value; its tick is that of when it was read. It may be equal to the
				    * last of the changes */
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

#define PROFILE_INSTANTS 100000u /* held at most; the oldest go, of the kinds that are most: share.h */
#define PROFILE_NOTE_BYTES (UINT64_C(4) << 20) /* and of texts of notes so many bytes at most */

/* A slice with one of these flags is incomplete: its values are not all that
 * the program did. */
#define PART_INCOMPLETE (PART_MISSING | PART_LAPPED | PART_MERGED | PART_LOSSY)

struct profile_loss {
	char *key;      /* `lapped_parts`: for JSON, stable */
	char *sentence; /* what it means for the user */
	uint64_t count;
};

/*
 * What held_bytes counts. An allocation counts as the heap rounds it (PROFILE_PIECE). An element of an array that
 * grows at the end and shrinks at the front counts twice, as up to half of such an array may be free.
 *
 *     a frame      its own size twice; of its parts, and of the cells of each with their columns, the piece
 *     a name       that frames have: the piece of its text, and what it is found by, twice
 *     a change     of a counter, its size twice
 *     an instant   its size twice, and the piece of a note's text
 *
 * Other names, zones, threads, nodes and counters with their tracks are not counted: there are as many as the program
 * had in all its time, and none of them leaves.
 */
#define PROFILE_PIECE(bytes) ((bytes) <= 24 ? UINT64_C(32) : ((uint64_t)(bytes) + 8 + 15) / 16 * 16)
#define PROFILE_FRAME_BYTES (2 * sizeof(struct profile_frame)) /* of one without parts */
#define PROFILE_PART_BYTES PROFILE_PIECE(sizeof(struct profile_held) + 8) /* of a frame's only one, without cells */
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
	bool here; /* live, and surely the process of that id here: not one of a container's */
	int64_t uid;
	enum profile_state state;
	bool stopped; /* live, but a signal or a debugger has stopped it */
	int64_t started_ns; /* since the epoch, 0 when not known */
	char *clock;        /* `tsc`, `cntvct`, `clock_gettime`, `file` */
	int64_t size;       /* bytes of the region, 0 when not known */
	double pair_ns;     /* what entering and leaving a zone costs at least, as calibrated; 0: not known */
	double pair_cold_ns; /* and where the program has other things in the first cache; 0: not known */
	int64_t known_tick, known_moment; /* a tick and the moment at which it was (moment.h); MOMENT_NONE: not known.
					   * Later it may be another tick, of which the moment is known better */
	int64_t silent_ns;  /* as of the last look. Dead or ended: how long ago its newest tick was, or it was last seen
			     * alive, whichever is later. Stopped: for how long it is known to be. -1: not known */
};

struct profile {
	uint64_t ticks_per_s; /* at least 1 */
	struct profile_process process;

	int64_t first_tick; /* the run: from where frame 1 begins */
	int64_t now_tick;   /* until here */
	uint64_t frames_ended; /* frames of the whole run that ended, held here or not */
	uint64_t unseen_frames; /* of these, how many were gone before the source first looked. Not a loss: nobody who
				 * looked missed them */
	uint64_t left_out_frames; /* of these, how many a recording left out because its user asked for slow frames
				   * only. Not a loss either */
	/* Totals, and the times of threads, are read less often than the rest: profile_run_tick and so on */
	int64_t run_tick;      /* the tick when they were read; 0: now_tick, with frames_ended frames */
	uint64_t run_frames;   /* frames up to run_end, of which all slices are known */
	uint64_t run_ended;    /* frames that had ended when the totals of the marking thread were read: at least
				* run_frames. 0: not known, run_frames is used */
	int64_t run_end;       /* where the newest interval that had ended by then ends: a frame, or the time between
				* two frames that the program bounds; 0: run_tick */
	int64_t frame_began;   /* where the running frame began, if the program bounds its frames; 0: none runs, or
				* not known */

	struct profile_zone *zones;
	uint32_t zone_count;
	struct profile_module *modules;
	uint32_t module_count;
	uint32_t zones_renamed; /* how often profile_rename_zone was done */
	struct profile_thread *threads;
	uint32_t thread_count;
	struct profile_node *nodes;
	struct profile_total *totals; /* by node */
	uint32_t node_count;

	struct profile_measure *measures; /* the first MEASURES_CORE are those of cells */
	uint32_t measure_count;

	struct profile_frame *frames; /* [0, frame_count): the oldest first. Moves when frames are added */
	uint32_t frame_count;
	uint64_t dropped_frame; /* number of the newest frame that was dropped; 0: none was */
	int64_t dropped_end;    /* and the tick at which that frame ended */
	uint32_t frame_name_count; /* different ones that these have: profile_frame_name */
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
	int64_t instants_from; /* events and notes after this tick are all here, but for those that the program could not
				* record. Of earlier ones some may be missing. There is one such tick, of the newest gap: it
				* covers frames before the gap, too, of which all are here */

	struct profile_loss *losses;
	uint32_t loss_count;
	uint64_t unplaced; /* lost zones that no slice shows (PART_LOSSY). UINT64_MAX: perhaps all */
	char *left_open; /* the last zone that a mark found left open; "" when none */

	struct profile_store *store; /* capacities and look-up tables: profile_inside.h */
};

/* True if several threads gave values to the track, one after the other. */
static inline bool profile_track_is_several(const struct profile *p, const struct profile_track *track)
{
	return track->thread != PROFILE_NONE && profile_thread_is_several(&p->threads[track->thread]);
}

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

/* The module of this path, build id and address. */
uint32_t profile_add_module(struct profile *p, const char *path, const char *build, uint64_t address, uint64_t size);

/* The zone of an address in a module. Until it is renamed its name is that of the module's file, and the offset:
 * `game+0x1a40`. PROFILE_NONE also when there is no such module. */
uint32_t profile_add_address_zone(struct profile *p, uint32_t module, uint64_t offset, uint32_t flags);

/* From now on the zone has another name, file and line in all views. False: out of memory; it has the old ones. */
bool profile_rename_zone(struct profile *p, uint32_t zone, const char *name, const char *file, uint32_t line);

/* The name of a kind of lane: `thread`, `lock` ... */
const char *profile_lane_name(enum profile_lane lane);

/* The thread with this id, made with its root node when it is new. `name` (NULL: leave it) and
 * `tid` are renewed. */
uint32_t profile_add_thread(struct profile *p, uint64_t id, int64_t tid, const char *name);

/* The index of the thread with this id, or PROFILE_NONE. */
uint32_t profile_find_thread(const struct profile *p, uint64_t id);

/* Whether the zone is shown with its place, as another one has its name. A zone
 * of the program does not clash with functions, so its name is the same with
 * samples and without. */
bool profile_name_clashes(const struct profile *p, uint32_t zone);

/* A new node below `parent`, of the parent's thread. PROFILE_NONE also when `parent` or `zone` does
 * not exist. Two nodes with one path may exist; reports add them up. */
uint32_t profile_add_node(struct profile *p, uint32_t parent, uint32_t zone);
uint32_t profile_add_line_node(struct profile *p, uint32_t parent, uint32_t zone, uint32_t line); /* profile_node.line */

/* Sets a node's values of the whole run so far, in place of those that it had, with 0 of them running. The caller
 * keeps Σ self over a thread's nodes = its time. */
void profile_set_total(struct profile *p, uint32_t node, int64_t self, int64_t count,
		       int64_t longest);
void profile_set_time(struct profile *p, uint32_t thread, int64_t first_tick, int64_t time);

/* Says that so much more of the node's total came after run_end (running_self, running_count). If the total has less
 * than that, the rest is said of its heir. */
void profile_add_running(struct profile *p, uint32_t node, int64_t self, int64_t count);

/* From now on the heir has what the node had in the whole run, and the node's total becomes 0. The caller sets that of
 * the heir. */
void profile_pass_total(struct profile *p, uint32_t node, uint32_t heir);

/* Adds a frame behind all others, or renews start, length and flags of the newest. False also
 * when `number` is below that of the newest. */
bool profile_add_frame(struct profile *p, uint64_t number, int64_t start, int64_t length,
		       uint32_t flags);

/* What the program calls the frame that was added last; "": nothing. It has no name if there is no memory. */
void profile_name_frame(struct profile *p, const char *name);
/* Raw bytes; "": it has none. */
const char *profile_frame_name(const struct profile *p, const struct profile_frame *frame);

/* Puts a thread's part into the frame of this number; an earlier part of that thread there (an
 * inferred one) is replaced. Cells and columns are copied; those whose node is not of this thread are refused
 * with the whole part, and so are columns that are not as measures.h says. False also when the frame is not held. */
bool profile_set_part(struct profile *p, uint64_t number, const struct profile_part *part);

/* The tick at which the frame ends; INT64_MAX if it would be beyond that. */
int64_t frame_end(const struct profile_frame *frame);

/* Ticks from the end of the frame before to the end of this one, which p->frames holds. A frame that the program bounds
 * (FRAME_BOUNDED) has the time between the two in it, if it is known when the frame before ended. For all other frames
 * it is their length. */
int64_t frame_elapsed(const struct profile *p, const struct profile_frame *frame);

/* The frame of this number, or NULL; the pointer holds until frames are added or dropped. */
const struct profile_frame *profile_find_frame(const struct profile *p, uint64_t number);

/* Index of the first held frame whose number is >= number; frame_count when there is none. */
uint32_t profile_frame_index(const struct profile *p, uint64_t number);

/* How many of the frames numbered `first` to `last` are held; *from gets the index of the first of them. `first` 0: all
 * frames that are held. */
uint32_t profile_frame_range(const struct profile *p, uint64_t first, uint64_t last, uint32_t *from);

/* How many of the newest frames follow one another, `most` at most; *from gets the index of the first of them. A frame that
 * was kept alone is none of them, and `complete` asks for frames of which all slices are still known. Discarded ones among
 * them do not count. */
uint32_t profile_newest_frames(const struct profile *p, uint64_t most, bool complete, uint32_t *from);

/* The part of a thread in a frame, or NULL. */
const struct profile_held *profile_find_part(const struct profile_frame *frame, uint32_t thread);

/* Parts of a frame, *count of them, among which are all of a selection of threads: that of one thread, or all. */
const struct profile_held *frame_parts(const struct profile_frame *frame, uint32_t threads, uint32_t *count);

/* Whether a part of one of these threads (a selection) in the frame has one of these flags. True also if the frame
 * has no part of any thread: then only its length is known. */
bool frame_lacks(const struct profile *p, const struct profile_frame *frame, uint32_t threads, uint32_t flags);

/* Whether medians, heat and trends may use the frame: it counts, and no part of these threads is missing, overwritten,
 * merged, or known only because the frame was long. If those that are known for being long were used, the long would
 * pass for the usual; if those with missing parts were used, what is gone would pass for 0. */
static inline bool frame_counts_for(const struct profile *p, const struct profile_frame *frame, uint32_t threads)
{
	return frame_counts(frame) &&
	       !frame_lacks(p, frame, threads, PART_MISSING | PART_LAPPED | PART_MERGED | PART_KEPT);
}

/* Whether the amounts of a measure are known of all slices of these threads in the frame. */
bool frame_knows(const struct profile *p, const struct profile_frame *frame, uint32_t threads, uint32_t measure);

/* Drops the n oldest frames; amortised O(parts dropped). */
void profile_drop_frames(struct profile *p, uint32_t n);

/* Thins the n oldest frames: those with stays[i] become FRAME_KEPT, and the others leave. O(n). */
void profile_thin_frames(struct profile *p, uint32_t n, const bool *stays);

/* How many frames at the front are FRAME_KEPT. */
uint32_t profile_kept_frames(const struct profile *p);

/* How many of held_bytes the frames [first, end) take, by index. */
uint64_t profile_frames_bytes(const struct profile *p, uint32_t first, uint32_t end);

/* profile_values.c: counters, events and notes. Like frames they leave at the front: with profile_drop_frames goes what
 * is older than the first frame that is not FRAME_KEPT. Each track keeps the last change before that. */

/* The counter of this name and kind. `summed` is renewed: it may turn false later. */
uint32_t profile_add_counter(struct profile *p, const char *name, bool real, bool summed);

/* A new track of a counter. */
uint32_t profile_add_track(struct profile *p, uint32_t counter, uint32_t thread, int64_t born);

/* The counter of this track is no sum any longer: it is the value of this thread. */
void profile_own_track(struct profile *p, uint32_t track, uint32_t thread);

/* Adds a change at its place in time. If the track has one at this tick they are joined: least and most of both,
 * last of the new one. If one of the two is lost, the other one stays. */
bool profile_add_change(struct profile *p, uint32_t track, const struct profile_change *change);

/* Sets a track's newest value, and the least and most that it had in the whole run. */
void profile_set_now(struct profile *p, uint32_t track, const struct profile_change *now,
		     union profile_number run_least, union profile_number run_most);

/* The index of an event's name. */
uint32_t profile_add_event(struct profile *p, const char *name);

/* Adds an event or a note at its place in time, after those of the same tick. Only a note (event PROFILE_NONE) has a
 * `text`, which is copied. There may be too many then: of the kinds of which there are most the oldest leave. */
bool profile_add_instant(struct profile *p, int64_t tick, uint32_t thread, uint32_t event,
			 const char *text, bool cut);

/* Events and notes of the frame, or of a later one, may be missing: they were overwritten before they were read, or are
 * no longer held. */
static inline bool instants_lack(const struct profile *p, const struct profile_frame *frame)
{
	return frame->start < p->instants_from;
}

/* Events and notes up to this tick may be missing. Raises instants_from to it, and never lowers it. */
void profile_set_instants_from(struct profile *p, int64_t tick);

/* The instants with from < tick <= to: returns how many, *first is the first one. */
uint32_t profile_instants(const struct profile *p, int64_t from, int64_t to, uint32_t *first);

/*
 * Unframed events and notes are in no frame: they lie before the first mark, between frames that the program bounds, or
 * behind the newest frame. Behind the newest frame is the frame that runs, or that ran when the process died. If there
 * are no frames, it is the whole run.
 *
 * Events of a frame that is no longer held are not unframed. If numbers of frames are missing and not all frames are
 * held, nobody knows whether an event was in a frame.
 */

/* The first unframed instant from index `i` on; instant_count: there is none. */
uint32_t profile_unframed_next(const struct profile *p, uint32_t i);

/* How many of them there are in (from, to]. */
uint32_t profile_unframed_count(const struct profile *p, int64_t from, int64_t to);

/* Sets the count of a loss, adding the cause when it is new. */
bool profile_set_loss(struct profile *p, const char *key, const char *sentence, uint64_t count);
/* True if the loss only means that frames were not retained as long as they could have been: their sums are
 * complete. */
bool profile_loss_is_of_old_calls(const struct profile_loss *loss);
uint64_t profile_loss_total(const struct profile *p); /* without those */

/* The tick and the number of ended frames up to which the values of the whole run go. They are read less often than the
 * clock, so they are to be set against these two, not against now_tick and frames_ended. */
static inline int64_t profile_run_tick(const struct profile *p)
{
	return p->run_tick ? p->run_tick : p->now_tick;
}

static inline uint64_t profile_run_frames(const struct profile *p)
{
	return p->run_tick ? p->run_frames : p->frames_ended;
}

/* How many frames the totals of the whole run cover. */
static inline uint64_t profile_run_ended(const struct profile *p)
{
	return p->run_tick && p->run_ended > p->run_frames ? p->run_ended : profile_run_frames(p);
}

/* The tick up to which frames had ended when the whole run was read. */
static inline int64_t profile_run_end(const struct profile *p)
{
	return p->run_tick && p->run_end ? p->run_end : profile_run_tick(p);
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
	return selection >= THREADS_EACH ||
	       (named < p->thread_count && p->threads[named].namesake == p->threads[thread].namesake);
}

/* How many threads are selected. */
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
