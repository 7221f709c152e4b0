/* core_traced.c: what a program does that is stepped through, from marker to marker. */
#include "tests/core_traced.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>
#include "libprof/adapter.h"
#include "tests/long.h"

static void marker(void)
{
	raise(MARKER);
}

static void *mark_thrice(void *unused)
{
	for (int i = 0; i < 3; i++)
		Prof_update(1);
	return unused;
}

static void in_thread(void *(*body)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, NULL) != 0)
		abort();
	pthread_join(thread, NULL);
}

static void inner(void)
{
	Prof_Begin(inner)
	marker();
	Prof_End
	marker();
}

static void enter_and_leave(void)
{
	for (int i = 0; i < 2; i++) { /* the first time makes the nodes */
		Prof_Begin(outer)
		for (int k = 0; k < 3; k++) {
			if (i)
				marker();
			Prof_Begin(inner)
			if (i)
				marker();
			Prof_End
		}
		Prof_End
	}
	marker();
}

static void new_node(void)
{
	Prof_Begin(outer)
	marker();
	inner();
	Prof_End
}

static void many(unsigned zones)
{
	static Prof_zone *known[60];

	for (unsigned z = 0; z < zones; z++) {
		char name[16];
		if (!known[z]) {
			snprintf(name, sizeof name, "z%u", z);
			known[z] = Prof_Zone(name);
		}
		Prof_Enter(known[z]);
		Prof_Leave();
	}
}

static void mark_and_part(void)
{
	Prof_update(1);
	many(20);
	marker();
	Prof_Begin(outer)
	Prof_update(1);
	Prof_End
	Prof_update(0);
	Prof_Frame_Begin("name")
	many(3);
	Prof_Frame_End
	Prof_update(1);
	marker();
}

/* Another thread sets the marks, so that the part, and a span behind it, are written at the next enter. */
static void late_part(void)
{
	Prof_Begin(outer)
	many(5);
	in_thread(mark_thrice);
	marker();
	Prof_Begin(inner)
	Prof_End
	marker();
	Prof_End
}

/* In a region so small that the logs have lapped: chunks are recycled on the way. */
static void lapped(void)
{
	for (int i = 0; i < 3000; i++) {
		many(60);
		Prof_update(1);
	}
	marker();
	for (int i = 0; i < (int)test_times(1, 4); i++) {
		many(60);
		Prof_update(1);
	}
	marker();
}

static void frame_of(useconds_t us)
{
	many(10);
	if (us)
		usleep(us);
	Prof_update(1);
}

/* The log passes over a slow frame, whose calls are kept then; a slower one takes their room. */
static void keep_calls(void)
{
	for (int i = 0; i < 1000; i++)
		frame_of(0);
	for (int i = 0; i < 4; i++)
		frame_of(20000 + 1000 * (useconds_t)i);
	for (int i = 0; i < 400; i++)
		frame_of(0);
	marker();
	for (int i = 0; i < 20 + (int)test_times(0, 40); i++)
		frame_of(0);
	for (int i = 0; i < 4; i++)
		frame_of(50000 + 1000 * (useconds_t)i);
	marker();
}

static void first_zone(void)
{
	marker();
	Prof_Begin(outer)
	Prof_End
	marker();
}

static void *one_zone(void *unused)
{
	Prof_Begin(outer)
	Prof_Begin(inner)
	Prof_End
	Prof_End
	return unused;
}

/* A block that had an owner before: what there was is put aside. */
static void next_owner(void)
{
	for (int i = 0; i < 8; i++)
		in_thread(one_zone);
	first_zone();
}

/* The first of each has much to make: the counter, the slot, its chunk, the log. */
static void first_values(void)
{
	Prof_Thread("teller");
	Prof_update(1);
	marker();
	Prof_Counter_Set(gauge, 3);
	Prof_Counter_Add(sum, 2);
	Prof_Counter_Set(level, 0.25);
	Prof_Counter_Add(share, 0.5);
	Prof_Event(event);
	Prof_Note("note %d", 1);
	marker();
}

static void values(void)
{
	Prof_update(1);
	marker();
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++)
			Prof_Counter_Set(gauge, k);
		Prof_Counter_Add(sum, 0.5);
		Prof_Event(event);
		Prof_Note("note");
		Prof_update(1);
	}
	marker();
}

static void some_values(int times)
{
	for (int i = 0; i < times; i++) {
		Prof_Counter_Add(sum, i);
		Prof_Counter_Add(sum, -i / 2);
		Prof_Event(event);
		if (i % 16 == 0)
			Prof_update(1);
	}
}

