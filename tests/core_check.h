/* core_check.h: what holds of a region whenever its writer died.
 *
 * Both readers look at it: the product's (attach, snapshot) and the tests' own (image, replay).  Everything
 * committed is whole and exact; at most one transition a thread is in flight.
 */
#ifndef TESTS_CORE_CHECK_H
#define TESTS_CORE_CHECK_H

#include "tests/core_kept.h"
#include "tests/core_replay.h"

struct check_seen {
	struct replay_counts counts;
	uint64_t regions, blocks, records, in_flight, torn;
	uint64_t values;
	struct kept_seen kept;
};

/* Makes a region of bytes that one has at an instant in which its writer does not run: what that would leave. */
void check_store(const char *name, const void *bytes, size_t size);

/* Checks the region of that name, whose writer is dead. */
void check_region(const char *name, struct check_seen *seen);

/* The open zones of its first block that is live, as "outer/inner"; "" when none is. */
void check_stack(const char *name, char *out, size_t room);

#endif
