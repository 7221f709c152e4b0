/* SPDX-License-Identifier: MIT */
/*
 * player: a recording as a source of a profile.
 *
 * All but single calls is read into the profile, as far as `hold` bytes of memory reach (profile.h, held_bytes): of more
 * the longest frames are kept, as of a live process. Blocks of single calls are only noted, and read when somebody wants
 * to see that time. So memory does not grow with the file.
 *
 * A recording that is still written is followed as a live process is; one that comes through a pipe is put aside in an
 * unlinked file meanwhile. Blocks that are damaged are left out, and counted as a loss. Where a recording is cut off,
 * what is whole of it is there.
 */
#ifndef IO_PLAYER_H
#define IO_PLAYER_H

#include "io/source.h"

#define PLAYER_HOLD (UINT64_C(160) << 20)

/* Takes the file descriptor over: of a file, or of a pipe. `name` is what the user called it. NULL: no memory, or the
 * system refuses; `why` says which, and the descriptor is closed. */
struct source *player_open(int fd, const char *name, char *why, size_t why_size);

/* Whether these are the first bytes of a recording; 4 are enough. */
bool player_recognises(const void *bytes, size_t size);

/* The number of damaged blocks, which were left out. */
uint64_t player_damaged(const struct source *s);

#endif
