/* SPDX-License-Identifier: MIT */
/*
 * proftop_heap: where the history of a program lies, in memory of large pages.
 *
 * Nearly all of proftop's memory is the cells of the frames that it holds: some tens of MiB, which are allocated one
 * after the other as fast as a region can be read. With small pages, each new page is a fault in the kernel, and these
 * faults were a fifth of the time until the first picture. So the heap grows in large steps, and the system is asked
 * to make the first step of large pages. Room that was never used takes no memory. Room that becomes free is kept for
 * the frames to come. All threads share this one heap, because the thread that first reads a region hands over what it
 * allocated. Where the system cannot do it, the heap works as it always does.
 */
#ifndef PROFTOP_HEAP_H
#define PROFTOP_HEAP_H

/* Before the first allocation of any size. */
void heap_prepare(void);

#endif
