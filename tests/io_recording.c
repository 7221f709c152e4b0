/* SPDX-License-Identifier: MIT */
/*
 * io_recording: what a recording holds is what its source had, to the tick: whole, while it grows, through a pipe, cut at
 * each byte, and with bytes that are damaged. The source makes profiles at random, and its frames change afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/recording/block.h"
#include "io/recording/code.h"
#include "io/recording/recording.h"
#include "io/recording/player.h"
#include "io/recording/recorder.h"
#include "model/profile/measures.h"
#include "model/stats/check.h"
#include "model/stats/counters.h"
#include "tests/model_random.h"

/* ---- a source of what happens at random */

struct made {
	struct source source;
	struct transitions *events; /* all of them; delivered up to `told` of each list */
	uint32_t told[3];
	uint32_t depth[3];
	bool over;
};

static struct made made;

static void random_transitions(struct profile *p)
{
	static const uint32_t kinds[] = { TRANSITION_ENTER, TRANSITION_LEAVE, TRANSITION_ENTER, TRANSITION_LEAVE,
					  TRANSITION_SUSPEND, TRANSITION_RESUME };

	for (uint32_t i = 0; i < 3; i++) {
		struct transition_list *list = transitions_of(made.events, i * 7 + 1, i);
		int64_t tick = list->count ? list->at[list->count - 1].tick : 0;

		for (uint32_t n = random_below(200); n; n--) {
			uint32_t node = random_below(p->node_count), what = random_below(40);

			tick += random_below(100) ? random_below(1000) : (int64_t)random_below(1000) << 33;
			if (p->nodes[node].thread != i || p->nodes[node].parent == PROFILE_NONE)
				continue;
			list = transitions_of(made.events, i * 7 + 1, i);
			transitions_add(made.events, list,
					(struct transition){ tick, what ? node : 0,
							     what ? kinds[random_below(6)] : TRANSITION_GAP });
		}
	}
}

static void random_values(struct profile *p)
{
	static const char *const texts[] = { "", "a note", "j\xf6\n\"", "longer than most of the others are, but not by much" };
	struct profile_change c = { .tick = p->now_tick, .lost = !random_below(9) };

	while (p->counter_count < 3)
		profile_add_counter(p, p->counter_count ? "n" : "d", p->counter_count == 1, p->counter_count == 2);
	while (p->event_count < 3)
		profile_add_event(p, texts[p->event_count + 1]);
	if (p->track_count < 5)
		profile_add_track(p, p->track_count % 3, p->track_count % 3 == 2 ? PROFILE_NONE : random_below(3), 4);
	for (uint32_t i = 0; i < p->track_count; i++) {
		c.last.whole = (int64_t)random_below(1000) - 500;
		c.least.whole = c.last.whole - 3;
		c.most.whole = c.last.whole + 9;
		if (random_below(3))
			profile_add_change(p, i, &c);
		c.tick = p->now_tick;
		profile_set_now(p, i, &c, c.least, c.most);
	}
	for (uint32_t i = random_below(4); i; i--)
		profile_add_instant(p, p->now_tick, random_below(3), random_below(2) ? random_below(3) : PROFILE_NONE,
				    texts[random_below(4)], random_below(2));
}

/* A thread publishes late. */
static void random_renewal(struct profile *p)
{
	uint32_t back = 1 + random_below(6);

	if (p->frame_count > back)
		random_part(p, p->frames[p->frame_count - back].number, random_below(3));
}

static enum source_result made_next(struct source *s)
{
	struct profile *p = s->profile;
	char name[32];

	for (uint32_t i = random_below(20); i; i--)
		random_frame(p);
	random_renewal(p);
	random_values(p);
	random_transitions(p);
	p->threads[random_below(3)].marking = random_below(2);
	p->instants_from = 3;
	p->unseen_frames = 2;
	snprintf(name, sizeof(name), "request %llu", (unsigned long long)p->frames_ended);
	if (p->frame_count)
		profile_name_frame(p, random_below(2) ? "menu" : name);
	profile_set_loss(p, "lapped_parts", "parts were overwritten", p->frames_ended / 7);
	profile_text(&p->left_open, "work");
	p->process.state = made.over ? PROFILE_DEAD : PROFILE_LIVE;
	return made.over ? SOURCE_END : SOURCE_MORE;
}

static bool made_transitions(struct source *s, struct transitions *t)
{
	(void)s;
	for (uint32_t i = 0; i < made.events->count; i++) {
		const struct transition_list *from = &made.events->lists[i];
		struct transition_list *to = transitions_of(t, from->id, from->thread);

		for (; made.told[i] < from->count; made.told[i]++)
			assert_true(transitions_add(t, to, from->at[made.told[i]]));
	}
	return true;
}

static bool made_stack(struct source *s, uint32_t thread, struct source_stack *out)
{
	out->zones = calloc(2, sizeof(*out->zones));
	for (uint32_t i = 0; i < s->profile->node_count && out->count < 2; i++)
		if (s->profile->nodes[i].thread == thread && s->profile->nodes[i].parent != PROFILE_NONE)
			out->zones[out->count++] = (struct source_open){ i, 17 + thread };
	out->last = 17;
	out->now = 23;
	return true;
}

static const struct source_ops made_ops = { .next = made_next, .transitions = made_transitions, .stack = made_stack };

static struct recorder *begin(const struct recorder_options *o)
{
	struct recorder *r;

	made = (struct made){ .source = { .ops = &made_ops, .profile = random_profile() } };
	made.source.profile->ticks_per_s = 100000000;
	profile_text(&made.source.profile->process.program, "/bin/made");
	made.source.profile->process.pid = 7;
	made.source.profile->process.known_moment = INT64_MIN;
	made.events = transitions_new(1 << 20);
	r = recorder_new(&made.source, o);
	assert_non_null(r);
	return r;
}

static void end(struct recorder *r)
{
	recorder_free(r);
	transitions_free(made.events);
	profile_free(made.source.profile);
}

/* ---- where it goes */

static bool put(void *context, const void *bytes, size_t size)
{
	return write(*(int *)context, bytes, size) == (ssize_t)size;
}

static int memory(void)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static struct source *play(int fd)
{
	char path[64], why[512];
	struct source *s;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	s = player_open(open(path, O_RDONLY | O_CLOEXEC), "made", why, sizeof(why));
	assert_non_null(s);
	return s;
}

/* ---- what is the same */

static void same_part(const struct profile_held *a, const struct profile_held *b)
{
	int64_t sum[2][3] = { { 0 } };

	assert_int_equal(a->flags, b->flags);
	assert_int_equal(a->first_frame, b->first_frame);
	assert_int_equal(a->bound, b->bound);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->waiting, b->waiting);
	assert_int_equal(a->cell_count, b->cell_count);
	for (uint32_t i = 0; i < a->cell_count; i++) {
		struct profile_cell cells[2] = { profile_cell(a, i), profile_cell(b, i) };

		for (int k = 0; k < 2; k++) {
			sum[k][0] += cells[k].self * (cells[k].node + 1);
			sum[k][1] += cells[k].count * (cells[k].node + 1);
			sum[k][2] += cells[k].longest % 1000000007 * (cells[k].node + 1);
		}
	}
	assert_memory_equal(sum[0], sum[1], sizeof(sum[0]));
}

static void same_frame(const struct profile *p, const struct profile_frame *a, const struct profile *q, const struct profile_frame *b)
{
	assert_int_equal(a->number, b->number);
	assert_int_equal(a->start, b->start);
	assert_int_equal(a->length, b->length);
	assert_int_equal(a->flags, b->flags);
	assert_string_equal(profile_frame_name(p, a), profile_frame_name(q, b));
	assert_int_equal(a->part_count, b->part_count);
	for (uint32_t i = 0; i < a->part_count; i++) {
		assert_int_equal(a->parts[i].thread, b->parts[i].thread);
		same_part(&a->parts[i], &b->parts[i]);
	}
}

static void same_names(const struct profile *p, const struct profile *q)
{
	assert_int_equal(p->zone_count, q->zone_count);
	for (uint32_t i = 0; i < p->zone_count; i++) {
		assert_string_equal(p->zones[i].name, q->zones[i].name);
		assert_int_equal(p->zones[i].flags, q->zones[i].flags);
	}
	assert_int_equal(p->thread_count, q->thread_count);
	for (uint32_t i = 0; i < p->thread_count; i++) {
		assert_string_equal(p->threads[i].name, q->threads[i].name);
		assert_int_equal(p->threads[i].id, q->threads[i].id);
		assert_int_equal(p->threads[i].time, q->threads[i].time);
		assert_int_equal(p->threads[i].marking, q->threads[i].marking);
		assert_int_equal(p->threads[i].root, q->threads[i].root);
	}
	assert_int_equal(p->node_count, q->node_count);
	assert_memory_equal(p->nodes, q->nodes, p->node_count * sizeof(*p->nodes));
	assert_memory_equal(p->totals, q->totals, p->node_count * sizeof(*p->totals));
}

