/* SPDX-License-Identifier: MIT */
/*
 * thread_load: what each thread did: how busy it was and how long it waited in what is looked at, and in which frame it
 * was busiest.
 *
 * Busy is the time in zones that do not wait, waits that in zones that do; time in no zone is neither. A part that is
 * missing, or was overwritten, counts as 0.
 */
#ifndef MODEL_THREAD_LOAD_H
#define MODEL_THREAD_LOAD_H

#include "model/query/values.h"
#include "model/profile/profile.h"

#define THREAD_LOAD_FRAMES 64

/* What the system counts for each thread: measures of slices that libprof publishes (measures.h). */
enum load_amounts { AMOUNT_CPU, AMOUNT_OFF_CPU, AMOUNT_VOLUNTARY, AMOUNT_INVOLUNTARY, AMOUNT_FAULTS, AMOUNT_DELAY, LOAD_AMOUNTS };

struct load_amount {
	int64_t sum;             /* CPU, off CPU and run delay: ticks, at most the wall time. The others: counts */
	uint32_t known, unknown; /* how many slices have a known amount, and how many do not */
};

struct thread_load {
	int64_t busy, waits;    /* ticks in all that is looked at, each at most its wall time */
	int64_t longest;        /* ticks of the frame in which it was busy longest, at most the length of that */
	uint64_t longest_frame; /* its number; 0: it was busy in none */
	int64_t frames[THREAD_LOAD_FRAMES]; /* busy in each of the newest frames that count, the oldest first */
	struct load_amount amounts[LOAD_AMOUNTS];
	int64_t doubt; /* ns: the largest doubt of a slice's CPU time */
};

struct thread_loads {
	uint32_t count; /* of frames */
	int64_t wall;   /* ticks of what is looked at */
	uint32_t measures[LOAD_AMOUNTS]; /* of the profile; PROFILE_NONE: the profile has no such measure */
	uint32_t doubts;                 /* likewise */
	struct thread_load *threads; /* by thread; thread_count of the profile */
};

/* Covers the newest THREAD_LOAD_FRAMES frames that count, up to number `last`, 0: up to the newest. O(parts and
 * cells of them). False: out of memory, and there are none. Free with thread_loads_fini. */
bool thread_loads_make(struct thread_loads *l, const struct profile *p, uint64_t last);

/* Loads of what the values cover, which need no frames. Of the covered frames, `n` from index `first` on, the
 * longest is sought and the newest are kept; discarded ones are left out.
 *
 * The amounts are sums over these frames. If the values have no first_frame, they are of the whole run, and so are the
 * amounts. The amounts of an average frame are unknown. */
bool thread_loads_cover(struct thread_loads *l, const struct profile *p, const struct values *v, uint32_t first, uint32_t n);
void thread_loads_fini(struct thread_loads *l);

/* A sum with unknown slices is a lower bound. If no slice is known, the sum is unknown. */
enum measure_known load_amount_known(const struct load_amount *a);

/* All threads in the order in which they are listed: first the one that marks frames, then those that live, the busiest
 * first, then the others likewise. `out` has room for thread_count of the profile; loads may be those of no memory. */
void thread_loads_order(const struct thread_loads *l, const struct profile *p, uint32_t *out);

/*
 * How many cores a program uses.
 *
 *     cores = used / wall
 *     used    the CPU time of all threads
 *     wall    the time that is covered: the frames, and the time between frames
 *             that the program bounds
 *
 * If the CPU time of a thread is not known for more than half of its slices, its
 * time in zones that do not wait stands for it. There a wait that was not
 * declared (Prof_Wait) counts as used, and time in no zone does not.
 *
 * What threads do between frames that the program bounds is in no frame, so it
 * is not in it: of several threads the load is then a lower bound.
 */
struct load {
	double used, wall; /* ticks; wall 0: nothing is known */
	bool cpu;          /* some of it is CPU time */
	bool idles;        /* something says that a thread was idle: it waited, or there is time between frames */
	bool least;        /* used is a lower bound: see above, or a slice's CPU time is not known */
};

/* The load of one frame, of several frames with the time between them, of an
 * average, or of a stretch of time. It is unknown if a slice is missing. `cpu`:
 * the same in CPU time (query_cpu), or NULL. O(nodes). */
struct load load_of_values(const struct profile *p, const struct values *v, const struct values *cpu);

/*
 * first_threads: which threads a screen shows of a program, as long as nobody has chosen some.
 *
 * A frame is of the thread that marks it, so that thread is shown. But where this thread waits for its workers, its rows
 * would say nothing. So all threads are shown, merged, if in the newest 2 s of frames
 * (or in the newest four frames, if these take longer)
 *
 *     the thread that marks frames was busy (thread_load.h) for less than half of the time,
 *     and the other threads together were busy for longer than it.
 *
 * All threads are also shown if no thread marks frames: frames by a timer (PROF_FRAME_MS), frames that proftop cut, or no
 * frames at all. A wait that is not declared (Prof_Wait) counts as busy, as nothing here tells it from work.
 *
 * Reports that are printed, files and pages are of all threads, whatever the program does.
 */

enum first_threads {
	FIRST_UNDECIDED, /* too little is known yet: as FIRST_MARKING */
	FIRST_MARKING,   /* the thread that marks frames */
	FIRST_ALL,
};

/*
 * Decides it. It stays undecided while the process lives and
 *
 *     there are fewer than four frames, or less than half a second of them,
 *     or all threads together were busy for less than a hundredth of the time.
 *
 * The last condition ends after 2 s, if the other threads were busier than the
 * thread that marks frames: a server with few requests has then shown who works.
 * The caller keeps the answer, so that the screen does not change again. Takes
 * as long as a sum over the viewed frames. Also undecided: out of memory.
 */
enum first_threads first_threads_decide(const struct profile *p);

/* The selection of threads that this means now. */
uint32_t first_threads_of(const struct profile *p, enum first_threads first);

#endif
