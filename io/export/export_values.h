/* SPDX-License-Identifier: MIT */
/*
 * export_values: counters, events and notes, in JSON and in the text report. For the exporters alone.
 */
#ifndef IO_EXPORT_VALUES_H
#define IO_EXPORT_VALUES_H

#include "io/export/export.h"
#include "io/json.h"
#include "model/stats/counters.h"

/* The frames of a document, one after the other. */
struct frame_values;

/* `no_events`: they are left out, notes are not. NULL: out of memory. */
struct frame_values *frame_values_new(const struct profile *p, bool no_events);
void frame_values_within(struct frame_values *v, int64_t from, int64_t to); /* as in struct export; 0 and 0: no bound */
void frame_values_free(struct frame_values *v);

/* The profile has grown since, and maybe lost frames that were told. False: out of memory, and nothing has
 * happened. */
bool frame_values_renew(struct frame_values *v);

/* `counters`, `events` and `notes` of a frame. A counter is written
 *  - if it changed in the frame;
 *  - with `kept`, if it did not change, but its value is not the one that the document had of it last;
 *  - with a `last` of null, if its value was known in the document so far, and is not known any more.
 * So a reader of the document knows the value of each counter in each frame. An event that comes in a burst
 * (bursts.h) is written once, with `count` and the `last_ns`. */
void json_frame_values(struct json *j, struct frame_values *v, const struct profile_frame *frame);

/* export_values_text.c: a line for each note and event of the frames that are covered, and of what happened outside of
 * frames; nothing where there are none. */
void text_happened(const struct export *e, const struct export_style *style, FILE *out);
void text_outside(const struct export *e, const struct export_style *style, FILE *out);

/* `outside`: the events and notes in (from, to] that are in no frame. */
void json_outside(struct json *j, const struct profile *p, int64_t from, int64_t to, bool no_events);

#endif
