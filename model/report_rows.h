/* SPDX-License-Identifier: MIT */
/*
 * report_rows: what report.c makes a report with, in steps: rows with all their values
 * (report_rows.c), then which of them stay and in which order (report_sort.c). For these files
 * alone.
 */
#ifndef MODEL_REPORT_ROWS_H
#define MODEL_REPORT_ROWS_H

#include <regex.h>

#include "model/report.h"

struct report_store {
	char **names; /* by key; NULL: not yet made */
	uint32_t name_count;
	char **thread_names; /* by section */
};

/* A report in the making. */
struct making {
	const struct profile *p;
	const struct values *v;
	const struct report_options *options;
	const struct keys *keys;
	struct report *report;
	uint32_t focus;      /* key */
	bool *calls;         /* by key: it has a zone below it somewhere */
	const char *pattern; /* of the filter, without its `~`; NULL: no filter */
	bool is_regex;
	regex_t regex;
};

/* Fills section->rows for the section's thread, unsorted (a tree: in tree order), with all totals
 * of the section. False: out of memory. */
bool rows_make(struct making *m, struct report_section *section);

/* Drops the rows that are nothing or filtered out, and puts the others in order. Likewise. */
bool rows_arrange(struct making *m, struct report_section *section);

#endif
