/* SPDX-License-Identifier: MIT */
/* squash_file: one file read, hashed and compressed.
 *
 * The file goes through two buffers of fixed size, so a huge one costs no more
 * memory than a small one.  What comes out is counted and thrown away.
 */
#ifndef SQUASH_FILE_H
#define SQUASH_FILE_H

#include "squash_tally.h"

/* What a worker needs to squash one file after the other. */
struct squasher;

struct squasher *squasher_new(int level); /* NULL: out of memory */
void squasher_free(struct squasher *s);

/* Counts the regular file at path in the tally, or why it could not be read.
 * Anything else (it may have changed since the directory was read) is skipped. */
void squash_file(struct squasher *s, const char *path, struct tally *tally);

#endif
