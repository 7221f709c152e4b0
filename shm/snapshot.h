/* snapshot.h: private, validated copies of what a region publishes.
 *
 * Everything that comes out of here has been checked: indices are in range, parents precede their
 * children, strings lie in the table, and what the writer overwrote while it was copied is reported as
 * lapped and not delivered.  The callers see records, nodes and frames; they never touch shared words.
 * All loops are bounded by the sizes of the region.
 */
#ifndef SHM_SNAPSHOT_H
#define SHM_SNAPSHOT_H

#include "shm/attach.h"
#include "shm/event.h"
#include "shm/record.h"
#include "shm/value.h"

#define SNAPSHOT_NAME 64
#define SNAPSHOT_UNIT 16

/* ---- the process */
struct snapshot_process {
	uint64_t epoch;     /* running interval; E-1 is the newest that ended, unless undecided */
	uint64_t decided;   /* newest interval whose T is known */
	int64_t decided_end; /* its T */
	uint64_t frames;    /* frames ended */
	bool exited;        /* the process said goodbye */
	uint32_t zones, threads, string_bytes; /* filled, clamped to the tables */
	uint32_t marker;    /* block of the last mark, or UINT32_MAX */
	uint32_t left_open; /* zone id or 0 */
	uint64_t lost[LOSS_MAX];
	uint64_t unplaced; /* lost zones of which no slice says so; UINT64_MAX: not known */
	struct region_instant created, latest; /* latest.ticks = 0: none yet */
	uint32_t chunks_free;
	uint64_t pair_ps;   /* what a zone costs at least, picoseconds; 0: not known */
	uint64_t pair_cold_ps; /* and with other things in the first cache */
	bool enabled;       /* zones are recorded */
	uint32_t counters, modules, measures; /* filled, clamped to the tables */
};
void snapshot_process(struct attachment *a, struct snapshot_process *out);
/* Reads `lost` and `unplaced` alone. */
void snapshot_losses(struct attachment *a, struct snapshot_process *out);

/* ---- zones: id 1 + index */
struct snapshot_zone {
	const char *name, *file; /* in the caller's buffer, NUL-terminated; bytes as the program gave them */
	uint32_t line, flags;
	uint32_t module; /* index of the module that it is an address of; UINT32_MAX: none */
	uint64_t offset; /* of that address in the module */
};
/* Copies zone `index` (< process.zones); strings go into `text` (of `size`), cut if they must.  False:
 * damaged (strings outside of the table). */
bool snapshot_zone(struct attachment *a, uint32_t index, struct snapshot_zone *out, char *text, size_t size);

/* ---- modules: files with code */
struct snapshot_module {
	const char *path, *build; /* in the caller's buffer, as a zone's; build id in hexadecimal digits, or "" */
	uint64_t address, size;   /* 0: not known */
};
/* Copies module `index` (< process.modules), as snapshot_zone does.  False: damaged. */
bool snapshot_module(struct attachment *a, uint32_t index, struct snapshot_module *out, char *text, size_t size);

/* ---- intervals */
struct snapshot_frame {
	uint64_t interval, number; /* number 0: outside of frames */
	int64_t start, end;        /* T(interval-1), T(interval) */
	unsigned flags;            /* enum region_mark_flag */
	uint32_t marker;           /* block, or UINT32_MAX */
	char name[SNAPSHOT_NAME];
};
enum snapshot_result {
	SNAPSHOT_OK,
	SNAPSHOT_LAPPED,    /* overwritten by newer ones */
	SNAPSHOT_UNDECIDED, /* its end is being decided just now */
	SNAPSHOT_ABSENT,    /* no such thing, or not yet */
	SNAPSHOT_BUSY,      /* being written all the while, or no memory here: ask again later */
	SNAPSHOT_DAMAGED,   /* cannot be what the writer wrote */
};
/* Interval n, 1 <= n < epoch.  Its start is the end of n - 1, so it laps one mark before its own words do. */
enum snapshot_result snapshot_frame(struct attachment *a, uint64_t interval, struct snapshot_frame *out);
/* Worst frame of slot i < worst_count. */
enum snapshot_result snapshot_worst(struct attachment *a, uint32_t slot, struct snapshot_frame *out);
/* Group g of history level l < REGION_HOURS, of the intervals n with n >> HISTORY_SHIFT(l) == g: its longest frame.
 * ABSENT: it is not over, or there is no frame in it. */
struct snapshot_group {
	int64_t first; /* tick where the group begins */
	struct snapshot_frame longest;
};
enum snapshot_result snapshot_group(struct attachment *a, uint32_t level, uint64_t group, struct snapshot_group *out);

