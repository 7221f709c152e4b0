/* SPDX-License-Identifier: MIT */
#include "model/profile/transitions.h"

#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"

#define DROP_PART 16 /* of the longest list leaves at once, so that it is not looked for at each one */
#define DROP_PART_READ 64 /* or where some is spared, while the source reads for the first time; */
#define DROP_PART_SPARED 3 /* later, of what is not spared, as what is spared moves each time and is read anew */
#define SPARED_PART 2 /* of all that may be held, at most; of more the oldest stretches go as all others do */

struct transitions *transitions_new(uint64_t most)
{
	struct transitions *t = calloc(1, sizeof(*t));

	if (t)
		t->most = most ? most : 1;
	return t;
}

void transitions_free(struct transitions *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->count; i++)
		free(t->lists[i].room);
	free(t->lists);
	lookup_fini(&t->by_id);
	free(t->cursors);
	free(t);
}

static int64_t last_of(const struct transition_list *list)
{
	return list->count ? list->at[list->count - 1].tick : INT64_MIN;
}

static struct transition_list *empty_oldest(struct transitions *t)
{
	struct transition_list *oldest = &t->lists[0];

	for (uint32_t i = 1; i < t->count; i++)
		if (last_of(&t->lists[i]) < last_of(oldest))
			oldest = &t->lists[i];
	free(oldest->room);
	t->total -= oldest->count;
	t->left_out += oldest->count;
	if (oldest->first + oldest->count >= t->renewed)
		t->renewed = oldest->first + oldest->count + 1;
	return oldest;
}

static uint32_t id_hash(uint64_t id)
{
	return lookup_hash(0, &id, sizeof(id));
}

static bool same_id(const void *context, uint32_t index, const void *wanted)
{
	return ((const struct transitions *)context)->lists[index].id == *(const uint64_t *)wanted;
}

/* Room for one list more, where nothing is known of those that were dropped. */
static bool room_to_find(struct transitions *t)
{
	if (t->by_id.used < 2 * transitions_lists(t))
		return lookup_reserve(&t->by_id);
	lookup_fini(&t->by_id);
	for (uint32_t i = 0; i < t->count; i++) {
		if (!lookup_reserve(&t->by_id))
			return false;
		lookup_add(&t->by_id, id_hash(t->lists[i].id), i);
	}
	return lookup_reserve(&t->by_id);
}

struct transition_list *transitions_find(struct transitions *t, uint64_t id)
{
	uint32_t i = lookup_find(&t->by_id, id_hash(id), same_id, t, &id);

	return i == LOOKUP_NONE ? NULL : &t->lists[i];
}

struct transition_list *transitions_of(struct transitions *t, uint64_t id, uint32_t thread)
{
	struct transition_list *list = transitions_find(t, id);

	if (list)
		return list;
	if (!room_to_find(t))
		return NULL;
	if (t->count == transitions_lists(t))
		list = empty_oldest(t);
	else if (array_reserve(&t->lists, &t->capacity, (uint64_t)t->count + 1, sizeof(*t->lists)))
		list = &t->lists[t->count++];
	else
		return NULL;
	*list = (struct transition_list){ .id = id, .thread = thread, .first = t->renewed };
	lookup_add(&t->by_id, id_hash(id), (uint32_t)(list - t->lists));
	return list;
}

/* Sparing */

/* Transitions [first, end) of a list. */
struct run {
	uint32_t first, end;
};

static bool is_gap(const struct transition_list *list, uint32_t i)
{
	return list->at[i].kind == TRANSITION_GAP;
}

/* The transitions of the stretch, and some on each side of it, up to a gap at most. */
static struct run run_of(const struct transition_list *list, const struct transition_stretch *stretch)
{
	struct run run;

	run.first = SEARCH(i, 0, list->count, list->at[i].tick < stretch->begin);
	run.end = SEARCH(i, run.first, list->count, list->at[i].tick <= stretch->end);
	while (run.first < run.end && is_gap(list, run.first))
		run.first++;
	while (run.first < run.end && is_gap(list, run.end - 1))
		run.end--;
	for (int i = 0; i < TRANSITIONS_AROUND && run.first && !is_gap(list, run.first - 1); i++)
		run.first--;
	for (int i = 0; i < TRANSITIONS_AROUND && run.end < list->count && !is_gap(list, run.end); i++)
		run.end++;
	return run;
}

