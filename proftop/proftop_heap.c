/* SPDX-License-Identifier: MIT */
#include "proftop/proftop_heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define STEP (64 << 20) /* bytes; as much as is held of a region */
#define ARRAYS (1 << 20) /* what is larger is mapped apart: where it grows it leaves no hole in the heap */
#define LARGE_PAGE ((uintptr_t)2 << 20)

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
void heap_prepare(void)
{
	uintptr_t begin, end;
	void *first;

	if (!mallopt(M_TOP_PAD, STEP) || !mallopt(M_MMAP_THRESHOLD, ARRAYS) || !mallopt(M_ARENA_MAX, 1))
		return;
	first = malloc(ARRAYS / 2); /* more than there is, so the heap is grown */
	begin = ((uintptr_t)first + LARGE_PAGE - 1) & -LARGE_PAGE;
	end = (uintptr_t)sbrk(0) & -LARGE_PAGE;
	if (first && begin < end)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
	free(first);
}
#else
void heap_prepare(void)
{
}
#endif
