/* SPDX-License-Identifier: MIT */
#include "io/region/join.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"

/* A record for intervals to come; where its cells are is a number, as they may move. */
struct waiter {
	struct join_record record; /* its columns are owned: one allocation */
	uint32_t first; /* of its cells in join.cells */
};

struct join {
	struct profile *p;
	struct join_interval *intervals; /* ascending; gaps are allowed */
	uint32_t interval_count;
	uint32_t interval_capacity;
	struct waiter *waiting; /* in the order in which they came */
	uint32_t waiting_count;
	uint32_t waiting_capacity;
	struct profile_cell *cells; /* of those that wait, and of some that did */
	uint32_t cell_count;
	uint32_t cell_capacity;
	uint32_t *last_waiting; /* by thread: 1 + its newest record among those that wait */
	uint32_t last_capacity;
	uint32_t *places; /* by node: 1 + its cell, while cells are summed up; else 0 */
	uint32_t place_capacity;
};

struct join *join_new(struct profile *p)
{
	struct join *j = calloc(1, sizeof(*j));

	if (j)
		j->p = p;
	return j;
}

void join_free(struct join *j)
{
	if (!j)
		return;
	for (uint32_t i = 0; i < j->waiting_count; i++)
		free((void *)j->waiting[i].record.columns);
	free(j->waiting);
	free(j->cells);
	free(j->last_waiting);
	free(j->places);
	free(j->intervals);
	free(j);
}

uint64_t join_newest(const struct join *j)
{
	return j->interval_count ? j->intervals[j->interval_count - 1].interval : 0;
}

int64_t join_newest_end(const struct join *j)
{
	return j->interval_count ? j->intervals[j->interval_count - 1].end : 0;
}

/* Index of the first interval known that is >= interval. */
static uint32_t interval_index(const struct join *j, uint64_t interval)
{
	uint32_t count = j->interval_count;
	uint64_t behind = join_newest(j) - interval;

	if (behind < count && j->intervals[count - 1 - behind].interval == interval)
		return count - 1 - (uint32_t)behind; /* without gaps from there on, as nearly always */
	return SEARCH(i, 0, count, j->intervals[i].interval < interval);
}

uint64_t join_interval_at(const struct join *j, int64_t tick)
{
	uint32_t at = SEARCH(i, 0, j->interval_count, j->intervals[i].end <= tick);

	return at < j->interval_count ? j->intervals[at].interval : join_newest(j) + 1;
}

/* Cells */

static bool places_room(struct join *j)
{
	return array_reserve_zeroed(&j->places, &j->place_capacity, j->p->node_count, sizeof(*j->places));
}

static void cell_add(struct profile_cell *to, const struct profile_cell *cell)
{
	to->self += cell->self;
	to->count += cell->count;
	if (cell->longest > to->longest)
		to->longest = cell->longest;
}

/* Cells of one node become one, in the place of the first; *count of them are left. */
static bool cells_sum_up(struct join *j, struct profile_cell *cells, uint32_t *count)
{
	uint32_t kept = 0;

	if (!places_room(j))
		return false;
	for (uint32_t i = 0; i < *count; i++) {
		uint32_t *place = &j->places[cells[i].node];

		if (*place) {
			cell_add(&cells[*place - 1], &cells[i]);
			continue;
		}
		cells[kept] = cells[i];
		*place = ++kept;
	}
	for (uint32_t i = 0; i < kept; i++)
		j->places[cells[i].node] = 0;
	*count = kept;
	return true;
}

static void cells_copy(struct profile_cell *out, const struct profile_cell *cells, uint32_t count)
{
	if (count)
		memcpy(out, cells, count * sizeof(*cells));
}

/* Columns */

static const struct profile_column *column_of(const struct profile_column *columns, uint32_t count, uint32_t measure)
{
	for (uint32_t i = 0; i < count; i++)
		if (columns[i].measure == measure)
			return &columns[i];
	return NULL;
}

