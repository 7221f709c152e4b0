/* SPDX-License-Identifier: MIT */
/*
 * told_app: a profiled program that does as it is told, so that a test knows each frame that there ever was.
 *
 * It is the test itself, run again. It marks so many frames as it is asked for, says so, and rests. A frame is
 * three zones, a counter that adds 1, and in every hundredth a thread that comes and goes.
 *
 * Readers are proftop, with its output in a pipe that only lines are counted of.
 */
#ifndef TESTS_TOLD_APP_H
#define TESTS_TOLD_APP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct told_app {
	char region[64];
	pid_t pid;
	FILE *ask, *answers;
	uint64_t frames; /* that it marked so far */
};

/* main, if argv[1] is "told". */
int told_main(void);

/* With a region of so many bytes, "256K"; it is there when this returns. */
void told_begin(struct told_app *app, const char *tag, const char *size);
void told_frames(struct told_app *app, uint64_t frames); /* returns when they are marked */

/* It says what it did, and ends with 7; its region stays, and is compared with that. */
void told_end(struct told_app *app);

/* For a whole program: what a test that failed has left is removed. */
int told_remove_all(void **state);

/* Of a process, in KiB: memory of its own; its mappings; its descriptors. */
struct held {
	uint64_t private_kib, mappings, descriptors;
};
struct held held_by(pid_t pid);

/* Mappings that a program may have more than before: a sanitizer maps for itself as it goes. */
#ifdef __SANITIZE_ADDRESS__
#define HELD_MAPPINGS_MORE 32u
#else
#define HELD_MAPPINGS_MORE 0u
#endif

struct stream_reader {
	pid_t pid;
	int fd;
	uint64_t lines;
	char last[4096]; /* line, its beginning */
	size_t used;
	bool over;
};

void stream_reader_begin(struct stream_reader *r, const char *region);
void stream_reader_drain(struct stream_reader *r);                /* what is there now */
void stream_reader_until(struct stream_reader *r, uint64_t lines); /* until there were so many, or it is over */
void stream_reader_kill(struct stream_reader *r);

/* Reads to the end; what it wrote and skipped is all from its first frame to the program's last. Returns how many it
 * skipped. */
uint64_t stream_reader_end(struct stream_reader *r, const struct told_app *app);

/* The number behind "name": in a line of JSON. */
uint64_t json_number_in(const char *line, const char *name);

#endif
