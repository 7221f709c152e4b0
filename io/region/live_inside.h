/* SPDX-License-Identifier: MIT */
/*
 * live_inside: a region as a source, as its own files see it. Nobody else includes this.
 *
 * The files stand here from the ground up: each calls only those above it in the list.
 *
 *   live_nodes.c        zones and nodes of the profile, for ids of the region
 *   live_names.c        functions of addresses, looked up aside
 *   live_owners.c       threads of the profile, for the owners of a block
 *   live_sums.c         the most that all parts can add up to: more is damage
 *   live_measures.c     rows of measures, and their columns and amounts
 *   live_catch.c        the totals of a thread, read outside of a transition
 *   live_own.c          frames of a process that marks none
 *   live_frames.c       intervals; parts that are missing
 *   live_limit.c        how much is held, and how much is read
 *   live_records.c      parts that threads have published
 *   live_hours.c        frames that were kept, with their parts
 *   live_infer.c        parts that threads have not published yet
 *   live_totals.c       the whole run
 *   live_ends.c         when intervals began and ended
 *   live_happened.c     events and notes
 *   live_values.c       counters, and the reading of the value logs, which also hold events and notes
 *   live_process.c      the process, its state and its losses
 *   live_stack.c        open zones
 *   live_transitions.c  single entries and exits
 *   live.c              open, next, reset, close
 *
 * live_list.c stands beside them: it looks at regions without reading one.
 *
 * `l->a` is the attached region. It is only read. What is made of it goes to `l->source.profile`, and to
 * `l->join`, which makes frames of intervals and parts.
 *
 * A function that returns bool returns false when there is no memory, unless its comment says otherwise. It
 * has set `l->memory` then, and the poll ends.
 */
#ifndef IO_LIVE_INSIDE_H
#define IO_LIVE_INSIDE_H

#include "io/region/join.h"
#include "io/region/live.h"
#include "io/region/nodes.h"
#include "io/symbols.h"
#include "model/profile/measures.h"
#include "shm/clock.h"
#include "shm/snapshot.h"

#define NS_PER_S 1000000000
#define TRY_NS 25000            /* between two tries to catch a thread outside of a transition */
#define NEVER UINT64_MAX        /* stands where the number of an interval is expected */
#define ENDED_OWNERS UINT64_MAX /* stands where a generation is expected: of all owners that have no thread now */

/* The part of a frame that a thread has not published yet, as we worked it out. */
struct inference {
	bool there;
	bool lapped; /* the part of interval what.epoch is gone. Those behind it are known, and have no cells */
	struct snapshot_inferred what;
	struct profile_cell *cells;
	uint32_t cell_count;
	uint32_t cell_capacity;
	struct measure_columns columns;
};

/* A block of the region, and what is known of its present owner. */
struct block {
	uint32_t index;
	uint64_t generation; /* counts the owners; 0: there was none yet */
	uint32_t thread;     /* of the profile; PROFILE_NONE: none yet */
	bool several;        /* the thread also stands for owners before this one */
	uint64_t position;   /* in the part log: up to here it was read */
	uint64_t next;       /* the interval of which the next record will be; NEVER: the owner has ended */
	uint64_t oldest;     /* the first interval that is whole in the log; NEVER: none seen */
	uint64_t torn;       /* the interval whose first pieces are gone; 0: none */
	uint64_t unseen;     /* the log had lapped before the first poll: up to this interval, parts of owners that
			      * nobody saw are gone; 0: none */
	uint64_t merged;     /* the newest interval that came merged with others. Merged records that overlap are
			      * damage: so all of them together cover no more intervals than there are */
	uint64_t first;      /* the interval in which the owner began; 0: not known, its tick tells */
	uint64_t last;       /* the interval in which it ended; NEVER: it lives */
	uint64_t inferred;   /* the newest interval that was inferred */
	int64_t inferred_end; /* the end of that interval */
	uint64_t ready;      /* parts are known up to this interval */
	int64_t started;     /* the tick at which the owner began; 0: not known */
	int64_t end;         /* of the last record. Where the next does not begin there, some are gone */
	bool live;
	bool passed; /* the owner has ended. What it had in the whole run is that of `ended threads` now, or will
		      * be with the next reading of the run */
	struct node_tree tree;
	struct node_map own;   /* nodes of the owner */
	struct node_map ended; /* nodes of all owners before it, together */
	struct inference guess;
};

/* An owner has ended. With the next reading of the run, what `node` had is added to its heir, a node of
 * `ended threads`. */
struct passing {
	uint32_t node, heir;
};

struct live {
	struct source source;
	struct attachment a;
	char *name;
	struct join *join;

