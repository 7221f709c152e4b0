/* sample.c: which functions of the program use the CPU (PROF_SAMPLE, Prof_Sample).
 *
 * The kernel sends each thread a signal after each period of its CPU time.  The handler takes the address at which
 * the thread was, and the return addresses on its stack.  They become nodes below the node of the zone that the thread is in,
 * and the innermost one gets the sample.  So a sample is an amount of a measure in a node (measure.c), and its functions are
 * zones by address (registry.c).
 *
 * The signal is SIGURG: an extra one does no harm, because a program without a handler ignores it.
 *
 * The signals come from a perf event of the kernel, because that one fires in the program's own code alone: it never
 * interrupts a system call.  Where the kernel refuses it, they come from a timer on the thread's CPU time.  Such a timer
 * fires when the kernel's clock ticks, often every 4 ms, and reports how many periods have passed.  The sample gets this weight.
 *
 * When sampling starts, all threads are sampled.  A new thread is sampled from its first zone on.  New threads without zones
 * are found at a mark, once a second.
 */
#include "libprof/transition.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define RATE_MOST    10000u
#define STACK_NEEDED 6144u  /* bytes of stack that the handler needs */
#define LOOK_MS      100    /* least time between two searches for new code, */
#define LOOK_SHARE   50     /* and they take one part of the time in so many */
#define TRIES        2000   /* of 10 us each */
#define MOMENT_US    20000
#define STACK_MOST   32u    /* addresses of a sample */
#define FRAME_BYTES  (1u << 20) /* a function has less on the stack */
#define THREADS_MOST 4096u
#define FUNCTION_BYTES (16u << 10) /* a function without a frame of its own is shorter */
#define NODES_PART   8 /* functions may use 1/8 of all chunks */
#define ZONES_PART   2 /* and 1/2 of all zones: the others are the program's */

static prof__measure samples = { "samples", "SAMPLES", prof__SAMPLES, prof__OF_NODE, prof__SUM,
	                         prof__SAMPLED | prof__ABSENT_IS_ZERO, 0, 0, 0 };

/* What sends signals to a thread. */
struct source {
	uint32_t tid;
	int fd;      /* of the perf event; -1: it is a timer */
	uint64_t id; /* by which the event is known, or the timer's number */
	bool seen;   /* the thread is still there */
};

struct sampler {
	struct process *process; /* that is sampled; NULL: none */
	pid_t pid;
	uint32_t rate; /* a second; 0: off */
	bool filtered; /* it began under a filter of system calls, such as a container's, which let it begin */
	uint32_t count;
	struct source source[THREADS_MOST];
};

static struct sampler *_Atomic sampler;
static _Atomic uint32_t changing; /* a try-lock: what *sampler has is its owner's */
static _Atomic int handlers;      /* threads that are in on_sample */
static _Atomic uint64_t sampled_nodes;
static bool has_handler;
static struct sigaction handler_before;

void prof__sample_drop(void)
{
	atomic_store(&sampler, NULL);
}

/* ---- perf events and timers.  The numbers are those of the kernel's headers, which musl-gcc does not find. */

struct event_attributes { /* perf_event_attr, as it was at first */
	uint32_t type, size;
	uint64_t config, period, sample_type, read_format, flags;
	uint32_t wakeup, breakpoint_type;
	uint64_t breakpoint;
};
static_assert(sizeof(struct event_attributes) == 64, "PERF_ATTR_SIZE_VER0");

enum { EVENT_SOFTWARE = 1, EVENT_TASK_CLOCK = 1, EVENT_EXCLUDES_KERNEL = 1 << 5 | 1 << 6, EVENT_CLOSES_ON_EXEC = 8 };
#define EVENT_ENDS_ON_EXEC (1ull << 36) /* since Linux 5.13 */
#define EVENT_STOPS    _IO('$', 1)
#define EVENT_ID       _IOR('$', 7, uint64_t *)
#define OWN_A_THREAD   0 /* F_OWNER_TID */
#define SET_SIGNAL     10 /* F_SETSIG */
#define SET_OWNER      15 /* F_SETOWN_EX */
#define TO_A_THREAD    4 /* SIGEV_THREAD_ID */
#define DESCRIPTORS_PART 4 /* samples may use 1/4 of the descriptors that the program may have */

