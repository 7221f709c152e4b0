/* SPDX-License-Identifier: MIT */
#include "model/stats/bursts.h"

#include "model/base/array.h"
#include "model/base/search.h"

/* An event, as the stretches go by. */
struct going {
	uint32_t count, next; /* in this stretch, and in the one behind */
	uint32_t row;    /* where its newest burst stands, and 1; 0: it had none */
	int64_t stretch; /* the last one in which it was a burst */
};

struct making {
	const struct profile *p;
	int64_t stretch; /* ticks; 0: all is one */
	uint32_t least;
	const uint32_t *of;
	uint32_t first, count;
	struct going *events;
	struct burst_row *rows; /* a place for each instant: a row stands where its last one does, else its count is 0 */
	uint32_t *before; /* by place: the place of the event before it in the same row, and 1; 0: it is the first one */
};

static uint32_t index_of(const struct making *m, uint32_t place)
{
	return m->of ? m->of[place] : m->first + place;
}

static const struct profile_instant *instant_at(const struct making *m, uint32_t place)
{
	return &m->p->instants[index_of(m, place)];
}

static int64_t stretch_of(const struct making *m, uint32_t place)
{
	return m->stretch ? instant_at(m, place)->tick / m->stretch : 0;
}

/* NULL: a note. */
static struct going *going_of(const struct making *m, uint32_t place)
{
	uint32_t event = instant_at(m, place)->event;

	return event < m->p->event_count ? &m->events[event] : NULL;
}

/* The row of the burst goes where its newest one is. */
static void join_burst(struct making *m, struct going *g, uint32_t place)
{
	struct burst_row row = m->rows[g->row - 1];

	m->rows[g->row - 1].count = 0;
	m->before[place] = g->row;
	row.last = index_of(m, place);
	row.count++;
	if (row.thread != instant_at(m, place)->thread)
		row.thread = PROFILE_NONE;
	m->rows[place] = row;
	g->row = place + 1;
}

/* Whether the stretch is one of the burst, or the one in which it began. */
static bool is_burst(const struct making *m, const struct going *g)
{
	return g->count >= m->least || g->next >= m->least;
}

static void put_event(struct making *m, uint32_t place, int64_t stretch)
{
	struct going *g = going_of(m, place);
	uint32_t index = index_of(m, place);
	bool follows = g && g->row && g->stretch >= stretch - 1;

	if (g && follows) {
		join_burst(m, g, place);
	} else {
		m->rows[place] = (struct burst_row){ .first = index, .last = index, .count = 1, .thread = instant_at(m, place)->thread };
		if (g)
			g->row = is_burst(m, g) ? place + 1 : 0;
	}
	if (g && is_burst(m, g))
		g->stretch = stretch;
}

/* The place where the stretch ends that begins here. */
static uint32_t end_of(const struct making *m, uint32_t from)
{
	return from < m->count ? SEARCH(i, from, m->count, stretch_of(m, i) == stretch_of(m, from)) : from;
}

static void count_next(struct making *m, uint32_t from, uint32_t end)
{
	for (uint32_t i = from; i < end; i++)
		if (going_of(m, i))
			going_of(m, i)->next++;
}

static void forget_events(struct making *m, uint32_t from, uint32_t end)
{
	for (uint32_t i = from; i < end; i++)
		if (going_of(m, i))
			going_of(m, i)->count = going_of(m, i)->next = 0;
}

/* One stretch, and a look at the one behind. */
static void put_stretch(struct making *m, uint32_t from, uint32_t end, uint32_t behind)
{
	int64_t stretch = stretch_of(m, from);

	for (uint32_t i = from; i < end; i++)
		if (going_of(m, i))
			going_of(m, i)->count++;
	if (end < behind && stretch_of(m, end) == stretch + 1)
		count_next(m, end, behind);
	for (uint32_t i = from; i < end; i++)
		put_event(m, i, stretch);
	forget_events(m, from, behind);
}

