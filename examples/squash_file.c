/* SPDX-License-Identifier: MIT */
/* squash_file.c: the zones read, hash and compress, once for each block of a file. */
#include "squash_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <prof.h>

struct squasher {
	ZSTD_CCtx *zstd;
	unsigned char *in, *out;
	size_t in_size, out_size;
};

struct squasher *squasher_new(int level)
{
	struct squasher *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->in_size = ZSTD_CStreamInSize();
	s->out_size = ZSTD_CStreamOutSize();
	s->in = malloc(s->in_size);
	s->out = malloc(s->out_size);
	s->zstd = ZSTD_createCCtx();
	if (s->in && s->out && s->zstd &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, level)))
		return s;
	squasher_free(s);
	return NULL;
}

void squasher_free(struct squasher *s)
{
	if (!s)
		return;
	ZSTD_freeCCtx(s->zstd);
	free(s->out);
	free(s->in);
	free(s);
}

/* Opens a regular file: 0, an errno, or -1 for anything else.  Opened without
 * blocking, for the FIFO that took the file's place after the directory was read. */
static int open_regular(const char *path, int *fd)
{
	Prof(open);
	struct stat st;

	*fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (*fd < 0)
		return errno == ELOOP || errno == ENXIO ? -1 : errno;
	if (!fstat(*fd, &st) && S_ISREG(st.st_mode))
		return 0;
	close(*fd);
	return -1;
}

/* Fills the buffer, less only at the end of the file; -1: errno says why. */
static ssize_t read_block(int fd, unsigned char *buffer, size_t size)
{
	Prof(read);
	size_t filled = 0;

	while (filled < size) {
		ssize_t n = read(fd, buffer + filled, size - filled);
		if (n == 0)
			break;
		if (n > 0)
			filled += (size_t)n;
		else if (errno != EINTR)
			return -1;
	}
	return (ssize_t)filled;
}

/* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t hash_block(uint64_t hash, const unsigned char *bytes, size_t count)
{
	Prof(hash);

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
	return hash;
}

/* Compresses what is in the buffer, and with last ends the frame; 0 or an errno. */
static int compress_block(struct squasher *s, size_t count, bool last, uint64_t *bytes_out)
{
	Prof(compress);
	ZSTD_inBuffer in = { s->in, count, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { s->out, s->out_size, 0 };
		left = ZSTD_compressStream2(s->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			return ENOMEM; /* of its errors the only one that this use can meet */
		*bytes_out += out.pos;
	} while (in.pos < in.size || (last && left > 0));
	return 0;
}

/* 0 or an errno. */
static int squash_stream(struct squasher *s, int fd, struct content *content, uint64_t *bytes_out)
{
	bool last;

	content->hash = UINT64_C(14695981039346656037);
	ZSTD_CCtx_reset(s->zstd, ZSTD_reset_session_only);
	do {
		ssize_t count = read_block(fd, s->in, s->in_size);
		if (count < 0)
			return errno;
		last = (size_t)count < s->in_size;
		content->hash = hash_block(content->hash, s->in, (size_t)count);
		content->size_bytes += (size_t)count;
		int error = compress_block(s, (size_t)count, last, bytes_out);
		if (error)
			return error;
	} while (!last);
	return 0;
}

void squash_file(struct squasher *s, const char *path, struct tally *tally)
{
	Prof(file);
	struct content content = { 0 };
	uint64_t bytes_out = 0;
	int fd;
	int error = open_regular(path, &fd);

	if (error < 0) {
		tally->skipped++;
		return;
	}
	if (!error) {
		error = squash_stream(s, fd, &content, &bytes_out);
		close(fd);
	}
	if (!error && !tally_file(tally, content, bytes_out))
		error = ENOMEM;
	if (error)
		tally_error(tally, error);
}
