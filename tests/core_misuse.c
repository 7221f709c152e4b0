/* core_misuse.c: ends that do not match, jumps over ends, frames out of order, zones of one name. */
#include "tests/core_limits.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include "libprof/prof.h"

static void *nothing(void *unused)
{
	return unused;
}

static void in_thread(void *(*work)(void *))
{
	pthread_t thread;

	if (CHECK(pthread_create(&thread, NULL, work, NULL) == 0))
		pthread_join(thread, NULL);
}

static void ends(int count)
{
	for (int i = 0; i < count; i++)
		Prof_End
}

/* ---- ends without a begin */

static void *only_ends(void *unused)
{
	ends(11);
	return unused;
}

static void run_unbalanced(void)
{
	ends(37); /* before the first zone of the thread */
	for (int i = 0; i < 50; i++) {
		Prof_Begin(balanced)
		Prof_End
		Prof_End
	}
	in_thread(only_ends);
	Prof_Begin(balanced_after)
	Prof_End
}

static void check_unbalanced(struct view *view)
{
	CHECK_LOST(view, LOSS_END_WITHOUT_BEGIN, 37 + 50 + 11);
	CHECK_LOST_ONLY(view, 1 << LOSS_END_WITHOUT_BEGIN);
	CHECK(view_entries(view, "balanced") == 50);
	CHECK(view_entries(view, "balanced_after") == 1);
}

/* ---- levels */

#define DEPTH     5000
#define DEPTH_MAX 2048

static void descend(int level)
{
	Prof_Begin(level)
	if (level + 1 < DEPTH)
		descend(level + 1);
	else
		Prof_update(1); /* a zone, too */
	Prof_End
}

static void run_deep(void)
{
	for (int i = 0; i < 3; i++) {
		descend(0);
		Prof_Begin(surface)
		Prof_End
	}
}

static void check_deep(struct view *view)
{
	CHECK_LOST(view, LOSS_TOO_DEEP, 3 * (DEPTH - DEPTH_MAX + 1));
	CHECK_LOST_ONLY(view, 1 << LOSS_TOO_DEEP);
	CHECK(view_entries(view, "level") == 3 * DEPTH_MAX);
	CHECK(view_entries(view, "surface") == 3);
	CHECK(view->process.frames == 3);
}

/* ---- jumps */

#define JUMPS 10

static jmp_buf target;

static void jump(void)
{
	Prof_Begin(jumped_outer)
	Prof_Begin(jumped_inner)
	longjmp(target, 1);
}

static void run_longjmp(void)
{
	volatile int jumps = 0;

	Prof_update(1);
	while (jumps < JUMPS) {
		if (setjmp(target) == 0)
			jump();
		jumps++;
		Prof_update(1);
	}
	ends(2 * JUMPS); /* they are open, and end as any other */
	Prof_update(1);
}

static void check_longjmp(struct view *view)
{
	char name[64];

	CHECK_LOST(view, LOSS_LEFT_OPEN, JUMPS - 1); /* the first mark of a place has none before it */
	CHECK_LOST_ONLY(view, 1 << LOSS_LEFT_OPEN);
	view_left_open(view, name, sizeof name);
	CHECK(!strcmp(name, "jumped_inner"), "it is '%s' that was left open", name);
	CHECK(view_entries(view, "jumped_outer") == JUMPS && view_entries(view, "jumped_inner") == JUMPS);
	CHECK(view->process.frames == JUMPS + 2);
}

/* ---- a thread's end */

#define ENDING 100

static void *end_inside(void *unused)
{
	Prof_Begin(ends_outer)
	Prof_Begin(ends_inner)
	pthread_exit(unused);
}

static void run_thread_exit(void)
{
	for (int i = 0; i < ENDING; i++)
		in_thread(end_inside);
	in_thread(nothing);
}

static void check_thread_exit(struct view *view)
{
	char name[64];

	CHECK_LOST(view, LOSS_LEFT_OPEN, ENDING);
	CHECK_LOST_ONLY(view, 1 << LOSS_LEFT_OPEN);
	view_left_open(view, name, sizeof name);
	CHECK(!strcmp(name, "ends_inner"), "it is '%s' that was left open", name);
	CHECK(view_entries(view, "ends_outer") == ENDING && view_entries(view, "ends_inner") == ENDING);
	CHECK(view_blocks(view, BLOCK_LIVE) == 0);
}

/* ---- zones in destructors of thread-specific values */

#define DESTRUCTORS 50

static pthread_key_t late_key;

static void destructor(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		Prof_Begin(destructor_outer)
		Prof_Begin(destructor_inner)
		Prof_End
		Prof_End
	}
}

static void *destruct_after_zones(void *unused)
{
	Prof_Begin(before_destructor)
	Prof_End
	pthread_setspecific(late_key, &late_key);
	return unused;
}

static void *destruct_alone(void *unused)
{
	pthread_setspecific(late_key, &late_key);
	return unused;
}

/* The library's own key was there first, so the thread has ended when this destructor runs. */
static void run_destructors(void)
{
	pthread_key_create(&late_key, destructor);
	for (int i = 0; i < DESTRUCTORS; i++) {
		in_thread(destruct_after_zones);
		in_thread(destruct_alone);
	}
}

static void check_destructors(struct view *view)
{
	CHECK_LOST(view, LOSS_AFTER_THREAD_END, DESTRUCTORS * 6);
	CHECK_LOST_ONLY(view, 1 << LOSS_AFTER_THREAD_END);
	CHECK(view_entries(view, "before_destructor") == DESTRUCTORS);
	CHECK(view_entries(view, "destructor_outer") == DESTRUCTORS * 3);
	CHECK(view_entries(view, "destructor_inner") == DESTRUCTORS * 3);
	CHECK(view_blocks(view, BLOCK_LIVE) == 0);
}