/* Takes out the first ones until there are no more transitions in runs than may be. Returns how many are left. */
static uint32_t leave_oldest(struct run *runs, uint32_t count, uint64_t most, uint32_t *spared)
{
	uint32_t gone = 0;

	for (; gone < count && *spared > most; gone++)
		*spared -= runs[gone].end - runs[gone].first;
	memmove(runs, &runs[gone], (count - gone) * sizeof(*runs));
	return count - gone;
}

/* Finds the spared stretches of a list, as runs that do not touch. Returns how many; *spared: their transitions. */
static uint32_t spared_runs(const struct transitions *t, const struct transition_list *list,
			    struct run runs[TRANSITIONS_SPARED], uint32_t *spared)
{
	uint32_t count = 0;

	*spared = 0;
	for (uint32_t s = 0; s < t->spared_count; s++) {
		struct run run = run_of(list, &t->spared[s]);

		if (run.first >= run.end)
			continue;
		if (count && run.first <= runs[count - 1].end) {
			count--;
			run.first = runs[count].first;
			run.end = run.end > runs[count].end ? run.end : runs[count].end;
		}
		runs[count++] = run;
	}
	for (uint32_t i = 0; i < count; i++)
		*spared += runs[i].end - runs[i].first;
	return leave_oldest(runs, count, t->most / SPARED_PART, spared);
}

/* Where the first `n` transitions end that are in no run. */
static uint32_t end_of_unspared(const struct run *runs, uint32_t count, uint32_t n)
{
	for (uint32_t i = 0; i < count && runs[i].first < n; i++)
		n += runs[i].end - runs[i].first;
	return n;
}

static uint64_t later_number(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void put_gap(struct transition *to, int64_t tick)
{
	*to = (struct transition){ tick, 0, TRANSITION_GAP };
}

static void drop_first(struct transition_list *list, uint32_t n)
{
	list->at += n;
	list->first += n;
	list->count -= n;
}

/* Drops all of the first `n` transitions that are in no run, and marks a gap behind each run. The last of these
 * `n` is in no run, so there is space for a gap. Later transitions keep their numbers. */
static void drop_between(struct transition_list *list, const struct run *runs, uint32_t count, uint32_t n)
{
	struct transition *rest = list->at + n, *to = rest;

	while (count && runs[count - 1].first >= n)
		count--;
	if (!count) {
		drop_first(list, n);
		return;
	}
	for (; count; count--) {
		const struct run *run = &runs[count - 1];
		uint32_t size = run->end - run->first;

		if (to->kind != TRANSITION_GAP) {
			put_gap(to - 1, to->tick);
			to--;
		}
		to -= size;
		memmove(to, &list->at[run->first], size * sizeof(*to));
	}
	list->steady = later_number(list->first + n, list->steady);
	list->long_ago = later_number(list->first + n, list->long_ago);
	list->moved++;
	list->count -= (uint32_t)(to - list->at);
	list->first += (uint64_t)(to - list->at);
	list->at = to;
}

/* Without what is spared, else a list that has much of that would lose all that is new; but where there is nothing else
 * with it. */
static struct transition_list *longest_of(struct transitions *t)
{
	struct transition_list *longest = &t->lists[0], *without = NULL;
	uint32_t most = 0, spared;
	struct run runs[TRANSITIONS_SPARED];

	for (uint32_t i = 0; i < t->count; i++) {
		struct transition_list *list = &t->lists[i];

		longest = list->count > longest->count ? list : longest;
		if (list->count <= most)
			continue;
		spared_runs(t, list, runs, &spared);
		if (list->count - spared > most) {
			without = list;
			most = list->count - spared;
		}
	}
	return without ? without : longest;
}

void transitions_want(struct transitions *t, struct transition_stretch stretch)
{
	t->wanted = stretch;
}

void transitions_forget(struct transitions *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		drop_first(&t->lists[i], t->lists[i].count);
		t->lists[i].first++;
	}
	t->total = 0;
}

