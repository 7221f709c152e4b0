/* SPDX-License-Identifier: MIT */
#include "io/recording/player_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/hold.h"
#include "io/unlinked.h"
#include "model/profile/moment.h"

#define NS_PER_S INT64_C(1000000000)
/* A recording unpacks to at most UNPACKED_MOST bytes of items, and
 * UNPACKED_PER_BYTE more for each byte of the file. A real recording unpacks
 * to a few times its size. */
#define UNPACKED_MOST	  (UINT64_C(384) << 20)
#define UNPACKED_PER_BYTE 256u

#define FIRST_MS 100 /* from one look at a pipe to the next, until what is first has come */

uint64_t player_damaged(const struct source *s)
{
	return ((const struct player *)s)->damaged;
}

/* ---- blocks */

static void lose_items(struct player *p, int64_t first, int64_t last)
{
	bool sound = first > 0 && last >= first && last <= RECORDING_TICK_MOST;

	p->damaged++;
	player_items_missing(p, sound ? first : p->reached, sound ? last : p->reached);
}

/* False: the block is damaged, or the recording unpacks to too much. */
static bool unpack_items(struct player *p, const struct recording_head *head)
{
	p->unpacked += head->raw;
	p->given_up = p->unpacked > UNPACKED_MOST + UNPACKED_PER_BYTE * p->reached_byte;
	return !p->given_up && player_read_block(p, p->offset, head);
}

static void read_items(struct player *p, const struct recording_head *head)
{
	uint32_t held;

	p->reached_byte = p->offset + RECORDING_HEAD + head->stored;
	if (p->given_up)
		p->damaged++;
	else if (unpack_items(p, head))
		player_items(p, (struct taking){ p->raw.at, p->raw.at + p->raw.count, false });
	else
		lose_items(p, head->first, head->last);
	if (p->reached < head->last && head->last <= RECORDING_TICK_MOST)
		p->reached = head->last;
	held = p->source.profile->frame_count;
	hold_within(p->source.profile, PLAYER_HOLD);
	p->source.let_go += held - p->source.profile->frame_count;
}

static void read_block(struct player *p, const struct recording_head *head)
{
	if (head->kind == RECORDING_ITEMS)
		read_items(p, head);
	else if (head->kind == RECORDING_CALLS)
		player_note_calls(p, head);
	else if (head->kind == RECORDING_END)
		p->ended = true;
	if (!p->ended)
		p->end = p->offset + RECORDING_HEAD + head->stored;
	p->offset += RECORDING_HEAD + head->stored;
	if (head->kind == RECORDING_ANEW)
		p->base = p->offset;
}

/* A head is damaged, or cut off. */
static bool pass_damage(struct player *p)
{
	uint64_t next = player_next_head(p, p->offset);

	if (next == p->size && p->written)
		return false;
	lose_items(p, p->reached, p->reached);
	p->offset = p->end = next;
	return true;
}

/* One block, if all of it is there. */
static bool read_on(struct player *p)
{
	uint8_t bytes[RECORDING_HEAD];
	struct recording_head head;

	if (p->ended || p->size - p->offset < RECORDING_HEAD || !player_spool_read(p, p->offset, bytes, sizeof(bytes)))
		return false;
	if (block_read_head(bytes, &head) != BLOCK_OK)
		return pass_damage(p);
	p->sound = true;
	if (p->size - p->offset - RECORDING_HEAD < head.stored)
		return false;
	read_block(p, &head);
	return !p->no_memory;
}

/* ---- the source */

/* Where its ticks are on this machine's axis of moments, by the time of day. */
static void place_in_time(struct player *p)
{
	struct profile *profile = p->source.profile;
	struct profile_process *process = &profile->process;
	struct timespec real, raw;
	int64_t now, boot;
	double newest;

	process->silent_ns = -1;
	process->known_moment = MOMENT_NONE;
	if (!p->real_ns)
		return;
	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
	now = real.tv_sec * NS_PER_S + real.tv_nsec;
	boot = now - (raw.tv_sec * NS_PER_S + raw.tv_nsec);
	process->known_moment = (int64_t)((uint64_t)p->real_ns - (uint64_t)boot);
	newest = (double)p->real_ns +
		 ((double)profile->now_tick - (double)process->known_tick) * 1e9 / (double)profile->ticks_per_s;
	if (process->state != PROFILE_LIVE && (double)now >= newest && (double)now - newest < 9e18)
		process->silent_ns = (int64_t)((double)now - newest);
}

static void tell_losses(struct player *p)
{
	struct profile *profile = p->source.profile;

	if (p->damaged)
		profile_set_loss(profile, "recording_damaged",
				 "blocks of the recording are damaged, and their contents are missing", p->damaged);
	if (p->no_room)
		profile_set_loss(profile, "recording_room",
				 "end of the recording is missing: a pipe is buffered in TMPDIR, which had no space "
				 "left", 1);
	else if (p->cut)
		profile_set_loss(profile, "recording_cut",
				 "end of the recording is missing: it was cut off, or its writer was killed", 1);
}

/* Where the numbers of the run are missing they are at least these. */
static void reach_newest(struct profile *profile)
{
	const struct profile_frame *newest = profile->frame_count ? &profile->frames[profile->frame_count - 1] : NULL;

	if (!newest)
		return;
	if (profile->now_tick < frame_end(newest))
		profile->now_tick = frame_end(newest);
	if (profile->frames_ended < profile->frame_count)
		profile->frames_ended = profile->frame_count;
}

static enum source_result finish_look(struct player *p)
{
	struct source *s = &p->source;
	bool more = p->written && !p->ended;

