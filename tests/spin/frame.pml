/* frame.pml: libprof/frame.c, shm/snapshot_frame.c: the words of an interval, in a ring that laps.
 *
 *   mark:    fence(release); info, T(n) = UNDECIDED|n (relaxed); exchange(epoch, n + 1); T(n) by compare-and-swap
 *   reader:  epoch (acquire) > n; T(n) (acquire); info; fence(acquire); epoch < n + count
 *   thread:  the same, in a flush: what it takes of an interval it checks by the epoch behind the fence
 *
 * What a reader accepts of interval n is what was written of it: its info, and no T but its own.  The marker may be
 * killed before it decides.  The acquire of T adds nothing to that of the epoch before it: a mutant would hold.
 *
 * Mutants: NO_MARK_FENCE NO_EPOCH_RELEASE NO_EPOCH_ACQUIRE NO_READER_FENCE NO_SECOND_LOOK
 */
#define MARKS     3
#define COUNT     2
#define CELLS     5
#define STORES    9
#define EPOCH     0
#define T(n)      (1 + (n) % COUNT)
#define INFO(n)   (3 + (n) % COUNT)
#define UNDECIDED 100
#include "memory.pml"

byte ticks = 0;
byte decided[MARKS]; /* 0: not yet */

active proctype marker()
{
	byte n = 0;

	do
	:: n < MARKS ->
#ifndef NO_MARK_FENCE
		fence_release();
#endif
		store(INFO(n), n + 1);
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
		landed[3 * n + 1] -> skip; /* a compare-and-swap meets its own thread's store */
		atomic { ticks++; decided[n] = ticks; memory[T(n)] = ticks }
		n++
	:: n >= MARKS -> break
	od;
	arrived == issued -> finished = true
}

active proctype reader()
{
	byte n, epoch, t, info, again;
	bool have_epoch = false, have_t = false, have_info = false, have_again = false;

	if
	:: true -> n = 0
	:: true -> n = 1
	:: true -> n = 2
	fi;
	do
	:: !have_epoch -> epoch = memory[EPOCH]; have_epoch = true
#ifndef NO_EPOCH_ACQUIRE
	:: have_epoch && !have_t -> t = memory[T(n)]; have_t = true
	:: have_epoch && !have_info -> info = memory[INFO(n)]; have_info = true
#else
	:: !have_t -> t = memory[T(n)]; have_t = true
	:: !have_info -> info = memory[INFO(n)]; have_info = true
#endif
#ifndef NO_READER_FENCE
	:: have_epoch && have_t && have_info && !have_again -> again = memory[EPOCH]; have_again = true
#else
	:: have_epoch && !have_again -> again = memory[EPOCH]; have_again = true
#endif
	:: have_epoch && have_t && have_info && have_again -> break
	od;
#ifdef NO_SECOND_LOOK
	again = epoch;
#endif
	if
	:: epoch > n && again < n + COUNT ->
		assert(info == n + 1);
		assert(t == UNDECIDED + n || t == decided[n])
	:: else -> skip
	fi
}