void transitions_drop(struct transitions *t, struct transition_list *list, uint32_t n)
{
	drop_first(list, n);
	t->total -= n;
}

/* How many leave of `others`, which are in no run: one stays at least, and more leave than come as gaps. */
static uint32_t others_that_leave(const struct transitions *t, uint32_t others, uint32_t runs)
{
	uint64_t wanted = others / (t->followed ? DROP_PART_SPARED : DROP_PART_READ), much = t->total - t->most;

	wanted = much > wanted ? much : wanted;
	wanted = 2 * runs + 1 > wanted ? 2 * runs + 1 : wanted;
	return wanted < others ? (uint32_t)wanted : others - 1;
}

static void drop_oldest(struct transitions *t)
{
	struct transition_list *longest = longest_of(t);
	struct run runs[TRANSITIONS_SPARED];
	uint32_t spared, count = spared_runs(t, longest, runs, &spared);
	uint32_t n = longest->count / DROP_PART + 1, others = longest->count - spared, held = longest->count;

	if (!count || runs[0].first >= n || others < 4 * (count + 1))
		drop_first(longest, n);
	else
		drop_between(longest, runs, count, end_of_unspared(runs, count, others_that_leave(t, others, count)));
	t->total -= held - longest->count;
	t->left_out += held - longest->count;
}

static int compare_ticks(const void *a, const void *b)
{
	const struct transition_stretch *one = a, *other = b;

	return (one->begin > other->begin) - (one->begin < other->begin);
}

void transitions_spare(struct transitions *t, const struct transition_stretch *stretches, uint32_t count)
{
	if (count > TRANSITIONS_SPARED)
		count = TRANSITIONS_SPARED;
	memcpy(t->spared, stretches, count * sizeof(*stretches));
	qsort(t->spared, count, sizeof(*t->spared), compare_ticks);
	t->spared_count = count;
}

int64_t transitions_since(const struct transition_list *list)
{
	uint64_t behind = list->long_ago > list->first ? list->long_ago - list->first : 0;

	if (!list->count)
		return INT64_MAX;
	return list->at[behind < list->count ? behind : list->count - 1].tick;
}

int64_t transitions_since_all(const struct transitions *t, const struct profile *p, uint32_t threads, int64_t now)
{
	for (uint32_t i = 0; i < t->count; i++) {
		int64_t since = transitions_since(&t->lists[i]);

		if (since < now && profile_selects(p, threads, t->lists[i].thread))
			now = since;
	}
	return now;
}

bool transitions_reserve(struct transition_list *list, uint32_t more)
{
	uint32_t gap = list->room ? (uint32_t)(list->at - (struct transition *)list->room) : 0;

	if ((uint64_t)gap + list->count + more <= list->capacity)
		return true;
	if (gap)
		memmove(list->room, list->at, list->count * sizeof(*list->at));
	list->at = list->room;
	if (!array_reserve(&list->room, &list->capacity, (uint64_t)list->count + more, sizeof(*list->at)))
		return false;
	list->at = list->room;
	return true;
}

void transitions_settle(struct transitions *t, uint32_t put)
{
	for (t->total += put; t->total > t->most;)
		drop_oldest(t);
}

bool transitions_add(struct transitions *t, struct transition_list *list, struct transition n)
{
	if (!array_queue(&list->room, &list->capacity, &list->at, list->count, sizeof(*list->at)))
		return false;
	list->gaps += n.kind == TRANSITION_GAP;
	transitions_put(list, n);
	transitions_settle(t, 1);
	return true;
}

bool transitions_reach(struct transitions *t, uint32_t count)
{
	struct transition_cursor *grown;

	if (count <= t->cursor_count)
		return true;
	grown = reallocarray(t->cursors, count, sizeof(*grown));
	if (!grown)
		return false;
	for (uint32_t i = t->cursor_count; i < count; i++)
		grown[i] = (struct transition_cursor){ 0 };
	t->cursors = grown;
	t->cursor_count = count;
	return true;
}
