/* core_await.h: the coroutines of core_await, which are C++20. */
#ifndef TESTS_CORE_AWAIT_H
#define TESTS_CORE_AWAIT_H

#ifdef __cplusplus
extern "C" {
#endif

#define AWAIT_TASKS 4
#define AWAIT_MOVES 10000

/* The clock of the library. */
long long await_ticks(void);

/* Runs them to their ends, and says what each measured; 1: something was not as it should be. */
int await_run(void);

/* Coroutines that await several things in one expression, or are destroyed in the middle, on one thread. */
void await_odd(void);
#define AWAIT_ODD 10

#ifdef __cplusplus
}
#endif

#endif
