/* SPDX-License-Identifier: MIT */
/*
 * profview.h: the reports of proftop for programs that draw them themselves: as an overlay of a game, in a
 * window of an editor, in a page of a server.
 *
 * A view attaches to the region of a running program, or of the program that calls, and has what a screen
 * needs: title lines, rows of a name and some values, a cursor, a way into the call graph, the frames
 * that have passed, and flame graphs and timelines as boxes. It draws nothing. It is what Sean Barrett's
 * IProf gave to those who draw: libprof(3) has a table of its calls and of these.
 *
 *   Prof_view *v = Prof_view_open(NULL, 0, &result, why, sizeof(why));   of this very process
 *   ten times a second: Prof_view_update(v), then draw:
 *           Prof_view_title(v, 0), 1, ...      until NULL
 *           Prof_view_column(v, 0, &column), 1, ...   until 0
 *           Prof_view_row(v, 0, &row), 1, ...         until 0
 *           Prof_view_flame_row(v, 0, &axis, boxes), 1, ...   of each depth its boxes in so many pixels
 *   on a key: Prof_view_move_cursor(v, 1), Prof_view_select(v), ...
 *
 * For C11 and C++17. All names begin with Prof_view or Prof_Report.
 *
 * Threads: a view belongs to one thread at a time; different views are independent. No function may be
 * called from a signal handler.
 * Ownership: a text that is returned belongs to the view, until the next call that gets this view without
 * const, or Prof_view_close; what is given is copied. Names are valid UTF-8 in which nothing can
 * hurt a terminal. Numbers in texts have a point, whatever the program's locale is, which nothing here changes.
 * Errors: what can fail returns an enum Prof_view_result, and all is as it was before; Prof_view_why has a
 * sentence for the user. NULL where a view or a result is wanted, and unknown enumerators, are mistakes of
 * the program. Nothing here prints, exits, or changes signal handlers, unless it says so.
 * Times: nanoseconds, and beside them exact integers in units of 1/scale ticks (struct Prof_view_info).
 * What the numbers mean is said in proftop(1).
 */
#ifndef PROFVIEW_H
#define PROFVIEW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum Prof_view_result {
	Prof_view_OK,
	Prof_view_ENDED,     /* of Prof_view_update: the process has ended, what was read stays */
	Prof_view_ABSENT,    /* there is no such region; the process is not profiled */
	Prof_view_REFUSED,   /* no region, another user's, damaged, or of another version */
	Prof_view_SYSTEM,    /* the system says no */
	Prof_view_NO_MEMORY,
	Prof_view_NOTHING,   /* there is no such row, zone, frame, thread or column */
	Prof_view_STOPPED    /* a function of the caller said so */
};

typedef struct Prof_view Prof_view;

/* ---- Attaching */

#define Prof_view_ANY_USER 1u /* regions of other users, too; means Prof_view_GUARD as well, as their
			       * owner may do to them what he likes */
#define Prof_view_GUARD    2u /* sets a handler of SIGBUS, once for the process, that passes on what is not
			       * of a region: a file that somebody cuts off while it is read costs the view,
			       * else the process */

/* `target`: the name of a region, a process id, or a path with a slash in it; NULL: the calling process,
 * which is the region that libprof made for PROF_SHM. Nothing is shown before the first Prof_view_update.
 * NULL: *result and `why` (which may be NULL) say why not. Takes some milliseconds. */
Prof_view *Prof_view_open(const char *target, unsigned flags, enum Prof_view_result *result, char *why,
			  size_t why_size);

/* NULL is fine. */
void Prof_view_close(Prof_view *v);

/* Reads what is new. It sleeps for a millisecond or two, because it takes two looks at a thread to know its part of a
 * frame, and works for a few more. The first time it reads all that the region has, which takes up to a second. A frame
 * is shown once the parts of all threads in it are known. While a frame of the past is shown, that stays as it is.
 * OK, ENDED: it was read. REFUSED: it cannot be read any more, and what was read so far stays. */
enum Prof_view_result Prof_view_update(Prof_view *v);

/* The sentence of the last result that was not OK; "" before. */
const char *Prof_view_why(const Prof_view *v);

/* The meaning of a result, in general; a constant. */
const char *Prof_view_meaning(enum Prof_view_result result);

/* From the next update on frames take about so many bytes at most, the oldest go; at first 64 MiB. */
void Prof_view_set_memory(Prof_view *v, size_t bytes);

