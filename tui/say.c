/* SPDX-License-Identifier: MIT */
/*
 * say: sentences to the user, and questions.
 */
#include "tui/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"

void say(const char *format, ...)
{
	va_list values;

	fflush(stdout);
	fputs("proftop: ", stderr);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
}

int say_no_memory(void)
{
	say("out of memory");
	return EXIT_FAILED;
}

bool say_agreed(const char *name)
{
	char *shown = name_safe(name, false);
	char answer[16];

	fprintf(stderr, "proftop: remove '%s'? [y/N] ", shown ? shown : "");
	free(shown);
	return fgets(answer, sizeof(answer), stdin) && (*answer == 'y' || *answer == 'Y');
}
