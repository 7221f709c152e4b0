/* SPDX-License-Identifier: MIT */
/*
 * pattern: what a user types to find names: a part of them, whatever its case, or behind a ~ a
 * POSIX extended regular expression.
 */
#ifndef MODEL_PATTERN_H
#define MODEL_PATTERN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

struct pattern {
	const char *part; /* borrowed; NULL: everything matches */
	bool is_regex;
	bool whole; /* what matches has nothing else in its name; of an expression it means nothing */
	regex_t regex;
};

/* `text`: borrowed while the pattern is in use; NULL or "": everything matches. False: `why` says
 * what is wrong with the expression. */
bool pattern_init(struct pattern *p, const char *text, char *why, size_t why_size);
void pattern_fini(struct pattern *p);

bool pattern_matches(const struct pattern *p, const char *name);

/* The same pattern for those names alone that are the text as a whole: `ai`, and not `wait`. It borrows from p. */
struct pattern pattern_whole(const struct pattern *p);

#endif
