/* SPDX-License-Identifier: MIT */
/*
 * check: conditions that frames are to meet, as a user writes them, and whether they do.
 *
 *   conditions  condition { , condition }            all of them have to hold
 *   condition   [ zone NAME [ self | hier | count ] ] STAT OP VALUE [ UNIT ]
 *   NAME        up to the next blank, or in quotes, "..." or '...'; understood by keys_parse
 *   STAT        min mean median max, or pN: p50, p99, p99.9
 *   OP          < <= > >=
 *   VALUE       16.7
 *   UNIT        ns us ms s, of a time; a count has none
 *
 * Without a zone the quantity is the length of a frame; of a zone its time in a frame with all that runs
 * inside (hier, which is meant when nothing is said), its self time, or its entries. A frame in which the
 * zone has no time counts as 0. Percentiles are nearest-rank, as in statistics.h, and the median is p50.
 *
 * Frames are added as they come; of each condition a number a frame is kept, and none of the profile.
 *
 * A condition is of all frames that it is asked of. Numbers that no frame with them was added for are frames of which
 * nothing is known, and one of which parts are gone has its length, but no time in a zone. Such a frame may have any
 * value from 0 on, so the figure lies between two bounds: it has one of them where these frames have the least, the
 * other one where they have the most. What is true of both bounds holds, what is true of neither does not hold, and
 * else it is not known. A frame that was kept for being long is one that is known.
 * Figures are in ticks and compared without rounding.
 */
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include "model/recursion.h"

#define CHECK_CONDITIONS 64u /* at most */
#define CHECK_TEXT 32
#define CHECK_UNBOUNDED INT64_MAX

enum check_measure { CHECK_FRAME, CHECK_SELF, CHECK_HIER, CHECK_COUNT };
enum check_stat { CHECK_MIN, CHECK_MEAN, CHECK_MAX, CHECK_RANK };
enum check_op { CHECK_BELOW, CHECK_AT_MOST, CHECK_ABOVE, CHECK_AT_LEAST, CHECK_OPS };
enum check_verdict { CHECK_HOLDS, CHECK_NOT_KNOWN, CHECK_FAILS }; /* of several conditions the last one counts */
enum check_unit { CHECK_NS, CHECK_US, CHECK_MS, CHECK_S, CHECK_UNITS };

extern const char *const check_measures[]; /* `frame`, `self`, `hier`, `count` */
extern const char *const check_ops[CHECK_OPS];
extern const char *const check_verdicts[]; /* `holds`, `not known`, `does not hold` */

/* A unit of time: its name, in ASCII too, and how many ns it has. */
struct check_unit_def {
	const char *name, *ascii;
	int64_t ns;
};

extern const struct check_unit_def check_units[CHECK_UNITS];

struct check_condition {
	char *zone; /* NULL: none */
	enum check_measure measure;
	enum check_stat stat;
	uint32_t rank;              /* of CHECK_RANK: in millionths of a percent */
	char stat_text[CHECK_TEXT]; /* as it was written, and so are those below */
	enum check_op op;
	char limit_text[CHECK_TEXT];
	enum check_unit unit; /* not of CHECK_COUNT */
	int64_t limit; /* in thousandths: of a nanosecond, or of an entry */
	/* check_judge: the figure is least/scale ticks, or entries, at least, and most/scale at most; scale is 1 but for a
	 * mean. Where all is known they are the same */
	int64_t least, most; /* CHECK_UNBOUNDED: there is no most */
	uint64_t scale;
	uint32_t judged;  /* frames that are known */
	uint64_t unknown; /* and others that it is asked of */
	enum check_verdict verdict;
};

struct check {
	struct check_condition *conditions;
	uint32_t count;
	/* what the caller may set before it adds frames */
	uint32_t threads; /* whose time in a zone; THREADS_ALL at first */
	uint64_t most;    /* so many frames are kept, the newest; 0 at first: all */
	/* what there is */
	uint64_t frames; /* that were added so far */
	/* check_judge: */
	uint32_t judged;     /* frames that were added, of those that it is asked of */
	uint64_t unknown;    /* the others */
	uint32_t not_whole;  /* of `judged`, those of which a zone's time is not known */
	enum check_verdict verdict; /* of all conditions */
	struct check_store *store;
};

/* NULL: `why` says what is wrong, and where in the text, or that there is no memory. `spread`: names may be
 * those of one depth of recursion. */
struct check *check_new(const char *text, bool spread, char *why, size_t why_size);
void check_free(struct check *c);

bool check_has_zones(const struct check *c);

/* Looks for the zones in what the profile has by now, before frames of it are added. False: `why`; a name is that
 * of several zones, or there is no memory. */
bool check_find(struct check *c, const struct profile *p, char *why, size_t why_size);

/* Frames to come are of another profile of the same process. False: no memory. */
bool check_anew(struct check *c);

/* The first name that is no zone's so far; NULL: all were found. */
const char *check_missing(const struct check *c);

/* A frame that has ended, behind those that were added or, if it was not, between them; or one of these again, of which
 * more may be known. */
enum check_added {
	CHECK_TAKEN,
	CHECK_NO_FRAME,  /* it was discarded, or has no length: it is not asked of */
	CHECK_NO_MEMORY,
};
enum check_added check_add(struct check *c, const struct profile *p, const struct profile_frame *frame);

/* Judges the last n of the frames with numbers as far as `last` (below what was added: as far as that): as many as are
 * kept of them are known. False: none was added, or no memory. */
bool check_judge(struct check *c, uint64_t ticks_per_s, uint64_t n, uint64_t last);

/* check_parse.c: the conditions of a text. NULL: `why`. */
struct check_condition *check_parse(const char *text, uint32_t *count, char *why, size_t why_size);
void check_forget(struct check_condition *conditions, uint32_t count);

#endif
