/* core_within.h: what tests do to the library from within: its private side is seen by core_within.c alone. */
#ifndef TESTS_CORE_WITHIN_H
#define TESTS_CORE_WITHIN_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the calling thread has a block, and is in the middle of an update. */
bool within_update(void);

/* What was dropped so far because a handler came in the middle of an update. */
uint64_t within_dropped_in_handlers(void);

/* Before the first zone: room for one zone, one counter and one thread; for so many threads; for so many chunks. */
void within_one_of_each(void);
void within_blocks(uint32_t count);
void within_chunks(uint32_t count);

#endif
