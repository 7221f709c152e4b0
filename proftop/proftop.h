/* SPDX-License-Identifier: MIT */
/*
 * proftop: what main chooses from. Of this folder, the files proftop*.c alone know io/.
 *
 *   proftop.c           the command line
 *   proftop_batch.c     a report on stdout
 *   proftop_export.c    the same as a file for another program
 *   proftop_export_screen.c  what the screen shows as such a file (proftop_screen.h, as all that follows the screen)
 *   proftop_reading.c   reads for what needs no screen
 *   proftop_screen.c    the live screen
 *   proftop_check.c     whether frames meet conditions
 *   proftop_programs.c  what it follows
 *   proftop_looks.c     its colours, and its settings
 *   proftop_hands.c     what it hands to the editor and the clipboard
 *   proftop_stream.c    frames on stdout as they come
 *   proftop_diff.c      two regions, or frames of them, one against the other
 *   proftop_freeze.c    a report of the first frame that takes too long
 *   proftop_list.c      the list of regions, and their removal
 *
 * All of them return an exit status, and have said what was wrong.
 */
#ifndef PROFTOP_H
#define PROFTOP_H

#include "io/export/export.h"
#include "io/region/live.h"
#include "model/report/file_kinds.h"
#include "proftop/batch.h"
#include "proftop/launch.h"
#include "proftop/export_file.h"
#include "proftop/options.h"

/* Prints the report of a source that was read, of one frame where `frame` is not 0; into a file where there is one, which is
 * finished then. */
int batch_print(const struct options *o, struct source *source, int64_t frame, struct export_file *file);

/* Says which of these threads the totals are without, or have as they were before; EXIT_UNKNOWN if there is one. */
int batch_say_unread(const struct profile *p, uint32_t threads);

/* Checks the condition of `proftop check` before anything is read; false: a message was printed. */
bool check_usable(const struct options *o);

/* The commands, and why --over. `l`: the program behind `--`, which was started, and for a report has
 * ended; NULL: of a region. */
int batch_report(const struct options *o, struct launch *l);
int freeze_report(const struct options *o, struct launch *l);
int check_report(const struct options *o, struct launch *l);
int stream_report(const struct options *o, struct launch *l);
int record_report(const struct options *o, struct launch *l);

int diff_report(const struct options *o);

int screen_show(const struct options *o);

int list_print(const struct options *o);
int list_clean(const struct options *o);

/* How text looks on stdout. */
struct export_style output_style(const struct options *o);

/* The exit status that a failure to attach stands for. */
int status_of(enum open_result result);

/* And a program that could not be started. */
int status_of_launch(const struct launch *l);

unsigned source_flags(const struct options *o);

/* Why a program that was started cannot be looked at. */
#define LEFT_NO_REGION                                                                            \
	"%s left no region: is it linked with libprof, built with Prof_ENABLED, and did it enter a " \
	"zone?"

/* Removes the region of a program that was started, and the one of a run before of the same name. */
void remove_region(const struct launch *l);

/* proftop_export.c: a profile as a file for another program: what a batch covers, in the kind that the command line names. */

/* Checks what can be checked before anything is read; false: a message was printed. */
bool export_usable(const struct options *o);

/* True if the export has single calls, stacks or a page, and is not a report. */
bool export_is_foreign(const struct options *o);

static inline bool export_is_page(const struct options *o)
{
	return o->export >= 0 && file_kinds[o->export].form == FILE_PAGE;
}

/* Single calls are wanted for it. */
bool export_is_events(const struct options *o);

/* Opens the file that -o names. False: it has been said. */
bool export_begin(const struct options *o, struct export_file *file);

/* Writes it. The batch covers what is wanted; for single calls it has the transitions. Not 0: an exit status, and it has been
 * said. *written: it was, as far as the stream has not failed. */
int export_foreign(struct batch *b, FILE *out, bool *written);

/* The exit status of it all: if `status` is none of EXIT_DONE, the file is left as it was. NULL: it went to stdout. */
int export_end(const struct options *o, struct export_file *file, bool written, int status);

#endif