/* ---- threads (blocks) */
struct snapshot_thread {
	enum region_block_state state;
	uint64_t generation; /* owners of this block so far; 1: the first */
	uint32_t tid;
	char name[SNAPSHOT_NAME];
	uint64_t epoch;      /* interval the thread is in, as far as it knows */
	int64_t started, bound, last;
	bool moving;         /* epoch and bound are being moved: they may be of two intervals */
	bool losing;         /* it is in a lost zone, and all that it enters is lost, too */
	uint64_t transitions;
	uint32_t nodes;
	uint64_t part_head, part_tail;  /* words */
	int64_t parts_begin;            /* where the oldest record begins; 0: none, or of a writer before 1.3 */
	uint64_t event_tail;            /* events; the head is `transitions` */
	uint64_t lane;                  /* enum region_lane, or one of a later version */
};
/* ABSENT: the block was never used.  BUSY: the owner of the block changed during every try.  All fields are filled
 * then, but those from `state` to `bound` may be of two different owners.  `moving` is still right: it is set if a
 * thread was publishing then.  A dead process is never BUSY. */
enum snapshot_result snapshot_thread(struct attachment *a, uint32_t block, struct snapshot_thread *out);

/* The number of nodes of a block by now. */
uint32_t snapshot_node_number(struct attachment *a, uint32_t block);

/* Parents and zones of nodes [first, count) of a block into place[0..]; a parent is < its node (node 0,
 * the root: UINT32_MAX), a zone <= zones.  Returns how many from `first` on are filled; damaged ones get
 * parent 0 and zone 0 and are added to *damaged. */
struct snapshot_place { uint32_t parent, zone; };
uint32_t snapshot_nodes(struct attachment *a, uint32_t block, uint32_t first, uint32_t count,
                        struct snapshot_place *place, uint32_t *damaged);

/* Totals of a block's nodes, consistent with each other. */
struct snapshot_total {
	int64_t self, longest; /* of the present owner, since `started` */
	uint64_t count;
	int64_t frame_self, frame_longest; /* of this: since `bound` */
	uint64_t frame_count;
	int64_t ended_self, ended_longest; /* of the owners before it */
	uint64_t ended_count;
};
struct snapshot_totals {
	int64_t started, bound; /* present owner; its last boundary, or `until` while that is being moved */
	uint64_t epoch;         /* interval of the running part */
	int64_t until;          /* the totals cover [started, until]: sum of self = until - started, exactly */
	bool at_bound;          /* the thread was too busy to catch: until = bound, frame_* are 0 */
	bool torn;              /* not even that could be had: sums may be off */
	uint32_t current;       /* node */
	enum region_block_state state;
	uint64_t generation;
};
/* Reads the totals of `count` nodes into values.  Up to which tick they go depends on the thread:
 *
 *   it is quiet: no transition is in flight            up to `now`, or to its own last tick if that is later
 *   (a few tries are made to find it so)
 *   it stays inside of one transition: it was          up to the tick of that transition
 *   stopped or killed there, or lost its core
 *   it is too busy to be caught (at_bound)             up to its last boundary: the bases, read under base_seq
 *
 * BUSY, and torn: the boundary was being moved all the while, or the block has more than `count` nodes by now (ask for
 * them with snapshot_nodes).  Try again.  OK, and torn: what stands there is damaged. */
enum snapshot_result snapshot_totals(struct attachment *a, uint32_t block, int64_t now, uint32_t count,
                                     struct snapshot_total *values, struct snapshot_totals *out);

/* Infers the part that a quiet thread has not published yet.  `newest` is an interval whose end was known a millisecond
 * ago already, so every thread that has made a transition since has seen it.  The thread is in interval `epoch`, at
 * most `newest`: it has made no transition since that one ended.  So its part of `epoch` runs from bound to
 * max(T(epoch), last), and in all intervals after it, up to `newest`, the thread stayed in the current node.
 *
 *   OK       frame_self, frame_count and frame_longest of values are filled; the sum of frame_self is end - bound
 *   ABSENT   there is nothing to infer: the thread is in an interval after `newest`, or has ended; or T(epoch) was
 *            overwritten and the thread is in the middle of a transition
 *   BUSY     it is in the middle of a transition, or has more nodes by now than `count`
 *   LAPPED   T(epoch) was overwritten; the thread will publish one merged part.  `epoch` becomes the oldest interval
 *            whose end can still be had, and bound = end: nothing is known of the part of that interval, but the thread
 *            stayed in the current node in those after it.  values are not filled
 *   DAMAGED  the sum is not end - bound */
