/* SPDX-License-Identifier: MIT */
#include "tui/term/term_inside.h"

#include <stdlib.h>
#include <string.h>

static const char *const without[] = { "linux", "dumb", "unknown", "cons25", "vt52", "vt100", "vt102", "vt220",
				       "vt320", "sun", "ansi", "pcansi", "hurd", "beterm" };

/* `linux-16color` is a `linux`, too. */
bool clip_is_known(const char *term)
{
	for (size_t i = 0; i < sizeof(without) / sizeof(*without); i++) {
		size_t length = strlen(without[i]);

		if (!strncmp(term, without[i], length) && (!term[length] || term[length] == '-'))
			return false;
	}
	return *term;
}

static char *put_base64(char *to, const char *text, size_t length)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *bytes = (const unsigned char *)text;

	for (size_t i = 0; i < length; i += 3) {
		unsigned long three = (unsigned long)bytes[i] << 16;

		if (i + 1 < length)
			three |= (unsigned long)bytes[i + 1] << 8;
		if (i + 2 < length)
			three |= bytes[i + 2];
		*to++ = digits[three >> 18 & 63];
		*to++ = digits[three >> 12 & 63];
		*to++ = i + 1 < length ? digits[three >> 6 & 63] : '=';
		*to++ = i + 2 < length ? digits[three & 63] : '=';
	}
	return to;
}

char *clip_sequence(const char *text, size_t length)
{
	static const char begin[] = "\033]52;c;", end[] = "\007";
	char *sequence = malloc(sizeof(begin) + sizeof(end) + (length + 2) / 3 * 4), *to = sequence;

	if (!sequence)
		return NULL;
	to = stpcpy(to, begin);
	to = put_base64(to, text, length);
	strcpy(to, end);
	return sequence;
}