/* Columns of two pieces under way to be those of both. */
struct both {
	struct join *j;
	struct profile_column *columns; /* in one allocation with their cells */
	uint32_t count;
	uint32_t *nodes; /* the next free ones */
	int64_t *values;
};

static bool both_begin(struct both *to, uint32_t columns, uint64_t cells)
{
	char *room = malloc(columns * sizeof(*to->columns) + cells * (sizeof(*to->values) + sizeof(*to->nodes)) + 1);

	if (!room)
		return false;
	to->columns = (struct profile_column *)(void *)room;
	to->values = (int64_t *)(void *)(to->columns + columns);
	to->nodes = (uint32_t *)(void *)(to->values + cells);
	to->count = 0;
	return true;
}

static uint64_t cells_of(const struct profile_column *columns, uint32_t count)
{
	uint64_t cells = 0;

	for (uint32_t i = 0; i < count; i++)
		cells += columns[i].cell_count;
	return cells;
}

static int64_t amount_add(int64_t a, int64_t b, bool is_max)
{
	if (is_max)
		return a > b ? a : b;
	return a < INT64_MAX - b ? a + b : INT64_MAX;
}

/* Adds the cells of a column to the newest one. Of a slice there is one amount, whatever its node. */
static void both_add_cells(struct both *to, const struct profile_column *from, const struct profile_measure *row)
{
	struct profile_column *column = &to->columns[to->count - 1];
	int64_t *values = (int64_t *)column->values;
	uint32_t *nodes = (uint32_t *)column->nodes;

	for (uint32_t i = 0; i < from->cell_count; i++) {
		uint32_t one = 1, *place = row->of == MEASURE_OF_SLICE ? &one : &to->j->places[from->nodes[i]];

		if (*place && *place <= column->cell_count) {
			values[*place - 1] = amount_add(values[*place - 1], from->values[i], row->combine == MEASURE_MAX);
			continue;
		}
		values[column->cell_count] = from->values[i];
		nodes[column->cell_count] = row->of == MEASURE_OF_SLICE ? 0 : from->nodes[i];
		*place = ++column->cell_count;
	}
}

static void both_add(struct both *to, uint32_t measure, const struct profile_column *a, const struct profile_column *b)
{
	const struct profile_measure *row = &to->j->p->measures[measure];
	struct profile_column *column = &to->columns[to->count++];
	bool unknown = (a && a->unknown) || (b && b->unknown) || ((!a || !b) && !row->absent_is_zero);

	*column = (struct profile_column){ .measure = measure, .unknown = unknown, .nodes = to->nodes, .values = to->values };
	if (unknown)
		return;
	if (a)
		both_add_cells(to, a, row);
	if (b)
		both_add_cells(to, b, row);
	for (uint32_t i = 0; i < column->cell_count && row->of == MEASURE_OF_NODE; i++)
		to->j->places[column->nodes[i]] = 0;
	to->nodes += column->cell_count;
	to->values += column->cell_count;
}

/* The columns of two pieces of one part, in one allocation; *count of them. NULL: there are none, or no memory (then
 * *done is false). */
static struct profile_column *columns_both(struct join *j, const struct profile_column *a, uint32_t a_count,
					   const struct profile_column *b, uint32_t b_count, uint32_t *count, bool *done)
{
	struct both to = { .j = j };

	*count = 0;
	*done = true;
	if (!a_count && !b_count)
		return NULL;
	*done = places_room(j) && both_begin(&to, a_count + b_count, cells_of(a, a_count) + cells_of(b, b_count));
	for (uint32_t m = MEASURES_CORE; *done && m < j->p->measure_count; m++) {
		const struct profile_column *one = column_of(a, a_count, m), *other = column_of(b, b_count, m);

		if (one || other)
			both_add(&to, m, one, other);
	}
	*count = to.count;
	return to.columns;
}

/* The same columns, in one allocation. */
static struct profile_column *columns_copy(const struct profile_column *from, uint32_t count, bool *done)
{
	struct both to = { 0 };

