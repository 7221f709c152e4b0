/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign.h"

#include <stdlib.h>
#include <string.h>

#include "io/foreign/foreign_events.h"

static bool (*const writers[FILE_KINDS])(struct foreign *t, FILE *out) = {
	[FILE_CHROME] = foreign_chrome,         [FILE_SPEEDSCOPE] = foreign_speedscope,
	[FILE_VISUALISER] = foreign_visualiser, [FILE_PERF_TIMER] = foreign_perf_timer,
	[FILE_PERF_BINARY] = foreign_perf_binary, [FILE_FOLDED] = foreign_folded,
	[FILE_CALLGRIND] = foreign_callgrind,   [FILE_PPROF] = foreign_pprof,
	[FILE_SPEEDSCOPE_SUMS] = foreign_speedscope_sums,
	[FILE_TABLE_TREE] = foreign_table_tree, [FILE_TABLE_FLAT] = foreign_table_flat,
};

/* Two kinds go through all calls twice: one needs their number first, the other the time at which they end. */
static unsigned rounds_of(enum file_kind kind)
{
	return kind == FILE_PERF_BINARY || kind == FILE_SPEEDSCOPE ? 2 : 1;
}

static void count_steps(struct foreign *t, enum file_kind kind)
{
	for (uint32_t i = 0; i < t->lane_count; i++)
		t->all += foreign_walk_steps(&t->lanes[i]) * rounds_of(kind);
}

/* Says if the recording has damaged blocks, or ends before the program did. */
static void say_damage(struct foreign *t)
{
	const struct profile *p = t->profile;

	for (uint32_t i = 0; i < p->loss_count; i++)
		if (p->losses[i].count && !strncmp(p->losses[i].key, "recording_", strlen("recording_")))
			foreign_say(t, "%s", p->losses[i].sentence);
}

bool foreign_write(struct foreign *t, enum file_kind kind, FILE *out)
{
	bool done;

	t->said[0] = '\0';
	t->no_memory = false;
	t->stopped = false;
	t->done = t->all = 0;
	t->lanes = NULL;
	t->lane_count = 0;
	if (file_kinds[kind].form == FILE_EVENTS && !foreign_lanes_make(t)) {
		t->no_memory = true;
		return false;
	}
	count_steps(t, kind);
	done = writers[kind](t, out);
	say_damage(t);
	free(t->lanes);
	t->lanes = NULL;
	return done && !t->no_memory && !t->stopped && !ferror(out);
}
