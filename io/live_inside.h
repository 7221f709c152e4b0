/* SPDX-License-Identifier: MIT */
/*
 * live_inside: a region as a source, as its own files see it; nobody else includes this.
 *
 *   live.c           open, next, reset, close
 *   live_nodes.c     ids of the region as zones, nodes and threads of the profile
 *   live_owners.c    who owned a block
 *   live_records.c   published parts
 *   live_frames.c    intervals, parts that are not there
 *   live_hours.c     frames that were kept, with their parts
 *   live_limit.c     how much is held, and read
 *   live_infer.c     parts that are not published yet
 *   live_totals.c    the whole run
 *   live_values.c    counters
 *   live_happened.c  events and notes
 *   live_process.c   the process, its state and losses
 *   live_stack.c     open zones
 *   live_transitions.c  single entries and exits
 *   live_list.c      the list of regions, which needs no source
 *   live_file.c      the file behind a name
 *   live_own.c       frames of a process that marks none
 *
 * `l->a` is the region, which is only read; `l->source.profile` and `l->join` are what is made of it.
 * Functions that return bool return false when there is no memory, which `l->memory` remembers, and
 * then the poll ends; unless they say otherwise.
 */
#ifndef IO_LIVE_INSIDE_H
#define IO_LIVE_INSIDE_H

#include "io/join.h"
#include "io/live.h"
#include "io/nodes.h"
#include "shm/snapshot.h"

#define NS_PER_S 1000000000
#define TRY_NS 25000     /* between two tries to catch a thread outside of a transition */
#define NEVER UINT64_MAX /* of an interval */
#define ENDED_OWNERS UINT64_MAX /* the generation of all owners that are no threads of the profile any more */

/* A part that its thread has not published. */
struct inference {
	bool there;
	bool lapped; /* only of the intervals behind what.epoch; it has no cells */
	struct snapshot_inferred what;
	struct profile_cell *cells;
	uint32_t cell_count;
	uint32_t cell_capacity;
};

/* A block of the region and its present owner. */
struct block {
	uint32_t index;
	uint64_t generation; /* 0: none yet */
	uint32_t thread;     /* of the profile; PROFILE_NONE: none yet */
	bool several;        /* which is that of owners before this one, too */
	uint64_t position;   /* in the part log */
	uint64_t next;       /* interval of the record to come; NEVER: the owner ended */
	uint64_t oldest;     /* first interval that is whole in the log; NEVER: none seen */
	uint64_t torn;       /* interval whose first pieces are gone; 0: none */
	uint64_t merged;     /* newest interval that is in one part with others. These do not overlap, so all of
			      * them together are no longer than there are intervals */
	uint64_t first;      /* interval in which the owner began; 0: to be found by its tick */
	uint64_t last;       /* interval in which it ended; NEVER: it lives */
	uint64_t inferred;   /* newest interval that was inferred */
	int64_t inferred_end; /* and where it ended */
	uint64_t ready;      /* parts are known up to this interval */
	int64_t started;
	int64_t end;     /* of the record before: records tile */
	bool live;
	bool passed; /* the owner has ended, and what it had in the whole run is passing, or has passed */
	struct node_tree tree;
	struct node_map own;   /* of the owner */
	struct node_map ended; /* of all before it */
	struct inference guess;
};

/* What a node had in the whole run goes to another one, at the next reading of the run. */
struct passing {
	uint32_t node, heir;
};

