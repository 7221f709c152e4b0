/* SPDX-License-Identifier: MIT */
/* rocks.c: building the tree by medians, fitting it, and spoiling it. */
#include "rocks.h"

#include <prof.h>

static struct box box_around(const struct rock *rock)
{
	return (struct box){ rock->at.x - rock->radius, rock->at.y - rock->radius,
		             rock->at.x + rock->radius, rock->at.y + rock->radius };
}

static struct box box_join(struct box a, struct box b)
{
	return (struct box){ a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
		             a.right > b.right ? a.right : b.right,
		             a.bottom > b.bottom ? a.bottom : b.bottom };
}

/* From the leaves to the root, as children have the higher numbers. */
static void fit_boxes(struct rocks *rocks)
{
	Prof(fit_boxes);

	for (int i = 0; i < ROCKS; i++)
		rocks->box[ROCKS + i] = box_around(&rocks->rock[rocks->order[i]]);
	for (int node = ROCKS - 1; node > 0; node--)
		rocks->box[node] = box_join(rocks->box[2 * node], rocks->box[2 * node + 1]);
}

static void exchange(uint32_t *a, uint32_t *b)
{
	uint32_t old = *a;

	*a = *b;
	*b = old;
}

static float along(const struct rocks *rocks, uint32_t rock, int axis)
{
	return axis ? rocks->rock[rock].at.y : rocks->rock[rock].at.x;
}

/* Reorders first[0 … count) so that its lower half lies lower on the axis (Hoare's select). */
static void split(const struct rocks *rocks, uint32_t *first, int count, int axis)
{
	int low = 0, high = count - 1, middle = count / 2;

	while (low < high) {
		float pivot = along(rocks, first[(low + high) / 2], axis);
		int i = low, j = high;
		while (i <= j) {
			while (along(rocks, first[i], axis) < pivot)
				i++;
			while (along(rocks, first[j], axis) > pivot)
				j--;
			if (i <= j)
				exchange(&first[i++], &first[j--]);
		}
		if (middle <= j)
			high = j;
		else if (middle >= i)
			low = i;
		else
			return;
	}
}

static void sort_range(struct rocks *rocks, uint32_t *first, int count, int axis)
{
	if (count < 2)
		return;
	split(rocks, first, count, axis);
	sort_range(rocks, first, count / 2, !axis);
	sort_range(rocks, first + count / 2, count / 2, !axis);
}

void rocks_sort(struct rocks *rocks)
{
	Prof(sort_rocks);

	sort_range(rocks, rocks->order, ROCKS, 0);
	fit_boxes(rocks);
	rocks->stale = false;
}

void rocks_mix(struct rocks *rocks, int exchanges, uint64_t *state)
{
	Prof(mix_rocks);

	for (int i = 0; i < exchanges; i++) {
		uint32_t a = chance(state) % ROCKS, b = chance(state) % ROCKS;
		exchange(&rocks->order[a], &rocks->order[b]);
	}
	fit_boxes(rocks);
	rocks->stale = true;
}

void rocks_move(struct rocks *rocks, float seconds)
{
	Prof(move_rocks);
	const float cosine = cosf(0.3f * seconds), sine = sinf(0.3f * seconds);

	for (int i = 0; i < ROCKS; i++) {
		struct rock *r = &rocks->rock[i];
		struct vec v = r->velocity; /* turns slowly, so that the rock goes in a circle */
		r->velocity = (struct vec){ v.x * cosine - v.y * sine, v.x * sine + v.y * cosine };
		r->at = vec_add(r->at, vec_scale(r->velocity, seconds));
	}
	fit_boxes(rocks);
}

void rocks_init(struct rocks *rocks, uint64_t seed)
{
	for (int i = 0; i < ROCKS; i++) {
		float angle = chance_between(&seed, 0, TURN), speed = chance_between(&seed, 0.1f, 1);
		rocks->rock[i] = (struct rock){
			.at = { chance_between(&seed, 0, WORLD_SIZE), chance_between(&seed, 0, WORLD_SIZE) },
			.velocity = vec_scale(vec_at_angle(angle), speed),
			.radius = chance_between(&seed, 0.15f, 0.6f),
			.seed = chance(&seed),
		};
		rocks->order[i] = (uint32_t)i;
	}
	for (int i = 0; i < OUTLINES; i++)
		rocks->outlines[i].rock = ROCKS;
	rocks_sort(rocks);
}
