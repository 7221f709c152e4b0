/* SPDX-License-Identifier: MIT */
/*
 * recording: the bytes of a recording, which man/proftop-recording.5 tells for those who write their own.
 *
 * A recording is blocks, one behind the other, from its first byte on; nothing in it points back, so it goes through a
 * pipe, and cut anywhere it is whole up to its last whole block. A block is a head of 64 bytes and what is stored of it,
 * compressed by itself or not. All numbers are little-endian.
 *
 *     ITEMS     items: definitions, frames with their parts, values, events and notes, totals, losses
 *     CALLS     transitions of one list of one thread; the head says which and of when, so that what a window of time
 *               does not touch is not even read
 *     END       the recording was ended: nothing follows
 *     ANEW      what was before is forgotten, definitions too: the program, which had set no mark, does so now
 *
 * An item is its kind, the length of the rest, and the rest. Readers skip what they do not know: kinds of blocks and of
 * items, what stands in an item behind what they know, bits of flags. What is defined has an index by its place among those
 * of its kind: zones, threads, nodes, counters, tracks, events, measures, modules. Zone 0 is
 * (no zone) and is not written, and a thread is also its root node. Each block of items begins with how many of each kind
 * were defined before it, so that what is behind a damaged one is not taken for something else.
 */
#ifndef IO_RECORDING_H
#define IO_RECORDING_H

#include <stdint.h>

#define RECORDING_SYNC UINT32_C(0x434f5250) /* `PROC`, as each block begins */
#define RECORDING_MAJOR 2  /* a later one cannot be read; in the head of each block */
#define RECORDING_OLDEST 1 /* and this one still can: items of it are shorter, and there are fewer kinds */
#define RECORDING_HEAD 64u
#define RECORDING_BLOCK_MOST (UINT32_C(64) << 20) /* bytes of a block, stored or not */

#define RECORDING_TICK_MOST (INT64_MAX / 2) /* ticks are from 0 to here */

enum recording_block { RECORDING_ITEMS = 1, RECORDING_CALLS = 2, RECORDING_END = 3, RECORDING_ANEW = 4 };

enum recording_codec { RECORDING_PLAIN = 0, RECORDING_ZSTD = 1 };

/* As it is in memory. In the file: sync, kind, codec, major (16 bits), stored, raw, sum, first, last, list, number, thread,
 * count, and a sum of all this: 4 1 1 2 4 4 4 8 8 8 8 4 4 4 bytes. Sums are CRC-32C. */
struct recording_head {
	uint8_t kind, codec;
	uint32_t stored, raw;  /* bytes of what follows, as it is there, and as it was */
	uint32_t sum;          /* of what follows, as it is there */
	int64_t first, last;   /* ticks: of the oldest and the newest in it */
	uint64_t list, number; /* CALLS: which list, and the number of its first transition; others 0 */
	uint32_t thread, count; /* CALLS: of whom, and how many; others 0 */
};

enum recording_item {
	ITEM_BASE = 1, /* the first of each block */
	ITEM_PROCESS,
	ITEM_ZONE,
	ITEM_THREAD,
	ITEM_NODE,
	ITEM_COUNTER,
	ITEM_TRACK,
	ITEM_EVENT,
	ITEM_FRAME,
	ITEM_PART,
	ITEM_CHANGE,
	ITEM_NOW,
	ITEM_INSTANT,
	ITEM_TOTALS,
	ITEM_PASS,
	ITEM_RUN,
	ITEM_LOSS,
	ITEM_STACK,
	ITEM_MEASURE,
	ITEM_MODULE,
	ITEM_AMOUNTS,
	ITEM_RENAME,
};

/* How a transition is told beside the time since the one before: two bits. */
enum recording_step {
	STEP_LEAVE,  /* of the node that is open */
	STEP_AGAIN,  /* enter the node that came next when one was here last in this block */
	STEP_ENTER,  /* enter a node, which follows */
	STEP_OTHER,  /* a kind of transition and a node, which follow */
};

/* The key of a loss item that is no loss: frames that the user asked to leave
 * out. Readers of every version know items of this kind. */
#define RECORDING_LEFT_OUT "frames_left_out"
/* The key of items that the writer left out, because no block holds them. */
#define RECORDING_TOO_LARGE "items_too_large"

#endif
