/* table.pml: numbers for what is added by several threads at once, without a lock (libprof/lockfree_table.c).
 *
 * Entry e stands in the list at the first place that is free, and gets that place's number.  Whoever finds a place taken
 * finishes for its owner.
 *
 *   each:  count; the entry's number, over if it has one; list[count] by compare-and-swap;
 *          number of whoever stands there, by compare-and-swap; count, by compare-and-swap
 *
 * All of them are read-modify-writes, or acquire loads of words that only they change, so the interleavings of single
 * steps are all that there is.  Two entries are added by three threads, each of which may be killed anywhere.
 *
 * Mutants: NUMBER_FIRST NO_FINISH COUNT_FIRST
 */
#define PLACES 4

byte list[PLACES]; /* 1 + entry */
byte number[2];    /* 1 + place */
byte count = 0;
byte over = 0;

inline finish(at, there)
{
#ifdef COUNT_FIRST
	if :: count == at -> count = at + 1 :: else fi;
	if :: number[there] == 0 -> number[there] = at + 1 :: else fi
#else
	if :: atomic { number[there] == 0 -> number[there] = at + 1 } :: atomic { number[there] != 0 -> skip } fi;
	if :: atomic { count == at -> count = at + 1 } :: atomic { count != at -> skip } fi
#endif
}

inline finish_for(entry, at, there)
{
#ifdef NO_FINISH
	if :: there == entry -> finish(at, there) :: else fi
#else
	finish(at, there)
#endif
}

proctype adds(byte entry)
{
	byte at, own, there;

	do
	:: true ->
#ifdef NUMBER_FIRST
		own = number[entry];
		at = count;
#else
		at = count;
		own = number[entry];
#endif
		if
		:: own != 0 -> break
		:: else
		fi;
		assert(at < PLACES);
		if
		:: atomic { list[at] == 0 -> list[at] = entry + 1 }; there = entry
		:: atomic { list[at] != 0 -> there = list[at] - 1 }
		fi;
		if
		:: true -> goto dead /* killed, or away for ever */
		:: true
		fi;
		finish_for(entry, at, there)
	:: true -> goto dead
	od;
	assert(list[own - 1] == entry + 1);
dead:
	over++
}

/* What was left half done is found by whoever comes next, for each of the entries. */
active proctype main()
{
	byte at, there, tries = 0;

	run adds(0);
	run adds(0);
	run adds(1);
	over == 3;
	do
	:: tries < 3 && number[1] == 0 ->
		at = count;
		if
		:: list[at] == 0 -> list[at] = 2; there = 1
		:: else -> there = list[at] - 1
		fi;
		finish_for(1, at, there);
		tries++
	:: else -> break
	od;
	assert(number[1] != 0);
	assert(list[number[1] - 1] == 2);
	for (at : 0 .. PLACES - 1) {
		assert(list[at] == 0 || number[list[at] - 1] == at + 1 || at >= count)
	}
	for (at : 0 .. PLACES - 2) {
		assert(list[at] == 0 || list[at] != list[at + 1])
	}
	assert(number[0] == 0 || number[0] != number[1])
}
