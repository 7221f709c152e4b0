/* ring.pml: shm/ring.h, a log of chunks that laps.
 *
 * Two chunks of one word of payload each; from the third on the oldest chunk becomes the newest.
 *
 *   writer: recycling: tail (relaxed); fence(release);  always: number, newest chunk (release), word (relaxed);
 *           head (release)
 *   reader: head (acquire); newest (acquire); from chunk to chunk: number, word; fence(acquire); tail
 *
 * What the reader accepts as unit u of the log is the word that was written as unit u, and it finds all from the
 * tail to the head: what it does not find it would call damage.  The writer may be killed anywhere.
 *
 * Mutants: NO_TAIL_FENCE NO_NEWEST_RELEASE NO_HEAD_RELEASE NO_READER_ACQUIRE NO_NEWEST_ACQUIRE NO_READER_FENCE
 * NO_TAIL
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
		store(NUMBER(u % 2), u + 1);
#ifndef NO_NEWEST_RELEASE
		store_release(NEWEST, u % 2 + 1);
#else
		store(NEWEST, u % 2 + 1);
#endif
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

/* The number of a chunk is one more than its unit; 0: it was never used. */
active proctype reader()
{
	byte head, newest, tail, u, found;
	byte numbers[2], words[2];
	bool have_head = false, have_newest = false, have_tail = false, have_numbers[2], have_words[2];

#ifndef NO_READER_ACQUIRE
	head = memory[HEAD];
	have_head = true;
#endif
#ifndef NO_NEWEST_ACQUIRE
	newest = memory[NEWEST];
	have_newest = true;
#endif
	do
	:: !have_head -> head = memory[HEAD]; have_head = true
	:: !have_newest -> newest = memory[NEWEST]; have_newest = true
	:: !have_numbers[0] -> numbers[0] = memory[NUMBER(0)]; have_numbers[0] = true
	:: !have_numbers[1] -> numbers[1] = memory[NUMBER(1)]; have_numbers[1] = true
	:: !have_words[0] -> words[0] = memory[WORD(0)]; have_words[0] = true
	:: !have_words[1] -> words[1] = memory[WORD(1)]; have_words[1] = true
#ifndef NO_READER_FENCE
	:: have_head && have_newest && have_numbers[0] && have_numbers[1] && have_words[0] && have_words[1] &&
	   !have_tail -> tail = memory[TAIL]; have_tail = true
#else
	:: !have_tail -> tail = memory[TAIL]; have_tail = true
#endif
	:: have_head && have_newest && have_numbers[0] && have_numbers[1] && have_words[0] && have_words[1] &&
	   have_tail -> break
	od;
#ifdef NO_TAIL
	tail = 0;
#endif
	found = 0; /* the unit behind the last that the walk meets, from the newest chunk down */
	u = UNITS;
	if
	:: newest > 0 && numbers[newest - 1] > 0 ->
		u = numbers[newest - 1] - 1;
		found = u + 1;
		if
		:: u < head && u >= tail -> assert(words[newest - 1] == u + 1)
		:: else -> skip
		fi;
		/* the chunk before it counts only if its number is one less */
		if
		:: u > 0 && numbers[2 - newest] == u ->
			u--;
			if
			:: u < head && u >= tail -> assert(words[2 - newest] == u + 1)
			:: else -> skip
			fi
		:: else -> skip
		fi
	:: else -> skip
	fi;
	assert(tail >= head || (u <= tail && found >= head))
}
