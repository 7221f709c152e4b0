/* SPDX-License-Identifier: MIT */
#include "io/open.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/recording/player.h"

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

static struct source *import(int fd, const char *name, const struct import_options *options, enum live_result *result, char *why,
			     size_t why_size)
{
	struct import_options o = options ? *options : (struct import_options){ 0 };
	struct source *s;

	o.source = shown(name);
	s = import_later(fd, &o);
	*result = s ? LIVE_OK : LIVE_FAILED;
	snprintf(why, why_size, "%s", s ? "" : "out of memory");
	return s;
}

/* Whether a pipe gives a recording; what it gives stays in it. Waits until it has given something. */
static bool pipe_gives_recording(int fd)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	uint8_t first[4];
	ssize_t n = 0;
	int copy[2];

	if (pipe2(copy, O_CLOEXEC))
		return true;
	while (poll(&ready, 1, -1) > 0 && (n = tee(fd, copy[1], sizeof(first), 0)) > 0) {
		n = read(copy[0], first, (size_t)n);
		if (n == sizeof(first) || ready.revents & POLLHUP)
			break;
		usleep(1000); /* the rest comes */
	}
	close(copy[0]);
	close(copy[1]);
	return n < 0 || player_recognises(first, (size_t)n);
}

enum content { CONTENT_REGION, CONTENT_RECORDING, CONTENT_TRACE };

/* What is neither a recording nor a trace is a region, or it is told why it is none. */
static enum content content_of(int fd)
{
	char *first;
	struct stat st;
	ssize_t n;
	enum content content = CONTENT_REGION;

	if (fstat(fd, &st) || S_ISDIR(st.st_mode) || S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))
		return CONTENT_REGION;
	if (!S_ISREG(st.st_mode))
		return pipe_gives_recording(fd) ? CONTENT_RECORDING : CONTENT_TRACE;
	first = malloc(IMPORT_SNIFF);
	n = first ? pread(fd, first, IMPORT_SNIFF, 0) : 0;
	if (n > 0 && player_recognises(first, (size_t)n))
		content = CONTENT_RECORDING;
	else if (n > 0 && import_recognise(first, (size_t)n) != IMPORT_NONE)
		content = CONTENT_TRACE;
	free(first);
	return content;
}

struct source *source_open(const char *name, unsigned flags, const struct import_options *options, enum live_result *result,
			   char *why, size_t why_size)
{
	int fd = strchr(name, '/') ? open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
	enum content content = fd >= 0 ? content_of(fd) : CONTENT_REGION;

	if (content == CONTENT_RECORDING)
		return play(fd, name, result, why, why_size);
	if (content == CONTENT_TRACE)
		return import(fd, name, options, result, why, why_size);
	if (fd >= 0)
		close(fd);
	if (!strcmp(shown(name), "-")) {
		snprintf(why, why_size, "standard input is neither a recording nor a trace that proftop can read");
		*result = LIVE_FAILED;
		return NULL;
	}
	return live_open(name, flags, result, why, why_size);
}