static void same_values(const struct profile *p, const struct profile *q)
{
	assert_int_equal(p->track_count, q->track_count);
	for (uint32_t i = 0; i < p->track_count; i++) {
		const struct profile_track *a = &p->tracks[i], *b = &q->tracks[i];

		assert_int_equal(a->counter, b->counter);
		assert_int_equal(a->thread, b->thread);
		assert_int_equal(a->born, b->born);
		assert_int_equal(a->now.last.whole, b->now.last.whole);
		assert_int_equal(a->run_most.whole, b->run_most.whole);
		assert_int_equal(a->change_count, b->change_count);
		for (uint32_t k = 0; k < a->change_count; k++) {
			assert_int_equal(a->changes[k].tick, b->changes[k].tick);
			assert_int_equal(a->changes[k].lost, b->changes[k].lost);
			assert_int_equal(a->changes[k].last.whole, b->changes[k].last.whole);
			assert_int_equal(a->changes[k].least.whole, b->changes[k].least.whole);
		}
	}
	assert_int_equal(p->instant_count, q->instant_count);
	for (uint32_t i = 0; i < p->instant_count; i++) {
		const struct profile_instant *a = &p->instants[i], *b = &q->instants[i];

		assert_int_equal(a->tick, b->tick);
		assert_int_equal(a->event == PROFILE_NONE, b->event == PROFILE_NONE);
	}
}

static void same_profile(const struct profile *p, const struct profile *q)
{
	same_names(p, q);
	assert_int_equal(p->frame_count, q->frame_count);
	for (uint32_t i = 0; i < p->frame_count; i++)
		same_frame(p, &p->frames[i], q, &q->frames[i]);
	same_values(p, q);
	assert_int_equal(p->frames_ended, q->frames_ended);
	assert_int_equal(p->now_tick, q->now_tick);
	assert_int_equal(p->instants_from, q->instants_from);
	assert_string_equal(p->left_open, q->left_open);
	assert_string_equal(p->process.program, q->process.program);
	assert_int_equal(profile_loss_total(p), profile_loss_total(q));
}

/* Within this stretch, gaps apart. */
static void same_transitions(const struct transitions *t, const struct transitions *u, int64_t from, int64_t to)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct transition_list *a = &t->lists[i];
		struct transition_list *b = transitions_find((struct transitions *)u, a->id);
		uint32_t k = 0;

		for (uint32_t n = 0; n < a->count; n++) {
			if (a->at[n].tick < from || a->at[n].tick > to)
				continue;
			assert_non_null(b);
			while (k < b->count && (b->at[k].tick < from || (b->at[k].kind == TRANSITION_GAP && a->at[n].kind != TRANSITION_GAP)))
				k++;
			assert_true(k < b->count);
			assert_memory_equal(&a->at[n], &b->at[k], sizeof(a->at[n]));
			k++;
		}
	}
}

/* ---- tests */

static int record(const struct recorder_options *o, int rounds)
{
	int fd = memory();
	struct recorder *r = begin(o);
	struct writer *w = writer_new(put, &fd);

	for (int i = 0; i < rounds; i++) {
		made.over = i == rounds - 1;
		source_next(&made.source);
		assert_true(recorder_take(r, w, made.over));
	}
	writer_end(w);
	assert_false(writer_failed(w));
	writer_free(w);
	recorder_free(r);
	return fd;
}

static void what_is_played_is_what_was_recorded(void **state)
{
	uint32_t stacks = 0;

	(void)state;
	for (int seed = 1; seed <= 60; seed++) {
		struct source_stack stack;
		struct transitions *t = transitions_new(1 << 20);
		struct source *s;
		int fd;

		random_state = (uint64_t)seed;
		fd = record(&(struct recorder_options){ 0 }, 12);
		s = play(fd);
		assert_int_equal(source_next(s), SOURCE_END);
		same_profile(made.source.profile, s->profile);
		assert_true(source_transitions(s, t));
		same_transitions(made.events, t, 0, INT64_MAX);
		assert_int_equal(t->total, made.events->total);
		assert_int_equal(s->profile->process.state, PROFILE_DEAD);
		for (uint32_t i = 0; i < 3; i++)
			if (source_stack(s, i, &stack)) {
				assert_int_equal(stack.zones[0].entered, 17 + i);
				stacks++;
				free(stack.zones);
			}
		assert_int_equal(player_damaged(s), 0);
		transitions_free(t);
		source_close(s);
		close(fd);
		end(NULL);
	}
	assert_true(stacks > 60);
}

/* A recording is locked while it is written, so its reader knows that there is more to come. */
static void a_recording_that_grows_is_followed(void **state)
{
	struct recorder *r;
	struct writer *w;
	struct transitions *t = transitions_new(1 << 20);
	struct source *s;
	int fd = memory();

	(void)state;
	random_state = 5;
	assert_int_equal(flock(fd, LOCK_EX), 0);
	r = begin(&(struct recorder_options){ 0 });
	w = writer_new(put, &fd);
	s = play(fd);
	assert_int_equal(source_next(s), SOURCE_MORE);
	for (int i = 0; i < 30; i++) {
		source_next(&made.source);
		assert_true(recorder_take(r, w, false));
		assert_int_equal(source_next(s), SOURCE_MORE);
		assert_true(source_transitions(s, t));
		same_profile(made.source.profile, s->profile);
		assert_int_equal(s->profile->process.state, PROFILE_LIVE);
	}
	same_transitions(made.events, t, 0, INT64_MAX);
	assert_int_equal(flock(fd, LOCK_UN), 0); /* killed: no end */
	assert_int_equal(source_next(s), SOURCE_END);
	assert_int_equal(s->profile->process.state, PROFILE_FILE);
	assert_int_equal(s->profile->losses[s->profile->loss_count - 1].count, 1);
	transitions_free(t);
	source_close(s);
	writer_free(w);
	close(fd);
	end(r);
}

/* The writer ends the recording, or is killed. */
static void go_through_a_pipe(bool killed)
{
	struct recorder *r;
	struct writer *w;
	struct source *s;
	char why[512];
	int ends[2];

	random_state = 9;
	assert_int_equal(pipe(ends), 0);
	assert_true(fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) > 0);
	r = begin(&(struct recorder_options){ 0 });
	w = writer_new(put, &ends[1]);
	s = player_open(ends[0], "-", why, sizeof(why));
	assert_non_null(s);
	for (int i = 0; i < 10; i++) {
		source_next(&made.source);
		assert_true(recorder_take(r, w, false));
		assert_int_equal(source_next(s), SOURCE_MORE);
		same_profile(made.source.profile, s->profile);
	}
	if (!killed)
		writer_end(w);
	close(ends[1]);
	assert_int_equal(source_next(s), SOURCE_END);
	assert_string_equal(s->why, killed ? "standard input is cut off. The complete part is shown" : "");
	source_close(s);
	writer_free(w);
	end(r);
}

static void through_a_pipe(void **state)
{
	(void)state;
	go_through_a_pipe(false);
	go_through_a_pipe(true);
}

/* A window of time has its transitions, and no others are read than those of blocks that touch it. */
static void windows_are_read_when_they_are_wanted(void **state)
{
	struct source *s;
	int fd;

	(void)state;
	random_state = 11;
	fd = record(&(struct recorder_options){ 0 }, 40);
	s = play(fd);
	source_next(s);
	for (uint64_t most = 100; most <= 10000; most *= 10) {
		struct transitions *t = transitions_new(most);

		for (int i = 0; i < 50; i++) {
			const struct transition_list *list = &made.events->lists[random_below(3)];
			uint32_t at = random_below(list->count);
			struct transition_stretch wanted = { list->at[at].tick, list->at[at].tick + 1 + random_below(100) };

			transitions_want(t, wanted);
			assert_true(source_transitions(s, t));
			assert_true(t->total <= most);
			for (uint32_t k = 0; k < t->count; k++) { /* nothing seems to go on to the end */
				const struct transition_list *held = &t->lists[k];
				const struct transition_list *all = transitions_find(made.events, held->id);

				assert_true(!held->count || held->at[held->count - 1].kind == TRANSITION_GAP ||
					    held->at[held->count - 1].tick == all->at[all->count - 1].tick);
			}
			if (most == 10000)
				same_transitions(made.events, t, wanted.begin, wanted.end);
		}
		transitions_want(t, (struct transition_stretch){ 0, 0 });
		assert_true(source_transitions(s, t));
		assert_true(t->total <= most);
		transitions_free(t);
	}
	source_close(s);
	close(fd);
	end(NULL);
}

