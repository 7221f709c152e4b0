/* SPDX-License-Identifier: MIT */
/*
 * profview_rows: what the columns of an axis have to show of a row of boxes (profview.h), worked out column by column and
 * box by box.
 */
#ifndef TESTS_PROFVIEW_ROWS_H
#define TESTS_PROFVIEW_ROWS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "profview/profview.h"

#define COLUMNS_MOST 128

/* A row as it is known to the test: boxes in order. */
struct known_row {
	const struct known_box {
		int64_t begin, end;
		const char *name;
	} *boxes;
	unsigned count;
	/* for a timeline at depth 0: the kind of a tick; else NULL */
	enum Prof_view_box_kind (*known)(const void *context, int64_t tick);
	const void *context;
};

static inline int64_t column_begin(const struct Prof_view_axis *axis, unsigned x)
{
	return axis->from + (int64_t)((__int128)(axis->to - axis->from) * x / axis->columns);
}

static inline int64_t column_end(const struct Prof_view_axis *axis, unsigned x)
{
	int64_t begin = column_begin(axis, x), end = column_begin(axis, x + 1);

	return end > begin ? end : begin + 1;
}

static inline int64_t known_overlap(const struct known_box *box, int64_t from, int64_t to)
{
	int64_t begin = box->begin > from ? box->begin : from, end = box->end < to ? box->end : to;

	return end > begin ? end - begin : 0;
}

static inline void expect_column(const struct known_row *row, const struct Prof_view_axis *axis, unsigned x,
				 const struct Prof_view_box *box)
{
	int64_t from = column_begin(axis, x), to = column_end(axis, x), covered = 0, next = column_begin(axis, x + 1);
	unsigned count = 0, first = 0, last = 0;
	bool owned = false;

	for (unsigned i = 0; i < row->count; i++) {
		const struct known_box *b = &row->boxes[i];
		int64_t ticks = known_overlap(b, from, to);

		if (!ticks && !(b->begin == b->end && b->begin >= from && b->begin < to))
			continue;
		first = count++ ? first : i;
		last = i;
		covered += ticks;
		owned |= ticks >= to - from - ticks;
	}
	if (!count && !row->known) {
		assert_null(box);
		return;
	}
	assert_non_null(box);
	if (!count) {
		assert_int_equal(box->kind, row->known(row->context, from + (next - from) / 2));
		assert_string_equal(box->name, "");
		assert_true(box->begin < to && box->end > from && box->count == 0);
		for (unsigned i = 0; i < row->count; i++)
			assert_true(!known_overlap(&row->boxes[i], box->begin, box->end));
		assert_int_equal(row->known(row->context, box->begin), box->kind);
		assert_int_equal(row->known(row->context, box->end - 1), box->kind);
	} else if (owned) {
		assert_int_equal(box->kind, Prof_view_BOX);
		assert_true(known_overlap(&row->boxes[box->index], from, to) * 2 >= to - from);
		assert_int_equal(box->begin, row->boxes[box->index].begin);
		assert_int_equal(box->end, row->boxes[box->index].end);
		assert_string_equal(box->name, row->boxes[box->index].name);
	} else {
		assert_int_equal(box->kind, Prof_view_BOX_MERGED);
		assert_int_equal(box->width, 1);
		assert_int_equal(box->count, count);
		assert_int_equal(box->index, first);
		assert_int_equal(box->hier, covered);
		assert_true(fabs(box->covered - (double)covered / (double)(to - from)) < 1e-9);
		assert_int_equal(box->begin, row->boxes[first].begin);
		assert_int_equal(box->end, row->boxes[last].end);
		assert_string_equal(box->name, row->boxes[first].name);
	}
}

/* `boxes` are what was given for the axis: they stand from left to right, and each column has what it has to. */
static inline void expect_row(const struct known_row *row, const struct Prof_view_axis *axis,
			      const struct Prof_view_box *boxes, unsigned count)
{
	unsigned at = 0;

	assert_true(count <= axis->columns);
	for (unsigned i = 0; i < count; i++) {
		assert_true(boxes[i].width > 0 && boxes[i].hue < Prof_view_HUES);
		assert_true(!i || boxes[i].x >= boxes[i - 1].x + boxes[i - 1].width);
		assert_true(boxes[i].x + boxes[i].width <= axis->columns);
		assert_true(i + 1 == count || boxes[i].kind != Prof_view_BOX || boxes[i + 1].kind != Prof_view_BOX ||
			    boxes[i].index != boxes[i + 1].index);
	}
	for (unsigned x = 0; x < axis->columns; x++) {
		while (at < count && x >= boxes[at].x + boxes[at].width)
			at++;
		expect_column(row, axis, x, at < count && x >= boxes[at].x ? &boxes[at] : NULL);
	}
}

/* The same box, as another call gave it. */
static inline void expect_same_box(const struct Prof_view_box *a, const struct Prof_view_box *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->flags, b->flags);
	assert_int_equal(a->x, b->x);
	assert_int_equal(a->width, b->width);
	assert_int_equal(a->depth, b->depth);
	assert_int_equal(a->index, b->index);
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->begin, b->begin);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->hier, b->hier);
	assert_int_equal(a->self, b->self);
	assert_int_equal(a->id, b->id);
	assert_int_equal(a->hue, b->hue);
	assert_ptr_equal(a->name, b->name);
}

#endif
