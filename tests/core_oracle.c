/* core_oracle.c: what threads publish is what they did, by a replay of every transition.
 *
 * The program runs itself with a region in which nothing laps, and replays what is left.
 */
#include <stdio.h>
#include <string.h>
#include "tests/core_replay.h"
#include "tests/core_run.h"
#include "tests/core_work.h"
#include "tests/long.h"

/* How many pieces of parts there were. */
static unsigned long long oracle(const char *threads, const char *ms, const char *traits)
{
	const char *name = core_name("oracle");
	const char *const arguments[] = { "work", threads, ms, "1000", traits, NULL };
	struct core_program program = { .shm = name, .size = "256M", .arguments = arguments };
	struct replay_counts counts = { 0 };
	struct image image;
	char what[64];

	core_run(&program, 40);
	if (image_load(&image, name)) {
		replay_image(&image, &counts);
		CHECK(counts.parts > 0 && counts.transitions > 1000, "%s", traits);
		CHECK(counts.unchecked == 0 && counts.cut == 0 && counts.merged == 0, "%s", traits);
		CHECK(!strchr(traits, 'd') || counts.discarded > 0, "nothing discarded");
		CHECK(!strchr(traits, 'w') || counts.spans > 0, "no spans");
		snprintf(what, sizeof what, "%s threads, '%s'", threads, traits);
		replay_print(what, &counts);
		for (int i = 0; i < LOSS_CAUSES; i++)
			if (image_lost(&image, i))
				printf("  lost %d: %llu\n", i, (unsigned long long)image_lost(&image, i));
		image_free(&image);
	}
	core_remove(name);
	return counts.pieces;
}

int main(int argc, char **argv)
{
	if (argc > 5 && !strcmp(argv[1], "work"))
		return work_main(argv + 2);
	oracle("1", test_long() ? "1500" : "500", "");
	oracle("1", test_long() ? "1500" : "500", "b");
	oracle("8", test_long() ? "3000" : "1500", "dstwf");
	unsigned long long pieces = 0; /* on a busy machine nobody may have worked for so long */
	for (int i = 0; i < 20 && !pieces; i++)
		pieces = oracle("8", test_long() ? "3000" : "1500", "bspof");
	CHECK(pieces > 0, "no pieces");
	return core_result();
}
