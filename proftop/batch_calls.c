/* SPDX-License-Identifier: MIT */
/*
 * batch_calls: single calls of the focus of a call graph, over what is covered.
 */
#include "proftop/batch.h"

#include "model/base/array.h"
#include "model/stats/series.h"
#include "proftop/output.h"

static const struct report *graph_of(const struct batch *b)
{
	return b->graph ? b->graph : b->report;
}

static bool make_section(struct batch *b, struct calls_summary *s, uint32_t threads)
{
	struct scope scope = query_scope(b->query);
	struct series series;

	scope.threads = threads;
	scope.until = b->whole_run ? profile_run_tick(b->p) : 0;
	s->calls = calls_make(b->p, &scope, b->transitions, b->focus, b->first,
			      b->whole_run ? CALLS_ALL_FRAMES : b->count);
	if (!s->calls || (!b->frame && !series_make(&series, b->p, &scope, b->focus, b->count)))
		return false;
	if (b->frame)
		return true;
	s->a_frame = statistics_of(series.entries, series.count);
	series_fini(&series);
	return true;
}

int batch_make_calls(struct batch *b)
{
	const struct report *g = graph_of(b);

	if (keys_parse(query_keys(b->query), b->p, b->o->zone, &b->focus) != KEYS_FOUND)
		return EXIT_DONE; /* what stands against it was said with the graph */
	b->calls = array_zeroed(g->section_count, sizeof(*b->calls));
	if (!b->calls)
		return say_no_memory();
	for (; b->calls_count < g->section_count; b->calls_count++)
		if (!make_section(b, &b->calls[b->calls_count], g->sections[b->calls_count].thread)) {
			calls_free(b->calls[b->calls_count].calls);
			return say_no_memory();
		}
	return EXIT_DONE;
}

void batch_calls_fini(struct batch *b)
{
	for (uint32_t i = 0; i < b->calls_count; i++)
		calls_free(b->calls[i].calls);
	free(b->calls);
	transitions_free(b->transitions);
}
