/* SPDX-License-Identifier: MIT */
/*
 * source_below: searches a file in a folder and in those below it.
 *
 * If several files have that name, the one with the most of the wanted folders
 * before it is taken, then the one that lies least deep, then the first by name.
 * Near folders are searched first, and the number of entries is limited, so that
 * a folder of millions of files does not hold up the screen. Links to folders,
 * and folders whose names begin with a dot, are not entered.
 */
#ifndef PROFTOP_SOURCE_BELOW_H
#define PROFTOP_SOURCE_BELOW_H

#include <stdbool.h>

#include "proftop/source_file.h"

/* `file`: a name, maybe with some of its folders before it: `src/ray.c`. False: there is none. */
bool source_below(const char *folder, const char *file, char out[SOURCE_PATH]);

#endif
