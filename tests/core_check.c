/* core_check.c: what holds of a region whenever its writer died. */
#include "tests/core_check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "prof.h"
#include "shm/snapshot_read.h"
#include "tests/core_run.h"

#define MAX_OPEN 64

struct chain {
	struct check_seen *seen;
	uint32_t block;
	bool linked;
	int64_t end;
};

/* Records tile from a START to an EXIT; whether each is whole was checked by whoever delivers them. */
static bool link_record(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct chain *c = context;

	(void)nodes;
	c->seen->records++;
	if (c->linked && head->kind != RECORD_START)
		CHECK(head->bound == c->end, "block %u: a part begins at %lld, the one before ended at %lld", c->block,
		      (long long)head->bound, (long long)c->end);
	c->end = head->end;
	c->linked = head->kind != RECORD_EXIT;
	return true;
}

static void check_open(struct attachment *a, uint32_t block)
{
	struct snapshot_open open[MAX_OPEN];
	int64_t last;
	bool busy;
	uint32_t count = snapshot_stack(a, block, open, MAX_OPEN, &busy, &last);

	for (uint32_t i = 0; i + 1 < count; i++)
		CHECK(open[i].zone && open[i].node > open[i + 1].node && open[i].entered >= 0 && open[i].entered <= last,
		      "block %u, open zone %u", block, i);
	CHECK(!count || count == MAX_OPEN || open[count - 1].node == 0, "block %u: the stack has no root", block);
}

static void check_totals(struct attachment *a, const struct snapshot_thread *t, uint32_t block, struct check_seen *seen)
{
	struct snapshot_total *values = calloc(t->nodes + 1, sizeof *values);
	struct snapshot_totals totals;
	int64_t sum = 0;

	CHECK(snapshot_totals(a, block, snapshot_newest_tick(a), t->nodes, values, &totals) == SNAPSHOT_OK, "block %u", block);
	for (uint32_t n = 0; n < t->nodes; n++)
		sum += values[n].self;
	seen->torn += totals.torn;
	CHECK(!totals.torn && sum == totals.until - totals.started, "block %u: the sum is %lld of %lld", block, (long long)sum,
	      (long long)(totals.until - totals.started));
	free(values);
}

static bool count_value(const struct snapshot_value *value, void *context)
{
	struct check_seen *seen = context;

	(void)value;
	seen->values++;
	return true;
}

/* Every value that was committed is whole; one may be in flight. */
static void check_values(struct attachment *a, uint32_t block, struct check_seen *seen)
{
	struct snapshot_slot slots[64];
	uint64_t position = 0, lapped = 0, damaged = 0, torn = 0;
	uint32_t count = 64;

	CHECK(snapshot_slots(a, block, slots, &count, &torn) == SNAPSHOT_OK && torn <= 1, "block %u: %llu values in flight",
	      block, (unsigned long long)torn);
	CHECK(snapshot_values(a, block, &position, &lapped, &damaged, count_value, seen) == SNAPSHOT_OK && !damaged,
	      "block %u: %llu values damaged", block, (unsigned long long)damaged);
	CHECK(position == WORD_LOAD(snapshot_block(a, block)->values.head), "block %u: read to word %llu of its values", block,
	      (unsigned long long)position);
	seen->values += count;
}

static void check_block(struct attachment *a, uint32_t block, struct check_seen *seen)
{
	struct chain chain = { .seen = seen, .block = block };
	uint64_t position = 0, lapped = 0, damaged = 0;
	struct snapshot_thread t;
	uint32_t bad = 0;

	if (snapshot_thread(a, block, &t) == SNAPSHOT_ABSENT)
		return;
	seen->blocks++;
	CHECK(snapshot_parts(a, block, &position, &lapped, &damaged, NULL, link_record, &chain) == SNAPSHOT_OK && !damaged,
	      "block %u: %llu records damaged", block, (unsigned long long)damaged);
	CHECK(position == t.part_head, "block %u: read to word %llu of %llu", block, (unsigned long long)position,
	      (unsigned long long)t.part_head);
	struct snapshot_place *places = calloc(t.nodes + 1, sizeof *places);
	CHECK(snapshot_nodes(a, block, 0, t.nodes, places, &bad) == t.nodes && !bad, "block %u: %u nodes damaged", block, bad);
	free(places);
	check_values(a, block, seen);
	if (!t.nodes)
		return;
	check_open(a, block);
	check_totals(a, &t, block, seen);
}

static void read_it(const char *name, struct check_seen *seen)
{
	struct attachment a;
	struct snapshot_process p;
	char why[512] = "";

	if (!CHECK(region_attach(&a, name, 0, why, sizeof why) == ATTACH_OK, "%s", why))
		return;
	CHECK(!a.live, "%s is alive", name);
	snapshot_process(&a, &p);
	for (uint32_t z = 0; z < p.zones; z++) {
		struct snapshot_zone zone;
		char text[512];
		CHECK(snapshot_zone(&a, z, &zone, text, sizeof text) && zone.name[0], "zone %u", z);
	}
	for (uint32_t b = 0; b < p.threads; b++)
		check_block(&a, b, seen);
	kept_check(&a, &seen->kept);
	region_detach(&a);
}

static void replay_it(const struct image *image, struct check_seen *seen)
{
	for (uint32_t b = 0; b < image->threads_used; b++) {
		uint64_t intent = WORD_LOAD(image_thread(image, b)->intent), head = WORD_LOAD(image_thread(image, b)->head);
		CHECK(intent - head <= 1 + Prof_STACK_ZONES, "block %u: intent %llu, head %llu", b, (unsigned long long)intent,
		      (unsigned long long)head);
		seen->in_flight += intent != head;
	}
	replay_image(image, &seen->counts);
	seen->regions++;
}

void check_region(const char *name, struct check_seen *seen)
{
	struct image image;

	read_it(name, seen);
	if (image_load(&image, name)) {
		replay_it(&image, seen);
		image_free(&image);
	}
}

void check_store(const char *name, const void *bytes, size_t size)
{
	char path[300];

	snprintf(path, sizeof path, "/dev/shm/%s", name);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size && ftruncate(fd, (off_t)size) == 0, "%s", path);
	close(fd);
}

static void append(char *out, size_t room, const char *text)
{
	size_t used = strlen(out);

	snprintf(out + used, room - used, "%s%s", used ? "/" : "", text);
}

static void stack_of(struct attachment *a, uint32_t block, char *out, size_t room)
{
	struct snapshot_open open[MAX_OPEN];
	struct snapshot_zone zone;
	int64_t last;
	bool busy;
	uint32_t count = snapshot_stack(a, block, open, MAX_OPEN, &busy, &last);

	for (uint32_t i = count; i-- > 0;) {
		char text[256];
		if (open[i].zone && snapshot_zone(a, open[i].zone - 1, &zone, text, sizeof text))
			append(out, room, zone.name);
	}
}

void check_stack(const char *name, char *out, size_t room)
{
	struct attachment a;
	struct snapshot_process p;
	struct snapshot_thread t;

	out[0] = '\0';
	if (!CHECK(region_attach(&a, name, 0, NULL, 0) == ATTACH_OK, "%s", name))
		return;
	snapshot_process(&a, &p);
	for (uint32_t b = 0; b < p.threads; b++)
		if (snapshot_thread(&a, b, &t) != SNAPSHOT_ABSENT && t.state == BLOCK_LIVE) {
			stack_of(&a, b, out, room);
			break;
		}
	region_detach(&a);
}