	*done = true;
	if (!count || !(*done = both_begin(&to, count, cells_of(from, count))))
		return NULL;
	for (uint32_t i = 0; i < count; i++) {
		to.columns[i] = from[i];
		to.columns[i].nodes = to.nodes;
		to.columns[i].values = to.values;
		for (uint32_t k = 0; k < from[i].cell_count; k++) {
			*to.nodes++ = from[i].nodes[k];
			*to.values++ = from[i].values[k];
		}
	}
	return to.columns;
}

/* Parts */

/* A part that only says that nothing is known. */
static bool is_nothing(const struct profile_held *part)
{
	return part->flags & (PART_LAPPED | PART_MISSING) && part->bound == part->end;
}

/* True for an aggregate of threads: a record of it covers some of them, and does not say that there were no
 * others. */
static bool is_of_many(const struct join *j, uint32_t thread)
{
	return j->p->threads[thread].state == THREAD_AGGREGATE;
}

static bool part_add(struct join *j, uint64_t number, const struct profile_held *old,
		     struct profile_part *part)
{
	struct profile_cell *both = array_zeroed((uint64_t)old->cell_count + part->cell_count,
						 sizeof(*both));
	struct profile_column old_columns[MEASURES_MOST], *columns;
	bool done;

	if (!both)
		return false;
	for (uint32_t i = 0; i < old->column_count; i++)
		old_columns[i] = profile_column(old, i);
	columns = columns_both(j, old_columns, old->column_count, part->columns, part->column_count, &part->column_count,
			       &done);
	part->columns = columns;
	for (uint32_t i = 0; i < old->cell_count; i++)
		both[i] = profile_cell(old, i);
	cells_copy(both + old->cell_count, part->cells, part->cell_count);
	part->cell_count += old->cell_count;
	part->cells = both;
	part->flags |= old->flags;
	part->end = old->end + (part->end - part->bound);
	part->bound = old->bound;
	if (old->first_frame < part->first_frame)
		part->first_frame = old->first_frame;
	done = done && cells_sum_up(j, both, &part->cell_count) && profile_set_part(j->p, number, part);
	free(both);
	free(columns);
	return done;
}

/* Adds the measures of slices that the thread published later. Measures of
 * nodes were inferred with the cells. If a slice came in pieces, the last one
 * has the amount and the others have 0, so the largest counts. */
static uint32_t columns_of_inferred(struct join *j, const struct profile_held *old, const struct profile_part *part,
				    struct profile_column *out)
{
	uint32_t count = old->column_count;

	for (uint32_t i = 0; i < count; i++)
		out[i] = profile_column(old, i);
	for (uint32_t i = 0; i < part->column_count; i++) {
		const struct profile_column *told = &part->columns[i];
		struct profile_column *known = (struct profile_column *)column_of(out, count, told->measure);

		if (j->p->measures[told->measure].of != MEASURE_OF_SLICE)
			continue;
		if (!known)
			out[count++] = *told;
		else if (told->cell_count && (!known->cell_count || told->values[0] > known->values[0]))
			*known = *told;
	}
	return count;
}

static bool part_measures(struct join *j, uint64_t number, const struct profile_held *old, const struct profile_part *part)
{
	struct profile_cell *cells = array_zeroed(old->cell_count, sizeof(*cells));
	struct profile_column columns[MEASURES_MOST];
	struct profile_part both = { .thread = old->thread, .flags = old->flags, .first_frame = old->first_frame,
				     .bound = old->bound, .end = old->end, .cells = cells, .cell_count = old->cell_count,
				     .columns = columns };
	bool done;

	if (!cells)
		return false;
	for (uint32_t i = 0; i < old->cell_count; i++)
		cells[i] = profile_cell(old, i);
	both.column_count = columns_of_inferred(j, old, part, columns);
	done = profile_set_part(j->p, number, &both);
	free(cells);
	return done;
}

static bool part_put(struct join *j, const struct join_interval *interval,
		     struct profile_part *part)
{
	const struct profile_frame *frame = profile_find_frame(j->p, interval->number);
	const struct profile_held *old;