/* ---- What is viewed */

enum Prof_view_mode {
	Prof_view_SELF_TIME,         /* flat, by self time; the first */
	Prof_view_HIERARCHICAL_TIME, /* flat, by time with all that is called */
	Prof_view_CALL_GRAPH,        /* a zone, its callers above it, what it calls below */
	Prof_view_CALL_TREE
};

/* CALL_GRAPH: of the zone under the cursor, or of the one that was looked at last. NOTHING: there is
 * neither. */
enum Prof_view_result Prof_view_set_mode(Prof_view *v, enum Prof_view_mode mode);
enum Prof_view_mode Prof_view_get_mode(const Prof_view *v);

enum Prof_view_average {
	Prof_view_NOW,  /* the newest frame */
	Prof_view_FAST, /* an average frame of about 0.8 s; the first */
	Prof_view_SLOW, /* of about 2.5 s */
	Prof_view_RUN   /* of the whole run */
};

/* While a frame of the past is shown, RUN is the whole run, and all others are that frame. */
enum Prof_view_result Prof_view_set_average(Prof_view *v, enum Prof_view_average average);

/* Sets what all rows have instead of time: the measure with this key, `samples` or one that the program
 * declares; NULL: time. Its amounts are in the members for times, and in numbers they are counts or bytes as
 * they are. NOTHING: there is none. */
enum Prof_view_result Prof_view_set_measure(Prof_view *v, const char *key);

/* The key of a measure that can be shown, from index 0 on: `self`, which is time, `entries`, and those that the program
 * has; NULL: there are no more. It holds until the view is updated. */
const char *Prof_view_measure(const Prof_view *v, unsigned index);

/* spread: each depth of a recursive zone is a row of its own; else (at first) a zone is one row. A path
 * that was drilled ends here. */
enum Prof_view_result Prof_view_set_recursion(Prof_view *v, int spread);

/* The thread of that name or id; NULL: all of them, merged (at first). NOTHING: none or several have it.
 * The thread stays chosen until another one is, or until it is not there any more when the view begins anew
 * (Prof_view_GUESSED): then it is all of them. */
enum Prof_view_result Prof_view_set_thread(Prof_view *v, const char *thread);

struct Prof_view_thread {
	uint64_t id;
	int64_t tid; /* the system's; 0: not known */
	const char *name;
	int alive;
	int marking; /* it marks the frames */
};

/* Thread `index`, from 0 on; 0: there are not so many. */
int Prof_view_thread(Prof_view *v, unsigned index, struct Prof_view_thread *out);

/* Sorts by the column of that key (`self`, `hier`, `count`; struct Prof_view_column). NULL: in the usual order of
 * the mode. NOTHING: the mode that is open has no such column. The choice holds for all modes; a mode that does not
 * have the column is sorted in its usual order. */
enum Prof_view_result Prof_view_set_sort(Prof_view *v, const char *key, int invert);

/* Only rows whose name contains the text, or with ~ in front of it matches the POSIX extended regular
 * expression; NULL or "": all. NOTHING: it is no regular expression. */
enum Prof_view_result Prof_view_set_filter(Prof_view *v, const char *filter);

enum Prof_view_unit { Prof_view_AUTO, Prof_view_MS, Prof_view_US, Prof_view_NS, Prof_view_PCT };

/* How times are written: the unit (PCT: of the frame's length), and the digits behind the point (-1:
 * what is usual for the unit). ascii: names and units in ASCII. */
void Prof_view_set_format(Prof_view *v, enum Prof_view_unit unit, int precision, int ascii);

/* ---- The cursor, and where it leads. It belongs to a zone: it goes where its row goes. */

/* By so many rows, down is positive; it stops at the ends. */
void Prof_view_move_cursor(Prof_view *v, int delta);
void Prof_view_set_cursor(Prof_view *v, unsigned row);

/* The row it is in. */
unsigned Prof_view_get_cursor(Prof_view *v);

/* The call graph of the zone under the cursor; in a call graph, on into that row. NOTHING: it is a row that
 * leads nowhere, as (no zone). */
enum Prof_view_result Prof_view_select(Prof_view *v);

/* The call graph of that zone: NAME, or NAME@FILE:LINE where there are several of that name. */
enum Prof_view_result Prof_view_select_zone(Prof_view *v, const char *zone);

/* In a call graph: to the caller with most time; else into the call graph of the zone under the cursor, and
 * on to that. */
