/* SPDX-License-Identifier: MIT */
#include "tui/app/typed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
