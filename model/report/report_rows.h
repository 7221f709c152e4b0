/* SPDX-License-Identifier: MIT */
/*
 * report_rows: what report.c makes a report with, in steps: drafts of all rows (report_rows.c); the order of
 * rows next to each other (report_sort.c); which of them stay, as a list or as a tree with what is folded
 * (report_sort.c); the units of columns (report_units.c). For these files alone.
 *
 * A screen asks for a report many times a second and shows few of its rows, so a row that goes
 * costs no more than its draft, and values are worked out of it where they are needed.
 */
#ifndef MODEL_REPORT_ROWS_H
#define MODEL_REPORT_ROWS_H

#include "model/base/lookup.h"
#include "model/base/pattern.h"
#include "model/report/flat.h"
#include "model/report/report.h"

struct report_store {
	char *text;         /* the names, one behind the other */
	const char **names; /* by key */
	char **thread_names; /* by section */
};

/* A row before it is known whether it stays, and what its values are made from. */
struct draft {
	uint64_t id;
	int64_t self; /* 1/scale, as below where nothing else is said */
	int64_t hier;
	int64_t count;
	int64_t direct;
	int64_t delta; /* what the view is about, less that in the base */
	int64_t longest; /* ticks */
	uint32_t threads;
	uint32_t key;
	uint32_t parent; /* of a tree: draft; else PROFILE_NONE */
	uint32_t level;
	enum row_role role;
	bool calls; /* other zones */
};

/* A report in the making. */
struct making {
	const struct profile *p;
	const struct values *v;
	const struct values *base; /* NULL: they are set against nothing */
	const struct report_options *options;
	const struct keys *keys;
	struct report *report;
	uint32_t focus;      /* key */
	struct tally tally;  /* for statistics */
	bool *calls;         /* by key: it has a zone below it somewhere; NULL for a tree */
	struct pattern filter;
	struct flat flat, flat_base; /* for flat reports */
	uint32_t row_count; /* of the sections before */

	/* of the section in the making */
	struct draft *drafts;
	uint32_t draft_count;
	int64_t whole; /* hierarchical time that shares are of, 1/scale ticks; 0: none */
	int64_t busy;  /* time of the section that is no waiting, 1/scale ticks */
	bool merged;   /* several threads */
	enum measure_known known; /* the amounts */
	uint8_t *knows;           /* by key: of which threads it is (KNOWS, LACKS); of a section of lower bounds alone */
	const struct zone_stats *stats; /* NULL: none */

	/* Where rows stood in options->before. */
	const struct report_section *before; /* NULL: it does not matter */
	struct lookup places;
};

/* Makes the section's drafts, a tree's parents before their children, and its totals. False, here
 * and below: out of memory. */
bool rows_draft(struct making *m, struct report_section *section);

/* A value of a draft. False: it has none, and that is `-`. */
bool row_value(const struct making *m, const struct draft *d, enum column column,
	       struct report_value *out);

/* The value that a draft is sorted by; for heat, the level that is shown. */
bool row_sort_value(const struct making *m, const struct draft *d, enum column column, struct report_value *out);

/* The number of a draft's zone among the pins; 0: it is none. */
uint32_t row_pin(const struct making *m, const struct draft *d);

/* True if the row stands before all others: its zone is pinned, and the view is not a tree. */
bool row_is_first(const struct making *m, const struct draft *d);

/* It is a zone that is declared as waiting. */
bool row_waits(const struct making *m, const struct draft *d);

/* The next row of the section, which has room for it, from its draft. */
struct report_row *row_put(struct making *m, struct report_section *section,
			   const struct draft *d);

/* A draft with what it is sorted by. */
struct sortable {
	uint64_t value; /* in order as numbers: the lower ones first */
	uint32_t draft;
	uint32_t rank; /* the lower ones first, whatever their values */
};

/* Finds where the rows stood in options->before, if that says anything of this report. */
bool rows_find_places(struct making *m);

/* Makes the section's rows of the drafts that stay, in order. In a tree each parent has its subtree behind
 * it, and there is nothing of what is folded. */
bool rows_arrange(struct making *m, struct report_section *section);

/* report_units.c: the unit that suits a tenth of the wall time; and of each column what suits its values. */
enum unit report_wall_unit(const struct report *r);
void report_units(struct report *r);

#endif