static int64_t period_ns(const struct sampler *s)
{
	return 1000000000 / (int64_t)s->rate;
}

int prof__move_descriptor(int fd)
{
	struct rlimit limit;
	int from = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1024 ? (int)limit.rlim_cur / 2 : 512;
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, from);

	close(fd);
	return moved;
}

static bool has_descriptors(const struct sampler *s)
{
	struct rlimit limit;
	uint32_t used = 0;

	for (uint32_t i = 0; i < s->count; i++)
		used += s->source[i].fd >= 0;
	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && used < limit.rlim_cur / DESCRIPTORS_PART;
}

static bool open_event(const struct sampler *s, struct source *to)
{
	struct event_attributes attributes = { .type = EVENT_SOFTWARE, .size = sizeof attributes, .config = EVENT_TASK_CLOCK,
		                               .period = (uint64_t)period_ns(s), .flags = EVENT_EXCLUDES_KERNEL | EVENT_ENDS_ON_EXEC };
	struct { int type; pid_t pid; } owner = { OWN_A_THREAD, (pid_t)to->tid };
	int fd = -1;

	for (int i = 0; i < 2 && fd < 0 && has_descriptors(s); i++) {
		fd = (int)syscall(SYS_perf_event_open, &attributes, (pid_t)to->tid, -1, -1, EVENT_CLOSES_ON_EXEC);
		attributes.flags = EVENT_EXCLUDES_KERNEL;
	}
	to->fd = fd < 0 ? -1 : prof__move_descriptor(fd);
	if (to->fd < 0)
		return false;
	if (ioctl(to->fd, EVENT_ID, &to->id) == 0 && fcntl(to->fd, SET_OWNER, &owner) == 0 &&
	    fcntl(to->fd, SET_SIGNAL, SIGURG) == 0 && fcntl(to->fd, F_SETFL, O_ASYNC) == 0)
		return true;
	close(to->fd);
	to->fd = -1;
	return false;
}

/* The number of the CPU clock of a thread (clock_getcpuclockid). */
static clockid_t clock_of(uint32_t tid)
{
	return (clockid_t)(~tid << 3 | 6);
}

static bool open_timer(const struct sampler *s, struct source *to)
{
	union { struct sigevent event; struct { union sigval value; int signal, how, tid; } thread; } wish;
	int64_t ns = period_ns(s);
	struct itimerspec every = { .it_interval.tv_sec = ns / 1000000000, .it_interval.tv_nsec = ns % 1000000000 };
	int number;

	memset(&wish, 0, sizeof wish);
	wish.thread.value.sival_ptr = &samples;
	wish.thread.signal = SIGURG;
	wish.thread.how = TO_A_THREAD;
	wish.thread.tid = (int)to->tid;
	every.it_value = every.it_interval;
	if (syscall(SYS_timer_create, clock_of(to->tid), &wish, &number) != 0)
		return false;
	to->id = (uint64_t)number;
	syscall(SYS_timer_settime, number, 0, &every, NULL);
	return true;
}

/* The program may have closed the descriptor, and opened something else under its number. */
static bool is_there(const struct source *s)
{
	uint64_t id;

	return s->fd < 0 || (ioctl(s->fd, EVENT_ID, &id) == 0 && id == s->id);
}

/* stops: no more signals, even if a child of a fork has the descriptor, too. */
static void close_source(const struct source *s, bool stops)
{
	if (s->fd < 0)
		syscall(SYS_timer_delete, (int)s->id);
	if (s->fd < 0 || !is_there(s))
		return;
	if (stops)
		ioctl(s->fd, EVENT_STOPS, 0);
	close(s->fd);
}

/* ---- the threads */

static struct source *find_source(struct sampler *s, uint32_t tid)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (s->source[i].tid == tid)
			return &s->source[i];
	return NULL;
}

static void add_source(struct sampler *s, uint32_t tid)
{
	struct source *found = find_source(s, tid);
	struct source fresh = { .tid = tid, .fd = -1, .seen = true };

	if (found)
		found->seen = true;
	else if (s->count < THREADS_MOST && (open_event(s, &fresh) || open_timer(s, &fresh)))
		s->source[s->count++] = fresh;
}

