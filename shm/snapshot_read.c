/* snapshot_read.c: nodes and strings, which the other parts of the snapshot read, too. */
#include "shm/snapshot_read.h"

/* ---- nodes */

static struct region_node_chunk *chunk_with_seq(const struct attachment *a, uint64_t *link, uint64_t *seq, uint64_t want)
{
	struct region_node_chunk *chunk;

	while ((chunk = (struct region_node_chunk *)snapshot_chunk(a, *link))) {
		uint64_t found = WORD_LOAD(chunk->seq);
		if (found < want || found >= *seq)
			return NULL;
		if (found == want)
			return chunk;
		*seq = found;
		*link = WORD_LOAD(chunk->link);
	}
	return NULL;
}

uint32_t snapshot_node_count(const struct attachment *a, uint32_t block)
{
	struct region_thread *t = snapshot_block(a, block);
	uint32_t *known = &a->budget->node_chunks_of[block];
	struct region_chunk *newest;

	if (!t)
		return 0;
	uint64_t nodes = WORD_ACQUIRE(t->nodes), chunks = nodes / CHUNK_NODES + (nodes % CHUNK_NODES != 0);
	if (chunks <= *known)
		return (uint32_t)nodes;
	newest = snapshot_chunk(a, WORD_LOAD(t->node_chunk));
	if (!newest || WORD_LOAD(newest->seq) < chunks - 1 || chunks > UINT32_MAX / CHUNK_NODES ||
	    !snapshot_holds(a, a->budget->node_chunks + chunks - *known))
		return *known * CHUNK_NODES;
	a->budget->node_chunks += chunks - *known;
	*known = (uint32_t)chunks;
	return (uint32_t)nodes;
}

void snapshot_walk_nodes(const struct attachment *a, struct region_thread *t, uint32_t first, uint32_t end,
                         node_visit *visit, void *context)
{
	uint64_t link = WORD_ACQUIRE(t->node_chunk), seq = UINT64_MAX;

	while (end > first) {
		uint32_t want = (end - 1) / CHUNK_NODES, begin = want * CHUNK_NODES;
		if (begin < first)
			begin = first;
		if (!visit(chunk_with_seq(a, &link, &seq, want), begin, end, context))
			return;
		end = begin;
	}
}

/* ---- strings */

bool snapshot_text(const struct attachment *a, uint64_t offset, uint64_t size, char *out, size_t room)
{
	uint64_t filled = snapshot_filled(a, REGION_STRINGS, WORD_ACQUIRE(a->process->strings));

	if (room)
		out[0] = '\0';
	if (offset > filled || size > filled - offset || size > REGION_TEXT_MOST)
		return false;
	if (!room || !size)
		return true;
	if (size > room - 1)
		size = room - 1;
	memcpy(out, a->strings + offset, size);
	out[size] = '\0';
	return true;
}

bool snapshot_texts(const struct attachment *a, const struct text_place at[2], const char **one,
                    const char **other, char *text, size_t size)
{
	if (!snapshot_text(a, at[0].offset, at[0].size, text, size))
		return false;
	if (!size)
		return true;
	size_t used = (at[0].size < size - 1 ? at[0].size : size - 1) + 1;
	*one = text;
	if (!snapshot_text(a, at[1].offset, at[1].size, text + used, size - used))
		return false;
	if (size > used)
		*other = text + used;
	return true;
}

/* ---- elements of tables */

void snapshot_load(const struct attachment *a, enum region_section_id id, uint32_t index, void *out, size_t size)
{
	region_word *from = snapshot_element(a, id, index);

	for (size_t i = 0; i < size / sizeof *from; i++) {
		uint64_t word = WORD_LOAD(from[i]);
		memcpy((char *)out + i * sizeof word, &word, sizeof word);
	}
}
