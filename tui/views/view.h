/* SPDX-License-Identifier: MIT */
/*
 * view: one way to look at a profile, and what it has on the screen: the interface and the table of
 * views. A view is a file of its own, view_*.c, that fills a struct view_ops.
 *
 * The app calls refresh when there is something new or something is looked at otherwise, then draw.
 */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "model/report/drill.h"
#include "model/stats/worst.h"
#include "tui/widgets/table.h"

enum view_kind { VIEW_SELF, VIEW_HIER, VIEW_GRAPH, VIEW_TREE, VIEW_WHY, VIEW_TIMELINE, VIEW_COUNTERS, VIEW_EVENTS, VIEW_COMPARE,
		 VIEW_STACKS, VIEW_FLAME, VIEW_WORST, VIEW_FUNCTIONS, VIEWS };

#define VIEW_WHY_SIZE 512
#define VIEW_OWN_SORT (-1)

struct view;

struct view_ops {
	const char *name; /* in the line of tabs */
	const char *brief; /* a shorter one, where there is little room; NULL: `name` is */
	char key;         /* that opens it */
	size_t size;      /* of the view's own structure, which begins with a struct view; zeroed */
	bool (*refresh)(struct view *v, const struct look *look);
	void (*draw)(struct view *v, const struct look *look, struct canvas *c, struct area a);
	/* A command that is the view's own or moves its cursor; false: it is not for the view. */
	bool (*command)(struct view *v, const struct look *look, enum command command);
	/* Whether one of its commands does something now. */
	bool (*applies)(const struct view *v, enum command command);
	/* The stack of zones that the cursor's row stands for, to drill into it. False: the row stands for none. NULL:
	 * the rows of this view are no zones, and the choice of threads, average and recursion does not change them. */
	bool (*target)(const struct view *v, const struct look *look, struct path *out);
	const char *measure; /* that its rows are of, and so the call graph that is opened from them; NULL: the chosen one */
	/* For a view whose rows are not zones: the number of the frame that Enter on the cursor's row goes to,
	 * 0: none; and the label of Enter in the footer. NULL: Enter goes to no frame. */
	uint64_t (*frame)(const struct view *v, const struct look *look);
	const char *frame_label;
	int64_t (*moment)(const struct view *v); /* when the cursor's row was, a tick; -1: there is none. NULL: rows are no moments */
	/* For the line of tabs, in a few words: which frames or which moment the rows tell of. NULL: the line names what
	 * the user has chosen, a frame or an average, and the threads. */
	const char *(*scope)(const struct view *v);
	bool leads_back; /* a key goes back from it to the view that was open before */
	bool guest; /* the same, and it has a tab only while it is open; */
	bool spare; /* and where there is room for all */
	/* For a view that shows all threads, whichever are selected: the id of the thread that the cursor's row
	 * belongs to. False: there is no row. */
	bool (*thread)(const struct view *v, uint64_t *id);
	bool borrows;      /* its rows are the profile's own, which new data move: they are made anew at once */
	bool unfiltered;   /* a filter changes nothing in it */
	bool own_filter;   /* it has a filter of its own; the views of zones have one in common */
	bool lists_events; /* its rows have the events and notes, or it has no use for them: no pane lists them below */
	/* For a view whose rows are not lines: what a click does, and a place of its own for keys. NULL:
	 * table_click. */
	enum table_hit (*click)(struct view *v, const struct look *look, int x, int y);
	/* What the wheel does at (x, y), up (-1) or down (1), and the mouse that is dragged there from column `from` since the
	 * last time (wheel 0). False: it is not for the view, and the wheel scrolls rows. NULL: likewise. */
	bool (*pointer)(struct view *v, int wheel, int from, int x, int y);
	enum command_place place;
	const struct table_type *type; /* of rows that are a typed table: the help has its columns; NULL: they are none */
	/* Likewise: to what a search finds, the next one (step 1) or the one before (-1); `here`: perhaps where the cursor
	 * is. False: there is none. NULL: table_search. */
	bool (*find)(struct view *v, const struct look *look, const struct pattern *pattern, int step, bool here);
	/* Likewise: where its cursor stands is remembered (false), and it goes back there. NULL: the table does. */
	void (*stands)(struct view *v, bool back);
	/* The stretch of time that was measured in it, and what is in it, which the caller frees; NULL: none is, or no memory. And
	 * Esc: what was begun in the view ends. False: nothing was. NULL: it has no such. */
	struct values *(*measured)(const struct view *v, const struct look *look, int64_t *from, int64_t *to);
	bool (*let_go)(struct view *v);
	bool pauses; /* who moves in it wants it to stand still */
	void (*close)(struct view *v); /* frees what it holds, not itself; NULL: nothing */
};