static void remove_source(struct sampler *s, struct source *gone)
{
	close_source(gone, true);
	*gone = s->source[--s->count];
}

/* As getdents64 gives it. */
struct task {
	uint64_t inode;
	int64_t offset;
	uint16_t size;
	uint8_t type;
	char name[];
};

/* opendir would take memory from malloc. */
static void add_all(struct sampler *s)
{
	int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_Alignas(8) char tasks[2048];
	long size;

	while (fd >= 0 && (size = syscall(SYS_getdents64, fd, tasks, sizeof tasks)) > 0)
		for (long at = 0; at < size;) {
			const struct task *task = (const struct task *)(const void *)(tasks + at);
			if (*task->name != '.')
				add_source(s, (uint32_t)strtoul(task->name, NULL, 10));
			at += task->size;
		}
	if (fd >= 0)
		close(fd);
}

/* If a handler runs, it may look into the older list, which would be rebuilt. */
static void read_modules(void)
{
	if (atomic_load(&handlers) == 0)
		prof__modules_read();
}

/* Finds new threads and modules, and forgets threads that have ended. */
static void look_around(struct sampler *s)
{
	for (uint32_t i = s->count; i-- > 0;) {
		s->source[i].seen = false;
		if (!is_there(&s->source[i]))
			remove_source(s, &s->source[i]);
	}
	add_all(s);
	for (uint32_t i = s->count; i-- > 0;)
		if (!s->source[i].seen)
			remove_source(s, &s->source[i]);
	read_modules();
}

/* ---- the stack */

struct sample_stack {
	unsigned count;
	uint64_t at[STACK_MOST]; /* addresses in code, the innermost first */
};

struct sample_registers {
	uint64_t code, stack, frame;
	uint64_t link; /* the address to which the function returns, in machines that have it in a register */
};

static struct sample_registers registers_of(const ucontext_t *context)
{
#if defined(__x86_64__)
	const greg_t *r = context->uc_mcontext.gregs;
	return (struct sample_registers){ (uint64_t)r[REG_RIP], (uint64_t)r[REG_RSP], (uint64_t)r[REG_RBP], 0 };
#elif defined(__aarch64__)
	const mcontext_t *m = &context->uc_mcontext;
	return (struct sample_registers){ m->pc, m->sp, m->regs[29], m->regs[30] };
#else
	(void)context;
	return (struct sample_registers){ 0, 0, 0, 0 };
#endif
}

/* Words of the stack that were copied: a copy is a system call. */
struct stack_window {
	uint64_t from, to; /* addresses */
	uint64_t words[192];
};

static bool copy_window(struct stack_window *w, uint64_t at)
{
	uint64_t size = sizeof w->words, to_page_end = 4096 - (at & 4095);

	if (to_page_end < size) /* the next page may not be there */
		size = to_page_end < 16 ? 16 : to_page_end;
	w->from = w->to = at;
	if (prof__peek(at, w->words, size))
		w->to = at + size;
	return w->to > at;
}

/* The two words at an address: the caller's frame, and where it goes on.  False: there is no memory. */
static bool read_frame(struct stack_window *w, uint64_t at, uint64_t frame[2])
{
	if ((at < w->from || at + 16 > w->to) && !copy_window(w, at))
		return false;
	memcpy(frame, (const char *)w->words + (at - w->from), 16);
	return true;
}

/* Where a call goes that ends before `behind`.  0: no direct call ends there. */
static uint64_t call_before(uint64_t behind)
{
#if defined(__x86_64__)
	unsigned char code[5];
	int32_t by;

	if (!prof__peek(behind - sizeof code, code, sizeof code) || code[0] != 0xe8)
		return 0;
	memcpy(&by, code + 1, sizeof by);
	return behind + (uint64_t)(int64_t)by;
#elif defined(__aarch64__)
	uint32_t code;

	if (!prof__peek(behind - sizeof code, &code, sizeof code) || code >> 26 != 0x25)
		return 0;
	return behind - sizeof code + (uint64_t)((int64_t)(int32_t)(code << 6) >> 4);
#else
	(void)behind;
	return 0;
#endif
}

