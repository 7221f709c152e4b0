/* long.h: how much of what a test does at random it does. */
#ifndef TESTS_LONG_H
#define TESTS_LONG_H

#include <stdlib.h>

/* Whether this is a run of hours (configure --enable-long-tests, scripts/check --long).  Scripts look at the
 * environment's TEST_LONG: empty or not there in a run of minutes. */
static inline int test_long(void)
{
	const char *value = getenv("TEST_LONG");

	return value && *value;
}

/* How often: in a run of minutes, and of hours; under AddressSanitizer, which makes all slower, a fifth of the way. */
static inline unsigned long test_times(unsigned long minutes, unsigned long hours)
{
#ifdef __SANITIZE_ADDRESS__
	hours = hours > minutes ? minutes + (hours - minutes) / 5 : hours;
#endif
	return test_long() ? hours : minutes;
}

#endif
