/* SPDX-License-Identifier: MIT */
/*
 * page_values: counters with their changes, events and notes: `counters`, `events`.
 *
 * If there are too many changes, the oldest of each track are left out. A page of one frame, or of the last N,
 * has the changes in them, and the last one before them.
 */
#include "io/page/page_inside.h"

#include "io/json_members.h"
#include "model/base/search.h"

/* What is covered */

/* Ticks of the frames that are covered: (from, to]. */
static void window_of(const struct page_work *w, int64_t *from, int64_t *to)
{
	*from = -1;
	*to = INT64_MAX;
	if (w->page->whole)
		return;
	*to = -1;
	if (w->page->count) {
		const struct profile_frame *first = &w->p->frames[w->page->first];

		*from = first->start;
		*to = frame_end(first + w->page->count - 1);
	}
}

/* Counters */

struct changes {
	const struct profile_change *at;
	uint32_t count, left_out;
};

static bool is_shown(const struct page_work *w, const struct profile_track *t)
{
	return t->thread == PROFILE_NONE || page_selects(w, t->thread);
}

static struct changes changes_of(const struct page_work *w, const struct profile_track *t, uint64_t most)
{
	int64_t from, to;
	uint32_t first, end;

	window_of(w, &from, &to);
	first = SEARCH(i, 0, t->change_count, t->changes[i].tick <= from);
	end = SEARCH(i, first, t->change_count, t->changes[i].tick <= to);
	if (first)
		first--;
	if (end - first <= most)
		return (struct changes){ t->changes + first, end - first, 0 };
	return (struct changes){ t->changes + end - most, (uint32_t)most, end - first - (uint32_t)most };
}

enum which { LAST, LEAST, MOST };

static void put_values(struct page_work *w, const char *key, const struct changes *c, bool real, enum which which)
{
	json_array(w->j, key);
	for (uint32_t i = 0; i < c->count; i++)
		json_number(w->j, NULL, real, which == LAST ? c->at[i].last : which == LEAST ? c->at[i].least : c->at[i].most);
	json_array_end(w->j);
}

static void put_ticks(struct page_work *w, const struct changes *c)
{
	int64_t before = w->origin;

	json_array(w->j, "tick");
	for (uint32_t i = 0; i < c->count; i++) {
		json_integer(w->j, NULL, page_minus(c->at[i].tick, before));
		before = c->at[i].tick;
	}
	json_array_end(w->j);
}

static void put_track(struct page_work *w, const struct profile_track *t, bool real, uint64_t most)
{
	struct changes c = changes_of(w, t, most);

	json_object(w->j, NULL);
	json_integer(w->j, "thread", t->thread == PROFILE_NONE ? -1 : (int64_t)t->thread);
	if (t->born > 0) /* else it is not known */
		json_integer(w->j, "born", page_minus(t->born, w->origin));
	else
		json_null(w->j, "born");
	put_ticks(w, &c);
	put_values(w, "last", &c, real, LAST);
	put_values(w, "least", &c, real, LEAST);
	put_values(w, "most", &c, real, MOST);
	PAGE_COLUMN(w->j, "lost", i, c.count, json_integer(w->j, NULL, c.at[i].lost));
	json_number(w->j, "run_least", real, t->run_least);
	json_number(w->j, "run_most", real, t->run_most);
	json_unsigned(w->j, "left_out", c.left_out);
	json_object_end(w->j);
}

static uint64_t changes_most(const struct page_work *w)
{
	uint64_t most = w->page->changes ? w->page->changes : PAGE_CHANGES;

	return w->p->track_count ? most / w->p->track_count + 1 : most;
}

static void put_counter(struct page_work *w, uint32_t counter, uint64_t most)
{
	const struct profile_counter *c = &w->p->counters[counter];

	json_object(w->j, NULL);
	json_name(w->j, "name", c->name);
	json_integer(w->j, "real", c->real);
	json_integer(w->j, "summed", c->summed);
	json_array(w->j, "tracks");
	for (uint32_t i = 0; i < w->p->track_count; i++)
		if (w->p->tracks[i].counter == counter && is_shown(w, &w->p->tracks[i]))
			put_track(w, &w->p->tracks[i], c->real, most);
	json_array_end(w->j);
	json_object_end(w->j);
}

void page_put_counters(struct page_work *w)
{
	uint64_t most = changes_most(w), left_out = 0;

	json_array(w->j, "counters");
	for (uint32_t i = 0; i < w->p->counter_count; i++)
		put_counter(w, i, most);
	json_array_end(w->j);
	for (uint32_t i = 0; i < w->p->track_count; i++)
		if (is_shown(w, &w->p->tracks[i]))
			left_out += changes_of(w, &w->p->tracks[i], most).left_out;
	page_say(w, left_out, "older change of a counter is left out", "older changes of counters are left out");
}

/* Events and notes */

static bool is_of_page(const struct page_work *w, const struct profile_instant *n, int64_t from, int64_t to)
{
	return n->tick > from && n->tick <= to && page_selects(w, n->thread);
}

void page_put_events(struct page_work *w)
{
	const struct profile *p = w->p;
	int64_t from, to, before = w->origin;

	window_of(w, &from, &to);
	json_object(w->j, "events");
	PAGE_COLUMN(w->j, "names", i, p->event_count, json_name(w->j, NULL, p->events[i]));
	json_array(w->j, "tick");
	for (uint32_t i = 0; i < p->instant_count; i++)
		if (is_of_page(w, &p->instants[i], from, to)) {
			json_integer(w->j, NULL, page_minus(p->instants[i].tick, before));
			before = p->instants[i].tick;
		}
	json_array_end(w->j);
	json_array(w->j, "thread");
	for (uint32_t i = 0; i < p->instant_count; i++)
		if (is_of_page(w, &p->instants[i], from, to))
			json_unsigned(w->j, NULL, p->instants[i].thread);
	json_array_end(w->j);
	json_array(w->j, "event");
	for (uint32_t i = 0; i < p->instant_count; i++)
		if (is_of_page(w, &p->instants[i], from, to))
			json_integer(w->j, NULL, p->instants[i].event == PROFILE_NONE ? -1 : (int64_t)p->instants[i].event);
	json_array_end(w->j);
	json_array(w->j, "text");
	for (uint32_t i = 0; i < p->instant_count; i++)
		if (p->instants[i].event == PROFILE_NONE && is_of_page(w, &p->instants[i], from, to))
			json_name(w->j, NULL, p->instants[i].text);
	json_array_end(w->j);
	json_object_end(w->j);
}
