/* region_ask.c: all questions of shm/snapshot.h, one after the other. */
#include "tests/region_ask.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "shm/snapshot_read.h"

#define BLOCKS 12 /* asked; a scribbled header may tell of any number */
#define ITEMS  300 /* zones, counters, frames, elements of history: so many */
#define NODES  UINT16_MAX
#define EVENTS 600
#define SLOTS  64
#define STACK  64

struct asking {
	struct attachment *a;
	uint32_t block, nodes; /* that are asked about now */
	uint64_t records;
};

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* ---- logs */

static bool use_record(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct asking *k = context;
	bool has = head->kind == RECORD_PART || head->kind == RECORD_MORE || head->kind == RECORD_MERGED ||
	           head->kind == RECORD_EXIT;
	int64_t left = head->end - head->bound;

	assert(head->bound >= 0 && head->end >= head->bound && head->intervals >= 1);
	assert(head->kind != RECORD_SPAN || head->nodes < k->nodes);
	for (uint32_t i = 0; has && i < head->nodes; i++) {
		assert(nodes[i].node < k->nodes && nodes[i].self >= 0 && nodes[i].self <= left);
		left -= nodes[i].self;
	}
	assert(!has || !head->nodes || left == 0);
	for (uint32_t g = 0; g < head->group_count; g++)
		for (uint32_t i = 0; i < head->groups[g].count; i++)
			assert(head->groups[g].values[i].node < k->nodes);
	k->records++;
	return true;
}

static bool use_value(const struct snapshot_value *v, void *context)
{
	struct asking *k = context;

	if (v->kind == VALUE_EVENT)
		assert(v->id >= 1 && v->id <= k->a->zone_count && v->tick >= 0);
	else if (v->kind == VALUE_NOTE)
		assert(v->id <= VALUE_NOTE_MAX && v->text[v->id] == '\0');
	else
		assert(v->kind == VALUE_SAMPLE && v->id < k->a->header.sections[REGION_COUNTERS].count && v->interval > 0);
	k->records++;
	return true;
}

static void ask_values(struct asking *k)
{
	struct snapshot_slot slots[SLOTS];
	uint64_t position = 0, lapped = 0, damaged = 0, torn = 0;
	uint32_t count = SLOTS;
	enum snapshot_result result;

	snapshot_slots(k->a, k->block, slots, &count, &torn);
	for (uint32_t i = 0; i < count && i < SLOTS; i++)
		assert(slots[i].counter < k->a->header.sections[REGION_COUNTERS].count && slots[i].born <= slots[i].interval);
	result = snapshot_values(k->a, k->block, &position, &lapped, &damaged, use_value, k);
	assert(result != SNAPSHOT_OK || position == WORD_LOAD(snapshot_block(k->a, k->block)->values.head));
}

static void ask_parts(struct asking *k)
{
	struct region_thread *t = snapshot_block(k->a, k->block);
	uint64_t position = 0, lapped = 0, damaged = 0;
	enum snapshot_result result = snapshot_parts(k->a, k->block, &position, &lapped, &damaged, NULL, use_record, k);

	assert(result != SNAPSHOT_OK || position == WORD_LOAD(t->parts.head));
	for (uint32_t slot = 0; slot < REGION_WORST_FRAMES + 1; slot++) {
		snapshot_kept(k->a, k->block, slot, 5, &damaged, use_record, k);
		if (slot < REGION_WORST_FRAMES)
			snapshot_kept(k->a, k->block, slot, WORD_LOAD(t->worst[slot].interval), &damaged, use_record, k);
	}
	for (uint32_t level = 0; level < REGION_HOURS + 1; level++) {
		position = 0;
		result = snapshot_hours(k->a, k->block, level, &position, &lapped, &damaged, NULL, use_record, k);
		assert(result != SNAPSHOT_OK || position == WORD_LOAD(t->hours[level].head));
	}
}

static void ask_measures(struct asking *k)
{
	struct snapshot_measures m = { 0 };
	uint32_t measures = k->a->header.sections[REGION_MEASURES].count;

	snapshot_measures(k->a, k->block, &m);
	for (uint32_t i = 0; i < m.count; i++)
		assert(m.values[i].measure < measures && /* the root is there also in a damaged block that says that it has no nodes */
		       (!m.values[i].node || m.values[i].node < snapshot_node_count(k->a, k->block)));
	free(m.values);
}

/* ---- a block's own words */

static void ask_nodes(struct asking *k, int64_t now)
{
	uint32_t bad = 0, count = least(k->nodes, NODES);
	struct snapshot_place *place = calloc(count + 1, sizeof *place);
	struct snapshot_total *total = calloc(count + 1, sizeof *total);
	struct snapshot_totals totals;
	struct snapshot_inferred inferred;

	assert(place && total);
	count = snapshot_nodes(k->a, k->block, 0, count, place, &bad);
	for (uint32_t n = 0; n < count; n++) {
		assert(n == 0 ? place[n].parent == UINT32_MAX : place[n].parent < n);
		assert(place[n].zone <= k->a->zone_count);
	}
	assert(bad <= count);
	snapshot_totals(k->a, k->block, now, count, total, &totals);
	assert(totals.current == 0 || totals.current < k->nodes);
	snapshot_infer(k->a, k->block, UINT64_MAX, count, total, &inferred);
	snapshot_infer(k->a, k->block, 20, count, total, &inferred);
	free(place);
	free(total);
}

