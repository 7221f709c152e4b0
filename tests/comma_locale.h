/* SPDX-License-Identifier: MIT */
/*
 * comma_locale: a locale whose numbers have a comma, or any other text, for a point. It is made here, in the format of
 * glibc's compiled locales, so that a test needs none to be installed.
 */
#ifndef TESTS_COMMA_LOCALE_H
#define TESTS_COMMA_LOCALE_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

/* What localedef writes for LC_NUMERIC. */
struct numeric_locale {
	uint32_t magic, count, offsets[6];
	char radix[6], thousands[1], grouping[1];
	uint32_t radix_wide, thousands_wide;
	char codeset[8];
};

static inline struct numeric_locale numeric_locale_of(const char *radix)
{
	struct numeric_locale n = {
		.magic = 0x20031115 ^ 1, .count = 6,
		.offsets = { offsetof(struct numeric_locale, radix), offsetof(struct numeric_locale, thousands),
			     offsetof(struct numeric_locale, grouping), offsetof(struct numeric_locale, radix_wide),
			     offsetof(struct numeric_locale, thousands_wide),
			     offsetof(struct numeric_locale, codeset) },
		.radix_wide = ',', .codeset = "UTF-8",
	};

	strncpy(n.radix, radix, sizeof(n.radix) - 1);
	return n;
}

/* The process has it from now on, until setlocale. `name`: another one for each radix, as the library remembers.
 * False: this library has locales of its own kind. */
static inline bool comma_locale_set(const char *name, const char *radix)
{
	struct numeric_locale numeric = numeric_locale_of(radix);
	char folder[] = "/tmp/comma-locale-XXXXXX", path[128], file[160];
	FILE *out;

	if (!mkdtemp(folder))
		return false;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	mkdir(path, 0700);
	snprintf(file, sizeof(file), "%s/LC_NUMERIC", path);
	out = fopen(file, "w");
	if (out) {
		fwrite(&numeric, sizeof(numeric), 1, out);
		fclose(out);
	}
	setenv("LOCPATH", folder, 1);
	setlocale(LC_NUMERIC, name);
	unsetenv("LOCPATH");
	unlink(file);
	rmdir(path);
	rmdir(folder);
	return !strcmp(localeconv()->decimal_point, radix);
}

#endif
