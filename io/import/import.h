/* SPDX-License-Identifier: MIT */
/*
 * import: traces that other programs write, as a source of a profile.
 *
 * The contents of a file say what it is, never its name. It is read once, from
 * its first byte to its last, so that it may be a pipe. gzip and zstd are
 * unpacked on the way, and UTF-16 becomes UTF-8. Memory is bounded by the
 * number of threads, zones and paths of zones, and of calls that are open at
 * once. If much has to be sorted, it goes to an unlinked file in $TMPDIR.
 *
 * Each fault of a file is counted by kind (enum anomaly) and reported with its line
 * or byte. It is an error only if the file cannot be what it seemed to be, or
 * cannot be read.
 *
 * The figures of a trace:
 *
 *     ticks      are nanoseconds, but microseconds in profile-visualiser's text, which has no others. Times below 0 are
 *                shifted, all of them by as much
 *     frames     of perf_timer's files are their own, with its numbers; if there is a frame 0, each has one more, as frames are
 *                counted from 1. -1 is none. A block belongs to
 *                the frame that it was entered in, as does its self time. A frame begins with its first block; it ends with
 *                its last one, or where the next frame begins. A thread's part of it is of the thread's own blocks
 *     or         each event of a name ends one (frame_event): the time behind the last is in none
 *     or         each call of a zone is one (frame_zone), of the thread that called it first
 *     or         they are made by time, all of one length: 1, 2, 10, 20, 100, 200 ... ticks, so that there are a hundred
 *                to five hundred of them. A trace of very many threads has fewer
 *                (FRAME_GUESSED)
 *     open       zones at the end of a thread are open until its last time: their time counts, as does their entry, but
 *                there is no call of which one knows how long it took
 *     unended    a zone in a Chrome trace that has no end, and a call (X) around it, ends with that call
 */
#ifndef IO_IMPORT_H
#define IO_IMPORT_H

#include "io/source.h"

enum import_kind {
	IMPORT_NONE,   /* nothing that is known here */
	IMPORT_PACKED, /* by gzip or zstd, or UTF-16: its kind is known when it is decoded */
	IMPORT_TEXT,   /* of profile-visualiser */
	IMPORT_TIMER_JSON, /* of perf_timer */
	IMPORT_TIMER_BINARY,
	IMPORT_CHROME, /* trace events in JSON */
	IMPORT_FOLDED, /* stacks in a line, with a sum */
	IMPORT_KINDS
};

/* `perf_timer JSON`. */
extern const char *const import_names[IMPORT_KINDS];

/* The format that the first bytes of a file look like. IMPORT_SNIFF bytes are enough for all that can be known. */
#define IMPORT_SNIFF 65536u
enum import_kind import_recognise(const void *bytes, size_t size);

enum import_step {
	IMPORT_READS, /* bytes of the file as it is; 0 of them: it is not known how many there are */
	IMPORT_ORDERS /* what was read, where it has to be put in the order of time first */
};

struct import_options {
	const char *frame_event; /* NULL: none */
	const char *frame_zone;  /* NULL: none. Not both */
	bool merge_namesakes;    /* threads of one name that are not there at the same time become one */
	const char *source;      /* what the user named: the file */
	bool (*progress)(void *context, enum import_step step, uint64_t done, uint64_t total); /* false: give up, it fails.
												 * May be NULL */
	void *context;
	const char *temporary;   /* a folder for what does not fit into memory; NULL: $TMPDIR, or /tmp */
	uint64_t calls_most;     /* begins and ends of single calls in memory; 0: TRANSITIONS_MOST */
};

/* anomaly.c: what was wrong in a file: how often, by kind, and where first. */

enum anomaly {
	ANOMALY_RECORD,   /* a line, or an event, that is none of the format */
	ANOMALY_NUMBER,
	ANOMALY_MEMBER,
	ANOMALY_TOKEN,
	ANOMALY_PHASE,
	ANOMALY_UNNAMED,
	ANOMALY_END_ALONE,
	ANOMALY_MISMATCH,
	ANOMALY_OPEN,
	ANOMALY_OVERLAP,
	ANOMALY_TOUCH,
	ANOMALY_TIME_BACK,
	ANOMALY_TIME_RANGE,
	ANOMALY_ROUNDED,
	ANOMALY_TWO_COUNTS,
	ANOMALY_NAME_CUT,
	ANOMALY_NAME_NUL,
	ANOMALY_DEEP,
	ANOMALY_MANY,
	ANOMALY_FRAME,
	ANOMALY_NO_FRAME,
	ANOMALY_SYNTAX,
	ANOMALY_LONG,
	ANOMALY_CUT,
	ANOMALY_DAMAGED,
	ANOMALY_CHECKSUM,
	ANOMALY_REST,
	ANOMALIES
};

struct anomaly_kind {
	const char *key;      /* of JSON */
	const char *sentence; /* what it is, and what was done */
	bool loses;           /* something of the file is not in the figures, or a time is not as it was */
};

extern const struct anomaly_kind anomaly_kinds[ANOMALIES];

#define ANOMALIES_TOLD 1000u /* have a place; of one kind at most a tenth */

struct anomaly_place {
	enum anomaly kind;
	uint64_t at; /* line from 1, or byte from 0 */
};

struct anomalies {
	uint64_t counts[ANOMALIES];
	bool lines; /* places are lines, else bytes */
	uint32_t told;
	struct anomaly_place places[ANOMALIES_TOLD]; /* as they were found */
};

#define ANOMALY_NOWHERE UINT64_MAX /* it has no place */

void anomaly_add(struct anomalies *a, enum anomaly kind, uint64_t at);
uint64_t anomalies_total(const struct anomalies *a);

struct import_result {
	enum import_kind kind;
	uint64_t bytes;   /* unpacked */
	uint64_t records; /* lines, events: what the file consists of */
	struct anomalies anomalies;
	char why[320]; /* a sentence for the user, if it failed */
};

/* A trace whose first `next` reads all of it, so that this can be done in a thread beside the screen (io/follow.h), and
 * ended by the source's `stop`. What does not fit into memory becomes a recording first, in an unlinked file in the folder
 * for what is temporary, and that is played. Takes `fd` over; the names in the options are copied. NULL: out of memory, and
 * `fd` is closed. */
struct source *import_source(int fd, const struct import_options *options);

/* The result of the import, once the whole file is read. NULL: not yet, or the source is no trace. */
const struct import_result *import_result_of(const struct source *s);

/* The version of YAJL, which reads JSON. */
const char *import_json_library(char *out, size_t size);

#endif
