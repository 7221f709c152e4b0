/* cgroup.c: cgroups(7).  A line of /proc/self/cgroup is ID:CONTROLLERS:PATH; of version 2 it is 0::PATH.  The path is that
 * of the process's own root of groups, so in a container it may not be there below the mount point; then what is on the
 * way up to the mount point is. */
#include "shm/cgroup.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOUNT "/sys/fs/cgroup"
#define OTHERS_PART 8   /* one part in so many is left to others */
#define UNASKED_PART 64 /* and one in so many may be taken before it is asked again */

/* The names of the files in the two versions of control groups. */
static const struct version {
	const char *mount, *limit, *in_use;
	const char *dropped[2]; /* of memory.stat: what the kernel drops when memory is short */
} versions[] = {
	{ MOUNT "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", { "total_inactive_file", "total_active_file" } },
	{ MOUNT, "memory.max", "memory.current", { "inactive_file", "active_file" } },
};

/* The group with the least limit: of those of a process one is looked up when its region is made. */
static struct {
	uint64_t limit;
	const struct version *version;
	char in_use[1024], stat[1024]; /* paths */
} tightest;

static size_t read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	return got > 0 ? (size_t)got : 0;
}

/* The number in a file; UINT64_MAX: there is none, or it says `max`. */
static uint64_t limit_in(const char *path)
{
	char text[32];

	if (!read_text(path, text, sizeof text) || text[0] < '0' || text[0] > '9')
		return UINT64_MAX;
	return strtoull(text, NULL, 10);
}

static bool path_to(char path[1024], const struct version *version, const char *group, const char *file)
{
	return snprintf(path, 1024, "%s%s/%s", version->mount, group, file) < 1024;
}

/* The tightest from the group up to the mount point. */
static void look_up(const struct version *version, char *group)
{
	static char path[1024];
	uint64_t limit;
	char *slash;

	do {
		limit = path_to(path, version, group, version->limit) ? limit_in(path) : UINT64_MAX;
		if (limit < tightest.limit && path_to(tightest.in_use, version, group, version->in_use) &&
		    path_to(tightest.stat, version, group, "memory.stat")) {
			tightest.limit = limit;
			tightest.version = version;
		}
		slash = strrchr(group, '/');
		if (slash)
			*slash = '\0';
	} while (slash);
}

static int has_controller(const char *names, const char *end, const char *name)
{
	size_t size = strlen(name);

	for (; names < end; names += strcspn(names, ",:") + 1)
		if (!strncmp(names, name, size) && (names[size] == ',' || names[size] == ':'))
			return 1;
	return 0;
}

static _Atomic int64_t granted; /* bytes that may be taken before it is asked again */

uint64_t cgroup_memory(void)
{
	static char text[4096]; /* more than many a thread's stack has left */
	char *next;

	tightest.limit = UINT64_MAX;
	atomic_store(&granted, 0);
	read_text("/proc/self/cgroup", text, sizeof text);
	for (char *line = text; *line; line = next) {
		char *names, *group;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		names = strchr(line, ':');
		group = names ? strchr(names + 1, ':') : NULL;
		if (group == names + 1)
			look_up(&versions[1], group + 1);
		else if (group && has_controller(names + 1, group, "memory"))
			look_up(&versions[0], group + 1);
	}
	return tightest.limit;
}

/* ---- what is left of it */

/* The numbers of the lines that begin with one of the two names.  In small pieces: this runs on any thread's stack. */
static uint64_t sum_of(const char *path, const char *const names[2])
{
	char text[256];
	size_t have = 0;
	uint64_t sum = 0;
	ssize_t got;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && (got = read(fd, text + have, sizeof text - 1 - have)) > 0) {
		char *line = text, *end;
		have += (size_t)got;
		text[have] = '\0';
		for (; (end = strchr(line, '\n')); line = end + 1)
			for (int i = 0; i < 2; i++) {
				size_t size = strlen(names[i]);
				if (!strncmp(line, names[i], size) && line[size] == ' ')
					sum += strtoull(line + size, NULL, 10);
			}
		have -= (size_t)(line - text);
		memmove(text, line, have);
		if (have == sizeof text - 1)
			have = 0; /* no line is so long */
	}
	if (fd >= 0)
		close(fd);
	return sum;
}

static uint64_t left_now(void)
{
	uint64_t in_use = limit_in(tightest.in_use), dropped;

	if (in_use == UINT64_MAX)
		return UINT64_MAX;
	dropped = sum_of(tightest.stat, tightest.version->dropped);
	in_use -= dropped < in_use ? dropped : in_use;
	return in_use < tightest.limit ? tightest.limit - in_use : 0;
}

static _Atomic time_t refused; /* in this second: 1 + it */

void cgroup_freed(void)
{
	atomic_store_explicit(&refused, 0, memory_order_relaxed);
}

uint64_t cgroup_spare(void)
{
	uint64_t others = tightest.limit / OTHERS_PART + tightest.limit / UNASKED_PART, left;

	if (tightest.limit == UINT64_MAX)
		return UINT64_MAX;
	left = left_now();
	return left > others ? left - others : 0;
}

/* To ask takes as long as a step does.  What others take meanwhile comes out of their own part, which is larger. */
bool cgroup_grants(uint64_t bytes)
{
	struct timespec now;
	uint64_t spare;

	if (tightest.limit == UINT64_MAX)
		return true;
	if (atomic_fetch_sub_explicit(&granted, (int64_t)bytes, memory_order_relaxed) >= (int64_t)bytes)
		return true;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	if (atomic_load_explicit(&refused, memory_order_relaxed) == now.tv_sec + 1)
		return false;
	spare = cgroup_spare();
	atomic_store_explicit(&granted, spare > bytes ? (int64_t)(tightest.limit / UNASKED_PART) : 0, memory_order_relaxed);
	if (spare < bytes)
		atomic_store_explicit(&refused, now.tv_sec + 1, memory_order_relaxed);
	return spare >= bytes;
}
