/* shm_damage: scribbled and shrinking regions: never a signal, never an endless loop, never a bad index.
 *
 * PROF_TEST_SEED and PROF_TEST_ROUNDS change which damage is made and how much.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "shm/guard.h"
#include "shm/snapshot.h"
#include "tests/region_ask.h"
#include "tests/region_builder.h"

#define NODES 100

struct fixture {
	struct builder b;
	struct attachment a;
	unsigned char *good; /* the region as it was */
};

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

/* A region with some of everything: two threads, deep trees, parts, events, frames, worst and history. */
static void fill_thread(struct builder *b, uint32_t block)
{
	struct record_node nodes[3] = { { 0, 30, 0, 0 }, { 1, 50, 50, 1 }, { 2, 20, 7, 3 } };
	int64_t tick = 1100;
	uint64_t words[64];

	for (uint32_t n = 1; n < NODES; n++)
		builder_node(b, block, n - 1 - n % 3 % n, 1 + n % BUILDER_ZONES);
	for (unsigned i = 0; i < CHUNK_EVENTS + 25; i++) {
		builder_enter(b, block, 1, tick += 5);
		builder_leave(b, block, tick += 5);
		if (i == CHUNK_EVENTS / 2 + 3 || i == CHUNK_EVENTS + 5)
			builder_keep_events(b, block, 1);
	}
	builder_enter(b, block, 1, tick += 5);
	for (uint64_t i = 1; i < 150; i++)
		builder_record(b, block, (struct record_head){ .kind = RECORD_PART, .interval = i % 20 + 1,
		                                               .bound = (int64_t)i * 100, .end = (int64_t)i * 100 + 100 },
		               nodes, 3);
	uint32_t count = builder_pack((struct record_head){ .kind = RECORD_PART, .interval = 5, .bound = 500, .end = 600 },
	                              nodes, 3, words);
	builder_keep(b, block, 1, 5, words, count);
	for (uint32_t i = 0; i < 150; i++)
		builder_hours(b, block, i % REGION_HOURS, words, count);
	for (int i = 0; i < 120; i++) {
		builder_value(b, block, (uint32_t)i % 50, builder_real(i));
		builder_event(b, block, 3, tick + i);
		builder_note(b, block, tick + i, "what was to be said");
		WORD_STORE(b->process->epoch, 21 + i / 50);
	}
	WORD_STORE(b->process->epoch, 21);
}

static void fill(struct builder *b)
{
	char name[32];

	for (int z = 0; z < BUILDER_ZONES; z++) {
		snprintf(name, sizeof name, "zone %d", z);
		builder_zone(b, name, "file.c", (uint32_t)z);
	}
	for (unsigned c = 0; c < 50; c++)
		builder_counter(b, "a counter", c % 2 ? COUNTER_REAL : COUNTER_SET);
	for (int i = 1; i <= 20; i++)
		builder_frame(b, BUILDER_START + i * 500, (uint64_t)i, 1ull << 32, i == 19 ? "named" : NULL);
	fill_thread(b, builder_thread(b, 1050, "first"));
	fill_thread(b, builder_thread(b, 1060, "second"));
	for (uint32_t i = 0; i < BUILDER_WORST; i++) {
		WORD_STORE(b->worst[i].interval, 5 + i);
		WORD_STORE(b->worst[i].start, 100);
		WORD_STORE(b->worst[i].end, 900);
	}
	for (uint32_t i = 0; i < BUILDER_LEVELS * BUILDER_SLOTS; i++)
		WORD_STORE(b->history[i].seq, 2 * (i % BUILDER_SLOTS + 1));
}

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	builder_begin(&f->b, "damage");
	fill(&f->b);
	f->good = malloc(f->b.size);
	memcpy(f->good, f->b.base, f->b.size);
	*state = f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	builder_end(&f->b);
	free(f->good);
	free(f);
	return 0;
}

/* ---- scribbles */

static const uint64_t evil[] = { 0, 1, 2, 0x7f, 0xff, 0xffff, 0xffffffff, 1ull << 32, 1ull << 62, 1ull << 63,
	                         INT64_MAX, UINT64_MAX, UINT64_MAX - 1 };

