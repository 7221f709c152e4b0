/* SPDX-License-Identifier: MIT */
/*
 * unlinked: files that nobody sees, and that are gone with who has them.
 */
#ifndef IO_UNLINKED_H
#define IO_UNLINKED_H

#include <stdbool.h>
#include <stddef.h>

/* `folder` itself, if it is given; else $TMPDIR, or /tmp. */
const char *unlinked_folder(const char *folder);

/* Below 0: errno. */
int unlinked_open(const char *folder);

/* All of it. False: errno. */
bool unlinked_write(int fd, const void *bytes, size_t size);

#endif
