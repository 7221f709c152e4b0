/* region.h: the bytes of a profiling region.
 *
 * One POSIX shared-memory object a process.  The instrumented process (the writer) creates it, fills
 * it and alone writes to it; any number of readers map it read-only.  Nothing here knows what a zone
 * is for: this file says where the bytes are and in which order they are published.
 *
 *   0        4096      8192
 *   +--------+---------+--------+---------+---------+--------+---------+-------+-----------------+
 *   | header | process | zones  | strings | threads | frames | history | worst | chunks (arena)  |
 *   +--------+---------+--------+---------+---------+--------+---------+-------+-----------------+
 *     written  words     tables, filled       where    ring     longest    the     blocks of threads,
 *     once     of the    from the front       blocks   of T,    of each    K       nodes, part rings, event rings,
 *              process                        are      info     group      worst   parts and calls that are kept
 *
 * Three more tables stand beside zones: counters, modules, measures.
 *
 * A reader finds every section through header.sections (offset, stride, count): nothing but the header
 * has a fixed place.
 *
 * Later versions add without raising REGION_MAJOR.  So a reader skips what it does not know: sections, elements of
 * tables behind the part that it knows (their stride says how long they are), records and groups of a part log
 * (record.h), records of a value log (value.h), kinds of events (event.h), of lanes, and bits of flags.  A section that
 * is missing has count 0.
 *
 * All shared words are 64-bit and accessed as relaxed atomics; what orders them is written at each of
 * the structures below, and proved by the models in tests/spin.  Times are ticks of header.clock.
 *
 * Frames.  `epoch` is the number of the running interval, from 1.  Interval n ends at T(n), which lives
 * in frames[n % count].end: MARK_UNDECIDED|n while the mark is on its way, then the tick.  T(0) is the
 * tick of creation.  Every thread publishes its own part of an interval (record.h).
 */
#ifndef SHM_REGION_H
#define SHM_REGION_H

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define REGION_MAGIC      0x0a4d4853464f5250ull /* "PROFSHM\n", little-endian; stored last */
#define REGION_BYTE_ORDER 0x01020304u
#define REGION_MAJOR      5 /* another major: refused.  Raised when an old reader would be wrong. */
#define REGION_MINOR      0 /* raised when something is added */
#define REGION_PAGE       4096u
#define REGION_NAME_MAX   200u /* of the object's name */
#define REGION_TEXT_MOST  4095u /* bytes of a text in the strings section: a longer one is damage, so that no region
                                 * makes names of gigabytes by telling of the same bytes again and again */
#define REGION_DIRECTORY  "/dev/shm"

/* Elements of a section, at most: with more, or with texts that are told of more than once, it is damage. */
#define REGION_ZONES_MOST    (1u << 20)
#define REGION_COUNTERS_MOST 8192u
#define REGION_MODULES_MOST  4096u
#define REGION_MEASURES_MOST 1024u
#define REGION_STRINGS_MOST  (64u << 20)
#define REGION_THREADS_MOST  16384u /* each of CHUNK_BLOCKS threads */
#define REGION_FRAMES_MOST   (1u << 20)
#define REGION_SLOTS_MOST    65536u /* of each level of the history */

typedef _Atomic uint64_t region_word;
typedef _Atomic int64_t region_tick;

#define WORD_LOAD(word)         atomic_load_explicit(&(word), memory_order_relaxed)
#define WORD_STORE(word, value) atomic_store_explicit(&(word), (value), memory_order_relaxed)
#define WORD_ACQUIRE(word)      atomic_load_explicit(&(word), memory_order_acquire)
#define WORD_RELEASE(word, value) atomic_store_explicit(&(word), (value), memory_order_release)

/* Sections. */
enum region_section_id {
	REGION_PROCESS,
	REGION_ZONES,
	REGION_STRINGS,
	REGION_THREADS,
	REGION_FRAMES,
	REGION_HISTORY,
	REGION_WORST,
	REGION_CHUNKS,
	REGION_COUNTERS,
	REGION_MODULES,
	REGION_MEASURES,
	REGION_KNOWN, /* sections that this version knows have numbers below it */
	REGION_SECTIONS = 16
};

