/* core_carrier.c: a module that carries a copy of the library and hides nothing of it, as one that is linked with
 * libprof.a does.  What it calls is found in the program, which has the names of prof.h too. */
#include "prof.h"

int carrier_run(int times);
int carrier_run(int times)
{
	for (int i = 0; i < times; i++) {
		Prof_Begin(of_the_carrier)
		Prof_End
		Prof_update(1);
	}
	return times;
}
