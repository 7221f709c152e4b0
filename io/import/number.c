/* SPDX-License-Identifier: MIT */
#include "io/import/number.h"

#define EXPONENT_MOST 1000 /* anything beyond is 0, or the edge, anyway */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The exponent behind an `e`; false: it is none. */
static bool read_exponent(const char *at, const char *end, int *out)
{
	bool minus = at < end && *at == '-';
	int value = 0;

	at += at < end && (*at == '-' || *at == '+');
	if (at == end)
		return false;
	for (; at < end; at++) {
		if (!is_digit(*at))
			return false;
		if (value < EXPONENT_MOST)
			value = value * 10 + (*at - '0');
	}
	*out = minus ? -value : value;
	return true;
}

struct digits {
	uint64_t value;
	int power;      /* of 10 that it is still to be multiplied by */
	bool lost, half; /* digits that found no room; the first of them is 5 or more */
	bool beyond;
};

/* Once a digit found no room, no further one is taken. */
static void add_digit(struct digits *d, unsigned digit, bool behind_point)
{
	uint64_t value;

	if (!d->beyond && !__builtin_mul_overflow(d->value, 10, &value) &&
	    !__builtin_add_overflow(value, digit, &value) && value <= INT64_MAX) {
		d->value = value;
		d->power -= behind_point;
		return;
	}
	if (!d->beyond)
		d->half = digit >= 5;
	d->beyond = true;
	d->lost |= digit != 0;
	d->power += !behind_point;
}

static void shift_by_power(struct digits *d)
{
	uint64_t value;

	for (; d->power < 0 && (d->value || d->half || d->lost); d->power++) {
		d->lost |= d->half || d->value % 10;
		d->half = d->value % 10 >= 5;
		d->value /= 10;
	}
	for (; d->power > 0 && d->value; d->power--) {
		if (__builtin_mul_overflow(d->value, 10, &value) || value > INT64_MAX) {
			d->value = INT64_MAX;
			d->half = false;
			d->lost = true;
			return;
		}
		d->value = value;
	}
}

bool number_scaled(const char *text, size_t size, int shift, int64_t *out, bool *rounded)
{
	const char *at = text, *end = text + size;
	bool minus = size && *at == '-', any = false;
	struct digits d = { .power = shift };
	int power = 0;

	for (at += minus; at < end && is_digit(*at); at++, any = true)
		add_digit(&d, (unsigned)(*at - '0'), false);
	if (at < end && *at == '.')
		for (at++; at < end && is_digit(*at); at++, any = true)
			add_digit(&d, (unsigned)(*at - '0'), true);
	if (any && at < end && (*at == 'e' || *at == 'E') && read_exponent(at + 1, end, &power))
		at = end;
	if (!any || at != end)
		return false;
	d.power += power;
	shift_by_power(&d);
	if (d.half && d.value < INT64_MAX)
		d.value++;
	*rounded = d.lost || d.half;
	*out = minus ? -(int64_t)d.value : (int64_t)d.value;
	return true;
}