struct region_section {
	uint64_t offset; /* bytes from the start of the region, a multiple of 64 */
	uint32_t stride; /* bytes from one element to the next */
	uint32_t count;  /* elements */
};

/* Where ticks come from. */
enum region_clock {
	REGION_CLOCK_TSC = 1,   /* x86 rdtsc, invariant */
	REGION_CLOCK_CNTVCT,    /* aarch64 cntvct_el0 */
	REGION_CLOCK_MONOTONIC, /* clock_gettime(CLOCK_MONOTONIC), ns */
};

/* One instant on three clocks. */
struct region_instant {
	uint64_t ticks;
	uint64_t raw_ns;  /* CLOCK_MONOTONIC_RAW */
	uint64_t real_ns; /* CLOCK_REALTIME */
};

/* Page 0.  Written before the magic, which is stored with release, and never after; a name is linked
 * to the object only then, so whoever can open it by name sees it whole. */
struct region_header {
	region_word magic;
	uint32_t byte_order;
	uint16_t word_bits; /* 64 */
	uint16_t reserved;
	uint16_t major, minor;
	uint32_t header_size;
	uint64_t size; /* of the whole region, bytes */
	uint32_t pid;
	uint32_t clock; /* enum region_clock */
	uint64_t process_start; /* field 22 of /proc/PID/stat, tells a reused pid */
	uint64_t ticks_per_s;   /* where the source declares it, else 0: from instants */
	struct region_instant created;
	uint32_t history_levels, history_slots; /* history holds levels (REGION_HOURS) x slots elements */
	char boot_id[40];  /* /proc/sys/kernel/random/boot_id; ticks of another boot mean nothing here */
	char program[64];  /* its short name */
	char command[1024]; /* arguments separated by NUL, cut at the end */
	struct region_section sections[REGION_SECTIONS];
};
static_assert(sizeof(struct region_header) <= REGION_PAGE, "the header is one page");
static_assert(offsetof(struct region_header, size) == 24, "layout");
static_assert(offsetof(struct region_header, sections) == 1216, "layout");

/* Causes of what was lost or found wrong.  region_loss_text in snapshot.c has a sentence for each. */
enum region_loss {
	LOSS_END_WITHOUT_BEGIN,
	LOSS_TOO_DEEP,
	LOSS_NODE_ROOM,
	LOSS_THREAD_ROOM,
	LOSS_ZONE_ROOM,
	LOSS_IN_HANDLER,
	LOSS_AFTER_THREAD_END,
	LOSS_MARK_BUSY,
	LOSS_FRAME_BOUNDS,
	LOSS_LEFT_OPEN,
	LOSS_PART_ROOM,
	LOSS_EVENT_ROOM,
	LOSS_WORST_ROOM,
	LOSS_FRAMES_MERGED,
	LOSS_CLOCK_BACK,
	LOSS_MEMORY,
	LOSS_COUNTER_ROOM,
	LOSS_NOT_A_NUMBER,
	LOSS_VALUE_ROOM,
	LOSS_NOTE_CUT,
	LOSS_HOURS_ROOM,
	LOSS_CALLS_ROOM,
	LOSS_REGION_ROOM,
	LOSS_MARK_ROOM,
	LOSS_STARTING,
	LOSS_STACK_ROOM,
	LOSS_STACK_MISUSED,
	LOSS_MEASURE_ROOM,
	LOSS_SAMPLE_ROOM,
	LOSS_CAUSES,
	LOSS_MAX = 64
};

enum region_process_state { PROCESS_RUNNING, PROCESS_EXITED };

