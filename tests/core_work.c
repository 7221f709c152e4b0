/* core_work.c: random zones, recursion, sleeps, threads that come and go, marks. */
#include "tests/core_work.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include "prof.h"
#include "tests/core_run.h"

#define ZONES 5
#define DEPTH 5

struct work {
	const char *traits;
	unsigned rate;
	uint64_t end_ns;
	Prof_zone *zones[ZONES];
};

struct worker {
	struct work *work;
	unsigned number;
	uint64_t random;
};

Prof_Define(shared_by_all);

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void work_spin(uint64_t ns)
{
	uint64_t end = now_ns() + ns;

	while (now_ns() < end)
		;
}

static bool has(const struct work *work, char trait)
{
	return strchr(work->traits, trait) != NULL;
}

static bool over(const struct work *work)
{
	return now_ns() >= work->end_ns;
}

static void nap(struct worker *w)
{
	if (has(w->work, 's') && core_random(&w->random) % 700 == 0)
		core_sleep_us(core_random(&w->random) % 3000);
}

static void switch_away(struct worker *w)
{
	Prof_stack zones = Prof_STACK;

	if (!has(w->work, 'f') || core_random(&w->random) % 64)
		return;
	Prof_Suspend(&zones);
	work_spin(core_random(&w->random) % 500);
	bool elsewhere = core_random(&w->random) % 2;
	if (elsewhere)
		Prof_Enter(w->work->zones[0]);
	Prof_Resume(&zones);
	work_spin(core_random(&w->random) % 500);
	if (!elsewhere)
		return;
	Prof_Suspend(&zones);
	Prof_Leave();
	Prof_Resume(&zones);
}

/* A random tree of zones, of a few hundred nodes; a zone may stand in itself. */
static void descend(struct worker *w, unsigned depth)
{
	uint64_t r = core_random(&w->random);

	Prof_Enter(w->work->zones[(depth / 2 + r % 3) % ZONES]);
	work_spin(r >> 8 & 2047);
	nap(w);
	switch_away(w);
	if (depth < DEPTH && (r >> 20) % 3)
		descend(w, depth + 1);
	if (depth < DEPTH && (r >> 24) % 4 == 0)
		descend(w, depth + 1);
	if ((r >> 28) % 5 == 0) {
		Prof_Scope(shared_by_all);
		work_spin(300);
	}
	Prof_Leave();
	if (r >> 32 & 1)
		work_spin(r >> 40 & 1023);
}

static void private_zones(void)
{
	Prof_Begin(outer)
	work_spin(500);
	Prof_Begin(inner)
	work_spin(500);
	Prof_End
	Prof_End
}

static void values(const struct worker *w)
{
	Prof_Counter_Add(rounds, 1);
	Prof_Counter_Set(thread_number, w->number);
	if (w->random % 8 == 0)
		Prof_Event(round_of_eight);
	Prof_Counter_Set(ratio, (double)(w->random % 1000) / 1000);
	if (w->random % 16 == 0)
		Prof_Note("%u left", w->number);
}

static void *work_thread(void *argument)
{
	struct worker *w = argument;
	struct work *work = w->work;
	uint64_t life = has(work, 't') ? now_ns() + 20000000 + core_random(&w->random) % 200000000 : work->end_ns;

	while (!over(work) && now_ns() < life) {
		descend(w, 0);
		if (core_random(&w->random) % 16 == 0)
			private_zones();
		if (has(work, 'v'))
			values(w);
		if (has(work, 'w') && w->number == 1) {
			Prof_Begin(asleep)
			core_sleep_us(60000);
			Prof_End
		}
	}
	if (has(work, 'o') && w->number == 1) {
		Prof_Enter(work->zones[0]);
		Prof_Enter(work->zones[1]);
	}
	return NULL;
}

/* A place for one thread after the other. */
static void *place(void *argument)
{
	struct worker *w = argument;

	do {
		pthread_t thread;
		struct worker next = *w;
		next.random = core_random(&w->random) | 1;
		if (pthread_create(&thread, NULL, work_thread, &next) != 0)
			abort();
		pthread_join(thread, NULL);
	} while (!over(w->work));
	return NULL;
}

static void end_frame(struct work *work, uint64_t n)
{
	static const char *const names[] = { "menu", "game", NULL };

	if (!has(work, 'b')) {
		Prof_update(!(has(work, 'd') && n % 37 == 5));
		return;
	}
	Prof_Frame_End
	private_zones();
	Prof_Frame_Begin(names[n % 3])
}

static void sleep_until(uint64_t due)
{
	for (uint64_t now = now_ns(); now < due; now = now_ns())
		core_sleep_us(due - now < 1000000 ? (due - now) / 1000 : 1000);
}

static void mark(struct worker *w)
{
	struct work *work = w->work;
	uint64_t step = 1000000000u / work->rate, due = now_ns() + step;

	prctl(PR_SET_TIMERSLACK, 1);
	if (has(work, 'b'))
		Prof_Frame_Begin("first")
	for (uint64_t n = 1; !over(work); n++) {
		if (!has(work, 'h'))
			descend(w, 3);
		sleep_until(due);
		end_frame(work, n);
		due += step;
		if (due < now_ns())
			due = now_ns() + step;
		if (has(work, 'p') && n % 500 == 499)
			core_sleep_us(600000);
	}
}

void work_run(unsigned threads, unsigned ms, unsigned rate, const char *traits, uint64_t seed)
{
	struct work work = { .traits = traits, .rate = rate, .end_ns = now_ns() + ms * 1000000ull };
	struct worker *workers = calloc(threads, sizeof *workers);
	pthread_t *ids = calloc(threads, sizeof *ids);
	uint64_t random = seed * 0x9e3779b97f4a7c15ull | 1;

	for (unsigned z = 0; z < ZONES; z++) {
		char name[32];
		snprintf(name, sizeof name, "zone %u", z);
		work.zones[z] = Prof_Zone(name);
	}
	for (unsigned i = 0; i < threads; i++) {
		workers[i] = (struct worker){ &work, i, core_random(&random) | 1 };
		if (i > 0 && pthread_create(&ids[i], NULL, has(&work, 't') ? place : work_thread, &workers[i]) != 0)
			abort();
	}
	mark(&workers[0]);
	for (unsigned i = 1; i < threads; i++)
		pthread_join(ids[i], NULL);
	free(workers);
	free(ids);
}

int work_main(char **arguments)
{
	work_run((unsigned)atoi(arguments[0]), (unsigned)atoi(arguments[1]), (unsigned)atoi(arguments[2]), arguments[3], 1);
	return 0;
}
