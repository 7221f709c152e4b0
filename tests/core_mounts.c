/* core_mounts.c: the shared-memory directory full, read-only, not there; no /proc; a program with more rights.
 *
 * Every mount is made in a mount namespace of its own, which ends with the process that made it.
 */
#include "tests/core_quiet.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/core_host.h"

#define SECONDS 60
#define SKIPPED 77
#define NOBODY  65534

static bool own_mounts(void)
{
	return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static bool mount_memory(const char *where, const char *options, unsigned long flags)
{
	return mount("none", where, "tmpfs", flags, options) == 0;
}

static void in_own_mounts(const char *what, void (*test)(void))
{
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		unsigned before = core_failures();
		if (!own_mounts())
			_exit(SKIPPED);
		test();
		fflush(NULL);
		_exit(core_failures() == before ? 0 : 1);
	}
	int status = core_wait(child, SECONDS);
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
		printf("     %s: skipped, no mounts of its own\n", what);
	else
		CHECK(status == 0, "%s", what);
}

static void full(void)
{
	const char *name = core_name("full");

	if (!CHECK(mount_memory("/dev/shm", "size=64k", 0)))
		return;
	host_expect(&(struct host_case){ "full", name, NULL, NULL, 1, "cannot hold the region" });
	host_expect(&(struct host_case){ "full", name, "256K", NULL, 1, "cannot hold the region" });
	host_expect(&(struct host_case){ "far too large", name, "512G", NULL, 1, "cannot hold the region" });
	CHECK(!core_exists(name));
}

/* Room for what a region and a half begin with: the dead one that is kept goes. */
static void nearly_full(void)
{
	const char *name = core_name("nearly-full");
	char old[300];

	if (!CHECK(mount_memory("/dev/shm", "size=480k", 0)))
		return;
	quiet_path(old, name, "~1");
	for (int i = 0; i < 3; i++) {
		host_expect(&(struct host_case){ "nearly full", name, NULL, NULL, 0, NULL });
		CHECK(core_exists(name));
		CHECK(access(old, F_OK) != 0, "the dead region was kept");
	}
}

/* There is room for the program, and for none of its children that have regions
 * of their own. */
static void full_for_children(void)
{
	static const char *const arguments[] = { "children", NULL };
	static struct core_output output;
	char names[128];

	if (!CHECK(mount_memory("/dev/shm", "size=480k", 0)))
		return;
	snprintf(names, sizeof names, "%s.%%p", core_name("children"));
	core_catch(&(struct core_program){ .shm = names, .arguments = arguments }, SECONDS, &output);
	CHECK(WIFEXITED(output.status) && WEXITSTATUS(output.status) == HOST_STATUS, "status %#x", (unsigned)output.status);
	CHECK(host_count_lines(output.err) == 1, "stderr: %s", output.err);
}

static void not_there(void)
{
	if (CHECK(mount_memory("/dev", "size=128k", 0)))
		host_expect(&(struct host_case){ "no directory", core_name("nowhere"), NULL, NULL, 1, "/dev/shm" });
}

static void read_only(void)
{
	if (CHECK(mount_memory("/dev/shm", "size=128k", MS_RDONLY)))
		host_expect(&(struct host_case){ "read-only", core_name("read-only"), NULL, NULL, 1, "/dev/shm" });
}

static void hide_proc(void)
{
	if (own_mounts() && mount_memory("/proc", "size=4k", 0))
		execl(host_path(), host_path(), "host", (char *)NULL);
	_exit(3);
}

/* Without /proc an unnamed file cannot be linked: the region has a hidden name until it is complete. */
static void no_proc(void)
{
	const char *name = core_name("no-proc");

	if (!CHECK(mount_memory("/dev/shm", "size=2m", 0)))
		return;
	for (int i = 0; i < 2; i++)
		host_expect(&(struct host_case){ "no /proc", name, LIMIT_SMALL, hide_proc, 0, NULL });
	CHECK(core_exists(name));
	if (CHECK(mount_memory("/dev/shm", "size=64k", 0)))
		host_expect(&(struct host_case){ "no /proc, and no room", name, NULL, hide_proc, 1, "cannot hold" });
	DIR *directory = opendir("/dev/shm");
	for (struct dirent *entry; directory && (entry = readdir(directory));)
		CHECK(entry->d_name[0] != '.' || !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."),
		      "%s was left behind", entry->d_name);
	closedir(directory);
}

void test_mounts(void)
{
	if (geteuid() != 0) {
		printf("     mounts: skipped, not root\n");
		return;
	}
	in_own_mounts("a full directory", full);
	in_own_mounts("a nearly full directory", nearly_full);
	in_own_mounts("a directory that is full for children", full_for_children);
	in_own_mounts("no directory", not_there);
	in_own_mounts("a read-only directory", read_only);
	if (SANITIZED)
		printf("     no /proc: skipped, the sanitizer needs it\n");
	else
		in_own_mounts("no /proc", no_proc);
}

/* ---- more rights than its user */

static char privileged[64];

static void as_nobody(void)
{
	if (setgid(NOBODY) == 0 && setuid(NOBODY) == 0)
		execl(privileged, privileged, "secure", (char *)NULL);
	_exit(3);
}

static bool copy_file(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	char bytes[65536];
	ssize_t got = -1;

	while (in >= 0 && out >= 0 && (got = read(in, bytes, sizeof bytes)) > 0)
		if (write(out, bytes, (size_t)got) != got)
			break;
	close(in);
	close(out);
	return got == 0;
}

static void run_privileged(const char *name)
{
	static const char *const arguments[] = { "secure", NULL };
	struct core_program program = { .shm = name, .size = LIMIT_SMALL, .arguments = arguments, .prepare = as_nobody };
	static struct core_output output;

	core_catch(&program, SECONDS, &output);
	if (strcmp(output.out, "secure 1\n")) {
		printf("     a privileged program: skipped, it is none here: %s%s\n", output.out, output.err);
	} else {
		CHECK(WIFEXITED(output.status) && WEXITSTATUS(output.status) == HOST_STATUS, "status %#x",
		      (unsigned)output.status);
		CHECK(output.err[0] == '\0' && !core_exists(name), "it followed the environment: %s", output.err);
	}
	core_remove(name);
}

void test_secure(void)
{
	char directory[] = "/tmp/prof-test-XXXXXX";

	if (geteuid() != 0 || SANITIZED) {
		printf("     a privileged program: skipped, %s\n", SANITIZED ? "the sanitizer refuses" : "not root");
		return;
	}
	if (!CHECK(mkdtemp(directory) != NULL))
		return;
	snprintf(privileged, sizeof privileged, "%s/program", directory);
	if (CHECK(chmod(directory, 0755) == 0 && copy_file(host_path(), privileged) && chmod(privileged, 04755) == 0))
		run_privileged(core_name("secure"));
	unlink(privileged);
	rmdir(directory);
}
