/* SPDX-License-Identifier: MIT */
/*
 * regions: how soon proftop says what regions there are.
 *
 *   bench/regions PROFTOP
 *
 * A hundred of them, every other one of a process that lives, each of 3 GiB: the log of a program that ran until its
 * region was full, and behind it a hole, so that they need no more memory than they have in them.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/mark.h"
#include "bench/measure.h"
#include "bench/walk.h"
#include "prof.h"
#include "shm/region.h"

#define REGIONS 100
#define SIZE    (3ull << 30)
#define FRAMES  3000
#define NODES   100

struct bytes {
	unsigned char *at;
	size_t size;
};

static void name_of(int i, char name[64])
{
	snprintf(name, 64, "/bench.%ld.%d", (long)getpid(), i);
}

/* The bytes of the region of this process, as they are. */
static bool own_region(struct bytes *own)
{
	char path[64];
	int fd;

	snprintf(path, sizeof path, "%s/%s", REGION_DIRECTORY, stage_region());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	own->size = fd < 0 ? 0 : (size_t)lseek(fd, 0, SEEK_END);
	own->at = own->size ? mmap(NULL, own->size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (fd >= 0)
		close(fd);
	return own->at != MAP_FAILED;
}

/* One that is as large as its header then says; of a process that lives as long as this one, if it is to. */
static bool make(int i, const struct bytes *own, bool live)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	const uint64_t size = SIZE;
	char name[64];
	int fd;

	name_of(i, name);
	fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || write(fd, own->at, own->size) != (ssize_t)own->size || ftruncate(fd, (off_t)size) != 0 ||
	    pwrite(fd, &size, sizeof size, offsetof(struct region_header, size)) != (ssize_t)sizeof size)
		return false;
	return live ? fcntl(fd, F_OFD_SETLK, &lock) == 0 : close(fd) == 0;
}

/* Milliseconds; below 0: it cannot be run. */
static double list_ms(const char *proftop)
{
	char *argv[] = { (char *)proftop, (char *)"list", NULL };
	posix_spawn_file_actions_t actions;
	double start = measure_now_ns();
	int status = -1;
	pid_t child;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&child, proftop, &actions, NULL, argv, environ) == 0)
		waitpid(child, &status, 0);
	posix_spawn_file_actions_destroy(&actions);
	return status == 0 ? (measure_now_ns() - start) / 1e6 : -1;
}

static void measure(const char *proftop)
{
	struct line line = { .what = "proftop list, 100 regions of 3 GiB", .unit = "ms", .target = TARGET_MOST,
		             .bound = 50 };

	for (int r = 0; r < measure_repeats(); r++) {
		double ms = list_ms(proftop);

		if (ms < 0) {
			line_skip(line.what, "proftop cannot be run");
			return;
		}
		line_add(&line, ms, 0);
	}
	line_print(&line);
}

static int profiled(void)
{
	struct bytes own;
	char name[64];
	int made = 0;

	walk_begin();
	mark_ns(NODES, measure_times(FRAMES));
	if (own_region(&own))
		while (made < REGIONS && make(made, &own, made % 2))
			made++;
	if (made == REGIONS)
		measure(measure_argument(0));
	else
		line_skip("proftop list", "there is no room for the regions");
	for (int i = 0; i <= made; i++) {
		name_of(i, name);
		shm_unlink(name);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const small[] = { "PROF_SHM_SIZE=4M", NULL };

	measure_begin(argc, argv);
	if (stage_now())
		return profiled();
	line_heading("a list of regions");
	stage_run("profiled", small);
	return measure_end();
}
