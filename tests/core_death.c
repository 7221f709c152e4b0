/* core_death.c: a writer that dies at any instruction leaves a region that is whole.
 *
 * The writer is a child of this program under ptrace.  It runs to a marker (a signal that it raises), then
 * goes one instruction at a time to the next marker.  After every instruction that changed the region its
 * bytes, which are what a SIGKILL just there would leave, are checked, now and then by what the whole reader makes
 * of them; and at some of the instructions, in a child of its own each, the SIGKILL is sent.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/core_check.h"
#include "tests/core_run.h"
#include "tests/core_shown.h"
#include "tests/core_traced.h"
#include "tests/long.h"

#define MOST_STEPS 3000000ull

struct trace {
	const char *name, *copied; /* of the region, and of what is left of it after an instruction */
	pid_t child;
	int status;
	unsigned char *live, *copy; /* the mapping, and what was checked last */
	size_t size;
	ino_t inode;
	unsigned regions; /* that had the name */
	uint64_t steps, checks;
	struct check_seen seen;
	struct shown_seen shown;
	const struct scenario *scenario;
};

static void be_traced(void)
{
	setenv(TRACED, "1", 1);
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

/* While a region is made, only system calls change what can be seen, and after it has its name hardly anything
 * does: so these calls are the steps. Single instructions would take minutes. */
static bool by_calls(const struct trace *t)
{
	return t->scenario->creates && !test_long();
}

/* One instruction; false: the child has ended. */
static bool step(struct trace *t)
{
	t->steps++;
	ptrace(by_calls(t) ? PTRACE_SYSCALL : PTRACE_SINGLESTEP, t->child, NULL, NULL);
	waitpid(t->child, &t->status, 0);
	return WIFSTOPPED(t->status);
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

	if (t->live && !t->scenario->creates)
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
	check_stack(t->copied, stack, sizeof stack);
	for (int i = 0; i < 6 && t->scenario->stacks[i]; i++)
		allowed = allowed || !strcmp(stack, t->scenario->stacks[i]);
	CHECK(allowed, "'%s': open is '%s'", t->scenario->name, stack);
}

/* Checking what the whole reader shows takes longer than checking the words. */
static bool is_shown(const struct trace *t)
{
	return test_long() ? t->checks % 4 == 1 : t->checks < 8 || t->checks % 64 == 1;
}

static void look(struct trace *t)
{
	unsigned before = core_failures();

	if (!visible(t) || !memcmp(t->live, t->copy, t->size))
		return;
	memcpy(t->copy, t->live, t->size);
	t->checks++;
	check_store(t->copied, t->copy, t->size);
	check_region(t->copied, &t->seen);
	check_open_zones(t);
	if (is_shown(t))
		shown_dead(t->copied, &t->shown);
	CHECK(core_failures() == before, "'%s', after instruction %" PRIu64, t->scenario->name, t->steps);
}

static void finish(struct trace *t)
{
	if (WIFSTOPPED(t->status)) {
		kill(t->child, SIGKILL);
		waitpid(t->child, &t->status, 0);
	}
	let_go(t);
	core_remove(t->name);
	core_remove(t->copied);
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
	struct trace t = { .name = core_name("death"), .copied = core_name("copy") };

	if (scenario->over_dead)
		leave_dead(t.name);
	if (!start(&t, scenario))
		return 0;
	if (!scenario->creates)
		run_to_marker(&t);
	/* From marker to marker; what a scenario does between them is stepped through, all of it. */
	do {
		while (t.steps < MOST_STEPS && core_failures() < 20 && step(&t) && !stopped(&t, MARKER))
			look(&t);
	} while (WIFSTOPPED(t.status) && t.steps < MOST_STEPS && core_failures() < 20);
	CHECK(t.checks > 0 && (WIFEXITED(t.status) || core_failures()), "'%s' was not stepped to its end", scenario->name);
	CHECK(t.regions == 1u + scenario->over_dead, "%u regions had the name", t.regions);
	CHECK(strcmp(scenario->name, "kept calls") || t.seen.kept.lapped > 0, "no calls were kept");
	finish(&t);
	printf("%-16s %8" PRIu64 " instructions, %6" PRIu64 " states, %7" PRIu64 " records, %" PRIu64 " values, %" PRIu64
	       " in flight, %" PRIu64 " shown, %" PRIu64 " parts with kept calls\n",
	       scenario->name, t.steps, t.checks, t.seen.records, t.seen.values, t.seen.in_flight, t.shown.profiles,
	       t.seen.kept.lapped);
	return t.steps;
}

/* Kills a child for real behind instruction `at`; false: it had ended by then. */
static bool kill_at(const struct scenario *scenario, uint64_t at)
{
	struct trace t = { .name = core_name("death"), .copied = core_name("copy") };
	bool there = start(&t, scenario) && run_to_marker(&t);

	while (there && t.steps < at)
		there = step(&t);
	if (there) {
		kill(t.child, SIGKILL);
		waitpid(t.child, &t.status, 0);
		check_region(t.name, &t.seen);
		shown_dead(t.name, &t.shown);
	}
	finish(&t);
	return there;
}

static void kill_at_some(const struct scenario *scenario, uint64_t steps)
{
	uint64_t times = test_times(2, 24), killed = 0;

	for (uint64_t i = 0; i < times; i++)
		killed += kill_at(scenario, 1 + steps * i / times);
	printf("%-16s %8" PRIu64 " killed\n", scenario->name, killed);
	CHECK(killed > 0, "'%s'", scenario->name);
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "traced"))
		return traced_main(argv[2]);
	for (size_t i = 0; i < scenario_count; i++) {
		if (argc > 1 && strcmp(argv[1], scenarios[i].name))
			continue;
		uint64_t steps = step_through(&scenarios[i]);
		if (scenarios[i].kills)
			kill_at_some(&scenarios[i], steps);
	}
	return core_result();
}
