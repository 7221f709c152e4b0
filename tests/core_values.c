/* core_values.c: what a program says with counters, events and notes is what the reader finds, to the last one.
 *
 * The program runs itself again for each mode of core_values_run.c and leaves its region; what was lost is
 * counted by its cause, and what is there plus what lapped plus what was lost is all that was said.
 */
#include <errno.h>
#include <float.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include "shm/snapshot.h"
#include "tests/core_run.h"
#include "tests/core_values.h"

static bool left_by(struct values *v, const char *mode, const char *size)
{
	const char *const arguments[] = { mode, NULL };
	struct core_program program = { .shm = core_name("values"), .size = size, .arguments = arguments };

	core_run(&program, 60);
	return values_load(v, program.shm);
}

static void leave(struct values *v)
{
	values_free(v);
	core_remove(core_name("values"));
}

#define IS(what, value) CHECK((long long)(what) == (long long)(value), "%lld", (long long)(what))

static void check_exact(void)
{
	struct values v;
	uint64_t frames[] = { 1, 2, 3, 7, 8, 9 }, n = 0;

	if (!left_by(&v, "exact", NULL))
		return;
	int gauge = values_counter(&v, "gauge", false), real = values_counter(&v, "gauge", true);
	int sum = values_counter(&v, "sum", false);
	IS(v.counter_count, 3);
	IS(v.flags[gauge], COUNTER_SET);
	IS(v.flags[real], COUNTER_SET | COUNTER_REAL);
	IS(v.flags[sum], 0);
	for (uint64_t i = 0; i < v.sample_count; i++) {
		const struct snapshot_value *s = &v.samples[i].value;
		if (s->id != (uint32_t)gauge)
			continue;
		int64_t frame = (int64_t)s->interval;
		CHECK(n < 6 && s->interval == frames[n], "sample %llu", (unsigned long long)n);
		IS(s->last, frame * 3 + 1);
		IS(s->least, frame * 3 - 5);
		IS(s->most, frame * 3 + 1);
		n++;
	}
	IS(n, 6);
	const struct snapshot_slot *slot = values_slot(&v, gauge, 0);
	CHECK(slot && slot->interval == 10 && slot->born == 1 && slot->last == 31 && slot->least == 25 && slot->run &&
	      (int64_t)slot->run_least == -2 && slot->run_most == 28);
	IS(values_sum(&v, sum), 7 * 4 - 1);
	CHECK(values_real_sum(&v, real) == 5.0);
	IS(values_slot(&v, sum, 0)->interval, 11);
	IS(v.event_count, 5);
	IS(v.note_count, 10);
	for (uint64_t i = 0; i < v.note_count; i++) {
		char text[64];
		struct snapshot_frame frame;
		snprintf(text, sizeof text, "frame %llu of ten", (unsigned long long)i + 1);
		CHECK(!strcmp(text, v.notes[i].text), "'%s'", v.notes[i].text);
		CHECK(snapshot_frame(&v.region, i + 1, &frame) == SNAPSHOT_OK && frame.start < v.notes[i].tick &&
		      v.notes[i].tick <= frame.end);
	}
	IS(values_lost(&v), 0);
	leave(&v);
}

/* No trap ends the program, only the flag `inexact` may be set, and sums do not
 * depend on the environment. */
static void check_environments(void)
{
	struct values v;

	if (!left_by(&v, "environments", NULL))
		return;
	IS(values_sum(&v, values_counter(&v, "passes", false)), 16);
	CHECK(values_real_sum(&v, values_counter(&v, "rounded", true)) == 1.0);
	CHECK(values_real_sum(&v, values_counter(&v, "tiny", true)) == 16 * 5e-324);
	CHECK(values_real_sum(&v, values_counter(&v, "huge", true)) == 1e308);
	CHECK(values_real_sum(&v, values_counter(&v, "parts", true)) == 16 * 0.875);
	IS(v.lost[LOSS_NOT_A_NUMBER], 15 + 3 * 16);
	IS(values_lost(&v), 15 + 3 * 16);
	leave(&v);
}

static void check_threads(void)
{
	struct values v;
	uint64_t turns[1000] = { 0 };

	if (!left_by(&v, "threads", "4M"))
		return;
	int turn = values_counter(&v, "turn", false), own = values_counter(&v, "own", false), owners = 0;
	IS(values_sum(&v, values_counter(&v, "total", false)), 499500);
	CHECK(values_real_sum(&v, values_counter(&v, "total", true)) == 500.0);
	for (uint64_t i = 0; i < v.slot_count; i++) {
		if (v.slots[i].slot.counter == (uint32_t)turn)
			turns[v.slots[i].slot.last % 1000]++;
		owners += v.slots[i].slot.counter == (uint32_t)own;
	}
	for (uint64_t i = 0; i < v.sample_count; i++)
		if (v.samples[i].value.id == (uint32_t)turn) {
			CHECK(v.samples[i].value.least == v.samples[i].value.most, "of two owners");
			turns[v.samples[i].value.last % 1000]++;
		}
	for (int i = 0; i < 1000; i++)
		CHECK(turns[i] == 1, "thread %d was seen %llu times", i, (unsigned long long)turns[i]);
	for (uint64_t i = 0; i < v.slot_count; i++)
		CHECK(v.slots[i].slot.counter != (uint32_t)turn || !v.slots[i].slot.run, "bounds of an owner before");
	IS(owners, 4);
	IS(values_sum(&v, own), 100 + 101 + 102 + 103);
	IS(values_lost(&v), 0);
	leave(&v);
}

