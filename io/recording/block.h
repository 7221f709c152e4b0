/* SPDX-License-Identifier: MIT */
/*
 * block: a block of a recording, head and contents, as bytes.
 */
#ifndef IO_BLOCK_H
#define IO_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "io/recording/recording.h"

/* Fills in codec, stored, raw and sum, and writes the head. `raw` are head->raw bytes; *stored gets what follows the head:
 * `raw` itself, or what it is compressed to, in `room` of block_room(raw) bytes. */
void block_pack(struct recording_head *head, const void *raw, void *room, const void **stored,
		uint8_t out[RECORDING_HEAD]);
size_t block_room(size_t raw);

enum block_result {
	BLOCK_OK,
	BLOCK_NONE,    /* no head, or a damaged one */
	BLOCK_FOREIGN, /* of a version that is not understood */
	BLOCK_DAMAGED, /* the head is sound, what follows is not */
	BLOCK_CODEC,   /* compressed in a way that was not built in */
};

enum block_result block_read_head(const uint8_t bytes[RECORDING_HEAD], struct recording_head *head);

/* Checks what follows the head, and unpacks it into `raw`, head->raw bytes. */
enum block_result block_unpack(const struct recording_head *head, const void *stored, void *raw);

/* CRC-32C of bytes, behind others whose sum is `before` (0: none). */
uint32_t block_sum(uint32_t before, const void *bytes, size_t size);

/* `zstd 1.5.4`, the library's version, or `no zstd`. */
const char *block_library(char *out, size_t size);

#endif
