/* SPDX-License-Identifier: MIT */
#include "proftop/copy_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proftop/output.h"

#define FILE_NAME "copy.txt"

/* False: its name is too long. */
static bool find_folder(char path[COPY_FILE_PATH])
{
	const char *runtime = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
	size_t room = COPY_FILE_PATH - sizeof("/" FILE_NAME);
	int length;

	if (runtime && *runtime == '/')
		length = snprintf(path, room, "%s/proftop", runtime);
	else
		length = snprintf(path, room, "%s/proftop-%ld", temporary && *temporary == '/' ? temporary : "/tmp",
				  (long)geteuid());
	return length >= 0 && (size_t)length < room;
}

/* Below 0: *why says why. */
static int open_folder(const char *path, const char **why)
{
	struct stat st;
	int fd;

	if (mkdir(path, 0700) && errno != EEXIST) {
		*why = strerror(errno);
		return -1;
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		*why = strerror(errno);
		return -1;
	}
	if (!fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	*why = "other users can write to that folder";
	close(fd);
	return -1;
}

/* Whoever reads it meanwhile has the one before, whole. */
static bool replace(int folder, const char *text, size_t length)
{
	static const char new_name[] = FILE_NAME ".new";
	bool written;
	int fd;

	unlinkat(folder, new_name, 0);
	fd = openat(folder, new_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	written = output_all(fd, text, length);
	return !close(fd) && written && !renameat(folder, new_name, folder, FILE_NAME);
}

bool copy_file_write(const char *text, size_t length, char path[COPY_FILE_PATH], char *why, size_t why_size)
{
	const char *reason = "its name is too long";
	int folder = find_folder(path) ? open_folder(path, &reason) : -1;
	bool done = folder >= 0 && replace(folder, text, length);

	if (folder >= 0 && !done)
		reason = strerror(errno);
	if (folder >= 0)
		close(folder);
	strcat(path, "/" FILE_NAME);
	if (!done)
		snprintf(why, why_size, "%s", reason);
	return done;
}