	/* ids of the region */
	struct block *blocks;
	struct node_zone *zones; /* by id of the region; zone PROFILE_NONE: not known yet */
	uint32_t zone_room;
	struct node_zone *around; /* functions into which others were inlined */
	uint32_t around_count, around_capacity;
	uint32_t *modules; /* likewise, by index */
	struct symbols *symbols; /* NULL: none were needed */
	struct live_names *names; /* that are looked up aside; NULL: none are */
	uint32_t zones_seen;      /* so many zones of the region were looked at for these */
	uint32_t *measures; /* likewise; live_measures.c */
	uint32_t measure_count; /* that the region may have */
	uint32_t damaged_zone;
	uint64_t name_bytes; /* of all names that were read so far */
	uint32_t ended;      /* the thread `ended threads`; PROFILE_NONE: none yet */
	struct node_paths ended_paths;
	struct passing *passing;
	uint32_t passing_count, passing_capacity;

	/* The poll */
	struct snapshot_process process;
	bool began;            /* this is not the first poll */
	bool memory;           /* something could not be allocated, or the source is to stop */
	uint64_t interval;     /* the next one to be read */
	uint64_t from;         /* older intervals are not read in this poll, as they would be dropped at once */
	uint64_t settled;      /* the newest that was decided so long ago that all threads have seen it */
	uint64_t missed_from;  /* from this one on, nobody has looked for missing parts */
	bool counted_unseen;   /* the profile knows how many frames were gone before the first poll */
	uint64_t ended_before; /* frames that had ended at the first poll */
	uint64_t newest_number; /* of the frames that were read; NEVER: what came behind it is damaged */
	int64_t held_since_ns; /* since when a thread holds frames back; 0: none does */
	int64_t run_ns;        /* when the whole run was read last; 0: not yet */
	int64_t read_until_ns; /* until when the run may be read */
	int64_t now;
	int64_t last_tick;     /* of the run */
	uint64_t marker_epoch; /* the interval that the marking thread was in when its totals were read; 0: not known */
	int64_t alive_tick;    /* the process was seen running or stopped at this tick; 0: never */
	int64_t stopped_ns;    /* when it was first seen stopped, on the monotonic clock; 0: it was stopped
				* already at the first look */

	/* asked for by the opener */
	bool often;          /* LIVE_OFTEN */
	bool makes_own;      /* LIVE_OWN_FRAMES */
	uint64_t most_bytes; /* that are held */

	/* Sums that tell damage */
	uint64_t part_ticks, part_entries;   /* of all parts that are held or wait, and some dropped ones */
	uint64_t total_ticks, total_entries; /* of all totals in this poll */
	uint64_t amounts; /* of all measures in all parts so far */
	int64_t run_amounts; /* of all measures and nodes, in the whole run */

	/* Losses of all polls. Values are counted in words of logs */
	uint64_t lost_parts, lost_frames, lost_values, damaged_records, damaged_nodes;

	/* And what could not be had when it was looked at last. Values are counted in slots */
	uint64_t torn_totals, unread_totals, torn_values, in_flight;

	/* kept from poll to poll, each by one file; NULL: nothing yet */
	struct own_frames *own;
	struct kept_frames *kept; /* in the first poll alone */
	struct live_ends *ends;
	struct live_values *values;
	struct live_happened *happened;

	/* Room that is used again */
	struct snapshot_total *totals;
	uint32_t total_capacity;
	struct snapshot_place *places;
	uint32_t place_capacity;
	struct profile_cell *cells;
	uint32_t cell_capacity;
	struct measure_columns columns;
	struct snapshot_measures block_measures;
	int64_t *before; /* by node of a block: live_measures.c */
	uint32_t before_capacity;
};

/* Remembers a false, which means that there was no memory. Returns what it was given. */
static inline bool live_held(struct live *l, bool done)
{
	l->memory |= !done;
	return done;
}

/* Asked where there may be much to read. False: the poll ends, for want of memory or as the source is to stop. */
static inline bool live_goes_on(struct live *l)
{
	l->memory |= atomic_load_explicit(&l->source.stop, memory_order_relaxed);
	return !l->memory;
}

/* live_names.c. False: the functions of new zones are being looked up, and `why` says so. */
bool live_names_are_known(struct live *l);
void live_names_free(struct live *l);

/* live_nodes.c: a zone that is an address in a module. */
struct code_zone {
	uint32_t id, index; /* of the region; of the module in the profile */
	struct profile_module module;
	uint64_t offset;
	uint32_t flags;
};
bool live_code_zone(struct live *l, uint32_t id, struct code_zone *out); /* false: it is none, or there is no memory */
struct node_zone live_code_zone_named(struct live *l, const struct code_zone *z, const struct symbol *found, uint32_t count);
struct symbols *live_symbols(struct live *l); /* NULL: out of memory */

