/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/import/trace_inside.h"
#include "io/recording/player.h"
#include "io/unlinked.h"
#include "model/base/array.h"
#include "model/base/text.h"

#define NO_NAME "(no name)"
#define TOO_MANY "(too many names)"
#define NAMES_MOST (UINT32_C(1) << 20)
#define NAMES_BYTES (UINT32_C(128) << 20)

bool trace_fails(struct trace *t, int error)
{
	if (!t->failed)
		t->error = error;
	t->failed = true;
	return false;
}

void trace_too_many(struct trace *t, uint32_t name, uint64_t place)
{
	const bool has_place = place && place != ANOMALY_NOWHERE;

	if (name != TRACE_NONE && name == t->too_many)
		return; /* counted when the name was read */
	if (has_place && place == t->many_place)
		return;
	t->many_place = place;
	anomaly_add(t->anomalies, ANOMALY_MANY, place);
}

/* Names */

static size_t without_nul(const char *bytes, size_t size, char *out)
{
	size_t length = 0;

	for (size_t i = 0; i < size && length + 2 <= NAME_MOST; i++) {
		if (!bytes[i])
			out[length++] = '\xc0';
		out[length++] = bytes[i] ? bytes[i] : '\x80';
	}
	return length;
}

/* A new one. Behind the last that has room all are one name. */
static uint32_t add_name(struct trace *t, const char *bytes, size_t size, uint64_t place)
{
	bool fits = t->names.count < NAMES_MOST && t->name_bytes + size <= NAMES_BYTES;
	uint32_t name;

	if (!fits) {
		trace_too_many(t, TRACE_NONE, place);
		bytes = TOO_MANY;
		size = sizeof TOO_MANY - 1;
	}
	name = strings_add(&t->names, bytes, size, NAMES_MOST + 1);
	t->name_bytes += size;
	if (name == STRINGS_NONE)
		trace_fails(t, 0);
	else if (!fits)
		t->too_many = name;
	return name;
}

uint32_t trace_name(struct trace *t, const char *bytes, size_t size, uint64_t place)
{
	char room[NAME_MOST + 1];
	uint32_t name;

	if (!size) {
		bytes = NO_NAME;
		size = sizeof NO_NAME - 1;
	}
	if (size > NAME_MOST) {
		size = utf8_cut(bytes, NAME_MOST);
		anomaly_add(t->anomalies, ANOMALY_NAME_CUT, place);
	}
	if (memchr(bytes, '\0', size)) {
		size = without_nul(bytes, size, room);
		bytes = room;
		anomaly_add(t->anomalies, ANOMALY_NAME_NUL, place);
	}
	name = strings_find(&t->names, bytes, size);
	return name == STRINGS_NONE ? add_name(t, bytes, size, place) : name;
}

const char *trace_text(const struct trace *t, uint32_t name)
{
	return name == TRACE_NONE ? "" : t->names.at[name].text; /* there was no memory */
}

/* Threads */

#define NUMBER_ROOM 24

/* One without a name is called by its number. */
static const char *name_of_thread(const struct trace *t, const struct trace_thread *th, char number[NUMBER_ROOM])
{
	snprintf(number, NUMBER_ROOM, "%llu", (unsigned long long)th->id);
	return th->name == TRACE_UNNAMED ? number : t->names.at[th->name].text;
}

static void add_row(struct trace *t, uint32_t thread)
{
	struct trace_thread *th = &t->threads[thread];
	uint32_t had = t->p->thread_count;
	char number[NUMBER_ROOM];

	th->row = profile_add_thread(t->p, th->id, th->tid, name_of_thread(t, th, number));
	if (th->row == PROFILE_NONE) {
		trace_fails(t, 0);
		return;
	}
	t->p->threads[th->row].state = THREAD_ENDED;
	t->p->threads[th->row].several = t->p->thread_count == had; /* two of a file have one id */
	if (t->p->thread_count > had)
		trace_add_node(t, PROFILE_NONE, TRACE_NONE);
}

