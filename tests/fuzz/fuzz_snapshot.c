/* fuzz_snapshot: the readers of shm/: every question that can be asked of a region whose words are anything, with
 * the damage before it is attached and while it is held. */
#include "shm/snapshot.h"
#include "tests/fuzz/systematic.h"
#include "tests/region_ask.h"

static struct good good;
static struct places places;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recipe r;
	struct attachment a;
	uint64_t value;

	if (!good.b.base) {
		good_begin(&good, "snapshot");
		places_find(&places, &good);
	}
	recipe_begin(&r, &good, &places, data, size);
	if (region_attach(&a, good.b.name, 0, NULL, 0) == ATTACH_OK) {
		region_ask(&a);
		while (recipe_go_on(&r, &value) != RECIPE_END)
			;
		region_refresh_life(&a);
		region_ask(&a);
		region_detach(&a);
	}
	recipe_end(&r);
	return 0;
}

void fuzz_systematic(fuzz_try *one)
{
	static const uint8_t live[RECIPE_HEAD] = { REGION_SAME_BOOT }, dead[RECIPE_HEAD] = { REGION_DEAD };

	systematic_fields(live, 0, 1, one);
	systematic_fields(dead, 0, 1, one);
}
