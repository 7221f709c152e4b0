/* SPDX-License-Identifier: MIT */
/*
 * loss_effect: which figures of frames the losses of a run leave in doubt.
 *
 * Most losses of calls are known by slice (PART_LOSSY), and so are slices that
 * are missing. A loss that no slice shows may be of any frame. Its effect
 * depends on its cause, by the key of the loss. A cause that this version does
 * not know may have any effect.
 */
#ifndef MODEL_LOSS_EFFECT_H
#define MODEL_LOSS_EFFECT_H

#include "model/profile/profile.h"

struct loss_effects {
	uint64_t calls;    /* calls that were lost, at most so many in one frame */
	uint64_t unplaced; /* of these, calls that may be of any frame */
	uint64_t marks;    /* lost frame marks: each made one frame of two */
	bool first;        /* calls of frame 1, nobody knows how many */
	bool slices;       /* what some thread did in some frame is missing */
	bool times;        /* the clock was wrong */
	bool end;          /* frames at the end are missing, nobody knows how many */
};

struct loss_effects loss_effects_of(const struct profile *p);

/* Whether the loss has an effect. */
bool loss_has_effect(const struct profile_loss *loss);

/* Whether the cause is known here. */
bool loss_is_known(const char *key);

#endif
