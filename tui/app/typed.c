/* SPDX-License-Identifier: MIT */
#include "tui/app/budget.h"

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
