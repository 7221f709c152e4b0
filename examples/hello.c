/* SPDX-License-Identifier: MIT */
/* hello.c: the smallest program that is worth profiling, in C.
 *
 *   proftop report -- ./hello
 *
 * shows a row for update and a row for is_prime beneath it, the second entered
 * 1000 times in each of 100 frames.  Without PROF_SHM it only prints its result.
 */
#include <stdbool.h>
#include <stdio.h>

#include <prof.h>

static bool is_prime(int n)
{
	Prof(is_prime); /* from here to the end of the block, whichever way it is left */

	for (int d = 2; d * d <= n; d++) {
		if (n % d == 0)
			return false;
	}
	return n > 1;
}

int main(void)
{
	int primes = 0;

	for (int frame = 0; frame < 100; frame++) {
		Prof_Begin(update)
		for (int i = 0; i < 1000; i++)
			primes += is_prime(frame * 1000 + i);
		Prof_End
		Prof_update(1); /* the frame ends here */
	}
	printf("%d primes below 100000\n", primes);
	return 0;
}
