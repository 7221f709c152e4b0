/* shm_record: what is packed is unpacked, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include "shm/snapshot_read.h"
#include "tests/region_builder.h"

#define NODES 200

static const struct record_limits limits = { 1u << 24, 1000, 9 };

static enum record_verdict record_read(const uint64_t *words, uint64_t available, struct record_limits within,
                                       struct record_head *head, struct record_buffer *buffer)
{
	enum record_verdict verdict = record_read_head(words, available, within, head);

	return verdict == RECORD_GOOD ? record_read_nodes(words, head, within, buffer) : verdict;
}

/* The forms of a packed node have their limits at these values. */
static int64_t edge(uint64_t *random)
{
	static const int64_t edges[] = { 0, 1, 2, 0xffff, 0x10000, 0xffffff, 0x1000000, 0xffffffff, 0x100000000 };
	uint64_t r = builder_random(random);

	return r % 4 ? edges[r / 4 % 9] : (int64_t)(builder_random(random) >> (24 + r / 4 % 32));
}

static uint32_t make_nodes(struct record_node *nodes, uint64_t *random, int64_t *sum)
{
	uint32_t count = (uint32_t)(builder_random(random) % NODES), id = UINT32_MAX;

	*sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t r = builder_random(random);
		id = r % 3 == 0 ? (uint32_t)(r >> 40) : r % 3 == 1 ? id + 1 : id + (uint32_t)(r >> 8) % 300 - 150;
		id &= limits.nodes - 1;
		nodes[i] = (struct record_node){ id, edge(random), edge(random), (uint64_t)edge(random) };
		if (r % 5 == 0)
			nodes[i].longest = nodes[i].self;
		*sum += nodes[i].self;
	}
	return count;
}

static struct record_head part(int64_t length)
{
	return (struct record_head){ .kind = RECORD_PART, .generation = 0x1234, .interval = 9, .bound = 500,
		                     .end = 500 + length, .intervals = 1 };
}

static void unpacks_what_was_packed(void **state)
{
	struct record_node nodes[NODES];
	uint64_t words[NODES * 5 + 16], random = 1;
	struct record_buffer buffer = { 0 };
	struct record_head head;
	int64_t sum;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		uint32_t count = make_nodes(nodes, &random, &sum);
		uint32_t used = builder_pack(part(sum), nodes, count, words);
		assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_GOOD);
		assert_int_equal(head.kind, RECORD_PART);
		assert_int_equal(head.generation, 0x1234);
		assert_int_equal(head.words, used);
		assert_int_equal(head.interval, 9);
		assert_int_equal(head.nodes, count);
		assert_int_equal(head.end - head.bound, sum);
		for (uint32_t n = 0; n < count; n++) {
			assert_int_equal(buffer.nodes[n].node, nodes[n].node);
			assert_int_equal(buffer.nodes[n].self, nodes[n].self);
			assert_int_equal(buffer.nodes[n].longest, nodes[n].longest);
			assert_int_equal(buffer.nodes[n].count, nodes[n].count);
		}
	}
	record_buffer_fini(&buffer);
}

static void eight_bytes_hold_a_usual_node(void **state)
{
	struct record_node usual = { 7, 52000, 30000, 3 };
	unsigned char bytes[RECORD_NODE_ROOM];

	(void)state;
	assert_int_equal(record_pack(bytes, 6, usual) - bytes, 8);
}

static enum record_verdict verdict(struct record_head head, uint32_t words, const struct record_node *node)
{
	uint64_t room[32];
	struct record_buffer buffer = { 0 };
	uint32_t used = builder_pack(head, node, node ? 1 : 0, room);
	struct record_head read;

	if (words)
		room[0] = (room[0] & UINT32_MAX) | (uint64_t)words << 32;
	enum record_verdict v = record_read(room, used, limits, &read, &buffer);
	record_buffer_fini(&buffer);
	return v;
}

