/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign_kinds.h"

#include <stdlib.h>

#include "io/foreign/foreign_lanes.h"

static bool (*const writers[FILE_KINDS])(struct foreign *t, FILE *out) = {
	[FILE_CHROME] = foreign_chrome,         [FILE_SPEEDSCOPE] = foreign_speedscope,
	[FILE_VISUALISER] = foreign_visualiser, [FILE_PERF_TIMER] = foreign_perf_timer,
	[FILE_PERF_BINARY] = foreign_perf_binary, [FILE_FOLDED] = foreign_folded,
	[FILE_CALLGRIND] = foreign_callgrind,   [FILE_PPROF] = foreign_pprof,
	[FILE_TABLE_TREE] = foreign_table_tree, [FILE_TABLE_FLAT] = foreign_table_flat,
};

bool foreign_write(struct foreign *t, enum file_kind kind, FILE *out)
{
	bool done;

	t->said[0] = '\0';
	t->no_memory = false;
	t->lanes = NULL;
	if (file_kinds[kind].form == FILE_EVENTS && !foreign_lanes_make(t)) {
		t->no_memory = true;
		return false;
	}
	done = writers[kind](t, out);
	free(t->lanes);
	t->lanes = NULL;
	return done && !t->no_memory && !ferror(out);
}
