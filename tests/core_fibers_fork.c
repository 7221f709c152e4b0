/* core_fibers_fork.c: a program forks in the middle of a task, and the task goes on in the child.
 *
 * The child knows only how many zones were open.  Yet each end finds what it ends there: what the task opened
 * goes with it when it is suspended, and what was open below it stays with the thread.  So in no region is
 * anything lost, and `here` is in no zone but those in which it is.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "shm/region.h"
#include "tests/core_check.h"
#include "tests/core_run.h"
#include "tests/core_sums.h"

/* ---- what is profiled */

static Prof_stack runs = Prof_STACK, rests = Prof_STACK; /* of the task that forks, and of one that is suspended */

static void tell(const char *who)
{
	printf("%s %ld\n", who, (long)getpid());
	fflush(stdout);
}

static void here(void)
{
	Prof_Begin(here)
	Prof_End
}

static void end_by_ends(int zones)
{
	while (zones--)
		Prof_Close();
}

/* The task that forked ends on another thread: what was opened before the fork, too. */
static void *end_task(void *zones)
{
	Prof_Resume(&runs);
	end_by_ends(*(int *)zones);
	here();
	Prof_Suspend(&runs);
	here();
	return NULL;
}

static void in_thread(void *(*body)(void *), int zones)
{
#ifdef __SANITIZE_THREAD__ /* which knows no threads of a child */
	body(&zones);
#else
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, &zones) != 0)
		abort();
	pthread_join(thread, NULL);
#endif
}

/* The task that rested while its program forked goes on, and ends. */
static void end_resting(void)
{
	Prof_Resume(&rests);
	Prof_Begin(within)
	Prof_End
	Prof_Close();
	here();
	Prof_Suspend(&rests);
	here();
}

/* Until the name is free, and taken. */
static void wait_for_name(void)
{
	struct region_header header = { 0 };
	char path[300];

	snprintf(path, sizeof path, "/dev/shm/%s", getenv("PROF_SHM"));
	for (int i = 0; i < 3000 && header.pid != (uint32_t)getpid(); i++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || read(fd, &header, sizeof header) != (ssize_t)sizeof header)
			header.pid = 0;
		close(fd);
		core_sleep_us(10000);
		Prof_Begin(waiting)
		Prof_End
	}
}

/* Nobody tells the library of it. */
static pid_t raw_fork(void)
{
	return (pid_t)syscall(SYS_clone, (unsigned long)SIGCHLD, 0ul, 0ul, 0ul, 0ul);
}

static void wait_for(pid_t child)
{
	int status = 1;

	if (child < 0 || waitpid(child, &status, 0) != child || status)
		exit(9);
}

/* One zone of the thread's own, and in it a task with one. */
static void begin_tasks(void)
{
	tell("parent");
	Prof_Open(worker);
	Prof_Resume(&rests);
	Prof_Open(resting);
	Prof_Suspend(&rests);
	Prof_Resume(&runs);
	Prof_Open(running);
}

/* Both go on in the parent as if nothing had been. */
static int end_parent(void)
{
	Prof_Suspend(&runs);
	here();
	end_resting();
	Prof_Resume(&runs);
	Prof_Close();
	here();
	Prof_Suspend(&runs);
	Prof_Close();
	here();
	return 0;
}

/* A child, or its child: `zones` of the task are open, and more are opened. */
static void go_on(int zones)
{
	Prof_Open(anew);
	Prof_Suspend(&runs);
	here();
	end_resting();
	in_thread(end_task, zones + 1);
	here();
	Prof_Close(); /* the thread's own, of before the fork */
	here();
	exit(0);
}

static int fork_in_task(void)
{
	pid_t child;

	begin_tasks();
	if ((child = fork()) == 0) {
		tell("child");
		Prof_Open(inner);
		if ((child = fork()) == 0) {
			tell("grandchild");
			go_on(2);
		}
		wait_for(child);
		go_on(2);
	}
	wait_for(child);
	return end_parent();
}

/* Zones that the task opened before the fork are unknown in the child, and their ends have nothing to end. */
static int raw_fork_in_task(void)
{
	pid_t child;

	begin_tasks();
	if ((child = raw_fork()) == 0) {
		tell("child");
		Prof_Open(anew);
		Prof_Suspend(&runs);
		here();
		end_resting();
		Prof_Resume(&runs);
		Prof_Close();
		here();
		exit(0);
	}
	wait_for(child);
	return end_parent();
}

/* In the child, too, zones are opened before it has a region: its parent has the name until it says so. */
static int daemon_in_task(void)
{
	int ends[2];
	char byte = 0;

	begin_tasks();
	if (pipe(ends) != 0)
		return 9;
	if (fork() != 0)
		exit(read(ends[0], &byte, 1) == 1 ? 0 : 9);
	Prof_Open(anew);
	Prof_Suspend(&runs);
	Prof_Resume(&rests);
	Prof_Open(inner);
	Prof_Suspend(&rests);
	if (write(ends[1], &byte, 1) != 1)
		return 9;
	wait_for_name();
	here();
	Prof_Resume(&rests);
	Prof_Close();
	Prof_Suspend(&rests);
	end_resting();
	in_thread(end_task, 2);
	here();
	Prof_Close();
	here();
	return 0;
}

