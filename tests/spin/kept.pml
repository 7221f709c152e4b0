/* kept.pml: shm/ring.h, chunks of an event log that are kept.
 *
 * Chunk 0 leaves the log and is kept, then chunk 1, and then chunk 0 goes back into use.
 *
 *   writer: out of the log:  link (relaxed); kept_chunk (release); fence(release); tail (relaxed)
 *           back into use:   the newer one's link (relaxed); kept_gone (release); fence(release); words, link (relaxed)
 *   reader: the log, of which here is its tail alone; fence(acquire); kept_gone (acquire); kept_chunk (acquire); links,
 *           words; fence(acquire); kept_gone again
 *
 * If kept_gone did not change, each chunk that the reader came to is kept, with the words that it had, the chain ends
 * there, and what the tail says has left the log is in the chain, unless it was unlinked.  The writer may be killed
 * anywhere.
 *
 * Mutants: NO_KEPT_RELEASE NO_TAIL_FENCE NO_GONE_RELEASE NO_GONE_FENCE NO_LOG_FENCE NO_GONE_ACQUIRE NO_KEPT_ACQUIRE
 * NO_READER_FENCE NO_SECOND_LOOK
 */
#define CELLS  7
#define STORES 10
#define TAIL    0
#define KEPT    1 /* 0: none; 1 + chunk */
#define GONE    2
#define LINK(c) (3 + (c)) /* 0: as in the log, to anywhere; 1 + chunk; END */
#define WORD(c) (5 + (c)) /* 0: as in the log; 1: written anew */
#define END     3
#include "memory.pml"

inline keep(chunk, before)
{
	store(LINK(chunk), before);
#ifndef NO_KEPT_RELEASE
	store_release(KEPT, chunk + 1);
#else
	store(KEPT, chunk + 1);
#endif
#ifndef NO_TAIL_FENCE
	fence_release();
#endif
	store(TAIL, chunk + 1)
}

active proctype writer()
{
	byte step = 0;

	do
	:: step == 0 -> keep(0, END); step++
	:: step == 1 -> keep(1, 1); step++
	:: step == 2 ->
		store(LINK(1), END);
#ifndef NO_GONE_RELEASE
		store_release(GONE, 1);
#else
		store(GONE, 1);
#endif
#ifndef NO_GONE_FENCE
		fence_release();
#endif
		step++
	:: step == 3 -> store(WORD(0), 1); store(LINK(0), 0); step++
	:: step >= 4 -> break
	:: true -> break /* killed */
	od;
	finished = true
}

active proctype reader()
{
	byte tail, gone, kept, again, links[2], words[2];
	bool have_tail = false, have_gone = false, have_kept = false, have_again = false, have_links[2], have_words[2];
	bool met[2];

#ifndef NO_LOG_FENCE
	tail = memory[TAIL];
	have_tail = true;
#endif
#ifndef NO_GONE_ACQUIRE
	gone = memory[GONE];
	have_gone = true;
#endif
#ifndef NO_KEPT_ACQUIRE
	kept = memory[KEPT];
	have_kept = true;
#endif
	do
	:: !have_tail -> tail = memory[TAIL]; have_tail = true
	:: !have_gone -> gone = memory[GONE]; have_gone = true
	:: !have_kept -> kept = memory[KEPT]; have_kept = true
	:: !have_links[0] -> links[0] = memory[LINK(0)]; have_links[0] = true
	:: !have_links[1] -> links[1] = memory[LINK(1)]; have_links[1] = true
	:: !have_words[0] -> words[0] = memory[WORD(0)]; have_words[0] = true
	:: !have_words[1] -> words[1] = memory[WORD(1)]; have_words[1] = true
#ifndef NO_READER_FENCE
	:: have_tail && have_gone && have_kept && have_links[0] && have_links[1] && have_words[0] && have_words[1] &&
	   !have_again -> again = memory[GONE]; have_again = true
#else
	:: !have_again -> again = memory[GONE]; have_again = true
#endif
	:: have_tail && have_gone && have_kept && have_links[0] && have_links[1] && have_words[0] && have_words[1] &&
	   have_again -> break
	od;
#ifdef NO_SECOND_LOOK
	again = gone;
#endif
	if
	:: again == gone ->
		met[1] = (kept == 2);
		met[0] = (kept == 1 || (met[1] && links[1] == 1));
		assert(!met[1] || links[1] == 1 || links[1] == END);
		assert(!met[0] || links[0] == END);
		assert(!met[0] || words[0] == 0);
		assert(!met[1] || words[1] == 0);
		assert(tail < 1 || met[0] || gone == 1 || (met[1] && links[1] == END));
		assert(tail < 2 || met[1])
	:: else -> skip
	fi
}
