/* ring.pml: shm/ring.h, a log of chunks that laps.
 *
 * Two chunks of one word of payload each; from the third on the oldest chunk becomes the newest.
 *
 *   writer: recycling: tail (relaxed); fence(release);  always: number, newest chunk (release), word (relaxed);
 *           head (release)
 *   reader: head (acquire); newest (acquire); from chunk to chunk: number, word; fence(acquire); tail
 *
 * What the reader accepts as unit u of the log is the word that was written as unit u.  The writer may be
 * killed anywhere.  Mutants: NO_TAIL_FENCE NO_HEAD_RELEASE NO_READER_ACQUIRE NO_READER_FENCE NO_TAIL
 */
#define UNITS  3
#define CELLS  7
#define STORES 15
#define HEAD      0
#define TAIL      1
#define NEWEST    2
#define NUMBER(c) (3 + (c))
#define WORD(c)   (5 + (c))
#include "memory.pml"

active proctype writer()
{
	byte u = 0;

	do
	:: u < UNITS ->
		if
		:: u >= 2 ->
			store(TAIL, u - 1);
#ifndef NO_TAIL_FENCE
			fence_release();
#endif
		:: else -> skip
		fi;
		store(NUMBER(u % 2), u);
		store_release(NEWEST, u % 2);
		store(WORD(u % 2), u + 1);
#ifndef NO_HEAD_RELEASE
		store_release(HEAD, u + 1);
#else
		store(HEAD, u + 1);
#endif
		u++
	:: u >= UNITS -> break
	:: true -> break /* killed */
	od;
	finished = true
}

active proctype reader()
{
	byte head, newest, number, other_number, word, other_word, tail, u;
	bool have_head = false, have_number = false, have_other_number = false, have_word = false,
	     have_other_word = false, have_tail = false;

#ifndef NO_READER_ACQUIRE
	head = memory[HEAD];
	have_head = true;
#endif
	newest = memory[NEWEST];
	do
	:: !have_head -> head = memory[HEAD]; have_head = true
	:: !have_number -> number = memory[NUMBER(newest)]; have_number = true
	:: !have_other_number -> other_number = memory[NUMBER(1 - newest)]; have_other_number = true
	:: !have_word -> word = memory[WORD(newest)]; have_word = true
	:: !have_other_word -> other_word = memory[WORD(1 - newest)]; have_other_word = true
#ifndef NO_READER_FENCE
	:: have_head && have_number && have_other_number && have_word && have_other_word && !have_tail ->
		tail = memory[TAIL];
		have_tail = true
#else
	:: !have_tail -> tail = memory[TAIL]; have_tail = true
#endif
	:: have_head && have_number && have_other_number && have_word && have_other_word && have_tail -> break
	od;
#ifdef NO_TAIL
	tail = 0;
#endif
	if
	:: number < head && number >= tail -> assert(word == number + 1)
	:: else -> skip
	fi;
	/* the chunk before it counts only if its number is one less */
	if
	:: number > 0 && other_number == number - 1 && other_number < head && other_number >= tail ->
		assert(other_word == other_number + 1)
	:: else -> skip
	fi
}
