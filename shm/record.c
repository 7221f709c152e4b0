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
	head->groups = NULL;
	head->group_count = 0;
}

static bool has_nodes(const struct record_head *head)
{
	return head->kind == RECORD_PART || head->kind == RECORD_MORE || head->kind == RECORD_MERGED ||
	       head->kind == RECORD_EXIT;
}

static bool check_head(const struct record_head *head, struct record_limits limits)
{
	if (head->kind < RECORD_PART)
		return false;
	if (head->bound < 0 || head->end < head->bound || (head->kind == RECORD_START && head->end != head->bound))
		return false;
	if (head->interval < 1 || head->interval > limits.epoch || head->intervals < 1 ||
	    head->intervals - 1 > limits.epoch - head->interval)
		return false;
	if (has_nodes(head))
		return head->nodes <= limits.nodes;
	return head->kind != RECORD_SPAN || head->nodes < limits.nodes;
}

/* Makes space for `wanted` elements of `size` bytes at *array, which has *room. */
static bool make_room(void *array, size_t *room, size_t wanted, size_t size)
{
	size_t grown_room = wanted < 64 ? 64 : wanted < 2 * *room ? 2 * *room : wanted;
	void *old, *grown;

	if (wanted <= *room)
		return true;
	memcpy(&old, array, sizeof old);
	grown = realloc(old, grown_room * size);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof grown);
	*room = grown_room;
	return true;
}

void record_buffer_fini(struct record_buffer *buffer)
{
	free(buffer->nodes);
	free(buffer->groups);
	free(buffer->values);
	*buffer = (struct record_buffer){ 0 };
}

/* The nodes of the record: each in range, and together as long as the part.  Returns the words that they fill, of those
 * behind the head; SIZE_MAX: they are none. */
static size_t unpack_nodes(const struct record_head *head, const unsigned char *bytes, struct record_limits limits,
                           struct record_node *nodes)
{
	size_t size = (head->words - RECORD_HEAD_WORDS) * (size_t)8, at = 0;
	int64_t left = head->end - head->bound;
	uint32_t before = UINT32_MAX;

	for (uint32_t i = 0; i < head->nodes; i++) {
		struct record_node node;
		size_t used = record_unpack(bytes + at, size - at, before, &node);
		if (!used || node.node >= limits.nodes || (node.longest | node.self) < 0 || node.self > left)
			return SIZE_MAX;
		nodes[i] = node;
		left -= node.self;
		before = node.node;
		at += used;
	}
	return left == 0 ? (at + 7) / 8 : SIZE_MAX;
}

/* ---- groups */

/* A folded number of at most `size` bytes; how long it is, 0: it is none. */
static size_t read_number(const unsigned char *in, size_t size, int64_t *value)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < size && i < RECORD_NUMBER_MAX; i++) {
		sum |= (uint64_t)(in[i] & 0x7f) << 7 * i;
		if (in[i] & 0x80)
			continue;
		*value = record_unfold(sum);
		return i + 1;
	}
	return 0;
}

/* The values of a group's nodes, in its `size` bytes. */
static bool read_values(const unsigned char *in, size_t size, uint32_t count, struct record_limits limits,
                        struct record_value *out)
{
	int64_t node = -1, step;

	for (uint32_t i = 0; i < count; i++) {
		size_t used = read_number(in, size, &step);
		in += used;
		size -= used;
		size_t more = used ? read_number(in, size, &out[i].value) : 0;
		in += more;
		size -= more;
		if (!more || step < -(int64_t)EVENT_NODES_MOST || step > (int64_t)EVENT_NODES_MOST)
			return false;
		node += 1 + step;
		if (node < 0 || node >= limits.nodes)
			return false;
		out[i].node = (uint32_t)node;
	}
	return size < 8;
}

/* One group of `words` words into the buffer, which has `values` values already.  A value fills two bytes at least. */
static enum record_verdict read_group(const uint64_t *words, size_t count, struct record_limits limits,
                                      struct record_buffer *buffer, uint32_t groups, size_t *values)
{
	unsigned kind = words[0] & 0xff;
	struct record_group group = { .measure = words[0] >> 16 & 0xffff, .of_slice = kind == GROUP_SLICE,
		                      .unknown = words[0] >> 8 & GROUP_UNKNOWN, .count = 1 };

