/* SPDX-License-Identifier: MIT */
#include "model/base/pattern.h"

#include <stdio.h>

bool pattern_init(struct pattern *p, const char *text, char *why, size_t why_size)
{
	char cause[128];
	int error;

	*p = (struct pattern){ 0 };
	if (!text || !*text)
		return true;
	p->part = text;
	if (*text != '~')
		return true;
	error = regcomp(&p->regex, text + 1, REG_EXTENDED | REG_NOSUB);
	if (error) {
		regerror(error, &p->regex, cause, sizeof(cause));
		snprintf(why, why_size, "'%s' is not a regular expression: %s", text + 1, cause);
		return false;
	}
	p->is_regex = true;
	return true;
}

void pattern_fini(struct pattern *p)
{
	if (p->is_regex)
		regfree(&p->regex);
	*p = (struct pattern){ 0 };
}

static char fold_case(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Where the text goes on behind `with`; NULL: it does not begin with it. */
static const char *skip_prefix(const char *text, const char *with)
{
	while (*with && fold_case(*text) == fold_case(*with)) {
		text++;
		with++;
	}
	return *with ? NULL : text;
}

bool pattern_matches(const struct pattern *p, const char *name)
{
	if (!p->part)
		return true;
	if (p->is_regex)
		return regexec(&p->regex, name, 0, NULL, 0) == 0;
	if (p->whole) {
		name = skip_prefix(name, p->part);
		return name && !*name;
	}
	do {
		if (skip_prefix(name, p->part))
			return true;
	} while (*name++);
	return false;
}

struct pattern pattern_whole(const struct pattern *p)
{
	struct pattern whole = *p;

	whole.whole = true;
	return whole;
}
