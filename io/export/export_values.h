/* SPDX-License-Identifier: MIT */
/*
 * export_values: counters, events and notes in JSON and CSV. For the exporters alone.
 */
#ifndef IO_EXPORT_VALUES_H
#define IO_EXPORT_VALUES_H

#include "io/export.h"
#include "io/json.h"
#include "model/counters.h"

/* The frames of a document, one after the other. */
struct frame_values;

struct frame_values *frame_values_new(const struct profile *p); /* NULL: out of memory */
void frame_values_free(struct frame_values *v);

/* The profile has grown since, and maybe lost frames that were told. False: out of memory, and nothing has
 * happened. */
bool frame_values_renew(struct frame_values *v);

/* `counters`, `events` and `notes` of a frame. A counter is there if it changed in the frame, or, as `kept`, if
 * its value is not the one that the document had of it so far, or, with a last of null, if it is not known any more:
 * so the document has the value of each in each frame. */
void json_frame_values(struct json *j, struct frame_values *v, const struct profile_frame *frame);

/* `outside`: the events and notes in (from, to] that are in no frame. */
void json_outside(struct json *j, const struct profile *p, int64_t from, int64_t to);

/* `counters`: the rows of a report. */
void json_counters(struct json *j, const struct profile *p, const struct counter_report *r);

/* The same as comma-separated values. False: not all could be written. */
bool csv_counters(const struct export *e, FILE *out);

/* A name as a field of CSV, quoted if it has to be. It is escaped already. */
void csv_name(const struct export *e, const char *text, FILE *out);

#endif
