/* core_calibrate.c: what the library says that a zone costs is near what it costs, and nobody sees how it
 * found out.
 *
 * Near: within a factor of five of the least that this program finds for itself, as a machine that is loaded
 * may well give neither of the two its best.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libprof/libprof_inside.h"
#include "tests/core_image.h"
#include "tests/core_run.h"

enum { ROUNDS = 200, PAIRS = 100, FACTOR = 5 };

static void round_of_pairs(void)
{
	for (int i = 0; i < PAIRS; i++) {
		Prof_Begin(measured)
		Prof_End
	}
}

static void round_of_clocks(void)
{
	for (int i = 0; i < PAIRS * 2; i++)
		(void)clock_ns(CLOCK_MONOTONIC);
}

/* Picoseconds of a pair. */
static uint64_t least_of(void (*run)(void))
{
	int64_t least = INT64_MAX;

	for (int r = 0; r < ROUNDS; r++) {
		int64_t start = clock_ns(CLOCK_MONOTONIC);
		run();
		int64_t took = clock_ns(CLOCK_MONOTONIC) - start;
		if (took < least)
			least = took;
	}
	return (uint64_t)least * 1000 / PAIRS;
}

/* In the profiled program: a pair as it is, and both clocks as they are calibrated; the second one costs two
 * calls more than the counter. */
static int work(void)
{
	uint64_t pair = least_of(round_of_pairs), clocks = least_of(round_of_clocks);

	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", pair, pair + clocks, prof__pair_cost(REGION_CLOCK_MONOTONIC).warm_ps);
	return 0;
}

static void check_near(const char *what, uint64_t calibrated, uint64_t measured)
{
	printf("%s: %.1f ns calibrated, %.1f ns measured\n", what, (double)calibrated / 1000, (double)measured / 1000);
	CHECK(calibrated > 0 && calibrated <= measured * FACTOR && measured <= calibrated * FACTOR, "%s", what);
}

/* Where the caches have other things a pair costs no less, and no more than some dozen waits for memory. */
static void check_cold(uint64_t least, uint64_t walked)
{
	printf("cold: %.1f ns calibrated\n", (double)walked / 1000);
	CHECK(walked * FACTOR >= least && walked < 20000 * 1000, "%" PRIu64 " cold, %" PRIu64 " warm", walked, least);
}

static void check_unseen(const struct image *image)
{
	CHECK(image->threads_used == 1);
	CHECK(image_entries(image, NULL) == (uint64_t)ROUNDS * PAIRS);
	for (unsigned cause = 0; cause < LOSS_CAUSES; cause++)
		CHECK(image_lost(image, (enum region_loss)cause) == 0, "cause %u", cause);
}

int main(int argc, char **argv)
{
	const char *name = core_name("calibrate");
	const char *const arguments[] = { "work", NULL };
	struct core_program program = { .shm = name, .arguments = arguments };
	static struct core_output output;
	uint64_t pair, calling, calibrated_calling;
	struct image image;

	if (argc > 1 && !strcmp(argv[1], "work"))
		return work();
	core_catch(&program, 20, &output);
	CHECK(output.status == 0, "%s", output.err);
	if (CHECK(sscanf(output.out, "%" SCNu64 " %" SCNu64 " %" SCNu64, &pair, &calling, &calibrated_calling) == 3) &&
	    image_load(&image, name)) {
		check_near("counter", WORD_LOAD(image.process->pair_ps), pair);
		check_near("clock_gettime", calibrated_calling, calling);
		check_cold(WORD_LOAD(image.process->pair_ps), WORD_LOAD(image.process->pair_cold_ps));
		check_unseen(&image);
		image_free(&image);
	}
	core_remove(name);
	return core_result();
}
