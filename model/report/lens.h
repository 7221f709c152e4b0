/* SPDX-License-Identifier: MIT */
/*
 * lens: what of a profile is looked at, and all that a report of it needs: the threads, recursion
 * merged or spread, an average slot or one frame, a path that stacks must contain.
 *
 * A lens follows a profile that grows: lens_update folds in what is new, in time proportional to
 * that; the first time, in lens_new, that is all that is held. Changing what is looked at is quick too (not proportional to the history that is held): heat
 * and trend begin anew with the frames that still have weight.
 *
 * While a frame is chosen its values are the frame's own, heat says how far they are from each zone's
 * median over the frames that are held, and the trend ends at that frame. Medians of a long history
 * take longer than a key may: lens_work makes them bit by bit, and until they are there heat is not.
 * They are of the frames that were held when they were begun, and serve every frame that is chosen
 * until threads, recursion or path change.
 *
 * A frame that is chosen can be set against a base: another frame that is held, or the fast average. Then reports
 * of it have the difference as a column, and lens_why says where it comes from.
 *
 * Under a path all of it is of the stacks that contain the path: values, heat, trend and medians.
 */
#ifndef MODEL_LENS_H
#define MODEL_LENS_H

#include "model/average.h"
#include "model/cause.h"
#include "model/frame_order.h"
#include "model/path.h"
#include "model/report.h"
#include "model/why.h"
#include "model/window.h"

#define LENS_BASE_AVERAGE UINT64_MAX

struct lens_options {
	uint32_t threads; /* a selection: profile.h */
	bool spread;
	enum average_slot average;
	uint64_t frame; /* 0: the average of the slot; else the number of a frame (slot run: the whole run) */
	struct path path; /* length 0: no restriction */
	bool less_overhead; /* values are without what measuring costs (overhead.h); all else is as measured */
	uint64_t base; /* the number of the frame that `frame` is set against, or LENS_BASE_AVERAGE; 0: none */
	const char *base_name; /* what the column calls it; a string that stays */
};

struct lens;

/* `p` is borrowed and must outlive it. All threads are looked at, merged, in the fast average, until
 * told otherwise. NULL: out of memory. */
struct lens *lens_new(const struct profile *p);

/* A lens that looks at a copy of the profile (profile_copy) as `from` does at the original, with the
 * same averages: without reading the history again. Likewise. */
struct lens *lens_copy(const struct lens *from, const struct profile *p);
void lens_free(struct lens *l);

/* The profile has grown. False, here and below: out of memory; the lens can be used on. */
bool lens_update(struct lens *l);

/* Looks at something else; nothing happens where it is the same. Options are copied. */
bool lens_look(struct lens *l, const struct lens_options *options);
const struct lens_options *lens_options(const struct lens *l);

/* Statistics that are reset: the averages of the run and what they show begin now. */
bool lens_reset(struct lens *l);

/* What is looked at; owned by the lens, until it is updated or looks at something else. NULL: out of
 * memory. */
const struct values *lens_values(struct lens *l);

/* What of each frame is looked at; its members are the lens', until it is updated or looks at something else. */
struct scope lens_scope(const struct lens *l);

/* What it is set against, in the scale of the values; NULL: nothing, or no memory. Owned likewise. */
const struct values *lens_base(struct lens *l);

/* Why what is looked at is not as its base, of these threads (a selection). NULL: it has none, or no memory.
 * Caller frees. */
struct why *lens_why(struct lens *l, uint32_t threads);

/* The keys it uses: merged or spread, up to date. */
const struct keys *lens_keys(const struct lens *l);

/* The lengths of all frames that are held, as of the last update; owned by the lens. */
const struct frame_order *lens_order(const struct lens *l);

/* What a report of it gets; NULL: there is none yet. Owned by the lens, as the values. */
const struct heat *lens_heat(const struct lens *l);
const struct trend *lens_trend(const struct lens *l);

/* The report of a view: per_frame says whether statistics per frame are wanted. They are of the newest
 * WINDOW_FRAMES, whatever frame is chosen, and a second old at most; what they are made of is kept as
 * long as reports ask for it. Thread, keys, heat and trend are set here, the rest is the caller's. */
enum report_error lens_report(struct lens *l, const struct report_options *options,
			      struct report **out, char *why, size_t why_size);

/* What goes with the heat of a key, of the newest CAUSE_FRAMES whatever frame is chosen, and a second old at most;
 * owned by the lens, until it is updated or looks at something else. NULL: out of memory. */
const struct cause *lens_cause(struct lens *l, uint32_t key);

/* Works on medians where a frame is chosen, about `frames` frames of it. True: there is more to do.
 * False: they are there, or not needed, or there is no memory for them. */
bool lens_work(struct lens *l, uint32_t frames);

#endif
