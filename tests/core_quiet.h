/* core_quiet.h: what the files of core_quiet share. */
#ifndef TESTS_CORE_QUIET_H
#define TESTS_CORE_QUIET_H

#define LIMIT_SMALL "256K"

/* The path of NAME and something behind it. */
void quiet_path(char path[300], const char *name, const char *behind);

/* core_mounts.c: places that are full, read-only or not there, each in mounts of its own; and a program that runs
 * with more rights than its user, which must not follow the environment. */
void test_mounts(void);
void test_secure(void);

#endif
