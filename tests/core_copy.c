/* core_copy.c: a module that carries a copy of the library, and shows nothing of it. */
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
