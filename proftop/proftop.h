/* SPDX-License-Identifier: MIT */
/*
 * proftop: what main chooses from. Of this folder, the files proftop*.c alone know io/.
 *
 *   proftop.c         the command line
 *   proftop_batch.c   a report on stdout
 *   proftop_screen.c  the live screen
 *   proftop_check.c   whether frames meet conditions
 *   proftop_programs.c   what it follows
 *   proftop_looks.c   its colours, and its settings
 *   proftop_stacks.c  the open zones of all threads
 *   proftop_hands.c   what it hands to the editor and the clipboard
 *   proftop_stream.c  frames on stdout as they come
 *   proftop_diff.c    two regions, or frames of them, one against the other
 *   proftop_freeze.c  a report of the first frame that takes too long
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

/* The same of any text (NULL: nothing was typed), which may mean a frame of it: *frame, 0: none, as which_frame takes
 * it. */
struct source *batch_open_frame(const struct options *o, const char *target, unsigned flags, int64_t *frame,
				int *status);

/* Reads on; what was read before is forgotten where it has to be (SOURCE_ANEW). */
enum source_result batch_read(struct source *source);

/* Prints the report of a source that was read, of one frame where `frame` is not 0. */
int batch_print(const struct options *o, struct source *source, int64_t frame);

/* Says which of these threads the totals are without, or have as they were before; EXIT_UNKNOWN if there is one. */
int batch_say_unread(const struct profile *p, uint32_t threads);

/* --diff */
int diff_report(const struct options *o);

/* --freeze-over in a report, of a region or of the program behind `--`, which was started. */
int freeze_report(const struct options *o);
int freeze_run(const struct options *o, struct launch *l);

/* The region of a program that was started, as soon as there is one. NULL: it left none, and *status and what was said
 * say why. */
struct source *open_launched(struct launch *l, const char *program, unsigned flags, int *status);

/* What can be seen to be wrong with --check before anything is read; false: it has been said. */
bool check_usable(const struct options *o);
int check_report(const struct options *o);
int check_run(const struct options *o, struct launch *l); /* started; it is waited for */

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
