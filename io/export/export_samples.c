/* SPDX-License-Identifier: MIT */
#include "io/export/export.h"

#include <stdlib.h>

#include "model/base/text.h"
#include "model/profile/measures.h"

static bool put_function(const struct function_table *t, const struct function_row *f, FILE *out)
{
	const struct profile_zone *zone = &t->p->zones[f->zone];
	char *name = name_safe(zone->name, false), *file = name_safe(zone->file, false);
	bool done = name && file;
	char percent[32];

	format_fixed(percent, sizeof(percent), function_table_part(t, f->self) * 100, 2);
	if (done)
		fprintf(out, "%s: %s%% (%lld samples)\n", name, percent, (long long)f->self);
	if (done && *file)
		fprintf(out, "    In file: %s:%u\n", file, zone->line);
	free(name);
	free(file);
	return done;
}

bool export_samples_log(const struct function_table *t, FILE *out)
{
	uint32_t measure = profile_find_measure(t->p, "samples");
	char percent[32];

	format_fixed(percent, sizeof(percent), t->percent, 2);
	fprintf(out, "Total samples: %lld\n", (long long)t->samples);
	if (measure != PROFILE_NONE)
		fprintf(out, "CPU time from sample to sample: %lld ns\n", (long long)t->p->measures[measure].period);
	fprintf(out, "Functions have at least: %lld samples, %s%%\n\n", (long long)t->least, percent);
	for (uint32_t i = 0; i < t->table.count; i++)
		if (t->rows[i].self >= t->least && function_table_part(t, t->rows[i].self) * 100 >= t->percent &&
		    !put_function(t, &t->rows[i], out))
			return false;
	return !ferror(out);
}
