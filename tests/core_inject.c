/* core_inject.c: a tracer that lets one system call fail. */
#include "tests/core_inject.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <linux/futex.h>
#include <linux/ptrace.h>
#include <unistd.h>
#include "tests/core_host.h"

#define MARK  0x70726f66 /* an argument of gettid, which takes none */
#define TASKS 16

struct task {
	pid_t id;
	enum window window;
	int error; /* that the call which it is in returns; 0: its own */
};

struct tracer {
	const struct injection *injection;
	struct injected *injected;
	struct task tasks[TASKS];
	pid_t first;
};

void inject_window(enum window window)
{
	syscall(SYS_gettid, MARK, window);
}

/* ---- registers */

#if defined(__x86_64__)
static void drop_call(pid_t task)
{
	ptrace(PTRACE_POKEUSER, task, offsetof(struct user, regs.orig_rax), -1L);
}

static void set_result(pid_t task, long result)
{
	ptrace(PTRACE_POKEUSER, task, offsetof(struct user, regs.rax), result);
}
#elif defined(__aarch64__)
static void drop_call(pid_t task)
{
	int number = -1;
	struct iovec io = { &number, sizeof number };

	ptrace(PTRACE_SETREGSET, task, (void *)NT_ARM_SYSTEM_CALL, &io);
}

static void set_result(pid_t task, long result)
{
	struct user_regs_struct regs;
	struct iovec io = { &regs, sizeof regs };

	ptrace(PTRACE_GETREGSET, task, (void *)NT_PRSTATUS, &io);
	regs.regs[0] = (unsigned long long)result;
	ptrace(PTRACE_SETREGSET, task, (void *)NT_PRSTATUS, &io);
}
#else
static void drop_call(pid_t task)
{
	(void)task;
}

static void set_result(pid_t task, long result)
{
	(void)task;
	(void)result;
}
#endif

/* ---- what may fail */

/* Calls that cannot fail as they are made here, which the C library knows and relies on; and those by which tasks come
 * and go, where it is not the library that makes them. */
static bool is_certain(const struct ptrace_syscall_info *info, enum window window, int error)
{
	long number = (long)info->entry.nr;
	static const long certain[] = { SYS_rt_sigprocmask, SYS_exit, SYS_exit_group, SYS_wait4, SYS_rt_sigreturn,
		                        SYS_set_robust_list, SYS_gettid, SYS_restart_syscall, SYS_brk, /* which returns no error */
#ifdef SYS_rseq
		                        SYS_rseq,
#endif
#if SANITIZED /* it ends the program where it cannot have memory or learn of its threads */
		                        SYS_mmap, SYS_munmap, SYS_mprotect, SYS_madvise, SYS_sigaltstack, SYS_sched_getaffinity,
#endif
	};

	for (size_t i = 0; i < sizeof certain / sizeof *certain; i++)
		if (number == certain[i])
			return true;
	if (number == SYS_futex)
		/* A wait may be interrupted; other errors end the program, in the C library, and no wake fails. */
		return error != EINTR || (info->entry.args[1] & FUTEX_CMD_MASK) == FUTEX_WAKE;
#ifdef SYS_clone3
	if (number == SYS_clone3)
		return window != WINDOW_START;
#endif
	return number == SYS_clone && window != WINDOW_START;
}

/* Whether a signal of the program's could come. */
static bool is_interruptible(pid_t task)
{
	uint64_t mask = 0, never = 1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1);

	/* 32 and 33 are the C library's own. */
	return ptrace(PTRACE_GETSIGMASK, task, sizeof mask, &mask) == 0 && ~(mask | never | 3ull << 31);
}

static bool is_unnamed(const struct ptrace_syscall_info *info)
{
	return info->entry.nr == SYS_openat && (info->entry.args[2] & O_TMPFILE) == O_TMPFILE;
}

static bool fails(struct tracer *t, enum window window, long number)
{
	const struct injection *wanted = t->injection;
	struct injected *is = t->injected;

	if (is->number >= 0 && wanted->onwards && number == is->number)
		return true;
	if (++is->calls[window] != wanted->nth || window != wanted->window)
		return false;
	is->number = number;
	return true;
}

