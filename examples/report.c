/* SPDX-License-Identifier: MIT */
/* report.c: a program that prints its own report when it ends.
 *
 *   PROF_SHM=report ./report              as text, to stderr
 *   PROF_SHM=report ./report page.html    as a page for a browser
 *
 * No proftop is needed.  Without PROF_SHM nothing is measured, and it says so.
 */
#include <stdio.h>
#include <stdlib.h>

#include <prof.h>
#include <profview.h>

static FILE *page; /* NULL: as text */

static int write_to(void *stream, const char *text, size_t size)
{
	return fwrite(text, 1, size, stream) == size ? 0 : -1;
}

static void print_report(void)
{
	enum Prof_view_result result = page ? Prof_Report(write_to, page, Prof_Report_HTML)
					    : Prof_Report(write_to, stderr, Prof_Report_TREE);

	if (result != Prof_view_OK)
		fprintf(stderr, "no report: %s\n", Prof_view_meaning(result));
	if (page && fclose(page))
		perror("the page");
}

static long collatz(long n)
{
	Prof(collatz);
	long steps = 0;

	for (; n != 1; steps++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return steps;
}

int main(int argc, char **argv)
{
	long longest = 0;

	if (argc > 1 && !(page = fopen(argv[1], "w"))) {
		perror(argv[1]);
		return 1;
	}
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
