/* SPDX-License-Identifier: MIT */
/*
 * timeline: threads as lanes on one axis of time: what is known of them, the window that is looked at, and the cursor.
 *
 *   timeline.c           lanes and the rows of a lane; reads what is new; the window, and those before it;
 *                        how hot a call is
 *   timeline_cursor.c    from box to box, measuring, and the search for calls
 *   timeline_draw.c      the lanes, and the counters below them
 *   timeline_lines.c     what stands above the lanes (scale, map, ruler, frames, events), and below: the cursor's box
 *
 * A lane has single calls where they are known, and elsewhere what its thread had in each frame, as boxes of sums
 * (model/boxes/sums.h). Each is a row of boxes; they do not overlap but in a cell.
 */
#ifndef TUI_TIMELINE_H
#define TUI_TIMELINE_H

#include "model/boxes/sums.h"
#include "tui/cells/canvas.h"
#include "tui/cells/figures.h"
#include "tui/frames/look.h"

#define WINDOWS_MOST 32 /* that one can go back to */

struct window {
	int64_t from, to; /* [from, to), from < to */
};

struct lane {
	uint64_t id; /* of its list, or of its thread */
	uint64_t thread_id;
	uint32_t thread;
	const struct span_list *list; /* NULL: nothing is known singly */
	struct sums sums;
	bool filled;                  /* these are of the window */
	bool folded;                  /* one row of it is shown */
};

struct timeline {
	struct spans *spans; /* NULL: none are known */
	const struct singles *of; /* whose transitions they are made of, */
	uint64_t run;             /* and in which run (singles_all) */
	int64_t read;        /* the tick at which these were read, or the profile was */
	int64_t since;       /* the first single call that is known of the first lane; INT64_MAX: none is */
	int64_t oldest;      /* the first tick of which something is held */
	bool has_frames;
	bool elsewhere;      /* not all that are known are held: those of the window are brought (timeline_want), */
	bool too_many;       /* and of these not all, as there are too many */
	struct lane *lanes;  /* in the order in which they are shown */
	uint32_t lane_count;
	uint32_t lanes_hidden; /* lanes of threads that were not chosen */
	uint64_t *folded;    /* lanes that are, by id */
	uint32_t folded_count, folded_capacity;
	struct sum_frames frames; /* of the window */
	bool filled;              /* they are */
	struct window window; /* to == 0: it is chosen when there is something to see */
	struct window windows[WINDOWS_MOST];
	uint32_t window_count;
	int64_t selected_to; /* likewise the end of what was selected; 0: nothing was */
	uint64_t chosen; /* the frame that was chosen when it was looked at last */
	/* The cursor: a box. */
	uint64_t lane; /* id */
	uint32_t depth;
	int64_t begin;
	bool of_sums;
	bool has_cursor;
	/* Where it was, and what was in sight, when a search began. */
	struct {
		uint64_t lane;
		uint32_t depth;
		int64_t begin;
		bool of_sums, has_cursor;
		struct window window;
	} stood;
	/* A measurement: from the box at which it began to the cursor's. */
	struct window anchor, measured; /* to == 0: nothing is */
	bool counters; /* they have lanes, too */
	bool heat;     /* boxes are coloured by what is usual; so they are, too, while there is a base, */
	bool against_base;
	bool by_zone;  /* unless it was asked for the colours of zones then */
	int64_t *usual; /* by node, what a call takes, ticks; 0: not known. NULL: boxes have the colours of their zones */
	uint32_t usual_count;
	bool finds_whole; /* the text that is searched for is a zone's whole name */
	/* As it was drawn: */
	uint32_t top;      /* first lane */
	uint32_t deep, deep_rows, most_rows; /* rows that this lane has at most, and each of the others */
	struct area drawn; /* the boxes */
	struct area map;   /* height 0: there was no room */
	struct line {
		uint32_t lane, depth;
	} *lines; /* drawn.height of them; lane PROFILE_NONE: none */
};

/* The boxes of one row, of single calls or of sums; none where it has no such. */
struct lane_row {
	struct box_row row;
	const uint32_t *nodes; /* of each */
	const struct lane *lane;
	uint32_t depth;
	bool of_sums;
};

void timeline_fini(struct timeline *t);

/* Takes in what is new, and looks at the newest, or the frame that was chosen. False: there is nothing to see, and `why`
 * says why. */
bool timeline_read(struct timeline *t, const struct look *look, char *why, size_t size);

/* Brings the calls of the window, where there are more than are held at a time. */
void timeline_want(struct timeline *t, const struct look *look);

/* Brings the sums of a lane up to date with the window, and gives its rows. */
void timeline_fill(struct timeline *t, const struct profile *p, struct lane *lane);
struct lane_row timeline_row(const struct lane *lane, uint32_t depth, bool of_sums);
uint32_t timeline_rows(struct timeline *t, const struct profile *p, uint32_t lane); /* in sight; at least 1 */

