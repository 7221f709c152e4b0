/* SPDX-License-Identifier: MIT */
/*
 * live_stack: the zones that are open in a thread now; of a dead program, those that it died in: its threads never said
 * that they ended, and shm/snapshot_thread.c climbs from the zone that was current.
 */
#include "io/region/live_inside.h"

#include <stdlib.h>

#include "model/base/array.h"

#define STACK_MAX 4096

static bool stack_fill(struct live *l, struct block *b, const struct snapshot_open *open,
		       uint32_t count, struct source_stack *out)
{
	out->zones = array_zeroed(count, sizeof(*out->zones));
	for (uint32_t i = count; out->zones && i-- > 0;) {
		uint32_t node = open[i].node ? live_node(l, b, true, open[i].node) : PROFILE_NONE;

		if (node != PROFILE_NONE)
			out->zones[out->count++] = (struct source_open){ node, open[i].entered };
	}
	return out->zones;
}

/* The stack is read after the profile: what was entered between them would seem to be open for no time. It was open
 * for as long as the program was seen alive, at the least. */
static int64_t tick_of(struct live *l, int64_t last)
{
	int64_t now;

	if (!l->a.live || !snapshot_now(&l->a, &now))
		now = l->source.profile->now_tick;
	if (now < l->alive_tick)
		now = l->alive_tick;
	return now > last ? now : last;
}

/* The block that is the thread's now; thread_count: none. */
static uint32_t block_of(const struct live *l, uint32_t thread)
{
	uint32_t i = 0;

	while (i < l->a.thread_count && (l->blocks[i].thread != thread || !l->blocks[i].live))
		i++;
	return i;
}

bool live_stack(struct source *s, uint32_t thread, struct source_stack *out)
{
	struct live *l = (struct live *)s;
	uint32_t block = block_of(l, thread);
	struct snapshot_open *open;
	bool done;

	if (block == l->a.thread_count)
		return false;
	open = malloc(STACK_MAX * sizeof(*open));
	if (!open)
		return false;
	done = stack_fill(l, &l->blocks[block], open,
			  snapshot_stack(&l->a, block, open, STACK_MAX, &out->busy, &out->last), out);
	out->now = tick_of(l, out->last);
	free(open);
	return done;
}
