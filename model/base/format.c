/* SPDX-License-Identifier: MIT */
#include "model/base/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

const char *const unit_names[UNITS_ALL] = {
	[UNIT_AUTO] = "auto", [UNIT_MS] = "ms",   [UNIT_US] = "us",
	[UNIT_NS] = "ns",     [UNIT_PCT] = "pct", [UNIT_COUNT] = "", [UNIT_BYTES] = "bytes",
	[UNIT_KIB] = "KiB",   [UNIT_MIB] = "MiB", [UNIT_GIB] = "GiB",
};

/* How many of a unit are in a second. */
static const uint32_t units_per_s[UNITS_ALL] = {
	[UNIT_MS] = 1000,
	[UNIT_US] = 1000000,
	[UNIT_NS] = 1000000000,
};

/* How many bytes a unit has. */
static const uint32_t bytes_of_unit[UNITS_ALL] = {
	[UNIT_COUNT] = 1, [UNIT_BYTES] = 1, [UNIT_KIB] = 1 << 10, [UNIT_MIB] = 1 << 20, [UNIT_GIB] = 1 << 30,
};

static const uint32_t powers_of_10[] = { 1,       10,       100,       1000,       10000,
					 100000,  1000000,  10000000,  100000000,  1000000000 };

#define MOST_DECIMALS 9
#define RARE 20 /* a count below 1/20 is 0.0 with one decimal */

/* A column of times takes a larger unit when its longest time has more than 4
 * digits before the point. It may have 5 if the median would show only zeros in
 * the larger unit. The column goes back to the smaller unit at a tenth of
 * that. */
#define LONG_FROM 10000
#define LONG_SLACK 10

const char *unit_title(enum unit unit, bool ascii)
{
	if (unit == UNIT_US && !ascii)
		return "µs";
	return unit == UNIT_PCT ? "%" : unit_names[unit];
}