/* Is a tick of a lane known, by single calls or by sums? */
enum spans_knowledge timeline_knows(const struct lane *lane, int64_t tick);

uint32_t timeline_lane(const struct timeline *t, uint64_t id); /* PROFILE_NONE: there is none */

/* Folds the cursor's lane to one row, or unfolds it; all of them, if one is not folded. */
void timeline_fold(struct timeline *t);
void timeline_fold_all(struct timeline *t);
void timeline_unfold(struct timeline *t, uint32_t lane);

/* The window */
static inline int64_t timeline_width(const struct timeline *t)
{
	return t->window.to - t->window.from;
}
void timeline_look_at(struct timeline *t, int64_t from, int64_t width); /* as near to it as there is something */
void timeline_zoom(struct timeline *t, int64_t width); /* around the cursor */
void timeline_zoom_at(struct timeline *t, int64_t tick, int64_t width); /* which stays where it is on the screen */
bool timeline_fit_box(struct timeline *t, const struct profile *p); /* false: it is as wide already */
void timeline_fit_frame(struct timeline *t, const struct look *look);
bool timeline_back(struct timeline *t);
int64_t timeline_tick(const struct timeline *t, int x); /* where a column begins */
int timeline_column(const struct timeline *t, int64_t tick); /* that it is in, also outside */

/* The cursor */
uint32_t timeline_box(const struct timeline *t, struct lane_row *row); /* that it is on; UINT32_MAX: on none */
/* Whether the window shows single calls of the first lane alone: also a frame of long ago may have retained its calls. */
bool timeline_known(const struct timeline *t);
/* Whether single calls are known in the window before `since`: those of frames that retained their calls. */
bool timeline_knows_frames(const struct timeline *t);
bool timeline_in_sight(const struct timeline *t); /* it is on one, and something of that is in the window */
void timeline_go(struct timeline *t, const struct lane_row *row, uint32_t box);
void timeline_stands(struct timeline *t, bool back); /* remembers where it is, or goes back there */
bool timeline_begin(struct timeline *t, const struct profile *p); /* to something that is in sight */
void timeline_beside(struct timeline *t, const struct profile *p, int step);
void timeline_up_down(struct timeline *t, const struct profile *p, int step);
void timeline_measure(struct timeline *t); /* from the cursor's box on; if something is measured already, no longer */
void timeline_measure_on(struct timeline *t); /* the cursor has moved */
bool timeline_longest_inside(struct timeline *t); /* of the cursor's box; false: nothing is */

/* The search. If the text is the whole name of a zone, only this zone is found (`ai`, and not `wait`), else all
 * names that contain it. timeline_search decides which. `here`, in timeline_find: the search begins, and takes
 * what is around the cursor or visible before what is further on. */
void timeline_search(struct timeline *t, const struct profile *p, const struct pattern *pattern); /* NULL: nothing is */
bool timeline_finds(const struct timeline *t, const struct pattern *pattern, const char *name);
bool timeline_find(struct timeline *t, const struct look *look, const struct pattern *pattern, int step, bool here);

/* To the single call of the cursor's zone that is next, in the order of a search. False: none is known. */
bool timeline_same(struct timeline *t, const struct look *look, int step);

/* To the longest single call of a stack that begins or ends in [from, to), of a key of the query, or of one of its nodes.
 * False: none is known. */
bool timeline_go_longest(struct timeline *t, const struct look *look, uint32_t key, int64_t from, int64_t to);

/* The usual time of a call of a node, 0: not known; the role of a call that took so long, and ` ×41`, if that is
 * much. */
void timeline_find_usual(struct timeline *t, const struct look *look);
int64_t timeline_usual(const struct timeline *t, const struct profile *p, uint32_t node);
bool timeline_is_hot(double took, double usual, unsigned zone_flags);
enum role timeline_heat(const struct timeline *t, const struct profile *p, uint32_t node, int64_t length);
void timeline_heat_text(const struct timeline *t, const struct look *look, uint32_t node, int64_t length, char *out, size_t size);

/* Drawing */
struct figure timeline_time(const struct look *look, int64_t ticks);
void timeline_draw(struct timeline *t, const struct look *look, struct canvas *c, struct area a);
bool timeline_hit(struct timeline *t, const struct look *look, int x, int y, struct lane_row *row, uint32_t *box);

/* Lines above the lanes, in the area of one line that begins where the names do. */
void timeline_draw_scale(const struct timeline *t, const struct look *look, struct canvas *c, struct area a);
void timeline_draw_map(const struct timeline *t, const struct look *look, struct canvas *c, struct area a);
void timeline_draw_ruler(const struct timeline *t, const struct look *look, struct canvas *c, struct area a);
void timeline_draw_frames(const struct timeline *t, const struct look *look, struct canvas *c, struct area a);
void timeline_draw_events(const struct timeline *t, const struct look *look, struct canvas *c, struct area a);

/* Lines below them: what the cursor's box is. */
void timeline_draw_detail(const struct timeline *t, const struct look *look, struct canvas *c, struct area a);

#endif
