/* measure.h: how everything in this folder is measured, and the one way to print it.
 *
 * A figure is the median of the repetitions, with the least and the most of them.  Its floor, where it has one, is
 * measured in the same repetition, and what counts is the ratio of the two: nanoseconds alone are those of a
 * machine and of an hour.  The usual floor is two reads of the clock with nothing between them, which no profiler
 * of zones can do without.
 *
 * A line says
 *
 *   what                        figure    floor  ratio    least..most  target      holds
 *   flat                      18.21 ns    17.90   1.02     1.01..1.04  <= 1.05 x   yes
 *
 * where least..most are those of the ratio, if it is the ratio that the target is about, and of the figure if not.
 *
 * Programs pin themselves to a core, and take --quick: everything is done a few times only, to see that each line
 * can be produced.  For C11 and C++17, as some of the peers want the one or the other.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is measured must not be left out, or moved: all memory is looked at here. */
#define MEASURE_KEEP() __asm__ volatile("" ::: "memory")

/* Reads the options that all programs have, and pins the program to its first core. */
void measure_begin(int argc, char **argv);
bool measure_quick(void);
#define MEASURE_QUICK_SIZE "4M" /* of a region then: making a large one takes longer than all else */
long measure_times(long times); /* so often; a few times when it is to be quick */
int measure_repeats(void);
const char *measure_argument(int index); /* behind the options; NULL: none */

/* The n-th core that this program may have, from 0; false: there are not so many, and nothing has changed. */
bool measure_pin(int n);
void measure_unpin(void);

/* Time of the day, and that which the calling thread has had of a core: what is measured by this does not hang on
 * who else wants the core, though the caches do. */
double measure_now_ns(void);
double measure_own_ns(void);
double measure_time_ns(void (*run)(long times), long times); /* all of them, in own time */

/* The floor: two reads of the clock and nothing between them, without the loop around. */
double measure_floor_ns(void);
/* The time of one run, if it runs `times` times, without the loop around it. */
double measure_each_ns(void (*run)(long times), long times);
void measure_loop(long times); /* the loop around */

/* ---- lines */

#define SAMPLE_MOST 31

struct sample {
	int count;
	double values[SAMPLE_MOST];
};
void sample_add(struct sample *s, double value);
double sample_median(const struct sample *s);
double sample_least(const struct sample *s);
double sample_most(const struct sample *s);

enum target {
	TARGET_NONE,
	TARGET_MOST,       /* the figure is this at most */
	TARGET_LEAST,
	TARGET_MOST_RATIO, /* so many times the floor at most */
};

struct line {
	const char *what, *unit;
	enum target target;
	double bound;
	struct sample figure, floor; /* one of each a repetition; without a floor its count is 0 */
	const char *footnote;        /* behind a target that does not hold: "(a)", or NULL */
};
void line_add(struct line *line, double figure, double floor);
void line_print(const struct line *line);

/* A heading above lines: what they are about, what their floor is. */
void line_heading(const char *what);
void line_skip(const char *what, const char *why);

/* ---- this program again, profiled */

/* Runs it as `stage` with PROF_SHM set to a region of its own, which is gone afterwards.  settings are
 * "NAME=value", ended by NULL; or NULL.  False: it failed, and that has been said. */
bool stage_run(const char *stage, const char *const *settings);
const char *stage_now(void);  /* NULL: this is not one */
const char *stage_region(void); /* the name of its region */

/* Ends the program with what is right: 1 if a stage failed. */
int measure_end(void);

#ifdef __cplusplus
}
#endif

#endif
