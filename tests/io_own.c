/* SPDX-License-Identifier: MIT */
/*
 * io_own: frames of a program that marks none. They tile, each part is exact, what ended is in them too, and
 * nothing of them is left when the program sets its first mark.
 *
 * The program is this test itself, run again: it does what it is told on its stdin. It is stopped for the first
 * and for the last look, so that sums over frames can be compared with totals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/follow.h"
#include "io/region/live_list.h"
#include "libprof/adapter.h"
#include "model/profile/measures.h"
#include "model/stats/counters.h"
#include "shm/snapshot.h"

enum { MARKS = 3, OWN_FRAMES = 8 };

/* The program */

static void nap_us(long us)
{
	const struct timespec time = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

	nanosleep(&time, NULL);
}

static void *steady(void *unused)
{
	static prof__measure widgets = { "widgets", "", prof__COUNT, prof__OF_NODE, prof__SUM, prof__ABSENT_IS_ZERO, 0, 0, 0 };
	prof__measure *const measures[] = { &widgets };
	volatile double sink = 0;

	Prof_Thread("steady");
	for (;;) {
		Prof(beat);

		prof__measure_add(measures, &(int64_t){ 3 }, 1);

		for (int i = 0; i < 20000; i++)
			sink += i;
		Prof_Wait(rest)
		nap_us(500);
		Prof_End
	}
	return unused;
}

static void *passer(void *unused)
{
	for (int i = 0; i < 3; i++) {
		Prof(passer);

		nap_us(300);
	}
	return unused;
}

static void *crowd(void *unused)
{
	for (;;) {
		pthread_t threads[4];

		for (int i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, passer, NULL);
		for (int i = 0; i < 4; i++)
			pthread_join(threads[i], NULL);
	}
	return unused;
}

/* m: marks; l: loses a zone; o: recording is off; c, C: a counter that is 5 was
 * something else meanwhile; e: ends. */
static int program(void)
{
	pthread_t thread;
	char command;

	pthread_create(&thread, NULL, steady, NULL);
	pthread_create(&thread, NULL, crowd, NULL);
	Prof_Begin(commands)
	while (read(STDIN_FILENO, &command, 1) == 1 && command != 'e') {
		for (int i = 0; command == 'm' && i < MARKS; i++) {
			Prof_update(1);
			nap_us(2000);
		}
		for (int i = 0; command == 'l' && i < 2100; i++)
			Prof_Enter(Prof_Zone("deep"));
		for (int i = 0; command == 'l' && i < 2100; i++)
			Prof_Leave();
		if (command == 'o')
			Prof_Enable(0);
		if (command == 'c' || command == 'C')
			Prof_Counter_Set(load, command == 'c' ? 50 : -70);
		Prof_Counter_Set(load, 5);
		Prof_Begin(answer)
		Prof_End
	}
	Prof_End
	_exit(0); /* its region stays */
}

/* The test */

struct run {
	pid_t pid;
	int commands;
	char name[64];
};