enum Prof_view_result Prof_view_select_parent(Prof_view *v);

/* Takes back a selection; the first one leads back to the mode before it. NOTHING: there is none. */
enum Prof_view_result Prof_view_back(Prof_view *v);

/* ---- Frames. To look at one takes a private copy: nothing under the eyes changes until one goes live. */

/* By so many frames, backwards is negative; live, -1 is the newest complete one. It stops at the ends.
 * NOTHING: there are no frames. */
enum Prof_view_result Prof_view_move_frame(Prof_view *v, int delta);

/* 0: live; 1: the newest complete frame, 2: the one before it, and so on. */
enum Prof_view_result Prof_view_set_frame(Prof_view *v, unsigned back);

/* The frame of that number, or the one nearest to it that is held. */
enum Prof_view_result Prof_view_set_frame_number(Prof_view *v, uint64_t number);

/* The number of the frame that is shown; 0: live. */
uint64_t Prof_view_get_frame(const Prof_view *v);

/* ---- Drawing */

struct Prof_view_info {
	int64_t ticks_per_s;
	int64_t scale;   /* exact times are in 1/scale ticks, exact counts in 1/scale entries */
	int64_t wall;    /* length of the frame that is shown, exact time; of an average, in which each frame weighs the
			  * same and less the older it is, the mean length */
	int64_t time;    /* of the threads that are shown in it, exact time: Σ self over all rows, where
			  * nothing is filtered and it is no call graph */
	uint64_t frame;  /* that is shown; of an average, the newest in it; 0: none */
	uint64_t frames; /* that are in it */
	uint64_t frames_ended; /* since the program began */
	unsigned incomplete;   /* parts of threads that are missing in it */
	int64_t pid;
	int live;        /* the process lives */
	uint64_t lost;   /* of all causes (Prof_view_loss) */
};

/* NO_MEMORY, or NOTHING where Prof_view_why says why there are no rows: nothing was read yet, the zone of
 * the call graph has not been entered. All is 0 then that is not known. */
enum Prof_view_result Prof_view_info(Prof_view *v, struct Prof_view_info *out);

/* Title fields, from 0 on: the process, its frames, what is shown, the zone of a call graph, what was
 * lost; NULL behind the last. */
const char *Prof_view_title(Prof_view *v, unsigned index);

#define Prof_view_VALUES 32 /* a row has no more values than this */

enum Prof_view_kind {
	Prof_view_TIME,   /* number: nanoseconds, exact: 1/scale ticks */
	Prof_view_COUNT,  /* number: entries, exact: 1/scale entries */
	Prof_view_TICKS,  /* number: nanoseconds, exact: ticks. Of a single call */
	Prof_view_MEAN,   /* number: nanoseconds; exact: 0 */
	Prof_view_RATIO,  /* number: 1 is the whole; exact: 0 */
	Prof_view_NUMBER, /* number and exact are the same */
	Prof_view_RATE    /* number: a second; exact: 0 */
};

/* A value that rows have in the present mode. */
struct Prof_view_column {
	const char *key;   /* `self`: stable, as in proftop report -j */
	const char *title; /* with its unit, `SELF ms` */
	const char *help;  /* a sentence */
	enum Prof_view_kind kind;
	int sorted;        /* the rows are sorted by it */
};

/* Column `index`, from 0 on, which is that of values[index] in each row; 0: there are not so many. */
int Prof_view_column(Prof_view *v, unsigned index, struct Prof_view_column *out);

struct Prof_view_value {
	int shown;      /* 0: the row has no such value; the text is `-` */
	double number;
	int64_t exact;
	char text[32];
};

enum Prof_view_role {
	Prof_view_ZONE,
	Prof_view_NO_ZONE, /* the time in no zone */
	Prof_view_CALLER,  /* its values are those of the focus on its behalf */
	Prof_view_FOCUS,   /* the zone of the call graph */
	Prof_view_CHILD
};

struct Prof_view_row {
	const char *name;
	const char *file;  /* "" : not known */
	unsigned line;
	uint64_t id;       /* the same for the same row, as long as the mode is the same */
	enum Prof_view_role role;
	unsigned indent;   /* cells for the name, 2 a level */
	char mark;         /* '+': it can be selected and calls zones, '-': the focus, ' ' */
	int highlight;     /* the cursor is there */
	int waiting;       /* the zone only waits */
	double heat;       /* how restless it is, 0 to 1; fades where it has less than a hundredth of the frame */
	unsigned count;    /* of values */
	struct Prof_view_value values[Prof_view_VALUES];
};

