/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "io/recording/block.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define LEVEL 3 /* of zstd: from 1 to 3 it hardly costs more, and takes a tenth less */
#define WORTH 64u /* bytes; less is not compressed */

/* By eight bytes at a time. Source: M. E. Kounavis and F. L. Berry, `A Systematic Approach to Building High Performance
 * Software-based CRC Generators', 2005. */
static uint32_t table[8][256];

static void fill_table(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t sum = i;

		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0x82f63b78) : 0);
		table[0][i] = sum;
	}
	for (uint32_t i = 0; i < 256; i++)
		for (int t = 1; t < 8; t++)
			table[t][i] = table[t - 1][i] >> 8 ^ table[0][table[t - 1][i] & 0xff];
}

__attribute__((constructor)) static void begin(void)
{
	fill_table();
}

uint32_t block_sum(uint32_t before, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	uint32_t sum = ~before;

	for (; size >= 8; size -= 8, at += 8) {
		uint64_t word;

		memcpy(&word, at, sizeof(word));
		word = le64toh(word) ^ sum;
		sum = 0;
		for (int t = 0; t < 8; t++)
			sum ^= table[7 - t][word >> 8 * t & 0xff];
	}
	for (; size; size--)
		sum = sum >> 8 ^ table[0][(sum ^ *at++) & 0xff];
	return ~sum;
}

/* ---- heads */

static uint8_t *put_number(uint8_t *at, uint64_t value, unsigned bytes)
{
	for (; bytes; bytes--, value >>= 8)
		*at++ = (uint8_t)value;
	return at;
}

static uint64_t get_number(const uint8_t **at, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)*(*at)++ << 8 * i;
	return value;
}

static void write_head(const struct recording_head *head, uint8_t out[RECORDING_HEAD])
{
	uint8_t *at = out;

	at = put_number(at, RECORDING_SYNC, 4);
	at = put_number(at, head->kind, 1);
	at = put_number(at, head->codec, 1);
	at = put_number(at, RECORDING_MAJOR, 2);
	at = put_number(at, head->stored, 4);
	at = put_number(at, head->raw, 4);
	at = put_number(at, head->sum, 4);
	at = put_number(at, (uint64_t)head->first, 8);
	at = put_number(at, (uint64_t)head->last, 8);
	at = put_number(at, head->list, 8);
	at = put_number(at, head->number, 8);
	at = put_number(at, head->thread, 4);
	at = put_number(at, head->count, 4);
	put_number(at, block_sum(0, out, RECORDING_HEAD - 4), 4);
}

enum block_result block_read_head(const uint8_t bytes[RECORDING_HEAD], struct recording_head *head)
{
	const uint8_t *at = bytes, *sum = bytes + RECORDING_HEAD - 4;
	uint16_t major;

	if (get_number(&at, 4) != RECORDING_SYNC || get_number(&sum, 4) != block_sum(0, bytes, RECORDING_HEAD - 4))
		return BLOCK_NONE;
	head->kind = (uint8_t)get_number(&at, 1);
	head->codec = (uint8_t)get_number(&at, 1);
	major = (uint16_t)get_number(&at, 2);
	head->stored = (uint32_t)get_number(&at, 4);
	head->raw = (uint32_t)get_number(&at, 4);
	head->sum = (uint32_t)get_number(&at, 4);
	head->first = (int64_t)get_number(&at, 8);
	head->last = (int64_t)get_number(&at, 8);
	head->list = get_number(&at, 8);
	head->number = get_number(&at, 8);
	head->thread = (uint32_t)get_number(&at, 4);
	head->count = (uint32_t)get_number(&at, 4);
	if (major < RECORDING_OLDEST || major > RECORDING_MAJOR)
		return BLOCK_FOREIGN;
	return head->stored <= RECORDING_BLOCK_MOST && head->raw <= RECORDING_BLOCK_MOST ? BLOCK_OK : BLOCK_NONE;
}

/* ---- contents */

#ifdef HAVE_ZSTD

size_t block_room(size_t raw)
{
	return ZSTD_compressBound(raw);
}

static size_t compress_contents(const void *raw, size_t size, void *room)
{
	size_t packed = size < WORTH ? size : ZSTD_compress(room, ZSTD_compressBound(size), raw, size, LEVEL);

	return !ZSTD_isError(packed) && packed < size ? packed : 0;
}

static enum block_result decompress_contents(const struct recording_head *head, const void *stored, void *raw)
{
	size_t size = ZSTD_decompress(raw, head->raw, stored, head->stored);

	return !ZSTD_isError(size) && size == head->raw ? BLOCK_OK : BLOCK_DAMAGED;
}

const char *block_library(char *out, size_t size)
{
	snprintf(out, size, "zstd %s", ZSTD_versionString());
	return out;
}

#else

size_t block_room(size_t raw)
{
	return raw;
}

static size_t compress_contents(const void *raw, size_t size, void *room)
{
	(void)raw, (void)size, (void)room;
	return 0;
}

static enum block_result decompress_contents(const struct recording_head *head, const void *stored, void *raw)
{
	(void)head, (void)stored, (void)raw;
	return BLOCK_CODEC;
}

const char *block_library(char *out, size_t size)
{
	snprintf(out, size, "no zstd");
	return out;
}

#endif

void block_pack(struct recording_head *head, const void *raw, void *room, const void **stored, uint8_t out[RECORDING_HEAD])
{
	size_t packed = compress_contents(raw, head->raw, room);

	head->codec = packed ? RECORDING_ZSTD : RECORDING_PLAIN;
	head->stored = packed ? (uint32_t)packed : head->raw;
	*stored = packed ? room : raw;
	head->sum = block_sum(0, *stored, head->stored);
	write_head(head, out);
}

enum block_result block_unpack(const struct recording_head *head, const void *stored, void *raw)
{
	if (block_sum(0, stored, head->stored) != head->sum)
		return BLOCK_DAMAGED;
	if (head->codec == RECORDING_ZSTD)
		return decompress_contents(head, stored, raw);
	if (head->codec != RECORDING_PLAIN)
		return BLOCK_CODEC;
	if (head->stored != head->raw)
		return BLOCK_DAMAGED;
	memcpy(raw, stored, head->raw);
	return BLOCK_OK;
}
