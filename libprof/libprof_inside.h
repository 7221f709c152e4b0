/* libprof_inside.h: the private side of libprof, as its own files see it.
 *
 * libprof is one module: most of its files need each other in a circle, and there is no order in which they could be read.
 * A zone is entered (zone.c).  Its cold path claims a block for the thread (thread.c), and may start the process first
 * (process.c), which starts the timer (timer.c), which marks frames (frame.c), and a mark is a zone (zone.c).  A thread that
 * enters publishes its slice first (part.c), with its measures (measure.c), keeps records and calls of slow frames
 * (retained.c, events.c), and a thread that ends does so, too.  Each file is a stretch of that path.  Below all of them stand
 * arena.c, counter.c's and registry.c's tables (lockfree_table.c), maps.c, real.c, signal_guard.c and signature.c.
 *
 * The writer's pointers and indices live here, in private memory: nothing in the region steers the program.
 * Memory that a thread writes through is MADV_WIPEONFORK: after any fork the child reads zeros, its thread's
 * guard is not GUARD_READY, and the cold path switches the child off.
 *
 * Ownership: a struct thread belongs to the thread that owns its block; struct process is written at start,
 * under the mark's try-lock, or atomically, as said at each field.
 */
#ifndef LIBPROF_INSIDE_H
#define LIBPROF_INSIDE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "libprof/lockfree_table.h"
#include "libprof/log.h"
#pragma GCC visibility push(default) /* all else is hidden: see Makefile.am */
#include "libprof/prof.h"
#pragma GCC visibility pop
#include "libprof/adapter.h"
#include "shm/clock.h"
#include "shm/create.h"
#include "shm/event.h"
#include "shm/record.h"
#include "shm/region.h"
#include "shm/ring.h"
#include "shm/seq.h"

#define unlikely(x) __builtin_expect(!!(x), 0)
#define cold __attribute__((noinline, cold))

/* A variable of each thread, found without a call. musl loads no module that has such variables, so there each
 * access is a call. */
#ifdef __GLIBC__
#define OF_THREAD __thread __attribute__((tls_model("initial-exec")))
#else
#define OF_THREAD __thread
#endif

/* A node's private side: a cache line.  kid is a direct-mapped cache of its children by the id of their zone, which
 * grows with their number; what misses it is found in the thread's table. */
struct node {
	struct region_node *shared;
	struct node *parent; /* NULL: the root */
	struct node **kid;   /* kid_mask + 1 of them; no_node of node.c where there is none */
	uint32_t kid_mask;
	uint32_t zone;
	uint32_t id;
	uint32_t kids;       /* children */
	uint64_t what;       /* of its events, but for their kind */
	uint32_t depth : 31;
	uint32_t waits : 1;  /* its zone does */
	uint32_t skipped;    /* zones that were entered in it while recording was off, and have not ended */
	uint64_t listed;     /* the listing in which it was last put on the dirty list */
};
static_assert(sizeof(struct node) == 64, "slabs are cut into lines");

enum guard {
	GUARD_WIPED,   /* this is a child after fork */
	GUARD_READY,
	GUARD_BUSY,    /* in an update: a signal handler that sees it drops its zones */
	GUARD_SKIP,    /* inside a zone that could not be recorded */
	GUARD_CALLING, /* ready, but the clock must be called (no invariant counter) */
	GUARD_WATCHED, /* ready, but a zone is open that was skipped, or that is timed */
	GUARD_NEVER,   /* no thread's: see prof__recording */
};

/* A thread's own value of a counter. */
struct slot {
	struct region_slot *shared; /* NULL: none yet */
	bool set;                   /* that it was set once is said in the region */
};

/* Where a log has the records of an item, or the span over several.  at.from >= at.to: nowhere. */
struct place {
	uint64_t first, last; /* items */
	struct log_place at;
};

/* A level of what is kept for hours (retained.c).  Its items are intervals, or the groups of the level below. */
struct hours {
	struct word_log log;
	uint64_t group;      /* of the newest item */
	bool any;            /* something is known of an item of it */
	struct place into;   /* the span that reaches into the group, or none that it has items of */
	struct place out;    /* the newest span that reaches out of its group */
	uint64_t source;     /* word of its source that was copied last */
	struct log_place copied; /* and where it is now */
};
#define HOURS_ITEMS (64 + 16 * (REGION_HOURS - 1)) /* of one group at each level */

/* Where the event log has what the thread did in one of the worst frames. */
struct kept_calls {
	uint64_t interval;    /* 0: of no frame */
	int64_t length;       /* of the frame */
	uint64_t first, last; /* numbers of chunks */
	uint32_t chunks;      /* so many, which are wanted */
	uint32_t room;        /* chunks that are set aside for it; 0: the round has not come to it */
	uint32_t generation;
};

