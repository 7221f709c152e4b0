/* fields.c: the table of fields, and the elements that the good region has. */
#include "tests/fuzz/fields.h"

#include <assert.h>
#include <stdlib.h>

#define SIZE_OF(type, member) sizeof(((struct type *)0)->member)
#define ONE(place, type, member, meaning) \
	{ #type "." #member, place, meaning, offsetof(struct type, member), SIZE_OF(type, member), 1 }
#define MANY(place, type, member, width, meaning) \
	{ #type "." #member, place, meaning, offsetof(struct type, member), width, SIZE_OF(type, member) / (width) }
#define RAW(name, place, meaning, offset, width, repeat) { name, place, meaning, offset, width, repeat }
#define HAPPENS(name, meaning) { name, IN_ANY, meaning, 0, 0, 0 }

const struct field fields[] = {
	ONE(IN_HEADER, region_header, magic, MEANS_NUMBER),
	ONE(IN_HEADER, region_header, byte_order, MEANS_NUMBER),
	ONE(IN_HEADER, region_header, word_bits, MEANS_NUMBER),
	ONE(IN_HEADER, region_header, major, MEANS_NUMBER),
	ONE(IN_HEADER, region_header, minor, MEANS_NUMBER),
	ONE(IN_HEADER, region_header, header_size, MEANS_COUNT),
	ONE(IN_HEADER, region_header, size, MEANS_OFFSET),
	ONE(IN_HEADER, region_header, pid, MEANS_NUMBER),
	ONE(IN_HEADER, region_header, clock, MEANS_NUMBER),
	ONE(IN_HEADER, region_header, process_start, MEANS_NUMBER),
	ONE(IN_HEADER, region_header, ticks_per_s, MEANS_NUMBER),
	MANY(IN_HEADER, region_header, created, 8, MEANS_TICK),
	ONE(IN_HEADER, region_header, history_levels, MEANS_COUNT),
	ONE(IN_HEADER, region_header, history_slots, MEANS_COUNT),
	MANY(IN_HEADER, region_header, boot_id, 1, MEANS_BYTES),
	MANY(IN_HEADER, region_header, program, 1, MEANS_BYTES),
	MANY(IN_HEADER, region_header, command, 1, MEANS_BYTES),
	RAW("header, a byte", IN_HEADER, MEANS_BYTES, 0, 1, sizeof(struct region_header)),
	ONE(IN_SECTION, region_section, offset, MEANS_OFFSET),
	ONE(IN_SECTION, region_section, stride, MEANS_COUNT),
	ONE(IN_SECTION, region_section, count, MEANS_COUNT),

	ONE(IN_PROCESS, region_process, epoch, MEANS_INTERVAL),
	ONE(IN_PROCESS, region_process, enabled, MEANS_FLAGS),
	ONE(IN_PROCESS, region_process, zones, MEANS_COUNT),
	ONE(IN_PROCESS, region_process, strings, MEANS_COUNT),
	ONE(IN_PROCESS, region_process, threads, MEANS_COUNT),
	ONE(IN_PROCESS, region_process, chunks_free, MEANS_COUNT),
	ONE(IN_PROCESS, region_process, state, MEANS_FLAGS),
	ONE(IN_PROCESS, region_process, marker, MEANS_ID),
	ONE(IN_PROCESS, region_process, frames, MEANS_INTERVAL),
	ONE(IN_PROCESS, region_process, left_open, MEANS_ID),
	ONE(IN_PROCESS, region_process, instant_seq, MEANS_SEQ),
	MANY(IN_PROCESS, region_process, latest, 8, MEANS_TICK),
	ONE(IN_PROCESS, region_process, worst_floor, MEANS_TICK),
	ONE(IN_PROCESS, region_process, pair_ps, MEANS_NUMBER),
	ONE(IN_PROCESS, region_process, pair_cold_ps, MEANS_NUMBER),
	ONE(IN_PROCESS, region_process, counters, MEANS_COUNT),
	MANY(IN_PROCESS, region_process, lost, 8, MEANS_NUMBER),

	ONE(IN_ZONE, region_zone, name, MEANS_OFFSET),
	ONE(IN_ZONE, region_zone, name_size, MEANS_COUNT),
	ONE(IN_ZONE, region_zone, file, MEANS_OFFSET),
	ONE(IN_ZONE, region_zone, file_size, MEANS_COUNT),
	ONE(IN_ZONE, region_zone, line, MEANS_NUMBER),
	ONE(IN_ZONE, region_zone, flags, MEANS_FLAGS),
	RAW("strings", IN_TEXT, MEANS_BYTES, 0, 1, 1),
	RAW("threads", IN_BLOCKS, MEANS_LINK, 0, 8, 1),
	ONE(IN_COUNTER, region_counter, name, MEANS_OFFSET),
	ONE(IN_COUNTER, region_counter, name_size, MEANS_COUNT),
	ONE(IN_COUNTER, region_counter, flags, MEANS_FLAGS),

	ONE(IN_FRAME, region_frame, end, MEANS_TICK),
	ONE(IN_FRAME, region_frame, info, MEANS_FLAGS),
	ONE(IN_FRAME, region_frame, number, MEANS_INTERVAL),
	ONE(IN_FRAME, region_frame, name, MEANS_OFFSET),
	ONE(IN_GROUP, region_group, seq, MEANS_SEQ),
	ONE(IN_GROUP, region_group, first, MEANS_TICK),
	ONE(IN_GROUP, region_group, start, MEANS_TICK),
	ONE(IN_GROUP, region_group, length, MEANS_TICK),
	ONE(IN_GROUP, region_group, interval, MEANS_INTERVAL),
	ONE(IN_GROUP, region_group, number, MEANS_INTERVAL),
	ONE(IN_GROUP, region_group, info, MEANS_FLAGS),
	ONE(IN_GROUP, region_group, name, MEANS_OFFSET),
	ONE(IN_WORST, region_worst, seq, MEANS_SEQ),
	ONE(IN_WORST, region_worst, interval, MEANS_INTERVAL),
	ONE(IN_WORST, region_worst, start, MEANS_TICK),
	ONE(IN_WORST, region_worst, end, MEANS_TICK),
	ONE(IN_WORST, region_worst, number, MEANS_INTERVAL),
	ONE(IN_WORST, region_worst, info, MEANS_FLAGS),
	ONE(IN_WORST, region_worst, name, MEANS_OFFSET),

	ONE(IN_THREAD, region_thread, intent, MEANS_SEQ),
	ONE(IN_THREAD, region_thread, head, MEANS_COUNT),
	ONE(IN_THREAD, region_thread, last, MEANS_TICK),
	ONE(IN_THREAD, region_thread, current, MEANS_ID),
	ONE(IN_THREAD, region_thread, nodes, MEANS_COUNT),
	ONE(IN_THREAD, region_thread, node_chunk, MEANS_LINK),
	ONE(IN_THREAD, region_thread, event_tail, MEANS_COUNT),
	ONE(IN_THREAD, region_thread, event_chunk, MEANS_LINK),
	ONE(IN_THREAD, region_thread, base_seq, MEANS_SEQ),
	ONE(IN_THREAD, region_thread, epoch, MEANS_INTERVAL),
	ONE(IN_THREAD, region_thread, bound, MEANS_TICK),
	ONE(IN_THREAD, region_thread, started, MEANS_TICK),
	RAW("region_thread.state", IN_THREAD, MEANS_FLAGS, offsetof(struct region_thread, state), 1, 1),
	RAW("region_thread.generation", IN_THREAD, MEANS_ID, offsetof(struct region_thread, state) + 1, 4, 1),
	ONE(IN_THREAD, region_thread, tid, MEANS_NUMBER),
	ONE(IN_THREAD, region_thread, name_seq, MEANS_SEQ),
	ONE(IN_THREAD, region_thread, slot_chunk, MEANS_LINK),
	MANY(IN_THREAD, region_thread, name, 1, MEANS_BYTES),
	ONE(IN_LOG, region_log, head, MEANS_COUNT),
	ONE(IN_LOG, region_log, tail, MEANS_COUNT),
	ONE(IN_LOG, region_log, chunk, MEANS_LINK),
	ONE(IN_LOG, region_log, tail_record, MEANS_COUNT),
	ONE(IN_KEPT, region_kept, seq, MEANS_SEQ),
	ONE(IN_KEPT, region_kept, interval, MEANS_INTERVAL),
	ONE(IN_KEPT, region_kept, chunk, MEANS_LINK),
	ONE(IN_KEPT, region_kept, words, MEANS_COUNT),

	ONE(IN_CHUNK, region_chunk, link, MEANS_LINK),
	ONE(IN_CHUNK, region_chunk, seq, MEANS_SEQ),
	MANY(IN_CHUNK, region_chunk, words, 8, MEANS_NUMBER),
	ONE(IN_NODE, region_node, self, MEANS_TICK),
	ONE(IN_NODE, region_node, count, MEANS_NUMBER),
	ONE(IN_NODE, region_node, start, MEANS_TICK),
	ONE(IN_NODE, region_node, longest, MEANS_TICK),
	ONE(IN_NODE, region_node, base_self, MEANS_TICK),
	ONE(IN_NODE, region_node, base_count, MEANS_NUMBER),
	ONE(IN_NODE, region_node, run_longest, MEANS_TICK),
	RAW("region_node.parent", IN_NODE, MEANS_ID, offsetof(struct region_node, place), 4, 1),
	RAW("region_node.zone", IN_NODE, MEANS_ID, offsetof(struct region_node, place) + 4, 4, 1),
	ONE(IN_ENDED, region_node_ended, self, MEANS_TICK),
	ONE(IN_ENDED, region_node_ended, count, MEANS_NUMBER),
	ONE(IN_ENDED, region_node_ended, longest, MEANS_TICK),
	ONE(IN_ENDED, region_node_ended, born, MEANS_INTERVAL),
	ONE(IN_SLOT, region_slot, counter, MEANS_ID),
	ONE(IN_SLOT, region_slot, born, MEANS_INTERVAL),
	ONE(IN_SLOT, region_slot, seq, MEANS_SEQ),
	ONE(IN_SLOT, region_slot, owner, MEANS_ID),
	ONE(IN_SLOT, region_slot, interval, MEANS_INTERVAL),
	ONE(IN_SLOT, region_slot, last, MEANS_NUMBER),
	ONE(IN_SLOT, region_slot, least, MEANS_NUMBER),
	ONE(IN_SLOT, region_slot, most, MEANS_NUMBER),
	ONE(IN_SLOT, region_slot, run_least, MEANS_NUMBER),
	ONE(IN_SLOT, region_slot, run_most, MEANS_NUMBER),
	RAW("event", IN_EVENT, MEANS_TICK, 0, 8, 1),
	RAW("event, kind", IN_EVENT, MEANS_FLAGS, 0, 1, 1),
	RAW("event, node", IN_EVENT, MEANS_ID, 0, 2, 1),
	RAW("event, its tick", IN_EVENT, MEANS_NUMBER, 4, 4, 1),

	RAW("record, kind", IN_RECORD, MEANS_FLAGS, 0, 1, 1),
	RAW("record, flags", IN_RECORD, MEANS_FLAGS, 1, 1, 1),
	RAW("record, generation", IN_RECORD, MEANS_ID, 2, 2, 1),
	RAW("record, words", IN_RECORD, MEANS_COUNT, 4, 4, 1),
	RAW("record, interval", IN_RECORD, MEANS_INTERVAL, 8, 8, 1),
	RAW("record, bound", IN_RECORD, MEANS_TICK, 16, 8, 1),
	RAW("record, end", IN_RECORD, MEANS_TICK, 24, 8, 1),
	RAW("record, nodes", IN_RECORD, MEANS_COUNT, 32, 4, 1),
	RAW("record, intervals", IN_RECORD, MEANS_COUNT, 36, 4, 1),
	RAW("record, a packed byte", IN_RECORD, MEANS_BYTES, 40, 1, 48),
	RAW("value, kind and flags", IN_VALUE, MEANS_FLAGS, 0, 1, 1),
	RAW("value, words", IN_VALUE, MEANS_COUNT, 1, 1, 1),
	RAW("value, generation", IN_VALUE, MEANS_ID, 2, 2, 1),
	RAW("value, id", IN_VALUE, MEANS_ID, 4, 4, 1),
	RAW("value, interval or tick", IN_VALUE, MEANS_TICK, 8, 8, 1),
	RAW("value, its values or text", IN_VALUE, MEANS_NUMBER, 16, 8, 3),
	RAW("any word", IN_ANY, MEANS_NUMBER, 0, 8, 8),

	HAPPENS("the file is cut", MEANS_CUT),
	HAPPENS("pages are lost", MEANS_PUNCH),
	HAPPENS("the writer dies", MEANS_DEATH),
	HAPPENS("a look", MEANS_LOOK),
	HAPPENS("a key", MEANS_KEY),

	/* Behind all others, as recipes know the fields by their numbers. */
	ONE(IN_PROCESS, region_process, modules, MEANS_COUNT),
	ONE(IN_PROCESS, region_process, measures, MEANS_COUNT),
	ONE(IN_ZONE, region_zone, module, MEANS_ID),
	ONE(IN_ZONE, region_zone, offset, MEANS_NUMBER),
	ONE(IN_COUNTER, region_counter, unit, MEANS_OFFSET),
	ONE(IN_MODULE, region_module, path, MEANS_OFFSET),
	ONE(IN_MODULE, region_module, path_size, MEANS_COUNT),
	ONE(IN_MODULE, region_module, build, MEANS_OFFSET),
	ONE(IN_MODULE, region_module, build_size, MEANS_COUNT),
	ONE(IN_MEASURE, region_measure, key, MEANS_OFFSET),
	ONE(IN_MEASURE, region_measure, key_size, MEANS_COUNT),
	ONE(IN_MEASURE, region_measure, title, MEANS_OFFSET),
	ONE(IN_MEASURE, region_measure, title_size, MEANS_COUNT),
	MANY(IN_MEASURE, region_measure, unit, 4, MEANS_FLAGS),
	MANY(IN_MEASURE, region_measure, of, 4, MEANS_FLAGS),
	MANY(IN_MEASURE, region_measure, combine, 4, MEANS_FLAGS),
	MANY(IN_MEASURE, region_measure, flags, 4, MEANS_FLAGS),
	ONE(IN_MEASURE, region_measure, period, MEANS_NUMBER),
	ONE(IN_THREAD, region_thread, measured_chunk, MEANS_LINK),
	ONE(IN_THREAD, region_thread, unmeasured, MEANS_FLAGS),
	ONE(IN_THREAD, region_thread, unmeasured_ended, MEANS_FLAGS),
	MANY(IN_THREAD, region_thread, cpu_measures, 1, MEANS_ID),
	MANY(IN_THREAD, region_thread, cpu, 8, MEANS_NUMBER),
	ONE(IN_MEASURED, region_measured_chunk, link, MEANS_LINK),
	ONE(IN_MEASURED, region_measured_chunk, seq, MEANS_SEQ),
	MANY(IN_MEASURED, region_measured_chunk, what, 4, MEANS_ID),
	ONE(IN_CELL, region_measured, value, MEANS_NUMBER),
	ONE(IN_CELL, region_measured, base, MEANS_NUMBER),
	ONE(IN_CELL, region_measured, ended, MEANS_NUMBER),
	RAW("groups, a byte", IN_GROUPS, MEANS_BYTES, 0, 1, 48),
};
const unsigned field_count = sizeof fields / sizeof *fields;
static_assert(sizeof fields / sizeof *fields <= 256, "a field is a byte of a recipe");

unsigned field_that_means(enum meaning meaning)
{
	unsigned i = 0;

	while (fields[i].meaning != meaning)
		i++;
	return i;
}

/* ---- elements */

static void add(struct places *p, const struct good *g, enum place place, const volatile void *element)
{
	uint32_t count = p->count[place];

	if (!(count & (count - 1))) {
		p->at[place] = realloc(p->at[place], (count ? 2u * count : 1u) * sizeof *p->at[place]);
		assert(p->at[place]);
	}
	p->at[place][p->count[place]++] = (uint32_t)((const volatile unsigned char *)element - g->b.base);
}

static region_word *log_word(const struct builder *b, const struct builder_log *log, uint64_t word)
{
	return &b->chunks[log->chunks[word / CHUNK_WORDS]].words[word % CHUNK_WORDS];
}

static void add_records(struct places *p, const struct good *g, const struct builder_log *log)
{
	for (uint64_t at = 0; at < log->head; at += WORD_LOAD(*log_word(&g->b, log, at)) >> 32)
		add(p, g, IN_RECORD, log_word(&g->b, log, at));
}

static void add_values(struct places *p, const struct good *g, const struct builder_log *log)
{
	for (uint64_t at = 0; at < log->head; at += WORD_LOAD(*log_word(&g->b, log, at)) >> 8 & 0xff)
		add(p, g, IN_VALUE, log_word(&g->b, log, at));
}

static void add_slots(struct places *p, const struct good *g, const struct region_thread *t)
{
	uint64_t link = WORD_LOAD(t->slot_chunk);
	struct region_slot_chunk *chunk = (struct region_slot_chunk *)&g->b.chunks[link - 1];

	for (unsigned i = 0; link && i < 4; i++) /* the used ones, and one behind them */
		add(p, g, IN_SLOT, &chunk->slots[i]);
}

static void add_measured(struct places *p, const struct good *g, const struct region_thread *t)
{
	for (uint64_t link = WORD_LOAD(t->measured_chunk); link;) {
		struct region_measured_chunk *chunk = (struct region_measured_chunk *)&g->b.chunks[link - 1];
		add(p, g, IN_MEASURED, chunk);
		for (unsigned i = 0; i < 8; i++)
			add(p, g, IN_CELL, &chunk->cells[i]);
		link = WORD_LOAD(chunk->link);
	}
}

static void add_thread(struct places *p, struct good *g, uint32_t block)
{
	struct region_thread *t = &g->b.threads[block];
	struct builder_log *events = &g->b.events[block];
	uint64_t kept;

	add(p, g, IN_THREAD, t);
	add(p, g, IN_LOG, &t->parts);
	add(p, g, IN_LOG, &t->values);
	for (unsigned i = 0; i < REGION_HOURS; i++)
		add(p, g, IN_LOG, &t->hours[i]);
	for (unsigned i = 0; i < 3; i++)
		add(p, g, IN_KEPT, &t->worst[i]);
	for (uint32_t n = 0; n < WORD_LOAD(t->nodes); n++) {
		add(p, g, IN_NODE, builder_node_at(&g->b, block, n));
		add(p, g, IN_ENDED, builder_ended_at(&g->b, block, n));
	}
	for (uint64_t e = 0; e < WORD_LOAD(t->head); e++) {
		if (e % CHUNK_EVENTS == 0)
			add(p, g, IN_EVENT, &g->b.chunks[events->chunks[e / CHUNK_EVENTS]].words[0]);
		add(p, g, IN_EVENT, &g->b.chunks[events->chunks[e / CHUNK_EVENTS]].words[1 + e % CHUNK_EVENTS]);
	}
	add_records(p, g, &g->b.parts[block]);
	add_records(p, g, &g->b.hours[block][0]);
	kept = WORD_LOAD(t->worst[1].chunk);
	if (kept) {
		add(p, g, IN_RECORD, &g->b.chunks[kept - 1].words[0]);
		add(p, g, IN_GROUPS, &g->b.chunks[kept - 1].words[RECORD_HEAD_WORDS + 2]);
	}
	add_measured(p, g, t);
	add_values(p, g, &g->b.values[block]);
	add_slots(p, g, t);
}

void places_find(struct places *p, const struct good *good)
{
	struct good *g = (struct good *)good; /* the builder's look-ups take no const */
	struct region_process *process = g->b.process;

	*p = (struct places){ 0 };
	add(p, g, IN_HEADER, g->b.header);
	for (unsigned i = 0; i < REGION_SECTIONS; i++)
		add(p, g, IN_SECTION, &g->b.header->sections[i]);
	add(p, g, IN_PROCESS, process);
	for (uint64_t i = 0; i <= WORD_LOAD(process->zones); i++)
		add(p, g, IN_ZONE, &g->b.zones[i]);
	for (uint64_t i = 0; i < WORD_LOAD(process->strings); i++)
		add(p, g, IN_TEXT, &g->b.strings[i]);
	for (uint64_t i = 0; i < WORD_LOAD(process->counters); i++)
		add(p, g, IN_COUNTER, &g->b.counters[i]);
	for (uint64_t i = 0; i < WORD_LOAD(process->modules); i++)
		add(p, g, IN_MODULE, &g->b.modules[i]);
	for (uint64_t i = 0; i < WORD_LOAD(process->measures); i++)
		add(p, g, IN_MEASURE, &g->b.measures[i]);
	for (uint32_t i = 0; i < g->b.header->sections[REGION_THREADS].count; i++)
		add(p, g, IN_BLOCKS, &g->b.thread_chunks[i]);
	for (uint32_t i = 0; i < g->b.sizes.frames; i++)
		add(p, g, IN_FRAME, &g->b.frames[i]);
	for (uint32_t i = 0; i < BUILDER_LEVELS * BUILDER_SLOTS; i++)
		add(p, g, IN_GROUP, &g->b.history[i]);
	for (uint32_t i = 0; i < BUILDER_WORST; i++)
		add(p, g, IN_WORST, &g->b.worst[i]);
	for (uint32_t i = 0; i < g->b.chunks_used; i++)
		add(p, g, IN_CHUNK, &g->b.chunks[i]);
	for (uint32_t i = 0; i < WORD_LOAD(process->threads); i++)
		add_thread(p, g, i);
	for (size_t at = REGION_PAGE; at < g->used; at += 64)
		add(p, g, IN_ANY, g->b.base + at);
}

size_t field_at(const struct places *p, const struct field *f, uint32_t index)
{
	uint32_t count = p->count[f->place];

	if (!f->width)
		return SIZE_MAX;
	return p->at[f->place][index % count] + f->offset + (size_t)(index / count % f->repeat) * f->width;
}
