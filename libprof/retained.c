/* retained.c: records that a thread keeps apart from its part log, which laps: those of the longest frames of all, and for
 * hours those of the longest frame of many.
 */
#include "libprof/libprof_inside.h"

/* ---- the longest frames
 *
 * The marker says which intervals are among the worst (frame.c: process.worst_interval) before it publishes their end.
 * A thread that has just written its record of such an interval copies it into chunks of the slot's own
 * (struct region_kept); when the slot goes to another frame, they are written over.  Its single calls of that interval
 * stay where they are: events.c.
 */

static bool kept_room(struct process *p, struct log *log, struct region_kept *kept, uint32_t chunks)
{
	while (log->owned < chunks) {
		uint32_t chunk = prof__chunk_claim(p, CHUNK_FOR_WORST, log->owned);
		if (!chunk)
			return false;
		prof__log_append(p, log, chunk, &kept->chunk);
	}
	return true;
}

/* Copies the record that was just written, words [from, part_head) of the log. */
static void copy_record(struct thread *t, struct log *log, uint64_t from)
{
	struct process *p = prof__process;
	uint32_t source = t->parts.chunks.oldest, target = log->oldest;
	uint64_t seq = t->parts.chunks.seq - t->parts.chunks.owned;

	for (; seq < from / CHUNK_WORDS; seq++)
		source = p->newer[source - 1];
	for (uint64_t w = from, out = 0; w < t->parts.end.head; w++, out++) {
		if (w > from && w % CHUNK_WORDS == 0)
			source = p->newer[source - 1];
		if (out && out % CHUNK_WORDS == 0)
			target = p->newer[target - 1];
		WORD_STORE(p->chunks[target - 1].words[out % CHUNK_WORDS],
		           WORD_LOAD(p->chunks[source - 1].words[w % CHUNK_WORDS]));
	}
}

static void keep_record(struct thread *t, unsigned slot, uint64_t interval, uint64_t from)
{
	struct process *p = prof__process;
	struct region_kept *kept = &t->block->worst[slot];
	uint64_t words = t->parts.end.head - from, oldest = (t->parts.chunks.seq - t->parts.chunks.owned) * CHUNK_WORDS;

	if (!words || from < oldest) {
		loss_add(p, LOSS_WORST_ROOM);
		return;
	}
	seq_write_begin(&kept->seq);
	WORD_STORE(kept->interval, 0);
	if (kept_room(p, &t->kept[slot], kept, (uint32_t)((words + CHUNK_WORDS - 1) / CHUNK_WORDS))) {
		copy_record(t, &t->kept[slot], from);
		WORD_STORE(kept->interval, interval);
		WORD_STORE(kept->words, words);
	} else {
		loss_add(p, LOSS_WORST_ROOM);
	}
	seq_write_end(&kept->seq);
}

void prof__keep_worst(struct thread *t, uint64_t first, uint64_t last, uint64_t from, uint64_t event)
{
	struct process *p = prof__process;

	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++) {
		uint64_t interval = atomic_load_explicit(&p->worst_interval[slot], memory_order_relaxed);
		if (interval >= first && interval <= last) {
			keep_record(t, slot, interval, from);
			prof__events_keep(t, slot, interval, event);
		}
	}
}

/* ---- for hours
 *
 * The longest frame of every 64, of every 1,024 and of every 16,384: a thread keeps its records of these for
 * hours.
 *
 *   parts     | | | | | | | | | | | | | | | |    every interval, until the log laps
 *   hours[0]  |             |       |       |    its records of the longest frame of each 64
 *   hours[1]                |                    of each 1,024, from hours[0]
 *   hours[2]                |                    of each 16,384, from hours[1]
 *
 * Which one is the longest, the marker says once a group is over (region_group).  A thread looks when it has a record
 * of a later group, and copies what its part log still has of that interval.  Until then it knows where the records of
 * each item of the running group are; an item of a level is a group of the level below.  A span over many items is one
 * record: it is copied once.  What cannot be kept is counted; a sum over several intervals (RECORD_MERGED) is not kept
 * of any, and was counted as merged.
 *
 * All of this belongs to the block: the next owner goes on where the one before stopped.
 */

static unsigned group_bits(unsigned level)
{
	return level ? HISTORY_SHIFT(level) - HISTORY_SHIFT(level - 1) : HISTORY_SHIFT(0);
}

static struct place *place_of(struct thread *t, unsigned level, uint64_t item)
{
	struct place *first = level ? &t->items[64 + 16 * (level - 1)] : t->items;

	return &first[item & ((1u << group_bits(level)) - 1)];
}