/* Marks that the thread sets from one place in one depth of calls (frame.c). */
#define MARK_PLACES 4
struct marks {
	uintptr_t at;    /* that place and depth; 0: none yet */
	uint32_t depth;  /* of zones, at the last of them */
	uint32_t base;   /* and at the one before those that were */
	uint32_t deeper; /* than the one before, with none that was less deep */
};

/* CPU time and switches of slices (cpu.c). */
enum cpu_measure { CPU_TIME, CPU_OFF, CPU_VOLUNTARY, CPU_INVOLUNTARY, CPU_FAULTS, CPU_DELAY, CPU_DOUBT, CPU_MEASURES };
static_assert(CPU_DOUBT == REGION_CPU, "of doubts there is none of the whole run");

struct cpu_state {
	enum { CPU_NONE, CPU_BEGUN, CPU_WHOLE } state; /* the last slice: not read, read at its end, read at both ends */
	bool refused, uncounted; /* the thread may not call clock_gettime; nor getrusage */
	bool counted;         /* the last reading has counts, not the time alone */
	bool has_waits;       /* some node's zone waits */
	int64_t at, time, rate; /* of the last reading: tick; ns; ticks a second */
	int64_t count[CPU_MEASURES]; /* with the run delay (delay.c) */
	bool delayed, undelayed; /* the last reading has that, too; it cannot be had */
	int64_t delay_carried; /* ns of it that the slice before had no room for */
	struct delay_file *file;
	int64_t credit, seen; /* ticks that buy readings, and the tick at which they were counted */
	int64_t name_due;     /* tick from which on a reading also reads the thread's name again */
	int64_t begin;        /* tick where the running slice begins */
	int64_t waited;       /* ticks that it waited in its pieces */
	int64_t carried, doubt; /* ns of it that were read before; how far they may be off */
	int64_t late;         /* its ticks before the last reading, unless the thread waited */
	int64_t stays_to;     /* where the intervals end in which the thread stayed in one node */
	uint64_t stays;       /* how many these are */
	bool known, has_counts, has_delay; /* these are: */
	int64_t part[CPU_MEASURES], span[CPU_MEASURES]; /* of the slice that ends, and of the intervals behind */
};

/* Samples that came while the thread was in an update (sample.c).  A signal handler adds them. */
#define LATE_SAMPLES 8u
struct late_sample {
	struct node *node;
	uint64_t epoch; /* the interval that ran */
	unsigned weight;
};
struct late_samples {
	uint32_t came, taken; /* so many; they differ by LATE_SAMPLES at most */
	struct late_sample sample[LATE_SAMPLES];
};

struct thread {
	/* the hot part */
	uint32_t guard; /* enum guard */
	uint32_t dirty_count;
	struct node *current;
	struct region_thread *block;
	region_word *epoch_word;
	uint64_t epoch;
	uint64_t listing; /* number of the dirty list, one for each record written */
	region_word *event, *event_end; /* the next one, and the end of the chunk */
	struct node **dirty; /* nodes changed since the last boundary; has room for all nodes */
	/* the cold part */
	int64_t bound;
	int64_t pushed_to, pushed_from; /* a boundary's tick that the clock had not come to, and what it said */
	uint32_t block_index;
	uint32_t generation;
	uint32_t skip;               /* depth inside GUARD_SKIP */
	uint32_t skipped;            /* sum over its nodes */
	enum region_loss skip_cause; /* of what is inside it, too */
	bool named;                  /* it is main, or Prof_Thread named it, so the system's name does not matter */
	struct marks marks[MARK_PLACES];
	unsigned next_marks;
	struct word_log parts, values;
	struct log events;
	uint64_t lossy;                  /* a copy of block->lossy_last */
	/* Measures by their bits: those that have changed since the last boundary, and those of which something since then was
	 * lost.  Both are 0 in a program that has none. */
	uint64_t measured, unmeasured;
	struct measured *measures; /* measure.c; NULL: none yet */
	struct late_samples late_samples;
	struct cpu_state cpu;
	uint64_t pieces_from;            /* word where the running interval's pieces begin; UINT64_MAX: none */
	struct log kept[REGION_WORST_FRAMES];
	struct kept_calls kept_calls[REGION_WORST_FRAMES];
	uint32_t kept_newest; /* 1 + newest chunk that is out of the event log's round, 0: none */
	uint32_t calls_turn;  /* of process.calls_turn, when the thread looked last what it has to give up */
	uint64_t part_event;  /* the first event behind `bound` */
	struct hours hours[REGION_HOURS];
	struct place items[HOURS_ITEMS];
	uint32_t node_count, node_room; /* room: in table and dirty */
	uint32_t node_chunk;            /* 1 + newest */
	struct node **table;            /* open addressing by (parent, zone); twice node_room */
	struct node **old_table;        /* the one before, of which old_moved places are in it; NULL: all are */
	uint32_t old_moved;
	struct node *slab, *slab_end;
	struct node *root;
	struct slot *slots;             /* by id of the counter */
	uint32_t slot_room, slot_count; /* of slots; of region_slots */
	uint32_t slot_chunk;            /* 1 + newest */
	int64_t value_tick;             /* of the newest event or note */
	int64_t value_to, value_from;   /* as pushed_to and pushed_from, of these */
	region_word *unkept; /* in the sink: those from here on are not counted yet; NULL: none is to be kept */
	region_word sink[CHUNK_EVENTS]; /* where events go that nobody keeps */
};

