/* SPDX-License-Identifier: MIT */
/*
 * keys: how soon proftop's screen answers a key, at 200x50.
 *
 *   bench/keys PROFTOP LOAD
 *
 * From the key to the last byte before the terminal is quiet for QUIET_S; and where what takes longer, as heat and trend,
 * comes later, also to the end of the first picture.  Live, keys come just behind a redraw, so that what follows is the
 * answer to the key and not the next one.
 *
 * And those of the timeline with a million single calls in sight, as many as are held.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/looked_at.h"
#include "bench/measure.h"
#include "bench/terminal.h"

#define ASKED      10   /* times each key is typed */
#define QUIET_S    0.03
#define GAP_S      0.003 /* between two pictures */
#define PATIENCE_S 5
#define HELD       20000 /* frames, when keys are typed */
#define RATE       2000
#define MILLION    1000000 /* single calls */

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
	{ "w           live: the longest frame", "", "w", "p", "" },
	{ "w           the next longest", "w", "w", "", "p" },
	{ "W           back", "wwwwwwwwwwww", "W", "", "p" },
	{ "F           live again", "p", "F", "p", "F" },
	{ "B           asks for the budget", "", "B", "\025" ENTER, "" },
	{ "T Up Enter  all threads merged", "", "T" UP ENTER, "T" DOWN ENTER, "" },
	{ "R           live", "", "R", "R", "" },
	{ "R           paused", "p", "R", "R", "p" },
	{ "2           hierarchical", "", "2", "1", "" },
	{ "4           tree", "", "4", "1", "" },
	{ "4           tree, paused", "p", "4", "1", "p" },
	{ "*           unfold all, tree, paused", "p4", "*", "*", "1p" },
	{ "8           flame, live", "", "8", "1", "" },
	{ "8           flame, paused", "p", "8", "1", "p" },
	{ "U           flame from the bottom up, paused", "p8", "U", "U", "1p" },
	{ "Enter       flame: a zoom, paused", "p8" DOWN, ENTER, "\177", "1p" },
	{ "[           flame against the median", "pwd8", "[", "", "1dp" },
	{ "6           timeline, live", "", "6", "1", "" },
	{ "6           timeline, paused", "p", "6", "1", "p" },
	{ "Home        timeline, to the oldest frame", "p6" DOWN, "g", "G", "1p" },
	{ "Right       timeline, from call to call", "p6" DOWN DOWN, "\033[C", "", "1p" },
	{ "n           timeline, the next call that is longer", "p6" DOWN "/>2us" ENTER, "N", "", "1p" },
	{ "| Enter     timeline, a stretch of time in all views", "p6" DOWN, "|" ENTER, ESCAPE, "1p" },
	{ "+           timeline, from all that is held", "p6----------------------------", "+", "-", "1p" },
	{ "Right       call graph", "jjj", "\033[C", "\033[D", "" },
	{ "Right       call graph, paused", "pjjj", "\033[C", "\033[D", "p" },
	{ "J           live: the slowest call", "jjj\033[C", "J", "p", "\033[D" },
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
	{ "[ m b c     two marks compared, paused", ":-5000\rma:-1\r", "[mbc", "c", "p" },
	{ "d           live: why, of the longest in sight", "", "d", "dp", "" },
	{ "d           why, paused", "pw", "d", "d", "p" },
	{ "5           live: how long frames take", "", "5", "1", "" },
	{ "[           paused, in why", "pwd", "[", "", "dp" },
	{ "[           paused, set against the median", "pwd1", "[", "", "dp" },
	{ "D Down Down Enter  the frame before as base", "pwd", "D" DOWN DOWN ENTER, "D" UP UP ENTER, "dp" },
	{ ": v Tab     completes", "", ":v\t", "\025" ESCAPE, "" },
	{ "Y           the screen copied", "", "Y", "", "" },
	{ "?           help", "", "?", "q", "" },
};
#define QUESTIONS (int)(sizeof(questions) / sizeof(*questions))

#define ALL "p6" DOWN "0------------------------------"

static const struct question questions_of_million[] = {
	{ "6           timeline, live: its first paint", "6------------------------------1", "6", "1", "1" },
	{ "6           paused: its first paint", ALL "1", "6", "1", "p" },
	{ "+           from all that is held", ALL, "+", "-", "1p" },
	{ "-           to all that is held", ALL "+", "-", "+", "1p" },
	{ "Right       from call to call", ALL, "\033[C", "", "1p" },
	{ "Down        from row to row", ALL, DOWN, UP, "1p" },
	{ "Home        to the oldest", "p6" DOWN, "g", "G", "1p" },
	{ "n           the next call of a zone", ALL "/z" ENTER, "n", "", "1p" },
	{ "/>100s      of none that is there", ALL, "/>100s" ENTER, ESCAPE, "1p" },
	{ "| Enter     a stretch with all of them in all views", ALL "g|G", ENTER, ESCAPE, "1p" },
	{ "w           the longest frame", ALL, "w", "", "1p" },
};
#define QUESTIONS_OF_MILLION (int)(sizeof(questions_of_million) / sizeof(*questions_of_million))

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

