/* SPDX-License-Identifier: MIT */
#include "proftop/program_output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUTPUTS 2 /* standard output, standard error */

void program_output_close(struct program_output *o)
{
	if (o->fd >= 0)
		close(o->fd);
	free(o->file);
	*o = (struct program_output){ .fd = -1 };
}

/* Whether it is open already. */
static bool is_open(const struct program_output *o, const struct stat *st)
{
	return o->fd >= 0 && o->device == st->st_dev && o->inode == st->st_ino;
}

/* A pipe or a device is never opened: that alone may do something. False: errno;
 * 0: the path is no regular file. */
static bool open_output(struct program_output *o, const char *path, const char *shown)
{
	struct stat st;
	int fd;

	errno = 0;
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	if (is_open(o, &st))
		return true;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return false;
	program_output_close(o);
	o->fd = fd;
	o->file = strdup(shown);
	if (o->file && !fstat(fd, &st) && S_ISREG(st.st_mode)) {
		o->device = st.st_dev;
		o->inode = st.st_ino;
		return true;
	}
	program_output_close(o);
	return false;
}

/* False: errno; ENOENT: there is no such process, or it has closed them all. */
static bool open_of_process(struct program_output *o, int64_t pid)
{
	char path[64], shown[PATH_MAX];
	int error = ENOENT;

	for (int i = 1; i <= OUTPUTS; i++) {
		ssize_t length;

		snprintf(path, sizeof(path), "/proc/%lld/fd/%d", (long long)pid, i);
		length = readlink(path, shown, sizeof(shown) - 1);
		shown[length > 0 ? length : 0] = '\0';
		if (open_output(o, path, shown))
			return true;
		if (errno != ENOENT)
			error = errno;
	}
	errno = error;
	return false;
}

/* An open output stays open when the process is gone, even before proftop knows. */
static bool find_output(struct program_output *o, const char *file, int64_t pid)
{
	if ((*file && open_output(o, file, file)) || (pid && open_of_process(o, pid)))
		return true;
	return o->fd >= 0 && (!pid || errno == ENOENT);
}

static void say_why(int64_t pid, bool recording, char *why, size_t why_size)
{
	if (recording)
		snprintf(why, why_size, "a recording does not have the program's output");
	else if (!pid)
		snprintf(why, why_size, "the program has ended, and its output is not known");
	else if (errno && errno != ENOENT)
		snprintf(why, why_size, "the program's output cannot be read: %s", strerror(errno));
	else
		snprintf(why, why_size, "the program's output is not a file; start it with proftop -- PROGRAM");
}

struct output_tail *program_output_read(struct program_output *o, const char *file, int64_t pid, bool recording,
					char *why, size_t why_size)
{
	char bytes[PROGRAM_OUTPUT_TAIL];
	struct output_tail *tail;
	struct stat st;
	off_t from;
	ssize_t length;

	if (!find_output(o, file, pid)) {
		say_why(pid, recording, why, why_size);
		return NULL;
	}
	from = fstat(o->fd, &st) || st.st_size < PROGRAM_OUTPUT_TAIL ? 0 : st.st_size - PROGRAM_OUTPUT_TAIL;
	length = pread(o->fd, bytes, sizeof(bytes), from);
	if (length < 0) {
		say_why(pid, recording, why, why_size);
		return NULL;
	}
	tail = output_tail_new(o->file, bytes, (size_t)length, (uint64_t)st.st_size);
	if (!tail)
		snprintf(why, why_size, "out of memory");
	return tail;
}
