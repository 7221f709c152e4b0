/* SPDX-License-Identifier: MIT */
/*
 * foreign_table: the tables of perf_timer as text. Of each thread, and of all of them together (CUMULATIVE), a row for each
 * zone stack (TREE) or zone (FLAT): its time with and without what it called, its calls, and of single calls the least, the
 * most and the mean of both. With each_frame all of that of each frame: a call is of the frame in which it was entered.
 *
 * Times are milliseconds with all of their nanoseconds, sums of those of single calls. In FLAT a zone inside of itself has its
 * inclusive time once, in the outermost call; the least, the most and the mean are of every call.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/foreign/foreign.h"
#include "io/foreign/foreign_events.h"
#include "model/base/array.h"
#include "model/base/lookup.h"
#include "model/base/text.h"

#define ALL    PROFILE_NONE /* in place of a thread */
#define NOBODY UINT32_MAX   /* in place of a row */
#define LEVELS 32           /* that are indented; deeper ones say how deep */

struct times {
	int64_t sum, least, most;
};

/* A row of a table; or a table, whose zone is its thread, and whose parent is NOBODY. */
struct row {
	uint32_t parent, zone, frame;
	uint32_t first, next; /* child; sibling */
	uint32_t open;        /* so many of its calls */
	int64_t inclusive;    /* of the outermost */
	uint64_t calls;
	struct times with, without; /* of single calls, what they called and alone */
};

struct open_call {
	uint32_t rows[2]; /* of its thread, and of all */
	uint32_t zone, frame;
	int64_t begin, inner;
};

struct table {
	struct foreign *t;
	bool flat;
	struct foreign_names names;
	struct foreign_counts counts;
	struct row *rows;
	uint32_t count, capacity;
	struct lookup known;
	struct open_call *open;
	uint32_t level, open_capacity;
	uint32_t thread; /* of the lane */
	FILE *out;
};

/* Rows */

static bool same_row(const void *context, uint32_t index, const void *wanted)
{
	const struct row *a = &((const struct table *)context)->rows[index], *b = wanted;

	return a->parent == b->parent && a->zone == b->zone && a->frame == b->frame;
}

/* NOBODY: out of memory. */
static uint32_t row_of(struct table *f, uint32_t parent, uint32_t zone, uint32_t frame)
{
	struct row row = { .parent = parent, .zone = zone, .frame = frame, .first = NOBODY, .next = NOBODY };
	uint32_t hash = lookup_hash(0, (uint32_t[]){ parent, zone, frame }, 3 * sizeof(uint32_t));
	uint32_t index = lookup_find(&f->known, hash, same_row, f, &row);

	if (index != LOOKUP_NONE)
		return index;
	if (!lookup_reserve(&f->known) ||
	    !array_reserve(&f->rows, &f->capacity, (uint64_t)f->count + 1, sizeof(*f->rows)))
		return NOBODY;
	if (parent != NOBODY) {
		row.next = f->rows[parent].first;
		f->rows[parent].first = f->count;
	}
	f->rows[f->count] = row;
	lookup_add(&f->known, hash, f->count);
	return f->count++;
}

/* The row of a zone that is entered now. What is around it may be of another frame: then its rows are made in this one. */
static uint32_t enter_row(struct table *f, uint32_t thread, uint32_t zone, uint32_t frame)
{
	uint32_t row = row_of(f, NOBODY, thread, frame);

	for (uint32_t i = 0; !f->flat && row != NOBODY && i < f->level; i++)
		row = row_of(f, row, f->open[i].zone, frame);
	return row == NOBODY ? NOBODY : row_of(f, row, zone, frame);
}

static void add_time(struct times *t, int64_t time, bool first)
{
	t->sum = foreign_add(t->sum, time);
	t->least = first || time < t->least ? time : t->least;
	t->most = first || time > t->most ? time : t->most;
}

static void leave_row(struct row *r, int64_t time, int64_t inner)
{
	r->inclusive = foreign_add(r->inclusive, --r->open ? 0 : time);
	add_time(&r->with, time, !r->calls);
	add_time(&r->without, time - inner, !r->calls);
	r->calls++;
}

/* Calls */

static bool enter_call(struct table *f, const struct foreign_step *step)
{
	struct open_call call = { .zone = f->t->profile->nodes[step->node].zone, .frame = PROFILE_NONE,
				  .begin = foreign_ns(f->t, step->tick) };

	if (f->t->each_frame)
		call.frame = foreign_frame_at(f->t, f->thread, step->tick, step->until);
	for (int i = 0; i < 2; i++) {
		call.rows[i] = enter_row(f, i ? ALL : f->thread, call.zone, call.frame);
		if (call.rows[i] == NOBODY)
			return false;
		f->rows[call.rows[i]].open++;
	}
	if (!array_reserve(&f->open, &f->open_capacity, (uint64_t)f->level + 1, sizeof(*f->open)))
		return false;
	f->open[f->level++] = call;
	return true;
}

