/* core_scribble.c: nothing that is read from a region steers the program.
 *
 * A program makes zones, frames, counters, events, notes and threads, all it can, while another process writes over
 * its region: everything, again and again, with random bytes, zeros, ones, small numbers, or the region's own words in
 * other places.  What the region says then is nonsense; the program must go on after each of them (it says so in memory
 * that is shared with the test, thread by thread), get all its sums right, and end as if nothing had been.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "shm/region.h"
#include "tests/core_run.h"
#include "tests/long.h"

#define WORKERS 3
#define STATUS  7
#define STEPS   2       /* rounds of each worker from one scribble to the next, at the least */
#define PATIENCE 600000 /* looks at a worker that does not move, 100 us each */

/* What the program and the test share beside the region. */
struct board {
	_Atomic uint64_t rounds[WORKERS + 1]; /* the last: of marks */
	_Atomic int over;
};

static struct board *board;

static void map_board(int fd)
{
	board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (board == MAP_FAILED)
		abort();
}

/* ---- what is profiled */

static uint64_t recurse(unsigned depth)
{
	Prof(recurse);
	return depth ? depth + recurse(depth - 1) : 0;
}

/* New nodes and new zones all the time, as long as there is room. */
static uint64_t branch(uint64_t round)
{
	static Prof_zone *zones[64];
	char name[32];
	uint64_t sum = 0;

	for (unsigned i = 0, at = (unsigned)round % 64; i < 3; i++, at = (at * 5 + 7) % 64) {
		Prof_zone *zone = __atomic_load_n(&zones[at], __ATOMIC_RELAXED);
		if (!zone) {
			snprintf(name, sizeof name, "branch %u", at);
			zone = Prof_Zone(name);
			__atomic_store_n(&zones[at], zone, __ATOMIC_RELAXED);
		}
		Prof_Enter(zone);
		sum += recurse(at % 8);
		Prof_Leave();
	}
	return sum;
}

static uint64_t branch_expected(uint64_t round)
{
	uint64_t sum = 0;

	for (unsigned i = 0, at = (unsigned)round % 64; i < 3; i++, at = (at * 5 + 7) % 64)
		sum += (at % 8) * (at % 8 + 1) / 2;
	return sum;
}

static void values(uint64_t round)
{
	Prof_Counter_Set("whole", (int64_t)round);
	Prof_Counter_Add("sum", 1);
	Prof_Counter_Set("real", (double)round * 0.5);
	if (round % 16 == 0) {
		Prof_Event("event");
		Prof_Note("round %llu of %s", (unsigned long long)round, "many");
	}
}

static void *short_life(void *sum)
{
	Prof_Thread("short");
	for (unsigned i = 0; i < 4; i++)
		*(uint64_t *)sum += branch(i);
	Prof_Begin(open_at_the_end)
	return NULL;
}

static uint64_t short_lives(void)
{
	uint64_t sum = 0;
	pthread_t thread;

	if (pthread_create(&thread, NULL, short_life, &sum) != 0)
		abort();
	pthread_join(thread, NULL);
	return sum;
}

static uint64_t short_expected(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < 4; i++)
		sum += branch_expected(i);
	return sum;
}

static bool over(void)
{
	return atomic_load_explicit(&board->over, memory_order_relaxed);
}

/* How often a sum was wrong, as a pointer. */
static void *worker(void *number)
{
	uint64_t round = 0;
	uintptr_t wrong = 0;

	for (; !over(); round++) {
		Prof(worker);
		wrong += branch(round) != branch_expected(round);
		values(round);
		if (round % 64 == 0)
			wrong += short_lives() != short_expected();
		atomic_store_explicit(&board->rounds[(uintptr_t)number], round + 1, memory_order_relaxed);
	}
	return (void *)wrong;
}

static void marks(void)
{
	for (uint64_t i = 0; !over(); i++) {
		switch (i % 8) {
		case 6:
			Prof_Frame_Begin(i % 16 < 8 ? "even" : "odd")
			break;
		case 7:
			Prof_Frame_End
			break;
		default:
			Prof_update(i % 8 != 3);
		}
		if (i % 512 == 0)
			Prof_Enable(0);
		Prof_Enable(1);
		atomic_store_explicit(&board->rounds[WORKERS], i + 1, memory_order_relaxed);
	}
}

static int work(void)
{
	pthread_t threads[WORKERS];
	uintptr_t wrong = 0;
	void *one;

	map_board(atoi(getenv("PROF_TEST_BOARD")));
	for (uintptr_t i = 0; i < WORKERS; i++)
		if (pthread_create(&threads[i], NULL, worker, (void *)i) != 0)
			abort();
	marks();
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(threads[i], &one);
		wrong += (uintptr_t)one;
	}
	printf("%llu sums are wrong\n", (unsigned long long)wrong);
	return STATUS;
}

/* ---- what is written over the region */

struct pen {
	unsigned char *bytes;
	size_t size;
	uint64_t random;
};