/* The words of the process.  epoch is written under the mark's try-lock by an exchange; all else as said. */
struct region_process {
	_Alignas(64) region_word epoch;
	region_word enabled;      /* 0: zones are not recorded */
	region_word pair_cold_ps; /* as pair_ps, in a program that has other things in the first cache */
	region_word pad0[5];
	_Alignas(64) region_word zones;   /* filled; release, pairs with the acquire in snapshot.c */
	region_word strings;      /* bytes filled */
	region_word threads;      /* blocks ever used; release, pairs with the acquire in snapshot_process */
	region_word chunks_free;
	region_word state;        /* enum region_process_state */
	region_word marker;       /* 1 + block of the thread that set the last mark, 0 before the first */
	region_word frames;       /* frames ended; the running one is frames + 1 */
	region_word left_open;    /* id of the zone found open at a mark at last, or 0 */
	_Alignas(64) region_word instant_seq; /* guards latest */
	region_word latest[3];    /* a struct region_instant, renewed at marks and at exit */
	region_word worst_floor;  /* ticks; a longer frame is slow */
	region_word pair_ps;      /* what entering and leaving a zone costs at least, picoseconds; 0: not known */
	region_word counters; /* filled; release, pairs with the acquire in snapshot_process */
	region_word unplaced; /* lost zones of threads without a block, so that no slice says so (lossy_last) */
	/* Bytes of each section, from its start, that there is memory for (of the history: of each level); what lies behind
	 * is a hole, and no reader of a live region touches it.  It grows as the region fills; release, before what it
	 * makes room for is used, pairs with the acquire in region_there.  0: all of it. */
	_Alignas(64) region_word there[REGION_SECTIONS];
	_Alignas(64) region_word lost[LOSS_MAX];
	_Alignas(64) region_word modules; /* filled; release, pairs with the acquire in snapshot_process */
	region_word measures;             /* likewise */
	region_word pad1[6];
};
static_assert(sizeof(struct region_process) == 896, "layout");

/* Append-only: element i is written before `zones` says more than i.  Of flags: */
#define REGION_ZONE_WAITING 1u /* its own time is waiting: for a screen, a queue, a lock */
struct region_zone {
	uint32_t name, name_size; /* in the strings section, bytes; no NUL counted */
	uint32_t file, file_size;
	uint32_t line, flags;
	uint32_t module, reserved; /* 1 + the module that it is an address of; 0: none */
	uint64_t offset;           /* of that address, from the beginning of the module.  It may have no name then */
};
static_assert(sizeof(struct region_zone) == 40, "layout");

/* A file with code that the program has loaded.  Append-only, as zones. */
struct region_module {
	uint32_t path, path_size;
	uint32_t build, build_size; /* its build id, as hexadecimal digits; none: it has none, or it is not known */
	uint64_t address, size;     /* where it was in memory; 0: not known */
};
static_assert(sizeof(struct region_module) == 32, "layout");

/* A counter: a named value, known by its name and its kind.  Append-only, as zones; unit and flags alone change later. */
struct region_counter {
	uint32_t name, name_size;
	region_word unit; /* offset << 32 | size, as of a frame's name; 0: none was said */
	region_word flags;
};
static_assert(sizeof(struct region_counter) == 24, "layout");

enum region_counter_flag {
	COUNTER_REAL = 1, /* its values are doubles, else signed 64-bit; fixed */
	COUNTER_SET = 2,  /* it was set once: each thread has its own value.  Else it was only added to, and its
	                   * value is the sum over all slots */
	COUNTER_TOTAL = 4, /* it only grows, and by how much is what matters.  Else its value is a level */
};

/* A measure: something that is counted for nodes or for slices beside their time, such as allocated bytes.  The row says
 * all that a reader needs to show it.  Append-only, as zones. */
struct region_measure {
	uint32_t key, key_size;     /* for machines: a to z, 0 to 9 and _ */
	uint32_t title, title_size; /* for people */
	uint32_t unit;    /* enum region_unit */
	uint32_t of;      /* enum region_measure_of */
	uint32_t combine; /* enum region_combine */
	uint32_t flags;   /* enum region_measure_flag */
	int64_t period;   /* REGION_SAMPLED: ns from sample to sample; 0: not known */
};
static_assert(sizeof(struct region_measure) == 40, "layout");

enum region_unit { REGION_TICKS, REGION_COUNT, REGION_BYTES, REGION_NS, REGION_SAMPLES };
enum region_measure_of { REGION_OF_NODE, REGION_OF_SLICE };
enum region_combine { REGION_SUM, REGION_MAX };
enum region_measure_flag {
	REGION_SAMPLED = 1,
	REGION_ABSENT_IS_ZERO = 2, /* a slice without a value has 0.  Else it is not known */
};

/* Zone ids are 1 + index; id 0 is the root: the time in no zone. */
#define REGION_NO_ZONE 0u

