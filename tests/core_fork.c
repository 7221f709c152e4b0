/* core_fork.c: children of a profiled program.
 *
 * However a child is made, the parent's region has what the parent did and nothing else, and neither output
 * nor exit status is other than without profiling.  A child gets a region of its own where the name says so
 * (%p), or when its parent has gone.
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "tests/core_check.h"
#include "tests/core_host.h"
#include "tests/core_run.h"
#include "tests/core_work.h"

#define ROUNDS 12

#define SET_CPUID 0x1012 /* ARCH_SET_CPUID of asm/prctl.h, which musl-gcc does not find */

/* ---- what is profiled */

static void zones_of_child(void)
{
	for (int i = 0; i < 300; i++) {
		Prof_Begin(child)
		Prof_Begin(grandchild)
		Prof_End
		Prof_End
		if (i % 50 == 0)
			Prof_update(1);
	}
	Prof_Thread("child");
	Prof_Frame_Begin("frame")
	Prof_Frame_End
}

static void zones_of_parent(void)
{
	for (int i = 0; i < 10; i++) {
		Prof_Begin(parent)
		Prof_End
	}
	Prof_update(1);
}

static pid_t plain_fork(void)
{
	return fork();
}

static pid_t raw_fork(void)
{
	return (pid_t)syscall(SYS_clone, (unsigned long)SIGCHLD, 0ul, 0ul, 0ul, 0ul);
}

/* Each child ends zones that its parent opened, and does what it likes with zones. */
static int fork_often(pid_t (*make)(void))
{
	for (int i = 0; i < ROUNDS; i++) {
		int status = 0;
		Prof_Begin(round)
		pid_t child = make();
		if (child == 0) {
			zones_of_child();
			Prof_End
			zones_of_child();
			ssize_t written = write(STDOUT_FILENO, "c\n", 2);
			(void)written;
			if (i % 2)
				_exit(i);
			exit(i);
		}
		zones_of_parent();
		waitpid(child, &status, 0);
		Prof_End
		printf("%d\n", WEXITSTATUS(status));
		fflush(stdout);
	}
	return 7;
}

static int by_fork(void)
{
	return fork_often(plain_fork);
}

static int by_raw_fork(void)
{
	return fork_often(raw_fork);
}

/* From a signal handler that interrupts zones, and from a thread inside of some. */
static pid_t handler_child;

static void fork_in_handler(int number)
{
	(void)number;
	Prof_Begin(handler)
	handler_child = fork();
	Prof_End
}

static pid_t handler_fork(void)
{
	struct sigaction action = { .sa_handler = fork_in_handler };

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	return handler_child;
}

static void *fork_in_zones(void *child)
{
	Prof_Begin(thread)
	Prof_Begin(inside)
	*(pid_t *)child = fork();
	if (*(pid_t *)child == 0) {
		zones_of_child();
		_exit(6);
	}
	Prof_End
	Prof_End
	return NULL;
}

static int by_handler(void)
{
	return fork_often(handler_fork);
}

static int by_thread(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		int status = 0;
		pid_t child = -1;
		pthread_t id;
		Prof_Begin(round)
		if (pthread_create(&id, NULL, fork_in_zones, &child) != 0)
			abort();
		zones_of_parent();
		pthread_join(id, NULL);
		waitpid(child, &status, 0);
		Prof_End
		printf("%d\n", WEXITSTATUS(status));
		fflush(stdout);
	}
	return 7;
}

static int leaf(void)
{
	zones_of_child();
	puts("leaf");
	return 5;
}

static void exec_leaf(void)
{
	execl("/proc/self/exe", "leaf", "leaf", (char *)NULL);
	_exit(126);
}

static pid_t spawn_leaf(void)
{
	pid_t child = fork();

	if (child == 0)
		exec_leaf();
	return child;
}

static __attribute__((noinline)) pid_t vfork_leaf(void)
{
	pid_t child = vfork();

	if (child == 0)
		exec_leaf();
	return child;
}

