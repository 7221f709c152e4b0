/* process.c: the life of the process object: start, children, end.
 *
 *   UNSTARTED -> STARTING -> ON                 PROF_SHM names a region that could be made
 *                         -> OFF                it is unset, or could not: one line on stderr says why
 *                         -> SECOND             another copy of the library in this process has the region
 *   SECOND -> OFF                               at a zone that comes to this copy: one line says that it is lost
 *   ON -> (fork) CHILD -> ON                    when the name is free at a zone or a mark: the parent has gone
 *   ON -> (fork) UNSTARTED                      PROF_SHM holds %p: children have names of their own
 *   ON -> (fork) OFF                            PROF_CHILDREN=drop
 */
#include "libprof/libprof_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum state { UNSTARTED, STARTING, ON, OFF, SECOND, CHILD };

int prof__on = PROF_ON; /* until the environment was looked at */
struct process *prof__process;

static _Atomic int state = UNSTARTED;
static _Atomic pid_t starts_in; /* the process in which it is STARTING: not in a child of which nobody told */
static _Atomic time_t child_looked; /* when a child last looked whether the name is free */

static bool holds; /* this copy recorded: prof__on is its own, or it came first */

/* A plugin that carries the library, in a program that shows its own, finds what of prof.h it does not hide there by
 * its name: prof__on, too, where it is linked with -Bsymbolic-functions.  Then that is the first copy's to say. */
static void set_on(enum state to)
{
	if (!holds && __atomic_load_n(&prof__on, __ATOMIC_RELAXED) & PROF_HELD)
		return;
	holds |= to == ON;
	if (to == ON || to == UNSTARTED || to == CHILD)
		__atomic_fetch_or(&prof__on, holds ? PROF_ON | PROF_HELD : PROF_ON, __ATOMIC_RELAXED);
	else if (to != SECOND)
		__atomic_fetch_and(&prof__on, ~(PROF_ON | PROF_HELD), __ATOMIC_RELAXED); /* timed zones stay */
}

static void set_state(enum state to)
{
	set_on(to);
	atomic_store_explicit(&state, to, memory_order_release);
}

/* ---- what the environment says */

/* A size in bytes, or with K, M or G behind it. */
static bool parse_size(const char *text, uint64_t *size)
{
	static const char units[] = "KMG";
	char *end;
	unsigned long long value;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	value = strtoull(text, &end, 10);
	char letter = (char)(*end & ~0x20);
	const char *unit = letter ? strchr(units, letter) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	if (errno || (*end && !unit) || (unit && end[1]) || value > UINT64_MAX >> shift)
		return false;
	*size = (uint64_t)value << shift;
	return *size >= REGION_SIZE_LEAST && *size <= 1ull << 40;
}

/* Copies PROF_SHM with each %p replaced by the process's id; false: it does not fit. */
static bool expand_name(char name[REGION_NAME_MAX + 1], const char *from)
{
	size_t used = 0;

	if (*from == '/')
		from++; /* as shm_open names are often spelled */
	for (; *from; from++) {
		char piece[16] = { *from, '\0' };
		if (from[0] == '%' && from[1] == 'p') {
			snprintf(piece, sizeof piece, "%ld", (long)getpid());
			from++;
		}
		size_t size = strlen(piece);
		if (used + size > REGION_NAME_MAX)
			return false;
		memcpy(name + used, piece, size);
		used += size;
	}
	name[used] = '\0';
	return true;
}

static bool is_zero(const char *value)
{
	return value && !strcmp(value, "0");
}

/* Where it is surely not, nobody has to know of forks. */
static bool may_be_recorded(void)
{
	const char *shm = secure_getenv("PROF_SHM");
	char name[REGION_NAME_MAX + 1];

	return prof__process || (shm && *shm && expand_name(name, shm) && region_name_free(name));
}

static bool drops_children(bool quiet)
{
	const char *value = secure_getenv("PROF_CHILDREN");
	bool drops = value && !strcmp(value, "drop");

	if (value && *value && !drops && strcmp(value, "follow") && !quiet)
		prof__complain("PROF_CHILDREN", "neither follow nor drop; taking follow");
	return drops;
}

/* ---- what the header says of the process */

static size_t read_file(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, out, size);

	if (fd >= 0)
		close(fd);
	return got < 0 ? 0 : (size_t)got;
}

