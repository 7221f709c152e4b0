/* recipe.h: an input that is a list of changes of the good region, and what happens between them.
 *
 *   byte 0     REGION_DEAD | REGION_SAME_BOOT | REGION_RAW
 *   bytes 1-3  choices of the target
 *   then, of REGION_RAW, the bytes of the whole file; else changes, of 12 bytes each:
 *              field (of the table), how, index (2 bytes), value (8 bytes), all little-endian
 *
 * Its bytes are tiny beside those of a region, and any bytes are a recipe.  Where something happens ("a look"), the
 * target goes on with what there is; the changes behind it are made while it holds the region.
 */
#ifndef TESTS_FUZZ_RECIPE_H
#define TESTS_FUZZ_RECIPE_H

#include "tests/fuzz/fields.h"

enum { REGION_DEAD = 1, REGION_SAME_BOOT = 2, REGION_RAW = 4 };
enum change_how { CHANGE_SET, CHANGE_XOR, CHANGE_ADD, CHANGE_COPY, CHANGE_WAYS };

#define RECIPE_HEAD    4
#define RECIPE_CHANGE  12
#define RECIPE_CHANGES 64 /* made at most */
#define RECIPE_MOST    (RECIPE_HEAD + RECIPE_CHANGE * RECIPE_CHANGES)

struct change {
	uint8_t field, how;
	uint16_t index;
	uint64_t value;
};

struct change change_read(const uint8_t *bytes);
void change_write(uint8_t *bytes, struct change c);

struct recipe {
	struct good *good;
	const struct places *places;
	uint8_t choice[3];
	const uint8_t *at, *end;
	struct { size_t at; uint64_t before; uint8_t width; } made[RECIPE_CHANGES];
	unsigned made_count;
};

enum recipe_step { RECIPE_LOOK, RECIPE_KEY, RECIPE_END };

/* The good region, as the first changes, up to the first look, make it. */
void recipe_begin(struct recipe *r, struct good *g, const struct places *p, const uint8_t *data, size_t size);

/* Goes on to what happens next; *value: which key. */
enum recipe_step recipe_go_on(struct recipe *r, uint64_t *value);

/* The good region again. */
void recipe_end(struct recipe *r);

#endif
