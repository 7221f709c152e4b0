/* SPDX-License-Identifier: MIT */
#include "model/profile_inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/array.h"
#include "model/format.h"

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

/* A place that a thread left, with its nodes. */
static uint32_t thread_take(struct profile *p, uint64_t id)
{
	uint32_t index = p->store->gone[p->gone_count - 1];
	struct profile_thread *thread = &p->threads[index];

	if (!lookup_reserve(&p->store->threads_by_id))
		return PROFILE_NONE;
	p->gone_count--;
	*thread = (struct profile_thread){ .id = id, .name = thread->name, .root = thread->root, .namesake = index };
	lookup_add(&p->store->threads_by_id, id_hash(id), index);
	return index;
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

/* Only who is a namesake now: a thread found under a name that it had before is none. */
static bool is_namesake(const void *context, uint32_t index, const void *wanted)
{
	const struct profile_thread *thread = &((const struct profile *)context)->threads[index];

	return thread->namesake == index && !strcmp(thread->name, wanted);
}

static uint32_t name_hash(const char *name)
{
	return lookup_hash(0, name, strlen(name));
}

/* The others of its name do without this thread: the first of them stands for all. */
static void namesake_leave(struct profile *p, uint32_t thread)
{
	bool stands_for_all = *p->threads[thread].name && p->threads[thread].namesake == thread;
	uint32_t heir = PROFILE_NONE;

	p->threads[thread].namesake = PROFILE_NONE;
	for (uint32_t i = 0; stands_for_all && i < p->thread_count; i++) {
		if (p->threads[i].namesake != thread)
			continue;
		if (heir == PROFILE_NONE) {
			heir = i;
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
		index = p->gone_count ? thread_take(p, id) : thread_append(p, id);
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
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->thread_count; i++)
		count += p->threads[i].state != THREAD_GONE && profile_selects(p, selection, i);
	return count;
}

uint32_t profile_marking_thread(const struct profile *p)
{
	uint32_t first = PROFILE_NONE;

	for (uint32_t i = 0; i < p->thread_count; i++) {
		if (p->threads[i].marking)
			return i;
		if (first == PROFILE_NONE && p->threads[i].state != THREAD_GONE)
			first = i;
	}
	return first;
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
	for (uint32_t i = 0; i < p->thread_count; i++) {
		if (p->threads[i].state == THREAD_GONE || !is_called(p->threads[i].name, text))
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

/* Threads that leave */

/* What a profile has of its threads when some of them have left. */
struct staying {
	struct lookup by_id, by_name, left_nodes;
	uint32_t *namesakes; /* by thread */
	uint32_t *gone;      /* threads that have left, some of them before */
	bool *left;          /* by node */
	uint32_t gone_count;
};

static void staying_fini(struct staying *s)
{
	lookup_fini(&s->by_id);
	lookup_fini(&s->by_name);
	lookup_fini(&s->left_nodes);
	free(s->namesakes);
	free(s->gone);
	free(s->left);
}

static bool put(struct lookup *l, uint32_t hash, uint32_t index)
{
	if (!lookup_reserve(l))
		return false;
	lookup_add(l, hash, index);
	return true;
}

static bool same_thread_name(const void *context, uint32_t index, const void *wanted)
{
	return !strcmp(((const struct profile *)context)->threads[index].name, wanted);
}

static bool thread_stays(struct staying *s, const struct profile *p, uint32_t i)
{
	const struct profile_thread *thread = &p->threads[i];
	uint32_t hash = name_hash(thread->name), found = LOOKUP_NONE;

	if (*thread->name)
		found = lookup_find(&s->by_name, hash, same_thread_name, p, thread->name);
	s->namesakes[i] = found == LOOKUP_NONE ? i : found;
	return put(&s->by_id, id_hash(thread->id), i) &&
	       (found != LOOKUP_NONE || !*thread->name || put(&s->by_name, hash, i));
}

/* Nodes that a thread had which left, and none that came since has made its own. */
static bool nodes_stay(struct staying *s, const struct profile *p, const bool *stays)
{
	for (uint32_t i = 0; i < p->node_count; i++) {
		const struct profile_node *node = &p->nodes[i];

		s->left[i] = node->parent != PROFILE_NONE &&
			     (!stays[node->thread] || (i < p->store->left_count && p->store->left[i]));
		if (s->left[i] && !put(&s->left_nodes, profile_node_hash(node->parent, node->zone), i))
			return false;
	}
	return true;
}

static bool staying_init(struct staying *s, const struct profile *p, const bool *stays)
{
	bool done;

	*s = (struct staying){ .namesakes = array_zeroed(p->thread_count, sizeof(*s->namesakes)),
			       .gone = array_zeroed(p->thread_count, sizeof(*s->gone)),
			       .left = array_zeroed(p->node_count, sizeof(*s->left)) };
	done = s->namesakes && s->gone && s->left;
	for (uint32_t i = p->thread_count; done && i-- > 0;) /* of those that left the first is taken first */
		if (!stays[i])
			s->gone[s->gone_count++] = i;
	for (uint32_t i = 0; done && i < p->thread_count; i++)
		done = !stays[i] || thread_stays(s, p, i);
	return done && nodes_stay(s, p, stays);
}

static void thread_leaves(struct profile_thread *thread)
{
	*thread = (struct profile_thread){ .id = PROFILE_GONE_ID, .name = thread->name, .state = THREAD_GONE,
					   .root = thread->root, .namesake = PROFILE_NONE };
	thread->name[0] = '\0';
}

static void leave(struct profile *p, struct staying *s)
{
	struct profile_store *store = p->store;

	for (uint32_t i = 0; i < p->thread_count; i++)
		p->threads[i].namesake = s->namesakes[i];
	for (uint32_t i = 0; i < s->gone_count; i++) {
		thread_leaves(&p->threads[s->gone[i]]);
		p->totals[p->threads[s->gone[i]].root] = (struct profile_total){ 0 };
	}
	for (uint32_t i = 0; i < p->node_count; i++)
		if (s->left[i])
			p->totals[i] = (struct profile_total){ 0 };
	lookup_fini(&store->threads_by_id);
	lookup_fini(&store->threads_by_name);
	lookup_fini(&store->left_nodes);
	free(store->gone);
	free(store->left);
	store->threads_by_id = s->by_id;
	store->threads_by_name = s->by_name;
	store->left_nodes = s->left_nodes;
	store->gone = s->gone;
	store->left = s->left;
	store->left_count = p->node_count;
	p->gone_count = s->gone_count;
	free(s->namesakes);
}

static void stay_if_held(const struct profile *p, bool *stays)
{
	for (uint32_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].state == THREAD_LIVE || p->threads[i].state == THREAD_AGGREGATE ||
		    p->threads[i].time)
			stays[i] = true;
	for (uint32_t i = 0; i < p->frame_count; i++)
		for (uint32_t k = 0; k < p->frames[i].part_count; k++)
			stays[p->frames[i].parts[k].thread] = true;
	for (uint32_t i = 0; i < p->instant_count; i++)
		stays[p->instants[i].thread] = true;
}

bool profile_drop_threads(struct profile *p, bool *stays, uint32_t *tracks)
{
	struct staying s;

	stay_if_held(p, stays);
	if (!staying_init(&s, p, stays)) {
		staying_fini(&s);
		return false;
	}
	profile_drop_tracks(p, stays, tracks);
	leave(p, &s);
	return true;
}
