/* ring.c: the reader's side of a log of chunks. */
#include "shm/ring.h"

#include "shm/snapshot_read.h"

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t ring_walk(const struct attachment *a, uint64_t link, region_word *tail, uint64_t units, uint64_t from, uint64_t to,
                   ring_take *take, void *out, size_t size)
{
	uint64_t first = to, expected = UINT64_MAX;
	struct region_chunk *chunk;

	for (uint32_t steps = 0; first > from && steps < a->chunk_count && (chunk = snapshot_chunk(a, link)); steps++) {
		uint64_t seq = WORD_LOAD(chunk->seq);
		if (expected != UINT64_MAX && seq != expected)
			break; /* recycled, or a gap where there was no room */
		if (seq > UINT64_MAX / units - 1)
			break;
		uint64_t begin = seq * units, end = begin + units;
		if (end < first)
			break; /* the units between were never kept */
		if (begin < first) {
			uint64_t low = later(begin, from);
			take(chunk, low - begin, first - low, (char *)out + (low - from) * size);
			first = low;
		}
		if (seq == 0)
			break;
		expected = seq - 1;
		link = WORD_LOAD(chunk->link);
	}
	atomic_thread_fence(memory_order_acquire); /* pairs with the release fence in ring_retire */
	uint64_t kept = WORD_LOAD(*tail);
	first = later(first, kept);
	return first < to ? first : to;
}

static void take_words(struct region_chunk *chunk, uint64_t first, uint64_t count, void *out)
{
	uint64_t *words = out;

	for (uint64_t w = 0; w < count; w++)
		words[w] = WORD_LOAD(chunk->words[first + w]);
}

uint64_t ring_copy(const struct attachment *a, uint64_t link, region_word *tail, uint64_t from, uint64_t to,
                   uint64_t *out)
{
	return ring_walk(a, link, tail, CHUNK_WORDS, from, to, take_words, out, sizeof *out);
}
