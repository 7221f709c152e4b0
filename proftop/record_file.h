/* SPDX-License-Identifier: MIT */
/*
 * record_file: the file or standard output that a recording is written to. The
 * file is locked meanwhile. So no other program writes into it, and a player
 * knows that more will come.
 *
 * If there is a limit, a file that the next take would make larger than half of
 * the limit is renamed to FILE.1, which replaces an older FILE.1. Then a new
 * file begins. So both together stay within the limit. After a failed write
 * (the disk is full) the file still ends with its last whole block.
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

/* Writes what is new in the source. `over`: it is the last time, and the recording ends. False: the file takes
 * no more, or there is no memory (error 0). */
bool record_file_take(struct record_file *f, struct recorder *r, bool over);

/* Call it before the first take. Returns whether `most` bytes are enough for
 * this program. If not, `why` says how many are. */
bool record_file_holds(uint64_t most, struct recorder *r, char *why, size_t why_size);

void record_file_close(struct record_file *f);

#endif
