/* core_within.c: the library's private side, as far as a test changes it. */
#include "tests/core_within.h"

#include "libprof/libprof_inside.h"

bool within_update(void)
{
	return prof__thread && prof__thread->guard == GUARD_BUSY;
}

uint64_t within_dropped_in_handlers(void)
{
	return WORD_LOAD(prof__process->shared->lost[LOSS_IN_HANDLER]);
}

void within_one_of_each(void)
{
	prof__process->zone_rows.room = 1;
	prof__process->counter_rows.room = 1;
	prof__process->block_room = 1;
}

void within_blocks(uint32_t count)
{
	prof__process->block_room = count;
}

void within_chunks(uint32_t count)
{
	prof__process->chunk_count = count;
	atomic_store(&prof__process->free_count, count);
	prof__process->reserve = count / 5;
}
