/* core_sums.h: what a region that is left has of a zone, over all threads, beside what the program measured itself. */
#ifndef TESTS_CORE_SUMS_H
#define TESTS_CORE_SUMS_H

#include "io/source.h"
#include "tests/core_run.h"

/* The region of that name, all of it read and checked; NULL: a failure was counted.  The caller closes it. */
struct source *sums_read(const char *name);

/* Runs this program with that argument: it has to end well.  sums_end checks what is left of it once more, as a region,
 * and removes it. */
struct sums_run {
	const char *name;
	struct core_output output;
	struct source *source; /* NULL: a failure was counted */
};
void sums_run(struct sums_run *run, const char *mode, const char *size);
void sums_end(struct sums_run *run);

/* Whether the node is one of the zone, or has it in its path. */
bool sums_is_of(const struct profile *p, uint32_t node, const char *zone);
bool sums_is_in(const struct profile *p, uint32_t node, const char *zone);

struct sums_zone {
	int64_t self, hier, longest, count; /* ticks, entries */
};
struct sums_zone sums_of(const struct profile *p, const char *zone);

/* What was lost by that cause; NULL: by all. */
uint64_t sums_lost(const struct profile *p, const char *key);

/* A line that the program said, `zone: INNER OUTER ENTRIES`: ticks in which it was open for certain, and in which it may
 * have been.  A failure is counted if it did not. */
struct sums_told {
	long long inner, outer;
	unsigned long long entries;
};
struct sums_told sums_told(const char *out, const char *zone);

static inline bool sums_within(int64_t value, int64_t least, int64_t most)
{
	return value >= least && value <= most;
}

#endif