#define FRAME_NAMES 16
#define FRAME_TEXTS 4096u /* names of frames that become texts of the region: a program may make one for each frame */

/* What became of a zone or counter that was to be published. */
enum known { KNOWN_NOT_YET, KNOWN_THERE, KNOWN_REFUSED /* for its name there is no room */ };

/* A table of the region, whose elements are published in the order of their numbers: zones, counters, modules, measures. */
struct rows {
	_Atomic uint32_t used;  /* that are in the region */
	uint32_t room;
	_Atomic uint8_t *known; /* of each: enum known */
};

/* The longest frame so far of a group that is not over. */
struct longest {
	int64_t first; /* tick where the group begins */
	int64_t start, length;
	uint64_t interval; /* 0: no interval of the group yet */
	uint64_t number, info, name;
};

struct process {
	uint64_t alive; /* 0 after a fork */
	struct region_header *header;
	uint64_t size; /* of the region, bytes */
	struct region_process *shared;
	struct region_zone *zones;
	char *strings;
	region_word *block_chunks;
	struct region_frame *frames;
	struct region_group *history;
	struct region_worst *worst;
	struct region_counter *counters;
	struct region_module *modules;
	struct region_measure *measures;
	struct region_chunk *chunks;
	struct rows zone_rows, counter_rows, module_rows, measure_rows;
	_Atomic uint64_t string_used;
	_Atomic uint32_t *text_at; /* of each text of the registry: where in the region's strings; 0: not yet */
	struct region_space spaces[REGION_SECTIONS];
	_Atomic uint64_t there[REGION_SECTIONS]; /* bytes of each that there is memory for; not the region's own words for it */
	uint32_t block_room, frame_mask, history_slots, chunk_count;
	enum region_clock clock;
	bool events;
	bool keep; /* the region stays after a normal end */
	bool reads_cpu;             /* cpu.c */
	bool reads_switches_always; /* PROF_CPU=1 */
	char name[REGION_NAME_MAX + 1];
	uint64_t device, inode;
	int64_t piece_ticks; /* a part is cut into pieces when it gets longer */

	/* the arena: free chunks as a stack with a tag against ABA; atomic */
	_Atomic uint64_t free_stack; /* tag << 32 | 1 + chunk */
	_Atomic uint32_t fresh;      /* chunks never used begin here */
	_Atomic uint32_t free_count;
	_Atomic uint32_t *below;     /* of a free chunk: 1 + next free one */
	uint32_t *newer;             /* of an owned chunk: 1 + the next newer of its log; its owner's */
	uint16_t *first_record;      /* of an owned part chunk: word of the first record beginning in it */
	uint64_t *kept_number;       /* of a kept event chunk: its number in its log */
	_Atomic uint32_t kept_chunks; /* that are set aside for these (events.c) */
	_Atomic uint64_t calls_wanted[REGION_WORST_FRAMES]; /* interval << CALLS_BITS | chunks that threads want kept of it */
	_Atomic uint32_t calls_turn;  /* how often that has grown */
	_Atomic uint32_t calls_swept; /* the turn in which it was looked what ended threads keep */
	uint32_t reserve;            /* chunks kept for nodes, most of them also for the first of each log */

	/* threads: the private side of each block, its owner's; made once, passed on with the block */
	struct thread *_Atomic *threads;
	_Atomic uint32_t *chunk_of_blocks; /* 1 + the chunk of each CHUNK_BLOCKS of them, 0: none yet */
	_Atomic int64_t *ended_at; /* tick; or what thread.c says */
	_Atomic uint64_t ended;    /* how many ended, a reason to look again for a block */
	_Atomic bool main_came;    /* the main thread has, or had, a block, or takes one */
	_Atomic uint64_t *owner;   /* generation << 32 | thread id of a block's owner whose end nobody tells (thread.c); else 0 */
	_Atomic int64_t buried;    /* tick at which all were looked at last */

