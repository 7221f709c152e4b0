/* SPDX-License-Identifier: MIT */
/*
 * player_inside: a player as its own files see it.
 *
 *   player.c         the source: what is new of the file, block by block
 *   player_spool.c   the file, or the pipe and what came through it
 *   player_items.c   items into the profile
 *   player_calls.c   blocks of single calls: which there are, and those of a window as transitions
 */
#ifndef IO_PLAYER_INSIDE_H
#define IO_PLAYER_INSIDE_H

#include "io/recording/block.h"
#include "io/recording/code.h"
#include "io/recording/player.h"
#include "model/base/lookup.h"
#include "model/profile/measures.h"

/* Indices in the profile by those of the recording; PROFILE_NONE: it was lost. */
struct player_map {
	uint32_t *at;
	uint32_t count, capacity;
};

struct call_block {
	uint64_t offset; /* of its head */
	uint32_t before; /* the block that comes before it in its list; PROFILE_NONE: none */
	uint32_t last;   /* of the first block of a list: the last one */
	uint32_t next;   /* the one behind it in its list; PROFILE_NONE: none */
	struct recording_head head;
};

struct player_stack {
	struct source_stack stack; /* its zones are owned */
	bool known;
};

struct player {
	struct source source;
	int fd;       /* what is read at offsets: the file, or what came through the pipe so far */
	int pipe;     /* -1: none, or it is over */
	int no_room;  /* errno: what comes through the pipe could not be put aside any more */
	char *name, *called; /* called: in a sentence */
	bool written; /* somebody writes on */
	bool began, ended, cut, sound; /* sound: a head was */
	unsigned runs; /* RUN items: from the second on what was known when the recording began has been read */
	uint64_t size, offset; /* of the file; of the next block */
	uint64_t base;         /* what is before was forgotten by the program itself */
	uint64_t end;          /* of what is before END */
	uint64_t late, instants; /* events: how many were moved for late ones, and how many came */
	uint32_t lost;           /* definitions that are missing */
	uint64_t defined;        /* definitions that were read, refused ones too */
	uint64_t unpacked;       /* bytes of items */
	uint64_t reached_byte;   /* of the file: where the block at hand ends */
	bool given_up;           /* the recording has more than its size allows: the rest is not read */
	uint64_t name_bytes;     /* of all names and files */
	uint64_t damaged;      /* blocks and items that were left out */
	int64_t reached;       /* the newest tick in the blocks of items so far */
	int64_t real_ns;       /* the time of day of the known tick; 0: not known */
	enum profile_state state; /* that was recorded */
	struct bytes stored, raw;
	struct code code;
	struct player_map zones, threads, nodes, counters, tracks, events, measures, modules;
	struct player_map depths; /* of nodes, below their roots */
	int64_t cells_self, cells_count, totals_self, totals_count, times; /* sums of all that was taken */
	int64_t amounts; /* likewise, of all columns and of the run */
	struct measure_columns columns; /* of the part at hand */
	uint64_t frame; /* of the last FRAME in this block */
	int64_t frame_end;
	struct call_block *blocks;
	uint32_t block_count, block_capacity;
	struct lookup first_blocks; /* by list */
	uint64_t calls; /* transitions in all blocks */
	int64_t first_call; /* the lowest first tick of these blocks */
	struct player_stack *stacks; /* by thread of the profile */
	uint32_t stack_count; /* entries of `stacks`; no stack was recorded of threads beyond them */
	bool no_memory;
};

/* player_spool.c */
bool player_spool_begin(struct player *p, char *why, size_t why_size);
void player_spool_look(struct player *p, int wait_ms); /* size and written are as of now; a pipe is waited for */
bool player_spool_read(struct player *p, uint64_t offset, void *to, size_t size);
/* Reads the block at the offset, whose head it is, into p->raw. False: it is damaged, or there is no memory. */
bool player_read_block(struct player *p, uint64_t offset, const struct recording_head *head);
/* All blocks before the end, damaged ones too. */
bool player_copy(struct source *s, bool (*give)(void *context, const void *block, size_t size), void *context);
struct source_file player_spool_file(const struct player *p);
void player_spool_end(struct player *p);

/* The next offset behind this one at which a sound head stands; the size: there is none up to now. */
uint64_t player_next_head(struct player *p, uint64_t offset);

/* player_items.c */
void player_items(struct player *p, struct taking t);
void player_items_fini(struct player *p);
/* Items from tick `first` on are missing. Counters are unknown until their next
 * values, and events up to tick `last` may be missing. */
void player_items_missing(struct player *p, int64_t first, int64_t last);

/* player_calls.c */
void player_note_calls(struct player *p, const struct recording_head *head);
bool player_read_calls(struct player *p, struct transitions *t);

#endif