/* How many rows there are. */
unsigned Prof_view_rows(Prof_view *v);

/* Row `index`, from 0 on; 0: there are not so many. The name is the view's. */
int Prof_view_row(Prof_view *v, unsigned index, struct Prof_view_row *out);

/* ---- A graph of frames */

enum Prof_view_frame_flags {
	Prof_view_DISCARDED = 1, /* the program said not to record it */
	Prof_view_CHOSEN = 2,    /* it is the one that is shown */
	Prof_view_ALONE = 4,     /* it was kept for being long; its neighbours are gone */
	Prof_view_GUESSED = 8    /* the program marks no frames: it is from one update to another, a tenth of a
				  * second at least. With its first mark the view begins anew */
};

struct Prof_view_frame {
	uint64_t number;
	int64_t begin;  /* the tick at which it began, on the axis of single calls */
	int64_t ticks;  /* its length */
	double ns;
	unsigned flags;
};

/* The newest `most` frames that are held, the oldest first; live, up to now, else up to the pause. Returns
 * how many there are. */
unsigned Prof_view_frames(Prof_view *v, struct Prof_view_frame *out, unsigned most);

/* Self time (hier: hierarchical time) of a zone, in ticks, in each of these frames: out[i] belongs to
 * frame i of Prof_view_frames with the same `most`, and is of the threads that are looked at. `zone` as in
 * Prof_view_select_zone; NULL: that of the cursor. Returns how many; 0: there is no such zone. Takes time
 * in proportion to what the frames hold. */
unsigned Prof_view_series(Prof_view *v, const char *zone, int hier, int64_t *out, unsigned most);

/* ---- Boxes: rows of them side by side, as a flame graph and a timeline have them
 *
 *     axis.from                                                     axis.to
 *     | update                | render               |              |     depth 0, a row
 *     | ai     | phys | | | | |      | draw |    | | |              |     depth 1, below it
 *     0                          columns                            axis.columns
 *
 * The program says which stretch of an axis it looks at, and in how many columns of equal width: pixels, characters, or
 * three pixels each where boxes are not to be narrower. It gets a row in one call, as boxes from left to right, each with
 * its columns and with its exact place. A box that covers at least half of a column has it. What is narrower is merged,
 * never dropped: a merged box is one column wide and says how many lie in it. So what a row takes grows with what is
 * to be seen in it, not with what there is: all rows may be asked for in each frame that the program draws. That takes
 * no memory but what the first frame after an update does.
 *
 * Column x is the time from `from + (to - from) * x / columns`, rounded down, to where the next one begins, one tick at
 * least. An axis with to <= from, one longer than INT64_MAX, and one without columns have no boxes.
 *
 * The names in boxes and lanes hold longer than other texts: until the next Prof_view_update, or call that changes what is
 * looked at or how it is written. So all rows may be asked for first, and drawn then.
 */
struct Prof_view_axis {
	int64_t from, to;
	unsigned columns;
};

enum Prof_view_box_kind {
	Prof_view_BOX,         /* a zone of the flame graph, a call of the timeline */
	Prof_view_BOX_MERGED,  /* one column in which several lie, or one that is narrower than half of it */
	/* in a timeline, at depth 0, between the calls: */
	Prof_view_BOX_IDLE,    /* the thread was in no zone */
	Prof_view_BOX_UNKNOWN, /* it is not known what the thread did: what was lost, or not read */
	Prof_view_BOX_AWAY     /* the thread had not begun, or was over */
};

enum Prof_view_box_flags {
	Prof_view_WAITING = 1,   /* the zone only waits */
	Prof_view_CUT_BEGIN = 2, /* it was entered before `begin`: before that it is not known */
	Prof_view_CUT_END = 4,   /* it was left behind `end`, likewise */
	Prof_view_RUNNING = 8,      /* it had not been left yet, when it was read at the tick `end` */
	Prof_view_LOST = 16,     /* at depth 0: in its columns there is time of which nothing is known, or calls were lost */
	Prof_view_RESUMED = 32,  /* a stretch of a call that had been suspended before */
	Prof_view_SUSPENDED = 64 /* a stretch of a call that is not over with it */
};

#define Prof_view_HUES 6