/* Whether a frame is made somewhere between two addresses (push %rbp; mov %rsp, %rbp). */
static bool makes_frame(struct stack_window *w, uint64_t from, uint64_t to)
{
#if defined(__x86_64__)
	static const unsigned char makes[] = { 0x55, 0x48, 0x89, 0xe5 };

	w->from = w->to = 0; /* the window is used for code */
	for (uint64_t at = from; at + sizeof makes <= to; at += sizeof w->words - sizeof makes) {
		uint64_t size = to - at < sizeof w->words ? to - at : sizeof w->words;
		if (!prof__peek(at, w->words, size) || memmem(w->words, size, makes, sizeof makes))
			return true;
	}
#else
	(void)w, (void)from, (void)to;
#endif
	return false;
}

/* The caller of a function that has no frame of its own, as small functions have none even if the program is compiled with
 * frame pointers.  The caller called the function, so the call goes to an address shortly before the function's code.
 * 0: the function has a frame. */
static uint64_t frameless_caller(struct stack_window *w, const struct sample_registers *r)
{
	uint64_t top[2], behind = r->link, offset, begin;
	uint32_t module;

	if (!behind)
		behind = read_frame(w, r->stack, top) ? top[0] : 0;
	if (!behind || !prof__module_of(behind - 1, &module, &offset))
		return 0;
	begin = call_before(behind);
	return begin && begin <= r->code && r->code - begin < FUNCTION_BYTES && !makes_frame(w, begin, r->code) ? behind : 0;
}

/* Code without frame pointers has anything in that register, so each address is looked up, and each frame is further out
 * than the one before.  A return address is taken as one in the call, not behind it. */
static void walk_stack(struct sample_stack *s, const ucontext_t *context, bool alone)
{
	struct sample_registers r = registers_of(context);
	uint64_t frame[2], offset, before = r.stack, caller;
	struct stack_window w;
	uint32_t module;

	s->count = 0;
	if (!r.code)
		return;
	w.from = w.to = 0;
	s->at[s->count++] = r.code;
	if (alone)
		return;
	caller = frameless_caller(&w, &r);
	if (caller)
		s->at[s->count++] = caller - 1;
	while (s->count < STACK_MOST && r.frame >= before && r.frame - before < FRAME_BYTES && r.frame % 8 == 0 &&
	       read_frame(&w, r.frame, frame) && prof__module_of(frame[1] - 1, &module, &offset)) {
		if (frame[1] != caller)
			s->at[s->count++] = frame[1] - 1;
		caller = 0;
		before = r.frame + 16;
		r.frame = frame[0];
	}
}

/* ---- a sample */

/* The node of the function at an address, below `parent`.  NULL: there is no space for it. */
static struct node *node_of(struct thread *t, struct node *parent, uint64_t address)
{
	struct process *p = prof__process;
	uint64_t offset = 0;
	uint32_t module, id, before = t->node_count;

	if (!prof__module_of(address, &module, &offset) || module > p->module_rows.room) {
		module = prof__unknown_module(); /* the region has no row for its file */
		offset = 0;
	}
	bool has_space = atomic_load_explicit(&p->zone_rows.used, memory_order_relaxed) < p->zone_rows.room / ZONES_PART;
	Prof_zone *zone = has_space ? prof__address_zone(module, offset) : prof__known_address_zone(module, offset);
	id = zone ? prof__zone_id(p, zone) : 0;
	if (!id || atomic_load_explicit(&sampled_nodes, memory_order_relaxed) >= p->chunk_count / NODES_PART * CHUNK_NODES)
		return id ? prof__node_known_child(t, parent, id) : NULL;
	struct node *n = prof__node_beside(t, parent, id);
	atomic_fetch_add_explicit(&sampled_nodes, t->node_count - before, memory_order_relaxed);
	return n;
}

static void add_sample(struct thread *t, const struct sample_stack *s, unsigned weight)
{
	struct node *n = t->current, *inner;

	for (unsigned i = s->count; i-- > 0; n = inner)
		if (!(inner = node_of(t, n, s->at[i]))) {
			loss_add(prof__process, LOSS_SAMPLE_ROOM);
			break;
		}
	prof__measure_add_at(t, n, &samples, weight);
}

