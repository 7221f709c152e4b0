/* core_guest.c: a program that knows nothing of the library loads and unloads modules that carry a copy of it, while
 * its own threads do what they do: nothing of theirs may come into code that is gone. */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/core_run.h"
#include "tests/long.h"

#define FORKERS 2
#define ENDERS  4
#define ENDS    20
#define LOADS   ((int)test_times(300, 2000))

typedef int run_module(int times);

static _Atomic bool over;
static _Atomic int forks;

static void module_path(char path[PATH_MAX + 64])
{
	ssize_t size = readlink("/proc/self/exe", path, PATH_MAX - 1);

	path[size > 0 ? size : 0] = '\0';
	char *slash = strrchr(path, '/');
	if (slash)
		strcpy(slash, "/.libs/core_copy.so");
}

static void *load(const char *path, run_module **run)
{
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	*run = module ? (run_module *)dlsym(module, "copy_run") : NULL;
	CHECK(*run, "%s", dlerror());
	return module;
}

/* ---- what is profiled */

static void *fork_on(void *unused)
{
	while (!atomic_load(&over)) {
		int status = 0;
		pid_t child = fork();
		if (child == 0)
			_exit(0);
		CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
		atomic_fetch_add(&forks, 1);
	}
	return unused;
}

static void run_forks(void)
{
	char path[PATH_MAX + 64];
	pthread_t forkers[FORKERS];
	run_module *run;

	module_path(path);
	for (int i = 0; i < FORKERS; i++)
		CHECK(pthread_create(&forkers[i], NULL, fork_on, NULL) == 0);
	for (int i = 0; i < LOADS || atomic_load(&forks) < LOADS; i++) {
		void *module = load(path, &run);
		if (!CHECK(run && run(1) == 1))
			break;
		if (module)
			dlclose(module);
	}
	atomic_store(&over, true);
	for (int i = 0; i < FORKERS; i++)
		pthread_join(forkers[i], NULL);
}

/* They end while the module that they were in goes.  What tells it of their end asks for errno, and here that takes
 * longer. */

static run_module *hook;
static __thread bool is_slow;
static int *(*real_errno)(void);

#ifdef __GLIBC__
int *__errno_location(void)
{
	if (is_slow)
		usleep(500);
	if (!real_errno)
		real_errno = (int *(*)(void))dlsym(RTLD_NEXT, "__errno_location");
	return real_errno();
}
#endif

static _Atomic int called;
static _Atomic bool may_end;

static void *call_and_end(void *unused)
{
	CHECK(hook(3) == 3);
	atomic_fetch_add(&called, 1);
	while (!atomic_load(&may_end))
		sched_yield();
	is_slow = true;
	return unused;
}

static bool end_once(const char *path)
{
	pthread_t enders[ENDERS];
	void *module = load(path, &hook);

	if (!module)
		return false;
	atomic_store(&called, 0);
	atomic_store(&may_end, false);
	for (int i = 0; i < ENDERS; i++)
		CHECK(pthread_create(&enders[i], NULL, call_and_end, NULL) == 0);
	while (atomic_load(&called) < ENDERS)
		sched_yield();
	atomic_store(&may_end, true);
	usleep(200);
	dlclose(module);
	for (int i = 0; i < ENDERS; i++)
		pthread_join(enders[i], NULL);
	return true;
}

static void run_ends(void)
{
	char path[PATH_MAX + 64];

	module_path(path);
	for (int i = 0; i < ENDS && end_once(path); i++)
		;
}

/* ---- many modules, a copy in each */

#define COPIES 20

static bool copy_file(const char *from, const char *to)
{
	char bytes[1 << 16];
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	size_t got = 0;

	while (in && out && (got = fread(bytes, 1, sizeof bytes, in)) > 0)
		fwrite(bytes, 1, got, out);
	if (in)
		fclose(in);
	return out && fclose(out) == 0 && in;
}

