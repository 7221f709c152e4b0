/* core_steps.c: the region takes memory as it fills, in steps, and where there is none left the program goes on, its
 * counts are right, and its history is shorter. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "shm/attach.h"
#include "shm/create.h"
#include "shm/snapshot.h"
#include "tests/core_run.h"

#define SKIPPED 77
#define SECONDS 120
#define FRAMES  3000u
#define CALLS   200u

static const char *name;

/* A thread's own nodes, in a region that is read as it is. */
static uint64_t count_of(struct attachment *a, const char *zone)
{
	static struct snapshot_place places[4096];
	static struct snapshot_total totals[4096];
	struct snapshot_totals all;
	struct snapshot_thread t;
	uint64_t count = 0;
	uint32_t damaged = 0;

	if (snapshot_thread(a, 0, &t) != SNAPSHOT_OK || t.nodes > 4096)
		return 0;
	snapshot_nodes(a, 0, 0, t.nodes, places, &damaged);
	if (snapshot_totals(a, 0, snapshot_newest_tick(a), t.nodes, totals, &all) != SNAPSHOT_OK)
		return 0;
	for (uint32_t i = 0; i < t.nodes; i++) {
		struct snapshot_zone z;
		char text[256];

		if (places[i].zone && snapshot_zone(a, places[i].zone - 1, &z, text, sizeof text) && !strcmp(z.name, zone))
			count += totals[i].count;
	}
	return count;
}

static uint64_t lost(struct attachment *a, enum region_loss cause)
{
	struct snapshot_process process;

	snapshot_process(a, &process);
	return process.lost[cause];
}

static uint64_t bytes_held(const char *region)
{
	char path[300];
	struct stat st = { 0 };

	snprintf(path, sizeof path, "%s/%s", REGION_DIRECTORY, region);
	stat(path, &st);
	return (uint64_t)st.st_blocks * 512;
}

static void work(void)
{
	for (unsigned f = 0; f < FRAMES; f++) {
		for (unsigned i = 0; i < CALLS; i++) {
			Prof(called);
		}
		Prof_Counter_Set("counter", (int)f);
		Prof_update(1);
	}
}

static void counts_are_right(uint64_t refused)
{
	struct attachment a;
	char why[512] = "";

	work();
	munlockall(); /* a reader in the same process is no guest */
	if (!CHECK(region_attach(&a, name, 0, why, sizeof why) == ATTACH_OK, "%s", why))
		return;
	CHECK(count_of(&a, "called") == FRAMES * CALLS, "%llu calls", (unsigned long long)count_of(&a, "called"));
	CHECK(lost(&a, LOSS_REGION_ROOM) == refused, "%llu refused", (unsigned long long)lost(&a, LOSS_REGION_ROOM));
	CHECK(lost(&a, LOSS_MARK_ROOM) == 0 && lost(&a, LOSS_ZONE_ROOM) == 0);
	region_detach(&a);
}

static void all_is_counted(uint64_t most, uint64_t refused)
{
	CHECK(bytes_held(name) < 512u << 10, "%llu bytes at the start", (unsigned long long)bytes_held(name));
	counts_are_right(refused);
	CHECK(bytes_held(name) <= most, "%llu bytes", (unsigned long long)bytes_held(name));
	CHECK(refused || bytes_held(name) > 2u << 20, "%llu bytes", (unsigned long long)bytes_held(name));
}

static void plenty(void)
{
	all_is_counted(32u << 20, 0);
}

static void short_of_memory(void)
{
	all_is_counted(1u << 20, 1);
}

static void small_directory(void)
{
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", REGION_DIRECTORY, "tmpfs", 0, "size=1m") != 0)
		_exit(SKIPPED);
}

/* ---- on a kernel that takes no memory in steps */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static void madvise_does_nothing(unsigned error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MADV_POPULATE_WRITE, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof code / sizeof *code, code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		_exit(SKIPPED);
}

static void old_kernel(void)
{
	madvise_does_nothing(EINVAL);
}

static void emulator(void)
{
	madvise_does_nothing(0);
}

static void at_once(void)
{
	CHECK(bytes_held(name) >= REGION_SIZE_DEFAULT, "%llu bytes at the start", (unsigned long long)bytes_held(name));
	counts_are_right(0);
}

/* ---- in a control group, which its program fills but for a little */

#define GROUP_BYTES  (64u << 20)
#define GROUP_LEFT   (6u << 20) /* less than an eighth */
#define GROUP_OTHERS (46u << 20)
static const char *const groups[] = { "/sys/fs/cgroup/memory/prof-test", "/sys/fs/cgroup/prof-test" }; /* of either version */
static const char *const limits[] = { "memory.limit_in_bytes", "memory.max" };
static const char *const in_use[] = { "memory.usage_in_bytes", "memory.current" };

static void group_file(char path[128], int version, const char *file)
{
	snprintf(path, 128, "%s/%s", groups[version], file);
}

static bool write_number(const char *path, unsigned long long number)
{
	FILE *file = fopen(path, "we");

	return file && fprintf(file, "%llu\n", number) > 0 && fclose(file) == 0;
}

static unsigned long long read_number(const char *path)
{
	unsigned long long number = 0;
	FILE *file = fopen(path, "re");

	if (file && fscanf(file, "%llu", &number) != 1)
		number = 0;
	if (file)
		fclose(file);
	return number;
}

static void remove_groups(void)
{
	for (int version = 0; version < 2; version++)
		for (int i = 0; i < 1000 && rmdir(groups[version]) != 0 && errno == EBUSY; i++)
			usleep(1000); /* somebody in it is just ending */
}

