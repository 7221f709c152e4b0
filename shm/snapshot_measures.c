/* snapshot_measures.c: the table of measures, and what a block has of each.
 *
 * Each value is right by itself.  All of them are of one owner of the block, and `running` is behind one boundary, as
 * base_seq and the block's state are what they were when all is read.
 */
#include "shm/snapshot_read.h"

#include <stdlib.h>

#define ROUNDS 8u /* from one snapshot_process to the next, the chunks of all blocks are read so often, at most */

/* ---- the table */

uint32_t snapshot_measure_count(const struct attachment *a)
{
	return snapshot_filled(a, REGION_MEASURES, WORD_ACQUIRE(a->process->measures)); /* pairs with measure.c's release */
}

bool snapshot_measure(struct attachment *a, uint32_t index, struct snapshot_measure *out, char *text, size_t size)
{
	struct region_measure row;

	*out = (struct snapshot_measure){ .key = "", .title = "" };
	if (index >= snapshot_measure_count(a))
		return false;
	snapshot_load(a, REGION_MEASURES, index, &row, sizeof row);
	if (row.unit > REGION_SAMPLES || row.of > REGION_OF_SLICE || row.combine > REGION_MAX || row.period < 0)
		return false;
	out->unit = (enum region_unit)row.unit;
	out->of = (enum region_measure_of)row.of;
	out->combine = (enum region_combine)row.combine;
	out->flags = row.flags & (REGION_SAMPLED | REGION_ABSENT_IS_ZERO);
	out->period = out->flags & REGION_SAMPLED ? row.period : 0;
	return snapshot_texts(a, (const struct text_place[]){ { row.key, row.key_size }, { row.title, row.title_size } },
	                      &out->key, &out->title, text, size);
}

/* ---- values */

static bool add_value(struct snapshot_measures *out, const struct snapshot_measured *value)
{
	if (out->count == out->room) {
		uint32_t room = out->room ? 2 * out->room : 64;
		struct snapshot_measured *grown = realloc(out->values, room * sizeof *grown);
		if (!grown)
			return false;
		out->values = grown;
		out->room = room;
	}
	out->values[out->count++] = *value;
	return true;
}

static enum region_combine combine_of(const struct attachment *a, uint32_t measure)
{
	const struct region_measure *row = snapshot_element(a, REGION_MEASURES, measure);

	return row->combine == REGION_MAX ? REGION_MAX : REGION_SUM;
}

/* `claimed`: nobody owns the block just now. */
static struct snapshot_measured load_cell(struct region_measured *cell, enum region_combine combine, bool claimed)
{
	int64_t value = WORD_LOAD(cell->value), base = WORD_LOAD(cell->base), ended = WORD_LOAD(cell->ended);

	if (combine == REGION_MAX && claimed)
		return (struct snapshot_measured){ .ended = tick_max(tick_max(value, base), ended) };
	if (combine == REGION_MAX)
		return (struct snapshot_measured){ .owner = tick_max(value, base), .running = value, .ended = ended };
	if (claimed)
		return (struct snapshot_measured){ .ended = value };
	return (struct snapshot_measured){ .owner = tick_sub(value, ended), .running = tick_sub(value, base), .ended = ended };
}

/* The measure and the node of cell i of a chunk. */
static void identify_cell(uint64_t what, unsigned i, struct snapshot_measured *value)
{
	uint32_t first = (uint32_t)(what >> 32);
	bool slices = (uint32_t)what == MEASURED_SLICES;

	value->measure = slices ? first + i : (uint32_t)what;
	value->node = slices ? 0 : first + i;
}

/* BUSY: no memory. */
static enum snapshot_result read_chunk(const struct attachment *a, struct region_measured_chunk *chunk, uint32_t nodes,
                                       bool claimed, struct snapshot_measures *out)
{
	uint64_t what = WORD_LOAD(chunk->what);
	uint32_t measures = snapshot_measure_count(a);

	if (what >> 32 > UINT32_MAX - CHUNK_MEASURED)
		return SNAPSHOT_DAMAGED;
	for (unsigned i = 0; i < CHUNK_MEASURED; i++) {
		struct snapshot_measured at, value;
		identify_cell(what, i, &at);
		if (at.measure >= measures || at.node >= nodes)
			break; /* nothing is there yet */
		value = load_cell(&chunk->cells[i], combine_of(a, at.measure), claimed);
		value.measure = at.measure;
		value.node = at.node;
		if ((value.owner | value.running | value.ended) && !add_value(out, &value))
			return SNAPSHOT_BUSY;
	}
	return SNAPSHOT_OK;
}