struct live {
	struct source source;
	struct attachment a;
	char *name;
	struct join *join;
	struct block *blocks;
	uint32_t *zones; /* by id of the region: zone of the profile; PROFILE_NONE: none yet */
	uint32_t zone_room;
	uint32_t damaged_zone;
	uint64_t name_bytes; /* of all names that were read */
	uint32_t ended; /* the thread of all ended ones; PROFILE_NONE: none yet */
	struct node_paths ended_paths;
	struct passing *passing;
	uint32_t passing_count, passing_capacity;
	struct snapshot_process process;
	bool began;        /* something was read before */
	bool memory;       /* something could not be allocated */
	uint64_t interval; /* next to be read */
	uint64_t from;     /* what is older is not read with this poll: it would not be held */
	uint64_t settled;  /* newest that has been decided for so long that all threads have seen it */
	bool often;            /* LIVE_OFTEN */
	bool makes_own;        /* LIVE_OWN_FRAMES */
	struct own_frames *own; /* NULL: none made yet */
	int64_t run_ns;        /* when the whole run was read; 0: not yet */
	int64_t read_until_ns; /* and how long that may take */
	int64_t held_since_ns; /* 0: nothing is held back */
	bool counted_unseen;   /* the profile says how many frames were gone at the first look */
	uint64_t missed_from;  /* frames from this interval on have not been looked through */
	int64_t now;
	int64_t alive_tick;    /* it was seen running, or stopped, at this tick or later; 0: never */
	int64_t stopped_ns;    /* on the monotonic clock: when it was first seen stopped; 0: already at the first look */
	uint64_t part_ticks, part_entries;   /* of all parts that are held, or wait, and of some that were */
	uint64_t total_ticks, total_entries; /* and in the totals of this poll */
	int64_t last_tick;                   /* of the run */
	uint64_t lost_parts, lost_frames, damaged_records, damaged_nodes, torn_totals, unread_totals;
	uint64_t in_flight;
	uint64_t lost_values, torn_values; /* words of logs; slots, at this poll */
	struct live_values *values;     /* NULL: none yet */
	struct live_happened *happened; /* likewise */
	struct kept_frames *kept;       /* NULL: not in this poll */
	uint64_t most_bytes; /* that are held */
	struct snapshot_total *totals;
	uint32_t total_capacity;
	struct snapshot_place *places;
	uint32_t place_capacity;
	struct profile_cell *cells;
	uint32_t cell_capacity;
};

/* live.c: sleeps for so long, or not at all if it is not positive. */
void live_nap(int64_t ns);

/* A clock for pauses; it has nothing to do with ticks. */
int64_t live_monotonic_ns(void);

/* Remembers a false, which means that there was no memory, and returns what it was given. */
bool live_held(struct live *l, bool done);

/* live_nodes.c: the zone of the profile for an id of the region; PROFILE_NONE: no memory. */
uint32_t live_zone(struct live *l, uint32_t id);

/* A name and a file of the region, as it was read: whether they may be held. False: the region tells of the same
 * bytes again and again. */
bool live_name_fits(struct live *l, const char *name, const char *file);

/* The node of the profile for a node of the block, of its owner or of those that ended; PROFILE_NONE:
 * no memory. */
uint32_t live_node(struct live *l, struct block *b, bool owner, uint32_t node);

/* The id of the thread that owns a block in this generation. */
uint64_t live_thread_id(const struct live *l, uint32_t block, uint64_t generation);

/* The block has a new owner, and the one before it has ended. */
bool live_owner_begins(struct live *l, struct block *b, uint64_t generation, int64_t tid,
		       const char *name);

/* The owner that is known has ended: with the next reading of the run what it had is `ended threads`'.
 * Again: no effect. */
bool live_owner_passes(struct live *l, struct block *b);

/* The thread of all ended ones is there, and this block can give it nodes. */
bool live_ended_begins(struct live *l, struct block *b);

/* live_owners.c: the block's new owner becomes a thread of the profile, or goes on with the one before it where there are
 * too many. PROFILE_NONE: no memory. */
uint32_t live_owner_thread(struct live *l, struct block *b, uint64_t generation, int64_t tid, const char *name);

/* What is known of the present owner by now. */
bool live_owner_told(struct live *l, struct block *b, int64_t tid, const char *name);

/* The thread of the profile that owned a block in this generation, or in the one that is near and has these
 * low 16 bits; `ended threads` where it is not known any more. PROFILE_NONE: no memory. */
uint32_t live_owner(struct live *l, const struct block *b, uint64_t generation);
uint32_t live_owner_of(struct live *l, const struct block *b, unsigned low);

/* All generations of a block, from the low bits of one that is near. */
uint64_t live_whole_generation(const struct block *b, unsigned low);

/* The owner of this generation is no thread of the profile, or none any more. */
bool live_owner_is_over(struct live *l, const struct block *b, uint64_t generation);

/* live_records.c: adds to a sum. False: the sum stays, as with this it would be beyond what any
 * machine can have counted. */
bool live_within(uint64_t *sum, uint64_t more);

/* Adds what is given to the join to the sums of all parts. False: it is damage, as above, and is counted
 * as such. */
bool live_count_part(struct live *l, int64_t ticks, uint64_t entries);

/* Entries of a part, or more than there can be. */
uint64_t live_entries(const struct profile_cell *cells, uint32_t count);