	if (count < RECORD_GROUP_WORDS || group.measure >= limits.measures)
		return RECORD_BAD;
	size_t size = (count - RECORD_GROUP_WORDS) * sizeof *words;
	if (!group.of_slice && words[1] > size / 2)
		return RECORD_BAD;
	if (!group.of_slice)
		group.count = (uint32_t)words[1];
	if (!make_room(&buffer->groups, &buffer->group_room, groups + 1ull, sizeof *buffer->groups) ||
	    !make_room(&buffer->values, &buffer->value_room, *values + group.count + 1ull /* never NULL */,
	               sizeof *buffer->values))
		return RECORD_NO_MEMORY;
	struct record_value *to = buffer->values + *values;
	if (group.of_slice)
		*to = (struct record_value){ 0, (int64_t)words[1] };
	else if (!read_values((const unsigned char *)(words + RECORD_GROUP_WORDS), size, group.count, limits, to))
		return RECORD_BAD;
	*values += group.count;
	buffer->groups[groups] = group;
	return RECORD_GOOD;
}

/* As read_group: measures of the slice, each of which becomes a group of its own. */
static enum record_verdict read_slices(const uint64_t *words, size_t count, struct record_limits limits,
                                       struct record_buffer *buffer, uint32_t *groups, size_t *values)
{
	size_t size = (count - RECORD_GROUP_WORDS) * sizeof *words, made = *groups;
	struct record_limits measures = { .nodes = limits.measures };

	if (count < RECORD_GROUP_WORDS || words[1] > size / 2 || words[1] > limits.measures)
		return RECORD_BAD;
	if (!make_room(&buffer->groups, &buffer->group_room, made + words[1] + 1, sizeof *buffer->groups) ||
	    !make_room(&buffer->values, &buffer->value_room, *values + words[1] + 1, sizeof *buffer->values))
		return RECORD_NO_MEMORY;
	struct record_value *to = buffer->values + *values;
	if (!read_values((const unsigned char *)(words + RECORD_GROUP_WORDS), size, (uint32_t)words[1], measures, to))
		return RECORD_BAD;
	for (size_t i = 0; i < words[1]; i++) {
		buffer->groups[made + i] = (struct record_group){ .measure = to[i].node, .of_slice = true, .count = 1,
			                                          .unknown = words[0] >> 8 & GROUP_UNKNOWN };
		to[i].node = 0;
	}
	*groups += (uint32_t)words[1];
	*values += words[1];
	return RECORD_GOOD;
}

/* The groups in these words.  Those of other kinds are passed over. */
static enum record_verdict read_groups(const uint64_t *words, size_t left, struct record_limits limits,
                                       struct record_buffer *buffer, struct record_head *head)
{
	uint32_t groups = 0;
	size_t values = 0;

	while (left) {
		uint64_t count = words[0] >> 32;
		unsigned kind = words[0] & 0xff;
		enum record_verdict verdict = RECORD_GOOD;
		if (!count || count > left)
			return RECORD_BAD;
		if (kind == GROUP_NODES || kind == GROUP_SLICE)
			verdict = read_group(words, count, limits, buffer, groups++, &values);
		else if (kind == GROUP_SLICES)
			verdict = read_slices(words, count, limits, buffer, &groups, &values);
		if (verdict != RECORD_GOOD)
			return verdict;
		words += count;
		left -= count;
	}
	values = 0;
	for (uint32_t i = 0; i < groups; values += buffer->groups[i++].count)
		buffer->groups[i].values = buffer->values + values;
	head->groups = buffer->groups;
	head->group_count = groups;
	return RECORD_GOOD;
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
	if (head->kind >= RECORD_KINDS)
		return RECORD_LATER;
	if (!check_head(head, limits))
		return RECORD_BAD;
	if (!has_nodes(head))
		return RECORD_GOOD;
	if (head->flags & (RECORD_DISCARDED | RECORD_CUT)) {
		head->nodes = 0;
		return RECORD_GOOD;
	}
	return head->nodes <= (head->words - RECORD_HEAD_WORDS) * (uint64_t)8 / LEAST_NODE ? RECORD_GOOD : RECORD_BAD;
}

enum record_verdict record_read_nodes(const uint64_t *words, struct record_head *head, struct record_limits limits,
                                      struct record_buffer *buffer)
{
	size_t left = head->words - RECORD_HEAD_WORDS, used = 0;

	words += RECORD_HEAD_WORDS;
	if (has_nodes(head) && !(head->flags & (RECORD_DISCARDED | RECORD_CUT))) {
		if (!make_room(&buffer->nodes, &buffer->room, head->nodes, sizeof *buffer->nodes))
			return RECORD_NO_MEMORY;
		used = unpack_nodes(head, (const unsigned char *)words, limits, buffer->nodes);
		if (used > left)
			return RECORD_BAD;
	}
	return used == left ? RECORD_GOOD : read_groups(words + used, left - used, limits, buffer, head);
}
