/* SPDX-License-Identifier: MIT */
/*
 * live: the source interface of a region: opening it, one poll after the other, its end.
 *
 * The order of a poll is what makes frames whole. First it is said how far back to read. Threads are
 * looked at, as of the interval that was decided a millisecond before, so that each of them has seen it;
 * where a block has a new owner, its log is read before that, so that the owner is known by its START. Then
 * come the intervals, and behind them the logs, of which little has to wait; then what is inferred of the
 * threads that have not published; and last, in frames of which anything is known by then, what is missing. All of this
 * goes block by block, and behind each the oldest frames leave where there are too many bytes of them.
 */
#include "io/region/live.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/region/live_inside.h"
#include "model/base/array.h"

#define SETTLE_NS 1000000 /* what was seen this long ago is seen by all threads */
#define EPOCH_LIMIT (UINT64_C(1) << 62)
#define HELD_BYTES ((uint64_t)64 << 20) /* unless live_hold says otherwise */

static void read_logs(struct live *l)
{
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++) {
		live_read_log(l, &l->blocks[i]);
		live_bound_frames(l);
	}
}

/* Adds the inferred slices of the threads, and then marks those that are missing. */
static void fill_up(struct live *l)
{
	l->in_flight = 0;
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++) {
		live_give_inferred(l, &l->blocks[i]);
		live_bound_frames(l);
	}
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++) {
		live_find_missing(l, &l->blocks[i]);
		live_bound_frames(l);
	}
	l->missed_from = join_newest(l->join) + 1;
}

static void read_all(struct live *l)
{
	uint64_t settled;

	live_limit_reading(l);
	live_read_measures(l);
	settled = live_look_at_threads(l, l->a.live ? l->settled : l->process.decided);
	if (!l->began) {
		l->interval = live_oldest_interval(l);
		live_read_hours(l, l->interval > l->from ? l->interval : l->from, settled);
	}
	live_read_intervals(l, settled);
	read_logs(l);
	live_read_kept(l);
	fill_up(l);
	live_read_run(l);
	live_read_values(l);
	live_hours_free(l);
	live_read_state(l);
	live_make_own(l);
	live_read_losses(l);
	live_bound_memory(l);
}

/* Waits a millisecond: after that, all threads have seen the marks that are decided now. */
static void settle_ends(struct live *l)
{
	snapshot_process(&l->a, &l->process);
	l->settled = l->process.decided;
	if (l->a.live)
		live_nap(SETTLE_NS);
}

static enum source_result region_is_bad(struct live *l, const char *why)
{
	snprintf(l->source.why, sizeof(l->source.why), "'%s' %s", l->name, why);
	return SOURCE_BAD;
}

static enum source_result read_outcome(struct live *l, uint64_t lost_before)
{
	uint64_t lost = l->lost_parts + l->lost_frames - lost_before;

	if (!l->a.live)
		return region_same_name(&l->a) ? SOURCE_END : SOURCE_GONE;
	if (!lost)
		return SOURCE_MORE;
	snprintf(l->source.why, sizeof(l->source.why),
		 lost == 1 ? "%llu slice was overwritten before proftop read it"
			   : "%llu slices were overwritten before proftop read them",
		 (unsigned long long)lost);
	return SOURCE_LOST;
}

/* The number of the running interval begins with 1 and only grows, and no program lives long enough to get near
 * the limit. Where it is not so, no other word of the region is to be believed either. */
static bool is_sound(const struct live *l, uint64_t epoch_before)
{
	return l->process.epoch >= 1 && l->process.epoch >= epoch_before && l->process.epoch < EPOCH_LIMIT;
}

static enum source_result live_next(struct source *s)
{
	struct live *l = (struct live *)s;
	uint64_t lost_before = l->lost_parts + l->lost_frames, epoch_before = l->process.epoch;

