/* SPDX-License-Identifier: MIT */
/*
 * figures: numbers as the lines around a report show them: few digits, the unit apart, so that they
 * can be taken in at a glance. Exact ones are made by model/base/format.h.
 */
#ifndef TUI_FIGURES_H
#define TUI_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIGURE_SIZE 40

struct figure {
	char text[FIGURE_SIZE];
};

struct figure_unit {
	const char *name, *ascii;
	int64_t ns;
};

/* The unit that suits times around so many ticks: s, ms, µs, ns. */
const struct figure_unit *figure_unit_for(int64_t ticks, uint64_t ticks_per_s);

/* The unit for these times, when `held` was shown so far (NULL: none). It stays `held` until times have left it by a
 * factor of 10, so that it does not change under the eyes. */
const struct figure_unit *figure_unit_keep(const struct figure_unit *held, int64_t ticks, uint64_t ticks_per_s);
const char *figure_unit_name(const struct figure_unit *unit, bool ascii);

/* A time in that unit, which is not said, in so many digits at least (`16.64` has 4). */
struct figure figure_time(int64_t ticks, uint64_t ticks_per_s, const struct figure_unit *unit,
			  int digits);

/* `16.64 ms`, likewise; unit NULL: in the one that suits it. */
struct figure figure_timed(int64_t ticks, uint64_t ticks_per_s, const struct figure_unit *unit, int digits, bool ascii);

/* Two times are too far apart, by a factor of 1000, to be read in one unit. */
bool figure_apart(int64_t a, int64_t b);

/* One of several times in a line: `16.6` in the unit that all of them have, which is named once beside them; or with
 * its own unit, `16.6 ms`, if `unit` is NULL (figure_apart). */
struct figure figure_of_many(int64_t ticks, uint64_t ticks_per_s, const struct figure_unit *unit, bool ascii);

/* `60.1`: with one decimal; two below 10 where that says more. */
struct figure figure_rate(double value);

/* `0.2 %`; `-` when there is no whole. */
struct figure figure_percent(double part, double whole);

/* `51 882`: in groups of three. */
struct figure figure_grouped(uint64_t count);

/* `00:14:22`. */
struct figure figure_clock(int64_t ns);

/* `8.5 ms`, `8.5 s`, `94 s`, `12 min`, `3.5 h`. */
struct figure figure_span(int64_t ns);

/* `1.23k`, `-12.5`, `4e-7`: any number in at most FIGURE_SHORT cells. */
#define FIGURE_SHORT 5
struct figure figure_short(double value);

/* `32 MiB`. */
struct figure figure_bytes(uint64_t bytes);

/* How long ago, in round steps: what a time axis says. */

/* Round times between labels, in steps of a unit. */
struct age_step {
	int64_t ns;      /* of the step */
	int64_t unit_ns; /* of what is counted in the label */
	bool tenths;     /* of it are said as well */
	const char *name, *ascii;
};

/* The first step that is not below; its ns is 0 when all are. */
struct age_step age_step_from(double least_ns);

/* `−0.4 s`, and of long ago `−1186 s`. */
void age_text(char *out, size_t size, const struct age_step *step, int64_t ns, bool ascii);

/* Times as a user types them. */

#define BUDGET_FORMS "16.7 (ms) or 60fps"

/* How long a frame may take: in ms, `16.7` or `16.7ms`, or as a rate, `60fps` or `60 Hz`. False: it is none. */
bool budget_parse(const char *text, double *ms);

/* `12.5ms`, `3 s`, `2` for seconds; down to ns. False: it is no time. */
bool time_parse(const char *text, double *seconds);

/* Splits a search into text and condition: takes the `>1ms` or `<1ms` behind `raycast` off the text, and sets
 * the matching one of the two limits, in seconds; the other one is 0. Without a condition both are 0, and the
 * text stays. */
void condition_parse(char *text, double *longer_s, double *shorter_s);

#endif