static void enters(struct tracer *t, struct task *task, const struct ptrace_syscall_info *info)
{
	long number = (long)info->entry.nr;
	int error = t->injection->error;

	task->error = 0;
	if (number == SYS_gettid && info->entry.args[0] == MARK)
		task->window = (enum window)info->entry.args[1];
	if (number == SYS_fallocate)
		t->injected->interruptible += is_interruptible(task->id);
	if (!task->window || is_certain(info, task->window, error))
		return;
	if (t->injection->no_unnamed && is_unnamed(info))
		task->error = EOPNOTSUPP;
	else if (fails(t, task->window, number))
		task->error = error;
	if (task->error && number != SYS_close) /* whose error means that it was closed */
		drop_call(task->id);
}

static void at_call(struct tracer *t, struct task *task)
{
	struct ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, task->id, sizeof info, &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		enters(t, task, &info);
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT && task->error) {
		set_result(task->id, -task->error);
		task->error = 0;
	}
}

/* ---- tasks */

static struct task *task_of(struct tracer *t, pid_t id)
{
	struct task *unused = NULL;

	for (int i = 0; i < TASKS; i++) {
		if (t->tasks[i].id == id)
			return &t->tasks[i];
		if (!t->tasks[i].id && !unused)
			unused = &t->tasks[i];
	}
	if (!unused)
		abort();
	*unused = (struct task){ .id = id };
	return unused;
}

/* A task was made; its first stop may have come before this, or comes later. */
static void at_birth(struct tracer *t, const struct task *parent)
{
	unsigned long id = 0;

	ptrace(PTRACE_GETEVENTMSG, parent->id, 0, &id);
	struct task *made = task_of(t, (pid_t)id);
	made->window = parent->window == WINDOW_START ? WINDOW_HELPER
	               : parent->window == WINDOW_FORK ? WINDOW_FORK : WINDOW_NONE;
}

/* What it is to go on with: 0, or the signal that it gets. */
static int at_stop(struct tracer *t, struct task *task, int status)
{
	int number = WSTOPSIG(status), event = status >> 16;

	if (number == (SIGTRAP | 0x80))
		at_call(t, task);
	else if (event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK)
		at_birth(t, task);
	else if (!event && number != SIGSTOP && number != SIGTRAP)
		return number;
	return 0;
}

static void follow(struct tracer *t)
{
	int status;
	pid_t id;

	while ((id = waitpid(-1, &status, __WALL)) > 0 || (id < 0 && errno == EINTR)) {
		if (id < 0)
			continue;
		struct task *task = task_of(t, id);
		if (WIFSTOPPED(status)) {
			ptrace(PTRACE_SYSCALL, id, 0, at_stop(t, task, status));
			continue;
		}
		task->id = 0;
		if (id == t->first)
			t->injected->status = status;
	}
}

/* ---- the run */

static void be_traced(void)
{
	if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
		_exit(77);
	raise(SIGSTOP);
}

static void read_back(int fd, char *to, size_t size)
{
	ssize_t got = pread(fd, to, size - 1, 0);

	to[got > 0 ? got : 0] = '\0';
	close(fd);
}

bool inject_run(const struct core_program *program, const struct injection *injection, struct injected *injected)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
	                     PTRACE_O_EXITKILL;
	struct core_program traced = *program;
	struct tracer tracer = { .injection = injection, .injected = injected };
	int status;

	*injected = (struct injected){ .number = -1 };
	traced.prepare = be_traced;
	traced.out = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	traced.err = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	tracer.first = core_start(&traced);
	bool can = waitpid(tracer.first, &status, 0) == tracer.first && WIFSTOPPED(status) &&
	           ptrace(PTRACE_SETOPTIONS, tracer.first, 0, options) == 0;
	if (can) {
		ptrace(PTRACE_SYSCALL, tracer.first, 0, 0);
		follow(&tracer);
	} else if (WIFSTOPPED(status)) {
		kill(tracer.first, SIGKILL);
		waitpid(tracer.first, &status, 0);
	}
	read_back(traced.out, injected->out, sizeof injected->out);
	read_back(traced.err, injected->err, sizeof injected->err);
	return can;
}