struct view {
	const struct view_ops *ops;
	enum view_kind kind;
	struct table table;
	int sort; /* a column; VIEW_OWN_SORT: its own */
	bool invert;
	double sorted; /* when rows were sorted exactly */
	char why[VIEW_WHY_SIZE]; /* there is no table: because of this; "" */
};

extern const struct view_ops view_self, view_hier, view_graph, view_tree, view_why, view_counters, view_events,
	view_compare, view_stacks, view_flame, view_timeline, view_worst, view_functions;

/* NULL: out of memory. */
struct view *view_new(enum view_kind kind);
void view_free(struct view *v);

/* view_table.c: what views that are a table have in common. */

/* The report's options: what is looked at, and the view's order. */
struct report_options view_report_options(const struct view *v, const struct look *look,
					  enum report_view report);

/* Whether the rows that are made now keep the order of the table's rows (model/base/order.h); false: they are
 * sorted exactly. Call it once each time that rows are made. */
bool view_keeps_order(struct view *v, const struct look *look);

/* Makes the report and gives it to the table. False: `why` says why there is none. */
bool view_make_report(struct view *v, const struct look *look, const struct report_options *o);

/* Why a view has nothing to draw, below its titles; "": it has. */
void view_draw_why(const char *why, struct canvas *c, struct area a);

/* The table; where there is none, why. */
void view_draw_table(struct view *v, const struct look *look, struct canvas *c, struct area a);
bool view_table_command(struct view *v, const struct look *look, enum command command); /* table_command alone */

/* The path of one zone: that of the cursor's row. */
bool view_row_path(const struct view *v, const struct look *look, struct path *out);

/* view_tree.c: the path from the root down to the cursor's row of a tree. */
bool view_tree_path(const struct view *v, const struct look *look, struct path *out);

/* view_counters.c: the column that has this key, VIEW_OWN_SORT: none. */
int view_counters_sort(const char *key);
const char *view_counters_key(int sort); /* the other way round; NULL: none has a key */

/* view_compare.c: whether there is something to compare; false: `why` says what is missing. And what is to be
 * said of the comparison that it shows; "": nothing. Only for a view of the kind VIEW_COMPARE. */
bool view_compare_ready(const struct view *v, const struct look *look, char *why, size_t size);
/* Before it is opened: the newest frame, which stands for mark B where that is not set. */
void view_compare_begin(struct view *v, uint64_t frame);
const char *view_compare_says(const struct view *v);

/* view_worst.c: the order of its rows, in which w and W go, too. Only for a view of the kind VIEW_WORST. */
enum worst_order view_worst_order(const struct view *v);
void view_worst_sort(struct view *v, enum worst_order order);

/* view_why.c: to the first row of a key, where there is one. Only for a view of the kind VIEW_WHY. */
void view_why_go(struct view *v, const struct look *look, uint32_t key);

/* view_timeline.c: to the longest call of a key in the frame that is chosen, where one is known. Only for a view of the kind
 * VIEW_TIMELINE. */
void view_timeline_go(struct view *v, const struct look *look, uint32_t key);
/* Its window: around a tick, if that is not below 0, and so many ticks wide, if that is not 0. How wide it is. Likewise. */
void view_timeline_show(struct view *v, int64_t middle, int64_t width);
int64_t view_timeline_width(const struct view *v);

/* view_graph.c: drilling. Only for a view of the kind VIEW_GRAPH. */

/* Begins in the last zone of a path, with nothing to go back to. */
void view_graph_begin(struct view *v, const struct path *path);

/* Back to what was looked at before; false: this was the beginning. */
bool view_graph_back(struct view *v);

/* The way that was drilled; to be changed for its paths alone (drill_paths). */
struct drill *view_graph_drill(struct view *v);

#endif
