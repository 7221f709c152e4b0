/* SPDX-License-Identifier: MIT */
#include "model/profile/transitions.h"

#include <string.h>

#include "model/base/array.h"

#define LISTS_MOST 1024
#define DROP_PART 16 /* of the longest list leaves at once, so that it is not looked for at each one */

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
	if (oldest->first + oldest->count >= t->renewed)
		t->renewed = oldest->first + oldest->count + 1;
	return oldest;
}

struct transition_list *transitions_find(struct transitions *t, uint64_t id)
{
	for (uint32_t i = t->count; i-- > 0;)
		if (t->lists[i].id == id)
			return &t->lists[i];
	return NULL;
}

struct transition_list *transitions_of(struct transitions *t, uint64_t id, uint32_t thread)
{
	struct transition_list *list = transitions_find(t, id);

	if (list)
		return list;
	if (t->count == LISTS_MOST)
		list = empty_oldest(t);
	else if (array_reserve(&t->lists, &t->capacity, (uint64_t)t->count + 1, sizeof(*t->lists)))
		list = &t->lists[t->count++];
	else
		return NULL;
	*list = (struct transition_list){ .id = id, .thread = thread, .first = t->renewed };
	return list;
}

static void drop_oldest(struct transitions *t)
{
	struct transition_list *longest = &t->lists[0];
	uint32_t n;

	for (uint32_t i = 1; i < t->count; i++)
		if (t->lists[i].count > longest->count)
			longest = &t->lists[i];
	n = longest->count / DROP_PART + 1;
	longest->at += n;
	longest->first += n;
	longest->count -= n;
	t->total -= n;
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
