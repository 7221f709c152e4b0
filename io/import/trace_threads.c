/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "io/import/trace_inside.h"
#include "model/base/array.h"

uint32_t trace_thread(struct trace *t, uint64_t id, uint64_t place)
{
	uint32_t *at;

	if (t->thread_count && t->last_id == id)
		return t->last_thread;
	at = ids_at(&t->thread_ids, id, 0);
	if (!at) {
		trace_fails(t, 0);
		return NAMES_NONE;
	}
	if (*at == NAMES_NONE) {
		if (t->thread_count >= TRACE_THREADS || t->failed) {
			t->thread_ids.count--; /* it was not given a value */
			anomaly_add(t->anomalies, ANOMALY_MANY, place);
			return NAMES_NONE;
		}
		if (!array_reserve(&t->threads, &t->thread_capacity, (uint64_t)t->thread_count + 1, sizeof(*t->threads))) {
			trace_fails(t, 0);
			return NAMES_NONE;
		}
		t->threads[t->thread_count] = (struct trace_thread){
			.id = id, .tid = id > INT64_MAX ? 0 : (int64_t)id, .name = TRACE_UNNAMED, .noted = INT64_MIN,
			.key = TRACE_NO_KEY, .visited = TRACE_NO_KEY, .row = NAMES_NONE, .lent = NAMES_NONE };
		*at = t->thread_count++;
		if (!t->anyhow)
			t->threads[*at].row = trace_add_row(t, *at);
	}
	t->last_id = id;
	t->last_thread = *at;
	return *at;
}

void trace_name_thread(struct trace *t, uint32_t thread, const char *bytes, size_t size, uint64_t place)
{
	uint32_t name;

	if (thread == NAMES_NONE || t->failed)
		return;
	name = size ? trace_name(t, bytes, size, place) : TRACE_UNNAMED;
	t->threads[thread].name = name;
	if (!t->anyhow && t->threads[thread].row != NAMES_NONE)
		t->rows[t->threads[thread].row].name = name;
}

void trace_show_thread(struct trace *t, uint32_t thread, uint64_t id, int64_t tid)
{
	if (thread == NAMES_NONE || t->failed)
		return;
	t->threads[thread].id = id;
	t->threads[thread].tid = tid;
}

void trace_lend_thread(struct trace *t, uint32_t thread, uint32_t into)
{
	if (thread != NAMES_NONE && thread != into && !t->failed)
		t->threads[thread].lent = into;
}

#define NUMBER_ROOM 24

/* One without a name is called by its number. */
static struct profile_thread thread_of(const struct trace *t, const struct trace_row *row, char number[NUMBER_ROOM])
{
	snprintf(number, NUMBER_ROOM, "%llu", (unsigned long long)row->id);
	return (struct profile_thread){
		.id = row->id, .tid = row->tid,
		.name = row->name == TRACE_UNNAMED ? number : t->names.names[row->name].text,
		.state = THREAD_ENDED, .marking = row->marking, .several = row->threads > 1,
		.first_tick = row->first, .time = row->time, .root = row->root };
}

uint32_t trace_add_row(struct trace *t, uint32_t thread)
{
	const struct trace_thread *th = &t->threads[thread];
	struct profile_thread shown;
	struct trace_row *row;
	char number[NUMBER_ROOM];

	if (!array_reserve(&t->rows, &t->row_capacity, (uint64_t)t->row_count + 1, sizeof(*t->rows))) {
		trace_fails(t, 0);
		return NAMES_NONE;
	}
	row = &t->rows[t->row_count];
	*row = (struct trace_row){ .name = th->name, .threads = 1, .id = th->id, .tid = th->tid };
	shown = thread_of(t, row, number);
	writer_thread(t->w, &shown, NULL);
	row->root = trace_add_node(t, PROFILE_NONE, NAMES_NONE, t->row_count);
	return t->row_count++;
}

/* Threads of one name one after the other, as they begin: each goes into the first row of that name that has ended then.
 * Where their names are not to be merged each has its own, in the order of the file. */

struct spell {
	uint32_t thread, name, order;
	int64_t first, last;
};

static int by_name_and_time(const void *a, const void *b)
{
	const struct spell *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static bool merges(const struct trace *t, const struct trace_thread *th)
{
	return t->options->merge_namesakes && th->name != TRACE_UNNAMED && th->begun;
}

/* Says in each thread's `row` which thread it is merged into: itself, or one that has a row. */
static bool merge(struct trace *t)
{
	struct spell *spells = calloc(t->thread_count ? t->thread_count : 1, sizeof(*spells));
	uint32_t count = 0;

	if (!spells)
		return trace_fails(t, 0);
	for (uint32_t i = 0; i < t->thread_count; i++) {
		const struct trace_thread *th = &t->threads[i];

		t->threads[i].row = i;
		if (merges(t, th))
			spells[count++] = (struct spell){ i, th->name, i, th->first, th->last };
	}
	qsort(spells, count, sizeof(*spells), by_name_and_time);
	for (uint32_t i = 0, begin = 0; i < count; i++) { /* spells[begin, rows of this name) are rows so far */
		uint32_t k;

		if (i && spells[i].name != spells[i - 1].name)
			begin = i;
		for (k = begin; k < i; k++)
			if (spells[k].order == spells[k].thread && spells[k].last <= spells[i].first)
				break;
		if (k == i)
			continue;
		t->threads[spells[i].thread].row = spells[i].order = spells[k].thread;
		spells[k].last = spells[i].last;
	}
	free(spells);
	return true;
}

void trace_make_rows(struct trace *t)
{
	if (t->failed || !merge(t))
		return;
	for (uint32_t pass = 0; pass < 2; pass++) /* those that have one, and then those that are in another's */
		for (uint32_t i = 0; i < t->thread_count && !t->failed; i++) {
			struct trace_thread *th = &t->threads[i];
			uint32_t into = th->row;

			if (pass == 0) {
				th->mark = into; /* until all have rows */
				if (into == i && th->lent == NAMES_NONE)
					th->row = trace_add_row(t, i);
			} else if (th->mark != i) {
				th->row = t->threads[th->mark].row;
				t->rows[th->row].threads++;
			}
		}
	for (uint32_t i = 0; i < t->thread_count && !t->failed; i++) {
		t->threads[i].mark = 0;
		if (t->threads[i].lent != NAMES_NONE)
			t->threads[i].row = t->threads[t->threads[i].lent].row;
	}
}

void trace_renew_rows(struct trace *t)
{
	for (uint32_t i = 0; i < t->row_count; i++) {
		t->rows[i].time = 0;
		t->rows[i].first = INT64_MAX;
	}
	for (uint32_t i = 0; i < t->thread_count; i++) {
		const struct trace_thread *th = &t->threads[i];

		if (!th->begun || th->row == NAMES_NONE)
			continue;
		t->rows[th->row].time += th->last - th->first;
		if (th->first < t->rows[th->row].first)
			t->rows[th->row].first = th->first;
	}
	for (uint32_t i = 0; i < t->row_count; i++) {
		struct profile_thread shown;
		char number[NUMBER_ROOM];

		if (t->rows[i].first == INT64_MAX)
			t->rows[i].first = t->first;
		shown = thread_of(t, &t->rows[i], number);
		writer_renew_thread(t->w, i, &shown);
	}
}
