/* retained.c: what a thread had in the longest frames, kept apart from its part log, which laps.
 *
 * The marker says which intervals are among the worst (frame.c: process.worst_interval) before it publishes their end.
 * A thread that has just written its record of such an interval copies it into chunks of the slot's own
 * (struct region_kept); when the slot goes to another frame, they are written over.  Its single calls of that interval
 * stay where they are: events.c.
 */
#include "libprof/internal.h"

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

static void keep(struct thread *t, unsigned slot, uint64_t interval, uint64_t from)
{
	struct process *p = prof__process;
	struct region_kept *kept = &t->block->worst[slot];
	uint64_t words = t->parts.end.head - from, oldest = (t->parts.chunks.seq - t->parts.chunks.owned) * CHUNK_WORDS;

	if (!words || from < oldest) {
		loss(p, LOSS_WORST_ROOM);
		return;
	}
	seq_write_begin(&kept->seq);
	WORD_STORE(kept->interval, 0);
	if (kept_room(p, &t->kept[slot], kept, (uint32_t)((words + CHUNK_WORDS - 1) / CHUNK_WORDS))) {
		copy_record(t, &t->kept[slot], from);
		WORD_STORE(kept->interval, interval);
		WORD_STORE(kept->words, words);
	} else {
		loss(p, LOSS_WORST_ROOM);
	}
	seq_write_end(&kept->seq);
}

void prof__keep_worst(struct thread *t, uint64_t first, uint64_t last, uint64_t from, uint64_t event)
{
	struct process *p = prof__process;

	for (unsigned slot = 0; slot < REGION_WORST_FRAMES; slot++) {
		uint64_t interval = atomic_load_explicit(&p->worst_interval[slot], memory_order_relaxed);
		if (interval >= first && interval <= last) {
			keep(t, slot, interval, from);
			prof__events_keep(t, slot, interval, event);
		}
	}
}
