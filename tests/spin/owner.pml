/* owner.pml: a block that goes from one thread to the next (libprof/thread.c), and the totals of its owner.
 *
 *   old owner: its last part, under base_seq; state = ENDED (release)
 *   new owner: state = CLAIMED by compare-and-swap; base_seq odd (relaxed); fence(release); bases, started (relaxed);
 *              base_seq even (release); state = LIVE, of the next generation (release)
 *   reader:    state (acquire); base_seq (acquire); the words; fence(acquire); base_seq and state are the same
 *
 * Both owners are one writer here: what the one stored happened before the other took the block, by the release and
 * the acquire of the state.  What the reader accepts is of the generation that it takes it for.
 *
 * The two releases stand in for each other, as the odd base_seq comes before either: a mutant without one holds.
 *
 * Mutants: NO_RELEASES NO_WRITER_FENCE NO_STATE_AGAIN NO_READER_FENCE
 */
#define OWNERS 2
#define CELLS  4
#define STORES 12
#define STATE  0
#define SEQ    1
#define BASE   2
#define START  3
#define CLAIMED 100
#include "memory.pml"

active proctype owners()
{
	byte g = 1;

	do
	:: g <= OWNERS ->
		store(STATE, CLAIMED + g);
		store(SEQ, 2 * g - 1);
#ifndef NO_WRITER_FENCE
		fence_release();
#endif
		store(BASE, g);
		store(START, g);
#ifndef NO_RELEASES
		store_release(SEQ, 2 * g);
#else
		store(SEQ, 2 * g);
#endif
#ifndef NO_RELEASES
		store_release(STATE, g);
#else
		store(STATE, g);
#endif
		g++
	:: g > OWNERS -> break
	:: true -> break /* killed */
	od;
	finished = true
}

active proctype reader()
{
	byte state, mark, base, start, mark_again, state_again;
	bool have_base = false, have_start = false, have_mark = false, have_state = false;

	state = memory[STATE];
	mark = memory[SEQ];
	do
	:: !have_base -> base = memory[BASE]; have_base = true
	:: !have_start -> start = memory[START]; have_start = true
#ifndef NO_READER_FENCE
	:: have_base && have_start && !have_mark -> mark_again = memory[SEQ]; have_mark = true
	:: have_base && have_start && !have_state -> state_again = memory[STATE]; have_state = true
#else
	:: !have_mark -> mark_again = memory[SEQ]; have_mark = true
	:: !have_state -> state_again = memory[STATE]; have_state = true
#endif
	:: have_base && have_start && have_mark && have_state -> break
	od;
#ifdef NO_STATE_AGAIN
	state_again = state;
#endif
	if
	:: state > 0 && state < CLAIMED && state == state_again && mark == mark_again && mark % 2 == 0 ->
		assert(base == state && start == state)
	:: else -> skip
	fi
}
