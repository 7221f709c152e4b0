/* SPDX-License-Identifier: MIT */
#include "io/unlinked.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *unlinked_folder(const char *folder)
{
	folder = folder ? folder : getenv("TMPDIR");
	return folder && *folder ? folder : "/tmp";
}

/* No signal ends the program in between: the name would stay. */
static int make_and_unlink(char *path)
{
	sigset_t all, before;
	int fd;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return fd;
}

int unlinked_open(const char *folder)
{
	char path[4096];
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	if (snprintf(path, sizeof path, "%s/proftop-XXXXXX", folder) >= (int)sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return make_and_unlink(path);
}

bool unlinked_write(int fd, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	while (size) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}
