/* core_copy.c: a module that carries a copy of the library, and shows nothing of it. */
#include <stdio.h>
#include "prof.h"

int copy_run(int times);
int copy_run(int times)
{
	for (int i = 0; i < times; i++) {
		Prof_Begin(of_the_copy)
		Prof_End
		Prof_update(1);
	}
	return times;
}

/* All that the library maps memory for: tables that grow, names made at run
 * time, a zone that is timed and never ends. */
int copy_use(int times);
int copy_use(int times)
{
	char name[32];

	for (int i = 0; i < times; i++) {
		snprintf(name, sizeof name, "name %d", i);
		Prof_Enter(Prof_Zone(name));
		Prof_Add(Prof_Counter(name), 1);
		Prof_Leave();
	}
	Prof_Log(never_ends)
	return copy_run(times);
}
