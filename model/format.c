/* SPDX-License-Identifier: MIT */
#include "model/format.h"

#include <stdio.h>

__extension__ typedef unsigned __int128 wide;

const char *const unit_names[UNITS] = {
	[UNIT_AUTO] = "auto", [UNIT_MS] = "ms",   [UNIT_US] = "us",
	[UNIT_NS] = "ns",     [UNIT_PCT] = "pct",
};

/* How many of a unit are in a second. */
static const uint32_t units_per_s[UNITS] = {
	[UNIT_MS] = 1000,
	[UNIT_US] = 1000000,
	[UNIT_NS] = 1000000000,
};

static const uint32_t powers_of_10[] = { 1,       10,       100,       1000,       10000,
					 100000,  1000000,  10000000,  100000000,  1000000000 };

#define MOST_DECIMALS 9

const char *unit_title(enum unit unit, bool ascii)
{
	if (unit == UNIT_US && !ascii)
		return "µs";
	return unit == UNIT_PCT ? "%" : unit_names[unit];
}

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

enum unit unit_for(int64_t ticks, uint64_t ticks_per_s)
{
	int64_t ns = format_ns(ticks < 0 ? -(ticks + 1) : ticks, ticks_per_s);

	if (ns >= 1000000)
		return UNIT_MS;
	return ns >= 10000 ? UNIT_US : UNIT_NS;
}

int64_t format_ns(int64_t ticks, uint64_t ticks_per_s)
{
	wide ns = ((wide)magnitude(ticks) * 1000000000 + ticks_per_s / 2) / ticks_per_s;

	if (ns > INT64_MAX)
		ns = INT64_MAX;
	return ticks < 0 ? -(int64_t)ns : (int64_t)ns;
}

static size_t written(int length, size_t size)
{
	if (length < 0 || !size)
		return 0;
	return (size_t)length < size ? (size_t)length : size - 1;
}

static size_t dash(char *out, size_t size)
{
	return written(snprintf(out, size, "-"), size);
}

/* numerator/denominator, rounded to the nearest, half away from zero. */
static size_t format_ratio(char *out, size_t size, bool negative, wide numerator, wide denominator,
			   int decimals)
{
	wide scaled = (numerator * powers_of_10[decimals] + denominator / 2) / denominator;
	wide whole = scaled / powers_of_10[decimals];
	unsigned long rest = (unsigned long)(scaled % powers_of_10[decimals]);
	const char *sign = negative && scaled ? "-" : "";

	if (whole > UINT64_MAX)
		whole = UINT64_MAX;
	if (!decimals)
		return written(snprintf(out, size, "%s%llu", sign, (unsigned long long)whole), size);
	return written(snprintf(out, size, "%s%llu.%0*lu", sign, (unsigned long long)whole, decimals,
				rest),
		       size);
}

static int decimals_of(enum unit unit, int64_t scale, int precision)
{
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

	if (unit == UNIT_AUTO)
		unit = unit_for(value / scale, ticks_per_s);
	decimals = decimals_of(unit, scale, precision);
	if (unit == UNIT_PCT) {
		if (whole <= 0)
			return dash(out, size);
		return format_ratio(out, size, value < 0, (wide)magnitude(value) * 100, (wide)whole,
				    decimals);
	}
	return format_ratio(out, size, value < 0, (wide)magnitude(value) * units_per_s[unit],
			    (wide)ticks_per_s * (uint64_t)scale, decimals);
}

size_t format_count(char *out, size_t size, int64_t value, int64_t scale)
{
	return format_ratio(out, size, value < 0, magnitude(value), (wide)scale, scale > 1);
}

size_t format_percent(char *out, size_t size, int64_t part, int64_t whole)
{
	size_t length;

	if (whole <= 0)
		return dash(out, size);
	length = format_ratio(out, size, part < 0, (wide)magnitude(part) * 100, (wide)whole, 1);
	return length + written(snprintf(out + length, size - length, "%%"), size - length);
}
