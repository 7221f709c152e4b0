/* core_host.c: the host, and the comparison of its runs. */
#include "tests/core_host.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "libprof/prof.h"
#include "shm/region.h"

#define SECONDS 60

/* ---- before the library starts: its constructor has no priority, so it comes later */

static void limit_descriptors(int more)
{
	struct rlimit limit = { 0, 0 };
	int lowest = open("/dev/null", O_RDONLY);

	close(lowest);
	limit.rlim_cur = limit.rlim_max = (rlim_t)(lowest + more);
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void limit_memory(void)
{
	unsigned long long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (file) {
		if (fscanf(file, "%llu", &pages) != 1)
			pages = 0;
		fclose(file);
	}
	struct rlimit limit = { pages * 4096 + (16 << 20), RLIM_INFINITY };
	if (pages)
		setrlimit(RLIMIT_AS, &limit);
}

__attribute__((constructor(101))) static void early(void)
{
	const char *what = getenv(HOST_EARLY);

	if (what && !strncmp(what, "descriptors ", 12))
		limit_descriptors(atoi(what + 12));
	else if (what && !strcmp(what, "memory"))
		limit_memory();
}

/* ---- the host */

static void *host_thread(void *sum)
{
	for (int i = 0; i < 100; i++) {
		Prof(host_thread);
		atomic_fetch_add((_Atomic int *)sum, i);
	}
	return NULL;
}

static int work(void)
{
	static _Atomic int sum;
	pthread_attr_t small;
	pthread_t threads[2];

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 256 << 10);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], &small, host_thread, &sum) != 0)
			return -1;
	for (int i = 0; i < 50; i++) {
		Prof(host_frame);
		Prof_Begin(host_part)
		Prof_End
		Prof_update(1);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return sum;
}

static void say_signals(void)
{
	sigset_t mask, pending;
	struct sigaction pipe;

	sigprocmask(SIG_SETMASK, NULL, &mask);
	sigpending(&pending);
	sigaction(SIGPIPE, NULL, &pipe);
	for (int s = 1; s < 32; s++)
		if (sigismember(&mask, s) || sigismember(&pending, s))
			printf("signal %d\n", s);
	printf("SIGPIPE is %s\n", pipe.sa_handler == SIG_DFL ? "fatal" : "not fatal");
}

static int host(bool silent)
{
	int before = errno, sum = work(), after = errno;

	if (silent)
		return sum == 2 * 4950 ? HOST_STATUS : 1;
	printf("errno %d %d\nsum %d\ndescriptors", before, after, sum);
	for (int fd = 0; fd < 64; fd++)
		if (fcntl(fd, F_GETFD) != -1)
			printf(" %d", fd);
	printf("\n");
	say_signals();
	return HOST_STATUS;
}

/* ---- variations */

/* The host as a child of a profiled program, under the same name. */
static int parent(void)
{
	static const char *const arguments[] = { "host", NULL };
	struct core_program child = { .shm = getenv("PROF_SHM"), .size = getenv("PROF_SHM_SIZE"),
		                      .arguments = arguments };
	int status;

	work();
	status = core_wait(core_start(&child), SECONDS);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* The library once more, in a plugin. */
static int copy(void)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof path, "%s", host_path());
	char *slash = strrchr(path, '/');
	snprintf(slash, 32, "/../.libs/libprof.so.1");
	if (access(path, F_OK) != 0)
		return 77;
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!plugin)
		fprintf(stderr, "%s\n", dlerror());
	work();
	if (plugin)
		dlclose(plugin);
	work();
	return HOST_STATUS;
}

static bool name_is_mine(void)
{
	struct region_header header;
	char path[300];
	bool mine = false;

	snprintf(path, sizeof path, "/dev/shm/%s", getenv("PROF_SHM"));
	int fd = open(path, O_RDONLY);
	if (fd >= 0) {
		mine = read(fd, &header, sizeof header) == (ssize_t)sizeof header && header.pid == (uint32_t)getpid();
		close(fd);
	}
	return mine;
}

/* Goes on in a child when the parent has ended; the child takes the name at a mark. */
static int become_daemon(void)
{
	work();
	if (fork() != 0)
		return HOST_STATUS;
	for (int i = 0; i < 400; i++) {
		Prof_update(1);
		if (name_is_mine()) {
			work();
			printf("claimed\n");
			return HOST_STATUS;
		}
		core_sleep_us(25000);
	}
	printf("the name was not claimed\n");
	return 1;
}