static void write_random(struct pen *pen)
{
	uint64_t *words = (uint64_t *)(void *)pen->bytes;

	for (size_t i = 0; i < pen->size / 8; i++)
		words[i] = core_random(&pen->random);
}

static void write_zeros(struct pen *pen)
{
	memset(pen->bytes, 0, pen->size);
}

static void write_ones(struct pen *pen)
{
	memset(pen->bytes, 0xff, pen->size);
}

/* Ids, states, indices that could be. */
static void write_small(struct pen *pen)
{
	uint64_t *words = (uint64_t *)(void *)pen->bytes;

	for (size_t i = 0; i < pen->size / 8; i++)
		words[i] = core_random(&pen->random) % 6;
}

/* Ticks at the ends of what there is. */
static void write_extremes(struct pen *pen)
{
	static const uint64_t ends[] = { INT64_MAX, 1ull << 63, INT64_MAX - 1, UINT64_MAX - 1 };
	uint64_t *words = (uint64_t *)(void *)pen->bytes;

	for (size_t i = 0; i < pen->size / 8; i++)
		words[i] = ends[core_random(&pen->random) % 4];
}

/* Single words, so that the most of it is as it should be: everything that was right now is elsewhere. */
static void move_words(struct pen *pen)
{
	uint64_t *words = (uint64_t *)(void *)pen->bytes;
	size_t count = pen->size / 8;

	for (size_t i = 0; i < count / 16; i++)
		words[core_random(&pen->random) % count] = words[core_random(&pen->random) % count];
}

/* The parts in front, where what all threads share is. */
static void write_front(struct pen *pen)
{
	struct pen front = { pen->bytes, pen->size / 16, core_random(&pen->random) };

	write_small(&front);
}

static const struct {
	const char *name;
	void (*write)(struct pen *pen);
} kinds[] = {
	{ "words that moved", move_words }, { "random bytes", write_random }, { "zeros", write_zeros },
	{ "ones", write_ones },             { "small numbers", write_small }, { "extremes", write_extremes },
	{ "small ones in front", write_front },
};

/* ---- the test */

static bool open_pen(struct pen *pen, const char *name, uint64_t seed)
{
	char path[300];
	struct stat st = { 0 };

	snprintf(path, sizeof path, "/dev/shm/%s", name);
	for (int i = 0; i < PATIENCE && !core_exists(name); i++)
		core_sleep_us(100);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (!CHECK(fd >= 0 && fstat(fd, &st) == 0, "%s", path))
		return false;
	*pen = (struct pen){ mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0),
		             (size_t)st.st_size, seed };
	close(fd);
	return CHECK(pen->bytes != MAP_FAILED);
}

/* Waits until every thread has made rounds; false: one of them stands, or the program is gone. */
static bool moves(pid_t child)
{
	for (int i = 0; i <= WORKERS; i++) {
		uint64_t from = atomic_load(&board->rounds[i]);
		for (int looks = 0; atomic_load(&board->rounds[i]) < from + STEPS; looks++) {
			siginfo_t info = { 0 };
			if (!CHECK(waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && !info.si_pid,
			           "the program is gone") ||
			    !CHECK(looks < PATIENCE, "worker %d stands still", i))
				return false;
			core_sleep_us(100);
		}
	}
	return true;
}

static unsigned long scribble(const char *name, pid_t child, unsigned only, unsigned long times)
{
	unsigned long done = 0;
	struct pen pen;

	if (!open_pen(&pen, name, 0x9e3779b97f4a7c15ull + only))
		return 0;
	for (; done < times && moves(child); done++)
		for (int i = 0; i < 8; i++)
			kinds[only].write(&pen);
	munmap(pen.bytes, pen.size);
	return done * 8;
}

static void run(unsigned only, const char *size, unsigned long times)
{
	static const char *const arguments[] = { "work", NULL };
	const char *name = core_name("scribble");
	int fd = memfd_create("board", 0), out = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char number[16], said[256] = "";

	if (!CHECK(fd >= 0 && ftruncate(fd, sizeof *board) == 0))
		return;
	map_board(fd);
	snprintf(number, sizeof number, "%d", fd);
	setenv("PROF_TEST_BOARD", number, 1);
	struct core_program program = { .shm = name, .size = size, .drop = true, .arguments = arguments, .out = out };
	pid_t child = core_start(&program);
	unsigned long done = scribble(name, child, only, times);
	atomic_store(&board->over, 1);
	int status = core_wait(child, 60);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == STATUS, "%s: status %#x", kinds[only].name, (unsigned)status);
	CHECK(pread(out, said, sizeof said - 1, 0) > 0 && !strcmp(said, "0 sums are wrong\n"), "%s: %s",
	      kinds[only].name, said);
	CHECK(!core_exists(name), "%s: the region was left", kinds[only].name);
	printf("%-20s %-5s %lu times\n", kinds[only].name, size, done);
	munmap(board, sizeof *board);
	close(fd);
	close(out);
	core_remove(name);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "work"))
		return work();
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		run(i, "256K", test_times(60, 3000));
		run(i, "2M", test_times(8, 500));
	}
	return core_result();
}
