/* SPDX-License-Identifier: MIT */
/*
 * perf_timer's binary file, packed and little-endian: u32 0xFA57, u32 count, and then each event: u8 operation, u64 thread,
 * i32 frame, u64 nanoseconds, u16 bytes of the name, the name.
 */
#include <endian.h>
#include <string.h>

#include "io/import/import_inside.h"
#include "io/import/timer.h"

#define HEAD 8
#define EVENT 23

static uint64_t take(const uint8_t *at, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, at, size);
	return le64toh(value);
}

/* The event at i->in.at; returns its bytes, 0 if it is not all there. */
static size_t event_told(struct importing *i, struct timer_event *e)
{
	const uint8_t *at = i->in.at;
	size_t left = (size_t)(i->in.end - at);

	if (left < EVENT)
		return 0;
	e->size = take(at + 21, 2);
	if (left < EVENT + e->size)
		return 0;
	e->operation = at[0];
	e->thread = take(at + 1, 8);
	e->frame = (int32_t)(uint32_t)take(at + 9, 4);
	e->time = take(at + 13, 8);
	e->name = (const char *)at + EVENT;
	e->place = input_offset(&i->in, at);
	timer_tell(i, e);
	return EVENT + e->size;
}

bool import_timer_binary(struct importing *i)
{
	struct timer_event e = { 0 };
	uint64_t count;

	if (i->in.end - i->in.at < HEAD)
		return import_refuses(i, "it ends within its header");
	count = take(i->in.at + 4, 4);
	i->in.at += HEAD;
	do {
		for (size_t size; count && (size = event_told(i, &e)); count--, i->result->records++)
			i->in.at += size;
	} while (count && import_more(i));
	if (trace_failed(i->trace, i->result->why, sizeof i->result->why))
		return true;
	if (count)
		import_cut(i, input_offset(&i->in, i->in.at));
	else if (i->in.at < i->in.end || import_more(i))
		anomaly_add(i->anomalies, ANOMALY_REST, input_offset(&i->in, i->in.at));
	return true;
}
