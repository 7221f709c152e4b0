/* SPDX-License-Identifier: MIT */
#include "io/export/export_threads.h"

#include "io/export/json_members.h"

/* What the thread is in: `zone` with its place and for how long it has been open; null in none; nothing if that is not
 * known. */
static void put_zone(struct json *j, const struct export *e, const struct profile_thread *thread, uint32_t index)
{
	const struct open_stacks *open = e->threads->open;
	bool known = false;
	const struct open_row *row = open ? open_stacks_innermost(open, thread->id, index, &known) : NULL;

	if (row) {
		json_name(j, "zone", open->zones[row->zone].name);
		json_name(j, "file", open->zones[row->zone].file);
		json_integer(j, "line", open->zones[row->zone].line);
		json_ticks(j, e->profile, "open", row->open, 1);
	} else if (known) {
		json_null(j, "zone");
	}
}

static void put_load(struct json *j, const struct export *e, uint32_t i)
{
	const struct profile_thread *thread = &e->profile->threads[i];
	const struct thread_load *load = &e->threads->loads->threads[i];

	json_line(j);
	json_object(j, NULL);
	json_unsigned(j, "thread", thread->id);
	json_name(j, "name", thread->name);
	json_ticks(j, e->profile, "busy", load->busy, 1);
	json_ticks(j, e->profile, "waits", load->waits, 1);
	if (load->longest_frame) {
		json_ticks(j, e->profile, "longest", load->longest, 1);
		json_integer(j, "longest_frame", (int64_t)load->longest_frame);
	}
	put_zone(j, e, thread, i);
	json_object_end(j);
}

void json_thread_loads(struct json *j, const struct export *e)
{
	json_array(j, "loads");
	for (uint32_t i = 0; i < e->threads->count; i++)
		put_load(j, e, e->threads->order[i]);
	json_array_end(j);
	json_line(j);
}
