/* snapshot_frame.c: intervals: when they ended, what they were, the longest ones and their history. */
#include "shm/snapshot_read.h"

/* One that there is no memory for has no end. */
static struct region_frame *frame_element(const struct attachment *a, uint64_t interval)
{
	static struct region_frame none = { .end = UINT64_MAX };
	uint64_t i = interval & (a->frame_count - 1);

	return region_there(a, REGION_FRAMES, (i + 1) * sizeof none) ? &a->frames[i] : &none;
}

/* True if the loaded element was still that of the interval.  Pairs with the release fence of the mark: the
 * element is written again once the epoch is interval + count. */
static bool still_there(const struct attachment *a, uint64_t interval)
{
	atomic_thread_fence(memory_order_acquire);
	return WORD_LOAD(a->process->epoch) - interval < a->frame_count;
}

enum snapshot_result snapshot_interval_end(const struct attachment *a, uint64_t interval, int64_t *end)
{
	if (interval >= WORD_ACQUIRE(a->process->epoch))
		return SNAPSHOT_ABSENT;
	uint64_t word = WORD_ACQUIRE(frame_element(a, interval)->end);
	if (!still_there(a, interval))
		return SNAPSHOT_LAPPED;
	if (word == (MARK_UNDECIDED | interval))
		return SNAPSHOT_UNDECIDED;
	if (word >= TICK_LIMIT)
		return SNAPSHOT_DAMAGED;
	*end = (int64_t)word;
	return SNAPSHOT_OK;
}

static void describe_frame(const struct attachment *a, struct snapshot_frame *out, uint64_t info, uint64_t name)
{
	uint32_t marker = MARK_MARKER(info);

	out->flags = MARK_FLAGS(info);
	out->marker = marker && marker <= a->thread_count ? marker - 1 : UINT32_MAX;
	snapshot_text(a, name >> 32, name & UINT32_MAX, out->name, sizeof out->name);
}

enum snapshot_result snapshot_frame(struct attachment *a, uint64_t interval, struct snapshot_frame *out)
{
	struct region_frame *frame = frame_element(a, interval);
	enum snapshot_result result;

	memset(out, 0, sizeof *out);
	if (interval < 1)
		return SNAPSHOT_ABSENT;
	result = snapshot_interval_end(a, interval, &out->end);
	if (result != SNAPSHOT_OK)
		return result;
	uint64_t info = WORD_LOAD(frame->info), number = WORD_LOAD(frame->number), name = WORD_LOAD(frame->name);
	/* Where it began is the end of the one before, which laps first. */
	result = snapshot_interval_end(a, interval - 1, &out->start);
	if (result != SNAPSHOT_OK)
		return result;
	if (!still_there(a, interval))
		return SNAPSHOT_LAPPED;
	out->interval = interval;
	out->number = number;
	describe_frame(a, out, info, name);
	return out->end > out->start ? SNAPSHOT_OK : SNAPSHOT_DAMAGED;
}

enum snapshot_result snapshot_worst(struct attachment *a, uint32_t slot, struct snapshot_frame *out)
{
	memset(out, 0, sizeof *out);
	if (slot >= a->worst_count)
		return SNAPSHOT_ABSENT;
	struct region_worst *w = &a->worst[slot];
	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t mark = seq_read_begin(&w->seq);
		out->interval = WORD_LOAD(w->interval);
		out->number = WORD_LOAD(w->number);
		out->start = WORD_LOAD(w->start);
		out->end = WORD_LOAD(w->end);
		uint64_t info = WORD_LOAD(w->info), name = WORD_LOAD(w->name);
		if (!seq_read_valid(&w->seq, mark)) {
			snapshot_wait(a, i);
			continue;
		}
		if (!out->interval)
			return SNAPSHOT_ABSENT;
		describe_frame(a, out, info, name);
		return out->start >= 0 && out->end > out->start && (uint64_t)out->end < TICK_LIMIT ? SNAPSHOT_OK
		                                                                                  : SNAPSHOT_DAMAGED;
	}
	return SNAPSHOT_BUSY;
}

static bool is_sane(const struct snapshot_group *g, uint32_t level, uint64_t group)
{
	const struct snapshot_frame *f = &g->longest;

	return g->first >= 0 && f->start >= g->first && f->end > f->start && (uint64_t)f->end < TICK_LIMIT &&
	       f->number && f->interval >> HISTORY_SHIFT(level) == group;
}

/* The words of an element that is still of this group. */
static enum snapshot_result copy_group(const struct attachment *a, struct region_group *g, struct snapshot_group *out)
{
	struct snapshot_frame *f = &out->longest;
	int64_t length = WORD_LOAD(g->length);

	out->first = WORD_LOAD(g->first);
	f->start = WORD_LOAD(g->start);
	f->end = tick_add(f->start, length);
	f->interval = WORD_LOAD(g->interval);
	f->number = WORD_LOAD(g->number);
	describe_frame(a, f, WORD_LOAD(g->info), WORD_LOAD(g->name));
	return length ? SNAPSHOT_OK : SNAPSHOT_ABSENT;
}

enum snapshot_result snapshot_group(struct attachment *a, uint32_t level, uint64_t group, struct snapshot_group *out)
{
	uint32_t slots = a->header.history_slots;

	memset(out, 0, sizeof *out);
	if (level >= REGION_HOURS || level >= a->header.history_levels || !slots || group >= TICK_LIMIT)
		return SNAPSHOT_ABSENT;
	if (!region_there(a, REGION_HISTORY, (group % slots + 1) * sizeof(struct region_group)))
		return SNAPSHOT_ABSENT;
	struct region_group *g = &a->history[level * slots + (uint32_t)(group % slots)];
	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t mark = seq_read_begin(&g->seq);
		if ((mark | 1) > 2 * (group + 1) + 1)
			return SNAPSHOT_LAPPED;
		if (mark < 2 * group + 1)
			return SNAPSHOT_ABSENT;
		enum snapshot_result result = copy_group(a, g, out);
		if (seq_read_valid(&g->seq, mark))
			return result != SNAPSHOT_OK || is_sane(out, level, group) ? result : SNAPSHOT_DAMAGED;
		snapshot_wait(a, i);
	}
	return SNAPSHOT_BUSY;
}