static void run_many(void)
{
	char path[PATH_MAX + 64], copy[PATH_MAX + 96];
	run_module *run = NULL;

	module_path(path);
	for (int i = 0; i < COPIES; i++) {
		snprintf(copy, sizeof copy, "%s.%ld.%d", path, (long)getpid(), i);
		if (CHECK(copy_file(path, copy)))
			load(copy, &run);
		unlink(copy);
		CHECK(run && run(2) == 2, "copy %d", i);
	}
}

/* ---- no standard output, and a thread that writes there all the same */

static _Atomic bool wrote;

static void *write_on(void *counter)
{
	static char bytes[1 << 16];

	memset(bytes, 'X', sizeof bytes);
	while (!atomic_load(&over)) {
		*(unsigned *)counter += write(STDOUT_FILENO, bytes, sizeof bytes) > 0;
		*(unsigned *)counter += write(STDERR_FILENO, bytes, sizeof bytes) > 0;
		atomic_store(&wrote, true);
	}
	return NULL;
}

static void run_closed(void)
{
	char path[PATH_MAX + 64];
	unsigned landed = 0;
	pthread_t writer;
	run_module *run;

	module_path(path);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	CHECK(pthread_create(&writer, NULL, write_on, &landed) == 0);
	while (!atomic_load(&wrote))
		sched_yield();
	load(path, &run);
	CHECK(run && run(1) == 1);
	atomic_store(&over, true);
	pthread_join(writer, NULL);
	CHECK(!landed);
}

/* ---- a handler that forks comes while the region is made */

#define FORK_MS 150 /* a fork takes less, and what waited for its own thread took more */
#define LONG    3   /* a status; so many are long because the machine is busy */

static volatile sig_atomic_t forked, too_long;

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void fork_once(int signal)
{
	double begin = now_ms();

	(void)signal;
	if (forked++)
		return;
	if (fork() == 0) {
		core_sleep_us(1000000);
		_exit(0);
	}
	too_long = now_ms() - begin > FORK_MS;
}

/* After that many microseconds. */
static int run_handler(const char *delay)
{
	struct itimerval timer = { .it_value.tv_usec = atoi(delay) };
	char path[PATH_MAX + 64];
	run_module *run;

	module_path(path);
	signal(SIGALRM, fork_once);
	setitimer(ITIMER_REAL, &timer, NULL);
	load(path, &run);
	CHECK(run && run(1) == 1);
	while (!forked)
		sched_yield();
	if (too_long || core_failures())
		_exit(too_long ? LONG : 1);
	raise(SIGKILL);
	return 2;
}

/* ---- a module in a namespace of its own has a C library of its own */

static run_module *load_apart(void)
{
	char path[PATH_MAX + 64];
	void *module = NULL;

	module_path(path);
#ifdef __GLIBC__
	module = dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
#endif
	CHECK(module, "%s", dlerror());
	return module ? (run_module *)dlsym(module, "copy_run") : NULL;
}

static void gets_foreign(void *value)
{
	CHECK(!value, "the program's key has a value that is not its own");
}

static void *call_once(void *unused)
{
	CHECK(hook(3) == 3);
	return unused;
}

/* Its C library numbers keys as that of the program does, and a thread has one
 * place for the values of both. */
static void run_keys(void)
{
	pthread_key_t keys[4];
	pthread_t thread;

	for (int i = 0; i < 4; i++)
		CHECK(pthread_key_create(&keys[i], gets_foreign) == 0);
	if (!(hook = load_apart()))
		return;
	CHECK(pthread_create(&thread, NULL, call_once, NULL) == 0);
	pthread_join(thread, NULL);
}

static void *call_on(void *unused)
{
	for (;;)
		hook(1);
	return unused;
}

static int mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	int count = 0, c;

	while (maps && (c = getc(maps)) != EOF)
		count += c == '\n';
	if (maps)
		fclose(maps);
	return count;
}

/* Threads go on in the module while the program exits.  An exit does not unload
 * the module, so they keep their memory. */
static int mapped_at_exit;

__attribute__((destructor)) static void exit_slowly(void)
{
	if (!mapped_at_exit)
		return;
	core_sleep_us(50000);
	if (mappings() < mapped_at_exit)
		_exit(3);
}

