/* SPDX-License-Identifier: MIT */
/*
 * file_kinds: the formats that a profile can be exported in, a row each: the command export, its help, the manual and the
 * screen's list follow. What writes them is in io/foreign/foreign_kinds.c, and the page in io/page/.
 */
#ifndef MODEL_FILE_KINDS_H
#define MODEL_FILE_KINDS_H

#include <stdbool.h>
#include <stddef.h>

enum file_kind {
	FILE_CHROME,
	FILE_SPEEDSCOPE,
	FILE_VISUALISER,
	FILE_PERF_TIMER,
	FILE_PERF_BINARY,
	FILE_CSV,
	FILE_JSON,
	FILE_FOLDED,
	FILE_SPEEDSCOPE_SUMS,
	FILE_CALLGRIND,
	FILE_PPROF,
	FILE_TABLE_TREE,
	FILE_TABLE_FLAT,
	FILE_SAMPLES_LOG,
	FILE_HTML,
	FILE_KINDS
};

enum file_form {
	FILE_EVENTS, /* single calls, one after the other */
	FILE_SUMS,   /* of zone stacks */
	FILE_REPORT, /* what a report prints */
	FILE_PAGE,   /* all of these, for a browser */
};

struct file_kind_def {
	enum file_form form;
	const char *holds;  /* what is in it */
	const char *opens;  /* and what opens it */
	const char *ending; /* of a file's name, with its dot */
	bool binary;        /* nothing for a terminal */
};

extern const char *const file_kind_names[FILE_KINDS]; /* as the command export has them */
extern const struct file_kind_def file_kinds[FILE_KINDS];

/* The kind of this name, of so many bytes; FILE_KINDS: there is none. */
enum file_kind file_kind_find(const char *name, size_t length);

#endif
