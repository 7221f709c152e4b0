/* SPDX-License-Identifier: MIT */
/*
 * why: what made one frame longer or shorter than another: the difference of self time of each stack of zones, and
 * what of it comes of more or fewer calls, and what of slower or faster ones.
 *
 * A row is a stack in which each zone stands once: a zone that is entered inside itself is where it was first entered,
 * and what it calls from there is what it calls (the calling context tree of Ammons, Ball and Larus, 1997, with its
 * backedges). Spread, each stack is a row as it is. By zone, a row is a zone, or spread a zone at one depth.
 *
 * A row has count c0 and self s0 in the base, and c1 and s1 in `now`, the sums over its nodes. delta = s1 − s0:
 *
 *   both counts > 0                                calls = (c1 − c0)·s0/c0, cost = delta − calls
 *   on either side time, but no entry              all of it is carried: the zone was open from before; the root is
 *                                                  always so, as nobody enters it
 *   c0 = 0                                         all of it is calls: the zone is new
 *   c1 = 0                                         all of it is calls: the zone is gone
 *
 * If entries are not known on either side (profile_lack_calls), nothing is split: a row without time in the base is new,
 * one without time now is gone, and any other has changed. Then calls, cost and carried are 0 and mean nothing.
 *
 * Integer division, the remainder to cost. So in each row delta = calls + cost + carried. In each thread the deltas of
 * its rows add up to time − base_time, exactly, unless a part is missing or values were rounded; `waiting` of it is in
 * rows of zones that wait. Of a thread that was there for all of both frames, as the marking one is, that is the
 * difference of the frames. Threads are never added up.
 *
 * Scales. Both sides are brought to one scale. Where the numbers are too large for that to be exact they are rounded,
 * and a thread's time is then the sum of what its nodes show, as it is in averages. Two profiles whose tick rates
 * differ by less than a thousandth are taken to have the same rate, since the same counter is never calibrated twice
 * alike. Otherwise the ticks of the base are converted into those of `now`.
 *
 * Values may be of another measure than time (values.h), the same on both sides: then its amounts stand for times.
 */
#ifndef MODEL_WHY_H
#define MODEL_WHY_H

#include "model/base/format.h"
#include "model/query/values.h"
#include "model/stats/off_cpu.h"

enum why_kind { WHY_CHANGED, WHY_NEW, WHY_GONE, WHY_CARRIED, WHY_KINDS };

extern const char *const why_kind_names[WHY_KINDS]; /* `changed`, `new`, `gone`, `carried` */

/* One side of the comparison. The values may be older than the profile: nodes and threads that came since have 0. */
struct why_side {
	const struct profile *p;
	const struct values *v;
};

struct why_options {
	uint32_t threads; /* a selection of now.p; if it is all of them, threads that only the base has are there, too */
	bool by_zone, spread;
};

/* What is one row, and who called it. */
struct why_stack {
	uint32_t parent;          /* of why->stacks; PROFILE_NONE: none, as of the root, and by zone */
	uint32_t node, base_node; /* of the two profiles, the first that is in it; PROFILE_NONE: none of that one is */
	uint32_t zone;            /* of the one profile, or behind all of its, of the other */
	uint32_t depth;           /* spread: how often the zone is in the stack; else 1 */
	bool waits;
};

/* The name of a zone. The depth of a recursive call stands between name and
 * place: `walk(2) (mesh.c:4)`. */
struct why_name {
	char *name;  /* escaped; NULL: the zone is in no row */
	char *place; /* ` (mesh.c:4)`, if another zone has the name; else NULL */
};

struct why_row {
	uint32_t stack; /* of why->stacks */
	/* Which of its callers, from the zone on outwards, tell it from other rows of the zone in this thread: 1 << 0 is the first.
	 * They are those at which two stacks part that have been the same up to there. */
	uint64_t tells;
	enum why_kind kind;
	int64_t delta, calls, cost, carried; /* 1/scale ticks */
	int64_t self, base_self;             /* likewise */
	int64_t count, base_count;           /* 1/scale entries */
	bool at_most; /* of cost and carried: perhaps the zone did not take this time, and the thread did not run */
};

