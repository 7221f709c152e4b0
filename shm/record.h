/* record.h: what a thread writes into its part log: its own part of each interval.
 *
 * A record is whole words: five of a head, then packed bytes, padded to a word with zeros.
 *
 *   word 0  kind | flags << 8 | generation << 16 (its low 16 bits) | words of the whole record << 32
 *   word 1  the interval (the first one, where it covers several)
 *   word 2  bound: tick where the part begins
 *   word 3  end: tick where it ends; 0 ticks of length are possible
 *   word 4  number of packed nodes, or the node of a span | intervals covered << 32
 *
 * Records of one block tile: each bound is the end before, from a START record to an EXIT record.
 * Sum of self over the packed nodes = end - bound, in ticks, exactly.
 *
 * A packed node is a byte of forms and the fields it names, little-endian:
 *
 *   bits 0-1  node      0: the one before + 1 (the first: 0)   1: + a signed byte   2: 4 bytes
 *   bits 2-3  entries   0: none   1: one   2: 2 bytes   3: 8 bytes
 *   bits 4-5  longest   0: no call ended   1: equals self   2: 3 bytes   3: 8 bytes
 *   bits 6-7  self      0: 2 bytes   1: 3 bytes   2: 4 bytes   3: 8 bytes
 *
 * Whole words behind the nodes, in a record of any kind, are groups.  A group has what a measure was in the slice, and is
 * whole words, one or more:
 *
 *   word 0  kind | flags << 8 | measure << 16 | words of the whole group << 32
 *
 *   GROUP_NODES  word 1: how many nodes have a value.  Then for each two numbers: how far the node lies from the one
 *                behind the node before (the first: from 0), and the value; padded to a word with zeros
 *   GROUP_SLICE  word 1: the value
 *   GROUP_SLICES word 1: how many measures of the slice have a value.  Then for each two numbers: how far the measure lies
 *                from the one behind the measure before (the first: from 0), and the value; padded likewise.  The measure
 *                of word 0 is 0.  In a span, a sum covers all intervals: readers divide it by their lengths
 *
 * Such a number is folded (0, -1, 1, -2 ... are 0, 1, 2, 3 ...) and has seven bits a byte, the lowest first; the highest
 * bit of a byte says that more follow.  Readers skip records and groups of kinds that they do not know.
 */
#ifndef SHM_RECORD_H
#define SHM_RECORD_H

#include <stdbool.h>
#include <string.h>
#include "shm/region.h"

enum record_kind {
	RECORD_PART = 1, /* the interval is over; packed nodes */
	RECORD_MORE,     /* a piece of an interval that goes on: the next record is of the same one */
	RECORD_MERGED,   /* several intervals in one sum, because their marks were lapped; packed nodes */
	RECORD_SPAN,     /* several intervals in which the thread made no transition: all in one node.
	                  * Interval j of it ends at max(T(j), bound) */
	RECORD_EXIT,     /* the last part of this owner of the block; packed nodes */
	RECORD_START,    /* a new owner: bound = end = its first tick, word 4 = its tid */
	RECORD_KINDS     /* kinds from here on are of later versions */
};

enum record_flag {
	RECORD_DISCARDED = 1, /* the interval was discarded: bounds, but no nodes */
	RECORD_CUT = 2,       /* the nodes did not fit into the log: bounds, but no nodes; counted */
	RECORD_LOSSY = 4,     /* zones were lost in it: their time is in the zones around them */
};

enum record_group_kind { GROUP_NODES = 1, GROUP_SLICE, GROUP_SLICES };
enum record_group_flag {
	GROUP_UNKNOWN = 1, /* some of it was lost: the value of a sum is at least this, of others it is not known */
};
#define RECORD_GROUP_WORDS 2  /* of a group's head, with word 1 */
#define RECORD_NUMBER_MAX  10 /* bytes */
#define RECORD_PAIR_MAX    (2 * RECORD_NUMBER_MAX)

#define RECORD_HEAD_WORDS 5
#define RECORD_BOUND      2 /* the word of a head that has it */
#define RECORD_NODE_MAX   29 /* bytes of the largest packed node */
#define RECORD_NODE_ROOM  (RECORD_NODE_MAX + 8)

struct record_value {
	uint32_t node;
	int64_t value;
};

/* A group as it is read. */
struct record_group {
	uint32_t measure;
	bool of_slice; /* one value, of no node */
	bool unknown;
	uint32_t count;
	const struct record_value *values;
};

struct record_head {
	enum record_kind kind;
	unsigned flags;
	unsigned generation; /* low 16 bits */
	uint32_t words;
	uint64_t interval;
	int64_t bound, end;
	uint32_t nodes;     /* packed, or the node of a span, or the tid */
	uint32_t intervals; /* covered; 1 where the kind covers one */
	const struct record_group *groups; /* where the nodes were read, too; else there are none */
	uint32_t group_count;
};

struct record_node {
	uint32_t node;
	int64_t self, longest;
	uint64_t count;
};

static inline void record_head_words(const struct record_head *head, uint64_t words[RECORD_HEAD_WORDS])
{
	words[0] = (uint64_t)head->kind | (uint64_t)head->flags << 8 |
	           (uint64_t)(head->generation & 0xffff) << 16 | (uint64_t)head->words << 32;
	words[1] = head->interval;
	words[2] = (uint64_t)head->bound;
	words[3] = (uint64_t)head->end;
	words[4] = head->nodes | (uint64_t)head->intervals << 32;
}

/* Writes eight bytes, of which the first few are meant: what is written next overwrites the others. */
static inline void record_put(unsigned char *at, uint64_t value)
{
	memcpy(at, &value, 8);
}

