/* SPDX-License-Identifier: MIT */
/*
 * beside: a recording that is made beside the screen, of one source.
 */
#ifndef PROFTOP_BESIDE_H
#define PROFTOP_BESIDE_H

#include "proftop/options.h"
#include "proftop/record_file.h"

struct beside {
	struct recorder *recorder; /* NULL: nothing is recorded */
	struct record_file file;
	char path[4096];
	double began, taken; /* times of wait_now */
};

/* From now on, with all that the source knows. False: `why`. */
bool beside_begin(struct beside *b, struct source *s, const char *path, const struct options *o, char *why, size_t why_size);

/* Behind a look at the source: what is new is recorded, a few times a second. `over`: nothing more will come, and the
 * recording ends. False: it ended for another reason: `why`. */
bool beside_look(struct beside *b, bool over, char *why, size_t why_size);

/* The source's profile begins anew, or goes: the recording does as well, or ends. */
void beside_anew(struct beside *b);
void beside_end(struct beside *b);

#endif
