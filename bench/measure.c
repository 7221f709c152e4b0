#include "bench/measure.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__)
#define READ_CLOCK() ((int64_t)__builtin_ia32_rdtsc())
#elif defined(__aarch64__)
static inline int64_t read_counter(void)
{
	int64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}
#define READ_CLOCK() read_counter()
#else
static inline int64_t read_counter(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}
#define READ_CLOCK() read_counter()
#endif

#define REPEATS       11
#define REPEATS_QUICK 2
#define QUICK_SHARE   2000 /* of the times */
#define FLOOR_PAIRS   200000
#define ARGUMENTS     8

static bool quick;
static const char *arguments[ARGUMENTS];
static int argument_count;
static cpu_set_t allowed;

void measure_begin(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--quick"))
			quick = true;
		else if (argument_count < ARGUMENTS)
			arguments[argument_count++] = argv[i];
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
		CPU_ZERO(&allowed);
	measure_pin(0);
}

bool measure_quick(void)
{
	return quick;
}

long measure_times(long times)
{
	return !quick ? times : times > QUICK_SHARE ? times / QUICK_SHARE : 1;
}

int measure_repeats(void)
{
	return quick ? REPEATS_QUICK : REPEATS;
}

const char *measure_argument(int index)
{
	return index < argument_count ? arguments[index] : NULL;
}

bool measure_pin(int n)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int core = 0; core < CPU_SETSIZE; core++)
		if (CPU_ISSET(core, &allowed) && n-- == 0) {
			CPU_SET(core, &set);
			return sched_setaffinity(0, sizeof set, &set) == 0;
		}
	return false;
}

void measure_unpin(void)
{
	sched_setaffinity(0, sizeof allowed, &allowed);
}

/* ---- times */

static double clock_now_ns(clockid_t clock)
{
	struct timespec t = { 0, 0 };

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

double measure_now_ns(void)
{
	return clock_now_ns(CLOCK_MONOTONIC);
}

double measure_own_ns(void)
{
	return clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
}

double measure_time_ns(void (*run)(long times), long times)
{
	double start = measure_own_ns();

	run(times);
	return measure_own_ns() - start;
}

void measure_loop(long times)
{
	for (long i = 0; i < times; i++)
		MEASURE_KEEP();
}

static void clock_pairs(long times)
{
	int64_t sum = 0;

	for (long i = 0; i < times; i++) {
		sum += READ_CLOCK();
		MEASURE_KEEP();
		sum -= READ_CLOCK();
		MEASURE_KEEP();
	}
	__asm__ volatile("" ::"r"(sum));
}

double measure_each_ns(void (*run)(long times), long times)
{
	double without = measure_time_ns(measure_loop, times);

	return (measure_time_ns(run, times) - without) / (double)times;
}

double measure_floor_ns(void)
{
	return measure_each_ns(clock_pairs, measure_times(FLOOR_PAIRS));
}

/* ---- samples */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

void sample_add(struct sample *s, double value)
{
	if (s->count < SAMPLE_MOST)
		s->values[s->count++] = value;
}

static void sorted(const struct sample *s, struct sample *out)
{
	*out = *s;
	qsort(out->values, (size_t)out->count, sizeof *out->values, by_value);
}

double sample_median(const struct sample *s)
{
	struct sample in_order;

	sorted(s, &in_order);
	return s->count ? in_order.values[s->count / 2] : 0;
}

double sample_least(const struct sample *s)
{
	struct sample in_order;

	sorted(s, &in_order);
	return s->count ? in_order.values[0] : 0;
}

double sample_most(const struct sample *s)
{
	struct sample in_order;

	sorted(s, &in_order);
	return s->count ? in_order.values[s->count - 1] : 0;
}

/* ---- lines */

#define COLUMNS "  %-52s %13s %9s %6s %17s  %-10s %s"

void line_heading(const char *what)
{
	printf("\n%s\n" COLUMNS "\n", what, "", "figure", "floor", "ratio", "least..most", "target", "holds");
}

void line_skip(const char *what, const char *why)
{
	printf("  %-52s skipped: %s\n", what, why);
}

void line_add(struct line *line, double figure, double floor)
{
	sample_add(&line->figure, figure);
	if (floor > 0)
		sample_add(&line->floor, floor);
}

/* Three digits, or all that stand before the point. */
static const char *short_number(char text[32], double value)
{
	double size = value < 0 ? -value : value;

	snprintf(text, 32, "%.*f", size < 99.95 ? 2 : size < 999.5 ? 1 : 0, value);
	return text;
}

static struct sample ratios(const struct line *line)
{
	struct sample out = { 0, { 0 } };

	for (int i = 0; i < line->figure.count && i < line->floor.count; i++)
		sample_add(&out, line->figure.values[i] / line->floor.values[i]);
	return out;
}

static const char *holds(const struct line *line, double figure, double ratio)
{
	static char text[32];
	bool is = line->target == TARGET_MOST    ? figure <= line->bound
	          : line->target == TARGET_LEAST ? figure >= line->bound
	                                         : ratio <= line->bound;

	if (line->target == TARGET_NONE)
		return "";
	if (is)
		return "yes";
	snprintf(text, sizeof text, "NO%s%s", line->footnote ? " " : "", line->footnote ? line->footnote : "");
	return text;
}

static const char *target_text(const struct line *line)
{
	static char text[48];
	char bound[32];

	if (line->target == TARGET_NONE)
		return "";
	snprintf(bound, sizeof bound, line->bound == (long)line->bound ? "%.0f" : "%.2f", line->bound);
	snprintf(text, sizeof text, "%s %s%s", line->target == TARGET_LEAST ? ">=" : "<=", bound,
	         line->target == TARGET_MOST_RATIO ? " x" : "");
	return text;
}

void line_print(const struct line *line)
{
	struct sample ratio = ratios(line);
	const struct sample *spread = line->target == TARGET_MOST_RATIO ? &ratio : &line->figure;
	char number[32], other[32], figure[48], floor[48] = "", of_floor[32] = "", range[80], text[320];

	snprintf(figure, sizeof figure, "%s %s", short_number(number, sample_median(&line->figure)), line->unit);
	if (line->floor.count) {
		short_number(floor, sample_median(&line->floor));
		snprintf(of_floor, sizeof of_floor, "%.2f", sample_median(&ratio));
	}
	short_number(number, sample_least(spread));
	snprintf(range, sizeof range, "%s..%s", number, short_number(other, sample_most(spread)));
	snprintf(text, sizeof text, COLUMNS, line->what, figure, floor, of_floor, spread->count > 1 ? range : "",
	         target_text(line), holds(line, sample_median(&line->figure), sample_median(&ratio)));
	for (size_t end = strlen(text); end && text[end - 1] == ' '; end--)
		text[end - 1] = '\0';
	puts(text);
}
