/* SPDX-License-Identifier: MIT */
/*
 * messages: sentences to the user, and questions.
 */
#include "proftop/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

/* Names of files and what was typed stand in sentences as they are: a terminal must not obey them, and a line of their
 * own would look like one of ours. Backslashes stay, as names out of a region are escaped already. */
static void put_safe(const char *text)
{
	size_t left = strlen(text), used;
	uint32_t code;

	for (; left; text += used, left -= used) {
		used = utf8_decode(text, left, &code);
		if (used && code_visible(code)) {
			fwrite(text, 1, used, stderr);
		} else {
			fprintf(stderr, "\\x%02X", (unsigned char)*text);
			used = 1;
		}
	}
}

void say(const char *format, ...)
{
	va_list values;
	char *text;

	va_start(values, format);
	if (vasprintf(&text, format, values) < 0)
		text = NULL;
	va_end(values);
	fflush(stdout);
	if (!text || strncmp(text, "proftop ", 8) != 0) /* else the sentence begins with the name */
		fputs("proftop: ", stderr);
	put_safe(text ? text : "out of memory");
	fputc('\n', stderr);
	free(text);
}

int say_no_memory(void)
{
	say("out of memory");
	return EXIT_FAILED;
}

bool say_agreed(const char *name)
{
	char *shown = name_safe(name, false), *answer = NULL;
	size_t size = 0;
	ssize_t length;
	bool agreed;

	fprintf(stderr, "proftop: remove '%s'? [y/N] ", shown ? shown : "");
	free(shown);
	length = getline(&answer, &size, stdin); /* the whole line, so that its rest does not answer the next question */
	agreed = length > 0 && (*answer == 'y' || *answer == 'Y');
	free(answer);
	return agreed;
}
