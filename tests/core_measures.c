/* core_measures.c: what an adapter adds to measures is what a report has: of each node in each frame, of each thread in
 * the whole run, live and after the program died, over new owners of a block, forks and suspended zones; and what is lost
 * is said.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "libprof/adapter.h"
#include "model/profile/measures.h"
#include "tests/core_amounts.h"
#include "tests/core_read.h"
#include "tests/core_run.h"

static prof__measure widgets = { "widgets", "WIDGETS", prof__COUNT, prof__OF_NODE, prof__SUM, prof__ABSENT_IS_ZERO, 0, 0, 0 };
static prof__measure largest = { "largest", "LARGEST", prof__BYTES, prof__OF_NODE, prof__MAX, prof__ABSENT_IS_ZERO, 0, 0, 0 };
static prof__measure gadgets = { "gadgets", "GADGETS", prof__NS, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 };

static void add(prof__measure *measure, int64_t amount)
{
	prof__measure_add(&measure, &amount, 1);
}

static void add_both(int64_t count, int64_t bytes)
{
	prof__measure *const measures[] = { &widgets, &largest };
	const int64_t amounts[] = { count, bytes };

	prof__measure_add(measures, amounts, 2);
}

/* ---- what stands in frames */

#define FRAMES 40

static void frames(void)
{
	for (int i = 1; i <= FRAMES; i++) {
		Prof_Begin(outer)
		add_both(i, 10 + i);
		Prof_Begin(inner)
		if (i % 2)
			add_both(1000, 5);
		Prof_End
		add_both(1, 7);
		Prof_End
		if (i % 4)
			add(&gadgets, i * 100);
		if (i % 10 == 3)
			prof__measure_unknown(&gadgets);
		Prof_update(1);
	}
	Prof_Begin(outer)
	add(&widgets, 77); /* in no frame that has ended */
	Prof_End
}

static void check_frames_of(const struct profile *p)
{
	uint32_t w = measure_index(p, "widgets"), g = measure_index(p, "gadgets"), l = measure_index(p, "largest");
	uint32_t t = thread_of(p, "main");
	int64_t outer = 0, inner = 0, slices = 0;

	CHECK(!strcmp(p->measures[w].title, "WIDGETS") && p->measures[w].unit == MEASURE_COUNT && p->measures[w].absent_is_zero &&
	      p->measures[g].unit == MEASURE_NS && p->measures[g].of == MEASURE_OF_SLICE && !p->measures[g].absent_is_zero &&
	      p->measures[l].combine == MEASURE_MAX && p->measures[l].unit == MEASURE_BYTES, "rows");
	for (int i = 1; i <= FRAMES; i++) {
		IS(in_frame(p, (uint64_t)i, t, w, "outer"), i + 1);
		IS(in_frame(p, (uint64_t)i, t, w, "inner"), i % 2 ? 1000 : 0);
		IS(in_frame(p, (uint64_t)i, t, w, "(no zone)"), 0);
		IS(in_frame(p, (uint64_t)i, t, l, "outer"), 10 + i);
		IS(in_frame(p, (uint64_t)i, t, g, NULL), i % 4 == 0 || i % 10 == 3 ? -1 : i * 100);
		outer += i + 1;
		inner += i % 2 ? 1000 : 0;
		slices += i % 4 ? i * 100 : 0;
	}
	IS(in_run(p, t, w, "outer"), outer + 77);
	IS(in_run(p, t, w, "inner"), inner);
	IS(in_run(p, t, l, "outer"), 10 + FRAMES);
	IS(in_run(p, t, g, NULL), slices);
	IS(profile_amount_known(p, t, w), MEASURE_KNOWN);
	IS(profile_amount_known(p, t, g), MEASURE_LEAST);
}

static void check_frames(struct view *view)
{
	struct source *s = profile_of(view->name), *again = recorded(s);

	check_frames_of(s->profile);
	check_frames_of(again->profile);
	CHECK_LOST_ONLY(view, 0);
	source_close(again);
	source_close(s);
}

/* No zone begins or ends, and yet each amount is in its frame. */
static atomic_int turn;

static void *stay(void *unused)
{
	Prof_Thread("still");
	Prof_Begin(staying)
	for (int i = 1; i <= FRAMES; i++) {
		while (atomic_load(&turn) != i)
			sched_yield();
		for (int k = 0; k < i; k++)
			add(&widgets, 1);
		atomic_store(&turn, -i);
	}
	while (atomic_load(&turn) != FRAMES + 1)
		sched_yield();
	Prof_End
	return unused;
}

