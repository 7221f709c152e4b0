/* core_run.h: what the tests of the core share: checks, names of regions, and programs run under profiling.
 *
 * A test runs its own program again as the one to be profiled ("work" and the like as first argument), looks
 * at the region that this leaves, and removes it.  Names carry the test's pid, so that tests run beside each
 * other; every loop that waits has an end.
 */
#ifndef TESTS_CORE_RUN_H
#define TESTS_CORE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* Counts a failure and says what it was; the first few of a place are printed. */
#define CHECK(condition, ...) core_check((condition), __FILE__, __LINE__, #condition, " " __VA_ARGS__)
bool core_check(bool holds, const char *file, int line, const char *condition, const char *format, ...)
    __attribute__((format(printf, 5, 6))); /* returns holds */

/* Says how many checks failed; what main returns. */
int core_result(void);
unsigned core_failures(void);

/* A name for a region of this test, of its own static storage for each tag used last. */
const char *core_name(const char *tag);

/* Unlinks the region and the retired one beside it. */
void core_remove(const char *name);
bool core_exists(const char *name);

/* Programs print the pids of which they have regions named BASE.PID: the next one's name.  *at goes behind it.  False: there
 * is none any more. */
bool core_next_region(const char **at, const char *base, char name[100]);

/* How a program is to be run. */
struct core_program {
	const char *shm;          /* PROF_SHM; NULL: unset */
	const char *size;         /* PROF_SHM_SIZE; NULL: unset */
	const char *events;       /* PROF_EVENTS; NULL: unset */
	bool drop;                /* PROF_KEEP unset: the region goes when the program ends normally */
	const char *const *arguments; /* of this very program, ended by NULL */
	void (*prepare)(void);    /* in the child, before exec; may be NULL */
	int out, err;             /* descriptors for stdout and stderr; 0: as they are */
};
pid_t core_start(const struct core_program *program);

/* Waits for a child at most `seconds`; then kills it and counts a failure.  The status as of waitpid. */
int core_wait(pid_t child, unsigned seconds);

/* core_start and core_wait, with a failure counted unless it exits with 0. */
void core_run(const struct core_program *program, unsigned seconds);

/* core_start with both outputs caught, at most size - 1 bytes each.  Returns the status. */
struct core_output {
	int status;
	char out[4096], err[4096];
};
void core_catch(const struct core_program *program, unsigned seconds, struct core_output *output);

void core_sleep_us(uint64_t us);

/* From now on a system call of this number has that answer, as SECCOMP_RET_ERRNO | EPERM, in the calling thread and those
 * that it makes.  False: filters are not permitted here. */
bool core_forbid(long number, unsigned answer);

/* Repeatable random numbers. */
static inline uint64_t core_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return *state = x;
}

#endif