	if (!frame)
		return true;
	old = profile_find_part(frame, part->thread);
	if (old && old->flags & PART_INFERRED)
		return !part->column_count || part_measures(j, interval->number, old, part);
	if (frame->flags & FRAME_DISCARDED) {
		part->cell_count = part->column_count = 0;
		part->flags |= PART_DISCARDED;
	}
	if (old && (!is_nothing(old) || is_of_many(j, part->thread)))
		return part_add(j, interval->number, old, part);
	if (is_of_many(j, part->thread) && !cells_sum_up(j, part->cells, &part->cell_count))
		return false;
	return profile_set_part(j->p, interval->number, part);
}

static bool put_single(struct join *j, struct join_record *r, const struct join_interval *interval,
		       uint64_t first_frame)
{
	struct profile_part part = { .thread = r->thread, .flags = r->flags,
				     .first_frame = first_frame, .bound = r->bound,
				     .end = r->end, .cells = r->cells,
				     .cell_count = r->cell_count, .columns = r->columns,
				     .column_count = r->column_count };

	return part_put(j, interval, &part);
}

static bool put_part(struct join *j, struct join_record *r)
{
	uint32_t i = interval_index(j, r->first);

	if (i == j->interval_count || j->intervals[i].interval != r->first ||
	    !j->intervals[i].number)
		return true;
	return put_single(j, r, &j->intervals[i], j->intervals[i].number);
}

static bool is_inferred(const struct join *j, uint64_t number, uint32_t thread)
{
	const struct profile_frame *frame = profile_find_frame(j->p, number);
	const struct profile_held *part = frame ? profile_find_part(frame, thread) : NULL;

	return part && part->flags & PART_INFERRED;
}

/* The sum of several intervals goes to the newest frame among them; to none where some of it was inferred: that is in
 * its frames already, and what is left is not known. */
static bool put_merged(struct join *j, struct join_record *r)
{
	const struct join_interval *to = NULL;
	uint64_t first_frame = 0;

	for (uint32_t i = interval_index(j, r->first);
	     i < j->interval_count && j->intervals[i].interval <= r->last; i++) {
		if (!j->intervals[i].number)
			continue;
		if (is_inferred(j, j->intervals[i].number, r->thread))
			return true;
		to = &j->intervals[i];
		if (!first_frame)
			first_frame = to->number;
	}
	r->flags |= PART_MERGED;
	return !to || put_single(j, r, to, first_frame);
}

/* Takes the columns of one interval of a span from those of the whole span.
 * The interval has `length` ticks. */
static void columns_take(struct join *j, struct join_record *r, int64_t length, struct profile_column *out, int64_t *values)
{
	for (uint32_t i = 0; i < r->column_count; i++) {
		int64_t *left = (int64_t *)r->columns[i].values;

		out[i] = r->columns[i];
		if (out[i].cell_count > 1) { /* of nodes: damage */
			out[i].unknown = true;
			out[i].cell_count = 0;
		}
		if (out[i].cell_count == 0 || j->p->measures[out[i].measure].combine == MEASURE_MAX)
			continue;
		values[i] = length < r->columns_length ? (int64_t)((__int128)*left * length / r->columns_length) : *left;
		out[i].values = &values[i];
		*left -= values[i];
	}
	r->columns_length -= length;
}

/* Moves r behind the intervals that are known. */
static bool put_span(struct join *j, struct join_record *r)
{
	uint32_t i = interval_index(j, r->first);

	for (; i < j->interval_count && j->intervals[i].interval <= r->last; i++) {
		const struct join_interval *interval = &j->intervals[i];
		struct profile_cell cell = r->cells[0];
		struct profile_column columns[MEASURES_MOST];
		int64_t values[MEASURES_MOST];
		struct profile_part part = { .thread = r->thread, .flags = r->flags,
					     .first_frame = interval->number, .cells = &cell,
					     .columns = columns, .column_count = r->column_count };

		part.bound = r->bound > interval->start ? r->bound : interval->start;
		part.end = interval->end > part.bound ? interval->end : part.bound;
		cell.self = part.end - part.bound;
		part.cell_count = cell.self > 0;
		columns_take(j, r, cell.self, columns, values);
		r->bound = part.end;
		r->first = interval->interval + 1;
		if (interval->number && !part_put(j, interval, &part))
			return false;
	}
	return true;
}

