/* snapshot.c: the process and its zones. */
#include "shm/snapshot_read.h"

#define HIGHEST_PAIR_PS 1000000000u /* a millisecond: no zone costs that */

/* ---- the process */

static struct region_instant latest_instant(struct attachment *a)
{
	struct region_process *p = a->process;
	struct region_instant now;

	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t mark = seq_read_begin(&p->instant_seq);
		now.ticks = WORD_LOAD(p->latest[0]);
		now.raw_ns = WORD_LOAD(p->latest[1]);
		now.real_ns = WORD_LOAD(p->latest[2]);
		if (seq_read_valid(&p->instant_seq, mark))
			return now;
		snapshot_wait(a, i);
	}
	return (struct region_instant){ 0 };
}

/* One mark at most is on its way; the newest that is not is the answer. */
static void newest_decided(struct attachment *a, struct snapshot_process *out)
{
	out->decided = 0;
	out->decided_end = (int64_t)a->header.created.ticks;
	for (uint64_t back = 1; back <= 3 && back <= out->epoch; back++)
		if (snapshot_interval_end(a, out->epoch - back, &out->decided_end) == SNAPSHOT_OK) {
			out->decided = out->epoch - back;
			return;
		}
	out->decided_end = (int64_t)a->header.created.ticks;
}

static uint64_t pair_ps(const region_word *word)
{
	uint64_t ps = WORD_LOAD(*word);

	return ps <= HIGHEST_PAIR_PS ? ps : 0;
}

/* Of the blocks that it says it has those that there are chunks named for. */
static uint32_t threads_of(const struct attachment *a)
{
	uint64_t said = WORD_ACQUIRE(a->process->threads), chunks = said / CHUNK_BLOCKS + (said % CHUNK_BLOCKS != 0);

	return snapshot_clamp(said, CHUNK_BLOCKS * snapshot_filled(a, REGION_THREADS, chunks));
}

void snapshot_losses(struct attachment *a, struct snapshot_process *out)
{
	struct region_process *p = a->process;

	for (unsigned i = 0; i < LOSS_MAX; i++)
		out->lost[i] = WORD_LOAD(p->lost[i]);
	out->unplaced = WORD_LOAD(p->unplaced);
}

void snapshot_process(struct attachment *a, struct snapshot_process *out)
{
	struct region_process *p = a->process;
	uint64_t marker, left_open;

	memset(out, 0, sizeof *out);
	a->budget->log_words = 0;
	a->budget->kept_chunks = 0;
	a->budget->measured_chunks = 0;
	out->epoch = WORD_ACQUIRE(p->epoch);
	newest_decided(a, out);
	out->frames = WORD_LOAD(p->frames);
	out->exited = WORD_LOAD(p->state) == PROCESS_EXITED;
	out->zones = snapshot_filled(a, REGION_ZONES, WORD_ACQUIRE(p->zones)); /* pairs with the release in registry.c */
	out->threads = threads_of(a);
	out->string_bytes = snapshot_filled(a, REGION_STRINGS, WORD_ACQUIRE(p->strings));
	marker = WORD_LOAD(p->marker);
	out->marker = marker && marker <= a->thread_count ? (uint32_t)marker - 1 : UINT32_MAX;
	left_open = WORD_LOAD(p->left_open);
	out->left_open = left_open <= out->zones ? (uint32_t)left_open : 0;
	snapshot_losses(a, out);
	out->created = a->header.created;
	out->latest = latest_instant(a);
	out->pair_ps = pair_ps(&p->pair_ps);
	out->pair_cold_ps = pair_ps(&p->pair_cold_ps);
	out->chunks_free = snapshot_clamp(WORD_LOAD(p->chunks_free), a->chunk_count);
	out->enabled = WORD_LOAD(p->enabled) != 0;
	out->counters = snapshot_filled(a, REGION_COUNTERS, WORD_ACQUIRE(p->counters)); /* pairs with counter.c's release */
	out->modules = snapshot_filled(a, REGION_MODULES, WORD_ACQUIRE(p->modules));    /* and with registry.c's */
	out->measures = snapshot_measure_count(a);
}

/* ---- zones */

bool snapshot_zone(struct attachment *a, uint32_t index, struct snapshot_zone *out, char *text, size_t size)
{
	struct region_zone zone;

	*out = (struct snapshot_zone){ .name = "", .file = "", .module = UINT32_MAX };
	if (index >= snapshot_filled(a, REGION_ZONES, WORD_ACQUIRE(a->process->zones)))
		return false;
	snapshot_load(a, REGION_ZONES, index, &zone, sizeof zone);
	out->line = zone.line;
	out->flags = zone.flags;
	if (zone.module && zone.module <= snapshot_filled(a, REGION_MODULES, WORD_ACQUIRE(a->process->modules))) {
		out->module = zone.module - 1;
		out->offset = zone.offset;
	}
	return snapshot_texts(a, (const struct text_place[]){ { zone.name, zone.name_size }, { zone.file, zone.file_size } },
	                      &out->name, &out->file, text, size);
}

bool snapshot_module(struct attachment *a, uint32_t index, struct snapshot_module *out, char *text, size_t size)
{
	struct region_module module;

	*out = (struct snapshot_module){ .path = "", .build = "" };
	if (index >= snapshot_filled(a, REGION_MODULES, WORD_ACQUIRE(a->process->modules)))
		return false;
	snapshot_load(a, REGION_MODULES, index, &module, sizeof module);
	out->address = module.address;
	out->size = module.size;
	return snapshot_texts(a, (const struct text_place[]){ { module.path, module.path_size },
	                                                                 { module.build, module.build_size } },
	                      &out->path, &out->build, text, size);
}

/* ---- the newest tick */

static int64_t later(int64_t newest, uint64_t tick)
{
	return tick < TICK_LIMIT ? tick_max(newest, (int64_t)tick) : newest;
}

int64_t snapshot_newest_tick(struct attachment *a)
{
	struct snapshot_process p;
	int64_t newest;

	snapshot_process(a, &p);
	newest = later(later(later(0, p.created.ticks), (uint64_t)p.decided_end), p.latest.ticks);
	for (uint32_t b = 0; b < p.threads; b++) {
		struct region_thread *t = snapshot_block(a, b);
		if (t)
			newest = later(later(newest, (uint64_t)WORD_LOAD(t->last)), (uint64_t)WORD_LOAD(t->bound));
	}
	return newest;
}