struct Prof_view_box {
	enum Prof_view_box_kind kind;
	unsigned flags;
	unsigned x, width;  /* columns [x, x + width) of the axis; 0 where none was given */
	unsigned depth;
	unsigned index;     /* its number in the row, over all of the axis; of merged ones the first's */
	unsigned count;     /* of boxes: 1; of merged ones how many lie in the column, one at its edge in both; of
			     * no call 0 */
	int64_t begin, end; /* its place on the axis, also beyond what is looked at; of merged ones from the first to the last;
			     * of no call the part that is looked at */
	int64_t hier, self; /* exact, in the unit of the axis: with all that it calls, and without. Of merged ones what of
			     * their column they cover. Of a call that is cut what is known of it */
	double ns, self_ns; /* the same */
	double covered;     /* of the columns, 0 to 1: of merged ones; else 1 */
	uint64_t id;        /* flame graph: of the row of CALL_TREE (struct Prof_view_row); timeline: of the zone's row in the
			     * modes SELF_TIME and HIERARCHICAL_TIME. 0: there is none */
	unsigned hue;       /* a number below Prof_view_HUES for its colour: the same for the same name, in every run */
	const char *name;   /* of merged ones the first's; "" of no call */
	const char *file;   /* "": not known */
	unsigned line;
};

/* ---- A flame graph: the rows of CALL_TREE as boxes, as long as their hierarchical time
 *
 * It is of what is looked at: of the frame or average, the thread, recursion and filter, whatever the mode is. At depth 0
 * is the root, `all`, which is as long as the times of all threads in it. Under a box stand those that it calls, from its
 * begin on, the longest first and behind them those that wait; what is left is its own time. A zone without time has no
 * box.
 */
struct Prof_view_flame {
	int64_t whole;  /* length of the root: the axis is [0, whole) */
	int64_t scale;  /* in units of 1/scale ticks */
	unsigned depth; /* rows: the boxes have depths below it */
	unsigned boxes; /* in all */
};

/* NO_MEMORY, or NOTHING where Prof_view_why says why there is none; all is 0 then. It is made when it is asked for
 * first after an update, in proportion to the rows of CALL_TREE. */
enum Prof_view_result Prof_view_flame(Prof_view *v, struct Prof_view_flame *out);

/* waits 0: zones that wait have no boxes, and those around them are as long as if they had not waited, though their
 * `hier` is what it was. At first they have. */
void Prof_view_set_flame_waits(Prof_view *v, int waits);

/* Box `index` of a depth, from 0 on, in order, unmerged; 0: there are not so many. */
int Prof_view_flame_box(Prof_view *v, unsigned depth, unsigned index, struct Prof_view_box *out);

/* The boxes of a depth that are to be seen, from left to right, into `out`, which has room for axis->columns of them.
 * Returns how many. */
unsigned Prof_view_flame_row(Prof_view *v, unsigned depth, const struct Prof_view_axis *axis, struct Prof_view_box *out);

/* The box of that row that column x is in; 0: there is none. */
int Prof_view_flame_at(Prof_view *v, unsigned depth, const struct Prof_view_axis *axis, unsigned x,
		       struct Prof_view_box *out);

/* ---- A timeline: single calls, a lane a thread, each depth a row
 *
 * Its axis is in ticks, those of Prof_view_frames: a frame has calls from `begin` to `begin + ticks`. Calls reach back
 * some seconds, as far as the program's own log did when it was read; the oldest go. What was lost between is not known,
 * which is another thing than that a thread was idle.
 */

/* From the next update on single calls are read, too: so many at most over all threads, the oldest go; 0, as at first:
 * none, and what was read goes. A call takes 60 to 120 bytes; an update takes longer by about 150 ns for each that is new.
 * a million is what proftop has. Another number begins anew. While a frame of the past is shown calls stay as they were, but
 * are read on. */
void Prof_view_set_calls(Prof_view *v, unsigned most);

struct Prof_view_calls {
	int64_t since;  /* the first tick of which anything is known, of any lane */
	int64_t now;    /* the tick at which they were read: no call reaches beyond */
	uint64_t calls; /* that are held, of all threads */
	unsigned lanes;
};

/* NO_MEMORY, or NOTHING where Prof_view_why says why there are none; all is 0 then. */
enum Prof_view_result Prof_view_calls(Prof_view *v, struct Prof_view_calls *out);