/* Frames that are there are as they were, or it is said that something is missing. */
static void nothing_wrong_is_shown(const struct profile *p, const struct profile *q)
{
	for (uint32_t i = 0; i < q->frame_count; i++) {
		const struct profile_frame *b = &q->frames[i], *a = profile_find_frame(p, b->number);

		assert_non_null(a);
		assert_int_equal(a->start, b->start);
		for (uint32_t k = 0; k < b->part_count; k++) {
			const struct profile_held *part = profile_find_part(a, b->parts[k].thread);

			assert_non_null(part);
			if (!(b->parts[k].flags & PART_MISSING))
				assert_true(b->parts[k].cell_count <= 400);
		}
	}
}

/* Gaps apart. */
static uint64_t sum_of(const struct transitions *t)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t k = 0; k < t->lists[i].count; k++) {
			const struct transition *n = &t->lists[i].at[k];

			if (n->kind != TRANSITION_GAP)
				sum += ((uint64_t)n->tick << 7 ^ (uint64_t)n->node << 3 ^ n->kind) * (1 + t->lists[i].id) * 1099511628211u;
		}
	return sum;
}

/* A copy of what is left of a recording has all of that, and says what is missing. */
static void copy_is_the_same(struct source *s)
{
	struct recorder *r = recorder_new(s, &(struct recorder_options){ 0 });
	struct transitions *had = transitions_new(100000), *has = transitions_new(100000);
	int fd = memory();
	struct writer *w = writer_new(put, &fd);
	struct source *copy;

	assert_true(recorder_take(r, w, true));
	writer_end(w);
	recorder_free(r);
	writer_free(w);
	copy = play(fd);
	assert_int_equal(source_next(copy), SOURCE_END);
	same_names(s->profile, copy->profile);
	assert_int_equal(s->profile->frame_count, copy->profile->frame_count);
	for (uint32_t i = 0; i < s->profile->frame_count; i++)
		same_frame(s->profile, &s->profile->frames[i], copy->profile, &copy->profile->frames[i]);
	same_values(s->profile, copy->profile);
	assert_int_equal(profile_loss_total(s->profile) > 0, profile_loss_total(copy->profile) > 0);
	assert_int_equal(s->profile->left_out_frames, copy->profile->left_out_frames);
	assert_true(source_transitions(s, had) && source_transitions(copy, has));
	assert_true(sum_of(had) == sum_of(has));
	transitions_free(had);
	transitions_free(has);
	source_close(copy);
	close(fd);
}

static void cut_anywhere_it_opens(void **state)
{
	struct profile *p;
	size_t size;
	int fd;

	(void)state;
	random_state = 3;
	fd = record(&(struct recorder_options){ 0 }, 5);
	p = made.source.profile;
	size = (size_t)lseek(fd, 0, SEEK_END);
	for (size_t n = size; n-- > 0;) {
		struct source *s;
		struct transitions *t = transitions_new(1000);
		enum source_result result;

		assert_int_equal(ftruncate(fd, (off_t)n), 0);
		s = play(fd);
		result = source_next(s);
		assert_int_equal(result, n < RECORDING_HEAD ? SOURCE_BAD : SOURCE_END);
		assert_true(source_transitions(s, t));
		if (result == SOURCE_END)
			assert_true(s->profile->loss_count > 0); /* it is said that the end is missing */
		nothing_wrong_is_shown(p, s->profile);
		if (result == SOURCE_END && n % 101 == 0)
			copy_is_the_same(s);
		transitions_free(t);
		source_close(s);
	}
	close(fd);
	end(NULL);
}

static void damaged_blocks_are_left_out(void **state)
{
	uint64_t found = 0;

	(void)state;
	for (int seed = 1; seed <= 300; seed++) {
		struct transitions *t = transitions_new(100000);
		struct source *s;
		size_t size;
		int fd;

		random_state = (uint64_t)seed;
		fd = record(&(struct recorder_options){ 0 }, 6);
		size = (size_t)lseek(fd, 0, SEEK_END);
		for (uint32_t i = 1 + random_below(3); i; i--)
			assert_int_equal(pwrite(fd, &(char){ (char)random_below(256) }, 1, random_below((uint32_t)size)), 1);
		s = play(fd);
		if (source_next(s) == SOURCE_END) {
			copy_is_the_same(s);
			assert_true(source_transitions(s, t));
			found += player_damaged(s);
			nothing_wrong_is_shown(made.source.profile, s->profile);
		}
		transitions_free(t);
		source_close(s);
		close(fd);
		end(NULL);
	}
	assert_true(found > 200);
}

/* Only slow frames, and what is within a second of them; how many were left out is told. */
static uint32_t instants_in(const struct profile *p, const struct profile_frame *f)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->instant_count; i++)
		count += p->instants[i].tick > f->start && p->instants[i].tick <= frame_end(f);
	return count;
}

/* What counters had before the frame is known, too: CHANGE counts from that. */
static void same_values_in(const struct profile *a, uint32_t i, const struct profile *b, uint32_t k)
{
	assert_int_equal(instants_in(a, &a->frames[i]), instants_in(b, &b->frames[k]));
	for (uint32_t c = 0; c < a->counter_count; c++) {
		struct counter_value should = counters_in_frame(a, c, PROFILE_NONE, &a->frames[i]);
		struct counter_value is = counters_in_frame(b, c, PROFILE_NONE, &b->frames[k]);

		assert_string_equal(a->counters[c].name, b->counters[c].name);
		assert_int_equal(is.known, should.known);
		if (!is.known)
			continue;
		assert_int_equal(is.last.whole, should.last.whole);
		assert_int_equal(is.change.whole, should.change.whole);
		assert_int_equal(is.least.whole, should.least.whole);
		assert_int_equal(is.most.whole, should.most.whole);
	}
}

static void slow_frames_alone(void **state)
{
	struct recorder_options o = { .over = 99000000 };
	const struct profile *p;
	struct source *s;
	uint64_t left = 0;
	int fd;

	(void)state;
	random_state = 21;
	fd = record(&o, 40);
	p = made.source.profile;
	s = play(fd);
	assert_int_equal(source_next(s), SOURCE_END);
	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *f = &p->frames[i], *there = profile_find_frame(s->profile, f->number);
		int64_t second = (int64_t)p->ticks_per_s;
		bool near = false;

		for (uint32_t k = 0; k < p->frame_count; k++)
			near |= p->frames[k].length > o.over && !(p->frames[k].flags & FRAME_DISCARDED) &&
				p->frames[k].start - second <= frame_end(f) && frame_end(&p->frames[k]) + second >= f->start;
		assert_true(near == (there != NULL));
		if (there)
			same_frame(p, f, s->profile, there);
		if (there)
			same_values_in(p, i, s->profile, (uint32_t)(there - s->profile->frames));
		left += !near;
	}
	assert_true(left > 20);
	assert_int_equal(s->profile->left_out_frames, left);
	assert_int_equal(profile_loss_total(s->profile), profile_loss_total(p)); /* nobody wanted these frames */
	copy_is_the_same(s);
	source_close(s);
	close(fd);
	end(NULL);
}

static void pass_time(int64_t ticks, uint32_t event, struct recorder *r, struct writer *w)
{
	struct profile *p = made.source.profile;

	assert_true(profile_add_instant(p, p->now_tick + ticks / 2, 0, event, NULL, false));
	p->now_tick += ticks;
	if (r)
		assert_true(recorder_take(r, w, false));
}

static void end_frame(int64_t start)
{
	struct profile *p = made.source.profile;

	p->frames_ended++;
	assert_true(profile_add_frame(p, p->frames_ended, start, p->now_tick - start, 0));
}

/* A slow frame takes five seconds, the first one or a later one. Takes while it runs do not know yet that it is slow. */
static void a_frame_of_seconds_is_whole(void **state)
{
	(void)state;
	for (int before = 0; before < 200; before += 100) {
		struct recorder *r = begin(&(struct recorder_options){ .over = 3300000 });
		struct profile *p = made.source.profile;
		uint32_t event = profile_add_event(p, "tick"), seen = 0;
		int fd = memory();
		struct writer *w = writer_new(put, &fd);
		struct source *s;
		int64_t start;

		for (int i = 0; i < before; i++, end_frame(start)) {
			start = p->now_tick;
			pass_time(1600000, event, r, w);
		}
		start = p->now_tick;
		for (int i = 0; i < 50; i++)
			pass_time(10000000, event, r, w);
		end_frame(start);
		for (int i = 0; i < 300; i++, end_frame(start)) {
			start = p->now_tick;
			pass_time(1600000, event, r, w);
		}
		assert_true(recorder_take(r, w, true));
		writer_end(w);
		writer_free(w);
		recorder_free(r);
		s = play(fd);
		assert_int_equal(source_next(s), SOURCE_END);
		for (uint32_t i = 0; i < s->profile->frame_count; i++, seen++) {
			uint32_t k = profile_frame_index(p, s->profile->frames[i].number);

			same_values_in(p, k, s->profile, i);
		}
		assert_in_range(seen, 1 + 62 + before * 62 / 100, 1 + 64 + before * 64 / 100);
		source_close(s);
		close(fd);
		end(NULL);
	}
}

