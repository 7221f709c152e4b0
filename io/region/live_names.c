/* SPDX-License-Identifier: MIT */
/*
 * live_names: the functions of code addresses, looked up aside.
 *
 * Finding the function of an address in a program with a gigabyte of debug
 * information may take a second. A source that must not hold up the screen
 * starts a thread that looks up the new addresses. Until that thread is done,
 * the source reads no further frames, and the screen goes on.
 */
#include "io/region/live_inside.h"

#include <stdlib.h>

#include "io/aside.h"
#include "model/base/array.h"

#define WITHIN_NS 20000000 /* so long a read waits for them */

/* What the thread works on, and nobody else until it is over. */
struct live_names {
	struct symbols *symbols;
	int64_t started_ns;
	const atomic_bool *stop;
	struct code_zone *zones;
	struct symbol (*found)[SYMBOLS_MOST];
	uint32_t *counts; /* of those found */
	uint32_t count, capacity;
	struct aside *aside;
};

static void look_up(void *context)
{
	struct live_names *n = context;

	for (uint32_t i = 0; i < n->count && !atomic_load_explicit(n->stop, memory_order_relaxed); i++)
		n->counts[i] = symbols_find(n->symbols, &n->zones[i].module, n->zones[i].index, n->started_ns, n->zones[i].offset,
					    n->found[i]);
}

/* The functions that were found become zones of the profile. */
static void take_names(struct live *l, struct live_names *n)
{
	for (uint32_t i = 0; i < n->count; i++) {
		l->zones[n->zones[i].id] = live_code_zone_named(l, &n->zones[i], n->found[i], n->counts[i]);
		symbols_forget(n->found[i], n->counts[i]);
		n->counts[i] = 0;
	}
}

void live_names_free(struct live *l)
{
	struct live_names *n = l->names;

	if (!n)
		return;
	if (n->aside)
		aside_end(n->aside);
	for (uint32_t i = 0; n->counts && i < n->count; i++)
		symbols_forget(n->found[i], n->counts[i]);
	free(n->zones);
	free(n->found);
	free(n->counts);
	free(n);
	l->names = NULL;
}

/* Lists the zones that are addresses, and whose functions are not known. */
static bool list_zones(struct live *l, struct live_names *n)
{
	struct code_zone zone;

	for (; l->zones_seen < l->process.zones; l->zones_seen++) {
		if (l->zones[l->zones_seen + 1].zone != PROFILE_NONE || !live_code_zone(l, l->zones_seen + 1, &zone))
			continue;
		if (!array_reserve(&n->zones, &n->capacity, n->count + 1ull, sizeof(*n->zones)))
			return false;
		n->zones[n->count++] = zone;
	}
	if (!n->count)
		return true;
	n->found = array_zeroed(n->count, sizeof(*n->found));
	n->counts = array_zeroed(n->count, sizeof(*n->counts));
	return n->found && n->counts;
}

/* What cannot be listed or begun is looked up when it is read. */
static void begin_names(struct live *l)
{
	struct live_names *n = calloc(1, sizeof(*n));

	if (!n)
		return;
	l->names = n;
	n->started_ns = l->source.profile->process.started_ns;
	n->stop = &l->source.stop;
	n->symbols = live_symbols(l);
	if (!list_zones(l, n) || !n->count || !n->symbols || !(n->aside = aside_begin(look_up, n)))
		live_names_free(l);
}

bool live_names_are_known(struct live *l)
{
	if (!l->names && l->zones_seen < l->process.zones)
		begin_names(l);
	if (!l->names)
		return true;
	if (!aside_is_over(l->names->aside, WITHIN_NS)) {
		snprintf(l->source.why, sizeof(l->source.why), "looking up %u functions in debug information",
			 l->names->count);
		return false;
	}
	aside_end(l->names->aside);
	l->names->aside = NULL;
	take_names(l, l->names);
	live_names_free(l);
	return true;
}
