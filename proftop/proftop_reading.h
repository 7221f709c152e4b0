/* SPDX-License-Identifier: MIT */
/*
 * proftop_reading: what is asked for without a screen: a region is opened, and read look by look until there is enough,
 * or no more comes.
 */
#ifndef PROFTOP_READING_H
#define PROFTOP_READING_H

#include "io/region/live.h"
#include "io/source.h"
#include "model/stats/open_stacks.h"
#include "proftop/launch.h"
#include "proftop/options.h"

struct reading {
	struct source *source;
	struct launch *launch;     /* the program behind `--`; NULL: the process is not ours */
	enum source_result result; /* of the last look */
	bool told;                 /* what is wrong in a trace */
	bool anew;                 /* with it the profile began anew */
	void (*leaving)(void *context); /* asks to let go of the profile before it does; NULL: nobody has it */
	void *context;
};

/* The region that is meant, waited for as -w says, or that of the program behind `--`, as soon as there is one. False:
 * *status, and it has been said why. */
bool reading_open(struct reading *r, const struct options *o, unsigned flags, int *status);

/* The same of any text (NULL: nothing was typed), which may mean a frame of it: *frame, 0: none, as which_frame takes
 * it. */
bool reading_open_frame(struct reading *r, const struct options *o, const char *target, unsigned flags, int64_t *frame,
			int *status);

/* Says why nothing of that name can be read, and what to type if the name has a meaning elsewhere on the command line. */
void reading_say_absent(const struct options *o, const char *target, const char *why);

void reading_close(struct reading *r);

void reading_look(struct reading *r);

/* Before the next look: none where frames come faster than they are read. */
void reading_rest(struct reading *r);

/* No look will bring more. */
bool reading_is_over(const struct reading *r);

/* Says why the region cannot be read, and gives the exit status. EXIT_DONE: it can. */
int reading_status(const struct reading *r);

/* Frames that nobody needs any more go, but the newest: the next ones are put behind it. */
void reading_forget(struct reading *r);

#endif
