/* SPDX-License-Identifier: MIT */
/*
 * json_members: the members that several JSON documents have in common, the page's among them.
 */
#ifndef IO_JSON_MEMBERS_H
#define IO_JSON_MEMBERS_H

#include "io/json.h"
#include "model/profile/profile.h"

/* `process` and `ticks_per_s`. */
void json_process(struct json *j, const struct profile *p);

/* A thread by its id; null if it is none, but several. */
void json_thread(struct json *j, const struct profile *p, uint32_t thread);

/* The value of a counter, whose numbers are `real` or whole. */
void json_number(struct json *j, const char *key, bool real, union profile_number n);

/* zone, file, line. `depth` above 1 is shown with the name, as in a report. */
void json_zone(struct json *j, const struct profile *p, uint32_t zone, uint32_t depth);

/* A time in ticks as `name`, and beside it in nanoseconds as `name_ns`. */
void json_ticks(struct json *j, const struct profile *p, const char *name, int64_t ticks,
		int64_t scale);

/* The same of an amount of any measure: in nanoseconds beside it, if it is of time; null if it is not known. */
void json_amount(struct json *j, const struct profile *p, uint32_t measure, const char *name, bool known, int64_t amount,
		 int64_t scale);

/* `measure`, `unit`, and of a sampled one `period_ns`; nothing of time. */
void json_measure(struct json *j, const struct profile *p, uint32_t measure);

/* `max` and `max_ns`, of a longest call: null where it is not known. */
void json_longest(struct json *j, const struct profile *p, int64_t ticks);

/* `name`, if the program gave it one. */
void json_frame_name(struct json *j, const struct profile *p, const struct profile_frame *frame);

/* `flags`: a list of words. */
void json_frame_flags(struct json *j, uint32_t flags);

/* `lost`: the count of each cause. */
void json_losses(struct json *j, const struct profile *p);

#endif
