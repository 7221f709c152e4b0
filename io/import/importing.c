/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "io/import/import_inside.h"

bool import_refuses(struct importing *i, const char *what)
{
	snprintf(i->result->why, sizeof i->result->why, "%s", what);
	return false;
}

bool import_more(struct importing *i)
{
	const struct import_options *o = i->options;
	char why[320];

	if (o->stop && atomic_load_explicit(o->stop, memory_order_relaxed)) {
		i->result->stopped = true;
		return false;
	}
	if (trace_failed(i->trace, why, sizeof why))
		return false;
	if (o->progress)
		o->progress(o->context, i->in.taken, i->in.total);
	return input_more(&i->in);
}
