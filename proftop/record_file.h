/* SPDX-License-Identifier: MIT */
/*
 * record_file: where a recording goes: a file, which is locked meanwhile, so that nobody else writes into it and who
 * plays it knows that more will come; or standard output.
 *
 * With a limit the file becomes FILE.1 before a take that would exceed half of the limit, in place of an older FILE.1, and
 * a new file begins: so the two never take more. A write that fails (the disk is full) leaves the file whole, up to its last
 * whole block.
 */
#ifndef PROFTOP_RECORD_FILE_H
#define PROFTOP_RECORD_FILE_H

#include "io/recording/recorder.h"

struct record_file {
	const char *path; /* borrowed; "-": standard output */
	struct source_file read; /* what is recorded */
	uint64_t most;    /* bytes of all files together; 0: no limit */
	int fd;
	struct writer *writer;
	uint64_t whole;   /* bytes of the file that are whole blocks */
	uint64_t written; /* of all files so far */
	uint64_t before;  /* bytes of FILE.1 */
	bool exceeded;    /* the two took more than `most` */
	int error;        /* errno of what failed; 0: nothing */
};

/* False: `why`. An existing file is written over only if it is a recording, or empty, and not what is read. */
bool record_file_open(struct record_file *f, const char *path, uint64_t most, struct source_file read, char *why,
		      size_t why_size);

/* What is new of the source goes into it. `over`: it is the last, and the recording is ended. False: it takes no more, or
 * there is no memory (error 0). */
bool record_file_take(struct record_file *f, struct recorder *r, bool over);

/* Before the first take: whether `most` bytes are enough for this program. False: `why` says how many are. */
bool record_file_holds(uint64_t most, struct recorder *r, char *why, size_t why_size);

void record_file_close(struct record_file *f);

#endif