	/* marks: under the try-lock */
	_Atomic uint32_t marking;
	_Atomic uint32_t was_off;   /* Prof_Enable(0) came since the last mark, or is still so; not under it */
	bool own_marks;             /* the program marks frames: the timer no longer does */
	uint32_t bounds; /* enum frame_bounds */
	int64_t previous_end;
	int64_t instant_due, instant_step;
	_Atomic int64_t rate; /* ticks a second; 0: not known yet */
	uint64_t number; /* frames ended */
	uint64_t frame_name;
	struct { uint64_t at; char text[64]; } names[FRAME_NAMES];
	unsigned next_name;
	_Atomic uint32_t texts_left; /* of FRAME_TEXTS */
	_Atomic uint64_t worst_newest; /* interval that was put among the worst last; stored before its epoch */
	_Atomic uint64_t worst_interval[REGION_WORST_FRAMES];
	_Atomic int64_t worst_length[REGION_WORST_FRAMES]; /* at first without what the mark itself takes */
	int worst_least; /* slot of the shortest of them */
	struct longest group[REGION_HOURS];
};

/* State of a thread that has no block.  A process has little thread-local storage for libraries that are loaded
 * late, and each copy of this one takes some of it. */
struct outsider {
	uint64_t ended;        /* 1 + process.ended when no block was found: not to look again before it moves */
	uint64_t number;       /* of the thread, for suspend.c: no other one has it, nor had it; 0: none yet */
	const char *name;      /* that it is to have, a copy; NULL: none was said */
	uint32_t depth;        /* of the zones that it entered since and that are dropped */
	uint32_t open;         /* of those that it entered before there was a region, outside of all others */
	uint32_t open_at_fork; /* what its child has to know as `open` */
	uint8_t cause;         /* why they are dropped, and why what is inside of them is: an enum region_loss */
	uint8_t forks : 4, gates : 4; /* of it that are counted, and at the gate: forks.c.  A handler may fork in a fork */
	bool claiming : 1;     /* in prof__thread_claim: a signal handler must not claim a second block */
	bool gone : 1;         /* its destructor ran: nobody would end a block that it took now */
	uint8_t early;         /* periods of samples that came in prof__thread_claim, 255 at most */
};
static_assert(sizeof(struct outsider) == 40, "man/libprof.3 says how many bytes of thread-local storage a copy takes");

enum frame_bounds { BOUNDS_NONE, BOUNDS_INSIDE, BOUNDS_OUTSIDE };

/* The process object; NULL while off.  Thread-local: the calling thread's own, NULL when it has none. */
#define PROF_ON    1 /* of prof__on: zones are recorded, or may be soon */
#define PROF_TIMED 2 /* and so often as much as this: threads that have zones open which are timed */
#define PROF_HELD  (1 << 30) /* with PROF_ON: a copy of the library records, and PROF_ON is its to say */
extern struct process *prof__process;
extern OF_THREAD struct thread *prof__thread;
extern OF_THREAD struct outsider prof__outsider;

static inline void loss_add(struct process *p, enum region_loss cause)
{
	atomic_fetch_add_explicit(&p->shared->lost[cause], 1, memory_order_relaxed);
}

/* Counts lost zones of a thread that has no block. */
static inline void loss_unplaced(struct process *p, enum region_loss cause, uint64_t zones)
{
	atomic_fetch_add_explicit(&p->shared->lost[cause], zones, memory_order_relaxed);
	atomic_fetch_add_explicit(&p->shared->unplaced, zones, memory_order_relaxed);
}

/* zone.c: notes that zones of the thread are lost in the running interval.  If
 * t->skip is not 0, they are lost until it is 0: call this again then. */
void prof__lossy(struct thread *t);

/* arena.c: whether there is memory for the first `bytes` of a section (of the history: of each level); takes it where
 * there was none.  false: there is none, or the section ends before. */
void prof__room_begin(struct process *p);
bool prof__room_more(struct process *p, enum region_section_id id, uint64_t bytes);
static inline bool prof__room(struct process *p, enum region_section_id id, uint64_t bytes)
{
	return bytes <= atomic_load_explicit(&p->there[id], memory_order_acquire) || prof__room_more(p, id, bytes);
}

/* Whether the element with this id is in the region, with its name.  The acquire pairs with the release in prof__publish:
 * whoever sees a record of this thread that names it finds it, also when another thread has put it there just now. */
static inline bool known_row(const struct rows *rows, uint32_t id)
{
	return id && id <= atomic_load_explicit(&rows->used, memory_order_acquire) &&
	       atomic_load_explicit(&rows->known[id - 1], memory_order_relaxed) == KNOWN_THERE;
}

