/* SPDX-License-Identifier: MIT */
/* report.c: a program that prints its own report when it ends.
 *
 *   PROF_SHM=report ./report
 *
 * No proftop is needed.  Without PROF_SHM nothing is measured, and it says so.
 */
#include <stdio.h>
#include <stdlib.h>

#include <prof.h>
#include <profview.h>

static int to_stderr(void *unused, const char *text, size_t size)
{
	(void)unused;
	return fwrite(text, 1, size, stderr) == size ? 0 : -1;
}

static void print_report(void)
{
	enum Prof_view_result result = Prof_Report(to_stderr, NULL, Prof_Report_TREE);

	if (result != Prof_view_OK)
		fprintf(stderr, "no report: %s\n", Prof_view_meaning(result));
}

static long collatz(long n)
{
	Prof(collatz);
	long steps = 0;

	for (; n != 1; steps++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return steps;
}

int main(void)
{
	long longest = 0;

	atexit(print_report);
	for (long n = 1; n < 3000; n++) {
		Prof(search);
		long steps = collatz(n);

		if (steps > longest)
			longest = steps;
	}
	printf("%ld steps\n", longest);
	return 0;
}
