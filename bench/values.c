/* values.c: what counters, events and notes cost; their floor is one read of the clock. */
#include <stddef.h>

#include "bench/hiding.h"
#include "bench/measure.h"
#include "prof.h"

#define TIMES 200000

#define EACH(name, what)                                \
	static void name(long times)                    \
	{                                               \
		for (long i = 0; i < times; i++) {      \
			what;                           \
			MEASURE_KEEP();                 \
		}                                       \
	}
EACH(set_counter, Prof_Counter_Set(set, i))
EACH(add_to_counter, Prof_Counter_Add(added, i))
EACH(set_real, Prof_Counter_Set(real, (double)i))
EACH(event, Prof_Event(event))
EACH(note, Prof_Note("wave %d", (int)(i & 63)))
EACH(long_note, Prof_Note("%s: %d of %d", "what is said here is about as long as a line of a terminal is", 17, 42))

static const struct {
	const char *name;
	void (*run)(long times);
	enum target target;
	double bound;
} values[] = {
	{ "counter, set", set_counter, TARGET_MOST, 5 },
	{ "counter, added to", add_to_counter, TARGET_MOST, 5 },
	{ "counter, set to a double", set_real, TARGET_MOST, 5 },
	{ "event", event, TARGET_MOST_RATIO, 1 },
	{ "note of 7 bytes", note, TARGET_MOST, 200 },
	{ "note of 72 bytes", long_note, TARGET_MOST, 200 },
};
#define VALUES (sizeof values / sizeof *values)

static void all_values(const char *heading)
{
	const char *footnote = hiding_is() ? NULL : "(a)";

	line_heading(heading);
	for (unsigned i = 0; i < VALUES; i++) {
		struct line line = { .what = values[i].name, .unit = "ns", .target = values[i].target,
			             .bound = values[i].bound,
			             .footnote = values[i].target == TARGET_MOST_RATIO ? footnote : NULL };
		long times = measure_times(TIMES);

		values[i].run(times);
		for (int r = 0; r < measure_repeats(); r++) {
			double floor = measure_floor_ns() / 2;

			line_add(&line, measure_each_ns(values[i].run, times), floor);
		}
		line_print(&line);
	}
}

static void off(void)
{
	struct line line = { .what = "counter, not profiled", .unit = "ns", .target = TARGET_MOST, .bound = 0.5 };

	line_heading("counters, events, notes; floor: one read of the clock");
	for (int r = 0; r < measure_repeats(); r++) {
		double floor = measure_floor_ns() / 2;

		line_add(&line, measure_each_ns(set_counter, measure_times(TIMES)), floor);
	}
	line_print(&line);
}

int main(int argc, char **argv)
{
	measure_begin(argc, argv);
	if (stage_now()) {
		all_values("counters, events, notes, profiled; floor: one read of the clock");
		return measure_end();
	}
	off();
	stage_run("profiled", NULL);
	return measure_end();
}
