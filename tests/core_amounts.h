/* core_amounts.h: the amounts of measures in a region, as the profile has them.
 *
 * Each failure is counted.
 */
#ifndef TESTS_CORE_AMOUNTS_H
#define TESTS_CORE_AMOUNTS_H

#include "io/source.h"

#define IS(what, value) CHECK((long long)(what) == (long long)(value), "%lld", (long long)(what))

struct source *profile_of(const char *name); /* of a region, read to its end */
struct source *recorded(struct source *s);   /* the same as a recording has it */

uint32_t measure_index(const struct profile *p, const char *key);
uint32_t thread_of(const struct profile *p, const char *name);

/* The amount of a zone (NULL: of all) in a frame, in a thread; -1: not known. */
int64_t in_frame(const struct profile *p, uint64_t number, uint32_t thread, uint32_t measure, const char *zone);
int64_t in_run(const struct profile *p, uint32_t thread, uint32_t measure, const char *zone);

#endif
