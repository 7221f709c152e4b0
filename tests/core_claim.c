/* core_claim.c: names and places that cannot be had.
 *
 * Whatever stands in the way, the program runs as without profiling: the same stdout, the same exit status,
 * and at most one line on stderr.  What holds the name stays as it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "shm/attach.h"
#include "tests/core_claim.h"

#define LEAF_STATUS 7

/* ---- what is profiled */

static int leaf(void)
{
	for (int i = 0; i < 5; i++) {
		Prof_Begin(leaf)
		Prof_End
		Prof_update(1);
	}
	puts("leaf");
	return LEAF_STATUS;
}

/* Holds its region, or does without, until its stdin ends. */
static int hold(void)
{
	const char *gate = getenv("PROF_TEST_GATE");
	char byte = 'm';

	leaf();
	fflush(stdout);
	if (gate && write(atoi(gate), &byte, 1) != 1)
		return 97;
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}

/* Before the library begins: a limit that the dynamic loader would not survive, or a gate to wait at. */
__attribute__((constructor(101))) static void before_all(void)
{
	static const struct { const char *variable; int resource; } limits[] = {
		{ "PROF_TEST_FSIZE", RLIMIT_FSIZE }, { "PROF_TEST_NOFILE", RLIMIT_NOFILE }, { "PROF_TEST_AS", RLIMIT_AS },
	};
	const char *gate = getenv("PROF_TEST_GATE");
	char byte = 'r';

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (getenv(limits[i].variable)) {
			rlim_t value = (rlim_t)strtoull(getenv(limits[i].variable), NULL, 10);
			struct rlimit limit = { value, value };
			setrlimit(limits[i].resource, &limit);
		}
	if (gate) {
		int out = atoi(gate), in = atoi(strchr(gate, ',') + 1);
		if (write(out, &byte, 1) != 1 || read(in, &byte, 1) != 1)
			_exit(99);
	}
}

/* ---- a run, and what it must be like */

static const char *const leaf_arguments[] = { "leaf", NULL };

