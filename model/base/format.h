/* SPDX-License-Identifier: MIT */
/*
 * format: numbers to text, the same way for every output (names: text.h).
 *
 * All functions write at most `size` bytes with the ending NUL and return the length written.
 *
 * Numbers have a point, whatever the locale of the host that libprofview is in: no other file of model/ and io/ gives
 * a double to printf (tests/layers looks).
 */
#ifndef MODEL_FORMAT_H
#define MODEL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/text.h"

/* The first UNITS are options of a user, and units of times. */
enum unit {
	UNIT_AUTO, UNIT_MS, UNIT_US, UNIT_NS, UNIT_PCT, UNITS,
	UNIT_COUNT = UNITS, UNIT_BYTES, UNIT_KIB, UNIT_MIB, UNIT_GIB, UNITS_ALL
};

#define PER_S_NS 1000000000 /* in place of ticks_per_s, for times in ns */

/* Amounts that are no times are written by the same functions: they have one of these in place of ticks_per_s, and one
 * of the units from UNIT_COUNT on whatever unit of time is asked for. */
#define PER_S_COUNT UINT64_MAX
#define PER_S_BYTES (UINT64_MAX - 1)

static inline bool per_s_is_time(uint64_t ticks_per_s)
{
	return ticks_per_s < PER_S_BYTES;
}

extern const char *const unit_names[UNITS_ALL]; /* `auto`, `ms`, `us`, `ns`, `pct`: as options say it */

/* As a title shows it: `ms`, `µs` (`us` in ASCII), `ns`, `%`. */
const char *unit_title(enum unit unit, bool ascii);

/* The unit that suits times around this many ticks; never UNIT_AUTO or UNIT_PCT. */
enum unit unit_for(int64_t ticks, uint64_t ticks_per_s);

/* The unit for a column of times, of which `middle` is the median and `most`
 * the longest. It is the largest unit in which the median shows three digits or
 * more (with three decimals), so that short times are not all 0.000. If the
 * longest would have more than 4 digits before the point, a larger unit is
 * taken: the long times decide. It may have 5 if the median would show nothing
 * in the larger unit. `held` is the unit that the column had so far, if any of
 * time. The column keeps `held` as long as the median shows two digits in it
 * and the longest is no longer than that. It goes back to a smaller unit when
 * the longest is ten times shorter. */
enum unit unit_for_many(int64_t middle, int64_t most, uint64_t ticks_per_s, enum unit held);

/* Ticks to nanoseconds, to the nearest; exact at any size that fits, else the limit of int64_t. */
int64_t format_ns(int64_t ticks, uint64_t ticks_per_s);

/* A time of value/scale ticks. UNIT_PCT: of `whole` (likewise 1/scale), `-` when whole is 0.
 * precision < 0: 3 for ms and us, 0 for ns (1 when scale > 1), 1 for pct. */
size_t format_time(char *out, size_t size, int64_t value, int64_t scale, uint64_t ticks_per_s,
		   enum unit unit, int precision, int64_t whole);

/* Likewise, for people: a time above 0 that would show only zeros is
 * `<0.001`. */
size_t format_time_shown(char *out, size_t size, int64_t value, int64_t scale, uint64_t ticks_per_s,
			 enum unit unit, int precision, int64_t whole);

/* A difference, as format_time writes it, but with `+` if it is more. It has no
 * sign if it shows only zeros. */
size_t format_difference(char *out, size_t size, int64_t value, int64_t scale, uint64_t ticks_per_s,
			 enum unit unit, int precision, int64_t whole);

/* value/scale: an integer when scale is 1, else with one decimal, or with three where one would show a 0.0. */
size_t format_count(char *out, size_t size, int64_t value, int64_t scale);

/* In groups of three digits, with a blank between them: `51 882`. */
size_t format_grouped(char *out, size_t size, int64_t value);

/* value/scale with so many decimals, 9 at most, rounded to the nearest, half away from zero. */
size_t format_scaled(char *out, size_t size, int64_t value, int64_t scale, int decimals);

/* part of whole in percent with its sign, one decimal: `20.5%`; `-` when whole is 0. */
size_t format_percent(char *out, size_t size, int64_t part, int64_t whole);

/* Likewise of a difference: its sign also where it is more. */
size_t format_percent_difference(char *out, size_t size, int64_t part, int64_t whole);

/* A double as printf writes it: `%.*f`, and `%.*g`. */
size_t format_fixed(char *out, size_t size, double value, int decimals);
size_t format_real(char *out, size_t size, double value, int digits);

/* The double that a text has as printf writes it, and JSON; false: something of it is no number, or it is too long. */
bool format_parse_real(const char *text, double *out);

#define EXACT_DIGITS 64

/* The fewest digits, 15 at least, that give the same double again; with a point or an exponent, as no integer has. */
size_t format_exact(char out[EXACT_DIGITS], double value);

#endif