enum region_mark_flag {
	MARK_DISCARDED = 1, /* Prof_update(0) */
	MARK_BOUNDED = 2,   /* between begin and end that the program set */
	MARK_OUTSIDE = 4,   /* the time between two bounded frames: no frame, no number */
	MARK_SLOW = 8,      /* among the worst so far: kept in worst[info.slot] */
	MARK_TIMER = 16,    /* by the library's own clock (PROF_FRAME_MS), not by the program */
};
#define MARK_UNDECIDED (1ull << 63)

/* frames[n % count] for interval n, valid while epoch < n + count:
 *   writer: fence(release); info, number, name; end = UNDECIDED|n (relaxed); exchange(epoch, n+1)
 *   reader: end (acquire), the words (relaxed), fence(acquire), epoch >= n + count: lapped */
struct region_frame {
	region_word end;    /* T(n) */
	region_word info;   /* flags | worst slot << 8 | (1 + marking block) << 32 */
	region_word number; /* as the user counts frames, from 1; 0 outside */
	region_word name;   /* strings offset << 32 | size */
};
static_assert(sizeof(struct region_frame) == 32, "layout");
#define MARK_FLAGS(info) ((unsigned)(info) & 0xffu)
#define MARK_SLOT(info)  ((unsigned)((info) >> 8) & 0xffu)
#define MARK_MARKER(info) ((uint32_t)((info) >> 32))

/* history: the longest frame of each 64 intervals, of each 1,024, and of each 16,384; of two of one length the first.
 * Group g of level l is in element l * slots + g % slots; seq = 2(g+1), odd while being written.  Threads keep their
 * parts of these frames (region_thread.hours). */
#define REGION_HOURS 3
#define HISTORY_SHIFT(level) (6 + 4 * (level)) /* group of interval n: n >> HISTORY_SHIFT */
struct region_group {
	region_word seq;
	region_tick first;    /* tick where the group begins */
	region_tick start, length; /* of the longest frame; a length of 0: there is none */
	region_word interval, number, info, name; /* as in region_frame */
};
static_assert(sizeof(struct region_group) == 64, "layout");

/* worst: the K longest frames, in no order.  Threads keep their parts of them (region_thread.worst). */
#define REGION_WORST_FRAMES 16
struct region_worst {
	region_word seq;      /* 2n, odd while being written */
	region_word interval; /* 0: empty */
	region_tick start, end;
	region_word number, info, name;
	region_word pad;
};
static_assert(sizeof(struct region_worst) == 64, "layout");

/* A chunk of the arena.  Chunks of one log are linked backwards, from the newest to the oldest, and
 * numbered without gap; a reader follows prev while the numbers descend by one, then asks the log's
 * tail whether what it copied had been recycled (ring.h). */
struct region_chunk {
	region_word link; /* 1 + index of the chunk before, 0: none */
	region_word seq;  /* number of this chunk in its log, from 0 */
	region_word words[(REGION_PAGE - 16) / 8];
};
static_assert(sizeof(struct region_chunk) == REGION_PAGE, "a chunk is a page");
#define CHUNK_WORDS  ((REGION_PAGE - 16) / 8)  /* 510 */
#define CHUNK_EVENTS (CHUNK_WORDS - 1)         /* of an event log: its first word is a tick (event.h) */

/* A node: one distinct stack of zones of one thread.  `self` holds the time so far while the node is
 * not current, and that minus the tick of its last start while it is: negative, so that one load is
 * always consistent.  Written by its thread alone. */
struct region_node {
	region_tick self;
	region_word count;    /* entries */
	region_tick start;    /* of the open call; of one that was suspended, less what it took before */
	region_tick longest;  /* call that ended since the last boundary; negative: none did */
	region_tick base_self;   /* self and count at the last boundary; under base_seq */
	region_word base_count;
	region_tick run_longest; /* before the last boundary; under base_seq */
	region_word place;       /* parent node | zone id << 32; written once */
};
static_assert(sizeof(struct region_node) == 64, "a node is a cache line");
#define NODE_NOT_LEFT (-1) /* in longest, of a writer that says so */

