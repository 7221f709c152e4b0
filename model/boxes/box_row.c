/* SPDX-License-Identifier: MIT */
#include "model/boxes/box_row.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/lookup.h"
#include "model/base/search.h"
#include "model/base/text.h"

#define VALUE_GAP 2 /* cells between a name and a value, which is ASCII */

/* A window's columns. */
struct axis {
	int64_t from;
	uint64_t span;
	uint32_t columns;
};

static int64_t column_begin(const struct axis *a, uint32_t column)
{
	return a->from + (int64_t)(uint64_t)((unsigned __int128)a->span * column / a->columns);
}

/* A column is a tick wide at least, so that what is in that tick is seen. */
static int64_t column_end(const struct axis *a, uint32_t column)
{
	int64_t begin = column_begin(a, column), end = column_begin(a, column + 1);

	return end > begin ? end : begin + 1;
}

int64_t box_column_begin(int64_t from, int64_t to, uint32_t columns, uint32_t column)
{
	struct axis a = { from, (uint64_t)to - (uint64_t)from, columns };

	return column_begin(&a, column);
}

uint32_t box_row_from(const struct box_row *row, int64_t place)
{
	return SEARCH(i, 0, row->count, row->begin[i] < place);
}

uint32_t box_row_at(const struct box_row *row, int64_t place)
{
	uint32_t i = SEARCH(i, 0, row->count, row->end[i] <= place);

	return i < row->count && row->begin[i] <= place ? i : UINT32_MAX;
}

/* The first span from `from` on that does not lie before `begin`. */
static uint32_t first_in(const struct box_row *row, uint32_t from, int64_t begin)
{
	return SEARCH(k, from, row->count, row->end[k] < begin || (row->end[k] == begin && row->begin[k] < begin));
}

uint32_t box_row_first(const struct box_row *row, int64_t place)
{
	return first_in(row, 0, place);
}

static int64_t overlap_of(const struct box_row *row, uint32_t i, int64_t begin, int64_t end)
{
	int64_t from = row->begin[i] > begin ? row->begin[i] : begin, to = row->end[i] < end ? row->end[i] : end;

	return to > from ? to - from : 0;
}

/* Ticks of [begin, end) that the boxes [first, behind) cover, which are all that lie in it. */
static int64_t covered_by(const struct box_row *row, uint32_t first, uint32_t behind, int64_t begin, int64_t end)
{
	if (first >= behind)
		return 0;
	if (first + 1 == behind)
		return overlap_of(row, first, begin, end);
	return (int64_t)((uint64_t)overlap_of(row, first, begin, end) + (uint64_t)overlap_of(row, behind - 1, begin, end) +
			 ((uint64_t)row->sums[behind - 1] - (uint64_t)row->sums[first + 1]));
}

int64_t box_row_covered(const struct box_row *row, int64_t from, int64_t to)
{
	uint32_t first = SEARCH(i, 0, row->count, row->end[i] <= from);

	return covered_by(row, first, SEARCH(i, first, row->count, row->begin[i] < to), from, to);
}

/* A box that has half of a column has the tick before its middle or the one behind it. Of the boxes [first, behind). */
static uint32_t owner_in(const struct box_row *row, uint32_t first, uint32_t behind, int64_t begin, int64_t end)
{
	int64_t least = end - begin - (end - begin) / 2, middle = begin + (end - begin - 1) / 2;
	uint32_t i = SEARCH(k, first, behind, row->end[k] <= middle);

	if (i < behind && overlap_of(row, i, begin, end) < least)
		i = SEARCH(k, i, behind, row->end[k] <= begin + (end - begin) / 2);
	return i < behind && overlap_of(row, i, begin, end) >= least ? i : UINT32_MAX;
}

/* `from`: a box with none in the column before it. */
static struct box_run cell_of(const struct box_row *row, const struct axis *a, uint32_t column, uint32_t from)
{
	int64_t begin = column_begin(a, column), end = column_end(a, column);
	uint32_t first = first_in(row, from, begin), behind = SEARCH(i, first, row->count, row->begin[i] < end), owner;
	struct box_run run = { .kind = BOX_NONE, .x = column, .cells = 1, .box = first, .from = begin, .to = end };

