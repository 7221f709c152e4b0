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

static char folded(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins_with(const char *text, const char *with)
{
	while (*with && folded(*text) == folded(*with)) {
		text++;
		with++;
	}
	return !*with;
}

bool pattern_matches(const struct pattern *p, const char *name)
{
	if (!p->part)
		return true;
	if (p->is_regex)
		return regexec(&p->regex, name, 0, NULL, 0) == 0;
	do {
		if (begins_with(name, p->part))
			return true;
	} while (*name++);
	return false;
}