/* The value that one block gives to one counter.  Written by the block's thread alone; owner and the words after it
 * change under seq.  A double is finite.
 *
 * Owners of a block come one after the other.  If the counter is only added to, a new owner goes on from the value of
 * the owner before it, so that the sum over all slots is what all threads that ever were have added.  If the counter
 * was set once, each owner has a value of its own, which begins at 0.
 *
 * `interval` is the one in which the value changed last, and least and most are of that interval.  Before the value
 * changes in a later interval, what stands here is written to the block's value log (value.h).  So the log has every
 * interval in which the value changed, but the newest, which is here. */
struct region_slot {
	region_word counter; /* 1 + index; release, when all else is there; 0: this slot and those behind it are free */
	region_word born;    /* interval of its first value */
	region_word seq;
	region_word owner;   /* generation of the thread that changed it last */
	region_word interval;
	region_word last, least, most;   /* a signed integer, or the bits of a double */
	region_word run_least, run_most; /* before `interval`; of all owners, if it was never set.  run_least > run_most:
	                                  * there was none */
	region_word pad[2];
};
static_assert(sizeof(struct region_slot) == 96, "layout");

#define CHUNK_SLOTS 42
struct region_slot_chunk {
	region_word link, seq; /* link: 1 + the chunk before, 0: none */
	region_word pad[6];
	struct region_slot slots[CHUNK_SLOTS];
};
static_assert(sizeof(struct region_slot_chunk) == REGION_PAGE, "42 slots fill a chunk");

/* The totals of a node when the previous owner of the block ended (a block has many owners). */
struct region_node_ended {
	region_tick self;
	region_word count;
	region_tick longest;
	region_word born; /* interval in which it was made */
};

#define CHUNK_NODES 42
struct region_node_chunk {
	region_word link, seq;
	region_word pad[6];
	struct region_node nodes[CHUNK_NODES];
	struct region_node_ended ended[CHUNK_NODES];
};
static_assert(sizeof(struct region_node_chunk) == REGION_PAGE, "42 nodes fill a chunk");

/* The link of a chunk of an event log that is kept, as it has transitions of one of the worst frames: it is out of the
 * log, with the number and the words that it had there, and the link leads to the kept chunk before it. */
#define KEPT_LINK(word)       ((word) & 0xffffffffu)
#define KEPT_GENERATION(word) ((uint32_t)((word) >> 32)) /* low bits of whose the events are, if no START is among them */
#define KEPT_CALLS_PART 8 /* one in so many of all chunks may be kept */

/* A growing and lapping log of words in chunks.  head in words; tail: what is older was recycled. */
struct region_log {
	region_word head;  /* release, after the words */
	region_word tail;  /* relaxed, and a release fence before a recycled word is written */
	region_word chunk; /* 1 + newest chunk; release, before its words */
	region_word tail_record; /* first record that begins at or behind tail; stored before tail moves */
};

/* The amounts of a measure in a block: for each node, or for its slices.  Written by its thread alone.  `base` and `ended`
 * change only inside base_seq.
 *
 *   REGION_SUM   value: of all owners up to now.  base: the same at the last boundary.  ended: of the owners before
 *   REGION_MAX   value: since the last boundary.  base: before that, of the owner.  ended: of the owners before
 *
 * The maximum of nothing is 0. */
struct region_measured {
	region_tick value, base, ended;
};

/* Such values of 169 nodes, or of 169 measures of slices.  A thread takes its first such chunk when something is first
 * written.  They are linked from the newest to the oldest, and their numbers descend without a gap to 0. */
#define CHUNK_MEASURED 169
struct region_measured_chunk {
	region_word link, seq; /* link: 1 + the chunk before, 0: none */
	region_word what;      /* measure | first node << 32: values of nodes.  MEASURED_SLICES | first measure << 32 */
	region_word pad[2];
	struct region_measured cells[CHUNK_MEASURED];
};
static_assert(sizeof(struct region_measured_chunk) == REGION_PAGE, "169 cells fill a chunk");
#define MEASURED_SLICES UINT32_MAX

enum region_block_state { BLOCK_FREE, BLOCK_CLAIMED, BLOCK_LIVE, BLOCK_ENDED };