static void leave_call(struct table *f, const struct foreign_step *step)
{
	struct open_call call = f->open[--f->level];
	int64_t time = foreign_ns(f->t, step->tick) - call.begin;

	for (int i = 0; i < 2; i++)
		leave_row(&f->rows[call.rows[i]], time, call.inner);
	if (f->level)
		f->open[f->level - 1].inner = foreign_add(f->open[f->level - 1].inner, time);
}

static bool add_lane(struct table *f, const struct foreign_lane *lane)
{
	struct foreign_walk w;
	struct foreign_step step;
	bool done = true;

	if (!foreign_walk_begin(&w, f->t, lane))
		return false;
	f->thread = lane->thread;
	f->level = 0;
	while (done && foreign_walk_next(&w, &step)) {
		foreign_count_step(&f->counts, &step);
		if (step.enter)
			done = enter_call(f, &step);
		else
			leave_call(f, &step);
	}
	foreign_walk_end(&w);
	return done;
}

/* Order */

static int64_t time_of_row(const struct table *f, uint32_t row)
{
	return f->flat ? f->rows[row].without.sum : f->rows[row].inclusive;
}

static int by_time(const void *a, const void *b, void *context)
{
	const struct table *f = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (time_of_row(f, x) != time_of_row(f, y))
		return time_of_row(f, x) > time_of_row(f, y) ? -1 : 1;
	return strcmp(f->names.zones[f->rows[x].zone], f->names.zones[f->rows[y].zone]);
}

/* `room` is for all rows. */
static void sort_children(struct table *f, uint32_t row, uint32_t *room)
{
	uint32_t count = 0;

	for (uint32_t i = f->rows[row].first; i != NOBODY; i = f->rows[i].next)
		room[count++] = i;
	qsort_r(room, count, sizeof(*room), by_time, f);
	f->rows[row].first = count ? room[0] : NOBODY;
	for (uint32_t i = 0; i < count; i++)
		f->rows[room[i]].next = i + 1 < count ? room[i + 1] : NOBODY;
}

static bool is_main(const struct table *f, uint32_t thread)
{
	const struct profile_thread *t = &f->t->profile->threads[thread];

	return t->tid == f->t->profile->process.pid || !strcmp(t->name, "main") || !strcmp(t->name, "Main Thread");
}

/* By frame; threads as they came, main behind the others, and then all together. */
static int by_place(const void *a, const void *b, void *context)
{
	const struct table *f = context;
	const struct row *x = &f->rows[*(const uint32_t *)a], *y = &f->rows[*(const uint32_t *)b];

	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	if (x->zone != ALL && y->zone != ALL && is_main(f, x->zone) != is_main(f, y->zone))
		return is_main(f, x->zone) ? 1 : -1;
	return x->zone < y->zone ? -1 : x->zone > y->zone;
}

/* Text */

/* The row behind this one, from the top down; its depth. */
static uint32_t next_row(const struct table *f, uint32_t row, uint32_t *depth)
{
	if (f->rows[row].first != NOBODY) {
		++*depth;
		return f->rows[row].first;
	}
	for (; f->rows[row].next == NOBODY; --*depth) {
		row = f->rows[row].parent;
		if (f->rows[row].parent == NOBODY)
			return NOBODY;
	}
	return f->rows[row].next;
}

/* The branches in front of a name, and the name. `more`: by level, whether there is another one below. */
static void name_row(struct table *f, uint32_t row, uint32_t depth, bool more[LEVELS], char *out, size_t size)
{
	bool ascii = f->t->ascii;
	size_t length = 0;

	if (depth < LEVELS)
		more[depth] = f->rows[row].next != NOBODY;
	*out = '\0';
	for (uint32_t i = 0; !f->flat && i <= depth && i < LEVELS; i++) {
		const char *branch = i < depth ? more[i] ? ascii ? "|  " : "│  " : "   "
				     : more[i] ? ascii ? "|- " : "├─ "
				     : ascii   ? "`- " : "└─ ";

		length += (size_t)snprintf(out + length, size - length, "%s", branch);
	}
	if (!f->flat && depth >= LEVELS)
		length += (size_t)snprintf(out + length, size - length, "(%" PRIu32 ") ", depth + 1);
	if (length < size)
		snprintf(out + length, size - length, "%s", f->names.zones[f->rows[row].zone]);
}

