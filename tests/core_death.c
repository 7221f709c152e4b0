/* core_death.c: a writer that dies at any instruction leaves a region that is whole.
 *
 * The writer is a child of this program under ptrace.  It runs to a marker (a signal that it raises), then
 * goes one instruction at a time to the next marker.  After every instruction that changed the region its
 * bytes, which are what a SIGKILL just there would leave, are checked; and at some of the instructions, in a
 * child of its own each, the SIGKILL is sent.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "tests/core_check.h"
#include "tests/core_run.h"

#define MARKER SIGUSR2
#define MOST_STEPS 3000000ull
#define KILLS 24 /* of a scenario */
#ifdef __SANITIZE_ADDRESS__
#define LAPS 1 /* three times the instructions */
#else
#define LAPS 4
#endif

/* ---- what the child does */

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
	for (unsigned z = 0; z < zones; z++) {
		char name[16];
		snprintf(name, sizeof name, "z%u", z);
		Prof_zone *zone = Prof_Zone(name);
		Prof_Enter(zone);
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
	Prof_Frame_begin("name")
	many(3);
	Prof_Frame_end
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
	for (int i = 0; i < LAPS; i++) {
		many(60);
		Prof_update(1);
	}
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

static void values(void)
{
	Prof_update(1);
	marker(); /* the first of each has much to make */
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++)
			Prof_Counter_set(gauge, k);
		Prof_Counter_add(sum, 0.5);
		Prof_Event(event);
		Prof_Note("note");
		Prof_update(1);
	}
	marker();
}

static void some_values(int times)
{
	for (int i = 0; i < times; i++) {
		Prof_Counter_add(sum, i);
		Prof_Counter_add(sum, -i / 2);
		Prof_Event(event);
		if (i % 16 == 0)
			Prof_update(1);
	}
}

static void values_lapped(void)
{
	some_values(20000);
	marker();
	some_values(LAPS * 100);
	marker();
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

static const struct scenario {
	const char *name;
	void (*run)(void);
	const char *stacks[6]; /* what may be open; none: not looked at */
	bool kills, over_dead;
} scenarios[] = {
	{ "enter and leave", enter_and_leave, { "outer", "outer/inner", "" }, true, false },
	{ "a new node", new_node, { "outer", "outer/inner", "" }, true, false },
	{ "mark and part", mark_and_part, { NULL }, true, false },
	{ "part and span", late_part, { "outer", "outer/inner", "" }, true, false },
	{ "logs that lap", lapped, { NULL }, false, false },
	{ "first zone", first_zone, { "", "outer" }, true, false },
	{ "next owner", next_owner, { "", "outer" }, false, false },
	{ "values", values, { NULL }, true, false },
	{ "values that lap", values_lapped, { NULL }, true, false },
	{ "end", last_zone, { "outer", "" }, true, false },
	{ "creation", begin_process, { NULL }, false, false },
	{ "over a dead one", begin_process, { NULL }, false, true },
};

/* Before the library begins: priorities below 101 are reserved, those above, and none, come later. */
__attribute__((constructor(101))) static void before_all(void)
{
	if (getenv("PROF_TEST_TRACED")) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		marker();
	}
}

/* ---- the tracer */

struct trace {
	const char *name;
	pid_t child;
	int status;
	unsigned char *live, *copy; /* the mapping, and what was checked last */
	size_t size;
	ino_t inode;
	unsigned regions; /* that had the name */
	uint64_t steps, checks;
	struct check_seen seen;
	const struct scenario *scenario;
};

static void be_traced(void)
{
	setenv("PROF_TEST_TRACED", "1", 1);
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* that looks with ptrace, too */
}

static bool stopped(const struct trace *t, int signal)
{
	return WIFSTOPPED(t->status) && WSTOPSIG(t->status) == signal;
}

/* Goes on to the next marker; false: the child has ended. */
static bool run_to_marker(struct trace *t)
{
	do {
		int signal = WIFSTOPPED(t->status) && !stopped(t, MARKER) && !stopped(t, SIGTRAP) ? WSTOPSIG(t->status) : 0;
		ptrace(PTRACE_CONT, t->child, NULL, (void *)(intptr_t)signal);
		waitpid(t->child, &t->status, 0);
	} while (WIFSTOPPED(t->status) && !stopped(t, MARKER));
	return WIFSTOPPED(t->status);
}

/* One instruction; false: the child has ended. */
static bool step(struct trace *t)
{
	t->steps++;
	ptrace(PTRACE_SINGLESTEP, t->child, NULL, NULL);
	waitpid(t->child, &t->status, 0);
	return WIFSTOPPED(t->status);
}

static bool is_creation(const struct scenario *scenario)
{
	return scenario->run == begin_process;
}

static void let_go(struct trace *t)
{
	if (t->live)
		munmap(t->live, t->size);
	free(t->copy);
	t->live = t->copy = NULL;
}

