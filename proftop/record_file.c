/* SPDX-License-Identifier: MIT */
#include "proftop/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/recording/player.h"

/* Names and totals may take at most three quarters of a file. */
#define HEAD_PARTS 3
#define FILE_PARTS 4

static bool write_out(void *context, const void *bytes, size_t size)
{
	struct record_file *f = context;
	const char *at = bytes;

	for (size_t left = size; left;) {
		ssize_t n = write(f->fd, at, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			f->error = n ? errno : EIO;
			return false;
		}
		at += n;
		left -= (size_t)n;
	}
	f->whole += size;
	f->written += size;
	return true;
}

static bool begin_file(struct record_file *f)
{
	f->whole = 0;
	f->writer = writer_new(write_out, f);
	return f->writer;
}

/* Nobody's letters are written over by a slip. */
static bool may_be_written(int fd)
{
	char first[16];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st))
		return false;
	if (!S_ISREG(st.st_mode))
		return true;
	n = pread(fd, first, sizeof(first), 0);
	return n == 0 || (n > 0 && player_recognises(first, (size_t)n));
}

static bool is_read(const struct record_file *f, int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_dev == f->read.device && st.st_ino == f->read.inode;
}

/* True if the file may be renamed to FILE.1: either there is no such file, or it is a recording, too. */
static bool may_turn(const struct record_file *f, const char **what)
{
	char before[4096];
	int fd;
	bool may;

	snprintf(before, sizeof(before), "%s.1", f->path);
	fd = open(before, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return *what = "not readable", errno == ENOENT;
	*what = is_read(f, fd) ? "the file that is open" : "not a recording";
	may = may_be_written(fd) && !is_read(f, fd);
	close(fd);
	return may;
}

/* A player of the file locks it for a moment now and then. */
static bool lock_file(int fd)
{
	for (int tries = 0; tries < 20; tries++) {
		if (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
			return true;
		usleep(10000);
	}
	return false;
}

/* A pipe is not opened for reading, too: else it would never be seen that nobody reads it. */
static int open_to_write(const char *path)
{
	struct stat st;
	int fd;

	if (stat(path, &st) || !S_ISFIFO(st.st_mode))
		return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		fcntl(fd, F_SETFL, 0);
	return fd;
}

static bool open_file(struct record_file *f, char *why, size_t why_size)
{
	const char *what;

	if (f->most && !may_turn(f, &what)) {
		snprintf(why, why_size, "cannot overwrite '%s.1': it is %s", f->path, what);
		return false;
	}
	f->fd = open_to_write(f->path);
	if (f->fd < 0 && errno == ENXIO) {
		snprintf(why, why_size, "'%s': no program reads this pipe", f->path);
	} else if (f->fd < 0) {
		snprintf(why, why_size, "cannot write '%s': %s", f->path, strerror(errno));
	} else if (is_read(f, f->fd)) {
		snprintf(why, why_size, "cannot record onto the open file '%s'", f->path);
	} else if (!may_be_written(f->fd)) {
		snprintf(why, why_size, "cannot overwrite '%s': it is not a recording", f->path);
	} else if (!lock_file(f->fd)) {
		snprintf(why, why_size, "another proftop is writing '%s'", f->path);
	} else {
		if (!ftruncate(f->fd, 0) || errno == EINVAL) /* not of a pipe */
			return true;
		snprintf(why, why_size, "cannot write '%s': %s", f->path, strerror(errno));
	}
	record_file_close(f);
	return false;
}

bool record_file_open(struct record_file *f, const char *path, uint64_t most, struct source_file read, char *why,
		      size_t why_size)
{
	*f = (struct record_file){ .path = path, .most = most, .read = read, .fd = -1 };
	if (!strcmp(path, "-"))
		f->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	else if (!open_file(f, why, why_size))
		return false;
	if (f->fd >= 0 && begin_file(f))
		return true;
	snprintf(why, why_size, f->fd < 0 ? "standard output is closed" : "out of memory");
	record_file_close(f);
	return false;
}

/* Removes a block that was written in part. */
static void cut_half(struct record_file *f)
{
	struct stat st;

	if (f->error && f->fd >= 0 && !fstat(f->fd, &st) && S_ISREG(st.st_mode) && ftruncate(f->fd, (off_t)f->whole))
		f->error = errno;
}

/* The file becomes FILE.1, and another one begins. */
static bool turn_file(struct record_file *f)
{
	char before[4096], why[64];
	const char *path = f->path;
	struct record_file was = *f;
	uint64_t whole;

	writer_end(f->writer);
	cut_half(f);
	if (writer_failed(f->writer))
		return false;
	if (snprintf(before, sizeof(before), "%s.1", path) >= (int)sizeof(before) || rename(path, before)) {
		f->error = errno;
		return false;
	}
	whole = f->whole;
	record_file_close(f);
	if (!record_file_open(f, path, f->most, f->read, why, sizeof(why))) {
		f->error = errno ? errno : ENOMEM;
		return false;
	}
	f->written = was.written;
	f->exceeded = was.exceeded;
	f->before = whole;
	return true;
}

bool record_file_take(struct record_file *f, struct recorder *r, bool over)
{
	uint64_t half = f->most / 2, bytes = 0;
	bool done;

	recorder_limit(r, half);
	if (half && !recorder_look(r, over, &bytes))
		return false;
	if (half && !bytes)
		return true;
	if (half && f->whole && f->whole + bytes > half) {
		recorder_leave(r, f->writer);
		if (!turn_file(f))
			return false;
		recorder_turn(r);
	}
	done = recorder_take(r, f->writer, over);
	f->exceeded |= f->most && f->whole + f->before > f->most;
	if (done && over)
		writer_end(f->writer);
	cut_half(f);
	return done && !writer_failed(f->writer);
}

bool record_file_holds(uint64_t most, struct recorder *r, char *why, size_t why_size)
{
	uint64_t head, least;

	if (!most)
		return true;
	if (!recorder_head(r, &head)) {
		snprintf(why, why_size, "out of memory");
		return false;
	}
	least = (2 * head * FILE_PARTS / HEAD_PARTS + 1023) / 1024;
	if (most >= least * 1024)
		return true;
	snprintf(why, why_size, "--max-size is too small: each of the two files begins with all names and totals. Use at least %lluK",
		 (unsigned long long)least);
	return false;
}

void record_file_close(struct record_file *f)
{
	writer_free(f->writer);
	f->writer = NULL;
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}
