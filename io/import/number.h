/* SPDX-License-Identifier: MIT */
/*
 * number: what a text has as a number, exactly; nothing of it is ever a double.
 */
#ifndef IO_NUMBER_H
#define IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All of the text is digits, perhaps with a minus in front, and it fits into 64 bits, with a sign or without: those below
 * 0 are as the bits have it. */
static inline bool number_whole(const char *text, size_t size, uint64_t *out, bool *minus)
{
	const char *end = text + size;
	uint64_t value = 0;

	*minus = size && *text == '-';
	text += *minus;
	if (text == end)
		return false;
	if (end - text < 19) { /* cannot be too large */
		for (; text < end; text++) {
			unsigned digit = (unsigned char)*text - '0';

			if (digit > 9)
				return false;
			value = value * 10 + digit;
		}
	} else {
		for (; text < end; text++) {
			unsigned digit = (unsigned char)*text - '0';

			if (digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
			    __builtin_add_overflow(value, digit, &value))
				return false;
		}
	}
	if (*minus && value > (uint64_t)1 << 63)
		return false;
	*out = *minus ? 0 - value : value;
	return true;
}

/* A time, or a value: what is beyond the range of int64_t is its edge. False: it is no whole number, or beyond 64 bits. */
static inline bool number_signed(const char *text, size_t size, int64_t *out)
{
	uint64_t value;
	bool minus;

	if (!number_whole(text, size, &value, &minus))
		return false;
	*out = !minus && value > INT64_MAX ? INT64_MAX : (int64_t)value;
	return true;
}

static inline bool number_id(const char *text, size_t size, uint64_t *out)
{
	bool minus;

	return number_whole(text, size, out, &minus);
}

/* value * 10^shift of a number with a point or an exponent, rounded to the nearest; *rounded: something was lost. What is
 * beyond the range is its edge. False: it is no number. */
bool number_scaled(const char *text, size_t size, int shift, int64_t *out, bool *rounded);

#endif
