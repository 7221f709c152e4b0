/* SPDX-License-Identifier: MIT */
/*
 * proftop_left: what is left of a file while which is written a signal ends proftop: nothing, or the file as a whole. A
 * recording is there as far as it came, and nothing beside it.
 *
 * proftop is traced, and the signal comes at each of its system calls in turn. A filter sees to it that files without names
 * cannot be had, as on a file system that has none.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/ptrace.h>

#include "tests/long.h"
#include "tests/proftop_run.h"

#define NEVER UINT32_MAX
#define UNNAMED (O_TMPFILE & ~O_DIRECTORY)

static char folder[] = "/tmp/proftop-left-XXXXXX", files[64];
static char proftop[4096], region[64];
static struct game game;

/* ---- a file system without files that have no names */

static bool forbid_unnamed(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, UNNAMED, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* ---- runs */

struct way {
	const char *arguments[8];
	bool named;   /* files without names cannot be had */
	bool partly;  /* what was written so far may be there */
	unsigned step; /* from one system call at which the signal comes to the next, in a run of minutes */
};

static _Noreturn void be_proftop(const struct way *w)
{
	const char *argv[16] = { proftop };
	int null = open("/dev/null", O_RDWR);

	for (int i = 0; w->arguments[i]; i++)
		argv[i + 1] = w->arguments[i];
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	setenv("TMPDIR", files, 1);
	setenv("XDG_CONFIG_HOME", "/dev/null", 1);
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* which cannot be looked for where one is traced */
	if (chdir(files) || ptrace(PTRACE_TRACEME, 0, 0, 0) || (w->named && !forbid_unnamed()))
		_exit(77);
	raise(SIGSTOP);
	execv(proftop, (char *const *)argv);
	_exit(99);
}

static bool asks_for_unnamed(pid_t pid)
{
	struct ptrace_syscall_info info;

	return ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) > 0 && info.op == PTRACE_SYSCALL_INFO_ENTRY &&
	       info.entry.nr == SYS_openat && info.entry.args[2] & UNNAMED;
}

struct stops {
	uint32_t first; /* at which a file is made; 0: all is of interest */
	uint32_t count;
};

/* Up to that stop at a system call; NEVER: to the end. Returns how it ended. */
static int run(const struct way *w, uint32_t until, int sig, struct stops *stops)
{
	pid_t pid = fork();
	int status, passed = 0;

	assert_true(pid >= 0);
	if (!pid)
		be_proftop(w);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFSTOPPED(status))
		return status;
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
	for (*stops = (struct stops){ 0 };; passed = 0) {
		ptrace(PTRACE_SYSCALL, pid, 0, passed);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (!WIFSTOPPED(status))
			return status;
		if (WSTOPSIG(status) != (SIGTRAP | 0x80))
			passed = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		else if (stops->count++ == until)
			break;
		else if (until == NEVER && !stops->first && asks_for_unnamed(pid))
			stops->first = stops->count - 1;
	}
	ptrace(PTRACE_DETACH, pid, 0, sig);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* ---- what is there */

/* Names that begin with `file`, which are taken away; any other fails. */
static int count_and_clear(const struct way *w, int sig, uint32_t at)
{
	DIR *d = opendir(files);
	int count = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		assert_int_equal(unlinkat(dirfd(d), e->d_name, 0), 0);
		if (strncmp(e->d_name, "file", 4) != 0)
			fail_msg("%s %s: signal %d at stop %u left %s", w->arguments[0], w->arguments[1], sig, at, e->d_name);
		count++;
	}
	closedir(d);
	return count;
}

static long size_of_file(void)
{
	char path[96];
	struct stat st;

	snprintf(path, sizeof(path), "%s/file", files);
	return stat(path, &st) ? -1 : (long)st.st_size;
}

