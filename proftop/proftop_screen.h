/* SPDX-License-Identifier: MIT */
/*
 * proftop_screen: the parts of the screen that know a process or a file.
 *
 * proftop_programs.c follows one program, or several, each a track of the app's.
 * proftop_looks.c has the colours, and keeps for the next time how all is shown.
 * proftop_export_screen.c writes what the screen shows as a file for another program, beside the screen.
 */
#ifndef PROFTOP_SCREEN_H
#define PROFTOP_SCREEN_H

#include "io/follow.h"
#include "io/source.h"
#include "proftop/export_file.h"
#include "proftop/launch.h"
#include "proftop/messages.h"
#include "proftop/options.h"
#include "proftop/program_output.h"
#include "proftop/record_file.h"
#include "tui/app/app.h"

/* A recording that is made beside the screen, of one source. */

struct beside {
	struct recorder *recorder; /* NULL: nothing is recorded */
	struct record_file file;
	char path[4096];
	double began, taken; /* times of wait_now */
	int64_t before_ns;   /* the history that it began with */
};

/* From now on, with all that the source knows. False: `why`. */
bool beside_begin(struct beside *b, struct source *s, const char *path, const struct options *o, char *why, size_t why_size);

/* Call it after each look at the source: new data are recorded a few times a second. `over`: nothing more will
 * come, and the recording ends. False: it ended for another reason: `why`. */
bool beside_look(struct beside *b, bool over, char *why, size_t why_size);

/* The source's profile begins anew, or goes: the recording does as well, or ends. */
void beside_anew(struct beside *b);
void beside_end(struct beside *b);

struct program {
	struct programs *all;
	unsigned track; /* which of the app's it is */
	struct follow follow;
	bool attached; /* a region was found */
	bool turned;   /* another one was chosen, and is not there yet */
	uint64_t own_frames; /* the last profile had of these, which proftop makes if the program sets no marks */
	struct beside beside;
	char recorded[WHY_SIZE]; /* what is said of the last recording when the screen closes; "": nothing */
	struct program_output prints;
};

struct programs {
	struct app *app;
	const struct options *o;
	struct program each[TRACKS_MOST];
	unsigned count;
	const char *behind; /* the program behind `--`, which is the only one then; NULL: none */
	const struct launch *launch; /* of that program; NULL: none */
	bool running;       /* it has not ended */
	double began;
	unsigned flags; /* of sources */
	const char *output; /* the first one is recorded there once it is attached; NULL: it is not, or no more to be said */
};

/* Follows what the options name, or the program of `launch`, if that is not NULL; the app is told of all but the first.
 * False: out of memory. */
bool programs_open(struct programs *p, struct app *app, const struct options *o, const struct launch *launch);
void programs_close(struct programs *p);

/* One look at each. True: nothing was named, and now there are several: the user has to choose. */
bool programs_look(struct programs *p);

/* One of them is read for the first time, which goes on beside the screen. */
bool programs_are_read(const struct programs *p);

/* Reads the open stacks of those of which the app wants them. False: of none. */
bool programs_read_stacks(struct programs *p, bool at_look);

/* Reads the end of what the program in focus prints, if the app wants it. */
bool programs_read_output(struct programs *p, bool at_look);

/* Whether proftop has to give up, because there is nothing to look at: no program was ever attached, and each region
 * that was named is refused, or did not come in the time of -w. Returns a sentence that says why, and sets *status to
 * the exit status. NULL: it goes on. */
const char *programs_give_up(const struct programs *p, int *status);

/* The one in focus becomes another. One that is followed already comes into focus itself. */
void programs_turn(struct programs *p, const char *region);

/* Records the one in focus into this file, or, if it is "", no longer. */
void programs_record(struct programs *p, const char *path);

/* Whether a region is one of several that are looked at. */
bool programs_show(const struct programs *p, const char *region);

/* proftop_looks.c */

struct looks {
	int colour; /* enum colour: what was asked for, not what the terminal has of it */
	int theme;  /* enum theme_kind */
};

/* The view of the screen that options.view stands for. */
enum view_kind looks_view(int option);

/* Tells the app what colours there are. */
void looks_tell(struct app *app);

void looks_fewer_colours(struct looks *l, struct app *app);
void looks_next_theme(struct looks *l, struct app *app);
void looks_set_theme(struct looks *l, struct app *app, int theme);

/* Writes the settings where the options say, as everything is now, and says what came of it. */
void looks_save(const struct looks *l, const struct options *o, struct app *app);

/* proftop_export_screen.c */

#define EXPORT_PATH (PROMPT_SIZE + 16)

struct export_screen {
	struct app *app;
	struct export_beside beside;
	char path[EXPORT_PATH], *shown; /* the file, and its name for the user; owned */
	bool is_new; /* nothing had that name before */
};

/* Begins to write what the app wants exported. A file that is there already
 * stays: a proposed name gets a number, a typed one is refused. One file is
 * written at a time. `source` is of what is in focus; NULL: it has none yet. */
void export_screen_begin(struct export_screen *x, struct app *app, const struct source *source);

static inline bool export_screen_runs(const struct export_screen *x)
{
	return x->beside.pid > 0;
}

/* Says in the last line how far it is; at the end, how large the file is, or why
 * it is not there. False: nothing is being written. */
bool export_screen_look(struct export_screen *x);

/* Nothing is left of the file, and the last line says so. */
void export_screen_cancel(struct export_screen *x);

/* As proftop ends: likewise, on standard error. */
void export_screen_end(struct export_screen *x);

#endif
