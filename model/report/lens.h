/* SPDX-License-Identifier: MIT */
/*
 * lens: what of a profile is looked at, and all that a report of it needs: the threads, recursion
 * merged or spread, an average slot or one frame, a path that stacks must contain.
 *
 * A lens follows a profile that grows. lens_new takes in all frames that are held; lens_update takes in those that
 * came since, in time proportional to their number. To look at something else is quick, too, and takes no longer with
 * a longer history: heat and trend begin anew, with the frames that still have weight.
 *
 * Values are there at once. Heat, trend and statistics per frame are made in pieces that are short enough to wait for
 * after a key. Mostly one piece is enough. If frames have very many stacks, further pieces follow with each report
 * and each call of lens_work, and the columns stay empty until the last one is done.
 *
 * While a frame is chosen, the values are those of this frame, heat says how far they are from each zone's median
 * over the frames that are held, and the trend ends at this frame. The medians of a long history take longer than one
 * should wait after a key. So lens_work makes them in pieces, and there is no heat until they are done. They are of
 * the frames that were held when this work began. They serve every frame that is chosen afterwards, until threads,
 * recursion or path change.
 *
 * A frame that is chosen can be set against a base: another frame that is held, or the fast average. Then reports
 * of it have the difference as a column, and lens_why says where it comes from.
 *
 * Under a path all of it is of the stacks that contain the path: values, heat, trend and medians.
 */
#ifndef MODEL_LENS_H
#define MODEL_LENS_H

#include "model/stats/average.h"
#include "model/stats/cause.h"
#include "model/stats/frame_order.h"
#include "model/zones/path.h"
#include "model/report/report.h"
#include "model/stats/why.h"
#include "model/stats/window.h"

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
	const char *base_reason; /* why proftop chose it; "" or NULL: the user did. A string that stays */
	const struct values *selected; /* these instead of the frame's (spans.h); they stay as long as they are looked at.
					* There is no heat and no base then. NULL: none */
};

struct lens;

/* `p` is borrowed and must outlive it. All threads are looked at, merged, in the fast average, until
 * told otherwise. NULL: out of memory. */
struct lens *lens_new(const struct profile *p);

/* A lens on `p`, a copy (profile_copy) of the profile that `from` looks at. It takes over the options, the averages and
 * the order of frames, so the history is not read again. NULL: out of memory. */
struct lens *lens_copy(const struct lens *from, const struct profile *p);
void lens_free(struct lens *l);

/* The profile has grown. False, here and below: out of memory; the lens can be used on. */
bool lens_update(struct lens *l);

/* Looks at something else; nothing happens where it is the same. Options are copied. */
bool lens_look(struct lens *l, const struct lens_options *options);
const struct lens_options *lens_options(const struct lens *l);

/* How often that was something else than before. What reports from before then have borrowed, their trend, is gone. */
uint64_t lens_turns(const struct lens *l);

/* Begins statistics anew: all averages, heat and the statistics per frame take in only what comes from now on. */
bool lens_reset(struct lens *l);

/* What is looked at; owned by the lens, until it is updated or looks at something else. NULL: out of
 * memory. */
const struct values *lens_values(struct lens *l);

/* Which keys, threads and nodes of a frame are looked at. Its members belong to the lens, until that is updated or
 * looks at something else. */
struct scope lens_scope(const struct lens *l);

/* What it is set against, in the scale of the values; NULL: nothing, or no memory. Owned likewise. */
const struct values *lens_base(struct lens *l);

/* Why what is looked at differs from its base, for these threads (a selection). NULL: it has none, or no memory.
 * Caller frees. */
struct why *lens_why(struct lens *l, uint32_t threads, bool by_zone);

/* The keys it uses: merged or spread, up to date. */
const struct keys *lens_keys(const struct lens *l);

/* The lengths of all frames that are held, as of the last update; owned by the lens. */
const struct frame_order *lens_order(const struct lens *l);

/* The heat and the trend that a report shows. NULL: not made yet (lens_work does), or there is none for this frame.
 * Owned by the lens, as the values. */
const struct heat *lens_heat(const struct lens *l);
const struct trend *lens_trend(const struct lens *l);

/* The report of a view. The caller sets the options, but for thread, spread, keys, heat, trend, base and stats, which
 * are set here.
 *
 * options->per_frame asks for statistics per frame. They are of the newest WINDOW_FRAMES frames, whatever frame is
 * chosen, and two seconds old at most while the process lives. The frames that they are made of are kept (window.h)
 * until a report does not ask for them. */
enum report_error lens_report(struct lens *l, const struct report_options *options,
			      struct report **out, char *why, size_t why_size);

/* What goes with a key's heat (cause.h), over the newest CAUSE_FRAMES whatever frame is chosen; a second old at
 * most. Owned by the lens, until another key is asked for, or it is updated or looks at something else. NULL: out
 * of memory. */
const struct cause *lens_cause(struct lens *l, uint32_t key);

/* Does a piece of what is still to be made: heat, trend and statistics, and then, if a frame is chosen, medians. It
 * takes about as long as `frames` small frames do. True: there is more to do. False: all is there, or not needed,
 * or there is no memory for it. */
bool lens_work(struct lens *l, uint32_t frames);

#endif
