/* core_inside.c: a reader in the writers' own process, on the writers' own mapping.
 *
 * Built with -fsanitize=thread this shows that no shared word is touched but as an atomic, or behind the
 * release that publishes it (it does not see fences, so it cannot judge their order).  Without, it is one more
 * race of readers against writers, with all sums checked.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/core_run.h"
#include "tests/core_watch.h"
#include "tests/core_work.h"

static _Atomic int stop;
static uint64_t kept_read; /* chunks of events that are kept */

/* The writer's mapping: the one of the region's inode that can be written. */
static unsigned char *writers_mapping(const struct attachment *a)
{
	char line[512], rights[8];
	unsigned char *found = NULL;
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof line, maps)) {
		unsigned long begin, inode;
		if (sscanf(line, "%lx-%*x %7s %*x %*x:%*x %lu", &begin, rights, &inode) == 3 && rights[1] == 'w' &&
		    rights[3] == 's' && inode == a->inode)
			found = (unsigned char *)begin;
	}
	if (maps)
		fclose(maps);
	return found;
}

/* Turns the pointers of an attachment to where the process itself has its region. */
static bool move_in(struct attachment *a)
{
	unsigned char *base = writers_mapping(a);
	ptrdiff_t way = base - a->base;

	if (!CHECK(base, "the region is not mapped"))
		return false;
	a->process = (void *)((unsigned char *)a->process + way);
	a->strings += way;
	a->thread_chunks = (void *)((unsigned char *)a->thread_chunks + way);
	a->frames = (void *)((unsigned char *)a->frames + way);
	a->history = (void *)((unsigned char *)a->history + way);
	a->worst = (void *)((unsigned char *)a->worst + way);
	a->chunks = (void *)((unsigned char *)a->chunks + way);
	a->base = base; /* of the tables */
	return true;
}

#define BLOCKS 64
#define SLOTS  8

static struct {
	uint64_t position[BLOCKS], slots, samples, events, notes, lapped, damaged, torn;
} values;

static bool count_value(const struct snapshot_value *value, void *unused)
{
	(void)unused;
	if (value->kind == VALUE_NOTE)
		CHECK(strstr(value->text, " left"), "the note %s", value->text);
	values.samples += value->kind == VALUE_SAMPLE;
	values.events += value->kind == VALUE_EVENT;
	values.notes += value->kind == VALUE_NOTE;
	return true;
}

static void read_values(struct attachment *a, const struct snapshot_process *p)
{
	struct snapshot_slot slots[SLOTS];
	struct snapshot_counter counter;
	char text[128];

	for (uint32_t c = 0; c < p->counters; c++)
		CHECK(snapshot_counter(a, c, &counter, text, sizeof text) && counter.name[0], "counter %u", c);
	for (uint32_t b = 0; b < p->threads && b < BLOCKS; b++) {
		uint32_t count = SLOTS;
		CHECK(snapshot_slots(a, b, slots, &count, &values.torn) != SNAPSHOT_DAMAGED, "slots of %u", b);
		values.slots += count;
		snapshot_values(a, b, &values.position[b], &values.lapped, &values.damaged, count_value, NULL);
	}
}

static bool count_kept(const struct snapshot_kept_events *kept, void *count)
{
	CHECK(kept->count == CHUNK_EVENTS, "a kept chunk has %llu events", (unsigned long long)kept->count);
	++*(uint64_t *)count;
	return true;
}

static void read_more(struct attachment *a, uint64_t *newest)
{
	struct snapshot_process p;
	struct snapshot_frame frame;
	struct snapshot_group group;
	struct snapshot_zone zone;
	struct snapshot_event events[64];
	char text[128];

	snapshot_process(a, &p);
	CHECK(p.decided >= *newest, "intervals went back");
	*newest = p.decided;
	if (p.decided)
		CHECK(snapshot_frame(a, p.decided, &frame) != SNAPSHOT_DAMAGED, "frame %llu", (unsigned long long)p.decided);
	for (uint32_t slot = 0; slot < a->worst_count; slot++)
		CHECK(snapshot_worst(a, slot, &frame) != SNAPSHOT_DAMAGED, "worst %u", slot);
	for (uint32_t level = 0; level < REGION_HOURS; level++)
		CHECK(snapshot_group(a, level, (p.decided >> HISTORY_SHIFT(level)) - 1, &group) != SNAPSHOT_DAMAGED,
		      "level %u", level);
	for (uint32_t z = 0; z < p.zones; z++)
		CHECK(snapshot_zone(a, z, &zone, text, sizeof text) && zone.name[0], "zone %u", z);
	for (uint32_t b = 0; b < p.threads; b++) {
		struct snapshot_open open[32];
		struct snapshot_thread t;
		int64_t last;
		bool busy;
		snapshot_stack(a, b, open, 32, &busy, &last);
		if (snapshot_thread(a, b, &t) == SNAPSHOT_OK && t.transitions > 64)
			snapshot_events(a, b, t.transitions - 64, 64, events);
		snapshot_kept_events(a, b, 0, UINT64_MAX / 2, count_kept, &kept_read);
	}
	read_values(a, &p);
}

static void *reader(void *argument)
{
	struct watch *w = argument;
	uint64_t newest = 0;

	while (!atomic_load(&stop)) {
		watch_poll(w);
		read_more(&w->region, &newest);
		core_sleep_us(500);
	}
	return NULL;
}

static int inside(const char *name)
{
	struct watch w;
	pthread_t thread;

	if (!watch_open(&w, name))
		return 1;
	unsigned char *readers_mapping = w.region.base;
	if (!move_in(&w.region))
		return 1;
	w.infer = true;
	if (pthread_create(&thread, NULL, reader, &w) != 0)
		return 1;
	work_run(4, 2000, 1000, "dstv", 3);
	atomic_store(&stop, 1);
	pthread_join(thread, NULL);
	CHECK(w.record_count > 100 && w.looks > 100 && w.damaged == 0, "%llu records, %llu looks, %llu damaged",
	      (unsigned long long)w.record_count, (unsigned long long)w.looks, (unsigned long long)w.damaged);
	CHECK(values.slots && values.samples && values.events && values.notes && !values.damaged,
	      "%llu slots, %llu samples, %llu events, %llu notes, %llu damaged", (unsigned long long)values.slots,
	      (unsigned long long)values.samples, (unsigned long long)values.events, (unsigned long long)values.notes,
	      (unsigned long long)values.damaged);
	printf("%llu records, %llu inferred, %llu looks, %llu lapped, %llu torn, %llu kept chunks of events\n",
	       (unsigned long long)w.record_count, (unsigned long long)w.inference_count, (unsigned long long)w.looks,
	       (unsigned long long)w.lapped, (unsigned long long)w.torn, (unsigned long long)kept_read);
	w.region.base = readers_mapping;
	watch_close(&w);
	return core_result();
}

int main(int argc, char **argv)
{
	const char *name = core_name("inside");
	const char *const arguments[] = { "inside", name, NULL };
	struct core_program large = { .shm = name, .size = "64M", .arguments = arguments };
	struct core_program small = { .shm = name, .size = "1M", .arguments = arguments };

	if (argc > 2 && !strcmp(argv[1], "inside"))
		return inside(argv[2]);
	core_run(&large, 60);
	core_remove(name);
	core_run(&small, 60);
	core_remove(name);
	return core_result();
}