static void still(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, stay, NULL);
	for (int i = 1; i <= FRAMES; i++) {
		atomic_store(&turn, i);
		while (atomic_load(&turn) != -i)
			sched_yield();
		Prof_update(1);
	}
	atomic_store(&turn, FRAMES + 1);
	pthread_join(thread, NULL);
}

static void check_still(struct view *view)
{
	struct source *s = profile_of(view->name);
	const struct profile *p = s->profile;
	uint32_t w = measure_index(p, "widgets"), t = thread_of(p, "still");

	for (int i = 1; i <= FRAMES; i++)
		IS(in_frame(p, (uint64_t)i, t, w, "staying"), i);
	IS(in_run(p, t, w, "staying"), FRAMES * (FRAMES + 1) / 2);
	CHECK_LOST_ONLY(view, 0);
	source_close(s);
}

/* ---- owners of a block */

#define OWNERS 300

static void *own(void *amount)
{
	Prof_Begin(task)
	add_both((int64_t)(intptr_t)amount, (int64_t)(intptr_t)amount);
	Prof_End
	return NULL;
}

static void owners(void)
{
	for (int i = 1; i <= OWNERS; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, own, (void *)(intptr_t)i);
		pthread_join(thread, NULL);
		if (i % 10 == 0)
			Prof_update(1);
	}
}

static void check_owners(struct view *view)
{
	struct source *s = profile_of(view->name);
	const struct profile *p = s->profile;
	uint32_t w = measure_index(p, "widgets"), l = measure_index(p, "largest");
	int64_t sum = 0, most = 0;

	for (uint32_t n = 0; n < p->node_count; n++) {
		sum += profile_amount_of(p, n, w);
		most = profile_amount_of(p, n, l) > most ? profile_amount_of(p, n, l) : most;
	}
	IS(sum, OWNERS * (OWNERS + 1) / 2);
	IS(most, OWNERS);
	for (uint64_t f = 1; f <= OWNERS / 10; f++) {
		int64_t frame = 0;
		for (uint32_t t = 0; t < p->thread_count; t++) {
			int64_t part = in_frame(p, f, t, w, NULL);
			frame += part > 0 ? part : 0;
		}
		IS(frame, (int64_t)f * 100 - 45);
	}
	source_close(s);
}

/* ---- many nodes, suspended zones, handlers */

#define DEEP 600 /* nodes: several chunks of values */

static void many(void)
{
	static Prof_stack stack = Prof_STACK;
	char name[16];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < DEEP; i++) {
			snprintf(name, sizeof name, "z%d", i);
			Prof_Enter(Prof_Zone(name));
			add(&widgets, i);
			Prof_Leave();
		}
		Prof_update(1);
	}
	Prof_Resume(&stack);
	Prof_Enter(Prof_Zone("task"));
	add(&widgets, 1);
	Prof_Suspend(&stack);
	add(&widgets, 10);
	Prof_update(1);
	Prof_Resume(&stack);
	add(&widgets, 100);
	Prof_Leave();
	Prof_Suspend(&stack);
	Prof_update(1);
}

static void check_many(struct view *view)
{
	struct source *s = profile_of(view->name);
	const struct profile *p = s->profile;
	uint32_t w = measure_index(p, "widgets"), t = thread_of(p, "main");

	for (uint64_t f = 1; f <= 3; f++)
		IS(in_frame(p, f, t, w, NULL), DEEP * (DEEP - 1) / 2);
	IS(in_frame(p, 2, t, w, "z599"), 599);
	IS(in_frame(p, 4, t, w, "task"), 1);
	IS(in_frame(p, 4, t, w, "(no zone)"), 10);
	IS(in_frame(p, 5, t, w, "task"), 100);
	IS(in_run(p, t, w, NULL), 3 * DEEP * (DEEP - 1) / 2 + 111);
	source_close(s);
}

/* ---- lost */

static void crowded(void)
{
	char name[16];

	for (int i = 0; i < 8000; i++) {
		snprintf(name, sizeof name, "z%d", i / 30 % 30);
		Prof_Enter(Prof_Zone(name));
		snprintf(name, sizeof name, "y%d", i % 30);
		Prof_Enter(Prof_Zone(name));
		add(&widgets, 1);
		Prof_Leave();
		Prof_Leave();
		if (i % 100 == 99)
			Prof_update(1);
	}
}