	settle_ends(l);
	region_refresh_life(&l->a);
	snapshot_process(&l->a, &l->process);
	if (l->a.truncated)
		return region_is_bad(l, "was cut off while proftop read it");
	if (!is_sound(l, epoch_before))
		return region_is_bad(l, "is damaged: its number of frames makes no sense");
	if (live_own_is_over(l))
		return SOURCE_ANEW;
	if (s->hurried && l->began && !live_names_are_known(l))
		return SOURCE_LATE;
	if (!l->began)
		l->ended_before = l->process.frames;
	read_all(l);
	l->began = true;
	if (l->a.truncated)
		return region_is_bad(l, "was cut off while proftop read it");
	if (l->memory)
		return region_is_bad(l, "is larger than the available memory");
	return read_outcome(l, lost_before);
}

static void blocks_free(struct live *l)
{
	for (uint32_t i = 0; l->blocks && i < l->a.thread_count; i++) {
		struct block *b = &l->blocks[i];

		node_tree_fini(&b->tree);
		node_map_fini(&b->own);
		node_map_fini(&b->ended);
		free(b->guess.cells);
		measure_columns_fini(&b->guess.columns);
	}
	free(l->blocks);
	l->blocks = NULL;
}

static void reading_free(struct live *l)
{
	live_names_free(l);
	blocks_free(l);
	live_own_free(l);
	live_values_free(l);
	live_ends_free(l);
	live_happened_free(l);
	node_paths_fini(&l->ended_paths);
	join_free(l->join);
	profile_free(l->source.profile);
	free(l->zones);
	free(l->around);
	free(l->modules);
	free(l->measures);
	symbols_free(l->symbols);
	l->symbols = NULL;
	l->join = NULL;
	l->source.profile = NULL;
	l->zones = l->around = NULL;
	l->around_count = l->around_capacity = 0;
	l->modules = l->measures = NULL;
}

static bool blocks_begin(struct live *l)
{
	uint32_t modules = l->a.header.sections[REGION_MODULES].count;

	l->blocks = array_zeroed(l->a.thread_count, sizeof(*l->blocks));
	for (uint32_t i = 0; l->blocks && i < l->a.thread_count; i++)
		l->blocks[i] = (struct block){ .index = i, .thread = PROFILE_NONE, .oldest = NEVER,
					       .last = NEVER, .next = 1 };
	l->zone_room = l->a.zone_count + 1;
	l->zones = array_zeroed(l->zone_room, sizeof(*l->zones));
	for (uint32_t i = 0; l->zones && i < l->zone_room; i++)
		l->zones[i] = (struct node_zone){ .zone = PROFILE_NONE, .around = PROFILE_NONE };
	l->modules = array_zeroed(modules + 1ull, sizeof(*l->modules));
	for (uint32_t i = 0; l->modules && i < modules; i++)
		l->modules[i] = PROFILE_NONE;
	l->measure_count = l->a.header.sections[REGION_MEASURES].count;
	l->measures = array_zeroed(l->measure_count + 1ull, sizeof(*l->measures));
	for (uint32_t i = 0; l->measures && i < l->measure_count; i++)
		l->measures[i] = PROFILE_NONE;
	return l->blocks && l->zones && l->modules && l->measures;
}

void live_hold(struct source *s, uint64_t bytes)
{
	((struct live *)s)->most_bytes = bytes;
}

/* As before anything was read. What was attached stays, and so does room that holds nothing. */
static struct live live_unread(const struct live *l)
{
	return (struct live){ .source = { .ops = l->source.ops, .hurried = l->source.hurried }, .a = l->a, .name = l->name, .often = l->often,
			      .columns = l->columns, .block_measures = l->block_measures, .before = l->before,
			      .before_capacity = l->before_capacity,
			      .makes_own = l->makes_own, .most_bytes = l->most_bytes, .totals = l->totals,
			      .total_capacity = l->total_capacity, .places = l->places,
			      .place_capacity = l->place_capacity, .cells = l->cells,
			      .cell_capacity = l->cell_capacity, .passing = l->passing,
			      .passing_capacity = l->passing_capacity, .damaged_zone = PROFILE_NONE,
			      .ended = PROFILE_NONE };
}