static inline bool known_zone(struct process *p, uint32_t id)
{
	return known_row(&p->zone_rows, id);
}

/* Whether it will never be in the region. */
static inline bool refused_row(const struct rows *rows, uint32_t id)
{
	return id > rows->room || (id <= atomic_load_explicit(&rows->used, memory_order_acquire) && !known_row(rows, id));
}

/* Several threads may do so at once: the larger number stays.  Release. */
static inline void raise_to(_Atomic uint64_t *word, uint64_t to)
{
	uint64_t now = atomic_load_explicit(word, memory_order_relaxed);

	while (now < to && !atomic_compare_exchange_weak_explicit(word, &now, to, memory_order_release, memory_order_relaxed))
		;
}

/* Several threads may write the same to one place.  size: of whole words. */
static inline void write_words(void *to, const void *from, size_t size)
{
	for (size_t w = 0; w < size / sizeof(region_word); w++) {
		uint64_t word;
		memcpy(&word, (const char *)from + w * sizeof word, sizeof word);
		WORD_STORE(((region_word *)to)[w], word);
	}
}

/* signal_guard.c: the library calls the system.  Between the two the thread is not cancelled and takes no signals but its own
 * errors; errno stays as it was. */
struct calm {
	int error, cancel, type;
	sigset_t signals; /* that were blocked before */
};
void prof__calm_begin(struct calm *calm);
void prof__calm_end(const struct calm *calm);

/* How many zones the calling thread has open, recorded or not.  t: its own, or NULL. */
static inline uint32_t prof__open_zones(const struct thread *t)
{
	uint32_t outside = prof__outsider.open + prof__outsider.depth;

	return t && t->guard != GUARD_WIPED ? outside + t->current->depth + t->skipped + t->skip : outside;
}

static inline int64_t prof__ticks(const struct process *p)
{
	return clock_ticks(p->clock);
}