static void run_exit(void)
{
	pthread_t thread;

	if (!(hook = load_apart()))
		return;
	for (int i = 0; i < FORKERS; i++)
		CHECK(pthread_create(&thread, NULL, call_on, NULL) == 0);
	mapped_at_exit = mappings();
}

static int run_mode(const char *mode)
{
	if (!strcmp(mode, "forks"))
		run_forks();
	else if (!strcmp(mode, "ends"))
		run_ends();
	else if (!strcmp(mode, "many"))
		run_many();
	else if (!strcmp(mode, "closed"))
		run_closed();
	else if (!strcmp(mode, "keys"))
		run_keys();
	else if (!strcmp(mode, "exit"))
		run_exit();
	return core_result();
}

/* ---- what is seen of it */

static unsigned lines_of(const char *text)
{
	unsigned lines = 0;

	while ((text = strchr(text, '\n'))) {
		lines++;
		text++;
	}
	return lines;
}

static void check_mode(const char *mode, const char *shm, unsigned lines)
{
	const char *const arguments[] = { mode, NULL };
	struct core_output output;

	core_catch(&(struct core_program){ .shm = shm, .drop = true, .arguments = arguments }, 120, &output);
	CHECK(output.status == 0, "%s, %s: status %#x", mode, shm ? "on" : "off", (unsigned)output.status);
	CHECK(lines_of(output.err) == lines, "%s: stderr says: %s", mode, output.err);
}

static void test_forks(void)
{
	check_mode("forks", NULL, 0);
	check_mode("forks", core_name("forks"), 0);
	core_remove(core_name("forks"));
}

static void test_ends(void)
{
	check_mode("ends", core_name("ends"), 0);
	core_remove(core_name("ends"));
}

/* All complaints are of one kind: that there are others, or what the environment says. */
static void test_many(void)
{
	const char *name = core_name("many");

	check_mode("many", NULL, 0);
	check_mode("many", name, 1);
	check_mode("many", "not/a/name", 1);
	core_remove(name);
}

static void test_closed(void)
{
	for (int i = 0; i < 5; i++)
		check_mode("closed", core_name("closed"), 0);
	core_remove(core_name("closed"));
}

static void test_apart(void)
{
#ifdef __GLIBC__
	const char *name = core_name("apart");

	if (SANITIZED)
		return; /* a sanitizer cannot be in two namespaces */
	check_mode("keys", name, 0);
	check_mode("exit", name, 0);
	core_remove(name);
#endif
}

static bool seems_alive(const char *name)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	char path[128];

	snprintf(path, sizeof path, "/dev/shm/%s", name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool alive = fd >= 0 && fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
	if (fd >= 0)
		close(fd);
	return alive;
}

/* The handler's fork does not wait, and its child has nothing of the region, though the handler came in the midst. */
static void test_handler(void)
{
	int longs = 0;

	for (int us = 50; us < 1500; us += 25) {
		char delay[16], tag[32];
		snprintf(delay, sizeof delay, "%d", us);
		snprintf(tag, sizeof tag, "handler%d", us);
		const char *const arguments[] = { "handler", delay, NULL };
		const char *name = core_name(tag);
		int status = core_wait(core_start(&(struct core_program){ .shm = name, .arguments = arguments }), 60);
		bool is_long = WIFEXITED(status) && WEXITSTATUS(status) == LONG;
		longs += is_long;
		CHECK(is_long || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL), "%s us: %#x", delay, (unsigned)status);
		CHECK(!seems_alive(name), "%s us: the dead one seems to live", delay);
		core_remove(name);
	}
	CHECK(longs <= LONG, "%d forks waited", longs);
}

int main(int argc, char **argv)
{
	if (argc > 2)
		return run_handler(argv[2]);
	if (argc > 1)
		return run_mode(argv[1]);
	test_forks();
	test_ends();
	test_many();
	test_closed();
	test_apart();
	test_handler();
	return core_result();
}
