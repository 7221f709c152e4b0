/* ring.h: a log of words that one thread writes and that laps, as a chain of chunks.
 *
 *        tail                                             head
 *          v                                               v
 *   (recycled) <- [chunk 7] <- [chunk 8] <- [chunk 9] <- [chunk 10 ....]      <-: link
 *
 * Word w of the log is word w % CHUNK_WORDS of the chunk whose seq is w / CHUNK_WORDS.  While there is
 * room the log grows by fresh chunks; then its oldest chunk becomes its newest.  Before that the tail
 * moves, and only after a release fence are words overwritten; the reader copies, fences, and looks at
 * the tail:
 *
 *   W  recycling: tail = first word still there (relaxed); fence(release); seq, link, words (relaxed)
 *      always:    words (relaxed); head (release)
 *   R  h = head (acquire); follow links from the newest chunk; copy [c, h) (relaxed); fence(acquire);
 *      t = tail (relaxed): what lies before t is lost, what lies behind it is whole
 *
 * A chunk that goes to another thread goes through the arena's free list (release, acquire), so its new
 * words, too, are seen only after the tail.  The same holds for the event log, whose units are events: a chunk has
 * CHUNK_EVENTS of them behind its first word (event.h), and head is the thread's.
 *
 * Chunks of the event log that hold transitions of a worst frame are not overwritten.  When the round comes to one it
 * leaves the log as it is, and becomes the newest of a chain of its own, whose numbers descend with gaps:
 *
 *          kept_chunk               tail                      head
 *              v                     v                         v
 *   [3] <- [7] <- [8]            [chunk 12] <- [chunk 13] <- [chunk 14 ....]
 *
 *   W  out of the log:  link (relaxed); kept_chunk (release); fence(release); tail (relaxed)
 *      back into use:   the links around it (relaxed); kept_gone (release); fence(release); seq, link, words (relaxed)
 *   R  g = kept_gone (acquire); follow links from kept_chunk (acquire); copy (relaxed); fence(acquire);
 *      kept_gone == g: what was copied is whole.  Who reads the log first, and then looks here for what lies before its
 *      tail, misses none.
 *
 * Each of these stores leaves a chain that can be followed, so what a writer leaves that dies between them reads right.
 */
#ifndef SHM_RING_H
#define SHM_RING_H

#include <stdbool.h>
#include "shm/region.h"

/* Writer: the oldest chunk is given up.  tail counts in the log's own units. */
static inline void ring_retire(region_word *tail, uint64_t first_kept)
{
	WORD_STORE(*tail, first_kept);
	atomic_thread_fence(memory_order_release); /* pairs with the acquire fence in ring_copy */
}

/* Writer: makes `chunk` (its index) the newest of a log, number `seq`, behind `before` (1 + index, or 0). */
static inline void ring_open(struct region_chunk *chunks, uint32_t chunk, uint64_t seq, uint64_t before,
                             region_word *newest)
{
	WORD_STORE(chunks[chunk].link, before);
	WORD_STORE(chunks[chunk].seq, seq);
	WORD_RELEASE(*newest, chunk + 1ull); /* pairs with the acquire in ring_newest */
}

/* Writer: `chunk` (its index), the oldest of an event log, is kept; then the tail may move behind it.  `link`: the kept
 * chunk before it (1 + index, or 0), and the generation. */
static inline void ring_keep(struct region_chunk *chunks, uint32_t chunk, uint64_t link, region_word *newest)
{
	WORD_STORE(chunks[chunk].link, link);
	WORD_RELEASE(*newest, chunk + 1ull);       /* pairs with the acquire in snapshot_events.c */
	atomic_thread_fence(memory_order_release); /* pairs with the acquire fence in ring_copy, behind which it is looked for */
}

/* Writer: kept chunks were unlinked, and are going to be used again. */
static inline void ring_kept_gone(region_word *gone)
{
	WORD_RELEASE(*gone, WORD_LOAD(*gone) + 1); /* pairs with the acquire in snapshot_events.c */
	atomic_thread_fence(memory_order_release); /* pairs with the acquire fence there */
}

/* Reader: the link (1 + index) of the newest chunk. */
static inline uint64_t ring_newest(region_word *newest)
{
	return WORD_ACQUIRE(*newest); /* pairs with the release in ring_open */
}

/* Reader: takes `count` units of a chunk, from its unit `first` on, to `out`, which is where they belong in what
 * ring_walk was given. */
typedef void ring_take(struct region_chunk *chunk, uint64_t first, uint64_t count, void *out);

/* Reader: takes units [from, to) of a log, of which a chunk has `units`, to `out`, where each has `size` bytes; to <= head
 * as loaded before with acquire.  `link` is the newest chunk, or one that held unit to - 1 since.  Returns the first unit
 * that is valid in out (at (first - from) * size), or `to` if none is left.  Walks at most as many links as the region
 * has chunks. */
struct attachment;
uint64_t ring_walk(const struct attachment *a, uint64_t link, region_word *tail, uint64_t units, uint64_t from, uint64_t to,
                   ring_take *take, void *out, size_t size);

/* The same of a log of words. */
uint64_t ring_copy(const struct attachment *a, uint64_t link, region_word *tail, uint64_t from, uint64_t to,
                   uint64_t *out);

#endif