static void values_lapped(void)
{
	some_values(20000);
	marker();
	some_values((int)test_times(30, 400));
	marker();
}

static void off_and_on(void)
{
	Prof_Begin(outer)
	many(5);
	Prof_update(1);
	marker();
	Prof_Enable(0);
	Prof_Begin(unseen)
	Prof_Enable(1);
	Prof_Begin(inner)
	Prof_End
	Prof_End
	marker();
	Prof_End
}

static void suspend_and_resume(void)
{
	Prof_stack stack = Prof_STACK;

	Prof_Begin(outer)
	Prof_Resume(&stack);
	Prof_Begin(inner)
	Prof_Begin(deep)
	many(3);
	Prof_Suspend(&stack); /* the first time is unlike the others */
	in_thread(mark_thrice);
	marker();
	Prof_Resume(&stack);
	Prof_Suspend(&stack);
	Prof_update(1);
	Prof_Resume(&stack);
	marker();
	Prof_End
	Prof_End
	Prof_End
}

static void *leave_at_once(void *unused)
{
	pthread_exit(unused);
}

/* The first thread ends as any other, in the middle of zones; the process goes with it, as there is no other. */
static void last_of_thread(void)
{
	in_thread(leave_at_once); /* what the unwinder loads is loaded */
	many(5);
	Prof_update(1);
	Prof_Begin(outer)
	Prof_Begin(inner)
	marker();
	pthread_exit(NULL);
	Prof_End
	Prof_End
}

static void last_zone(void)
{
	many(5);
	Prof_Begin(outer)
	marker();
	exit(0);
}

static void begin_process(void)
{
	_exit(0);
}

/* The first amounts, which take a chunk; and those behind marks of another thread, which publish the slice before. */
static void measures(void)
{
	static prof__measure widgets = { "widgets", "", prof__COUNT, prof__OF_NODE, prof__SUM, prof__ABSENT_IS_ZERO, 0, 0, 0 };
	static prof__measure gadgets = { "gadgets", "", prof__NS, prof__OF_SLICE, prof__MAX, 0, 0, 0, 0 };
	prof__measure *const both[] = { &widgets, &gadgets };
	const int64_t amounts[] = { 3, 4 };

	Prof_Begin(outer)
	marker();
	prof__measure_add(both, amounts, 2);
	prof__measure_add(both, amounts, 2);
	marker();
	in_thread(mark_thrice);
	marker();
	prof__measure_add(both, amounts, 2);
	Prof_Begin(inner)
	prof__measure_add(both, amounts, 2);
	Prof_End
	Prof_update(1);
	prof__measure_unknown(&widgets);
	Prof_update(1);
	marker();
	Prof_End
}

const struct scenario scenarios[] = {
	{ "enter and leave", enter_and_leave, { "outer", "outer/inner", "" }, true, false, false },
	{ "a new node", new_node, { "outer", "outer/inner", "" }, true, false, false },
	{ "mark and part", mark_and_part, { NULL }, true, false, false },
	{ "part and span", late_part, { "outer", "outer/inner", "" }, true, false, false },
	{ "logs that lap", lapped, { NULL }, false, false, false },
	{ "kept calls", keep_calls, { NULL }, false, false, false },
	{ "off and on", off_and_on, { "outer", "outer/inner", "" }, true, false, false },
	{ "suspend and resume", suspend_and_resume, { "outer", "outer/inner", "outer/inner/deep", "outer/Prof_update", "" }, true,
	  false, false },
	{ "first zone", first_zone, { "", "outer" }, true, false, false },
	{ "next owner", next_owner, { "", "outer" }, false, false, false },
	{ "thread's end", last_of_thread, { "outer/inner", "outer", "" }, true, false, false },
	{ "first values", first_values, { "" }, true, false, false },
	{ "values", values, { NULL }, true, false, false },
	{ "measures", measures, { NULL }, true, false, false },
	{ "values that lap", values_lapped, { NULL }, false, false, false },
	{ "end", last_zone, { "outer", "" }, true, false, false },
	{ "creation", begin_process, { NULL }, false, false, true },
	{ "over a dead one", begin_process, { NULL }, false, true, true },
};
const size_t scenario_count = sizeof scenarios / sizeof *scenarios;

/* Before the library begins: priorities below 101 are reserved, those above, and none, come later. */
__attribute__((constructor(101))) static void before_all(void)
{
	if (getenv(TRACED)) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		marker();
	}
}

int traced_main(const char *name)
{
	for (size_t i = 0; i < scenario_count; i++)
		if (!strcmp(scenarios[i].name, name))
			scenarios[i].run();
	_exit(0); /* how a program ends is a scenario of its own */
}
