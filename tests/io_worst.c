/* SPDX-License-Identifier: MIT */
/*
 * io_worst: who comes late finds the longest frames with all that was done in them, also where the ring of frames
 * still has the frame and the thread's log of parts, which reaches less far, has lost it.
 *
 * The program is this test itself, run again with a region of its own. Its frames have many nodes, so that its log
 * goes round long before the ring does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <prof.h>

#include "io/region/live.h"

enum { FRAMES = 1400, SLOW = 100, DEPTH = 200, SLOW_NS = 20000000 };

static void descend(int depth)
{
	Prof_Begin(nest)
	if (depth > 1)
		descend(depth - 1);
	Prof_End
}

static void run(void)
{
	for (int i = 1; i <= FRAMES; i++) {
		descend(DEPTH);
		if (i == SLOW) {
			Prof_Begin(stall)
			nanosleep(&(struct timespec){ .tv_nsec = SLOW_NS }, NULL);
			Prof_End
		}
		Prof_update(1);
	}
}

static int64_t self_of(const struct profile *p, const struct profile_held *part, const char *zone)
{
	int64_t self = 0;

	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		if (!zone || !strcmp(p->zones[p->nodes[cell.node].zone].name, zone))
			self += cell.self;
	}
	return self;
}

/* How many of the frames around it the ring has, and the log has not. */
static uint32_t lapped_around(const struct profile *p)
{
	uint32_t lapped = 0;

	for (uint64_t number = SLOW - 20; number < SLOW + 20; number++) {
		const struct profile_frame *frame = profile_find_frame(p, number);

		assert_non_null(frame);
		lapped += !frame->part_count || frame->parts[0].flags & PART_LAPPED;
	}
	return lapped;
}

static void the_slow_frame_is_whole(void **state)
{
	enum open_result result;
	char why[512];
	struct source *s;
	const struct profile *p;
	const struct profile_frame *slow;

	(void)state;
	run();
	s = live_open(getenv("PROF_SHM"), 0, &result, why, sizeof(why));
	assert_non_null(s);
	assert_int_equal(source_next(s), SOURCE_MORE);
	p = s->profile;
	slow = profile_find_frame(p, SLOW);
	assert_non_null(slow);
	assert_true(slow->flags & FRAME_SLOW && !(slow->flags & FRAME_KEPT));
	assert_in_range(lapped_around(p), 20, 40); /* the rest are of the longest, too */
	assert_int_equal(slow->part_count, 1);
	assert_int_equal(slow->parts[0].flags, PART_KEPT);
	assert_int_equal(self_of(p, &slow->parts[0], NULL), slow->parts[0].end - slow->parts[0].bound);
	assert_int_equal(slow->parts[0].end, slow->start + slow->length);
	assert_true(self_of(p, &slow->parts[0], "stall") >
		    (int64_t)((double)SLOW_NS * 0.99e-9 * (double)p->ticks_per_s));
	source_close(s);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_slow_frame_is_whole),
	};

	if (argc < 2) {
		char name[64];

		snprintf(name, sizeof(name), "io-worst-%ld", (long)getpid());
		setenv("PROF_SHM", name, 1);
		setenv("PROF_SHM_SIZE", "1M", 1);
		execl("/proc/self/exe", argv[0], "run", (char *)NULL);
		return 1;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
