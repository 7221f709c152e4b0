/* SPDX-License-Identifier: MIT */
/*
 * screen: what proftop's live screen costs, and how long one waits for it, at 200x50.
 *
 *   bench/screen PROFTOP LOAD [cpu|fast|paint|keys]
 *
 * The programs that are looked at are LOAD (load.c) with PROF_SHM set to names of this process; each is
 * killed, and its region removed, when its part is over.
 *
 *   CPU           of the whole process, user and kernel, as a part of one core, while the program of the
 *                 title runs; the spread is that of its seconds. Beside it what is written to the terminal,
 *                 and the memory in the end, with the region's pages. The program has just begun, so that
 *                 the memory for its history, which still grows, is in it.
 *   first paint   from fork and exec to the first zone's row on the terminal.
 *   a key         first: from the key to the first byte that follows; done: to the last one before the
 *                 terminal is quiet for QUIET_S. Live, keys come just behind a redraw, so that what follows is
 *                 the answer to the key and not the next one.
 *
 * Other work on the machine makes times longer, CPU hardly.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/terminal.h"

#define SECONDS   10   /* that CPU is measured */
#define SETTLE_S  2    /* before it is, so that the beginning is not in it */
#define PAINTS    7
#define ASKED     10   /* times each key is typed */
#define QUIET_S   0.03
#define PATIENCE_S 5
#define HELD      20000 /* frames, when keys are typed */
#define KEYS_RATE 2000
#define A_ZONE    "zone 1" /* only a row has that */

static const char *proftop, *load;

/* The program that is looked at */

struct target {
	char name[64], path[80];
	pid_t pid;
};

static struct target *running; /* or NULL */

/* Nothing of it is left when the user has had enough. */
static void stop(int signal)
{
	if (running && running->pid > 0)
		kill(running->pid, SIGKILL);
	if (running)
		shm_unlink(running->path);
	_exit(128 + signal);
}

static bool target_start(struct target *t, const char *size, const char *const shape[4])
{
	static int number;

	snprintf(t->name, sizeof(t->name), "bench-screen-%ld-%d", (long)getpid(), ++number);
	snprintf(t->path, sizeof(t->path), "/%s", t->name);
	t->pid = fork();
	running = t->pid > 0 ? t : NULL;
	if (t->pid)
		return running;
	setenv("PROF_SHM", t->name, 1);
	setenv("PROF_SHM_SIZE", size, 1);
	execl(load, load, shape[0], shape[1], shape[2], shape[3], (char *)NULL);
	_exit(127);
}

static void target_kill(struct target *t)
{
	if (t->pid > 0) {
		kill(t->pid, SIGKILL);
		waitpid(t->pid, NULL, 0);
	}
	t->pid = 0;
}

static void target_end(struct target *t)
{
	target_kill(t);
	shm_unlink(t->path);
	running = NULL;
}

/* Of the region, in proftop's list: seconds since its start and of history. */
static bool target_ask(const struct target *t, double *age, double *history)
{
	char command[512], line[4096], name[80];
	bool found = false;
	FILE *list;

	snprintf(command, sizeof(command), "'%s' -l -j", proftop);
	snprintf(name, sizeof(name), "\"%s\"", t->name);
	list = popen(command, "r");
	while (list && fgets(line, sizeof(line), list)) {
		char *a = strstr(line, "\"age_s\":"), *h = strstr(line, "\"history_s\":");

		if (!found && strstr(line, name) && a && h)
			found = sscanf(a, "\"age_s\":%lf", age) + sscanf(h, "\"history_s\":%lf", history) == 2;
	}
	if (list)
		pclose(list);
	return found;
}

/* Results */