unsigned lines_of(const char *text)
{
	unsigned lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

void run_leaf(const char *what, struct core_program program, unsigned lines)
{
	struct core_output output;

	program.arguments = leaf_arguments;
	core_catch(&program, 20, &output);
	CHECK(WIFEXITED(output.status) && WEXITSTATUS(output.status) == LEAF_STATUS, "%s: status %#x", what,
	      (unsigned)output.status);
	CHECK(!strcmp(output.out, "leaf\n"), "%s: stdout '%s'", what, output.out);
	CHECK(lines_of(output.err) == lines && (!lines || !strncmp(output.err, "prof: ", 6)), "%s: stderr '%s'", what,
	      output.err);
	if (lines)
		printf("%-28s %s", what, output.err);
}

static void path_of(char path[300], const char *name, const char *behind)
{
	snprintf(path, 300, "/dev/shm/%s%s", name, behind);
}

static uint32_t pid_of(const char *name)
{
	struct image image;
	uint32_t pid = 0;

	if (image_load(&image, name)) {
		pid = image.header->pid;
		image_free(&image);
	}
	return pid;
}

/* ---- names */

static void impossible_names(void)
{
	static char longest[REGION_NAME_MAX + 2];
	static const char *const names[] = { "/", ".", "..", ".hidden", "a/b", "../etc/x", "//", "a/", "a~1", longest };

	memset(longest, 'n', sizeof longest - 1);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		run_leaf(names[i] == longest ? "too long" : names[i], (struct core_program){ .shm = names[i] }, 1);
	run_leaf("no name", (struct core_program){ .shm = "" }, 0);
	longest[REGION_NAME_MAX - 2] = '\0'; /* NAME~1 has to be a name, too */
	run_leaf("a name as long as can be", (struct core_program){ .shm = longest, .size = "256K" }, 0);
	CHECK(core_exists(longest), "no region of the longest name");
	core_remove(longest);
}

static void impossible_sizes(void)
{
	static const char *const sizes[] = { "1K", "x", "12q", "-1", "99999999999999999999", "5000000G", "1MM" };
	const char *name = core_name("size");

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		run_leaf(sizes[i], (struct core_program){ .shm = name, .size = sizes[i], .drop = true }, 1);
	run_leaf("size", (struct core_program){ .shm = name, .size = "300k", .drop = true }, 0);
	CHECK(!core_exists(name), "%s was left", name);
}

/* ---- a live owner */

static void live_owner(void)
{
	const char *name = core_name("live"), *const arguments[] = { "hold", NULL };
	struct core_program owner = { .shm = name, .size = "256K", .arguments = arguments };
	int input[2], null = open("/dev/null", O_WRONLY | O_CLOEXEC), saved = dup(STDIN_FILENO);

	if (pipe2(input, O_CLOEXEC) != 0)
		abort();
	dup2(input[0], STDIN_FILENO);
	owner.out = null;
	pid_t child = core_start(&owner);
	dup2(saved, STDIN_FILENO);
	for (int i = 0; i < 4000 && !core_exists(name); i++)
		core_sleep_us(1000);
	for (int i = 0; i < 3; i++)
		run_leaf("taken by a live process", (struct core_program){ .shm = name }, 1);
	CHECK(pid_of(name) == (uint32_t)child, "the region is no longer of its owner");
	close(input[1]);
	CHECK(core_wait(child, 20) == 0, "owner");
	close(input[0]);
	close(saved);
	close(null);
	char old[300];
	path_of(old, name, "~1");
	CHECK(access(old, F_OK) != 0, "a live region was retired");
	core_remove(name);
}

ino_t inode_of(const char *name, const char *behind)
{
	char path[300];
	struct stat st;

	path_of(path, name, behind);
	return lstat(path, &st) == 0 ? st.st_ino : 0;
}

/* A dead region makes room; the newest one of them is kept. */
static void dead_owner(void)
{
	const char *name = core_name("dead");
	ino_t first, second, third;

	run_leaf("first", (struct core_program){ .shm = name, .size = "256K" }, 0);
	first = inode_of(name, "");
	run_leaf("second", (struct core_program){ .shm = name, .size = "256K" }, 0);
	second = inode_of(name, "");
	CHECK(first && second && first != second && inode_of(name, "~1") == first, "the dead region was not put aside");
	run_leaf("third", (struct core_program){ .shm = name, .size = "256K" }, 0);
	third = inode_of(name, "");
	CHECK(third != second && inode_of(name, "~1") == second, "the dead region was not put aside");
	CHECK(!inode_of(name, "~2") && !inode_of(name, "~1~1"), "more than one is kept");
	struct check_seen seen = { 0 };
	check_region(name, &seen);
	core_remove(name);
}

/* ---- what is no region of ours */

static void make_fifo(const char *path)
{
	CHECK(mkfifo(path, 0600) == 0, "%s", path);
}

static void make_directory(const char *path)
{
	CHECK(mkdir(path, 0700) == 0, "%s", path);
}

static void make_link(const char *path)
{
	CHECK(symlink("/etc/passwd", path) == 0, "%s", path);
}

static void make_dangling_link(const char *path)
{
	CHECK(symlink("/dev/shm/prof-test-nowhere", path) == 0, "%s", path);
}

static void make_empty(const char *path)
{
	close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

static void make_garbage(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	CHECK(write(fd, "somebody's data, to be left alone", 33) == 33, "%s", path);
	close(fd);
}

static void make_socket_like(const char *path)
{
	CHECK(mknod(path, S_IFSOCK | 0600, 0) == 0, "%s", path);
}

static void not_a_region(void)
{
	static const struct {
		const char *what;
		void (*make)(const char *path);
	} things[] = {
		{ "a FIFO", make_fifo },          { "a directory", make_directory },
		{ "a link", make_link },          { "a link to nowhere", make_dangling_link },
		{ "an empty file", make_empty },  { "a file", make_garbage },
		{ "a socket", make_socket_like },
	};
	const char *name = core_name("thing");
	char path[300];
	struct stat before, after;

	path_of(path, name, "");
	for (size_t i = 0; i < sizeof things / sizeof *things; i++) {
		things[i].make(path);
		lstat(path, &before);
		run_leaf(things[i].what, (struct core_program){ .shm = name, .size = "256K" }, 1);
		CHECK(lstat(path, &after) == 0 && before.st_ino == after.st_ino && before.st_size == after.st_size &&
		          before.st_mtime == after.st_mtime,
		      "%s was changed", things[i].what);
		if (remove(path) != 0)
			CHECK(false, "%s", path);
	}
}

static void of_another_user(void)
{
	const char *name = core_name("other");
	char path[300];

	if (geteuid() != 0)
		return;
	run_leaf("mine", (struct core_program){ .shm = name, .size = "256K" }, 0);
	path_of(path, name, "");
	CHECK(chown(path, 12345, 12345) == 0, "%s", path);
	ino_t before = inode_of(name, "");
	run_leaf("of another user", (struct core_program){ .shm = name, .size = "256K" }, 1);
	CHECK(inode_of(name, "") == before && !inode_of(name, "~1"), "another user's region was moved");
	core_remove(name);
}

/* A region under NAME~1 is replaced only if it is dead and of the same user; else the dead one is removed. */
static void retired_name_taken(void)
{
	const char *name = core_name("old");
	struct stat before, after;
	char path[300];

	path_of(path, name, "~1");
	for (int foreign = 0; foreign <= (geteuid() == 0); foreign++) {
		run_leaf("first", (struct core_program){ .shm = name, .size = "256K" }, 0);
		make_garbage(path);
		CHECK(!foreign || chown(path, 12345, 12345) == 0, "%s", path);
		lstat(path, &before);
		for (int i = 0; i < 3; i++) {
			ino_t dead = inode_of(name, "");
			run_leaf("NAME~1 is a file", (struct core_program){ .shm = name, .size = "256K" }, 0);
			CHECK(inode_of(name, "") && inode_of(name, "") != dead, "not recorded");
		}
		CHECK(lstat(path, &after) == 0 && before.st_ino == after.st_ino && before.st_size == after.st_size &&
		          before.st_uid == after.st_uid,
		      "a file was replaced");
		core_remove(name);
	}
}

/* Containers that share /dev/shm have ids of their own: one that is also of a parent here is another process's. The test holds
 * the lock of a region whose header has the test's id, and another beginning. */
static void another_container(void)
{
	const char *name = core_name("container");
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	uint64_t start = 1;
	uint32_t pid = (uint32_t)getpid();
	char path[300];

	run_leaf("a region", (struct core_program){ .shm = name, .size = "256K" }, 0);
	path_of(path, name, "");
	int fd = open(path, O_RDWR | O_CLOEXEC);
	CHECK(fd >= 0 && fcntl(fd, F_OFD_SETLK, &lock) == 0 &&
	          pwrite(fd, &pid, sizeof pid, offsetof(struct region_header, pid)) == sizeof pid &&
	          pwrite(fd, &start, sizeof start, offsetof(struct region_header, process_start)) == sizeof start,
	      "%s", path);
	run_leaf("another container", (struct core_program){ .shm = name, .size = "256K" }, 1);
	close(fd);
	core_remove(name);
}

/* ---- places and limits */

static void no_directory(void)
{
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", "/dev", "tmpfs", 0, "size=64k") != 0)
		_exit(98);
}

static void read_only_directory(void)
{
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", "/dev/shm", "tmpfs", MS_RDONLY, "size=64k") != 0)
		_exit(98);
}

static void small_directory(const char *size)
{
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", "/dev/shm", "tmpfs", 0, size) != 0)
		_exit(98);
}

static void full_directory(void)
{
	small_directory("size=64k");
}

static bool can_mount(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		small_directory("size=64k");
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status == 0;
}

/* A directory with room for what a region and a half begin with: the dead one that was put aside goes for the new one. */
static int one_and_a_half(void)
{
	const char *name = core_name("half");

	small_directory("size=480k");
	run_leaf("first", (struct core_program){ .shm = name }, 0);
	run_leaf("second", (struct core_program){ .shm = name }, 0);
	CHECK(inode_of(name, "") && !inode_of(name, "~1"), "the dead region did not make room");
	return core_result();
}

static void places(void)
{
	const char *name = core_name("place"), *const half[] = { "half", NULL };
	struct core_program program = { .arguments = half };

	if (geteuid() != 0 || !can_mount()) {
		printf("places: skipped, they need the right to mount\n");
		return;
	}
	run_leaf("no /dev/shm", (struct core_program){ .shm = name, .prepare = no_directory }, 1);
	run_leaf("/dev/shm read-only", (struct core_program){ .shm = name, .prepare = read_only_directory }, 1);
	run_leaf("/dev/shm full", (struct core_program){ .shm = name, .prepare = full_directory }, 1);
	core_run(&program, 30);
	CHECK(!core_exists(name), "%s was left", name);
}

static void limits(void)
{
	const char *name = core_name("limit");
	char value[24];

	setenv("PROF_TEST_FSIZE", "65536", 1);
	run_leaf("limit on file sizes", (struct core_program){ .shm = name }, 1);
	setenv("PROF_TEST_FSIZE", "262143", 1);
	run_leaf("one byte less", (struct core_program){ .shm = name, .size = "256K" }, 1);
	setenv("PROF_TEST_FSIZE", "262144", 1);
	run_leaf("just enough", (struct core_program){ .shm = name, .size = "256K", .drop = true }, 0);
	unsetenv("PROF_TEST_FSIZE");
	for (int files = 0; files <= 8; files++) {
		snprintf(value, sizeof value, "%d", files);
		setenv("PROF_TEST_NOFILE", value, 1);
		run_leaf("limit on descriptors", (struct core_program){ .shm = name, .size = "256K", .drop = true },
		         files >= 1 && files <= 3 ? 1 : 0); /* with none at all even poll fails, and it is silent */
	}
	unsetenv("PROF_TEST_NOFILE");
	CHECK(!core_exists(name), "%s was left", name);
	core_remove(name);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static void no_memory(void)
{
	const char *name = core_name("memory");

	setenv("PROF_TEST_AS", "33554432", 1);
	run_leaf("limit on memory", (struct core_program){ .shm = name, .size = "64M" }, 1);
	unsetenv("PROF_TEST_AS");
	CHECK(!core_exists(name), "%s was left", name);
}
#else
static void no_memory(void)
{
}
#endif

static void close_both(void)
{
	close(STDERR_FILENO);
}

static void closed_stderr(void)
{
	run_leaf("closed stderr", (struct core_program){ .shm = "a/b", .prepare = close_both }, 0);
	run_leaf("closed stderr", (struct core_program){ .shm = core_name("closed"), .size = "256K", .drop = true,
	                                                  .prepare = close_both }, 0);
}

int main(int argc, char **argv)
{
	for (int fd = 3; fd < 256 && argc == 1; fd++)
		close(fd); /* what make has left open counts against the limits on descriptors */
	if (argc > 1 && !strcmp(argv[1], "leaf"))
		return leaf();
	if (argc > 1 && !strcmp(argv[1], "hold"))
		return hold();
	if (argc > 1 && !strcmp(argv[1], "half"))
		return one_and_a_half();
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* a leak check needs descriptors of its own */
	impossible_names();
	impossible_sizes();
	live_owner();
	dead_owner();
	not_a_region();
	of_another_user();
	retired_name_taken();
	another_container();
	places();
	limits();
	no_memory();
	closed_stderr();
	races();
	return core_result();
}