/* Seconds; below 0: no answer. *picture: of the first one. */
static double ask(struct terminal *t, const char *keys, double *picture)
{
	double typed;

	wait_behind_redraw(t);
	terminal_mark(t);
	typed = bench_now();
	terminal_type(t, keys);
	for (double until = typed + PATIENCE_S; !t->first && bench_now() < until;)
		terminals_read(t, 1, bench_now() + 0.0005);
	terminal_quiet(t, GAP_S, PATIENCE_S);
	*picture = t->last - typed;
	terminal_quiet(t, QUIET_S, PATIENCE_S);
	return t->first > 0 ? t->last - typed : -1;
}

static void ask_often(struct terminal *t, const struct question *q)
{
	struct line line = { .what = q->what, .unit = "ms", .target = TARGET_MOST, .bound = 50 };
	struct line first = { .what = "            its first picture", .unit = "ms", .target = TARGET_MOST, .bound = 50 };
	double later = 0, picture;
	int asked = measure_quick() ? 1 : ASKED;

	type_and_settle(t, q->before);
	for (int i = 0; i < asked; i++) {
		double seconds = ask(t, q->keys, &picture);

		if (seconds >= 0) {
			line_add(&line, seconds * 1e3, 0);
			line_add(&first, picture * 1e3, 0);
			later += seconds - picture;
		}
		type_and_settle(t, q->undo);
	}
	type_and_settle(t, q->after);
	if (line.figure.count < asked)
		line_skip(q->what, "it was not always answered");
	else
		line_print(&line);
	if (later > GAP_S * asked / 2)
		line_print(&first);
}

static bool wait_held(void)
{
	double age, history;

	for (int i = 0; i < 40; i++) {
		if (looked_at_ask(&age, &history) && (history * RATE >= HELD * 1.05 || measure_quick()))
			return true;
		usleep(measure_quick() ? 20000 : 500000);
	}
	return false;
}

/* Until the log has as many calls as are held. */
static bool wait_million(const char *const shape[SHAPE])
{
	double age = 0, history, needed = 1.2 * MILLION / (atof(shape[1]) * atof(shape[2]));

	for (int i = 0; i < 120 && !measure_quick() && looked_at_ask(&age, &history) && age < needed; i++)
		usleep(500000);
	return measure_quick() || age >= needed;
}

static void ask_all(const struct question *questions, int count, const char *memory_what)
{
	static const struct shown self = { "", { "-v", "self" }, false, 0 };
	static struct terminal t;
	struct line memory = { .what = memory_what, .unit = "MiB" };

	if (!shown_start(&t, &self) || !terminal_until(&t, A_ZONE, PATIENCE_S)) {
		line_skip("keys", "no row of a zone came");
	} else {
		terminals_read(&t, 1, bench_now() + (measure_quick() ? 0.02 : 1));
		for (int i = 0; i < (measure_quick() ? 1 : count) && t.fd >= 0; i++)
			ask_often(&t, &questions[i]);
		line_add(&memory, (double)terminal_rss_kib(&t) / 1024, 0);
		line_print(&memory);
	}
	if (t.pid > 0)
		terminal_end(&t);
}

int main(int argc, char **argv)
{
	static const char *const shape[SHAPE] = { "1", "100", "2000", "300" };

	measure_begin(argc, argv);
	measure_unpin();
	if (!measure_argument(1)) {
		fprintf(stderr, "keys PROFTOP LOAD\n");
		return 2;
	}
	if (!looked_at_begin(measure_argument(0), measure_argument(1)))
		return 0;
	line_heading("a key, 200x50, 20,000 frames of 100 nodes, live");
	if (looked_at_start("64M", shape)) {
		if (wait_held())
			ask_all(questions, QUESTIONS, "memory of proftop, with the 64 MiB of the region");
		else
			line_skip("keys", "the region does not hold so many frames");
		looked_at_end();
	}
	line_heading("a key, 200x50, a million single calls in sight");
	if (looked_at_start("256M", shape)) {
		if (wait_million(shape))
			ask_all(questions_of_million, QUESTIONS_OF_MILLION, "memory of proftop, with the 256 MiB of the region");
		else
			line_skip("keys of the timeline", "there are not so many calls");
		looked_at_end();
	}
	return measure_end();
}
