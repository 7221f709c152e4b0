/* SPDX-License-Identifier: MIT */
#include "model/profile/profile_inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"

static uint32_t id_hash(uint64_t id)
{
	return lookup_hash(0, &id, sizeof(id));
}

static bool same_id(const void *context, uint32_t index, const void *wanted)
{
	return ((const struct profile *)context)->threads[index].id == *(const uint64_t *)wanted;
}

uint32_t profile_find_thread(const struct profile *p, uint64_t id)
{
	return lookup_find(&p->store->threads_by_id, id_hash(id), same_id, p, &id);
}

static uint32_t thread_append(struct profile *p, uint64_t id)
{
	struct profile_thread thread = { .id = id, .namesake = p->thread_count };

	if (p->thread_count >= THREADS_MOST ||
	    !array_reserve(&p->threads, &p->store->thread_capacity, (uint64_t)p->thread_count + 1,
			   sizeof(*p->threads)) ||
	    !lookup_reserve(&p->store->threads_by_id) || !profile_text(&thread.name, ""))
		return PROFILE_NONE;
	thread.root = profile_append_node(p, PROFILE_NONE, PROFILE_NO_ZONE, p->thread_count);
	if (thread.root == PROFILE_NONE) {
		free(thread.name);
		return PROFILE_NONE;
	}
	lookup_add(&p->store->threads_by_id, id_hash(id), p->thread_count);
	p->threads[p->thread_count] = thread;
	return p->thread_count++;
}

/* The table has each name once: of the thread that stands for all that have it. */
static bool is_namesake(const void *context, uint32_t index, const void *wanted)
{
	return !strcmp(((const struct profile *)context)->threads[index].name, wanted);
}

static uint32_t name_hash(const char *name)
{
	return lookup_hash(0, name, strlen(name));
}

/* The others of its name do without this thread: the last of them stands for all. Threads that begin with one name are
 * mostly given their own from the first to the last: so this is done once for all of them. */
static void namesake_leave(struct profile *p, uint32_t thread)
{
	uint32_t others = p->threads[thread].stands_for, heir = PROFILE_NONE;
	const char *name = p->threads[thread].name;

	if (p->threads[thread].namesake == thread && *name)
		lookup_remove(&p->store->threads_by_name, name_hash(name), thread);
	p->threads[p->threads[thread].namesake].stands_for -= p->threads[thread].namesake != thread;
	p->threads[thread].namesake = PROFILE_NONE;
	p->threads[thread].stands_for = 0;
	for (uint32_t i = p->thread_count, left = others; left; left--) {
		while (p->threads[--i].namesake != thread)
			;
		if (heir == PROFILE_NONE) {
			heir = i;
			p->threads[heir].stands_for = others - 1;
			lookup_add(&p->store->threads_by_name, name_hash(p->threads[i].name), i);
		}
		p->threads[i].namesake = heir;
	}
}

static void namesake_join(struct profile *p, uint32_t thread)
{
	const char *name = p->threads[thread].name;
	uint32_t found = *name ? lookup_find(&p->store->threads_by_name, name_hash(name),
					     is_namesake, p, name)
			       : thread;

	if (found == LOOKUP_NONE) {
		found = thread;
		lookup_add(&p->store->threads_by_name, name_hash(name), thread);
	}
	p->threads[thread].namesake = found;
	p->threads[found].stands_for += found != thread;
}

static void thread_rename(struct profile *p, uint32_t thread, const char *name)
{
	char *copy = strcmp(name, p->threads[thread].name) != 0 ? strdup(name) : NULL;

	/* of the room for one there is always enough for two: an heir of the old name, and this */
	if (!copy || !lookup_reserve(&p->store->threads_by_name)) {
		free(copy);
		return;
	}
	namesake_leave(p, thread);
	free(p->threads[thread].name);
	p->threads[thread].name = copy;
	namesake_join(p, thread);
}

uint32_t profile_add_thread(struct profile *p, uint64_t id, int64_t tid, const char *name)
{
	uint32_t index = profile_find_thread(p, id);

	if (index == PROFILE_NONE)
		index = thread_append(p, id);
	if (index == PROFILE_NONE)
		return PROFILE_NONE;
	p->threads[index].tid = tid;
	if (name)
		thread_rename(p, index, name);
	return index;
}

void profile_set_time(struct profile *p, uint32_t thread, int64_t first_tick, int64_t time)
{
	if (thread >= p->thread_count)
		return;
	p->threads[thread].first_tick = first_tick;
	p->threads[thread].time = time;
}

uint32_t profile_selected(const struct profile *p, uint32_t selection)
{
	uint32_t thread = selection & ~THREADS_NAMED(0);

	if (selection >= THREADS_EACH)
		return p->thread_count;
	if (thread >= p->thread_count)
		return 0;
	return profile_merges(selection) ? p->threads[p->threads[thread].namesake].stands_for + 1 : 1;
}

uint32_t profile_marking_thread(const struct profile *p)
{
	for (uint32_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].marking)
			return i;
	return p->thread_count ? 0 : PROFILE_NONE;
}

/* As typed, or as it is shown. */
static bool is_called(const char *name, const char *text)
{
	char *shown;
	bool same = !strcmp(name, text);

	if (same)
		return true;
	shown = name_escape(name, strlen(name));
	same = shown && !strcmp(shown, text);
	free(shown);
	return same;
}

uint32_t profile_parse_thread(const struct profile *p, const char *text, bool *several)
{
	uint32_t found = PROFILE_NONE;
	char *end;
	uint64_t id;

	if (several)
		*several = false;
	for (uint32_t i = 0; *text && i < p->thread_count; i++) { /* threads without a name are no namesakes */
		if (!is_called(p->threads[i].name, text))
			continue;
		if (found == PROFILE_NONE)
			found = i;
		else if (several)
			*several = true;
	}
	if (found != PROFILE_NONE || *text < '0' || *text > '9')
		return found;
	errno = 0;
	id = strtoull(text, &end, 10);
	return errno || *end ? PROFILE_NONE : profile_find_thread(p, id);
}

const char *profile_lane_name(enum profile_lane lane)
{
	static const char *const names[] = { [PROFILE_THREAD] = "thread", [PROFILE_LOCK] = "lock",
					     [PROFILE_PROCESSOR] = "processor", [PROFILE_QUEUE] = "GPU queue",
					     [PROFILE_LANE] = "lane" };

	return (unsigned)lane <= PROFILE_LANE ? names[lane] : names[PROFILE_LANE];
}
