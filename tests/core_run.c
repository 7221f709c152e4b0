/* core_run.c: checks, names, and programs run under profiling. */
#include "tests/core_run.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHOWN 12 /* failures printed */

static unsigned failures;

bool core_check(bool holds, const char *file, int line, const char *condition, const char *format, ...)
{
	va_list arguments;

	if (!holds && failures++ < SHOWN) {
		fprintf(stderr, "%s:%d: %s:", file, line, condition);
		va_start(arguments, format);
		vfprintf(stderr, format, arguments);
		va_end(arguments);
		fprintf(stderr, "\n");
	}
	return holds;
}

unsigned core_failures(void)
{
	return failures;
}

int core_result(void)
{
	if (failures)
		fprintf(stderr, "%u checks failed\n", failures);
	return failures ? 1 : 0;
}

const char *core_name(const char *tag)
{
	static char names[8][64];
	static unsigned next;
	char *name = names[next++ % 8];

	snprintf(name, sizeof names[0], "prof-test-%s-%ld", tag, (long)getpid());
	return name;
}

static void path_of(char path[300], const char *name, const char *behind)
{
	snprintf(path, 300, "/dev/shm/%s%s", name, behind);
}

void core_remove(const char *name)
{
	char path[300];

	path_of(path, name, "");
	unlink(path);
	path_of(path, name, "~1");
	unlink(path);
}

bool core_exists(const char *name)
{
	char path[300];

	path_of(path, name, "");
	return access(path, F_OK) == 0;
}

bool core_next_region(const char **at, const char *base, char name[100])
{
	char *end;
	long pid = strtol(*at, &end, 10);

	if (end == *at)
		return false;
	snprintf(name, 100, "%s.%ld", base, pid);
	*at = *end ? end + 1 : end;
	return true;
}

static void set(const char *variable, const char *value)
{
	if (value)
		setenv(variable, value, 1);
	else
		unsetenv(variable);
}

static void redirect(int to, int standard)
{
	if (to > 0)
		dup2(to, standard);
}

pid_t core_start(const struct core_program *program)
{
	char *argv[16] = { (char *)"/proc/self/exe" };
	int count = 1;

	for (; program->arguments[count - 1] && count < 15; count++)
		argv[count] = (char *)program->arguments[count - 1];
	fflush(NULL);
	pid_t child = fork();
	if (child != 0)
		return child;
	set("PROF_SHM", program->shm);
	set("PROF_SHM_SIZE", program->size);
	set("PROF_EVENTS", program->events);
	set("PROF_KEEP", program->drop ? NULL : "1");
	redirect(program->out, STDOUT_FILENO);
	redirect(program->err, STDERR_FILENO);
	if (program->prepare)
		program->prepare();
	execv(argv[0], argv);
	_exit(127);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

int core_wait(pid_t child, unsigned seconds)
{
	uint64_t end = now_ms() + seconds * 1000ull;
	int status = 0;
	unsigned pause = 200;

	while (child > 0) {
		pid_t got = waitpid(child, &status, WNOHANG);
		if (got == child || (got < 0 && errno != EINTR))
			return status;
		if (now_ms() > end) {
			CHECK(!"the child ended in time", "child %ld, %u s", (long)child, seconds);
			kill(child, SIGKILL);
			waitpid(child, &status, 0);
			return status;
		}
		core_sleep_us(pause);
		if (pause < 5000)
			pause *= 2;
	}
	return -1;
}

void core_run(const struct core_program *program, unsigned seconds)
{
	int status = core_wait(core_start(program), seconds);

	CHECK(status == 0, "'%s' ended with status %#x", program->arguments[0], (unsigned)status);
}

static void read_back(int fd, char *to, size_t size)
{
	ssize_t got = pread(fd, to, size - 1, 0);

	to[got > 0 ? got : 0] = '\0';
	close(fd);
}

static int scratch(void)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	char path[] = "/tmp/prof-test-XXXXXX";
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

void core_catch(const struct core_program *program, unsigned seconds, struct core_output *output)
{
	struct core_program caught = *program;

	caught.out = scratch();
	caught.err = scratch();
	output->status = core_wait(core_start(&caught), seconds);
	read_back(caught.out, output->out, sizeof output->out);
	read_back(caught.err, output->err, sizeof output->err);
}

bool core_forbid(long number, unsigned answer)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, answer),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof code / sizeof *code, code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

void core_sleep_us(uint64_t us)
{
	struct timespec time = { (time_t)(us / 1000000), (long)(us % 1000000) * 1000 };

	while (nanosleep(&time, &time) != 0 && errno == EINTR)
		;
}
