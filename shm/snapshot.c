/* snapshot.c: the process, its clock, its losses, its zones and modules. */
#include "shm/snapshot_read.h"

#include "shm/clock.h"

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

/* The number of blocks that the process reports, but no more than the named chunks have. */
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

static int64_t later_tick(int64_t newest, uint64_t tick)
{
	return tick < TICK_LIMIT ? tick_max(newest, (int64_t)tick) : newest;
}

int64_t snapshot_newest_tick(struct attachment *a)
{
	struct snapshot_process p;
	int64_t newest;

	snapshot_process(a, &p);
	newest = later_tick(later_tick(later_tick(0, p.created.ticks), (uint64_t)p.decided_end), p.latest.ticks);
	for (uint32_t b = 0; b < p.threads; b++) {
		struct region_thread *t = snapshot_block(a, b);
		if (t)
			newest = later_tick(later_tick(newest, (uint64_t)WORD_LOAD(t->last)), (uint64_t)WORD_LOAD(t->bound));
	}
	return newest;
}

/* ---- what a tick is worth, and which one it is now */

#define LONG_ENOUGH_NS  100000000ull /* two instants so far apart give the rate to a millionth */
#define LEAST_NS        1000000ull
#define NS_PER_S        1000000000ull
#define HIGHEST_RATE    1000000000000ull /* ticks per second that no counter reaches */

static bool can_be_read(const struct attachment *a)
{
	return a->same_boot && (a->header.clock == CLOCK_COUNTER || a->header.clock == REGION_CLOCK_MONOTONIC);
}

bool snapshot_now(struct attachment *a, int64_t *now)
{
	if (!can_be_read(a))
		return false;
	*now = clock_ticks((enum region_clock)a->header.clock);
	return *now >= (int64_t)a->header.created.ticks;
}

/* Ticks per second between two instants, 0 if they are less than least_ns apart or make no sense. */
static uint64_t rate_between(struct region_instant from, struct region_instant to, uint64_t least_ns)
{
	if (to.ticks <= from.ticks || to.raw_ns <= from.raw_ns || to.raw_ns - from.raw_ns < least_ns)
		return 0;
	uint64_t ns = to.raw_ns - from.raw_ns;
	unsigned __int128 rate = ((unsigned __int128)(to.ticks - from.ticks) * NS_PER_S + ns / 2) / ns;
	return rate > HIGHEST_RATE ? 0 : (uint64_t)rate;
}

/* The rate of this machine's counter, measured once, in a millisecond: to a thousandth or better. */
static uint64_t rate_here(enum region_clock source)
{
	static _Atomic uint64_t rates[REGION_CLOCK_MONOTONIC + 1];
	struct timespec pause = { 0, LEAST_NS };
	uint64_t rate;

	if (source > REGION_CLOCK_MONOTONIC)
		return 0;
	rate = atomic_load(&rates[source]);
	if (!rate) {
		struct region_instant then = clock_instant(source);

		nanosleep(&pause, NULL);
		rate = rate_between(then, clock_instant(source), LEAST_NS);
		atomic_store(&rates[source], rate);
	}
	return rate;
}

/* Two instants that are far apart say it better, unless the clock beside the counter is not the same one in both (the process
 * is in a time namespace), or stood still meanwhile (the machine was suspended). */
static uint64_t better_rate(uint64_t far, uint64_t near)
{
	return far && near && (far > near ? far - near : near - far) < near / 100 ? far : near;
}

uint64_t snapshot_rate(struct attachment *a, bool *estimated)
{
	struct snapshot_process p;
	uint64_t rate = a->header.ticks_per_s;

	*estimated = false;
	if (rate && rate <= HIGHEST_RATE)
		return rate;
	snapshot_process(a, &p);
	rate = rate_between(p.created, p.latest, LONG_ENOUGH_NS);
	if (can_be_read(a)) {
		enum region_clock source = (enum region_clock)a->header.clock;
		uint64_t near = rate_here(source);

		if (!rate || better_rate(rate, near) != rate)
			rate = better_rate(rate_between(a->header.created, clock_instant(source), LEAST_NS), near);
	}
	if (!rate)
		rate = rate_between(p.created, p.latest, LEAST_NS);
	*estimated = !rate;
	return rate ? rate : NS_PER_S;
}

/* ---- causes of loss, as keys for machines and sentences for people */

