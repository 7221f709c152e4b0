/* SPDX-License-Identifier: MIT */
/*
 * failing_memory: allocations that fail when a test says so.
 *
 * The test is linked with --wrap for each function that allocates ($(failing_memory) in local.mk),
 * and defines may_allocate, which each of them asks.
 */
#ifndef TESTS_FAILING_MEMORY_H
#define TESTS_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

static bool may_allocate(void);

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_reallocarray(void *old, size_t n, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_reallocarray(void *old, size_t n, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
	return may_allocate() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t n, size_t size)
{
	return may_allocate() ? __real_calloc(n, size) : NULL;
}

void *__wrap_reallocarray(void *old, size_t n, size_t size)
{
	return may_allocate() ? __real_reallocarray(old, n, size) : NULL;
}

char *__wrap_strdup(const char *text)
{
	return may_allocate() ? __real_strdup(text) : NULL;
}

#endif