static void start(struct run *r, const char *tag)
{
	int ends[2];

	snprintf(r->name, sizeof(r->name), "prof-io-own-%s-%d", tag, (int)getpid());
	assert_int_equal(pipe(ends), 0);
	r->pid = fork();
	if (!r->pid) {
		dup2(ends[0], STDIN_FILENO);
		close(ends[1]);
		setenv("PROF_SHM", r->name, 1);
		execl("/proc/self/exe", "io_own", "program", (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	r->commands = ends[1];
}

static void finish(struct run *r)
{
	char path[128];

	kill(r->pid, SIGKILL);
	kill(r->pid, SIGCONT);
	waitpid(r->pid, NULL, 0);
	close(r->commands);
	snprintf(path, sizeof(path), "/dev/shm/%s", r->name);
	unlink(path);
}

static void tell(struct run *r, char command)
{
	assert_int_equal(write(r->commands, &command, 1), 1);
}

static struct source *open_run(struct run *r, unsigned flags)
{
	enum open_result result;
	char why[512];

	for (int i = 0; i < 1000; i++) {
		struct source *s = live_open(r->name, flags, &result, why, sizeof(why));

		if (s) {
			nap_us(50000); /* its threads begin */
			return s;
		}
		nap_us(10000);
	}
	fail_msg("%s", why);
	return NULL;
}

static const struct profile_frame *newest(const struct source *s)
{
	return s->profile->frame_count ? &s->profile->frames[s->profile->frame_count - 1] : NULL;
}

static uint64_t newest_number(const struct source *s)
{
	return newest(s) ? newest(s)->number : 0;
}

/* Polls until there is a frame of this number. */
static void read_up_to(struct source *s, uint64_t number)
{
	for (int i = 0; i < 1000 && newest_number(s) < number; i++) {
		assert_int_equal(source_next(s), SOURCE_MORE);
		nap_us(20000);
	}
	assert_true(newest_number(s) >= number);
}

static int64_t count_of(const struct profile *p, uint32_t node, const char *zone, int64_t count)
{
	return strcmp(p->zones[p->nodes[node].zone].name, zone) ? 0 : count;
}

static int64_t entries_in_frames(const struct profile *p, const char *zone)
{
	int64_t sum = 0;

	for (uint32_t f = 0; f < p->frame_count; f++)
		for (uint32_t i = 0; i < p->frames[f].part_count; i++)
			for (uint32_t c = 0; c < p->frames[f].parts[i].cell_count; c++) {
				struct profile_cell cell = profile_cell(&p->frames[f].parts[i], c);

				sum += count_of(p, cell.node, zone, cell.count);
			}
	return sum;
}

static int64_t entries_in_totals(const struct profile *p, const char *zone)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < p->node_count; i++)
		sum += count_of(p, i, zone, p->totals[i].count);
	return sum;
}

/* Some call took time: which one took most may not be known, but none is wrong. */
static void check_longest(const struct profile *p, const struct profile_cell *cell)
{
	if (!strcmp(p->zones[p->nodes[cell->node].zone].name, "rest"))
		assert_true(cell->count < 2 || cell->longest >= (int64_t)p->ticks_per_s / 1000000 * 499);
}

static void check_part(const struct profile *p, const struct profile_held *part)
{
	int64_t sum = 0;

	for (uint32_t c = 0; c < part->cell_count; c++) {
		struct profile_cell cell = profile_cell(part, c);

		assert_true(cell.self >= 0 && cell.count >= 0 && cell.longest >= 0);
		assert_int_equal(p->nodes[cell.node].thread, part->thread);
		check_longest(p, &cell);
		sum += cell.self;
	}
	assert_int_equal(sum, part->end - part->bound);
}

/* Each part of a thread begins where the one before it ended. */
static void check_thread(const struct profile *p, uint32_t thread)
{
	int64_t end = -1;

	for (uint32_t f = 0; f < p->frame_count; f++) {
		const struct profile_held *part = profile_find_part(&p->frames[f], thread);

		if (!part)
			continue;
		check_part(p, part);
		if (part->flags & PART_MISSING)
			continue;
		if (end >= 0 && p->threads[thread].state != THREAD_AGGREGATE)
			assert_int_equal(part->bound, end);
		end = part->end;
	}
}

static void check_frames(const struct profile *p)
{
	for (uint32_t f = 0; f < p->frame_count; f++) {
		const struct profile_frame *frame = &p->frames[f];

		assert_int_equal(frame->number, f + 1);
		assert_int_equal(frame->flags, FRAME_GUESSED);
		if (f)
			assert_int_equal(frame->start, frame[-1].start + frame[-1].length);
	}
	for (uint32_t t = 0; t < p->thread_count; t++)
		check_thread(p, t);
}

/* Whether a thread was stopped inside of a transition: then what is read of it ends at its last boundary. */
static bool is_any_busy(struct source *s)
{
	bool busy = false;

	for (uint32_t t = 0; t < s->profile->thread_count; t++) {
		struct source_stack stack;

		if (source_stack(s, t, &stack))
			busy |= stack.busy;
		free(stack.zones);
	}
	return busy;
}

/* Whether a block was on its way from one thread to the next when all were stopped: what it had cannot be read then,
 * and is in no sum over the whole run. */
static bool is_any_claimed(const struct run *r)
{
	struct attachment a;
	bool claimed = false;

	assert_int_equal(region_attach(&a, r->name, 0, NULL, 0), ATTACH_OK);
	for (uint32_t i = 0; i < a.thread_count; i++) {
		struct snapshot_thread t;

		if (snapshot_thread(&a, i, &t) != SNAPSHOT_ABSENT)
			claimed |= t.state == BLOCK_CLAIMED;
	}
	region_detach(&a);
	return claimed;
}

/* A look at the program while it stands still, which makes a frame, or the ground of the first. */
static void look_at_rest(struct run *r, struct source *s, uint64_t number)
{
	for (int i = 0; i < 100; i++) {
		kill(r->pid, SIGSTOP);
		nap_us(120000);
		assert_int_equal(source_next(s), SOURCE_MORE);
		if (s->profile->process.state == PROFILE_LIVE && newest_number(s) >= number &&
		    !is_any_busy(s) && !is_any_claimed(r))
			return;
		kill(r->pid, SIGCONT);
		nap_us(1000);
	}
	fail_msg("no frame %llu", (unsigned long long)number);
}

static bool misses_parts(const struct profile *p)
{
	for (uint32_t f = 0; f < p->frame_count; f++)
		for (uint32_t i = 0; i < p->frames[f].part_count; i++)
			if (p->frames[f].parts[i].flags & PART_MISSING)
				return true;
	return false;
}

/* The amount of a measure in the totals but not in the frames. */
static int64_t widgets_outside(const struct profile *p)
{
	uint32_t m = profile_find_measure(p, "widgets");
	int64_t sum = 0;

	assert_true(m != PROFILE_NONE);
	for (uint32_t i = 0; i < p->node_count; i++)
		sum += profile_amount_of(p, i, m);
	assert_true(sum > 0);
	for (uint32_t f = 0; f < p->frame_count; f++)
		for (uint32_t i = 0; i < p->frames[f].part_count; i++) {
			struct measure_amounts a = profile_amounts(p, &p->frames[f].parts[i], m);

			for (uint32_t k = 0; k < a.count; k++)
				sum -= a.values[k];
		}
	return sum;
}

static const char *const zones[] = { "beat", "rest", "passer" };

/* All that the totals have and the frames have not. */
static void count_outside(const struct profile *p, int64_t out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = entries_in_totals(p, zones[i]) - entries_in_frames(p, zones[i]);
}

/* False: a block was on its way from one thread to the next while it was looked at, and what is not known
 * of it is said. */
static bool compare(struct source *s, struct run *r)
{
	int64_t before[3], after[3], widgets;

	look_at_rest(r, s, 0);
	count_outside(s->profile, before);
	widgets = widgets_outside(s->profile);
	kill(r->pid, SIGCONT);
	read_up_to(s, OWN_FRAMES);
	look_at_rest(r, s, newest_number(s) + 1);
	check_frames(s->profile);
	assert_int_equal(s->profile->frames_ended, newest_number(s));
	if (misses_parts(s->profile))
		return false;
	count_outside(s->profile, after);
	assert_int_equal(widgets_outside(s->profile), widgets);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(after[i], before[i]);
		assert_true(entries_in_frames(s->profile, zones[i]) > 0);
	}
	return true;
}

