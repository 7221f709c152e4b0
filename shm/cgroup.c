/* cgroup.c: cgroups(7).  A line of /proc/self/cgroup is ID:CONTROLLERS:PATH; of version 2 it is 0::PATH.  The path is that
 * of the process's own root of groups, so in a container it may not be there below the mount point; then what is on the
 * way up to the mount point is. */
#include "shm/cgroup.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOUNT "/sys/fs/cgroup"

static size_t read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	return got > 0 ? (size_t)got : 0;
}

/* What a file says; UINT64_MAX: there is none, or it says `max`. */
static uint64_t limit_in(const char *path)
{
	char text[32];

	if (!read_text(path, text, sizeof text) || text[0] < '0' || text[0] > '9')
		return UINT64_MAX;
	return strtoull(text, NULL, 10);
}

/* From the group up to the mount point. */
static uint64_t least(const char *mount, char *group, const char *file)
{
	char path[1024];
	uint64_t limit = UINT64_MAX, one;
	char *slash;

	do {
		if (snprintf(path, sizeof path, "%s%s/%s", mount, group, file) < (int)sizeof path &&
		    (one = limit_in(path)) < limit)
			limit = one;
		slash = strrchr(group, '/');
		if (slash)
			*slash = '\0';
	} while (slash);
	return limit;
}

static int has_controller(const char *names, const char *end, const char *name)
{
	size_t size = strlen(name);

	for (; names < end; names += strcspn(names, ",:") + 1)
		if (!strncmp(names, name, size) && (names[size] == ',' || names[size] == ':'))
			return 1;
	return 0;
}

uint64_t cgroup_memory(void)
{
	static char text[4096]; /* more than many a thread's stack has left */
	uint64_t limit = UINT64_MAX, one;
	char *next;

	read_text("/proc/self/cgroup", text, sizeof text);
	for (char *line = text; *line; line = next) {
		char *names, *group;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		names = strchr(line, ':');
		group = names ? strchr(names + 1, ':') : NULL;
		if (!group)
			continue;
		one = group == names + 1 ? least(MOUNT, group + 1, "memory.max")
		    : has_controller(names + 1, group, "memory") ? least(MOUNT "/memory", group + 1, "memory.limit_in_bytes")
		                                                 : UINT64_MAX;
		limit = one < limit ? one : limit;
	}
	return limit;
}