/* All that was read is forgotten, once there is a profile to begin with. */
static bool live_reset(struct source *s)
{
	struct live *l = (struct live *)s, before = *l;

	*l = live_unread(&before);
	l->source.profile = profile_new();
	if (l->source.profile)
		l->join = join_new(l->source.profile);
	if (!l->join || !blocks_begin(l) || !live_describe_process(l)) {
		reading_free(l);
		*l = before;
		return false;
	}
	snapshot_process(&l->a, &l->process);
	reading_free(&before);
	return true;
}

static void live_close(struct source *s)
{
	struct live *l = (struct live *)s;

	reading_free(l);
	region_detach(&l->a);
	free(l->totals);
	free(l->places);
	free(l->passing);
	free(l->cells);
	measure_columns_fini(&l->columns);
	free(l->block_measures.values);
	free(l->before);
	free(l->name);
	free(l);
}

static struct source_file live_file(const struct source *s)
{
	const struct live *l = (const struct live *)s;

	return (struct source_file){ l->a.device, l->a.inode, l->a.header.pid, l->a.live };
}

static const struct source_ops live_ops = {
	.next = live_next,
	.reset = live_reset,
	.stack = live_stack,
	.transitions = live_transitions,
	.file = live_file,
	.read_silence = live_read_silence,
	.close = live_close,
};

static enum open_result result_of(enum attach_state state)
{
	static const enum open_result results[ATTACH_STATES] = {
		[ATTACH_OK] = OPEN_OK,
		[ATTACH_ABSENT] = OPEN_ABSENT,
		[ATTACH_BAD_NAME] = OPEN_BAD_NAME,
		[ATTACH_DENIED] = OPEN_FAILED,
		[ATTACH_FOREIGN] = OPEN_NOT_OURS,
		[ATTACH_NOT_A_FILE] = OPEN_NOT_OURS,
		[ATTACH_NOT_A_REGION] = OPEN_NOT_OURS,
		[ATTACH_OTHER_ORDER] = OPEN_NOT_OURS,
		[ATTACH_OTHER_VERSION] = OPEN_NOT_OURS,
		[ATTACH_TRUNCATED] = OPEN_NOT_OURS,
		[ATTACH_DAMAGED] = OPEN_NOT_OURS,
		[ATTACH_MEMORY] = OPEN_FAILED,
	};

	return results[state];
}

struct source *live_open(const char *name, unsigned flags, enum open_result *result, char *why,
			 size_t why_size)
{
	struct live *l = calloc(1, sizeof(*l));
	enum attach_state state;

	*result = OPEN_FAILED;
	snprintf(why, why_size, "out of memory");
	if (!l || !profile_text(&l->name, name)) {
		free(l);
		return NULL;
	}
	state = region_attach(&l->a, name,
			      (flags & LIVE_ANY_USER ? ATTACH_ANY_USER : 0) |
				      (flags & LIVE_UNGUARDED ? ATTACH_UNGUARDED : 0),
			      why, why_size);
	if (state != ATTACH_OK) {
		if (state == ATTACH_NOT_A_REGION && strchr(name, '/'))
			snprintf(why, why_size, "'%s' is not a recording, not a trace that proftop can read, and "
			                        "not a profiling region", name);
		*result = result_of(state);
		free(l->name);
		free(l);
		return NULL;
	}
	l->source.ops = &live_ops;
	l->often = flags & LIVE_OFTEN;
	l->makes_own = flags & LIVE_OWN_FRAMES;
	l->most_bytes = HELD_BYTES;
	if (!live_reset(&l->source)) {
		snprintf(why, why_size, "out of memory");
		live_close(&l->source);
		return NULL;
	}
	*result = OPEN_OK;
	return &l->source;
}
