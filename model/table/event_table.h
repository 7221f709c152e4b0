/* SPDX-License-Identifier: MIT */
/*
 * event_table: events and notes as a typed table, a row each; a burst of one event is one row (model/stats/bursts.h).
 */
#ifndef MODEL_EVENT_TABLE_H
#define MODEL_EVENT_TABLE_H

#include "model/stats/bursts.h"
#include "model/table/typed_table.h"

enum event_column { EVENT_FRAME, EVENT_TIME, EVENT_THREAD, EVENT_SHOWN, EVENT_KIND, EVENT_NAME, EVENT_NOTE, EVENT_THREAD_ID, EVENT_AT_TICK,
		    EVENT_NS, EVENT_CUT, EVENT_COUNT, EVENT_LAST_NS, EVENT_COLUMNS };

struct event_table {
	struct typed_table table;
	const struct profile *p;
	struct bursts bursts;
	int64_t origin;  /* JSON has the time since this tick */
	uint64_t chosen; /* of the screen: number of the frame that is chosen */
};

extern const struct table_type event_table_type;

/* The `free` of the table's type frees the rows of `bursts` and the table itself, so both were allocated. A caller whose
 * table is on its stack frees the rows itself. */
void event_table_init(struct event_table *t, const struct profile *p, struct bursts bursts);

/* Returns the indices of the instants whose text matches the pattern. The caller frees them; NULL: out of memory. */
uint32_t *event_table_filter(const struct profile *p, const struct pattern *pattern, uint32_t *count);

/* A row of JSON is a note, not an event. */
bool event_table_is_note(const struct event_table *t, uint32_t row);

/* The instant where a row stands: the last one of a burst, the first one of the same few. */
const struct profile_instant *event_table_instant(const struct event_table *t, uint32_t row);

/* The texts of one. The caller frees them; NULL: out of memory. */

/* The name of an event, or the text of a note, with `...` if that was cut; safe to show. */
char *event_text(const struct profile *p, const struct profile_instant *instant, bool ascii);

/* The same of a row; behind several ` ×30`. */
char *event_row_text(const struct profile *p, const struct burst_row *row, bool ascii);

/* The name of its thread; `thread 7` if the thread has none. A row of several threads has
 * `(several)`: the parentheses tell it from a name. */
char *event_thread(const struct profile *p, const struct profile_instant *instant, bool ascii);
char *event_row_thread(const struct profile *p, const struct burst_row *row, bool ascii);

/* The character that stands for a note or an event. */
const char *event_sign(bool note, bool ascii);

/* The time since a frame began is shown in the unit that suits so many ticks: that of the frame's length, unless the time is
 * less than a hundredth of it. */
int64_t event_time_about(const struct profile_frame *frame, int64_t since);

#endif
