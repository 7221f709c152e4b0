/* SPDX-License-Identifier: MIT */
/* canvas.c: noise, discs and a glow. */
#include "canvas.h"

#include <string.h>

#include <prof.h>

/* A value from 0 to 1 for each point of a lattice. */
static float lattice(int x, int y)
{
	uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;

	h = (h ^ (h >> 15)) * 0x2c1b3c6du;
	return (float)((h ^ (h >> 12)) & 0xffff) * (1.0f / 65535);
}

/* Smooth between the points of the lattice. */
static float noise(float x, float y)
{
	float left = floorf(x), top = floorf(y), u = x - left, v = y - top;
	int i = (int)left, k = (int)top;

	u = u * u * (3 - 2 * u);
	v = v * v * (3 - 2 * v);
	float above = lattice(i, k) + u * (lattice(i + 1, k) - lattice(i, k));
	float below = lattice(i, k + 1) + u * (lattice(i + 1, k + 1) - lattice(i, k + 1));
	return above + v * (below - above);
}

void canvas_nebula(struct canvas *canvas, struct vec around)
{
	Prof(nebula);

	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			float at_x = (float)x + 0.5f * around.x, at_y = (float)y + 0.5f * around.y;
			float thick = noise(0.013f * at_x, 0.013f * at_y);
			float thin = noise(0.06f * at_x, 0.06f * at_y);
			float red = 0.3f * thick * thin;
			struct light light = { red, 0.4f * red, 0.7f * thick * red };
			canvas->point[y * WIDTH + x] = light;
		}
	}
}

static int clipped(float coordinate, int size)
{
	return (int)clampf(coordinate, 0, (float)size);
}

void canvas_disc(struct canvas *canvas, struct vec middle, float radius, struct light light)
{
	int left = clipped(middle.x - radius, WIDTH), right = clipped(middle.x + radius + 1, WIDTH);
	int top = clipped(middle.y - radius, HEIGHT), bottom = clipped(middle.y + radius + 1, HEIGHT);

	for (int y = top; y < bottom; y++) {
		for (int x = left; x < right; x++) {
			struct vec off = vec_sub((struct vec){ (float)x + 0.5f, (float)y + 0.5f }, middle);
			float share = clampf(radius + 0.5f - vec_length(off), 0, 1);
			struct light *point = &canvas->point[y * WIDTH + x];
			point->red += share * light.red;
			point->green += share * light.green;
			point->blue += share * light.blue;
		}
	}
}

/* The part of a point that is too bright to be shown. */
static struct light excess(const struct light *p)
{
	return (struct light){ p->red > 1 ? p->red - 1 : 0, p->green > 1 ? p->green - 1 : 0,
		               p->blue > 1 ? p->blue - 1 : 0 };
}

/* Smears the excess of a line of points to both sides, fading by distance. */
static void glow_line(struct light *point, int count, struct light *fade)
{
	for (int way = 1; way >= -1; way -= 2) {
		struct light carry = { 0, 0, 0 };
		for (int n = 0; n < count; n++) {
			int i = way > 0 ? n : count - 1 - n;
			fade[i] = way > 0 ? carry : (struct light){ fade[i].red + carry.red,
			                                            fade[i].green + carry.green,
			                                            fade[i].blue + carry.blue };
			struct light more = excess(&point[i]);
			carry.red = 0.8f * carry.red + 0.2f * more.red;
			carry.green = 0.8f * carry.green + 0.2f * more.green;
			carry.blue = 0.8f * carry.blue + 0.2f * more.blue;
		}
	}
	for (int i = 0; i < count; i++) {
		point[i].red += fade[i].red;
		point[i].green += fade[i].green;
		point[i].blue += fade[i].blue;
	}
}

void canvas_glow(struct canvas *canvas)
{
	Prof(glow);

	for (int y = 0; y < HEIGHT; y++)
		glow_line(&canvas->point[y * WIDTH], WIDTH, canvas->row);
}