struct Prof_view_lane {
	uint64_t id;      /* the same for the same lane */
	uint64_t thread;  /* its id. Of threads that were over before they were read each has a lane, and all of them one id */
	const char *name; /* of the thread */
	int64_t since;    /* the first tick of which anything is known */
	unsigned depth;   /* rows: its calls have depths below it */
};

/* Lane `lane`, from 0 on: of the threads that are looked at, those that mark frames first. 0: there are not so many. */
int Prof_view_lane(Prof_view *v, unsigned lane, struct Prof_view_lane *out);

/* In how many rows something is to be seen. In proportion to their number. */
unsigned Prof_view_lane_rows(Prof_view *v, unsigned lane, const struct Prof_view_axis *axis);

/* Call `index` of a depth, from 0 on, in the order of time; 0: there are not so many. */
int Prof_view_lane_call(Prof_view *v, unsigned lane, unsigned depth, unsigned index, struct Prof_view_box *out);

/* The boxes of a depth that are to be seen, from left to right, into `out`, which has room for axis->columns of them.
 * Returns how many. At depth 0 they lie side by side from column 0 to the last: what is no call is IDLE, UNKNOWN or AWAY,
 * as it is in the middle of its columns. */
unsigned Prof_view_lane_row(Prof_view *v, unsigned lane, unsigned depth, const struct Prof_view_axis *axis,
			    struct Prof_view_box *out);

/* The box of that row that column x is in; 0: there is none. */
int Prof_view_lane_at(Prof_view *v, unsigned lane, unsigned depth, const struct Prof_view_axis *axis, unsigned x,
		      struct Prof_view_box *out);

/* ---- What the program says itself */

/* A counter; one that several threads set has a row for each. */
struct Prof_view_counter {
	const char *name;
	uint64_t id;     /* the same for the same row */
	int of_thread;   /* it is the value of one thread, */
	uint64_t thread; /* by its id; else of all */
	int real;        /* doubles; else integers, exact in `exact` */
	struct Prof_view_value last, min, max; /* not shown: not known, or there was none yet */
};

/* Counter `index`, from 0 on, by name: of the frame that is shown; live, of the whole run. 0: there are not
 * so many. The name is the view's. */
int Prof_view_counter(Prof_view *v, unsigned index, struct Prof_view_counter *out);

struct Prof_view_instant {
	const char *text; /* of a note; the name of an event */
	int note;         /* else an event */
	int cut;          /* the note was longer */
	uint64_t thread;  /* its id */
	uint64_t frame;
	int64_t ticks;    /* since the frame began */
	double ns;
};

/* Event or note `index`, from 0 on, in the order of time, of the frame that is shown; live, of the newest.
 * 0: there are not so many. The text is the view's. */
int Prof_view_instant(Prof_view *v, unsigned index, struct Prof_view_instant *out);

/* A loss, by its cause, index from 0 on. 0: there are not so many. */
struct Prof_view_loss {
	const char *key, *sentence;
	uint64_t count;
};
int Prof_view_loss(Prof_view *v, unsigned index, struct Prof_view_loss *out);

/* ---- A report of the calling process itself, in text or as a page */

#define Prof_Report_FLAT  0 /* a table by self time */
#define Prof_Report_HIER  1 /* by time with all that is called */
#define Prof_Report_TREE  2 /* the tree of calls */
#define Prof_Report_HTML  3 /* a page for a browser: frames, zones, single calls, counters, notes */
#define Prof_Report_ASCII 16 /* added to one of the first three: no other characters */

/* Gives the text to `write`, piece after piece; a piece is of any size and has no NUL behind it. The whole
 * run, each thread for itself, and then all of them, as proftop report prints it. `write` returns 0 to go
 * on; anything else ends the report, with STOPPED. Zones may be open, also those of the caller; any
 * thread may call it, also at exit (atexit). It takes some milliseconds, up to a second where a lot of
 * frames are held, and does not change what is measured; the time counts in the zone that the
 * caller is in. Not profiled: ABSENT, and nothing is written. An unknown mode: NOTHING.
 * HTML is one file that needs no other, of all that is known, as proftop export html writes it, with the same limits: some hundred
 * milliseconds, and as much memory as a hundred megabytes where the region has millions of calls. */
enum Prof_view_result Prof_Report(int (*write)(void *context, const char *text, size_t size), void *context,
				  int mode);

#ifdef __cplusplus
}
#endif

#endif