static void check_numbers(void)
{
	struct values v;

	if (!left_by(&v, "numbers", NULL))
		return;
	IS(v.lost[LOSS_NOT_A_NUMBER], 6);
	IS(values_lost(&v), 6);
	CHECK(values_real_sum(&v, values_counter(&v, "odd", true)) == DBL_MAX);
	CHECK(values_counter(&v, "never", true) < 0);
	IS(values_sum(&v, values_counter(&v, "up", false)), INT64_MAX);
	IS(values_sum(&v, values_counter(&v, "down", false)), INT64_MIN);
	leave(&v);
}

static void check_many(void)
{
	struct values v;

	if (!left_by(&v, "many", "256K"))
		return;
	CHECK(v.counter_count >= 16 && v.counter_count < 100);
	IS(v.slot_count, v.counter_count);
	IS(v.lost[LOSS_COUNTER_ROOM], 3 * (100 - v.counter_count));
	IS(values_lost(&v), v.lost[LOSS_COUNTER_ROOM]);
	leave(&v);
}

static void check_notes(void)
{
	struct values v;

	if (!left_by(&v, "notes", NULL))
		return;
	IS(v.note_count, 4);
	CHECK(!strcmp(v.notes[0].text, strerror(ENOENT)), "'%s'", v.notes[0].text);
	CHECK(!v.notes[1].text[0] && !v.notes[1].flags);
	CHECK(strlen(v.notes[2].text) == 1000 && strspn(v.notes[2].text, "x") == 1000 && v.notes[2].flags == VALUE_CUT);
	CHECK(strlen(v.notes[3].text) == 999 && v.notes[3].flags == VALUE_CUT, "%zu", strlen(v.notes[3].text));
	IS(v.lost[LOSS_NOTE_CUT], 2);
	IS(values_lost(&v), 2);
	leave(&v);
}

/* While it goes on, and from what it leaves. The second half laps: nobody reads it, and the region is much smaller. */
static void check_storm(void)
{
	const char *const arguments[] = { "storm", NULL };
	struct core_program program = { .shm = core_name("values"), .size = "4M", .arguments = arguments };
	struct snapshot_thread t;
	struct values v;
	pid_t child = core_start(&program);

	if (!values_open(&v, program.shm))
		return;
	for (int i = 0; i < 30000 && v.event_count + v.lapped / 2 < STORM / 2 && values_poll(&v); i++)
		core_sleep_us(2000);
	CHECK(core_wait(child, 60) == 0);
	for (int i = 0; i < 1000 && values_poll(&v); i++)
		core_sleep_us(2000);
	IS(v.event_count + v.lapped / 2 + v.lost[LOSS_VALUE_ROOM], STORM);
	CHECK(v.lapped > 0 && v.event_count > 0);
	CHECK(snapshot_thread(&v.region, 0, &t) == SNAPSHOT_OK && t.part_tail == 0 && t.event_tail == 0, "parts lapped");
	printf("storm: %llu delivered, %llu lapped, %llu lost\n", (unsigned long long)v.event_count,
	       (unsigned long long)v.lapped / 2, (unsigned long long)v.lost[LOSS_VALUE_ROOM]);
	leave(&v);
}

/* A reader beside it misses no interval: what is no more in the slot is in the log. */
static void check_steady(void)
{
	const char *const arguments[] = { "steady", NULL };
	struct core_program program = { .shm = core_name("values"), .arguments = arguments };
	struct values v;
	uint64_t polls = 0, looks = 0;
	pid_t child = core_start(&program);

	if (!values_open(&v, program.shm))
		return;
	for (bool live = true; live && polls < 30000; polls++) {
		live = values_poll(&v);
		const struct snapshot_slot *slot = values_slot(&v, values_counter(&v, "steady", false), 0);
		uint64_t newest = v.sample_count ? v.samples[v.sample_count - 1].value.interval : 0;
		CHECK(!slot || (slot->interval <= newest + 1 && slot->last == slot->interval && slot->least == slot->last &&
		                slot->born == 1),
		      "the slot is of %llu, the log ends with %llu", slot ? (unsigned long long)slot->interval : 0,
		      (unsigned long long)newest);
		looks += slot != NULL;
		core_sleep_us(300);
	}
	CHECK(core_wait(child, 10) == 0);
	IS(v.sample_count, STEADY - 1);
	for (uint64_t i = 0; i < v.sample_count; i++)
		CHECK(v.samples[i].value.interval == i + 1 && v.samples[i].value.last == i + 1);
	CHECK(looks > 10 && v.lapped == 0 && v.damaged == 0);
	leave(&v);
}

