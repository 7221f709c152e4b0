/* core_values.h: all the counters, events and notes of a region, as the product's reader delivers them. */
#ifndef TESTS_CORE_VALUES_H
#define TESTS_CORE_VALUES_H

#include "shm/snapshot.h"

struct value_slot {
	uint32_t block;
	struct snapshot_slot slot;
};
struct value_sample {
	uint32_t block;
	struct snapshot_value value;
};
struct value_note {
	uint32_t block;
	unsigned flags;
	int64_t tick;
	char text[VALUE_NOTE_MAX + 1];
};

#define VALUES_BLOCKS 1024
#define VALUES_COUNTERS 1024

struct values {
	struct attachment region;
	uint32_t counter_count, blocks, block;
	char names[VALUES_COUNTERS][32];
	unsigned flags[VALUES_COUNTERS];
	uint64_t lost[LOSS_MAX];
	uint64_t torn[VALUES_BLOCKS];
	uint64_t position[VALUES_BLOCKS];
	struct value_slot *slots;
	struct value_sample *samples;
	struct value_note *notes;
	uint64_t slot_count, sample_count, note_count, event_count;
	uint64_t lapped, damaged; /* words, records */
	uint64_t out_of_order;
	int64_t ticks[VALUES_BLOCKS];
};

/* Loads the values of a region whose writer is dead; false, and a failure counted: it cannot be read. */
bool values_load(struct values *v, const char *name);
/* Opens a region that is being written, and waits for it. Each poll reads what is new; false: its writer is
 * dead, and all was read. */
bool values_open(struct values *v, const char *name);
bool values_poll(struct values *v);
void values_free(struct values *v);

int values_counter(const struct values *v, const char *name, bool real); /* its index, -1: there is none */
const struct snapshot_slot *values_slot(const struct values *v, int counter, uint32_t block);
int64_t values_sum(const struct values *v, int counter); /* over slots */
double values_real_sum(const struct values *v, int counter);
uint64_t values_lost(const struct values *v); /* of all causes */
/* Samples of one counter and owner, or events, that stand before older ones. */
uint64_t values_out_of_order(const struct values *v);

#define STORM  10000000 /* events of the mode "storm" */
#define STEADY 60000    /* frames of the mode "steady" */
/* The program of that mode; its exit status. */
int values_run(const char *mode);

#endif