/* Takes what has left the profile out of these sums, before they are full. */
void live_count_held(struct live *l);

/* Gives the join what a block's log has of new records. */
void live_read_log(struct live *l, struct block *b);

/* Gives the join what a record that was kept says of this one frame among those that it covers. */
bool live_give_part_of(struct live *l, struct block *b, const struct snapshot_frame *frame,
		       const struct record_head *head, const struct record_node *nodes);

/* live_frames.c: the oldest interval that can still be there. */
uint64_t live_oldest_interval(const struct live *l);

/* Gives the join a frame that was kept. */
void live_give_kept(struct live *l, const struct snapshot_frame *frame);

/* Gives the join the intervals from l->interval to `last`, as far as they are decided. */
void live_read_intervals(struct live *l, uint64_t last);

/* Says of the frames that came with this poll in which of them a thread's part is not there. */
void live_find_missing(struct live *l, struct block *b);

/* live_hours.c: finds the frames that were kept, interval `last` at most; gives the join those that are older than
 * `before`, from where on all are read. They are known until live_hours_free. */
void live_read_hours(struct live *l, uint64_t before, uint64_t last);
void live_hours_free(struct live *l);

/* Gives the join the parts of these that the logs no longer have. */
void live_read_kept(struct live *l);

/* The first of these of this interval or a later one; NULL: none. */
const struct snapshot_frame *live_kept_from(const struct live *l, uint64_t interval);

/* live_limit.c: drops the oldest frames of a profile that holds too much. */
void live_bound_memory(struct live *l);

/* Sets l->from, before anything is read. */
void live_limit_reading(struct live *l);

/* live_infer.c: room for `count` totals in l->totals, which are not set. */
bool live_totals_room(struct live *l, uint32_t count);

/* Looks at all threads; the newest interval, `settled` at most, of which each one's part is known. */
uint64_t live_look_at_threads(struct live *l, uint64_t settled);

/* Gives the join what was inferred of a thread that has not published it since. */
void live_give_inferred(struct live *l, struct block *b);

/* live_totals.c: the whole run, as of now. */
void live_read_run(struct live *l);

/* live_values.c: counters, events and notes that are new. */
void live_read_values(struct live *l);
void live_values_free(struct live *l);

/* A sample of the log of this block. */
void live_take_sample(struct live *l, struct block *b, const struct snapshot_value *value);

/* live_happened.c: what a block's value log has of new records: samples go to live_take_sample, the rest
 * waits until all blocks have been read. */
void live_read_value_log(struct live *l, struct block *b, uint64_t *position, uint64_t *lapped);
void live_give_happened(struct live *l);
void live_happened_free(struct live *l);

/* Totals of a thread in l->totals, caught in so many tries outside of a transition if that can be. BUSY: it changed
 * all the while; that is tried again until `until_ns` (live_monotonic_ns), too. ABSENT: no memory, or no thread. */
enum snapshot_result live_catch_totals(struct live *l, struct block *b, int tries, int64_t until_ns,
				       struct snapshot_thread *t, struct snapshot_totals *out);
bool live_totals_are_sane(struct live *l, const struct snapshot_totals *out, uint32_t nodes);

/* live_own.c: whether the process has set no mark yet. */
bool live_is_unmarked(const struct live *l);

/* Makes a frame of what came since the one before, when it is time for one. */
void live_make_own(struct live *l);

/* Frames were made here: with the first mark all is read anew. */
bool live_own_begun(const struct live *l);

/* So it was, and now the process marks its own. */
bool live_own_is_over(const struct live *l);

void live_own_free(struct live *l);

/* live_process.c: what does not change while the process lives. False: no memory. */
bool live_describe_process(struct live *l);

/* Its state, its clock's rate, the marking thread, and the zone that was left open. */
void live_read_state(struct live *l);

/* The profile's losses: those that the process counted, and our own. */
void live_read_losses(struct live *l);

/* The command of a process: its arguments, with a blank between them. `out` has as many bytes as the
 * header's. */
void live_command_line(const struct region_header *header, char *out);

/* `tsc`, `cntvct`, `clock_gettime`; `unknown`. Of an enum region_clock. */
const char *live_clock_name(uint32_t clock);

/* live_stack.c: source_ops.stack of a region. */
bool live_stack(struct source *s, uint32_t thread, struct source_stack *out);

/* live_transitions.c: source_ops.transitions of a region. */
bool live_transitions(struct source *s, struct transitions *t);

#endif