static void refuses_what_cannot_be(void **state)
{
	struct record_node node = { 3, 100, 0, 1 };
	struct record_head good = part(100), h;

	(void)state;
	assert_int_equal(verdict(good, 0, &node), RECORD_GOOD);
	assert_int_equal(verdict(good, 4, &node), RECORD_NONE);
	assert_int_equal(verdict(good, 7, &node), RECORD_SHORT);
	assert_int_equal(verdict(good, UINT32_MAX, &node), RECORD_SHORT);
	assert_int_equal(verdict(good, 5, &node), RECORD_BAD); /* the node lies outside of it */
	h = good, h.end++;
	assert_int_equal(verdict(h, 0, &node), RECORD_BAD); /* a tick without a node */
	h = good, h.end--;
	assert_int_equal(verdict(h, 0, &node), RECORD_BAD);
	h = good, h.end = h.bound - 1;
	assert_int_equal(verdict(h, 0, &node), RECORD_BAD);
	h = good, h.bound = -1, h.end = 99;
	assert_int_equal(verdict(h, 0, &node), RECORD_BAD);
	h = good, h.interval = 0;
	assert_int_equal(verdict(h, 0, &node), RECORD_BAD);
	h = good, h.interval = limits.epoch + 1;
	assert_int_equal(verdict(h, 0, &node), RECORD_BAD);
	h = good, h.interval = limits.epoch, h.intervals = 2;
	assert_int_equal(verdict(h, 0, &node), RECORD_BAD);
	h = good, h.kind = 0;
	assert_int_equal(verdict(h, 0, &node), RECORD_BAD);
	h = good, h.kind = RECORD_KINDS;
	assert_int_equal(verdict(h, 0, &node), RECORD_LATER);
	assert_int_equal(verdict(h, 4, &node), RECORD_NONE);
	h = good, h.kind = RECORD_SPAN;
	assert_int_equal(verdict(h, 0, &node), RECORD_BAD); /* a span has no nodes */
	node.node = limits.nodes;
	assert_int_equal(verdict(good, 0, &node), RECORD_BAD);
	node.node = 3, node.longest = INT64_MIN;
	assert_int_equal(verdict(good, 0, &node), RECORD_BAD);
	node.longest = 0, node.self = -100;
	assert_int_equal(verdict(good, 0, &node), RECORD_BAD);
}

static void marked_records_have_no_nodes(void **state)
{
	struct record_node node = { 3, 100, 0, 1 };
	struct record_head h = part(100);

	(void)state;
	h.flags = RECORD_DISCARDED;
	assert_int_equal(verdict(h, 0, NULL), RECORD_GOOD);
	assert_int_equal(verdict(h, 0, &node), RECORD_BAD);
	h.flags = RECORD_CUT;
	assert_int_equal(verdict(h, 0, NULL), RECORD_GOOD);
	h.flags = 0;
	assert_int_equal(verdict(h, 0, NULL), RECORD_BAD); /* 100 ticks of nothing */
}

static void spans_and_starts(void **state)
{
	struct record_head span = { .kind = RECORD_SPAN, .interval = 5, .bound = 10, .end = 90, .nodes = 4,
		                    .intervals = 6 },
	                   start = { .kind = RECORD_START, .interval = 5, .bound = 10, .end = 10, .nodes = UINT32_MAX };

	(void)state;
	assert_int_equal(verdict(span, 0, NULL), RECORD_GOOD);
	span.nodes = limits.nodes;
	assert_int_equal(verdict(span, 0, NULL), RECORD_BAD);
	assert_int_equal(verdict(start, 0, NULL), RECORD_GOOD);
	start.end++;
	assert_int_equal(verdict(start, 0, NULL), RECORD_BAD);
}

/* ---- groups */

static void groups_are_unpacked(void **state)
{
	const struct record_value values[] = { { 3, 70 }, { 4, -1 }, { 0, INT64_MAX }, { (1u << 24) - 1, INT64_MIN } };
	const struct record_value slice = { 0, -12345678901 };
	struct record_node node = { 3, 100, 0, 1 };
	struct record_buffer buffer = { 0 };
	struct record_head head;
	uint64_t words[64];
	uint32_t used = builder_pack(part(100), &node, 1, words);

	(void)state;
	used = builder_group(words, used, GROUP_NODES, 0, 8, values, 4);
	used = builder_group(words, used, GROUP_SLICE, GROUP_UNKNOWN, 0, &slice, 1);
	used = builder_group(words, used, GROUP_NODES, GROUP_UNKNOWN, 1, NULL, 0);
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_GOOD);
	assert_true(head.nodes == 1 && buffer.nodes[0].self == 100 && head.group_count == 3);
	const struct record_group *g = head.groups;
	assert_true(g[0].measure == 8 && g[0].count == 4 && !g[0].unknown && !g[0].of_slice);
	for (uint32_t i = 0; i < 4; i++)
		assert_true(g[0].values[i].node == values[i].node && g[0].values[i].value == values[i].value);
	assert_true(g[1].of_slice && g[1].unknown && g[1].measure == 0 && g[1].values[0].value == slice.value);
	assert_true(g[2].count == 0 && g[2].unknown && g[2].measure == 1);
	record_buffer_fini(&buffer);
}