/* Where some of a thread's transitions were left out there is a gap, at the end too: else what is open would seem to go on.
 * Returns in how many places some are missing. */
static uint32_t gaps_are_where_something_is_missing(struct source *s)
{
	struct transitions *t = transitions_new(1000000);
	uint32_t missing = 0;

	assert_true(source_transitions(s, t));
	for (uint32_t i = 0; i < made.events->count; i++) {
		const struct transition_list *all = &made.events->lists[i], *there = NULL;
		uint32_t next = 0;
		bool gap = true;

		for (uint32_t k = 0; k < t->count; k++)
			there = t->lists[k].thread == all->thread ? &t->lists[k] : there;
		for (uint32_t k = 0; there && k < there->count; k++) {
			const struct transition *n = &there->at[k];
			uint32_t at = next;

			if (n->kind == TRANSITION_GAP) {
				gap = true;
				continue;
			}
			while (at < all->count && (all->at[at].tick != n->tick || all->at[at].node != n->node || all->at[at].kind != n->kind))
				at++;
			assert_true(at < all->count && (gap || at == next));
			missing += at > next;
			next = at + 1;
			gap = false;
		}
		assert_true(gap || next == all->count);
		missing += next < all->count;
	}
	transitions_free(t);
	return missing;
}

/* Frames of a tenth of a second, one of which takes longer, and a call in each. */
static void add_tenths(struct profile *p, uint64_t first, uint64_t last)
{
	struct transition_list *list = transitions_of(made.events, 1, 0);
	uint32_t node = profile_add_node(p, p->threads[0].root, 1);

	assert_non_null(list);
	for (uint64_t n = first; n <= last; n++) {
		int64_t start = p->frame_count ? frame_end(&p->frames[p->frame_count - 1]) : 0;

		assert_true(profile_add_frame(p, n, start, n == 30 ? 15000000 : 10000000, 0));
		transitions_add(made.events, list, (struct transition){ start + 1000, node, TRANSITION_ENTER });
		transitions_add(made.events, list, (struct transition){ start + 9000000, node, TRANSITION_LEAVE });
		p->now_tick = frame_end(&p->frames[p->frame_count - 1]);
	}
	p->frames_ended = last;
}

static void ten_seconds(struct profile *p)
{
	add_tenths(p, 1, 100);
}

/* Whether something of a call is known at this tick. */
static bool has_call(struct source *s, int64_t tick)
{
	struct transitions *t = transitions_new(1000000);
	bool found = false;

	assert_true(source_transitions(s, t));
	for (uint32_t i = 0; t->count && i < t->lists[0].count; i++)
		found |= t->lists[0].at[i].tick == tick && t->lists[0].at[i].kind != TRANSITION_GAP;
	transitions_free(t);
	return found;
}

/* A recording of slow frames, one of some frames, and one that went on in another file. */
static void what_ends_has_a_gap(void **state)
{
	(void)state;
	for (int how = 0; how < 3; how++) {
		int fd = memory();
		struct recorder *r = begin(&(struct recorder_options){ .over = how ? 0 : 12000000 });
		struct writer *w = writer_new(put, &fd);
		struct source *s;

		profile_free(made.source.profile);
		made.source.profile = dsl_profile("t a 1 1 1\n");
		made.source.profile->ticks_per_s = 100000000;
		ten_seconds(made.source.profile);
		if (how == 1)
			recorder_only(r, 40, 49);
		if (how == 2)
			recorder_limit(r, 200);
		assert_true(recorder_take(r, w, how < 2));
		if (how == 2)
			recorder_leave(r, w);
		writer_end(w);
		writer_free(w);
		s = play(fd);
		assert_int_equal(source_next(s), SOURCE_END);
		assert_true(gaps_are_where_something_is_missing(s) > 0);
		source_close(s);
		close(fd);
		end(r);
	}
}

/* The second take of a file has more calls than fit: of those that are left out, the first ones follow calls of the first
 * take. */
static void a_gap_is_between_two_takes(void **state)
{
	uint32_t between = 0;

	(void)state;
	for (uint64_t limit = 1000; limit < 3000; limit += 100) {
		int fd = memory();
		struct recorder *r = begin(&(struct recorder_options){ 0 });
		struct writer *w = writer_new(put, &fd);
		struct source *s;
		uint32_t missing;

		profile_free(made.source.profile);
		made.source.profile = dsl_profile("t a 1 1 1\n");
		made.source.profile->ticks_per_s = 100000000;
		recorder_limit(r, limit);
		add_tenths(made.source.profile, 1, 10);
		assert_true(recorder_take(r, w, false));
		add_tenths(made.source.profile, 11, 100);
		assert_true(recorder_take(r, w, true));
		writer_end(w);
		writer_free(w);
		s = play(fd);
		assert_int_equal(source_next(s), SOURCE_END);
		missing = gaps_are_where_something_is_missing(s);
		between += missing && has_call(s, made.events->lists[0].at[0].tick) && has_call(s, s->profile->now_tick - 1000000);
		source_close(s);
		close(fd);
		end(r);
	}
	assert_true(between > 0);
}

/* ---- files of limited size */

enum { LATE = 7000, LATE_ENTRIES = 3 };

/* A hundred frames of a live program, whose thread went on when the totals were
 * read. */
static void begin_of_live_program(struct source **s, struct recorder **r)
{
	struct profile *p;

	*r = begin(&(struct recorder_options){ 0 });
	*s = &made.source;
	profile_free(made.source.profile);
	made.source.profile = p = dsl_profile("t a 1 1 1\n");
	p->ticks_per_s = 100000000;
	p->process.state = PROFILE_LIVE;
	ten_seconds(p);
	p->frames_ended = 104; /* some cannot be read yet */
	p->run_frames = 100;
	p->run_end = p->now_tick;
	p->run_tick = p->now_tick = p->run_end + LATE;
	for (uint32_t i = 0; i < p->node_count; i++) {
		profile_set_total(p, i, 1000000, 100 + LATE_ENTRIES, 10);
		profile_add_running(p, i, LATE / p->node_count, LATE_ENTRIES);
	}
	profile_set_time(p, 0, 0, p->run_tick);
	transitions_add(made.events, &made.events->lists[0],
			(struct transition){ p->run_tick - 1, p->node_count - 1, TRANSITION_ENTER });
}

/* Returns how large the recording is that one take makes. */
static struct source *one_take(struct recorder *r, int *fd, uint64_t *bytes)
{
	struct writer *w;
	struct source *s;

	*fd = memory();
	w = writer_new(put, fd);
	assert_true(recorder_take(r, w, false));
	recorder_leave(r, w);
	*bytes = writer_bytes(w);
	writer_end(w);
	writer_free(w);
	s = play(*fd);
	assert_int_equal(source_next(s), SOURCE_END);
	return s;
}

/* Totals, frames and calls end at the same tick, whatever the threads have done
 * since. */
static void a_file_ends_at_one_moment(void **state)
{
	struct source *live, *s;
	struct recorder *r;
	struct transitions *t = transitions_new(1000000);
	uint64_t bytes;
	int fd;

	(void)state;
	begin_of_live_program(&live, &r);
	recorder_limit(r, 1 << 20);
	s = one_take(r, &fd, &bytes);
	assert_int_equal(s->profile->frame_count, 100);
	assert_int_equal(s->profile->frames_ended, 100);
	assert_int_equal(profile_run_frames(s->profile), 100);
	assert_int_equal(profile_run_tick(s->profile), live->profile->run_end);
	assert_int_equal(s->profile->now_tick, live->profile->run_end);
	assert_int_equal(s->profile->totals[1].count, 100);
	assert_int_equal(s->profile->totals[1].self, 1000000 - LATE / live->profile->node_count);
	assert_int_equal(s->profile->threads[0].time,
			 live->profile->run_tick - LATE / live->profile->node_count * live->profile->node_count);
	assert_true(source_transitions(s, t));
	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t k = 0; k < t->lists[i].count; k++)
			assert_true(t->lists[i].at[k].tick <= s->profile->now_tick);
	assert_int_equal(profile_loss_total(s->profile), 0);
	transitions_free(t);
	source_close(s);
	close(fd);
	end(r);
}

static uint64_t loss_of(const struct profile *p, const char *key)
{
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (!strcmp(p->losses[i].key, key))
			return p->losses[i].count;
	return 0;
}

