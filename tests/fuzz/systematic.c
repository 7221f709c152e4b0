/* systematic.c: one change a recipe, one after the other. */
#include "tests/fuzz/systematic.h"

#include <stdio.h>
#include <string.h>

static void try_change(const uint8_t head[RECIPE_HEAD], struct change c, fuzz_try *one)
{
	uint8_t recipe[RECIPE_HEAD + RECIPE_CHANGE];
	char what[128];

	memcpy(recipe, head, RECIPE_HEAD);
	change_write(recipe + RECIPE_HEAD, c);
	snprintf(what, sizeof what, "'%s' %u, %s %#llx", fields[c.field].name, c.index,
	         c.how == CHANGE_XOR ? "xor" : c.how == CHANGE_COPY ? "copy of" : "=", (unsigned long long)c.value);
	one(recipe, sizeof recipe, what);
}

void systematic_bits(const uint8_t head[RECIPE_HEAD], fuzz_try *one)
{
	struct change c = { .how = CHANGE_XOR };

	while (strcmp(fields[c.field].name, "header, a byte"))
		c.field++;
	for (c.index = 0; c.index < sizeof(struct region_header); c.index++)
		for (int bit = 0; bit < 8; bit++) {
			c.value = 1u << bit;
			try_change(head, c, one);
		}
}

void systematic_fields(const uint8_t head[RECIPE_HEAD], unsigned first, unsigned step, fuzz_try *one)
{
	static const struct { enum change_how how; uint64_t value; } ways[] = {
		{ CHANGE_SET, 0 },          { CHANGE_SET, 1 },          { CHANGE_SET, 0xff },
		{ CHANGE_SET, 0xffffffff }, { CHANGE_SET, INT64_MAX },  { CHANGE_SET, 1ull << 63 },
		{ CHANGE_SET, UINT64_MAX }, { CHANGE_SET, 1ull << 62 }, { CHANGE_SET, 0x7ff0000000000000ull },
		{ CHANGE_ADD, 1 },          { CHANGE_ADD, -1ull },      { CHANGE_XOR, 1ull << 40 },
		{ CHANGE_COPY, 0 },         { CHANGE_COPY, 5 },
	};

	const unsigned count = sizeof ways / sizeof *ways;

	for (unsigned i = first; i < field_count * count; i += step) {
		unsigned way = i % count;
		struct change c = { (uint8_t)(i / count), (uint8_t)ways[way].how, (uint16_t)(way % 3), ways[way].value };
		try_change(head, c, one);
	}
}
