/* SPDX-License-Identifier: MIT */
/*
 * screen: what proftop's live screen costs, and how soon there is something on it, at 200x50.
 *
 *   bench/screen PROFTOP LOAD
 *
 *   CPU           of the whole process, user and kernel, as a part of one core, in each of SECONDS seconds.  All
 *                 that are compared run side by side, so that they see the same.  Beside it what is written to
 *                 the terminal, and the memory in the end, with the region's pages.  The program that is looked
 *                 at has just begun, so that the memory for its history, which still grows, is in it.
 *   first paint   from fork and exec to the first zone's row on the terminal.
 *
 * Other work on the machine makes times longer, CPU hardly.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/looked_at.h"
#include "bench/measure.h"
#include "bench/terminal.h"

#define SECONDS    10 /* that CPU is measured */
#define SETTLE_S   2  /* before it is, so that the beginning is not in it */
#define PAINTS     7
#define PATIENCE_S 5
#define SHOWN_MOST 8
#define CHURN_S     20 /* that threads come and go */
#define CHURN_LINES 5

static struct terminal terminals[SHOWN_MOST];

/* CPU */

struct watched {
	struct line cpu, bytes, memory;
	char what[3][64];
};

static void watch_begin(struct watched *w, const struct shown *shown)
{
	*w = (struct watched){ .cpu = { .unit = "%", .bound = shown->target, .target = shown->target > 0 ? TARGET_MOST : TARGET_NONE },
		               .bytes = { .unit = "kB/s" }, .memory = { .unit = "MiB" } };
	snprintf(w->what[0], sizeof(w->what[0]), "%s", shown->what);
	snprintf(w->what[1], sizeof(w->what[1]), "%s: to the terminal", shown->what);
	snprintf(w->what[2], sizeof(w->what[2]), "%s: memory", shown->what);
	w->cpu.what = w->what[0];
	w->bytes.what = w->what[1];
	w->memory.what = w->what[2];
}

/* Each second's CPU, in percent of a core, and its bytes. */
static void watch(struct watched watched[], int count)
{
	double cpu[SHOWN_MOST], bytes[SHOWN_MOST], began = bench_now(), then = began;
	int seconds = measure_quick() ? 1 : SECONDS;

	for (int i = 0; i < count; i++) {
		cpu[i] = terminal_cpu(&terminals[i]);
		bytes[i] = (double)terminals[i].bytes;
	}
	for (int s = 1; s <= seconds; s++) {
		terminals_read(terminals, count, began + (measure_quick() ? 0.1 : s));
		double now = bench_now();
		for (int i = 0; i < count; i++) {
			double taken = terminal_cpu(&terminals[i]), written = (double)terminals[i].bytes;

			line_add(&watched[i].cpu, (taken - cpu[i]) / (now - then) * 100, 0);
			line_add(&watched[i].bytes, (written - bytes[i]) / (now - then) / 1e3, 0);
			cpu[i] = taken;
			bytes[i] = written;
		}
		then = now;
	}
	for (int i = 0; i < count; i++)
		line_add(&watched[i].memory, (double)terminal_rss_kib(&terminals[i]) / 1024, 0);
}

static void watched_print(const struct watched *w, const struct terminal *t, bool all)
{
	if (t->fd < 0) {
		line_skip(w->cpu.what, "it ended");
		return;
	}
	line_print(&w->cpu);
	if (all) {
		line_print(&w->bytes);
		line_print(&w->memory);
	}
}

/* Starts them, and prints what they cost; they still run. */
static void cpu_of(const struct shown *shown, int count)
{
	struct watched watched[SHOWN_MOST];
	int started = 0;

	while (started < count && shown_start(&terminals[started], &shown[started]))
		started++;
	if (started < count)
		line_skip(shown[started].what, "no pseudo-terminal or process could be made");
	for (int i = 0; i < started; i++)
		watch_begin(&watched[i], &shown[i]);
	terminals_read(terminals, started, bench_now() + (measure_quick() ? 0.1 : SETTLE_S));
	watch(watched, started);
	for (int i = 0; i < started; i++)
		watched_print(&watched[i], &terminals[i], !shown[i].other);
}

static void end_shown(int count)
{
	for (int i = 0; i < count; i++)
		if (terminals[i].pid > 0)
			terminal_end(&terminals[i]);
}

static void bench_cpu(void)
{
	static const char *const shape[SHAPE] = { "8", "500", "60", "60" };
	static const struct shown shown[] = {
		{ "self, the marking thread", { "-v", "self", "-t", "main" }, false, 2 },
		{ "tree, the marking thread", { "-v", "tree", "-t", "main" }, false, 2 },
		{ "self, all threads merged", { "-v", "self", "-t", "all" }, false, 2 },
		{ "tree, all threads merged", { "-v", "tree", "-t", "all" }, false, 2 },
		{ "flame", { "-v", "flame", "-t", "main" }, false, 2 },
		{ "timeline", { "-v", "timeline", "-t", "main" }, false, 3 },
		{ "for comparison: htop -d 1", { "htop", "-d", "1" }, true, 0 },
	};
	bool htop = !system("command -v htop >/dev/null 2>&1");
	int count = measure_quick() ? 1 : htop ? 7 : 6;

	line_heading("CPU of a core: 8 threads, 500 nodes, 60 frames/s");
	if (!looked_at_start("32M", shape))
		return;
	usleep(measure_quick() ? 20000 : 1000000);
	cpu_of(shown, count);
	if (!htop)
		line_skip(shown[6].what, "not installed (Debian: htop)");
	end_shown(count);
	looked_at_end();
}