static void put_all(struct making *m)
{
	for (uint32_t from = 0, end = end_of(m, 0), behind; from < m->count; from = end, end = behind) {
		behind = end_of(m, end);
		put_stretch(m, from, end, behind);
	}
}

/* Finds the last cluster of the row that stands at this place. Other instants of the same event, for example those inside
 * frames, may come between two events of the row. They do not count. */
static void find_cluster(const struct making *m, struct burst_row *row, uint32_t place)
{
	double time = (double)(m->p->instants[row->last].tick - m->p->instants[row->first].tick);

	row->clustered = 1;
	row->cluster_begin = instant_at(m, place)->tick;
	for (uint32_t before = m->before[place]; before; before = m->before[before - 1]) {
		int64_t tick = instant_at(m, before - 1)->tick;

		row->pause = row->cluster_begin - tick;
		if (row->pause > 0 && 2.0 * (double)row->pause * (row->count - 1) >= time)
			break;
		row->cluster_begin = tick;
		row->clustered++;
	}
}

static bool make_bursts(struct bursts *c, struct making *m)
{
	*c = (struct bursts){ NULL, 0 };
	m->events = array_zeroed(m->p->event_count, sizeof(*m->events));
	m->rows = array_zeroed(m->count, sizeof(*m->rows));
	m->before = array_zeroed(m->count, sizeof(*m->before));
	if (m->events && m->rows && m->before) {
		put_all(m);
		for (uint32_t i = 0; i < m->count; i++) {
			if (!m->rows[i].count)
				continue;
			find_cluster(m, &m->rows[i], i);
			m->rows[c->row_count++] = m->rows[i];
		}
		c->rows = m->rows;
		m->rows = NULL;
	}
	free(m->events);
	free(m->rows);
	free(m->before);
	return c->rows;
}

bool bursts_of_seconds(struct bursts *c, const struct profile *p, const uint32_t *of, uint32_t count)
{
	struct making m = { .p = p, .stretch = (int64_t)p->ticks_per_s, .least = BURST, .of = of, .count = count };

	return make_bursts(c, &m);
}

bool bursts_of_frame(struct bursts *c, const struct profile *p, uint32_t first, uint32_t count, uint32_t least)
{
	struct making m = { .p = p, .least = least, .first = first, .count = count };

	return make_bursts(c, &m);
}

/* A stretch of ticks, (begin, end]. */
struct stretch {
	int64_t begin, end;
};

/* The extent of the frame that holds the tick, or else of the time between the
 * two frames around it. */
static struct stretch stretch_around(const struct profile *p, int64_t tick)
{
	uint32_t at = SEARCH(i, 0, p->frame_count, frame_end(&p->frames[i]) < tick);
	struct stretch s = { at ? frame_end(&p->frames[at - 1]) : p->first_tick, p->now_tick };

	if (at < p->frame_count && tick > p->frames[at].start)
		s = (struct stretch){ p->frames[at].start, frame_end(&p->frames[at]) };
	else if (at < p->frame_count)
		s.end = p->frames[at].start;
	return (struct stretch){ tick < s.begin ? tick : s.begin, tick > s.end ? tick : s.end };
}

static int64_t rate_over(const struct profile *p, uint32_t count, int64_t ticks)
{
	return (int64_t)((double)count * (double)p->ticks_per_s / (double)(ticks > 0 ? ticks : 1) + 0.5);
}

int64_t burst_rate(const struct profile *p, const struct burst_row *row)
{
	int64_t second = (int64_t)p->ticks_per_s;
	int64_t begin = p->instants[row->first].tick, end = p->instants[row->last].tick;
	struct stretch first = stretch_around(p, begin), last = stretch_around(p, end);
	bool brief = first.end - first.begin < second && last.end - last.begin < second;

	if (row->clustered < row->count && (brief ? row->pause > last.end - last.begin : row->cluster_begin - begin >= second))
		return rate_over(p, row->count - row->clustered, row->cluster_begin - begin);
	return rate_over(p, row->count, brief ? last.end - first.begin : end - begin < second ? second : end - begin);
}
