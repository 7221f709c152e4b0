/* core_watch.h: a reader beside a running program, that remembers what it saw.
 *
 * It uses the product's reader: what it remembers is compared afterwards with the region's own bytes.
 */
#ifndef TESTS_CORE_WATCH_H
#define TESTS_CORE_WATCH_H

#include "shm/snapshot.h"

/* A record that was delivered. */
struct watched {
	uint32_t block;
	struct record_head head;
	uint64_t hash; /* of its nodes */
};

/* A part that was inferred before the thread published it. */
struct inferred {
	uint32_t block;
	unsigned generation;
	struct snapshot_inferred part;
	uint64_t newest, hash;
};

struct watch {
	struct attachment region;
	struct watched *records;
	struct inferred *inferences;
	uint64_t record_count, record_room, inference_count, inference_room;
	uint64_t *position; /* of each block, in its part log */
	uint64_t lapped, damaged, busy, in_flight, looks, torn, at_bound;
	uint64_t seen_ended; /* interval that was ended at the poll before */
	bool infer;
	uint32_t block; /* being read */
};

/* Waits at most 10 s for the region. */
bool watch_open(struct watch *w, const char *name);

/* Reads what is new; false: the writer is dead, and everything was read. */
bool watch_poll(struct watch *w);

/* Polls with pauses until the writer, a child of the caller, is dead and read to its end; it is given `seconds`. */
void watch_to_end(struct watch *w, pid_t writer, unsigned pause_us, unsigned seconds);
void watch_close(struct watch *w);

/* The hash that watched.hash has; nodes without anything count nothing. */
uint64_t watch_hash(const struct record_node *nodes, uint32_t count);

#endif