/* Where the level's source has this item; NULL: the thread has nothing of it. */
static const struct place *find_item(struct thread *t, unsigned level, uint64_t item)
{
	const struct place *span = &t->hours[level].into;
	unsigned before = (unsigned)item & ((1u << group_bits(level)) - 1); /* of its group */

	for (unsigned i = 0; i <= before; i++) {
		const struct place *place = place_of(t, level, item - i);
		if (place->first == item - i && place->at.from < place->at.to)
			return item <= place->last ? place : NULL;
	}
	return item <= span->last && span->at.from < span->at.to ? span : NULL;
}

/* The longest frame of a group that is over; 0: there is no frame in it.  false: it was lapped while this thread slept,
 * or its mark is being set just now (then this is not a flush: that comes behind the mark). */
static bool read_longest(struct process *p, unsigned level, uint64_t group, uint64_t *interval)
{
	struct region_group *g = &p->history[level * p->history_slots + group % p->history_slots];
	uint64_t slot = group % p->history_slots, mark;

	if ((slot + 1) * sizeof *g > atomic_load_explicit(&p->there[REGION_HISTORY], memory_order_acquire))
		return false;
	mark = seq_read_begin(&g->seq);
	*interval = WORD_LOAD(g->length) > 0 ? WORD_LOAD(g->interval) : 0;
	return mark == 2 * (group + 1) && seq_read_valid(&g->seq, mark);
}

/* Copies it from the level's source, unless it was the last that was copied. */
static bool copy_item(struct thread *t, unsigned level, const struct place *place)
{
	const struct word_log *source = level ? &t->hours[level - 1].log : &t->parts;
	struct hours *h = &t->hours[level];

	if (h->source == place->at.from && h->copied.chunk)
		return true;
	if (!prof__log_copy(&h->log, source, &place->at, &h->copied)) {
		loss_add(prof__process, LOSS_HOURS_ROOM);
		return false;
	}
	h->source = place->at.from;
	return true;
}

static void note_item(struct thread *t, unsigned level, uint64_t first, uint64_t last, const struct log_place *at);

static void keep_item(struct thread *t, unsigned level, uint64_t first, uint64_t last, const struct place *place)
{
	if (copy_item(t, level, place) && level + 1 < REGION_HOURS)
		note_item(t, level + 1, first, last, &t->hours[level].copied);
}

static void keep_longest(struct thread *t, unsigned level, uint64_t group)
{
	const struct place *place;
	uint64_t interval;

	if (!t->hours[level].any)
		return;
	if (!read_longest(prof__process, level, group, &interval)) {
		loss_add(prof__process, LOSS_HOURS_ROOM);
		return;
	}
	place = find_item(t, level, level ? interval >> HISTORY_SHIFT(level - 1) : interval);
	if (interval && place)
		keep_item(t, level, group, group, place);
}

/* An item of a new group comes: the one before is over, and so are those that a span has passed over. */
static cold void groups_over(struct thread *t, unsigned level, uint64_t group)
{
	struct hours *h = &t->hours[level];
	uint64_t whole = h->group + 1, end = (h->out.last + 1) >> group_bits(level);

	keep_longest(t, level, h->group);
	if (whole < end)
		keep_item(t, level, whole, end - 1, &h->out);
	h->group = group;
	h->into = h->out;
	h->any = false;
}

static void note_item(struct thread *t, unsigned level, uint64_t first, uint64_t last, const struct log_place *at)
{
	struct hours *h = &t->hours[level];
	struct place *one = place_of(t, level, first);

	if (unlikely(first >> group_bits(level) != h->group))
		groups_over(t, level, first >> group_bits(level));
	h->any = true;
	if (one->first == first && one->at.from < one->at.to)
		one->at.to = at->to; /* a piece, or another owner's */
	else
		*one = (struct place){ first, last, *at };
	if (unlikely(last >> group_bits(level) != h->group))
		h->out = *one;
}

void prof__hours_note(struct thread *t, uint64_t first, uint64_t last, const struct log_place *at)
{
	struct place *one = place_of(t, 0, first);
	uint64_t group = t->hours[0].group;

	if (unlikely(first >> HISTORY_SHIFT(0) != group || last >> HISTORY_SHIFT(0) != group || one->first == first)) {
		note_item(t, 0, first, last, at);
	} else { /* the same, where it is the first record of an interval and nothing else */
		t->hours[0].any = true;
		*one = (struct place){ first, last, *at };
	}
}

void prof__hours_forget(struct thread *t, uint64_t interval)
{
	place_of(t, 0, interval)->at.to = 0;
}