/* Groups of later versions, in records of every kind, and before groups that are known. */
static void unknown_groups_are_skipped(void **state)
{
	struct record_head heads[] = { part(100), part(0),
		{ .kind = RECORD_SPAN, .interval = 5, .bound = 10, .end = 90, .nodes = 4, .intervals = 6 } };
	struct record_node node = { 3, 100, 0, 1 };
	const struct record_value values[] = { { 3, 70 }, { 4, 5 }, { 0, 6 } };
	struct record_buffer buffer = { 0 };
	struct record_head head;
	uint64_t words[64];

	(void)state;
	heads[1].flags = RECORD_CUT;
	for (int i = 0; i < 3; i++) {
		uint32_t used = builder_pack(heads[i], &node, i ? 0 : 1, words);
		used = builder_group(words, used, (enum record_group_kind)200, 0xff, 0xffff, values, 3);
		used = builder_group(words, used, GROUP_NODES, 0xfe, 2, values, 3);
		assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_GOOD);
		assert_true(head.group_count == 1 && head.groups[0].measure == 2 && head.groups[0].values[2].value == 6);
		assert_false(head.groups[0].unknown);
	}
	record_buffer_fini(&buffer);
}

/* Measures of the slice in one group become groups of one value each, in order with the groups around them. */
static void groups_of_slices_are_unpacked(void **state)
{
	struct record_head heads[] = { part(100),
		{ .kind = RECORD_SPAN, .interval = 5, .bound = 10, .end = 90, .nodes = 4, .intervals = 6 } };
	const struct record_value slices[] = { { 8, -12345678901 }, { 2, INT64_MAX }, { 3, 0 }, { 0, INT64_MIN } };
	const struct record_value values[] = { { 3, 70 }, { 4, 5 } };
	struct record_node node = { 3, 100, 0, 1 };
	struct record_buffer buffer = { 0 };
	struct record_head head;
	uint64_t words[64];

	(void)state;
	for (int i = 0; i < 2; i++) {
		uint32_t used = builder_pack(heads[i], &node, i ? 0 : 1, words);
		used = builder_group(words, used, GROUP_NODES, 0, 5, values, 2);
		used = builder_group(words, used, GROUP_SLICES, i ? GROUP_UNKNOWN : 0, 0, slices, 4);
		used = builder_group(words, used, GROUP_SLICES, 0, 0, NULL, 0);
		used = builder_group(words, used, GROUP_NODES, 0, 6, values, 1);
		assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_GOOD);
		assert_int_equal(head.group_count, 6);
		for (int k = 0; k < 4; k++) {
			const struct record_group *g = &head.groups[1 + k];
			assert_true(g->of_slice && g->count == 1 && g->unknown == (i == 1));
			assert_true(g->measure == slices[k].node && g->values[0].node == 0 && g->values[0].value == slices[k].value);
		}
		assert_true(head.groups[0].values[1].value == 5 && !head.groups[0].of_slice);
		assert_true(head.groups[5].measure == 6 && head.groups[5].values[0].value == 70 && !head.groups[5].of_slice);
	}
	record_buffer_fini(&buffer);
}