static bool start(struct trace *t, const struct scenario *scenario)
{
	const char *const arguments[] = { "traced", scenario->name, NULL };
	struct core_program program = { .shm = t->name, .size = "256K", .arguments = arguments, .prepare = be_traced };

	t->scenario = scenario;
	t->child = core_start(&program);
	while (waitpid(t->child, &t->status, 0) == t->child && stopped(t, SIGTRAP)) /* of the exec */
		ptrace(PTRACE_CONT, t->child, NULL, NULL);
	return CHECK(stopped(t, MARKER), "'%s' did not begin: status %#x", scenario->name, (unsigned)t->status);
}

/* Maps the region that has the name, if there is one.  During creation that may be a dead one at first. */
static bool visible(struct trace *t)
{
	char path[300];
	struct stat st;

	if (t->live && !is_creation(t->scenario))
		return true;
	snprintf(path, sizeof path, "/dev/shm/%s", t->name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	fstat(fd, &st);
	if (t->live && st.st_ino == t->inode) {
		close(fd);
		return true;
	}
	let_go(t);
	t->regions++;
	t->inode = st.st_ino;
	t->size = (size_t)st.st_size;
	t->live = mmap(NULL, t->size, PROT_READ, MAP_SHARED, fd, 0);
	t->copy = calloc(1, t->size);
	close(fd);
	return CHECK(t->live != MAP_FAILED, "%s", path);
}

static void check_open_zones(const struct trace *t)
{
	char stack[256];
	bool allowed = false;

	if (!t->scenario->stacks[0])
		return;
	check_stack(t->copy, t->size, stack, sizeof stack);
	for (int i = 0; i < 6 && t->scenario->stacks[i]; i++)
		allowed = allowed || !strcmp(stack, t->scenario->stacks[i]);
	CHECK(allowed, "'%s': open is '%s'", t->scenario->name, stack);
}

static void look(struct trace *t)
{
	unsigned before = core_failures();

	if (!visible(t) || !memcmp(t->live, t->copy, t->size))
		return;
	memcpy(t->copy, t->live, t->size);
	t->checks++;
	check_bytes(t->copy, t->size, &t->seen);
	check_open_zones(t);
	CHECK(core_failures() == before, "'%s', after instruction %llu", t->scenario->name, (unsigned long long)t->steps);
}

static void finish(struct trace *t)
{
	if (WIFSTOPPED(t->status)) {
		kill(t->child, SIGKILL);
		waitpid(t->child, &t->status, 0);
	}
	let_go(t);
	core_remove(t->name);
}

/* A region whose writer has gone. */
static void leave_dead(const char *name)
{
	const char *const arguments[] = { "traced", "none", NULL };
	struct core_program program = { .shm = name, .size = "256K", .arguments = arguments };

	core_run(&program, 20);
}

static uint64_t step_through(const struct scenario *scenario)
{
	struct trace t = { .name = core_name("death") };

	if (scenario->over_dead)
		leave_dead(t.name);
	if (!start(&t, scenario))
		return 0;
	if (!is_creation(scenario))
		run_to_marker(&t);
	/* From marker to marker; what a scenario does between them is stepped through, all of it. */
	do {
		while (t.steps < MOST_STEPS && core_failures() < 20 && step(&t) && !stopped(&t, MARKER))
			look(&t);
	} while (WIFSTOPPED(t.status) && t.steps < MOST_STEPS && core_failures() < 20);
	CHECK(t.checks > 0 && (WIFEXITED(t.status) || core_failures()), "'%s' was not stepped to its end", scenario->name);
	CHECK(t.regions == 1u + scenario->over_dead, "%u regions had the name", t.regions);
	finish(&t);
	printf("%-16s %8llu instructions, %6llu states, %7llu records, %llu values, %llu in flight, %llu differences\n", scenario->name,
	       (unsigned long long)t.steps, (unsigned long long)t.checks, (unsigned long long)t.seen.records,
	       (unsigned long long)t.seen.values, (unsigned long long)t.seen.in_flight,
	       (unsigned long long)t.seen.counts.differences);
	return t.steps;
}

/* Kills a child for real behind instruction `at`. */
static bool kill_at(const struct scenario *scenario, uint64_t at, struct check_seen *seen)
{
	struct trace t = { .name = core_name("death") };
	bool there = start(&t, scenario) && run_to_marker(&t);

	while (there && t.steps < at)
		there = step(&t);
	if (there) {
		kill(t.child, SIGKILL);
		waitpid(t.child, &t.status, 0);
		check_region(t.name, seen);
	}
	finish(&t);
	return there;
}

static void kill_at_some(const struct scenario *scenario)
{
	struct check_seen seen = { 0 };
	uint64_t at = 1, step = 1;

	while (kill_at(scenario, at, &seen) && seen.regions < KILLS)
		at += step++;
	printf("%-16s %8llu killed\n", scenario->name, (unsigned long long)seen.regions);
}

static int traced(const char *name)
{
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		if (!strcmp(scenarios[i].name, name))
			scenarios[i].run();
	_exit(0); /* how a program ends is a scenario of its own */
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "traced"))
		return traced(argv[2]);
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
		if (argc > 1 && strcmp(argv[1], scenarios[i].name))
			continue;
		step_through(&scenarios[i]);
		if (scenarios[i].kills)
			kill_at_some(&scenarios[i]);
	}
	return core_result();
}
