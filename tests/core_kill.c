/* core_kill.c: a busy program is killed at random, while it is watched; the region is whole each time.
 *
 * A reader is beside it when it dies, and one comes afterwards: both show the same.  The third look is that of the
 * tests at the region's own bytes: nothing is torn, and at most one transition a thread is in flight.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include "tests/core_check.h"
#include "tests/core_run.h"
#include "tests/core_shown.h"
#include "tests/core_work.h"
#include "tests/long.h"

struct kills {
	uint64_t random;
	unsigned watched, nothing;
	struct check_seen seen;
	struct shown_seen shown;
};

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000;
}

static void kill_now(pid_t child)
{
	int status;

	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	CHECK(WIFSIGNALED(status), "the program ended by itself: status %#x", (unsigned)status);
}

/* The one that saw it die, the one that comes now, and the region's words. */
static void look(const char *name, struct source *watched, struct kills *k)
{
	struct source *after = shown_open(name);

	if (after && shown_to_end(after, &k->shown) && watched && shown_to_end(watched, &k->shown))
		shown_same(watched, after, &k->shown);
	CHECK(!after || after->profile->process.state == PROFILE_DEAD, "state %d", after->profile->process.state);
	source_close(after);
	check_region(name, &k->seen);
}

/* At no time before 12 ms after its region was seen, read from all the while. */
static void kill_watched(const struct core_program *program, struct kills *k)
{
	pid_t child = core_start(program);
	struct source *watched = shown_open(program->shm);
	uint64_t until = now_us() + core_random(&k->random) % 12000;

	do {
		if (!watched)
			break;
		source_next(watched);
	} while (now_us() < until);
	kill_now(child);
	if (watched)
		look(program->shm, watched, k);
	source_close(watched);
	k->watched++;
}

/* Soon after its start, whether there is a region by then or not. */
static void kill_early(const struct core_program *program, struct kills *k)
{
	pid_t child = core_start(program);

	core_sleep_us(core_random(&k->random) % 12000);
	kill_now(child);
	if (core_exists(program->shm))
		look(program->shm, NULL, k);
	else
		k->nothing++; /* it died before the region was complete */
}

int main(int argc, char **argv)
{
	const char *const arguments[] = { "work", "3", "60000", "2000", "stdvf", NULL };
	struct core_program program = { .shm = core_name("kill"), .size = "1M", .arguments = arguments };
	struct kills k = { .random = (uint64_t)time(NULL) * 2654435761u | 1 };
	unsigned long kills = test_times(150, 3000);

	if (argc > 5 && !strcmp(argv[1], "work"))
		return work_main(argv + 2);
	for (unsigned long i = 0; i < kills && core_failures() == 0; i++) {
		if (i % 16)
			kill_watched(&program, &k);
		else
			kill_early(&program, &k);
		core_remove(program.shm);
	}
	printf("%llu regions (%u watched; %u times none yet), %llu records, %llu values, %llu threads in flight, %llu torn\n",
	       (unsigned long long)k.seen.regions, k.watched, k.nothing, (unsigned long long)k.seen.records,
	       (unsigned long long)k.seen.values, (unsigned long long)k.seen.in_flight, (unsigned long long)k.seen.torn);
	printf("shown: %llu profiles, %llu frames, %llu parts, %llu inferred, %llu one reader could not have\n",
	       (unsigned long long)k.shown.profiles, (unsigned long long)k.shown.frames, (unsigned long long)k.shown.parts,
	       (unsigned long long)k.shown.inferred, (unsigned long long)k.shown.unseen);
	replay_print("replayed", &k.seen.counts);
	return core_result();
}