static void groups_of_slices_that_cannot_be_are_refused(void **state)
{
	const struct record_value slices[] = { { 8, 70 }, { 9, 5 } };
	struct record_node node = { 3, 100, 0, 1 };
	struct record_buffer buffer = { 0 };
	struct record_head head;
	uint64_t words[64];
	uint32_t first = builder_pack(part(100), &node, 1, words), used;

	(void)state;
	used = builder_group(words, first, GROUP_SLICES, 0, 0, slices, 2);
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_BAD); /* there is no measure 9 */
	used = builder_group(words, first, GROUP_SLICES, 0, 0, slices, 1);
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_GOOD);
	words[first + 1] = 5;
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_BAD); /* more than its words hold */
	words[first + 1] = UINT64_MAX;
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_BAD);
	words[first + 1] = 0; /* a word that nothing stands in */
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_BAD);
	words[first + 1] = 1;
	memset(&words[first + 2], 0xff, 8); /* a number without an end */
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_BAD);
	words[first] = record_group_word(GROUP_SLICES, 0, 0, 1); /* a head that is cut off */
	words[0] = (words[0] & UINT32_MAX) | (uint64_t)(first + 1) << 32;
	assert_int_equal(record_read(words, first + 1, limits, &head, &buffer), RECORD_BAD);
	record_buffer_fini(&buffer);
}

static void groups_that_cannot_be_are_refused(void **state)
{
	const struct record_value values[] = { { 3, 70 }, { limits.nodes, 5 } };
	struct record_node node = { 3, 100, 0, 1 };
	struct record_buffer buffer = { 0 };
	struct record_head head;
	uint64_t words[64];
	uint32_t first = builder_pack(part(100), &node, 1, words), used;

	(void)state;
	used = builder_group(words, first, GROUP_NODES, 0, limits.measures, values, 1);
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_BAD); /* no such measure */
	used = builder_group(words, first, GROUP_NODES, 0, 0, values, 2);
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_BAD); /* no such node */
	used = builder_group(words, first, GROUP_NODES, 0, 0, values, 1);
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_GOOD);
	words[first + 1] = UINT64_MAX;
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_BAD); /* more than its words hold */
	words[first + 1] = 1;
	words[first] = record_group_word(GROUP_NODES, 0, 0, 0);
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_BAD); /* without a length */
	words[first] = record_group_word((enum record_group_kind)77, 0, 0, UINT32_MAX);
	assert_int_equal(record_read(words, used, limits, &head, &buffer), RECORD_BAD); /* beyond the record */
	record_buffer_fini(&buffer);
}

/* Random bytes as nodes: whatever comes out is in range and sums up. */
static void survives_garbage(void **state)
{
	uint64_t words[40], random = 7;
	struct record_buffer buffer = { 0 };
	struct record_head head;
	int good = 0;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		uint32_t count = (uint32_t)(builder_random(&random) % 30);
		struct record_head h = part((int64_t)(builder_random(&random) % 70000));
		h.nodes = (uint32_t)(builder_random(&random) % 4);
		builder_pack(h, NULL, 0, words);
		words[0] = (words[0] & UINT32_MAX) | (uint64_t)(RECORD_HEAD_WORDS + count) << 32;
		for (uint32_t w = 0; w < count; w++)
			words[RECORD_HEAD_WORDS + w] = builder_random(&random);
		if (record_read(words, RECORD_HEAD_WORDS + count, (struct record_limits){ 100, 20, 5 }, &head, &buffer) !=
		    RECORD_GOOD)
			continue;
		int64_t sum = 0;
		for (uint32_t n = 0; n < head.nodes; n++) {
			assert_true(buffer.nodes[n].node < 100 && buffer.nodes[n].self >= 0);
			sum += buffer.nodes[n].self;
		}
		assert_int_equal(sum, head.end - head.bound);
		for (uint32_t g = 0; g < head.group_count; g++)
			for (uint32_t n = 0; n < head.groups[g].count; n++)
				assert_true(head.groups[g].measure < 5 && head.groups[g].values[n].node < 100);
		good++;
	}
	assert_in_range(good, 0, 1000); /* hardly any */
	record_buffer_fini(&buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unpacks_what_was_packed), cmocka_unit_test(eight_bytes_hold_a_usual_node),
		cmocka_unit_test(refuses_what_cannot_be),  cmocka_unit_test(marked_records_have_no_nodes),
		cmocka_unit_test(spans_and_starts),        cmocka_unit_test(survives_garbage),
		cmocka_unit_test(groups_are_unpacked),     cmocka_unit_test(unknown_groups_are_skipped),
		cmocka_unit_test(groups_that_cannot_be_are_refused),
		cmocka_unit_test(groups_of_slices_are_unpacked),
		cmocka_unit_test(groups_of_slices_that_cannot_be_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
