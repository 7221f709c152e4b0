/* SPDX-License-Identifier: MIT */
/*
 * game_region: a region of known content: a small game at 60 frames a second, for tests of the screen.
 *
 *   main     update > ai > raycast > bvh_walk (three deep), plan > ai; physics; render
 *   worker   job > skin, cull; two threads of this name
 *   audio    mix, once in four frames
 *
 * Ticks are nanoseconds. Each frame's content follows from its number; frames 50, 90, 133 and 171 are
 * hitches, 60 and 61 are discarded. One zone has a name that no terminal should see, one a wide one; a
 * counter and a note, too. Something is spawned in every frame; notes are in 50, 133, 171, where much
 * happens at once, and 196.
 *
 * main has the newest single calls of update, ai, raycast and bvh_walk, fewer than it makes.
 *
 * The region is of another boot, so that no reader can tell what time it is there: nothing on the screen
 * depends on time. Its name has always as many cells, and the pid is 4711.
 */
#ifndef TESTS_GAME_REGION_H
#define TESTS_GAME_REGION_H

#include "tests/region_builder.h"

#define GAME_FRAMES 200 /* of game_begin */
#define GAME_RING 256   /* so many the region can hold */
#define GAME_NODES 24   /* of a thread, at most */
#define GAME_THREADS 4
#define GAME_NAME_SIZE 14

struct game {
	struct builder b;
	uint64_t frames;
	int64_t tick; /* of the newest mark */
};

/* `tag` is a letter that tells the games of a test apart; the name is another one in each run. One that is
 * there already under that name gives way. */
void game_begin(struct game *g, char tag);
void game_end(struct game *g);
void game_name(char name[GAME_NAME_SIZE], char tag);

/* So many frames more. */
void game_play(struct game *g, uint32_t frames);

/* The length that frame has, ticks. */
int64_t game_frame_length(uint64_t number);

#endif