	if (first >= behind)
		return run;
	run.ticks = covered_by(row, first, behind, begin, end);
	owner = run.ticks < end - begin - (end - begin) / 2 ? UINT32_MAX : owner_in(row, first, behind, begin, end);
	if (owner != UINT32_MAX) {
		run.kind = BOX_ONE;
		run.box = owner;
		run.count = 1;
		run.begins = row->begin[owner] >= a->from;
		return run;
	}
	run.kind = BOX_MERGED;
	run.count = behind - first;
	run.covered = (double)run.ticks / (double)(end - begin);
	return run;
}

/* Cells of one box, and cells of none, are one run. */
static bool goes_on(const struct box_run *run, const struct box_run *cell)
{
	return run->kind == cell->kind && (run->kind == BOX_NONE || (run->kind == BOX_ONE && run->box == cell->box));
}

/* The first column behind this one that the same box does not cover, or in which there may be a box again. */
static uint32_t next_other(const struct box_row *row, const struct axis *a, const struct box_run *cell)
{
	int64_t until = INT64_MAX;

	if (cell->kind == BOX_MERGED)
		return cell->x + 1;
	if (cell->kind == BOX_ONE)
		until = row->end[cell->box];
	else if (cell->box < row->count)
		until = row->begin[cell->box];
	return SEARCH(i, cell->x + 1, a->columns, column_end(a, i) <= until);
}

uint32_t box_row_runs(const struct box_row *row, int64_t from, int64_t to, uint32_t columns, struct box_run *out)
{
	struct axis a = { from, to > from ? (uint64_t)to - (uint64_t)from : 0, columns };
	uint32_t count = 0;

	if (!a.span && columns) {
		out[0] = (struct box_run){ .kind = BOX_NONE, .cells = columns, .from = from, .to = from };
		return 1;
	}
	for (uint32_t i = 0, from = 0, next; i < columns; i = next) {
		struct box_run cell = cell_of(row, &a, i, from);

		from = cell.box;
		next = next_other(row, &a, &cell);
		if (!count || !goes_on(&out[count - 1], &cell))
			out[count++] = cell;
		out[count - 1].cells = next - out[count - 1].x;
		out[count - 1].to = column_end(&a, next - 1);
	}
	return count;
}

uint32_t box_hue(const char *name)
{
	return lookup_hash(0, name, strlen(name)) % BOX_HUES;
}

/* The text */

struct writing {
	char *out;
	size_t size, length;
};

static void write_bytes(struct writing *w, const char *text, size_t bytes)
{
	if (w->length + bytes + 1 > w->size)
		return;
	memcpy(w->out + w->length, text, bytes);
	w->length += bytes;
	w->out[w->length] = '\0';
}

static void put_times(struct writing *w, const char *text, size_t times)
{
	for (size_t i = 0; i < times; i++)
		write_bytes(w, text, strlen(text));
}

static size_t put_name(struct writing *w, const char *name, size_t cells, bool ascii)
{
	const char *ellipsis = ascii ? "..." : "…";
	size_t cut = text_width(ellipsis), used, bytes;

	if (text_width(name) <= cells || cells < 3 * cut)
		cut = 0;
	bytes = text_clip(name, cells - cut, &used);
	write_bytes(w, name, bytes);
	write_bytes(w, ellipsis, cut ? strlen(ellipsis) : 0);
	return used + cut;
}

static void put_label(struct writing *w, const struct box_label *label, size_t cells, const char *fill, bool ascii)
{
	bool fits = !label->whole || text_width(label->name) <= cells;
	size_t used = put_name(w, fits ? label->name : "", cells, ascii);
	size_t value = text_width(label->value), more = text_width(label->more);

	if (value && fits && used + VALUE_GAP + value <= cells) {
		put_times(w, " ", VALUE_GAP);
		write_bytes(w, label->value, strlen(label->value));
		used += VALUE_GAP + value;
		more = used + more <= cells ? more : 0;
		write_bytes(w, label->more, more ? strlen(label->more) : 0);
		used += more;
	}
	put_times(w, fill, cells - used);
}

static const char *shade_of(const struct box_run *run, bool ascii)
{
	static const char *const shades[] = { "░", "▒", "▓" }, *const letters[] = { ".", ":", "#" };
	int i = run->kind == BOX_ONE || run->covered > 2.0 / 3 ? 2 : run->covered > 1.0 / 3 ? 1 : 0;

	return ascii ? letters[i] : shades[i];
}

