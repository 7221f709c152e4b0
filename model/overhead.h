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
 * It is a most. The calibration has nothing to do while it reads the clock; a program that has, on a processor that
 * works on meanwhile, pays less: of a loop that is bound by its memory a fourth was measured.
 */
#ifndef MODEL_OVERHEAD_H
#define MODEL_OVERHEAD_H

#include "model/values.h"

/* Ticks of a pair; 0: not known. */
double overhead_pair(const struct profile *p);

/* Whether so many entries take more to be measured than a tenth of these ticks; both in the same 1/scale. */
#define OVERHEAD_MUCH 0.1
bool overhead_is_much(double pair, double entries, double ticks);

/* Takes it off, once: v->less_overhead. Where nothing is known of what a pair costs, nothing happens. False: out of
 * memory, nothing happened. */
bool overhead_subtract(struct values *v, const struct profile *p);

#endif
