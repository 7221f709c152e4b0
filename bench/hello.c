/* hello.c: a program that is nearly all start and end: what programs.c takes the times of. */
#include <stdio.h>
#include "prof.h"

int main(void)
{
	Prof_Begin(hello)
	puts("hello");
	Prof_End
	Prof_update(1);
	return 0;
}