/* The list of its calls, which has the thread's index. */
static void add_list(struct trace *t, uint32_t thread)
{
	if (!transitions_of(t->calls, (uint64_t)thread + 1, t->threads[thread].row))
		trace_fails(t, 0);
}

static bool same_thread(const void *context, uint32_t index, const void *id)
{
	return ((const struct trace *)context)->threads[index].id == *(const uint64_t *)id;
}

static uint32_t add_thread(struct trace *t, uint64_t id, uint64_t place)
{
	if (t->thread_count >= TRACE_THREADS || t->failed) {
		trace_too_many(t, TRACE_NONE, place);
		return TRACE_NONE;
	}
	if (!lookup_reserve(&t->threads_by_id) ||
	    !array_reserve(&t->threads, &t->thread_capacity, (uint64_t)t->thread_count + 1, sizeof(*t->threads))) {
		trace_fails(t, 0);
		return TRACE_NONE;
	}
	t->threads[t->thread_count] = (struct trace_thread){
		.id = id, .tid = id > INT64_MAX ? 0 : (int64_t)id, .name = TRACE_UNNAMED, .noted = INT64_MIN,
		.key = TRACE_NO_KEY, .visited = TRACE_NO_KEY, .row = TRACE_NONE, .lent = TRACE_NONE };
	lookup_add(&t->threads_by_id, lookup_hash_pair(id, 0), t->thread_count);
	t->last_thread = t->thread_count++;
	if (!t->anyhow) {
		add_row(t, t->last_thread);
		add_list(t, t->last_thread);
	}
	return t->last_thread;
}

uint32_t trace_thread(struct trace *t, uint64_t id, uint64_t place)
{
	uint32_t found;

	if (t->thread_count && t->threads[t->last_thread].id == id)
		return t->last_thread;
	found = lookup_find(&t->threads_by_id, lookup_hash_pair(id, 0), same_thread, t, &id);
	if (found == LOOKUP_NONE)
		return add_thread(t, id, place);
	t->last_thread = found;
	return found;
}

void trace_name_thread(struct trace *t, uint32_t thread, const char *bytes, size_t size, uint64_t place)
{
	struct trace_thread *th = t->threads + (thread == TRACE_NONE ? 0 : thread);
	char number[NUMBER_ROOM];

	if (thread == TRACE_NONE || t->failed)
		return;
	th->name = size ? trace_name(t, bytes, size, place) : TRACE_UNNAMED;
	if (!t->anyhow && !t->failed)
		profile_add_thread(t->p, th->id, th->tid, name_of_thread(t, th, number));
}

void trace_show_thread(struct trace *t, uint32_t thread, uint64_t id, int64_t tid)
{
	if (thread == TRACE_NONE || t->failed)
		return;
	t->threads[thread].id = id;
	t->threads[thread].tid = tid;
}

