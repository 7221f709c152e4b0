/* region_builder.h: regions of known content, made by hand for the tests of the reader.
 *
 * The region is a file of its own in the shared-memory directory, mapped for writing and locked as a writer
 * locks it; region_remove or builder_end unlinks it.  Words may be changed at will through the section
 * pointers: they are what the reader maps.
 */
#ifndef TESTS_REGION_BUILDER_H
#define TESTS_REGION_BUILDER_H

#include "shm/event.h"
#include "shm/record.h"
#include "shm/region.h"
#include "shm/value.h"

/* Elements, where nothing else is asked for. */
#define BUILDER_ZONES   16
#define BUILDER_STRINGS 1024
#define BUILDER_THREADS 4
#define BUILDER_FRAMES  8
#define BUILDER_COUNTERS 64
#define BUILDER_MODULES  8
#define BUILDER_MEASURES 8

#define BUILDER_THREADS_MOST 8
#define BUILDER_LEVELS  3
#define BUILDER_SLOTS   4
#define BUILDER_WORST   4
#define BUILDER_CHUNKS  422
#define BUILDER_START   1000 /* T(0), the tick of creation */

struct builder_log {
	uint32_t chunks[BUILDER_CHUNKS]; /* indices of its chunks, the oldest first */
	uint16_t first_record[BUILDER_CHUNKS]; /* in each of them, UINT16_MAX: none */
	uint32_t owned, most;
	uint64_t head;
	int64_t tick; /* of events: the one before */
};

/* The capacities of a region; 0: as above. */
struct builder_sizes {
	uint32_t zones, strings, threads, frames, counters;
};

struct builder {
	char name[64];
	struct builder_sizes sizes;
	int fd;
	unsigned char *base;
	size_t size;
	struct region_header *header;
	struct region_process *process;
	struct region_zone *zones;
	char *strings;
	region_word *thread_chunks;
	struct region_thread *threads; /* all of them, in the first chunks */
	struct region_frame *frames;
	struct region_group *history;
	struct region_worst *worst;
	struct region_counter *counters;
	struct region_module *modules;
	struct region_measure *measures;
	struct region_chunk *chunks;
	uint32_t chunks_used;
	struct builder_log parts[BUILDER_THREADS_MOST];
	struct builder_log events[BUILDER_THREADS_MOST];
	struct builder_log values[BUILDER_THREADS_MOST];
	struct builder_log hours[BUILDER_THREADS_MOST][REGION_HOURS];
};

/* A live region of one interval, with no thread.  Its name is made of `tag` and the pid. */
void builder_begin(struct builder *b, const char *tag);
/* The same, of that name and those sizes. */
void builder_begin_sized(struct builder *b, const char *name, struct builder_sizes sizes);
void builder_end(struct builder *b);
/* The writer dies: its lock is gone. */
void builder_die(struct builder *b);
void builder_path(const struct builder *b, char *path, size_t size);

uint64_t builder_text(struct builder *b, const char *text); /* offset << 32 | size */
uint32_t builder_zone(struct builder *b, const char *name, const char *file, uint32_t line);
/* A module's index. */
uint32_t builder_module(struct builder *b, const char *path, const char *build);
/* A zone that is an address in it. */
uint32_t builder_address(struct builder *b, uint32_t module, uint64_t offset);
/* A measure's index; key and title are filled. */
uint32_t builder_measure(struct builder *b, const char *key, const char *title, struct region_measure row);
/* The amount of a measure in a node of a block (of a measure of slices: node 0); made when it is new. */
struct region_measured *builder_measured_at(struct builder *b, uint32_t block, uint32_t measure, uint32_t node);
/* Ends the running interval. */
void builder_frame(struct builder *b, int64_t tick, uint64_t number, uint64_t info, const char *name);

/* A live block with its root running since `started`. */
uint32_t builder_thread(struct builder *b, int64_t started, const char *name);
uint32_t builder_node(struct builder *b, uint32_t block, uint32_t parent, uint32_t zone);
struct region_node *builder_node_at(struct builder *b, uint32_t block, uint32_t node);
struct region_node_ended *builder_ended_at(struct builder *b, uint32_t block, uint32_t node);
/* The part of the interval that a thread is in, up to `tick`, with no zone open: its record, its totals.  The nodes'
 * selfs sum up to its length. */
void builder_part(struct builder *b, uint32_t block, int64_t tick, unsigned flags, const struct record_node *nodes,
                  uint32_t count);
/* Transitions, with their events. */
void builder_enter(struct builder *b, uint32_t block, uint32_t node, int64_t tick);
void builder_leave(struct builder *b, uint32_t block, int64_t tick);
/* The oldest chunk of events leaves the log and is kept; `generation` is whose they are. */
void builder_keep_events(struct builder *b, uint32_t block, uint32_t generation);
/* The event alone, in its log. */
void builder_transition_event(struct builder *b, uint32_t block, enum region_event_kind kind, uint32_t node,
                              int64_t tick);

/* Appends a record to a block's part log; it laps when it would need more than parts[block].most chunks.
 * Kind, interval, bound, end, flags are head's; the rest is filled. */
void builder_record(struct builder *b, uint32_t block, struct record_head head, const struct record_node *nodes,
                    uint32_t count);
/* Appends any words, as one record. */
void builder_words(struct builder *b, uint32_t block, const uint64_t *words, uint32_t count);
/* The words of a record; returns how many. */
uint32_t builder_pack(struct record_head head, const struct record_node *nodes, uint32_t count, uint64_t *words);
/* Puts a group behind the `used` words of a packed record; returns how many it has then. */
uint32_t builder_group(uint64_t *words, uint32_t used, enum record_group_kind kind, unsigned flags, unsigned measure,
                       const struct record_value *values, uint32_t count);
void builder_keep(struct builder *b, uint32_t block, uint32_t slot, uint64_t interval, const uint64_t *words,
                  uint32_t count);

/* Appends words as one record to what a block keeps for hours; it laps at hours[block][level].most chunks. */
void builder_hours(struct builder *b, uint32_t block, uint32_t level, const uint64_t *words, uint32_t count);

/* A counter's index.  flags: enum region_counter_flag. */
uint32_t builder_counter(struct builder *b, const char *name, unsigned flags);
/* A block's counter takes a value (of a real one: the bits of a double) in the running interval: what its slot had
 * of an interval before goes to the value log. */
void builder_value(struct builder *b, uint32_t block, uint32_t counter, uint64_t value);
uint64_t builder_real(double value); /* its bits */
/* The slot that a block has for a counter, NULL: none yet. */
struct region_slot *builder_slot_at(struct builder *b, uint32_t block, uint32_t counter);
void builder_event(struct builder *b, uint32_t block, uint32_t zone, int64_t tick);
void builder_note(struct builder *b, uint32_t block, int64_t tick, const char *text);
/* Appends any words to a block's value log, as one record; it laps at values[block].most chunks. */
void builder_value_words(struct builder *b, uint32_t block, const uint64_t *words, uint32_t count);

/* One seeded stream of numbers a test. */
uint64_t builder_random(uint64_t *state);

#endif