static const struct {
	const char *key, *text;
} causes[LOSS_CAUSES] = {
	[LOSS_END_WITHOUT_BEGIN] = { "end_without_begin", "an end with no zone open (Prof_End without Prof_Begin)" },
	[LOSS_TOO_DEEP] = { "too_deep", "a zone deeper than 2,048 levels" },
	[LOSS_NODE_ROOM] = { "node_room", "a zone whose node had no space (raise PROF_SHM_SIZE)" },
	[LOSS_THREAD_ROOM] = { "thread_room", "a zone or value of a thread for which there was no space (raise "
	                                      "PROF_SHM_SIZE)" },
	[LOSS_ZONE_ROOM] = { "zone_room", "a zone or name that had no space in the tables (raise PROF_SHM_SIZE)" },
	[LOSS_IN_HANDLER] = { "in_handler", "a zone or value in a signal handler that interrupted libprof" },
	[LOSS_AFTER_THREAD_END] = { "after_thread_end", "a zone or value in a destructor, after its thread had ended" },
	[LOSS_MARK_BUSY] = { "mark_busy", "a frame mark while another one was being set" },
	[LOSS_FRAME_BOUNDS] = { "frame_bounds", "a frame begun inside a frame, or ended outside of one" },
	[LOSS_LEFT_OPEN] = { "left_open", "a frame mark, or an end of a thread, that found zones not closed (their "
	                                  "ends are missing, or were jumped over)" },
	[LOSS_PART_ROOM] = { "part_room", "a slice, what one thread did in a frame, that had no space (raise "
	                                  "PROF_SHM_SIZE)" },
	[LOSS_EVENT_ROOM] = { "event_room", "an event that had no space (raise PROF_SHM_SIZE)" },
	[LOSS_WORST_ROOM] = { "worst_room", "a slice of a slow frame that could not be retained (raise "
	                                    "PROF_SHM_SIZE)" },
	[LOSS_FRAMES_MERGED] = { "frames_merged", "a frame merged with others, because its thread slept through the "
	                                          "history of marks" },
	[LOSS_CLOCK_BACK] = { "clock_back", "a clock reading that went back" },
	[LOSS_MEMORY] = { "memory", "a zone or value for which the program had no memory" },
	[LOSS_COUNTER_ROOM] = { "counter_room", "a value of a counter that had no space in the tables (raise "
	                                        "PROF_SHM_SIZE)" },
	[LOSS_MEASURE_ROOM] = { "measure_room", "a value of a measure, such as allocated bytes, that had no space (raise "
	                                        "PROF_SHM_SIZE)" },
	[LOSS_SAMPLE_ROOM] = { "sample_room", "a sample whose functions had no space (raise PROF_SHM_SIZE)" },
	[LOSS_NOT_A_NUMBER] = { "not_a_number", "a value of a counter that is not a finite number" },
	[LOSS_VALUE_ROOM] = { "value_room", "a counter's value in a frame, an event or a note that had no space "
	                                    "(raise PROF_SHM_SIZE)" },
	[LOSS_NOTE_CUT] = { "note_cut", "a note longer than 1,000 bytes, whose end was cut off" },
	[LOSS_HOURS_ROOM] = { "hours_room", "a slice of the longest frame of many that could not be retained (raise "
	                                    "PROF_SHM_SIZE)" },
	[LOSS_CALLS_ROOM] = { "calls_room", "a thread's single calls in a slow frame that could not be retained "
	                                    "(raise PROF_SHM_SIZE)" },
	[LOSS_REGION_ROOM] = { "region_room", "memory of PROF_SHM_SIZE that was not available, or was left to "
	                                      "others in the control group: the history is shorter" },
	[LOSS_STARTING] = { "starting", "a zone, value or frame mark while another thread created the region" },
	[LOSS_MARK_ROOM] = { "mark_room", "a frame mark for which there was no memory: the frame continues" },
	[LOSS_STACK_ROOM] = { "stack_room", "a zone suspended deeper than a Prof_stack holds" },
	[LOSS_STACK_MISUSED] = { "stack_misused", "a Prof_Suspend on another thread than the Prof_Resume before it, "
	                                          "or of zones that were suspended already" },
};

const char *region_loss_key(enum region_loss cause)
{
	return (unsigned)cause < LOSS_CAUSES ? causes[cause].key : "unknown";
}

const char *region_loss_text(enum region_loss cause)
{
	return (unsigned)cause < LOSS_CAUSES ? causes[cause].text : "a cause that this version does not know";
}