/* Where there is something: three of four go there. */
static size_t place_for(struct fixture *f, uint64_t *random)
{
	size_t used = (size_t)((unsigned char *)&f->b.chunks[f->b.chunks_used] - f->b.base);
	size_t threads = (size_t)((unsigned char *)f->b.threads - f->b.base);
	uint64_t r = builder_random(random);

	switch (r % 4) {
	case 0:
		return REGION_PAGE + builder_random(random) % (f->b.size - REGION_PAGE);
	case 1:
		return threads + builder_random(random) % (2 * sizeof(struct region_thread));
	default:
		return REGION_PAGE + builder_random(random) % (used - REGION_PAGE);
	}
}

static void scribble(struct fixture *f, uint64_t *random)
{
	for (uint64_t i = 1 + builder_random(random) % 12; i > 0; i--) {
		size_t at = place_for(f, random);
		uint64_t r = builder_random(random);
		switch (r % 4) {
		case 0:
			f->b.base[at] ^= (unsigned char)(1 << (r >> 8) % 8);
			break;
		case 1:
			f->b.base[at] = (unsigned char)(r >> 16);
			break;
		case 2:
			memcpy(f->b.base + (at & ~7ul), &evil[(r >> 8) % (sizeof evil / sizeof *evil)], 8);
			break;
		default: /* words of one place in another */
			memcpy(f->b.base + (at & ~7ul), f->b.base + (place_for(f, random) & ~7ul), 8);
		}
	}
}

static void repair(struct fixture *f)
{
	memcpy(f->b.base + REGION_PAGE, f->good + REGION_PAGE, f->b.size - REGION_PAGE);
}

static void an_unscribbled_region_answers(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(region_attach(&f->a, f->b.name, 0, NULL, 0), ATTACH_OK);
	assert_true(region_ask(&f->a) > 100);
	region_detach(&f->a);
}

static void a_scribbled_live_region(void **state)
{
	struct fixture *f = *state;
	uint64_t seed = number("PROF_TEST_SEED", 20240229), rounds = number("PROF_TEST_ROUNDS", 3000);

	assert_int_equal(region_attach(&f->a, f->b.name, 0, NULL, 0), ATTACH_OK);
	for (uint64_t round = 0; round < rounds; round++) {
		uint64_t random = seed + round * 1000003;
		scribble(f, &random);
		alarm(30); /* an endless loop ends the test */
		region_ask(&f->a);
		repair(f);
	}
	alarm(0);
	region_detach(&f->a);
}

/* The header is checked before it is used: a change there ends in a state, or changes nothing. */
static void a_scribbled_header(void **state)
{
	struct fixture *f = *state;
	uint64_t seed = number("PROF_TEST_SEED", 20240301), rounds = number("PROF_TEST_ROUNDS", 3000), refused = 0;
	char why[512];

	for (uint64_t round = 0; round < rounds; round++) {
		uint64_t random = seed + round * 7919, r = builder_random(&random);
		size_t at = r % 3 ? r / 3 % 64 : offsetof(struct region_header, sections) + r / 3 % 144;
		if (r & 1ull << 60)
			memcpy(f->b.base + (at & ~7ul), &evil[(r >> 8) % (sizeof evil / sizeof *evil)], 8);
		else
			f->b.base[at] ^= (unsigned char)(1 << (r >> 40) % 8);
		if (round % 2)
			builder_die(&f->b);
		alarm(30);
		if (region_attach(&f->a, f->b.name, 0, why, sizeof why) == ATTACH_OK) {
			region_ask(&f->a);
			region_detach(&f->a);
		} else {
			refused++;
			assert_true(strlen(why) > 20);
		}
		memcpy(f->b.base, f->good, REGION_PAGE);
	}
	alarm(0);
	assert_true(refused > rounds / 4);
}

/* ---- a file that shrinks */

