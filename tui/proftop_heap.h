/* SPDX-License-Identifier: MIT */
/*
 * proftop_heap: where the history of a program lies, in memory of large pages.
 *
 * Nearly all of proftop's memory is the cells of the frames that it holds, some tens of MiB, which are
 * allocated one after the other as fast as they can be read. Of small pages each is a fault in the kernel, a
 * fifth of the time until the first picture. So the heap is grown in large steps, and the first is asked to be
 * of large pages. What was never used of it takes no memory; what is free again stays for the frames to come.
 * Where that cannot be, it is as it was.
 */
#ifndef TUI_PROFTOP_HEAP_H
#define TUI_PROFTOP_HEAP_H

/* Before the first allocation of any size. */
void heap_prepare(void);

#endif