struct snapshot_inferred {
	uint64_t epoch;
	int64_t bound, end;
	uint32_t current;
	uint64_t lossy_first, lossy_last; /* as in region_thread */
};
enum snapshot_result snapshot_infer(struct attachment *a, uint32_t block, uint64_t newest, uint32_t count,
                                    struct snapshot_total *values, struct snapshot_inferred *out);

/* The records of a block's part log from word *position on (0: from the oldest there) up to the head, each
 * checked whole, to visit; *position moves behind them.  Words that were overwritten before they were read
 * are added to *lapped (from 0 on also those that were gone before the first call); then the next record
 * delivered is the first whole one.  visit returns false to stop behind its record.  A record's nodes are
 * unpacked into nodes[0 .. head->nodes) when the kind has them and they are whole and sum to end - bound;
 * else it is not delivered and 1 is added to *damaged.  A discarded or cut record has 0 nodes.  For a span
 * or a start head->nodes is what record.h says and `nodes` is not to be looked at.  DAMAGED: the log cannot
 * be read on; *position is at the head.  BUSY: *position is where it got to.
 *
 * `want` says of each record by its head whether its nodes are looked at; NULL: of all.  The nodes of the others are
 * neither checked nor unpacked, which is most of the work: visit gets NULL for them. */
typedef bool snapshot_visit(const struct record_head *head, const struct record_node *nodes, void *context);
typedef bool snapshot_want(const struct record_head *head, void *context);
enum snapshot_result snapshot_parts(struct attachment *a, uint32_t block, uint64_t *position, uint64_t *lapped,
                                    uint64_t *damaged, snapshot_want *want, snapshot_visit *visit, void *context);

/* Reads what a block kept of worst frame `slot`, if its interval is `interval` (else ABSENT): its part, behind
 * the pieces that came before it, or a span that covers it. */
enum snapshot_result snapshot_kept(struct attachment *a, uint32_t block, uint32_t slot, uint64_t interval,
                                   uint64_t *damaged, snapshot_visit *visit, void *context);

/* Reads what a block kept of the longest frames of history level `level`: as snapshot_parts, from another log.
 * All records of one of these intervals, or a span that covers it, stand together; the intervals ascend. */
enum snapshot_result snapshot_hours(struct attachment *a, uint32_t block, uint32_t level, uint64_t *position,
                                    uint64_t *lapped, uint64_t *damaged, snapshot_want *want,
                                    snapshot_visit *visit, void *context);

/* The events that a block may hold: [*first, *end), none more than the region has room for.  Those of a writer that
 * keeps none: *first = *end. */
void snapshot_event_range(struct attachment *a, uint32_t block, uint64_t *first, uint64_t *end);

/* Generation of the owner of a block, or of the one that left it last; 0: none yet. */
uint64_t snapshot_generation(struct attachment *a, uint32_t block);

/* Events [first, first+count) of a block into out (event e at out[e - first]); returns the first valid one
 * (first+count: none): from there to the thread's newest all are whole, in order, and their nodes exist. */
struct snapshot_event {
	int64_t tick;
	uint64_t what; /* kind | id << 8 (event.h); a TICK is one of them, so that e is where it is said */
};
uint64_t snapshot_events(struct attachment *a, uint32_t block, uint64_t first, uint64_t count,
                         struct snapshot_event *out);

/* The events of [from, before) that a block kept of the worst frames, a chunk at a time, the oldest first: each is whole
 * and in order, and its nodes exist.  Who asks for what lies before the first one that snapshot_events had, after that,
 * misses none.  visit returns false to stop.  BUSY: some went back into use all the while, or there is no memory; what
 * was visited stands.  DAMAGED: blocks have more than there can be. */
struct snapshot_kept_events {
	uint64_t first, count;
	const struct snapshot_event *events;
	uint32_t generation; /* low bits of the owner's whose they are, if there is no START among them */
};
typedef bool snapshot_kept_visit(const struct snapshot_kept_events *kept, void *context);
enum snapshot_result snapshot_kept_events(struct attachment *a, uint32_t block, uint64_t from, uint64_t before,
                                          snapshot_kept_visit *visit, void *context);

/* ---- counters, events, notes */
struct snapshot_counter {
	const char *name; /* in the caller's buffer, NUL-terminated; bytes as the program gave them */
	unsigned flags;   /* enum region_counter_flag, as of now */
	char unit[SNAPSHOT_UNIT]; /* as of now; cut if it must.  "": none was said */
};
/* Copies counter `index` (< process.counters), as snapshot_zone does.  False: damaged. */
bool snapshot_counter(struct attachment *a, uint32_t index, struct snapshot_counter *out, char *text, size_t size);

