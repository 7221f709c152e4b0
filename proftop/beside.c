/* SPDX-License-Identifier: MIT */
#include "proftop/beside.h"

#include <stdio.h>
#include <string.h>

#include "proftop/wait.h"

#define TAKE_S 0.25 /* from one take to the next */

bool beside_begin(struct beside *b, struct source *s, const char *path, const struct options *o, char *why, size_t why_size)
{
	struct recorder_options options = {
		.no_calls = o->no_calls,
		.over = (int64_t)(o->only_slow_ms * 1e-3 * (double)s->profile->ticks_per_s),
	};

	snprintf(b->path, sizeof(b->path), "%s", path);
	b->taken = 0;
	b->began = wait_now();
	b->recorder = recorder_new(s, &options);
	if (!b->recorder)
		snprintf(why, why_size, "out of memory");
	else if (record_file_holds(o->max_size, b->recorder, why, why_size) &&
		 record_file_open(&b->file, b->path, o->max_size, source_file(s), why, why_size))
		return true;
	recorder_free(b->recorder);
	b->recorder = NULL;
	return false;
}

static void close_recording(struct beside *b)
{
	recorder_free(b->recorder);
	record_file_close(&b->file);
	b->recorder = NULL;
}

bool beside_look(struct beside *b, bool over, char *why, size_t why_size)
{
	bool taken;

	if (!b->recorder || (!over && wait_now() - b->taken < TAKE_S))
		return true;
	taken = record_file_take(&b->file, b->recorder, over);
	b->taken = wait_now();
	if (!taken)
		snprintf(why, why_size, "%s: %s. The recording ends here", b->path,
			 b->file.error ? strerror(b->file.error) : "out of memory");
	if (!taken || over)
		close_recording(b);
	return taken;
}

void beside_anew(struct beside *b)
{
	if (b->recorder && !recorder_begin_anew(b->recorder))
		close_recording(b);
}

void beside_end(struct beside *b)
{
	char why[512];

	beside_look(b, true, why, sizeof(why));
}
