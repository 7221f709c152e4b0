/* SPDX-License-Identifier: MIT */
/* maths: points of the plane, chance that is the same in every run, and time.
 *
 * The world is WORLD_SIZE units wide and high; a body moves some tens of units a second.
 */
#ifndef GAME_MATHS_H
#define GAME_MATHS_H

#include <math.h>
#include <stdint.h>
#include <time.h>

#define WORLD_SIZE 1024.0f
#define TURN       6.2831853f /* once around, in radians */

struct vec {
	float x, y;
};

static inline struct vec vec_add(struct vec a, struct vec b)
{
	return (struct vec){ a.x + b.x, a.y + b.y };
}

static inline struct vec vec_sub(struct vec a, struct vec b)
{
	return (struct vec){ a.x - b.x, a.y - b.y };
}

static inline struct vec vec_scale(struct vec a, float s)
{
	return (struct vec){ a.x * s, a.y * s };
}

static inline float vec_dot(struct vec a, struct vec b)
{
	return a.x * b.x + a.y * b.y;
}

static inline float vec_cross(struct vec a, struct vec b)
{
	return a.x * b.y - a.y * b.x;
}

static inline float vec_length(struct vec a)
{
	return sqrtf(vec_dot(a, a));
}

static inline struct vec vec_at_angle(float radians)
{
	return (struct vec){ cosf(radians), sinf(radians) };
}

static inline float clampf(float x, float least, float most)
{
	return x < least ? least : x > most ? most : x;
}

/* Scrambles the bits of a number: splitmix64's finisher. */
static inline uint64_t scramble(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* A sequence of chance; its whole state is one number. */
static inline uint32_t chance(uint64_t *state)
{
	*state += UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(scramble(*state) >> 32);
}

/* From least up to, but not, most. */
static inline float chance_between(uint64_t *state, float least, float most)
{
	return least + (most - least) * ((float)(chance(state) >> 8) * 0x1p-24f);
}

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

#endif
