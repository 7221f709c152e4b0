/* seq.h: a group of words that one writer rewrites, read whole or not at all.
 *
 * The sequence word is odd while the words change and even when they stand.  The writer's release fence
 * keeps the odd mark before the words (a release store of the mark would not: on aarch64 later stores
 * may pass it), the release store keeps the even mark after them; the reader's acquire load and acquire
 * fence are their partners.  A writer may be dead in the middle, so readers give up after a few tries.
 */
#ifndef SHM_SEQ_H
#define SHM_SEQ_H

#include <stdbool.h>
#include "shm/region.h"

#define SEQ_TRIES 64

static inline void seq_write_begin(region_word *seq)
{
	WORD_STORE(*seq, WORD_LOAD(*seq) | 1);
	atomic_thread_fence(memory_order_release);
}

static inline void seq_write_end(region_word *seq)
{
	WORD_RELEASE(*seq, (WORD_LOAD(*seq) | 1) + 1);
}

/* The mark to hand to seq_read_valid; odd: being written, do not read. */
static inline uint64_t seq_read_begin(region_word *seq)
{
	return WORD_ACQUIRE(*seq);
}

static inline bool seq_read_valid(region_word *seq, uint64_t mark)
{
	atomic_thread_fence(memory_order_acquire);
	return !(mark & 1) && WORD_LOAD(*seq) == mark;
}

#endif
