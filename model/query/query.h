/* SPDX-License-Identifier: MIT */
/*
 * query: what of a profile is viewed, and all that a report of it needs: the threads, recursion merged or spread, the
 * time, a path that stacks must contain. All views, reports and exports ask it for their values.
 *
 *     the time                           options                    values, and with `sums`
 *     an average frame of a slot         average                    the average; the whole run
 *     one frame                          frame                      the frame
 *     a range of frames                  first, last                their mean; their sum
 *     a stretch of time                  selected (spans.h)         these
 *
 * A query follows a profile that grows. What is asked for first takes in all frames that are held; query_update takes in
 * those that came since, in time proportional to their number. To look at something else is quick, too, and takes no
 * longer with a longer history: heat and trend begin anew, with the frames that still have weight.
 *
 * Values are there at once. Heat, trend and statistics per frame are made in pieces that are short enough to wait for
 * after a key. Mostly one piece is enough. If frames have very many stacks, further pieces follow with each report
 * and each call of query_work, and the columns stay empty until the last one is done.
 *
 * While a frame is chosen, the values are those of this frame, heat says how far they are from each zone's median
 * over the frames that are held, and the trend ends at this frame. The medians of a long history take longer than one
 * should wait after a key. So query_work makes them in pieces, and there is no heat until they are done. They are of
 * the frames that were held when this work began. They serve every frame that is chosen afterwards, until threads,
 * recursion or path change.
 *
 * A frame that is chosen can be set against a base: another frame that is held, or the fast average. Then reports
 * of it have the difference as a column, and query_why says where it comes from.
 *
 * Under a path all of it is of the stacks that contain the path: values, heat, trend and medians.
 */
#ifndef MODEL_QUERY_H
#define MODEL_QUERY_H

#include "model/query/average.h"
#include "model/query/path.h"
#include "model/report/line_table.h"
#include "model/report/report.h"
#include "model/stats/cause.h"
#include "model/stats/frame_order.h"
#include "model/stats/why.h"
#include "model/stats/zone_stats.h"

#define QUERY_BASE_AVERAGE UINT64_MAX
#define QUERY_NEWEST (UINT64_MAX - 1) /* as the last frame of a range */

struct query_options {
	uint32_t threads; /* a selection: profile.h */
	uint32_t measure; /* one that is shown (measure_is_shown); MEASURE_SELF, as at first: time */
	bool spread;
	enum average_slot average;
	uint64_t frame; /* 0: the average of the slot; else the number of a frame (slot run: the whole run) */
	uint64_t first, last; /* numbers: the frames of these that are held, instead of `frame`. There is no base then, and
			       * heat only at once. first 0: no range */
	bool sums; /* of the frame or the range, or else of the whole run, with what runs: not per frame */
	bool at_once; /* for a report that is made once of all that is held: heat, statistics per frame and causes are of
		       * all these frames, and there at once. There is no trend */
	struct path path; /* length 0: no restriction */
	bool less_overhead; /* values are without what measuring costs (overhead.h); all else is as measured */
	uint64_t base; /* the number of the frame that `frame` is set against, or QUERY_BASE_AVERAGE; 0: none */
	const char *base_name; /* what the column calls it; a string that stays */
	const char *base_reason; /* why proftop chose it; "" or NULL: the user did. A string that stays */
	const struct values *selected; /* these instead of the frame's (spans.h); they stay as long as they are viewed.
					* There is no heat and no base then. NULL: none */
};

struct query;

/* `p` is borrowed and must outlive it. All threads are looked at, merged, in the fast average, until
 * told otherwise. NULL: out of memory. */
struct query *query_new(const struct profile *p);

/* A query on `p`, a copy (profile_copy) of the profile that `from` looks at. It takes over the options, the averages and
 * the order of frames, so the history is not read again. NULL: out of memory. */
struct query *query_copy(const struct query *from, const struct profile *p);
void query_free(struct query *q);

/* The held frames that are covered, by index: the frame or the range, else all of them. */
void query_frames(const struct query *q, uint32_t *first, uint32_t *count);

/* The profile has grown. False, here and below: out of memory; the query can be used on. */
bool query_update(struct query *q);

/* Looks at something else; nothing happens where it is the same. Options are copied. */
bool query_look(struct query *q, const struct query_options *options);
const struct query_options *query_options(const struct query *q);

/* How often that was something else than before. What reports from before then have borrowed, their trend, is gone. */
uint64_t query_turns(const struct query *q);

/* Begins statistics anew: all averages, heat and the statistics per frame take in only what comes from now on. */
bool query_reset(struct query *q);

/* The viewed values; owned by the query, until it is updated or views something else. NULL: out of memory. */
const struct values *query_values(struct query *q);

/* The same of time, whatever the measure. */
const struct values *query_times(struct query *q);

/* The same of CPU time, without the path. COUNT of averages is 0. Free with
 * values_free. NULL: the profile has no CPU time, or out of memory. */
struct values *query_cpu(struct query *q);

/* Which keys, threads and nodes of a frame are looked at. Its members belong to the query, until that is updated or
 * looks at something else. */
struct scope query_scope(const struct query *q);

/* The values that they are compared with, in the same scale; NULL: none, or out of memory. Owned likewise. */
const struct values *query_base(struct query *q);

/* Why what is looked at differs from its base, for these threads (a selection). NULL: it has none, or no memory.
 * Caller frees. */
struct why *query_why(struct query *q, uint32_t threads, bool by_zone);

/* The keys it uses: merged or spread, up to date. */
const struct keys *query_keys(const struct query *q);

/* The lengths of all frames that are held, as of the last update; owned by the query. */
const struct frame_order *query_order(struct query *q);

/* The heat and the trend that a report shows. NULL: not made yet (query_work does), or there is none for this frame.
 * Owned by the query, as the values. */
const struct heat *query_heat(const struct query *q);
const struct trend *query_trend(const struct query *q);

/* The report of a view. The caller sets the options, but for thread, spread, keys, heat, trend, base and stats, which
 * are set here; options->without leaves out what takes long.
 *
 * Unless all is made at once, options->per_frame asks for statistics per frame. They are of the newest WINDOW_FRAMES frames, whatever frame is
 * chosen, and two seconds old at most while the process lives. The frames that they are made of are kept (zone_stats.h)
 * until a report does not ask for them. */
enum report_error query_report(struct query *q, const struct report_options *options,
			      struct report **out, char *why, size_t why_size);

/* The same of another measure than is viewed, with sums of a range and of the whole run. It has no heat, trend, base or
 * statistics per frame. */
enum report_error query_report_in(struct query *q, uint32_t measure, const struct report_options *options, struct report **out,
				  char *why, size_t why_size);

/* The lines of a function at which samples were taken, of such sums. NULL: the
 * zone is no function, the program takes no samples, a stretch of time is
 * viewed, or there is no memory. */
struct line_table *query_lines(struct query *q, uint32_t zone);

/* The causes of a key's heat (cause.h), over the newest CAUSE_FRAMES whichever frame is selected, or over all
 * frames at once; a second old at most. Owned by the query, until another key is asked for, or it is updated or
 * views something else. NULL: out of memory. */
const struct cause *query_cause(struct query *q, uint32_t key);

/* Does a piece of what is still to be made: heat, trend and statistics, and then, if a frame is chosen, medians. It
 * takes about as long as `frames` small frames do. True: there is more to do. False: all is there, or not needed,
 * or there is no memory for it. */
bool query_work(struct query *q, uint32_t frames);

#endif