/* Amounts that stand in the block itself are known even if they are 0.  BUSY: no memory. */
static enum snapshot_result read_block(const struct attachment *a, struct region_thread *t, bool claimed,
                                       struct snapshot_measures *out)
{
	uint64_t measures = WORD_LOAD(t->cpu_measures);

	for (unsigned i = 0; i < REGION_CPU; i++) {
		unsigned measure = measures >> 8 * i & 0xff;
		int64_t value = WORD_LOAD(t->cpu[i].value), ended = WORD_LOAD(t->cpu[i].ended);
		struct snapshot_measured one = { .measure = measure - 1, .ended = claimed ? value : ended, .read = true,
			                         .owner = claimed || !(measures & REGION_CPU_READ) ? -1 : tick_sub(value, ended) };
		if (measure && measure <= snapshot_measure_count(a) && !add_value(out, &one))
			return SNAPSHOT_BUSY;
	}
	return SNAPSHOT_OK;
}

/* Chunks come from the newest to the oldest. */
static enum snapshot_result read_chunks(const struct attachment *a, uint32_t block, struct region_thread *t, bool claimed,
                                        struct snapshot_measures *out)
{
	uint64_t link = WORD_ACQUIRE(t->measured_chunk), expected = UINT64_MAX; /* pairs with measure.c's release */
	uint32_t nodes = snapshot_node_count(a, block);

	while (link) {
		struct region_measured_chunk *chunk = (struct region_measured_chunk *)snapshot_chunk(a, link);
		uint64_t seq = chunk ? WORD_LOAD(chunk->seq) : 0;
		if (!chunk || seq >= a->chunk_count || (expected != UINT64_MAX && seq != expected) ||
		    !snapshot_holds(a, ++a->budget->measured_chunks / ROUNDS))
			return SNAPSHOT_DAMAGED;
		enum snapshot_result result = read_chunk(a, chunk, nodes, claimed, out);
		if (result != SNAPSHOT_OK)
			return result;
		link = WORD_LOAD(chunk->link);
		if (!seq)
			return link ? SNAPSHOT_DAMAGED : SNAPSHOT_OK;
		expected = seq - 1; /* they descend, so this ends whatever the links say */
	}
	return expected == UINT64_MAX ? SNAPSHOT_OK : SNAPSHOT_DAMAGED;
}

enum snapshot_result snapshot_measures(struct attachment *a, uint32_t block, struct snapshot_measures *out)
{
	struct region_thread *t = snapshot_block(a, block);
	uint64_t before = 0;

	out->count = 0;
	if (!t)
		return SNAPSHOT_ABSENT;
	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t state = WORD_ACQUIRE(t->state), mark = seq_read_begin(&t->base_seq), head = WORD_ACQUIRE(t->head);
		bool stands = i && mark == before;
		out->in_flight = WORD_LOAD(t->intent) != head;
		out->count = 0;
		out->generation = BLOCK_GENERATION(state);
		out->epoch = WORD_LOAD(t->epoch);
		out->unmeasured = WORD_LOAD(t->unmeasured);
		out->unmeasured_ended = WORD_LOAD(t->unmeasured_ended);
		enum snapshot_result result = read_chunks(a, block, t, BLOCK_STATE(state) == BLOCK_CLAIMED, out);
		if (result == SNAPSHOT_OK)
			result = read_block(a, t, BLOCK_STATE(state) == BLOCK_CLAIMED, out);
		if ((seq_read_valid(&t->base_seq, mark) && WORD_LOAD(t->state) == state) || !a->live)
			return result;
		if (stands && i == SEQ_TRIES - 1 && WORD_LOAD(t->base_seq) == mark) {
			out->in_flight = true;
			return result;
		}
		before = mark;
		snapshot_wait(a, i);
	}
	return SNAPSHOT_BUSY;
}
