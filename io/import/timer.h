/* SPDX-License-Identifier: MIT */
/*
 * timer: an event of perf_timer, from either of its files.
 */
#ifndef IO_TIMER_H
#define IO_TIMER_H

#include "io/import/import_inside.h"

enum timer_operation { TIMER_ENTER = 0, TIMER_EXIT = 1, TIMER_NOTE = 2 };

struct timer_event {
	uint64_t operation, thread, time; /* time: ns */
	int64_t frame;                    /* -1: none */
	const char *name;
	size_t size;
	uint64_t place;
};

static inline void timer_tell(struct importing *i, const struct timer_event *e)
{
	int64_t tick = e->time > INT64_MAX ? INT64_MAX : (int64_t)e->time;
	uint32_t thread;

	if (e->operation > TIMER_NOTE) {
		anomaly_add(i->anomalies, ANOMALY_RECORD, e->place);
		return;
	}
	thread = trace_thread(i->trace, e->thread, e->place);
	if (e->operation == TIMER_ENTER)
		trace_enter_text(i->trace, thread, e->name, e->size, tick, e->frame, e->place);
	else if (e->operation == TIMER_EXIT)
		trace_leave_text(i->trace, thread, e->name, e->size, tick, e->place);
	else
		trace_note(i->trace, thread, e->name, e->size, tick, e->frame, e->place);
}

#endif