/* Packs a node in whatever forms it needs; step: how far its id lies from that behind the node before. */
static inline unsigned char *record_pack_any(unsigned char *out, int64_t step, struct record_node n)
{
	uint64_t self = (uint64_t)n.self, longest = (uint64_t)n.longest, other = longest == self ? 0 : longest;
	unsigned char *at = out + 1;
	unsigned forms = 0;

	if (step != 0) {
		int small = step >= -128 && step <= 127;
		forms = small ? 1 : 2;
		record_put(at, small ? (uint64_t)step : n.node);
		at += small ? 1 : 4;
	}
	forms |= (n.count < 2 ? (unsigned)n.count : n.count <= 0xffff ? 2u : 3u) << 2;
	record_put(at, n.count);
	at += n.count < 2 ? 0 : n.count <= 0xffff ? 2 : 8;
	forms |= (!other ? longest != 0 : other <= 0xffffff ? 2u : 3u) << 4;
	record_put(at, other);
	at += !other ? 0 : other <= 0xffffff ? 3 : 8;
	forms |= (unsigned)((self > 0xffff) + (self > 0xffffff) + (self > 0xffffffffu)) << 6;
	record_put(at, self);
	at += self > 0xffffffffu ? 8 : 2 + (self > 0xffff) + (self > 0xffffff);
	*out = (unsigned char)forms;
	return at;
}

/* Packs a node behind one with id `before` (first: UINT32_MAX): RECORD_NODE_MAX bytes at most, of RECORD_NODE_ROOM that
 * it may write to.  The next byte is returned.  A thread does this for every node that changed in a frame, so one that
 * was entered once or never, and follows the one before, takes a single branch. */
static inline unsigned char *record_pack(unsigned char *out, uint32_t before, struct record_node n)
{
	uint32_t next = before + 1;
	uint64_t self = (uint64_t)n.self, longest = (uint64_t)n.longest, other = longest == self ? 0 : longest;

	if (__builtin_expect(((n.node ^ next) | n.count >> 1 | other | self >> 32) == 0, 1)) {
		uint64_t form = (uint64_t)(self > 0xffff) + (self > 0xffffff);
		record_put(out, self << 8 | n.count << 2 | (uint64_t)(longest != 0) << 4 | form << 6);
		return out + form + 3;
	}
	return record_pack_any(out, (int64_t)n.node - (int64_t)next, n);
}

/* A field of `size` bytes, 8 at most.  Whole words are read where a word more than a node may follow: this is
 * what reading a log takes its time with. */
static inline __attribute__((always_inline)) uint64_t record_field(const unsigned char *at, size_t size, bool far)
{
	static const uint64_t mask[9] = { 0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0, 0, 0, UINT64_MAX };
	uint64_t value = 0;

	if (far) {
		memcpy(&value, at, 8);
		return value & mask[size];
	}
	memcpy(&value, at, size);
	return value;
}

/* Unpacks one node; far: that many bytes follow that each field can be read as a word.  Returns its size; 0: it is
 * no node, or longer than `size`. */
static inline __attribute__((always_inline)) size_t record_fields(const unsigned char *in, size_t size, uint32_t before,
                                                                  struct record_node *n, bool far)
{
	static const unsigned char node_size[4] = { 0, 1, 4, 0 }, count_size[4] = { 0, 0, 2, 8 },
	                           longest_size[4] = { 0, 0, 3, 8 }, self_size[4] = { 2, 3, 4, 8 };
	unsigned forms = *in, node = forms & 3, count = forms >> 2 & 3, longest = forms >> 4 & 3, self = forms >> 6;
	size_t counts = 1u + node_size[node], longests = counts + count_size[count],
	       selfs = longests + longest_size[longest], need = selfs + self_size[self];
	int8_t step = 0;

	if (node == 3 || (!far && need > size))
		return 0;
	n->node = before + 1;
	if (node == 1) {
		memcpy(&step, in + 1, 1);
		n->node = (uint32_t)(n->node + (int64_t)step);
	} else if (node == 2) {
		memcpy(&n->node, in + 1, 4);
	}
	n->count = count < 2 ? count : record_field(in + counts, count_size[count], far);
	n->self = (int64_t)record_field(in + selfs, self_size[self], far);
	n->longest = longest == 1 ? n->self : (int64_t)record_field(in + longests, longest_size[longest], far);
	return need;
}

static inline uint64_t record_group_word(enum record_group_kind kind, unsigned flags, unsigned measure, uint64_t words)
{
	return (uint64_t)kind | (uint64_t)(flags & 0xff) << 8 | (uint64_t)(measure & 0xffff) << 16 | words << 32;
}

static inline uint64_t record_fold(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t record_unfold(uint64_t value)
{
	return (int64_t)(value >> 1 ^ -(value & 1));
}

static inline unsigned record_number_size(int64_t value)
{
	return (70u - (unsigned)__builtin_clzll(record_fold(value) | 1)) / 7;
}

static inline unsigned char *record_put_number(unsigned char *at, int64_t value)
{
	uint64_t left = record_fold(value);

	for (; left >= 0x80; left >>= 7)
		*at++ = (unsigned char)(left | 0x80);
	*at++ = (unsigned char)left;
	return at;
}

/* Unpacks one node of `size` bytes at in; 0: they are no node.  before as for record_pack. */
static inline __attribute__((always_inline)) size_t record_unpack(const unsigned char *in, size_t size, uint32_t before,
                                                                  struct record_node *n)
{
	if (__builtin_expect(size >= RECORD_NODE_MAX + 8, 1))
		return record_fields(in, size, before, n, true);
	return size ? record_fields(in, size, before, n, false) : 0;
}

#endif
