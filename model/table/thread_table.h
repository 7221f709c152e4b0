/* SPDX-License-Identifier: MIT */
/*
 * thread_table: the overview of threads as a typed table, a row a thread: how busy it was, and what it is in.
 */
#ifndef MODEL_THREAD_TABLE_H
#define MODEL_THREAD_TABLE_H

#include "model/stats/open_stacks.h"
#include "model/stats/thread_load.h"
#include "model/table/typed_table.h"

extern const char *const thread_state_names[]; /* by enum profile_thread_state */

struct thread_table {
	struct typed_table table;
	const struct profile *p;
	const struct thread_loads *loads;
	const uint32_t *order;          /* the threads that are shown, in their order */
	const struct open_stacks *open; /* NULL: they were not read */
	const struct values *amounts;   /* of another measure than time; NULL: there is no column of it */
};

/* A table of `count` threads; all is borrowed. `has_frames`: there are columns of frames. */
void thread_table_init(struct thread_table *t, const struct profile *p, const struct thread_loads *loads, const uint32_t *order,
		       uint32_t count, const struct open_stacks *open, bool has_frames);

/* A column with each thread's amount of the measure of these values, which are borrowed. Of time there is none. */
void thread_table_amounts(struct thread_table *t, const struct values *v);

#define THREAD_AMOUNT 96

/* What a thread has in values of another measure than time: `12.5 KiB`, `≥67.000 µs`, or `-` if nothing of it is known. */
void thread_amount(char out[THREAD_AMOUNT], const struct profile *p, const struct values *v, uint32_t thread, bool ascii);

#endif
