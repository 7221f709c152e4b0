/* SPDX-License-Identifier: MIT */
/*
 * export_calls: single calls of the focus of a call graph: lines of text below its table, or the member `calls` of a
 * document.
 */
#ifndef IO_EXPORT_CALLS_H
#define IO_EXPORT_CALLS_H

#include "io/export/export.h"
#include "model/stats/calls.h"

struct json;

/* What is printed; borrowed. */
struct calls_report {
	uint32_t key;  /* the focus */
	uint32_t zone; /* likewise */
	const struct calls_summary *sections; /* as many as the graph has */
	uint32_t count;
};

/* A few lines a section, and an empty one behind. */
void text_calls(const struct export *e, const struct calls_report *r, const struct export_style *style, FILE *out);

/* `calls` of one section: see proftop(1). */
void json_calls(struct json *j, const struct profile *p, const struct calls_report *r, uint32_t section);

#endif