/* The value that a block gives to a counter, as of its last change. */
struct snapshot_slot {
	uint32_t counter;    /* index */
	uint64_t born, interval, generation;
	uint64_t last, least, most; /* bits */
	bool run;                   /* there was a value in an interval before: run_least, run_most */
	uint64_t run_least, run_most;
};
/* Copies the slots of a block, *count of them at most.  *count becomes how many there are; if that is more than was
 * asked for, not all were copied.  *torn is raised by the number of slots that were being written all the while.  Such
 * a slot of a live process is left out.  If its writer died in the middle, it is copied with its value as of its last
 * change or the one before.  DAMAGED: something there cannot be what libprof wrote; the sound slots were copied all the
 * same.  Read the slots before the log: a value that a slot no longer has when it is read is then found in the log. */
enum snapshot_result snapshot_slots(struct attachment *a, uint32_t block, struct snapshot_slot *out, uint32_t *count,
                                    uint64_t *torn);

/* A record of a value log. */
struct snapshot_value {
	enum value_kind_of kind;
	unsigned flags;
	unsigned generation; /* low 16 bits */
	uint32_t id;         /* sample: counter index; event: zone id, <= zones; note: bytes of text */
	uint64_t interval;   /* of a sample */
	int64_t tick;        /* of an event or a note */
	uint64_t last, least, most;
	const char *text;    /* of a note, NUL-terminated; may hold any bytes, NUL too */
};
/* As snapshot_parts: the records from word *position on, each checked whole. */
typedef bool snapshot_value_visit(const struct snapshot_value *value, void *context);
enum snapshot_result snapshot_values(struct attachment *a, uint32_t block, uint64_t *position, uint64_t *lapped,
                                     uint64_t *damaged, snapshot_value_visit *visit, void *context);

/* ---- measures */

struct snapshot_measure {
	const char *key, *title; /* in the caller's buffer, as a zone's name and file */
	enum region_unit unit;
	enum region_measure_of of;
	enum region_combine combine;
	unsigned flags; /* enum region_measure_flag */
	int64_t period; /* if it is sampled: ns from sample to sample; 0: not known */
};
/* Copies measure `index` (< process.measures), as snapshot_zone does.  False: damaged. */
bool snapshot_measure(struct attachment *a, uint32_t index, struct snapshot_measure *out, char *text, size_t size);
uint32_t snapshot_measure_count(const struct attachment *a);

/* What a block has of a measure. */
struct snapshot_measured {
	uint32_t measure;
	uint32_t node;    /* of a measure of slices: 0 */
	int64_t owner;    /* what the present owner had, up to now */
	int64_t running;  /* of this: since its last boundary */
	int64_t ended;    /* what the owners before it had */
	bool read;        /* a reading of the thread, which its running slice does not have yet.  owner is -1 without any */
};
struct snapshot_measures {
	struct snapshot_measured *values; /* freed by the caller */
	uint32_t count, room;
	uint64_t generation;
	uint64_t epoch;    /* the interval since whose beginning `running` is */
	bool in_flight;    /* something was being written: `running` may lack it */
	uint64_t unmeasured, unmeasured_ended; /* as in region_thread */
};
/* Reads all values of a block that are not 0, of one owner and with one boundary.  ABSENT: it was never used.  BUSY: the
 * boundary was moved all the while, or there is no memory.  Of a thread that stands where it moves it, as it has lost its
 * core there, the values are what they were, and `running` may be off.  DAMAGED: it cannot be what libprof wrote. */
enum snapshot_result snapshot_measures(struct attachment *a, uint32_t block, struct snapshot_measures *out);

/* The open zones of a thread: nodes from the current one to the root, with the ticks they were entered
 * (the root: `started`).  Returns how many (<= max), 0 if none; *busy: a transition was in flight and it
 * is the best that could be had; *now: tick of the thread's last transition. */
struct snapshot_open { uint32_t node, zone; int64_t entered; };
uint32_t snapshot_stack(struct attachment *a, uint32_t block, struct snapshot_open *out, uint32_t max, bool *busy,
                        int64_t *last);

/* The newest tick found anywhere in the region: `now` of a dead process. */
int64_t snapshot_newest_tick(struct attachment *a);

/* Ticks per second: declared, or from created and the latest instant, or, on the same boot and for a
 * region too young, from the clocks of this machine now.  *estimated: none of that could be had and the
 * figure is a guess of 1e9. */
uint64_t snapshot_rate(struct attachment *a, bool *estimated);

/* True when this machine, in this boot, can read the region's tick source; then *now is its tick. */
bool snapshot_now(struct attachment *a, int64_t *now);

/* The key and the sentence of a cause of loss. */
const char *region_loss_key(enum region_loss cause);
const char *region_loss_text(enum region_loss cause);

#endif