/* Frames come faster than a screen is drawn. Prints what the redrawn status
 * line reports as lost. */

static void print_losses(struct terminal *t)
{
	const char *lost, *end;
	int printed = 0;

	terminal_mark(t);
	terminal_type(t, "\f");
	if (!terminal_until(t, "of history", PATIENCE_S)) {
		printf("  its status line was not seen\n");
		return;
	}
	t->output[t->kept] = '\0';
	end = strstr(t->output, "of history");
	lost = memmem(t->output, (size_t)(end - t->output), "lost ", 5);
	printf("  it reports: ");
	for (; lost && lost < end && printed < 120; lost++, printed++) {
		if (*lost == '\033')
			lost += strcspn(lost, "mHGCXdKB");
		else if ((unsigned char)*lost >= ' ')
			putchar(*lost);
	}
	puts(printed ? "of history" : "nothing lost");
}

static void bench_fast(void)
{
	static const char *const shape[SHAPE] = { "1", "20", "10000", "60" };
	static const struct shown shown = { "self", { "-v", "self" }, false, 0 };

	line_heading("CPU of a core: 1 thread, 20 nodes, 10,000 frames/s");
	if (!looked_at_start("32M", shape))
		return;
	usleep(measure_quick() ? 20000 : 1000000);
	cpu_of(&shown, 1);
	if (terminals[0].fd >= 0)
		print_losses(&terminals[0]);
	end_shown(1);
	looked_at_end();
}

/* First paint */

static void paint(const char *what, double target)
{
	static const struct shown self = { "", { "-v", "self" }, false, 0 };
	struct line line = { .what = what, .unit = "ms", .target = target > 0 ? TARGET_MOST : TARGET_NONE,
			     .bound = target };
	struct terminal *t = &terminals[0];

	for (int i = 0; i < (measure_quick() ? 1 : PAINTS) && shown_start(t, &self); i++) {
		if (terminal_until(t, A_ZONE, PATIENCE_S))
			line_add(&line, (t->last - t->started) * 1e3, 0);
		terminal_end(t);
	}
	if (line.figure.count)
		line_print(&line);
	else
		line_skip(what, "no row of a zone came");
}

static void bench_paint(void)
{
	static const char *const shape[SHAPE] = { "4", "100", "2000", "60" };

	line_heading("first paint, a full region of 32 MiB");
	if (!looked_at_start("32M", shape))
		return;
	if (measure_quick())
		usleep(50000);
	if (!measure_quick() && !looked_at_full())
		line_skip("first paint", "the region did not become full");
	else
		paint("of a live program", 100);
	looked_at_kill();
	paint("of a program that died", 100);
	looked_at_end();
}

/* Opening what a thread with very many stacks has: the time should grow as their number does. */
static void bench_stacks(void)
{
	static const char *const shapes[][SHAPE] = {
		{ "1", "40000", "1", "60" }, { "1", "90000", "1", "60" }, { "1", "160000", "1", "60" } };
	static const char *const few[SHAPE] = { "1", "500", "50", "60" };

	line_heading("first paint, a thread with very many stacks");
	for (int i = 0; i < (measure_quick() ? 1 : 3); i++) {
		char what[48];

		snprintf(what, sizeof(what), "of %s stacks", shapes[i][1]);
		if (!looked_at_start("256M", measure_quick() ? few : shapes[i]))
			return;
		usleep(measure_quick() ? 50000 : 3000000);
		paint(what, 0);
		looked_at_end();
	}
}

/* A thread a request: memory must come to rest.  BENCH_CHURN_S: for so many seconds. */
static void bench_churn(void)
{
	static const char *const shape[SHAPE] = { "1", "20", "60", "3600", "1000" };
	static const struct shown shown = { "self, all threads merged", { "-v", "self", "-t", "all" }, false, 0 };
	const char *asked = getenv("BENCH_CHURN_S");
	int seconds = measure_quick() ? 1 : asked && atoi(asked) > 0 ? atoi(asked) : CHURN_S;
	double began = bench_now();

	line_heading("memory: 1,000 threads a second come and go");
	if (!looked_at_start("32M", shape))
		return;
	usleep(measure_quick() ? 20000 : 1000000);
	for (int i = 1; i <= CHURN_LINES && (i > 1 || shown_start(&terminals[0], &shown)); i++) {
		double until = (double)seconds * i / CHURN_LINES;
		char what[48];
		struct line line = { .what = what, .unit = "MiB" };

		terminals_read(terminals, 1, began + until);
		snprintf(what, sizeof(what), "after %.0f s", until);
		line_add(&line, (double)terminal_rss_kib(&terminals[0]) / 1024, 0);
		line_print(&line);
	}
	end_shown(1);
	looked_at_end();
}

int main(int argc, char **argv)
{
	measure_begin(argc, argv);
	measure_unpin();
	if (!measure_argument(1)) {
		fprintf(stderr, "screen PROFTOP LOAD\n");
		return 2;
	}
	if (!looked_at_begin(measure_argument(0), measure_argument(1)))
		return 0;
	bench_cpu();
	bench_fast();
	bench_paint();
	bench_stacks();
	bench_churn();
	return measure_end();
}
