/* SPDX-License-Identifier: MIT */
/*
 * page_why: why the longest frames took so long, against the usual frame
 * (base_frame.h): `why`. Rows are those of model/stats/why.h, in the order and
 * with the figures that the report why has them.
 */
#include "io/page/page_inside.h"

#include <stdlib.h>
#include <string.h>

#include "model/query/query.h"
#include "io/json_table.h"
#include "model/base/array.h"
#include "model/base/format.h"
#include "model/stats/base_frame.h"
#include "model/table/why_table.h"
#include "model/table/worst_table.h"

#define ROWS 40        /* of a thread */

struct writing {
	struct json *j;
	const struct profile *p;
	struct why *why;
};

static uint32_t rows_of(const struct why_thread *t)
{
	return t->count < ROWS ? t->count : ROWS;
}

static int64_t put_thread(const struct writing *w, const struct why_thread *t)
{
	int64_t rest = 0;

	for (uint32_t i = rows_of(t); i < t->count; i++)
		rest += t->rows[i].delta;
	json_object(w->j, NULL);
	json_integer(w->j, "thread", t->thread != PROFILE_NONE ? t->thread : t->base_thread);
	json_integer(w->j, "time", t->time);
	json_integer(w->j, "base_time", t->base_time);
	json_integer(w->j, "delta", t->delta);
	json_integer(w->j, "sum", t->sum);
	json_integer(w->j, "waiting", t->waiting);
	json_unsigned(w->j, "missing", t->missing);
	json_integer(w->j, "rest", rest);
	json_unsigned(w->j, "left_out", t->count - rows_of(t));
	json_object_end(w->j);
	return rest;
}

static void put_rows(const struct writing *w)
{
	struct why_line *lines = array_zeroed((uint64_t)w->why->thread_count * ROWS, sizeof(*lines));
	struct why_table t;

	why_table_init(&t, w->why, w->p, w->p);
	for (uint32_t i = 0; lines && i < w->why->thread_count; i++)
		for (uint32_t k = 0; k < rows_of(&w->why->threads[i]); k++)
			lines[t.table.count++] = (struct why_line){ i, k, 0 };
	t.lines = lines;
	if (!lines)
		json_fail(w->j);
	json_page_rows(w->j, "rows", &t.table, NULL);
	free(lines);
}

/* `more than half of the difference is waiting`, or `waiting -218.900 ms, the rest +186.030 ms`. */
static void put_waiting(const struct writing *w, const struct why_thread *t)
{
	enum unit unit = unit_for(t->waiting, w->why->per_s);
	char text[160], amounts[2][64];
	int64_t of[2] = { t->waiting, why_rest(t) };

	for (int i = 0; i < 2; i++) {
		size_t length = format_difference(amounts[i], sizeof(amounts[i]), of[i], w->why->scale, w->why->per_s, unit, -1, 0);

		snprintf(amounts[i] + length, sizeof(amounts[i]) - length, " %s", unit_title(unit, false));
	}
	why_waiting_text(text, sizeof(text), t, amounts[0], amounts[1]);
	json_text(w->j, NULL, why_waits_within(t->waiting, t->delta) ? "more than half of the difference is waiting" : text);
}

/* The rest of the difference, which is in no row. */
static void put_said(const struct writing *w, int64_t difference)
{
	const struct why_thread *first = w->why->threads;
	char off[WHY_OFF_CPU];

	json_array(w->j, "said");
	if (w->why->thread_count && why_is_waiting(first))
		put_waiting(w, first);
	if (w->why->thread_count && why_off_cpu_text(w->why, first, UNIT_AUTO, -1, false, off))
		json_text(w->j, NULL, off);
	if (w->why->incomplete)
		json_text(w->j, NULL, "slices are incomplete: some work is in no row, or in another one");
	else if (w->why->thread_count && first->delta != difference)
		json_text(w->j, NULL, "a part is outside the thread's time: it had not begun, had ended, or saw a "
		                      "frame mark late");
	json_array_end(w->j);
}

static void put_comparison(const struct writing *w, const struct profile_frame *frame, const struct profile_frame *base,
			   const struct base_frame *chosen)
{
	char reason[BASE_REASON];
	int64_t rest = 0;

	json_object(w->j, NULL);
	json_unsigned(w->j, "frame", frame->number);
	json_unsigned(w->j, "base", base->number);
	base_reason(chosen, reason);
	json_text(w->j, "base_kind", base_names[chosen->kind]);
	json_text(w->j, "base_reason", reason);
	json_integer(w->j, "length", frame->length);
	json_integer(w->j, "base_length", base->length);
	json_array(w->j, "threads");
	for (uint32_t i = 0; i < w->why->thread_count; i++)
		rest += put_thread(w, &w->why->threads[i]);
	json_array_end(w->j);
	put_rows(w);
	json_integer(w->j, "rest", rest);
	put_said(w, page_minus(frame->length, base->length));
	json_object_end(w->j);
}

static void put_frame(struct page_work *w, struct query *q, uint32_t index)
{
	const struct profile_frame *frame = &w->p->frames[index];
	struct base_frame chosen = bases_search(w->bases, BASE_USUAL, frame->number);
	struct query_options o = { .threads = w->page->threads, .frame = frame->number, .base = chosen.number, .sums = true };
	struct writing writing = { w->j, w->p, query_look(q, &o) ? query_why(q, o.threads, false) : NULL };

	if (writing.why)
		put_comparison(&writing, frame, profile_find_frame(w->p, chosen.number), &chosen);
	else
		json_fail(w->j);
	why_free(writing.why);
}

void page_put_why(struct page_work *w)
{
	struct query *q = query_new(w->p);

	if (!q)
		json_fail(w->j);
	json_page_columns(w->j, "why_columns", &why_table_type);
	json_page_columns(w->j, "why_amount_columns", &why_amount_type);
	json_page_columns(w->j, "worst_columns", &worst_table_type);
	json_array(w->j, "why");
	for (uint32_t i = 0; q && w->base && i < w->asked_count; i++)
		put_frame(w, q, w->asked[i]);
	json_array_end(w->j);
	query_free(q);
}
