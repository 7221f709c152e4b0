/* SPDX-License-Identifier: MIT */
#include "tui/cells/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/format.h"
#include "tui/cells/canvas.h"

static const struct figure_unit units[] = {
	{ "s", "s", 1000000000 },
	{ "ms", "ms", 1000000 },
	{ "µs", "us", 1000 },
	{ "ns", "ns", 1 },
};

static const struct figure_unit byte_units[] = {
	{ "GiB", "GiB", 1 << 30 },
	{ "MiB", "MiB", 1 << 20 },
	{ "KiB", "KiB", 1 << 10 },
	{ "B", "B", 1 },
};

static const struct figure_unit one = { "", "", 1 };

#define UNIT_SLACK 10
#define APART 1000
#define UNIT_COUNT (sizeof(units) / sizeof(*units))

_Static_assert(sizeof(units) == sizeof(byte_units), "they are searched in one way");

/* Other amounts than times (PER_S_COUNT, PER_S_BYTES) are as they are. */
static double ns_of(int64_t ticks, uint64_t ticks_per_s)
{
	return per_s_is_time(ticks_per_s) ? (double)ticks * 1e9 / (double)ticks_per_s : (double)ticks;
}

const struct figure_unit *figure_unit_for(int64_t ticks, uint64_t ticks_per_s)
{
	const struct figure_unit *from = ticks_per_s == PER_S_BYTES ? byte_units : units;
	double ns = ns_of(ticks, ticks_per_s);
	size_t i = 0;

	if (ticks_per_s == PER_S_COUNT)
		return &one;
	if (ns < 0)
		ns = -ns;
	while (i + 1 < UNIT_COUNT && ns < (double)from[i].ns)
		i++;
	return &from[i];
}

const struct figure_unit *figure_unit_keep(const struct figure_unit *held, int64_t ticks, uint64_t ticks_per_s)
{
	double value = held ? ns_of(ticks, ticks_per_s) / (double)held->ns : 0;

	if (held && (!ticks || (value >= 1.0 / UNIT_SLACK && value < 1000.0 * UNIT_SLACK)))
		return held;
	return figure_unit_for(ticks, ticks_per_s);
}

const char *figure_unit_name(const struct figure_unit *unit, bool ascii)
{
	return ascii ? unit->ascii : unit->name;
}

/* How many decimals make so many digits of it. */
static int decimals_of(double value, int digits)
{
	double limit = 10, half = 0.5; /* of the last digit: 9.996 with three digits is 10.0 */
	int decimals = digits - 1;

	if (value < 0)
		value = -value;
	for (int i = 0; i < decimals; i++)
		half /= 10;
	for (; decimals > 0 && value + half >= limit; limit *= 10, half *= 10)
		decimals--;
	return decimals;
}

struct figure figure_time(int64_t ticks, uint64_t ticks_per_s, const struct figure_unit *unit,
			  int digits)
{
	double value = ns_of(ticks, ticks_per_s) / (double)unit->ns;
	struct figure f;

	if (!per_s_is_time(ticks_per_s) && unit->ns == 1) /* there are no parts of it */
		digits = 1;
	snprintf(f.text, sizeof(f.text), "%.*f", decimals_of(value, digits), value);
	return f;
}

struct figure figure_timed(int64_t ticks, uint64_t ticks_per_s, const struct figure_unit *unit, int digits, bool ascii)
{
	const struct figure_unit *in = unit ? unit : figure_unit_for(ticks, ticks_per_s);
	struct figure value = figure_time(ticks, ticks_per_s, in, digits), f;

	snprintf(f.text, sizeof(f.text), *in->name ? "%.*s %s" : "%.*s", FIGURE_SIZE - 8, value.text,
		 figure_unit_name(in, ascii));
	return f;
}

bool figure_apart(int64_t a, int64_t b)
{
	return a / APART > b || b / APART > a;
}

struct figure figure_of_many(int64_t ticks, uint64_t ticks_per_s, const struct figure_unit *unit, bool ascii)
{
	return unit ? figure_time(ticks, ticks_per_s, unit, 3) : figure_timed(ticks, ticks_per_s, NULL, 3, ascii);
}

struct figure figure_rate(double value)
{
	struct figure f;

	snprintf(f.text, sizeof(f.text), "%.*f", value < 9.995 ? 2 : 1, value);
	return f;
}

struct figure figure_percent(double part, double whole)
{
	struct figure f = { "-" };

	if (whole > 0)
		snprintf(f.text, sizeof(f.text), "%.1f %%", part * 100 / whole);
	return f;
}

struct figure figure_grouped(uint64_t count)
{
	struct figure f;

	format_grouped(f.text, sizeof(f.text), count < INT64_MAX ? (int64_t)count : INT64_MAX);
	return f;
}

struct figure figure_clock(int64_t ns)
{
	long long s = ns > 0 ? (long long)(ns / 1000000000) : 0;
	struct figure f;

	snprintf(f.text, sizeof(f.text), "%02lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
	return f;
}

struct figure figure_span(int64_t ns)
{
	static const struct {
		double below, unit; /* in seconds */
		int decimals;
		const char *name;
	} spans[] = {
		{ 0.09995, 0.001, 1, "ms" },
		{ 9.95, 1, 1, "s" },
		{ 600, 1, 0, "s" },
		{ 36000, 60, 0, "min" },
		{ 0, 3600, 1, "h" },
	};
	double s = (double)ns / 1e9;
	struct figure f;
	int i = 0;

