/* stopped.c: whether a signal has stopped the process of a region, or is ending it.
 *
 * /proc/PID/stat is believed only where it is surely that process's: of this boot, and begun when the region
 * says.  A pid of another namespace is somebody else's here, or nobody's.
 */
#include "shm/attach.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Empty where there is none. */
static void read_stat(uint32_t pid, char *out, size_t size)
{
	char path[32];
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, "/proc/%u/stat", (unsigned)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? 0 : read(fd, out, size - 1);
	if (fd >= 0)
		close(fd);
	out[got > 0 ? got : 0] = '\0';
}

/* flags of the first thread of the process */
#define ENDS 0x604u /* exiting, killed by a signal, writing a core file */
#define PENDING_KILL (1u << 8) /* SIGKILL, which is sent to each thread */

enum region_pulse region_pulse(const struct attachment *a)
{
	unsigned long long start;
	unsigned long flags, pending;
	char text[1024], state;
	const char *behind;

	if (!a->live || !a->same_boot)
		return REGION_UNKNOWN;
	read_stat(a->header.pid, text, sizeof text);
	behind = strrchr(text, ')'); /* the name may have one */
	if (!behind ||
	    sscanf(behind,
	           ") %c %*s %*s %*s %*s %*s %lu %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu"
	           " %*s %*s %*s %*s %*s %*s %*s %*s %lu", &state, &flags, &start, &pending) != 4 ||
	    start != a->header.process_start)
		return REGION_UNKNOWN;
	if (flags & ENDS || pending & PENDING_KILL)
		return REGION_ENDS;
	return state == 'T' ? REGION_STOPPED : REGION_RUNS;
}

bool region_stopped(const struct attachment *a)
{
	return region_pulse(a) == REGION_STOPPED;
}
