/* handover.pml: libprof/frame.c and part.c, a mark seen by a thread.
 *
 *   mark:  fence(release); T(n) = UNDECIDED|n (relaxed); exchange(epoch, n + 1); T(n) decided by compare-and-swap
 *   T(n):  load (acquire); undecided: decide it; fence(acquire); epoch >= n + count: lapped
 *   thread, at each transition: clock and epoch, in any order; another epoch: epoch (acquire), T of its own
 *          interval, b = max(T, last), a span up to T(epoch - 1); the clock again
 *
 * What holds: a T that is used is the T that was decided; T grows; parts tile, and end at their T or later;
 * every transition lies behind the boundary of the part before it.  The marker may be killed before it
 * decides.  The T words are a ring of two, so the thread is lapped, too.
 *
 * Mutants: NO_EPOCH_RELEASE NO_LAP_FENCE NO_ACQUIRE NO_LAP_CHECK NO_SECOND_CLOCK EARLY_BOUND
 */
#define MARKS       3
#define TRANSITIONS 3
#define COUNT       2
#define CELLS       3
#define STORES      8
#define EPOCH       0
#define T(n)        (1 + (n) % COUNT)
#define UNDECIDED   100
#include "memory.pml"

byte ticks = 0;
byte decided[MARKS + 1]; /* what T(n) became, for the assertions */

#define read_clock(into) atomic { ticks++; into = ticks }

inline decide(n, tick, result)
{
	atomic {
		if
		:: memory[T(n)] == UNDECIDED + n -> memory[T(n)] = tick; decided[n] = tick
		:: else -> skip
		fi;
		result = memory[T(n)]
	}
}

active proctype marker()
{
	byte n = 0, tick, got;

	do
	:: n < MARKS ->
#ifndef NO_LAP_FENCE
		fence_release();
#endif
		store(T(n), UNDECIDED + n);
#ifndef NO_EPOCH_RELEASE
		store_release(EPOCH, n + 1);
#else
		store(EPOCH, n + 1);
#endif
		if
		:: true -> break /* killed before it decides */
		:: true -> skip
		fi;
		read_clock(tick);
		landed[2 * n] -> skip; /* a compare-and-swap meets its own thread's store */
		decide(n, tick, got);
		assert(n == 0 || decided[n] > decided[n - 1]);
		n++
	:: n >= MARKS -> break
	od;
	arrived == issued -> finished = true
}

byte early, now, epoch, seen;
bool use_early = false;

/* T(n) into t; 0: lapped */
inline interval_end(n, t)
{
	if
	:: use_early && n == own -> t = early
	:: else -> t = memory[T(n)]
	fi;
	if
	:: t == UNDECIDED + n -> read_clock(now); decide(n, now, t)
	:: else -> skip
	fi;
#ifndef NO_LAP_CHECK
	seen = memory[EPOCH];
	if
	:: seen >= n + COUNT -> t = 0
	:: else -> skip
	fi
#endif
}

active proctype thread()
{
	byte own = 0, last, bound, done = 0, first, t, b;
	bool have_epoch, have_clock;

	read_clock(last);
	bound = last;
	do
	:: done < TRANSITIONS ->
		have_epoch = false;
		have_clock = false;
		use_early = false;
#ifdef NO_ACQUIRE
		if /* T was loaded before the epoch was */
		:: true -> early = memory[T(own)]; use_early = true
		:: true -> skip
		fi;
#endif
		do
		:: !have_epoch -> epoch = memory[EPOCH]; have_epoch = true
		:: !have_clock -> read_clock(now); have_clock = true
		:: have_epoch && have_clock -> break
		od;
		if
		:: epoch == own -> skip
		:: else ->
			first = own;
			epoch = memory[EPOCH];
			interval_end(first, t);
			do
			:: t == 0 -> first = seen - COUNT + 1; epoch = memory[EPOCH]; interval_end(first, t)
			:: else -> break
			od;
			assert(t == decided[first]);
			b = t;
#ifndef EARLY_BOUND
			if
			:: last > b -> b = last
			:: else -> skip
			fi;
#endif
			assert(b >= decided[first] && b >= last && b >= bound);
			bound = b;
			if
			:: epoch > first + 1 ->
				use_early = false;
				interval_end(epoch - 1, t);
				do
				:: t == 0 -> epoch = memory[EPOCH]; interval_end(epoch - 1, t)
				:: else -> break
				od;
				assert(t == decided[epoch - 1]);
				if
				:: t > bound -> bound = t
				:: else -> skip
				fi
			:: else -> skip
			fi;
			own = epoch;
#ifndef NO_SECOND_CLOCK
			read_clock(now)
#endif
		fi;
		assert(now > bound);
		last = now;
		done++
	:: else -> break
	od
}