static void check_child(void)
{
	const char *const arguments[] = { "child", NULL };
	struct core_program program = { .shm = core_name("values"), .arguments = arguments };
	struct values v, child;
	char names[64], own[96];

	if (getenv("EMULATED") || !left_by(&v, "child", NULL)) /* tests/aarch64 */
		return;
	IS(values_sum(&v, values_counter(&v, "second", false)), 2);
	IS(v.event_count + v.note_count, 0);
	leave(&v);
	snprintf(names, sizeof names, "%s.", core_name("values"));
	snprintf(own, sizeof own, "%s%%p", names);
	program.shm = own;
	pid_t parent = core_start(&program);
	CHECK(core_wait(parent, 20) == 0);
	snprintf(own, sizeof own, "%s%ld", names, (long)parent);
	if (!values_load(&v, own))
		return;
	long pid = values_sum(&v, values_counter(&v, "child", false));
	IS(values_sum(&v, values_counter(&v, "second", false)), 2);
	values_free(&v);
	core_remove(own);
	snprintf(own, sizeof own, "%s%ld", names, pid);
	if (values_load(&child, own)) {
		IS(values_sum(&child, values_counter(&child, "second", false)), 22);
		CHECK(!values_slot(&child, values_counter(&child, "first", false), 0));
		CHECK(child.event_count == 1 && child.note_count == 1);
		IS(values_lost(&child), 0);
		values_free(&child);
	}
	core_remove(own);
}

static void check_handler(void)
{
	struct values v;

	if (!left_by(&v, "handler", NULL))
		return;
	uint64_t tries = (uint64_t)values_sum(&v, values_counter(&v, "tries", false));
	uint64_t added = (uint64_t)values_sum(&v, values_counter(&v, "in_handler", false));
	IS(values_sum(&v, values_counter(&v, "outside", false)), values_sum(&v, values_counter(&v, "rounds", false)));
	IS(v.lapped, 0);
	IS(added + v.event_count + v.lost[LOSS_IN_HANDLER], 2 * tries);
	printf("handler: %llu calls, %llu values dropped\n", (unsigned long long)tries,
	       (unsigned long long)v.lost[LOSS_IN_HANDLER]);
	leave(&v);
}

static void check_switch_and_end(void)
{
	struct values v;

	if (left_by(&v, "switched", NULL)) {
		IS(values_sum(&v, values_counter(&v, "seen", false)), 101);
		CHECK(values_counter(&v, "unseen", false) < 0);
		CHECK(v.event_count == 1 && v.note_count == 0);
		IS(values_lost(&v), 0);
		leave(&v);
	}
	if (left_by(&v, "late", NULL)) {
		IS(values_sum(&v, values_counter(&v, "in_time", false)), 1);
		CHECK(values_counter(&v, "late", false) < 0 && v.event_count == 0 && v.note_count == 0);
		IS(v.lost[LOSS_AFTER_THREAD_END], 3);
		leave(&v);
	}
	if (left_by(&v, "late_off", NULL)) {
		IS(values_lost(&v), 0); /* nobody wanted them */
		leave(&v);
	}
}

/* Killed at any moment: each thread has at most one value in flight. */
static void check_killed(uint64_t *random, uint64_t *torn)
{
	const char *const arguments[] = { "busy", NULL };
	struct core_program program = { .shm = core_name("values"), .size = "1M", .arguments = arguments };
	struct values v;
	pid_t child = core_start(&program);

	for (int i = 0; i < 4000 && !core_exists(program.shm); i++)
		core_sleep_us(500);
	core_sleep_us(core_random(random) % 8000);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	if (!values_load(&v, program.shm))
		return;
	int one = values_counter(&v, "one", false), two = values_counter(&v, "two", false);
	for (uint32_t block = 0; block < v.blocks; block++) {
		const struct snapshot_slot *a = values_slot(&v, one, block), *b = values_slot(&v, two, block);
		CHECK(v.torn[block] <= 1, "%llu values in flight", (unsigned long long)v.torn[block]);
		*torn += v.torn[block];
		if (a && b)
			CHECK(a->last == b->last || a->last == b->last + 1, "%llu and %llu", (unsigned long long)a->last,
			      (unsigned long long)b->last);
	}
	IS(v.damaged, 0);
	IS(values_out_of_order(&v), 0);
	leave(&v);
}

int main(int argc, char **argv)
{
	uint64_t random = (uint64_t)time(NULL) * 2654435761u | 1, torn = 0;

	if (argc > 1)
		return values_run(argv[1]);
	check_exact();
	check_environments();
	check_threads();
	check_numbers();
	check_many();
	check_notes();
	check_storm();
	check_steady();
	check_child();
	check_handler();
	check_switch_and_end();
	for (int i = 0; i < 150 && core_failures() == 0; i++)
		check_killed(&random, &torn);
	printf("killed: %llu values in flight\n", (unsigned long long)torn);
	return core_result();
}
