/* values.pml: a counter's slot, and the value log behind it (struct region_slot, libprof/value.c).
 *
 * In each interval the counter takes one value or two.  The first one of an interval writes to the log what the
 * slot had of the interval before.  The reader copies the slot, and then the log.
 *
 *   writer: log: word (relaxed); head (release);  slot: mark odd (relaxed); fence(release); interval, value
 *           (relaxed); mark even (release)
 *   reader: mark (acquire); interval, value (relaxed); fence(acquire); mark (relaxed);  head (acquire); log words
 *
 * Where the slot was had whole, the log has every interval before the slot's, each with its last value: no interval
 * is missed.  Where it has the slot's own, too, its value is not older than the slot's.  The writer may be killed
 * anywhere.  Mutants: LOG_READ_FIRST SLOT_WRITTEN_FIRST NO_HEAD_RELEASE NO_HEAD_ACQUIRE NO_WRITER_FENCE
 * NO_WRITER_RELEASE NO_READER_ACQUIRE NO_READER_FENCE
 */
#define INTERVALS 2
#define CELLS  5
#define STORES 16
#define MARK     0
#define INTERVAL 1
#define VALUE    2
#define HEAD     3
#define LOG(n)   (3 + (n)) /* of interval n, from 1 */
#include "memory.pml"

byte newest[INTERVALS + 1]; /* the value that each interval was left with */

/* 2n - 1 is the first value of interval n, 2n the second. */
inline write_slot(n, to, end)
{
	store(MARK, end - 1);
#ifndef NO_WRITER_FENCE
	fence_release();
#endif
	store(INTERVAL, n);
	store(VALUE, to);
#ifndef NO_WRITER_RELEASE
	store_release(MARK, end);
#else
	store(MARK, end);
#endif
	newest[n] = to
}

inline write_log(n)
{
	if
	:: n > 0 ->
		store(LOG(n), newest[n]);
#ifndef NO_HEAD_RELEASE
		store_release(HEAD, n)
#else
		store(HEAD, n)
#endif
	:: else -> skip
	fi
}

active proctype writer()
{
	byte n = 1, mark = 0;

	do
	:: n <= INTERVALS ->
#ifdef SLOT_WRITTEN_FIRST
		mark = mark + 2;
		write_slot(n, 2 * n - 1, mark);
		write_log(n - 1);
#else
		write_log(n - 1);
		mark = mark + 2;
		write_slot(n, 2 * n - 1, mark);
#endif
		if
		:: n < INTERVALS -> mark = mark + 2; write_slot(n, 2 * n, mark)
		:: true -> skip
		fi;
		n++
	:: n > INTERVALS -> break
	:: true -> break /* killed */
	od;
	finished = true
}

active proctype reader()
{
	byte mark, interval, given, again, head, word;
	bool have_mark = false, have_interval = false, have_value = false, have_again = false, have_head = false,
	     have_word = false;

#ifdef LOG_READ_FIRST
	head = memory[HEAD];
	have_head = true;
#endif
#ifndef NO_READER_ACQUIRE
	mark = memory[MARK];
	have_mark = true;
#endif
	do
	:: !have_mark -> mark = memory[MARK]; have_mark = true
	:: !have_interval -> interval = memory[INTERVAL]; have_interval = true
	:: !have_value -> given = memory[VALUE]; have_value = true
#ifndef NO_READER_FENCE
	:: have_mark && have_interval && have_value && !have_again -> again = memory[MARK]; have_again = true
	:: have_mark && have_interval && have_value && !have_head -> head = memory[HEAD]; have_head = true
#else
	:: have_mark && !have_again -> again = memory[MARK]; have_again = true
	:: !have_head -> head = memory[HEAD]; have_head = true
#endif
#ifndef NO_HEAD_ACQUIRE
	:: have_head && !have_word -> word = memory[LOG(1)]; have_word = true
#else
	:: !have_word -> word = memory[LOG(1)]; have_word = true
#endif
	:: have_interval && have_value && have_again && have_word -> break
	od;
	assert(head == 0 || word == newest[1]);
	if
	:: mark == again && mark % 2 == 0 && mark > 0 ->
		assert(interval == (given + 1) / 2);
		assert(head >= interval - 1);
		assert(head < interval || interval > 1 || word >= given)
	:: else -> skip
	fi
}
