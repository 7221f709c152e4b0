/* SPDX-License-Identifier: MIT */
/*
 * scene: what is on the screen, for those that draw its lines: the process, its state, the frame.
 *
 * The app fills it before it draws; nobody else changes it. All of it is borrowed.
 */
#ifndef TUI_SCENE_H
#define TUI_SCENE_H

#include "model/query/query.h"
#include "model/stats/frame_stats.h"
#include "model/stats/thread_load.h"
#include "tui/cells/figures.h"
#include "tui/frames/frame_graph.h"

enum scene_state {
	SCENE_WAITING, /* there is no region yet; `profile` is NULL, or that of the run before */
	SCENE_READING, /* there is one, and it is read for the first time; `profile` as above */
	SCENE_LIVE,
	SCENE_STOPPED, /* live, but a signal has stopped it */
	SCENE_PAUSED,  /* a private copy is shown */
	SCENE_ENDED,   /* the process said goodbye */
	SCENE_DEAD,    /* it did not */
	SCENE_FILE,
};

struct scene {
	enum scene_state state;
	const char *target;  /* what the user named, escaped; "" where nothing was */
	const char *recording; /* for how long, and how much: `00:01:12 4.2 MiB`; "": it is not recorded */
	bool is_file;        /* it is read from a file, of which ENDED and DEAD say how the program ended */
	const char *waiting; /* WAITING: what for, a sentence */
	const char *ending;  /* how a program that proftop started ended: `exited 139 (SIGSEGV)`; "" */
	bool another;              /* that one is another run than what is shown */
	enum profile_state writer; /* of the process, now: also while a copy is shown */
	bool stopped;              /* likewise */
	const struct profile *profile; /* that is shown; NULL: none */
	struct query *query;             /* of it; NULL with profile */
	uint64_t frame;                /* that is shown; 0: the average of the newest */
	uint64_t range_first, range_last; /* numbers of frames, if a range of them is shown; else 0 */
	int64_t stretch_from, stretch_to; /* ticks that are shown instead of the frame; to 0: none are */
	uint64_t newest;               /* frame of that profile: a copy's stays; 0: none */
	int64_t newest_end;            /* its last tick */
	const struct frame_stats *stats; /* of the frames that are held, as of half a second ago at
					    most; NULL: none */
	const struct frame_mean *mean;   /* what the table shows an average of; NULL: nothing */
	const struct load *load;         /* of the values that `mean` is of; NULL: none */
	const struct figure_unit *unit;  /* that times in the title had so far; NULL: that of the median */
	int64_t budget;                /* ticks; 0: none */
	int64_t freeze;                /* the first frame over it pauses; likewise */
	bool ascii;
	bool mouse;
};

/* The process is there. */
static inline bool scene_lives(enum scene_state state)
{
	return state == SCENE_LIVE || state == SCENE_STOPPED;
}

/* `LIVE`, and how it looks. */
const char *scene_state_name(enum scene_state state);
enum role scene_state_role(enum scene_state state);

/* The first line: program, state, frame, rate, lengths. */
void banner_draw(const struct scene *s, struct canvas *c, struct area a);

/* The line above the footer: losses, unclosed zones, the region, whether the program runs, and the profiling cost. */
void status_draw(const struct scene *s, struct canvas *c, struct area a);

#endif