/* The newest frames are there, and frames that are not there are counted. */
static void what_exceeds_a_file_is_counted(void **state)
{
	static const uint64_t limits[] = { 1500, 2000, 3000, 5000 };

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct source *live, *s;
		struct recorder *r;
		uint64_t bytes;
		int fd;

		begin_of_live_program(&live, &r);
		recorder_limit(r, limits[i]);
		s = one_take(r, &fd, &bytes);
		assert_true(bytes <= limits[i]);
		assert_true(s->profile->frame_count > 0 && s->profile->frames[s->profile->frame_count - 1].number == 100);
		assert_int_equal(s->profile->frame_count + loss_of(s->profile, "frames_over_size"), 100);
		assert_true(s->profile->frame_count < 100 || limits[i] > 3000);
		for (uint32_t k = 0; k < s->profile->loss_count; k++)
			if (!loss_is_known(s->profile->losses[k].key))
				fail_msg("%s", s->profile->losses[k].key);
		uint64_t oldest = s->profile->frames[0].number;
		source_close(s);
		close(fd);
		s = one_take(r, &fd, &bytes); /* the next file does not have them either */
		for (uint32_t k = 0; k < s->profile->frame_count; k++)
			assert_true(s->profile->frames[k].number >= oldest);
		source_close(s);
		close(fd);
		end(r);
	}
}

static void make_calls(struct profile *p, uint32_t count, int64_t ticks)
{
	for (uint32_t i = 0; i < count; i++)
		transitions_add(made.events, &made.events->lists[0],
				(struct transition){ p->run_tick + (i + 1) * (ticks / (count + 1)), p->node_count - 1,
						     i % 2 ? TRANSITION_ENTER : TRANSITION_LEAVE });
	p->now_tick = p->run_tick += ticks;
}

static void one_event(struct profile *p, int64_t tick)
{
	struct profile_change c = { .tick = tick, .last.whole = tick, .least.whole = tick, .most.whole = tick };

	if (!p->track_count)
		profile_add_track(p, profile_add_counter(p, "n", false, false), 0, 0);
	profile_add_instant(p, tick, 0, PROFILE_NONE, "a note", true);
	profile_add_change(p, 0, &c);
	profile_set_now(p, 0, &c, c.least, c.most);
}

/* If calls alone fill the next file, it has the newest frames all the same, with their events and values. No frame is
 * counted as lost for it. */
static void a_file_of_calls_has_frames(void **state)
{
	enum { CALLS = 5000, NOTES_EACH = 2 };

	(void)state;
	for (int how = 0; how < 3; how++) { /* how many frames are left out of the first file; frames end in the third one */
		static const uint64_t limits[] = { 1 << 20, 4000, 4000 };
		struct source *live, *s;
		struct recorder *r;
		const struct profile *p;
		uint64_t bytes, lost, values;
		uint32_t first;
		int fd;

		begin_of_live_program(&live, &r);
		for (uint32_t i = 0; i < 100; i++)
			for (int k = 0; k < NOTES_EACH; k++)
				one_event(live->profile, frame_end(&live->profile->frames[i]) - 5000 + 1000 * k);
		recorder_limit(r, limits[how]);
		s = one_take(r, &fd, &bytes);
		first = 100 - s->profile->frame_count;
		lost = loss_of(s->profile, "frames_over_size");
		values = loss_of(s->profile, "values_over_size");
		assert_int_equal(lost, first);
		source_close(s);
		close(fd);
		source_close(one_take(r, &fd, &bytes)); /* nothing new, and the values of all that is held have no space */
		close(fd);
		for (int file = 0; file < 3; file++) {
			recorder_turn(r);
			make_calls(live->profile, CALLS, 200000000);
			if (how == 2) {
				add_tenths(live->profile, 101 + (uint64_t)file, 101 + (uint64_t)file);
				live->profile->run_end = live->profile->run_tick = live->profile->now_tick;
				live->profile->run_frames = 101 + (uint64_t)file;
			}
			s = one_take(r, &fd, &bytes);
			p = s->profile;
			assert_true(p->frame_count > 0 && p->frame_count <= 100 - first);
			assert_int_equal(p->frames[p->frame_count - 1].number, live->profile->frames[live->profile->frame_count - 1].number);
			assert_int_equal(p->frames_ended, p->frames[p->frame_count - 1].number);
			assert_int_equal(p->now_tick, live->profile->run_tick);
			assert_int_equal(profile_run_tick(p), live->profile->run_tick);
			assert_int_equal(loss_of(p, "frames_over_size"), lost);
			assert_int_equal(loss_of(p, "values_over_size"), values);
			assert_true(bytes <= limits[how]);
			if (how < 2) {
				const struct profile_frame *f = &p->frames[p->frame_count - 1];

				assert_int_equal(instants_in(p, f), NOTES_EACH);
				same_frame(live->profile, &live->profile->frames[99], p, f);
				same_values_in(live->profile, 99, p, p->frame_count - 1);
			} else {
				assert_int_equal(p->frame_count, 1); /* the file has its own */
			}
			source_close(s);
			close(fd);
		}
		end(r);
	}
}

/* ---- what no program does */

static void begin_by_hand(struct writer *w, uint32_t *root)
{
	struct profile *p = made.source.profile;
	struct profile_thread thread = { .id = 1, .name = (char *)"t" };

	p->ticks_per_s = 1000;
	writer_process(w, p, 0);
	writer_zone(w, &(struct profile_zone){ .name = (char *)"z", .file = (char *)"" });
	writer_thread(w, &thread, root);
}

/* Each is counted, and nothing of it is in the profile. */
static struct source *played_by_hand(struct writer *w, int fd, uint64_t damaged)
{
	struct source *s;

	writer_end(w);
	assert_false(writer_failed(w));
	writer_free(w);
	s = play(fd);
	assert_int_equal(source_next(s), SOURCE_END);
	assert_int_equal(player_damaged(s), damaged);
	return s;
}

static void numbers_that_cannot_be_are_left_out(void **state)
{
	int64_t far = INT64_MAX / 2 + 1;
	struct profile_cell cells[2];
	struct profile_part part = { .end = 10, .first_frame = 2, .cells = cells, .cell_count = 2 };
	struct recorder *r = begin(&(struct recorder_options){ 0 });
	int fd = memory();
	struct writer *w = writer_new(put, &fd);
	uint32_t root, node;
	struct source *s;

	(void)state;
	begin_by_hand(w, &root);
	node = writer_node(w, root, 1, 0);
	writer_frame(w, &(struct profile_frame){ .number = 2, .length = 10 }, "");
	writer_frame(w, &(struct profile_frame){ .number = UINT64_MAX, .start = 10, .length = 10 }, "");
	writer_frame(w, &(struct profile_frame){ .number = 3, .start = far, .length = 10 }, "");
	writer_totals(w, &(struct writer_total){ node, { .self = far } }, 1);
	writer_totals(w, &(struct writer_total){ node, { .running_self = INT64_MIN } }, 1);
	writer_totals(w, (struct writer_total[]){ { root, { .self = far - 1 } }, { node, { .self = far - 1 } } }, 2);
	cells[0] = (struct profile_cell){ .node = root, .self = far - 1 };
	cells[1] = (struct profile_cell){ .node = node, .self = far - 1, .count = 1 };
	writer_part(w, 2, &part);
	s = played_by_hand(w, fd, 6);
	assert_int_equal(s->profile->frame_count, 1);
	assert_int_equal(s->profile->totals[1].self, 0);
	source_close(s);
	close(fd);
	end(r);
}

/* Views take time by the depth of a node, and a thread has no more open. */
static void nodes_that_are_too_deep_are_left_out(void **state)
{
	struct recorder *r = begin(&(struct recorder_options){ 0 });
	int fd = memory();
	struct writer *w = writer_new(put, &fd);
	struct source *s;
	uint32_t node;

	(void)state;
	begin_by_hand(w, &node);
	for (int i = 0; i < 5000; i++)
		node = writer_node(w, node, 1, 0);
	s = played_by_hand(w, fd, 5000 - 4096);
	assert_int_equal(s->profile->node_count, 4097);
	source_close(s);
	close(fd);
	end(r);
}

/* Each would move all that are behind it. */
static void changes_that_go_back_are_left_out(void **state)
{
	struct recorder *r = begin(&(struct recorder_options){ 0 });
	int fd = memory();
	struct writer *w = writer_new(put, &fd);
	struct source *s;
	uint32_t root;

	(void)state;
	begin_by_hand(w, &root);
	writer_counter(w, &(struct profile_counter){ .name = (char *)"c" });
	writer_renew_track(w, 0, &(struct profile_track){ .counter = 0, .thread = PROFILE_NONE }, &(struct profile_counter){ 0 });
	for (int i = 0; i < 10; i++)
		writer_change(w, 0, &(struct profile_change){ .tick = 100 - i });
	s = played_by_hand(w, fd, 9);
	assert_int_equal(s->profile->tracks[0].change_count, 1);
	source_close(s);
	close(fd);
	end(r);
}