/* Waiting */

/* Puts the cells with those that wait. */
static bool cells_wait(struct join *j, struct waiter *w, const struct profile_cell *cells,
		       uint32_t count)
{
	if (!array_reserve(&j->cells, &j->cell_capacity, (uint64_t)j->cell_count + count,
			   sizeof(*j->cells)))
		return false;
	cells_copy(j->cells + j->cell_count, cells, count);
	w->first = j->cell_count;
	w->record.cell_count = count;
	j->cell_count += count;
	return true;
}

/* The one that waits for the same interval as this piece, or NULL. */
static struct waiter *waiting_piece(const struct join *j, const struct join_record *r)
{
	uint32_t last = j->last_waiting[r->thread];
	struct waiter *w = last ? &j->waiting[last - 1] : NULL;

	return w && w->record.kind == JOIN_PART && r->kind == JOIN_PART &&
		       w->record.first == r->first ? w : NULL;
}

static bool wait_with(struct join *j, struct waiter *w, const struct join_record *r)
{
	uint32_t before = w->record.cell_count, count = before + r->cell_count;
	struct profile_cell *both = array_zeroed(count, sizeof(*both));
	struct profile_column *columns;
	uint32_t column_count;
	bool done;

	if (!both)
		return false;
	columns = columns_both(j, w->record.columns, w->record.column_count, r->columns, r->column_count, &column_count, &done);
	cells_copy(both, j->cells + w->first, before);
	cells_copy(both + before, r->cells, r->cell_count);
	done = done && cells_sum_up(j, both, &count) && cells_wait(j, w, both, count);
	free(both);
	if (!done) {
		free(columns);
		return false;
	}
	free((void *)w->record.columns);
	w->record.columns = columns;
	w->record.column_count = column_count;
	w->record.flags |= r->flags;
	w->record.end += r->end - r->bound;
	return true;
}

static bool wait_for(struct join *j, const struct join_record *r)
{
	struct waiter *w;
	bool done;

	if (!array_reserve_zeroed(&j->last_waiting, &j->last_capacity, r->thread + 1ull, sizeof(*j->last_waiting)))
		return false;
	w = waiting_piece(j, r);
	if (w)
		return wait_with(j, w, r);
	if (!array_reserve(&j->waiting, &j->waiting_capacity, (uint64_t)j->waiting_count + 1,
			   sizeof(*j->waiting)))
		return false;
	w = &j->waiting[j->waiting_count];
	w->record = *r;
	w->record.columns = columns_copy(r->columns, r->column_count, &done);
	if (!done || !cells_wait(j, w, r->cells, r->cell_count)) {
		free((void *)w->record.columns);
		return false;
	}
	j->last_waiting[r->thread] = ++j->waiting_count;
	return true;
}

/* Something of it can be put now. */
static bool is_due(const struct join *j, const struct join_record *r)
{
	return (r->kind == JOIN_SPAN ? r->first : r->last) <= join_newest(j);
}

static bool record_put(struct join *j, struct join_record *r)
{
	static bool (*const puts[])(struct join *, struct join_record *) = {
		[JOIN_PART] = put_part,
		[JOIN_MERGED] = put_merged,
		[JOIN_SPAN] = put_span,
	};

	return puts[r->kind](j, r);
}

bool join_record(struct join *j, struct join_record *r)
{
	if (is_due(j, r) && !record_put(j, r))
		return false;
	return r->last <= join_newest(j) || wait_for(j, r);
}

/* Once most of the cells are those of records that no longer wait, they go. Where there is no memory
 * for that they stay. */
