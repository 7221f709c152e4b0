/* core_image.c: the bytes of a dead region, read by the tests for themselves. */
#include "tests/core_image.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/core_run.h"

static void *section(struct image *image, enum region_section_id id, uint32_t stride, uint32_t *count)
{
	const struct region_section *s = &image->header->sections[id];
	uint64_t end = s->offset + (uint64_t)s->stride * s->count;

	CHECK(s->stride == stride && s->offset % 64 == 0 && end <= image->size, "section %d", id);
	*count = s->count;
	return image->base + s->offset;
}

static bool read_file(struct image *image, const char *name)
{
	char path[300];
	struct stat st;
	size_t have = 0;

	snprintf(path, sizeof path, "/dev/shm/%s", name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	fstat(fd, &st);
	image->size = (size_t)st.st_size;
	image->base = aligned_alloc(REGION_PAGE, (image->size + REGION_PAGE - 1) & ~(size_t)(REGION_PAGE - 1));
	while (have < image->size) {
		ssize_t got = pread(fd, image->base + have, image->size - have, (off_t)have);
		if (got <= 0)
			break;
		have += (size_t)got;
	}
	close(fd);
	return have == image->size;
}

bool image_load(struct image *image, const char *name)
{
	uint32_t count;

	*image = (struct image){ 0 };
	if (!CHECK(read_file(image, name), "region %s", name))
		return false;
	image->header = (struct region_header *)image->base;
	if (!CHECK(image->size >= REGION_PAGE && WORD_LOAD(image->header->magic) == REGION_MAGIC &&
	               image->header->size == image->size,
	           "region %s", name)) {
		image_free(image);
		return false;
	}
	image->process = section(image, REGION_PROCESS, sizeof *image->process, &count);
	image->zones = section(image, REGION_ZONES, sizeof *image->zones, &image->zone_room);
	image->strings = section(image, REGION_STRINGS, 1, &count);
	image->thread_chunks = section(image, REGION_THREADS, sizeof *image->thread_chunks, &image->thread_room);
	image->thread_room *= 4;
	image->frames = section(image, REGION_FRAMES, sizeof *image->frames, &image->frame_room);
	image->worst = section(image, REGION_WORST, sizeof *image->worst, &count);
	image->chunks = section(image, REGION_CHUNKS, sizeof *image->chunks, &image->chunk_room);
	image->threads_used = (uint32_t)WORD_LOAD(image->process->threads);
	CHECK(image->threads_used <= image->thread_room, "%u blocks", image->threads_used);
	return true;
}

struct region_thread *image_thread(const struct image *image, uint32_t block)
{
	static struct region_thread none;
	uint64_t chunk = WORD_LOAD(image->thread_chunks[block / 4]);

	if (!CHECK(chunk && chunk <= image->chunk_room, "block %u is in chunk %llu", block, (unsigned long long)chunk))
		return &none;
	return (struct region_thread *)&image->chunks[chunk - 1] + block % 4;
}

void image_free(struct image *image)
{
	free(image->base);
	image->base = NULL;
}

/* Walks the chain from the newest chunk; nobody writes any more, so what stands there is what was left. */
static struct image_log copy_log(const struct image *image, uint64_t newest, uint64_t tail, uint64_t head)
{
	const uint64_t units = CHUNK_WORDS;
	struct image_log log = { NULL, tail < head ? tail : head, head };
	uint64_t have = head, link = newest, count = head - log.first;

	log.words = malloc((size_t)(count + 1) * 8);
	while (have > log.first && link) {
		if (!CHECK(link <= image->chunk_room, "link %llu", (unsigned long long)link))
			break;
		struct region_chunk *chunk = &image->chunks[link - 1];
		uint64_t begin = WORD_LOAD(chunk->seq) * units;
		if (begin + units < have)
			break; /* a gap: there was no room */
		uint64_t from = begin > log.first ? begin : log.first;
		for (uint64_t u = from; u < have; u++)
			log.words[u - log.first] = WORD_LOAD(chunk->words[u - begin]);
		if (from < have)
			have = from;
		link = WORD_LOAD(chunk->link);
	}
	if (have > log.first)
		memmove(log.words, log.words + (have - log.first), (size_t)(head - have) * 8);
	log.first = have;
	return log;
}

/* Completes a tick from the low bits that an event's word has; no tick lies before that of the event in front of
 * it. */
static uint64_t whole_tick(uint64_t before, uint64_t low, unsigned bits)
{
	uint64_t tick = before >> bits << bits | low;

	return tick < before ? tick + (UINT64_C(1) << bits) : tick;
}

static uint64_t low_bits(uint64_t word, unsigned from, unsigned bits)
{
	return word >> from & ((UINT64_C(1) << bits) - 1);
}

struct image_log image_events(const struct image *image, uint32_t block)
{
	struct region_thread *t = image_thread(image, block);
	uint64_t head = WORD_LOAD(t->head), tail = WORD_LOAD(t->event_tail), tick = 0;
	uint64_t end = head ? (head - 1) / 509 * 510 + (head - 1) % 509 + 2 : 0;
	struct image_log words = copy_log(image, WORD_LOAD(t->event_chunk), tail / 509 * 510, end), log = { 0 };

	CHECK(tail % 509 == 0 && words.first % 510 == 0, "events from %llu on", (unsigned long long)tail);
	log.words = malloc((size_t)(words.head - words.first + 1) * 16);
	log.first = log.head = words.first / 510 * 509;
	for (uint64_t w = words.first; w < words.head; w++) {
		uint64_t word = words.words[w - words.first], kind = word % 8, id = low_bits(word, 3, 24);
		uint64_t *event = &log.words[(log.head - log.first) * 2];
		if (w % 510 == 0) {
			CHECK(w == words.first || word == tick, "a chunk begins at tick %llu, behind an event at %llu",
			      (unsigned long long)word, (unsigned long long)tick);
			tick = word;
			continue;
		}
		if (kind == 4) {
			CHECK(word / 8 * 4 >= tick, "a tick goes back");
			tick = word / 8 * 4;
			continue;
		}
		if (kind == EVENT_START) {
			id = low_bits(word, 3, 32);
			tick = whole_tick(tick, low_bits(word, 35, 29), 29);
		} else {
			tick = whole_tick(tick, low_bits(word, 27, 37), 37);
		}
		event[0] = tick;
		event[1] = kind | id << 8;
		log.head++;
	}
	free(words.words);
	return log;
}

struct image_log image_parts(const struct image *image, uint32_t block)
{
	struct region_thread *t = image_thread(image, block);
	uint64_t tail = WORD_LOAD(t->parts.tail), head = WORD_LOAD(t->parts.head), from = tail;

	if (tail) {
		from = WORD_LOAD(t->parts.tail_record);
		CHECK(from >= tail, "first record %llu before the tail %llu", (unsigned long long)from,
		      (unsigned long long)tail);
	}
	struct image_log log = copy_log(image, WORD_LOAD(t->parts.chunk), from, head);
	CHECK(log.first == from || from > head, "words %llu to %llu of a part log are missing", (unsigned long long)from,
	      (unsigned long long)log.first);
	return log;
}

static struct record_head unpack_head(const uint64_t *words)
{
	return (struct record_head){ .kind = (enum record_kind)(words[0] & 0xff),
		                     .flags = words[0] >> 8 & 0xff,
		                     .generation = words[0] >> 16 & 0xffff,
		                     .words = (uint32_t)(words[0] >> 32),
		                     .interval = words[1],
		                     .bound = (int64_t)words[2],
		                     .end = (int64_t)words[3],
		                     .nodes = (uint32_t)words[4],
		                     .intervals = (uint32_t)(words[4] >> 32) };
}

/* Groups fill the words from `at` on. */
static bool are_groups(const uint64_t *words, uint64_t at, uint64_t end)
{
	while (at < end && words[at] >> 32)
		at += words[at] >> 32;
	return at == end;
}

bool image_record(const uint64_t *words, uint64_t available, struct record_head *head, struct record_node **nodes)
{
	uint32_t before = UINT32_MAX;
	size_t at = 0;

	if (available < RECORD_HEAD_WORDS)
		return false;
	*head = unpack_head(words);
	if (head->words < RECORD_HEAD_WORDS || head->words > available)
		return false;
	if (nodes)
		*nodes = NULL;
	if (head->kind == RECORD_SPAN || head->kind == RECORD_START)
		return are_groups(words, RECORD_HEAD_WORDS, head->words);
	const unsigned char *bytes = (const unsigned char *)(words + RECORD_HEAD_WORDS);
	size_t size = (head->words - RECORD_HEAD_WORDS) * 8ul;
	struct record_node *list = calloc(head->nodes + 1ul, sizeof *list);
	for (uint32_t i = 0; i < head->nodes; i++) {
		size_t used = record_unpack(bytes + at, size - at, before, &list[i]);
		if (!used) {
			free(list);
			return false;
		}
		at += used;
		before = list[i].node;
	}
	if (nodes)
		*nodes = list;
	else
		free(list);
	return are_groups(words, RECORD_HEAD_WORDS + (at + 7) / 8, head->words);
}

uint32_t image_nodes(const struct image *image, uint32_t block)
{
	return (uint32_t)WORD_LOAD(image_thread(image, block)->nodes);
}

static struct region_node_chunk *node_chunk(const struct image *image, uint32_t block, uint32_t node)
{
	uint64_t link = WORD_LOAD(image_thread(image, block)->node_chunk);

	while (link && link <= image->chunk_room) {
		struct region_node_chunk *chunk = (struct region_node_chunk *)&image->chunks[link - 1];
		if (WORD_LOAD(chunk->seq) <= node / CHUNK_NODES)
			return chunk;
		link = WORD_LOAD(chunk->link);
	}
	fprintf(stderr, "node %u of block %u is nowhere\n", node, block);
	exit(1);
}

struct region_node *image_node(const struct image *image, uint32_t block, uint32_t node)
{
	return &node_chunk(image, block, node)->nodes[node % CHUNK_NODES];
}

struct region_node_ended *image_node_ended(const struct image *image, uint32_t block, uint32_t node)
{
	return &node_chunk(image, block, node)->ended[node % CHUNK_NODES];
}

uint32_t image_parent(const struct image *image, uint32_t block, uint32_t node)
{
	return (uint32_t)WORD_LOAD(image_node(image, block, node)->place);
}

uint32_t image_zone(const struct image *image, uint32_t block, uint32_t node)
{
	return (uint32_t)(WORD_LOAD(image_node(image, block, node)->place) >> 32);
}

void image_zone_name(const struct image *image, uint32_t id, char *out, size_t size)
{
	out[0] = '\0';
	if (id && id <= WORD_LOAD(image->process->zones)) {
		const struct region_zone *z = &image->zones[id - 1];
		snprintf(out, size, "%.*s", (int)z->name_size, image->strings + z->name);
	}
}

bool image_end(const struct image *image, uint64_t interval, int64_t *end)
{
	uint64_t epoch = WORD_LOAD(image->process->epoch);
	uint64_t word = WORD_LOAD(image->frames[interval & (image->frame_room - 1)].end);

	if (interval >= epoch || interval + image->frame_room <= epoch || word & MARK_UNDECIDED)
		return false;
	*end = (int64_t)word;
	return true;
}

unsigned image_flags(const struct image *image, uint64_t interval)
{
	return MARK_FLAGS(WORD_LOAD(image->frames[interval & (image->frame_room - 1)].info));
}

uint64_t image_lost(const struct image *image, enum region_loss cause)
{
	return WORD_LOAD(image->process->lost[cause]);
}

uint64_t image_entries(const struct image *image, const char *zone)
{
	uint64_t sum = 0;

	for (uint32_t b = 0; b < image->threads_used; b++)
		for (uint32_t n = 1; n < image_nodes(image, b); n++) {
			char name[256];
			image_zone_name(image, image_zone(image, b, n), name, sizeof name);
			if (!zone || !strcmp(name, zone))
				sum += WORD_LOAD(image_node(image, b, n)->count);
		}
	return sum;
}