/* Samples that came while the thread was in an update. */
void prof__samples_take(struct thread *t)
{
	for (; t->late_samples.taken != t->late_samples.came; t->late_samples.taken++) {
		const struct late_sample *late = &t->late_samples.sample[t->late_samples.taken % LATE_SAMPLES];
		if (late->epoch > t->epoch)
			return;
		prof__measure_add_at(t, late->node, &samples, late->weight);
	}
}

static void set_aside(struct thread *t, unsigned weight)
{
	struct late_samples *late = &t->late_samples;

	if (late->came - late->taken == LATE_SAMPLES) {
		loss_add(prof__process, LOSS_SAMPLE_ROOM);
		return;
	}
	late->sample[late->came % LATE_SAMPLES] = (struct late_sample){ t->current, WORD_LOAD(*t->epoch_word), weight };
	atomic_signal_fence(memory_order_seq_cst);
	late->came++;
}

static bool lock_sampler(void)
{
	return !atomic_exchange(&changing, 1);
}

static void unlock_sampler(void)
{
	atomic_store(&changing, 0);
}

/* A filter of system calls may kill a program that reads its stack by process_vm_readv, because the program itself never does.
 * A thread may install one at any time.  Then it has its code address alone. */
static bool is_filtered(void)
{
	const struct sampler *s = atomic_load(&sampler);

	return !(s && s->filtered) && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0;
}

/* Code that was loaded since the list was made. */
static void know_code(const ucontext_t *context)
{
	static _Atomic int64_t next;
	uint64_t offset;
	uint32_t module;
	int64_t ms;

	if (prof__module_of(registers_of(context).code, &module, &offset))
		return;
	ms = clock_ns(CLOCK_MONOTONIC) / 1000000;
	if (ms < atomic_load(&next) || !lock_sampler())
		return;
	if (atomic_load(&handlers) == 1) {
		prof__modules_read();
		int64_t end = clock_ns(CLOCK_MONOTONIC) / 1000000, pause = (end - ms) * LOOK_SHARE;
		atomic_store(&next, end + (pause > LOOK_MS ? pause : LOOK_MS));
	}
	unlock_sampler();
}

void prof__samples_early(struct thread *t)
{
	unsigned weight = prof__outsider.early;

	prof__outsider.early = 0;
	if (weight)
		set_aside(t, weight);
}

static void take_sample(const ucontext_t *context, unsigned weight)
{
	struct process *p = prof__process;
	struct thread *t = prof__thread;
	struct sample_stack stack;

	if (!p || !p->alive || !WORD_LOAD(p->shared->enabled) || (t && t->guard == GUARD_WIPED))
		return;
	if (t && t->guard == GUARD_BUSY) {
		set_aside(t, weight);
		return;
	}
	if (!t && prof__outsider.gone)
		return;
	if (!t && prof__outsider.claiming) {
		prof__outsider.early = (uint8_t)(prof__outsider.early + weight < UINT8_MAX ? prof__outsider.early + weight : UINT8_MAX);
		return;
	}
	if (!t && !(t = prof__thread_claim(p))) {
		loss_add(p, LOSS_SAMPLE_ROOM);
		return;
	}
	enum guard ready = guard_take(t);
	bool filtered = is_filtered();
	if (!filtered)
		know_code(context);
	walk_stack(&stack, context, filtered);
	if (WORD_LOAD(*t->epoch_word) != t->epoch)
		prof__flush_still(t);
	prof__samples_take(t);
	add_sample(t, &stack, weight);
	guard_give(t, ready);
}

/* How many periods the signal stands for.  0: it is not one of ours. */
static unsigned weight_of(const siginfo_t *info)
{
	if (info->si_code == SI_TIMER)
		return info->si_value.sival_ptr == &samples ? 1 + (unsigned)info->si_overrun : 0;
	return info->si_code == POLL_IN || info->si_code == POLL_HUP;
}

/* The program's own alternate stack may be too small for a sample. */
static bool is_tight(const ucontext_t *context)
{
	const stack_t *alt = &context->uc_stack;
	uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0) - (uint64_t)(uintptr_t)alt->ss_sp;

	return !(alt->ss_flags & SS_DISABLE) && here < alt->ss_size && here < STACK_NEEDED;
}

