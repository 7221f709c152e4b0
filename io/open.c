/* SPDX-License-Identifier: MIT */
/*
 * open: a source of whatever the user means.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/find.h"
#include "io/import/import.h"
#include "io/recording/player.h"
#include "io/region/live.h"

struct request {
	const char *name; /* as it was typed */
	const char *shown;
	unsigned flags;
	const struct import_options *import;
	char *why;
	size_t why_size;
};

/* Standard input is shown by its sign, and what was found in this folder as it
 * was typed. */
static const char *shown_name(const char *name)
{
	if (!strncmp(name, "/dev/fd/", 8))
		return "-";
	return strncmp(name, "./", 2) || strchr(name + 2, '/') ? name : name + 2;
}

static struct source *open_recording(int fd, const struct request *r, enum open_result *result)
{
	struct source *s = player_open(fd, r->shown, r->why, r->why_size);

	*result = s ? OPEN_OK : OPEN_FAILED;
	return s;
}

static bool is_trace(const void *first, size_t size)
{
	return import_recognise(first, size) != IMPORT_NONE;
}

static struct source *open_trace(int fd, const struct request *r, enum open_result *result)
{
	struct import_options o = r->import ? *r->import : (struct import_options){ 0 };
	struct source *s;

	o.source = r->shown;
	s = import_source(fd, &o);
	*result = s ? OPEN_OK : OPEN_FAILED;
	snprintf(r->why, r->why_size, "%s", s ? "" : "out of memory");
	return s;
}

static struct source *open_region(int fd, const struct request *r, enum open_result *result)
{
	if (fd >= 0)
		close(fd);
	if (strcmp(r->shown, "-") != 0)
		return live_open(r->name, r->flags, result, r->why, r->why_size);
	snprintf(r->why, r->why_size, "standard input is neither a recording nor a trace that proftop can read");
	*result = OPEN_FAILED;
	return NULL;
}

enum { RECORDING, TRACE, REGION };

/* The kinds of sources, and how the first bytes of each look. A region is tried
 * last: live_open says why it is none. A region is mapped by its name, and not
 * read through `fd`. */
static const struct kind {
	bool (*recognises)(const void *first, size_t size);
	struct source *(*open)(int fd, const struct request *r, enum open_result *result);
} kinds[] = {
	[RECORDING] = { player_recognises, open_recording },
	[TRACE] = { is_trace, open_trace },
	[REGION] = { NULL, open_region },
};

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

static const struct kind *kind_of_file(int fd)
{
	char *first = malloc(IMPORT_SNIFF);
	ssize_t n = first ? pread(fd, first, IMPORT_SNIFF, 0) : 0;
	const struct kind *kind = &kinds[REGION];

	for (int i = 0; i < REGION && n > 0; i++)
		if (kinds[i].recognises(first, (size_t)n)) {
			kind = &kinds[i];
			break;
		}
	free(first);
	return kind;
}

static const struct kind *kind_of(int fd)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || S_ISDIR(st.st_mode) || S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))
		return &kinds[REGION];
	if (S_ISREG(st.st_mode))
		return kind_of_file(fd);
	return &kinds[pipe_gives_recording(fd) ? RECORDING : TRACE];
}

struct source *source_open(const char *name, unsigned flags, const struct import_options *import, enum open_result *result,
			   char *why, size_t why_size)
{
	const struct request r = { name, shown_name(name), flags, import, why, why_size };
	int fd = strchr(name, '/') ? open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
	struct source *s = kind_of(fd)->open(fd, &r, result);

	if (!s && *result == OPEN_ABSENT)
		find_absent(name, why, why_size);
	return s;
}
