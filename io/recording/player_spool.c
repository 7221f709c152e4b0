/* SPDX-License-Identifier: MIT */
#include "io/recording/player_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/unlinked.h"

#define SCAN 65536u /* bytes looked through at a time for the next head */
#define PORTION 65536u
#define AT_ONCE (UINT64_C(64) << 20) /* taken off a pipe at one look */
#define PIPE_SIZE (1 << 20)
#define FLOWS_MS 5 /* so long one waits for more of what has just come */

static bool is_file(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

bool player_spool_begin(struct player *p, char *why, size_t why_size)
{
	if (is_file(p->fd))
		return true;
	p->pipe = p->fd;
	fcntl(p->pipe, F_SETPIPE_SZ, PIPE_SIZE); /* else it takes many looks until what is known of the past has come */
	p->fd = unlinked_open(unlinked_folder(NULL));
	if (p->fd < 0)
		snprintf(why, why_size, "cannot buffer %s in %s: %s. Set TMPDIR to another folder", p->called,
			 unlinked_folder(NULL), strerror(errno));
	return p->fd >= 0;
}

static void end_pipe(struct player *p)
{
	close(p->pipe);
	p->pipe = -1;
}

static bool put_aside(struct player *p, const uint8_t *bytes, size_t size)
{
	while (size) {
		ssize_t n = pwrite(p->fd, bytes, size, (off_t)p->size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			p->no_room = n ? errno : EIO;
			return false;
		}
		bytes += n;
		size -= (size_t)n;
		p->size += (uint64_t)n;
	}
	return true;
}

/* Reads what the pipe has now, or gets within the time. */
static void take_pipe(struct player *p, int wait_ms)
{
	uint8_t portion[PORTION];
	struct pollfd ready = { .fd = p->pipe, .events = POLLIN };

	for (uint64_t taken = 0; taken < AT_ONCE && !atomic_load(&p->source.stop);) {
		int polled = poll(&ready, 1, taken ? FLOWS_MS : wait_ms);
		ssize_t n;

		if (!polled)
			return;
		n = polled < 0 ? -1 : read(p->pipe, portion, sizeof(portion));
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			return;
		if (n <= 0 || !put_aside(p, portion, (size_t)n)) {
			end_pipe(p);
			return;
		}
		taken += (uint64_t)n;
	}
}

/* A recording is locked while it is being written. */
static bool is_locked(int fd)
{
	if (!flock(fd, LOCK_SH | LOCK_NB)) {
		flock(fd, LOCK_UN);
		return false;
	}
	return errno == EWOULDBLOCK;
}

void player_spool_look(struct player *p, int wait_ms)
{
	struct stat st;

	if (p->pipe >= 0) {
		take_pipe(p, wait_ms);
		p->written = p->pipe >= 0;
		return;
	}
	if (p->ended || !p->written)
		return;
	p->written = is_locked(p->fd); /* before the size: what was written last is seen */
	if (!fstat(p->fd, &st))
		p->size = (uint64_t)st.st_size;
}

bool player_spool_read(struct player *p, uint64_t offset, void *to, size_t size)
{
	uint8_t *at = to;

	while (size) {
		ssize_t n = pread(p->fd, at, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		offset += (uint64_t)n;
		size -= (size_t)n;
	}
	return true;
}

bool player_read_block(struct player *p, uint64_t offset, const struct recording_head *head)
{
	p->stored.count = p->raw.count = 0;
	if (!bytes_reserve(&p->stored, head->stored + 1u) || !bytes_reserve(&p->raw, head->raw + 1u)) {
		p->no_memory = true;
		return false;
	}
	p->raw.count = head->raw;
	return player_spool_read(p, offset + RECORDING_HEAD, p->stored.at, head->stored) &&
	       block_unpack(head, p->stored.at, p->raw.at) == BLOCK_OK;
}

bool player_recognises(const void *bytes, size_t size)
{
	static const uint8_t sync[4] = { RECORDING_SYNC & 0xff, RECORDING_SYNC >> 8 & 0xff, RECORDING_SYNC >> 16 & 0xff,
					 RECORDING_SYNC >> 24 };

	return size >= sizeof(sync) && !memcmp(bytes, sync, sizeof(sync));
}

uint64_t player_next_head(struct player *p, uint64_t offset)
{
	uint8_t bytes[SCAN + RECORDING_HEAD];
	struct recording_head head;

	for (uint64_t at = offset + 1; at + RECORDING_HEAD <= p->size; at += SCAN) {
		uint64_t size = p->size - at < sizeof(bytes) ? p->size - at : sizeof(bytes);

		if (!player_spool_read(p, at, bytes, size))
			break;
		for (uint64_t i = 0; i < SCAN && i + RECORDING_HEAD <= size; i++)
			if (player_recognises(&bytes[i], RECORDING_HEAD) && block_read_head(&bytes[i], &head) == BLOCK_OK)
				return at + i;
	}
	return p->size;
}

/* A head and what follows it: into p->stored. */
static bool read_whole(struct player *p, uint64_t offset, size_t *size)
{
	uint8_t bytes[RECORDING_HEAD];
	struct recording_head head;

	if (!player_spool_read(p, offset, bytes, sizeof(bytes)) || block_read_head(bytes, &head) != BLOCK_OK)
		return false;
	*size = RECORDING_HEAD + head.stored;
	p->stored.count = 0;
	return bytes_reserve(&p->stored, *size) && player_spool_read(p, offset, p->stored.at, *size);
}

/* Copies damaged bytes unchanged, so that a reader of the copy finds the same
 * damage. */
static bool give_damage(struct player *p, uint64_t at, uint64_t end, bool (*give)(void *context, const void *block, size_t size),
			void *context)
{
	uint8_t bytes[PORTION];

	for (uint64_t size; at < end; at += size) {
		size = end - at < sizeof(bytes) ? end - at : sizeof(bytes);
		if (!player_spool_read(p, at, bytes, size) || !give(context, bytes, size))
			return false;
	}
	return true;
}

bool player_copy(struct source *s, bool (*give)(void *context, const void *block, size_t size), void *context)
{
	struct player *p = (struct player *)s;
	size_t size;

	if (p->written && !p->ended)
		return false;
	for (uint64_t at = p->base, next; at < p->end; at = next) {
		bool whole = read_whole(p, at, &size);

		next = whole ? at + size : player_next_head(p, at);
		next = next < p->end ? next : p->end;
		if (whole ? !give(context, p->stored.at, size)
			  : !p->damaged || !give_damage(p, at, next, give, context))
			return false;
	}
	return true;
}

struct source_file player_spool_file(const struct player *p)
{
	struct stat st = { 0 };

	fstat(p->fd, &st);
	return (struct source_file){ st.st_dev, st.st_ino, p->source.profile->process.pid, p->written && !p->ended };
}

void player_spool_end(struct player *p)
{
	if (p->pipe >= 0)
		close(p->pipe);
	if (p->fd >= 0)
		close(p->fd);
}
