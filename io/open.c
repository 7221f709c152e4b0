/* SPDX-License-Identifier: MIT */
#include "io/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/recording/player.h"

#define FIRST 16 /* bytes */

/* Standard input goes by its sign, and what was found here as it was typed. */
static const char *shown(const char *name)
{
	if (!strncmp(name, "/dev/fd/", 8))
		return "-";
	return strncmp(name, "./", 2) || strchr(name + 2, '/') ? name : name + 2;
}

static struct source *play(int fd, const char *name, enum live_result *result, char *why, size_t why_size)
{
	enum player_result played;
	struct source *s = player_open(fd, shown(name), &played, why, why_size);

	*result = s ? LIVE_OK : LIVE_FAILED;
	return s;
}

/* Whether the player is to have it: a recording, or a pipe. */
static bool is_recording(int fd)
{
	char first[FIRST];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) || S_ISDIR(st.st_mode) || S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))
		return false;
	if (!S_ISREG(st.st_mode))
		return true;
	n = pread(fd, first, sizeof(first), 0);
	return n > 0 && player_recognises(first, (size_t)n);
}

struct source *source_open(const char *name, unsigned flags, enum live_result *result, char *why, size_t why_size)
{
	int fd = strchr(name, '/') ? open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;

	if (fd >= 0 && is_recording(fd))
		return play(fd, name, result, why, why_size);
	if (fd >= 0)
		close(fd);
	return live_open(name, flags, result, why, why_size);
}