static void ask_stack(struct asking *k)
{
	struct snapshot_open open[STACK];
	int64_t last;
	bool busy;
	uint32_t count = snapshot_stack(k->a, k->block, open, STACK, &busy, &last);

	assert(count <= STACK);
	for (uint32_t i = 0; i < count; i++) {
		assert(open[i].zone <= k->a->zone_count && open[i].node < k->nodes);
		assert(i == 0 || open[i].node < open[i - 1].node);
	}
}

static bool use_kept(const struct snapshot_kept_events *kept, void *context)
{
	const struct asking *k = context;

	assert(kept->count > 0 && kept->count <= CHUNK_EVENTS);
	for (uint64_t i = 0; i < kept->count; i++) {
		const struct snapshot_event *e = &kept->events[i];
		unsigned kind = e->what & 0xff;
		assert(kind < EVENT_KINDS && e->tick >= 0 && (!i || e->tick >= e[-1].tick));
		assert(kind == EVENT_START || kind == EVENT_TICK || e->what >> 8 < snapshot_node_number(k->a, k->block));
	}
	return true;
}

static void ask_events(struct asking *k, uint64_t transitions)
{
	struct snapshot_event events[EVENTS];
	uint64_t from = transitions > EVENTS ? transitions - EVENTS : 0;
	uint64_t first = snapshot_events(k->a, k->block, from, EVENTS, events);

	assert(first >= from && first <= from + EVENTS);
	snapshot_kept_events(k->a, k->block, 0, transitions, use_kept, k);
	snapshot_kept_events(k->a, k->block, from, UINT64_MAX, use_kept, k);
}

static void ask_block(struct asking *k, int64_t now)
{
	struct snapshot_thread t;

	if (snapshot_thread(k->a, k->block, &t) == SNAPSHOT_ABSENT)
		return;
	assert(memchr(t.name, '\0', sizeof t.name) && t.part_tail <= t.part_head && t.event_tail <= t.transitions);
	k->nodes = t.nodes;
	ask_nodes(k, now);
	ask_parts(k);
	ask_events(k, t.transitions);
	ask_stack(k);
	ask_values(k);
	ask_measures(k);
}

/* ---- the process */

static void ask_names(struct attachment *a, const struct snapshot_process *p)
{
	struct snapshot_zone zone;
	struct snapshot_counter counter;
	char text[32];

	for (uint32_t z = 0; z < least(p->zones, ITEMS); z++)
		if (snapshot_zone(a, z, &zone, text, sizeof text))
			assert(strlen(zone.name) + strlen(zone.file) < sizeof text);
	for (uint32_t c = 0; c < least(p->counters, ITEMS); c++)
		if (snapshot_counter(a, c, &counter, text, sizeof text))
			assert(strlen(counter.name) < sizeof text);
}

static void ask_frames(struct attachment *a, const struct snapshot_process *p)
{
	struct snapshot_frame frame;
	struct snapshot_group group;

	for (uint64_t i = 0; i < 2ull * least(a->frame_count, ITEMS); i++)
		if (snapshot_frame(a, p->epoch - i, &frame) == SNAPSHOT_OK)
			assert(frame.end > frame.start && strlen(frame.name) < SNAPSHOT_NAME);
	for (uint32_t i = 0; i <= least(a->worst_count, ITEMS); i++)
		if (snapshot_worst(a, i, &frame) == SNAPSHOT_OK)
			assert(frame.end > frame.start && frame.start >= 0);
	for (uint32_t i = 0; i < 20; i++)
		if (snapshot_group(a, i / 5, i % 5, &group) == SNAPSHOT_OK)
			assert(group.longest.end > group.longest.start && group.longest.start >= group.first);
}

static void ask_tables(struct attachment *a, const struct snapshot_process *p)
{
	struct snapshot_module module;
	struct snapshot_measure measure;
	char text[64];

	assert(p->modules <= a->header.sections[REGION_MODULES].count);
	assert(p->measures <= a->header.sections[REGION_MEASURES].count);
	for (uint32_t i = 0; i < least(p->modules, 64) + 1; i++)
		if (snapshot_module(a, i, &module, text, sizeof text))
			assert(strlen(module.path) + strlen(module.build) < sizeof text);
	for (uint32_t i = 0; i < least(p->measures, 64) + 1; i++)
		if (snapshot_measure(a, i, &measure, text, sizeof text))
			assert(measure.unit <= REGION_SAMPLES && measure.period >= 0);
}

uint64_t region_ask(struct attachment *a)
{
	struct asking k = { .a = a };
	struct snapshot_process p;
	bool estimated;
	int64_t now = 0;

	snapshot_process(a, &p);
	assert(p.zones <= a->zone_count && p.threads <= a->thread_count && p.counters <= a->header.sections[REGION_COUNTERS].count);
	assert(p.left_open <= p.zones && p.chunks_free <= a->chunk_count && p.string_bytes <= a->string_bytes);
	ask_names(a, &p);
	ask_tables(a, &p);
	ask_frames(a, &p);
	snapshot_now(a, &now);
	now = snapshot_newest_tick(a);
	assert(now >= 0 && snapshot_rate(a, &estimated) > 0);
	for (k.block = 0; k.block < least(a->thread_count, BLOCKS) + 1; k.block++)
		ask_block(&k, now);
	return k.records;
}
