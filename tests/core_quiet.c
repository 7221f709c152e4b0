/* core_quiet: whatever is wrong, the program runs as if it were not profiled.
 *
 * Each case is run without and with PROF_SHM: the same on stdout (which tells of errno, descriptors and signals),
 * the same status, one line on stderr at the most; also where stderr is closed, broken, full or limited, and in
 * the program's own children and plugins.
 */
#include "tests/core_quiet.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/core_host.h"

#define SECONDS 60

void quiet_path(char path[300], const char *name, const char *behind)
{
	snprintf(path, 300, "/dev/shm/%s%s", name, behind);
}

static ino_t inode_of(const char *name, const char *behind)
{
	char path[300];
	struct stat st;

	quiet_path(path, name, behind);
	return lstat(path, &st) == 0 ? st.st_ino : 0;
}

static bool ended_well(int status)
{
	return CHECK(WIFEXITED(status) && WEXITSTATUS(status) == HOST_STATUS, "status %#x", (unsigned)status);
}

/* ---- what a name may do to the one line */

static void test_lines(void)
{
	char longest[400];

	host_expect(&(struct host_case){ "a region", core_name("line"), LIMIT_SMALL, NULL, 0, NULL });
	core_remove(core_name("line"));
	host_expect(&(struct host_case){ "a line break", "a/\nb", NULL, NULL, 1, "a/\\x0ab" });
	host_expect(&(struct host_case){ "escapes", "a/\033[31m\xc2\x9b", NULL, NULL, 1, "a/\\x1b[31m\\xc2\\x9b" });
	memset(longest, '\t', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	host_expect(&(struct host_case){ "a long line", longest, NULL, NULL, 1, "\\x09" });
	host_expect(&(struct host_case){ "bad size, bad name", "a/b", "1", NULL, 1, "PROF_SHM_SIZE" });
}

/* ---- where a dead region is to go there is something else */

static void make_file(const char *path)
{
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0644);

	CHECK(fd >= 0 && write(fd, "not a region", 12) == 12, "%s", path);
	close(fd);
}

static void make_fifo(const char *path)
{
	CHECK(mkfifo(path, 0600) == 0);
}

static void make_directory(const char *path)
{
	CHECK(mkdir(path, 0700) == 0);
}

static void make_link(const char *path)
{
	CHECK(symlink("/etc/passwd", path) == 0);
}

static void test_no_place(void)
{
	static void (*const things[])(const char *) = { make_file, make_fifo, make_directory, make_link };
	const char *name = core_name("place");
	char old[300];

	quiet_path(old, name, "~1");
	host_expect(&(struct host_case){ "the first", name, LIMIT_SMALL, NULL, 0, NULL });
	for (size_t i = 0; i < sizeof things / sizeof *things; i++) {
		ino_t dead = inode_of(name, "");
		things[i](old);
		ino_t thing = inode_of(name, "~1");
		host_expect(&(struct host_case){ "no place", name, LIMIT_SMALL, NULL, 0, NULL });
		CHECK(inode_of(name, "") != dead && inode_of(name, "~1") == thing, "not recorded, or something was moved");
		CHECK(remove(old) == 0);
	}
	core_remove(name);
}

/* ---- the name is the program's own */

static void run_mode(const char *mode, const char *name, struct core_output *output)
{
	const char *arguments[] = { mode, NULL };
	struct core_program program = { .shm = name, .size = LIMIT_SMALL, .arguments = arguments };

	core_catch(&program, SECONDS, output);
}

static void test_own(void)
{
	const char *name = core_name("own");
	static struct core_output output;

	run_mode("parent", name, &output);
	ended_well(output.status);
	CHECK(output.err[0] == '\0', "a child of the program says: %s", output.err);
	core_remove(name);
	run_mode("copy", name, &output);
	if (WIFEXITED(output.status) && WEXITSTATUS(output.status) == 77) {
		printf("     a second copy of the library: skipped, it is not built\n");
	} else if (ended_well(output.status)) {
		CHECK(output.err[0] == '\0', "a second copy, which no zone comes to, says: %s", output.err);
	}
	core_remove(name);
}

/* A daemon's child takes the name later, and says nothing then; what it could say, the parent has said. */
static void test_daemon(void)
{
	static const char *const arguments[] = { "daemon", NULL };
	const char *name = core_name("daemon");
	int ends[2] = { -1, -1 }, lines[2] = { -1, -1 };
	char out[256] = "", err[2048] = "";
	size_t size = 0;
	ssize_t got;

	CHECK(pipe2(ends, O_CLOEXEC) == 0 && pipe2(lines, O_CLOEXEC) == 0);
	struct core_program program = { .shm = name, .size = "1K", .arguments = arguments, .out = ends[1],
		                        .err = lines[1] };
	ended_well(core_wait(core_start(&program), SECONDS));
	close(ends[1]);
	close(lines[1]);
	while (size + 1 < sizeof out && (got = read(ends[0], out + size, sizeof out - 1 - size)) > 0)
		size += (size_t)got;
	CHECK(!strcmp(out, "claimed\n"), "the daemon says: %s", out);
	got = read(lines[0], err, sizeof err - 1);
	CHECK(got > 0 && host_count_lines(err) == 1, "stderr: %s", err);
	close(ends[0]);
	close(lines[0]);
	core_remove(name);
}