static uint64_t absolute_of(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* The unit in which the amount has up to four digits before the point. */
static enum unit unit_of_amount(int64_t amount, uint64_t per_s)
{
	enum unit unit = UNIT_BYTES;

	if (per_s == PER_S_COUNT)
		return UNIT_COUNT;
	while (unit < UNIT_GIB && amount / bytes_of_unit[unit] >= LONG_FROM)
		unit++;
	return unit;
}

static enum unit unit_of_time(int64_t ticks, uint64_t ticks_per_s)
{
	int64_t ns = format_ns(ticks < 0 ? -(ticks + 1) : ticks, ticks_per_s);

	if (ns >= 1000000)
		return UNIT_MS;
	return ns >= 10000 ? UNIT_US : UNIT_NS;
}

enum unit unit_for(int64_t ticks, uint64_t ticks_per_s)
{
	if (!per_s_is_time(ticks_per_s))
		return unit_of_amount(ticks < 0 ? -(ticks + 1) : ticks, ticks_per_s);
	return unit_of_time(ticks, ticks_per_s);
}

/* With three decimals, three digits or more of it are seen. */
static enum unit unit_of_ns(int64_t ns)
{
	if (ns >= 100000)
		return UNIT_MS;
	return ns >= 1000 ? UNIT_US : UNIT_NS;
}

/* Whether the longest time has too many digits in `unit`. `held`: the unit that
 * the column had so far. */
static bool is_too_fine(enum unit unit, enum unit held, int64_t middle_ns, int64_t most_ns)
{
	int64_t unit_ns = 1000000000 / units_per_s[unit], from = LONG_FROM * unit_ns;

	if (middle_ns < unit_ns)
		from *= 10;
	if (held != UNIT_AUTO && held < unit)
		from /= LONG_SLACK;
	return unit != UNIT_MS && most_ns >= from;
}

/* Two digits of it are seen: enough to keep a unit while one looks at frame after frame. None is of what is no unit of
 * time. */
static bool is_seen(enum unit unit, int64_t ns)
{
	return units_per_s[unit] && ns >= 10000000 / units_per_s[unit];
}

/* The unit that suits the median, or the one that suits the longest if that has too many digits otherwise. */
static enum unit unit_of_many_amounts(int64_t middle, int64_t most, uint64_t per_s, enum unit held)
{
	enum unit unit = unit_of_amount(middle, per_s), least = unit_of_amount(most / LONG_SLACK, per_s);

	if (per_s == PER_S_COUNT)
		return UNIT_COUNT;
	unit = unit > least ? unit : least;
	return held > unit && held <= UNIT_GIB && middle / bytes_of_unit[held] >= LONG_SLACK ? held : unit;
}

enum unit unit_for_many(int64_t middle, int64_t most, uint64_t ticks_per_s, enum unit held)
{
	int64_t middle_ns, most_ns;
	enum unit unit;

	if (!per_s_is_time(ticks_per_s))
		return unit_of_many_amounts(middle, most, ticks_per_s, held);
	middle_ns = format_ns(middle, ticks_per_s);
	most_ns = format_ns(most, ticks_per_s);
	unit = unit_of_ns(middle_ns);
	if (is_seen(held, middle_ns) && !is_too_fine(held, held, middle_ns, most_ns))
		return held;
	while (is_too_fine(unit, held, middle_ns, most_ns))
		unit--;
	return unit;
}

int64_t format_ns(int64_t ticks, uint64_t ticks_per_s)
{
	wide ns = ((wide)absolute_of(ticks) * 1000000000 + ticks_per_s / 2) / ticks_per_s;

	if (ns > INT64_MAX)
		ns = INT64_MAX;
	return ticks < 0 ? -(int64_t)ns : (int64_t)ns;
}

/* As much of a text as there is room for. */
static size_t put_text(char *out, size_t size, const char *text, size_t length)
{
	if (!size)
		return 0;
	if (length >= size)
		length = size - 1;
	memcpy(out, text, length);
	out[length] = '\0';
	return length;
}

static size_t write_dash(char *out, size_t size)
{
	return put_text(out, size, "-", 1);
}

/* numerator·factor/denominator, to the nearest, half up. Almost always it can be done in one word,
 * where it takes a tenth of the time: a screen has hundreds of numbers. */
static wide scaled_ratio(wide numerator, uint32_t factor, wide denominator)
{
	uint64_t product, sum;

	if (numerator <= UINT64_MAX && denominator <= UINT64_MAX &&
	    !__builtin_mul_overflow((uint64_t)numerator, (uint64_t)factor, &product) &&
	    !__builtin_add_overflow(product, (uint64_t)denominator / 2, &sum))
		return sum / (uint64_t)denominator;
	return (numerator * factor + denominator / 2) / denominator;
}

#define DIGITS_MOST 24

/* The digits of a number that end before `end`, at least `least` of them. Returns the first. */
static char *put_digits(char *end, uint64_t number, int least)
{
	while (number || least > 0) {
		*--end = (char)('0' + number % 10);
		number /= 10;
		least--;
	}
	return end;
}

/* numerator/denominator, rounded to the nearest, half away from zero. */
static size_t format_ratio(char *out, size_t size, bool negative, wide numerator, wide denominator,
			   int decimals)
{
	wide scaled = scaled_ratio(numerator, powers_of_10[decimals], denominator);
	wide whole = scaled <= UINT64_MAX ? (uint64_t)scaled / powers_of_10[decimals]
					  : scaled / powers_of_10[decimals];
	uint64_t rest = (uint64_t)(scaled - whole * powers_of_10[decimals]);
	char text[DIGITS_MOST + MOST_DECIMALS + 2], *end = text + sizeof(text), *at = end;

	if (decimals) {
		at = put_digits(at, rest, decimals);
		*--at = '.';
	}
	at = put_digits(at, whole <= UINT64_MAX ? (uint64_t)whole : UINT64_MAX, 1);
	if (negative && scaled)
		*--at = '-';
	return put_text(out, size, at, (size_t)(end - at));
}

static int decimals_of(enum unit unit, int64_t scale, int precision)
{
	if (unit >= UNIT_COUNT && (precision < 0 || (unit <= UNIT_BYTES && scale <= 1)))
		return unit > UNIT_BYTES || scale > 1 ? 1 : 0;
	if (precision >= 0)
		return precision < MOST_DECIMALS ? precision : MOST_DECIMALS;
	if (unit == UNIT_NS)
		return scale > 1 ? 1 : 0;
	return unit == UNIT_PCT ? 1 : 3;
}

size_t format_time(char *out, size_t size, int64_t value, int64_t scale, uint64_t ticks_per_s,
		   enum unit unit, int precision, int64_t whole)
{
	int decimals;

	if (unit == UNIT_AUTO || (!per_s_is_time(ticks_per_s) && unit < UNIT_PCT))
		unit = unit_for(value / scale, ticks_per_s);
	decimals = decimals_of(unit, scale, precision);
	if (unit >= UNIT_COUNT)
		return format_ratio(out, size, value < 0, (wide)absolute_of(value), (wide)bytes_of_unit[unit] * (uint64_t)scale,
				    decimals);
	if (unit == UNIT_PCT) {
		if (whole <= 0)
			return write_dash(out, size);
		return format_ratio(out, size, value < 0, (wide)absolute_of(value) * 100, (wide)whole,
				    decimals);
	}
	return format_ratio(out, size, value < 0, (wide)absolute_of(value) * units_per_s[unit],
			    (wide)ticks_per_s * (uint64_t)scale, decimals);
}

size_t format_time_shown(char *out, size_t size, int64_t value, int64_t scale, uint64_t ticks_per_s,
			 enum unit unit, int precision, int64_t whole)
{
	size_t length = format_time(out, size, value, scale, ticks_per_s, unit, precision, whole);

	if (value <= 0 || unit == UNIT_PCT || !length || length + 1 >= size || strpbrk(out, "123456789"))
		return length;
	memmove(out + 1, out, length + 1);
	*out = '<';
	out[length] = '1';
	return length + 1;
}

/* The text of a number gets a plus in front, if it is more than 0 and anything is seen of it. */
static size_t add_plus(char *out, size_t size, size_t length, bool more)
{
	if (!more || length + 1 >= size || !strpbrk(out, "123456789"))
		return length;
	memmove(out + 1, out, length + 1);
	*out = '+';
	return length + 1;
}

size_t format_difference(char *out, size_t size, int64_t value, int64_t scale, uint64_t ticks_per_s,
			 enum unit unit, int precision, int64_t whole)
{
	size_t length = format_time(out, size, value, scale, ticks_per_s, unit, precision, whole);

	return add_plus(out, size, length, value > 0);
}

size_t format_count(char *out, size_t size, int64_t value, int64_t scale)
{
	return format_scaled(out, size, value, scale, scale <= 1 ? 0 : value && absolute_of(value) < (wide)scale / RARE ? 3 : 1);
}

size_t format_grouped(char *out, size_t size, int64_t value)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%lld", (long long)value), sign = value < 0;
	size_t used = 0;

	for (int i = 0; i < length && used + 2 < size; i++) {
		if (i > sign && (length - i) % 3 == 0)
			out[used++] = ' ';
		out[used++] = digits[i];
	}
	out[used] = '\0';
	return used;
}