static void test_exact(void **state)
{
	bool compared = false;

	(void)state;
	for (int i = 0; i < 20 && !compared; i++) {
		struct run r;

		start(&r, "exact");
		struct source *s = open_run(&r, LIVE_OWN_FRAMES);
		compared = compare(s, &r);
		source_close(s);
		finish(&r);
	}
	assert_true(compared);
}

static void test_waits(void **state)
{
	struct run r;
	bool found = false;

	(void)state;
	start(&r, "waits");
	struct source *s = open_run(&r, LIVE_OWN_FRAMES);
	read_up_to(s, 1);
	for (uint32_t i = 0; i < s->profile->zone_count; i++) {
		bool waits = s->profile->zones[i].flags & ZONE_WAITING;

		assert_int_equal(waits, !strcmp(s->profile->zones[i].name, "rest"));
		found |= waits;
	}
	assert_true(found);
	source_close(s);
	finish(&r);
}

/* The value of a changing counter in the newest frame. */
static struct counter_value next_value(struct source *s, int64_t most)
{
	struct counter_value v = { 0 };

	for (int i = 0; i < 100 && !(v.known && v.most.whole == most); i++) {
		read_up_to(s, newest_number(s) + 1);
		if (s->profile->track_count)
			v = counters_in_frame(s->profile, 0, s->profile->tracks[0].thread, newest(s));
	}
	return v;
}

/* Between two looks it was more, or less, than ever: that was in the frame between them. */
static void test_counters(void **state)
{
	struct counter_value v;
	struct run r;

	(void)state;
	start(&r, "counters");
	struct source *s = open_run(&r, LIVE_OWN_FRAMES);
	read_up_to(s, 1);
	tell(&r, 'x');
	v = next_value(s, 5);
	assert_int_equal(v.least.whole, 5);
	tell(&r, 'c');
	v = next_value(s, 50);
	assert_true(v.known && v.changed);
	assert_int_equal(v.most.whole, 50);
	assert_int_equal(v.least.whole, 5);
	assert_int_equal(v.last.whole, 5);
	v = next_value(s, 5);
	assert_false(v.changed);
	tell(&r, 'C');
	for (int i = 0; i < 100 && !v.changed; i++)
		v = next_value(s, 5);
	assert_int_equal(v.least.whole, -70);
	assert_int_equal(v.last.whole, 5);
	source_close(s);
	finish(&r);
}

