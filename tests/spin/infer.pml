/* infer.pml: shm/snapshot_totals.c, the part of a thread that has not published it yet.
 *
 *   thread, at each transition: intent = h + 1; fence(release); clock and epoch; another epoch: publish the
 *          part, which ends at max(T, last) with the words as they stand; last, words; head = h + 1 (release)
 *          one of several zones that are suspended or resumed: the tick of the one before in place of the clock
 *          with a TICK in front of its event: intent = h + 2 behind the part, and head = h + 2
 *   reader: sees that the interval ended; a millisecond later: head (acquire); words; fence(acquire); intent
 *
 * One mark.  What the reader infers is what the thread publishes, whichever of them comes first.  The delay
 * stands for: every store that is older than the reader's look at the epoch has landed.  A thread at rest is seen to be.
 *
 * Mutants: LATE_INTENT NO_INTENT_FENCE NO_HEAD_RELEASE NO_HEAD_ACQUIRE NO_READER_FENCE NO_DELAY
 * NO_SECOND_INTENT
 */
#define TRANSITIONS 3
#define CELLS       5
#define STORES      18
#define INTENT 0
#define HEAD   1
#define LAST   2
#define WORDS  3 /* stands for all words: the number of transitions in them */
#define OWN    4 /* the thread's interval */
#include "memory.pml"

byte ticks = 0, epoch = 0, end_tick = 0; /* the mark's own order is handover.pml's matter */
bool started = false, published = false, inferred = false;
byte published_end, published_words, inferred_end, inferred_words;

#define read_clock(into) atomic { ticks++; into = ticks }

active proctype marker()
{
	byte tick;

	read_clock(tick);
	atomic { end_tick = tick; epoch = 1 }
}

inline announce(h)
{
	store(INTENT, h);
#ifndef NO_INTENT_FENCE
	fence_release();
#endif
}

inline publish()
{
	atomic {
		published_end = end_tick;
		if
		:: last > published_end -> published_end = last
		:: else -> skip
		fi;
		published_words = h;
		published = true;
		assert(!inferred || (inferred_end == published_end && inferred_words == published_words))
	}
}

active proctype thread()
{
	byte own, last, h = 0, seen, now;
	bool have_epoch, have_clock;

	atomic { /* a block is published whole, by the release store of its state */
		own = epoch;
		ticks++;
		last = ticks;
		memory[LAST] = last;
		memory[OWN] = own;
		started = true
	}
	do
	:: h < TRANSITIONS ->
		have_epoch = false;
		have_clock = false;
#ifndef LATE_INTENT
		announce(h + 1);
#endif
		do
		:: !have_epoch -> seen = epoch; have_epoch = true
		:: !have_clock -> read_clock(now); have_clock = true
		:: !have_clock && h > 0 -> now = last; have_clock = true
		:: have_epoch && have_clock -> break
		od;
#ifdef LATE_INTENT
		announce(h + 1);
#endif
		if
		:: seen != own ->
			publish();
			own = seen;
			store(OWN, own);
			read_clock(now)
		:: else -> skip
		fi;
		last = now;
		h++;
		if
		:: h < TRANSITIONS ->
			h++;
#ifndef NO_SECOND_INTENT
			store(INTENT, h)
#endif
		:: true -> skip
		fi;
		store(LAST, last);
		store(WORDS, h);
#ifndef NO_HEAD_RELEASE
		store_release(HEAD, h)
#else
		store(HEAD, h)
#endif
	:: h >= TRANSITIONS -> break
	:: true -> break /* killed, or asleep */
	od;
	arrived == issued -> finished = true;
	assert(memory[INTENT] == memory[HEAD])
}

active proctype reader()
{
	byte head, intent, own, last, words, end;
	bool have_head = false, have_intent = false, have_own = false, have_last = false, have_words = false;

	started && epoch == 1 -> end = end_tick;
#ifndef NO_DELAY
	atomic { arrived == issued -> skip };
#endif
#ifndef NO_HEAD_ACQUIRE
	head = memory[HEAD];
	have_head = true;
#endif
	do
	:: !have_head -> head = memory[HEAD]; have_head = true
	:: !have_own -> own = memory[OWN]; have_own = true
	:: !have_last -> last = memory[LAST]; have_last = true
	:: !have_words -> words = memory[WORDS]; have_words = true
#ifndef NO_READER_FENCE
	:: have_head && have_own && have_last && have_words && !have_intent -> intent = memory[INTENT]; have_intent = true
#else
	:: !have_intent -> intent = memory[INTENT]; have_intent = true
#endif
	:: have_head && have_own && have_last && have_words && have_intent -> break
	od;
	if
	:: intent == head && own == 0 -> atomic {
		if
		:: last > end -> end = last
		:: else -> skip
		fi;
		inferred_end = end;
		inferred_words = words;
		inferred = true;
		assert(!published || (inferred_end == published_end && inferred_words == published_words))
	}
	:: else -> skip
	fi
}