static const struct mode {
	const char *name;
	int (*run)(void);
} modes[] = {
	{ "fork", fork_in_task }, { "raw fork", raw_fork_in_task }, { "daemon", daemon_in_task },
};

/* ---- the checks */

#define PARENT "here 1; worker 1; worker/here 4; worker/resting 1; worker/resting/within 1; worker/running 1; "

struct path {
	char text[200];
	int64_t count;
};

static void path_of(const struct profile *p, uint32_t node, char *out, size_t room)
{
	uint32_t parent = p->nodes[node].parent;
	size_t used;

	out[0] = '\0';
	if (parent == PROFILE_NONE)
		return;
	path_of(p, parent, out, room);
	used = strlen(out);
	snprintf(out + used, room - used, "%s%s", used ? "/" : "", p->zones[p->nodes[node].zone].name);
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(((const struct path *)a)->text, ((const struct path *)b)->text);
}

/* All paths with their entries, over all threads, in order. */
static void tell_paths(const struct profile *p, char *out, size_t room)
{
	struct path paths[64] = { 0 };
	size_t count = 0, used = 0;

	for (uint32_t n = 0; n < p->node_count && count < 64; n++) {
		path_of(p, n, paths[count].text, sizeof paths[count].text);
		paths[count].count = p->totals[n].count;
		count += paths[count].text[0] && strcmp(paths[count].text, "waiting") != 0;
	}
	qsort(paths, count, sizeof *paths, compare_paths);
	for (size_t i = 0; i < count; i++) {
		int64_t entries = paths[i].count;
		for (; i + 1 < count && !strcmp(paths[i].text, paths[i + 1].text); i++)
			entries += paths[i + 1].count;
		used += (size_t)snprintf(out + used, room - used, "%s %lld; ", paths[i].text, (long long)entries);
	}
}

static void check_paths(const char *what, const char *name, const char *expected)
{
	struct check_seen seen = { 0 };
	char paths[2000] = "";
	struct source *s = sums_read(name);

	if (!CHECK(s, "%s: no region", what))
		return;
	tell_paths(s->profile, paths, sizeof paths);
	CHECK(!strcmp(paths, expected), "%s has\n%s, not\n%s", what, paths, expected);
	for (uint32_t i = 0; i < s->profile->loss_count; i++)
		CHECK(s->profile->losses[i].count == 0, "%s: %s %llu", what, s->profile->losses[i].key,
		      (unsigned long long)s->profile->losses[i].count);
	source_close(s);
	check_region(name, &seen);
}

static void run_mode(const char *mode, const char *shm, struct core_output *output)
{
	const char *const arguments[] = { mode, NULL };
	struct core_program program = { .shm = shm, .size = "1M", .arguments = arguments };

	core_catch(&program, 60, output);
	CHECK(output->status == 0 && !output->err[0], "'%s': status %#x, %s", mode, (unsigned)output->status, output->err);
}

/* The region of one of the processes, by what it said of itself. */
static const char *region_of(const char *base, const char *out, const char *who)
{
	static char name[100];
	const char *at = strstr(out, who);
	long pid = 0;

	CHECK(at && sscanf(at + strlen(who), "%ld", &pid) == 1, "%s is not in '%s'", who, out);
	snprintf(name, sizeof name, "%s.%ld", base, pid);
	return name;
}

static const struct expected {
	const char *mode, *who, *paths;
} all[] = {
	{ "fork", "parent", PARENT },
	{ "fork", "\nchild", "here 7; inner 1; inner/anew 1; resting 0; resting/within 1; " },
	{ "fork", "grandchild", "anew 1; here 7; resting 0; resting/within 1; " },
	{ "raw fork", "parent", PARENT },
	{ "raw fork", "child", "anew 1; here 4; resting 0; resting/within 1; " },
};

static void check_mode(const char *mode, bool drops)
{
	const char *base = core_name("tasks"), *name;
	struct core_output output;
	char pattern[100];

	snprintf(pattern, sizeof pattern, "%s.%%p", base);
	run_mode(mode, pattern, &output);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (strcmp(all[i].mode, mode) != 0)
			continue;
		name = region_of(base, output.out, all[i].who);
		if (drops && strcmp(all[i].who, "parent") != 0)
			CHECK(!core_exists(name), "%s", name);
		else
			check_paths(all[i].who, name, all[i].paths);
		core_remove(name);
	}
}

/* The children have no region, as their parent lives. */
static void check_parent_alone(void)
{
	const char *name = core_name("alone");
	struct core_output output;

	run_mode("fork", name, &output);
	check_paths("parent", name, PARENT);
	core_remove(name);
}

static void check_daemon(void)
{
	const char *name = core_name("daemon");
	struct core_output output;

	run_mode("daemon", name, &output);
	while (wait(NULL) > 0)
		continue;
	check_paths("daemon", name, "here 7; within 1; ");
	core_remove(name);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(argv[1], modes[i].name))
			return modes[i].run();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* a child's check looks for its parent's threads */
	check_mode("fork", false);
	check_mode("raw fork", false);
	check_parent_alone();
	check_daemon();
	setenv("PROF_CHILDREN", "drop", 1);
	check_mode("fork", true);
	return core_result();
}
