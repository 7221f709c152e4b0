/* snapshot_read.h: what the parts of the snapshot share: checked access to blocks, nodes and strings.
 *
 * Ticks are added and subtracted modulo 2^64: a damaged region may hold any value, and no sum of them
 * may be undefined.
 */
#ifndef SHM_SNAPSHOT_READ_H
#define SHM_SNAPSHOT_READ_H

#include <sched.h>
#include "shm/seq.h"
#include "shm/snapshot.h"

#define TICK_LIMIT (1ull << 62) /* no clock gets there: such a tick is damage */

static inline int64_t tick_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t tick_sub(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t tick_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Another try is due: a writer that lost its core in the middle gets it back. */
static inline void snapshot_wait(const struct attachment *a, int tries)
{
	if (a->live && tries % 8 == 7)
		sched_yield();
}

/* How many elements of a table can be read, of those that it claims. */
static inline uint32_t snapshot_filled(const struct attachment *a, enum region_section_id id, uint64_t said)
{
	const struct region_section *s = &a->header.sections[id];
	uint32_t count = said < s->count ? (uint32_t)said : s->count;

	if (region_there(a, id, (uint64_t)count * s->stride))
		return count;
	return (uint32_t)(a->budget->there[id] / s->stride);
}

/* Element `index`, below the section's count.  A later version may have longer ones, which begin as those of this one. */
static inline void *snapshot_element(const struct attachment *a, enum region_section_id id, uint32_t index)
{
	const struct region_section *s = &a->header.sections[id];

	return a->base + s->offset + (uint64_t)index * s->stride;
}

/* True if so many chunks can have contents.  If a writer goes on reserving, it is asked again. */
static inline bool snapshot_holds(const struct attachment *a, uint64_t chunks)
{
	return chunks <= a->chunks_there || chunks <= region_chunks_there(a);
}

/* The chunk that a link (1 + index) leads to; NULL: there is none, or it is not reserved. */
static inline struct region_chunk *snapshot_chunk(const struct attachment *a, uint64_t link)
{
	if (!link || link > a->chunk_count || (a->mapped && !snapshot_holds(a, link)))
		return NULL;
	return &a->chunks[link - 1];
}

/* A block that was in use at some time, or NULL. */
static inline struct region_thread *snapshot_block(const struct attachment *a, uint32_t block)
{
	uint64_t at = block / CHUNK_BLOCKS;
	struct region_thread *t;

	if (block >= a->thread_count || !region_there(a, REGION_THREADS, (at + 1) * sizeof *a->thread_chunks))
		return NULL;
	/* The acquire pairs with the release in thread.c: the chunk is seen as its blocks left it, not as a log did. */
	t = (struct region_thread *)snapshot_chunk(a, WORD_ACQUIRE(a->thread_chunks[at]));
	return t && BLOCK_STATE(WORD_LOAD(t[block % CHUNK_BLOCKS].state)) != BLOCK_FREE ? &t[block % CHUNK_BLOCKS] : NULL;
}

/* Nodes that a block has published, 0 where there is none: those that it had when asked before, where it says that it has
 * more than all blocks can have. */
uint32_t snapshot_node_count(const struct attachment *a, uint32_t block);

/* Calls visit for the chunks that hold nodes [first, end), from the newest down, with the part of the range
 * in each; the chunk is NULL where the chain is broken.  visit returns false to stop.  Sequence numbers have
 * to descend strictly, so the walk ends whatever the links say. */
typedef bool node_visit(struct region_node_chunk *chunk, uint32_t first, uint32_t end, void *context);
void snapshot_walk_nodes(const struct attachment *a, struct region_thread *t, uint32_t first, uint32_t end,
                         node_visit *visit, void *context);

/* Copies a string of the table into out, cut to fit, with a NUL.  False: not in the table. */
bool snapshot_text(const struct attachment *a, uint64_t offset, uint64_t size, char *out, size_t room);

/* Copies the first `size` bytes, whole words, of an element of a table, each word once: what is checked is what is used,
 * whatever the writer does meanwhile. */
void snapshot_load(const struct attachment *a, enum region_section_id id, uint32_t index, void *out, size_t size);

/* Two strings of the table, one behind the other, into text (of `size`), cut if they must.  False: not in the table. */
struct text_place {
	uint32_t offset, size;
};
bool snapshot_texts(const struct attachment *a, const struct text_place at[2], const char **one,
                    const char **other, char *text, size_t size);

/* A word below `most`, as a number of elements. */
static inline uint32_t snapshot_clamp(uint64_t value, uint32_t most)
{
	return value < most ? (uint32_t)value : most;
}

/* Reads a log of records, of whatever kind.  It is read in portions, and each is checked for words that were
 * overwritten meanwhile before `deliver` sees it.  deliver gets `count` words, which stand in the log from *position
 * on, and hands out the records that are whole.  It sets *used to the words that it is done with, *longer to the
 * length of a record that is not whole in this portion, and r->stopped if it wants no further call.  It returns
 * DAMAGED when it cannot tell where the next record begins, and BUSY when there is no memory. */
struct log_reader;
typedef enum snapshot_result log_deliver(struct log_reader *r, const uint64_t *words, uint64_t count, uint64_t *used,
                                         uint64_t *longer);
struct log_reader {
	struct attachment *a;
	uint32_t block;
	struct region_log *log;
	uint64_t *words; /* freed by log_read's caller */
	uint64_t room, head, wanted;
	struct { /* from the newest chunk down to that of the position where reading began */
		uint32_t *links;
		uint64_t count, newest; /* number of the first of them */
	} chain;
	uint64_t *position, *lapped, *damaged;
	log_deliver *deliver;
	bool stopped;
};
/* Reads from *position up to the head, as snapshot_parts says. */
enum snapshot_result log_read(struct log_reader *r);
bool log_room(struct log_reader *r, uint64_t words); /* in r->words */

/* T(interval); LAPPED, UNDECIDED, ABSENT (not ended), DAMAGED. */
enum snapshot_result snapshot_interval_end(const struct attachment *a, uint64_t interval, int64_t *end);

/* Checks the records in `words`, which belong together, and delivers them one by one. */
struct record_limits {
	uint32_t nodes; /* of the block */
	uint64_t epoch;
	uint32_t measures;
};
struct record_buffer { /* of unpacked nodes and groups; freed by record_buffer_fini of whoever zeroed it */
	struct record_node *nodes;
	size_t room;
	struct record_group *groups;
	size_t group_room;
	struct record_value *values; /* of all groups */
	size_t value_room;
};
void record_buffer_fini(struct record_buffer *buffer);
enum record_verdict {
	RECORD_GOOD,
	RECORD_LATER, /* a kind of a later version: its length alone is known */
	RECORD_BAD,   /* its length is sound, its contents are not */
	RECORD_SHORT, /* not whole in `available`: head->words says how long it is */
	RECORD_NONE,  /* no length can be had */
	RECORD_NO_MEMORY,
};
/* In two steps: what does not need the nodes; and these, with the groups. */
enum record_verdict record_read_head(const uint64_t *words, uint64_t available, struct record_limits limits,
                                     struct record_head *head);
enum record_verdict record_read_nodes(const uint64_t *words, struct record_head *head, struct record_limits limits,
                                      struct record_buffer *buffer);

#endif