struct sample {
	double values[32];
	int count;
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void sample_add(struct sample *s, double value)
{
	if (s->count < (int)(sizeof(s->values) / sizeof(*s->values)))
		s->values[s->count++] = value;
	qsort(s->values, (size_t)s->count, sizeof(*s->values), by_value);
}

static double sample_median(const struct sample *s)
{
	return s->count ? s->values[s->count / 2] : 0;
}

static double sample_most(const struct sample *s)
{
	return s->count ? s->values[s->count - 1] : 0;
}

static void heading(const char *what, const char *figures, const char *target)
{
	printf("\n%-42s %-26s %s\n", what, figures, target);
	fflush(stdout);
}

static void skipped(const char *what, const char *why)
{
	printf("%-42s skipped: %s\n", what, why);
	fflush(stdout);
}

static void times_line(const char *what, const struct sample *s, const char *target)
{
	printf("%-42s %7.1f   %6.1f..%-6.1f   %s\n", what, sample_median(s) * 1e3,
	       s->count ? s->values[0] * 1e3 : 0, sample_most(s) * 1e3, target);
	fflush(stdout);
}

/* CPU: what is measured runs side by side, so that all see the same. */

struct shown {
	const char *what, *target, *argv[10]; /* the region's name stands behind them, or not for others */
	bool other;
};

#define CPU_MOST 8
static struct terminal terminals[CPU_MOST];

static bool start_shown(struct terminal *t, const struct shown *shown, const struct target *target)
{
	char *argv[12];
	int n = 0;

	if (!shown->other)
		argv[n++] = (char *)proftop;
	for (int i = 0; shown->argv[i]; i++)
		argv[n++] = (char *)shown->argv[i];
	if (!shown->other)
		argv[n++] = (char *)target->name;
	argv[n] = NULL;
	return terminal_start(t, argv);
}

/* Each second's CPU, in percent of a core, and the bytes of a second. */
static void watch(int count, struct sample *cpu, double *mean, double *bytes)
{
	double before[CPU_MOST], first[CPU_MOST], now = bench_now(), began = now, then = now;

	for (int i = 0; i < count; i++) {
		first[i] = before[i] = terminal_cpu(&terminals[i]);
		bytes[i] = (double)terminals[i].bytes;
	}
	for (int s = 1; s <= SECONDS; s++) {
		terminals_read(terminals, count, began + s);
		now = bench_now();
		for (int i = 0; i < count; i++) {
			double taken = terminal_cpu(&terminals[i]);

			sample_add(&cpu[i], (taken - before[i]) / (now - then) * 100);
			before[i] = taken;
		}
		then = now;
	}
	for (int i = 0; i < count; i++) {
		mean[i] = (before[i] - first[i]) / (now - began) * 100;
		bytes[i] = ((double)terminals[i].bytes - bytes[i]) / (now - began);
	}
}

static void cpu_line(const struct shown *shown, const struct terminal *t, const struct sample *cpu, double mean,
		     double bytes)
{
	if (t->fd < 0)
		skipped(shown->what, "it ended");
	else
		printf("%-42s %7.2f   %6.2f..%-6.2f   %-8s %6.1f kB/s  %5.1f MiB\n", shown->what, mean,
		       cpu->values[0], sample_most(cpu), shown->target, bytes / 1e3,
		       (double)terminal_rss_kib(t) / 1024);
	fflush(stdout);
}

static void cpu_of(const struct shown *shown, int count, const struct target *target)
{
	struct sample cpu[CPU_MOST] = { 0 };
	double mean[CPU_MOST], bytes[CPU_MOST];
	int started = 0;

	while (started < count && start_shown(&terminals[started], &shown[started], target))
		started++;
	if (started < count)
		skipped(shown[started].what, "no pseudo-terminal or process could be made");
	terminals_read(terminals, started, bench_now() + SETTLE_S);
	watch(started, cpu, mean, bytes);
	for (int i = 0; i < started; i++)
		cpu_line(&shown[i], &terminals[i], &cpu[i], mean[i], bytes[i]);
}

static void end_shown(int count)
{
	for (int i = 0; i < count; i++)
		if (terminals[i].pid > 0)
			terminal_end(&terminals[i]);
}

static void bench_cpu(void)
{
	static const char *const shape[] = { "8", "500", "60", "60" };
	static const struct shown shown[] = {
		{ "self, the marking thread", "<= 2", { "-v", "self" }, false },
		{ "tree, the marking thread", "<= 2", { "-v", "tree" }, false },
		{ "self, all threads merged", "<= 2", { "-v", "self", "-t", "all" }, false },
		{ "tree, all threads merged", "<= 2", { "-v", "tree", "-t", "all" }, false },
		{ "for comparison: htop -d 1", "", { "htop", "-d", "1" }, true },
	};
	bool htop = !system("command -v htop >/dev/null 2>&1");
	int count = htop ? 5 : 4;
	struct target target;

	heading("CPU: 8 threads x 500 nodes x 60 frames/s", "% of a core  least..most", "target   to the terminal");
	if (!target_start(&target, "32M", shape))
		return;
	sleep(1);
	cpu_of(shown, count, &target);
	if (!htop)
		skipped(shown[4].what, "htop is not installed");
	end_shown(count);
	target_end(&target);
}

/* Frames faster than a screen can be: what is said of it is the line with the losses, drawn anew. */

static void print_losses(struct terminal *t)
{
	const char *lost, *end = t->output + t->kept;
	int printed = 0;

	terminal_mark(t);
	terminal_type(t, "\f");
	if (!terminal_until(t, "of history", PATIENCE_S)) {
		printf("  its status line was not seen\n");
		return;
	}
	t->output[t->kept] = '\0';
	end = strstr(t->output, "of history");
	lost = memmem(t->output, t->kept, "lost ", 5);
	printf("  it says: ");
	for (; lost && lost < end && printed < 120; lost++, printed++) {
		if (*lost == '\033')
			lost += strcspn(lost, "mHGCXdKB");
		else if ((unsigned char)*lost >= ' ')
			putchar(*lost);
	}
	printf("of history\n");
}

static void bench_fast(void)
{
	static const char *const shape[] = { "1", "20", "10000", "60" };
	static const struct shown shown = { "self", "", { "-v", "self" }, false };
	struct target target;

	heading("CPU: 1 thread x 20 nodes x 10,000 frames/s", "% of a core  least..most", "         to the terminal");
	if (!target_start(&target, "32M", shape))
		return;
	sleep(1);
	cpu_of(&shown, 1, &target);
	if (terminals[0].fd >= 0)
		print_losses(&terminals[0]);
	end_shown(1);
	target_end(&target);
}

/* First paint */

static bool wait_full(const struct target *t)
{
	double age = 0, history = 0;

	for (int i = 0; i < 40; i++) {
		usleep(500000);
		if (target_ask(t, &age, &history) && history > 0 && age > history + 1)
			return true;
	}
	return false;
}

static void paint(const char *what, const struct target *target)
{
	static const struct shown self = { "", "", { "-v", "self" }, false };
	struct terminal *t = &terminals[0];
	struct sample times = { 0 };

	for (int i = 0; i < PAINTS && start_shown(t, &self, target); i++) {
		if (terminal_until(t, A_ZONE, PATIENCE_S))
			sample_add(&times, t->last - t->started);
		terminal_end(t);
	}
	if (times.count)
		times_line(what, &times, "<= 100 ms");
	else
		skipped(what, "no row of a zone came");
}

static void bench_paint(void)
{
	static const char *const shape[] = { "4", "100", "2000", "60" };
	struct target target;

	heading("first paint, a full region of 32 MiB", "ms median  least..most", "target");
	if (!target_start(&target, "32M", shape))
		return;
	if (!wait_full(&target))
		skipped("first paint", "the region did not become full");
	else
		paint("live", &target);
	target_kill(&target);
	paint("dead", &target);
	target_end(&target);
}

/* Keys */

struct question {
	const char *what;
	const char *before; /* typed once, first */
	const char *keys;   /* measured */
	const char *undo;   /* each time */
	const char *after;  /* typed once, at last */
};

#define UP "\033[A"
#define DOWN "\033[B"
#define ENTER "\r"
#define ESCAPE "\033"

static const struct question questions[] = {
	{ "p           pause", "", "p", "p", "" },
	{ "p           live again", "p", "p", "p", "p" },
	{ "[           live: pauses", "", "[", "p", "" },
	{ "[           paused", "p", "[", "", "p" },
	{ "{           paused", "p", "{", "", "p" },
	{ "T Up Enter  all threads merged", "", "T" UP ENTER, "T" DOWN ENTER, "" },
	{ "R           live", "", "R", "R", "" },
	{ "R           paused", "p", "R", "R", "p" },
	{ "2           hierarchical", "", "2", "1", "" },
	{ "4           tree", "", "4", "1", "" },
	{ "4           tree, paused", "p", "4", "1", "p" },
	{ "*           unfold all, tree, paused", "p4", "*", "*", "1p" },
	{ "Right       call graph", "jjj", "\033[C", "\033[D", "" },
	{ "a           the whole run, paused", "p", "a", "a", "p" },
	{ "s Down Enter", "", "s" DOWN ENTER, "s" UP ENTER, "" },
	{ ">           sort by the next column", "", ">", "<", "" },
	{ "/x", "", "/x", "\025" ENTER, "" },
	{ "\\9 Enter    filter", "", "\\9" ENTER, "\\\025" ENTER, "" },
	{ "P           path focus, paused", "pjjj", "P", "P", "p" },
	{ "Tab         into the frame graph", "", "\t", "\t", "" },
	{ "- in it     zoom out", "\t", "-", "+", "\t" },
	{ "- in it     from 64 frames a column", "\t------", "-", "+", "++++++\t" },
	{ "Home in it  the oldest frame, paused", "p\t", "g", "G", "\tp" },
	{ "Left in it  paused", "p\t------", "\033[D", "", "++++++\tp" },
	{ "?           help", "", "?", "q", "" },
};
#define QUESTIONS (int)(sizeof(questions) / sizeof(*questions))

static void type_and_settle(struct terminal *t, const char *keys)
{
	if (!*keys)
		return;
	terminal_type(t, keys);
	terminal_quiet(t, QUIET_S * 2, PATIENCE_S);
}

/* Live, a redraw that has just been is waited for; paused, there need not be one. */
static void wait_behind_redraw(struct terminal *t)
{
	terminal_mark(t);
	for (double until = bench_now() + 0.15; !t->first && bench_now() < until;)
		terminals_read(t, 1, bench_now() + 0.001);
	terminal_quiet(t, QUIET_S / 2, PATIENCE_S);
}

static bool ask(struct terminal *t, const char *keys, double *first, double *done)
{
	double typed;

	wait_behind_redraw(t);
	terminal_mark(t);
	typed = bench_now();
	terminal_type(t, keys);
	for (double until = typed + PATIENCE_S; !t->first && bench_now() < until;)
		terminals_read(t, 1, bench_now() + 0.0005);
	terminal_quiet(t, QUIET_S, PATIENCE_S);
	*first = t->first - typed;
	*done = t->last - typed;
	return t->first > 0;
}

static void ask_often(struct terminal *t, const struct question *q)
{
	struct sample firsts = { 0 }, dones = { 0 };
	double first, done;

	type_and_settle(t, q->before);
	for (int i = 0; i < ASKED; i++) {
		if (ask(t, q->keys, &first, &done)) {
			sample_add(&firsts, first);
			sample_add(&dones, done);
		}
		type_and_settle(t, q->undo);
	}
	type_and_settle(t, q->after);
	if (dones.count < ASKED)
		printf("%-42s answered %d times of %d\n", q->what, dones.count, ASKED);
	else
		printf("%-42s %6.1f %6.1f     %6.1f %6.1f     <= 50 ms\n", q->what, sample_median(&firsts) * 1e3,
		       sample_most(&firsts) * 1e3, sample_median(&dones) * 1e3, sample_most(&dones) * 1e3);
	fflush(stdout);
}

static bool wait_held(const struct target *t)
{
	double age, history;

	for (int i = 0; i < 40; i++) {
		if (target_ask(t, &age, &history) && history * KEYS_RATE >= HELD * 1.05) {
			printf("  %.0f frames are held, and %d more come in a second\n", history * KEYS_RATE, KEYS_RATE);
			return true;
		}
		usleep(500000);
	}
	return false;
}

static void ask_all(const struct target *target)
{
	static const struct shown self = { "", "", { "-v", "self" }, false };
	struct terminal *t = &terminals[0];

	if (!start_shown(t, &self, target) || !terminal_until(t, A_ZONE, PATIENCE_S)) {
		skipped("keys", "no row of a zone came");
	} else {
		terminals_read(t, 1, bench_now() + 1);
		for (int i = 0; i < QUESTIONS && t->fd >= 0; i++)
			ask_often(t, &questions[i]);
		printf("%-42s %6.1f MiB, of that the region 64 MiB\n", "memory of proftop after that (VmRSS)",
		       (double)terminal_rss_kib(t) / 1024);
	}
	if (t->pid > 0)
		terminal_end(t);
}

static void bench_keys(void)
{
	static const char *const shape[] = { "1", "100", "2000", "300" };
	struct target target;

	heading("a key, 20,000 frames of 100 nodes, live", "first: median, worst  done: median, worst", "target");
	if (!target_start(&target, "64M", shape))
		return;
	if (wait_held(&target))
		ask_all(&target);
	else
		skipped("keys", "the region does not hold so many frames");
	target_end(&target);
}

static const struct {
	const char *name;
	void (*run)(void);
} parts[] = {
	{ "cpu", bench_cpu },
	{ "fast", bench_fast },
	{ "paint", bench_paint },
	{ "keys", bench_keys },
};

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "screen PROFTOP LOAD [cpu|fast|paint|keys]\n");
		return 2;
	}
	proftop = argv[1];
	load = argv[2];
	if (access(proftop, X_OK) || access(load, X_OK)) {
		skipped("the live screen", access(load, X_OK) ? "there is no bench/load" : "there is no proftop");
		return 0;
	}
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	printf("\nthe live screen, %dx%d, 10 looks a second\n", TERMINAL_COLUMNS, TERMINAL_LINES);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (argc == 3 || !strcmp(argv[3], parts[i].name))
			parts[i].run();
	return 0;
}