static void test_off(void **state)
{
	struct run r;

	(void)state;
	start(&r, "off");
	struct source *s = open_run(&r, LIVE_OWN_FRAMES);
	read_up_to(s, 2);
	tell(&r, 'o');
	nap_us(50000);
	read_up_to(s, newest_number(s) + 2);
	assert_int_equal(newest(s)->flags, FRAME_GUESSED | FRAME_DISCARDED);
	source_close(s);
	finish(&r);
}

static bool is_lossy(const struct profile_frame *frame)
{
	for (uint32_t i = 0; i < frame->part_count; i++)
		if (frame->parts[i].flags & PART_LOSSY)
			return true;
	return false;
}

static uint32_t lossy_frames(const struct profile *p)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->frame_count; i++)
		count += is_lossy(&p->frames[i]);
	return count;
}

/* Zones are lost once. */
static void test_lossy(void **state)
{
	struct run r;

	(void)state;
	start(&r, "lossy");
	struct source *s = open_run(&r, LIVE_OWN_FRAMES);
	read_up_to(s, 3);
	assert_int_equal(lossy_frames(s->profile), 0);
	tell(&r, 'l');
	for (int frames = 0; frames < 500 && !lossy_frames(s->profile); frames++)
		read_up_to(s, newest_number(s) + 1);
	assert_in_range(lossy_frames(s->profile), 1, 2); /* the losses may be on both sides of a reading */
	source_close(s);
	finish(&r);
}

/* Real frames from 1 on, and none of those before. */
static void check_real(const struct profile *p)
{
	assert_int_equal(p->frame_count, MARKS);
	assert_int_equal(p->frames_ended, MARKS);
	for (uint32_t i = 0; i < MARKS; i++) {
		assert_int_equal(p->frames[i].number, i + 1);
		assert_false(p->frames[i].flags & FRAME_GUESSED);
	}
}

static void test_marks(void **state)
{
	enum source_result result = SOURCE_MORE;
	struct run r;

	(void)state;
	start(&r, "marks");
	struct source *s = open_run(&r, LIVE_OWN_FRAMES);
	read_up_to(s, 3);
	tell(&r, 'm');
	for (int i = 0; i < 1000 && (result = source_next(s)) == SOURCE_MORE; i++)
		nap_us(10000);
	assert_int_equal(result, SOURCE_ANEW);
	check_frames(s->profile); /* still what was read before */
	assert_int_equal(source_next(s), SOURCE_ANEW);
	assert_true(source_reset(s));
	assert_int_equal(source_next(s), SOURCE_MORE);
	read_up_to(s, MARKS);
	check_real(s->profile);
	source_close(s);
	finish(&r);
}

static void leave(void *context)
{
	++*(int *)context;
}

static void test_follow(void **state)
{
	struct run r;
	struct follow f;
	int left = 0, arrived = 0;

	(void)state;
	start(&r, "follow");
	assert_true(follow_open(&f, r.name, 0));
	for (int i = 0; i < 1000 && (!f.source || newest_number(f.source) < 3); i++) {
		arrived += follow_poll(&f, leave, &left) == FOLLOW_NEW;
		nap_us(20000);
	}
	assert_int_equal(arrived, 1);
	assert_int_equal(left, 0);
	assert_true(newest(f.source)->flags & FRAME_GUESSED);
	tell(&r, 'm');
	for (int i = 0; i < 1000 && (arrived < 2 || newest_number(f.source) < MARKS); i++) {
		arrived += follow_poll(&f, leave, &left) == FOLLOW_NEW;
		nap_us(20000);
	}
	assert_int_equal(arrived, 2);
	assert_int_equal(left, 1);
	assert_true(f.anew);
	check_real(f.source->profile);
	follow_close(&f);
	finish(&r);
}

/* A process that is over has its whole run; also if nobody asked for frames. */
static void test_none(void **state)
{
	struct run r;

	(void)state;
	start(&r, "none");
	struct source *s = open_run(&r, 0);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(source_next(s), SOURCE_MORE);
		nap_us(60000);
	}
	assert_int_equal(s->profile->frame_count, 0);
	source_close(s);
	tell(&r, 'e');
	waitpid(r.pid, NULL, 0);
	s = open_run(&r, LIVE_OWN_FRAMES);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(source_next(s), SOURCE_END);
		nap_us(60000);
	}
	assert_int_equal(s->profile->frame_count, 0);
	assert_true(entries_in_totals(s->profile, "beat") > 0);
	source_close(s);
	finish(&r);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact), cmocka_unit_test(test_waits), cmocka_unit_test(test_off),
		cmocka_unit_test(test_lossy),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_marks), cmocka_unit_test(test_follow), cmocka_unit_test(test_none),
	};

	if (argc > 1 && !strcmp(argv[1], "program"))
		return program();
	return cmocka_run_group_tests_name("io_own", tests, NULL, NULL);
}
