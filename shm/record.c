/* record.c: one record of a part log, checked and unpacked. */
#include "shm/snapshot_read.h"

#include <stdlib.h>

#define LEAST_NODE 3 /* bytes of the smallest packed node */

static void read_head(const uint64_t *words, struct record_head *head)
{
	head->kind = (enum record_kind)(words[0] & 0xff);
	head->flags = words[0] >> 8 & 0xff;
	head->generation = words[0] >> 16 & 0xffff;
	head->words = (uint32_t)(words[0] >> 32);
	head->interval = words[1];
	head->bound = (int64_t)words[2];
	head->end = (int64_t)words[3];
	head->nodes = (uint32_t)words[4];
	head->intervals = (uint32_t)(words[4] >> 32);
}

static bool has_nodes(const struct record_head *head)
{
	return head->kind == RECORD_PART || head->kind == RECORD_MORE || head->kind == RECORD_MERGED ||
	       head->kind == RECORD_EXIT;
}

static bool check_head(const struct record_head *head, struct record_limits limits)
{
	if (head->kind < RECORD_PART || head->kind > RECORD_START)
		return false;
	if (head->bound < 0 || head->end < head->bound || (head->kind == RECORD_START && head->end != head->bound))
		return false;
	if (head->interval < 1 || head->interval > limits.epoch || head->intervals < 1 ||
	    head->intervals - 1 > limits.epoch - head->interval)
		return false;
	if (has_nodes(head))
		return head->nodes <= limits.nodes;
	return head->words == RECORD_HEAD_WORDS && (head->kind != RECORD_SPAN || head->nodes < limits.nodes);
}

static bool make_room(struct record_buffer *buffer, uint32_t nodes)
{
	size_t room = nodes < 64 ? 64 : nodes;

	if (nodes <= buffer->room)
		return true;
	struct record_node *grown = realloc(buffer->nodes, room * sizeof *grown);
	if (!grown)
		return false;
	buffer->nodes = grown;
	buffer->room = room;
	return true;
}

/* The nodes of the record: each in range, together as long as the part, and filling the words. */
static bool unpack(const struct record_head *head, const unsigned char *bytes, struct record_limits limits,
                   struct record_node *nodes)
{
	size_t size = (head->words - RECORD_HEAD_WORDS) * (size_t)8, at = 0;
	int64_t left = head->end - head->bound;
	uint32_t before = UINT32_MAX;

	for (uint32_t i = 0; i < head->nodes; i++) {
		struct record_node node;
		size_t used = record_unpack(bytes + at, size - at, before, &node);
		if (!used || node.node >= limits.nodes || (node.longest | node.self) < 0 || node.self > left)
			return false;
		nodes[i] = node;
		left -= node.self;
		before = node.node;
		at += used;
	}
	return left == 0 && size - at < 8;
}

enum record_verdict record_read_head(const uint64_t *words, uint64_t available, struct record_limits limits,
                                     struct record_head *head)
{
	if (available < RECORD_HEAD_WORDS)
		return RECORD_NONE;
	read_head(words, head);
	if (head->words < RECORD_HEAD_WORDS)
		return RECORD_NONE;
	if (head->words > available)
		return RECORD_SHORT;
	if (!check_head(head, limits))
		return RECORD_BAD;
	if (!has_nodes(head))
		return RECORD_GOOD;
	if (head->flags & (RECORD_DISCARDED | RECORD_CUT)) {
		head->nodes = 0;
		return head->words == RECORD_HEAD_WORDS ? RECORD_GOOD : RECORD_BAD;
	}
	return head->nodes <= (head->words - RECORD_HEAD_WORDS) * (uint64_t)8 / LEAST_NODE ? RECORD_GOOD : RECORD_BAD;
}

enum record_verdict record_read_nodes(const uint64_t *words, const struct record_head *head,
                                      struct record_limits limits, struct record_buffer *buffer)
{
	if (!has_nodes(head) || head->flags & (RECORD_DISCARDED | RECORD_CUT))
		return RECORD_GOOD;
	if (!make_room(buffer, head->nodes))
		return RECORD_NO_MEMORY;
	return unpack(head, (const unsigned char *)(words + RECORD_HEAD_WORDS), limits, buffer->nodes) ? RECORD_GOOD
	                                                                                              : RECORD_BAD;
}