/* The program's thread must not be cancelled in the handler: it would run its
 * cleanup handlers with all signals blocked, perhaps at a place that is no
 * cancellation point of the program.  If its type is asynchronous, glibc's
 * signal may be on its way.  That signal is blocked here, and cancellation
 * points wait for it, so it is let through: with the type deferred it only
 * notes the cancellation. */
struct held_cancellation {
	int state, type;
};

static void hold_cancellation(struct held_cancellation *held)
{
	uint64_t glibc_signal = 1ull << (32 - 1);

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &held->state);
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &held->type);
	if (held->type != PTHREAD_CANCEL_DEFERRED)
		syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &glibc_signal, NULL, sizeof glibc_signal);
}

/* A cancellation acts with the signals of the interrupted code. */
static void give_signals(void *context)
{
	pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
}

/* If the type is asynchronous, a cancellation acts here.  Then this does not return.  All signals stay blocked until
 * both are as they were: a handler of the program could leave by longjmp. */
static void release_cancellation(const struct held_cancellation *held, void *context)
{
	uint64_t glibc_signal = 1ull << (32 - 1);

	atomic_fetch_sub(&handlers, 1);
	if (held->type == PTHREAD_CANCEL_DEFERRED) {
		pthread_setcancelstate(held->state, NULL);
		return;
	}
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &glibc_signal, NULL, sizeof glibc_signal);
	pthread_cleanup_push(give_signals, context);
	pthread_setcancelstate(held->state, NULL);
	pthread_setcanceltype(held->type, NULL);
	pthread_cleanup_pop(0);
}

static void on_sample(int signal, siginfo_t *info, void *context)
{
	struct held_cancellation held;
	int saved = errno;

	(void)signal;
	atomic_fetch_add(&handlers, 1);
	hold_cancellation(&held);
	unsigned weight = weight_of(info);
	if (weight && !is_tight(context))
		take_sample(context, weight);
	errno = saved;
	release_cancellation(&held, context);
}

/* ---- on and off */

/* Blocks all signals, because a handler of the program could leave by longjmp.  sigfillset omits glibc's internal signals.
 * Faults of the thread itself, such as SIGSEGV, are not blocked. */
static void block_all(sigset_t *set)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT };

	memset(set, 0xff, sizeof *set);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		sigdelset(set, own[i]);
}

static bool take_signal(void)
{
	struct sigaction now, ours = { .sa_sigaction = on_sample, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };

	if (has_handler)
		return true;
	block_all(&ours.sa_mask);
	if (sigaction(SIGURG, NULL, &now) != 0 || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN)) {
		prof__complain("PROF_SAMPLE", "the program has a handler of SIGURG; no samples");
		return false;
	}
	has_handler = sigaction(SIGURG, &ours, &handler_before) == 0;
	return has_handler;
}

/* Signals that are still on their way are dropped, as they would end the program. */
static void give_signal_back(void)
{
	struct sigaction now, ignore = { .sa_handler = SIG_IGN };

	sigemptyset(&ignore.sa_mask);
	if (has_handler && sigaction(SIGURG, NULL, &now) == 0 && now.sa_sigaction == on_sample) {
		sigaction(SIGURG, &ignore, NULL);
		sigaction(SIGURG, &handler_before, NULL);
	}
	has_handler = false;
}

static void stop(struct sampler *s)
{
	while (s->count)
		remove_source(s, &s->source[s->count - 1]);
	give_signal_back();
}

static struct sampler *the_sampler(void)
{
	struct sampler *s = atomic_load(&sampler);

	if (!s && (s = prof__inherited_pages(sizeof *s)))
		atomic_store(&sampler, s);
	return s;
}

/* What the parent has stays the parent's: a child has its descriptors, but gets no signals. */
static void begin_in_child(struct sampler *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (s->source[i].fd >= 0)
			close_source(&s->source[i], false);
	s->count = 0;
	s->pid = getpid();
	atomic_store(&handlers, 0);
	atomic_store(&sampled_nodes, 0);
}