static pid_t posix_spawn_leaf(void)
{
	static char *const arguments[] = { (char *)"leaf", (char *)"leaf", NULL };
	pid_t child = -1;

	if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ) != 0)
		abort();
	return child;
}

static int by_exec(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		int status = 0;
		Prof_Begin(round)
		pid_t child = i % 3 == 0 ? spawn_leaf() : i % 3 == 1 ? vfork_leaf() : posix_spawn_leaf();
		zones_of_parent();
		waitpid(child, &status, 0);
		Prof_End
		printf("%d\n", WEXITSTATUS(status));
		fflush(stdout);
	}
	return 7;
}

static int by_shell(void)
{
	char self[300], command[800], line[100];
	ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);

	self[size > 0 ? size : 0] = '\0';
	for (int i = 0; i < ROUNDS; i++) {
		Prof_Begin(round)
		snprintf(command, sizeof command, "for i in 1 2 3; do '%s' leaf; done; echo done", self);
		FILE *pipe = popen(command, "r");
		while (pipe && fgets(line, sizeof line, pipe))
			fputs(line, stdout);
		int status = pipe ? pclose(pipe) : -1;
		snprintf(command, sizeof command, "'%s' leaf", self);
		fflush(stdout);
		status += system(command);
		zones_of_parent();
		Prof_End
		printf("%d\n", status);
		fflush(stdout);
	}
	return 7;
}

static void *busy(void *stop)
{
	while (!__atomic_load_n((int *)stop, __ATOMIC_RELAXED)) {
		Prof_Begin(busy)
		work_spin(20000);
		Prof_End
	}
	return NULL;
}

/* While other threads are in the middle of everything. */
static int among_threads(void)
{
	pthread_t threads[3];
	int stop = 0, status;

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, busy, &stop);
	status = by_fork();
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return status;
}

static bool has_the_name(void)
{
	struct region_header header;
	char path[300];

	snprintf(path, sizeof path, "/dev/shm/%s", getenv("PROF_SHM") ? getenv("PROF_SHM") : "none");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool mine = fd >= 0 && read(fd, &header, sizeof header) == (ssize_t)sizeof header &&
	            header.pid == (uint32_t)getpid();
	close(fd);
	return mine;
}

/* The grandchild goes on when its parents have gone; at a mark it finds the name free. */
static int daemon_of(bool close_all, bool off)
{
	zones_of_parent();
	Prof_Begin(round)
	if (fork() != 0)
		exit(0);
	setsid();
	if (fork() != 0)
		_exit(0);
	if (close_all)
		syscall(SYS_close_range, 0u, ~0u, 0u);
	if (off)
		Prof_Enable(0); /* there is no region that could say so */
	for (int i = 0, with_name = 0; i < 6000 && with_name < 50; i++) {
		with_name += has_the_name();
		core_sleep_us(10000);
		zones_of_parent();
		if (off && with_name == 10) {
			Prof_Begin(dark)
			Prof_End
			Prof_Enable(1);
		}
		Prof_Begin(daemon)
		Prof_End
	}
	Prof_End
	return 0;
}

static int daemon_plain(void)
{
	return daemon_of(false, false);
}

static int daemon_closed(void)
{
	return daemon_of(true, false);
}

static int daemon_off(void)
{
	return daemon_of(false, true);
}

/* As daemon(3) does it, and it marks no frames. */
static int daemon_unmarked(void)
{
	Prof_Begin(round)
	zones_of_parent();
	if (SANITIZED)
		core_sleep_us(200000); /* the timer's thread, as it begins, has the allocator's lock: see core_timer */
	if (fork() != 0)
		_exit(0);
	setsid();
	Prof_Begin(outer)
	for (int i = 0, with_name = 0; i < 6000 && with_name < 50; i++) {
		with_name += has_the_name();
		core_sleep_us(10000);
		for (int j = 0; j < 10; j++) {
			Prof_Begin(parent)
			Prof_End
		}
		Prof_Begin(daemon)
		Prof_End
	}
	Prof_End
	Prof_End
	return 0;
}

