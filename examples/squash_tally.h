/* SPDX-License-Identifier: MIT */
/* squash_tally: what was found, counted.
 *
 * Each worker has a tally of its own and nobody else touches it until the worker
 * has ended; then they are added up.
 */
#ifndef SQUASH_TALLY_H
#define SQUASH_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What identifies a file's content.  Two files are taken as equal when both agree. */
struct content {
	uint64_t hash;
	uint64_t size_bytes;
};

enum { TALLY_ERRNOS = 256 }; /* Linux has 133 */

struct tally {
	uint64_t files, directories, skipped;
	uint64_t bytes_in, bytes_out;
	uint64_t errors[TALLY_ERRNOS]; /* what could not be read or walked, by errno */
	struct content *contents;      /* of each file that was read */
	size_t count, room;
};

/* Counts a file that was read whole; false when there is no memory, and nothing is counted. */
bool tally_file(struct tally *t, struct content content, uint64_t bytes_out);

/* Counts something that could not be read, or only in part. */
void tally_error(struct tally *t, int error);

/* Adds from to t; what there is no memory for is counted as ENOMEM. */
void tally_add(struct tally *t, const struct tally *from);

uint64_t tally_errors(const struct tally *t);

/* Files whose content was there before, empty ones left out, and their bytes.
 * A hard link is such a file.  Sorts the contents. */
uint64_t tally_duplicates(struct tally *t, uint64_t *bytes);

void tally_fini(struct tally *t);

#endif
