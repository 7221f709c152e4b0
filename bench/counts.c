/* counts.c: what of a zone, a value, an event can be counted instead of timed.
 *
 * How many bytes of code instrumentation leaves when it is compiled out, and how often the clock is read.
 */
#include <stdio.h>
#include <string.h>

#include "bench/compiled_out.h"
#include "bench/measure.h"
#include "bench/reads.h"
#include "prof.h"

#define TIMES 1000

static void zones(long times)
{
	for (long i = 0; i < times; i++) {
		Prof_Begin(zone)
		Prof_End
	}
}

static void counters(long times)
{
	for (long i = 0; i < times; i++)
		Prof_Counter_Set(counter, i);
}

static void events(long times)
{
	for (long i = 0; i < times; i++)
		Prof_Event(event);
}

static void notes(long times)
{
	for (long i = 0; i < times; i++)
		Prof_Note("note %ld", i);
}

static void bytes_line(const char *what, double bytes)
{
	struct line line = { .what = what, .unit = "bytes", .target = TARGET_MOST, .bound = 0 };

	line_add(&line, bytes, 0);
	line_print(&line);
}

static void reads_line(const char *what, void (*run)(long times), double bound)
{
	struct line line = { .what = what, .unit = "reads", .target = TARGET_MOST, .bound = bound };
	double reads;

	run(TIMES); /* whatever is done once */
	reads = reads_each(run, TIMES);
	line_add(&line, reads, 0);
	if (reads < 0)
		line_skip(what, "reads of the clock cannot be counted on this machine");
	else
		line_print(&line);
}

static void all_reads(void)
{
	reads_line("a zone", zones, 2);
	reads_line("a counter", counters, 0);
	reads_line("an event", events, 1);
	reads_line("a note", notes, 1);
}

int main(int argc, char **argv)
{
	struct compiled_out code = compiled_out();

	measure_begin(argc, argv);
	if (stage_now()) {
		line_heading("reads of the clock");
		all_reads();
		return measure_end();
	}
	line_heading("compiled out (Prof_ENABLED is 0)");
	bytes_line("code that a function with zones has more", (double)code.added);
	bytes_line("of its code, what is not that of one without", (double)code.differ);
	line_heading("reads of the clock, not profiled");
	reads_line("a zone", zones, 0);
	stage_run("profiled", NULL);
	return measure_end();
}