/* live_nodes.c: the zone of the profile for an id of the region. PROFILE_NONE: no memory. */
uint32_t live_zone(struct live *l, uint32_t id);

/* Whether this name and this file, read from the region, may be true. All names together have at most twice the
 * bytes of the region's strings: if they had more, it would tell the same bytes again and again. */
bool live_name_fits(struct live *l, const char *name, const char *file);

/* The node of the profile for a node of the block: of its owner, or of those that ended. PROFILE_NONE: no
 * memory. */
uint32_t live_node(struct live *l, struct block *b, bool owner, uint32_t node);

/* live_owners.c: the id of the thread that owns the block in this generation. */
uint64_t live_thread_id(const struct live *l, uint32_t block, uint64_t generation);

/* Makes the thread `ended threads`, if there is none yet, and begins this block's map of nodes into it. */
bool live_ended_begins(struct live *l, struct block *b);

/* The block has a new owner, and the one before it has ended. */
bool live_owner_begins(struct live *l, struct block *b, uint64_t generation, int64_t tid,
		       const char *name);

/* The present owner has ended. With the next reading of the run, what it had becomes that of `ended threads`.
 * To say so again does nothing. */
bool live_owner_passes(struct live *l, struct block *b);

/* Stores what is known of the present owner of a block by now. */
bool live_owner_told(struct live *l, struct block *b, int64_t tid, const char *name);

/* The thread of the profile that owned the block in this generation. The second function knows only the low
 * 16 bits of the generation, which is near to the present one. It is `ended threads` where the owner is not
 * known any more. PROFILE_NONE: no memory. */
uint32_t live_owner(struct live *l, const struct block *b, uint64_t generation);
uint32_t live_owner_of(struct live *l, const struct block *b, unsigned low);

/* All bits of a generation that is near to the present one, from the low 16. */
uint64_t live_whole_generation(const struct block *b, unsigned low);

/* Whether the owner of this generation has no thread of its own in the profile. */
bool live_owner_is_over(struct live *l, const struct block *b, uint64_t generation);

/* live_sums.c: adds to a sum. False: the result would be more than any machine can have counted, so the sum
 * stays as it is. */
bool live_within(uint64_t *sum, uint64_t more);

/* Adds a part that goes to the join to the sums of all parts. False: it would be too much, as above. It was
 * counted as a damaged record. */
bool live_count_part(struct live *l, int64_t ticks, uint64_t entries);

/* The entries of a part, or of a record. Where the sum would be too much, it is some number that is too
 * much. */
uint64_t live_entries(const struct profile_cell *cells, uint32_t count);
uint64_t live_record_entries(const struct record_node *nodes, uint32_t count);

/* When a sum of all parts is half full, counts them anew, from what the profile holds and what waits in the join. */
void live_count_held(struct live *l);

/* live_measures.c: makes the rows of the measures that the process has by now. */
void live_read_measures(struct live *l);

/* The groups of a record as columns in l->columns. */
bool live_take_groups(struct live *l, struct block *b, bool owner, const struct record_head *head);

/* Columns in l->columns that say of all measures that nothing is known. */
bool live_unknown_columns(struct live *l);

/* Makes columns, in b->guess, of what the owner of a block has not published yet for the interval `epoch`. False
 * also if it has been published meanwhile. */
bool live_infer_columns(struct live *l, struct block *b, uint64_t epoch);

/* Makes columns, in l->columns, of the difference between two readings of the values of a block's owner (before:
 * NULL: since it began). */
bool live_difference_columns(struct live *l, struct block *b, const struct snapshot_measures *before,
			     const struct snapshot_measures *now);

/* Sets the amounts of the whole run: of the block's owner, if it has one, and of those that ended. False: they changed all
 * the while, and are as they were before. */
bool live_read_amounts(struct live *l, struct block *b, bool owned);
void live_clear_ended_amounts(struct live *l);

/* live_catch.c: sleeps for so long, or not at all if it is not positive. */
void live_nap(int64_t ns);

/* Makes room for `count` totals in l->totals. They are not set. */
bool live_totals_room(struct live *l, uint32_t count);

/* Reads the totals of a thread into l->totals. It tries `tries` times to catch the thread outside of a
 * transition, and if the totals could not be read at all, it goes on trying until `until_ns`
 * (CLOCK_MONOTONIC). BUSY: they changed all the while. ABSENT: no memory, or no thread. */
enum snapshot_result live_catch_totals(struct live *l, struct block *b, int tries, int64_t until_ns,
				       struct snapshot_thread *t, struct snapshot_totals *out);

/* Whether these totals can be true, alone and with all others of this poll. */
bool live_totals_are_sane(struct live *l, const struct snapshot_totals *out, uint32_t nodes);

