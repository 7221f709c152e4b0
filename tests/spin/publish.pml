/* publish.pml: tables that grow, of which a count says how much is there (libprof/registry.c, counter.c, node.c).
 *
 * One thread registers a zone; another one, which was told its id by a plain load, makes a node of it; the reader
 * takes a node, and looks up its zone.
 *
 *   first:   zone's words (relaxed); zones (release); known zones (release); id (relaxed)
 *   second:  id (relaxed); known zones (acquire) >= id, else it goes the slow way; node (relaxed); nodes (release)
 *   reader:  nodes (acquire); node, zones (acquire); zones' words
 *
 * As many zones as the reader counts are whole, and a node that it has names one of them.  The second thread's own stores are taken to land at
 * once: that they are in order is the same matter as that of the first one's.
 *
 * Mutants: NO_COUNT_RELEASE NO_COUNT_ACQUIRE NO_NODES_ACQUIRE NO_KNOWN_RELEASE NO_KNOWN_CHECK
 */
#define ZONES_  2
#define CELLS   5
#define STORES  8
#define ZONES   0
#define KNOWN   1
#define ID      2
#define WORD(z) (2 + (z)) /* of zone z, from 1 */
#include "memory.pml"

byte node = 0, nodes = 0;

active proctype first()
{
	byte z = 1;

	do
	:: z <= ZONES_ ->
		store(WORD(z), z);
#ifndef NO_COUNT_RELEASE
		store_release(ZONES, z);
#else
		store(ZONES, z);
#endif
#ifndef NO_KNOWN_RELEASE
		store_release(KNOWN, z);
#else
		store(KNOWN, z);
#endif
		store(ID, z);
		z++
	:: z > ZONES_ -> break
	:: true -> break /* killed */
	od;
	arrived == issued -> finished = true
}

active proctype second()
{
	byte id, known;

	do
	:: nodes == 0 ->
		id = memory[ID];
		known = memory[KNOWN];
#ifdef NO_KNOWN_CHECK
		known = id;
#endif
		if
		:: id > 0 && id <= known -> node = id; nodes = 1
		:: else -> skip
		fi
	:: nodes == 1 || finished -> break
	od
}

active proctype reader()
{
	byte there, named, zones, words[3];
	bool have_there = false, have_named = false, have_zones = false, have_one = false, have_two = false;

	do
	:: !have_there -> there = nodes; have_there = true
#ifndef NO_NODES_ACQUIRE
	:: have_there && !have_named -> named = node; have_named = true
	:: have_there && !have_zones -> zones = memory[ZONES]; have_zones = true
#else
	:: !have_named -> named = node; have_named = true
	:: !have_zones -> zones = memory[ZONES]; have_zones = true
#endif
#ifndef NO_COUNT_ACQUIRE
	:: have_zones && !have_one -> words[1] = memory[WORD(1)]; have_one = true
	:: have_zones && !have_two -> words[2] = memory[WORD(2)]; have_two = true
#else
	:: !have_one -> words[1] = memory[WORD(1)]; have_one = true
	:: !have_two -> words[2] = memory[WORD(2)]; have_two = true
#endif
	:: have_there && have_named && have_zones && have_one && have_two -> break
	od;
	assert(zones < 1 || words[1] == 1);
	assert(zones < 2 || words[2] == 2);
	assert(there == 0 || (named >= 1 && named <= zones))
}