static void a_region_that_is_cut_while_it_is_read(void **state)
{
	struct fixture *f = *state;
	static const off_t sizes[] = { 300 * 4096, 12 * 4096 + 5, 4096, 4095, 0 };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		assert_int_equal(region_attach(&f->a, f->b.name, 0, NULL, 0), ATTACH_OK);
		assert_true(f->a.mapped);
		region_ask(&f->a);
		assert_false(f->a.truncated);
		assert_int_equal(ftruncate(f->b.fd, sizes[i]), 0);
		region_ask(&f->a);
		WORD_LOAD(f->a.chunks[BUILDER_CHUNKS - 1].seq);
		assert_true(f->a.truncated);
		assert_int_equal(WORD_LOAD(f->a.chunks[BUILDER_CHUNKS - 1].seq), 0);
		region_detach(&f->a);
		assert_int_equal(ftruncate(f->b.fd, (off_t)f->b.size), 0);
		memcpy(f->b.base, f->good, f->b.size);
	}
}

static void a_region_that_is_cut_when_its_writer_dies(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(region_attach(&f->a, f->b.name, 0, NULL, 0), ATTACH_OK);
	assert_int_equal(ftruncate(f->b.fd, 8192), 0);
	builder_die(&f->b);
	assert_false(region_refresh_life(&f->a));
	assert_true(f->a.truncated);
	region_ask(&f->a);
	region_detach(&f->a);
	assert_int_equal(ftruncate(f->b.fd, (off_t)f->b.size), 0);
}

/* Several at once, and each knows of its own loss only. */
static void only_the_cut_one_is_marked(void **state)
{
	struct fixture *f = *state;
	struct builder other;
	struct attachment b;

	builder_begin(&other, "damage-other");
	assert_int_equal(region_attach(&f->a, f->b.name, 0, NULL, 0), ATTACH_OK);
	assert_int_equal(region_attach(&b, other.name, 0, NULL, 0), ATTACH_OK);
	assert_int_equal(ftruncate(other.fd, 4096), 0);
	assert_int_equal(WORD_LOAD(b.process->epoch), 0);
	assert_true(b.truncated);
	region_ask(&f->a);
	assert_false(f->a.truncated);
	region_detach(&b);
	region_detach(&f->a);
	builder_end(&other);
}

/* ---- the handler passes on what is not ours */

static volatile sig_atomic_t passed_on;
static sigjmp_buf back;

static void own_handler(int number)
{
	passed_on = number;
	siglongjmp(back, 1);
}

static int child_with(void (*run)(void))
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		run();
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

static void guard_something(void)
{
	static volatile int hit;
	static char page[4096];

	if (!guard_add(page, sizeof page, &hit))
		_exit(9);
}

static volatile char *lost_page(void)
{
	FILE *file = tmpfile();
	char *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(file), 0);

	return map;
}

static void with_a_handler_before(void)
{
	signal(SIGBUS, own_handler);
	guard_something();
	if (sigsetjmp(back, 1) == 0) {
		(void)*lost_page();
		_exit(1);
	}
	_exit(passed_on == SIGBUS ? 0 : 2);
}

static void without_a_handler_before(void)
{
	signal(SIGBUS, SIG_DFL);
	guard_something();
	(void)*lost_page();
}

static void sent_by_somebody(void)
{
	signal(SIGBUS, SIG_DFL);
	guard_something();
	raise(SIGBUS);
}

static void ignored_before(void)
{
	signal(SIGBUS, SIG_IGN);
	guard_something();
	raise(SIGBUS);
}

static void faults_of_others_are_passed_on(void **state)
{
	int status;

	(void)state;
	status = child_with(with_a_handler_before);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	status = child_with(without_a_handler_before);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
	status = child_with(sent_by_somebody);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
	status = child_with(ignored_before);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_of_others_are_passed_on),
		cmocka_unit_test_setup_teardown(an_unscribbled_region_answers, begin, end),
		cmocka_unit_test_setup_teardown(a_scribbled_live_region, begin, end),
		cmocka_unit_test_setup_teardown(a_scribbled_header, begin, end),
		cmocka_unit_test_setup_teardown(a_region_that_is_cut_while_it_is_read, begin, end),
		cmocka_unit_test_setup_teardown(a_region_that_is_cut_when_its_writer_dies, begin, end),
		cmocka_unit_test_setup_teardown(only_the_cut_one_is_marked, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