/* New in version 2: measures with columns and amounts, modules and zones in them, lanes, units, new names. */
static void what_describes_itself_is_played(void **state)
{
	const struct profile_measure rows[] = {
		{ (char *)"widgets", (char *)"WIDGETS", MEASURE_COUNT, MEASURE_OF_NODE, MEASURE_SUM, false, 0, true },
		{ (char *)"gadgets", (char *)"GADGETS", MEASURE_NS, MEASURE_OF_SLICE, MEASURE_MAX, true, 50, false },
	};
	const struct profile_module module = { (char *)"/bin/game", (char *)"1f2e", 4096, 8192 };
	struct profile_zone address = { .name = (char *)"game+0x10", .file = (char *)"", .module = 1, .offset = 0x10 };
	struct profile_zone renamed = { .name = (char *)"step", .file = (char *)"game.c", .line = 9 };
	struct profile_thread queue = { .id = 7, .name = (char *)"q", .lane = PROFILE_QUEUE };
	struct profile_counter counter = { .name = (char *)"heap", .total = true, .unit = "bytes" };
	struct profile_cell cell = { .self = 10 };
	struct profile_part part = { .end = 10, .first_frame = 2, .cells = &cell, .cell_count = 1 };
	struct recorder *r = begin(&(struct recorder_options){ 0 });
	int fd = memory();
	struct writer *w = writer_new(put, &fd);
	uint32_t root, node, other;
	struct source *s;

	(void)state;
	begin_by_hand(w, &root);
	for (int i = 0; i < 2; i++)
		assert_int_equal(writer_measure(w, &rows[i]), i);
	writer_module(w, &module);
	assert_int_equal(writer_zone(w, &address), 2);
	node = writer_node(w, root, 2, 77);
	writer_thread(w, &queue, &other);
	writer_counter(w, &counter);
	writer_frame(w, &(struct profile_frame){ .number = 2, .length = 10 }, "");
	const uint32_t nodes[] = { node, root };
	const int64_t values[] = { 70, 5 };
	const struct profile_column columns[] = { { MEASURES_CORE, false, 2, nodes, values },
						  { MEASURES_CORE + 1, false, 1, &root, values } };
	cell.node = node;
	part.columns = columns;
	part.column_count = 2;
	writer_part(w, 2, &part);
	writer_frame(w, &(struct profile_frame){ .number = 3, .start = 10, .length = 10 }, "");
	const struct profile_column unknown[] = { { MEASURES_CORE, true, 0, NULL, NULL } };
	part.columns = unknown;
	part.column_count = 1;
	writer_part(w, 3, &part);
	writer_amounts(w, 0, (struct writer_amount[]){ { root, 5 }, { node, 170 } }, 2, &(uint32_t){ 0 }, 1);
	writer_amounts(w, 0, (struct writer_amount[]){ { node, 171 } }, 1, NULL, 0);
	writer_rename(w, 2, &renamed);
	s = played_by_hand(w, fd, 0);
	const struct profile *p = s->profile;
	uint32_t m = profile_find_measure(p, "widgets"), g = profile_find_measure(p, "gadgets");
	assert_true(m != PROFILE_NONE && g != PROFILE_NONE);
	assert_true(p->measures[m].absent_is_zero && p->measures[g].sampled && p->measures[g].period == 50 &&
		    p->measures[g].of == MEASURE_OF_SLICE && p->measures[g].combine == MEASURE_MAX);
	struct measure_amounts a = profile_amounts(p, profile_find_part(profile_find_frame(p, 2), 0), m);
	assert_true(a.known && a.count == 2 && a.nodes[0] == node && a.values[0] == 70 && a.nodes[1] == root && a.values[1] == 5);
	a = profile_amounts(p, profile_find_part(profile_find_frame(p, 2), 0), g);
	assert_true(a.known && a.count == 1 && a.values[0] == 70);
	assert_false(profile_amounts(p, profile_find_part(profile_find_frame(p, 3), 0), m).known);
	assert_false(profile_amounts(p, profile_find_part(profile_find_frame(p, 3), 0), g).known);
	assert_true(profile_amount_of(p, node, m) == 171 && profile_amount_of(p, root, m) == 5);
	assert_int_equal(profile_amount_known(p, 0, m), MEASURE_LEAST);
	assert_true(p->module_count == 1 && !strcmp(p->modules[0].build, "1f2e") && p->modules[0].size == 8192);
	assert_string_equal(p->zones[2].name, "step");
	assert_int_equal(p->nodes[node].line, 77);
	assert_true(p->zones[2].line == 9 && p->zones[2].module == 1 && p->zones[2].offset == 0x10);
	assert_int_equal(p->threads[1].lane, PROFILE_QUEUE);
	assert_int_equal(p->threads[0].lane, PROFILE_THREAD);
	assert_true(p->counters[0].total && !strcmp(p->counters[0].unit, "bytes"));
	source_close(s);
	close(fd);
	end(r);
}

/* As folded stacks are recorded. */
static void a_source_without_entries_stays_one(void **state)
{
	(void)state;
	for (int lacks = 0; lacks < 2; lacks++) {
		struct recorder *r = begin(&(struct recorder_options){ 0 });
		int fd = memory();
		struct writer *w = writer_new(put, &fd);
		struct source *s;
		uint32_t root;

		if (lacks)
			profile_lack_calls(made.source.profile);
		begin_by_hand(w, &root);
		s = played_by_hand(w, fd, 0);
		assert_int_equal(profile_has_calls(s->profile), !lacks);
		source_close(s);
		close(fd);
		end(r);
	}
}

/* ---- other versions */

static void put_block_of(int fd, unsigned major, uint8_t kind, const struct bytes *items)
{
	struct recording_head head = { .kind = kind, .raw = (uint32_t)items->count };
	uint8_t bytes[RECORDING_HEAD];
	const void *stored;
	void *room = malloc(block_room(items->count) + 1);
	uint32_t sum;

	block_pack(&head, items->at ? (const void *)items->at : "", room, &stored, bytes);
	bytes[6] = (uint8_t)major;
	sum = block_sum(0, bytes, RECORDING_HEAD - 4);
	for (int i = 0; i < 4; i++)
		bytes[RECORDING_HEAD - 4 + i] = (uint8_t)(sum >> 8 * i);
	assert_true(put(&fd, bytes, sizeof(bytes)) && put(&fd, stored, head.stored));
	free(room);
}

/* An item of numbers below 64, and of texts: a letter stands for itself. */
static void put_item(struct bytes *b, unsigned kind, const char *what)
{
	struct bytes item = { 0 };

	for (; *what; what++)
		if (*what >= 'a' && *what <= 'z')
			bytes_text(&item, (char[]){ *what, '\0' });
		else
			bytes_number(&item, (uint64_t)(*what - '0'));
	bytes_number(b, kind);
	bytes_number(b, item.count);
	bytes_put(b, item.at, item.count);
	bytes_fini(&item);
}

/* As a proftop of version 1 wrote it, and with kinds of items and blocks that are not known. */
static void put_old(struct bytes *b)
{
	put_item(b, ITEM_BASE, "100000");
	put_item(b, 200, "zzz999");
	put_item(b, ITEM_PROCESS, "1spct" "220000" "0000000000000000" "00");
	put_item(b, ITEM_ZONE, "zf71");
	put_item(b, ITEM_THREAD, "017t00000");
	put_item(b, ITEM_NODE, "01");
	put_item(b, ITEM_COUNTER, "c2");
	put_item(b, ITEM_TRACK, "00001");
	put_item(b, ITEM_EVENT, "e");
	put_item(b, ITEM_FRAME, "20>00");
	put_item(b, ITEM_PART, "10000>11170");
}

static void version_1_is_read_and_a_later_one_is_not(void **state)
{
	struct recorder *r = begin(&(struct recorder_options){ 0 });

	(void)state;
	for (unsigned major = 0; major <= RECORDING_MAJOR + 1; major++) {
		struct bytes items = { 0 };
		int fd = memory();
		struct source *s;

		put_old(&items);
		put_block_of(fd, major, 77, &items);
		put_block_of(fd, major, RECORDING_ITEMS, &items);
		put_block_of(fd, major, RECORDING_END, &(struct bytes){ 0 });
		bytes_fini(&items);
		s = play(fd);
		if (major < RECORDING_OLDEST || major > RECORDING_MAJOR) {
			assert_int_equal(source_next(s), SOURCE_BAD);
			assert_non_null(strstr(s->why, "another version"));
		} else {
			assert_int_equal(source_next(s), SOURCE_END);
			assert_int_equal(player_damaged(s), 0);
			const struct profile *p = s->profile;
			assert_true(p->zone_count == 2 && !strcmp(p->zones[1].name, "z") && p->zones[1].line == 7 &&
				    !p->zones[1].module);
			assert_true(p->thread_count == 1 && p->threads[0].lane == PROFILE_THREAD);
			assert_true(p->counter_count == 1 && p->counters[0].summed && !p->counters[0].total &&
				    !*p->counters[0].unit);
			assert_true(p->frame_count == 1 && p->frames[0].part_count == 1);
			assert_true(p->frames[0].parts[0].cell_count == 1 && p->frames[0].parts[0].column_count == 0);
			assert_int_equal(profile_cell(&p->frames[0].parts[0], 0).self, 7);
		}
		source_close(s);
		close(fd);
	}
	end(r);
}

