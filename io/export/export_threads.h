/* SPDX-License-Identifier: MIT */
/*
 * export_threads: the overview of threads, a row each: how busy it was, and what it is in.
 */
#ifndef IO_EXPORT_THREADS_H
#define IO_EXPORT_THREADS_H

#include "io/export/export.h"
#include "model/report/open_stacks.h"
#include "model/stats/thread_load.h"

struct threads_report {
	const struct thread_loads *loads;
	const uint32_t *order; /* the threads that are shown, in their order */
	uint32_t count;        /* of them */
	const struct open_stacks *open; /* NULL: they were not read */
};

/* As a table. False: not all could be written. */
bool text_threads(const struct export *e, const struct export_style *style, FILE *out);

struct json;

/* `loads`: the same rows (export_threads_json.c). */
void json_thread_loads(struct json *j, const struct export *e);

#endif