static inline int64_t max_tick(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* maps.c: zeroed pages, private unless the line says otherwise; NULL: no
 * memory. Pages that are left are unmapped when this copy of the library is
 * unloaded. */
void *prof__pages(size_t size);           /* a fork wipes them */
void *prof__inherited_pages(size_t size); /* a fork inherits them; errno is as it was */
void *prof__common_pages(size_t size);    /* parent and child share them after a fork */
void prof__pages_free(void *pages);
void prof__pages_free_all(void); /* nobody may use any of them any more */

/* unload.c */
void prof__unload_watch(void);   /* once, at the start */
bool prof__unload_apart(void);   /* the module is in a namespace of its own (dlmopen), with a C library of its own */
bool prof__unload_is_exit(void); /* call once, in the first destructor; false: the module is unloaded */

/* process.c */
struct process *prof__running(void); /* starts what has not started; in a child, when the name is free; NULL: off */
enum guard prof__ready(const struct thread *t); /* what its guard is between two transitions */
/* Counts zones that are opened while there is no region, so that their ends are recognised.  If another thread
 * is just making the region, `lost` is counted (starting): what the caller had to record, zones or not. */
void prof__too_early(uint32_t zones, uint32_t lost);
void prof__forked(void);             /* this is a child, of which nobody told: what it had is its parent's */
extern uint32_t prof__forks_untold;  /* such forks: nobody knows how many zones were open */

/* forks.c: no region is made while somebody forks.  In a calm, as a handler that forks would wait for its own thread.  false:
 * not to be had, and a region is made all the same. */
bool prof__gate_shut(void);
void prof__gate_open(bool was_shut);
void prof__forks_watch(void (*child)(void)); /* before any; `child` runs in each child */
void prof__forks_in_child(void);
/* The module goes: who forks comes out while the handlers are still there, and who would begin waits; and when they are
 * gone, whoever is in one of them comes out. */
void prof__forks_hold(void);
void prof__forks_await(void);
void prof__await_others(_Atomic int *inside, int own); /* until no others are inside, but not for long */

/* calibrate.c: what entering and leaving a zone costs, in picoseconds; 0: not known.  At least, with all of it in the
 * first cache; and as a program leaves that to it.  Takes two fifths of a
 * millisecond at most; prof__process is set. */
struct pair_cost {
	uint64_t warm_ps, cold_ps;
};
struct pair_cost prof__pair_cost(enum region_clock clock);

/* zone.c: the hot path, for calibrate.c */
void prof__enter_of(struct thread *t, Prof_zone *zone);
void prof__leave_of(struct thread *t);
void prof__leave_marked(void); /* for frame.c: the zone of a mark */
/* The tick to go on with when a mark was set since, or the clock went back, or has not come to the tick of the last
 * boundary, or the thread was still for long.  *head is what the transition is going to be. */
int64_t prof__late(struct thread *t, int64_t now, uint64_t *head);

/* registry.c: zones of the process, with ids that outlive a region; texts, each there once.  Nobody waits for anybody. */
uint32_t prof__zone_id(struct process *p, Prof_zone *zone); /* 0: no room */
void prof__zones_publish(struct process *p);                /* all known ones into a new region */
/* A copy of a text, for good; one text is one pointer.  A new one takes one of *left.  NULL: none is left, or no room. */
const char *prof__text_of_few(const char *text, _Atomic uint32_t *left);
uint64_t prof__region_text(struct process *p, const char *copy); /* of a copy: offset << 32 | size in the region; 0: none */
/* Publishes the elements of a table up to that number, in order, as far as there is room. */
struct publication {
	enum region_section_id id;
	uint32_t size;            /* of an element */
	const struct table *table;
	struct rows *rows;
	region_word *shared;      /* how many there are, for readers */
	void (*texts)(const struct entry *entry, const char **one, const char **other); /* copies that have to be there */
	void (*write)(struct process *p, const struct entry *entry, uint32_t i);
};
void prof__publish(struct process *p, const struct publication *what, uint32_t number);
void prof__registry_drop(void); /* forgets its memory, which is about to be unmapped */
/* As prof__text_of_few and prof__region_text. */
uint64_t prof__string(struct process *p, const char *text, _Atomic uint32_t *left);
#define PROF_NAME_BYTES REGION_TEXT_MOST /* a longer name is cut */
#define PROF_TEXTS      (512u << 10)     /* that are copied, at most */
/* Why something is not in its tables, where no_room would be why they have none: there may be no memory for them. */
enum region_loss prof__registry_refused(enum region_loss no_room);

/* counter.c: counters of the process, with ids that outlive a region */
#define COUNTER_REFUSED UINT32_MAX /* in place of an id: there was no room for it */
uint32_t prof__counter_id(struct process *p, Prof_counter *counter, bool real); /* 0: no room */
void prof__counters_publish(struct process *p);
void prof__counters_drop(void); /* as prof__registry_drop */
enum region_loss prof__counters_refused(void); /* as prof__registry_refused */

/* measure.c */
#define MEASURES 64u /* of a process: a bit for each */
void prof__measures_publish(struct process *p);
void prof__measures_drop(void); /* as prof__registry_drop */
/* The change of a measure since the last boundary in a node (NULL: in the slice); and the same, which moves the
 * base. */
int64_t prof__measure_changed(const struct thread *t, unsigned measure, const struct node *n);
int64_t prof__measure_taken(struct thread *t, unsigned measure, const struct node *n);
bool prof__measure_of_slice(unsigned measure);
void prof__measures_put_aside(struct thread *t); /* the block gets a new owner */
uint32_t prof__measure_id(prof__measure *measure); /* 1 + its index; 0: no room */
/* Adds to a node of the calling thread, in its guard. The interval is the one that the thread knows. */
void prof__measure_add_at(struct thread *t, struct node *n, prof__measure *measure, int64_t amount);

/* delay.c */
bool prof__delay_read(struct thread *t, int64_t cpu, int64_t *ns); /* cpu: of the calling thread, ns */
void prof__delay_end(struct thread *t);
void prof__delay_drop(void); /* as prof__registry_drop; and in a child of a fork */

/* cpu.c */
void prof__cpu_begin(struct process *p);
void prof__cpu_start(struct thread *t); /* t->bound is set */
void prof__cpu_put_aside(struct thread *t); /* the block gets a new owner */
/* The slice ends at b, or a piece of it.  Before the bases move. */
void prof__cpu_slice(struct thread *t, enum record_kind kind, int64_t b);
/* So many intervals up to `end` follow in which the thread stayed in one node. */
void prof__cpu_span(struct thread *t, uint64_t intervals, int64_t end);
/* Amount i of the slice, or of the span behind it, and the number of its measure.  false: not known. */
bool prof__cpu_amount(const struct thread *t, bool span, unsigned i, unsigned *measure, int64_t *amount);

/* modules.c.  One thread at a time reads them anew, and while no handler is in prof__module_of. */
void prof__modules_read(void);
bool prof__module_of(uint64_t address, uint32_t *module, uint64_t *offset);
uint32_t prof__unknown_module(void); /* of an address that is in none; 0: there is no space for it */
bool prof__peek(uint64_t from, void *to, size_t size); /* copies memory; false: some of it is not there */
void prof__modules_drop(void); /* as prof__registry_drop */

/* sample.c */
void prof__sample_begin(struct process *p);
void prof__sample_thread(struct process *p);     /* the calling thread has its block */
void prof__sample_thread_end(struct process *p); /* and gives it back */
void prof__sample_look(struct process *p);       /* once a second */
void prof__sample_end(struct process *p, bool in_exit);
void prof__sample_drop(void); /* as prof__registry_drop */
int prof__move_descriptor(int fd); /* out of the way of those that the program gets; -1: it is closed */
void prof__samples_early(struct thread *t); /* those that came before it had its block */
void prof__samples_take(struct thread *t); /* in its guard: those of the intervals up to its own that came late */

/* arena.c */
uint32_t prof__chunk_claim(struct process *p, enum chunk_use use, uint32_t owned); /* 1 + chunk, 0: none */
void prof__chunk_release(struct process *p, uint32_t chunk);                       /* 1 + chunk */
bool prof__chunk_too_many(struct process *p, enum chunk_use use, uint32_t owned);

/* node.c */
struct node *prof__node_child(struct thread *t, struct node *parent, Prof_zone *zone); /* NULL: skip_cause */
struct node *prof__node_child_of(struct thread *t, struct node *parent, uint32_t id);  /* the same, by the zone's id */
struct node *prof__node_root(struct thread *t); /* NULL: skip_cause */
/* The child of a zone that is never entered: the parent does not keep it at hand.  The second only finds it. */
struct node *prof__node_beside(struct thread *t, struct node *parent, uint32_t id);
struct node *prof__node_known_child(const struct thread *t, const struct node *parent, uint32_t id);

/* thread.c */
struct thread *prof__thread_claim(struct process *p); /* the calling thread's block; NULL: prof__outsider.cause */
void prof__thread_read_name(struct thread *t); /* by the thread itself; may change errno */
void prof__thread_end(struct thread *t, bool jumped); /* jumped: zones open now were never to end */
void prof__thread_watch_end(void); /* prof__timed_gone is called at its end, though it may get no block */
/* Visits each thread that has ended, as its owner: nobody takes its block meanwhile. */
void prof__threads_ended(struct process *p, void (*visit)(struct thread *));
void prof__threads_init(void);   /* once a process */
void prof__threads_look(struct process *p); /* ends those that are gone without a word, if there can be any */
void prof__threads_forked(void); /* in a child */
void prof__threads_fini(void);   /* this copy of the library goes */

/* print.c */
void prof__say_begin(void);                             /* standard error is now what the program was given */
void prof__say_for_children(void);                      /* the process and its children complain once in all */
bool prof__say(char *line, size_t size);                /* a newline is added in line[size]; false: not said */
void prof__complain(const char *what, const char *why); /* of what the environment says: the first time only */
size_t prof__printable(char *out, size_t size, const char *text); /* cut, and what could steer a terminal escaped */

/* switch.c */
bool prof__switched_off(void);
void prof__switch_begin(struct process *p); /* the region's word, what the switch says */
/* The guard of a thread that enters a zone without a second look: GUARD_READY, or GUARD_NEVER while recording is off. */
#pragma GCC visibility push(hidden)
extern uint32_t prof__recording;
#pragma GCC visibility pop

/* timed.c: zones that say how long they took.  Of the calling thread. */
struct timed {
	Prof_zone *zone; /* NULL: none */
	int64_t start_ns;
	uint32_t at;     /* depth of the zone itself */
	uint32_t untold; /* such zones in it that were too deep */
};
bool prof__timed_open(void);
void prof__timed_enter(void);               /* a zone is entered, and this is a cold path */
struct timed prof__timed_leave(void);       /* a zone is left; the one that ends with it, to be told */
void prof__timed_tell(const struct timed *ended);
void prof__timed_gone(void);                /* the thread ends */
void prof__timed_drop(void);                /* zones are suspended or resumed: none that is open says anything */
void prof__timed_forked(void);              /* in a child */
void prof__timed_unload(void);              /* as prof__registry_drop */

/* timer.c: frames by the clock (PROF_FRAME_MS). */
void prof__timer_start(struct process *p, bool in_child, const struct calm *calm);
void prof__timer_wake(void);   /* the program marks frames itself */
/* The process exits, or this copy of the library is unloaded.  Returns whether the thread is gone. */
bool prof__timer_end(bool in_exit);
void prof__timer_forked(void); /* in a child */
void prof__timer_expect(void); /* which is just forked, and has a region of its own, or will have one */
void prof__timer_late(void); /* in a child, at a zone: its thread may be made now */
#pragma GCC visibility push(hidden)
extern _Atomic bool prof__timer_due; /* it was not made yet */
#pragma GCC visibility pop

/* frame.c */
bool prof__mark_by_timer(struct process *p); /* false: the program marks frames itself */
void prof__instant_renew(struct process *p);
#define RATE_AFTER_NS 1000000 /* since the region was made */
int64_t prof__rate(const struct process *p, const struct region_instant *now); /* ticks a second; 0: it is too early to tell */

/* part.c */
int64_t prof__flush(struct thread *t);        /* in a transition; the tick after the new boundary */
void prof__flush_still(struct thread *t);     /* outside of one, which is not made: a value comes in a new interval */
/* Ends a transition whose event filled its chunk. */
void prof__events_full(struct thread *t, uint64_t head, enum guard ready);
void prof__part_pieces(struct thread *t); /* in a transition that has filled a chunk of events */
void prof__part_start(struct thread *t, uint32_t tid);
void prof__part_exit(struct thread *t, int64_t now);
int64_t prof__interval_end(struct process *p, uint64_t interval); /* 0: lapped */
#define LAPPED_TRIES 64 /* so often in a row no interval is lapped; a region that was written over says it for ever */

/* events.c: the chunk for events from number `head` on, or the sink.  The event before was at `tick`. */
void prof__events_open(struct thread *t, uint64_t head, int64_t tick);
/* In a transition, before its event: the one before was at tick `before`, and this one has so many bits for its own, `now`.
 * What `head`, which the transition was going to be, is now: where they do not reach, a TICK comes first. */
uint64_t prof__events_reach(struct thread *t, uint64_t head, int64_t before, int64_t now, unsigned bits);
void prof__events_unkept(struct thread *t); /* counts those that went to the sink */
/* In a transition, the first one behind that interval: its events, from number `first` on, are to stay, with the one
 * before and the one of this transition, as long as the interval is in that slot of the worst ones. */
void prof__events_keep(struct thread *t, unsigned slot, uint64_t interval, uint64_t first);
void prof__events_look(struct thread *t); /* gives back what is kept of frames that are not to be kept any more */

/* retained.c: keeps the record that is in the part log from word `from` on for each worst frame in [first, last], and the
 * events from number `event` on. */
void prof__keep_worst(struct thread *t, uint64_t first, uint64_t last, uint64_t from, uint64_t event);

/* retained.c: the thread has published records of an interval, or a span over several, in its part log.  Or a sum over
 * several, which says nothing of the first of them. */
void prof__hours_note(struct thread *t, uint64_t first, uint64_t last, const struct log_place *at);
void prof__hours_forget(struct thread *t, uint64_t interval);

/* Whether the thread keeps calls and may have to give some up.  Asked at each boundary. */
static inline bool has_to_look(const struct thread *t)
{
	return unlikely(t->calls_turn != atomic_load_explicit(&prof__process->calls_turn, memory_order_relaxed));
}

/* Recording is off.  The word is beside the epoch. */
static inline bool is_off(const struct thread *t)
{
	static_assert(offsetof(struct region_process, enabled) == sizeof(region_word) &&
	              offsetof(struct region_process, epoch) == 0, "enabled is the word behind epoch");
	return unlikely(!WORD_LOAD(t->epoch_word[1]));
}

/* How far the clock had come when the thread read it last. */
static inline int64_t clock_seen(const struct thread *t)
{
	int64_t last = WORD_LOAD(t->block->last);

	return last == t->pushed_to ? t->pushed_from : last;
}

static inline void check_clock(const struct thread *t, int64_t now)
{
	if (now < clock_seen(t))
		loss_add(prof__process, LOSS_CLOCK_BACK);
}

/* `to` is the thread's newest tick from now on, though the clock said less. */
static inline void push_clock(struct thread *t, int64_t to, int64_t from)
{
	t->pushed_to = to;
	t->pushed_from = from;
}

/* Puts n on the list of nodes that changed since the last boundary.  Enter does not: a node that is open is found
 * through its start when the part is written.  Leave does so once in each part, for what it leaves and for its parent,
 * when it finds that `longest` was set back.  So every node that changed is on the list, or is open and was entered
 * since the boundary. */
static inline void touch_node(struct thread *t, struct node *n)
{
	if (unlikely(n->listed != t->listing)) {
		n->listed = t->listing;
		t->dirty[t->dirty_count++] = n;
	}
}

/* Where to cut a text that has at least `most` bytes: not inside a character of UTF-8. */
size_t prof__cut_utf8(const char *text, size_t most);

/* Bytes of a name, or of its beginning if it has more than `most`. */
static inline size_t name_size(const char *name, size_t most)
{
	size_t size = strnlen(name, most);

	return size < most ? size : prof__cut_utf8(name, most);
}

#endif
