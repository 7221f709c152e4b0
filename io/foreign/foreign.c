/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign.h"

#include <stdarg.h>
#include <string.h>

#define PIECES_A_LOOK 1024

bool foreign_goes_on(struct foreign *t)
{
	if (++t->done % PIECES_A_LOOK == 0 && t->goes_on && !t->stopped)
		t->stopped = !t->goes_on(t->context, t->done, t->all);
	return !t->stopped;
}

void foreign_say(struct foreign *t, const char *format, ...)
{
	size_t length = strlen(t->said);
	va_list arguments;

	va_start(arguments, format);
	length += (size_t)snprintf(t->said + length, sizeof(t->said) - length, "%s", length ? "; " : "");
	if (length < sizeof(t->said))
		vsnprintf(t->said + length, sizeof(t->said) - length, format, arguments);
	va_end(arguments);
}

void foreign_say_count(struct foreign *t, uint64_t count, const char *one, const char *many)
{
	if (count)
		foreign_say(t, "%llu %s", (unsigned long long)count, count == 1 ? one : many);
}
