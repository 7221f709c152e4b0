/* SPDX-License-Identifier: MIT */
/*
 * batch_threads: the overview of threads as a report: which of them, over which frames.
 */
#include "model/base/array.h"
#include "proftop/batch.h"

/* The chosen ones, in their order. */
static void choose_threads(struct batch *b)
{
	uint32_t chosen = b->options.thread;

	thread_loads_order(&b->loads, b->p, b->threads);
	for (uint32_t i = 0; i < b->p->thread_count; i++)
		if (profile_selects(b->p, chosen, b->threads[i]))
			b->threads[b->thread_count++] = b->threads[i];
}

int batch_make_threads(struct batch *b)
{
	b->threads = array_zeroed(b->p->thread_count, sizeof(*b->threads));
	if (!b->threads || !thread_loads_cover(&b->loads, b->p, b->values, b->first, b->count))
		return say_no_memory();
	choose_threads(b);
	return EXIT_DONE;
}

void batch_threads_fini(struct batch *b)
{
	thread_loads_fini(&b->loads);
	free(b->threads);
	open_stacks_free(b->open);
}
