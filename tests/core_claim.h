/* core_claim.h: what the files of core_claim share. */
#ifndef TESTS_CORE_CLAIM_H
#define TESTS_CORE_CLAIM_H

#include <sys/types.h>
#include "tests/core_check.h"
#include "tests/core_run.h"

unsigned lines_of(const char *text);

/* Runs the leaf under that name; it must be as without, with `lines` lines of complaint. */
void run_leaf(const char *what, struct core_program program, unsigned lines);

/* The inode of the region of that name, with `behind` appended; 0: there is none. */
ino_t inode_of(const char *name, const char *behind);

/* core_claim_races.c */
void races(void);

#endif
