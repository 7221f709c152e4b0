/* SPDX-License-Identifier: MIT */
/* hello.cpp: the smallest program that is worth profiling, in C++.
 *
 * A scope made by Prof ends with its block, on return and on an exception alike:
 * the call that throws below is counted and timed as any other.
 *
 *   proftop report -- ./hello_cpp
 */
#include <cstdio>
#include <stdexcept>

#include <prof.h>

static int collatz_steps(long n)
{
	Prof(collatz_steps);

	if (n < 1)
		throw std::invalid_argument("collatz_steps: n must be positive");
	int steps = 0;
	for (; n != 1; steps++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return steps;
}

int main()
{
	int longest = 0, refused = 0;

	for (int frame = 0; frame < 100; frame++) {
		{
			Prof(update);
			try {
				for (long n = frame * 1000 + 999; n >= frame * 1000; n--) {
					int steps = collatz_steps(n);
					longest = steps > longest ? steps : longest;
				}
			} catch (const std::invalid_argument &) {
				refused++;
			}
		}
		Prof_update(1); // the frame ends here
	}
	std::printf("longest chain below 100000: %d steps, %d refused\n", longest, refused);
	return 0;
}
