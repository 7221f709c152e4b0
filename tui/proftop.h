/* SPDX-License-Identifier: MIT */
/*
 * proftop: what main chooses from. Of this folder, the files proftop*.c alone know io/.
 *
 *   proftop.c         the command line
 *   proftop_batch.c   a report on stdout
 *   proftop_screen.c  the live screen
 *   proftop_looks.c   its colours, and its settings
 *   proftop_stacks.c  the open zones of all threads
 *   proftop_stream.c  frames on stdout as they come
 *   proftop_list.c    the list of regions, and their removal
 *
 * All of them return an exit status, and have said what was wrong.
 */
#ifndef TUI_PROFTOP_H
#define TUI_PROFTOP_H

#include "io/export.h"
#include "io/live.h"
#include "tui/launch.h"
#include "tui/options.h"

int batch_report(const struct options *o);
int batch_run(const struct options *o); /* the program behind `--` */

/* The region that is meant, waited for as -w says. NULL: *status, and it has been said why. */
struct source *batch_open(const struct options *o, unsigned flags, int *status);

int stream_report(const struct options *o);
int stream_run(const struct options *o, struct launch *l); /* started; it is waited for */

int screen_show(const struct options *o);

int list_print(const struct options *o);
int list_clean(const struct options *o);

/* How text looks on stdout. */
struct export_style output_style(const struct options *o);

/* The exit status that a failure to attach stands for. */
int status_of(enum live_result result);

/* And a program that could not be started. */
int status_of_launch(const struct launch *l);

unsigned source_flags(const struct options *o);

/* Why a program that was started cannot be looked at. */
#define LEFT_NO_REGION                                                                            \
	"%s left no region: is it linked with libprof, built with Prof_ENABLED, and did it enter a " \
	"zone?"

/* Removes the region of a program that was started, and the one of a run before of the same name. */
void remove_region(const struct launch *l);

#endif
