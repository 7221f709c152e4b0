/* SPDX-License-Identifier: MIT */
/*
 * check: conditions that frames are to meet, as a user writes them, and whether
 * they do.
 *
 *   conditions  condition { , condition }            all of them have to hold
 *   condition   [ zone NAME [ self | hier | count ] ] [ MEASURE ] STAT OP VALUE [ UNIT ]
 *   NAME        up to the next blank, or in quotes, "..." or '...'; understood by keys_parse
 *   STAT        min mean median max, or pN: p50, p99, p99.9
 *   OP          < <= > >=
 *   VALUE       16.7
 *   MEASURE     the key of a measure (measures.h): its amount, in place of the time
 *   UNIT        ns us ms s, of a time; a count has none, and may have K M G, of bytes 1024, 1024², 1024³
 *
 * Without a zone the quantity is the length of a frame; of a zone its time in a
 * frame with all that runs inside (hier, which is meant when nothing is said),
 * its self time, or its entries. With a measure alone it is the amount of all
 * threads in a frame. A frame in which an amount is not known is not known. A frame in which the zone has no time counts
 * as 0. Percentiles are nearest-rank, as in statistics.h, and the median is
 * p50.
 *
 * Frames are added as they come. A check keeps two bounds a frame and
 * condition, and nothing of the profile.
 *
 * A condition is judged over all frames that it is asked of, also those that
 * are not known. A frame is not known if its number is missing among the frames
 * that were added. If only parts of it are missing, its length is known, but no
 * time in a zone. A frame that was kept for being long is known.
 *
 * A frame that is not known may have had any value from 0 on. If zones were
 * lost in a frame, each value in it has two bounds:
 *
 *     count   at least what was counted; at most that and all zones that were
 *             lost in the run
 *     hier    at least what was measured; at most the time of the slices in
 *             which zones were lost, as the zone may have run in a lost one
 *     self    at least what was measured in the other slices, as the time of
 *             lost zones is in it; at most as hier
 *
 * If no slice says that zones were lost in it, they may be of any frame
 * (struct loss_effects). A lost mark makes one frame of two: one of the longest
 * frames may have been two short ones.
 *
 * So the figure lies between two bounds, too: the least is the figure if each
 * frame had the least that it can have, the most is the figure if each had the
 * most. The condition holds if it is true of both bounds. It does not hold if
 * it is true of neither. Otherwise it is not known whether it holds. Figures
 * are in ticks, or entries, and are compared without rounding.
 */
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include "model/query/keys.h"

/*
 * Which figures of frames the losses of a run leave in doubt: check_losses.c.
 *
 * Most losses of calls are known by slice (PART_LOSSY), and so are slices that are missing. A loss that no slice shows
 * may be of any frame. Its effect depends on its cause, by the key of the loss. A cause that this version does not know
 * may have any effect.
 */
struct loss_effects {
	uint64_t calls;    /* calls that were lost, at most so many in one frame */
	uint64_t unplaced; /* of these, calls that may be of any frame */
	uint64_t marks;    /* lost frame marks: each made one frame of two */
	bool first;        /* calls of frame 1, nobody knows how many */
	bool slices;       /* what some thread did in some frame is missing */
	bool times;        /* the clock was wrong */
	bool end;          /* frames at the end are missing, nobody knows how many */
	bool records;      /* records of a trace are missing, with any effect. They are not counted as frames */
};

/* Whether the loss has an effect. */
bool loss_has_effect(const struct profile_loss *loss);

/* Whether the cause is known here. */
bool loss_is_known(const char *key);

#define CHECK_CONDITIONS 64u /* at most */
#define CHECK_TEXT 32
#define CHECK_UNBOUNDED INT64_MAX

enum check_measure { CHECK_FRAME, CHECK_SELF, CHECK_HIER, CHECK_COUNT };
enum check_stat { CHECK_MIN, CHECK_MEAN, CHECK_MAX, CHECK_RANK };
enum check_op { CHECK_BELOW, CHECK_AT_MOST, CHECK_ABOVE, CHECK_AT_LEAST, CHECK_OPS };
enum check_verdict { CHECK_HOLDS, CHECK_NOT_KNOWN, CHECK_FAILS }; /* of several conditions the last one counts */
enum check_unit { CHECK_NS, CHECK_US, CHECK_MS, CHECK_S, CHECK_TIMES, CHECK_ONE = CHECK_TIMES, CHECK_KIB, CHECK_MIB, CHECK_GIB, CHECK_UNITS };

extern const char *const check_measures[]; /* `frame`, `self`, `hier`, `count` */
extern const char *const check_ops[CHECK_OPS];
extern const char *const check_verdicts[]; /* `holds`, `not known`, `does not hold` */

