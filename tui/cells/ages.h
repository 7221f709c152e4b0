/* SPDX-License-Identifier: MIT */
/*
 * ages: how long ago, in round steps: what a time axis says.
 */
#ifndef TUI_AGES_H
#define TUI_AGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Round times between labels, in steps of a unit. */
struct age_step {
	int64_t ns;      /* of the step */
	int64_t unit_ns; /* of what is counted in the label */
	bool tenths;     /* of it are said as well */
	const char *name, *ascii;
};

/* The first step that is not below; its ns is 0 when all are. */
struct age_step age_step_from(double least_ns);

/* `−0.4 s`, and of long ago `−1186 s`. */
void age_text(char *out, size_t size, const struct age_step *step, int64_t ns, bool ascii);

#endif