/* Acts as a server that has a child for each client. */
static int have_children(void)
{
	work();
	for (int i = 0; i < 8; i++) {
		int status = 0;
		pid_t child = fork();
		if (child == 0)
			_exit(work() < 0);
		if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
			return 1;
	}
	return HOST_STATUS;
}

static int secure(void)
{
	printf("secure %lu\n", getauxval(AT_SECURE));
	return work() == 2 * 4950 ? HOST_STATUS : 1;
}

int host_main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "host"))
		return host(false);
	if (!strcmp(mode, "silent"))
		return host(true);
	if (!strcmp(mode, "parent"))
		return parent();
	if (!strcmp(mode, "copy"))
		return copy();
	if (!strcmp(mode, "daemon"))
		return become_daemon();
	if (!strcmp(mode, "children"))
		return have_children();
	if (!strcmp(mode, "secure"))
		return secure();
	return -1;
}

/* ---- runs compared */

const char *host_path(void)
{
	static char path[PATH_MAX];

	if (!path[0]) {
		ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
		path[size > 0 ? size : 0] = '\0';
	}
	return path;
}

unsigned host_count_lines(const char *text)
{
	unsigned lines = 0;

	for (; *text; lines++) {
		const char *end = strchr(text, '\n');
		if (!end)
			return lines + 1;
		text = end + 1;
	}
	return lines;
}

void host_expect(const struct host_case *c)
{
	static const char *const arguments[] = { "host", NULL };
	struct core_program program = { .size = c->size, .arguments = arguments, .prepare = c->prepare };
	static struct core_output without, with;

	core_catch(&program, SECONDS, &without);
	CHECK(WIFEXITED(without.status) && WEXITSTATUS(without.status) == HOST_STATUS, "%s: without: status %#x: %s",
	      c->what, (unsigned)without.status, without.err);
	program.shm = c->shm;
	core_catch(&program, SECONDS, &with);
	CHECK(with.status == without.status, "%s: status %#x", c->what, (unsigned)with.status);
	CHECK(!strcmp(with.out, without.out), "%s: stdout:\n%sinstead of:\n%s", c->what, with.out, without.out);
	unsigned lines = host_count_lines(with.err);
	CHECK(c->lines == ONE_AT_MOST ? lines <= 1 : lines == (unsigned)c->lines, "%s: %u lines:\n%s", c->what, lines,
	      with.err);
	CHECK(!c->says || strstr(with.err, c->says), "%s: '%s' is not in: %s", c->what, c->says, with.err);
	size_t size = strlen(with.err);
	CHECK(size == 0 || with.err[size - 1] == '\n', "%s: a line without an end: %s", c->what, with.err);
}

/* Stdout is a pipe here, so that a limit on the size of files does not touch it. */
static int run_into_pipe(const struct host_case *c, const char *shm, int err, char *out, size_t size)
{
	static const char *const arguments[] = { "host", NULL };
	int ends[2] = { -1, -1 };

	if (!CHECK(pipe2(ends, O_CLOEXEC) == 0))
		return -1;
	struct core_program program = { .shm = shm, .size = c->size, .arguments = arguments, .prepare = c->prepare,
		                        .out = ends[1], .err = err };
	int status = core_wait(core_start(&program), SECONDS);
	close(ends[1]);
	ssize_t got = read(ends[0], out, size - 1);
	out[got > 0 ? got : 0] = '\0';
	close(ends[0]);
	return status;
}

void host_expect_unheard(const struct host_case *c, int err)
{
	char without[4096], with[4096];
	int status_without = run_into_pipe(c, NULL, err, without, sizeof without);
	int status_with = run_into_pipe(c, c->shm, err, with, sizeof with);

	CHECK(WIFEXITED(status_without) && WEXITSTATUS(status_without) == HOST_STATUS, "%s: without: status %#x",
	      c->what, (unsigned)status_without);
	CHECK(status_with == status_without, "%s: status %#x", c->what, (unsigned)status_with);
	CHECK(!strcmp(with, without), "%s: stdout:\n%sinstead of:\n%s", c->what, with, without);
}
