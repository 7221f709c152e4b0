/* core_kill.c: a busy program is killed 1,000 times at random; the region is whole each time. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include "tests/core_check.h"
#include "tests/core_run.h"
#include "tests/core_work.h"

#define KILLS 1000

/* Kills it between no and 12 ms after its region can be seen, or, one time in sixteen, after its start. */
static void kill_once(const struct core_program *program, uint64_t *random, struct check_seen *seen, unsigned *nothing)
{
	bool at_start = core_random(random) % 16 == 0;
	pid_t child = core_start(program);
	int status;

	for (int i = 0; i < 4000 && !at_start && !core_exists(program->shm); i++)
		core_sleep_us(500);
	core_sleep_us(core_random(random) % 12000);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	CHECK(WIFSIGNALED(status), "the program ended by itself: status %#x", (unsigned)status);
	if (core_exists(program->shm))
		check_region(program->shm, seen);
	else
		++*nothing; /* it died before the region was complete */
	core_remove(program->shm);
}

int main(int argc, char **argv)
{
	const char *const arguments[] = { "work", "3", "20000", "2000", "std", NULL };
	struct core_program program = { .shm = core_name("kill"), .size = "1M", .arguments = arguments };
	struct check_seen seen = { 0 };
	uint64_t random = (uint64_t)time(NULL) * 2654435761u | 1;
	unsigned nothing = 0;

	if (argc > 5 && !strcmp(argv[1], "work"))
		return work_main(argv + 2);
	for (int i = 0; i < KILLS && core_failures() == 0; i++)
		kill_once(&program, &random, &seen, &nothing);
	CHECK(seen.regions > KILLS / 2, "%llu regions", (unsigned long long)seen.regions);
	printf("%llu regions (%u times none yet), %llu records, %llu threads in flight, %llu torn\n",
	       (unsigned long long)seen.regions, nothing, (unsigned long long)seen.records, (unsigned long long)seen.in_flight,
	       (unsigned long long)seen.torn);
	replay_print("replayed", &seen.counts);
	return core_result();
}
