/* core_seen.h: what proftop says of the losses of a region that was left behind. */
#ifndef TESTS_CORE_SEEN_H
#define TESTS_CORE_SEEN_H

#include "tests/core_read.h"

/* What proftop prints with these arguments (ended by NULL), or NULL, and a failure counted.  The caller frees it. */
char *seen_print(const char *const *arguments);

/* Checks that the report, the JSON document and both lists of regions name each cause by which something was lost,
 * with its count, and no other; and the report the zone that was left open. */
void seen_check_losses(struct view *view, const char *region);

#endif