/* Called while signals are held back (struct calm). */
static void set_rate(struct process *p, uint32_t rate)
{
	struct sampler *s = the_sampler();

	if (!s)
		return;
	if (s->pid != getpid())
		begin_in_child(s);
	stop(s);
	s->process = p;
	s->rate = rate < RATE_MOST ? rate : RATE_MOST;
	if (!s->rate)
		return;
	samples.period = period_ns(s);
	s->filtered = false;
	s->filtered = is_filtered();
	if (take_signal())
		look_around(s);
	else
		s->rate = 0;
}

/* Waits for who has it.  False: it may be stopped for ever. */
static bool await_sampler(void)
{
	bool own = lock_sampler();

	for (int i = 0; i < TRIES && !own; i++) {
		usleep(10);
		own = lock_sampler();
	}
	return own;
}

static void change_rate(struct process *p, uint32_t rate)
{
	struct calm calm;

	prof__calm_begin(&calm);
	if (await_sampler()) {
		set_rate(p, rate);
		unlock_sampler();
	}
	prof__calm_end(&calm);
}

void Prof_Sample(unsigned rate)
{
	struct process *p = prof__running();

	if (p)
		change_rate(p, rate);
}

/* 0: it is not a rate. */
static uint32_t parse_rate(const char *text)
{
	char *end;
	unsigned long rate = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;

	return rate && !*end && rate <= RATE_MOST ? (uint32_t)rate : 0;
}

void prof__sample_begin(struct process *p)
{
	const char *wish = secure_getenv("PROF_SAMPLE");
	uint32_t rate = wish ? parse_rate(wish) : 0;

	if (wish && *wish && strcmp(wish, "0") != 0 && !rate)
		prof__complain("PROF_SAMPLE", "not a number of samples a second from 1 to 10000; no samples");
	if (rate)
		change_rate(p, rate);
}

static bool is_sampling(const struct process *p)
{
	const struct sampler *s = atomic_load_explicit(&sampler, memory_order_relaxed);

	return s && s->process == p && s->rate && s->pid == getpid();
}

void prof__sample_thread(struct process *p)
{
	struct calm calm;

	if (!is_sampling(p))
		return;
	prof__calm_begin(&calm);
	if (lock_sampler()) {
		if (is_sampling(p) && !is_filtered()) /* it may have ended since */
			add_source(atomic_load(&sampler), (uint32_t)syscall(SYS_gettid));
		unlock_sampler();
	}
	prof__calm_end(&calm);
}

void prof__sample_thread_end(struct process *p)
{
	struct sampler *s = atomic_load(&sampler);
	struct source *own;

	if (!is_sampling(p) || !lock_sampler())
		return;
	if ((own = find_source(s, (uint32_t)syscall(SYS_gettid))))
		remove_source(s, own);
	unlock_sampler();
}

/* The program may have installed its own handler since: then it has the signal. */
static bool still_ours(void)
{
	struct sigaction now;

	return sigaction(SIGURG, NULL, &now) == 0 && now.sa_sigaction == on_sample;
}

void prof__sample_look(struct process *p)
{
	struct sampler *s = atomic_load(&sampler);
	struct calm calm;

	if (!is_sampling(p))
		return;
	prof__calm_begin(&calm);
	if (lock_sampler()) {
		if (!is_sampling(p)) {
			; /* it has ended since */
		} else if (still_ours()) {
			if (!is_filtered())
				look_around(s);
		} else {
			stop(s);
			s->rate = 0;
			prof__complain("PROF_SAMPLE", "the program has taken SIGURG; no more samples");
		}
		unlock_sampler();
	}
	prof__calm_end(&calm);
}

void prof__sample_end(struct process *p, bool in_exit)
{
	struct sampler *s = atomic_load(&sampler);

	if (!is_sampling(p))
		return;
	await_sampler(); /* the handler must not stay, whoever has the lock */
	stop(s);
	s->rate = 0;
	unlock_sampler();
	if (!in_exit)
		usleep(MOMENT_US); /* a thread may have the signal, and not have begun with the handler */
	for (int i = 0; i < (in_exit ? 1 : 20) && atomic_load(&handlers) > 0; i++)
		prof__await_others(&handlers, 0);
}
