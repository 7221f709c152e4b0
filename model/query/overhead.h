/* SPDX-License-Identifier: MIT */
/*
 * overhead: what measuring costs, and times without it.
 *
 * To enter a zone and leave it again costs a pair, as the library calibrated it when the program started
 * (profile_process.pair_ns). There is one read of the clock on each side, and about as much work before and behind it:
 *
 *     the caller               |               the zone               |               the caller
 *     enter: find it, begin, CLOCK, store      ...      leave: begin, CLOCK, store
 *          outside             |   inside                    inside   |         outside
 *
 * so half of a pair lies inside of the zone, and half in its caller. (An empty zone is measured to take 9.5 ns where
 * a pair takes 19.0.) Of a node with c entries, whose children have c_1, c_2, ... of their own:
 *
 *     overhead = (c + c_1 + c_2 + ...) · pair / 2,     at most self (of a root: less the time in which it had no zone)
 *     self     = self − overhead                       never below 0
 *
 * All other times follow from the self times as they always do: what a thread is told to have run is Σ self, so less
 * by Σ overhead, and all identities hold. Entries, the frame's length and the longest calls stay as they were
 * measured: one call alone may cost less or more than another, and who looks for it wants to find it. So a zone's
 * longest call may be told longer than its time.
 *
 * The real cost is nearly always higher than that. The calibration has all that a pair touches in the first cache,
 * where a program has other things. (28 to 33 ns were measured in a chess engine, where 19 were calibrated.) What a
 * pair costs when the cache was just filled with other things is calibrated, too (pair_cold_ns): it is only shown, and
 * nothing is computed from it. The real cost can also be lower, if the processor goes on with other work while it
 * reads the clock: in a loop that waits for memory a pair was measured to cost a fourth of what was calibrated.
 */
#ifndef MODEL_OVERHEAD_H
#define MODEL_OVERHEAD_H

#include "model/query/values.h"

/* Ticks of a pair; 0: not known. */
double overhead_pair(const struct profile *p);

/* Ticks of a pair cold, where that is known and at least a tenth more; else 0. */
double overhead_pair_cold(const struct profile *p);

/* For the selected threads: the entries into zones, and the ticks in which the threads were busy, as far as that
 * is known. Not busy is the time in zones that wait; and if the selection merges threads, the time of threads
 * that entered no zone. Both results are in 1/scale. */
void overhead_share(const struct values *v, const struct profile *p, uint32_t threads, double *entries, double *busy);

/* Whether so many entries take more to be measured than a tenth of these ticks; both in the same 1/scale. */
#define OVERHEAD_MUCH 0.1
bool overhead_is_much(double pair, double entries, double ticks);

/* Takes it off, once: v->less_overhead. Where nothing is known of what a pair costs, nothing happens. False: out of
 * memory, nothing happened. */
bool overhead_subtract(struct values *v, const struct profile *p);

#endif
