/* mutate.c: a mutator that knows what a recipe is: it changes one field at a time, with values that are near what
 * the field means.  Now and then libFuzzer's own work on the bytes. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/recipe.h"

static uint64_t below(uint64_t *random, uint64_t most)
{
	return builder_random(random) % most;
}

static const uint64_t edges[] = { 0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
	                          1ull << 32, 1ull << 52, 1ull << 62, 1ull << 63, INT64_MAX, UINT64_MAX, UINT64_MAX - 1,
	                          0x7ff0000000000000ull, 0xfff8000000000000ull /* no numbers */ };

static uint64_t edge(uint64_t *random)
{
	return edges[below(random, sizeof edges / sizeof *edges)] + below(random, 3) - 1;
}

/* A value that a field of this meaning might have, or nearly. */
static uint64_t likely(enum meaning meaning, uint64_t *random)
{
	switch (meaning) {
	case MEANS_COUNT:
	case MEANS_ID:
		return below(random, 64);
	case MEANS_LINK:
		return below(random, 40);
	case MEANS_OFFSET:
		return below(random, BUILDER_CHUNKS + 4) * (below(random, 2) ? 4096 : 64);
	case MEANS_TICK:
		return BUILDER_START + below(random, 100) * 1000 + below(random, 3) - 1;
	case MEANS_INTERVAL:
		return below(random, 100);
	case MEANS_SEQ:
		return below(random, 8);
	case MEANS_FLAGS:
		return 1ull << below(random, 48) | below(random, 8);
	default:
		return below(random, 256);
	}
}

static uint64_t value_for(const struct field *f, uint64_t *random)
{
	switch (f->meaning) {
	case MEANS_CUT:
		return below(random, 2) ? below(random, 100) * REGION_PAGE + below(random, 3) : builder_random(random);
	case MEANS_PUNCH:
		return below(random, 60);
	case MEANS_KEY:
		return below(random, 2) ? 32 + below(random, 96) : builder_random(random);
	default:
		break;
	}
	switch (below(random, 4)) {
	case 0:
		return edge(random);
	case 1:
		return 1ull << below(random, 64);
	case 2:
		return builder_random(random) >> below(random, 64);
	default:
		return likely(f->meaning, random);
	}
}

static struct change any_change(uint64_t *random)
{
	struct change c = { .field = (uint8_t)below(random, field_count), .how = (uint8_t)below(random, CHANGE_WAYS),
		            .index = (uint16_t)(builder_random(random) >> below(random, 16)) };

	if (below(random, 6) == 0)
		c.field = (uint8_t)(field_count - 1 - below(random, 5)); /* something happens */
	c.value = value_for(&fields[c.field], random);
	return c;
}

static void another(struct change *c, uint64_t *random)
{
	switch (below(random, 4)) {
	case 0:
		c->index = (uint16_t)(c->index + below(random, 5) - 2);
		break;
	case 1:
		c->how = (uint8_t)below(random, CHANGE_WAYS);
		break;
	case 2:
		c->value += below(random, 9) - 4;
		break;
	default:
		c->value = value_for(&fields[c->field % field_count], random);
	}
}

/* Changes stand behind the head; `count` of them. */
static size_t mutate_changes(uint8_t *changes, size_t count, size_t most, uint64_t *random)
{
	uint8_t *some = changes + (count ? below(random, count) : 0) * RECIPE_CHANGE;
	struct change c;

	switch (count ? below(random, 8) : 0) {
	case 0:
	case 1:
	case 2: /* one more, behind the others */
		if (count == most)
			return count;
		change_write(changes + count * RECIPE_CHANGE, any_change(random));
		return count + 1;
	case 3: /* one less */
		memmove(some, some + RECIPE_CHANGE, (size_t)(changes + count * RECIPE_CHANGE - some) - RECIPE_CHANGE);
		return count - 1;
	case 4: /* the same once more, in another place */
		if (count == most)
			return count;
		memmove(changes + count * RECIPE_CHANGE, some, RECIPE_CHANGE);
		return count + 1;
	case 5:
		change_write(some, any_change(random));
		return count;
	default:
		c = change_read(some);
		another(&c, random);
		change_write(some, c);
		return count;
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	uint64_t random = seed;
	size_t count, room = (most - RECIPE_HEAD) / RECIPE_CHANGE;

	if (most < RECIPE_HEAD + RECIPE_CHANGE || below(&random, 16) == 0 ||
	    (size && data[0] & REGION_RAW && below(&random, 64)))
		return LLVMFuzzerMutate(data, size, most);
	if (size < RECIPE_HEAD) {
		memset(data + size, 0, RECIPE_HEAD - size);
		size = RECIPE_HEAD;
	}
	if (below(&random, 10) == 0) {
		data[below(&random, RECIPE_HEAD)] = (uint8_t)builder_random(&random);
		return size;
	}
	data[0] &= (uint8_t)~REGION_RAW;
	count = (size - RECIPE_HEAD) / RECIPE_CHANGE;
	return RECIPE_HEAD + RECIPE_CHANGE * mutate_changes(data + RECIPE_HEAD, count, room, &random);
}
