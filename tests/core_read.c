/* core_read.c: sums over a region that was left behind. */
#include "tests/core_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/core_run.h"

/* ---- one block */

struct block {
	uint32_t nodes;
	struct snapshot_place *place;
	struct snapshot_total *total;
};

static void block_free(struct block *b)
{
	free(b->place);
	free(b->total);
}

static bool block_load(struct view *view, uint32_t index, struct block *b)
{
	struct snapshot_thread thread;
	struct snapshot_totals totals;
	uint32_t damaged = 0;

	*b = (struct block){ 0 };
	if (snapshot_thread(&view->region, index, &thread) != SNAPSHOT_OK)
		return false;
	b->nodes = thread.nodes;
	b->place = calloc(thread.nodes + 1, sizeof *b->place);
	b->total = calloc(thread.nodes + 1, sizeof *b->total);
	snapshot_nodes(&view->region, index, 0, b->nodes, b->place, &damaged);
	CHECK(damaged == 0, "block %u: %u nodes are damaged", index, damaged);
	enum snapshot_result result = snapshot_totals(&view->region, index, 0, b->nodes, b->total, &totals);
	CHECK(result == SNAPSHOT_OK && (!totals.torn || view->torn), "block %u: result %d, torn %d", index, result, totals.torn);
	return true;
}

/* ---- all of them */

static bool named(struct view *view, uint32_t id, const char *name)
{
	struct snapshot_zone zone;
	char text[4300];

	return id && snapshot_zone(&view->region, id - 1, &zone, text, sizeof text) && !strcmp(zone.name, name);
}

uint64_t view_entries(struct view *view, const char *zone)
{
	uint64_t entries = 0;
	bool *counts = calloc(view->process.zones + 1, sizeof *counts);

	for (uint32_t id = 1; id <= view->process.zones; id++)
		counts[id] = !zone || named(view, id, zone);
	for (uint32_t i = 0; i < view->process.threads; i++) {
		struct block b;
		if (!block_load(view, i, &b))
			continue;
		for (uint32_t n = 1; n < b.nodes; n++)
			if (counts[b.place[n].zone])
				entries += b.total[n].count + b.total[n].ended_count;
		block_free(&b);
	}
	free(counts);
	return entries;
}

unsigned view_rows(struct view *view, const char *zone)
{
	unsigned rows = 0;

	for (uint32_t id = 1; id <= view->process.zones; id++)
		rows += named(view, id, zone);
	return rows;
}

unsigned view_blocks(struct view *view, enum region_block_state state)
{
	struct snapshot_thread thread;
	unsigned blocks = 0;

	for (uint32_t i = 0; i < view->process.threads; i++)
		blocks += snapshot_thread(&view->region, i, &thread) == SNAPSHOT_OK && thread.state == state;
	return blocks;
}

void view_left_open(struct view *view, char *name, size_t size)
{
	struct snapshot_zone zone;
	char text[4300];

	snprintf(name, size, "%s", "");
	if (view->process.left_open &&
	    snapshot_zone(&view->region, view->process.left_open - 1, &zone, text, sizeof text))
		snprintf(name, size, "%s", zone.name);
}

bool view_open(struct view *view, const char *name)
{
	char why[512] = "";
	enum attach_state state = region_attach(&view->region, name, 0, why, sizeof why);

	view->told = "";
	view->torn = false;
	view->name = name;
	if (!CHECK(state == ATTACH_OK, "%s", why))
		return false;
	snapshot_process(&view->region, &view->process);
	CHECK(view->process.exited, "%s: the program did not say goodbye", name);
	return true;
}

void view_close(struct view *view)
{
	region_detach(&view->region);
}

uint64_t view_told(const struct view *view, const char *word)
{
	size_t size = strlen(word);

	for (const char *at = view->told; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		if (!strncmp(at, word, size) && at[size] == ' ')
			return strtoull(at + size, NULL, 10);
	CHECK(!"the program says its numbers", "'%s' is missing", word);
	return 0;
}

void view_check_lost(const struct view *view, enum region_loss cause, uint64_t expected, const char *file, int line)
{
	uint64_t lost = view->process.lost[cause];

	core_check(lost == expected, file, line, region_loss_key(cause), " %" PRIu64 " lost instead of %" PRIu64, lost,
	           expected);
}

void view_check_lost_only(const struct view *view, uint64_t causes, const char *file, int line)
{
	/* Room in the rings is nobody's zone, and the clock is the machine's. */
	causes |= 1ull << LOSS_PART_ROOM | 1ull << LOSS_EVENT_ROOM | 1ull << LOSS_WORST_ROOM |
	          1ull << LOSS_FRAMES_MERGED | 1ull << LOSS_CLOCK_BACK | 1ull << LOSS_HOURS_ROOM | 1ull << LOSS_CALLS_ROOM;
	for (unsigned cause = 0; cause < LOSS_MAX; cause++)
		if (!(causes >> cause & 1))
			core_check(view->process.lost[cause] == 0, file, line, region_loss_key(cause),
			           " %" PRIu64 " lost instead of none", view->process.lost[cause]);
}

/* ---- programs of this test */

static bool run_and_open(struct view *view, const char *tag, const struct view_case *c)
{
	const char *const arguments[] = { c->what, NULL };
	struct core_program program = { .shm = core_name(tag), .size = c->size, .arguments = arguments, .prepare = c->prepare };
	static struct core_output output;

	core_catch(&program, 120, &output);
	fputs(output.err, stderr);
	CHECK(output.status == 0, "%s: status %#x", c->what, (unsigned)output.status);
	if (view_open(view, program.shm)) {
		view->told = output.out;
		return true;
	}
	core_remove(program.shm);
	return false;
}

bool view_of(struct view *view, const char *mode)
{
	return run_and_open(view, mode, &(struct view_case){ .what = mode });
}

void view_done(struct view *view)
{
	view_close(view);
	core_remove(view->name);
}

bool view_run_case(const struct view_case *cases, size_t count, const char *what)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(cases[i].what, what)) {
			cases[i].run();
			return true;
		}
	return false;
}

void view_check_cases(const struct view_case *cases, size_t count)
{
	struct view view;

	for (size_t i = 0; i < count; i++)
		if (CHECK(run_and_open(&view, "case", &cases[i]), "%s", cases[i].what)) {
			cases[i].check(&view);
			view_done(&view);
		}
}
