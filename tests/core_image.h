/* core_image.h: the bytes of a region whose writer is gone, read by the tests for themselves.
 *
 * On purpose nothing of the product's own reader is used but the layout: what a test concludes from an image
 * does not depend on attach.c and snapshot.c.
 */
#ifndef TESTS_CORE_IMAGE_H
#define TESTS_CORE_IMAGE_H

#include "shm/event.h"
#include "shm/record.h"
#include "shm/region.h"

struct image {
	unsigned char *base;
	size_t size;
	struct region_header *header;
	struct region_process *process;
	struct region_zone *zones;
	const char *strings;
	region_word *thread_chunks;
	struct region_frame *frames;
	struct region_worst *worst;
	struct region_chunk *chunks;
	uint32_t zone_room, thread_room, frame_room, chunk_room, threads_used;
};

/* Reads /dev/shm/NAME whole; false, and a failure counted, when it is not there or no whole region. */
bool image_load(struct image *image, const char *name);
void image_free(struct image *image);

struct region_thread *image_thread(const struct image *image, uint32_t block); /* of threads_used */

/* Copies of a block's logs: units [first, head); caller frees. */
struct image_log {
	uint64_t *words;
	uint64_t first, head;
};
/* Two words for each event: its tick, and kind or id << 8. TICKs are not in it, so events behind one have lower
 * numbers. */
struct image_log image_events(const struct image *image, uint32_t block);
/* First: the first whole record. */
struct image_log image_parts(const struct image *image, uint32_t block);

/* The record at words[0 .. available); false: it is none.  nodes (freed by the caller) may be NULL. */
bool image_record(const uint64_t *words, uint64_t available, struct record_head *head, struct record_node **nodes);

uint32_t image_nodes(const struct image *image, uint32_t block);
struct region_node *image_node(const struct image *image, uint32_t block, uint32_t node);
struct region_node_ended *image_node_ended(const struct image *image, uint32_t block, uint32_t node);
uint32_t image_parent(const struct image *image, uint32_t block, uint32_t node);
uint32_t image_zone(const struct image *image, uint32_t block, uint32_t node);

/* The name of zone `id`; "" for the root. */
void image_zone_name(const struct image *image, uint32_t id, char *out, size_t size);

/* T of an interval; false: lapped, or not decided. */
bool image_end(const struct image *image, uint64_t interval, int64_t *end);
unsigned image_flags(const struct image *image, uint64_t interval);

uint64_t image_lost(const struct image *image, enum region_loss cause);

/* Entries of a zone by that name (or of all zones, NULL), over all blocks and owners. */
uint64_t image_entries(const struct image *image, const char *zone);

#endif
