/* SPDX-License-Identifier: MIT */
/*
 * check_losses: which figures of frames the losses of a run leave in doubt, by their causes.
 */
#include "model/stats/check.h"

#include <string.h>

enum effect {
	CALLS = 1 << 0,  /* counted calls. Their time is in their callers, or in no slice */
	MARKS = 1 << 1,
	FIRST = 1 << 2,
	SLICES = 1 << 3,
	TIMES = 1 << 4,
	END = 1 << 5,
	ANY = MARKS | SLICES | TIMES | END,
};

static const struct {
	const char *key;
	unsigned effect;
} causes[] = {
	/* causes in the program */
	{ "after_thread_end", CALLS },
	{ "calls_room", 0 },
	{ "clock_back", TIMES },
	{ "counter_room", 0 },
	{ "end_without_begin", 0 },
	{ "event_room", 0 },
	{ "frame_bounds", 0 },
	{ "frames_merged", 0 }, /* the slices say so */
	{ "hours_room", 0 },
	{ "in_handler", CALLS },
	{ "left_open", 0 },
	{ "mark_busy", MARKS },
	{ "mark_room", MARKS },
	{ "measure_room", 0 }, /* slices and totals say so */
	{ "memory", CALLS },
	{ "node_room", CALLS },
	{ "not_a_number", 0 },
	{ "note_cut", 0 },
	{ "part_room", 0 }, /* the slices are missing */
	{ "region_room", 0 },
	{ "sample_room", 0 }, /* the sample counts for what is around its functions */
	{ "stack_misused", 0 },
	{ "stack_room", CALLS },
	{ "starting", FIRST },
	{ "thread_room", CALLS },
	{ "too_deep", CALLS },
	{ "value_room", 0 },
	{ "worst_room", 0 },
	{ "zone_room", CALLS },
	/* causes in proftop, as it reads a region. Slices and frames that were overwritten are missing, or are
	 * marked */
	{ "damaged_nodes", SLICES },
	{ "damaged_records", SLICES },
	{ "in_flight", 0 },
	{ "lapped_frames", 0 },
	{ "lapped_parts", 0 },
	{ "lapped_values", 0 },
	{ "torn_totals", 0 },
	{ "torn_values", 0 },
	{ "unread_totals", 0 },
	/* causes in a recording */
	{ "calls_not_copied", 0 },
	{ "calls_over_size", 0 },
	{ "frames_left_out", 0 },
	{ "frames_not_copied", 0 }, /* check counts them as unknown, by their numbers */
	{ "frames_over_size", 0 },
	{ "items_too_large", SLICES },
	{ "recording_cut", END },
	{ "recording_damaged", SLICES },
	{ "recording_room", END },
	{ "values_over_size", 0 },
	/* causes in an imported trace */
	{ "import_deep", CALLS },
	{ "import_end_alone", CALLS },
	{ "import_overlap", TIMES },
	{ "import_time_back", TIMES },
};

static unsigned effect_of(const char *key, bool *known)
{
	for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++)
		if (!strcmp(causes[i].key, key))
			return *known = true, causes[i].effect;
	*known = false;
	return ANY;
}

bool loss_is_known(const char *key)
{
	bool known;

	effect_of(key, &known);
	return known;
}

bool loss_has_effect(const struct profile_loss *loss)
{
	bool known;

	return loss->count && effect_of(loss->key, &known);
}

static uint64_t sum_bounded(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

void check_losses(struct check *c, const struct profile *p)
{
	struct loss_effects e = { 0 };
	bool known = false;

	for (uint32_t i = 0; i < p->loss_count; i++) {
		const struct profile_loss *loss = &p->losses[i];
		unsigned effect = loss->count ? effect_of(loss->key, &known) : 0;

		e.calls = effect & CALLS ? sum_bounded(e.calls, loss->count) : e.calls;
		e.marks = effect & MARKS ? sum_bounded(e.marks, loss->count) : e.marks;
		e.first |= (effect & FIRST) != 0;
		e.slices |= (effect & SLICES) != 0;
		e.times |= (effect & TIMES) != 0;
		e.end |= (effect & END) != 0;
		e.records |= effect == ANY && !known && !strncmp(loss->key, "import_", strlen("import_"));
	}
	e.marks = e.marks < UINT32_MAX ? e.marks : UINT32_MAX;
	e.unplaced = p->unplaced < e.calls ? p->unplaced : e.calls;
	c->lost = e;
}
