/* core_values_read.c: reading all the values of a region. */
#include "tests/core_values.h"

#include <stdlib.h>
#include <string.h>
#include "tests/core_run.h"

static void *one_more(void *array, uint64_t count, size_t size)
{
	if (count & (count - 1) || (count && count < 64))
		return array;
	void *grown = realloc(array, (count ? 2 * count : 64) * size);
	if (!grown)
		abort();
	return grown;
}

static bool take(const struct snapshot_value *value, void *context)
{
	struct values *v = context;

	if (value->kind != VALUE_SAMPLE) {
		v->out_of_order += value->tick < v->ticks[v->block];
		v->ticks[v->block] = value->tick;
	}
	if (value->kind == VALUE_SAMPLE) {
		v->samples = one_more(v->samples, v->sample_count, sizeof *v->samples);
		v->samples[v->sample_count++] = (struct value_sample){ v->block, *value };
	} else if (value->kind == VALUE_NOTE) {
		v->notes = one_more(v->notes, v->note_count, sizeof *v->notes);
		struct value_note *note = &v->notes[v->note_count++];
		*note = (struct value_note){ v->block, value->flags, value->tick, "" };
		memcpy(note->text, value->text, value->id);
	} else {
		v->event_count++;
	}
	return true;
}

static void read_block(struct values *v, uint32_t block)
{
	static struct snapshot_slot slots[VALUES_COUNTERS];
	uint32_t count = VALUES_COUNTERS;

	v->block = block;
	enum snapshot_result result = snapshot_slots(&v->region, block, slots, &count, &v->torn[block]);
	CHECK(result == SNAPSHOT_OK || result == SNAPSHOT_ABSENT, "slots of block %u: %d", block, result);
	for (uint32_t i = 0; i < count; i++) {
		v->slots = one_more(v->slots, v->slot_count, sizeof *v->slots);
		v->slots[v->slot_count++] = (struct value_slot){ block, slots[i] };
	}
	result = snapshot_values(&v->region, block, &v->position[block], &v->lapped, &v->damaged, take, v);
	CHECK(result == SNAPSHOT_OK || result == SNAPSHOT_ABSENT || (v->region.live && result == SNAPSHOT_BUSY),
	      "log of block %u: %d", block, result);
}

static void read_all(struct values *v)
{
	struct snapshot_process p;

	snapshot_process(&v->region, &p);
	v->blocks = p.threads < VALUES_BLOCKS ? p.threads : VALUES_BLOCKS;
	memcpy(v->lost, p.lost, sizeof v->lost);
	v->slot_count = 0;
	memset(v->torn, 0, sizeof v->torn);
	for (uint32_t i = 0; i < p.counters && i < VALUES_COUNTERS; i++) {
		struct snapshot_counter counter;
		CHECK(snapshot_counter(&v->region, i, &counter, v->names[i], sizeof v->names[i]));
		v->flags[i] = counter.flags;
	}
	v->counter_count = p.counters;
	for (uint32_t block = 0; block < v->blocks; block++)
		read_block(v, block);
}

bool values_load(struct values *v, const char *name)
{
	char why[512];

	memset(v, 0, sizeof *v);
	if (!CHECK(region_attach(&v->region, name, 0, why, sizeof why) == ATTACH_OK, "%s", why))
		return false;
	CHECK(!v->region.live, "its writer lives");
	read_all(v);
	CHECK(v->damaged == 0, "%llu records", (unsigned long long)v->damaged);
	return true;
}

bool values_open(struct values *v, const char *name)
{
	memset(v, 0, sizeof *v);
	for (unsigned i = 0; i < 20000 && !core_exists(name); i++)
		core_sleep_us(500);
	return CHECK(region_attach(&v->region, name, 0, NULL, 0) == ATTACH_OK);
}

bool values_poll(struct values *v)
{
	bool live = region_refresh_life(&v->region);

	read_all(v);
	return live;
}

void values_free(struct values *v)
{
	region_detach(&v->region);
	free(v->slots);
	free(v->samples);
	free(v->notes);
}

int values_counter(const struct values *v, const char *name, bool real)
{
	for (uint32_t i = 0; i < v->counter_count; i++)
		if (!strcmp(v->names[i], name) && real == !!(v->flags[i] & COUNTER_REAL))
			return (int)i;
	return -1;
}

const struct snapshot_slot *values_slot(const struct values *v, int counter, uint32_t block)
{
	for (uint64_t i = 0; i < v->slot_count; i++)
		if (v->slots[i].block == block && (int)v->slots[i].slot.counter == counter)
			return &v->slots[i].slot;
	return NULL;
}

int64_t values_sum(const struct values *v, int counter)
{
	int64_t sum = 0;

	for (uint64_t i = 0; i < v->slot_count; i++)
		if ((int)v->slots[i].slot.counter == counter)
			sum += (int64_t)v->slots[i].slot.last;
	return sum;
}

double values_real_sum(const struct values *v, int counter)
{
	double sum = 0, value;

	for (uint64_t i = 0; i < v->slot_count; i++)
		if ((int)v->slots[i].slot.counter == counter) {
			memcpy(&value, &v->slots[i].slot.last, sizeof value);
			sum += value;
		}
	return sum;
}

uint64_t values_lost(const struct values *v)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < LOSS_MAX; i++)
		sum += v->lost[i];
	return sum;
}

uint64_t values_out_of_order(const struct values *v)
{
	uint64_t wrong = v->out_of_order;
	uint64_t newest[VALUES_COUNTERS] = { 0 };

	for (uint64_t i = 0; i < v->sample_count; i++) {
		const struct value_sample *s = &v->samples[i];
		if (i && s->block != s[-1].block)
			memset(newest, 0, sizeof newest);
		wrong += s->value.interval <= newest[s->value.id];
		newest[s->value.id] = s->value.interval;
	}
	return wrong;
}