void trace_lend_thread(struct trace *t, uint32_t thread, uint32_t into)
{
	if (thread != TRACE_NONE && thread != into && !t->failed)
		t->threads[thread].lent = into;
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

static bool may_merge(const struct trace *t, const struct trace_thread *th)
{
	return t->options->merge_namesakes && th->name != TRACE_UNNAMED && th->begun;
}

/* Says in each thread's `row` which thread it is merged into: itself, or one that has a row. */
static bool merge_threads(struct trace *t)
{
	struct spell *spells = calloc(t->thread_count ? t->thread_count : 1, sizeof(*spells));
	uint32_t count = 0;

	if (!spells)
		return trace_fails(t, 0);
	for (uint32_t i = 0; i < t->thread_count; i++) {
		const struct trace_thread *th = &t->threads[i];

		t->threads[i].row = i;
		if (may_merge(t, th))
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
	if (t->failed || !merge_threads(t))
		return;
	for (uint32_t pass = 0; pass < 2; pass++) /* those that have one, and then those that are in another's */
		for (uint32_t i = 0; i < t->thread_count && !t->failed; i++) {
			struct trace_thread *th = &t->threads[i];
			uint32_t into = th->row;

			if (pass == 0) {
				th->mark = into; /* until all have rows */
				if (into == i && th->lent == TRACE_NONE)
					add_row(t, i);
			} else if (th->mark != i) {
				th->row = t->threads[th->mark].row;
				t->p->threads[th->row].several = true;
			}
		}
	for (uint32_t i = 0; i < t->thread_count && !t->failed; i++) {
		t->threads[i].mark = 0;
		if (t->threads[i].lent != TRACE_NONE)
			t->threads[i].row = t->threads[t->threads[i].lent].row;
		add_list(t, i);
	}
}

/* Paths. Roots come with their threads. */
uint32_t trace_add_node(struct trace *t, uint32_t parent, uint32_t name)
{
	struct profile *p = t->p;
	uint32_t zone = PROFILE_NO_ZONE, node = p->node_count - 1;

	if (parent != PROFILE_NONE) {
		zone = profile_add_zone(p, t->names.at[name].text, "", 0, 0);
		node = zone == PROFILE_NONE ? PROFILE_NONE : profile_add_node(p, parent, zone);
	}
	if (node == PROFILE_NONE ||
	    !array_reserve(&t->nodes, &t->node_capacity, (uint64_t)node + 1, sizeof(*t->nodes))) {
		trace_fails(t, 0);
		return TRACE_NONE;
	}
	t->nodes[node] = (struct trace_node){ .name = name, .child = TRACE_NONE, .follows = TRACE_NONE, .key = TRACE_NO_KEY };
	return node;
}

/* The spool */

#define CALLS_FIRST 8u
#define CALLS_MOST 4096u   /* of a thread, before they go into the recording */
#define CALLS_CROWD 128u   /* the same where there are very many threads */
#define CROWD 1024u
#define TOTALS_TOGETHER 256u

static bool write_spool(void *context, const void *bytes, size_t size)
{
	struct trace *t = context;

	if (unlinked_write(t->spool_fd, bytes, size))
		return true;
	t->spool_error = errno ? errno : EIO;
	return false;
}

/* Writes the new definitions of the profile into the temporary recording. */
static void define_in_spool(struct trace *t)
{
	if (t->spool)
		writer_define(t->spool, t->p, NULL);
}

static void spool_calls(struct trace *t, struct transition_list *list)
{
	define_in_spool(t);
	writer_calls(t->spool, list->id, list->thread, list->first, list->at, list->count);
	list->first += list->count;
	list->count = 0;
}

static void begin_spool(struct trace *t)
{
	t->spool_fd = unlinked_open(t->folder);
	t->spool_error = t->spool_fd < 0 ? errno : 0;
	t->spool = t->spool_fd < 0 ? NULL : writer_new(write_spool, t);
	if (!t->spool) {
		trace_fails(t, 0);
		return;
	}
	writer_process(t->spool, t->p, 0);
	for (uint32_t i = 0; i < t->calls->count; i++) {
		struct transition_list *list = &t->calls->lists[i];

		spool_calls(t, list);
		free(list->room);
		list->room = list->at = NULL;
		list->capacity = t->threads[i].call_room = 0;
	}
}

static void grow_calls(struct trace *t, uint32_t thread, uint32_t most)
{
	struct transition_list *list = &t->calls->lists[thread];
	uint32_t had = list->capacity;

	/* The list doubles its size, so that many threads with few calls take little memory. */
	if (!transitions_reserve(list, list->count ? list->count : CALLS_FIRST)) {
		trace_fails(t, 0);
		return;
	}
	t->calls->total += list->capacity - had;
	t->threads[thread].call_room = list->capacity < most ? list->capacity : most;
}

bool trace_more_calls(struct trace *t, uint32_t thread)
{
	struct transition_list *list = &t->calls->lists[thread];
	uint32_t most = t->thread_count > CROWD ? CALLS_CROWD : CALLS_MOST;

	if (!t->spool && (t->calls->total > 2 * t->calls_most || t->thread_count > CROWD))
		begin_spool(t);
	if (t->spool && !t->failed && list->count >= most)
		spool_calls(t, list);
	if (!t->failed && list->count >= t->threads[thread].call_room)
		grow_calls(t, thread, t->spool ? most : UINT32_MAX);
	return !t->failed;
}

void trace_renew_rows(struct trace *t)
{
	struct profile *p = t->p;

	for (uint32_t i = 0; i < p->thread_count; i++)
		profile_set_time(p, i, INT64_MAX, 0);
	for (uint32_t i = 0; i < t->thread_count; i++) {
		const struct trace_thread *th = &t->threads[i];
		struct profile_thread *row = th->row == TRACE_NONE ? NULL : &p->threads[th->row];

		if (th->begun && row)
			profile_set_time(p, th->row, th->first < row->first_tick ? th->first : row->first_tick,
					 row->time + (th->last - th->first));
	}
	define_in_spool(t);
	for (uint32_t i = 0; i < p->thread_count; i++) {
		if (p->threads[i].first_tick == INT64_MAX)
			p->threads[i].first_tick = t->first;
		if (t->spool)
			writer_renew_thread(t->spool, i, &p->threads[i]);
	}
}

/* The most memory that frames and values take in the profile. */
static uint64_t frames_bytes(const struct trace *t)
{
	uint64_t cells = t->cells.total, slices = (uint64_t)t->frame_count * t->p->thread_count;

	return t->frame_count * (PROFILE_FRAME_BYTES + PROFILE_PART_BYTES) + cells * PROFILE_PIECE(sizeof(struct profile_cell)) +
	       (slices < cells ? slices : cells) * 2 * PROFILE_PART_BYTES + t->values.total * PROFILE_CHANGE_BYTES;
}

void trace_weigh(struct trace *t)
{
	t->calls->total = 0;
	for (uint32_t i = 0; i < t->calls->count; i++)
		t->calls->total += t->calls->lists[i].count;
	if (!t->spool && (t->calls->total > t->calls_most || t->thread_count > CROWD || frames_bytes(t) > PLAYER_HOLD))
		begin_spool(t);
	for (uint32_t i = 0; t->spool && !t->failed && i < t->calls->count; i++)
		if (t->calls->lists[i].count)
			spool_calls(t, &t->calls->lists[i]);
}

void trace_put_frame(struct trace *t, const struct profile_frame *frame)
{
	define_in_spool(t);
	if (t->spool)
		writer_frame(t->spool, frame, NULL);
	else if (!profile_add_frame(t->p, frame->number, frame->start, frame->length, frame->flags))
		trace_fails(t, 0);
}

void trace_put_part(struct trace *t, uint64_t frame, const struct profile_part *part)
{
	if (t->spool)
		writer_part(t->spool, frame, part);
	else if (!profile_set_part(t->p, frame, part))
		trace_fails(t, 0);
}

void trace_put_change(struct trace *t, uint32_t track, const struct profile_change *change)
{
	define_in_spool(t);
	if (t->spool)
		writer_change(t->spool, track, change);
	else if (!profile_add_change(t->p, track, change))
		trace_fails(t, 0);
}

void trace_put_instant(struct trace *t, const struct profile_instant *i)
{
	define_in_spool(t);
	if (t->spool)
		writer_instant(t->spool, i);
	else if (!profile_add_instant(t->p, i->tick, i->thread, i->event, i->text, i->cut))
		trace_fails(t, 0);
}

void trace_end_spool(struct trace *t)
{
	struct writer_total totals[TOTALS_TOGETHER];
	const struct profile *p = t->p;
	struct writer *w = t->spool;
	uint32_t count = 0;

	define_in_spool(t);
	if (!w)
		return;
	writer_process(w, p, 0);
	for (uint32_t i = 0; i < p->track_count; i++)
		writer_now(w, i, &p->tracks[i]);
	for (uint32_t i = 0; i < p->node_count; i++) {
		totals[count++] = (struct writer_total){ i, p->totals[i] };
		if (count == TOTALS_TOGETHER || i + 1 == p->node_count) {
			writer_totals(w, totals, count);
			count = 0;
		}
	}
	for (uint32_t i = 0; i < p->loss_count; i++)
		writer_loss(w, &p->losses[i]);
	writer_run(w, p);
	writer_end(w);
}
