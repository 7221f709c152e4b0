/* systematic.h: recipes of one change each: every bit of the header flipped, every field with every value that has
 * ever been a mistake. */
#ifndef TESTS_FUZZ_SYSTEMATIC_H
#define TESTS_FUZZ_SYSTEMATIC_H

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/recipe.h"

/* `head`: the first bytes of all recipes.  Of fields only each step-th recipe from `first` on: where they are tried
 * with several heads, each needs not try all. */
void systematic_bits(const uint8_t head[RECIPE_HEAD], fuzz_try *one);
void systematic_fields(const uint8_t head[RECIPE_HEAD], unsigned first, unsigned step, fuzz_try *one);

#endif