/* A block of 64 MiB of zeros is a few thousand bytes in the file. */
static void unpacked_bytes_are_bounded(void **state)
{
	static const uint8_t begin_of_item[] = { 200, 1, 0xfa, 0xff, 0xff, 31 }; /* of an unknown kind */
	struct recorder *r = begin(&(struct recorder_options){ 0 });
	struct bytes large = { .at = calloc(1, RECORDING_BLOCK_MOST), .count = RECORDING_BLOCK_MOST }, items = { 0 };

	(void)state;
	memcpy(large.at, begin_of_item, sizeof(begin_of_item));
	put_old(&items);
	for (uint64_t blocks = 5; blocks < 9; blocks += 3) {
		int fd = memory();
		struct source *s;

		for (uint64_t i = 0; i < blocks; i++)
			put_block_of(fd, RECORDING_MAJOR, RECORDING_ITEMS, &large);
		put_block_of(fd, RECORDING_MAJOR, RECORDING_ITEMS, &items);
		put_block_of(fd, RECORDING_MAJOR, RECORDING_END, &(struct bytes){ 0 });
		s = play(fd);
		assert_int_equal(source_next(s), SOURCE_END);
		assert_int_equal(player_damaged(s), blocks == 5 ? 0 : 3);
		assert_int_equal(s->profile->thread_count, blocks == 5);
		source_close(s);
		close(fd);
	}
	bytes_fini(&large);
	bytes_fini(&items);
	end(r);
}

static uint64_t losses_told(const struct source *s, const char *key)
{
	for (uint32_t i = 0; i < s->profile->loss_count; i++)
		if (!strcmp(s->profile->losses[i].key, key))
			return s->profile->losses[i].count;
	return 0;
}

/* Flips a bit in the contents of the block at this offset. */
static void damage(int fd, uint64_t block)
{
	char byte;

	assert_int_equal(pread(fd, &byte, 1, (off_t)block + RECORDING_HEAD), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, (off_t)block + RECORDING_HEAD), 1);
}

static void put_value(struct writer *w, int64_t tick, int64_t value)
{
	union profile_number n = { .whole = value };

	writer_change(w, 0, &(struct profile_change){ .tick = tick, .last = n, .least = n, .most = n });
	writer_now(w, 0, &(struct profile_track){ .thread = PROFILE_NONE, .now = { .tick = tick, .last = n } });
	writer_flush(w);
}

/* Behind a damaged block a counter has no value until its next one. */
static void a_counter_behind_damage_is_not_known(void **state)
{
	struct recorder *r = begin(&(struct recorder_options){ 0 });
	int fd = memory();
	struct writer *w = writer_new(put, &fd);
	const struct profile_track *track;
	uint64_t block;
	struct source *s;
	uint32_t root;

	(void)state;
	begin_by_hand(w, &root);
	writer_counter(w, &(struct profile_counter){ .name = (char *)"c" });
	writer_renew_track(w, 0, &(struct profile_track){ .counter = 0, .thread = PROFILE_NONE }, &(struct profile_counter){ 0 });
	put_value(w, 10, 1);
	put_value(w, 20, 2);
	block = writer_bytes(w);
	put_value(w, 30, 3);
	damage(fd, block);
	s = play(fd);
	assert_int_equal(flock(fd, LOCK_EX), 0); /* more is to come */
	assert_int_equal(source_next(s), SOURCE_MORE);
	track = &s->profile->tracks[0];
	assert_int_equal(track->change_count, 3);
	assert_int_equal(track->changes[2].tick, 30);
	assert_true(track->changes[2].lost && track->now.lost);
	assert_int_equal(losses_told(s, "recording_damaged"), 1);
	put_value(w, 40, 4);
	writer_end(w);
	assert_int_equal(flock(fd, LOCK_UN), 0);
	assert_int_equal(source_next(s), SOURCE_END);
	track = &s->profile->tracks[0];
	assert_int_equal(track->change_count, 4);
	assert_int_equal(track->changes[3].last.whole, 4);
	assert_false(track->changes[3].lost || track->now.lost);
	writer_free(w);
	source_close(s);
	close(fd);
	end(r);
}

/* A damaged block of calls is found, and counted, when the calls are read. */
static void damaged_calls_are_told_when_they_are_read(void **state)
{
	const struct transition calls[] = { { 5, 1, TRANSITION_ENTER }, { 6, 1, TRANSITION_LEAVE } };
	struct recorder *r = begin(&(struct recorder_options){ 0 });
	struct transitions *t = transitions_new(100);
	int fd = memory();
	struct writer *w = writer_new(put, &fd);
	uint64_t block;
	struct source *s;
	uint32_t root;

	(void)state;
	begin_by_hand(w, &root);
	writer_node(w, root, 1, 0);
	writer_frame(w, &(struct profile_frame){ .number = 1, .length = 10 }, "");
	writer_flush(w);
	block = writer_bytes(w);
	writer_calls(w, 1, 0, 0, calls, 2);
	writer_end(w);
	writer_free(w);
	damage(fd, block);
	s = play(fd);
	assert_int_equal(source_next(s), SOURCE_END);
	assert_int_equal(losses_told(s, "recording_damaged"), 0);
	assert_true(source_transitions(s, t));
	assert_int_equal(losses_told(s, "recording_damaged"), 1);
	transitions_free(t);
	source_close(s);
	close(fd);
	end(r);
}

/* Each moves all that are there: a file of nothing else would take for ever. */
static void events_that_go_back_without_end_are_left_out(void **state)
{
	struct recorder *r = begin(&(struct recorder_options){ 0 });
	int fd = memory();
	struct writer *w = writer_new(put, &fd);
	struct source *s;
	uint32_t root;

	(void)state;
	begin_by_hand(w, &root);
	writer_event(w, "late");
	for (int i = 0; i < 150000; i++)
		writer_instant(w, &(struct profile_instant){ .tick = 1000000 - i });
	writer_end(w);
	writer_free(w);
	s = play(fd);
	assert_int_equal(source_next(s), SOURCE_END);
	assert_true(player_damaged(s) > 0);
	assert_true(s->profile->instant_count > 10000);
	source_close(s);
	close(fd);
	end(r);
}

/* A recording is copied into another one as it is: it has more calls than are held. */

/* Whole, cut off behind its last block; and with more calls than a take may have: then it is said how many are missing. */
static void copy_of_many_calls(int how)
{
	enum { BLOCKS = 40, EACH = 65536 };
	static struct transition at[EACH];
	struct recorder *r = begin(&(struct recorder_options){ 0 }), *again;
	int fd = memory(), copy = memory();
	struct writer *w = writer_new(put, &fd);
	struct transitions *all = transitions_new(UINT64_C(1) << 24);
	struct source *s;
	uint32_t root, node;

	begin_by_hand(w, &root);
	node = writer_node(w, root, 1, 0);
	writer_flush(w);
	for (int block = 0; block < BLOCKS; block++) {
		for (int i = 0; i < EACH; i++)
			at[i] = (struct transition){ 2 * (block * EACH + i), node, i % 2 ? TRANSITION_LEAVE : TRANSITION_ENTER };
		writer_calls(w, 1, 0, (uint64_t)block * EACH, at, EACH);
	}
	s = played_by_hand(w, fd, 0);
	if (how == 1) {
		source_close(s);
		assert_int_equal(ftruncate(fd, lseek(fd, 0, SEEK_END) - RECORDING_HEAD), 0);
		s = play(fd);
		assert_int_equal(source_next(s), SOURCE_END);
	}
	w = writer_new(put, &copy);
	again = recorder_new(s, &(struct recorder_options){ .calls_most = 1000000 });
	if (how == 2) /* not as it is */
		recorder_limit(again, UINT64_C(1) << 40);
	assert_true(recorder_take(again, w, true));
	recorder_free(again);
	source_close(s);
	s = played_by_hand(w, copy, 0);
	assert_true(source_transitions(s, all));
	assert_int_equal(all->lists[0].count + (how == 2 ? profile_loss_total(s->profile) : 0), BLOCKS * EACH);
	assert_int_equal(profile_loss_total(s->profile) > 0, how > 0);
	transitions_free(all);
	source_close(s);
	close(fd);
	close(copy);
	end(r);
}