/* The kind of a block.  A reader that does not know a kind shows it as some lane. */
enum region_lane { LANE_THREAD, LANE_LOCK, LANE_PROCESSOR, LANE_QUEUE /* of a GPU */ };

/* The part of a worst frame that this thread keeps: its records of that interval, in a log of their own.  The
 * last part of a thread that ended in the frame is not kept: when it ends, nobody knows yet that the frame is
 * slow. */
struct region_kept {
	region_word seq;
	region_word interval;
	region_word chunk; /* 1 + newest chunk of the record */
	region_word words;
};

/* A thread's block.
 *   transition: intent = h+1 (relaxed); fence(release); ...; head = h+1 (release)
 *               with a TICK in front of its event: the same, and intent = h+2 (relaxed), ...; head = h+2 (release)
 *               of n zones that are suspended or resumed: the same, intent = h+n, or h+1+n, and so is head
 *   reader:     h = head (acquire); words (relaxed); fence(acquire); intent == h: nothing was in flight
 * epoch, bound and the nodes' bases change only inside base_seq (odd while they do). */
#define REGION_CPU 6
#define REGION_CPU_READ (1ull << 63)
struct region_thread {
	_Alignas(64) region_word intent;
	region_word head;    /* words of the event log: transitions, and the TICKs in front of some (event.h) */
	region_tick last;    /* tick of the last transition */
	region_word current; /* node */
	region_word nodes;   /* release, after the node */
	region_word node_chunk; /* 1 + newest chunk of nodes */
	region_word event_tail, event_chunk;
	_Alignas(64) region_word base_seq;
	region_word epoch;   /* the interval the thread is in, as far as it knows */
	region_tick bound;   /* where its part of that interval begins */
	region_tick started; /* first tick of this owner */
	region_word state;   /* enum region_block_state | generation << 8; release */
	region_word tid;     /* | enum region_lane << 32 */
	region_word name_seq;
	region_word slot_chunk; /* 1 + newest chunk of slots; 0: no counter yet */
	_Alignas(64) struct region_log parts;
	struct region_log values; /* value.h */
	_Alignas(64) region_word name[7]; /* 55 bytes and a NUL; under name_seq */
	struct region_kept worst[REGION_WORST_FRAMES];
	struct region_log hours[REGION_HOURS]; /* records as in parts: those of the intervals in `history` */
	region_tick parts_begin; /* where the oldest record of parts begins; 0: there is none yet */
	region_word kept_chunk;  /* 1 + newest of the event log's kept chunks, 0: none (ring.h) */
	region_word kept_gone;   /* how often some of them went back into use */
	/* The first and the last interval, of those not published yet, in which
	 * zones of this thread were lost.  lossy_last is UINT64_MAX while a
	 * lost zone is open.  Records of these intervals have RECORD_LOSSY. */
	region_word lossy_first, lossy_last;
	region_word measured_chunk; /* 1 + newest chunk of measured values; 0: none.  Release */
	/* A bit for each of the first 64 measures: something of it was lost, of this owner or of those before. */
	region_word unmeasured, unmeasured_ended;
	/* Amounts of the whole run that come with slices (GROUP_SLICES): of all owners up to the last reading, and of the owners
	 * before.  Byte i of cpu_measures is 1 + the measure of cpu[i], 0: none; with REGION_CPU_READ once there is
	 * an amount of this owner.  They change only inside base_seq. */
	region_word cpu_measures;
	struct { region_tick value, ended; } cpu[REGION_CPU];
};
static_assert(sizeof(struct region_thread) == 1024, "layout");

/* Four blocks fill a chunk.  Element i of the section of threads is a word: 1 + the chunk of blocks 4i to 4i+3, 0: none
 * yet.  It is stored with release, when the chunk is all zeros, before `threads` says more than 4i; and never changes. */
#define CHUNK_BLOCKS (REGION_PAGE / sizeof(struct region_thread))
static_assert(CHUNK_BLOCKS == 4 && REGION_PAGE % sizeof(struct region_thread) == 0, "blocks fill a chunk");
#define THREAD_NAME_SIZE 56
#define BLOCK_STATE(word)      ((enum region_block_state)((word) & 0xff))
#define BLOCK_GENERATION(word) ((uint64_t)(word) >> 8)

#endif