/* Field `field` of /proc/PID/stat, counted from 1 as in proc(5); those behind the name. */
static cold uint64_t stat_field(const char *pid, int field)
{
	char path[64], text[1024];
	snprintf(path, sizeof path, "/proc/%s/stat", pid);
	size_t size = read_file(path, text, sizeof text - 1);

	text[size] = '\0';
	const char *at = strrchr(text, ')');
	for (int i = 2; at && i < field; i++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

static cold void describe_process(struct region_header *h, enum region_clock clock, uint64_t rate)
{
	h->byte_order = REGION_BYTE_ORDER;
	h->word_bits = 64;
	h->major = REGION_MAJOR;
	h->minor = REGION_MINOR;
	h->pid = (uint32_t)getpid();
	h->clock = clock;
	h->ticks_per_s = rate;
	h->process_start = stat_field("self", 22);
	size_t size = read_file("/proc/sys/kernel/random/boot_id", h->boot_id, sizeof h->boot_id - 1);
	h->boot_id[strcspn(h->boot_id, "\n")] = '\0';
	(void)size;
	snprintf(h->program, sizeof h->program, "%s", program_invocation_short_name);
	size = read_file("/proc/self/cmdline", h->command, sizeof h->command - 1);
	h->command[size] = '\0';
}

/* Whether the process that has the name is one of which this one descends: then it is the program's own
 * parent, and to say each time that it has the name would only litter its output. */
static bool is_ancestor(pid_t owner)
{
	uint64_t pid = (uint64_t)getppid();

	for (int i = 0; i < 64 && pid > 1; i++) {
		char text[24];
		if (pid == (uint64_t)owner)
			return true;
		snprintf(text, sizeof text, "%llu", (unsigned long long)pid);
		pid = stat_field(text, 4);
	}
	return false;
}

/* The id of the process that has the name, as this process sees it; ELSEWHERE: the id in the header is one of another
 * namespace (containers may share /dev/shm), and here it is another process's, or nobody's. */
#define ELSEWHERE ((pid_t)-1)

static cold pid_t owner_here(const struct region_made *made)
{
	char text[24];

	snprintf(text, sizeof text, "%ld", (long)made->owner);
	uint64_t own = stat_field("self", 22), start = stat_field(text, 22);
	return own && made->owner_start && start != made->owner_start ? ELSEWHERE : made->owner;
}

/* ---- start */

static void *section_at(struct process *p, enum region_section_id id, uint32_t *count)
{
	*count = p->header->sections[id].count;
	return (char *)p->header + p->header->sections[id].offset;
}

static bool private_rows(struct process *p)
{
	struct rows *rows[] = { &p->zone_rows, &p->counter_rows, &p->module_rows, &p->measure_rows };
	uint32_t room = 0, at = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		room += rows[i]->room;
	_Atomic uint8_t *known = prof__pages(room);
	for (size_t i = 0; known && i < sizeof rows / sizeof *rows; at += rows[i++]->room)
		rows[i]->known = known + at;
	return known;
}

static bool private_arrays(struct process *p)
{
	p->newer = prof__pages(p->chunk_count * sizeof *p->newer);
	p->below = prof__pages(p->chunk_count * sizeof *p->below);
	p->first_record = prof__pages(p->chunk_count * sizeof *p->first_record);
	p->kept_number = prof__pages(p->chunk_count * sizeof *p->kept_number);
	p->threads = prof__pages(p->block_room * sizeof *p->threads);
	p->chunk_of_blocks = prof__pages(p->block_room / CHUNK_BLOCKS * sizeof *p->chunk_of_blocks);
	p->ended_at = prof__pages(p->block_room * sizeof *p->ended_at);
	p->owner = prof__pages(p->block_room * sizeof *p->owner);
	p->text_at = prof__pages(PROF_TEXTS * sizeof *p->text_at);
	return private_rows(p) && p->text_at && p->newer && p->below && p->first_record && p->kept_number && p->threads &&
	       p->ended_at && p->chunk_of_blocks && p->owner;
}

static bool fill_process(struct process *p, struct region_made *made, enum region_clock clock, uint64_t rate)
{
	uint32_t count;

	p->header = made->header;
	p->size = made->size;
	p->clock = clock;
	p->device = made->device;
	p->inode = made->inode;
	p->shared = section_at(p, REGION_PROCESS, &count);
	p->zones = section_at(p, REGION_ZONES, &p->zone_rows.room);
	p->counters = section_at(p, REGION_COUNTERS, &p->counter_rows.room);
	p->modules = section_at(p, REGION_MODULES, &p->module_rows.room);
	p->measures = section_at(p, REGION_MEASURES, &p->measure_rows.room);
	p->strings = section_at(p, REGION_STRINGS, &count);
	p->block_chunks = section_at(p, REGION_THREADS, &count);
	p->block_room = CHUNK_BLOCKS * count;
	p->frames = section_at(p, REGION_FRAMES, &count);
	p->frame_mask = count - 1;
	p->history = section_at(p, REGION_HISTORY, &count);
	p->worst = section_at(p, REGION_WORST, &count);
	p->chunks = section_at(p, REGION_CHUNKS, &p->chunk_count);
	p->history_slots = p->header->history_slots;
	prof__room_begin(p);
	if (made->less)
		loss_add(p, LOSS_REGION_ROOM);
	p->reserve = p->chunk_count / 5;
	atomic_store_explicit(&p->free_count, p->chunk_count, memory_order_relaxed);
	if (!private_arrays(p))
		return false;
	describe_process(p->header, clock, rate);
	p->header->created = clock_instant(clock);
	p->previous_end = (int64_t)p->header->created.ticks;
	WORD_STORE(p->frames[0].end, p->header->created.ticks);
	WORD_STORE(p->shared->epoch, 1);
	prof__switch_begin(p); /* a child may have switched when it had no region */
	p->string_used = 1; /* offset 0 means none */
	p->texts_left = FRAME_TEXTS;
	WORD_STORE(p->shared->strings, 1);
	WORD_STORE(p->shared->chunks_free, p->chunk_count);
	p->instant_step = rate ? (int64_t)rate : 1000000000;
	p->instant_due = p->previous_end + p->instant_step;
	p->piece_ticks = p->instant_step / 4;
	p->events = !is_zero(secure_getenv("PROF_EVENTS"));
	p->keep = secure_getenv("PROF_KEEP") && !is_zero(secure_getenv("PROF_KEEP"));
	prof__cpu_begin(p);
	return true;
}

/* A process object with its region, named; NULL, and why.  *owner: the live process that has the name, or 0. */
static struct process *make_process(const char *name, uint64_t size, char *why, size_t why_size, pid_t *owner)
{
	struct region_made made;
	uint64_t rate;
	enum region_clock clock = clock_choose(&rate);
	enum create_state made_state = region_make(&made, name, size, why, why_size);
	struct process *p = NULL;

	if (made_state == CREATE_OK) {
		p = prof__pages(sizeof *p);
		if (p && fill_process(p, &made, clock, rate)) {
			snprintf(p->name, sizeof p->name, "%s", name);
			made_state = region_publish(&made, name, why, why_size);
		} else {
			snprintf(why, why_size, "no private memory (is the kernel older than 4.14?)");
			region_unmake(&made);
			return NULL;
		}
	}
	if (made_state == CREATE_TAKEN)
		*owner = owner_here(&made);
	if (made_state == CREATE_TAKEN && *owner == ELSEWHERE)
		snprintf(why, why_size, "process %ld of another container uses this name", (long)made.owner);
	if (made_state != CREATE_OK)
		return NULL;
	p->alive = 1;
	prof__zones_publish(p);
	prof__counters_publish(p);
	prof__measures_publish(p);
	return p;
}

static cold void complain_not_recorded(const char *shm, const char *why)
{
	char what[REGION_NAME_MAX + 64];

	snprintf(what, sizeof what, "PROF_SHM=%.*s is not recorded", (int)REGION_NAME_MAX, shm);
	prof__complain(what, why);
}

static struct process *start_process(bool quiet, pid_t *owner)
{
	const char *shm = secure_getenv("PROF_SHM"), *size_text = secure_getenv("PROF_SHM_SIZE");
	char name[REGION_NAME_MAX + 1], why[512] = "the name is too long";
	uint64_t size = REGION_SIZE_DEFAULT;
	struct process *p = NULL;

	if (!shm || !*shm)
		return NULL;
	if (expand_name(name, shm)) {
		if (size_text && *size_text && !parse_size(size_text, &size)) {
			size = REGION_SIZE_DEFAULT;
			if (!quiet)
				prof__complain("PROF_SHM_SIZE", "not a size of 256K or more (bytes, or with K, M, G); taking 32M");
			quiet = true; /* one line at the most */
		}
		drops_children(quiet);
		bool alone = prof__gate_shut();
		p = make_process(name, size, why, sizeof why, owner);
		prof__gate_open(alone);
		quiet = quiet || (*owner && (*owner == getpid() || is_ancestor(*owner)));
	}
	if (!p && !quiet)
		complain_not_recorded(shm, why);
	return p;
}

static bool is_child; /* of a process that had the library */

/* The process object is there.  What a zone costs is measured once: a child has it from its parent. */
static void begin_process(struct process *p, const struct calm *calm)
{
	static struct pair_cost cost;

	__atomic_store_n(&prof__process, p, __ATOMIC_RELEASE);
	if (!p)
		return;
	atomic_thread_fence(memory_order_seq_cst);
	prof__switch_begin(p);
	if (!cost.warm_ps)
		cost = prof__pair_cost(p->clock);
	WORD_STORE(p->shared->pair_ps, cost.warm_ps);
	WORD_STORE(p->shared->pair_cold_ps, cost.cold_ps);
	prof__timer_start(p, is_child, calm);
	prof__sample_begin(p);
}

static pid_t second_in; /* the process in which this copy was the second: what a child does not record it does not tell of */

static void second_is_used(void)
{
	int saved = errno, expected = SECOND;

	if (!atomic_compare_exchange_strong(&state, &expected, OFF))
		return;
	set_state(OFF);
	if (second_in == getpid())
		complain_not_recorded(secure_getenv("PROF_SHM"), "another copy of libprof in this process owns the "
		    "region");
	errno = saved;
}

/* Counts what could not be recorded while the region was being made: zones, events, changes of counters. It is
 * reported as lost as soon as the region is there. */
static _Atomic uint64_t early;

static void tell_early(struct process *p)
{
	atomic_fetch_add_explicit(&p->shared->lost[LOSS_STARTING], atomic_exchange(&early, 0), memory_order_relaxed);
}

void prof__too_early(uint32_t zones, uint32_t lost)
{
	int now = atomic_load_explicit(&state, memory_order_acquire);

	if (now == CHILD)
		prof__outsider.open += zones;
	if (now != STARTING && now != ON) /* ON: since the caller found that there is none yet */
		return;
	prof__outsider.open += zones; /* outside of all that come when it is there */
	if (prof__switched_off())
		return;
	atomic_fetch_add(&early, lost);
	if (prof__process) /* it may have been told of already */
		tell_early(prof__process);
}

/* True if starting is worth a try. A child looks for the name once a second at most. */
static bool may_start(int from)
{
	struct timespec now;

	if (from != CHILD)
		return from == UNSTARTED;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return atomic_load_explicit(&child_looked, memory_order_relaxed) != now.tv_sec &&
	       atomic_exchange_explicit(&child_looked, now.tv_sec, memory_order_relaxed) != now.tv_sec;
}

static enum state not_started(int from, pid_t owner)
{
	if (from == CHILD)
		return owner ? CHILD : OFF; /* where it failed once, it would fail each time */
	second_in = getpid();
	return owner == second_in ? SECOND : OFF;
}

struct process *prof__running(void)
{
	struct process *p = prof__process;
	int from;

	if (p) {
		if (p->alive) /* not ON: the program is ending, and the region said so */
			return atomic_load_explicit(&state, memory_order_relaxed) == ON ? p : NULL;
		prof__forked();
	}
	from = atomic_load_explicit(&state, memory_order_relaxed);
	if (from == STARTING && atomic_load(&starts_in) != getpid()) {
		prof__forked();
		from = atomic_load_explicit(&state, memory_order_relaxed);
	}
	if (from == SECOND)
		second_is_used();
	if (!may_start(from))
		return prof__process; /* NULL while another thread starts it, or off */
	atomic_store(&starts_in, getpid());
	if (!atomic_compare_exchange_strong_explicit(&state, &from, STARTING, memory_order_acquire, memory_order_relaxed))
		return prof__process;
	pid_t owner = 0;
	struct calm calm;
	prof__calm_begin(&calm);
	prof__threads_init();
	p = start_process(from == CHILD, &owner);
	begin_process(p, &calm);
	set_state(p ? ON : not_started(from, owner));
	if (p)
		tell_early(p);
	else
		atomic_store(&early, 0);
	prof__calm_end(&calm);
	return p && !p->alive ? prof__running() : p; /* a handler that waited for this forked, and returned in the child */
}

/* ---- children */

static enum state state_of_child(void)
{
	const char *shm = secure_getenv("PROF_SHM");

	return drops_children(true) ? OFF : shm && strstr(shm, "%p") ? UNSTARTED : CHILD;
}

uint32_t prof__forks_untold;

static void begin_child(void)
{
	int was = atomic_load_explicit(&state, memory_order_relaxed);

	is_child = true;
	prof__forks_in_child();
	if (prof__process && prof__process->alive) /* made in this child already, before anybody told of the fork */
		return;
	prof__timer_forked();
	prof__delay_drop();
	if (!prof__process && was != STARTING)
		return;
	prof__thread = NULL;
	prof__process = NULL;
	prof__threads_forked();
	set_state(state_of_child());
}

void prof__forked(void)
{
	struct calm calm;

	prof__calm_begin(&calm);
	prof__forks_untold++;
	begin_child();
	prof__calm_end(&calm);
}

/* ---- the library's own start and end */

static void after_fork(void)
{
	struct calm calm;

	prof__calm_begin(&calm);
	prof__timed_forked();
	begin_child();
	prof__outsider.depth = 0;
	prof__outsider.open = prof__outsider.open_at_fork;
	prof__calm_end(&calm);
	int now = atomic_load_explicit(&state, memory_order_relaxed);
	if (now != UNSTARTED && now != CHILD && now != ON)
		return;
	prof__timer_expect();
	if (prof__thread && (prof__thread->guard == GUARD_READY || prof__thread->guard == GUARD_CALLING))
		prof__thread->guard = prof__ready(prof__thread);
}

__attribute__((constructor)) static void begin(void)
{
	static _Atomic int once;
	struct calm calm;

	prof__calm_begin(&calm);
	if (!atomic_exchange(&once, 1)) {
		prof__say_begin();
		prof__unload_watch();
		if (may_be_recorded()) {
			prof__say_for_children();
			prof__forks_watch(after_fork);
		}
	}
	prof__calm_end(&calm);
	prof__running();
}

static bool in_exit;

/* While the handlers are still there: of no priority, it comes before glibc takes them away, and end behind that. */
__attribute__((destructor)) static void leave(void)
{
	struct calm calm;

	prof__calm_begin(&calm);
	in_exit = prof__unload_is_exit();
	prof__forks_hold();
	prof__calm_end(&calm);
}

/* Some thread is between the two ends of a transition. */
static bool in_flight(const struct process *p)
{
	uint64_t used = WORD_LOAD(p->shared->threads);

	for (uint32_t i = 0; i < p->block_room && i < used; i++) {
		const struct thread *t = atomic_load_explicit(&p->threads[i], memory_order_acquire);
		if (t && WORD_LOAD(t->block->intent) != WORD_LOAD(t->block->head))
			return true;
	}
	return false;
}

#define TRIES 2000 /* of 10 us each */

/* Another thread makes the region just now, and nobody would remove it. */
static void await_start(void)
{
	for (int i = 0; i < TRIES && atomic_load_explicit(&state, memory_order_acquire) == STARTING; i++)
		usleep(10);
}

static void end_recording(struct process *p)
{
	if (prof__thread && prof__thread->guard != GUARD_WIPED && prof__thread->guard != GUARD_BUSY)
		prof__thread_end(prof__thread, false);
	set_state(OFF);
	tell_early(p);
	if (!atomic_exchange_explicit(&p->marking, 1, memory_order_acquire))
		prof__instant_renew(p); /* else a marker of another thread is at it */
	WORD_RELEASE(p->shared->state, PROCESS_EXITED);
	if (!p->keep)
		region_unlink(p->name, p->device, p->inode);
}

/* The module with the library is unloaded, which may happen again and again, so
 * all that this copy has mapped goes.  Its code goes, too, so nobody can use
 * the memory any more.  If a thread is still in an update, it gets a moment to
 * leave.  A handler may have jumped out of an update for good, so the wait has
 * an end.  p: the process that is recorded, or NULL. */
static void unmap_all(struct process *p)
{
	for (int i = 0; p && i < TRIES && in_flight(p); i++)
		usleep(10);
	if (p)
		munmap(p->header, p->size);
	prof__thread = NULL;
	prof__process = NULL;
	prof__registry_drop();
	prof__counters_drop();
	prof__measures_drop();
	prof__modules_drop();
	prof__sample_drop();
	prof__delay_drop();
	prof__timed_unload();
	prof__pages_free_all();
}

/* The program ends, or the module with the library is unloaded.  A program that
 * unloads it has no thread in the library.  Threads that outlive main are not
 * recorded any more. */
static void leave_all(void)
{
	await_start();
	prof__forks_await();
	bool timer_gone = prof__timer_end(in_exit);
	struct process *p = prof__process && prof__process->alive ? prof__process : NULL; /* else it is the parent's process */
	if (p) {
		prof__sample_end(p, in_exit);
		prof__threads_look(p);
	}
	prof__threads_fini();
	if (p)
		end_recording(p);
	if (in_exit && p && timer_gone && !in_flight(p))
		region_leave(p->header, p->size);
	if (!in_exit && atomic_load_explicit(&state, memory_order_acquire) != STARTING)
		unmap_all(p);
}

__attribute__((destructor(101))) static void end(void) /* behind those of a program that it is linked into */
{
	struct calm calm;

	prof__calm_begin(&calm);
	leave_all();
	prof__calm_end(&calm);
}