/* ---- limits */

static void limit_file(rlim_t bytes)
{
	struct rlimit limit = { bytes, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &limit);
}

static void small_files(void)
{
	limit_file(64 << 10);
}

static void no_files(void)
{
	limit_file(0);
}

static void limit_descriptors(const char *early)
{
	setenv(HOST_EARLY, early, 1);
	if (SANITIZED)
		setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* that takes descriptors of its own */
}

static void no_descriptor(void)
{
	limit_descriptors("descriptors 0");
}

static void one_descriptor(void)
{
	limit_descriptors("descriptors 1");
}

static void two_descriptors(void)
{
	limit_descriptors("descriptors 2");
}

static void little_memory(void)
{
	setenv(HOST_EARLY, "memory", 1);
}

static void test_limits(void)
{
	const char *name = core_name("limit");
	char path[] = "/tmp/prof-test-XXXXXX";
	int file = mkostemp(path, O_CLOEXEC);

	unlink(path);
	host_expect(&(struct host_case){ "small files", name, NULL, small_files, 1, "ulimit -f" });
	CHECK(!core_exists(name));
	/* To say it would be a write beyond the limit, which kills. */
	host_expect_unheard(&(struct host_case){ "no files at all", name, NULL, no_files, 0, NULL }, file);
	CHECK(!core_exists(name) && lseek(file, 0, SEEK_END) == 0);
	close(file);
	host_expect(&(struct host_case){ "no descriptor", name, NULL, no_descriptor, 1, "open files" });
	CHECK(!core_exists(name));
	host_expect(&(struct host_case){ "one descriptor", name, LIMIT_SMALL, one_descriptor, ONE_AT_MOST, NULL });
	host_expect(&(struct host_case){ "two descriptors", name, LIMIT_SMALL, two_descriptors, ONE_AT_MOST, NULL });
	core_remove(name);
	if (SANITIZED) {
		printf("     little memory: skipped, the sanitizer needs more\n");
		return;
	}
	host_expect(&(struct host_case){ "little memory", name, NULL, little_memory, 1, "cannot map" });
	CHECK(!core_exists(name));
}

/* ---- stderr that leads nowhere */

static void close_stderr(void)
{
	close(STDERR_FILENO);
}

static void close_input_and_stderr(void)
{
	close(STDIN_FILENO);
	close(STDERR_FILENO);
}

static int broken_pipe(void)
{
	int ends[2] = { -1, -1 };

	CHECK(pipe2(ends, O_CLOEXEC) == 0);
	close(ends[0]);
	return ends[1];
}

/* Full to the last byte; the reader stays, and reads nothing: a write would wait for ever. */
static int full_pipe(int *reader)
{
	int ends[2] = { -1, -1 };
	char bytes[4096] = "";

	CHECK(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
	while (write(ends[1], bytes, sizeof bytes) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
	*reader = ends[0];
	return ends[1];
}

static void expect_all_unheard(const char *what, void (*prepare)(void), int err)
{
	const char *name = core_name("unheard");

	host_expect_unheard(&(struct host_case){ what, "a/b", NULL, prepare, 0, NULL }, err);
	host_expect_unheard(&(struct host_case){ what, name, "1", prepare, 0, NULL }, err);
	core_remove(name);
	host_expect_unheard(&(struct host_case){ what, name, LIMIT_SMALL, prepare, 0, NULL }, err);
	CHECK(core_exists(name), "%s", what);
	core_remove(name);
}

static void test_unheard(void)
{
	int reader = -1, broken = broken_pipe(), full = full_pipe(&reader), device = open("/dev/full", O_WRONLY | O_CLOEXEC);

	expect_all_unheard("stderr closed", close_stderr, 0);
	expect_all_unheard("stdin and stderr closed", close_input_and_stderr, 0);
	expect_all_unheard("a broken pipe", NULL, broken);
	expect_all_unheard("a full pipe", NULL, full);
	if (device >= 0)
		expect_all_unheard("a full device", NULL, device);
	close(device);
	close(broken);
	close(full);
	close(reader);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "lines", test_lines },   { "no place", test_no_place }, { "own", test_own },       { "daemon", test_daemon },
	{ "limits", test_limits }, { "unheard", test_unheard },   { "mounts", test_mounts }, { "secure", test_secure },
};

int main(int argc, char **argv)
{
	int mode = host_main(argc, argv);

	if (mode >= 0)
		return mode;
	host_path();
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		unsigned before = core_failures();
		tests[i].run();
		printf("%-4s %s\n", core_failures() == before ? "ok" : "FAIL", tests[i].name);
	}
	return core_result();
}