static void end_at(const struct way *w, uint32_t at, int sig, long whole)
{
	struct stops stops;
	int status = run(w, at, sig, &stops);
	long size = size_of_file();

	if (!w->partly && size >= 0 && size != whole)
		fail_msg("%s: signal %d at stop %u left %ld bytes of %ld", w->arguments[0], sig, at, size, whole);
	if (!WIFEXITED(status) && !(WIFSIGNALED(status) && WTERMSIG(status) == sig))
		fail_msg("%s: signal %d at stop %u: it ended with status 0x%x", w->arguments[0], sig, at, status);
	count_and_clear(w, sig, at);
}

static void try_way(const struct way *w)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	uint32_t step = test_long() ? 1 : w->step;
	struct stops stops;
	int status = run(w, NEVER, 0, &stops);
	long whole = size_of_file();

	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip(); /* nobody may be traced, or have a filter */
	assert_int_equal(status, 0);
	assert_true(whole > 0);
	assert_true(count_and_clear(w, 0, NEVER) >= 1);
	for (uint32_t i = stops.first; i < stops.count; i += step)
		end_at(w, i, signals[i / step % 3], whole);
}

static void exports_without_unnamed_files(void **state)
{
	(void)state;
	try_way(&(struct way){ { "export", "chrome", "-o", "file", region }, .named = true, .step = 3 });
}

static void exports(void **state)
{
	(void)state;
	try_way(&(struct way){ { "export", "folded", "-o", "file", region }, .step = 1 });
}

/* The temporary file beside a trace that is read, in TMPDIR, loses its name at once. */
static void traces(void **state)
{
	(void)state;
	try_way(&(struct way){ { "export", "folded", "-o", "file", "../trace" }, .named = true, .step = 1 });
}

static void recordings(void **state)
{
	(void)state;
	for (int named = 0; named < 2; named++) {
		try_way(&(struct way){ { "record", "-o", "file", "../trace" }, .named = named, .partly = true, .step = 17 });
		try_way(&(struct way){ { "record", "-o", "file", "-n", "20", region }, .named = named, .partly = true, .step = 17 });
		try_way(&(struct way){ { "record", "-o", "file", "--max-size=1M", "--seconds=0.1", region }, .named = named, .partly = true,
				       .step = 17 });
	}
}

/* ---- the screen */

static bool is_aside(void)
{
	DIR *d = opendir(files);
	bool found = false;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		found |= !strncmp(e->d_name, ".proftop-", 9);
	closedir(d);
	return found;
}

/* As profile-visualiser has them. */
static bool put_calls(const char *path, unsigned count)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return false;
	fputs("T 1 main\nF 1 1 work\n", out);
	for (unsigned i = 0; i < count; i++)
		fprintf(out, "S 1 1 %u\nE 1 1 %u\n", 10 * i, 10 * i + 7);
	return !fclose(out);
}

/* In the middle of a file. `sig` 0: Esc. */
static void end_screen(int sig)
{
	static const char *const arguments[] = { "/proc/self/exe", "named", proftop, "../calls", NULL };
	struct screen *s;

	assert_int_equal(chdir(files), 0);
	s = screen_start(&(struct screen_start){ .argv = arguments });
	screen_until(s, "FILE");
	screen_until(s, "work");
	screen_type(s, ":export chrome file\r");
	for (int i = 0; !is_aside() && i < 2000; i++)
		screen_pump(s, 5);
	if (sig) {
		assert_int_equal(kill(screen_pid(s), sig), 0);
		screen_end(s);
	} else {
		screen_type(s, "\033");
		screen_until(s, "file not written: cancelled");
		assert_int_equal(count_and_clear(&(struct way){ { "the screen", "Esc" }, .partly = false }, 0, 0), 0);
		screen_type(s, "Q");
		assert_int_equal(screen_end(s), 0);
	}
	screen_free(s);
	for (int i = 0; is_aside() && i < 2000; i++) /* after SIGABRT, the child that writes ends on its own */
		usleep(5000);
	assert_int_equal(count_and_clear(&(struct way){ { "the screen", "ended" }, .partly = false }, sig, 0), 0);
}