static void a_recording_of_a_recording_has_all(void **state)
{
	for (int how = 0; how < 3; how++)
		copy_of_many_calls(how);
	(void)state;
}

/* Keys and sentences stand in reports, and each loss is looked for among all. */
static void losses_that_cannot_be_are_left_out(void **state)
{
	static char *const keys[] = { "", "\x1b[31m", "Key", "a\nb", "\x81" };
	struct recorder *r = begin(&(struct recorder_options){ 0 });
	int fd = memory();
	struct writer *w = writer_new(put, &fd);
	char key[16] = "made", sentence[] = "\x1b[2J it";
	struct profile_loss loss = { .key = key, .sentence = sentence, .count = UINT64_MAX };
	struct source *s;
	uint32_t root;

	(void)state;
	assert_true(profile_text(&made.source.profile->process.clock, "\x1b\x80"));
	begin_by_hand(w, &root);
	writer_loss(w, &loss);
	loss.count = 1;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		loss.key = keys[i];
		writer_loss(w, &loss);
	}
	loss.key = key;
	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof(key), "key_%d", i);
		writer_loss(w, &loss);
	}
	s = played_by_hand(w, fd, 6 + 1000 - 256);
	assert_int_equal(s->profile->loss_count, 256 + 1); /* and that they are damaged */
	assert_string_equal(s->profile->losses[0].sentence, "\\x1B[2J it");
	assert_string_equal(s->profile->process.clock, "\\x1B\\x80");
	source_close(s);
	close(fd);
	end(r);
}

/* A slice of more than 64 MiB is left out and counted, on top of those that the source has lost. */
static void an_item_that_no_block_holds_is_a_loss(void **state)
{
	static uint32_t nodes[100000];
	static int64_t values[100000];
	struct profile_column columns[64];
	struct profile_part part = { .end = 10, .first_frame = 2, .columns = columns, .column_count = 64 };
	struct profile_loss loss = { .key = (char *)RECORDING_TOO_LARGE, .sentence = (char *)"", .count = 5 };
	struct recorder *r = begin(&(struct recorder_options){ 0 });

	(void)state;
	for (size_t i = 0; i < 100000; i++)
		values[i] = INT64_MIN;
	for (size_t i = 0; i < 64; i++)
		columns[i] = (struct profile_column){ .measure = MEASURES_CORE, .cell_count = 100000, .nodes = nodes, .values = values };
	for (int before = 0; before < 2; before++) {
		int fd = memory();
		struct writer *w = writer_new(put, &fd);
		struct source *s;
		uint32_t root;

		begin_by_hand(w, &root);
		writer_frame(w, &(struct profile_frame){ .number = 2, .length = 10 }, "");
		writer_part(w, 2, &part);
		if (before)
			writer_loss(w, &loss);
		writer_part(w, 2, &part);
		writer_frame(w, &(struct profile_frame){ .number = 3, .start = 10, .length = 10 }, "");
		s = played_by_hand(w, fd, 0);
		assert_int_equal(s->profile->frame_count, 2);
		assert_int_equal(loss_of(s->profile, "items_too_large"), before ? 7 : 2);
		assert_true(loss_is_known("items_too_large"));
		source_close(s);
		close(fd);
	}
	end(r);
}

/* A small file may unpack to names of gigabytes. */
static void names_are_bounded(void **state)
{
	struct recorder *r = begin(&(struct recorder_options){ 0 });
	char *name = malloc(1000001);
	int fd = memory();
	struct writer *w = writer_new(put, &fd);
	struct source *s;
	uint32_t root;

	(void)state;
	begin_by_hand(w, &root);
	memset(name, 'n', 1000000);
	name[1000000] = '\0';
	for (int i = 0; i < 300; i++) {
		name[i] = 'm';
		writer_event(w, name);
	}
	s = played_by_hand(w, fd, 32);
	assert_int_equal(s->profile->event_count, 268);
	assert_int_equal(loss_of(s->profile, "recording_damaged"), 32);
	source_close(s);
	close(fd);
	free(name);
	end(r);
}

/* A node is a few bytes, and much more in memory. Equal nodes compress a thousandfold. */
static void definitions_are_bounded(void **state)
{
	enum { NODES = 1500000 };

	(void)state;
	for (int equal = 0; equal < 2; equal++) {
		struct recorder *r = begin(&(struct recorder_options){ 0 });
		int fd = memory();
		struct writer *w = writer_new(put, &fd);
		struct source *s;
		uint32_t root;

		begin_by_hand(w, &root);
		for (uint32_t i = 1; i < 100; i++)
			writer_zone(w, &(struct profile_zone){ .name = (char *)"z", .file = (char *)"", .line = i });
		for (uint32_t i = 0; i < NODES; i++)
			writer_node(w, equal ? root : root + i / 100, equal ? 1 : 1 + i % 100, 0);
		writer_end(w);
		writer_free(w);
		s = play(fd);
		assert_int_equal(source_next(s), SOURCE_END);
		assert_int_equal(player_damaged(s) > 0, equal);
		if (equal)
			assert_in_range(s->profile->node_count, 1 << 19, 1 << 20);
		else
			assert_int_equal(s->profile->node_count, NODES + 1);
		source_close(s);
		close(fd);
		end(r);
	}
}

static bool any_is_now(const struct profile *p)
{
	for (uint32_t i = 0; i < p->track_count; i++)
		if (p->tracks[i].now.tick)
			return true;
	return false;
}

/* The second file of --max-size has the newest value of a counter that has not changed since, and its extremes. */
static void what_is_now_is_in_the_next_file(void **state)
{
	struct recorder *r = begin(&(struct recorder_options){ 0 });
	uint32_t known = 0;
	struct source *s;
	int fd = -1;

	(void)state;
	for (int file = 0; file < 2; file++) {
		struct writer *w;

		fd = memory();
		w = writer_new(put, &fd);
		for (int i = 0; !file && i < 100 && !any_is_now(made.source.profile); i++) /* what it does is random */
			source_next(&made.source);
		assert_true(recorder_take(r, w, false));
		writer_end(w);
		writer_free(w);
		if (!file)
			close(fd);
		recorder_turn(r);
	}
	s = play(fd);
	assert_int_equal(source_next(s), SOURCE_END);
	for (uint32_t i = 0; i < made.source.profile->track_count; i++) {
		const struct profile_track *a = &made.source.profile->tracks[i], *b = &s->profile->tracks[i];

		assert_int_equal(a->now.tick, b->now.tick);
		assert_int_equal(a->run_most.whole, b->run_most.whole);
		known += a->now.tick != 0;
	}
	assert_true(known > 0);
	source_close(s);
	close(fd);
	end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_played_is_what_was_recorded),
		cmocka_unit_test(a_recording_that_grows_is_followed),
		cmocka_unit_test(through_a_pipe),
		cmocka_unit_test(windows_are_read_when_they_are_wanted),
		cmocka_unit_test(cut_anywhere_it_opens),
		cmocka_unit_test(damaged_blocks_are_left_out),
		cmocka_unit_test(a_counter_behind_damage_is_not_known),
		cmocka_unit_test(damaged_calls_are_told_when_they_are_read),
		cmocka_unit_test(slow_frames_alone),
		cmocka_unit_test(a_frame_of_seconds_is_whole),
		cmocka_unit_test(what_ends_has_a_gap),
		cmocka_unit_test(a_gap_is_between_two_takes),
		cmocka_unit_test(a_file_ends_at_one_moment),
		cmocka_unit_test(what_exceeds_a_file_is_counted),
		cmocka_unit_test(a_file_of_calls_has_frames),
		cmocka_unit_test(numbers_that_cannot_be_are_left_out),
		cmocka_unit_test(a_source_without_entries_stays_one),
		cmocka_unit_test(nodes_that_are_too_deep_are_left_out),
		cmocka_unit_test(what_describes_itself_is_played),
		cmocka_unit_test(version_1_is_read_and_a_later_one_is_not),
		cmocka_unit_test(changes_that_go_back_are_left_out),
		cmocka_unit_test(events_that_go_back_without_end_are_left_out),
		cmocka_unit_test(losses_that_cannot_be_are_left_out),
		cmocka_unit_test(an_item_that_no_block_holds_is_a_loss),
		cmocka_unit_test(a_recording_of_a_recording_has_all),
		cmocka_unit_test(names_are_bounded),
		cmocka_unit_test(definitions_are_bounded),
		cmocka_unit_test(unpacked_bytes_are_bounded),
		cmocka_unit_test(what_is_now_is_in_the_next_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