/* live_own.c: whether the process has set no mark yet. */
bool live_is_unmarked(const struct live *l);

/* Makes a frame of what came since the last one, when it is time for one. */
void live_make_own(struct live *l);

/* Whether frames were made here. With the first mark, everything is then read anew. */
bool live_own_begun(const struct live *l);

/* Whether frames were made here, and the process marks its own by now. */
bool live_own_is_over(const struct live *l);

void live_own_free(struct live *l);

/* live_frames.c: the oldest interval that can still be there. */
uint64_t live_oldest_interval(const struct live *l);

/* Gives the join a frame that was kept. */
void live_give_kept(struct live *l, const struct snapshot_frame *frame);

/* Gives the join the intervals from l->interval to `last`, as far as they are decided. */
void live_read_intervals(struct live *l, uint64_t last);

/* Finds the frames of this poll in which the thread has no part, and says so in them. */
void live_find_missing(struct live *l, struct block *b);

/* Marks in `ended threads` that some of intervals `first` to `last` is gone. `ended threads` has what is known
 * of the block's previous owners. */
void live_find_unseen(struct live *l, struct block *b, uint64_t first, uint64_t last);

/* live_limit.c: drops the oldest frames of a profile that holds too much: within a poll, and behind one. */
void live_bound_frames(struct live *l);
void live_bound_memory(struct live *l);

/* Before anything is read: decides from which interval on reading is worth while (l->from; 0: all), and drops or thins
 * frames that are held and older than what will not be read. */
void live_limit_reading(struct live *l);

/* live_records.c: gives the join the new records of a block's log. */
void live_read_log(struct live *l, struct block *b);

/* A record that was kept covers one frame or several. Gives the join what it says of this one. */
bool live_give_part_of(struct live *l, struct block *b, const struct snapshot_frame *frame,
		       const struct record_head *head, const struct record_node *nodes);

/* live_hours.c: finds the frames that were kept, up to interval `last`. From `before` on, all frames will be
 * read, so that only the kept ones before that go to the join. They are known until live_hours_free. */
void live_read_hours(struct live *l, uint64_t before, uint64_t last);
void live_hours_free(struct live *l);

/* Gives the join those parts of the kept frames that the logs no longer have, and says what not even these have. */
void live_read_kept(struct live *l);

/* The first kept frame of this interval or of a later one. NULL: there is none. */
const struct snapshot_frame *live_kept_from(const struct live *l, uint64_t interval);

/* live_infer.c: looks at all threads. Returns the newest interval of which the part of each thread is known,
 * and `settled` at most. */
uint64_t live_look_at_threads(struct live *l, uint64_t settled);

/* Gives the join what was inferred of a thread, unless the thread has published it since. */
void live_give_inferred(struct live *l, struct block *b);

/* live_totals.c: reads the whole run, as of now. */
void live_read_run(struct live *l);

/* live_ends.c: makes ready for a poll, before the two below: what was searched for in the last one is forgotten. */
bool live_ends_begin(struct live *l);
void live_ends_free(struct live *l);

/* The tick at which an interval ended. Where it is gone, the next tick behind it that is known. */
int64_t live_end_of(struct live *l, uint64_t interval);

/* The tick at which an interval began; 0: it is gone. */
int64_t live_start_of(struct live *l, uint64_t interval);

/* live_happened.c: an event or a note, from the value log of this block. It waits until all blocks have been
 * read. */
void live_take_happening(struct live *l, struct block *b, const struct snapshot_value *value);

/* Gives the profile those that wait, in the order of time. */
void live_give_happened(struct live *l);
void live_happened_free(struct live *l);

/* live_values.c: reads what is new of counters, events and notes. */
void live_read_values(struct live *l);
void live_values_free(struct live *l);

/* live_process.c: sets what does not change while the process lives. */
bool live_describe_process(struct live *l);
void live_read_silence(struct source *s);

/* Sets its state, the rate of its clock, which thread marks, and the zone that was left open. */
void live_read_state(struct live *l);

/* Sets the losses of the profile: those that the process counted, and our own. */
void live_read_losses(struct live *l);

/* The command of a process: its arguments, with a blank between them. `out` has as many bytes as the command
 * of the header. */
void live_command_line(const struct region_header *header, char *out);

/* The name of an enum region_clock: `tsc`, `cntvct`, `clock_gettime`, or else `unknown`. */
const char *live_clock_name(uint32_t clock);

/* live_stack.c: source_ops.stack of a region. */
bool live_stack(struct source *s, uint32_t thread, struct source_stack *out);

/* live_transitions.c: source_ops.transitions of a region. */
bool live_transitions(struct source *s, struct transitions *t);

#endif
