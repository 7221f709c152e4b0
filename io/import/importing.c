/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "io/import/import_inside.h"

bool import_refuses(struct importing *i, const char *what)
{
	snprintf(i->result->why, sizeof i->result->why, "%s", what);
	return false;
}

bool import_lacks(struct importing *i, const char *what)
{
	const struct anomalies *a = i->anomalies;
	const struct anomaly_place *last;

	if (!a->told)
		return import_refuses(i, what);
	last = &a->places[a->told - 1];
	snprintf(i->result->why, sizeof i->result->why, "%s: %s (%s %llu)", what, anomaly_kinds[last->kind].sentence,
		 a->lines ? "line" : "byte", (unsigned long long)last->at);
	return false;
}

void import_cut(struct importing *i, uint64_t place)
{
	static const enum anomaly kinds[] = { [INPUT_WHOLE] = ANOMALY_CUT, [INPUT_CUT] = ANOMALY_CUT,
					      [INPUT_DAMAGED] = ANOMALY_DAMAGED, [INPUT_CHECKSUM] = ANOMALY_CHECKSUM };
	enum anomaly kind = kinds[i->in.lost];

	if (!i->anomalies->counts[kind])
		anomaly_add(i->anomalies, kind, place);
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
