/* SPDX-License-Identifier: MIT */
#include "model/query/pins.h"

uint32_t pins_number(const struct pins *pins, uint64_t id)
{
	for (uint32_t i = 0; id && i < PINS_MOST; i++)
		if (pins->ids[i] == id)
			return i + 1;
	return 0;
}

uint32_t pins_turn(struct pins *pins, uint64_t id)
{
	uint32_t number = pins_number(pins, id);

	if (number) {
		pins->ids[number - 1] = 0;
		return number;
	}
	for (uint32_t i = 0; i < PINS_MOST; i++)
		if (!pins->ids[i]) {
			pins->ids[i] = id;
			return i + 1;
		}
	return 0;
}

bool pins_any(const struct pins *pins)
{
	for (uint32_t i = 0; i < PINS_MOST; i++)
		if (pins->ids[i])
			return true;
	return false;
}

/* Zones that are pinned have a key each, and a node has one of them at most. */
static void add_part(const uint32_t numbers[PINS_MOST], const struct keys *keys,
		     const struct profile_held *part, int64_t out[PINS_MOST])
{
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		if (cell.node >= keys->node_count)
			continue;
		for (uint32_t n = 0; n < PINS_MOST; n++)
			if (keys->of_node[cell.node] == numbers[n])
				out[n] += cell.self;
	}
}

void pins_in_frame(const struct pins *pins, const struct keys *keys, const struct profile *p,
		   const struct profile_frame *frame, uint32_t threads, int64_t out[PINS_MOST])
{
	uint32_t numbers[PINS_MOST];

	for (uint32_t n = 0; n < PINS_MOST; n++) {
		out[n] = 0;
		numbers[n] = pins->ids[n] ? keys_by_id(keys, pins->ids[n]) : PROFILE_NONE;
	}
	for (uint32_t i = 0; i < frame->part_count; i++)
		if (profile_selects(p, threads, frame->parts[i].thread))
			add_part(numbers, keys, &frame->parts[i], out);
}
