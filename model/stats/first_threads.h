/* SPDX-License-Identifier: MIT */
/*
 * first_threads: which threads a screen shows of a program, as long as nobody has chosen some.
 *
 * A frame is of the thread that marks it, so that thread is shown. But where this thread waits for its workers, its rows
 * would say nothing. So all threads are shown, merged, if in the newest 2 s of frames
 *
 *     the thread that marks frames was busy (thread_load.h) for less than half of the time,
 *     and the other threads together were busy for longer than it.
 *
 * All threads are also shown if no thread marks frames: frames by a timer (PROF_FRAME_MS), frames that proftop cut, or no
 * frames at all. A wait that is not declared (Prof_Wait) counts as busy, as nothing here tells it from work.
 *
 * Reports that are printed, files and pages are of all threads, whatever the program does.
 */
#ifndef MODEL_FIRST_THREADS_H
#define MODEL_FIRST_THREADS_H

#include "model/profile/profile.h"

enum first_threads {
	FIRST_UNDECIDED, /* too little is known yet: as FIRST_MARKING */
	FIRST_MARKING,   /* the thread that marks frames */
	FIRST_ALL,
};

/* Decides it. While the process lives, it stays undecided until there are four frames and half a second of them, and as long
 * as all threads together are busy for less than a hundredth of the time: an idle server has not shown yet who works. The
 * caller keeps the answer, so that the screen does not change again. Takes as long as a sum over 2 s of frames. Also
 * undecided: out of memory. */
enum first_threads first_threads_decide(const struct profile *p);

/* The selection of threads that this means now. */
uint32_t first_threads_of(const struct profile *p, enum first_threads first);

#endif