struct why_thread {
	uint32_t thread, base_thread; /* of the two profiles; PROFILE_NONE: it is not in that one */
	int64_t time, base_time; /* measured, 1/scale ticks */
	int64_t delta;   /* time − base_time */
	int64_t sum;     /* Σ delta of the rows: equal to delta where nothing is missing */
	int64_t waiting; /* what of sum is in zones that wait */
	struct off_cpu off, base_off; /* of two frames; nothing is known of averages and of several frames */
	enum measure_known known, base_known; /* of another measure: how much is known of time and base_time */
	bool least; /* some of its amounts are not known, on either side. Then there is no difference: delta, sum and waiting
		     * are 0 and mean nothing, and it has no rows */
	uint32_t missing; /* so many of its parts are not there, on either side. Then some of what it did is in no
			   * row, and a row may be `new` or `gone` only because the other side's part is missing */
	struct why_row *rows; /* those with a delta other than 0, by |delta|, the largest first; the root is one of
				 them, `(no zone)` */
	uint32_t count;
};

struct why {
	uint32_t measure; /* of now.p */
	uint64_t per_s;   /* to write amounts with: measure_per_s */
	bool no_calls;    /* entries are not known on either side: no row is split */
	int64_t scale; /* 1 of two frames */
	bool rounded;  /* a side is an average, or was brought to a scale that does not hold it: sums are of rounded
			* values */
	uint32_t incomplete; /* parts that are missing on either side: sum and delta may differ by them */
	struct why_thread *threads; /* the marking thread first, or if it was not there for all of two frames one that was;
				     * then by |delta|. Those without time on either side are left out, but not the
				     * marking one */
	uint32_t thread_count;
	struct why_row *rows; /* of all threads: what theirs point into */
	uint32_t row_count;
	struct why_name *names; /* by zone of a stack */
	uint32_t name_count;
	struct why_stack *stacks; /* callers before what they call */
	uint32_t stack_count;
	bool by_zone, spread;
};

/* why_match.c says which nodes and threads of two profiles are the same. NULL: out of memory. */
struct why *why_make(const struct why_side *base, const struct why_side *now, const struct why_options *options);
void why_free(struct why *w);

/* The main cause of a row's delta: `more calls`, `fewer calls`, `slower calls`,
 * `faster calls`, `more and slower calls`, `fewer and faster calls`, `new`, `gone`, `carried over`; for a zone that waits `waited
 * longer` or `waited less`; `slower, at most` and `carried over, at most` if it is not known whether the zone or something else took the time, as
 * the thread did not run for a tenth of it or more. Of another measure than time `more per call`, `less per call`. If entries are not known,
 * `longer`, `shorter`, or `more`, `less`. */
const char *why_word(const struct why *w, const struct why_row *row);

/* `raycast ‹ ai ‹ update`: the row's zone and its callers. A zone that calls
 * itself stands there once, `walk(3) ‹ update`. If two zones have one name,
 * their places are added: `leaf ‹ load (mesh.c:4)`. With WHY_TOLD and WHY_DOTS,
 * callers that tell the row from no other row are left out: `sort ‹ … ‹ menu`.
 * If only one is left out, WHY_TOLD keeps its name. Caller frees; NULL: out of
 * memory. */
enum why_callers { WHY_ALL, WHY_TOLD, WHY_DOTS };
char *why_stack_text(const struct why *w, const struct why_row *row, enum why_callers callers, bool ascii);

/* How much longer the thread did not run than in the base, in ns: the least that it may be. False: it is not known, or less
 * than a hundredth of the thread's time. */
bool why_off_cpu(const struct why *w, const struct why_thread *t, int64_t *ns);

/* `did not run: +88.100 ms (preempted 3 times)`. UNIT_AUTO: the unit that suits the amount. */
#define WHY_OFF_CPU (OFF_CPU_TEXT + 96) /* bytes */
bool why_off_cpu_text(const struct why *w, const struct why_thread *t, enum unit unit, int precision, bool ascii,
		      char out[WHY_OFF_CPU]);

/* A hash of the zones of the row's stack and their depths, which tells it from
 * other rows of its thread. Never 0. */
uint64_t why_stack_id(const struct why *w, const struct why_row *row);

/* Whether the text of the row has the place of its zone. */
bool why_has_place(const struct why *w, const struct why_row *row);

/* The waiting of a thread changed by more than half of its delta, in either direction. */
bool why_is_waiting(const struct why_thread *t);

/* What changed beside waiting: delta − waiting. */
int64_t why_rest(const struct why_thread *t);

/* True if waiting is a part of the whole difference: neither it nor the rest changed in the other direction. */
bool why_waits_within(int64_t waiting, int64_t whole);

/* `38.4 ms of it waiting`, or if waiting is no part of the delta `waiting -218.9 ms, the rest +186.0 ms`. The two amounts
 * are those of `waiting` and of why_rest, as the caller writes numbers. */
void why_waiting_text(char *out, size_t size, const struct why_thread *t, const char *waiting, const char *rest);

#endif