	p->cut = !more && !p->ended;
	s->profile->process.state = !more && p->state == PROFILE_LIVE ? PROFILE_FILE : p->state;
	if (more && p->state != PROFILE_LIVE)
		s->profile->process.state = p->state;
	reach_newest(s->profile);
	place_in_time(p);
	tell_losses(p);
	if (p->no_room)
		snprintf(s->why, sizeof(s->why), "only a part of %s was read, as %s has no space: %s. Set TMPDIR to "
		                                 "another folder", p->called,
			 unlinked_folder(NULL), strerror(p->no_room));
	else if (p->cut)
		snprintf(s->why, sizeof(s->why), "%s is cut off. The complete part is shown", p->called);
	return more ? SOURCE_MORE : SOURCE_END;
}

static enum source_result refuse_recording(struct player *p, const char *why)
{
	snprintf(p->source.why, sizeof(p->source.why), "%s %s", p->called, why);
	return SOURCE_BAD;
}

static bool is_stopped(struct source *s)
{
	return atomic_load_explicit(&s->stop, memory_order_relaxed);
}

/* In a pipe, the history from before the recording comes first. It is awaited, and is one look. */
static bool is_awaited(const struct player *p, uint64_t start)
{
	return p->pipe >= 0 && !p->began && p->runs < 2 && !p->ended && !p->no_memory && p->base <= start;
}

static bool player_reset(struct source *s);

static enum source_result player_next(struct source *s)
{
	struct player *p = (struct player *)s;
	uint64_t start = p->offset;

	do {
		player_spool_look(p, p->began ? 0 : FIRST_MS);
		while (p->base <= start && read_on(p) && !is_stopped(s))
			;
		if (is_stopped(s))
			return refuse_recording(p, "was not read to its end");
	} while (is_awaited(p, start));
	if (p->no_memory)
		return refuse_recording(p, "is larger than the available memory");
	if (p->base > start && !p->began)
		return player_reset(s) ? player_next(s) : refuse_recording(p, "is larger than the available memory");
	if (p->base > start)
		return SOURCE_ANEW;
	if (!p->sound && !p->written)
		return refuse_recording(p, "is not a recording, or was made by another version of proftop");
	p->began = true;
	return finish_look(p);
}

static void forget_contents(struct player *p)
{
	player_items_fini(p);
	code_fini(&p->code);
	free(p->blocks);
	lookup_fini(&p->first_blocks);
	p->blocks = NULL;
	p->block_count = p->block_capacity = 0;
	p->calls = 0;
	profile_free(p->source.profile);
	p->source.profile = NULL;
}

/* A profile to begin with; NULL: out of memory. */
static struct profile *new_profile(const struct player *p)
{
	struct profile *profile = profile_new();

	if (!profile || !profile_text(&profile->process.source, p->name)) {
		profile_free(profile);
		return NULL;
	}
	profile->process.state = PROFILE_FILE;
	profile->process.known_moment = MOMENT_NONE;
	profile->process.silent_ns = -1;
	return profile;
}

static bool player_reset(struct source *s)
{
	struct player *p = (struct player *)s;
	struct profile *profile = new_profile(p);

	if (!profile)
		return false;
	forget_contents(p);
	s->profile = profile;
	p->state = PROFILE_FILE;
	p->offset = p->base;
	p->damaged = p->late = p->instants = s->let_go = 0;
	p->lost = p->runs = 0;
	p->name_bytes = p->defined = p->unpacked = 0;
	p->reached = 0;
	p->ended = p->cut = p->given_up = false;
	return true;
}

static bool player_stack(struct source *s, uint32_t thread, struct source_stack *out)
{
	struct player *p = (struct player *)s;
	const struct source_stack *stack = thread < p->stack_count ? &p->stacks[thread].stack : NULL;

	if (!stack || !p->stacks[thread].known)
		return false;
	*out = *stack;
	out->zones = calloc(stack->count + 1ull, sizeof(*out->zones));
	if (!out->zones)
		return false;
	memcpy(out->zones, stack->zones, stack->count * sizeof(*out->zones));
	return true;
}

static void player_close(struct source *s)
{
	struct player *p = (struct player *)s;

	forget_contents(p);
	player_spool_end(p);
	bytes_fini(&p->stored);
	bytes_fini(&p->raw);
	free(p->name);
	free(p->called);
	free(p);
}

static struct source_file player_file(const struct source *s)
{
	const struct player *p = (const struct player *)s;

	return player_spool_file(p);
}

/* A damaged block is found when it is read. */
static bool player_transitions(struct source *s, struct transitions *t)
{
	struct player *p = (struct player *)s;
	bool done = player_read_calls(p, t);

	tell_losses(p);
	return done;
}

static const struct source_ops player_ops = {
	.next = player_next,
	.reset = player_reset,
	.stack = player_stack,
	.transitions = player_transitions,
	.copy = player_copy,
	.file = player_file,
	.close = player_close,
};

/* False: out of memory. */
static bool take_name(struct player *p, const char *name)
{
	p->name = strdup(name);
	if (!strcmp(name, "-"))
		p->called = strdup("standard input");
	else if (asprintf(&p->called, "'%s'", name) < 0)
		p->called = NULL;
	return p->name && p->called;
}

struct source *player_open(int fd, const char *name, char *why, size_t why_size)
{
	struct player *p = calloc(1, sizeof(*p));

	snprintf(why, why_size, "out of memory");
	if (!p) {
		close(fd);
		return NULL;
	}
	p->source.ops = &player_ops;
	p->fd = fd;
	p->pipe = -1;
	p->written = true;
	p->state = PROFILE_FILE;
	p->source.profile = take_name(p, name) ? new_profile(p) : NULL;
	if (!p->source.profile || !player_spool_begin(p, why, why_size)) {
		player_close(&p->source);
		return NULL;
	}
	return &p->source;
}