/* A unit: its name, in ASCII too, and how many ns it has, or how many bytes or others. */
struct check_unit_def {
	const char *name, *ascii;
	int64_t of;
};

extern const struct check_unit_def check_units[CHECK_UNITS];

struct check_condition {
	char *zone; /* NULL: none */
	enum check_measure measure;
	char *key; /* of a measure; NULL: it is about time or entries */
	uint64_t per_s;  /* of the measure, set by check_find: measure_per_s */
	uint32_t amount; /* the measure, set by check_find; MEASURE_SELF: time; PROFILE_NONE: the profile has none of this key */
	enum check_stat stat;
	uint32_t rank;              /* of CHECK_RANK: in millionths of a percent */
	char stat_text[CHECK_TEXT]; /* as it was written, and so are those below */
	enum check_op op;
	char limit_text[CHECK_TEXT];
	enum check_unit unit;
	int64_t limit; /* in thousandths: of a nanosecond, or of an entry, a byte or another count */
	/* Set by check_judge. The two bounds of the figure are least/scale and most/scale, in ticks or entries. They
	 * are equal when all frames are known. scale is 1, but for a mean */
	int64_t least, most; /* most CHECK_UNBOUNDED: it may be as large as it likes */
	uint64_t scale;
	uint32_t judged;  /* frames that it was asked of and that are known */
	uint64_t unknown; /* frames that it was asked of and that are not known */
	enum check_verdict verdict;
};

struct check {
	struct check_condition *conditions;
	uint32_t count;
	/* The caller may set these before it adds frames */
	uint32_t threads; /* a selection: whose time in a zone counts; THREADS_ALL at first */
	uint64_t most;    /* so many of the newest frames are kept; 0, as at first: all */
	/* Counted by check_add */
	uint64_t frames; /* that were added so far */
	struct loss_effects lost; /* set by check_losses */
	/* Set by check_judge, of the frames that it judges */
	uint32_t judged;     /* so many were added */
	uint64_t unknown;    /* and so many were not */
	uint32_t not_whole;  /* of `judged`: so many have a length, but the time of a zone in them is not known */
	uint32_t lossy;      /* of `judged`: frames of which a slice says that zones were lost in it */
	enum check_verdict verdict; /* of all conditions */
	struct check_store *store;
};

/* NULL: `why` says what is wrong, and where in the text, or that there is no memory. `spread`: names may be
 * those of one depth of recursion. */
struct check *check_new(const char *text, bool spread, char *why, size_t why_size);
void check_free(struct check *c);

bool check_has_zones(const struct check *c);

/* The condition is about a time, and the limit has a unit of time. */
static inline bool check_is_time(const struct check_condition *c)
{
	return c->unit < CHECK_TIMES;
}

/* Ticks in a second, of a time; of an amount of ns 10^9. */
uint64_t check_per_s(const struct check_condition *c, uint64_t ticks_per_s);

/* Looks for the zones and measures in what the profile has by now, before frames of it are added. False: `why`; a name is that
 * of several zones, a measure is not what its condition takes it for, or there is no memory. */
bool check_find(struct check *c, const struct profile *p, char *why, size_t why_size);

/* The first key that is no measure's so far; NULL: all were found. */
const char *check_missing_measure(const struct check *c);

/* Frames to come are of another profile of the same process. False: no memory. */
bool check_anew(struct check *c);

/* The first name that is no zone's so far; NULL: all were found. */
const char *check_missing(const struct check *c);

/* Adds a frame that has ended. Mostly its number is above those of all frames that were added before; it may also be
 * one that was left out among them. A frame that is added again fills in what was not known of it the first time. */
enum check_added {
	CHECK_TAKEN,
	CHECK_NO_FRAME,  /* it was discarded, or has no length: no condition is about it */
	CHECK_NO_MEMORY,
};
enum check_added check_add(struct check *c, const struct profile *p, const struct profile_frame *frame);

/* Takes the losses of the run so far. Call it before check_judge. */
void check_losses(struct check *c, const struct profile *p);

/* Judges the conditions over n frames: those with the highest numbers, up to frame number `last`, or up to the newest
 * one that was added, if its number is above `last`. A number without a frame counts as a frame that is not known,
 * and so does a frame that is not kept any more (`most`); a discarded frame does not count. False: no frame was added,
 * or no memory. */
bool check_judge(struct check *c, uint64_t ticks_per_s, uint64_t n, uint64_t last);

/* check_parse.c: the conditions of a text. NULL: `why`. */
struct check_condition *check_parse(const char *text, uint32_t *count, char *why, size_t why_size);
void check_forget(struct check_condition *conditions, uint32_t count);

#endif
