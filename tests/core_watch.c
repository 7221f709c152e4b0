/* core_watch.c: a reader beside a running program. */
#include "tests/core_watch.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include "tests/core_run.h"

static uint64_t mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9ull;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

/* A sum, so that the order of the nodes does not matter. */
static uint64_t hash_node(uint32_t node, int64_t self, uint64_t count, int64_t longest)
{
	if (!self && !count && !longest)
		return 0;
	return mix(mix(mix(node + 1ull) + (uint64_t)self) + count * 3) ^ mix((uint64_t)longest + 7);
}

uint64_t watch_hash(const struct record_node *nodes, uint32_t count)
{
	uint64_t hash = 0;

	for (uint32_t i = 0; i < count; i++)
		hash += hash_node(nodes[i].node, nodes[i].self, nodes[i].count, nodes[i].longest);
	return hash;
}

static bool has_nodes(const struct record_head *head)
{
	return head->kind != RECORD_SPAN && head->kind != RECORD_START;
}

static bool remember(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct watch *w = context;

	if (w->record_count == w->record_room) {
		w->record_room = w->record_room ? w->record_room * 2 : 4096;
		w->records = realloc(w->records, w->record_room * sizeof *w->records);
	}
	w->records[w->record_count++] =
	    (struct watched){ w->block, *head, has_nodes(head) ? watch_hash(nodes, head->nodes) : 0 };
	return true;
}

static void remember_inferred(struct watch *w, const struct snapshot_thread *t, const struct snapshot_inferred *part,
                              const struct snapshot_total *values)
{
	uint64_t hash = 0;

	for (uint32_t n = 0; n < t->nodes; n++)
		hash += hash_node(n, values[n].frame_self, values[n].frame_count, values[n].frame_longest);
	if (w->inference_count == w->inference_room) {
		w->inference_room = w->inference_room ? w->inference_room * 2 : 4096;
		w->inferences = realloc(w->inferences, w->inference_room * sizeof *w->inferences);
	}
	w->inferences[w->inference_count++] =
	    (struct inferred){ w->block, (unsigned)t->generation & 0xffff, *part, w->seen_ended, hash };
}

/* The running totals must add up to the thread's time; they may be had at the last boundary only. */
static void look_at_totals(struct watch *w, const struct snapshot_thread *t, struct snapshot_total *values)
{
	struct snapshot_totals totals;
	int64_t sum = 0, frame = 0;

	if (snapshot_totals(&w->region, w->block, snapshot_newest_tick(&w->region), t->nodes, values, &totals) != SNAPSHOT_OK)
		return;
	w->looks++;
	w->torn += totals.torn;
	w->at_bound += totals.at_bound;
	if (totals.torn || totals.state == BLOCK_CLAIMED)
		return;
	for (uint32_t n = 0; n < t->nodes; n++) {
		sum += values[n].self;
		frame += values[n].frame_self;
		CHECK(values[n].self >= 0 && values[n].frame_self >= 0 && values[n].ended_self >= 0, "block %u node %u", w->block, n);
	}
	CHECK(sum == totals.until - totals.started, "block %u: %lld of %lld", w->block, (long long)sum,
	      (long long)(totals.until - totals.started));
	CHECK(totals.at_bound ? frame == 0 : frame == totals.until - totals.bound, "block %u: frame %lld of %lld", w->block,
	      (long long)frame, (long long)(totals.until - totals.bound));
}

static void read_block(struct watch *w)
{
	struct snapshot_thread t, again;
	struct snapshot_inferred part;

	if (snapshot_parts(&w->region, w->block, &w->position[w->block], &w->lapped, &w->damaged, NULL, remember, w) == SNAPSHOT_BUSY)
		w->busy++;
	if (snapshot_thread(&w->region, w->block, &t) != SNAPSHOT_OK || !t.nodes)
		return;
	struct snapshot_total *values = calloc(t.nodes, sizeof *values);
	if (w->infer && w->seen_ended && w->region.live) {
		enum snapshot_result result = snapshot_infer(&w->region, w->block, w->seen_ended, t.nodes, values, &part);
		if (result == SNAPSHOT_OK && snapshot_thread(&w->region, w->block, &again) == SNAPSHOT_OK &&
		    again.generation == t.generation)
			remember_inferred(w, &t, &part, values);
		w->in_flight += result == SNAPSHOT_BUSY;
	}
	if (w->infer)
		look_at_totals(w, &t, values);
	free(values);
}

bool watch_open(struct watch *w, const char *name)
{
	*w = (struct watch){ .infer = false };
	for (int i = 0; i < 10000; i++) {
		if (region_attach(&w->region, name, 0, NULL, 0) == ATTACH_OK) {
			w->position = calloc(w->region.thread_count, sizeof *w->position);
			return true;
		}
		core_sleep_us(1000);
	}
	return CHECK(false, "no region %s", name);
}

bool watch_poll(struct watch *w)
{
	struct snapshot_process p;
	bool live = region_refresh_life(&w->region);

	snapshot_process(&w->region, &p);
	for (w->block = 0; w->block < p.threads; w->block++)
		read_block(w);
	w->seen_ended = p.decided; /* used at the next poll, a millisecond from now at least */
	return live;
}

void watch_to_end(struct watch *w, pid_t writer, unsigned pause_us, unsigned seconds)
{
	time_t end = time(NULL) + seconds;

	while (watch_poll(w)) {
		if (time(NULL) > end) {
			CHECK(false, "the writer did not end in %u s", seconds);
			kill(writer, SIGKILL);
			end += seconds;
		}
		core_sleep_us(pause_us);
	}
}

void watch_close(struct watch *w)
{
	region_detach(&w->region);
	free(w->records);
	free(w->inferences);
	free(w->position);
}