static void cells_tidy(struct join *j)
{
	uint32_t count = 0, at = 0;
	struct profile_cell *cells;

	for (uint32_t i = 0; i < j->waiting_count; i++)
		count += j->waiting[i].record.cell_count;
	if (!count)
		j->cell_count = 0;
	if (count >= j->cell_count / 2)
		return;
	cells = array_zeroed(count, sizeof(*cells));
	for (uint32_t i = 0; cells && i < j->waiting_count; i++) {
		struct waiter *w = &j->waiting[i];

		memcpy(cells + at, j->cells + w->first, w->record.cell_count * sizeof(*cells));
		w->first = at;
		at += w->record.cell_count;
	}
	if (!cells)
		return;
	free(j->cells);
	j->cells = cells;
	j->cell_count = j->cell_capacity = count;
}

/* Delivers the records that are due, in their order. The others go on waiting. */
static bool waiting_deliver(struct join *j)
{
	uint32_t kept = 0;
	bool done = true;

	if (!j->waiting_count)
		return true;
	array_clear(j->last_waiting, j->last_capacity, sizeof(*j->last_waiting));
	for (uint32_t i = 0; i < j->waiting_count; i++) {
		struct waiter *w = &j->waiting[i];

		w->record.cells = j->cells + w->first;
		if (is_due(j, &w->record))
			done = done && record_put(j, &w->record);
		if (w->record.last <= join_newest(j)) {
			free((void *)w->record.columns);
			continue;
		}
		j->waiting[kept++] = *w;
		j->last_waiting[w->record.thread] = kept;
	}
	j->waiting_count = kept;
	cells_tidy(j);
	return done;
}

void join_waiting(const struct join *j, void (*visit)(const struct join_record *, void *context),
		  void *context)
{
	for (uint32_t i = 0; i < j->waiting_count; i++) {
		struct join_record r = j->waiting[i].record;

		r.cells = j->cells + j->waiting[i].first;
		visit(&r, context);
	}
}

/* Intervals */

bool join_interval(struct join *j, const struct join_interval *interval)
{
	if (!array_reserve(&j->intervals, &j->interval_capacity, (uint64_t)j->interval_count + 1,
			   sizeof(*j->intervals)))
		return false;
	if (interval->number &&
	    !profile_add_frame(j->p, interval->number, interval->start,
			       interval->end - interval->start, interval->flags))
		return false;
	j->intervals[j->interval_count++] = *interval;
	return waiting_deliver(j);
}

static bool missing_in(struct join *j, uint32_t thread, const struct join_interval *interval,
		       uint32_t flag, uint64_t *count)
{
	const struct profile_frame *frame =
		interval->number ? profile_find_frame(j->p, interval->number) : NULL;
	const struct profile_held *old = frame ? profile_find_part(frame, thread) : NULL;
	struct profile_part part = { .thread = thread, .flags = flag,
				     .first_frame = interval->number, .bound = interval->start,
				     .end = interval->start };

	if (!frame || !frame->part_count || (old && (!is_of_many(j, thread) || old->flags & flag)))
		return true;
	++*count;
	return old ? part_add(j, interval->number, old, &part) : profile_set_part(j->p, interval->number, &part);
}

bool join_missing(struct join *j, uint32_t thread, uint64_t first, uint64_t last, uint32_t flag,
		  uint64_t *count)
{
	uint32_t i = interval_index(j, first);

	for (; i < j->interval_count && j->intervals[i].interval <= last; i++)
		if (!missing_in(j, thread, &j->intervals[i], flag, count))
			return false;
	return true;
}

void join_trim(struct join *j)
{
	uint32_t kept = profile_kept_frames(j->p), gone = 0;
	uint64_t oldest = kept < j->p->frame_count ? j->p->frames[kept].number : 0;

	while (gone < j->interval_count && j->intervals[gone].number < oldest)
		gone++;
	if (gone < 1024 || gone < j->interval_count / 2)
		return;
	j->interval_count -= gone;
	memmove(j->intervals, j->intervals + gone, j->interval_count * sizeof(*j->intervals));
}
