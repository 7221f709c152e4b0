/* SPDX-License-Identifier: MIT */
/* canvas: a picture of WIDTH × HEIGHT points of light, drawn in software.
 *
 * Light adds up: 0 is dark, 1 is as bright as a screen goes, and what is brighter
 * glows.  It is not shown anywhere; a hash of it goes into the world's sum.
 */
#ifndef GAME_CANVAS_H
#define GAME_CANVAS_H

#include "maths.h"

enum { WIDTH = 320, HEIGHT = 200 };

struct light {
	float red, green, blue;
};

struct canvas {
	struct light point[WIDTH * HEIGHT];
	struct light row[WIDTH]; /* scratch of canvas_glow */
};

/* Fills the picture with a nebula, of which it shows the part around a place. */
void canvas_nebula(struct canvas *canvas, struct vec around);

/* Adds a disc with a soft edge; in points, clipped. */
void canvas_disc(struct canvas *canvas, struct vec middle, float radius, struct light light);

/* Lets bright points shine on those beside them. */
void canvas_glow(struct canvas *canvas);

#endif