/* ---- exit inside zones */

static void run_exit_inside(void)
{
	Prof_update(1);
	Prof_Begin(exit_outer)
	Prof_Begin(exit_inner)
	exit(core_result());
}

static void *exit_in_thread(void *unused)
{
	Prof_Begin(exit_in_thread)
	(void)unused;
	exit(core_result());
}

static void run_exit_elsewhere(void)
{
	Prof_Begin(exit_outer)
	Prof_Begin(exit_inner)
	in_thread(exit_in_thread);
}

static void check_exit_inside(struct view *view)
{
	char name[64];

	CHECK_LOST_ONLY(view, 0);
	view_left_open(view, name, sizeof name);
	CHECK(name[0] == '\0', "'%s' is said to be left open", name);
	CHECK(view_entries(view, "exit_outer") == 1 && view_entries(view, "exit_inner") == 1);
}

static void check_exit_elsewhere(struct view *view)
{
	check_exit_inside(view);
	CHECK(view_entries(view, "exit_in_thread") == 1);
}

/* ---- frames */

static void run_frames(void)
{
	for (int i = 0; i < 5; i++)
		Prof_update(1);
	Prof_Frame_End              /* lost: none was begun */
	Prof_Frame_Begin("bounded")
	Prof_Frame_Begin("inside")  /* lost */
	Prof_update(1);             /* lost */
	Prof_Frame_End
	Prof_Frame_End              /* lost */
	for (int i = 0; i < 3; i++) {
		Prof_Frame_Begin(NULL)
		Prof_Frame_End
	}
	Prof_update(1);
}

static void check_frames(struct view *view)
{
	struct snapshot_frame frame;
	unsigned bounded = 0, outside = 0;

	CHECK_LOST(view, LOSS_FRAME_BOUNDS, 4);
	CHECK_LOST_ONLY(view, 1 << LOSS_FRAME_BOUNDS);
	CHECK(view->process.frames == 5 + 1 + 3 + 1, "%d frames", (int)view->process.frames);
	CHECK(view_entries(view, "Prof_update") == 7);
	CHECK(view_entries(view, "Prof_Frame") == 5 + 6);
	for (uint64_t n = 1; n < view->process.epoch; n++) {
		if (!CHECK(snapshot_frame(&view->region, n, &frame) == SNAPSHOT_OK))
			continue;
		bounded += (frame.flags & MARK_BOUNDED) != 0;
		outside += (frame.flags & MARK_OUTSIDE) != 0;
		CHECK(!(frame.flags & MARK_OUTSIDE) == (frame.number != 0));
		if (frame.number == 6)
			CHECK(!strcmp(frame.name, "bounded"), "frame 6 is named '%s'", frame.name);
	}
	CHECK(bounded == 4 && outside == 4, "%u bounded, %u outside", bounded, outside);
}

/* The loop of libprof(3), "Event loops". It ends a frame before it waits, also
 * before it ever began one: that ends nothing, and is no misuse. */
static void run_loop(void)
{
	for (int turn = 0; turn < 4; turn++) {
		Prof_Frame_End
		Prof_Wait(poll) Prof_End
		Prof_Frame_Begin("turn")
	}
}

static void check_loop(struct view *view)
{
	CHECK_LOST_ONLY(view, 0);
	CHECK(view->process.frames == 3, "%d frames", (int)view->process.frames);
}

/* ---- zones of one name */

static void run_twins(void)
{
	for (int i = 0; i < 3; i++) {
		Prof_Begin(twin)
		Prof_End
	}
	for (int i = 0; i < 4; i++) {
		Prof_Begin(twin)
		Prof_End
	}
	for (int i = 0; i < 5; i++) {
		Prof_Enter(Prof_Zone("made"));
		Prof_Leave();
	}
}

static void check_twins(struct view *view)
{
	CHECK_LOST_ONLY(view, 0);
	CHECK(view_rows(view, "twin") == 2, "%u rows", view_rows(view, "twin"));
	CHECK(view_entries(view, "twin") == 7);
	CHECK(view_rows(view, "made") == 1);
	CHECK(view_entries(view, "made") == 5);
}

const struct limit limits_misuse[] = {
	{ .name = "unbalanced", .size = LIMIT_MEDIUM, .run = run_unbalanced, .check = check_unbalanced },
	{ .name = "deep", .size = LIMIT_MEDIUM, .run = run_deep, .check = check_deep },
	{ .name = "longjmp", .size = LIMIT_MEDIUM, .run = run_longjmp, .check = check_longjmp },
	{ .name = "thread_exit", .size = LIMIT_MEDIUM, .run = run_thread_exit, .check = check_thread_exit },
	{ .name = "destructors", .size = LIMIT_MEDIUM, .run = run_destructors, .check = check_destructors },
	{ .name = "exit_inside", .size = LIMIT_MEDIUM, .run = run_exit_inside, .check = check_exit_inside },
	{ .name = "exit_elsewhere", .size = LIMIT_MEDIUM, .run = run_exit_elsewhere, .check = check_exit_elsewhere },
	{ .name = "frames", .size = LIMIT_MEDIUM, .run = run_frames, .check = check_frames },
	{ .name = "loop", .size = LIMIT_MEDIUM, .run = run_loop, .check = check_loop },
	{ .name = "twins", .size = LIMIT_MEDIUM, .run = run_twins, .check = check_twins },
	{ 0 },
};
