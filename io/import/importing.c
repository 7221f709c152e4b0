/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "io/import/import_inside.h"

bool import_refuses(struct importing *i, const char *what)
{
	snprintf(i->result->why, sizeof i->result->why, "%s", what);
	return false;
}

bool import_goes_on(struct importing *i)
{
	const struct import_options *o = i->options;
	char why[320];

	if (i->trace && trace_failed(i->trace, why, sizeof why))
		return false;
	i->abandoned = o->progress && !o->progress(o->context, IMPORT_READS, i->in.taken, i->in.total);
	return !i->abandoned;
}

bool import_more(struct importing *i)
{
	return import_goes_on(i) && input_more(&i->in);
}
