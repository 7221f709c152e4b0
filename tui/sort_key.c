/* SPDX-License-Identifier: MIT */
#include "tui/sort_key.h"

#include "model/columns.h"
#include "model/counters.h"
#include "tui/options.h"

const char *sort_key(const char *text)
{
	enum column column = report_column(text);
	enum counter_column counter = counter_column(text);

	if (column != COLUMNS)
		return report_columns[column].key;
	return counter != COUNTER_COLUMNS ? counter_columns[counter].key : NULL;
}

bool sort_key_fits(int view, const char *key)
{
	enum column column = report_column(key);

	if (view == OPTION_VIEW_COUNTERS)
		return counter_column(key) != COUNTER_COLUMNS;
	return column != COLUMNS && report_columns[column].views >> view & 1;
}
