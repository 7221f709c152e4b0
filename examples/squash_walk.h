/* SPDX-License-Identifier: MIT */
/* squash_walk: what is in a directory. */
#ifndef SQUASH_WALK_H
#define SQUASH_WALK_H

#include "squash_queue.h"
#include "squash_tally.h"

/* Pushes the regular files and the directories in it, and counts the rest as skipped:
 * symbolic links, devices, FIFOs and sockets.  Counts why it could not be walked. */
void walk(const char *path, struct queue *queue, struct tally *tally);

#endif