static void check_crowded(struct view *view)
{
	struct source *s = profile_of(view->name);
	const struct profile *p = s->profile;
	uint32_t w = measure_index(p, "widgets"), t = thread_of(p, "main");
	uint64_t lost = view->process.lost[LOSS_MEASURE_ROOM];

	CHECK(lost > 0, "nothing was lost");
	IS(in_run(p, t, w, NULL) + (int64_t)lost, 8000);
	IS(profile_amount_known(p, t, w), MEASURE_LEAST);
	for (uint64_t f = 1; f <= 80; f++) {
		int64_t amount = in_frame(p, f, t, w, NULL);
		CHECK(amount == -1 || amount == 100, "frame %llu: %lld", (unsigned long long)f, (long long)amount);
	}
	source_close(s);
}

/* ---- killed, and forked */

static void killed(void)
{
	for (int i = 1; i <= 5; i++) {
		Prof_Begin(outer)
		add(&widgets, i);
		Prof_End
		Prof_update(1);
	}
	Prof_Begin(outer)
	add(&widgets, 70);
	pid_t child = fork();
	if (!child) { /* has no region of its own: all of this is nobody's */
		add(&widgets, 1000000);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	add(&gadgets, 5);
	raise(SIGKILL);
}

static void check_killed(const char *name)
{
	struct source *s = profile_of(name);
	const struct profile *p = s->profile;
	uint32_t w = measure_index(p, "widgets"), t = thread_of(p, "main");

	for (int i = 1; i <= 5; i++)
		IS(in_frame(p, (uint64_t)i, t, w, "outer"), i);
	IS(in_run(p, t, w, "outer"), 85);
	IS(in_run(p, t, measure_index(p, "gadgets"), NULL), 5);
	source_close(s);
}

/* Without CPU time, a program that uses none has none of it. */
static void no_cpu(void)
{
	setenv("PROF_CPU", "0", 1);
}

static void none(void)
{
	for (int i = 0; i < 10; i++) {
		Prof(zone);
		Prof_update(1);
	}
}

static void check_none(struct view *view)
{
	struct snapshot_measures m = { 0 };

	IS(view->process.measures, 0);
	IS(snapshot_measures(&view->region, 0, &m), SNAPSHOT_OK);
	IS(m.count, 0);
	IS(m.unmeasured | m.unmeasured_ended, 0);
	free(m.values);
}

/* ---- zones that are addresses, zones made at run time, counters' units */

#define ACCENT "\xc3\xa9" /* one character */
#define TEN_ACCENTS ACCENT ACCENT ACCENT ACCENT ACCENT ACCENT ACCENT ACCENT ACCENT ACCENT

/* The longest names that are kept end in the middle of a character. */
static void names_that_are_cut(void)
{
	const char *text = TEN_ACCENTS TEN_ACCENTS TEN_ACCENTS TEN_ACCENTS;

	Prof_Thread(text);
	Prof_Frame_Begin(text)
	Prof_Enter(Prof_Zone("zone"));
	Prof_Counter_Unit("fast", text, Prof_LEVEL);
	Prof_Counter_Set(fast, 1);
	Prof_Leave();
	Prof_Frame_End
	Prof_Frame_Begin(text)
	Prof_Frame_End
}

static bool is_cut_at(const char *text, size_t size)
{
	return strlen(text) == size && !strncmp(text, TEN_ACCENTS TEN_ACCENTS TEN_ACCENTS TEN_ACCENTS, size);
}

static void check_names_that_are_cut(struct view *view)
{
	struct source *s = profile_of(view->name);
	const struct profile *p = s->profile;

	CHECK(p->thread_count == 1 && is_cut_at(p->threads[0].name, 54), "thread %s", p->threads[0].name);
	CHECK(p->counter_count == 1 && is_cut_at(p->counters[0].unit, 14), "unit %s", p->counters[0].unit);
	CHECK(p->frame_count == 2, "%d frames", (int)p->frame_count);
	for (uint32_t i = 0; i < p->frame_count; i++)
		CHECK(is_cut_at(profile_frame_name(p, &p->frames[i]), 62), "frame %s", profile_frame_name(p, &p->frames[i]));
	source_close(s);
}

static void named(void)
{
	uint32_t game = prof__module("/opt/game/bin/game", "1f2e", 0x400000, 0x10000);
	Prof_zone *at = Prof_Zone_At("at", "made.c", 7);

	CHECK(at == Prof_Zone_At("at", "made.c", 7) && at != Prof_Zone_At("at", "made.c", 8), "places");
	CHECK(game && game == prof__module("/opt/game/bin/game", "1f2e", 0x400000, 0x10000), "modules");
	CHECK(prof__address_zone(game, 0x1a40) == prof__address_zone(game, 0x1a40), "addresses");
	CHECK(prof__address_zone(game + 1, 5) == prof__address_zone(0, 5), "an address in a module that is not there");
	Prof_Counter_Unit("heap", "bytes", Prof_LEVEL);
	for (int i = 0; i < 3; i++) {
		Prof_Enter(at);
		Prof_Enter(prof__address_zone(game, 0x1a40));
		Prof_Enter(prof__address_zone(game, 0x1a50));
		Prof_Leave();
		Prof_Leave();
		Prof_Leave();
		Prof_Counter_Set(heap, i);
		Prof_Counter_Add(served, i);
		if (i == 1)
			Prof_Counter_Unit("served", "requests that are long", Prof_TOTAL);
		Prof_update(1);
	}
}

static void check_names_of(const struct profile *p)
{
	unsigned found = 0;

	CHECK(p->module_count == 1 && !strcmp(p->modules[0].path, "/opt/game/bin/game") &&
	      !strcmp(p->modules[0].build, "1f2e") && p->modules[0].address == 0x400000, "module");
	for (uint32_t i = 0; i < p->zone_count; i++) {
		const struct profile_zone *z = &p->zones[i];
		found += !strcmp(z->name, "game+0x1a40") && z->module == 1 && z->offset == 0x1a40;
		found += !strcmp(z->name, "game+0x1a50") && z->offset == 0x1a50;
		found += !strcmp(z->name, "at") && !strcmp(z->file, "made.c") && z->line == 7 && !z->module;
	}
	IS(found, 3);
	IS(p->counter_count, 2);
	for (uint32_t i = 0; i < p->counter_count; i++) {
		bool heap = !strcmp(p->counters[i].name, "heap");
		CHECK(!strcmp(p->counters[i].unit, heap ? "bytes" : "requests that a"), "%s", p->counters[i].unit);
		CHECK(p->counters[i].total == !heap, "%s", p->counters[i].name);
	}
}

static void check_named(struct view *view)
{
	struct source *s = profile_of(view->name), *again = recorded(s);

	check_names_of(s->profile);
	check_names_of(again->profile);
	source_close(again);
	source_close(s);
}

/* Units, counters, measures and modules that are new each time leave texts to zones. */
static void endless(void)
{
	char text[32];

	for (int i = 0; i < 150000; i++) {
		snprintf(text, sizeof text, "%d B", i);
		Prof_Counter_Unit("heap", text, Prof_LEVEL);
		snprintf(text, sizeof text, "counter %d", i);
		Prof_Counter(text);
		snprintf(text, sizeof text, "measure_%d", i);
		prof__measure measure = { .key = text, .title = text };
		int64_t one = 1;
		prof__measure_add((prof__measure *const[]){ &measure }, &one, 1);
		snprintf(text, sizeof text, "/tmp/%d.so", i);
		prof__module(text, text, 0, 0);
	}
	Prof_Enter(Prof_Zone("after"));
	Prof_Leave();
	Prof_update(1);
}

static void check_endless(struct view *view)
{
	struct source *s = profile_of(view->name);
	uint32_t found = 0;

	for (uint32_t i = 0; i < s->profile->zone_count; i++)
		found += !strcmp(s->profile->zones[i].name, "after");
	IS(found, 1);
	source_close(s);
}

static const struct view_case cases[] = {
	{ "frames", frames, check_frames, NULL, NULL },
	{ "still", still, check_still, NULL, NULL },
	{ "owners", owners, check_owners, NULL, NULL },
	{ "many", many, check_many, NULL, NULL },
	{ "crowded", crowded, check_crowded, "256K", NULL },
	{ "none", none, check_none, NULL, no_cpu },
	{ "named", named, check_named, NULL, NULL },
	{ "cut", names_that_are_cut, check_names_that_are_cut, NULL, NULL },
	{ "endless", endless, check_endless, NULL, NULL },
};

/* It ends by a signal. */
static void check_death(void)
{
	const char *const arguments[] = { "killed", NULL };
	struct core_program program = { .shm = core_name("measures"), .arguments = arguments };
	pid_t child = core_start(&program);

	CHECK(WIFSIGNALED(core_wait(child, 60)), "it ended otherwise");
	check_killed(program.shm);
	core_remove(program.shm);
}

int main(int argc, char **argv)
{
	setenv("PROF_CPU", "0", 1); /* core_cpu has those measures */
	if (argc > 1 && !strcmp(argv[1], "killed")) {
		killed();
		return 0;
	}
	if (argc > 1)
		return view_run_case(cases, sizeof cases / sizeof *cases, argv[1]) ? core_result() : 1;
	view_check_cases(cases, sizeof cases / sizeof *cases);
	check_death();
	return core_result();
}