/* A server's: they leave by _exit. */
static int children_of_server(void)
{
	for (int i = 0; i < 4; i++) {
		pid_t child = i % 2 ? raw_fork() : fork();
		if (child == 0) {
			zones_of_child();
			_exit(0);
		}
		zones_of_parent();
		waitpid(child, NULL, 0);
		printf("%ld ", (long)child);
		fflush(stdout);
	}
	printf("%ld ", (long)getpid());
	return 0;
}

/* The stack that the program has used before a child's first zone, which makes its region on a small stack. */
static void *on_small_stack(void *unused)
{
	char own[3000];

	memset(own, 1, sizeof own);
	__asm__ volatile("" : : "r"(own) : "memory");
	zones_of_child();
	Prof_Note("%.3f", 1e9);
	return unused;
}

static int small_stack(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		pthread_attr_t small;
		pthread_t thread;
		pthread_attr_init(&small);
		pthread_attr_setstacksize(&small, SANITIZED ? 1u << 20 : (size_t)PTHREAD_STACK_MIN);
		if (pthread_create(&thread, &small, on_small_stack, NULL) != 0)
			abort();
		pthread_join(thread, NULL);
		exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

/* Says who has a region of its own. */
static int regions_of_their_own(void)
{
	for (int i = 0; i < 4; i++) {
		int status = 0;
		pid_t child = i % 2 ? raw_fork() : fork();
		if (child == 0) {
			zones_of_child();
			exit(0);
		}
		zones_of_parent();
		waitpid(child, &status, 0);
		printf("%ld ", (long)child);
		fflush(stdout);
	}
	printf("%ld ", (long)getpid());
	return 0;
}

/* Only some processors let the kernel forbid cpuid. */
static bool set_cpuid(unsigned long allowed)
{
#ifdef __x86_64__
	return syscall(SYS_arch_prctl, SET_CPUID, allowed) == 0;
#else
	(void)allowed;
	return false;
#endif
}

static int without_cpuid(void)
{
	return set_cpuid(0) ? regions_of_their_own() : 2;
}

static const struct mode {
	const char *name;
	int (*run)(void);
} modes[] = {
	{ "fork", by_fork },       { "raw fork", by_raw_fork },      { "exec", by_exec },
	{ "shell", by_shell },     { "threads", among_threads },     { "leaf", leaf },
	{ "daemon", daemon_plain }, { "closed", daemon_closed },     { "dark", daemon_off },
	{ "own", regions_of_their_own }, { "unmarked", daemon_unmarked }, { "server", children_of_server },
	{ "no cpuid", without_cpuid }, { "small stack", small_stack },
	{ "handler", by_handler },  { "in a thread", by_thread },
};

/* ---- what becomes of it */

static void same_as_without(const struct core_program *program, const struct core_output *with)
{
	struct core_program off = *program;
	struct core_output without;

	off.shm = NULL;
	core_catch(&off, 40, &without);
	CHECK(with->status == without.status, "'%s': status %#x, without profiling %#x", program->arguments[0],
	      (unsigned)with->status, (unsigned)without.status);
	CHECK(!strcmp(with->out, without.out), "'%s': stdout '%s', without profiling '%s'", program->arguments[0], with->out,
	      without.out);
	CHECK(!strcmp(with->err, without.err), "'%s': stderr '%s', without profiling '%s'", program->arguments[0], with->err,
	      without.err);
}

static void parent_is_exact(const char *mode)
{
	const char *name = core_name("fork");
	const char *const arguments[] = { mode, NULL };
	struct core_program program = { .shm = name, .size = "32M", .arguments = arguments };
	struct check_seen seen = { 0 };
	struct core_output with;
	struct image image;

	core_catch(&program, 40, &with);
	same_as_without(&program, &with);
	check_region(name, &seen);
	if (image_load(&image, name)) {
		CHECK(image_entries(&image, "parent") == ROUNDS * 10, "'%s': %llu entries", mode,
		      (unsigned long long)image_entries(&image, "parent"));
		CHECK(image_entries(&image, "round") == ROUNDS, "'%s': %llu entries", mode,
		      (unsigned long long)image_entries(&image, "round"));
		CHECK(image_entries(&image, "Prof_update") == ROUNDS, "'%s'", mode);
		CHECK(image_entries(&image, "child") == 0, "'%s': %llu entries of children", mode,
		      (unsigned long long)image_entries(&image, "child"));
		CHECK(WORD_LOAD(image.process->epoch) == ROUNDS + 1, "'%s': %llu marks", mode,
		      (unsigned long long)WORD_LOAD(image.process->epoch));
		for (int i = 0; i < LOSS_CAUSES; i++)
			CHECK(image_lost(&image, i) == 0, "'%s': lost %d", mode, i);
		CHECK(seen.counts.unchecked == 0, "'%s'", mode);
		image_free(&image);
	}
	replay_print(mode, &seen.counts);
	core_remove(name);
}

/* The daemon and whoever was between are this process's to wait for; the one that ends last is the daemon.  *seen:
 * whether there was a region of that name meanwhile. */
static pid_t wait_for_all(const char *name, bool *seen, int *status)
{
	pid_t last = 0;

	for (int i = 0; i < 7000; i++) {
		int one = 0;
		pid_t child = waitpid(-1, &one, WNOHANG);
		if (child < 0)
			break;
		if (child > 0) {
			last = child;
			*status |= one;
			continue;
		}
		*seen |= name && core_exists(name);
		core_sleep_us(10000);
	}
	return last;
}

static void daemon_takes_the_name(const char *mode, bool keep)
{
	bool unmarked = !strcmp(mode, "unmarked"), timed = getenv("PROF_FRAME_MS");
	const char *name = core_name("daemon");
	const char *const arguments[] = { mode, NULL };
	struct core_program program = { .shm = name, .size = "1M", .arguments = arguments, .drop = !keep };
	struct check_seen seen = { 0 };
	struct image image;
	int status = 0;

	core_run(&program, 20);
	bool seen_alive = false;
	pid_t daemon = wait_for_all(keep ? NULL : name, &seen_alive, &status);
	CHECK(daemon > 0 && status == 0, "'%s': daemon %ld, status %#x", mode, (long)daemon, (unsigned)status);
	if (!keep) {
		CHECK(seen_alive, "'%s': nothing was seen of its region", mode);
		CHECK(!core_exists(name), "'%s': its region was not removed", mode);
		printf("%s: the daemon had the name\n", mode);
		return;
	}
	check_region(name, &seen);
	if (!image_load(&image, name))
		return;
	CHECK(image.header->pid == (uint32_t)daemon, "the region is of %u, not of the daemon %ld", image.header->pid,
	      (long)daemon);
	CHECK(unmarked || seen.counts.parts > 10, "%llu parts", (unsigned long long)seen.counts.parts);
	CHECK(timed == !!(image_flags(&image, 5) & MARK_TIMER), "'%s'", mode);
	CHECK(image_entries(&image, "daemon") > 0 && image_entries(&image, "parent") > 0, "'%s': %llu and %llu", mode,
	      (unsigned long long)image_entries(&image, "daemon"), (unsigned long long)image_entries(&image, "parent"));
	CHECK(image_entries(&image, "dark") == 0, "'%s': zones are recorded while recording is off", mode);
	CHECK(image_lost(&image, LOSS_END_WITHOUT_BEGIN) == 0, "'%s': what was open before is not known", mode);
	image_free(&image);
	printf("%s, kept: the daemon has the name\n", mode);
	core_remove(name);
}

static void drops_its_children(void)
{
	char pattern[100], name[100];
	const char *base = core_name("server");
	const char *const arguments[] = { "server", NULL };
	struct core_program program = { .shm = pattern, .size = "512K", .arguments = arguments };
	struct core_output output;
	unsigned found = 0;

	snprintf(pattern, sizeof pattern, "%s.%%p", base);
	setenv("PROF_CHILDREN", "drop", 1);
	core_catch(&program, 20, &output);
	unsetenv("PROF_CHILDREN");
	CHECK(output.status == 0 && !output.err[0], "status %#x, '%s'", (unsigned)output.status, output.err);
	for (const char *at = output.out; core_next_region(&at, base, name);) {
		found += core_exists(name);
		CHECK(core_exists(name) == !*at, "'%s'", name); /* the parent is the last to be named */
		core_remove(name);
	}
	setenv("PROF_CHILDREN", "dorp", 1);
	core_catch(&program, 20, &output);
	unsetenv("PROF_CHILDREN");
	CHECK(!strcmp(output.err, "prof: PROF_CHILDREN: neither follow nor drop; taking follow\n"), "'%s'", output.err);
	for (const char *at = output.out; core_next_region(&at, base, name);) {
		CHECK(core_exists(name), "'%s'", name);
		core_remove(name);
	}
	printf("server: %u region, the parent's\n", found);
}

static void fits_a_small_stack(void)
{
	const char *const arguments[] = { "small stack", NULL };
	const char *base = core_name("small");
	char pattern[100];

	snprintf(pattern, sizeof pattern, "%s.%%p", base);
	core_run(&(struct core_program){ .shm = pattern, .size = "1M", .arguments = arguments, .drop = true }, 20);
}

static void own_regions(const char *mode)
{
	char pattern[100], name[100];
	const char *base = core_name("own");
	const char *const arguments[] = { mode, NULL };
	struct core_program program = { .shm = pattern, .size = "512K", .arguments = arguments };
	struct core_output output;
	unsigned found = 0;

	snprintf(pattern, sizeof pattern, "%s.%%p", base);
	core_catch(&program, 20, &output);
	CHECK(output.status == 0 && !output.err[0], "status %#x, '%s'", (unsigned)output.status, output.err);
	for (const char *at = output.out; core_next_region(&at, base, name);) {
		struct check_seen seen = { 0 };
		struct image image;
		check_region(name, &seen);
		if (image_load(&image, name)) {
			bool parent = found == 4; /* it is the last to be named */
			CHECK(image_entries(&image, parent ? "parent" : "child") == (parent ? 40 : 300) &&
			          image_entries(&image, parent ? "child" : "parent") == 0,
			      "region %u: %llu entries of a child", found, (unsigned long long)image_entries(&image, "child"));
			image_free(&image);
			found++;
		}
		core_remove(name);
	}
	CHECK(found == 5, "%s: %u regions", mode, found);
	printf("%s: %u regions, the parent's and its children's\n", mode, found);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(argv[1], modes[i].name))
			return modes[i].run();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* a child's check looks for its parent's threads */
	parent_is_exact("fork");
	parent_is_exact("raw fork");
	parent_is_exact("exec");
	parent_is_exact("shell");
	parent_is_exact("threads");
	parent_is_exact("handler");
	parent_is_exact("in a thread");
	own_regions("own");
	if (set_cpuid(1))
		own_regions("no cpuid");
	drops_its_children();
	fits_a_small_stack();
	daemon_takes_the_name("daemon", true);
	daemon_takes_the_name("daemon", false);
	daemon_takes_the_name("closed", true);
	daemon_takes_the_name("dark", true);
	daemon_takes_the_name("unmarked", true);
#ifndef __SANITIZE_THREAD__ /* which knows no threads of a child */
	setenv("PROF_FRAME_MS", "5", 1);
	daemon_takes_the_name("unmarked", true);
#endif
	return core_result();
}