static bool can_forbid(void)
{
	pid_t pid = fork();
	int status = -1;

	if (!pid)
		_exit(!forbid_unnamed());
	return waitpid(pid, &status, 0) == pid && !status;
}

static void screens(void **state)
{
	static const int ways[] = { 0, SIGTERM, SIGHUP, SIGINT, SIGABRT };

	(void)state;
	if (!can_forbid())
		skip();
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		end_screen(ways[i]);
}

/* More calls than the screen holds: it does not say that they are all. */
static void a_part_is_said(void **state)
{
	static const char *const arguments[] = { proftop, "../many", NULL };
	struct screen *s;
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/many", folder);
	assert_true(put_calls(path, 1100000));
	assert_int_equal(chdir(files), 0);
	s = screen_start(&(struct screen_start){ .argv = arguments, .columns = 160, .rows = 24 });
	screen_until(s, "work");
	screen_type(s, ":export perf-timer-binary file\r");
	screen_until(s, "as many as are in memory");
	screen_type(s, "p\tg:export perf-timer-binary file2\r"); /* of a frame there are those, whatever was looked at before */
	screen_until(s, "wrote file2 (527 KiB): frame 1");
	screen_type(s, "Q");
	assert_int_equal(screen_end(s), 0);
	screen_free(s);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(count_and_clear(&(struct way){ { "the screen", "a part" }, .partly = true }, 0, 0), 2);
}

/* Without a screen how far it is stands on stderr, and goes when it is there. */
static void how_far_it_is_is_told(void **state)
{
	static const char *const arguments[] = { proftop, "export", "chrome", "-o", "pipe", "../calls", NULL };
	struct screen *s;
	char path[96], bytes[65536];
	ssize_t n;
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/pipe", files);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(chdir(files), 0);
	s = screen_start(&(struct screen_start){ .argv = arguments });
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	while (!screen_shows(s, "written: ") && (n = read(fd, bytes, 4096)) > 0)
		screen_pump(s, 1);
	assert_true(screen_shows(s, " %"));
	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		;
	close(fd);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(screen_end(s), 0);
	assert_false(screen_shows(s, "written: "));
	screen_free(s);
}

static int begin(void **state)
{
	const char *top = getenv("top_builddir");
	char path[64];
	FILE *out;

	(void)state;
	if (!realpath(top ? top : ".", proftop) || !mkdtemp(folder))
		return -1;
	strcat(proftop, "/proftop/proftop");
	snprintf(files, sizeof(files), "%s/files", folder);
	snprintf(path, sizeof(path), "%s/trace", folder);
	out = fopen(path, "w");
	if (mkdir(files, 0700) || !out || fputs("a;b 10\na 20\n", out) < 0 || fclose(out))
		return -1;
	snprintf(path, sizeof(path), "%s/calls", folder);
	if (!put_calls(path, 600000))
		return -1;
	game_begin(&game, 'l');
	snprintf(region, sizeof(region), "%s", game.b.name);
	return 0;
}

static int end(void **state)
{
	char path[64];

	(void)state;
	game_end(&game);
	snprintf(path, sizeof(path), "%s/trace", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s/calls", folder);
	return unlink(path) || rmdir(files) || rmdir(folder);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exports_without_unnamed_files),
		cmocka_unit_test(exports),
		cmocka_unit_test(traces),
		cmocka_unit_test(recordings),
		cmocka_unit_test(screens),
		cmocka_unit_test(a_part_is_said),
		cmocka_unit_test(how_far_it_is_is_told),
	};

	if (argc > 2 && !strcmp(argv[1], "named")) {
		if (forbid_unnamed())
			execv(argv[2], argv + 2);
		return 77;
	}
	return cmocka_run_group_tests_name("proftop: left", tests, begin, end);
}