	while (spans[i].below > 0 && s >= spans[i].below)
		i++;
	snprintf(f.text, sizeof(f.text), "%.*f %s", spans[i].decimals, s / spans[i].unit,
		 spans[i].name);
	return f;
}

/* With as many digits behind the point as there is room for. */
static struct figure short_point(double value, const char *suffix)
{
	struct figure f;
	int decimals = value == rint(value) && !*suffix ? 0 : 2;

	do
		snprintf(f.text, sizeof(f.text), "%.*f%s", decimals, value, suffix);
	while (strlen(f.text) > FIGURE_SHORT && decimals--);
	return f;
}

/* `4e-7`; where there is no room for the exponent, what it says. */
static struct figure short_exponent(double value)
{
	struct figure f;
	char text[32];
	int exponent;

	snprintf(text, sizeof(text), "%.0e", value);
	exponent = atoi(strchr(text, 'e') + 1);
	snprintf(f.text, sizeof(f.text), "%.*se%d", (int)strcspn(text, "e"), text, exponent);
	if (strlen(f.text) > FIGURE_SHORT)
		snprintf(f.text, sizeof(f.text), exponent > 0 ? "-huge" : "-0");
	return f;
}

struct figure figure_short(double value)
{
	static const char *const suffixes[] = { "", "k", "M", "G", "T", "P", "E" };
	int i = 0;

	if (!isfinite(value))
		return (struct figure){ "-" };
	if ((value != 0 && fabs(value) < 0.01) || fabs(value) >= 999.5e18)
		return short_exponent(value);
	for (; fabs(value) >= 999.5; i++)
		value /= 1000;
	return short_point(value, suffixes[i]);
}

struct figure figure_bytes(uint64_t bytes)
{
	static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = (double)bytes;
	struct figure f;
	int i = 0;

	for (; i < 6 && value >= 1024; i++)
		value /= 1024;
	snprintf(f.text, sizeof(f.text), "%.*f %s", i && value < 9.95 && value != (int)value, value,
		 names[i]);
	return f;
}

#define LONG_AGO 1000 /* tenths, from which on whole steps have none */

/* Round ones. */
static const struct {
	int64_t ns;
	bool tenths;
	const char *name, *ascii;
	int16_t steps[10]; /* ends with 0 */
} age_units[] = {
	{ 1, false, "ns", "ns", { 1, 2, 5, 10, 20, 50, 100, 200, 500 } },
	{ 1000, false, "µs", "us", { 1, 2, 5, 10, 20, 50, 100, 200, 500 } },
	{ 1000000, false, "ms", "ms", { 1, 2, 5, 10, 20, 50 } },
	{ 100000000, true, "s", "s", { 1, 2, 5, 10, 20, 50, 100, 200, 300 } },
	{ 60000000000, false, "min", "min", { 1, 2, 5, 10, 20, 30 } },
	{ 3600000000000, false, "h", "h", { 1, 2, 5, 10, 20, 50, 100, 500, 1000 } },
};

struct age_step age_step_from(double least_ns)
{
	for (size_t u = 0; u < sizeof(age_units) / sizeof(*age_units); u++)
		for (int i = 0; age_units[u].steps[i]; i++)
			if ((double)age_units[u].ns * age_units[u].steps[i] >= least_ns)
				return (struct age_step){ age_units[u].ns * age_units[u].steps[i], age_units[u].ns,
						      age_units[u].tenths, age_units[u].name, age_units[u].ascii };
	return (struct age_step){ 0 };
}

void age_text(char *out, size_t size, const struct age_step *step, int64_t ns, bool ascii)
{
	long long units_of = (long long)(ns / step->unit_ns);
	const char *minus = canvas_minus(ascii), *name = ascii ? step->ascii : step->name;

	if (step->tenths && units_of >= LONG_AGO && !(step->ns % (10 * step->unit_ns)))
		snprintf(out, size, "%s%lld %s", minus, units_of / 10, name);
	else if (step->tenths)
		snprintf(out, size, "%s%lld.%lld %s", minus, units_of / 10, units_of % 10, name);
	else
		snprintf(out, size, "%s%lld %s", minus, units_of, name);
}

bool budget_parse(const char *text, double *ms)
{
	char *unit;
	double value = strtod(text, &unit);
	bool is_number = unit != text;

	while (*unit == ' ')
		unit++;
	if (!strcmp(unit, "fps") || !strcmp(unit, "Hz"))
		value = value > 0 && isfinite(value) ? 1000 / value : -1;
	else if (*unit && strcmp(unit, "ms") != 0)
		return false;
	if (!is_number || !(value >= 0 && value < 1e9))
		return false;
	*ms = value;
	return true;
}

bool time_parse(const char *text, double *seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = { { "", 1 }, { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "µs", 1e-6 }, { "ns", 1e-9 } };
	char *unit;
	double value = strtod(text, &unit);

	if (unit == text || !(value >= 0 && value < 1e9))
		return false;
	while (*unit == ' ')
		unit++;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(unit, units[i].name)) {
			*seconds = value * units[i].seconds;
			return true;
		}
	return false;
}

void condition_parse(char *text, double *longer_s, double *shorter_s)
{
	char *sign = text + strlen(text);
	double seconds;

	*longer_s = *shorter_s = 0;
	while (sign > text && *sign != '<' && *sign != '>')
		sign--;
	if ((*sign != '<' && *sign != '>') || !time_parse(sign + 1, &seconds) || !strpbrk(sign, "smn"))
		return;
	*(*sign == '>' ? longer_s : shorter_s) = seconds;
	while (sign > text && sign[-1] == ' ')
		sign--;
	*sign = '\0';
}