size_t format_scaled(char *out, size_t size, int64_t value, int64_t scale, int decimals)
{
	return format_ratio(out, size, value < 0, absolute_of(value), (wide)scale, decimals);
}

size_t format_percent(char *out, size_t size, int64_t part, int64_t whole)
{
	size_t length;

	if (whole <= 0)
		return write_dash(out, size);
	length = format_ratio(out, size, part < 0, (wide)absolute_of(part) * 100, (wide)whole, 1);
	return length + put_text(out + length, size - length, "%", 1);
}

size_t format_percent_difference(char *out, size_t size, int64_t part, int64_t whole)
{
	return add_plus(out, size, format_percent(out, size, part, whole), part > 0);
}

/* Doubles */

/* Replaces the decimal separator of the locale, which may be several bytes, by a point, in text that printf wrote. */
static size_t with_point(char *text)
{
	char *radix = text + strspn(text, "-0123456789");
	size_t length = strcspn(radix, "-+0123456789einfa");

	if (length) {
		memmove(radix + 1, radix + length, strlen(radix + length) + 1);
		*radix = '.';
	}
	return strlen(text);
}

size_t format_fixed(char *out, size_t size, double value, int decimals)
{
	if (!size)
		return 0;
	snprintf(out, size, "%.*f", decimals, value);
	return with_point(out);
}

size_t format_real(char *out, size_t size, double value, int digits)
{
	if (!size)
		return 0;
	snprintf(out, size, "%.*g", digits, value);
	return with_point(out);
}

/* Reads it back before the point is a point: strtod knows the locale's alone. */
size_t format_exact(char out[EXACT_DIGITS], double value)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, EXACT_DIGITS, "%.*g", digits, value);
		if (strtod(out, NULL) == value)
			break;
	}
	if (!out[strspn(out, "-0123456789")])
		strcat(out, ".0");
	return with_point(out);
}

bool format_parse_real(const char *text, double *out)
{
	char room[EXACT_DIGITS], radix[8], *at = strchr(text, '.'), *end;

	snprintf(radix, sizeof radix, "%.1f", 0.5);
	radix[strlen(radix) - 1] = '\0';
	if (snprintf(room, sizeof room, "%.*s%s%s", at ? (int)(at - text) : (int)sizeof room, text, at ? radix + 1 : "",
		     at ? at + 1 : "") >= (int)sizeof room)
		return false;
	*out = strtod(room, &end);
	return end != room && !*end;
}
