/* core_keys.c: a program that had made so many keys before libprof that glibc takes memory for one more when a thread sets
 * it.  A thread's first zone may be that of a handler that interrupted malloc, and threads end without a word. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "prof.h"
#include "tests/core_read.h"
#include "tests/core_run.h"

#define KEYS     40
#define SIGNALED 40
#define SHORT    4000
#define AT_ONCE  8

__attribute__((constructor(101))) static void make_keys(void)
{
	static pthread_key_t keys[KEYS];

	for (int i = 0; i < KEYS; i++)
		pthread_key_create(&keys[i], NULL);
}

static _Atomic int in_malloc, told;

static void first_zone(int signal)
{
	(void)signal;
	Prof(in_handler);
	told = 1;
}

/* These sizes are all taken and given back under malloc's lock. */
static void *allocate(void *unused)
{
	for (size_t i = 0; !told; i++) {
		void *volatile block = malloc(2000 + i % 50 * 1000);

		in_malloc = 1;
		free(block);
	}
	return unused;
}

static void handlers(void)
{
	signal(SIGUSR1, first_zone);
	for (int i = 0; i < SIGNALED; i++) {
		pthread_t thread;

		in_malloc = told = 0;
		pthread_create(&thread, NULL, allocate, NULL);
		while (!in_malloc)
			core_sleep_us(10);
		pthread_kill(thread, SIGUSR1);
		pthread_join(thread, NULL);
	}
}

static void check_handlers(struct view *view)
{
	CHECK(view_entries(view, "in_handler") == SIGNALED);
	CHECK_LOST_ONLY(view, 0);
}

static void *short_life(void *open)
{
	static Prof_zone left = prof__ZONE("left", "", 1);

	for (int i = 0; i < 3; i++) {
		Prof(task);
	}
	if (open)
		Prof_Enter(&left);
	return NULL;
}

/* More than there is room for, but for those that have ended. */
static void threads(void)
{
	pthread_t ids[AT_ONCE];

	for (int i = 0; i < SHORT; i++) {
		if (i >= AT_ONCE)
			pthread_join(ids[i % AT_ONCE], NULL);
		pthread_create(&ids[i % AT_ONCE], NULL, short_life, i % 2 ? &ids : NULL);
		if (i % 16 == 0)
			Prof_update(1);
	}
	for (int i = 0; i < AT_ONCE; i++)
		pthread_join(ids[i], NULL);
}

static void check_threads(struct view *view)
{
	CHECK(view_entries(view, "task") == 3 * SHORT, "%llu", (unsigned long long)view_entries(view, "task"));
	CHECK(view_blocks(view, BLOCK_LIVE) == 0, "%u", view_blocks(view, BLOCK_LIVE));
	CHECK_LOST(view, LOSS_LEFT_OPEN, SHORT / 2);
	CHECK_LOST(view, LOSS_THREAD_ROOM, 0);
}

static const struct view_case cases[] = {
	{ "handlers", handlers, check_handlers, "1M", NULL },
	{ "threads", threads, check_threads, "1M", NULL },
};

int main(int argc, char **argv)
{
	size_t count = sizeof cases / sizeof *cases;

	if (argc > 1)
		return view_run_case(cases, count, argv[1]) ? 0 : 1;
	view_check_cases(cases, count);
	return core_result();
}
