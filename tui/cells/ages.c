/* SPDX-License-Identifier: MIT */
#include "tui/cells/ages.h"

#include <stdio.h>

#include "tui/cells/canvas.h"

#define LONG_AGO 1000 /* tenths, from which on whole steps have none */

/* Round ones. */
static const struct {
	int64_t ns;
	bool tenths;
	const char *name, *ascii;
	int16_t steps[10]; /* ends with 0 */
} units[] = {
	{ 1, false, "ns", "ns", { 1, 2, 5, 10, 20, 50, 100, 200, 500 } },
	{ 1000, false, "µs", "us", { 1, 2, 5, 10, 20, 50, 100, 200, 500 } },
	{ 1000000, false, "ms", "ms", { 1, 2, 5, 10, 20, 50 } },
	{ 100000000, true, "s", "s", { 1, 2, 5, 10, 20, 50, 100, 200, 300 } },
	{ 60000000000, false, "min", "min", { 1, 2, 5, 10, 20, 30 } },
	{ 3600000000000, false, "h", "h", { 1, 2, 5, 10, 20, 50, 100, 500, 1000 } },
};

struct age_step age_step_from(double least_ns)
{
	for (size_t u = 0; u < sizeof(units) / sizeof(*units); u++)
		for (int i = 0; units[u].steps[i]; i++)
			if ((double)units[u].ns * units[u].steps[i] >= least_ns)
				return (struct age_step){ units[u].ns * units[u].steps[i], units[u].ns,
						      units[u].tenths, units[u].name, units[u].ascii };
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
