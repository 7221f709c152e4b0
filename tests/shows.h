/* SPDX-License-Identifier: MIT */
/*
 * shows: runs a command, and looks for an extended regular expression in what it prints.
 */
#ifndef TESTS_SHOWS_H
#define TESTS_SHOWS_H

#include <regex.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

/* In a command, `%` and the letter stand for the text. `%P` is always proftop. */
struct shows_word {
	char letter; /* 0 ends a list */
	const char *text;
};

static inline const char *shows_text(const struct shows_word *words, char letter)
{
	static char proftop[1024];
	const char *top = getenv("top_builddir");

	snprintf(proftop, sizeof(proftop), "%s/proftop/proftop", top ? top : ".");
	for (; words->letter; words++)
		if (words->letter == letter)
			return words->text;
	return letter == 'P' ? proftop : NULL;
}

static inline void shows_expand(const struct shows_word *words, char *out, size_t size, const char *format)
{
	size_t at = 0;

	for (; *format && at < size; format++) {
		const char *text = *format == '%' ? shows_text(words, format[1]) : NULL;

		at += (size_t)(text ? snprintf(out + at, size - at, "%s", text) : snprintf(out + at, size - at, "%c", *format));
		format += text != NULL;
	}
	assert_true(at < size);
}

static inline void shows_words(const struct shows_word *words, int status, const char *format, const char *pattern)
{
	char command[4096], text[65536], rest[4096];
	regex_t wanted;
	FILE *from;
	size_t size;
	int ended;

	shows_expand(words, command, sizeof(command), format);
	from = popen(command, "r");
	assert_non_null(from);
	size = fread(text, 1, sizeof(text) - 1, from);
	text[size] = '\0';
	while (fread(rest, 1, sizeof(rest), from))
		;
	ended = pclose(from);
	assert_int_equal(regcomp(&wanted, pattern, REG_EXTENDED | REG_NOSUB | REG_NEWLINE), 0);
	if (WEXITSTATUS(ended) != status || regexec(&wanted, text, 0, NULL, 0))
		fail_msg("%s: status %d, and no '%s' in:\n%.4000s", command, WEXITSTATUS(ended), pattern, text);
	regfree(&wanted);
}

#endif
