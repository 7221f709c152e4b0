/* SPDX-License-Identifier: MIT */
/* squash_queue: what is left to do, shared by the workers.
 *
 * A stack of paths: a worker that finds a directory pushes what is in it, so the
 * walk goes deep first and the stack stays small.  The work is over when the stack
 * is empty and no worker is busy with something that may still push.  Every
 * function may be called from any thread.
 */
#ifndef SQUASH_QUEUE_H
#define SQUASH_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct job {
	char *path; /* owned by whoever holds the job */
	bool is_directory;
};

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t more; /* a job was pushed, or everything is done */
	pthread_cond_t done; /* everything is done; waits by CLOCK_MONOTONIC */
	struct job *jobs;
	size_t count, room;
	unsigned busy; /* jobs popped and not yet finished */
};

bool queue_init(struct queue *q);
void queue_fini(struct queue *q); /* frees what was left in it as well */

/* Takes the job and its path; false when there is no memory, and nothing is taken. */
bool queue_push(struct queue *q, struct job job);

/* The next job, waiting for one if need be; false when everything is done. */
bool queue_pop(struct queue *q, struct job *job);

/* To be called once for each job popped, after its last push. */
void queue_finish(struct queue *q);

/* Waits until everything is done (true) or the time has come (false). */
bool queue_wait_until(struct queue *q, const struct timespec *deadline);

#endif
