/* seq.pml: shm/seq.h, a slot that one writer rewrites and a reader gets whole or not at all.
 *
 *   writer: mark odd (relaxed); fence(release); words (relaxed); mark even (release)
 *   reader: mark (acquire); words (relaxed); fence(acquire); mark (relaxed)
 *
 * The writer may be killed anywhere.  Mutants: NO_WRITER_FENCE NO_WRITER_RELEASE NO_READER_ACQUIRE
 * NO_READER_FENCE
 */
#define ROUNDS 3
#define CELLS  3
#define STORES 12
#define MARK   0
#define LEFT   1
#define RIGHT  2
#include "memory.pml"

active proctype writer()
{
	byte n = 1;

	do
	:: n <= ROUNDS ->
		store(MARK, 2 * n - 1);
#ifndef NO_WRITER_FENCE
		fence_release();
#endif
		store(LEFT, n);
		store(RIGHT, n);
#ifndef NO_WRITER_RELEASE
		store_release(MARK, 2 * n);
#else
		store(MARK, 2 * n);
#endif
		n++
	:: n > ROUNDS -> break
	:: true -> break /* killed */
	od;
	finished = true
}

active proctype reader()
{
	byte mark, left, right, again;
	bool have_mark = false, have_left = false, have_right = false, have_again = false;

#ifndef NO_READER_ACQUIRE
	mark = memory[MARK];
	have_mark = true;
#endif
	do
	:: !have_mark -> mark = memory[MARK]; have_mark = true
	:: !have_left -> left = memory[LEFT]; have_left = true
	:: !have_right -> right = memory[RIGHT]; have_right = true
#ifndef NO_READER_FENCE
	:: have_mark && have_left && have_right && !have_again -> again = memory[MARK]; have_again = true
#else
	:: have_mark && !have_again -> again = memory[MARK]; have_again = true
#endif
	:: have_left && have_right && have_again -> break
	od;
	if
	:: mark == again && mark % 2 == 0 -> assert(left == mark / 2 && right == mark / 2)
	:: else -> skip
	fi
}
