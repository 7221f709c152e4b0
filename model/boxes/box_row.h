/* SPDX-License-Identifier: MIT */
/*
 * box_row: boxes side by side on one row, as a flame graph and a timeline have them, and what each cell of it shows.
 *
 * The row lies on an axis of ticks, or of sums of them, and a window [from, to) of it is divided into columns of equal
 * width. A box that covers at least half of its column owns the cell. Those that are narrower are merged, never
 * dropped: a merged cell says how many boxes lie in it and how much of it they cover. What it takes is O(runs log boxes),
 * as the lengths of the boxes are summed up beforehand, and cells that one box covers are not looked at one by one.
 */
#ifndef MODEL_BOX_ROW_H
#define MODEL_BOX_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct box_row {
	const int64_t *begin, *end; /* count of each, ascending: begin[i] <= end[i] <= begin[i + 1] */
	const int64_t *sums;        /* count + 1: sums[i] - sums[0] is the length of all before box i */
	uint32_t count;
};

enum box_kind {
	BOX_NONE,   /* no box */
	BOX_ONE,    /* one box owns all of these cells */
	BOX_MERGED, /* one cell: boxes that are too narrow for one of their own */
};

/* Cells side by side that show the same. */
struct box_run {
	enum box_kind kind;
	uint32_t x, cells;
	uint32_t box;    /* the box; of merged ones the first */
	uint32_t count;  /* of boxes */
	double covered;  /* of the cell, 0 to 1: of merged ones, */
	int64_t ticks;   /* and so many of it */
	int64_t from, to; /* ticks of these cells: [from, to). Cells that are narrower than a tick overlap in it */
	bool begins;     /* its box begins in the first of these cells or right before: it has an edge there */
};

/* The runs of a row from left to right, without gaps, at most `columns` of them, into `out`. Returns how many. An empty
 * window has one run of no box; columns that are narrower than a tick show the tick that they lie in. */
uint32_t box_row_runs(const struct box_row *row, int64_t from, int64_t to, uint32_t columns, struct box_run *out);

/* Where a column of a window begins; of `columns`, where the window ends. */
int64_t box_column_begin(int64_t from, int64_t to, uint32_t columns, uint32_t column);

/* The box that holds this place of the axis; UINT32_MAX: none does. */
uint32_t box_row_at(const struct box_row *row, int64_t place);

/* The first box that ends behind it, or lies there without length: where a window begins. */
uint32_t box_row_first(const struct box_row *row, int64_t place);

/* The first box that begins there or later; count: there is none. */
uint32_t box_row_from(const struct box_row *row, int64_t place);

/* Ticks of [from, to) that the boxes cover. O(log boxes). */
int64_t box_row_covered(const struct box_row *row, int64_t from, int64_t to);

/* The colour of what has this name, one of BOX_HUES: the same in every run. */
#define BOX_HUES 6
uint32_t box_hue(const char *name);

/* The text of a box, UTF-8 that is safe to show. */
struct box_label {
	char name[192];  /* cut where there is no room for it */
	char value[64];  /* behind it, where there is room for all of it; "": none */
	char more[32];   /* and behind that, likewise */
	bool whole;      /* the name is not cut but left out: of a number a part is another one */
};

/* How boxes that touch are told apart: by [update 1.710---], by areas of colour with an edge, by {update 1.710---},
 * of which a box of one cell is a shade. */
enum box_edges { BOX_BRACKETS, BOX_AREAS, BOX_BRACES };

/* The text of a run, as wide as it. UTF-8; what does not fit into size - 1 bytes is left out. Returns the bytes. */
size_t box_run_text(const struct box_run *run, const struct box_label *label, enum box_edges edges, bool ascii, char *out,
		    size_t size);

/*
 * Calls one after the other at one depth of a thread, as columns that grow at the end and shrink at the front.
 *
 * For each span it has the columns of a box_row (the ticks of begin and end, the node of the profile, the sum of
 * the lengths before it) and flags: 29 bytes a span. It has space for at most four times the spans that are
 * held, and 32 more. A span_row of zeros is an empty one.
 */

struct span_row {
	uint32_t count, capacity;
	uint32_t gone;        /* places in front of the first that are free */
	int64_t *begin, *end; /* count of each, not negative; begin[i] <= end[i] <= begin[i + 1] */
	int64_t *sums;        /* count + 1; NULL, as the others: there was no span yet */
	uint32_t *node;
	uint8_t *marks;       /* of its maker */
	void *room;           /* where they all lie in */
};

void span_row_fini(struct span_row *r); /* it is empty then */

/* Adds a span without length behind the last, which ends at `begin` or before. False: out of memory, nothing is added. */
bool span_row_push(struct span_row *r, uint32_t node, int64_t begin);
void span_row_pop(struct span_row *r);

/* The spans of `front`, which end where these begin or before, come before them, and leave `front`. False: out of memory. */
bool span_row_put_before(struct span_row *r, struct span_row *front);

/* Moves the end of the last span, forth or back. */
void span_row_end(struct span_row *r, int64_t end);

/* Removes the time before the tick: spans that end there or before, and the
 * earlier part of a span that goes on behind it. `open`: the last span has not
 * ended yet, so it stays. Returns the number of spans removed. */
uint32_t span_row_trim(struct span_row *r, int64_t begin, bool open);

#endif