size_t box_run_text(const struct box_run *run, const struct box_label *label, enum box_edges edges, bool ascii, char *out,
		    size_t size)
{
	bool areas = edges == BOX_AREAS, braces = edges == BOX_BRACES;
	struct writing w = { .out = out, .size = size };
	const char *edge = !run->begins ? "" : braces ? "{" : !areas ? "[" : ascii ? "|" : "▏";
	size_t left = run->cells - (*edge != '\0'), right = !areas && left;

	*out = '\0';
	if (run->kind == BOX_NONE) {
		put_times(&w, " ", run->cells);
	} else if (run->kind == BOX_MERGED || (braces && run->cells == 1)) { /* no room for both of them */
		write_bytes(&w, shade_of(run, ascii), strlen(shade_of(run, ascii)));
	} else {
		write_bytes(&w, edge, strlen(edge));
		put_label(&w, label, left - right, areas ? " " : ascii ? "-" : "─", ascii);
		put_times(&w, braces ? "}" : "]", right);
	}
	return w.length;
}

#define SPARE(count) ((count) / 2 + 8)

void span_row_fini(struct span_row *r)
{
	free(r->room);
	*r = (struct span_row){ 0 };
}

/* Moves the columns to a room of their own size, and of some spans more, so many of them in front. */
static bool move_spans(struct span_row *r, uint32_t gone)
{
	struct span_row to = { .count = r->count, .capacity = gone + r->count + SPARE(r->count), .gone = gone };

	to.room = malloc(to.capacity * (3 * sizeof(int64_t) + sizeof(uint32_t) + 1) + sizeof(int64_t));
	if (!to.room)
		return false;
	to.begin = (int64_t *)to.room + gone;
	to.end = to.begin + to.capacity;
	to.sums = to.end + to.capacity;
	to.node = (uint32_t *)((int64_t *)to.room + 3 * (size_t)to.capacity + 1) + gone;
	to.marks = (uint8_t *)(to.node - gone + to.capacity) + gone;
	to.sums[0] = 0;
	if (r->room) {
		memcpy(to.begin, r->begin, r->count * sizeof(*r->begin));
		memcpy(to.end, r->end, r->count * sizeof(*r->end));
		memcpy(to.sums, r->sums, (r->count + (size_t)1) * sizeof(*r->sums));
		memcpy(to.node, r->node, r->count * sizeof(*r->node));
		memcpy(to.marks, r->marks, r->count);
	}
	free(r->room);
	*r = to;
	return true;
}

bool span_row_push(struct span_row *r, uint32_t node, int64_t begin)
{
	if (r->gone + r->count == r->capacity && !move_spans(r, 0))
		return false;
	r->begin[r->count] = begin;
	r->end[r->count] = begin;
	r->node[r->count] = node;
	r->marks[r->count] = 0;
	r->sums[r->count + 1] = r->sums[r->count];
	r->count++;
	return true;
}

void span_row_pop(struct span_row *r)
{
	r->count--;
}

void span_row_end(struct span_row *r, int64_t end)
{
	uint32_t last = r->count - 1;

	r->end[last] = end;
	r->sums[r->count] = r->sums[last] + (end - r->begin[last]);
}

bool span_row_put_before(struct span_row *r, struct span_row *front)
{
	uint32_t n = front->count;

	if (!n)
		return true;
	if (n > r->gone && !move_spans(r, n))
		return false;
	r->begin -= n;
	r->end -= n;
	r->sums -= n;
	r->node -= n;
	r->marks -= n;
	r->count += n;
	r->gone -= n;
	memcpy(r->begin, front->begin, n * sizeof(*r->begin));
	memcpy(r->end, front->end, n * sizeof(*r->end));
	memcpy(r->node, front->node, n * sizeof(*r->node));
	memcpy(r->marks, front->marks, n);
	for (uint32_t i = n; i > 0; i--)
		r->sums[i - 1] = r->sums[i] - (r->end[i - 1] - r->begin[i - 1]);
	span_row_fini(front);
	return true;
}

/* Drops this many spans at the front. */
static void drop_spans(struct span_row *r, uint32_t n)
{
	r->begin += n;
	r->end += n;
	r->sums += n;
	r->node += n;
	r->marks += n;
	r->count -= n;
	r->gone += n;
	if (r->capacity > 4 * r->count + 32)
		(void)move_spans(r, 0); /* else it stays as large as it is */
}

uint32_t span_row_trim(struct span_row *r, int64_t begin, bool open)
{
	uint32_t n = SEARCH(i, 0, r->count - open, r->end[i] <= begin);

	if (n)
		drop_spans(r, n);
	if (r->count && r->begin[0] < begin) {
		r->sums[0] += begin - r->begin[0];
		r->begin[0] = begin;
	}
	return n;
}