static void put_time(struct table *f, int64_t ns)
{
	fprintf(f->out, "  %7" PRId64 ".%06" PRId64, ns / 1000000, ns % 1000000);
}

static void put_calls(struct table *f, const struct row *r, const struct times *t)
{
	put_time(f, t->least);
	put_time(f, t->most);
	put_time(f, r->calls ? foreign_add(t->sum, (int64_t)(r->calls / 2)) / (int64_t)r->calls : 0);
}

/* A stack that has calls in other frames only keeps its row here, without times. */
static void put_row(struct table *f, const char *name, size_t width, const struct row *r)
{
	fprintf(f->out, "%s%*s", name, (int)(width - text_width(name)), "");
	if (r->calls) {
		put_time(f, r->inclusive);
		put_time(f, r->without.sum);
		fprintf(f->out, "  %9" PRIu64, r->calls);
		put_calls(f, r, &r->with);
		put_calls(f, r, &r->without);
	}
	fputc('\n', f->out);
}

static bool put_title(struct table *f, const struct row *section)
{
	char *thread = section->zone == ALL ? strdup("CUMULATIVE") : foreign_names_thread(&f->names, section->zone);

	if (!thread)
		return false;
	if (f->t->each_frame && section->frame != PROFILE_NONE)
		fprintf(f->out, "frame %" PRIu64 ", ", f->t->profile->frames[section->frame].number);
	else if (f->t->each_frame)
		fprintf(f->out, "outside of frames, ");
	fprintf(f->out, "%s, %s, ms\n", thread, f->flat ? "by exclusive time" : "by inclusive time");
	free(thread);
	return true;
}

#define NAME_BYTES (LEVELS * 5 + 4096)

static bool put_section(struct table *f, uint32_t section)
{
	char *name = malloc(NAME_BYTES);
	bool more[LEVELS], done = name && put_title(f, &f->rows[section]);
	size_t width = 4;
	uint32_t depth = 0;

	for (uint32_t row = f->rows[section].first; done && row != NOBODY; row = next_row(f, row, &depth)) {
		name_row(f, row, depth, more, name, NAME_BYTES);
		width = text_width(name) > width ? text_width(name) : width;
	}
	depth = 0;
	if (done)
		fprintf(f->out, "%-*s  %14s  %14s  %9s  %14s  %14s  %14s  %14s  %14s  %14s\n", (int)width, "name", "inclusive",
			"exclusive", "calls", "inc_min", "inc_max", "inc_mean", "exc_min", "exc_max", "exc_mean");
	for (uint32_t row = f->rows[section].first; done && row != NOBODY; row = next_row(f, row, &depth)) {
		name_row(f, row, depth, more, name, NAME_BYTES);
		put_row(f, name, width, &f->rows[row]);
	}
	free(name);
	return done;
}

/* Merged threads have one table, of all of them. Else each thread has a table; the one of all threads is left out if there
 * is a single lane, whose table it would repeat. */
static bool is_wanted(const struct table *f, const struct row *section)
{
	if (section->zone == ALL)
		return f->t->merged || f->t->lane_count != 1;
	return !f->t->merged;
}

static bool put_sections(struct table *f)
{
	uint32_t *room = array_zeroed(f->count, sizeof(*room)), count = 0;
	bool done = room;

	for (uint32_t i = 0; done && i < f->count; i++)
		sort_children(f, i, room);
	for (uint32_t i = 0; done && i < f->count; i++)
		if (f->rows[i].parent == NOBODY && is_wanted(f, &f->rows[i]))
			room[count++] = i;
	if (done)
		qsort_r(room, count, sizeof(*room), by_place, f);
	for (uint32_t i = 0; done && i < count; i++) {
		if (i)
			fputc('\n', f->out);
		done = put_section(f, room[i]);
	}
	free(room);
	return done;
}

static bool write_table(struct foreign *t, FILE *out, bool flat)
{
	struct table f = { .t = t, .flat = flat, .out = out };
	bool done = foreign_names_init(&f.names, t->profile, TEXT_SHOWN);

	for (uint32_t i = 0; done && i < t->lane_count; i++)
		done = add_lane(&f, &t->lanes[i]);
	done = done && put_sections(&f);
	t->no_memory |= !done;
	foreign_say_since(t);
	foreign_say_counts(t, &f.counts, true);
	foreign_say_names(t, &f.names);
	foreign_names_fini(&f.names);
	lookup_fini(&f.known);
	free(f.rows);
	free(f.open);
	return done && !ferror(out);
}

bool foreign_table_tree(struct foreign *t, FILE *out)
{
	return write_table(t, out, false);
}

bool foreign_table_flat(struct foreign *t, FILE *out)
{
	return write_table(t, out, true);
}