static void join_group(void)
{
	char path[128];

	for (int version = 0; version < 2; version++) {
		mkdir(groups[version], 0755);
		group_file(path, version, limits[version]);
		if (access(path, W_OK) != 0 || !write_number(path, GROUP_BYTES))
			continue;
		group_file(path, version, "cgroup.procs");
		if (write_number(path, (unsigned long long)getpid()))
			return;
	}
	_exit(SKIPPED);
}

static void in_a_group(void)
{
	char path[128];
	unsigned long long used = 0;

	for (int version = 0; version < 2 && !used; version++) {
		group_file(path, version, in_use[version]);
		used = read_number(path);
	}
	if (!CHECK(used && used < GROUP_BYTES - GROUP_LEFT, "%llu bytes are in use", used))
		return;
	size_t size = GROUP_BYTES - GROUP_LEFT - used;
	CHECK(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0) != MAP_FAILED);
	all_is_counted(2u << 20, 2); /* once for the size that was asked for, once for what is left */
}

/* Another process of the group has most of it before the program begins. */
static void join_used_group(void)
{
	int ready[2];
	char byte;

	join_group();
	if (pipe(ready) != 0)
		_exit(SKIPPED);
	if (fork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		mmap(NULL, GROUP_OTHERS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		close(ready[1]);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 0)
		_exit(SKIPPED);
	close(ready[0]);
	old_kernel();
}

static void at_once_what_is_left(void)
{
	uint64_t most = GROUP_BYTES - GROUP_BYTES / 8 - GROUP_OTHERS;

	CHECK(bytes_held(name) > most / 8 && bytes_held(name) <= most, "%llu bytes", (unsigned long long)bytes_held(name));
	counts_are_right(1);
}


/* Before the library begins: all that is mapped from now on is locked, and hardly more may be. */
__attribute__((constructor(101))) static void lock_memory(void)
{
	struct rlimit limit = { 4 << 20, 4 << 20 };

	if (!getenv("STEPS_LOCKED"))
		return;
	if (setrlimit(RLIMIT_MEMLOCK, &limit) != 0 || (geteuid() == 0 && setuid(65534) != 0) || mlockall(MCL_FUTURE) != 0)
		_exit(SKIPPED);
}

static uint64_t locked_kb(void)
{
	char line[256];
	unsigned long kb = 0;
	FILE *status = fopen("/proc/self/status", "re");

	while (status && fgets(line, sizeof line, status))
		sscanf(line, "VmLck: %lu", &kb);
	if (status)
		fclose(status);
	return kb;
}

static void off(void)
{
	uint64_t before = locked_kb();

	Prof_Zone("made");
	CHECK(locked_kb() <= before + 256, "%llu kB more are locked", (unsigned long long)(locked_kb() - before));
}

/* Another thread forks all the time while the region is made. */
static void *forks(void *unused)
{
	for (int i = 0; i < 100; i++)
		if (fork() == 0) {
			sleep(20);
			_exit(0);
		}
	return unused;
}

__attribute__((constructor(102))) static void begin_to_fork(void)
{
	pthread_t thread;

	if (!getenv("STEPS_FORKS"))
		return;
	if (pthread_create(&thread, NULL, forks, NULL) != 0)
		_exit(SKIPPED);
	usleep(1000);
}

/* The children are in a group of their own. */
static void own_group(void)
{
	setpgid(0, 0);
}

static void the_dead_are_dead(void)
{
	const char *const arguments[] = { "forks", NULL };

	setenv("STEPS_FORKS", "1", 1);
	for (int i = 0; i < 60; i++) {
		struct core_program program = { .shm = core_name("forks"), .arguments = arguments, .prepare = own_group };
		struct attachment a;
		pid_t child = core_start(&program);

		if (core_wait(child, SECONDS) == SKIPPED << 8)
			break;
		if (CHECK(region_attach(&a, program.shm, 0, NULL, 0) == ATTACH_OK))
			CHECK(!a.live, "run %d: its children keep it alive", i);
		region_detach(&a);
		kill(-child, SIGKILL);
		core_remove(program.shm);
	}
	unsetenv("STEPS_FORKS");
}

static const struct {
	const char *what;
	void (*test)(void), (*prepare)(void);
	bool locked, profiled;
} tests[] = {
	{ "plenty", plenty, NULL, false, true },
	{ "a small directory", short_of_memory, small_directory, false, true },
	{ "a control group", in_a_group, join_group, false, true },
	{ "an old kernel", at_once, old_kernel, false, true },
	{ "an old kernel in a control group", at_once_what_is_left, join_used_group, false, true },
	{ "an emulator", at_once, emulator, false, true },
	{ "an emulator, and locked memory", at_once, emulator, true, true },
	{ "locked memory", plenty, NULL, true, true },
	{ "locked memory, not profiled", off, NULL, true, false },
};

int main(int argc, char **argv)
{
	name = getenv("PROF_SHM");
	if (argc > 1 && !strcmp(argv[1], "forks")) {
		Prof(main);
		_exit(0);
	}
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		const char *const arguments[] = { tests[i].what, NULL };
		struct core_program program = { .shm = tests[i].profiled ? core_name("steps") : NULL, .arguments = arguments,
			                        .prepare = tests[i].prepare };

		if (argc > 1 && !strcmp(argv[1], tests[i].what)) {
			tests[i].test();
			return core_result();
		}
		if (argc > 1)
			continue;
		if (tests[i].locked)
			setenv("STEPS_LOCKED", "1", 1);
		int status = core_wait(core_start(&program), SECONDS);
		unsetenv("STEPS_LOCKED");
		if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
			printf("%s: skipped, it needs rights\n", tests[i].what);
		else
			CHECK(status == 0, "%s: status %#x", tests[i].what, (unsigned)status);
		remove_groups();
		if (program.shm)
			core_remove(program.shm);
	}
	if (argc == 1)
		the_dead_are_dead();
	return core_result();
}
